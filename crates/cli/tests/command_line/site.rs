//! What the command does to a built site: seal it, put an index into it, or make it one file.

use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::process::Command;

use cache_index::index::Index;

use crate::desk::{Desk, HASH, page, seeds};

pub(crate) const SITE: &str = "<!doctype html><html><head>\
    <meta name=\"generator\" content=\"cache-explorer\"></head><body><p>x</p></body></html>";

#[test]
fn embeds_the_index_in_every_page() {
    let desk = Desk::new();
    desk.write("dist/index.html", SITE);
    desk.write("dist/explorer.html", SITE);
    desk.write("page.md", page("zlib", HASH, "</script><script>alert(1)</script>"));
    let done = "dist/index.html: has the index now\ndist/explorer.html: has the index now\n\
                dist: 1 build published; the index has 613 bytes\n";
    desk.succeeds(&["embed", "page.md", "--into", "dist"], done);
    let html = desk.read("dist/index.html");
    assert_eq!(html, desk.read("dist/explorer.html"));
    // Three scripts: the statement of the parts, the columns and the hashes.
    assert_eq!(html.matches("<script").count(), 3);
    let (_, rest) = html.split_once("id=\"index\">").expect("an index");
    let (json, _) = rest.split_once("</script>").expect("an end");
    assert_eq!(Index::from_json(json).expect("an index").specs(), 1);

    desk.succeeds(&["index", "page.md"], &desk.run(&["index", "page.md"]).out);
    desk.succeeds(&["embed", "index.json", "--into", "dist"], done);
    assert_eq!(desk.read("dist/index.html"), html);
}

#[test]
fn embed_says_in_the_pages_what_they_are_called_and_where() {
    let desk = Desk::new();
    let site = SITE.replace("<head>", "<head><title>Spack Build Cache Explorer</title>");
    desk.write("dist/index.html", &site);
    desk.write("dist/explorer.html", &site);
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    let embed = ["embed", "page.md", "--into", "dist", "--title", "E4S <2026>"];
    assert_eq!(desk.run(&embed).code, Some(0));
    let title = "<title>E4S &lt;2026&gt;</title><meta property=\"og:type\" content=\"website\">\
                 <meta property=\"og:title\" content=\"E4S &lt;2026&gt;\"><";
    for name in ["dist/index.html", "dist/explorer.html"] {
        assert!(desk.read(name).contains(title), "{}", desk.read(name));
    }
    assert!(!desk.path("dist/opensearch.xml").exists());
    let url = ["--site-url", "https://example.org/e4s"];
    assert_eq!(desk.run(&[&embed[..], &url].concat()).code, Some(0));
    assert!(desk.read("dist/index.html").contains("href=\"opensearch.xml\">"));
    let search = desk.read("dist/opensearch.xml");
    assert!(search.contains("template=\"https://example.org/e4s/?q={searchTerms}\""), "{search}");
    assert_eq!(desk.run(&[&embed[..], &["--site-url", "e4s"]].concat()).code, Some(2));
}

