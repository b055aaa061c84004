//! What changed between two releases or stacks, on the sample pages, and between a small real cache and an earlier
//! snapshot of it that a user opens.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use cache_advice::changes::{Between, Changes, Side};
use cache_index::build::{Build, Place};
use cache_index::index::{About, Index, pack};
use serde_json::Value;
use tempfile::TempDir;

use crate::environment;
use crate::harness::{Cache, Key, Page, Release, Site, Storage, Width};

const OLD: &str = "ml-linux-x86_64-cpu";
const NEW: &str = "ml-linux-x86_64-cuda";

/// Returns the address of the comparison.
fn address() -> String {
    format!("?changes=develop/{OLD}..develop/{NEW}")
}

/// Returns how many builds an address shows, as scripts see it.
fn builds(page: &Page<'_>, query: &str) -> u64 {
    let ask = format!("await spackCache.ready; return spackCache.query('{query}').builds");
    page.ask(&ask).as_u64().expect("a number")
}

/// Returns the expected headlines for the two stacks in either order, under further filters.
fn expected(page: &Page<'_>, filters: &str) -> [String; 2] {
    let came = builds(page, &format!("stack={NEW}&not.stack={OLD}{filters}"));
    let went = builds(page, &format!("stack={OLD}&not.stack={NEW}{filters}"));
    let stayed = builds(page, &format!("stack={OLD}&stack={NEW}&all=stack{filters}"));
    assert!(came > 0 && went > 0 && stayed > 0, "{came} {went} {stayed}");
    [
        format!("{came} builds came, {went} went, {stayed} stayed"),
        format!("{went} builds came, {came} went, {stayed} stayed"),
    ]
}

/// Chooses a stack of the only release as one of the sides.
fn choose(page: &Page<'_>, side: &str, stack: &str) {
    page.see_element(&[("combobox", side)]);
    page.ask(&format!(
        "const list = document.querySelector('select[aria-label={side}]'); list.value = 'develop/{stack}'; \
         list.dispatchEvent(new Event('change', {{ bubbles: true }}))"
    ));
}

#[test]
fn compares_two_stacks() {
    Page::at_each_width(|page| {
        page.open("");
        let [there, back] = expected(page, "");
        page.open("?tab=coverage");
        page.follow("What changed between two of them");
        page.see_query("?changes=");
        choose(page, "From", OLD);
        choose(page, "to", NEW);
        page.see_query(&address());
        page.see(&there);
        page.fits();
        page.press("Swap");
        page.see(&back);
        page.back();
        page.see(&there);
        page.reload();
        page.see(&there);
        page.has_few_elements();
    });
}

#[test]
fn says_that_a_stack_is_new_instead_of_comparing_it_with_others() {
    let place = |release: &str, stack: &str| Place { release: release.into(), stack: stack.into() };
    let cache = Cache::changed(4, |number, build| {
        let (old, new) = ("v2026.03.0", "develop");
        (build.package, build.dependencies) = ("hdf5".to_owned(), Some(Vec::new()));
        (build.variants, build.target) = (Vec::new(), "x86_64_v3".to_owned());
        build.compiler = Some("gcc@13.2.0".to_owned());
        build.version = ["1.12.3", "1.14.5", "1.12.3", "1.14.5"][number].to_owned();
        build.os = ["ubuntu22.04", "ubuntu22.04", "rhel8", "rhel8"][number].to_owned();
        let places = [(old, "e4s"), (new, "e4s"), (new, "e4s-rhel8"), (new, "e4s-rhel8")];
        build.places = [place(places[number].0, places[number].1)].into();
    });
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("?changes=v2026.03.0..develop");
        page.see("2 new builds are in a stack that was added: e4s-rhel8.");
        page.see("2 new builds are for an OS that was added: rhel8; all of them are in added stacks, too.");
        page.press("1 of 3 new builds is explained by 1 difference");
        page.see("version: 1.12.3 → 1.14.5 of hdf5");
        page.see_no("OS: ubuntu22.04 → rhel8");
        page.fits();
        // A user who compares the two stacks themselves is shown how they differ.
        page.open("?changes=develop/e4s..develop/e4s-rhel8");
        page.see("OS: ubuntu22.04 → rhel8 of hdf5");
        page.see_no("a stack that was added");
        page.open("?package=hdf5");
        page.follow("what changed since v2026.03.0");
        page.see_query("?package=hdf5&changes=v2026.03.0..develop");
        page.see("3 builds came, 1 went");
    });
}

