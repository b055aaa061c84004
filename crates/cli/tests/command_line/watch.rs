//! `embed --watch`: feeds and badges for specs and lock files. Python's feedparser reads the feeds, if `tools/setup python`
//! has installed it.

use std::fs;

use cache_index::index::Index;
use serde_json::Value;

use crate::desk::{Desk, HASH, OTHER, Outcome, data, page};
use crate::python::{self, Python};
use crate::site::SITE;

const SPECS: &str = "watch:\n  zlib: zlib\n  any-hdf5: 'hdf5@1:'\n";

/// Creates a desk with a built site, a cache and a list of what is watched.
fn desk(watch: &str) -> Desk {
    let desk = Desk::new();
    desk.write("dist/index.html", SITE);
    desk.write("cache/a.md", page("zlib", HASH, "rhel8"));
    desk.write("ours/watch.yaml", watch);
    desk
}

/// Publishes the cache on a day.
fn publish(desk: &Desk, day: u32, more: &[&str]) -> Outcome {
    desk.run(&["index", "cache", "-o", "cache.json"]);
    let mut index = Index::from_json(&desk.read("cache.json")).expect("an index");
    index.about_mut().made = Some(format!("2025-11-{day:02}T10:10:00Z"));
    desk.write("cache.json", index.to_json());
    let call = ["embed", "cache.json", "--into", "dist", "--watch", "ours/watch.yaml"];
    desk.run(&[&call[..], more].concat())
}

#[track_caller]
fn published(desk: &Desk, day: u32, more: &[&str]) {
    let outcome = publish(desk, day, more);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
}

/// Returns what the badge of an entry says.
fn message(desk: &Desk, name: &str) -> String {
    let badge: Value =
        serde_json::from_str(&desk.read(&format!("dist/watch/{name}.json"))).expect("JSON");
    badge["message"].as_str().expect("a message").to_owned()
}

/// Returns the titles of the entries of a feed, newest first.
fn titles(desk: &Desk, name: &str) -> Vec<String> {
    let feed = desk.read(&format!("dist/watch/{name}.xml"));
    let entries = feed.split("<entry>").skip(1);
    let title = |entry: &str| {
        let (_, rest) = entry.split_once("<title>").expect("a title");
        rest.split_once("</title>").expect("its end").0.to_owned()
    };
    entries.map(title).collect()
}

#[test]
fn says_in_a_feed_when_builds_come_change_and_go() {
    let desk = desk(SPECS);
    let outcome = publish(&desk, 1, &[]);
    // A spec that no build satisfies may be one that the user waits for, or a mistake.
    let note = "note: watch.any-hdf5: no package `hdf5` here\n";
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), note));
    assert_eq!(titles(&desk, "zlib"), ["zlib: 1.3 · 1 build"]);
    assert_eq!(titles(&desk, "any-hdf5"), ["hdf5@1: none"]);
    assert_eq!([message(&desk, "zlib"), message(&desk, "any-hdf5")], ["1.3 · 1 build", "none"]);

    // The command needs nothing but the site to know what is new.
    desk.write("cache/b.md", page("hdf5", OTHER, "rhel8"));
    published(&desk, 2, &["--since", "dist/index.html"]);
    assert_eq!(titles(&desk, "any-hdf5"), ["hdf5@1: came: 1.3 · 1 build", "hdf5@1: none"]);
    let feed = desk.read("dist/watch/any-hdf5.xml");
    assert!(feed.contains("new: hdf5@1.3/3rseveu"), "{feed}");
    assert_eq!(titles(&desk, "zlib").len(), 1);

    // Publishing the same again adds nothing, and touches nothing.
    published(&desk, 3, &[]);
    assert_eq!(desk.read("dist/watch/any-hdf5.xml"), feed);

    // Another build of the same version, and then none.
    desk.write("cache/b.md", page("hdf5", "4rseveu6q45rfj5ffuyyp4jehmrgveef", "rhel8"));
    published(&desk, 4, &[]);
    assert_eq!(titles(&desk, "any-hdf5")[0], "hdf5@1: 1.3 · 1 build, other builds than before");
    fs::remove_file(desk.path("cache/b.md")).expect("removed");
    assert_eq!(publish(&desk, 5, &[]).code, Some(0));
    assert_eq!(titles(&desk, "any-hdf5")[0], "hdf5@1: went (was 1.3 · 1 build)");
    assert_eq!(titles(&desk, "any-hdf5").len(), 4);
}

