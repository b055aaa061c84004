//! The dependencies and dependents of builds, on a small real cache that lists them.

use std::fs;

use cache_index::index::BuildId;
use serde_json::json;

use crate::harness::{Cache, Key, Page, Site, Width};

/// A build for which the cache lacks two specs that it needs to run.
const HDF5: &str = "zen4m7avmzdhjd5ef7uagasefviyo4pl";
/// A build whose dependencies are all in the cache.
const ZLIB: &str = "6qaqzoxp7vtobpauo7iq2bz23qxy2qyj";
/// A build that four builds depend on.
const RUNTIME: &str = "xb5je2a633qaawcbbqrbe35xtvlozrfh";
/// Two builds that only differ in their machine.
const MAKE: [&str; 2] = ["outjvrmt5ota6hhezqke3iduo4ucjqpy", "s3wo5ygfainetj2sav445rkvptcc6gm5"];

/// Creates a release with that cache in it.
pub(crate) fn cache() -> Cache {
    Cache::of_data(&["database/v8.json"])
}

/// Runs a test on that cache twice: narrow and wide.
#[track_caller]
fn at_each_width(test: impl Fn(&Page)) {
    let cache = cache();
    for width in [Width::Narrow, Width::Wide] {
        println!("{width:?}:");
        test(&Page::of(&cache.site, width));
    }
}

/// The part of the page that shows a build's dependencies.
const DEPENDENCIES: (&str, &str) = ("region", "Dependencies");

#[test]
fn shows_the_dependencies_of_a_build() {
    at_each_width(|page| {
        page.open(&format!("?hash={HDF5}"));
        page.see("gmake@4.4.1/s3wo5yg build");
        page.see("gcc@11.4.0/aclialz build as c external");
        page.see("zlib-ng/2sxl34d build, link as zlib-api not in this cache");
        assert_eq!(page.number(&[DEPENDENCIES, ("listitem", "")]), 8);
        page.fits();

        page.press("Dependencies of gmake");
        page.see_element(&[
            DEPENDENCIES,
            ("list", ""),
            ("list", ""),
            ("link", "gcc@11.4.0/aclialz"),
        ]);
        assert_eq!(page.number(&[DEPENDENCIES, ("listitem", "")]), 8 + 4);
        page.fits();
        page.press("Dependencies of gmake");
        page.see_no_element(&[DEPENDENCIES, ("list", ""), ("list", "")]);

        page.click(&[("checkbox", "Run-time only")]);
        page.see_no_element(&[DEPENDENCIES, ("link", "gmake@4.4.1/s3wo5yg")]);
        assert_eq!(page.number(&[DEPENDENCIES, ("listitem", "")]), 4);

        page.press("List");
        let list = [DEPENDENCIES, ("table", "Everything it depends on")];
        page.see_element(&[list[0], list[1], ("rowheader", "zlib-ng/2sxl34d")]);
        assert_eq!(page.number(&[list[0], list[1], ("rowheader", "")]), 4);
        page.click(&[("checkbox", "Run-time only")]);
        page.see_element(&[list[0], list[1], ("rowheader", "gmake@4.4.1/s3wo5yg")]);
        assert_eq!(page.number(&[list[0], list[1], ("rowheader", "")]), 8);
        page.fits();

        page.follow("gcc-runtime@11.4.0/xb5je2a");
        page.see_query(&format!("?package=gcc-runtime&hash={RUNTIME}"));
        // The commands are open, because those of the previous build were.
        page.see(&format!("spack install --cache-only /{RUNTIME}"));
        page.see_element(&[("heading", "gcc-runtime @11.4.0")]);
        page.back();
        page.see_element(&[("heading", "hdf5 @git.develop")]);
    });
}

#[test]
fn expands_the_tree_by_keyboard() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open(&format!("?hash={ZLIB}"));
    page.press("Dependencies of gmake");
    let gmake = [DEPENDENCIES, ("button", "Dependencies of gmake")];
    let expanded = |wanted: &str| page.see_attribute(&gmake, "aria-expanded", wanted);
    expanded("true");
    page.type_keys(Key::Enter);
    expanded("false");
    page.type_keys(" ");
    expanded("true");
    page.type_keys(Key::Tab);
    page.type_keys(Key::Tab);
    page.type_keys(Key::Enter);
    page.see_element(&[("heading", "compiler-wrapper @1.0")]);
}

