//! What people who maintain a cache ask: what is absent where, what is behind, what depends on what, and lists of builds.

use crate::dependencies;
use crate::harness::{Cache, Page, Site, Width};

#[test]
fn shows_the_newest_version_in_each_stack_and_the_gaps() {
    Page::at_widths(&Site::release(), &Width::ALL, |page| {
        page.open("?tab=coverage");
        page.see_element(&[("link", "6 builds of py-ml-dtypes in e4s-neoverse_v1")]);
        assert!(page.number(&[("table", ""), ("row", ""), ("link", "")]) > 4);
        page.fits();
        page.click(&[("checkbox", "Gaps only")]);
        page.see_query("?tab=coverage&gaps=only");
        page.fits();
        page.reload();
        page.see_query("?tab=coverage&gaps=only");
        page.back();
        page.see_query("?tab=coverage");
    });
}

#[test]
fn lists_the_packages_that_a_stack_lacks() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?stack=e4s");
    let there = page.ask("return spackCache.query('stack=e4s').packages");
    let there = there.as_u64().expect("a number") as usize;
    page.see_packages(there);
    assert!((1..4).contains(&there));
    page.open("?stack=e4s&tab=coverage&gaps=only");
    page.see_element(&[("checkbox", "Gaps only")]);
    let absent = page.texts(&[("table", ""), ("rowheader", "")]);
    assert_eq!(absent.len(), 4 - there, "{absent:?}");
    assert_eq!(page.number(&[("table", ""), ("cell", "absent")]), absent.len());
    page.open("?package=py-ml-dtypes&tab=coverage&across=stack&gaps=only");
    page.see_element(&[("checkbox", "Gaps only")]);
    page.fits();
}

#[test]
fn exports_the_gaps() {
    Page::at_each_width(|page| {
        page.open("?stack=e4s&tab=coverage&gaps=only");
        page.see_element(&[("checkbox", "Gaps only")]);
        let absent = page.texts(&[("table", ""), ("rowheader", "")]);
        page.ask(KEEP);
        let saved = |label: &str, file: &str| {
            page.press("Export gaps");
            page.fits();
            page.click(&[("list", ""), ("button", label)]);
            page.see(&format!("saved as {file}"));
            let saved = page.ask("return (await Promise.all(saved)).at(-1)");
            saved.as_str().expect("a text").to_owned()
        };
        let csv = saved("Table (CSV)", "gaps.csv");
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "package,stack,newest_elsewhere");
        let packages: Vec<&str> =
            lines[1..].iter().map(|line| &line[..line.find(',').unwrap_or(0)]).collect();
        assert_eq!(packages, absent);
        assert!(
            lines[1..].iter().all(|line| line.contains(",e4s,") && !line.ends_with(',')),
            "{csv}"
        );
        assert_eq!(saved("Markdown", "gaps.md").lines().count(), lines.len() + 1);
        let json: serde_json::Value =
            serde_json::from_str(&saved("JSON", "gaps.json")).expect("JSON");
        assert_eq!(json.as_array().map(Vec::len), Some(absent.len()));
        page.open("?package=py-ml-dtypes&tab=coverage&across=stack&gaps=only");
        page.ask(KEEP);
        assert!(
            saved("Table (CSV)", "gaps.csv").starts_with("package,version,stack\r\npy-ml-dtypes,")
        );
    });
}

/// Keeps the files that the page hands to the browser for saving, so that a test can read them.
const KEEP: &str = "window.saved = []; const made = URL.createObjectURL; \
    URL.createObjectURL = (blob) => { saved.push(blob.text()); return made(blob); }";

#[test]
fn exports_the_builds_that_are_ticked() {
    Page::at_each_width(|page| {
        page.open("?package=py-ml-dtypes&sort=hash");
        page.see_builds(129);
        page.ask(KEEP);
        page.ask("[...document.querySelectorAll('.c-pick input')].slice(0, 5).forEach((box) => box.click())");
        page.see("and 1 more");
        page.see("At most 4 can be compared");
        page.fits();
        let bar = ("region", "Selected builds");
        page.click(&[bar, ("button", "Export")]);
        page.click(&[bar, ("button", "Hashes, one per line")]);
        page.see("5 builds saved as py-ml-dtypes-hashes.txt");
        let saved = page.ask("return Promise.all(saved)");
        assert_eq!(saved[0].as_str().unwrap_or_default().lines().count(), 5);
    });
}

#[test]
fn says_how_large_an_export_is_before_it_is_made() {
    let cache = Cache::of(12_000);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.see_builds(12_000);
    page.ask(&format!("await spackCache.ready; {KEEP}"));
    page.press("Export");
    page.press("JSON");
    page.see("12,000 builds, about");
    page.see("MB: choose it again to save them");
    assert_eq!(page.ask("return saved.length"), 0);
    page.press("JSON");
    page.see("12,000 builds saved as");
    assert_eq!(page.ask("return saved.length"), 1);
}

#[test]
fn lists_the_packages_that_use_a_package() {
    let cache = dependencies::cache();
    Page::at_widths(&cache.site, &Width::ALL, |page| {
        page.open("?package=gcc-runtime");
        page.follow("Used by");
        page.see_query("?package=gcc-runtime&tab=uses");
        page.see("packages depend directly on gcc-runtime, with this many builds.");
        let users = page.texts(&[("table", "Used by"), ("rowheader", "")]);
        assert!(users.contains(&"hdf5".to_owned()), "{users:?}");
        page.fits();
        page.click(&[("table", "Used by"), ("link", "hdf5")]);
        page.see_query("?q=%25gcc-runtime&package=hdf5");
        page.see_builds(1);
    });
    // Filters for places also apply to the users of the package, and the page names the others.
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?package=gcc-runtime&tab=uses&not.compiler=gcc@99");
    page.see("packages depend directly on gcc-runtime");
    page.see("Left out here, as they are about gcc-runtime itself: not Compiler gcc@99.");
    // A cache without dependencies shows no users.
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?package=py-ml-dtypes");
    page.see_builds(129);
    page.see_no_element(&[("link", "Used by")]);
}

#[test]
fn keeps_the_count_and_the_filters_in_sight() {
    Page::at_widths(&Site::release(), &Width::ALL, |page| {
        page.open("?package=py-ml-dtypes&not.os=rhel8&sort=hash");
        page.see_builds(129);
        let seen = page.ask(
            "scrollTo(0, 1500); await new Promise(requestAnimationFrame); \
             const box = document.querySelector('[data-testid=total]').getBoundingClientRect(); \
             const chip = document.querySelector('.chip').getBoundingClientRect(); \
             const at = ({ x, y, height }) => document.elementFromPoint(x + 8, y + height / 2)?.closest('.headline') !== null; \
             return [scrollY > 1000, at(box), at(chip)]",
        );
        assert_eq!(seen, serde_json::json!([true, true, true]));
    });
}
