//! Caches in registries: Debian's `docker-registry` on this machine, a server that gives out tokens, and a
//! folder in OCI's image layout.
//!
//! The images are Spack's own (`tests/data/oci-layout`). If `docker-registry` is not installed, the tests that need it say
//! so and pass.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cache_index::build::Build;
use cache_index::index::{BuildId, Index};
use cache_index::mirror::Mirror;
use serde_json::{Value, json};

use crate::caches::counts_agree;
use crate::desk::{Desk, Outcome, data};

pub(crate) const PASSWORD: &str = "hunter2-is-secret";

/// `PASSWORD` as Apache's `htpasswd -B` writes it.
const HTPASSWD: &str = "me:$2b$04$I06L6wPvndrozULN3RLA0On/ckGnlUgp5cn2cl5IFVoSiCGIT/jxG\n";

const DATABASE: &str = "5e716f6f86ac8a6d7443af425aa5c867e6e3cbe469752ecbd0100a50e38e3f33";

fn blob(digest: &str) -> Vec<u8> {
    fs::read(data(&format!("oci-layout/blobs/sha256/{digest}"))).expect("a blob")
}

/// Returns the digests of the manifests, by tag.
fn manifests() -> BTreeMap<String, String> {
    let text = fs::read_to_string(data("oci-layout/index.json")).expect("a file");
    let index: Value = serde_json::from_str(&text).expect("JSON");
    let manifests = index["manifests"].as_array().expect("manifests").iter();
    manifests
        .map(|manifest| {
            let tag = &manifest["annotations"]["org.opencontainers.image.ref.name"];
            let digest = manifest["digest"].as_str().expect("a digest");
            (tag.as_str().expect("a tag").to_owned(), digest["sha256:".len()..].to_owned())
        })
        .collect()
}

/// Writes the storage of a registry with a repository `stack/cache`, as the registry lays it out.
fn store(desk: &Desk, with_index: bool) {
    let root = "storage/docker/registry/v2";
    let repository = format!("{root}/repositories/stack/cache");
    for entry in fs::read_dir(data("oci-layout/blobs/sha256")).expect("a folder") {
        let digest = entry.expect("a file").file_name().to_string_lossy().into_owned();
        desk.write(&format!("{root}/blobs/sha256/{}/{digest}/data", &digest[..2]), blob(&digest));
        desk.write(
            &format!("{repository}/_layers/sha256/{digest}/link"),
            format!("sha256:{digest}"),
        );
    }
    for (tag, digest) in manifests() {
        if tag == "index.spack" && !with_index {
            continue;
        }
        let link = format!("sha256:{digest}");
        let folder = format!("{repository}/_manifests");
        desk.write(&format!("{folder}/revisions/sha256/{digest}/link"), &link);
        desk.write(&format!("{folder}/tags/{tag}/current/link"), &link);
        desk.write(&format!("{folder}/tags/{tag}/index/sha256/{digest}/link"), &link);
    }
}

/// A running registry, which ends with the test.
struct Registry {
    child: Child,
    host: String,
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Registry {
    /// Starts a registry on a free port. Returns `None` if `docker-registry` is not installed.
    fn start(desk: &Desk, auth: &str) -> Option<Registry> {
        let config = format!(
            "version: 0.1\nlog:\n  level: info\nstorage:\n  filesystem:\n    rootdirectory: {}\n\
             http:\n  addr: 127.0.0.1:0\n{auth}",
            desk.path("storage").display()
        );
        desk.write("registry.yml", config);
        let mut command = Command::new("docker-registry");
        command.arg("serve").arg(desk.path("registry.yml"));
        let mut child = match command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() {
            Ok(child) => child,
            Err(_) => {
                eprintln!("skipped: docker-registry is not installed");
                return None;
            }
        };
        // The registry logs where it listens.
        let mut lines = BufReader::new(child.stderr.take().expect("its words")).lines();
        let host = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, rest) = line.split_once("listening on ")?;
            Some(rest.split(['"', ' ', ',']).next()?.to_owned())
        });
        std::thread::spawn(move || lines.for_each(drop));
        Some(Registry { child, host: host.expect("a registry that listens") })
    }

    fn url(&self) -> String {
        format!("oci://{}/stack/cache", self.host)
    }
}

