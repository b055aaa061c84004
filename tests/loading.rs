//! How the site starts, wherever it is put, and what it says when it cannot.

use std::fs;

use crate::harness::{Page, Release, Site, Theme, Width};

#[test]
fn opens_at_the_root_of_a_host() {
    Page::at_each_width(|page| {
        page.open("");
        page.see_builds(390);
        page.see_packages(4);
        page.fits();
    });
}

#[test]
fn opens_at_a_deep_path() {
    let site = Site::publish(&Release::folder(), "/some/deep/path/");
    let page = Page::of(&site, Width::Wide);
    page.open("?os=sequoia");
    page.see_builds(93);
    page.see_count("OS", "ubuntu24.04", 269);
    page.see_query("?os=sequoia");
    let requests = site.requests();
    assert!(requests.iter().all(|path| path.starts_with("/some/deep/path/")), "{requests:?}");
}

#[test]
fn says_so_when_a_part_is_missing() {
    let folder = Release::copy();
    for entry in fs::read_dir(folder.path()).expect("the copy can be read") {
        let path = entry.expect("the copy can be read").path();
        if path.extension().is_some_and(|extension| extension == "wasm") {
            fs::remove_file(path).expect("the module can be removed");
        }
    }
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Narrow);
    page.expect_errors();
    page.open("");
    page.see_element(&[("alert", "")]);
    page.see("The explorer did not load");
    page.fits();
}

#[test]
fn says_where_to_go_when_opened_from_disk() {
    let index = Release::folder().join("index.html").canonicalize().expect("dist/ has a path");
    let page = Page::at(&format!("file://{}", index.display()), Width::Wide, Theme::Dark);
    page.expect_errors();
    page.open("");
    page.see("Open explorer.html beside it");
}

#[test]
fn opens_from_disk_in_one_file() {
    let file = Release::single_file();
    for width in [Width::Narrow, Width::Wide] {
        let page = Page::at(&format!("file://{}", file.display()), width, Theme::Light);
        page.open("?os=sequoia&os=ubuntu22.04");
        page.see_builds(121);
        page.see_count("OS", "ubuntu24.04", 269);
        page.toggle_facet("OS", "sequoia");
        page.see_query("?os=ubuntu22.04");
        page.see_builds(28);
        page.back();
        page.see_builds(121);
        page.fits();
    }
}