#[test]
fn opens_with_the_two_newest_releases() {
    let (cache, index) = Cache::of_dependencies(500);
    let latest = Between::latest(&index).expect("two releases");
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.follow("What changed");
    page.see("stayed");
    let chosen = "return [...document.querySelectorAll('.sides select')].map((list) => list.value)";
    let [old, new] = [&latest.old, &latest.new].map(ToString::to_string);
    assert_eq!(page.ask(chosen), serde_json::json!([old, new]));

    // A cause narrows the table to the packages with new builds that it explains.
    page.see("new builds are explained by");
    // The causes explain less than half of the new builds, so they do not take the place of the table.
    page.ask("document.querySelector('.causes summary').click()");
    let packages = "return Number(document.querySelector('table.changes').ariaRowCount)";
    let all = page.ask(packages).as_u64();
    let cause = "return document.querySelector('.causes li button').innerText";
    let cause = page.ask(cause);
    let cause = cause.as_str().expect("a text");
    page.press(cause);
    page.see_attribute(&[("button", cause)], "aria-pressed", "true");
    assert!(page.ask(packages).as_u64() < all, "{all:?}");
    page.press(cause);
    page.see_attribute(&[("button", cause)], "aria-pressed", "false");
    assert_eq!(page.ask(packages).as_u64(), all);
}

#[test]
fn narrows_both_sides_by_search_and_facets() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open(&address());
    let filters = "&package=py-safetensors";
    let [there, _] = expected(&page, filters);
    page.type_into("Search packages and specs", "py-safetensors");
    page.see(&there);
    page.see_element(&[("row", "py-safetensors")]);
    page.see_no_element(&[("row", "py-tokenizers")]);
    page.open(&format!("{}{filters}", address()));
    page.see(&there);
}

#[test]
fn shows_one_class_of_changes_and_the_builds_of_a_package() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open(&address());
    let names = "return [...document.querySelectorAll('[aria-label=\"Class of change\"] button')].map((b) => b.innerText)";
    page.see("stayed");
    page.see_element(&[("group", "Class of change"), ("button", "All")]);
    let classes = page.ask(names);
    let classes: Vec<&str> =
        classes.as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect();
    let (all, classes) = classes.split_first().expect("all of them");
    let number = |text: &str| text.rsplit(' ').next().and_then(|n| n.parse::<usize>().ok());
    let sum: usize = classes.iter().filter_map(|class| number(class)).sum();
    assert_eq!(Some(sum), number(all), "{classes:?}");
    let first = classes.first().expect("a class");
    page.press(first);
    let rows = "return document.querySelectorAll('.changes tbody .row').length";
    let key = page.query();
    assert!(key.starts_with(&format!("{}&class=", address())), "{key}");
    assert_eq!(page.ask(rows).as_u64().map(|rows| rows as usize), number(first));
    page.back();
    page.see_query(&address());
    page.press("Builds of py-safetensors");
    page.see("→");
    page.see("Compare");
    page.screenshot("changes-of-a-package");
    page.is_accessible();
    // Each line has a link that compares its two builds.
    page.ask("document.querySelector('.changes .member a:last-child').click()");
    page.see("They differ in");
    page.back();
    page.see("stayed");
}

#[test]
fn exports_what_the_command_prints() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open(&address());
    page.press("Copy as Markdown");
    let copied = page.copied();
    let [there, _] = expected(&page, "");
    assert!(copied.starts_with(&format!("**{there}")), "{copied}");
    assert!(copied.contains("| package | before | after | came | went | stayed | change |"));
    page.press("Export");
    page.press("JSON");
    page.see("Saved as changes-develop-");
}

#[test]
fn says_what_is_wrong_with_the_sides() {
    let site = Site::release();
    let page = Page::of(&site, Width::Narrow);
    page.open("?changes=develop");
    page.see("expected two releases or stacks, as in v2026.03.0/e4s..develop/e4s");
    page.open("?changes=develop/nosuch..develop");
    page.see("This cache has no release or stack develop/nosuch");
    page.fits();
    page.open(&format!("?changes=develop/{OLD}..develop/{OLD}"));
    page.see("0 builds came, 0 went");
    page.see("Both sides have the same builds");
}

/// Two snapshots of a small real cache: the older one is a file.
struct Snapshots {
    _folder: TempDir,
    file: PathBuf,
    older: Index,
    newer: Index,
}

/// Makes the older snapshot from the newer one: leaves out three builds, and gives another one an older recipe and hash.
fn snapshots() -> Snapshots {
    let folder = TempDir::new().expect("a folder");
    let (all, file) = (folder.path().join("all.json"), folder.path().join("older.json"));
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data/environment/dev-path/index.json");
    let mut command = Command::new(Release::command());
    let done = command.arg("index").arg(data).arg("-o").arg(&all).output();
    assert!(done.expect("the command runs").status.success());
    let newer = fs::read_to_string(&all).expect("the index can be read");
    let newer = Index::from_json(&newer).expect("an index");
    let builds = newer.builds_with_binary().filter_map(|build| newer.build(build));
    let mut builds: Vec<Build> = builds.skip(3).collect();
    builds[20].hash = "2345672345672345672345672345aaaa".parse().expect("a hash");
    builds[20].package_hash = Some("theoldrecipe".to_owned());
    let older = pack(About::default(), builds).expect("different hashes");
    fs::write(&file, older.to_json()).expect("the index can be written");
    Snapshots { _folder: folder, file, older, newer }
}

