//! My environment: files that a user opens, specs in the address, and what the cache has of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{Cache, Key, Page, Release, Storage, Theme, Width};

/// Creates a release with a cache that has most of the environment `dev-path`, and none of `workstation`.
pub(crate) fn cache() -> Cache {
    Cache::of_data(&["environment/dev-path/index.json"])
}

pub(crate) fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/environment").join(name)
}

/// Opens an environment in the dialog.
#[track_caller]
pub(crate) fn choose(page: &Page<'_>, path: &Path) {
    page.press("Open a file…");
    page.see_element(&[("dialog", "Open an environment")]);
    page.choose_files("Choose a file", &[path.to_owned()]);
}

/// Opens one of the samples on an empty page, and waits until it is compared with the cache.
#[track_caller]
pub(crate) fn compare(page: &Page<'_>, name: &str, headline: &str) {
    page.open("?environment=");
    choose(page, &sample(name));
    page.see(headline);
}

/// Returns what the command prints about an environment in one of its formats.
fn command(cache: &str, environment: &Path, form: &str) -> String {
    let mut command = Command::new(Release::command());
    command.arg("environment").arg(environment).arg("--from").arg(sample(cache));
    let output = command.args(["--release", "develop", "--stack", "mine", form]).output();
    let output = output.expect("the command runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Keeps the next file that the page saves.
const CATCH: &str = "
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => ((window.saved = blob), make.call(URL, blob))";

#[track_caller]
fn saved(page: &Page<'_>, form: &str) -> String {
    page.ask(CATCH);
    page.press("Export");
    page.press(form);
    page.ask("return window.saved.text()").as_str().expect("a text").to_owned()
}

#[test]
fn counts_a_lock_as_the_command_does() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    let lock = sample("dev-path/spack.lock");
    page.open("?environment=");
    page.see("How much of your environment is in this cache?");
    choose(&page, &lock);
    page.see("19 of 20 specs are in the cache, 4 of 5 that are needed to run; 2 external; 1 developed here");
    page.see("spack.lock stays on this device");
    page.see("1 to build; nothing else waits for it.");
    page.see_element(&[("row", "zfp@1.0.1"), ("cell", "developed here")]);
    let forms = [
        ("Markdown", "--markdown"),
        ("Table (CSV)", "--csv"),
        ("What is cached (spack.yaml)", "--cached-manifest"),
        ("What is missing, for spack install", "--missing"),
    ];
    for (form, option) in forms {
        let theirs = command("dev-path/index.json", &lock, option);
        assert_eq!(saved(&page, form).trim_end(), theirs.trim_end(), "{form}");
    }
    let ours: Value = serde_json::from_str(&saved(&page, "JSON")).expect("JSON");
    let theirs = command("dev-path/index.json", &lock, "--json");
    assert_eq!(ours, serde_json::from_str::<Value>(&theirs).expect("JSON"));
    let carried = saved(&page, "Manifests of the mirror");
    assert!(carried.contains("\nv3/manifests/spec/hdf5/hdf5-1.14.5-"), "{carried}");
    assert!(carried.contains("# not listed: the blobs of"), "{carried}");
    page.see("Saved as carry.txt; the blobs, which only the mirror itself names");
}

#[test]
fn recognizes_a_dropped_environment() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.see_builds(43);
    page.drop(&[sample("dev-path/spack.lock")]);
    page.see("19 of 20 specs are in the cache");
    // Back leads to the page on which the file was dropped, and Forward to the environment again.
    page.back();
    page.see_builds(43);
    page.forward();
    page.see("19 of 20 specs are in the cache");
    page.open("");
    page.drop(&[sample("dev-path")]);
    page.see("dev-path stays on this device");
    page.open("");
    page.drop(&[sample("dev-path/spack.yaml")]);
    // An address cannot express what is under `develop:`, so the file is kept.
    page.see("1 of 2 specs are satisfied by a build in the cache; 1 developed here");
    page.see("spack.yaml stays on this device");
    page.open("");
    page.drop(&[sample("zlib-only/spack.yaml")]);
    page.see_query("?spec=zlib-ng");
    page.drop(&[sample("dev-path/index.json")]);
    page.see("index.json, opened here");
}

