//! A package: its builds with only what differs, its coverage, and how to install it.

use std::fs;

use cache_index::build::Place;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Cache, Page, Site, Width};
use crate::opening::sample;

#[test]
fn shows_once_what_all_builds_share() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?package=py-ml-dtypes&os=sequoia");
    page.see_builds(11);
    let shared = || page.texts(&[("test", "alike")]).concat();
    assert!(shared().contains("OS sequoia") && shared().contains("Version 0.4.0"), "{}", shared());
    page.see_element(&[("columnheader", "Hash")]);
    page.see_no_element(&[("columnheader", "OS")]);
    page.press("Remove OS sequoia");
    page.see_element(&[("columnheader", "OS")]);
    assert!(!shared().contains("OS"), "{}", shared());
}

#[test]
fn filters_by_a_cell_of_the_coverage() {
    Page::at_each_width(|page| {
        page.open("?package=py-ml-dtypes");
        page.follow("Coverage");
        page.see_query("?package=py-ml-dtypes&tab=coverage");
        page.see_element(&[("table", "Builds by version"), ("columnheader", "ubuntu24.04")]);
        page.fits();
        page.follow("60 builds of 0.4.0, ubuntu24.04 x86_64_v3");
        page.see_builds(60);
        page.see_query("?package=py-ml-dtypes&os=ubuntu24.04&target=x86_64_v3&version=0.4.0");
        page.back();
        page.click(&[("group", "Versions by"), ("button", "stack")]);
        page.see_query("?package=py-ml-dtypes&tab=coverage&across=stack");
        page.see_element(&[("link", "3 builds of 0.4.0, e4s-neoverse_v1")]);
        page.reload();
        page.see_element(&[("columnheader", "e4s")]);
        page.fits();
    });
}

#[test]
fn shows_how_to_install() {
    Page::at_each_width(|page| {
        page.open("?package=py-ml-dtypes&tab=install&stack=e4s");
        page.see("develop / e4s: 22 builds");
        page.see("spack mirror add develop-e4s https://binaries.spack.io/develop/e4s");
        page.see("spack buildcache keys --install --trust");
        page.see("Install any of them");
        page.see("spack install --cache-only py-ml-dtypes");
        page.fits();
        page.see("The newest release for the system that most builds are for, exactly");
        page.press("Say what your machine is");
        page.see("Which builds run on your machine?");
        page.open("?package=py-ml-dtypes&tab=install&host=linux.ubuntu24.04.zen3");
        page.see("The best match, exactly");
        page.see_no("Say what your machine is");
        page.see("matching builds, none of which works on your machine: ");
        page.see_no("ml-darwin-aarch64-mps MIRROR");
        page.fits();
        page.open("?package=py-ml-dtypes&tab=install&os=ubuntu22.04&version=0.3.1");
        page.see("spack install --cache-only 'py-ml-dtypes@=0.3.1 os=ubuntu22.04'");
        page.press("Copy all");
        page.see("Copied");
    });
}

#[test]
fn reports_a_missing_package() {
    Page::at_each_width(|page| {
        page.open("?package=no-such-package");
        page.see("No such package in this cache");
        page.fits();
        page.open("?package=py-ml-dtype");
        page.see("Did you mean");
        page.follow("py-ml-dtypes");
        page.see_builds(129);
    });
}

#[test]
fn prints_every_row() {
    let cache = Cache::of(2_000);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    let rows = "document.querySelectorAll('.packages .row').length";
    let number = |script: &str| page.ask(&format!("return {script}")).as_u64().expect("a number");
    let all = number("document.querySelector('.packages').ariaRowCount - 1");
    let on_screen = number(rows);
    assert!(on_screen < all, "{on_screen} of {all} rows on the screen");
    page.ask(&format!("addEventListener('beforeprint', () => {{ window.printed = {rows}; }})"));
    assert!(page.print().starts_with(b"%PDF"));
    assert_eq!(number("window.printed"), all);
    assert_eq!(number(rows), on_screen);
}

