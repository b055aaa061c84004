//! The pages of packages that `embed --pages` writes, and how the site takes their place.

use std::fs;

use serde_json::json;

use crate::harness::{Cache, Page, Site, Width};

/// A package of the cache.
const PACKAGE: &str = "openblas";

fn cache() -> Cache {
    Cache::published_as(&["--pages"], &["database/v8.json"])
}

/// Opens the list of all packages, and from there the page of the package.
fn open(page: &Page) {
    page.open("package/");
    page.follow(PACKAGE);
    page.see_element(&[("link", "All packages")]);
}

/// Moves the mouse to a place of the page where there is no link.
fn move_mouse(page: &Page) {
    page.point_at(&[("heading", PACKAGE)]);
}

/// Waits until the site shows the package.
fn see_site(page: &Page) {
    page.see_query("?package=openblas");
    page.see_element(&[("combobox", "Search packages and specs")]);
}

/// Waits until a site has been asked for a path that `is_it` accepts.
fn see_asked(page: &Page, site: &Site, is_it: impl Fn(&str) -> bool) {
    page.see_that("a request", "", |_| {
        let asked = site.requests();
        let is_asked = asked.iter().any(|path| is_it(path));
        if is_asked { Ok(()) } else { Err(format!("only for {asked:?}")) }
    });
}

/// Waits until the script has fetched what it can, and has been given time to act on it.
fn settle(page: &Page) {
    page.ask(
        "const fetched = () => performance.getEntriesByType('resource').length;
         for (let before = -1; before !== fetched(); ) {
           before = fetched();
           await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
         }",
    );
}

#[test]
fn is_replaced_by_the_site_without_leaving_the_page() {
    let cache = cache();
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        // Firefox reports an icon that is still on its way when the worker of the site takes control.
        page.expect_errors();
        open(page);
        page.ask("window.isSamePage = true");
        move_mouse(page);
        see_site(page);
        assert_eq!(page.ask("return [isSamePage, location.pathname]"), json!([true, "/"]));
        let shown = |page: &Page| page.texts(&[("heading", "")]);
        let in_place = shown(page);
        page.fits();
        page.is_accessible();
        page.screenshot("package-page-taken-over");
        page.see_kept();
        // Everything works, and each action is a step in the history.
        page.follow("All packages");
        page.see_query("");
        page.back();
        page.see_query("?package=openblas");
        // The previous page is one step back, and the step forward from there leads to the site.
        page.back();
        page.see("as prebuilt binaries for Spack");
        page.forward();
        see_site(page);
        page.open("?package=openblas");
        assert_eq!(shown(page), in_place);
    });
}

#[test]
fn stays_until_a_visitor_does_something() {
    let cache = cache();
    // Not in the browser of another test, whose pointer may be where the page appears.
    let page = Page::alone("", Width::Wide);
    page.open(&cache.site.url("package/openblas/"));
    settle(&page);
    let asked = cache.site.requests();
    assert!(asked.iter().all(|path| path != "/" && !path.ends_with(".wasm")), "{asked:?}");
    page.see_element(&[("link", "All packages")]);
}

#[test]
fn stays_while_a_visitor_reads_on() {
    let cache = cache();
    // In a browser of its own, as above.
    let page = Page::alone("", Width::Narrow);
    page.open(&cache.site.url("package/openblas/"));
    page.ask("document.body.style.minHeight = '200vh'; scrollTo(0, 50)");
    settle(&page);
    page.see_query("");
    page.see_element(&[("heading", "Builds by version")]);
    page.ask("scrollTo(0, 0)");
    page.see_query("?package=openblas");
}

#[test]
fn stays_until_all_that_the_app_starts_with_has_arrived() {
    let cache = cache();
    let site = Site::pausing_in(cache.folder(), "_rest.wasm");
    let page = Page::of(&site, Width::Wide);
    page.open("package/openblas/");
    move_mouse(&page);
    see_asked(&page, &site, |path| path.ends_with("_rest.wasm"));
    settle(&page);
    page.see_query("");
    page.see_element(&[("heading", "Builds by version")]);
    site.go_on();
    see_site(&page);
}

#[test]
fn fetches_each_part_of_the_app_once() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    open(&page);
    move_mouse(&page);
    see_site(&page);
    let sent = cache.site.sent();
    // The reader is fetched once the page is idle.
    let is_of_app = |path: &&String| path.ends_with(".wasm") && !path.starts_with("/reader");
    assert_eq!(sent.iter().filter(is_of_app).count(), 2, "{sent:?}");
}

#[test]
fn shows_the_same_until_the_app_has_started() {
    let cache = cache();
    // A pointer that rests where the page appears would start the app too early.
    let page = Page::alone(&cache.site.url(""), Width::Wide);
    open(&page);
    page.ask(
        "WebAssembly.instantiateStreaming = WebAssembly.instantiate = () => new Promise(() => {})",
    );
    move_mouse(&page);
    page.see("Loading…");
    page.screenshot("package-page-until-the-app-starts");
    page.see_element(&[("heading", "Builds by version")]);
    page.see_no("What is in this build cache?");
    let all =
        page.ask("return [...document.querySelectorAll('main.loading a')].map(({ href }) => href)");
    assert_eq!(all, json!([cache.site.url("package/"), cache.site.url("?package=openblas")]));
}

#[test]
fn stays_if_the_site_does_not_arrive() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.expect_errors();
    page.open("package/openblas/");
    cache.site.go_down();
    move_mouse(&page);
    settle(&page);
    page.see_element(&[("heading", "Builds by version")]);
    cache.site.come_back();
    page.follow("See");
    see_site(&page);
}

#[test]
fn stays_if_the_site_was_published_by_another_program() {
    let cache = cache();
    let path = cache.folder().join("index.html");
    let page = fs::read_to_string(&path).expect("the page can be read");
    let other = page.replacen("style-src 'self' 'sha256-", "style-src 'self' 'sha256-other", 1);
    fs::write(path, other).expect("the page can be written");
    let page = Page::of(&cache.site, Width::Wide);
    page.open("package/openblas/");
    move_mouse(&page);
    see_asked(&page, &cache.site, |path| path == "/");
    settle(&page);
    page.see_element(&[("heading", "Builds by version")]);
    page.see_query("");
}

#[test]
fn is_replaced_by_the_site_that_was_kept() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.see_all_kept();
    page.open("package/openblas/");
    cache.site.go_down();
    move_mouse(&page);
    see_site(&page);
}
