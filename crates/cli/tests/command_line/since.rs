//! What a publication says about the one before: `--since`.

use std::io;

use brotli::CompressorWriter;
use cache_advice::changes::{Changes, publish};
use cache_index::index::{About, Index, pack};
use cache_sample::Sample;
use serde_json::Value;

use crate::desk::{Desk, HASH, OTHER, data, page};
use crate::site::SITE;

const MADE: &str = "2025-11-21T10:10:00Z";

/// Changes the time at which an index was made.
fn date(desk: &Desk, name: &str, made: &str) {
    let mut index = load(desk, name);
    index.about_mut().made = Some(made.to_owned());
    desk.write(name, index.to_json());
}

fn load(desk: &Desk, name: &str) -> Index {
    Index::from_json(&desk.read(name)).expect("an index")
}

/// Returns when a build first appeared.
fn first_seen(index: &Index, hash: &str) -> Option<String> {
    let build = index.find(hash.parse().expect("a hash")).expect("a build");
    index.first_seen(build).map(str::to_owned)
}

/// Creates a desk with an index of one build that was made a day earlier.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("one.md", page("zlib", HASH, "rhel8"));
    desk.write("other.md", page("hdf5", OTHER, "rhel8"));
    desk.run(&["index", "one.md", "-o", "old.json"]);
    date(&desk, "old.json", "2025-11-20T10:10:00Z");
    desk
}

#[test]
fn says_what_came_since_and_when_builds_first_appeared() {
    let desk = desk();
    let since = ["--since", "old.json"];
    let outcome = desk.run(&[&["index", "one.md", "other.md"][..], &since].concat());
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let index = load(&desk, "index.json");
    let summary = index.earlier().expect("the changes").summary();
    assert_eq!((summary.came, summary.went), (1, 0));
    assert_eq!(summary.made.as_deref(), Some("2025-11-20T10:10:00Z"));
    assert_eq!(
        (first_seen(&index, HASH), first_seen(&index, OTHER)),
        (None, Some(MADE.to_owned()))
    );

    // A later publication keeps the day, and so does an input that is an index.
    date(&desk, "index.json", "2025-11-20T22:10:00Z");
    desk.run(&["index", "other.md", "--since", "index.json", "-o", "later.json"]);
    let later = load(&desk, "later.json");
    assert_eq!(first_seen(&later, OTHER).as_deref(), Some(MADE));
    let earlier = later.earlier().expect("the changes");
    assert_eq!(Changes::published(&later, earlier).went, [HASH.parse().expect("a hash")]);
    desk.run(&["index", "one.md", "later.json", "-o", "joined.json"]);
    assert_eq!(first_seen(&load(&desk, "joined.json"), OTHER).as_deref(), Some(MADE));
}

