//! The vocabulary of the tests, tried on a small page made for this purpose: a method that did nothing would make every
//! test that uses it pass.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tempfile::TempDir;

use crate::harness::{Key, Page, Release, Site, Theme, Width};

const PAGE: &str = r#"<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<style>.beside { visibility: hidden } li:hover .beside { visibility: visible }</style>
<title>A page to try words on</title>
<main>
  <h1>Words</h1>
  <p data-testid="total"><b>1,390 builds</b> of 4 packages</p>
  <label>Search <input type="search" id="search" oninput="typed.textContent = 'typed ' + this.value"></label>
  <output id="typed"></output>
  <button onclick="history.pushState(null, '', '?os=sequoia')">Choose</button>
  <button onclick="navigator.clipboard.writeText('abc')">Copy</button>
  <button onclick="typed.textContent = 'failing'; throw new Error('something happened')">Fail</button>
  <a href="?page=2">Next page</a>
  <button id="open_" onclick="facets.hidden = false; facets.role = 'dialog'" hidden>Filters</button>
  <aside id="facets" aria-label="Filters">
    <section aria-labelledby="os"><h2 id="os"><button aria-expanded="true">OS</button></h2>
      <li>
        <label><input type="checkbox" aria-label="sequoia"> sequoia <span>93</span></label>
        <span class="beside"><button aria-label="Only sequoia" onclick="typed.textContent = 'only'">only</button>
        <button aria-label="Not sequoia" onclick="typed.textContent = 'not'">not</button></span>
      </li>
      <label><input type="checkbox" aria-label="sequoia-beta"> sequoia-beta <span>1,028</span></label>
    </section>
    <section aria-labelledby="target"><h2 id="target">
      <button aria-expanded="false" onclick="ariaExpanded = true; list.hidden = false">Target <i>2 values</i></button></h2>
      <div id="list" hidden>
        <button onclick="whole.hidden = false; this.remove()">Show all 2</button>
        <label id="whole" hidden><input type="checkbox" aria-label="sequoia"> sequoia <span>7</span></label>
      </div>
    </section>
  </aside>
  <p hidden>never seen</p>
  <table><tr><th>Hash</th></tr><tr><td>one</td></tr><tr><td>two</td></tr></table>
  <div id="broad"></div>
</main>
<script>
  if (innerWidth < 800) { facets.hidden = true; open_.hidden = false; }
  onkeydown = (event) => { if (event.key === "Escape") facets.hidden = true; };
</script>
"#;

fn publish() -> (TempDir, Site) {
    let folder = TempDir::new().expect("a temporary folder can be made");
    fs::write(folder.path().join("index.html"), PAGE).expect("a page can be written");
    let site = Site::publish(folder.path(), "/");
    (folder, site)
}

#[test]
fn sees_what_is_there() {
    let (_folder, site) = publish();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.see("WORDS");
    page.see_no("never seen");
    page.see_builds(1390);
    page.see_packages(4);
    page.see_element(&[("heading", "Words")]);
    page.see_no_element(&[("button", "Filters")]);
    page.see_count("OS", "sequoia", 93);
    page.see_count("OS", "sequoia-beta", 1028);
    page.see_count("Target", "sequoia", 7);
    assert_eq!(page.texts(&[("table", ""), ("cell", "")]), ["one", "two"]);
    assert_eq!(page.number(&[("checkbox", "sequoia")]), 2);
    assert_eq!(page.number(&[("region", "")]), 2);
    page.fits();
}

#[test]
fn does_what_is_said() {
    let (_folder, site) = publish();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.toggle_facet("Target", "sequoia");
    page.see_chosen("Target", "sequoia", true);
    page.see_chosen("OS", "sequoia", false);
    page.type_into("Search", "hdf5");
    page.see("typed hdf5");
    page.type_into("Search", "zlib");
    page.see("typed zlib");
    page.type_keys("+");
    page.see("typed zlib+");
    page.type_keys(Key::Backspace);
    page.see_no("zlib+");
    page.type_into("Search", "");
    page.see_no("zlib");
    page.choose_only("OS", "sequoia");
    page.see("only");
    page.toggle_excluded("OS", "sequoia");
    page.see("not");
    page.press("Copy");
    assert_eq!(page.copied(), "abc");
}