fn index(desk: &Desk) -> Index {
    Index::from_json(&desk.read("index.json")).expect("an index")
}

fn builds(index: &Index) -> BTreeMap<String, Build> {
    let builds = (0..index.specs()).filter_map(|id| index.build(BuildId(id)));
    builds.map(|build| (build.hash.to_string(), build)).collect()
}

#[track_caller]
fn succeeds(outcome: &Outcome) {
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    keeps_the_secret(outcome);
}

#[track_caller]
fn keeps_the_secret(outcome: &Outcome) {
    let encoded = STANDARD.encode(format!("me:{PASSWORD}"));
    for secret in [PASSWORD, &encoded] {
        assert!(!outcome.out.contains(secret) && !outcome.err.contains(secret), "{}", outcome.err);
    }
}

#[test]
fn a_repository_has_what_its_database_has() {
    let desk = Desk::new();
    let database = String::from_utf8(blob(DATABASE)).expect("JSON");
    counts_agree(&desk, &data("oci-layout"), &database);
    store(&desk, true);
    let Some(registry) = Registry::start(&desk, "") else { return };
    counts_agree(&desk, &registry.url(), &database);

    succeeds(&desk.run(&["index", &registry.url()]));
    let found = index(&desk);
    let place = found.all_places().next().expect("a place");
    let command = format!("spack mirror add cache {}", registry.url());
    assert_eq!(Mirror::of(&place, found.about()).add(), command);
    assert_eq!(found.about().source.as_deref(), Some("1 repository"));
}

#[test]
fn a_repository_without_an_index_is_read_from_its_images() {
    let desk = Desk::new();
    succeeds(&desk.run(&["index", &data("oci-layout")]));
    let listed = builds(&index(&desk));
    store(&desk, false);
    let Some(registry) = Registry::start(&desk, "") else { return };
    succeeds(&desk.run(&["index", &registry.url()]));
    let mut read = builds(&index(&desk));
    let lz4 = &read["hhw4di5zdxog5o5iymayxskgoslp5c5l"];
    assert_eq!((lz4.package.as_str(), lz4.size), ("lz4", Some(5775)));
    // Unlike the images, the index has no sizes.
    read.values_mut().for_each(|build| build.size = None);
    assert_eq!(read, listed);
}

#[test]
fn a_damaged_image_is_one_build_that_is_missing() {
    let desk = Desk::new();
    desk.copy("oci-layout", "cache");
    let without_index: Value = {
        let mut index: Value = serde_json::from_str(&desk.read("cache/index.json")).expect("JSON");
        let manifests = index["manifests"].as_array_mut().expect("manifests");
        manifests.retain(|one| !one.to_string().contains("index.spack"));
        index
    };
    desk.write("cache/index.json", without_index.to_string());
    let config = "7a8d47d1c536336abd2deaf8e8a66b9a2a66c42c8818ff03deffd88d1d5678ea";
    let damaged = desk.read(&format!("cache/blobs/sha256/{config}")).replacen("lz4", "lz5", 1);
    desk.write(&format!("cache/blobs/sha256/{config}"), damaged);
    let outcome = desk.run(&["index", "cache"]);
    assert_eq!(outcome.code, Some(1));
    let expected = "error: cache: lz4-1.10.0-hhw4di5zdxog5o5iymayxskgoslp5c5l.spack: the sha256 differs from the \
                stated one: expected 7a8d47d1";
    assert!(outcome.err.starts_with(expected), "{}", outcome.err);
    succeeds(&desk.run(&["index", "cache", "--leave-out-damaged"]));
    let found = index(&desk);
    assert_eq!(found.about().left_out.len(), 1);
    let built: Vec<String> =
        builds(&found).into_values().filter(Build::has_binary).map(|build| build.package).collect();
    assert_eq!(built.len(), 5, "{built:?}");
    assert!(!built.contains(&"lz4".to_owned()));
}