#[test]
fn keeps_specs_in_the_address() {
    let cache = cache();
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("");
        page.click(&[("link", "My environment")]);
        page.see_query("?environment=");
        page.type_into("Add a spec", "hdf5 @1.14:");
        page.press("Add");
        page.see_query("?spec=hdf5@1.14:");
        page.see("1 of 1 spec is satisfied by a build in the cache");
        page.type_into("Add a spec", "zlib@9 +nosuch");
        page.type_keys(Key::Enter);
        page.see("1 of 2 specs are satisfied by a build in the cache");
        page.see("No build satisfies it");
        page.type_into("Add a spec", "hdf5@");
        page.press("Add");
        page.see("Expected a version");
        page.fits();
        page.follow("Remove zlib@9+nosuch");
        page.see("1 of 1 spec is satisfied by a build in the cache");
        page.back();
        page.see("1 of 2 specs are satisfied by a build in the cache");
        // An address as other programs write it.
        page.open("?spec=hdf5+mpi&spec=zfp");
        page.see("hdf5+mpi");
        // The device remembers the specs.
        page.open("");
        page.click(&[("link", "My environment")]);
        page.see_query("?spec=hdf5%2Bmpi&spec=zfp");
        page.see("2 of 2 specs are satisfied by a build in the cache");
        page.press("Clear");
        page.see("How much of your environment is in this cache?");
        page.see_query("?environment=");
    });
}

#[test]
fn adds_a_spec_for_each_pasted_line() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?environment=");
    // Writes the lines in a field for several lines, and copies them from there.
    let paste = |lines: &str| {
        page.press("Open a file…");
        page.type_into("Or paste it here:", lines);
        page.copy_from("Or paste it here:");
        page.type_keys(Key::Escape);
        page.paste_into("Add a spec");
    };
    paste("# mine\n- hdf5+mpi\n\n- zfp");
    page.see_query("?spec=hdf5%2Bmpi&spec=zfp");
    page.see("2 of 2 specs are satisfied by a build in the cache");
    // What can be read is added; the line that cannot stays in the field.
    paste("zlib\nhdf5@");
    page.see("hdf5@: expected a version");
    page.see_query("?spec=hdf5%2Bmpi&spec=zfp&spec=zlib");
    let left = "return document.querySelector('input[placeholder^=\"hdf5+mpi\"]').value";
    assert_eq!(page.ask(left), "hdf5@");
    // The pasted text of a file counts as that file.
    paste("spack:\n  specs:\n  - hdf5+mpi\n");
    page.see_query("?spec=hdf5%2Bmpi");
    let lock = fs::read_to_string(sample("zlib-only/spack.lock")).expect("a lock file");
    paste(&lock);
    page.see("pasted text stays on this device");
}

#[test]
fn reads_pasted_text_and_says_what_is_wrong_with_it() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?environment=");
    let paste = |text: &str| {
        page.press("Open a file…");
        page.type_into("Or paste it here:", text);
        page.press("Read the text");
    };
    paste("hdf5@");
    page.see("pasted text cannot be opened as it is");
    page.see("line 1: expected a spec, found \"hdf5@\": expected a version after `@`");
    page.press("Choose something else");
    page.see_element(&[("dialog", "Open an environment")]);
    page.type_keys(Key::Escape);
    paste("# mine\n");
    page.see("pasted text lists no specs");
    page.press("Choose something else");
    page.see_element(&[("dialog", "Open an environment")]);
    page.type_keys(Key::Escape);
    paste("# mine\nhdf5\nzfp@1.0.1\n");
    page.see("2 of 2 specs are satisfied by a build in the cache");
    page.see_query("?spec=hdf5&spec=zfp@1.0.1");
}

