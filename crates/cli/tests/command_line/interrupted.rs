//! Commands that are interrupted, or that run at the same time: the site is the old one or the new one.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::desk::{Desk, HASH, OTHER, page};
use crate::site::{all, built};

const COMMAND: &str = env!("CARGO_BIN_EXE_cache-explorer");

/// The system calls that change a folder, or wait for it to change. Between two of these calls the folder stays unchanged,
/// so killing the command at each of them covers every moment at which it can be killed.
const CALLS: &str =
    "open,openat,linkat,rename,renameat,renameat2,unlink,unlinkat,write,fsync,flock";

/// A site of one cache, and the same site with another.
struct Sites {
    desk: Desk,
    old: Vec<(String, String)>,
    new: Vec<(String, String)>,
}

impl Sites {
    fn new() -> Sites {
        let desk = Desk::new();
        built(&desk);
        desk.write("dist/explorer.html", desk.read("dist/index.html"));
        desk.run(&["seal", "dist"]);
        desk.write("old.md", page("zlib", HASH, "rhel8"));
        desk.write("new.md", page("hdf5", OTHER, "rhel8"));
        desk.run(&["embed", "old.md", "--into", "dist"]);
        let old = all(&desk, "dist");
        desk.run(&["embed", "new.md", "--into", "dist"]);
        let new = all(&desk, "dist");
        assert_eq!(old.len(), new.len());
        Sites { desk, old, new }
    }

    /// Runs `embed` on the old site, under another command that may end it.
    fn embed_under(&self, wrapper: &[&str]) -> std::process::ExitStatus {
        for (name, text) in &self.old {
            self.desk.write(&format!("dist/{name}"), text);
        }
        let call = [wrapper, &[COMMAND, "embed", "new.md", "--into", "dist"]].concat();
        Command::new(call[0])
            .args(&call[1..])
            .current_dir(self.desk.path(""))
            .env("SOURCE_DATE_EPOCH", "1763719800")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("the command runs")
    }

    /// Checks that each file is the old or the new one, and that all are new if the page is.
    #[track_caller]
    fn are_whole(&self, temporary: usize, when: &str) {
        let (left, found): (Vec<_>, Vec<_>) = all(&self.desk, "dist")
            .into_iter()
            .partition(|(name, _)| name.starts_with(".cache-explorer-"));
        assert!(left.len() <= temporary, "{when}: left {left:?}");
        assert_eq!(found.len(), self.old.len(), "{when}");
        for ((found, old), new) in found.iter().zip(&self.old).zip(&self.new) {
            assert!(found == old || found == new, "{when}: {}", found.0);
        }
        let is_new = |(name, text): &&(String, String)| {
            name == "index.html" && self.new.contains(&(name.clone(), text.clone()))
        };
        if found.iter().any(|file| is_new(&file)) {
            assert_eq!(found, self.new, "{when}: the page is new");
        }
    }
}

