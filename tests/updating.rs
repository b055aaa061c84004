//! My environment and What changed, while filters change and more becomes known: the focus stays, and new answers are read
//! out.

use serde_json::json;

use crate::environment::{choose, compare, sample};
use crate::harness::{Cache, Page, Site, Width};

/// Keeps the page from being painted, so that work that waits for that does not go on.
const HOLD_FRAMES: &str = "
    window.held = [];
    window.nextFrame = window.requestAnimationFrame;
    window.requestAnimationFrame = (draw) => window.held.push(draw)";
const RELEASE_FRAMES: &str = "
    window.requestAnimationFrame = window.nextFrame;
    for (const draw of window.held) window.requestAnimationFrame(draw)";

#[test]
fn keeps_the_focus_when_an_environment_has_been_compared() {
    let cache = Cache::of_data(&["environment/workstation/index.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?environment=");
    page.see("How much of your environment is in this cache?");
    page.ask(HOLD_FRAMES);
    choose(&page, &sample("workstation/spack.lock"));
    page.see("Comparing with the builds of the cache…");
    page.type_into("Name has", "figlet");
    page.ask(RELEASE_FRAMES);
    page.see_no("Comparing with the builds of the cache…");
    let focused = "const { activeElement: it } = document; return [it.labels?.[0].innerText.trim(), it.value]";
    assert_eq!(page.ask(focused), json!(["Name has", "figlet"]));
    page.see_element(&[("row", "figlet@2.2.5"), ("cell", "none")]);
}

/// Waits until the headline has been read out. It must have these words, and differ from the one before.
#[track_caller]
fn see_read_out(page: &Page<'_>, words: &str, before: &str) {
    let script = "return [document.querySelector('main [data-testid=total]').textContent, \
                  [...document.querySelectorAll('main p.heard[role=status]')].map((it) => it.textContent)]";
    page.see_that(&format!("'{words}' to be read out"), script, |found| {
        let total = found[0].as_str().unwrap_or_default();
        let is_new = total.contains(words) && total != before;
        let said = found[1].as_array();
        match is_new && said.is_some_and(|said| said.contains(&found[0])) {
            true => Ok(()),
            false => Err(format!("headline and what was read out: {found}")),
        }
    });
}

#[test]
fn reads_out_what_a_filter_leaves() {
    let data = ["environment/dev-path/index.json", "environment/zlib-only/index.json"];
    let cache = Cache::published_as(&["--release", "develop"], &data);
    let page = Page::of(&cache.site, Width::Wide);
    compare(&page, "dev-path/spack.lock", "19 of 20 specs are in the cache");
    page.toggle_facet("Compiler", "none");
    see_read_out(&page, "3 of 20 specs are in the cache", "");
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?changes=develop/ml-linux-x86_64-cpu..develop/ml-linux-x86_64-cuda");
    page.see("stayed");
    let before = page.texts(&[("test", "total")]).remove(0);
    page.type_into("Search packages and specs", "py-safetensors");
    see_read_out(&page, "stayed", &before);
}