#[test]
fn a_registry_with_passwords_is_asked_with_one() {
    let desk = Desk::new();
    store(&desk, true);
    desk.write("htpasswd", HTPASSWD);
    let auth = format!(
        "auth:\n  htpasswd:\n    realm: here\n    path: {}\n",
        desk.path("htpasswd").display()
    );
    let Some(registry) = Registry::start(&desk, &auth) else { return };
    let url = registry.url();
    let run = |arguments: &[&str], config: &str, input: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cache-explorer"));
        let command = command.args(arguments).env("DOCKER_CONFIG", desk.path(config));
        desk.call(command, input)
    };
    let refused = run(&["check", &url], "nowhere", "");
    assert_eq!(refused.code, Some(1));
    let words = format!("{} shows it only to those who sign in and may read it", registry.host);
    assert!(refused.err.contains(&words), "{}", refused.err);

    succeeds(&run(&["check", &url, "--username", "me"], "nowhere", PASSWORD));
    let wrong = run(&["check", &url, "--username", "you"], "nowhere", PASSWORD);
    assert!(wrong.code == Some(1) && wrong.err.contains(&words), "{}", wrong.err);
    keeps_the_secret(&wrong);

    let entry = json!({"auth": STANDARD.encode(format!("me:{PASSWORD}"))});
    let config = json!({"auths": {registry.host.clone(): entry}});
    desk.write("docker/config.json", config.to_string());
    succeeds(&run(&["check", &url], "docker", ""));
    desk.write("damaged/config.json", config.to_string().replace('{', "["));
    let damaged = run(&["check", &url], "damaged", "");
    assert!(damaged.err.contains("config.json is not valid JSON"), "{}", damaged.err);
    keeps_the_secret(&damaged);
}

/// The requests to a server: the path, and the credentials, from a header or a form.
pub(crate) type Asked = Arc<Mutex<Vec<(String, String)>>>;

/// Starts a registry that requires tokens, and gives them to clients that send the password.
pub(crate) fn serve_tokens() -> (String, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let host = listener.local_addr().expect("an address").to_string();
    let asked = Asked::default();
    let (log, own) = (Arc::clone(&asked), host.clone());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut input = BufReader::new(&stream);
            let mut lines = input.by_ref().lines().map_while(Result::ok);
            let request = lines.next().unwrap_or_default();
            let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
            let headers: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
            let header = |wanted: &str| {
                headers.iter().find_map(|line| {
                    let (name, value) = line.split_once(": ")?;
                    name.eq_ignore_ascii_case(wanted).then(|| value.to_owned())
                })
            };
            let said = match request.starts_with("POST ") {
                true => {
                    let length = header("content-length").and_then(|length| length.parse().ok());
                    let mut form = vec![0; length.unwrap_or_default()];
                    input.read_exact(&mut form).expect("a form");
                    String::from_utf8(form).expect("a text")
                }
                false => header("authorization").unwrap_or_default(),
            };
            log.lock().expect("a log").push((path.clone(), said.clone()));
            let (head, body) = answer(&own, &path, &said);
            let length = body.len();
            let head =
                format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            let _ = (&stream).write_all(&[head.as_bytes(), &body].concat());
        }
    });
    (host, asked)
}

