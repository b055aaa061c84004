//! The first view of a published cache, which its page has as HTML and shows until the app has started.

use std::fs;

use serde_json::json;

use tempfile::TempDir;

use crate::harness::{Cache, Page, Release, Site, Width};
use crate::opening::{choose, pages};
use crate::publishing::{embed, page_of};

fn cache() -> Cache {
    Cache::of_data(&["database/v8.json"])
}

/// Publishes the page of a cache without the script that starts its app, as if the network had not delivered it.
fn without_app(cache: &Cache) -> Site {
    let path = cache.folder().join("index.html");
    let page = fs::read_to_string(&path).expect("the page can be read");
    // Until the app has started, the page says that it is busy, and the tests would wait.
    let page =
        page.replace("src=\"./loader", "data-src=\"./loader").replace(" aria-busy=\"true\"", "");
    fs::write(path, page).expect("the page can be written");
    Site::publish(cache.folder(), "/")
}

/// Starts the app of such a page.
const START: &str = "
    const loader = document.createElement('script');
    loader.src = document.querySelector('[data-src]').dataset.src;
    document.body.append(loader);
    await new Promise((loaded) => loader.addEventListener('load', loaded));
    await spackCache.ready";

#[test]
fn shows_the_packages_before_the_app_has_started() {
    let cache = cache();
    let site = without_app(&cache);
    Page::at_widths(&site, &[Width::Narrow, Width::Wide], |page| {
        page.open("");
        page.see_element(&[("link", "openblas")]);
        page.see_no("Loading…");
        page.fits();
    });
}

#[test]
fn shows_no_packages_at_an_address_that_asks_for_something() {
    let cache = cache();
    let site = without_app(&cache);
    let page = Page::of(&site, Width::Wide);
    page.open("?os=none");
    page.see("Loading…");
    page.see_no("openblas");
    // Nor does it show them if the device remembers a machine.
    page.ask(r#"localStorage.setItem("machine", '"linux.ubuntu24.04.zen4"')"#);
    page.open("");
    page.see("Loading…");
    page.see_no("openblas");
}

#[test]
fn shows_the_same_as_the_app() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.ask("await spackCache.ready");
    // For each list: what the page had from the start, and what the app has drawn.
    let same = page.ask(
        "const source = await (await fetch(location.pathname)).text();
        const before = new DOMParser().parseFromString(source, 'text/html').getElementById('first');
        const now = document.getElementById('app');
        return Object.fromEntries(['h1', '.facet h2', '.value label', 'tbody th', 'tbody td', '.brand', 'main summary'].map((some) => {
          const texts = (root) => [...root.querySelectorAll(some)].map((one) => one.textContent);
          return [some, [texts(before), texts(now)]];
        }))",
    );
    for (place, texts) in same.as_object().expect("an object") {
        let [before, now] = texts.as_array().expect("two lists").as_slice() else {
            panic!("{texts}")
        };
        assert_ne!(before, &json!([]), "{place}");
        assert_eq!(before, now, "{place}");
    }
}

#[test]
fn repeats_in_the_app_what_a_person_did_before() {
    let cache = cache();
    let site = without_app(&cache);
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.toggle_facet("Compiler", "gcc@11.4.0");
    page.ask(START);
    page.see_chosen("Compiler", "gcc@11.4.0", true);
    page.see_builds(3);
}

#[test]
fn does_not_take_what_a_browser_restores_for_a_click() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.toggle_facet("Compiler", "gcc@11.4.0");
    page.see_builds(3);
    page.reload();
    page.see_chosen("Compiler", "gcc@11.4.0", true);
    page.see_builds(3);
    // The page has no query, but the browser restores a ticked box on it.
    page.back();
    page.see_chosen("Compiler", "gcc@11.4.0", false);
    page.ask("document.querySelector('[aria-label=\"gcc@11.4.0\"]').checked = true");
    page.reload();
    page.ask("await spackCache.ready");
    page.see_query("");
    page.see_chosen("Compiler", "gcc@11.4.0", false);
}

#[test]
fn takes_over_the_elements_that_are_there() {
    let cache = cache();
    let site = without_app(&cache);
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.ask(
        "window.before = [...document.querySelectorAll('#first :is(.value, tr.row, .total)')];
        document.querySelector('tr.row [aria-label=openblas]').focus()",
    );
    page.ask(START);
    page.see_focused("?package=openblas");
    assert_ne!(page.ask("return before.length"), 0);
    let lost = "return before.filter((it) => !it.isConnected).map((it) => it.outerHTML)";
    assert_eq!(page.ask(lost), json!([]));
    // The elements also follow what is chosen afterwards.
    page.toggle_facet("Compiler", "gcc@11.4.0");
    page.see_builds(3);
    page.see_count("Compiler", "gcc@11.4.0", 3);
    let shares = "return before.filter((element) => element.matches('.value'))
        .every((value) => value.style.getPropertyValue('--share') === value.dataset.style.split(':')[1])";
    assert_eq!(page.ask(shares), true);
}

#[test]
fn draws_what_another_version_has_left_out() {
    let cache = cache();
    let path = cache.folder().join("index.html");
    let page = fs::read_to_string(&path).expect("the page can be read");
    // Elements without names: one is missing, and one has other contents.
    let older = page.replace(" data-key=", " data-old=").replace("id=\"summary\"", "");
    fs::write(path, older).expect("the page can be written");
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.ask("await spackCache.ready");
    page.see_element(&[("link", "openblas")]);
    page.toggle_facet("Compiler", "gcc@11.4.0");
    page.see_builds(3);
    page.see_chosen("Compiler", "gcc@11.4.0", true);
    page.back();
    page.follow("openblas");
    page.see_query("?package=openblas");
}

#[test]
fn keeps_a_place_for_the_list_of_opened_caches() {
    let cache = cache();
    let site = without_app(&cache);
    let folder = TempDir::new().expect("a folder");
    Page::at_widths(&site, &[Width::Narrow, Width::Wide], |page| {
        let masthead = "return document.querySelector('.masthead').getBoundingClientRect().top";
        page.open("");
        assert_eq!(page.ask(masthead), 0);
        page.ask(START);
        choose(page, &pages(&folder, &["aaa"]));
        page.see("Loading…");
        page.open("");
        let before = page.ask(masthead);
        page.see_element(&[("link", "openblas")]);
        page.ask(START);
        page.see_element(&[("navigation", "Caches"), ("link", "aaa.md")]);
        assert_eq!(page.ask(masthead), before);
        page.fits();
        // A list with more caches does not take more room.
        for name in ["bbb", "ccc", "ddd", "eee"] {
            choose(page, &pages(&folder, &[name]));
            page.see("Loading…");
            page.open("");
            page.ask(START);
        }
        page.see_element(&[("button", "More…")]);
        assert_eq!(page.ask(masthead), before);
        page.fits();
    });
}

#[test]
fn has_the_first_view_in_the_single_file() {
    let folder = Release::copy_with_single_file();
    embed(folder.path(), &page_of("zlib", "plain"));
    let page = folder.path().join("explorer.html");
    let page = fs::read_to_string(page).expect("the page can be read");
    assert!(page.contains("<div id=\"first\" aria-busy=\"true\">"));
}
