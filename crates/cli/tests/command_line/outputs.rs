//! The rule for every output of every command: what may be at its path, and that nothing else changes.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use walkdir::WalkDir;

use crate::desk::{Desk, HASH, page};
use crate::site::SITE;

const COMMAND: &str = env!("CARGO_BIN_EXE_cache-explorer");

/// An output of a command.
struct Case {
    /// The command, with the output as `OUT`.
    call: &'static [&'static str],
    /// The input that a refused command must keep.
    input: &'static str,
    /// The path of the output in the folder `OUT`, if the command names a folder.
    within: &'static str,
    /// A file of the same format that another program has made.
    foreign: &'static str,
    /// The path of another output of the same command.
    sibling: Option<&'static str>,
    /// `true` if a pipe, a device or the standard output may be written to.
    is_stream: bool,
}

const FEED: &str = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Blog</title><id>urn:x</id>\
    <generator>cache-explorer's neighbour</generator><updated>2026-01-01T00:00:00Z</updated></feed>";
const PAGE: &str = "<!doctype html><html><head><meta charset=\"utf-8\"><title>Home</title></head>\
    <body><div id=\"app\"></div></body></html>";

const CASES: [Case; 6] = [
    Case {
        call: &["index", "page.md", "-o", "OUT"],
        input: "page.md",
        within: "",
        foreign: "{\"database\": {\"version\": \"8\"}}",
        sibling: None,
        is_stream: true,
    },
    Case {
        call: &["generate", "--builds", "3", "--pages", "sibling", "-o", "OUT"],
        input: "",
        within: "",
        foreign: "{\"database\": {}}",
        sibling: Some("sibling"),
        is_stream: true,
    },
    Case {
        call: &["environment", "specs.txt", "--from", "page.md", "--carry", "OUT"],
        input: "specs.txt",
        within: "",
        foreign: "zlib\nhdf5\n",
        sibling: None,
        is_stream: true,
    },
    Case {
        call: &["export", "page.md", "--to", "parquet", "-o", "OUT"],
        input: "page.md",
        within: "builds.parquet",
        foreign: "PAR1 of somebody else PAR1",
        sibling: None,
        is_stream: false,
    },
    Case {
        call: &["embed", "page.md", "--into", "OUT"],
        input: "page.md",
        within: "index.html",
        foreign: PAGE,
        sibling: None,
        is_stream: false,
    },
    Case {
        call: &["embed", "page.md", "--into", "site", "--feed", "OUT"],
        input: "page.md",
        within: "",
        foreign: FEED,
        sibling: Some("site/index.html"),
        is_stream: false,
    },
];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    desk.write("specs.txt", "zlib\n");
    desk.write("site/index.html", SITE);
    desk
}

/// Returns everything in the desk that is not a stream, by path, without what commands write anyway.
fn all(desk: &Desk) -> BTreeMap<String, Option<Vec<u8>>> {
    let entries = WalkDir::new(desk.path("")).into_iter().map(|entry| entry.expect("an entry"));
    let content = |path: &Path| {
        fs::metadata(path).is_ok_and(|it| it.is_file()).then(|| fs::read(path).expect("a file"))
    };
    entries.map(|entry| (entry.path().display().to_string(), content(entry.path()))).collect()
}

/// Waits a limited time until a command ends.
#[track_caller]
fn ends(mut child: Child, what: &str) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a command") {
            return status.code();
        }
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().expect("killed");
            panic!("{what}: waits for ever");
        }
        thread::sleep(Duration::from_millis(20));
    }
}

impl Case {
    /// Runs the command with its output at a path.
    #[track_caller]
    fn run(&self, desk: &Desk, out: &str) -> Option<i32> {
        let call: Vec<&str> =
            self.call.iter().map(|word| if *word == "OUT" { out } else { word }).collect();
        let mut command = Command::new(COMMAND);
        command.args(&call).current_dir(desk.path("")).env("SOURCE_DATE_EPOCH", "1763719800");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        ends(command.spawn().expect("the command runs"), &call.join(" "))
    }