#[test]
fn shows_the_dependents_of_a_build() {
    at_each_width(|page| {
        page.open(&format!("?hash={RUNTIME}"));
        page.see("4 specs depend on it directly");
        let region = ("region", "Used by");
        let dependents = page.texts(&[region, ("rowheader", "")]);
        let expected = [
            "gmake@4.4.1/s3wo5yg",
            "hdf5@git.develop=develop-2.0/zen4m7a",
            "yaksa@0.4/r74eanx",
            "zlib@1.2.13/6qaqzox",
        ];
        assert_eq!(dependents, expected);
        page.fits();
        page.follow("yaksa@0.4/r74eanx");
        page.see("Nothing in this cache depends on it");
    });
}

#[test]
fn shows_whether_a_mirror_has_all_that_a_build_needs() {
    at_each_width(|page| {
        page.open(&format!("?hash={ZLIB}"));
        page.see("Complete: this mirror also has the 1 spec it needs to run.");
        page.open(&format!("?hash={HDF5}"));
        page.see(
            "Incomplete: this mirror lacks 2 of the 3 specs it needs to run: pkgconf, zlib-ng.",
        );
        page.fits();
        // The recommended build of the package says the same.
        page.open("?package=hdf5&tab=install");
        page.see(
            "Incomplete: this mirror lacks 2 of the 3 specs it needs to run: pkgconf, zlib-ng.",
        );
    });
}

#[test]
fn compares_dependencies() {
    at_each_width(|page| {
        page.open(&format!("?compare={}&compare={}", MAKE[0], MAKE[1]));
        page.see("and 5 dependencies (2 needed to run, 3 only to build)");
        let differing = page.texts(&[("table", ""), ("rowheader", "")]);
        let (fields, dependencies) = differing.split_at(differing.len() - 5);
        let packages = [
            "gcc-runtime",
            "glibc",
            "apple-clang only to build",
            "compiler-wrapper only to build",
            "gcc only to build",
        ];
        assert_eq!(dependencies, packages);
        assert!(fields.contains(&"Compiler".to_owned()), "{differing:?}");
        page.fits();
        page.press("Copy as Markdown");
        page.see("Copied");
        let markdown = page.copied();
        assert!(markdown.contains("\n| gcc-runtime |  | **@11.4.0** "), "{markdown}");
    });
}

#[test]
fn searches_dependencies() {
    at_each_width(|page| {
        page.open("?q=%5Egcc-runtime");
        page.see_builds(6);
        page.see_no("Cannot search dependencies");
        page.open("");
        page.see_builds(14);
        page.type_into("Search packages", "yaksa ^gcc-runtime@11:");
        page.see_builds(1);
        page.see_no("Cannot search dependencies");
        // One build depends on a spec that the cache does not have.
        page.type_into("Search packages", "^gcc-runtime@11.4");
        page.see_builds(4);
        page.see("More builds may match: this cache does not list everything that they depend on");
        page.fits();
    });
}

/// Returns `true` while the text of the dependencies is still in the page.
fn waits(page: &Page) -> bool {
    page.ask("return !!document.getElementById('index-dependencies')") == json!(true)
}

#[test]
fn reads_dependencies_when_they_are_needed() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?os=ubuntu22.04");
    page.ask("await spackCache.ready");
    assert!(waits(&page));
    assert_eq!(page.ask("return spackCache.query('q=hdf5').builds"), 1);
    assert!(waits(&page));
    // A script gets its answer at once.
    assert_eq!(page.ask("return spackCache.query('q=%5Egcc-runtime').builds"), 6);
    assert!(!waits(&page));
    page.type_into("Search packages", "^glibc@2.35");
    page.see_builds(5);
}

#[test]
fn finds_what_provides_a_virtual_package() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?q=zlib-api");
    page.see_builds(10);
    page.see_no("Cannot search virtual packages");
}

#[test]
fn works_without_damaged_dependencies() {
    let cache = cache();
    let path = cache.folder().join("index.html");
    let html = fs::read_to_string(&path).expect("the copy can be read");
    let (before, after) = html.split_once("id=\"index-dependencies\">").expect("the part");
    let damaged = format!("{before}id=\"index-dependencies\">{}", after.replacen('[', "]", 1));
    fs::write(&path, damaged).expect("the copy can be written");
    let page = Page::of(&cache.site, Width::Narrow);
    page.open("");
    page.see_builds(14);
    page.see_no("could not be read");
    let refused = "return spackCache.ready.then(() => spackCache.query('q=%5Eglibc')).then(() => 'answered', String)";
    let refused = page.ask(refused).to_string();
    assert!(refused.contains("the index is damaged"), "{refused}");
    page.open(&format!("?hash={HDF5}"));
    page.see("Part of this cache's index could not be read");
    page.see_element(&[("heading", "Get this build")]);
    page.see_no("Loading");
    for unknown in ["Complete:", "does not list", "depends on"] {
        page.see_no(unknown);
    }
    page.follow("hdf5");
    page.see_builds(1);
}

