//! How the site starts, wherever it is hosted, and what it shows if it cannot.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use crate::harness::{Cache, Page, Release, Site, Theme, Width, file_url};

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
fn says_how_much_of_a_linked_page_has_arrived() {
    let folder = Release::folder();
    let site = Site::pausing_in(&folder, "_rest.wasm");
    let page = Page::of(&site, Width::Narrow);
    page.begin("?package=py-ml-dtypes");
    let files = fs::read_dir(&folder).expect("the release can be read");
    let modules: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    let size = |ending: &str| {
        let is_it = |path: &std::path::PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("cache-explorer-site-") && name.ends_with(ending)
        };
        let path = modules.iter().find(|path| is_it(path)).expect("a module");
        fs::metadata(path).expect("a module").len() as f64 / 1e6
    };
    let (first, rest) = (size("_bg.wasm"), size("_rest.wasm"));
    page.see(&format!("Loading… {:.1} of {:.1} MB", first + rest / 2.0, first + rest));
    page.fits();
    site.go_on();
    page.see_element(&[("heading", "py-ml-dtypes")]);
    page.see_no("Loading…");
}

#[test]
fn opens_on_a_host_without_content_types() {
    let site = Site::publish_by(&Release::folder(), "/deep/", |path, headers| {
        headers.insert("x-content-type-options", "nosniff".parse().expect("a header"));
        if path.ends_with(".wasm") || path.ends_with(".webmanifest") {
            headers.insert("content-type", "application/octet-stream".parse().expect("a header"));
        }
    });
    let page = Page::of(&site, Width::Wide);
    page.open("?os=sequoia");
    page.see_builds(93);
    page.see_kept();
}

