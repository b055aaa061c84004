//! Caches that the command puts into the release, and what the page makes of them.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use crate::harness::{Page, Release, Site, Theme, Width, file_url};

/// Puts a cache page into a site.
pub(crate) fn embed(site: &Path, page: &str) {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let input = folder.path().join("specs.md");
    fs::write(&input, page).expect("a page can be written");
    let mut command = Command::new(Release::command());
    let embedded = command.arg("embed").arg(&input).arg("--into").arg(site).output();
    let embedded = embedded.expect("the command runs");
    assert!(embedded.status.success(), "{}", String::from_utf8_lossy(&embedded.stderr));
}

/// Puts a cache page into a copy of the release, and publishes it.
fn publish(page: &str) -> (TempDir, Site) {
    let folder = Release::copy();
    embed(folder.path(), page);
    let site = Site::publish(folder.path(), "/");
    (folder, site)
}

/// Writes a cache page with one build in which every text is this one, if the format allows it.
pub(crate) fn page_of(package: &str, text: &str) -> String {
    let build = json!({
        "hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "compiler": format!("{text}@1"), "os": text,
        "platform": text, "target": text, "size": "-", "stacks": [text, "root"],
        "variants": [format!("v={text}")], "versions": [text],
    });
    let meta = json!({
        "compilers": [format!("{text}@1")], "num_specs": 1,
        "num_specs_by_stack": {text: 1, "root": 1}, "oss": [text], "platforms": [text],
        "stacks": [text, "root"], "targets": [text], "versions": [text],
    });
    let title = json!(package);
    let categories = json!(["package", text]);
    format!(
        "---\ntitle: {title}\nlayout: cache\ncategories: {categories}\nmeta: {meta}\n\
         spec_details: [{build}]\n---"
    )
}

#[test]
fn shows_another_cache_without_a_compiler() {
    let (_folder, site) = publish(&page_of("zlib", "plain"));
    let page = Page::of(&site, Width::Narrow);
    page.open("");
    page.see_builds(1);
    page.see_packages(1);
    page.open("?os=plain");
    page.see_count("OS", "plain", 1);
    page.close_filters();
    page.open("");
    page.follow("zlib");
    page.see_query("?package=zlib");
    page.see_element(&[("heading", "zlib")]);
}

/// Creates a copy of the release with this text as its index.
fn with_index(index: &str) -> (TempDir, Site) {
    let folder = Release::copy();
    let path = folder.path().join("index.html");
    let html = fs::read_to_string(&path).expect("the copy can be read");
    let script = format!("<script type=\"application/json\" id=\"index\">{index}</script></body>");
    fs::write(&path, html.replace("</body>", &script)).expect("the copy can be written");
    let site = Site::publish(folder.path(), "/");
    (folder, site)
}

#[track_caller]
fn says(index: &str, expected: &str) {
    let (_folder, site) = with_index(index);
    let page = Page::of(&site, Width::Narrow);
    page.expect_errors();
    page.open("");
    page.see("This cache cannot be shown");
    page.see(expected);
    page.fits();
}

#[test]
fn reports_a_damaged_index() {
    says("{\"format\": 1,", "the index is damaged");
}

#[test]
fn reports_a_newer_index() {
    says("{\"format\": 99}", "the index has format 99, which is newer");
}

#[test]
fn publishes_the_cache_in_the_single_file_too() {
    let folder = Release::copy_with_single_file();
    embed(folder.path(), &page_of("zlib", "plain"));
    let file = folder.path().join("explorer.html");
    let page = open_from_disk(&file);
    page.open("?os=plain");
    page.see_builds(1);
    page.toggle_facet("OS", "plain");
    page.see_query("");
}

fn open_from_disk(file: &Path) -> Page<'static> {
    Page::at(&file_url(file), Width::Wide, Theme::Light)
}
