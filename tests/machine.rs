//! The person's machine: what runs on it, and why not.

use crate::harness::{Cache, Page, Site, Width};

#[test]
fn shows_for_each_build_whether_it_runs() {
    Page::at_each_width(|page| {
        page.open("");
        page.press("My machine: any");
        page.type_into("Output of spack arch", "linux-ubuntu24.04-zen3");
        page.press("Show what runs");
        // What runs is shown at once; one click on its chip undoes that.
        page.see_query("?host=linux.ubuntu24.04.zen3&runs=yes");
        page.see_element(&[("button", "My machine: ubuntu24.04 · zen3")]);
        page.see_builds(150);
        page.press("Remove runs here yes");
        page.see_query("?host=linux.ubuntu24.04.zen3");
        page.see_builds(390);
        page.see_count("Runs here", "yes", 150);
        page.see_count("Runs here", "no", 240);
        page.see_count("Runs here", "unknown", 0);
        page.toggle_facet("Runs here", "yes");
        page.see_count("Runs here", "no", 240);
        page.close_filters();
        page.see_builds(150);
        page.follow("py-ml-dtypes");
        page.see_builds(60);
        page.see("cannot tell");
        page.fits();
        page.press("Remove runs here yes");
        // What does not run comes last, and what does not run is not reused.
        page.see_builds(129);
        let words = page
            .ask("return [...document.querySelectorAll('td.c-reuse b')].map((b) => b.innerText)");
        let words: Vec<&str> =
            words.as_array().into_iter().flatten().filter_map(|b| b.as_str()).collect();
        assert!(words.first() == Some(&"cannot tell"), "{words:?}");
        assert!(words.is_sorted(), "{words:?}");
        page.back();
        page.see_builds(60);
        page.reload();
        page.see_builds(60);
    });
}

#[test]
fn explains_why() {
    Page::at_each_width(|page| {
        let build = "hash=iy5fms5os6dnlfh4g235jcva6sdykpwp";
        page.open(&format!("?{build}&host=linux.ubuntu22.04.cortex_a72"));
        page.see("no: built for neoverse_v1; yours is cortex_a72, which lacks");
        page.open(&format!("?{build}&host=linux.ubuntu24.04.neoverse_v1"));
        page.see("no: made on ubuntu22.04; yours is ubuntu24.04");
        page.open(&format!("?{build}&host=linux.ubuntu22.04.neoverse_v1"));
        page.see("yes: built for neoverse_v1, as yours is");
        page.fits();
    });
}

#[test]
fn remembers_the_machine_only_if_asked_to() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?host=darwin.sequoia.m1");
    page.see_element(&[("button", "My machine: sequoia · m1")]);
    page.open("");
    page.press("My machine: any");
    page.type_into("Output of spack arch", "darwin-sequoia-m2");
    page.click(&[("checkbox", "Remember on this device")]);
    page.press("Show what runs");
    page.see_query("?host=darwin.sequoia.m2&runs=yes");
    page.open("?os=sequoia");
    page.see_query("?os=sequoia&host=darwin.sequoia.m2");
    page.press("My machine: sequoia · m2");
    page.press("Any machine");
    page.see_query("?os=sequoia");
    page.open("");
    page.see_element(&[("button", "My machine: any")]);
}

#[test]
fn takes_the_libc_of_an_os_from_the_cache() {
    let cache = crate::dependencies::cache();
    for width in [Width::Narrow, Width::Wide] {
        let page = Page::of(&cache.site, width);
        page.open("?host=linux.ubuntu22.04.zen4");
        page.press("My machine: ubuntu22.04 · zen4");
        page.see("glibc@2.35, which all builds for ubuntu22.04 in this cache need");
        page.fits();
        page.type_into("libc", "glibc@2.17");
        page.press("Show what runs");
        page.see_query("?host=linux.ubuntu22.04.zen4.glibc@2.17&runs=yes");
        // The compiler wrapper is linked with no libc; everything else needs a newer one.
        page.see_builds(1);
        page.press("Remove runs here yes");
        page.see_count("Runs here", "unknown", 1);
    }
}

#[test]
fn counts_what_may_run_if_nothing_certainly_does() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    for width in [Width::Narrow, Width::Wide] {
        let page = Page::of(&cache.site, width);
        page.open("?q=libxml2&host=linux.rocky8.zen3&runs=yes");
        page.see(
            "Your machine: no build is made for rocky8; its libc decides which of the others run",
        );
        page.see("It is unknown whether 3 builds run on your machine.");
        page.see("unknown: needs glibc@2.35");
        page.fits();
        page.press("Show them too");
        page.see_query("?q=libxml2&host=linux.rocky8.zen3&runs=yes&runs=unknown");
        page.see_builds(3);
        page.back();
        page.press("State its libc");
        page.see_focused("machine-own-libc");
        page.see("The first line of ldd --version ends with it.");
        page.type_into("libc", "2.28");
        page.press("Show what runs");
        page.see_query("?q=libxml2&host=linux.rocky8.zen3.glibc@2.28&runs=yes");
        page.see("No build matches");
        page.see_no("It is unknown whether");
        page.open("?package=libxml2&tab=install&host=linux.rocky8.zen3.glibc@2.28");
        page.see("None of these builds runs on your machine");
        page.see_no("Any build that matches");
    }
}

#[test]
fn says_in_place_what_is_wrong_with_a_machine() {
    Page::at_each_width(|page| {
        page.open("");
        page.press("My machine: any");
        page.type_into("Output of spack arch", "ubuntu24.04");
        page.see("Expected platform, OS and target, as in linux-ubuntu24.04-zen4");
        page.type_into("Output of spack arch", "linux-ubuntu24.04-zenn4");
        page.see("Unknown target zenn4: did you mean zen4?");
        page.fits();
        page.press("Show what runs");
        page.see_query("");
        assert_eq!(page.ask("return document.activeElement.id"), "machine-target");
        page.press("Use zen4");
        page.see_no("Unknown target");
        page.type_into("Output of spack arch", "linux-ubunut24.04-zen4");
        page.see_no("Unknown target");
        page.see("No build is made for ubunut24.04: did you mean ubuntu24.04?");
        page.fits();
        page.type_into("libc", "glibc@");
        page.press("Show what runs");
        page.see("expected a libc with its version, as in glibc@2.39");
        // A link may name such a machine, too.
        page.open("?host=linux.ubuntu24.04.zen33");
        page.see("Your machine: unknown target zen33: did you mean zen3?");
        page.fits();
        page.press("Change it");
        page.see("Unknown target zen33: did you mean zen3?");
        page.press("Use zen3");
        page.press("Show what runs");
        page.see_query("?host=linux.ubuntu24.04.zen3&runs=yes");
        page.see_no("Your machine: ");
        page.open("?host=linux.ubunut24.04.zen3");
        page.see("Your machine: no build is made for ubunut24.04: did you mean ubuntu24.04?");
    });
}