    /// Returns the argument and the path of the output in a new folder.
    fn paths(&self) -> (String, String) {
        match self.within {
            "" => ("new/out".to_owned(), "new/out".to_owned()),
            within => ("new/out".to_owned(), format!("new/out/{within}")),
        }
    }

    /// Checks that the output is refused after `prepare` has put something at its path, and that nothing changes.
    #[track_caller]
    fn refuses(&self, what: &str, prepare: impl Fn(&Desk, &Path)) {
        let (desk, (out, path)) = (desk(), self.paths());
        fs::create_dir_all(desk.path(&path).parent().expect("a folder")).expect("a folder");
        prepare(&desk, &desk.path(&path));
        let before = all(&desk);
        let code = self.run(&desk, &out);
        assert!(matches!(code, Some(1 | 2)), "{:?} {what}: {code:?}", self.call);
        assert_eq!(all(&desk), before, "{:?} {what}", self.call);
    }
}

#[test]
fn replaces_only_what_it_could_have_written() {
    for case in &CASES {
        case.refuses("foreign", |_, path| fs::write(path, case.foreign).expect("written"));
        case.refuses("another format", |_, path| fs::write(path, "my notes\n").expect("written"));
        case.refuses("link to a foreign file", |desk, path| {
            desk.write("theirs", case.foreign);
            symlink(desk.path("theirs"), path).expect("a link");
        });
        case.refuses("folder", |_, path| fs::create_dir(path).expect("a folder"));
        if !case.input.is_empty() {
            case.refuses("link to an input", |desk, path| {
                symlink(desk.path(case.input), path).expect("a link");
            });
        }
    }
}

#[test]
fn replaces_its_own_and_keeps_links_to_them() {
    for case in &CASES {
        let (desk, (out, path)) = (desk(), case.paths());
        fs::create_dir_all(desk.path(&path).parent().expect("a folder")).expect("a folder");
        if case.within == "index.html" {
            desk.write(&path, SITE);
        }
        for _ in 0..2 {
            // One of the commands requires this folder to be new.
            let _ = fs::remove_dir_all(desk.path("sibling"));
            assert_eq!(case.run(&desk, &out), Some(0), "{:?}", case.call);
        }
        fs::rename(desk.path(&path), desk.path("real")).expect("moved");
        symlink(desk.path("real"), desk.path(&path)).expect("a link");
        let _ = fs::remove_dir_all(desk.path("sibling"));
        assert_eq!(case.run(&desk, &out), Some(0), "{:?}", case.call);
        let link = fs::symlink_metadata(desk.path(&path)).expect("a link");
        assert!(link.is_symlink() && desk.path("real").is_file(), "{:?}", case.call);
    }
}

#[test]
fn writes_no_output_over_another() {
    for case in &CASES {
        let Some(sibling) = case.sibling else { continue };
        for path in [sibling.to_owned(), format!("./{sibling}"), format!("site/../{sibling}")] {
            let desk = desk();
            let before = all(&desk);
            assert_eq!(case.run(&desk, &path), Some(1), "{:?} {path}", case.call);
            assert_eq!(all(&desk), before, "{:?} {path}", case.call);
        }
    }
    // Other files of a site, whether they exist or not.
    let feed = CASES.last().expect("a case");
    for name in [
        "explorer.html",
        "service-worker.js",
        "opensearch.xml",
        "index-hashes-0123456789abcdef.json",
    ] {
        let desk = desk();
        let before = all(&desk);
        assert_eq!(feed.run(&desk, &format!("site/{name}")), Some(1), "{name}");
        assert_eq!(all(&desk), before, "{name}");
    }
}

#[test]
fn never_waits_for_a_pipe_that_it_cannot_write_to() {
    for case in &CASES {
        let (desk, (out, path)) = (desk(), case.paths());
        fs::create_dir_all(desk.path(&path).parent().expect("a folder")).expect("a folder");
        assert!(
            Command::new("mkfifo").arg(desk.path(&path)).status().expect("mkfifo runs").success()
        );
        let reader = case.is_stream.then(|| {
            let mut cat = Command::new("cat");
            cat.arg(desk.path(&path)).stdout(Stdio::piped()).spawn().expect("cat runs")
        });
        let code = case.run(&desk, &out);
        match reader {
            Some(reader) => {
                assert_eq!(code, Some(0), "{:?}", case.call);
                let read = reader.wait_with_output().expect("cat ends").stdout;
                assert!(!read.is_empty(), "{:?}", case.call);
            }
            None => assert_eq!(code, Some(1), "{:?}", case.call),
        }
        let found = fs::symlink_metadata(desk.path(&path)).expect("the pipe");
        assert!(found.file_type().is_fifo(), "{:?}", case.call);
    }
}

