//! The words that the tests are written in, tried on a small page that is all theirs: a word that did nothing would
//! make every test that uses it pass.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tempfile::TempDir;

use crate::harness::{Page, Release, Site, Theme, Width};

const PAGE: &str = r#"<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>A page to try words on</title>
<main>
  <h1>Words</h1>
  <p data-testid="headline"><b>1,390 builds</b> of 4 packages</p>
  <label>Search <input type="search" id="search" oninput="typed.textContent = 'typed ' + this.value"></label>
  <output id="typed"></output>
  <button onclick="history.pushState(null, '', '?os=sequoia')">Choose</button>
  <button onclick="navigator.clipboard.writeText('abc')">Copy</button>
  <a href="?page=2">Next page</a>
  <button id="open" onclick="facets.hidden = false" hidden>Filters</button>
  <div id="facets">
    <fieldset><legend>OS</legend>
      <label><input type="checkbox"> sequoia <span>93</span></label>
      <label><input type="checkbox"> sequoia-beta <span>1,028</span></label>
    </fieldset>
    <section role="group" aria-label="Target"><label><input type="checkbox"> sequoia <span>7</span></label></section>
  </div>
  <p hidden>never seen</p>
  <table><tr><th>Hash</th></tr><tr><td>one</td></tr><tr><td>two</td></tr></table>
  <div id="broad"></div>
</main>
<script>
  if (innerWidth < 800) { facets.hidden = true; open_.hidden = false; }
</script>
"#;

fn publish() -> (TempDir, Site) {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let page = PAGE.replace("id=\"open\"", "id=\"open_\"");
    fs::write(folder.path().join("index.html"), page).expect("a page can be written");
    let site = Site::publish(folder.path(), "/");
    (folder, site)
}

#[test]
fn see_what_is_there() {
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
    page.fits();
}

#[test]
fn do_what_is_said() {
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
    page.type_into("Search", "");
    page.see_no("zlib");
    page.press("Copy");
    assert_eq!(page.copied(), "abc");
}

#[test]
fn follow_the_history() {
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
    page.reload();
    assert_eq!(page.query(), "?page=2");
}

#[test]
fn know_a_narrow_page_and_a_dark_one() {
    let (_folder, site) = publish();
    let page = Page::at(&site.url(""), Width::Narrow, Theme::Dark);
    page.open("");
    assert_eq!(page.ask("return innerWidth"), 360);
    let dark = "return matchMedia('(prefers-color-scheme: dark)').matches";
    assert_eq!(page.ask(dark), true);
    page.prefer(Theme::Light);
    page.see_no_element(&[("group", "OS")]);
    page.toggle_facet("OS", "sequoia");
    page.see_chosen("OS", "sequoia", true);
    assert!(page.screenshot("vocabulary").is_file());
    page.ask("broad.style.cssText = 'width: 2000px; height: 1px'");
    assert!(catch_unwind(AssertUnwindSafe(|| page.fits())).is_err());
}

#[test]
fn tell_of_errors_and_of_other_hosts() {
    let (_folder, site) = publish();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    assert_eq!(page.console(), Vec::<String>::new());
    page.ask(
        "console.error('something happened'); await fetch('http://example.org/').catch(() => {})",
    );
    let console = page.console().join("\n");
    assert!(console.contains("something happened"), "{console}");
    assert!(console.contains("example.org"), "{console}");
    let closed = catch_unwind(AssertUnwindSafe(|| drop(page)));
    assert!(closed.is_err(), "a page that wrote errors does not close as if nothing had been");
}

#[test]
fn name_what_was_made() {
    assert!(Release::command().is_file());
}