#[test]
fn publishes_what_changes_says() {
    let desk = Desk::new();
    let (old, new) =
        (data("environment/zlib-only/index.json"), data("environment/dev-path/index.json"));
    desk.run(&["index", &old, "-o", "old.json"]);
    date(&desk, "old.json", "2025-11-20T10:10:00Z");
    let outcome = desk.run(&["index", &new, "--since", "old.json", "-o", "new.json"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let printed = desk.run(&["changes", "old.json", "new.json", "--json"]).out;
    let index = load(&desk, "new.json");
    let published = Changes::published(&index, index.earlier().expect("the changes")).json();
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    for field in ["came", "went", "stayed"] {
        assert_eq!(published[field], printed[field], "{field}");
    }
    let classes = |changes: &Value| {
        let packages = changes["packages"].as_array().expect("a list").iter();
        let field = |package: &Value, name: &str| package[name].clone();
        packages
            .map(|package| ["package", "before", "after", "class"].map(|name| field(package, name)))
            .collect::<Vec<_>>()
    };
    assert_eq!(classes(&published), classes(&printed));
}

#[test]
fn reports_builds_whose_binary_was_overwritten_under_the_same_hash() {
    let desk = Desk::new();
    desk.copy("mirror-v3", "mirror");
    desk.run(&["index", "mirror", "-o", "old.json"]);
    date(&desk, "old.json", "2025-11-20T10:10:00Z");
    let manifest = "mirror/v3/manifests/spec/zstd/zstd-1.5.7-sjijntoe2e26ie4cquahc4oocub4yj5h.spec.manifest.json";
    let before = desk.read(manifest);
    let after = before.replacen("5971e147", "5971e148", 1);
    assert_ne!(before, after);
    // Only those digits of a digest count that an index keeps.
    desk.write(manifest, &after);
    let publish = ["index", "mirror", "--since", "old.json", "-o", "new.json"];
    assert_eq!(desk.run(&publish).code, Some(0));
    assert!(load(&desk, "new.json").earlier().is_none());

    desk.write(manifest, before.replacen("5971e147", "11119999", 1));
    let outcome = desk.run(&publish);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let index = load(&desk, "new.json");
    let changes = Changes::published(&index, index.earlier().expect("the changes"));
    assert_eq!(changes.headline(), "0 builds came, 0 went, 4 stayed; 1 build was overwritten");
    let zstd = "zstd@1.5.7 /sjijntoe2e26ie4cquahc4oocub4yj5h";
    assert_eq!(changes.overwritten[0].to_string(), zstd);

    // `changes`, its Markdown and the feed say the same.
    let words = "Overwritten: the same hash, but another binary than before:\n";
    let changes = ["changes", "old.json", "new.json"];
    for (format, line) in
        [(None, format!("  {zstd}\n")), (Some("--markdown"), format!("- {zstd}\n"))]
    {
        let outcome = desk.run(&changes.into_iter().chain(format).collect::<Vec<_>>());
        assert!(outcome.out.contains(words) && outcome.out.contains(&line), "{}", outcome.out);
    }
    assert_eq!(desk.run(&[&changes[..], &["--exit-code"]].concat()).code, Some(1));
    desk.write("dist/index.html", SITE);
    let embed =
        ["embed", "mirror", "--into", "dist", "--since", "old.json", "--feed", "dist/feed.xml"];
    assert_eq!(desk.run(&embed).code, Some(0));
    assert!(desk.read("dist/feed.xml").contains(zstd), "{}", desk.read("dist/feed.xml"));
    // Publishing the same builds again still reports the overwritten one.
    desk.run(&["index", "mirror", "--since", "new.json", "-o", "again.json"]);
    let again = load(&desk, "again.json");
    let kept = Changes::published(&again, again.earlier().expect("the changes"));
    assert_eq!(kept.overwritten.len(), 1);
}

#[test]
fn says_that_builds_are_in_other_releases() {
    let desk = Desk::new();
    let database = data("environment/zlib-only/index.json");
    desk.run(&["index", &database, "--release", "v1", "-o", "old.json"]);
    date(&desk, "old.json", "2025-11-20T10:10:00Z");
    let outcome = desk.run(&["index", &database, "--release", "v2", "--since", "old.json"]);
    let note = "no build came or went since it was made, but ";
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.err.contains(note), "{}", outcome.err);
    assert!(outcome.err.ends_with(" in other releases or stacks\n"), "{}", outcome.err);
}

#[test]
fn puts_the_changes_into_the_page_as_a_part() {
    let desk = desk();
    desk.write("dist/index.html", SITE);
    let embed = ["embed", "one.md", "other.md", "--into", "dist"];
    let since = ["--since", "old.json"];
    assert_eq!(desk.run(&[&embed[..], &since].concat()).code, Some(0));
    let html = desk.read("dist/index.html");
    assert!(html.contains("<script type=\"application/json\" id=\"index-changes\">"), "{html}");
    let stated = "\"since\":\"2025-11-20T10:10:00Z\",\"came\":1,\"went\":0}";
    assert!(html.contains(stated), "{html}");

    // The page itself is an earlier publication. The same builds again hide nothing.
    let again = ["--since", "dist/index.html"];
    let outcome = desk.run(&[&embed[..], &again].concat());
    let unchanged = "note: dist/index.html: nothing has changed since it was made\n";
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), unchanged));
    let last = "dist: 1 build came, 0 went, 1 stayed since 2025-11-20T10:10:00Z; the index has";
    assert!(outcome.out.contains(last), "{}", outcome.out);
    assert_eq!(desk.read("dist/index.html"), html);
    // Without `--since`, the page says nothing about changes, and loses the part with them.
    assert_eq!(desk.run(&embed).code, Some(0));
    let html = desk.read("dist/index.html");
    assert!(!html.contains("changes\""), "{html}");
    let again = [&embed[..], &["--since", "dist/index.html"]].concat();
    assert_eq!(desk.run(&again).code, Some(0));
    assert_eq!(desk.read("dist/index.html"), html);
}