#[test]
fn compares_nothing_when_something_else_is_watched() {
    let desk = desk("watch: {it: 'hdf5@2:'}\n");
    assert_eq!(publish(&desk, 1, &[]).code, Some(0));
    desk.write("ours/watch.yaml", "watch: {it: zlib}\n");
    published(&desk, 2, &[]);
    assert_eq!(titles(&desk, "it"), ["zlib: 1.3 · 1 build", "hdf5@2: none"]);
    // The same builds, but another question.
    desk.write("ours/watch.yaml", "watch: {it: 'zlib@1:'}\n");
    published(&desk, 3, &[]);
    assert_eq!(titles(&desk, "it")[0], "zlib@1: 1.3 · 1 build");
    // The cached share of an environment is not compared with builds either.
    desk.copy("environment/zlib-only", "ours");
    desk.write("ours/watch.yaml", "watch: {it: {lock: spack.lock}}\n");
    published(&desk, 4, &[]);
    assert_eq!(titles(&desk, "it")[0], "spack.lock: 0 % cached");
    assert_eq!(titles(&desk, "it").len(), 4);
}

#[test]
fn publishes_the_example_of_the_documentation() {
    let text = include_str!("../../../../docs/publishers.md");
    let (_, rest) = text.split_once("```yaml\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    let desk = desk(example);
    desk.copy("environment/zlib-only", "ours/production");
    assert_eq!(publish(&desk, 1, &[]).code, Some(0));
    assert_eq!(titles(&desk, "hdf5-2"), ["hdf5@2: none"]);
    assert_eq!(titles(&desk, "production"), ["production/spack.lock: 0 % cached"]);
    // A path on the publisher's machine is of no use to readers.
    let lock = desk.path("ours/production/spack.lock");
    desk.write("ours/watch.yaml", format!("watch: {{ours: {{lock: '{}'}}}}\n", lock.display()));
    assert_eq!(publish(&desk, 2, &[]).code, Some(0));
    assert_eq!(titles(&desk, "ours"), ["ours: 0 % cached"]);
}

#[test]
fn says_how_much_of_a_lock_file_is_cached() {
    let desk = desk("watch: {production: {lock: 'a <b>&/spack.lock'}}\n");
    // The path is relative to the list, wherever the command runs.
    desk.copy("environment/zlib-only", "ours/a <b>&");
    published(&desk, 1, &[]);
    let whole = data("environment/zlib-only/index.json");
    let call = ["embed", &whole, "--into", "dist", "--watch", "ours/watch.yaml"];
    let outcome = desk.run(&call);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let title = "a &lt;b&gt;&amp;/spack.lock";
    let expected = [format!("{title}: 100 % cached (was 0 %)"), format!("{title}: 0 % cached")];
    assert_eq!(titles(&desk, "production"), expected);
    assert_eq!(message(&desk, "production"), "100 % cached");
    let feed = desk.read("dist/watch/production.xml");
    assert!(feed.contains("missing: ") && feed.contains("in the cache"), "{feed}");
}

#[test]
fn names_the_missing_specs_of_a_list() {
    let desk = desk("watch: {ours: {lock: specs.txt}}\n");
    let many: String = (0..50).map(|at| format!("none-{at:02}\n")).collect();
    desk.write("ours/specs.txt", format!("zlib@1:\nhdf5@2:\n{many}"));
    published(&desk, 1, &[]);
    let feed = desk.read("dist/watch/ours.xml");
    assert!(feed.contains("1 of 52 specs are satisfied"), "{feed}");
    assert!(feed.contains("missing: hdf5@2:") && feed.contains("missing: none-38&"), "{feed}");
    assert!(!feed.contains("zlib@1:") && !feed.contains("none-39"), "{feed}");
    assert!(feed.contains("&gt;11 more&lt;"), "{feed}");
    // Another spec is missing, although as many as before are cached.
    desk.write("ours/specs.txt", format!("zlib@1:\nhdf5@3:\n{many}"));
    published(&desk, 2, &[]);
    let expected = "specs.txt: 1 % cached, other specs than before";
    assert_eq!(titles(&desk, "ours")[0], expected);
}

#[test]
fn says_which_entry_has_a_spec_that_the_spack_of_the_cache_does_not_understand() {
    let desk = desk("watch:\n  new: zlib\n  old: 'zlib %[virtuals=c] gcc'\n");
    let cache = data("mirror-v2");
    let call = ["embed", &cache, "--into", "dist", "--watch", "ours/watch.yaml"];
    let outcome = desk.run(&call);
    let words = "error: ours/watch.yaml: field watch.old: expected a spec, found ";
    assert!(outcome.code == Some(1) && outcome.err.starts_with(words), "{}", outcome.err);
    assert!(!desk.path("dist/watch").exists());
}

/// Reads a feed as readers of feeds do, and prints what it found.
const READ: &str = "
import sys, feedparser
feed = feedparser.parse(sys.argv[1])
assert not feed.bozo, feed.bozo_exception
assert feed.version == 'atom10' and feed.feed.id and feed.feed.updated and feed.feed.title
for entry in feed.entries:
    assert entry.id.startswith('urn:uuid:') and entry.updated and entry.summary, entry
print(feed.feed.id, feed.feed.links[0].href, feed.entries[0].link, feed.entries[0].title, sep='\\n')
";

#[test]
fn writes_feeds_that_others_read_and_leads_to_what_they_are_about() {
    let desk = desk("watch:\n  z: 'zlib@1:'\n  production: {lock: spack.lock}\n");
    desk.copy("environment/zlib-only", "ours");
    published(&desk, 1, &["--site-url", "https://example.org/cache"]);
    let Some(Python) = python::with("feedparser") else { return };
    for (name, lines) in [
        (
            "z",
            [
                "https://example.org/cache",
                "https://example.org/cache/?q=zlib@1:",
                "zlib@1: 1.3 · 1 build",
            ],
        ),
        (
            "production",
            ["https://example.org/cache", "https://example.org/cache", "spack.lock: 0 % cached"],
        ),
    ] {
        let file = desk.path(&format!("dist/watch/{name}.xml")).display().to_string();
        let outcome = desk.call(python::command().args(["-c", READ, &file]), "");
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
        let [site, page, title] = lines;
        let own = format!("{site}/watch/{name}.xml");
        assert_eq!(outcome.out, format!("{own}\n{page}\n{page}\n{title}\n"));
    }
}

#[test]
fn removes_what_is_no_longer_watched_and_keeps_what_is_not_its_own() {
    let desk = desk(SPECS);
    assert_eq!(publish(&desk, 1, &[]).code, Some(0));
    desk.write("dist/watch/notes.txt", "ours");
    desk.write("ours/watch.yaml", "watch: {zlib: zlib}\n");
    published(&desk, 1, &[]);
    let files = fs::read_dir(desk.path("dist/watch")).expect("a folder");
    let files = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    let mut files: Vec<String> = files.collect();
    files.sort();
    assert_eq!(files, ["notes.txt", "zlib.json", "zlib.xml"]);
    // Without the option, the command says that the files are out of date.
    let outcome = desk.run(&["embed", "cache", "--into", "dist"]);
    let note = "note: dist/watch/zlib.xml: stays as it was; --watch would bring it up to date\n";
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), note));
    // The command refuses to replace a feed that it did not make.
    desk.write("dist/watch/zlib.xml", "<rss></rss>");
    let before = desk.read("dist/index.html");
    let outcome = publish(&desk, 2, &["--title", "Other"]);
    let words = "error: dist/watch/zlib.xml: this is not a feed that cache-explorer has made";
    assert!(outcome.code == Some(1) && outcome.err.starts_with(words), "{}", outcome.err);
    assert_eq!(desk.read("dist/index.html"), before);
}

