//! Lists that are changed in place: whatever their elements were before, they become what is written, and those that stay
//! keep the focus.

use std::fs;

use crate::harness::{Cache, Page, Site, Width};

/// What is done to the facets before the app writes them again, and whether the focused box must keep the focus.
const CASES: [(&str, &str, bool); 10] = [
    ("nothing", "", true),
    ("texts changed", "all('.count, h2 span').forEach((it) => { it.textContent = 'x' })", true),
    (
        "attributes changed",
        "all('.value').forEach((it) => { it.className = 'x'; it.title = 'x'; it.removeAttribute('data-style') })",
        true,
    ),
    ("values gone", "all('.value:nth-child(even)').forEach((it) => it.remove())", true),
    (
        "another value",
        "all('ul').forEach((it) => { it.insertAdjacentHTML('afterbegin', '<li class=value data-key=x>x</li>') })",
        true,
    ),
    (
        "facets without their contents",
        "all('section').forEach((it) => { it.textContent = '' })",
        false,
    ),
    (
        "values in reverse",
        "all('ul').forEach((it) => it.append(...[...it.children].reverse()))",
        false,
    ),
    ("no keys", "all('[data-key]').forEach((it) => it.removeAttribute('data-key'))", false),
    (
        "other elements",
        "all('h2, ul').forEach((it) => it.replaceWith(document.createElement('p')))",
        false,
    ),
    (
        "texts and comments between values",
        "all('li').forEach((it) => it.before('x', document.createComment('x')))",
        false,
    ),
];

/// Returns everything about an element except the order of its attributes.
const PLAIN: &str = "
    const plain = (node) => node.nodeType !== 1 ? [node.nodeName, node.nodeValue] : {
      name: node.localName,
      checked: node.checked,
      attributes: Object.fromEntries([...node.attributes].map((it) => [it.name, it.value])),
      children: [...node.childNodes].map(plain),
    };";

#[test]
fn makes_of_any_elements_what_is_written_and_keeps_the_focus() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?stack=ml-linux-aarch64-cpu");
    page.ask("await spackCache.ready");
    let builds = page.ask("return spackCache.query(location.search).builds");
    let builds = usize::try_from(builds.as_u64().expect("a number")).expect("few builds");
    page.see_builds(builds);
    let facets = format!("{PLAIN} return plain(document.getElementById('facets'))");
    let wanted = page.ask(&facets);
    for (case, change, keeps_focus) in CASES {
        page.open("");
        page.ask("await spackCache.ready");
        page.ask(
            "window.focused = document.querySelector('[data-testid=stack] .value input');
            focused.focus()",
        );
        page.ask(&format!(
            "const all = (selector) => document.getElementById('facets').querySelectorAll(selector);
            {change};
            history.pushState(null, '', '?stack=ml-linux-aarch64-cpu');
            dispatchEvent(new PopStateEvent('popstate'))"
        ));
        page.see_builds(builds);
        page.ask("await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
        assert_eq!(page.ask(&facets), wanted, "{case}");
        if keeps_focus {
            assert_eq!(page.ask("return document.activeElement === focused"), true, "{case}");
        }
    }
}

/// Damage to the first view in a page: a text, and the text that takes its place.
const DAMAGES: [(&str, &str); 6] = [
    (" data-key=", " data-old="),
    (" data-do=", " data-old="),
    ("id=\"facets\"", "id=\"other\""),
    ("<tbody>", "<tbody><tr><td>other</td></tr>"),
    ("<li class=\"value\"", "<li>other</li><li class=\"value\""),
    ("</h2>", "</h2><p>other</p>"),
];

#[test]
fn takes_over_a_first_view_of_any_other_version() {
    let cache = Cache::of_data(&["database/v8.json"]);
    let path = cache.folder().join("index.html");
    let published = fs::read_to_string(&path).expect("the page can be read");
    let shown = |published: &str| {
        fs::write(&path, published).expect("the page can be written");
        // A new page, so that the browser keeps nothing of the previous one.
        let page = Page::of(&cache.site, Width::Wide);
        page.open("");
        page.ask("await spackCache.ready");
        page.toggle_facet("Compiler", "gcc@11.4.0");
        page.see_builds(3);
        page.see_chosen("Compiler", "gcc@11.4.0", true);
        page.ask("await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
        page.ask(&format!(
            "{PLAIN} return ['facets', 'packages', 'summary'].map((id) => plain(document.getElementById(id)))",
        ))
    };
    let wanted = shown(&published);
    for (text, other) in DAMAGES {
        // Only the first view has such elements.
        let damaged = published.replace(text, other);
        assert_ne!(damaged, published, "{text}");
        assert_eq!(shown(&damaged), wanted, "{text}");
    }
}
