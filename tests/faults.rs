//! What a browser may refuse: the page explains it where necessary, and everything else works.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use tempfile::TempDir;

use crate::harness::{Cache, Page, Release, Site, Storage, Theme, Width};
use crate::publishing::{embed, page_of};

/// A script for [`with_fault`] with which the browser does not keep the site.
pub(crate) const KEEPS_NOTHING: &str = "ServiceWorkerContainer.prototype.register = () => \
                                        Promise.reject(new DOMException('no', 'SecurityError'));";

/// Creates a copy of the release that runs this script before anything else.
pub(crate) fn with_fault(script: &str) -> (TempDir, Site) {
    let folder = Release::copy();
    let page = folder.path().join("index.html");
    let html = fs::read_to_string(&page).expect("the copy can be read");
    let html = html.replace("<title>", "<script src=\"fault.js\"></script><title>");
    fs::write(&page, html).expect("the copy can be written");
    fs::write(folder.path().join("fault.js"), script).expect("the copy can be written");
    let site = Site::publish(folder.path(), "/");
    (folder, site)
}

/// Checks that the page answers, filters, and follows its addresses.
fn works(page: &Page<'_>) {
    page.open("?os=sequoia&os=ubuntu22.04");
    page.see_builds(121);
    page.toggle_facet("OS", "sequoia");
    page.see_query("?os=ubuntu22.04");
    page.see_builds(28);
    page.back();
    page.see_builds(121);
}

/// Checks that choices apply, but are forgotten if nothing may be stored.
fn works_and_forgets(page: &Page<'_>) {
    works(page);
    page.press("Colours: as in the system");
    page.see_element(&[("button", "Colours: light")]);
    page.press("My machine: any");
    page.type_into("Your machine in words, or the output of commands", "linux-ubuntu24.04-zen3");
    page.press("Show what runs");
    page.see_element(&[("button", "My machine: ubuntu24.04 · zen3")]);
    page.open("?os=sequoia");
    page.see_element(&[("button", "Colours: as in the system")]);
    page.see_builds(93);
}

#[test]
fn works_without_storage() {
    let site = Site::release();
    let page = Page::storing(&site, Storage::Refused);
    // Firefox reports on the console that it refused storage.
    page.expect_errors();
    works_and_forgets(&page);
}

#[test]
fn works_with_full_storage() {
    let site = Site::release();
    let page = Page::storing(&site, Storage::Full);
    // Both browsers report on the console that they have stored nothing.
    page.expect_errors();
    page.open("");
    page.ask(
        "for (let text = 'x'.repeat(1 << 20); text; text = text.slice(text.length / 2 + 0.5)) { \
           try { for (let i = 0; i < 20; i++) localStorage.setItem(`${text.length} ${i}`, text); } catch {} }",
    );
    works_and_forgets(&page);
    // A service worker that cannot keep everything keeps nothing, as soon as it notices.
    let kept = page.ask(
        "for (;;) {
           const worker = (await navigator.serviceWorker.getRegistration())?.installing;
           if (worker) await new Promise((changed) => worker.addEventListener('statechange', changed, { once: true }));
           const kept = (await caches.keys().catch(() => [])).length;
           if (!worker && !kept) return kept;
           await new Promise(requestAnimationFrame);
         }",
    );
    assert_eq!(kept, 0);
}

#[test]
fn works_without_https_except_offline() {
    let site = Site::release();
    let page = Page::at(&site.untrusted_url(), Width::Wide, Theme::Light);
    works(&page);
    assert_eq!(page.ask("return isSecureContext || 'serviceWorker' in navigator"), false);
    page.open("?hash=iy5fms5os6dnlfh4g235jcva6sdykpwp");
    page.press("Copy the hash");
    page.see("copied");
    // A page without https may not read what it has copied, but a user can paste it.
    page.paste_into("Search packages and specs");
    page.see_query("?q=iy5fms5os6dnlfh4g235jcva6sdykpwp");
}