#[test]
fn shows_nothing_if_no_dependencies_are_listed() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?hash=gjx3lieose6je6ajipuwsz4fzmqh66gy");
    page.see_element(&[("heading", "Get this build")]);
    page.see_no_element(&[DEPENDENCIES]);
    page.see_no("depends on");
}

#[test]
fn shows_what_builds_are_linked_with_in_columns() {
    let cache = cache();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?package=gmake&columns=hash,libc");
    page.see_element(&[("table", "Builds"), ("columnheader", "libc")]);
    page.see_element(&[("table", "Builds"), ("row", ""), ("link", "glibc@2.35")]);
    page.open("?package=gmake");
    page.press("Columns");
    page.see_element(&[("checkbox", "libc")]);
}

/// Creates a release with a small cache without its hashes, as if they had been lost on the way.
fn without_hashes() -> Cache {
    let cache = Cache::of_data(&["mirror-v2"]);
    let path = cache.folder().join("index.html");
    let html = fs::read_to_string(&path).expect("the copy can be read");
    let (before, rest) = html.split_once("id=\"index-hashes\">").expect("the hashes");
    let (_, after) = rest.split_once("</script>").expect("an end");
    fs::write(&path, format!("{before}>\"\"</script>{after}")).expect("the copy can be written");
    cache
}

#[test]
fn copies_and_saves_nothing_before_the_hashes_are_there() {
    let cache = without_hashes();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?package=lz4&columns=hash,version");
    page.see_element(&[("table", "Builds"), ("row", ""), ("link", "1.10.0")]);
    for button in ["Copy the hash", "Copy install commands"] {
        assert_eq!(page.number(&[("table", "Builds"), ("button", button)]), 0);
    }
    page.press("Export");
    page.press("Hashes, one per line");
    page.see("Nothing saved: the hashes of the builds have not arrived");
}

#[test]
fn shows_rows_before_their_hashes() {
    let cache = without_hashes();
    let page = Page::of(&cache.site, Width::Wide);
    page.open("");
    page.see("Part of this cache's index could not be read");
    page.see_builds(3);
    page.see_packages(3);
    page.open("?package=lz4&columns=hash,version");
    page.see_builds(1);
    page.see_element(&[("table", "Builds"), ("row", ""), ("link", "1.10.0")]);
    assert_eq!(page.texts(&[("table", "Builds"), ("rowheader", "")]), ["…"]);
}

#[test]
fn keeps_the_page_of_a_popular_dependency_small() {
    let (cache, index) = Cache::of_dependencies(20_000);
    let page = Page::of(&cache.site, Width::Wide);
    let open = |id: Option<BuildId>| {
        let hash = id.and_then(|id| index.hash(id)).expect("there are builds");
        page.open(&format!("?hash={hash}"));
    };
    let ids = || (0..index.specs()).map(BuildId);

    let dependents = |id: &BuildId| index.dependents(*id).map_or(0, |edges| edges.len());
    open(ids().max_by_key(dependents));
    let above = ("region", "Used by");
    page.see_element(&[above, ("button", "Show all")]);
    assert_eq!(page.number(&[above, ("rowheader", "")]), 20);
    page.click(&[above, ("button", "Show all")]);
    page.see_no_element(&[above, ("button", "Show all")]);
    page.ask("scrollTo(0, document.body.scrollHeight); await new Promise(requestAnimationFrame)");
    page.has_few_elements();
    let last = ids().max_by_key(dependents).and_then(|id| index.dependents(id)?.last());
    let last = last.and_then(|(id, _)| index.hash(id)).expect("dependents").to_string();
    page.see(&format!("/{}", &last[..7]));

    // The page stays small, whatever is expanded.
    open(ids().max_by_key(|&id| index.dependencies(id).map_or(0, |edges| edges.len())));
    page.see_element(&[DEPENDENCIES, ("group", "Show as")]);
    for _ in 0..4 {
        page.ask(
            "for (const twist of document.querySelectorAll('.twist[aria-expanded=false]')) twist.click(); \
             await new Promise(requestAnimationFrame)",
        );
        page.has_few_elements();
    }
    page.see("the list shows all");
}