#[test]
fn starts_with_a_publication_that_has_none_before() {
    let desk = desk();
    let outcome = desk.run(&["index", "one.md", "--since", "none.json"]);
    assert_eq!(outcome.code, Some(0));
    let note = "note: none.json: there is nothing yet, so this is the first publication\n";
    assert_eq!(outcome.err, note);
    assert!(load(&desk, "index.json").earlier().is_none());
}

#[test]
fn rejects_a_publication_that_is_not_earlier() {
    let desk = desk();
    date(&desk, "old.json", "2099-11-20T10:10:00Z");
    let outcome = desk.run(&["index", "one.md", "--since", "old.json"]);
    let words = "old.json: expected an earlier publication than that of 2025-11-21T10:10:00Z, \
                 found one of 2099-11-20T10:10:00Z";
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains(words), "{}", outcome.err);
    desk.write("broken.json", "{\"format\": 2");
    let outcome = desk.run(&["index", "one.md", "--since", "broken.json"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(!desk.path("index.json").exists());
}

/// The changes of one day: of 33 builds, one goes and another comes.
#[test]
fn needs_a_tenth_of_the_index_for_the_changes_of_a_day() {
    for dependencies in [false, true] {
        let sample = Sample { dependencies, ..Sample::new(10_000, 1) };
        let index = |without: usize| {
            let builds = sample.builds().enumerate().filter(|(at, _)| at % 33 != without);
            pack(About::default(), builds.map(|(_, build)| build)).expect("different hashes")
        };
        let mut new = index(1);
        publish(&mut new, &index(0));
        let parts = new.to_parts();
        let changes = weight(parts.changes.as_deref().expect("the changes"));
        let others = [Some(parts.columns), parts.hashes, parts.details, parts.dependencies];
        let others: usize = others.iter().flatten().map(|part| weight(part)).sum();
        println!("changes of 3 %: {changes} bytes, the index: {others} bytes");
        assert!(changes * 10 < others, "{changes} of {others} bytes");
    }
}

/// Returns the length of a text under brotli.
fn weight(text: &str) -> usize {
    let mut compressed = Vec::new();
    let mut compressor = CompressorWriter::new(&mut compressed, 1 << 16, 9, 22);
    io::Write::write_all(&mut compressor, text.as_bytes()).expect("written");
    drop(compressor);
    compressed.len()
}

#[test]
fn writes_a_feed_of_publications() {
    let desk = desk();
    desk.write("dist/index.html", SITE.replace("<head>", "<head><title>x</title>"));
    let feed = ["--feed", "dist/feed.xml", "--site-url", "https://example.org/cache"];
    let embed = |arguments: &[&str]| {
        let outcome = desk.run(&[&["embed", "--into", "dist"], arguments, &feed].concat());
        let is_quiet = outcome.err.is_empty() || outcome.err.contains("nothing has changed since");
        assert!(outcome.code == Some(0) && is_quiet, "{}", outcome.err);
        desk.read("dist/feed.xml")
    };
    let first = embed(&["old.json"]);
    assert!(first.contains("<title>1 build published</title>"), "{first}");
    let head = "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"Spack build cache\" \
                href=\"feed.xml\">";
    assert!(desk.read("dist/index.html").contains(head), "{}", desk.read("dist/index.html"));
    let second = embed(&["one.md", "other.md", "--since", "dist/index.html"]);
    assert!(second.contains("<title>1 build came, 0 went, 1 stayed</title>"), "{second}");
    assert!(second.contains("<title>1 build published</title>"), "{second}");
    assert_eq!(second.matches("<entry>").count(), 2);
    assert!(second.contains("https://example.org/cache/?changes=published"), "{second}");
    assert_eq!(embed(&["one.md", "other.md", "--since", "dist/index.html"]), second);

    // A feed that cannot be written leaves the site as it was, and one that cannot be read stays.
    let before = desk.read("dist/index.html");
    let outcome = desk.run(&["embed", "one.md", "--into", "dist", "--feed", "none/feed.xml"]);
    assert_eq!(outcome.code, Some(1));
    desk.write("dist/feed.xml", "<rss></rss>");
    let outcome = desk.run(&["embed", "one.md", "--into", "dist", "--feed", "dist/feed.xml"]);
    assert!(outcome.err.contains("feed.xml: this is not a feed that"), "{}", outcome.err);
    assert_eq!(desk.read("dist/index.html"), before);
    assert_eq!(desk.read("dist/feed.xml"), "<rss></rss>");
}
