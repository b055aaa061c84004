//! What the page may do: load its own files, and nothing from anywhere else.

use serde_json::{Value, json};

use crate::harness::{Page, Release, Site, Theme, Width, file_url};
use crate::views::VIEWS;

/// The addresses of everything that a page has loaded.
const LOADED: &str = "return performance.getEntriesByType('resource').map(({ name }) => name)";

/// Opens every view; violations would be on the console, and fail the test.
fn loads_only(page: &Page<'_>, allowed: &str) {
    for (name, address) in VIEWS {
        page.open(address);
        let loaded = page.ask(LOADED);
        let loaded: Vec<_> =
            loaded.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let others: Vec<_> = loaded.into_iter().filter(|url| !url.starts_with(allowed)).collect();
        assert!(others.is_empty(), "{name}: {others:?}");
    }
}

#[test]
fn contacts_no_other_host_in_any_view() {
    let site = Site::publish(&Release::folder(), "/deep/");
    let page = Page::of(&site, Width::Wide);
    loads_only(&page, &site.url(""));
    let loaded = page.ask(LOADED);
    assert!(loaded.to_string().contains("_bg.wasm"), "{loaded}");
}

#[test]
fn loads_nothing_in_the_single_file() {
    let file = file_url(&Release::single_file());
    let page = Page::at(&file, Width::Wide, Theme::Light);
    loads_only(&page, "data:");
}

/// Tries what an injected script would, and returns the directives that prevented it.
const TRY_ALL: &str = "
    const forbidden = new Set();
    const all = new Promise((resolve) => addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
      forbidden.add(effectiveDirective);
      if (forbidden.size === 12) resolve();
    }));
    const add = (tag, attributes, content = '') => {
      const element = document.createElement(tag);
      for (const name in attributes) element.setAttribute(name, attributes[name]);
      element.append(content);
      document.body.append(element);
      return element;
    };
    add('script', {}, 'document.title = \"ran\"');
    add('script', { src: 'https://example.org/a.js' });
    add('button', { onclick: 'document.title = \"ran\"' }).click();
    add('a', { href: 'javascript:document.title = \"ran\"' }).click();
    add('p', { style: 'color: red' });
    add('style', {}, 'p { color: red }');
    add('link', { rel: 'stylesheet', href: 'https://example.org/a.css' });
    add('img', { src: 'https://example.org/a.png' });
    add('iframe', { src: 'https://example.org/' });
    add('object', { data: 'https://example.org/a.swf' });
    add('video', { src: 'https://example.org/a.mp4' });
    document.head.append(add('base', { href: 'https://example.org/' }));
    await fetch('https://example.org/').catch(() => {});
    try { new Worker('data:text/javascript,'); } catch {}
    // Firefox also throws an error.
    try { add('form', { action: 'https://example.org/' }).submit(); } catch {}
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 10_000))]);
    return [document.title === 'ran', [...forbidden].sort()]";

#[test]
fn prevents_what_an_injected_script_would_do() {
    let site = Site::release();
    let single = file_url(&Release::single_file());
    for address in [site.url(""), single] {
        let page = Page::at(&address, Width::Wide, Theme::Light);
        page.expect_errors();
        page.open("");
        let tried = page.ask(TRY_ALL);
        let forbidden = json!([
            "base-uri",
            "connect-src",
            "form-action",
            "frame-src",
            "img-src",
            "media-src",
            "object-src",
            "script-src-attr",
            "script-src-elem",
            "style-src-attr",
            "style-src-elem",
            "worker-src",
        ]);
        assert_eq!(tried, json!([false, forbidden]), "{address}");
    }
}
