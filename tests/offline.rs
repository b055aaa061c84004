//! Without a network: what is kept, and how a newer build replaces it.

use std::fs;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use crate::harness::{Page, Release, Site, Theme, Width};
use crate::opening::{choose, pages, sample, see_opened};
use crate::publishing::{embed, page_of};
use crate::views::VIEWS;

/// The number of builds whose files are kept.
const KEPT: &str = "return (await caches.keys()).length";

#[test]
fn works_without_a_network_after_the_first_visit() {
    let site = Site::publish(&Release::folder(), "/some/deep/path/");
    let page = Page::of(&site, Width::Wide);
    page.open("?os=sequoia");
    page.see_kept();
    site.go_down();
    for (_, address) in VIEWS {
        page.open(address);
        page.see_element(&[("combobox", "Search packages and specs")]);
    }
    page.open("index.html?os=sequoia");
    page.see_builds(93);
    page.reload();
    page.see_builds(93);
}

#[test]
fn opens_files_and_reads_help_without_a_network_after_one_visit() {
    let site = Site::release();
    let folder = TempDir::new().expect("a folder");
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_all_kept();
    site.go_down();
    // On the page of the first visit, and on later ones.
    choose(&page, &pages(&folder, &["aaa"]));
    see_opened(&page, "aaa.md");
    page.open("?tab=help");
    page.see("What the page is for, task by task");
    for path in ["mirror-v3", "environment/dev-path/spack.lock"] {
        page.open("");
        page.drop(&[sample(&format!("tests/data/{path}"))]);
        page.see(if path == "mirror-v3" { "mirror-v3, opened here" } else { "Copy as Markdown" });
    }
}

/// Counts only requests before the service worker starts: it requests all that it keeps, from the browser's cache if
/// possible.
#[test]
fn loads_each_file_once() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_kept();
    let mut sent = site.sent();
    let until = sent.iter().position(|path| path == "/service-worker.js");
    sent.truncate(until.expect("the service worker was asked for"));
    let number = sent.len();
    assert!(number > 4, "{sent:?}");
    sent.sort();
    sent.dedup();
    assert_eq!(number, sent.len(), "{sent:?}");
}

#[test]
fn keeps_each_file_without_loading_it_again() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_kept();
    let mut sent = site.sent();
    let number = sent.len();
    sent.sort();
    sent.dedup();
    assert_eq!(number, sent.len(), "{sent:?}");
}

/// Files that a first visit did not keep, because the user left too early, are kept at the next visit.
#[test]
fn keeps_what_an_earlier_visit_did_not() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_all_kept();
    page.ask(
        "const cache = await caches.open((await caches.keys())[0]); \
         for (const name of ['open.js', 'reader_bg.wasm']) await cache.delete(name)",
    );
    page.reload();
    page.see_all_kept();
    site.go_down();
    choose(&page, &[sample("tests/data/database/v8.json")]);
    see_opened(&page, "v8.json");
}

#[test]
fn offers_a_newer_build_and_waits() {
    let folder = Release::copy();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Narrow);
    page.open("");
    page.see_kept();
    embed(folder.path(), &page_of("zlib", "plain"));
    page.reload();
    page.see("A new version is ready.");
    for theme in [Theme::Light, Theme::Dark] {
        page.prefer(theme);
        page.is_accessible();
        page.fits();
        page.screenshot(&format!("new-version-{theme:?}").to_lowercase());
    }
    page.see_builds(390);
    page.press("Later");
    page.see_no("A new version is ready.");
    // It is offered again when the page is reloaded, and nothing has changed for the user.
    page.reload();
    page.see("A new version is ready.");
    page.see_builds(390);
    page.press("Reload");
    page.see_builds(1);
    page.see_no("A new version is ready.");
    assert_eq!(page.ask(KEPT), 1);
    site.go_down();
    page.reload();
    page.see_builds(1);
}

/// Another tab may ask for a newer build, and WebKit sometimes takes it unasked: here, a script does.
#[test]
fn offers_a_build_that_replaced_the_old_one_unasked() {
    let folder = Release::copy();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_kept();
    // The first build also takes over the page, but is not a new version.
    page.see_builds(390);
    page.see_no("A new version is ready.");
    embed(folder.path(), &page_of("zlib", "plain"));
    page.reload();
    page.see("A new version is ready.");
    page.press("Later");
    page.see_no("A new version is ready.");
    page.ask(
        "const registration = await navigator.serviceWorker.ready; \
         if (!registration.waiting) return; \
         const changed = new Promise((changed) => \
           navigator.serviceWorker.addEventListener('controllerchange', changed, { once: true })); \
         registration.waiting.postMessage('take over'); \
         await changed",
    );
    page.see("A new version is ready.");
    page.see_builds(390);
    page.press("Reload");
    page.see_builds(1);
    page.see_no("A new version is ready.");
    // It is offered once, and reloading does not offer it again.
    page.reload();
    page.see_builds(1);
    page.see_no("A new version is ready.");
}

