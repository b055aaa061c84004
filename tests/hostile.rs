//! A cache in which every text is an attack, and addresses that are attacks: nothing runs, nothing is hidden, and the
//! page stays usable.

use std::fs;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use crate::harness::{Page, Release, Site, Width};
use crate::publishing::page_of;

/// Returns the attacks, and what must be visible of each.
fn attacks() -> [(String, &'static str); 12] {
    [
        ("<script>document.title = 'ran'</script>".to_owned(), "<script>document.title"),
        ("</script><script>document.title = 'ran'</script>".to_owned(), "</script><script>"),
        ("<img src=x onerror=\"document.title = 'ran'\">".to_owned(), "<img src=x onerror="),
        (
            "x\" autofocus onfocus=\"document.title = 'ran'\" x=\"".to_owned(),
            "\" autofocus onfocus=\"",
        ),
        ("x' onmouseover='document.title = `ran`".to_owned(), "' onmouseover='"),
        ("javascript:document.title='ran'".to_owned(), "javascript:document.title"),
        ("<!-- ]]> {{7*7}} ${7*7} &lt;u&gt;".to_owned(), "<!-- ]]> {{7*7}} ${7*7} &lt;u&gt;"),
        ("py-\u{202e}hcrot\u{2066}".to_owned(), "py-\\u{202e}hcrot\\u{2066}"),
        ("zl\u{200b}ib\u{feff}".to_owned(), "zl\\u{200b}ib\\u{feff}"),
        ("a\0b\u{1b}[31mc\r\nd\te".to_owned(), "a\\u{0}b\\u{1b}[31mc\\u{d}\\u{a}d\\u{9}e"),
        ("long".repeat(5_000), "longlonglong"),
        // Accents that are stacked on one letter.
        (format!("high{}", "\u{301}".repeat(500)), "high"),
    ]
}

/// Creates a different hash for each attack.
fn hash(place: usize) -> String {
    char::from(b'a' + place as u8).to_string().repeat(32)
}

/// Publishes the attacks as a cache, in a copy of the release.
fn publish() -> (TempDir, Site) {
    let folder = Release::copy();
    let inputs = TempDir::new().expect("a temporary folder can be made");
    for (place, (attack, _)) in attacks().iter().enumerate() {
        let page = page_of(attack, attack).replace(&hash(0), &hash(place));
        fs::write(inputs.path().join(format!("{place}.md")), page).expect("a page can be written");
    }
    let mut command = Command::new(Release::command());
    let embedded =
        command.arg("embed").arg(inputs.path()).arg("--into").arg(folder.path()).output();
    let embedded = embedded.expect("the command runs");
    assert!(embedded.status.success(), "{}", String::from_utf8_lossy(&embedded.stderr));
    let site = Site::publish(folder.path(), "/");
    (folder, site)
}

/// Finds everything that would be in the page, in its current state or as it arrived, if anything in the data had become
/// more than text. The page has one script of its own.
const INTRUDERS: &str = "
    const source = await (await fetch(location.pathname)).text();
    const pages = [document, new DOMParser().parseFromString(source, 'text/html')];
    const own = pages.map((page) => page.querySelector('head > script:not([src]):not([type])'));
    const elements = pages.flatMap((page) => [...page.querySelectorAll('*')]).filter((element) => !own.includes(element));
    const found = elements.filter((element) =>
      ['IMG', 'IFRAME', 'OBJECT', 'EMBED', 'U'].includes(element.tagName) ||
      element.tagName === 'SCRIPT' && element.type !== 'application/json' && !/loader|site/.test(element.src) ||
      [...element.attributes].some(({ name }) => name.startsWith('on')) ||
      /^\\s*javascript:/i.test(element.getAttribute('href') ?? ''));
    return [document.title.startsWith('ran'), found.map((element) => element.outerHTML.slice(0, 200))]";

/// Checks that nothing ran, and that the page is intact.
#[track_caller]
fn is_sound(page: &Page<'_>) {
    assert_eq!(page.ask(INTRUDERS), json!([false, []]), "{}", page.query());
    page.fits();
}

/// Encodes a text as part of an address.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn shows_attacks_as_text_in_lists() {
    let (_folder, site) = publish();
    for width in [Width::Narrow, Width::Wide] {
        let page = Page::of(&site, width);
        page.open("");
        for address in ["?tab=coverage", "?tab=about", "?os=nothing", ""] {
            page.go(address);
            is_sound(&page);
        }
        page.see_builds(attacks().len());
        page.is_accessible();
        // On a phone, some of the rows are below the part that is drawn.
        if width == Width::Wide {
            for (_, seen) in attacks() {
                page.see(seen);
            }
        }
    }
}

