//! Builds side by side: selected in a table, or named by an address.

use crate::harness::{Cache, Page, Site, Width};

const ON_22: &str = "gjx3lieose6je6ajipuwsz4fzmqh66gy";
const ON_24: &str = "azfxomx47zgirohxluy2b4dqocroud4c";

#[test]
fn shows_what_differs_first() {
    Page::at_each_width(|page| {
        page.open(&format!("?compare={ON_22}&compare={ON_24}"));
        page.see("They differ in 4 fields");
        page.see_element(&[("table", ""), ("rowheader", "Stacks")]);
        let differing = page.texts(&[("table", ""), ("rowheader", "")]);
        assert_eq!(differing, ["Install", "Version", "Compiler", "OS", "Stacks"]);
        page.see_no("build_system=python_pip");
        page.press("5 fields in common");
        page.see("build_system=python_pip");
        page.fits();
        page.follow("py-ml-dtypes@0.3.1/gjx3lie");
        page.see_element(&[("heading", "Get this build")]);
        page.back();
        page.see("They differ in 4 fields");
        page.reload();
        page.see("They differ in 4 fields");
    });
}

#[test]
fn says_which_to_take() {
    Page::at_each_width(|page| {
        page.open(&format!("?compare={ON_22}&compare=b6qlkcblxneudxxdtzf76l35q5raew2d"));
        page.see("it is the newest release.");
        // For builds of different systems, the recommendation depends on the machine.
        page.open(&format!("?compare={ON_22}&compare={ON_24}"));
        page.see("They differ in 4 fields");
        page.see_no("it is the newest release.");
        page.open(&format!("?compare={ON_22}&compare={ON_24}&host=linux.ubuntu22.04.zen3"));
        page.see("no other certainly works on your machine.");
        page.fits();
    });
}

#[test]
fn selects_builds_in_a_table() {
    Page::at_each_width(|page| {
        page.open("?package=py-ml-dtypes&version=0.3.1");
        page.see("differ only in dependencies");
        page.ask("document.querySelectorAll('.fold').forEach((fold) => fold.click())");
        page.click(&[("checkbox", "Select gjx3lie")]);
        page.see("Select another build to compare");
        page.click(&[("checkbox", "Select j3hivly")]);
        page.follow("Compare 2 builds");
        page.see("Same in every listed field");
        page.see_query(
            "?package=py-ml-dtypes&version=0.3.1&compare=gjx3lieose6je6ajipuwsz4fzmqh66gy\
             &compare=j3hivlysssh6pmdvtdgmh7b7fvvaqhao",
        );
        page.fits();
        page.back();
        page.press("Remove gjx3lie");
        page.see("Select another build to compare");
        page.press("Clear");
        page.see_no("Select another build to compare");
    });
}

#[test]
fn copies_as_markdown_and_removes_a_build() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open(&format!(
        "?compare={ON_22}&compare={ON_24}&compare=iy5fms5os6dnlfh4g235jcva6sdykpwp"
    ));
    page.press("Copy as Markdown");
    page.see("Copied");
    let markdown = page.copied();
    assert!(markdown.contains("| OS | **ubuntu22.04** | **ubuntu24.04** |"), "{markdown}");
    page.follow("Remove iy5fms5");
    page.see_query(&format!("?compare={ON_22}&compare={ON_24}"));
}

#[test]
fn compares_by_the_beginnings_of_hashes() {
    Page::at_each_width(|page| {
        page.open(&format!("?compare={}&compare={ON_24}", &ON_22[..7]));
        page.see_no("This cache has no build");
        page.see_no("Select at least two builds");
        page.see(&ON_22[..7]);
    });
}

#[test]
fn reports_what_cannot_be_compared() {
    Page::at_each_width(|page| {
        page.open(&format!("?compare={ON_22}&compare=nothing"));
        page.see("This cache has no build with the hash nothing");
        page.see("Select at least two builds to compare");
        page.see("Only this build is here: ");
        page.fits();
        page.open(&format!("?compare={ON_22}&compare=a"));
        page.see("Several builds have a hash that starts with a.");
    });
}

#[test]
fn claims_nothing_about_dependencies_that_are_not_listed() {
    // The database lists dependencies, the pages do not.
    let inputs = ["database/v8.json", "../../seeds"];
    let cache = Cache::published_as(&["--release", "develop"], &inputs);
    let page = Page::of(&cache.site, Width::Wide);
    page.open(&format!("?compare={ON_22}&compare=j3hivlysssh6pmdvtdgmh7b7fvvaqhao"));
    page.see("they may differ in dependencies, which are not listed for all of them.");
    page.open("?package=py-ml-dtypes&version=0.3.1");
    let unfold = "const folds = document.querySelectorAll('.c-hash .fold[aria-expanded=false]'); \
                  folds.forEach((fold) => fold.click()); return folds.length";
    page.see_that("lines that unfold", unfold, |folds| match folds.as_u64() {
        Some(1..) => Ok(()),
        _ => Err("there are none".to_owned()),
    });
    page.see("differs in dependencies, which this cache does not list");
}