#[test]
fn says_what_is_wrong_with_a_list_before_it_reads_the_cache() {
    #[track_caller]
    fn check(watch: &str, expected: &str) {
        let desk = desk(watch);
        let call = ["embed", "no-such-cache", "--into", "dist", "--watch", "ours/watch.yaml"];
        let outcome = desk.run(&call);
        assert_eq!(outcome.code, Some(1), "{}", outcome.err);
        assert_eq!(outcome.err.lines().next(), Some(expected), "{}", outcome.err);
        assert!(!desk.path("dist/watch").exists());
    }
    check(
        "watch: {z: 'zlib@@1'}",
        "error: ours/watch.yaml: field watch.z: expected a spec, found \"zlib@@1\": expected a \
         version after `@`",
    );
    check(
        "watch: {../z: zlib}",
        "error: ours/watch.yaml: field watch.../z: expected a name that a file can have everywhere: \
         letters, digits, - and _",
    );
    check(
        "watch: {Z: zlib, z: hdf5}",
        "error: ours/watch.yaml: field watch.z: another entry has this name, apart from small and \
         capital letters",
    );
    check(
        "watch: {z: {spec: zlib, every: day}}",
        "error: ours/watch.yaml: field watch.z.every: a field of this name is not known here",
    );
    check(
        "watch: {a: {lock: none.lock}}",
        "error: ours/none.lock: No such file or directory (os error 2)",
    );
    check(
        "watch: {a: {lock: watch.yaml}}",
        "error: ours/watch.yaml: line 1: expected a spec, found \"watch: {a: {lock: watch.yaml}}\": \
         unexpected character `:`",
    );
    check(
        "watch:\n  a: [\n",
        "error: ours/watch.yaml: line 3 column 1: not valid YAML: did not find expected node content",
    );
}

#[test]
fn never_writes_over_a_lock_file_that_is_watched() {
    let desk = desk("watch: {a: {lock: ../dist/watch/a.json}}\n");
    desk.copy("environment/zlib-only", "lock");
    desk.write("dist/watch/a.json", desk.read("lock/spack.lock"));
    let outcome = publish(&desk, 1, &[]);
    let words = "error: dist/watch/a.json: this is one of the inputs, and would be overwritten; \
                 choose another place with --into\n";
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(1), words));
}
