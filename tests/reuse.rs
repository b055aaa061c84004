//! Would Spack reuse it: the rules on a build's page, and what each shuts out of an answer, on a small real cache.

use crate::harness::{Cache, Page, Width};

/// libxml2 for x86_64_v3, linked with glibc 2.35.
const LIBXML2: &str = "4lws4tosmpx55gbfuw4j64pzrk6lskys";

#[track_caller]
fn at_each_width(test: impl Fn(&Page)) {
    let cache = Cache::of_data(&["reuse/index.json"]);
    for width in [Width::Narrow, Width::Wide] {
        println!("{width:?}:");
        test(&Page::of(&cache.site, width));
    }
}

#[test]
fn lists_the_rules_about_a_build() {
    at_each_width(|page| {
        page.open(&format!("?hash={LIBXML2}&host=linux.ubuntu20.04.zen3.glibc@2.31"));
        page.see("linked with glibc@2.35 at /usr; yours is glibc@2.31");
        page.see("This would change it: a machine with glibc 2.35 or newer.");
        page.click(&[("region", "Would Spack reuse it on your machine?"), ("button", "All rules")]);
        page.see("passed target");
        page.see("built for x86_64_v3, which zen3 runs");
        page.see("failed libc");
        page.fits();
        page.open(&format!("?hash={LIBXML2}&host=linux.debian13.zen3.glibc@2.41"));
        page.see_no("not eligible");
        page.see("eligible");
        page.see_no("This would change it");
        page.open(&format!("?hash={LIBXML2}"));
        page.see_no("Would Spack reuse it");
    });
}

#[test]
fn follows_the_spack_and_the_settings_of_the_address() {
    at_each_width(|page| {
        let machine = format!("?hash={LIBXML2}&host=linux.debian13.zen3.glibc@2.41");
        page.open(&format!("{machine}&spack=0.23"));
        page.see("spec format 5, which Spack 0.23 cannot read");
        page.open(&format!("{machine}&reuse=false"));
        page.see("reuse: false takes nothing from caches");
        page.open(&format!("{machine}&reuse=dependencies&reuse.root=zlib-ng"));
        page.see("contains zlib-ng, which you ask for");
        page.open(&format!("{machine}&reuse.exclude=~python"));
        page.see("satisfies a spec that exclude lists: ~python");
        page.fits();
    });
}

#[test]
fn counts_what_each_rule_shuts_out() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?host=linux.debian13.zen3.glibc@2.41");
    page.press("Would Spack reuse them?");
    page.see("not eligible: target");
    page.see("not eligible: platform");
    page.open("");
    page.see_no("Would Spack reuse them?");
}