fn answer(host: &str, path: &str, said: &str) -> (String, Vec<u8>) {
    let ok = |body: Vec<u8>| ("200 OK".to_owned(), body);
    if path.starts_with("/token?") {
        let right = format!("Basic {}", STANDARD.encode(format!("me:{PASSWORD}")));
        return match said == right {
            true => ok(json!({"token": "t0ken-of-me"}).to_string().into_bytes()),
            false => ("401 Unauthorized".to_owned(), Vec::new()),
        };
    }
    // The identity token is exchanged for another one.
    if path == "/token" {
        let fields = [
            "grant_type=refresh_token",
            "service=here",
            "scope=repository%3Astack%2Fcache%3Apull",
            &format!("refresh_token={PASSWORD}"),
        ];
        let said: BTreeSet<&str> = said.split('&').collect();
        return match fields.iter().all(|field| said.contains(field)) {
            true => ok(json!({"access_token": "t0ken-of-me"}).to_string().into_bytes()),
            false => ("401 Unauthorized".to_owned(), Vec::new()),
        };
    }
    // Blobs are at another address, for everyone who was sent there.
    if let Some(digest) = path.strip_prefix("/elsewhere/") {
        return match said.is_empty() {
            true => ok(blob(digest.split('?').next().unwrap_or_default())),
            false => ("400 Bad Request".to_owned(), Vec::new()),
        };
    }
    if said != "Bearer t0ken-of-me" {
        let challenge = format!(
            "WWW-Authenticate: Bearer realm=\"http://{host}/token\",service=\"here\",\
             scope=\"repository:stack/cache:pull\""
        );
        return (format!("401 Unauthorized\r\n{challenge}"), Vec::new());
    }
    let tags: Vec<String> = manifests().into_keys().collect();
    let (first, second) = tags.split_at(3);
    match path.strip_prefix("/v2/stack/cache/") {
        Some("tags/list?n=1000") => {
            let link = "Link: </v2/stack/cache/tags/list?n=3&last=x>; rel=\"next\"";
            (format!("200 OK\r\n{link}"), json!({"tags": first}).to_string().into_bytes())
        }
        Some("tags/list?n=3&last=x") => ok(json!({"tags": second}).to_string().into_bytes()),
        Some(rest) => match (rest.strip_prefix("manifests/"), rest.strip_prefix("blobs/sha256:")) {
            (Some(tag), _) => ok(blob(&manifests()[tag])),
            (_, Some(digest)) => {
                let to = format!("Location: /elsewhere/{digest}?signature=k3y");
                (format!("307 Temporary Redirect\r\n{to}"), Vec::new())
            }
            _ => ("404 Not Found".to_owned(), Vec::new()),
        },
        None => ("404 Not Found".to_owned(), Vec::new()),
    }
}

#[test]
fn a_registry_with_tokens_is_asked_with_one_and_nothing_else_is() {
    let desk = Desk::new();
    let (host, asked) = serve_tokens();
    let url = format!("oci+http://{host}/stack/cache");
    let outcome = desk.run_with(&["check", &url, "--username", "me"], &format!("{PASSWORD}\n"));
    succeeds(&outcome);
    assert_eq!(outcome.out, "6 builds in 1 repository, no problems\n");
    for secret in ["t0ken-of-me", "k3y"] {
        assert!(!outcome.out.contains(secret) && !outcome.err.contains(secret));
    }
    let asked = asked.lock().expect("a log").clone();
    let is_token = |(path, _): &&(String, String)| path.starts_with("/token?");
    let tokens: Vec<&(String, String)> = asked.iter().filter(is_token).collect();
    let [(path, _)] = &tokens[..] else { panic!("asked for {} tokens", tokens.len()) };
    let scope = path.contains("scope=repository%3Astack%2Fcache%3Apull")
        || path.contains("scope=repository:stack/cache:pull");
    assert!(path.contains("service=here") && scope, "{path}");
    let only_there = asked.iter().filter(|(path, _)| !path.starts_with("/token?"));
    assert!(only_there.clone().all(|(_, said)| !said.starts_with("Basic")));

    let outcome = desk.run_with(&["check", &url, "--username", "me"], "wrong");
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("shows it only to those who sign in"), "{}", outcome.err);
}

