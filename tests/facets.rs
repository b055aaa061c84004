//! The rail follows the cache: it offers what builds differ in, and its counts say what a click gives.

use crate::harness::{Cache, Key, Page, Site, Width};

#[test]
fn offers_only_what_tells_builds_apart() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see("all in develop");
    page.see_element(&[("region", "Stack")]);
    for facet in ["Release", "Version", "Variant"] {
        page.see_no_element(&[("region", facet)]);
    }
    // What is chosen stays in sight.
    page.open("?release=develop&version=0.3.1");
    page.see_element(&[("region", "Release")]);
    page.see_element(&[("region", "Version")]);
    page.open("?package=py-ml-dtypes");
    page.see_element(&[("region", "Version")]);
    page.see_no_element(&[("region", "Release")]);
}

#[test]
fn says_nothing_of_releases_and_stacks_where_there_are_none() {
    let cache = Cache::published_as(&[], &["database/v8.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    for address in ["", "?tab=about", "?package=gmake", "?package=gmake&tab=coverage"] {
        page.open(address);
        page.see_element(&[("main", "")]);
        for facet in ["Release", "Stack"] {
            page.see_no_element(&[("region", facet)]);
            page.see_no_element(&[("columnheader", facet)]);
        }
        for words in ["By stack", "0 stacks", "Stacks", "Releases", "all in ·"] {
            page.see_no(words);
        }
    }
    page.see_no_element(&[("button", "stack")]);
    page.open("?hash=zen4m7avmzdhjd5ef7uagasefviyo4pl");
    page.see_element(&[("heading", "Get this build")]);
    page.see_no("Available in");
}

#[test]
fn counts_where_all_are_asked_for_what_one_more_gives() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?stack=ml-linux-x86_64-cpu&stack=ml-linux-x86_64-rocm&all=stack");
    page.see_builds(49);
    page.see_count("Stack", "ml-linux-x86_64-cpu", 49);
    page.see_count("Stack", "root", 49);
    // No build is in both of these stacks and in one for another processor.
    page.see_no_element(&[("region", "Stack"), ("checkbox", "ml-darwin-aarch64-mps")]);
    page.click(&[("region", "Stack"), ("button", "any of")]);
    page.see_builds(148);
    page.see_element(&[("region", "Stack"), ("checkbox", "ml-darwin-aarch64-mps")]);
}

#[test]
fn keeps_the_focus_while_counts_change() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_some(&[("region", "Stack"), ("checkbox", "")]);
    page.ask(
        "window.pressed = document.querySelectorAll('[data-testid=stack] .value input')[1];
        pressed.focus()",
    );
    let before = page.ask("return pressed.closest('li').textContent");
    page.type_keys(" ");
    page.see_query("?stack=ml-linux-aarch64-cpu");
    let same =
        "return pressed.isConnected && pressed === document.activeElement && pressed.checked";
    assert_eq!(page.ask(same), true, "{before}");
    page.back();
    page.see_query("");
    assert_eq!(page.ask("return pressed.isConnected && !pressed.checked"), true);
}

#[test]
fn finds_the_exact_value_first() {
    let cache = Cache::of_versions(3_000);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?package=hdf5");
    page.see_builds(3_000);
    page.click(&[("region", "Version"), ("button", "Show all 3,000")]);
    page.type_into("Search in Version", "1.3.1");
    page.see_element(&[("region", "Version"), ("checkbox", "1.3.1")]);
    let listed = page.ask(
        "return [...document.querySelectorAll('[data-testid=version] .value input')] \
         .slice(0, 2).map((input) => input.getAttribute('aria-label'))",
    );
    assert_eq!(listed[0], "1.3.1");
}

#[test]
fn keeps_the_focus_inside_the_sheet() {
    let site = Site::release();
    let page = Page::of(&site, Width::Narrow);
    let search = [("combobox", "Search packages and specs")];
    page.open("");
    page.see_element(&search);
    page.press("Filters");
    page.see_element(&[("dialog", "Filters")]);
    // What the sheet covers is inert.
    page.see_no_element(&search);
    page.type_keys(Key::Escape);
    page.see_element(&search);
}

#[test]
fn shows_each_count_in_the_sheet_after_a_tap() {
    let site = Site::release();
    let page = Page::of(&site, Width::Narrow);
    page.open("");
    // From now on, the value has the focus, and the pointer is over it.
    page.toggle_facet("OS", "sequoia");
    page.see_query("?os=sequoia");
    let covered = "const lines = [...document.querySelectorAll('.value:has(.value-actions)')];
        const box = (line, part) => line.querySelector(part).getBoundingClientRect();
        const isCovered = (line) => box(line, '.count').right > box(line, '.value-actions').left;
        return lines.filter(isCovered).map((line) => line.textContent)";
    assert_eq!(page.ask(covered), serde_json::json!([]));
    page.fits();
    let not = [("region", "OS"), ("button", "Not ubuntu24.04")];
    page.click(&not);
    page.see_attribute(&not, "aria-pressed", "true");
    assert_eq!(page.ask(covered), serde_json::json!([]));
}

#[test]
fn closes_the_sheet_where_there_is_nothing_to_filter() {
    let site = Site::release();
    let page = Page::of(&site, Width::Narrow);
    let sheet = [("dialog", "Filters")];
    let is_held = "return document.querySelector('main').inert || document.body.matches('.held')";
    let see_free = |wanted: &str| {
        page.see_no_element(&sheet);
        page.see_that(wanted, is_held, |held| match held == false {
            true => Ok(()),
            false => Err("it is held".to_owned()),
        });
    };
    page.open("?hash=gjx3lieose6je6ajipuwsz4fzmqh66gy");
    page.follow("py-ml-dtypes");
    page.press("Filters");
    page.see_element(&sheet);
    page.back();
    see_free("the page of the build");
    page.forward();
    page.press("Filters");
    page.see_element(&sheet);
    page.resize(Width::Wide);
    see_free("the results in a wide window");
}

#[test]
fn ticks_a_value_where_nothing_can_be_pointed_at() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.point_at(&[("main", "")]);
    // The number is under the buttons that appear with a mouse.
    let hit = "const count = document.querySelector('[data-testid=stack] .value .count');
        const { left, top, width, height } = count.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2).closest('button')";
    assert_eq!(page.ask(hit), serde_json::Value::Null);
}