#[test]
fn follows_the_history() {
    let (_folder, site) = publish();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.press("Choose");
    page.see_query("?os=sequoia");
    page.follow("Next page");
    page.see_query("?page=2");
    page.back();
    page.see_query("?os=sequoia");
    page.forward();
    page.see_query("?page=2");
    page.reload();
    page.see_query("?page=2");
}

#[test]
fn distinguishes_widths_and_themes() {
    let (_folder, site) = publish();
    let page = Page::at(&site.url(""), Width::Narrow, Theme::Dark);
    page.open("");
    assert_eq!(page.ask("return innerWidth"), 360);
    let dark = "return matchMedia('(prefers-color-scheme: dark)').matches";
    assert_eq!(page.ask(dark), true);
    page.prefer(Theme::Light);
    page.see_no_element(&[("region", "OS")]);
    page.toggle_facet("OS", "sequoia");
    page.see_chosen("OS", "sequoia", true);
    page.close_filters();
    page.see_no_element(&[("region", "OS")]);
    assert!(page.screenshot("vocabulary").is_file());
    page.ask("broad.style.cssText = 'width: 2000px; height: 1px'");
    assert!(catch_unwind(AssertUnwindSafe(|| page.fits())).is_err());
}

#[test]
fn reports_errors_and_other_hosts() {
    let (_folder, site) = publish();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    assert_eq!(page.console(), Vec::<String>::new());
    let fetched = "return fetch('http://example.org/').then(() => 'there', () => 'not there')";
    assert_eq!(page.ask(fetched), "not there");
    page.press("Fail");
    page.see("failing");
    let console = page.console().join("\n");
    assert!(console.contains("something happened"), "{console}");
    let closed = catch_unwind(AssertUnwindSafe(|| drop(page)));
    assert!(closed.is_err(), "a page that wrote errors does not close as if nothing had been");
}

/// Leaves traces in every way that a page can.
const LEAVE: &str = "
    localStorage.setItem('left', 'behind');
    sessionStorage.setItem('left', 'behind');
    document.cookie = 'left=behind; max-age=1000';
    await (await caches.open('left')).add('worker.js');
    await new Promise((done) => { indexedDB.open('left').onsuccess = done; });
    await navigator.serviceWorker.register('worker.js');
    await navigator.serviceWorker.ready;
    history.pushState(null, '', '?left=behind');
    console.warn('left behind');
    window.name = 'left behind'";

/// Returns the traces that remain.
const LEFT: &str = "
    return {
      stored: localStorage.length + sessionStorage.length,
      cookies: document.cookie,
      kept: (await caches.keys()).length,
      databases: (await indexedDB.databases()).length,
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      history: history.length,
      name: window.name,
      wide: innerWidth,
      dark: matchMedia('(prefers-color-scheme: dark)').matches,
    }";

#[test]
fn finds_no_traces_of_an_earlier_page() {
    let (folder, site) = publish();
    fs::write(folder.path().join("worker.js"), "onfetch = () => {}").expect("a worker");
    let page = Page::of(&site, Width::Wide);
    page.open("");
    let before = page.ask(LEFT);
    drop(page);
    let page = Page::at(&site.url(""), Width::Narrow, Theme::Dark);
    page.open("");
    page.ask(LEAVE);
    page.press("Copy");
    assert_eq!(page.copied(), "abc");
    assert_ne!(page.ask(LEFT), before);
    drop(page);
    let page = Page::of(&site, Width::Wide);
    page.open("");
    assert_eq!(page.ask(LEFT), before);
    assert_eq!(page.console(), Vec::<String>::new());
}

#[test]
fn names_the_output_of_make_dist() {
    assert!(Release::command().is_file());
}
