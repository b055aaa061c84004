//! Caches at `https://` URLs, over TLS on this machine: every format that can be read from there, from a server that a
//! private authority vouches for (`SSL_CERT_FILE`), and refusals of servers that no authority vouches for.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use cache_index::index::Index;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::caches::{index_counts, plain_counts};
use crate::desk::{Desk, Outcome, data};
use crate::formats::{blob_of_version, gzip};
use crate::site::SITE;

/// Serves the files of a folder with the certificate of the tests; returns the URL.
fn serve(folder: PathBuf) -> String {
    let certificate = CertificateDer::from_pem_file(data("tls/server.pem")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(data("tls/server.key")).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("a configuration");
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("https://localhost:{}", listener.local_addr().expect("an address").port());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let connection = ServerConnection::new(Arc::clone(&config)).expect("a connection");
            let mut stream = BufReader::new(StreamOwned::new(connection, stream));
            let mut lines = stream.by_ref().lines().map_while(Result::ok);
            // A client that does not trust the certificate sends nothing.
            let Some(request) = lines.next() else { continue };
            let path = request.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
            let (status, body) = match fs::read(folder.join(path)) {
                Ok(body) => ("200 OK", body),
                Err(_) => ("404 Not Found", Vec::new()),
            };
            lines.find(String::is_empty);
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let stream = stream.get_mut();
            let _ = stream.write_all(&[head.as_bytes(), &body].concat());
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    });
    url
}

/// Runs the command with these authorities.
fn run(desk: &Desk, arguments: &[&str], authorities: Option<&str>) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cache-explorer"));
    command.args(arguments).env_remove("SSL_CERT_FILE");
    if let Some(authorities) = authorities {
        command.env("SSL_CERT_FILE", authorities);
    }
    desk.call(&mut command, "")
}

#[test]
fn every_format_is_read_over_tls() {
    let desk = Desk::new();
    let authority = data("tls/authority.pem");
    let url = serve(desk.path("served"));
    let database = fs::read_to_string(data("database/v8.json")).expect("a database");
    let expected = plain_counts(&database);
    desk.write("served/v8.json", &database);
    desk.write("served/v8.json.gz", gzip(&database));
    // A mirror, given by the URL of its database.
    let blob = format!("mirror-v9/blobs/sha256/{}", blob_of_version("mirror-v9", 9));
    let of_mirror = fs::read_to_string(data(&blob)).expect("a database");
    desk.write(&format!("served/{blob}"), &of_mirror);
    let manifest = r#"{"develop": [{"label": "root", "url": "v8.json.gz"}]}"#;
    desk.write("served/manifest.json", manifest);
    desk.write("served/manifest.json.gz", gzip(manifest));
    let outcome = run(&desk, &["index", "served/v8.json", "-o", "served/index.json"], None);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let index = desk.read("served/index.json");
    desk.write("served/index.json.gz", gzip(&index));
    for (input, expected) in [
        ("v8.json", &expected),
        ("v8.json.gz", &expected),
        (blob.as_str(), &plain_counts(&of_mirror)),
        ("manifest.json", &expected),
        ("manifest.json.gz", &expected),
        ("index.json", &expected),
        ("index.json.gz", &expected),
    ] {
        let call = ["index", &format!("{url}/{input}"), "-o", "out.json"];
        let outcome = run(&desk, &call, Some(&authority));
        assert_eq!(outcome.code, Some(0), "{input}: {}", outcome.err);
        assert_eq!(&index_counts(&desk.read("out.json")), expected, "{input}");
    }
}

/// Files next to a page can be fetched because the page names them.
#[test]
fn reads_the_files_beside_a_page() {
    let desk = Desk::new();
    let authority = data("tls/authority.pem");
    let url = serve(desk.path("served"));
    desk.write("served/site/index.html", SITE);
    desk.run(&["generate", "--builds", "4000", "-o", "large.json"]);
    assert_eq!(desk.run(&["embed", "large.json", "--into", "served/site"]).code, Some(0));
    assert!(desk.read("served/site/index.html").contains("\"file\":\"index-hashes-"));
    let page = format!("{url}/site/index.html");
    let outcome = run(&desk, &["index", &page, "-o", "out.json"], Some(&authority));
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let specs = |name: &str| Index::from_json(&desk.read(name)).expect("an index").specs();
    assert_eq!(specs("out.json"), specs("large.json"));
}

#[test]
fn rejects_a_server_that_nobody_vouches_for() {
    let desk = Desk::new();
    let url = serve(desk.path(""));
    desk.write("v8.json", fs::read(data("database/v8.json")).expect("a database"));
    for (authorities, expected) in [
        // By default, only authorities that Mozilla trusts.
        (None, "UnknownIssuer"),
        (Some(data("tls/other.pem")), "UnknownIssuer"),
        (
            Some("missing.pem".to_owned()),
            "missing.pem, which SSL_CERT_FILE names, could not be read",
        ),
        (Some(data("tls/server.key")), "which SSL_CERT_FILE names, has no certificate in PEM"),
    ] {
        let call = ["check", &format!("{url}/v8.json")];
        let outcome = run(&desk, &call, authorities.as_deref());
        assert_eq!(outcome.code, Some(1), "{authorities:?}");
        assert!(outcome.err.contains(expected), "{authorities:?}: {}", outcome.err);
    }
    let call = ["check", &url.replace("https://", "oci://")];
    let outcome = run(&desk, &[call[0], &format!("{}/a/b", call[1])], Some("missing.pem"));
    assert!(outcome.err.contains("could not be read"), "{}", outcome.err);
}