#[test]
fn compares_with_a_cache_that_is_opened_from_a_file() {
    let Snapshots { _folder, file, older, newer } = snapshots();
    let [there, back] = [(&older, &newer), (&newer, &older)]
        .map(|(old, new)| Changes::between(&Side::all(old), &Side::all(new)));
    assert!(there.headline().starts_with("4 builds came, 1 went, 39 stayed"));
    let cache = environment::cache();
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("?tab=about");
        page.press("Compare with another snapshot…");
        page.see_element(&[("dialog", "Compare with another snapshot")]);
        page.is_accessible();
        page.choose_files("Choose files", std::slice::from_ref(&file));
        page.see(&there.headline());
        page.see("older.json stays on this device");
        let address = page.query();
        assert!(address.starts_with("?changes=cache:") && address.ends_with(".."), "{address}");
        page.see_no_element(&[("dialog", "")]);
        let replaced = there.packages.iter().find(|change| !change.pairs.is_empty());
        let replaced = replaced.expect("the one with the other recipe");
        page.press(&format!("Builds of {}", replaced.package));
        page.see("→");
        page.is_accessible();
        page.fits();
        page.screenshot(&format!("changes-opened-{}", page.ask("return innerWidth")));
        // A build that only the older snapshot has is shown on the page of that snapshot.
        let gone = replaced.pairs[0].old.to_string();
        let link = page.ask(&format!(
            "return document.querySelector('main a[href*=\"hash={gone}\"]').getAttribute('href')"
        ));
        page.in_new_tab(link.as_str().expect("an address"), |page| {
            page.see("older.json");
            page.see_element(&[("heading", &replaced.package)]);
            page.see(&gone);
        });
        page.press("Swap");
        page.see(&back.headline());
        page.see("older.json stays on this device");
        page.back();
        page.see(&there.headline());
        page.see_query(&address);
        page.reload();
        page.see(&there.headline());
        let exported = page.ask(
            "const make = URL.createObjectURL; \
             URL.createObjectURL = (blob) => ((window.saved = blob), make.call(URL, blob)); \
             for (const button of document.querySelectorAll('.menu button')) if (button.textContent === 'JSON') button.click(); \
             return window.saved.text()",
        );
        let exported: Value =
            serde_json::from_str(exported.as_str().expect("a text")).expect("JSON");
        assert_eq!(exported, there.json());
        // Both sides are narrowed alike.
        page.open(&format!("{address}&package={}", replaced.package));
        page.see("1 build came, 1 went");
        // The comparison can also be opened from the list of caches.
        page.open("");
        page.see("Your caches:");
        page.press("Compare…");
        page.click(&[("dialog", "Compare with another snapshot"), ("link", "older.json")]);
        page.see(&there.headline());
        page.see_query(&address);
        // The link needs the file.
        page.press("Open…");
        page.press("Remove older.json");
        page.press("Really remove older.json?");
        page.see_no_element(&[("heading", "Your caches")]);
        page.type_keys(Key::Escape);
        page.reload();
        page.see("The other cache is not on this device");
        page.press("Open a file…");
        page.choose_files("Choose files", std::slice::from_ref(&file));
        page.see(&there.headline());
        page.see_query(&address);
    });
}

#[test]
fn compares_with_an_opened_cache_where_nothing_may_be_kept() {
    let Snapshots { _folder, file, older, newer } = snapshots();
    let cache = environment::cache();
    let page = Page::storing(&cache.site, Storage::Refused);
    // Firefox reports on the console that it refused storage.
    page.expect_errors();
    page.open("?changes=");
    page.see("This cache has only one release and stack");
    page.press("Compare with another snapshot…");
    page.choose_files("Choose files", &[file]);
    let headline = |old, new| Changes::between(&Side::all(old), &Side::all(new)).headline();
    page.see(&headline(&older, &newer));
    page.see("older.json, opened here. This browser keeps nothing for this page");
    page.see_no("stays on this device");
    page.press("Swap");
    page.see(&headline(&newer, &older));
}

#[test]
fn compares_with_what_is_dropped_while_that_is_asked_for() {
    let Snapshots { _folder, file, older, newer } = snapshots();
    let cache = environment::cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?tab=about");
    page.press("Compare with another snapshot…");
    page.see_element(&[("dialog", "Compare with another snapshot")]);
    page.drop(std::slice::from_ref(&file));
    page.see(&Changes::between(&Side::all(&older), &Side::all(&newer)).headline());
    // At any other time, a dropped cache is opened.
    page.drop(&[file]);
    page.see("older.json, opened here");
}
