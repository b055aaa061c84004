//! One build: what it is, and how to get exactly this build.

use cache_index::build::Hash;

use crate::harness::{Cache, Page, Site, Width};

const BUILD: &str = "gjx3lieose6je6ajipuwsz4fzmqh66gy";

#[test]
fn shows_everything_and_how_to_get_it() {
    Page::at_each_width(|page| {
        page.open(&format!("?hash={BUILD}"));
        page.see_element(&[("heading", "py-ml-dtypes @0.3.1")]);
        page.see("py-ml-dtypes@0.3.1 build_system=python_pip arch=linux-ubuntu22.04-x86_64_v3");
        page.see("ubuntu22.04");
        page.see("Available in");
        page.see("spack mirror add develop-e4s https://binaries.spack.io/develop/e4s");
        page.see("spack buildcache keys --install --trust");
        page.see(&format!("spack install --cache-only /{BUILD}"));
        page.see_no("spack mirror add develop https");
        page.fits();
        page.press("develop / root");
        page.see("spack mirror add develop https://binaries.spack.io/develop");
        page.follow("py-ml-dtypes");
        page.see_builds(129);
        page.back();
        page.see(BUILD);
        page.reload();
        page.see(BUILD);
    });
}

#[test]
fn copies_the_spec_in_two_forms() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open(&format!("?hash={BUILD}"));
    page.press("Copy name and hash");
    page.see("copied");
    assert_eq!(page.copied(), "py-ml-dtypes@0.3.1/gjx3lie");
    page.press("Copy full spec");
    let long = "py-ml-dtypes@0.3.1 build_system=python_pip arch=linux-ubuntu22.04-x86_64_v3 \
                %gcc@11.4.0";
    page.see_copied(long);
    page.press("JSON of the index");
    page.see("\"version\": \"0.3.1\"");
}

#[test]
fn lets_selected_text_be_copied_as_it_reads() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    let copy = |page: &Page<'_>, selector: &str| {
        page.ask(&format!(
            "getSelection().selectAllChildren(document.querySelector('{selector}'))"
        ));
        page.copy_selection();
        page.copied()
    };
    page.open(&format!("?hash={BUILD}"));
    page.see("build_system=python_pip");
    assert_eq!(
        copy(&page, ".spec.whole").trim(),
        "py-ml-dtypes@0.3.1 build_system=python_pip arch=linux-ubuntu22.04-x86_64_v3 %gcc@11.4.0"
    );
    // A name that is cut in the middle is copied completely.
    page.open("");
    page.see_builds(390);
    let name = page.ask("return document.querySelector('.cut:has(.cut-head)').title");
    assert_eq!(copy(&page, ".cut:has(.cut-head)").trim(), name.as_str().expect("a text"));
}

#[test]
fn leads_from_a_build_that_is_gone_to_its_package() {
    Page::at_each_width(|page| {
        // However the user reached a build, a link to it names its package.
        page.open(&format!("?hash={BUILD}"));
        page.see_query(&format!("?package=py-ml-dtypes&hash={BUILD}"));
        page.open("");
        page.type_into("Search packages and specs", &format!("{BUILD}\n"));
        page.see_query(&format!("?package=py-ml-dtypes&hash={BUILD}"));
        page.open("?package=py-ml-dtypes&hash=zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz");
        page.see("No such build");
        page.fits();
        page.follow("All builds of py-ml-dtypes");
        page.see_query("?package=py-ml-dtypes");
        page.see_builds(129);
    });
}

#[test]
fn reports_a_malformed_hash() {
    Page::at_each_width(|page| {
        page.open("?hash=%3Cb%3Enot-a-hash");
        page.see("No such build");
        page.see("<b>not-a-hash");
        page.see("expected a hash of 32 characters");
        page.fits();
    });
}

#[test]
fn gives_commands_that_take_binaries_without_a_signature() {
    let cache = Cache::of_data(&["mirror-v3"]);
    Page::at_widths(&cache.site, &[Width::Narrow, Width::Wide], |page| {
        page.open("?hash=sjijntoe2e26ie4cquahc4oocub4yj5h");
        page.see("not signed");
        page.see("spack mirror add --unsigned develop-mine ");
        page.see("The binaries are not signed, which Spack rejects unless its mirror is added with --unsigned.");
        page.see_no("spack buildcache keys");
        page.fits();
        page.screenshot("build-not-signed");
        page.open("?package=zstd&tab=install");
        page.see("spack mirror add --unsigned develop-mine ");
        page.see_no("spack buildcache keys");
    });
}

#[test]
fn says_which_builds_were_spliced_and_from_what() {
    const SPLICED: &str = "r74eanxws5s7tsvf6wxjrdgcz5nujcvg";
    let hash = |text: &str| text.parse::<Hash>().expect("a hash");
    let cache = Cache::changed(3, |number, build| {
        if number < 2 {
            build.package = "yaksa".to_owned();
            build.hash = hash([BUILD, SPLICED][number]);
            build.spliced_from = (number == 1).then(|| hash(BUILD));
        }
    });
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?package=yaksa");
    page.see_builds(2);
    // Apart from the splice, the two builds look alike.
    page.press("2 builds");
    page.see("spliced");
    page.open(&format!("?hash={SPLICED}"));
    page.see("Spliced from");
    page.press("JSON of the index");
    page.see(&format!("\"spliced_from\": \"{BUILD}\""));
    page.follow("/gjx3lie");
    page.see("/gjx3lie");
    page.see_no("Spliced from");
}

#[test]
fn lets_a_key_copy_the_commands_that_are_unfolded() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?hash=azfxomx47zgirohxluy2b4dqocroud4c");
    page.ask("document.querySelector('.mirror:not([open]) summary').click()");
    let name = page.ask("return document.querySelector('.mirror[open] summary').textContent");
    let name = name.as_str().expect("the name of a mirror").replace(" / ", "-");
    page.type_keys("c");
    page.see("Copied");
    assert!(page.copied().contains(&format!("mirror add {name} ")), "{name}: {}", page.copied());
}
