//! The front page and its parts: packages by stack, and facts about the cache.

use crate::harness::Page;

#[test]
fn leads_from_packages_by_stack_to_their_builds() {
    Page::at_each_width(|page| {
        page.open("");
        page.follow("By stack");
        page.see_query("?tab=coverage");
        page.see_element(&[("columnheader", "e4s-neoverse_v1")]);
        page.fits();
        page.follow("6 builds of py-ml-dtypes in e4s-neoverse_v1");
        page.see_query("?package=py-ml-dtypes&stack=e4s-neoverse_v1");
        page.see_builds(6);
        page.back();
        page.see_query("?tab=coverage");
    });
}

#[test]
fn describes_the_cache() {
    Page::at_each_width(|page| {
        page.open("?tab=about");
        page.see("the sample pages");
        page.see_element(&[("heading", "Most varied packages")]);
        page.fits();
        page.follow("ml-linux-x86_64-rocm");
        page.see_builds(69);
        page.see_query("?stack=ml-linux-x86_64-rocm");
    });
}
