//! `embed --pages`: a page for each package, for search engines and readers without JavaScript. Python's extruct reads the
//! data in the pages, if `tools/setup python` has installed it.

use std::fs;

use serde_json::Value;

use crate::desk::{Desk, HASH, OTHER, data, page, seeds};
use crate::python::{self, Python};
use crate::site::SITE;

const URL: [&str; 2] = ["--site-url", "https://example.org/cache"];

/// Creates a desk with a built site.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("dist/index.html", SITE);
    desk
}

#[track_caller]
fn embed(desk: &Desk, input: &str, more: &[&str]) {
    let outcome = desk.run(&[&["embed", input, "--into", "dist", "--pages"], more].concat());
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
}

/// Returns the data for search engines in a page.
fn linked_data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/ld+json\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn says_what_is_there_and_how_to_install_it_without_running_a_script() {
    let desk = desk();
    embed(&desk, &data("mirror-v3"), &["--title", "Our cache"]);
    let page = desk.read("dist/package/zstd/index.html");
    for text in [
        "<title>zstd 1.5.7: prebuilt binaries for Spack · Our cache</title>",
        "<meta property=\"og:title\" content=\"zstd 1.5.7: prebuilt binaries for Spack\">",
        "1 prebuilt binary of zstd for Spack in Our cache: version 1.5.7, for ",
        "Put the URL of this one in place of MIRROR_URL.",
        "spack install --cache-only /sjijntoe2e26ie4cquahc4oocub4yj5h",
        "<a id=\"in-site\" href=\"../../?package=zstd\">",
        "<th scope=\"row\"><bdi>1.5.7</bdi></th><td>1</td>",
    ] {
        assert!(page.contains(text), "{text} is not in {page}");
    }
    // A text browser shows no borders, so no cell is empty.
    assert!(!page.contains("<td></td>"), "{page}");
    // Nothing on the page needs the address of the site.
    assert!(!page.contains("canonical") && !page.contains("https://example.org"), "{page}");
    assert!(page.len() < 8 << 10, "{} bytes", page.len());
    let data = linked_data(&page);
    assert_eq!(
        (&data["@type"], &data["softwareVersion"]),
        (&"SoftwareApplication".into(), &"1.5.7".into())
    );
    let list = desk.read("dist/package/index.html");
    assert!(list.contains("<a href=\"zstd/\"><bdi>zstd</bdi></a>"), "{list}");
    assert!(!desk.path("dist/sitemap.xml").exists());
    let robots = "# Written by cache-explorer\nUser-agent: *\nAllow: /\n";
    assert_eq!(desk.read("dist/robots.txt"), robots);
}

#[test]
fn allows_what_the_page_of_the_site_has_in_itself_and_loads() {
    let desk = Desk::new();
    let site = SITE.replace("<head>", "<head><meta charset=\"utf-8\"><script>run()</script>");
    desk.write("dist/index.html", site.replace("</body>", "<script src=\"l.js\"></script></body>"));
    desk.write("dist/l.js", "start()");
    desk.succeeds(&["seal", "dist"], "dist: sealed\n");
    embed(&desk, &data("mirror-v3"), &[]);
    let policy = |name: &str| {
        let page = desk.read(name);
        let (_, rest) = page.split_once("Policy\" content=\"").expect("a policy");
        rest.split_once('"').expect("its end").0.to_owned()
    };
    let (of_site, of_package) = (policy("dist/index.html"), policy("dist/package/zstd/index.html"));
    assert!(of_site.contains("'wasm-unsafe-eval' 'sha256-"), "{of_site}");
    // The page of a package allows all of this, and its own style.
    for rule in of_site.split("; ") {
        assert!(of_package.contains(rule), "{rule} is not in {of_package}");
    }
    assert!(
        desk.read("dist/package/zstd/index.html")
            .contains("<script defer src=\"../take-over.js\">")
    );
    assert!(desk.read("dist/package/take-over.js").starts_with("// Written by cache-explorer\n"));
    // The list of packages stays as it is, and runs nothing. Lighthouse fetches robots.txt from within the page.
    let of_list = policy("dist/package/index.html");
    assert!(of_list.starts_with("default-src 'none'; style-src 'sha256-"), "{of_list}");
    assert!(of_list.ends_with("; connect-src 'self'; base-uri 'none'; form-action 'none'"));
}