#[test]
fn prints_all_text_of_each_row() {
    let cache = Cache::changed(8, |number, build| {
        let variant = |place: usize| {
            let sign = if (number / 2) >> (place % 2) & 1 == 1 { '+' } else { '~' };
            format!("{sign}variant_{place:02}").parse().expect("a variant")
        };
        (build.package, build.version) = ("varied".to_owned(), "1.0".to_owned());
        build.variants = (0..30).map(variant).collect();
        (build.os, build.target) = ("ubuntu22.04".to_owned(), "x86_64_v3".to_owned());
        build.compiler = Some("gcc@11.4.0".to_owned());
        build.places = [Place::whole_release("develop")].into();
        build.dependencies = None;
    });
    let page = Page::of(&cache.site, Width::Middle);
    page.open("?package=varied");
    page.show_as_printed();
    let cut = "const isCut = (element) => element.scrollHeight > element.clientHeight + 1;
        const cells = [...document.querySelectorAll('.builds .row, .builds .row > *')];
        return cells.filter(isCut).map((element) => `${element.className}: ${element.textContent}`)";
    assert_eq!(page.ask(cut), json!([]));
}

#[test]
fn saves_what_is_shown() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?package=py-ml-dtypes&version=0.3.1");
    // Keeps the files that the page hands to the browser for saving, so that the test can read them.
    page.ask(
        "window.saved = []; const made = URL.createObjectURL; \
              URL.createObjectURL = (blob) => { saved.push(blob.text()); return made(blob); }",
    );
    page.press("Export");
    page.press("Hashes, one per line");
    page.see("11 builds saved as py-ml-dtypes-hashes.txt");
    page.press("Export");
    page.press("Environment (spack.yaml)");
    page.see("11 builds saved as spack.yaml");
    let saved = page.ask("return Promise.all(saved)");
    let text = |place: usize| saved[place].as_str().unwrap_or_default().to_owned();
    assert_eq!(text(0).lines().count(), 11);
    assert!(text(0).contains("gjx3lieose6je6ajipuwsz4fzmqh66gy\n"));
    assert!(text(1).starts_with("spack:\n  specs:\n  - \"py-ml-dtypes/"), "{}", text(1));
    assert!(text(1).contains("\"develop\": \"https://binaries.spack.io/develop\""));
}

#[test]
fn says_that_a_package_is_only_used_as_an_external() {
    let cache = Cache::of_data(&["mirror-v3"]);
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("?package=glibc");
        page.see("No binary of it is in this cache");
        page.see("Builds here use it as an external, of version ");
        page.see_no("Clear all filters");
        page.see_no("0 builds");
        page.fits();
        page.is_accessible();
        page.screenshot("package-without-binaries");
        page.follow("Used by");
        page.see_no("No binary of it is in this cache");
    });
}

#[test]
fn says_why_a_package_without_binaries_is_listed() {
    let text = fs::read_to_string(sample("tests/data/database/v8.json")).expect("a database");
    let mut file: Value = serde_json::from_str(&text).expect("JSON");
    for record in file["database"]["installs"].as_object_mut().expect("records").values_mut() {
        if matches!(record["spec"]["name"].as_str(), Some("gmake" | "zstd")) {
            record["in_buildcache"] = false.into();
        }
    }
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("index.json");
    fs::write(&path, file.to_string()).expect("a database");
    let cache = Cache::of_data(&[&path.display().to_string()]);
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("?package=zstd");
        page.see("No binary of it is in this cache");
        page.see("The index lists 1 build of it, but its binary is not there.");
        page.see_no("Other builds depend on it");
        page.fits();
        page.follow("Used by");
        page.see("Nothing in this cache depends on it.");
        page.open("?package=gmake");
        page.see("No binary of it is in this cache");
        page.see("Other builds depend on it.");
        page.see_no("The index lists");
        page.follow("Used by");
        page.see("packages depend directly on gmake");
    });
}

#[test]
fn calls_no_branch_a_release() {
    let cache = Cache::changed(4, |_, build| {
        build.package = "hdf5".to_owned();
        build.version = "develop".to_owned();
    });
    let page = Page::of(&cache.site, Width::Wide);
    for tab in ["", "&tab=install"] {
        page.open(&format!("?package=hdf5{tab}"));
        page.see("The newest version ");
        page.see_no("newest release");
    }
}