#[test]
fn embed_puts_large_parts_into_files_that_other_commands_find() {
    let desk = Desk::new();
    desk.write("dist/index.html", SITE);
    desk.write("dist/explorer.html", SITE);
    desk.run(&["generate", "--builds", "4000", "-o", "large.json"]);
    let parts = || {
        let files = fs::read_dir(desk.path("dist")).expect("a folder");
        let name = |file: std::fs::DirEntry| file.file_name().to_string_lossy().into_owned();
        let mut names: Vec<_> = files.map(|file| name(file.expect("a file"))).collect();
        names.retain(|name| name.ends_with(".json"));
        names.sort();
        names
    };
    assert_eq!(desk.run(&["embed", "large.json", "--into", "dist"]).code, Some(0));
    let first = parts();
    assert!(first[0].starts_with("index-hashes-"), "{first:?}");
    assert!(desk.read("dist/index.html").contains(&first[0]));
    // The single file is complete, and a page with files is an input like any other.
    assert!(desk.read("dist/explorer.html").contains("id=\"index-hashes\""));
    for input in ["dist/index.html", "dist/explorer.html"] {
        let outcome = desk.run(&["index", input, "-o", "again.json"]);
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{input}");
        let specs = |name: &str| Index::from_json(&desk.read(name)).expect("an index").specs();
        assert_eq!(specs("again.json"), specs("large.json"), "{input}");
    }
    // So is the folder of a published site, which also has a service worker, and other files that are not inputs.
    desk.write("dist/service-worker.js", "x");
    let outcome = desk.run(&["check", "dist"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    assert!(outcome.out.ends_with("in 1 index, no problems\n"), "{}", outcome.out);
    fs::remove_file(desk.path("dist/service-worker.js")).expect("a file");
    // Another index replaces the files, and `--inline` leaves none.
    desk.run(&["generate", "--builds", "5000", "-o", "larger.json"]);
    assert_eq!(desk.run(&["embed", "larger.json", "--into", "dist"]).code, Some(0));
    let second = parts();
    assert_eq!(second.len(), first.len());
    assert_ne!(second, first);
    assert_eq!(desk.run(&["embed", "larger.json", "--into", "dist", "--inline"]).code, Some(0));
    assert_eq!(parts(), [""; 0]);
    assert!(desk.read("dist/index.html").contains("id=\"index-hashes\""));
}

#[test]
fn embeds_nothing_if_anything_is_wrong() {
    let desk = Desk::new();
    desk.write("dist/index.html", SITE);
    desk.write("newer.json", "{\"format\": 4000000, \"about\": {}}");
    desk.write("broken.json", "{\"format\": 1, \"about\": {}");
    desk.write("page.md", page("zlib", "short", "rhel8"));
    let unchanged = |arguments: &[&str], words: &str| {
        let outcome = desk.run(arguments);
        assert_eq!(outcome.code, Some(1));
        assert!(outcome.err.contains(words), "{}", outcome.err);
        assert_eq!(desk.read("dist/index.html"), SITE);
    };
    unchanged(
        &["embed", "newer.json", "--into", "dist"],
        "newer.json: the index has format 4000000",
    );
    unchanged(&["embed", "broken.json", "--into", "dist"], "broken.json: the index is damaged");
    unchanged(&["embed", "page.md", "--into", "dist"], "1 problem in 1 build; nothing was written");
    unchanged(
        &["embed", "newer.json", "page.md", "--into", "dist"],
        "newer.json: the index has format 4000000",
    );
    unchanged(&["embed", &seeds(), "--into", "missing"], "missing: expected a built site");
    let no_body = SITE.replace("body", "p");
    desk.write("dist/explorer.html", no_body);
    unchanged(&["embed", &seeds(), "--into", "dist"], "dist/explorer.html: expected a page with");
}

#[test]
fn bundles_a_site_as_one_file() {
    let desk = Desk::new();
    desk.write(
        "dist/index.html",
        "<head><meta charset=\"utf-8\"><link rel=\"preload\" id=\"glue\" href=\"./a.js\">\
         <link rel=\"preload\" id=\"wasm\" href=\"./a.wasm\"></head>\
         <body><script src=\"./l.js\"></script></body>",
    );
    desk.write("dist/a.js", "let wasm_bindgen;");
    desk.write("dist/a.wasm", "\0asm");
    desk.write("dist/l.js", "start()");
    // The second time, the command replaces its own file.
    for _ in 0..2 {
        desk.succeeds(&["bundle", "--from", "dist"], "dist/explorer.html: 460 bytes\n");
    }
    let page = desk.read("dist/explorer.html");
    let (head, body) = page.split_once("</head>").expect("a head");
    assert!(head.starts_with("<head><meta charset=\"utf-8\"><meta http-equiv="), "{head}");
    assert_eq!(
        body,
        "<body><script>let wasm_bindgen;</script>\n\
         <script type=\"application/wasm\" id=\"wasm\">AGFzbQ==</script>\n\
         <script>start()</script></body>"
    );
    fs::remove_file(desk.path("dist/a.wasm")).expect("a file");
    let words = "error: dist/index.html: \"./a.wasm\", which the page names, could not be read: \
                 No such file or directory (os error 2)\n";
    desk.fails(&["bundle", "--from", "dist", "-o", "one.html"], words);
    assert!(!desk.path("one.html").exists());
}

/// Writes a page, a script and a service worker.
pub(crate) fn built(desk: &Desk) {
    desk.write(
        "dist/index.html",
        "<head><meta charset=\"utf-8\"><meta name=\"generator\" content=\"cache-explorer\"></head>\
         <body><script src=\"./l.js\"></script></body>",
    );
    desk.write("dist/l.js", "start()");
    desk.write("dist/service-worker.js", "const BUILD = {\n};\nkeep();\n");
}

#[test]
fn seals_the_policy_and_the_files_of_the_page() {
    let desk = Desk::new();
    built(&desk);
    desk.succeeds(&["seal", "dist"], "dist: sealed\n");
    let page = desk.read("dist/index.html");
    assert!(
        page.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self';")
    );
    assert!(page.contains("<script src=\"./l.js\" data-worker=\"service-worker.js\">"));
    let worker = desk.read("dist/service-worker.js");
    assert!(
        worker.contains("\"./\": \"sha256-") && worker.contains("\"l.js\": \"sha256-"),
        "{worker}"
    );
    assert!(worker.ends_with("};\nkeep();\n"), "{worker}");
    // Sealing again is allowed.
    desk.succeeds(&["seal", "dist"], "dist: sealed\n");
    assert_eq!((desk.read("dist/index.html"), desk.read("dist/service-worker.js")), (page, worker));
}

#[test]
fn rejects_sealing_an_incomplete_site() {
    let desk = Desk::new();
    built(&desk);
    let before = desk.read("dist/index.html");
    fs::remove_file(desk.path("dist/l.js")).expect("a file");
    desk.fails(
        &["seal", "dist"],
        "error: dist/index.html: \"l.js\", which the page names, could not be read: \
         No such file or directory (os error 2)\n",
    );
    built(&desk);
    desk.write("dist/service-worker.js", "keep();");
    desk.fails(
        &["seal", "dist"],
        "error: dist/service-worker.js: this is not a service worker that cache-explorer has made, and \
         would be overwritten; choose another place with the argument FOLDER, or remove it\n",
    );
    assert_eq!(desk.read("dist/index.html"), before);
}

#[test]
fn gives_the_service_worker_a_new_build_for_a_new_index() {
    let desk = Desk::new();
    built(&desk);
    desk.run(&["seal", "dist"]);
    let sealed = desk.read("dist/service-worker.js");
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    let embed = ["embed", "page.md", "--into", "dist"];
    desk.succeeds(
        &embed,
        "dist/index.html: has the index now\ndist: 1 build published; the index has 569 bytes\n",
    );
    let embedded = desk.read("dist/service-worker.js");
    assert_ne!(embedded, sealed);
    // The same index gives the same build, so users are not notified of a new one.
    desk.succeeds(
        &embed,
        "dist/index.html: has the index now\ndist: 1 build published; the index has 569 bytes\n",
    );
    assert_eq!(desk.read("dist/service-worker.js"), embedded);
}

/// Reads everything in a folder, by name.
pub(crate) fn all(desk: &Desk, folder: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(desk.path(folder)).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string());
    let mut names: Vec<_> = names.map(|name| name.expect("UTF-8")).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), desk.read(&format!("{folder}/{name}")))).collect()
}