#[test]
fn says_what_a_recipe_says_of_the_package() {
    let desk = desk();
    desk.write(
        "recipes.json",
        r#"[{"name": "zstd", "description": "A <fast> compressor. It has levels.", "homepage": "https://facebook.github.io/zstd/",
            "licenses": ["BSD-3-Clause OR GPL-2.0-or-later"], "versions": [{"name": "1.5.7", "sha256": "a"}]}]"#,
    );
    let call =
        ["embed", &data("mirror-v3"), "--into", "dist", "--pages", "--recipes", "recipes.json"];
    let outcome = desk.run(&call);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let page = desk.read("dist/package/zstd/index.html");
    for text in [
        "<meta name=\"description\" content=\"A &lt;fast&gt; compressor. 1 prebuilt binary of zstd",
        "<bdi>A &lt;fast&gt; compressor. It has levels.</bdi>",
        "<a href=\"https://facebook.github.io/zstd/\" rel=\"noopener\">Home page</a>",
        "Licence: <bdi>BSD-3-Clause OR GPL-2.0-or-later</bdi>",
    ] {
        assert!(page.contains(text), "{text} is not in {page}");
    }
    let data = linked_data(&page);
    assert_eq!(data["license"], "BSD-3-Clause OR GPL-2.0-or-later");
    assert_eq!(data["sameAs"], "https://facebook.github.io/zstd/");
}

#[test]
fn is_reached_from_the_front_page_without_javascript() {
    let desk = Desk::new();
    let site = SITE.replace("<p>x</p>", "<div id=\"app\"></div>");
    desk.write("dist/index.html", &site);
    desk.write("dist/explorer.html", &site);
    let link = "<noscript id=\"to-packages\"><p><a href=\"package/\">";
    // If the pages stay, so does the link to them.
    for more in [&["--pages"][..], &["--pages"], &[]] {
        let call = ["embed", &data("mirror-v3"), "--into", "dist"];
        assert_eq!(desk.run(&[&call[..], more].concat()).code, Some(0));
        assert_eq!(desk.read("dist/index.html").matches(link).count(), 1, "{more:?}");
    }
    assert!(!desk.read("dist/explorer.html").contains(link), "the single file may be alone");
}

#[test]
fn names_complete_addresses_if_the_address_of_the_site_is_known() {
    let desk = desk();
    embed(&desk, &data("mirror-v3"), &URL);
    let page = desk.read("dist/package/zstd/index.html");
    let address = "https://example.org/cache/package/zstd/";
    for text in [
        format!("<link rel=\"canonical\" href=\"{address}\">"),
        format!("<meta property=\"og:url\" content=\"{address}\">"),
        "<meta property=\"og:image\" content=\"https://example.org/cache/icon-512.png\">"
            .to_owned(),
    ] {
        assert!(page.contains(&text), "{text} is not in {page}");
    }
    assert_eq!(linked_data(&page)["url"], address);
    let sitemap = desk.read("dist/sitemap.xml");
    for address in ["https://example.org/cache/", "https://example.org/cache/package/", address] {
        assert!(sitemap.contains(&format!("<url><loc>{address}</loc></url>")), "{sitemap}");
    }
    let robots = desk.read("dist/robots.txt");
    assert!(robots.ends_with("\nSitemap: https://example.org/cache/sitemap.xml\n"), "{robots}");
}

/// Reads each page of a package as search engines and messengers do, and prints their number.
const EXTRACT: &str = "
import extruct, pathlib, sys
pages = sorted(pathlib.Path(sys.argv[1]).glob('*/index.html'))
for page in pages:
    found = extruct.extract(page.read_text(), syntaxes=['json-ld', 'opengraph'], errors='strict')
    [data], [preview] = found['json-ld'], found['opengraph']
    preview = dict(preview['properties'])
    address = f'https://example.org/cache/package/{page.parent.name}/'
    assert (data['@context'], data['@type'], data['name']) == ('https://schema.org', 'SoftwareApplication', page.parent.name), data
    assert data['url'] == preview['og:url'] == address, (data, preview)
    assert data['description'] == preview['og:description'], (data, preview)
    assert preview['og:title'].startswith(page.parent.name) and preview['og:image'].endswith('.png'), preview
    assert all(data[field] for field in ('applicationCategory', 'operatingSystem', 'softwareVersion')), data
