//! A user's own caches, opened in the page: read as the command reads them, and kept only on this device.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cache_index::index::{Index, Part};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::Value;
use tempfile::TempDir;

use crate::faults::{KEEPS_NOTHING, with_fault};
use crate::harness::{Key, Page, Release, Site, Theme, Width, file_url};
use crate::publishing::{embed, page_of};
use crate::weight::{INSIDE, KINDS};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

pub(crate) fn sample(path: &str) -> PathBuf {
    Path::new(ROOT).join(path).canonicalize().expect("a sample")
}

/// Writes cache pages, each of one package.
pub(crate) fn pages(folder: &TempDir, packages: &[&str]) -> Vec<PathBuf> {
    let write = |package: &&str| {
        let path = folder.path().join(format!("{package}.md"));
        let hash = format!("{}aaaaaaaa", "bcdefghi".repeat(3));
        let hash = hash.replace('i', &package[..1]);
        let text = page_of(package, "plain").replace("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", &hash);
        fs::write(&path, text).expect("a page can be written");
        path
    };
    packages.iter().map(write).collect()
}

/// Runs a test in a wide window on the release, with a folder for its files.
#[track_caller]
pub(crate) fn on_the_release(test: impl FnOnce(&Page<'_>, &TempDir)) {
    let site = Site::release();
    let folder = TempDir::new().expect("a folder");
    test(&Page::of(&site, Width::Wide), &folder);
}

/// Opens the dialog, and chooses files there.
#[track_caller]
pub(crate) fn choose(page: &Page<'_>, paths: &[PathBuf]) {
    page.press("Open…");
    page.see_element(&[("dialog", "Open a cache")]);
    page.choose_files("Choose files", paths);
}

/// Waits until the page shows an opened cache.
#[track_caller]
pub(crate) fn see_opened(page: &Page<'_>, name: &str) {
    page.see(&format!("{name}, opened here"));
    page.see_no("Loading…");
}

/// Checks that the browser has stored the same parts as the command makes from the same inputs.
#[track_caller]
fn compare(page: &Page<'_>, inputs: &[PathBuf]) {
    let kept = page.ask(
        "const opened = indexedDB.open('spack build caches'); \
         await new Promise((done) => (opened.onsuccess = done)); \
         const parts = opened.result.transaction('parts').objectStore('parts') \
           .get(new URLSearchParams(location.search).get('cache')); \
         await new Promise((done) => (parts.onsuccess = done)); \
         opened.result.close(); \
         const texts = Object.entries(parts.result).map(([id, bytes]) => [id, new TextDecoder().decode(bytes)]); \
         const { made } = JSON.parse(parts.result && Object.fromEntries(texts).index).about; \
         return [Object.fromEntries(texts), Date.parse(made) / 1000]",
    );
    let folder = TempDir::new().expect("a folder");
    let out = folder.path().join("index.json");
    let parent = inputs[0].parent().expect("a folder");
    let names = inputs.iter().map(|input| input.strip_prefix(parent).expect("beside the first"));
    let mut command = Command::new(Release::command());
    command.current_dir(parent).arg("index").args(names).arg("-o").arg(&out);
    let output = command.env("SOURCE_DATE_EPOCH", kept[1].to_string()).output();
    let output = output.expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let index = Index::from_json(&fs::read_to_string(&out).expect("an index")).expect("an index");
    let parts = index.to_parts();
    for part in Part::ALL {
        let kept = kept[0].get(part.id()).and_then(Value::as_str);
        assert!(kept == parts.text(part), "{} of {inputs:?} differs", part.id());
    }
}

/// Compresses a file with gzip, by the command of the system, and with zstd.
fn compressed(folder: &TempDir, path: &Path) -> [PathBuf; 2] {
    let copy = folder.path().join("index.json");
    let zstd = folder.path().join("index.json.zst");
    let bytes = fs::read(path).expect("a file");
    fs::write(&zstd, compress_to_vec(&bytes[..], CompressionLevel::Fastest)).expect("a file");
    fs::write(&copy, bytes).expect("a copy");
    let status = Command::new("gzip").arg(&copy).status().expect("gzip runs");
    assert!(status.success());
    [folder.path().join("index.json.gz"), zstd]
}

#[test]
fn opens_every_kind_of_sample_as_the_command_reads_it() {
    on_the_release(|page, folder| {
        let database = sample("tests/data/database/v8.json");
        let mut inputs = Vec::from(compressed(folder, &database));
        for path in ["tests/data/database/v8.json", "tests/data/database/v7.json"] {
            inputs.push(sample(path));
        }
        // The third mirror has views, and the fourth is a copy of a registry's repository.
        for folder in ["database", "mirror-v2", "mirror-v3", "mirror-1.3", "oci-layout"] {
            inputs.push(sample(&format!("tests/data/{folder}")));
        }
        inputs.push(sample("seeds"));
        for input in inputs {
            page.open("");
            page.drop(std::slice::from_ref(&input));
            see_opened(page, &input.file_name().expect("a name").to_string_lossy());
            compare(page, &[input]);
        }
    });
}

#[test]
fn merges_several_files() {
    on_the_release(|page, folder| {
        let files = pages(folder, &["aaa", "bbb", "ccc"]);
        page.open("");
        choose(page, &files);
        see_opened(page, "aaa.md and 2 more");
        page.see_builds(3);
        compare(page, &files);
    });
}

#[test]
fn reports_problems_as_the_command_does() {
    on_the_release(|page, folder| {
        let path = folder.path().join("readme.md");
        fs::write(&path, "# Read me\n").expect("a file");
        page.open("?os=sequoia");
        page.see_builds(93);
        choose(page, &[path]);
        page.see("readme.md cannot be opened as it is");
        page.see("error: readme.md: expected a cache page (which starts with a line `---`), a Spack database");
        page.see("1 problem; nothing was opened");
        page.press("Choose something else");
        page.see_element(&[("dialog", "Open a cache"), ("button", "Choose files…")]);
        page.type_keys(Key::Escape);
        page.see_builds(93);
    });
}

#[test]
fn leaves_out_files_that_are_something_else() {
    on_the_release(|page, folder| {
        let mut files = pages(folder, &["aaa", "bbb"]);
        let path = folder.path().join("readme.md");
        fs::write(&path, "# Read me\n").expect("a file");
        files.push(path);
        page.open("");
        choose(page, &files);
        page.see("aaa.md and 2 more cannot be opened as they are");
        page.press("Go on without readme.md");
        see_opened(page, "aaa.md and bbb.md");
        page.see_builds(2);
    });
}

#[test]
fn leaves_out_damaged_builds_on_request() {
    on_the_release(|page, folder| {
        let files = pages(folder, &["aaa", "bbb"]);
        let text = fs::read_to_string(&files[1]).expect("a page").replacen(
            "\"hash\":\"b",
            "\"hash\":\"!",
            1,
        );
        fs::write(&files[1], text).expect("a page");
        page.open("");
        choose(page, &files);
        page.see("1 problem in 1 build");
        page.press("Go on without what is damaged");
        see_opened(page, "aaa.md and bbb.md");
        page.see_builds(1);
        page.press("Notes");
        page.see("1 damaged build was left out");
        page.press("Notes");
        page.type_into("Search packages", "bbb");
        page.see("1 damaged build was left out of this index: About says why");
    });
}

/// Returns the parts of the reader that were fetched from a site, sorted.
fn fetched(site: &Site) -> Vec<String> {
    let module = |path: String| {
        let (_, name) = path.split_once("reader_")?;
        Some(name.split_once(".wasm")?.0.to_owned())
    };
    let parts: BTreeSet<String> = site.requests().into_iter().filter_map(module).collect();
    assert!(parts.contains("bg"), "the reader has not been fetched");
    parts.into_iter().filter(|part| part != "bg").collect()
}

/// Opens files in a browser that keeps nothing of the site, waits until the page shows `seen`, and checks which parts of the
/// reader were fetched.
#[track_caller]
fn check_parts(kind: &str, files: &[PathBuf], seen: &str) {
    let (_folder, site) = with_fault(KEEPS_NOTHING);
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.drop(files);
    page.see(seen);
    assert_eq!(fetched(&site), parts_of(kind), "{files:?}");
}

#[track_caller]
fn parts_of(kind: &str) -> &'static [&'static str] {
    let found = KINDS.iter().find(|(name, _)| *name == kind);
    found.unwrap_or_else(|| panic!("expected a kind, found {kind}")).1
}

