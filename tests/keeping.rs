//! What the browser keeps of a user's own caches: after a reload, in several tabs, and where storage is refused or full.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::harness::{Key, Page, Release, Site, Storage, Width};
use crate::opening::{choose, on_the_release, pages, see_opened};

/// Writes an index with 20,000 builds.
fn large(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("large.json");
    let mut command = Command::new(Release::command());
    let made = command.args(["generate", "--builds", "20000", "-o"]).arg(&path).output();
    assert!(made.expect("the command runs").status.success());
    path
}

#[test]
fn keeps_a_cache_after_a_reload_one_click_from_the_published_one() {
    on_the_release(|page, folder| {
        page.open("?os=sequoia");
        page.see_builds(93);
        choose(page, &pages(folder, &["aaa", "bbb"]));
        see_opened(page, "aaa.md and bbb.md");
        let opened = page.query();
        page.see_builds(2);
        let at_once =
            "await spackCache.ready; return performance.getEntriesByName('rest-at-once').length";
        assert_eq!(page.ask(at_once), 0, "the rest of the app was loaded before the answer");
        page.follow("aaa");
        page.see_query(&format!("{opened}&package=aaa"));
        page.reload();
        page.see_element(&[("heading", "aaa")]);
        page.follow("Published cache");
        page.see_builds(390);
        page.see("Your caches:");
        page.follow("aaa.md and bbb.md");
        page.see_query(&opened);
        page.see_builds(2);
        page.back();
        page.see_builds(390);
        page.back();
        page.see_element(&[("heading", "aaa")]);
    });
}

#[test]
fn says_that_the_same_was_opened_under_another_name() {
    on_the_release(|page, folder| {
        let file = pages(folder, &["aaa"]).remove(0);
        let copy = file.with_file_name("copy.md");
        fs::copy(&file, &copy).expect("a copy");
        page.open("");
        for (file, name) in [(file, "aaa.md"), (copy, "copy.md")] {
            choose(page, &[file]);
            see_opened(page, name);
        }
        page.press("Open…");
        page.see_element(&[("dialog", "Open a cache"), ("link", "copy.md")]);
        page.see("the same was opened as aaa.md");
        page.fits();
    });
}

#[test]
fn removes_caches_one_by_one_and_all_at_once() {
    on_the_release(|page, folder| {
        page.open("");
        for file in pages(folder, &["aaa", "bbb", "ccc"]) {
            let name = file.file_name().expect("a name").to_string_lossy().into_owned();
            choose(page, &[file]);
            see_opened(page, &name);
        }
        page.press("Open…");
        let dialog = ("dialog", "Open a cache");
        let focused = "return document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText";
        // The first press only asks, and moving the focus away cancels the question.
        page.press("Remove aaa.md");
        page.see("Really remove?");
        page.fits();
        page.type_keys(Key::Tab);
        page.see_no("Really remove?");
        page.see_element(&[dialog, ("link", "aaa.md")]);
        // The newest is listed first.
        page.press("Remove bbb.md");
        page.press("Really remove bbb.md?");
        page.see_no_element(&[dialog, ("link", "bbb.md")]);
        page.see_element(&[dialog, ("link", "ccc.md")]);
        assert_eq!(page.ask(focused), "Remove aaa.md");
        page.press("Remove all 2 caches");
        page.see_element(&[dialog, ("link", "aaa.md")]);
        page.press("Really remove all 2 caches?");
        page.see_no_element(&[("heading", "Your caches")]);
        page.open("");
        page.see_builds(390);
        page.see_no("Your caches");
    });
}

#[test]
fn says_that_the_cache_on_the_page_has_been_removed() {
    on_the_release(|page, folder| {
        page.open("");
        choose(page, &pages(folder, &["aaa"]));
        see_opened(page, "aaa.md");
        page.see("It stays on this device");
        page.press("Open…");
        page.press("Remove aaa.md");
        page.press("Really remove aaa.md?");
        // The dialog becomes smaller, so what is in it moves.
        page.see_no_element(&[("heading", "Your caches")]);
        page.type_keys(Key::Escape);
        page.see_no_element(&[("dialog", "Open a cache")]);
        page.see_no("It stays on this device");
        page.see("It has been removed from this device");
        page.see_builds(1);
        page.fits();
        page.follow("Go to the published cache");
        page.see_builds(390);
        page.see_no("removed from this device");
        // A cache that is opened again is kept again.
        choose(page, &pages(folder, &["aaa"]));
        see_opened(page, "aaa.md");
        page.see("It stays on this device");
    });
}

#[test]
fn renames_caches() {
    on_the_release(|page, folder| {
        page.open("");
        let file = pages(folder, &["aaa"]);
        choose(page, &file);
        see_opened(page, "aaa.md");
        page.press("Open…");
        let dialog = ("dialog", "Open a cache");
        page.press("Rename aaa.md");
        page.fits();
        page.type_into("New name of aaa.md", "not this");
        page.type_keys(Key::Escape);
        page.see_element(&[dialog, ("link", "aaa.md")]);
        page.press("Rename aaa.md");
        page.type_into("New name of aaa.md", "Our mirror\n");
        page.see_element(&[dialog, ("link", "Our mirror")]);
        page.type_keys(Key::Escape);
        page.see_no_element(&[dialog]);
        page.see("Our mirror, opened here");
        // The name stays when the same file is opened again.
        page.follow("Published cache");
        page.see_builds(390);
        choose(page, &file);
        see_opened(page, "Our mirror");
        page.open("");
        page.follow("Our mirror");
        page.see_builds(1);
    });
}