print(len(pages))
";

#[test]
fn says_the_same_to_search_engines_and_messengers() {
    let Some(Python) = python::with("extruct") else { return };
    let desk = desk();
    embed(&desk, &seeds(), &URL);
    let pages = desk.path("dist/package").display().to_string();
    let outcome = desk.call(python::command().args(["-c", EXTRACT, &pages]), "");
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let listed = desk.read("dist/package/index.html").matches("<li><a ").count();
    assert_eq!(outcome.out.trim(), listed.to_string());
}

#[test]
fn touches_only_pages_that_differ_and_removes_those_of_packages_that_are_gone() {
    let desk = desk();
    desk.write("cache/a.md", page("zlib", HASH, "rhel8"));
    desk.write("cache/b.md", page("hdf5", OTHER, "rhel8"));
    embed(&desk, "cache", &URL);
    let time = |name: &str| {
        let found = fs::metadata(desk.path("dist/package").join(name).join("index.html"));
        found.and_then(|found| found.modified()).expect("a time")
    };
    let script = || {
        fs::metadata(desk.path("dist/package/take-over.js"))
            .and_then(|it| it.modified())
            .expect("a time")
    };
    let (before, script_before) = (["zlib", "hdf5"].map(time), script());
    desk.write("cache/b.md", page("hdf5", OTHER, "rhel9"));
    embed(&desk, "cache", &URL);
    assert_eq!((time("zlib"), script()), (before[0], script_before));
    assert!(time("hdf5") > before[1]);
    desk.write("dist/package/zlib/notes.txt", "ours");
    desk.write("dist/package/own/index.html", "<p>A page of somebody else</p>");
    fs::remove_file(desk.path("cache/a.md")).expect("removed");
    // A file in a folder of packages that the command did not make stops it.
    let outcome = desk.run(&["embed", "cache", "--into", "dist", "--pages"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(
        outcome.err.contains("dist/package/own/index.html: this is not a page"),
        "{}",
        outcome.err
    );
    fs::remove_dir_all(desk.path("dist/package/own")).expect("removed");
    embed(&desk, "cache", &URL);
    assert!(!desk.path("dist/package/zlib/index.html").exists());
    assert_eq!(desk.read("dist/package/zlib/notes.txt"), "ours");
    fs::remove_file(desk.path("cache/b.md")).expect("removed");
    desk.write("cache/c.md", page("curl", HASH, "rhel8"));
    embed(&desk, "cache", &URL);
    assert!(!desk.path("dist/package/hdf5").exists(), "an empty folder is removed too");
}

#[test]
fn keeps_the_rules_that_somebody_else_has_for_crawlers() {
    let desk = desk();
    let theirs = "User-agent: *\nDisallow: /private/\n";
    desk.write("dist/robots.txt", theirs);
    // If the address of the site is not known, there is no line to add.
    embed(&desk, &data("mirror-v3"), &[]);
    let call = ["embed", &data("mirror-v3"), "--into", "dist", "--pages"];
    let outcome = desk.run(&[&call[..], &URL].concat());
    let line = "Sitemap: https://example.org/cache/sitemap.xml";
    let words = "was not made by cache-explorer, and stays as it is; add this line";
    let note = format!("note: dist/robots.txt: {words}: {line}\n");
    assert_eq!((outcome.code, outcome.err), (Some(0), note));
    assert_eq!(desk.read("dist/robots.txt"), theirs);
    assert!(desk.path("dist/package/zstd/index.html").exists());
    // Once the line is there, nothing is left to say.
    desk.write("dist/robots.txt", format!("{theirs}{line}\n"));
    embed(&desk, &data("mirror-v3"), &URL);
}

#[test]
fn shows_names_of_others_as_text() {
    let desk = desk();
    desk.write("cache/a.md", page("zlib", HASH, "</script><script>alert(1)</script>"));
    embed(&desk, "cache", &["--title", "A <b>cache</b>"]);
    let page = desk.read("dist/package/zlib/index.html");
    // Only two scripts: the data, and the script that all pages have.
    assert_eq!(page.matches("<script").count(), 2, "{page}");
    assert!(!page.contains("alert(1)</script><") && !page.contains("<b>cache"), "{page}");
    let data = linked_data(&page);
    assert_eq!(data["operatingSystem"], "</script><script>alert(1)</script>");
}
