//! Indexes that were made elsewhere, joined with each other and with anything else.

use std::collections::BTreeSet;

use cache_index::build::Build;
use cache_index::index::{BuildId, Index};
use cache_index::mirror::Mirror;

use crate::desk::{Desk, HASH, OTHER, data, page, seeds};
use crate::site::SITE;

fn index(desk: &Desk, name: &str) -> Index {
    Index::from_json(&desk.read(name)).expect("an index")
}

fn builds(index: &Index) -> Vec<Build> {
    let mut builds: Vec<Build> =
        (0..index.specs()).filter_map(|id| index.build(BuildId(id))).collect();
    builds.sort_by_key(|build| build.hash);
    builds
}

fn commands(index: &Index) -> BTreeSet<String> {
    index.all_places().map(|place| Mirror::of(&place, index.about()).add()).collect()
}

#[track_caller]
fn run(desk: &Desk, arguments: &[&str]) {
    let outcome = desk.run(arguments);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
}

#[test]
fn joined_indexes_are_what_their_inputs_are_together() {
    let desk = Desk::new();
    let (two, three) = (data("mirror-v2"), data("mirror-v3"));
    let at = |stack| ["--release", "v1", "--stack", stack];
    run(&desk, &[&["index", &two, "-o", "two.json"][..], &at("two")].concat());
    let url = ["--url", "https://x.example.org/three"];
    run(&desk, &[&["index", &three, "-o", "three.json"][..], &url, &at("three")].concat());
    run(&desk, &["index", &seeds(), "-o", "pages.json"]);
    run(&desk, &["index", "two.json", "three.json", "pages.json", "-o", "joined.json"]);
    let joined = index(&desk, "joined.json");
    let parts = ["two.json", "three.json", "pages.json"].map(|name| index(&desk, name));
    let mut expected: Vec<Build> = parts.iter().flat_map(builds).collect();
    expected.sort_by_key(|build| build.hash);
    assert_eq!(builds(&joined), expected);
    assert_eq!(commands(&joined), parts.iter().flat_map(commands).collect());
    assert_eq!(joined.about().source.as_deref(), Some("3 indexes"));
    // Anything can be joined with an index.
    run(
        &desk,
        &[
            "index",
            "two.json",
            &seeds(),
            &three,
            "--stack",
            "three",
            "--release",
            "v1",
            "-o",
            "mixed.json",
        ],
    );
    assert_eq!(builds(&index(&desk, "mixed.json")), expected);
}

#[test]
fn indexes_of_one_cache_keep_its_address_once() {
    let desk = Desk::new();
    desk.write("a.md", page("zlib", HASH, "rhel8"));
    desk.write("b.md", page("lz4", OTHER, "rhel8"));
    run(&desk, &["index", "a.md", "-o", "a.json"]);
    run(&desk, &["index", "b.md", "-o", "b.json"]);
    run(&desk, &["index", "a.json", "b.json"]);
    let about = index(&desk, "index.json").about().clone();
    assert_eq!(about.mirror_url(), Some("https://binaries.spack.io"));
    assert_eq!(about.mirrors, []);
}

#[test]
fn what_was_left_out_of_a_part_is_missing_in_the_whole() {
    let desk = Desk::new();
    let damaged = std::fs::read_to_string(data("database/v8.json")).expect("a file");
    desk.write("v8.json", damaged.replacen("\"name\":\"hdf5\"", "\"naem\":\"hdf5\"", 1));
    run(&desk, &["index", "v8.json", "--leave-out-damaged", "-o", "part.json"]);
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    run(&desk, &["index", "part.json", "page.md"]);
    let about = index(&desk, "index.json").about().clone();
    assert_eq!(about.left_out, index(&desk, "part.json").about().left_out);
    assert_eq!(about.left_out.len(), 1);
}

#[test]
fn a_published_page_is_an_index_too() {
    let desk = Desk::new();
    desk.write("dist/index.html", SITE);
    run(&desk, &["embed", &data("mirror-v3"), "--into", "dist"]);
    run(&desk, &["index", &data("mirror-v3"), "-o", "made.json"]);
    run(&desk, &["index", "dist/index.html"]);
    assert_eq!(builds(&index(&desk, "index.json")), builds(&index(&desk, "made.json")));
    let package = &builds(&index(&desk, "made.json"))[0].package;
    let found = desk.run(&["search", package, "--from", "dist/index.html"]);
    assert_eq!(found.code, Some(0), "{}", found.err);
    assert!(found.out.contains(package.as_str()), "{}", found.out);
    desk.write("other.html", "<!doctype html><body></body>");
    desk.fails(
        &["check", "other.html"],
        "error: other.html: expected a page with an index in it, as `embed` makes them, found none\n\
         1 problem; the inputs are not fit to publish\n",
    );
}

#[test]
fn an_index_states_its_own_releases_and_stacks() {
    let desk = Desk::new();
    desk.write("a.md", page("zlib", HASH, "rhel8"));
    desk.write("dist/index.html", SITE);
    run(&desk, &["index", "a.md", "-o", "a.json"]);
    let own = "for databases and mirrors; \
               cache pages, manifests and indexes state their releases and stacks themselves";
    let check = |call: &[&str], given: &str, undone: &str| {
        desk.fails(call, &format!("error: {given} {own}\n1 problem; {undone}\n"));
    };
    let embed = ["embed", "a.json", "--release", "v1", "--into", "dist"];
    check(&embed, "--release is", "nothing was written");
    check(&["index", "a.md", "--stack", "e4s"], "--stack is", "nothing was written");
    let both = ["search", "zlib", "--from", "a.json", "--release", "v1", "--stack", "e4s"];
    check(&both, "--release and --stack are", "nothing was read");
    assert_eq!(desk.read("dist/index.html"), SITE);
    // A mirror among the inputs takes both options.
    let mirror = data("mirror-v3");
    let at = ["--release", "v1", "--stack", "e4s"];
    run(&desk, &[&["index", "a.json", &mirror][..], &at].concat());
    // Of two snapshots, the options may be meant for only one.
    run(&desk, &[&["index", &mirror, "--since", "a.json", "-o", "b.json"][..], &at].concat());
    run(&desk, &[&["changes", "a.json", &mirror][..], &at].concat());
}

#[test]
fn parts_that_disagree_name_both() {
    let desk = Desk::new();
    desk.write("a.md", page("zlib", HASH, "rhel8"));
    desk.write("b.md", page("zlib", HASH, "sles15"));
    run(&desk, &["index", "a.md", "-o", "a.json"]);
    let outcome = desk.run(&["index", "a.json", "b.md"]);
    assert_eq!(outcome.code, Some(1));
    let expected = "differs in os: \"sles15\" in b.md, but \"rhel8\" in a.json";
    assert!(outcome.err.contains(expected), "{}", outcome.err);
}

#[test]
fn an_empty_cache_is_published_only_if_that_is_meant() {
    let desk = Desk::new();
    desk.write("empty.json", "{\"database\": {\"version\": \"8\", \"installs\": {}}}");
    desk.fails(
        &["index", "empty.json"],
        "error: there is no build with a binary in the inputs, so nothing was written; \
         --allow-empty publishes an empty cache\n",
    );
    assert!(!desk.path("index.json").exists());
    run(&desk, &["index", "empty.json", "--allow-empty"]);
    assert_eq!(index(&desk, "index.json").specs(), 0);
}