/// Makes the browser look for a newer build, and waits until it has accepted or rejected it.
const LOOKED: &str = "const registration = await navigator.serviceWorker.ready; \
                      let found = false; \
                      registration.addEventListener('updatefound', () => { found = true; }, { once: true }); \
                      await registration.update().catch(() => {}); \
                      const worker = registration.installing; \
                      await new Promise((next) => setTimeout(next)); \
                      while (worker && ['parsed', 'installing'].includes(worker.state)) \
                        await new Promise((changed) => worker.addEventListener('statechange', changed, { once: true })); \
                      return worker?.state ?? (found ? 'redundant' : 'none')";

#[test]
fn never_mixes_two_builds() {
    let folder = Release::copy();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    // A rejected build is an error on the console.
    page.expect_errors();
    page.open("");
    page.see_kept();
    assert_eq!(page.ask(LOOKED), "none");
    // A site that is being uploaded: all files but one are there.
    embed(folder.path(), &page_of("zlib", "plain"));
    let glue = file(folder.path(), "cache-explorer-site-", ".js");
    let whole = fs::read(&glue).expect("the copy can be read");
    fs::write(&glue, "").expect("the copy can be written");
    assert_eq!(page.ask(LOOKED), "redundant");
    fs::remove_file(&glue).expect("the copy can be written");
    assert_eq!(page.ask(LOOKED), "redundant");
    assert_eq!(page.ask(KEPT), 1);
    page.reload();
    page.see_builds(390);
    page.see_no("A new version");
    // Once the upload is complete, the new build is accepted.
    fs::write(&glue, whole).expect("the copy can be written");
    page.reload();
    // A busy browser may take a while to look by itself.
    page.ask(LOOKED);
    page.see("A new version is ready.");
    page.press("Reload");
    page.see_builds(1);
}

#[test]
fn leaves_another_explorer_on_the_same_host_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for name in ["one", "two"] {
        let copy = folder.path().join(name);
        fs::create_dir(&copy).expect("a folder can be made");
        for entry in fs::read_dir(Release::folder()).expect("dist/ can be read") {
            let path = entry.expect("dist/ can be read").path();
            fs::copy(&path, copy.join(path.file_name().unwrap_or_default())).expect("a copy");
        }
    }
    embed(&folder.path().join("two"), &page_of("zlib", "plain"));
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    page.open("one/");
    page.see_kept();
    page.open("two/");
    page.see_kept();
    assert_eq!(page.ask(KEPT), 2);
    site.go_down();
    page.open("one/");
    page.see_builds(390);
    page.open("two/");
    page.see_builds(1);
}

#[test]
fn can_be_installed() {
    let site = Site::publish(&Release::folder(), "/deep/");
    let page = Page::alone(&site.url(""), Width::Wide);
    page.open("");
    let icons = page.ask(
        "const link = document.querySelector('link[rel=manifest]'); \
         const manifest = await (await fetch(link.href)).json(); \
         const sizes = manifest.icons.map(async ({ src, sizes }) => { \
           const picture = new Image(); picture.src = src; await picture.decode(); \
           return sizes === 'any' || sizes === `${picture.naturalWidth}x${picture.naturalHeight}`; }); \
         return [manifest.name, new URL(manifest.start_url, link.href).href === location.href, await Promise.all(sizes)]",
    );
    assert_eq!(icons, json!(["Spack Build Cache Explorer", true, [true, true, true, true]]));
    if let Some(errors) = page.installability_errors() {
        assert_eq!(errors, json!({ "installabilityErrors": [] }));
    }
}

/// Returns the only file in a folder whose name begins and ends like this.
fn file(folder: &Path, start: &str, end: &str) -> std::path::PathBuf {
    let entries = fs::read_dir(folder).expect("the copy can be read");
    let mut paths = entries.map(|entry| entry.expect("the copy can be read").path());
    let fits = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(start) && name.ends_with(end)
    };
    paths.find(fits).unwrap_or_else(|| panic!("there is no {start}…{end}"))
}