#[test]
fn fetches_what_it_needs_of_the_reader_to_open_a_database() {
    let folder = TempDir::new().expect("a folder");
    let database = sample("tests/data/database/v8.json");
    let text = fs::read_to_string(&database).expect("a database");
    let write = |name: &str, changes: &[(&str, &str)]| {
        let path = folder.path().join(name);
        let text = changes.iter().fold(text.clone(), |text, (known, new)| {
            assert!(text.contains(known), "{known}");
            text.replace(known, new)
        });
        fs::write(&path, text).expect("a database");
        path
    };
    let [gzip, zstd] = compressed(&folder, &database);
    check_parts("database", &[database], "opened here");
    check_parts("database with gzip", &[gzip], "opened here");
    check_parts("database with zstd", &[zstd], "opened here");
    // Spack's own database has this field for each build that it installed.
    let local = write("local.json", &[("{\"spec\":", "{\"installation_time\":1.5,\"spec\":")]);
    check_parts("local database", &[local], "opened here");
    // A version and a field that are new to the reader need no other parts.
    let new = [
        ("\"version\":\"8\"", "\"version\":\"10\""),
        ("\"namespace\":", "\"news\":1,\"namespace\":"),
    ];
    let new = write("new.json", &new);
    check_parts("database", std::slice::from_ref(&new), "opened here");
    on_the_release(|page, _| {
        page.open("");
        choose(page, std::slice::from_ref(&new));
        see_opened(page, "new.json");
        page.press("Notes");
        page.see("the field spec.news is not known here");
        page.see("this database is of version 10");
        compare(page, &[new]);
    });
    let damaged = write("damaged.json", &[("\"name\":\"zlib\"", "\"name\":1")]);
    check_parts("damaged database", &[damaged], "cannot be opened as it is");
}