#[test]
fn an_identity_token_is_exchanged_and_said_nowhere_else() {
    let desk = Desk::new();
    let (host, asked) = serve_tokens();
    let url = format!("oci+http://{host}/stack/cache");
    let run = |token: &str| {
        let nobody = STANDARD.encode("00000000-0000-0000-0000-000000000000:");
        let entry = json!({"auth": nobody, "identitytoken": token});
        desk.write("docker/config.json", json!({"auths": {host.clone(): entry}}).to_string());
        let mut command = Command::new(env!("CARGO_BIN_EXE_cache-explorer"));
        let command = command.args(["check", &url]).env("DOCKER_CONFIG", desk.path("docker"));
        desk.call(command, "")
    };
    let outcome = run(PASSWORD);
    succeeds(&outcome);
    assert_eq!(outcome.out, "6 builds in 1 repository, no problems\n");
    let asked: Vec<(String, String)> = std::mem::take(&mut *asked.lock().expect("a log"));
    let with_token = asked.iter().filter(|(_, said)| said.contains(PASSWORD));
    assert_eq!(with_token.map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["/token"]);
    assert!(asked.iter().all(|(path, said)| !path.contains(PASSWORD) && !said.contains("Basic")));

    let outcome = run("expired");
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("shows it only to those who sign in"), "{}", outcome.err);
}

#[cfg(unix)]
#[test]
fn a_credential_helper_is_asked_as_docker_asks_it() {
    use std::os::unix::fs::PermissionsExt;

    let desk = Desk::new();
    let (host, _) = serve_tokens();
    let helper = desk.path("bin/docker-credential-mine");
    let script = format!(
        "#!/bin/sh\nread -r host\n[ \"$1 $host\" = 'get {host}' ] || exit 1\n\
         echo '{{\"ServerURL\": \"x\", \"Username\": \"me\", \"Secret\": \"{PASSWORD}\"}}'\n"
    );
    desk.write("bin/docker-credential-mine", script);
    fs::set_permissions(&helper, fs::Permissions::from_mode(0o755)).expect("a mode");
    let path = format!("{}:{}", desk.path("bin").display(), std::env::var("PATH").expect("a path"));
    for (folder, config) in [
        ("one", json!({"credHelpers": {host.clone(): "mine"}})),
        ("all", json!({"credsStore": "mine"})),
    ] {
        desk.write(&format!("{folder}/config.json"), config.to_string());
        let mut command = Command::new(env!("CARGO_BIN_EXE_cache-explorer"));
        let url = format!("oci://{host}/stack/cache");
        let command = command
            .args(["check", &url])
            .env("DOCKER_CONFIG", desk.path(folder))
            .env("PATH", &path);
        succeeds(&desk.call(command, ""));
    }
}

#[test]
fn secrets_on_the_command_line_are_refused_unseen() {
    let desk = Desk::new();
    let urls = [
        format!("oci://me:{PASSWORD}@127.0.0.1:1/a"),
        format!("https://me:{PASSWORD}@127.0.0.1:1/index.json"),
        format!("http://127.0.0.1:1/index.json?token={PASSWORD}"),
    ];
    let calls = [&["check"][..], &["index"], &["check", "--message-format", "json"]];
    // Each call waits before it retries, so all run at the same time.
    thread::scope(|scope| {
        for (url, call) in urls.iter().flat_map(|url| calls.map(|call| (url, call))) {
            let desk = &desk;
            scope.spawn(move || {
                let outcome = desk.run(&[call, &[url]].concat());
                assert_eq!(outcome.code, Some(1));
                assert!(!outcome.err.is_empty() || !outcome.out.is_empty());
                keeps_the_secret(&outcome);
            });
        }
    });
    let outcome = desk.run_with(&["check", "-", "--username", "me"], PASSWORD);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("cannot have both"), "{}", outcome.err);
    keeps_the_secret(&outcome);
}

#[test]
fn what_is_not_a_cache_is_refused_in_words() {
    let desk = Desk::new();
    desk.write("empty/oci-layout", "{\"imageLayoutVersion\": \"1.0.0\"}");
    desk.write("empty/index.json", "{\"schemaVersion\": 2, \"manifests\": []}");
    desk.fails(
        &["check", "empty"],
        "error: empty: expected a repository with tags that end with .spack, as `spack buildcache push` \
         makes them, found none\n1 problem; the inputs are not fit to publish\n",
    );
    desk.write("empty/index.json", "{\"manifests\": [{}]}");
    let outcome = desk.run(&["check", "empty"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("index.json: field manifests.size"), "{}", outcome.err);
}
