//! The names and URLs of mirrors: from the command line into the commands that a page shows.

use std::fs;

use cache_index::build::Place;
use cache_index::index::{About, Index};
use cache_index::mirror::Mirror;

use crate::desk::{Desk, HASH, data, page};

fn index(desk: &Desk) -> Index {
    Index::from_json(&desk.read("index.json")).expect("an index")
}

/// Returns the commands that add the mirrors of an index.
fn commands(index: &Index) -> Vec<String> {
    index.all_places().map(|place| Mirror::of(&place, index.about()).add()).collect()
}

#[track_caller]
fn check(desk: &Desk, arguments: &[&str], expected: &[&str]) {
    let outcome = desk.run(&[&["index"][..], arguments].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(commands(&index(desk)), expected);
}

#[test]
fn one_mirror_needs_only_its_url() {
    let desk = Desk::new();
    let mirror = data("mirror-v3");
    check(&desk, &[&mirror], &["spack mirror add cache MIRROR_URL"]);
    let ours = "https://mirrors.example.org/ours";
    check(&desk, &[&mirror, "--url", ours], &[&format!("spack mirror add cache {ours}")]);
    let named = [&mirror, "--url", ours, "--name", "ours"];
    check(&desk, &named, &[&format!("spack mirror add ours {ours}")]);
    let released = [&mirror, "--url", ours, "--release", "v1", "--stack", "tools"];
    check(&desk, &released, &[&format!("spack mirror add v1-tools {ours}")]);
    assert_eq!(index(&desk).about().mirror_url, None);
    // Invalid values, such as the empty one of a variable that is not set.
    for wrong in ["", "not a url", "htp:/foo", "://x"] {
        let outcome = desk.run(&["index", &mirror, "--url", wrong]);
        assert_eq!(outcome.code, Some(2), "{wrong}");
        assert!(outcome.err.contains("expected a URL such as https://…"), "{}", outcome.err);
    }
    check(&desk, &[&mirror, "--url", "/srv/mirror"], &["spack mirror add cache /srv/mirror"]);
}

#[test]
fn a_view_of_a_mirror_is_added_by_its_name() {
    let desk = Desk::new();
    let mirror = data("mirror-1.3");
    let ours = "https://mirrors.example.org/ours";
    let views = |name: &str, url: &str| {
        let of_view = |view: &str| format!("spack mirror add --name {view} {name}{view} {url}");
        [of_view("compression"), of_view("io")]
    };
    #[track_caller]
    fn check_all(desk: &Desk, arguments: &[&str], views: [String; 2], whole: &str) {
        let [one, two] = &views;
        check(desk, arguments, &[one, two, whole]);
    }
    let unknown = "spack mirror add cache MIRROR_URL";
    check_all(&desk, &[&mirror], views("", "MIRROR_URL"), unknown);
    let whole = format!("spack mirror add cache {ours}");
    check_all(&desk, &[&mirror, "--url", ours], views("", ours), &whole);
    let named = [&mirror, "--url", ours, "--name", "ours"];
    check_all(&desk, &named, views("ours-", ours), &format!("spack mirror add ours {ours}"));
    // An index keeps the URL.
    assert_eq!(desk.run(&["index", "index.json", "-o", "again.json"]).code, Some(0));
    let again = Index::from_json(&desk.read("again.json")).expect("an index");
    assert_eq!(commands(&again), commands(&index(&desk)));
    let one = [&mirror, "--view", "io", "--url", ours];
    check(&desk, &one, &[&format!("spack mirror add --name io io {ours}")]);
}

#[test]
fn several_mirrors_are_told_apart_by_name_or_path() {
    let desk = Desk::new();
    let (two, three) = (data("mirror-v2"), data("mirror-v3"));
    check(
        &desk,
        &[
            &two,
            "--url",
            "https://a.example.org",
            &three,
            "--url",
            "oci://b.example.org/c",
            "--name",
            "b",
        ],
        &[
            "spack mirror add --unsigned b oci://b.example.org/c",
            "spack mirror add mirror-v2 https://a.example.org",
        ],
    );
    let outcome = desk.run(&[
        "index",
        &two,
        "--url",
        "https://a",
        &three,
        "--url",
        "https://b",
        "--stack",
        "x",
    ]);
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome.err.contains(
            "its mirror is at https://b, but x has one at https://a in another input; distinguish \
             them by --stack or --name"
        ),
        "{}",
        outcome.err
    );
}