fn has_strace() -> bool {
    let version = Command::new("strace").arg("-V").stdout(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Returns the system calls that change the site in a complete run, each with its name and the number of earlier calls of
/// that name. Calls before the folder is locked change nothing.
fn calls(sites: &Sites) -> Vec<(String, usize)> {
    let log = sites.desk.path("calls");
    let trace = format!("trace={CALLS}");
    let log_name = log.display().to_string();
    let ended = sites.embed_under(&["strace", "-f", "-qq", "-o", &log_name, "-e", &trace]);
    assert!(ended.success());
    let mut counts = BTreeMap::new();
    let mut calls = Vec::new();
    let mut is_locked = false;
    let log = fs::read_to_string(log).expect("a log");
    // strace counts the calls of each thread separately, and only one thread changes the site. A call during which another
    // thread's call is logged has a second line.
    let thread = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let locking = log.lines().find(|line| line.contains("flock(")).map(thread);
    for line in log.lines() {
        if Some(thread(line)) != locking || line.contains(" resumed>") {
            continue;
        }
        let Some(name) = line.split([' ', '(']).find(|word| CALLS.split(',').any(|c| c == *word))
        else {
            continue;
        };
        let count = counts.entry(name.to_owned()).or_insert(0);
        *count += 1;
        is_locked |= name == "flock";
        if is_locked {
            calls.push((name.to_owned(), *count));
        }
    }
    calls
}

#[test]
fn leaves_the_old_or_the_new_site_when_killed() {
    let sites = Sites::new();
    if has_strace() {
        let calls = calls(&sites);
        assert!(calls.iter().filter(|(name, _)| name.starts_with("rename")).count() >= 3);
        for (name, count) in calls {
            let inject = format!("inject={name}:signal=KILL:when={count}");
            let ended = sites.embed_under(&["strace", "-f", "-qq", "-o", "calls", "-e", &inject]);
            assert_eq!(ended.signal(), Some(9), "{name} {count}");
            sites.are_whole(1, &format!("killed at {name} {count}"));
        }
    } else {
        for step in 0..30 {
            let after = format!("{}", 0.001 * f64::from(step));
            sites.embed_under(&["timeout", "-s", "KILL", &after]);
            sites.are_whole(1, &format!("killed after {after} seconds"));
        }
    }
    // The next command finishes the work, and nothing else is left.
    sites.embed_under(&["env"]);
    assert_eq!(all(&sites.desk, "dist"), sites.new);
}

#[test]
fn leaves_nothing_behind_when_asked_to_end() {
    if !has_strace() {
        return;
    }
    let sites = Sites::new();
    for (name, count) in calls(&sites) {
        if !["fsync", "linkat", "renameat", "rename"].contains(&name.as_str()) {
            continue;
        }
        for signal in ["TERM", "INT"] {
            let inject = format!("inject={name}:signal={signal}:when={count}");
            sites.embed_under(&["strace", "-f", "-qq", "-o", "calls", "-e", &inject]);
            sites.are_whole(0, &format!("{signal} at {name} {count}"));
            let page =
                |files: &[(String, String)]| files.iter().find(|f| f.0 == "index.html").cloned();
            let found = all(&sites.desk, "dist");
            let expected = if page(&found) == page(&sites.new) { &sites.new } else { &sites.old };
            assert_eq!(&found, expected, "{signal} at {name} {count}");
        }
    }
}

#[test]
fn runs_two_commands_one_after_the_other() {
    let sites = Sites::new();
    for _ in 0..5 {
        let mut children: Vec<_> = ["old.md", "new.md", "old.md", "new.md"]
            .into_iter()
            .map(|input| {
                Command::new(COMMAND)
                    .args(["embed", input, "--into", "dist"])
                    .current_dir(sites.desk.path(""))
                    .env("SOURCE_DATE_EPOCH", "1763719800")
                    .stdout(Stdio::null())
                    .spawn()
                    .expect("the command runs")
            })
            .collect();
        assert!(children.iter_mut().all(|child| child.wait().expect("it ends").success()));
        let found = all(&sites.desk, "dist");
        assert!(found == sites.old || found == sites.new, "a mixture of two sites");
    }
}

#[test]
fn writes_into_pipes_and_keeps_links() {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    let made = Command::new("mkfifo").arg(desk.path("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    let read = {
        let pipe = desk.path("pipe");
        std::thread::spawn(move || fs::read_to_string(pipe).expect("a text"))
    };
    assert_eq!(desk.run(&["index", "page.md", "-o", "pipe"]).code, Some(0));
    assert!(!desk.path("pipe").is_file(), "the pipe was replaced");
    desk.run(&["index", "page.md", "-o", "index.json"]);
    assert_eq!(read.join().expect("no panic"), desk.read("index.json"));
    let device = desk.run(&["index", "page.md", "-o", "/dev/null"]);
    assert!(!Path::new("/dev/null").is_file());
    assert_eq!(device.code, Some(0), "{}", device.err);

    built(&desk);
    fs::rename(desk.path("dist/index.html"), desk.path("page.html")).expect("renamed");
    std::os::unix::fs::symlink("../page.html", desk.path("dist/index.html")).expect("a link");
    assert_eq!(desk.run(&["embed", "page.md", "--into", "dist"]).code, Some(0));
    assert!(fs::symlink_metadata(desk.path("dist/index.html")).expect("a link").is_symlink());
    assert!(desk.read("page.html").contains("id=\"index\""));
}