#[test]
fn says_what_another_file_should_have_been() {
    let cache = cache();
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("README");
    fs::write(&file, "This is not it.\n".repeat(50)).expect("the file can be written");
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("?environment=");
        choose(page, &file);
        page.see("README cannot be opened as it is");
        page.see("expected a spack.lock, a spack.yaml or a list of specs, but 50 of its 50 lines are not specs");
        page.see("47 more lines are not specs");
        page.see_no("line 4:");
        page.fits();
    });
}

#[test]
fn puts_a_dropped_packages_yaml_into_my_machine() {
    let cache = cache();
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("packages.yaml");
    fs::write(
        &file,
        "packages:\n  zlib-ng:\n    externals:\n    - spec: zlib-ng@2.2.4\n      prefix: /usr\n",
    )
    .expect("the file can be written");
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    crate::opening::choose(&page, &[file]);
    page.see("packages.yaml cannot be opened as it is");
    page.press("Put it into My machine");
    page.see_no("cannot be opened as it is");
    page.see("external zlib-ng@2.2.4, /usr");
}

#[test]
fn a_link_to_a_file_says_that_the_same_file_is_needed() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    compare(&page, "dev-path/spack.lock", "19 of 20 specs are in the cache");
    let link = page.query();
    page.reload();
    page.see("19 of 20 specs are in the cache");
    page.press("Open a file…");
    page.press("Rename spack.lock");
    page.type_into("New name of spack.lock", "Our stack\n");
    page.see_element(&[("dialog", "Open an environment"), ("link", "Our stack")]);
    page.press("Remove Our stack");
    page.press("Really remove Our stack?");
    page.see_no_element(&[("heading", "Your environments")]);
    page.open(&link);
    page.see("This environment is not on this device");
    // The link to the environment does not lead back to one that is not here.
    page.follow("My environment");
    page.see("How much of your environment is in this cache?");
    page.open(&link);
    page.see("This environment is not on this device");
    choose(&page, &sample("dev-path/spack.lock"));
    page.see("19 of 20 specs are in the cache");
    page.see_query(&link);
}

#[test]
fn shows_an_environment_where_nothing_may_be_kept() {
    let cache = cache();
    let page = Page::storing(&cache.site, Storage::Refused);
    // Firefox reports on the console that it refused storage.
    page.expect_errors();
    compare(&page, "dev-path/spack.lock", "19 of 20 specs are in the cache");
    page.see("spack.lock, opened here. This browser keeps nothing for this page");
    page.see_no("stays on this device");
}

#[test]
fn shows_what_waits_for_what_and_which_mirror_has_it() {
    let fresh = Cache::of_data(&["environment/workstation/index.json"]);
    let page = Page::of(&fresh.site, Width::Wide);
    compare(&page, "workstation/spack.lock", "0 of 5 specs are in the cache");
    page.see_element(&[("row", "figlet@2.2.5"), ("cell", "none")]);
    page.follow("What waits for what");
    page.see("The longest chain is");
    let said = page.texts(&[("list", "What waits for what"), ("listitem", "")]);
    let theirs = command("workstation/index.json", &sample("workstation/spack.lock"), "--missing");
    for missing in theirs.lines() {
        let (name, hash) = missing.split_once('/').expect("a name and a hash");
        let is_it = |line: &String| line.starts_with(name) && line.contains(&hash[..7]);
        assert!(said.iter().any(is_it), "{missing} is not in {said:?}");
    }
    page.follow("By mirror");
    page.see("The cache has nothing of it");
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    compare(&page, "dev-path/spack.lock", "19 of 20 specs are in the cache");
    page.follow("By mirror");
    page.see("One mirror has everything that the cache has of it:");
    page.see_element(&[("row", "develop / mine")]);
    page.follow("Install");
    page.see("in place of MIRROR_URL");
    page.see("spack mirror add develop-mine MIRROR_URL");
    page.see("spack -e . install");
    page.see("so built from source");
}

