//! The command with the site inside: a cache in the browser from the binary alone.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::harness::{Page, Release, Site, Theme, Width, file_url};
use crate::publishing::page_of;

const SEEDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../seeds");

/// Calls the command in a folder, and returns what it prints.
#[track_caller]
fn call(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(Release::command());
    let output = command.args(arguments).current_dir(folder).output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn open_makes_one_file_that_works_from_disk() {
    let folder = TempDir::new().expect("a folder");
    let said = call(folder.path(), &["open", SEEDS, "--no-browser", "--output", "seeds.html"]);
    assert_eq!(said, "seeds.html: 390 builds\n");
    let page = Page::at(&file_url(&folder.path().join("seeds.html")), Width::Wide, Theme::Light);
    page.open("");
    page.see_builds(390);
    // Without `--output`, the page goes into a temporary folder, and stays there.
    let said = call(folder.path(), &["open", SEEDS, "--no-browser"]);
    let path = said.strip_suffix(": 390 builds\n").expect("a path");
    assert!(fs::read_to_string(path).expect("a page").contains("id=\"index\""));
    let _ = fs::remove_dir_all(Path::new(path).parent().expect("a folder"));
}

#[test]
fn open_makes_a_page_that_begins_with_an_environment() {
    let folder = TempDir::new().expect("a folder");
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data/environment/dev-path/");
    let [index, lock] = ["index.json", "spack.lock"].map(|name| data.to_owned() + name);
    let make = |name: &str, more: &[&str]| {
        let call_of = ["open", &index, "--no-browser", "--output", name];
        call(folder.path(), &[&call_of[..], more].concat());
        file_url(&folder.path().join(name))
    };
    let url = make("page.html", &["--environment", &lock]);
    let page = Page::at(&url, Width::Wide, Theme::Light);
    page.open("");
    page.see("19 of 20 specs are in the cache, 4 of 5 that are needed to run");
    page.see("spack.lock is part of this page");
    page.see_element(&[("row", "zfp@1.0.1"), ("cell", "developed here")]);
    // The front page and the other pages are at their usual addresses.
    page.follow("All packages");
    page.see_builds(43);
    page.back();
    page.see("19 of 20 specs are in the cache");
    // Another page does not have the environment.
    let page = Page::at(&make("other.html", &[]), Width::Wide, Theme::Light);
    page.open("?environment=");
    page.see("How much of your environment is in this cache?");
}

#[test]
fn embed_makes_a_new_site_where_there_is_none() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("specs.md"), page_of("zlib", "plain")).expect("a page");
    let done = "site/index.html: has the index now\nsite/explorer.html: has the index now\n\
                site: 1 build published; the index has 586 bytes\n";
    assert_eq!(call(folder.path(), &["embed", "specs.md"]), done);
    assert_eq!(call(folder.path(), &["embed", "specs.md"]), done);
    let site = Site::publish(&folder.path().join("site"), "/");
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_builds(1);
    page.see_kept();
}

#[test]
fn embed_makes_a_new_site_in_any_folder_that_is_free() {
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("empty")).expect("a folder");
    fs::create_dir(path("other")).expect("a folder");
    fs::write(path("other/notes.txt"), "mine").expect("a file");
    fs::write(path("specs.md"), page_of("zlib", "plain")).expect("a page");
    let names = |of: &Path| -> Vec<String> {
        let entries = fs::read_dir(of).expect("a folder").map(|entry| entry.expect("a file"));
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    };
    call(folder.path(), &["embed", "specs.md"]);
    let done = |name: &str| {
        format!(
            "{name}/index.html: has the index now\n{name}/explorer.html: has the index now\n\
             {name}: 1 build published; the index has 586 bytes\n"
        )
    };
    for name in ["new", "empty", "new"] {
        assert_eq!(call(folder.path(), &["embed", "specs.md", "--into", name]), done(name));
        assert_eq!(names(&path(name)), names(&path("site")));
    }
    // The current folder is kept, and not replaced.
    fs::create_dir(path("here")).expect("a folder");
    assert_eq!(call(&path("here"), &["embed", "../specs.md", "--into", "."]), done("."));
    assert_eq!(names(&path("here")), names(&path("site")));
    let mut refused = Command::new(Release::command());
    let refused = refused.args(["embed", "specs.md", "--into", "other"]).current_dir(&folder);
    let said = refused.output().expect("the command runs").stderr;
    let words = "error: other: expected the folder of a built site, or an empty one for a new site, \
                 found other files\n";
    assert_eq!(String::from_utf8_lossy(&said), words);
    assert_eq!(names(&path("other")), ["notes.txt"]);
}

