//! What people do with the explorer on the sample pages, narrow and wide.

use serde_json::json;

use crate::harness::{Key, Page, Release, Site, Theme, Width};

#[test]
fn finds_builds_by_facets() {
    Page::at_each_width(|page| {
        page.open("");
        page.see_builds(390);
        page.see_packages(4);
        page.see_count("Stack", "root", 390);
        page.see_count("Stack", "ml-linux-x86_64-cpu", 128);
        page.see_count("OS", "ubuntu24.04", 269);
        page.see_count("Target", "aarch64", 212);
        page.see_count("Compiler", "gcc@11.4.0", 28);
        page.see_count("Platform", "darwin", 93);

        page.toggle_facet("OS", "sequoia");
        page.toggle_facet("OS", "ubuntu22.04");
        page.see_count("OS", "ubuntu24.04", 269);
        page.see_count("Stack", "e4s", 22);
        page.close_filters();
        page.see_builds(121);
        page.see_packages(4);
        page.see_query("?os=sequoia&os=ubuntu22.04");
        page.fits();
    });
}

#[test]
fn excludes_shows_alone_and_removes_values() {
    Page::at_each_width(|page| {
        page.open("");
        page.toggle_excluded("OS", "ubuntu24.04");
        page.close_filters();
        page.see_builds(121);
        page.see_query("?not.os=ubuntu24.04");
        page.press("Remove not OS ubuntu24.04");
        page.see_builds(390);
        page.see_query("");

        page.toggle_facet("Target", "aarch64");
        page.toggle_facet("Target", "x86_64_v3");
        page.choose_only("Target", "neoverse_v1");
        page.close_filters();
        page.see_builds(6);
        page.press("Clear all");
        page.see_builds(390);
    });
}

#[test]
fn requires_all_of_several_stacks() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.toggle_facet("Stack", "ml-linux-x86_64-cpu");
    page.toggle_facet("Stack", "ml-linux-x86_64-rocm");
    page.see_builds(148);
    page.click(&[("region", "Stack"), ("button", "all of")]);
    page.see_builds(49);
    page.see("all of Stack");
    page.reload();
    page.see_builds(49);
}

#[test]
fn searches_by_part_of_a_name() {
    Page::at_each_width(|page| {
        page.open("");
        page.type_keys("/");
        page.type_keys("token");
        page.see_builds(32);
        page.see_packages(1);
        page.see_element(&[("link", "py-tokenizers")]);
        page.see_no_element(&[("link", "py-safetensors")]);
        page.see_query("?q=token");
        page.type_into("Search packages", "nothing-like-it");
        page.see("No build matches");
        page.press("Clear all filters");
        page.see_builds(390);
    });
}

#[test]
fn opens_a_package_and_works_in_its_table() {
    Page::at_each_width(|page| {
        page.open("?os=ubuntu24.04");
        page.follow("py-ml-dtypes");
        page.see_element(&[("heading", "py-ml-dtypes")]);
        page.see_builds(90);
        page.see_query("?package=py-ml-dtypes&os=ubuntu24.04");
        page.fits();
        page.back();
        page.see_builds(269);
        page.forward();
        page.see_builds(90);
    });
}

#[test]
fn sorts_chooses_columns_and_filters_by_a_click() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?package=py-ml-dtypes");
    page.see_builds(129);
    page.click(&[("columnheader", ""), ("button", "Version")]);
    page.see_query("?package=py-ml-dtypes&sort=-version");
    page.click(&[("columnheader", ""), ("button", "Version")]);
    page.see_query("?package=py-ml-dtypes&sort=version");
    let first = page.ask("return spackCache.builds(location.search, 0, 1)[0]");
    assert_eq!(first["version"], "0.3.1");
    // One line represents all builds that look alike.
    let in_first_row = [("row", "8 builds"), ("link", "0.3.1")];
    page.see_element(&in_first_row);
    page.press("Columns");
    page.click(&[("checkbox", "Compiler")]);
    page.see_no_element(&[("columnheader", "Compiler")]);
    page.press("Columns");
    page.click(&in_first_row);
    page.see_builds(11);
    page.reload();
    page.see_builds(11);
    page.see_no_element(&[("columnheader", "Compiler")]);
}

#[test]
fn copies_a_hash_and_a_command() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?package=py-ml-dtypes&hash=24fngvd4f3yz7zj63yh4i2wjhfyscqp3");
    page.see_element(&[("heading", "py-ml-dtypes")]);
    page.press("Copy the hash");
    assert_eq!(page.copied(), "24fngvd4f3yz7zj63yh4i2wjhfyscqp3");
}

#[test]
fn opens_the_same_page_from_a_shared_address() {
    let site = Site::publish(&Release::folder(), "/some/deep/path/");
    let page = Page::of(&site, Width::Narrow);
    page.open("?os=sequoia&not.stack=e4s&q=py-ml&sort=-builds");
    page.see_builds(11);
    page.see_element(&[("button", "Remove OS sequoia")]);
    // An address as cache.spack.io writes it, with a key that is not known here.
    page.open("?package=py-ml-dtypes&version=0.3.1&release=develop&limit=50");
    page.see_builds(11);
    page.see("limit");
}

#[test]
fn answers_scripts_as_the_page_does() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    let ask = |script: &str| page.ask(&format!("await spackCache.ready; return {script};"));
    let answer = ask("spackCache.query('os=sequoia&os=ubuntu22.04')");
    assert_eq!(answer["builds"], 121);
    assert_eq!(answer["packages"], 4);
    assert_eq!(answer["facets"]["os"]["ubuntu24.04"], 269);
    assert!(answer["milliseconds"].is_number());
    let builds = ask("spackCache.builds('package=py-ml-dtypes&version=0.3.1', 10, 5)");
    assert_eq!(builds.as_array().map(Vec::len), Some(1));
    assert_eq!(builds[0]["variants"], json!(["build_system=python_pip"]));
    assert_eq!(
        ask("spackCache.builds('hash=24fngvd4f3yz7zj63yh4i2wjhfyscqp3')[0].os"),
        "ubuntu24.04"
    );
    assert_eq!(ask("spackCache.builds('q=no-such-package').length"), 0);
}

#[test]
fn keeps_the_colours_that_a_person_chose() {
    let site = Site::release();
    let page = Page::at(&site.url(""), Width::Wide, Theme::Dark);
    page.open("");
    let paper = "return getComputedStyle(document.documentElement).backgroundColor";
    let dark = page.ask(paper);
    page.press("Colours: as in the system");
    page.see_element(&[("button", "Colours: light")]);
    let light = page.ask(paper);
    assert_ne!(dark, light);
    page.reload();
    page.see_element(&[("button", "Colours: light")]);
    assert_eq!(page.ask(paper), light);
    page.type_keys(Key::Tab);
}
