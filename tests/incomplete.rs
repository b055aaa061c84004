//! A site that did not arrive completely: each loss is explained with what to do, and scripts are notified too.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use crate::harness::{Page, Release, Site, Width};
use crate::publishing::{embed, page_of};

/// Creates a copy of the release with a cache in it.
fn published() -> TempDir {
    let folder = Release::copy();
    embed(folder.path(), &page_of("zlib", "plain"));
    folder
}

/// Creates a copy whose page is cut off: where a text starts, or this many bytes after its end.
fn cut_off(at: &str, after: Option<usize>) -> TempDir {
    let folder = published();
    let path = folder.path().join("index.html");
    let html = fs::read_to_string(&path).expect("the copy can be read");
    let begin = html.find(at).expect("the page has that text");
    let end = after.map_or(begin, |after| begin + at.len() + after);
    fs::write(&path, &html[..end]).expect("the copy can be written");
    folder
}

/// Creates a release with something else in place of the file with this ending.
fn with_other(ending: &str, change: fn(Vec<u8>) -> Vec<u8>) -> TempDir {
    let folder = Release::copy();
    let html = fs::read_to_string(folder.path().join("index.html")).expect("the page can be read");
    let named = html.split('"').map(|name| name.trim_start_matches("./"));
    let name = named
        .into_iter()
        .find(|name| name.contains("cache-explorer-site") && name.ends_with(ending));
    let path = folder.path().join(name.expect("the page names such a file"));
    let bytes = fs::read(&path).expect("the copy can be read");
    fs::write(&path, change(bytes)).expect("the copy can be written");
    folder
}

/// Checks that the page shows these words, that nothing runs, and that scripts which wait for it are notified.
#[track_caller]
fn fails_with(folder: &TempDir, words: &[&str]) {
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Narrow);
    page.expect_errors();
    page.open("");
    page.see_element(&[("alert", "")]);
    for words in words {
        page.see(words);
    }
    page.fits();
    let outcome = page.ask("return spackCache.ready.then(() => 'fulfilled', () => 'rejected')");
    assert_eq!(outcome, json!("rejected"));
}

const INDEX: &str = "<script type=\"application/json\" id=\"index\">";
const HASHES: &str = "<script type=\"application/json\" id=\"index-hashes\">";

#[test]
fn shows_no_sample_on_a_page_cut_off_before_its_index() {
    let words = ["This cache cannot be shown", "cut off before this part", "Reload it"];
    fails_with(&cut_off(INDEX, None), &words);
}

#[test]
fn reports_a_page_cut_off_within_its_index() {
    for after in [0, 1, 200] {
        fails_with(&cut_off(INDEX, Some(after)), &["This cache cannot be shown", "cut off"]);
    }
}

#[test]
fn works_without_hashes_that_were_cut_off() {
    for (after, words) in [(None, "cut off before this part"), (Some(17), "16 of 34 characters")] {
        let folder = cut_off(HASHES, after);
        let site = Site::publish(folder.path(), "/");
        let page = Page::of(&site, Width::Wide);
        page.expect_errors();
        page.open("");
        page.see(if after.is_none() { words } else { "characters arrived" });
        page.see("Reload the page");
        page.see_builds(1);
        let outcome = page.ask("return spackCache.ready.then(() => 'fulfilled', () => 'rejected')");
        assert_eq!(outcome, json!("rejected"));
        assert_eq!(page.ask("return spackCache.query('').builds"), json!(1));
    }
}

#[test]
fn shows_the_sample_on_a_page_without_an_index() {
    let page_of_release = fs::read_to_string(Release::folder().join("index.html")).expect("a page");
    assert!(!page_of_release.contains("id=\"parts\""));
}

#[test]
fn reports_another_file_in_place_of_the_glue() {
    let changes: [fn(Vec<u8>) -> Vec<u8>; 3] = [
        |_| b"<!doctype html><title>Not found</title>".to_vec(),
        |_| Vec::new(),
        |mut glue| {
            glue.truncate(glue.len() / 2);
            glue
        },
    ];
    for change in changes {
        fails_with(&with_other(".js", change), &["The explorer did not load", "arrived damaged"]);
    }
}

#[test]
fn reports_another_file_in_place_of_the_module() {
    let changes: [fn(Vec<u8>) -> Vec<u8>; 3] = [
        |_| b"<!doctype html><title>Not found</title>".to_vec(),
        |mut module| {
            module.truncate(module.len() / 2);
            module
        },
        |mut module| {
            let middle = module.len() / 2;
            module[middle..middle + 64].fill(0xff);
            module
        },
    ];
    for change in changes {
        fails_with(&with_other(".wasm", change), &["The explorer did not load", "arrived damaged"]);
    }
}

#[test]
fn shows_nothing_that_may_be_wrong_after_a_panic() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.expect_errors();
    page.open("?os=sequoia");
    page.see_builds(93);
    // What a WebDriver script throws reaches the page without its cause, so the event is created here: in Firefox, of the page's
    // own types, which are not those of the script.
    page.ask(
        "const own = window.wrappedJSObject ?? window;
         const error = new own.WebAssembly.RuntimeError('unreachable');
         own.dispatchEvent(new own.ErrorEvent('error', { error, message: String(error) }))",
    );
    page.see("The explorer stopped");
    page.see_no("sequoia");
    page.see_element(&[("button", "Reload")]);
    page.is_accessible();
    let asked =
        page.ask("try { spackCache.query(''); return '' } catch (error) { return error.message }");
    assert_eq!(asked, json!("the explorer stopped; reload the page"));
    page.press("Reload");
    page.see_builds(93);
}

#[test]
fn accepts_queries_of_every_kind_and_rejects_others() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see_builds(390);
    for (asked, builds) in [
        ("", 390),
        ("undefined", 390),
        ("null", 390),
        ("'?os=sequoia'", 93),
        ("new URLSearchParams()", 390),
        ("new URLSearchParams('os=sequoia&os=ubuntu22.04')", 121),
        ("{}", 390),
        ("{ os: 'sequoia' }", 93),
        ("{ os: ['sequoia', 'ubuntu22.04'] }", 121),
        ("Object.assign(Object.create(null), { os: ['sequoia'] })", 93),
        ("{ os: [] }", 390),
    ] {
        let found = page.ask(&format!("return spackCache.query({asked}).builds"));
        assert_eq!(found, json!(builds), "{asked}");
    }
    for asked in [
        "1",
        "true",
        "Symbol()",
        "1n",
        "[]",
        "['os=sequoia']",
        "() => 1",
        "new Date()",
        "new Map()",
        "document",
        "{ os: {} }",
        "{ os: [[]] }",
        "{ os: null }",
    ] {
        for call in ["query", "builds"] {
            let refused = page.ask(&format!(
                "try {{ return spackCache.{call}({asked}) }} catch (error) {{ return error.name }}"
            ));
            assert_eq!(refused, json!("TypeError"), "{call}({asked})");
        }
    }
    let refused =
        page.ask("try { return spackCache.builds('', '1') } catch (error) { return error.name }");
    assert_eq!(refused, json!("TypeError"));
    let count = page.ask("return [spackCache.builds('', -1, NaN), spackCache.builds('', 380, 1e9)].map((l) => l.length)");
    assert_eq!(count, json!([0, 10]));
}