#[test]
fn fetches_what_it_needs_of_the_reader_to_open_a_mirror() {
    // Mirrors of each layout, with views, and signed.
    for mirror in ["mirror-v2", "mirror-v3", "mirror-1.3", "signed/mirror"] {
        check_parts("mirror", &[sample(&format!("tests/data/{mirror}"))], "opened here");
    }
    let (_folder, site) = with_fault(KEEPS_NOTHING);
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.drop(&[sample("tests/data/binaries/v2-plain")]);
    page.press("Look inside 8 binaries, 80 kB");
    page.see("opened here");
    assert_eq!(fetched(&site), INSIDE);
    check_parts("copy of a repository", &[sample("tests/data/oci-layout")], "opened here");
}

#[test]
fn says_where_the_keys_of_an_opened_mirror_may_be() {
    on_the_release(|page, _| {
        page.open("");
        page.drop(&[sample("tests/data/signed/mirror")]);
        see_opened(page, "mirror");
        page.follow("Use this cache");
        page.see("If the mirror has no public keys, Spack finds none there to trust");
        page.fits();
    });
}

#[test]
fn fetches_what_it_needs_of_the_reader_to_open_pages_and_indexes() {
    let folder = TempDir::new().expect("a folder");
    check_parts("cache pages", &[sample("seeds")], "opened here");
    let page = pages(&folder, &["aaa"]).remove(0);
    check_parts("cache pages", std::slice::from_ref(&page), "opened here");
    let copy = Release::copy_with_single_file();
    embed(copy.path(), &fs::read_to_string(&page).expect("a page"));
    check_parts("index", &[copy.path().join("explorer.html")], "opened here");
    let index = sample("crates/cache-index/tests/golden/format-2/since.json");
    check_parts("index", &[index], "opened here");
    let text =
        fs::read_to_string(&page).expect("a page").replacen("\"hash\":\"", "\"hash\":\"!", 1);
    fs::write(&page, text).expect("a page");
    check_parts("damaged cache page", &[page], "cannot be opened as it is");
}

#[test]
fn fetches_what_it_needs_of_the_reader_to_open_an_environment() {
    let folder = TempDir::new().expect("a folder");
    let seen = "Copy as Markdown";
    let lock = sample("tests/data/environment/dev-path/spack.lock");
    check_parts("spack.lock", std::slice::from_ref(&lock), seen);
    check_parts("spack.yaml", &[sample("tests/data/environment/dev-path/spack.yaml")], seen);
    let list = folder.path().join("specs.txt");
    fs::write(&list, "hdf5+mpi ^openmpi\nzlib@1.3 %gcc@13\n").expect("a list");
    check_parts("list of specs", &[list], seen);
    let text = fs::read_to_string(&lock).expect("a lock file");
    let damaged = folder.path().join("spack.lock");
    fs::write(&damaged, text.replacen("\"hash\":\"", "\"hash\":\"!", 1)).expect("a lock file");
    check_parts("damaged spack.lock", &[damaged], "cannot be opened as it is");
}

#[test]
fn fetches_what_it_needs_of_the_reader_to_read_settings() {
    let (_folder, site) = with_fault(KEEPS_NOTHING);
    let page = Page::of(&site, Width::Wide);
    page.open("");
    let read = "return (await spackCache.own()).settings({ given: 'concretizer: {reuse: {exclude: [~python]}}' })";
    assert_eq!(page.ask(read)["settings"], "reuse.exclude=~python");
    assert_eq!(fetched(&site), parts_of("settings"));
}

