//! What changed between two releases or stacks, on the sample pages.

use crate::harness::{Page, Site, Width};

const OLD: &str = "ml-linux-x86_64-cpu";
const NEW: &str = "ml-linux-x86_64-cuda";

/// The address of the comparison.
fn address() -> String {
    format!("?changes=develop/{OLD}..develop/{NEW}")
}

/// How many builds an address shows, as scripts see it.
fn builds(page: &Page<'_>, query: &str) -> u64 {
    let ask = format!("await spackCache.ready; return spackCache.query('{query}').builds");
    page.ask(&ask).as_u64().expect("a number")
}

/// The headline for what is in only one of the stacks, and in both, under further filters.
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
    // There is one in each line.
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
    page.see("expected two releases or stacks, as in develop/e4s..v2026.03.0/e4s");
    page.open("?changes=develop/nosuch..develop");
    page.see("This cache has no release or stack develop/nosuch");
    page.fits();
    page.open(&format!("?changes=develop/{OLD}..develop/{OLD}"));
    page.see("0 builds came, 0 went");
    page.see("Both sides have the same builds");
}