#[test]
fn reports_a_missing_part() {
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

/// How often the page has had to wait for code that had not arrived.
const WAITS: &str =
    "await spackCache.ready; return performance.getEntriesByName('rest-at-once').length";

/// How often the columns were read from their text.
const READ_AS_TEXT: &str = "return performance.getEntriesByName('columns-read-as-text').length";

#[test]
fn lets_the_browser_parse_the_columns_of_a_published_page() {
    let cache = Cache::of(50);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.see_builds(50);
    page.toggle_facet("OS", "ubuntu24.04");
    page.see_query("?os=ubuntu24.04");
    assert_eq!(page.ask(READ_AS_TEXT), json!(0));
}

#[test]
fn says_what_is_wrong_with_columns_that_the_browser_can_parse() {
    let cache = Cache::of(50);
    let path = cache.folder().join("index.html");
    let html = fs::read_to_string(&path).expect("the page can be read");
    let newer = html.replacen(r#"{"format":2,"#, r#"{"format":9,"#, 1);
    assert_ne!(html, newer);
    fs::write(&path, newer).expect("the page can be written");
    let page = Page::of(&cache.site, Width::Wide);
    page.expect_errors();
    page.open("");
    page.see("This cache cannot be shown");
    page.see("the index has format 9, which is newer than this program");
    assert_eq!(page.ask(READ_AS_TEXT), json!(1));
}

#[test]
fn answers_and_filters_without_the_rest_of_the_app() {
    let (_folder, site) = without_rest();
    let page = Page::of(&site, Width::Wide);
    page.expect_errors();
    page.open("");
    page.see_builds(390);
    page.toggle_facet("OS", "sequoia");
    page.see_builds(93);
    page.see_count("OS", "ubuntu24.04", 269);
    page.back();
    page.see_builds(390);
    page.follow("py-ml-dtypes");
    page.see_element(&[("alert", "")]);
    page.see("This page did not load");
    page.back();
    page.see_builds(390);
}

#[test]
fn stops_in_words_if_a_search_needs_what_did_not_load() {
    let (_folder, site) = without_rest();
    let page = Page::of(&site, Width::Wide);
    page.expect_errors();
    page.open("");
    page.see_builds(390);
    page.type_into("Search packages and specs", "py-ml-dtypes ^python");
    page.see("The explorer stopped");
    page.see("A part of the app could not be loaded");
    page.see_element(&[("button", "Reload")]);
}

#[test]
fn loads_the_rest_of_the_app_when_it_is_needed() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    let address_and_words = [
        ("", "4 packages"),
        ("?os=sequoia", "93 builds"),
        ("?os=sequoia&target=x86_64_v3", "No build matches"),
        ("?package=py-ml-dtypes", "py-ml-dtypes"),
        ("?q=os%3Dsequoia%20py-ml-dtypes", "py-ml-dtypes"),
        ("?tab=coverage", "The newest version of each package"),
        ("?host=linux.ubuntu24.04.zen4", "4 packages"),
        ("?host=linux.ubuntu24.04.zen4&runs=yes", "Works here"),
        ("?spec=py-ml-dtypes", "1 of 1 spec"),
        ("?host=linux.ubuntu24.04.zen4&reuse=false", "4 packages"),
        ("?changes=", "What changed"),
        ("?since=2026-01-01", "This cache does not say when its builds first appeared"),
    ];
    for (address, words) in address_and_words {
        page.open(address);
        page.see(words);
        assert_eq!(page.ask(WAITS), json!(0), "{address}");
    }
    assert!(site.requests().iter().any(|path| is_rest(path)));
}

/// Returns `true` for the file with the rest of the app; the reader also has a file with such an ending.
fn is_rest(path: &str) -> bool {
    path.contains("/cache-explorer-site-") && path.ends_with("_rest.wasm")
}

/// Publishes a copy of the release without the file with the rest of the app.
fn without_rest() -> (TempDir, Site) {
    let folder = Release::copy();
    let files = fs::read_dir(folder.path()).expect("the copy can be read");
    let rest = files.map(|file| file.expect("the copy can be read").path());
    let rest: Vec<_> = rest.filter(|path| is_rest(&path.to_string_lossy())).collect();
    assert_eq!(rest.len(), 1, "one file with the rest of the app");
    fs::remove_file(&rest[0]).expect("the file can be removed");
    let site = Site::publish(folder.path(), "/");
    (folder, site)
}

#[test]
fn names_the_single_file_when_opened_from_disk() {
    let index = file_url(&Release::folder().join("index.html"));
    let page = Page::at(&index, Width::Wide, Theme::Dark);
    page.expect_errors();
    page.open("");
    page.see("Open explorer.html beside it");
}

#[test]
fn opens_from_disk_in_one_file() {
    let file = file_url(&Release::single_file());
    for width in [Width::Narrow, Width::Wide] {
        let page = Page::at(&file, width, Theme::Light);
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

#[test]
fn does_in_one_file_what_the_site_does() {
    let file = file_url(&Release::single_file());
    let page = Page::at(&file, Width::Wide, Theme::Light);
    page.open("");
    page.type_into("Search packages and specs", "dtypes");
    page.see_packages(1);
    page.toggle_facet("OS", "sequoia");
    page.press("Copy link");
    page.see("Copied");
    let shared = page.ask("return location.href");
    page.press("Export");
    page.press("JSON");
    page.see("saved as");
    // The copied link opens the same page, on any machine that has the file in the same place.
    page.paste_into("Search packages and specs");
    let pasted = page.ask("return document.querySelector('[role=combobox]').value");
    assert_eq!(pasted, shared);
    let shared = shared.as_str().expect("an address").trim_start_matches(&file).to_owned();
    page.open(&shared);
    page.see_chosen("OS", "sequoia", true);
    page.follow("py-ml-dtypes");
    page.see_element(&[("heading", "py-ml-dtypes")]);
}

/// Base64 makes four bytes of three; nothing else in the single file may grow.
#[test]
fn makes_a_single_file_no_larger_than_its_parts() {
    let folder = Release::folder();
    let size = |name: &str| fs::metadata(folder.join(name)).expect("a part").len();
    let (mut text, mut binary) = (size("index.html"), 0);
    for file in fs::read_dir(&folder).expect("the release can be read") {
        let name = file.expect("the release can be read").file_name();
        let name = name.to_str().expect("a name in UTF-8");
        match name.rsplit('.').next() {
            // The single file needs no service worker.
            _ if name == "service-worker.js" => {}
            Some("css" | "js") => text += size(name),
            Some("wasm" | "svg") => binary += size(name),
            _ => {}
        }
    }
    assert!(binary > 100_000, "the module is among the parts");
    let single = size("explorer.html");
    // Allows for base64, and adds one percent for the elements that contain the parts.
    let limit = (text + binary * 4 / 3) * 101 / 100;
    assert!(single <= limit, "{single} bytes of {text} and {binary}");
}