#[test]
fn answers_for_the_part_of_the_cache_that_the_filters_leave() {
    let data = ["environment/dev-path/index.json", "environment/zlib-only/index.json"];
    let cache = Cache::published_as(&["--release", "develop"], &data);
    let page = Page::of(&cache.site, Width::Wide);
    compare(&page, "dev-path/spack.lock", "19 of 20 specs are in the cache");
    page.see_no("Only what passes the filters counts");
    page.toggle_facet("Compiler", "none");
    page.see("3 of 20 specs are in the cache");
    page.see("Only what passes the filters counts as in the cache");
    page.see("left out by the filters");
    // The mirror still has the specs that the filters leave out.
    page.follow("Install");
    page.see("1 spec is built from source");
    page.see(
        "Not in the mirrors of the filtered releases and stacks, so built from source: zfp@1.0.1.",
    );
    page.follow("All specs");
    page.press("Remove compiler none");
    page.see("19 of 20 specs are in the cache");
    page.see_no("Only what passes the filters counts");
    page.toggle_facet("Compiler", "none");
    page.follow("Count all of the cache");
    page.see("19 of 20 specs are in the cache");
    page.see_no("work on your machine");
    let address = page.query();
    page.open(&format!("{address}&host=linux.ubuntu22.04.zen3"));
    page.see("that are needed to run and in the cache work on your machine.");
    page.open(&format!("{address}&host=linux.rhel8.cascadelake.glibc@2.28"));
    page.see("None of the 4 specs that are needed to run and in the cache works on your machine.");
    page.follow("Install");
    page.see("None of the 4 specs that are needed to run and in the cache works on your machine.");
    page.see("1 spec to build is for another machine than yours: zfp@1.0.1 for linux ");
    page.open("?spec=zlib-ng&host=linux.rhel8.cascadelake.glibc@2.28&tab=install");
    page.see("In the cache, but no build works here, so built from source:");
    page.see_no("What follows is for a machine like");
    page.see_element(&[("list", ""), ("listitem", "zlib-ng"), ("link", "zlib-ng")]);
}

#[test]
fn keeps_the_filters_of_the_table_in_the_address() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    compare(&page, "dev-path/spack.lock", "19 of 20 specs are in the cache");
    let address = page.query();
    page.press("Missing 1");
    page.see_no_element(&[("row", "hdf5@1.14.5")]);
    page.see_query(&format!("{address}&status=missing"));
    page.press("In the cache 19");
    page.type_into("Name has", "hdf");
    page.see_element(&[("row", "hdf5@1.14.5")]);
    page.see_no_element(&[("row", "zlib-ng@2.3.2")]);
    page.click(&[("checkbox", "Only what is needed to run")]);
    page.see_query(&format!("{address}&status=cached&needed=run&name=hdf"));
    page.reload();
    page.see_element(&[("row", "hdf5@1.14.5")]);
    page.see_no_element(&[("row", "zlib-ng@2.3.2")]);
    // A typed name is one step, however many letters it has.
    page.back();
    page.see_query(&format!("{address}&status=cached&name=hdf"));
    page.back();
    page.see_query(&format!("{address}&status=cached"));
    page.see_element(&[("row", "zlib-ng@2.3.2")]);
    page.back();
    page.see_query(&format!("{address}&status=missing"));
    page.see_element(&[("row", "zfp@1.0.1")]);
    page.see_no_element(&[("row", "zlib-ng@2.3.2")]);
    page.back();
    page.see_query(&address);
}

#[test]
fn says_that_the_requirements_of_a_dropped_file_are_not_applied() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("spack.yaml");
    let yaml = "spack:\n  packages:\n    all:\n      require: target=x86_64_v3\n  concretizer:\n    \
                reuse: false\n  specs: [hdf5]\n";
    fs::write(&file, yaml).expect("the file can be written");
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.drop(std::slice::from_ref(&file));
    page.see("1 of 1 spec is satisfied by a build in the cache");
    page.see("for all are not applied, so fewer builds may satisfy the specs");
    page.see("says about reuse or splicing is not applied");
    page.reload();
    page.see("for all are not applied");
    page.follow("Install");
    page.see("spack -e . concretize");
    page.see("spack -e . install");
}