#[test]
fn opens_from_disk() {
    let file = file_url(&Release::single_file());
    let page = Page::at(&file, Width::Wide, Theme::Light);
    let folder = TempDir::new().expect("a folder");
    page.open("");
    page.see_builds(390);
    let mirror = sample("tests/data/mirror-v3");
    page.drop(std::slice::from_ref(&mirror));
    see_opened(&page, "mirror-v3");
    compare(&page, &[mirror]);
    choose(&page, &pages(&folder, &["aaa", "bbb"]));
    see_opened(&page, "aaa.md and bbb.md");
    page.see_builds(2);
    page.reload();
    page.see_builds(2);
    page.follow("mirror-v3");
    see_opened(&page, "mirror-v3");
    page.follow("Published cache");
    page.see_builds(390);
}

#[test]
fn opens_by_key_and_in_a_narrow_window() {
    let (_folder, site) = with_fault(KEEPS_NOTHING);
    let page = Page::of(&site, Width::Narrow);
    page.open("");
    page.see_builds(390);
    let sent = |name: &str| site.requests().iter().any(|path| path.contains(name));
    assert!(!sent("open.js") && !sent("reader"), "what only some need is fetched at once");
    page.type_keys("o");
    page.see_element(&[("dialog", "Open a cache")]);
    assert!(sent("open.js") && !sent("reader"));
    page.type_keys(Key::Escape);
    page.see_no_element(&[("dialog", "Open a cache")]);
    // In a field, the key is a letter.
    page.type_into("Search packages", "zoo");
    page.see_no_element(&[("dialog", "Open a cache")]);
    let folder = TempDir::new().expect("a folder");
    choose(&page, &pages(&folder, &["aaa"]));
    see_opened(&page, "aaa.md");
    page.see_builds(1);
}

#[test]
fn says_that_opening_needs_the_network_if_it_was_not_kept() {
    let (_folder, site) = with_fault(KEEPS_NOTHING);
    let page = Page::of(&site, Width::Narrow);
    page.expect_errors();
    page.open("");
    page.see_builds(390);
    site.go_down();
    page.press("Open…");
    page.see("What opens files could not be fetched");
    page.see("Connect to the network, and try again");
    page.is_accessible();
    page.fits();
    page.press("Close");
    page.see_no("Connect to the network");
    page.drop(&[sample("tests/data/database/v8.json")]);
    page.see("Connect to the network, and try again");
    page.see_builds(390);
}

#[test]
fn says_that_reading_needs_the_network_if_it_was_not_kept() {
    let (_folder, site) = with_fault(KEEPS_NOTHING);
    let page = Page::of(&site, Width::Wide);
    page.expect_errors();
    page.open("");
    page.press("Open…");
    page.see_element(&[("dialog", "Open a cache")]);
    site.go_down();
    page.choose_files("Choose files", &[sample("tests/data/database/v8.json")]);
    page.see("A part of this site is missing");
    page.see("Connect to the network, and open them again");
}

#[test]
fn opens_an_environment_after_the_app_has_stopped() {
    on_the_release(|page, _| {
        page.expect_errors();
        page.open("?os=sequoia");
        page.see_builds(93);
        page.ask(
            // Firefox runs this script apart from the page, with its own objects.
            "const page = window.wrappedJSObject ?? window; \
             const error = new page.WebAssembly.RuntimeError('unreachable'); \
             page.dispatchEvent(new page.ErrorEvent('error', { error }))",
        );
        page.see("The explorer stopped");
        page.drop(&[sample("tests/data/environment/dev-path/spack.lock")]);
        page.see("Copy as Markdown");
        let query = page.query();
        assert!(query.starts_with("?environment="), "{query}");
    });
}

#[test]
fn sends_nothing_of_an_opened_cache() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    let folder = TempDir::new().expect("a folder");
    page.open("");
    page.see_builds(390);
    let before = site.requests().len();
    choose(&page, &pages(&folder, &["aaa"]));
    see_opened(&page, "aaa.md");
    let own = ["/", "open.js", "reader.js", "reader-worker.js", "service-worker.js"];
    let asked = site.requests().split_off(before);
    let is_of_the_site = |path: &&String| {
        own.iter().any(|name| path.ends_with(name)) || Release::folder().join(&path[1..]).is_file()
    };
    let others: Vec<_> = asked.iter().filter(|path| !is_of_the_site(path)).collect();
    assert!(others.is_empty(), "{others:?}");
    assert!(asked.iter().any(|path| path.ends_with("reader_bg.wasm")), "{asked:?}");
}
