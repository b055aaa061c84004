//! What people do without a pointer.

use crate::harness::{Key, Page, Site, Width};

#[test]
fn moves_opens_and_selects() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_packages(4);
    page.type_keys("j");
    page.type_keys("j");
    page.type_keys("k");
    page.type_keys(Key::Enter);
    page.see_query("?package=py-ml-dtypes");
    page.see_builds(129);
    // In this order no line stands for several builds.
    page.open("?package=py-ml-dtypes&sort=hash");
    page.type_keys("j");
    page.type_keys(Key::Down);
    page.type_keys("x");
    page.see("Select another build to compare");
    page.type_keys(Key::Up);
    page.type_keys("x");
    page.see("Compare 2 builds");
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
        // In the search box they are letters.
        page.type_into("Search packages", "j?x");
        page.see_query("?q=j%3Fx");
        page.see_no_element(&[("dialog", "Keyboard")]);
    });
}
