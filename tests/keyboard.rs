//! Using the page without a pointer.

use crate::harness::{Key, Page, Site, Width};

/// Runs a test in a wide window that shows the packages of the release.
#[track_caller]
fn on_the_front_page(test: impl FnOnce(&Page<'_>)) {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_packages(4);
    test(&page);
}

#[test]
fn moves_opens_and_selects() {
    on_the_front_page(|page| {
        page.type_keys("j");
        page.type_keys("j");
        page.type_keys("k");
        page.type_keys(Key::Enter);
        page.see_query("?package=py-ml-dtypes");
        page.see_builds(129);
        // A line for more than one build opens, and the focus moves to the first of them.
        page.type_keys("j");
        see_focus(page, "11 builds");
        page.type_keys("x");
        see_focus(page, "aqp7dic");
        page.type_keys("x");
        page.see("Select another build to compare");
        // In this order, each line is a single build.
        page.open("?package=py-ml-dtypes&sort=hash");
        page.type_keys("j");
        page.type_keys(Key::Down);
        page.type_keys("x");
        page.see("Select another build to compare");
        page.type_keys(Key::Up);
        page.type_keys("x");
        page.see("Compare 2 builds");
        page.type_keys("v");
        page.see_element(&[("heading", "Compare")]);
        page.back();
        page.see_builds(129);
        page.type_keys("j");
        // On the page of a build, `c` copies its commands, as it does in the table.
        page.type_keys(Key::Enter);
        page.see("Get this build");
        page.type_keys("c");
        page.see("Copied");
    });
}

#[test]
fn lists_the_keys() {
    Page::at_each_width(|page| {
        page.open("");
        page.see_packages(4);
        page.type_keys("?");
        page.see_element(&[("dialog", "Keyboard")]);
        page.fits();
        page.type_keys(Key::Escape);
        page.see_no_element(&[("dialog", "Keyboard")]);
        // In the search box, these keys are letters.
        page.type_into("Search packages", "j?x");
        page.see_query("?q=j%3Fx");
        page.see_no_element(&[("dialog", "Keyboard")]);
        // Escape leaves the box, and the filter stays.
        page.type_keys(Key::Escape);
        page.type_keys("?");
        page.see_element(&[("dialog", "Keyboard")]);
        page.see_query("?q=j%3Fx");
    });
}

/// Waits until the element with this name has the focus: a key may take effect after the driver says that it was typed.
#[track_caller]
fn see_focus(page: &Page<'_>, name: &str) {
    let focused = "const { activeElement: it } = document; return it.getAttribute('aria-label') || it.innerText";
    page.see_that(&format!("the focus on {name}"), focused, |found| match found == name {
        true => Ok(()),
        false => Err(format!("it is on {found}")),
    });
}

#[test]
fn moves_from_the_search_to_the_results_and_back() {
    on_the_front_page(|page| {
        page.type_keys("/");
        page.type_keys(Key::Down);
        see_focus(page, "py-ml-dtypes");
        page.type_keys(Key::Down);
        see_focus(page, "py-safetensors");
        page.type_keys(Key::Up);
        page.type_keys(Key::Up);
        assert_eq!(page.ask("return document.activeElement.id"), "search");
        page.type_keys(Key::Down);
        page.type_keys(Key::Enter);
        page.see_builds(129);
    });
}

#[test]
fn comes_back_to_the_link_that_was_followed() {
    Page::at_each_width(|page| {
        page.open("?package=py-ml-dtypes&sort=hash");
        page.see_builds(129);
        // Focuses a row that is far down, and only drawn there.
        page.ask("scrollTo(0, 3000)");
        let row = ".c-hash a";
        let link = page.ask(&format!(
            "for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame); \
             const link = [...document.querySelectorAll('{row}')].find((it) => it.getBoundingClientRect().top > 300); \
             link.focus({{ preventScroll: true }}); return link.getAttribute('href')"
        ));
        page.type_keys(Key::Enter);
        page.see_element(&[("heading", "Get this build")]);
        // Here too, the next Tab does not start at the top.
        page.see_focused("results");
        page.back();
        page.see_builds(129);
        page.see_focused(link.as_str().expect("an address"));
        assert!(page.ask("return scrollY").as_f64() > Some(2000.0));
        page.forward();
        page.see_element(&[("heading", "Get this build")]);
        page.back();
        page.see_focused(link.as_str().expect("an address"));
    });
}

#[test]
fn keeps_the_focus_in_the_search_box_on_the_way_back() {
    on_the_front_page(|page| {
        page.type_keys("/");
        page.type_keys("py-ml");
        page.type_keys(Key::Enter);
        page.see_builds(129);
        // The typed text and the page that it led to are one step in the history.
        page.back();
        page.see_packages(4);
        page.see_query("");
        page.see_focused("search");
    });
}

#[test]
fn returns_from_panels_to_what_opened_them() {
    Page::at_each_width(|page| {
        page.open("");
        page.see_packages(4);
        page.press("My machine: any");
        page.type_into("OS", "ubuntu24.04");
        page.type_keys(Key::Escape);
        let summary =
            "return document.activeElement.closest('summary')?.parentNode.className ?? ''";
        assert_eq!(page.ask(summary), "menu machine");
        page.ask("document.querySelector('[data-open]').focus()");
        page.type_keys(Key::Enter);
        page.see_element(&[("dialog", "Open a cache")]);
        page.type_keys(Key::Escape);
        page.see_no_element(&[("dialog", "Open a cache")]);
        assert_eq!(page.ask("return document.activeElement.dataset.open"), "");
    });
}

#[test]
fn makes_each_facet_one_tab_stop() {
    on_the_front_page(|page| {
        let first_row = "return document.activeElement.closest('tbody tr.row') !== null";
        let in_rail = "return document.activeElement.closest('.facet')?.dataset.testid ?? ''";
        let mut facets = Vec::new();
        let mut stops = 0;
        while page.ask(first_row) != serde_json::json!(true) {
            page.type_keys(Key::Tab);
            stops += 1;
            assert!(stops < 35, "{stops} stops before the first row: {facets:?}");
            let facet = page.ask(in_rail);
            if facet != "" {
                facets.push(facet.as_str().unwrap_or_default().to_owned());
            }
        }
        let mut once = facets.clone();
        once.dedup();
        assert!(facets.len() > 3 && facets == once, "{facets:?}");
    });
}

#[test]
fn moves_within_a_facet_by_arrow_keys() {
    on_the_front_page(|page| {
        page.ask("document.querySelector('[data-testid=os] h2 button').focus()");
        page.type_keys(Key::Down);
        see_focus(page, "ubuntu24.04");
        page.type_keys(Key::Down);
        see_focus(page, "sequoia");
        page.type_keys(" ");
        page.see_builds(93);
        // The buttons come with the rest of the app.
        page.see_element(&[("button", "Only sequoia")]);
        page.type_keys(Key::Right);
        see_focus(page, "Only sequoia");
        page.type_keys(Key::Right);
        see_focus(page, "Not sequoia");
        page.type_keys(" ");
        page.see_builds(297);
        page.type_keys(Key::Left);
        page.type_keys(Key::Up);
        see_focus(page, "ubuntu24.04");
        page.type_keys(Key::Up);
        page.type_keys(Key::Enter);
        page.see_attribute(&[("region", "OS"), ("button", "OS")], "aria-expanded", "false");
    });
}

#[test]
fn keeps_keys_from_the_page_behind_a_dialog() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?package=py-ml-dtypes&sort=hash");
    page.see_builds(129);
    for key in ["j", "x", "j", "x"] {
        page.type_keys(key);
    }
    page.see("Compare 2 builds");
    let address = page.query();
    // A box that can be ticked takes no letters.
    page.ask("document.querySelector('.value input[type=checkbox]').focus()");
    page.type_keys("o");
    page.see_element(&[("dialog", "Open a cache")]);
    see_focus(&page, "Choose files…");
    page.type_keys("v");
    page.type_keys(Key::Escape);
    page.see_no_element(&[("dialog", "Open a cache")]);
    page.see("Compare 2 builds");
    // People begin to type in a menu that they have opened.
    page.ask("document.querySelector('.machine summary').click()");
    for key in ["r", "o", "x", "v"] {
        page.type_keys(key);
    }
    page.see_no_element(&[("dialog", "Open a cache")]);
    page.see("Compare 2 builds");
    assert_eq!(page.query(), address);
}