#[test]
fn several_inputs_without_names_are_named_after_their_paths() {
    let desk = Desk::new();
    let (two, three) = (data("mirror-v2"), data("mirror-v3"));
    let stacks = || -> Vec<(String, String)> {
        index(&desk).all_places().map(|place| (place.release, place.stack)).collect()
    };
    let in_stacks = |names: [&str; 2]| names.map(|name| (String::new(), name.to_owned()));
    for name in [None, Some("b")] {
        let named = name.map(|name| ["--name", name]).into_iter().flatten();
        let arguments: Vec<&str> = ["index", &two, &three].into_iter().chain(named).collect();
        assert_eq!(desk.run(&arguments).code, Some(0));
        let mut expected = in_stacks(["mirror-v2", name.unwrap_or("mirror-v3")]);
        expected.sort();
        assert_eq!(stacks(), expected);
    }
    // An index of such an input does not say what its only stack is called either.
    desk.run(&["index", &two, "-o", "two.json"]);
    desk.run(&["index", &three, "-o", "three.json"]);
    assert_eq!(desk.run(&["index", "two.json", "three.json"]).code, Some(0));
    assert_eq!(stacks(), in_stacks(["three", "two"]));
}

#[test]
fn a_folder_of_mirrors_has_one_url_for_all() {
    let desk = Desk::new();
    for name in ["mirror-v2", "mirror-v3"] {
        desk.copy(name, &format!("site/stacks/{name}"));
    }
    check(
        &desk,
        &["site", "--url", "https://x.example.org/m/"],
        &[
            "spack mirror add stacks-mirror-v2 https://x.example.org/m/stacks/mirror-v2",
            "spack mirror add stacks-mirror-v3 https://x.example.org/m/stacks/mirror-v3",
        ],
    );
}