#[test]
fn adds_a_build_from_its_page() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?package=hdf5");
    page.ask("await spackCache.ready");
    let hash = page.ask("return spackCache.builds('package=hdf5')[0].hash");
    let hash = hash.as_str().expect("a hash");
    page.open(&format!("?hash={hash}"));
    page.press("Add to my environment");
    page.see_query(&format!("?spec=hdf5/{hash}"));
    page.see("1 of 1 spec is satisfied by a build in the cache");
    page.see("1 build satisfies it");
}

#[test]
fn shows_only_columns_that_have_something_and_all_of_their_text() {
    let cache = cache();
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        compare(page, "dev-path/spack.lock", "19 of 20 specs are in the cache");
        page.see_no("Comparing with the builds of the cache…");
        let table = ("table", "Specs of the environment");
        page.see_element(&[table, ("columnheader", "Differs in")]);
        page.see_no_element(&[table, ("columnheader", "Blocks")]);
        let untitled = "return [...document.querySelectorAll('td.c-near, td.c-differs')] \
            .filter((cell) => cell.innerText.trim() && cell.innerText !== 'none' && !cell.title).length";
        assert_eq!(page.ask(untitled), 0);
        page.fits();
        page.press("In the cache 19");
        page.see_no_element(&[table, ("columnheader", "Differs in")]);
        page.see_element(&[table, ("columnheader", "Needed")]);
        page.fits();
    });
}

/// Checks each part of the page, and the dialog, in every width; each width has one theme, because colours do not depend on
/// it.
#[test]
fn is_accessible_and_fits_every_width() {
    let cache = cache();
    let themes = [Theme::Light, Theme::Dark, Theme::Light, Theme::Dark];
    for (width, theme) in Width::ALL.into_iter().zip(themes) {
        let page = Page::of(&cache.site, width);
        page.prefer(theme);
        page.open("?environment=&host=linux.ubuntu22.04.zen3");
        page.press("Open a file…");
        page.see_element(&[("dialog", "Open an environment")]);
        page.is_accessible();
        page.choose_files("Choose a file", &[sample("workstation/spack.lock")]);
        page.see("0 of 5 specs are in the cache");
        let address = page.query();
        for tab in ["", "&tab=uses", "&tab=coverage", "&tab=about", "&tab=install"] {
            println!("{width:?}, {theme:?}, {tab}");
            page.go(&format!("{address}{tab}"));
            page.see("0 of 5 specs are in the cache");
            page.see_no("Comparing with the builds of the cache…");
            page.is_accessible();
            page.fits();
            page.has_few_elements();
        }
    }
}

#[test]
fn shows_the_build_that_a_lock_asks_for_and_that_it_is_missing() {
    let cache = Cache::of_data(&["environment/workstation/index.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    compare(&page, "workstation/spack.lock", "0 of 5 specs are in the cache");
    page.see("3 of your 5 specs are missing because of 6 differences");
    page.see("version: 1.0 → 1.1.0 of compiler-wrapper");
    page.see("With these, 1 of 5 may be in the cache: your recipes differ from those that it was built with");
    page.see("1 spec is of a package that the cache does not have: figlet");
    // The cache has the other one only for macOS, which this environment is not for.
    page.see("No build for the same kind of machine is left to compare 1 spec (tree) with, so nothing explains it");
    page.see_no("concretize on");
    page.follow("Asked for");
    page.see("missing: it must be built:");
    page.see("tree@2.1.0");
    page.see("/ew5dfkw");
    page.see("1 other build satisfies it, which the lock does not ask for:");
    let shown = page.ask("return document.querySelectorAll('.asked > li > .runs.yes').length");
    assert_eq!(shown, 0, "nothing of it is in the cache, so nothing has a tick");
    page.fits();
    page.screenshot("asked-of-a-lock");
}