#[test]
fn tells_files_of_the_same_name_apart() {
    on_the_release(|page, folder| {
        page.open("");
        let dialog = ("dialog", "Open a cache");
        for (package, name) in [("aaa", "same.md"), ("bbb", "same.md (2)"), ("ccc", "same.md (3)")]
        {
            let file = pages(folder, &[package]).remove(0);
            let same = file.with_file_name("same.md");
            fs::rename(&file, &same).expect("the file can be renamed");
            choose(page, &[same]);
            see_opened(page, name);
        }
        // The same file is the same cache.
        choose(page, &[folder.path().join("same.md")]);
        see_opened(page, "same.md (3)");
        page.press("Open…");
        for name in ["same.md", "same.md (2)", "same.md (3)"] {
            page.see_element(&[dialog, ("link", name)]);
            page.see_element(&[dialog, ("button", &format!("Rename {name}"))]);
        }
        page.see_no("same.md (4)");
    });
}

#[test]
fn explains_a_link_to_a_cache_that_is_not_on_this_device() {
    let site = Site::release();
    let folder = TempDir::new().expect("a folder");
    let files = pages(&folder, &["aaa", "bbb"]);
    let page = Page::of(&site, Width::Wide);
    page.open("");
    choose(&page, &files);
    see_opened(&page, "aaa.md and bbb.md");
    page.see("whoever gets a link to it needs the same file");
    page.follow("bbb");
    page.see_element(&[("heading", "bbb")]);
    let link = page.query();
    // Removes the cache, to be like another user who has the files, but not the cache.
    page.press("Open…");
    page.press("Remove aaa.md and bbb.md");
    page.press("Really remove aaa.md and bbb.md?");
    page.see_no_element(&[("heading", "Your caches")]);
    page.open(&link);
    page.see("This cache is not on this device");
    choose(&page, &files);
    page.see_element(&[("heading", "bbb")]);
    page.see_query(&link);
}

#[test]
fn shows_a_cache_for_one_visit_if_storage_is_refused() {
    let site = Site::release();
    let page = Page::storing(&site, Storage::Refused);
    // Firefox reports on the console that it refused storage.
    page.expect_errors();
    let folder = TempDir::new().expect("a folder");
    page.open("");
    page.see_builds(390);
    choose(&page, &pages(&folder, &["aaa", "bbb"]));
    see_opened(&page, "aaa.md and bbb.md");
    page.see("it will be gone when you leave it");
    page.see_builds(2);
    page.follow("aaa");
    page.see_element(&[("heading", "aaa")]);
}

#[test]
fn shows_a_cache_for_one_visit_if_storage_is_full() {
    let site = Site::release();
    let page = Page::storing(&site, Storage::Full);
    // The browser reports on the console what it has not stored.
    page.expect_errors();
    let folder = TempDir::new().expect("a folder");
    let path = large(&folder);
    page.open("");
    page.see_builds(390);
    choose(&page, &[path]);
    see_opened(&page, "large.json");
    page.see("it will be gone when you leave it");
    page.see_builds(20_000);
    // The cache is not in the list of those that are kept.
    page.follow("Published cache");
    page.see_builds(390);
    page.see_no("large.json");
}

#[test]
fn shows_a_cache_for_one_visit_unless_a_step_cannot_take_it() {
    let site = Site::release();
    let page = Page::storing(&site, Storage::Refused);
    // Firefox reports on the console that it refused storage.
    page.expect_errors();
    let folder = TempDir::new().expect("a folder");
    let path = large(&folder);
    page.open("");
    page.see_builds(390);
    page.limit_steps();
    choose(&page, &[path]);
    page.see_element(&[("dialog", "There is no room for it")]);
    page.see("The command shows it too: cache-explorer open");
    // Nothing else has changed.
    page.press("Close");
    page.see_builds(390);
}

#[test]
fn copies_a_link_whose_receiver_needs_the_same_file() {
    on_the_release(|page, folder| {
        page.open("");
        choose(page, &pages(folder, &["aaa", "bbb"]));
        see_opened(page, "aaa.md and bbb.md");
        page.press("Copy link");
        page.see("whoever gets a link to it needs the same file");
        let copied = page.copied();
        assert!(copied.ends_with(&page.query()) && copied.contains("?cache="), "{copied}");
    });
}

#[test]
fn gives_each_tab_its_cache_and_all_tabs_one_list() {
    on_the_release(|page, folder| {
        page.open("");
        choose(page, &pages(folder, &["aaa"]));
        see_opened(page, "aaa.md");
        page.in_new_tab("", |page| {
            page.see_builds(390);
            page.see("Your caches:");
            choose(page, &pages(folder, &["bbb"]));
            see_opened(page, "bbb.md");
            page.see_element(&[("link", "aaa.md")]);
        });
        page.see_element(&[("link", "bbb.md")]);
        page.see_builds(1);
        see_opened(page, "aaa.md");
    });
}

/// When the user leaves a page, it aborts what it is reading from the storage. A read that has just finished cannot be
/// aborted any more.
#[test]
fn says_nothing_of_a_page_that_is_left_while_it_reads() {
    on_the_release(|page, folder| {
        page.open("");
        choose(page, &pages(folder, &["aaa"]));
        see_opened(page, "aaa.md");
        let left = page.ask(
            "const { getAll } = IDBObjectStore.prototype; \
             const left = new Promise((resolve) => { \
                 IDBObjectStore.prototype.getAll = function () { \
                     const request = getAll.call(this); \
                     this.transaction.commit(); \
                     dispatchEvent(new Event('pagehide')); \
                     resolve(true); \
                     return request; \
                 }; \
             }); \
             new BroadcastChannel('spack build caches').postMessage('changed'); \
             return left",
        );
        assert_eq!(left, true);
        page.see_element(&[("link", "Published cache")]);
    });
}