#[test]
fn takes_releases_and_stacks_from_the_layout_of_a_bucket() {
    #[track_caller]
    fn check<const N: usize>(options: &[&str], at: [&str; N], expected: [(&str, &str); N]) {
        let desk = Desk::new();
        for (mirror, at) in ["mirror-v2", "mirror-v3"].into_iter().zip(at) {
            desk.copy(mirror, &format!("bucket/{at}"));
        }
        let outcome = desk.run(&[&["index", "bucket"], options].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        let places: Vec<(String, String)> =
            index(&desk).all_places().map(|place| (place.release, place.stack)).collect();
        let expected = expected.map(|(release, stack)| (release.to_owned(), stack.to_owned()));
        assert_eq!(places, expected);
    }
    check(&[], ["develop/tools", "v1.0/tools"], [("develop", "tools"), ("v1.0", "tools")]);
    let below_releases = ["releases/v1.0/gpu/ml", "develop-2026-03-01"];
    check(&[], below_releases, [("develop-2026-03-01", "root"), ("v1.0", "gpu/ml")]);
    // Names of sites are not releases, and neither is the name of a release next to that of a site.
    check(&[], ["site-a/cpu", "site-b/cpu"], [("", "site-a/cpu"), ("", "site-b/cpu")]);
    check(&[], ["develop/cpu", "site-b/cpu"], [("", "develop/cpu"), ("", "site-b/cpu")]);
    // A single mirror in the folder of a release belongs to it too. A mirror that is itself the input has no release.
    check(&[], ["develop/tools"], [("develop", "tools")]);
    check(&[], ["v1.0"], [("v1.0", "root")]);
    check(&[], ["site-a"], [("", "")]);
    check(&[], [""], [("", "")]);
    // What the user says comes first.
    let all = ["--release", "v2"];
    check(&all, ["develop/a", "v1.0/a"], [("v2", "develop/a"), ("v2", "v1.0/a")]);
}

#[test]
fn gives_each_input_its_release_and_stack() {
    let desk = Desk::new();
    desk.copy("mirror-v2", "old");
    desk.copy("mirror-v3", "new");
    let each = ["old", "--release", "v1", "new", "--release", "v2", "--stack", "tools"];
    let outcome = desk.run(&[&["index"], &each[..]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let places: Vec<String> = index(&desk).all_places().map(|place| place.to_string()).collect();
    assert_eq!(places, ["v1 / tools", "v2 / tools"]);
    // A command that takes its inputs after --from does not say which input an option is for.
    desk.run(&["index", "old", "-o", "old.json"]);
    let twice = ["search", "zlib", "--from", "old.json", "--release", "v1", "--release", "v2"];
    let outcome = desk.run(&twice);
    assert_ne!(outcome.code, Some(0));
    assert!(outcome.err.contains("--release is given twice"), "{}", outcome.err);
}

#[test]
fn stacks_have_the_same_names_in_each_release() {
    let desk = Desk::new();
    for release in ["old", "new"] {
        desk.copy("mirror-v2", &format!("{release}/tools"));
        desk.copy("mirror-v3", &format!("{release}/gpu"));
    }
    let check = |arguments: &[&str], expected: [&str; 4]| {
        let outcome = desk.run(&[&["index"], arguments].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        let places: Vec<String> =
            index(&desk).all_places().map(|place| place.to_string()).collect();
        assert_eq!(places, expected);
    };
    let of_releases = ["v1 / gpu", "v1 / tools", "v2 / gpu", "v2 / tools"];
    check(&["old", "--release", "v1", "new", "--release", "v2"], of_releases);
    // One of the releases may have been read before.
    desk.run(&["index", "old", "--release", "v1", "-o", "v1.json"]);
    check(&["v1.json", "new", "--release", "v2"], of_releases);
    // Folders with names of releases become releases.
    fs::rename(desk.path("old"), desk.path("v1.0")).expect("a folder");
    fs::rename(desk.path("new"), desk.path("develop")).expect("a folder");
    let named = ["develop / gpu", "develop / tools", "v1.0 / gpu", "v1.0 / tools"];
    check(&["v1.0", "develop"], named);
    fs::rename(desk.path("v1.0"), desk.path("old")).expect("a folder");
    fs::rename(desk.path("develop"), desk.path("new")).expect("a folder");
    let of_one = ["v1 / new/gpu", "v1 / new/tools", "v1 / old/gpu", "v1 / old/tools"];
    check(&["old", "new", "--release", "v1"], of_one);
}

/// A folder that both `spack mirror create` and `spack buildcache push` write to looks like this.
#[test]
fn source_archives_in_a_mirror_are_skipped() {
    let desk = Desk::new();
    desk.copy("mirror-v3", "mirror");
    desk.write("mirror/zlib/zlib-1.3.1.tar.gz", [0x1f, 0x8b, 8, 0, 1]);
    desk.write("mirror/_source-cache/archive/ab/abcd.patch", "--- a/Makefile\n");
    desk.write("mirror/_source-cache/git/empty", "");
    // Another mirror within it is read.
    desk.copy("mirror-v2", "mirror/tools");
    desk.write("mirror/tools/lz4/lz4-1.10.0.tar.bz2", [b'B', b'Z', b'h', b'9', 0xff]);
    let outcome = desk.run(&["index", "mirror"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let stacks: Vec<String> = index(&desk).all_places().map(|place| place.stack).collect();
    assert_eq!(stacks, ["root", "tools"]);
    for expected in [
        "mirror: skipped 3 files that do not describe binaries, such as mirror/_source-cache/archive/ab/abcd.patch",
        "mirror/tools: skipped 1 file that does not describe binaries, such as mirror/tools/lz4/lz4-1.10.0.tar.bz2",
    ] {
        assert!(outcome.err.contains(expected), "{expected}: {}", outcome.err);
    }
    // Outside of mirrors, a file that is not an input may be a mistake.
    desk.write("other/zlib-1.3.1.tar.gz", [0x1f, 0x8b, 8, 0, 1]);
    desk.copy("mirror-v3", "other/mirror");
    assert_eq!(desk.run(&["index", "other"]).code, Some(1));
}

#[test]
fn nothing_but_the_public_cache_is_said_to_lie_there() {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    let public = "spack mirror add develop https://binaries.spack.io/develop";
    check(&desk, &["page.md"], &[public]);
    assert_eq!(index(&desk).about().mirror_url(), Some("https://binaries.spack.io"));
    // A mirror next to the page has an unknown URL, and is named after its path.
    let mirror = data("mirror-v2");
    check(&desk, &["page.md", &mirror], &["spack mirror add mirror-v2 MIRROR_URL", public]);
    assert_eq!(index(&desk).about().mirror_url(), None);
    let base = ["page.md", "--mirror-url", "https://copy.example.org"];
    check(&desk, &base, &["spack mirror add develop https://copy.example.org/develop"]);
}

#[test]
fn rejects_a_url_for_what_says_itself_where_it_is() {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    let outcome = desk.run(&["index", "page.md", "--url", "https://x"]);
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome.err.starts_with("error: page.md: --url and --name are for mirrors and databases")
    );
    assert_eq!(desk.run(&["index", "--url", "https://x", "page.md"]).code, Some(2));
}

#[test]
fn an_index_keeps_the_urls_of_its_mirrors() {
    let desk = Desk::new();
    let ours = "https://mirrors.example.org/ours";
    desk.run(&["index", &data("mirror-v3"), "--url", ours, "--name", "ours"]);
    let about: About = index(&desk).about().clone();
    let place = Place { release: String::new(), stack: String::new() };
    assert_eq!(about.known_mirror(&place).and_then(|known| known.url.as_deref()), Some(ours));
    assert_eq!(about.urls(), [ours]);
}

/// Writes a `mirrors.yaml` with all kinds of entries that are found in practice.
fn write_mirrors(desk: &Desk) {
    desk.copy("mirror-1.3", "site/views");
    desk.copy("mirror-v2", "site/old");
    desk.write(
        "site/mirrors.yaml",
        "mirrors:\n  site: {url: views, view: io, signed: false, autopush: true}\n  old: $SITE/old\n  \
         sources: {url: https://src.example.org, binary: false}\n  staging: {push: /srv/in}\n  \
         ftp: ftp://ftp.example.org/pub\n  unset: $NOBODY_SETS_THIS/m\n  new: {url: old, tier: gold}\n",
    );
}

#[test]
fn reads_the_mirrors_of_a_file_and_names_what_it_leaves_out() {
    let desk = Desk::new();
    write_mirrors(&desk);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cache-explorer"));
    command.args(["index", "--mirrors", "site/mirrors.yaml"]).env("SITE", desk.path("site"));
    let outcome = desk.call(&mut command, "");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let left_out = |name: &str, reason: &str| {
        let note = format!("note: site/mirrors.yaml: left out {name}: {reason}\n");
        assert!(outcome.err.contains(&note), "{}", outcome.err);
    };
    left_out("sources", "it has only sources");
    left_out("staging", "it is only pushed to");
    left_out("ftp", "ftp://ftp.example.org/pub is neither on this machine nor at https, s3 or oci");
    left_out("unset", "$NOBODY_SETS_THIS is not set");
    assert!(outcome.err.contains("mirrors.new.tier"), "{}", outcome.err);
    let commands = commands(&index(&desk));
    assert!(
        commands.iter().any(|add| add.starts_with("spack mirror add --name io site ")),
        "{commands:?}"
    );
    assert!(commands.iter().any(|add| add.starts_with("spack mirror add old ")), "{commands:?}");
    assert_eq!(commands.len(), 3, "{commands:?}");
}

#[test]
fn shows_no_password_in_the_url_of_a_mirror() {
    let desk = Desk::new();
    desk.copy("mirror-v2", "old");
    let check = |mirrors: &str, code: i32, expected: &str| {
        desk.write("mirrors.yaml", format!("mirrors:\n  old: old\n{mirrors}"));
        let outcome = desk.run(&["check", "--mirrors", "mirrors.yaml"]);
        assert_eq!(outcome.code, Some(code), "{}", outcome.err);
        assert!(outcome.err.contains(expected), "{}", outcome.err);
        assert!(!outcome.err.contains("s3cret") && !outcome.err.contains("bob"), "{}", outcome.err);
    };
    for url in ["http://mirrors.example.org/cache", "ftp://example.org/pub", "sftp://example.org/m"]
    {
        let (scheme, rest) = url.split_once("://").expect("a URL");
        let words = format!("left out web: {url} is neither on this machine nor at https");
        check(&format!("  web: {{url: '{scheme}://bob:s3cret@{rest}'}}\n"), 0, &words);
    }
    // Passwords in URLs that can be read are refused.
    for url in ["http://localhost:1/cache", "https://example.org/cache"] {
        let (scheme, rest) = url.split_once("://").expect("a URL");
        let words = format!("without a name and a password in it, such as {url:?}");
        check(&format!("  web: {{url: '{scheme}://bob:s3cret@{rest}'}}\n"), 1, &words);
    }
}

#[test]
fn finds_a_mirror_beside_a_file_that_is_named_without_a_folder() {
    let desk = Desk::new();
    desk.copy("mirror-v2", "ours/mirror");
    desk.write("ours/spack.yaml", "spack:\n  mirrors: {ours: $env/mirror}\n");
    for (folder, file) in [("", "ours/spack.yaml"), ("ours", "spack.yaml")] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cache-explorer"));
        command.args(["check", "--mirrors", file]).current_dir(desk.path(folder));
        let output = command.output().expect("the command runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.starts_with("3 builds in 1 mirror, no problems"), "{file}: {output:?}");
    }
}

#[test]
fn asks_the_mirrors_of_a_file_and_other_caches_together() {
    let desk = Desk::new();
    desk.copy("mirror-v2", "old");
    desk.write("mirrors.yaml", "mirrors: {old: old}\n");
    let (of_file, other) = (["--mirrors", "mirrors.yaml"], data("mirror-v3"));
    let count = |arguments: &[&str]| {
        let outcome = desk.run(&[&["search", "platform=linux"], arguments].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        outcome.out.lines().count()
    };
    let both = count(&["--mirrors", "mirrors.yaml", "--from", &other]);
    assert_eq!(both, count(&of_file) + count(&["--from", &other]));
    desk.write("zlib.txt", "zlib\n");
    for arguments in [
        &["environment", "zlib.txt"][..],
        &["why", "--summary", "--host", "linux.rhel8.zen4"],
        &["check"],
        &["prune-preview", "--keep", "zlib.txt"],
    ] {
        let outcome = desk.run(&[arguments, &of_file].concat());
        assert_ne!(outcome.code, Some(101));
        assert!(!outcome.err.contains("Usage"), "{arguments:?}: {}", outcome.err);
    }
    desk.write("none.yaml", "concretizer: {reuse: true}\n");
    let outcome = desk.run(&["check", "--mirrors", "none.yaml"]);
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome.err.starts_with("error: none.yaml: there are no mirrors in it"),
        "{}",
        outcome.err
    );
}

/// This once took time proportional to the square of the number of mirrors.
#[test]
fn reads_fifty_thousand_mirrors_that_are_not_there() {
    let desk = Desk::new();
    let lines: String = (0..50_000).map(|at| format!("  m{at}: /nowhere/m{at}\n")).collect();
    desk.write("mirrors.yaml", format!("mirrors:\n{lines}"));
    let outcome = desk.run(&["check", "--mirrors", "mirrors.yaml"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("50,000 problems"), "{}", outcome.err);
}