#[test]
fn shows_attacks_as_text_in_views() {
    let (_folder, site) = publish();
    let page = Page::of(&site, Width::Narrow);
    page.open("");
    let packages = page.ask(
        "return Object.fromEntries(spackCache.builds('').map(({ hash, package }) => [hash, package]))",
    );
    for (place, (_, seen)) in attacks().iter().enumerate() {
        let (this, next) = (hash(place), hash((place + 1) % attacks().len()));
        let package = encoded(packages[&this].as_str().expect("every build is listed"));
        for address in [
            format!("?hash={this}&host=linux.ubuntu24.04.zen3"),
            format!("?package={package}"),
            format!("?package={package}&tab=coverage&across=stack"),
            format!("?package={package}&tab=install"),
            format!("?compare={this}&compare={next}"),
            format!("?os={package}&not.stack=root"),
            format!("?q={package}"),
        ] {
            page.go(&address);
            page.see(seen);
            is_sound(&page);
        }
    }
}

#[test]
fn searches_for_and_exports_attacks_as_text() {
    let (_folder, site) = publish();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    for (attack, seen) in &attacks()[..7] {
        page.type_into("Search packages and specs", attack);
        page.see(seen);
        is_sound(&page);
    }
    page.type_into("Search packages and specs", "");
    page.see_builds(attacks().len());
    for format in [
        "Table (CSV)",
        "JSON",
        "Hashes, one per line",
        "spack install commands",
        "Environment (spack.yaml)",
    ] {
        page.press("Export");
        page.press(format);
        page.see(&format!("{} builds saved", attacks().len()));
        is_sound(&page);
    }
    // Invisible characters are not in a copied link or an answer to a script either.
    let answer = page.ask("return JSON.stringify(spackCache.builds(''))");
    let answer = answer.as_str().expect("a text");
    assert!(!answer.contains(['\u{202e}', '\u{200b}', '\u{feff}', '\0', '\u{1b}']));
    assert!(!answer.contains("\\u0000") && answer.contains("\\\\u{0}"), "{}", &answer[..2000]);
}

#[test]
fn runs_nothing_from_addresses() {
    let site = Site::release();
    let page = Page::of(&site, Width::Narrow);
    page.open("");
    for (attack, _) in attacks() {
        let attack = encoded(&attack[..attack.len().min(5_000)]);
        let rest = ["q", "os", "not.stack", "all", "host", "tab", "across", "sort", "columns", "x"];
        let rest: String = rest.iter().map(|key| format!("&{key}={attack}")).collect();
        for address in [
            format!("?{rest}#{attack}"),
            format!("?package={attack}{rest}"),
            format!("?hash={attack}{rest}"),
            format!("?compare={attack}&compare={attack}{rest}"),
            format!("?{attack}={attack}"),
        ] {
            if address.starts_with("?package=") {
                page.open(&address);
            } else {
                page.go(&address);
            }
            is_sound(&page);
        }
    }
    for address in [
        "?%",
        "?q=%FF%FE&os=%00",
        "?&&==&=&os",
        "?os=a&os=a&not.os=a",
        "?compare=&compare=&compare=",
    ] {
        page.open(address);
        is_sound(&page);
    }
    page.open("?os=sequoia");
    page.see_builds(93);
}