#[test]
fn bundle_makes_the_single_file() {
    let folder = TempDir::new().expect("a folder");
    call(folder.path(), &["bundle"]);
    let page = Page::at(&file_url(&folder.path().join("explorer.html")), Width::Wide, Theme::Light);
    page.open("");
    page.see_builds(390);
}

/// A running server. It ends when dropped.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn start(folder: &Path, input: &str) -> Served {
        let mut child = Command::new(Release::command())
            .args(["serve", input, "--port", "0", "--no-browser"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command runs");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let url = line.split(": ").next().expect("an address").to_owned();
        assert!(url.starts_with("http://127.0.0.1:"), "{line}");
        Served { child, url }
    }

    fn connect(&self) -> TcpStream {
        let address = self.url.trim_start_matches("http://").trim_end_matches('/');
        TcpStream::connect(address).expect("a connection")
    }

    /// Returns the first line of the answer to a request.
    fn ask(&self, method: &str, host: &str, path: &str) -> String {
        let mut stream = self.connect();
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned()
    }
}

/// Requests the headers of the page, and keeps the connection open.
#[track_caller]
fn ask_and_keep(stream: &mut TcpStream) {
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
    stream.write_all(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
    let mut answer = [0; 1024];
    let read = stream.read(&mut answer).expect("an answer");
    assert!(answer[..read].starts_with(b"HTTP/1.1 200 OK"));
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn serve_reads_again_what_has_changed_and_says_so() {
    let folder = TempDir::new().expect("a folder");
    let input = folder.path().join("pages");
    fs::create_dir(&input).expect("a folder");
    fs::write(input.join("zlib.md"), page_of("zlib", "plain")).expect("a page");
    let served = Served::start(folder.path(), "pages");
    let page = Page::at(&served.url, Width::Wide, Theme::Light);
    page.open("");
    page.see_builds(1);
    // The packages are in the page itself, before the app has started.
    let first =
        "return new DOMParser().parseFromString(await (await fetch('')).text(), 'text/html')
        .getElementById('first').textContent.includes('zlib')";
    assert_eq!(page.ask(first), true);
    // More tabs than a browser opens connections to a host. Each hears of the change.
    for _ in 0..7 {
        page.open_tab("");
        page.see_builds(1);
    }
    let other = page_of("hdf5", "plain").replace(&"a".repeat(32), &"b".repeat(32));
    fs::write(input.join("hdf5.md"), other).expect("a page");
    page.see("The cache has changed.");
    page.press("Reload");
    page.see_builds(2);
    page.see_no("The cache has changed.");
    // A damaged input leaves the page as it was.
    fs::write(input.join("broken.md"), "---\ntitle").expect("a page");
    page.reload();
    page.see_builds(2);
}

/// Browsers open several connections at once, and keep them.
#[test]
fn serve_answers_whatever_other_connections_are_kept() {
    let served = Served::start(Path::new("."), SEEDS);
    for _ in 0..50 {
        let mut kept: Vec<_> = (0..3).map(|_| served.connect()).collect();
        kept.iter_mut().for_each(ask_and_keep);
        let mut at_once: Vec<_> = (0..3).map(|_| served.connect()).collect();
        at_once.iter_mut().rev().for_each(ask_and_keep);
    }
}

#[test]
fn serve_answers_nobody_but_this_machine() {
    let served = Served::start(Path::new("."), SEEDS);
    let port = served.url.trim_end_matches('/').rsplit(':').next().expect("a port").to_owned();
    for host in ["localhost".to_owned(), format!("localhost:{port}"), format!("127.0.0.1:{port}")] {
        assert_eq!(served.ask("GET", &host, "/"), "HTTP/1.1 200 OK", "{host}");
    }
    for host in ["evil.example".to_owned(), format!("evil.example:{port}"), String::new()] {
        assert_eq!(served.ask("GET", &host, "/"), "HTTP/1.1 403 Forbidden", "{host}");
    }
    assert!(served.ask("POST", "localhost", "/").contains(" 405 "));
    for path in ["/Cargo.toml", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd"] {
        assert_eq!(served.ask("GET", "localhost", path), "HTTP/1.1 404 Not Found", "{path}");
    }
}