/// A limit of a few blocks on the size of files simulates a full disk.
#[cfg(unix)]
#[test]
fn leaves_the_site_unchanged_on_a_full_disk() {
    let desk = Desk::new();
    built(&desk);
    desk.run(&["seal", "dist"]);
    let before = all(&desk, "dist");
    let embed = |limits: &str| {
        let call = format!("{limits}; exec \"$0\" embed \"$1\" --into dist");
        let command = env!("CARGO_BIN_EXE_cache-explorer");
        desk.call(Command::new("sh").args(["-c", &call, command, &seeds()]), "")
    };
    // The command gets an error, and reports it.
    let outcome = embed("ulimit -f 4; trap '' XFSZ");
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(1), ""));
    let words = "error: dist/index.html: could not be written: File too large";
    assert!(outcome.err.starts_with(words), "{}", outcome.err);
    assert_eq!(all(&desk, "dist"), before);
    // The command is killed while writing.
    assert_eq!(embed("ulimit -f 4; trap - XFSZ").code, None);
    let mut after = all(&desk, "dist");
    after.retain(|(name, _)| !name.starts_with(".cache-explorer-"));
    assert_eq!(after, before);
    // With enough room, it succeeds.
    assert_eq!(embed("ulimit -f unlimited").code, Some(0));
    assert_ne!(all(&desk, "dist"), before);
}

#[cfg(unix)]
#[test]
fn leaves_a_read_only_folder_unchanged() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let allow = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    let desk = Desk::open_to_all();
    built(&desk);
    let before = all(&desk, "dist");
    for (name, _) in &before {
        allow(&desk.path("dist").join(name), 0o644);
    }
    // The user who runs the command may be unable to enter the folder that it was built in.
    let copy = desk.path("cache-explorer");
    fs::copy(env!("CARGO_BIN_EXE_cache-explorer"), &copy).expect("a copy");
    allow(&copy, 0o755);
    allow(&desk.path("dist"), 0o555);
    let mut command = Command::new(&copy);
    command.args(["seal", "dist"]);
    // An administrator may write anywhere, so the command then runs as another user.
    let probe = desk.path("dist/probe");
    if fs::write(&probe, "").is_ok() {
        fs::remove_file(probe).expect("removed");
        command.uid(65534).gid(65534);
    }
    let outcome = desk.call(&mut command, "");
    let words = "error: dist/service-worker.js: could not be written: Permission denied";
    assert!(outcome.err.starts_with(words), "{}", outcome.err);
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(1), ""));
    assert_eq!(all(&desk, "dist"), before);
    allow(&desk.path("dist"), 0o755);
}

#[test]
fn a_command_without_a_site_says_how_to_get_one() {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    let words = "error: this command was built without a site inside; `make dist` builds both, \
                 and cache-explorer of a release has one\n";
    for arguments in [
        &["open", "page.md", "--no-browser"][..],
        &["serve", "page.md", "--no-browser"],
        &["embed", "page.md"],
        &["bundle"],
    ] {
        desk.fails(arguments, words);
    }
    let words = words.replacen("error: ", "error: elsewhere: expected a built site: ", 1);
    desk.fails(&["embed", "page.md", "--into", "elsewhere"], &words);
    assert!(!desk.path("site").exists());
}