#[test]
fn writes_to_devices_and_the_standard_output_only_what_is_one_file() {
    for case in &CASES {
        let expected = if case.is_stream { Some(0) } else { Some(1) };
        let desk = desk();
        if case.within.is_empty() {
            assert_eq!(case.run(&desk, "/dev/null"), expected, "{:?}", case.call);
            let _ = fs::remove_dir_all(desk.path("sibling"));
        }
        let before = all(&desk);
        assert_eq!(case.run(&desk, "-"), expected, "{:?}", case.call);
        let _ = fs::remove_dir_all(desk.path("sibling"));
        assert_eq!(all(&desk), before, "{:?}", case.call);
    }
}

#[test]
fn keeps_somebody_elses_page_and_feed() {
    let desk = desk();
    desk.write("home/index.html", PAGE);
    desk.write("blog.xml", FEED);
    let words = |kind: &str, option: &str| {
        format!(
            "this is not {kind} that cache-explorer has made, and would be overwritten; \
             choose another place with {option}, or remove it\n"
        )
    };
    desk.fails(
        &["embed", "page.md", "--into", "home"],
        &format!("error: home/index.html: {}", words("a page of a site", "--into")),
    );
    desk.fails(
        &["embed", "page.md", "--into", "site", "--feed", "blog.xml"],
        &format!("error: blog.xml: {}", words("a feed", "--feed")),
    );
    desk.fails(
        &["embed", "page.md", "--into", "site", "--feed", "site/index.html"],
        "error: site/index.html: this command writes something else there; choose another place \
         with --feed\n",
    );
    desk.fails(
        &["seal", "home"],
        &format!("error: home/index.html: {}", words("a page of a site", "the argument FOLDER")),
    );
}

#[test]
fn lets_those_read_new_files_of_a_site_who_can_read_its_folder() {
    let desk = desk();
    desk.run(&["generate", "--builds", "4000", "-o", "generated.json"]);
    // A feed needs an index that states its time.
    desk.run(&["index", "generated.json", "-o", "large.json"]);
    for (mode, readable) in [(0o755, 0o644), (0o750, 0o640), (0o700, 0o600)] {
        fs::set_permissions(desk.path("site"), fs::Permissions::from_mode(mode)).expect("a mode");
        let call = "umask 077; exec \"$0\" embed large.json --into site --feed site/feed.xml";
        let outcome = desk.call(Command::new("sh").args(["-c", call, COMMAND]), "");
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        let mut new = 0;
        for entry in fs::read_dir(desk.path("site")).expect("a folder") {
            let entry = entry.expect("a file");
            let found = entry.metadata().expect("a file").permissions().mode() & 0o777;
            if entry.file_name() != "index.html" {
                assert_eq!(found, readable, "{:?} in a folder of mode {mode:o}", entry.file_name());
                new += 1;
                fs::remove_file(entry.path()).expect("removed");
            }
        }
        assert!(new > 1);
        desk.write("site/index.html", SITE);
    }
    // An existing file keeps its mode, and the command says what that means.
    let page = desk.path("site/index.html");
    fs::set_permissions(desk.path("site"), fs::Permissions::from_mode(0o755)).expect("a mode");
    fs::set_permissions(&page, fs::Permissions::from_mode(0o600)).expect("a mode");
    let outcome = desk.run(&["embed", "page.md", "--into", "site"]);
    let note = "note: site/index.html: some of those who can read its folder cannot read it, such as a web server\n";
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), note));
    assert_eq!(fs::metadata(&page).expect("a file").permissions().mode() & 0o777, 0o600);
}