#[test]
fn compares_the_digest_of_a_part_with_and_without_https() {
    let hashes = |cache: &Cache| {
        let files = fs::read_dir(cache.folder()).expect("the site can be read");
        let mut paths = files.map(|file| file.expect("a file").path());
        let is_it = |path: &PathBuf| path.to_string_lossy().contains("index-hashes-");
        paths.find(is_it).expect("the hashes are a file beside the page")
    };
    let (good, bad) = (Cache::of(3000), Cache::of(3000));
    let path = hashes(&bad);
    let text = fs::read_to_string(&path).expect("the hashes can be read");
    let (first, last) = text.split_at(text.len() - 2);
    let other = if last.starts_with('a') { 'b' } else { 'a' };
    fs::write(&path, format!("{first}{other}\"")).expect("the hashes can be written");
    for address in [|site: &Site| site.url(""), |site: &Site| site.untrusted_url()] {
        let page = Page::at(&address(&good.site), Width::Wide, Theme::Light);
        page.open("");
        page.see_builds(3000);
        page.ask("await spackCache.ready");
        let page = Page::at(&address(&bad.site), Width::Wide, Theme::Light);
        page.expect_errors();
        page.open("");
        page.see("Part of this cache's index could not be read");
        page.see("could not be fetched");
        page.see_builds(3000);
    }
}

#[test]
fn works_without_the_clipboard() {
    let (_folder, site) = with_fault(
        "Clipboard.prototype.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));",
    );
    let page = Page::of(&site, Width::Wide);
    page.open("?os=sequoia");
    page.press("Copy link");
    page.see("Not allowed");
    page.see_builds(93);
    page.see_element(&[("button", "Copy link")]);
}

#[test]
fn explains_that_webassembly_is_forbidden() {
    let site = Site::publish_by(&Release::folder(), "/", |_, headers| {
        headers.insert("content-security-policy", "script-src 'self'".parse().expect("a header"));
    });
    let page = Page::of(&site, Width::Narrow);
    page.expect_errors();
    page.open("");
    page.see("The explorer cannot run here");
    page.see("forbids it");
    page.fits();
    page.is_accessible();
}

#[test]
fn explains_that_there_is_no_webassembly() {
    let (_folder, site) = with_fault("delete window.WebAssembly;");
    let page = Page::of(&site, Width::Narrow);
    page.open("");
    page.see("The explorer cannot run here");
    page.see("It needs WebAssembly");
}

#[test]
fn works_without_service_workers() {
    let (_folder, site) = with_fault(KEEPS_NOTHING);
    let page = Page::of(&site, Width::Wide);
    works(&page);
    let registrations =
        page.ask("return (await navigator.serviceWorker.getRegistrations()).length");
    assert_eq!(registrations, 0);
}

#[test]
fn works_without_changing_the_address() {
    let (_folder, site) = with_fault(
        "History.prototype.pushState = History.prototype.replaceState = () => { throw new DOMException('no', 'SecurityError'); };",
    );
    let page = Page::of(&site, Width::Wide);
    page.open("?os=sequoia");
    page.toggle_facet("OS", "ubuntu22.04");
    page.see_builds(121);
}

/// Creates a release whose page is cut off in a part of the index.
fn cut_off(part: &str, after: usize) -> (TempDir, Site) {
    let folder = Release::copy();
    embed(folder.path(), &page_of("zlib", "plain"));
    let path = folder.path().join("index.html");
    let html = fs::read_to_string(&path).expect("the copy can be read");
    let begin = html.find(&format!("id=\"{part}\">")).expect("the page has that part");
    fs::write(&path, &html[..begin + part.len() + 5 + after]).expect("the copy can be written");
    let site = Site::publish(folder.path(), "/");
    (folder, site)
}

#[test]
fn reports_a_page_cut_off_within_the_index() {
    let (_folder, site) = cut_off("index", 30);
    let page = Page::of(&site, Width::Narrow);
    page.expect_errors();
    page.open("");
    page.see("This cache cannot be shown");
    page.see("Reload it, in case the download was cut off");
    page.fits();
}

#[test]
fn works_on_a_page_cut_off_within_the_hashes() {
    let (_folder, site) = cut_off("index-hashes", 6);
    let page = Page::of(&site, Width::Wide);
    page.expect_errors();
    page.open("?package=zlib");
    page.see("Part of this cache's index could not be read");
    page.see_builds(1);
    assert_eq!(page.ask("return spackCache.query('').builds"), json!(1));
}
