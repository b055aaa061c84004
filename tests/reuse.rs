//! Reuse by Spack: the rules on the page of a build, and what each rule excludes from an answer, on a small real cache.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::slice;

use crate::harness::{Cache, Page, Release, Site, Width};

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

/// Tests the released command: if all packages are compiled together, another one causes this order.
#[test]
fn prints_the_fields_of_an_answer_in_the_order_in_which_they_are_read() {
    let index = concat!(env!("CARGO_MANIFEST_DIR"), "/data/reuse/index.json");
    let output = Command::new(Release::command())
        .args(["why", LIBXML2, "--json", "--from", index, "--host"])
        .arg("linux.debian13.zen3.glibc@2.41")
        .output()
        .expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with(&format!("{{\"hash\":\"{LIBXML2}\",\"spec\":")), "{text}");
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
        // Neither change alone would be enough.
        page.open(&format!("?hash={LIBXML2}&host=linux.ubuntu20.04.x86_64.glibc@2.31"));
        page.see("Only all of this would change it: a machine that runs x86_64_v3; and a machine with glibc 2.35 or newer.");
        page.open(&format!("?hash={LIBXML2}&host=linux.debian13.zen3.glibc@2.41"));
        page.see_no("not eligible");
        page.see("eligible");
        page.see_no("This would change it");
        page.open(&format!("?hash={LIBXML2}"));
        page.see("Say what your machine is");
        page.see_no("All rules");
    });
}

#[test]
fn follows_the_spack_and_the_settings_of_the_address() {
    at_each_width(|page| {
        let machine =
            format!("?package=libxml2&hash={LIBXML2}&host=linux.debian13.zen3.glibc@2.41");
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

/// With this setting, Spack reuses only dependencies of the requested specs, so nothing is certain without them.
#[test]
fn asks_what_is_asked_for() {
    at_each_width(|page| {
        page.open("?host=linux.debian13.zen3.glibc@2.41&reuse=dependencies&runs=yes");
        page.press("Say what you ask for");
        page.see_focused("machine-asked-for");
        page.type_into("Specs that you ask for", "zlib-ng");
        page.press("Show what runs");
        page.see_query(
            "?host=linux.debian13.zen3.glibc@2.41&reuse=dependencies&reuse.root=zlib-ng&runs=yes",
        );
        page.see_no("Say what you ask for");
    });
}

#[test]
fn gives_scripts_the_verdicts_of_the_page() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    let machine = "host=linux.debian13.zen3.glibc@2.41";
    // The script asks before the page has shown a machine.
    for runs in ["yes", "no"] {
        page.open("");
        let asked = page.ask(&format!(
            "await spackCache.ready; return spackCache.query('{machine}&runs={runs}').builds"
        ));
        page.open(&format!("?{machine}&runs={runs}"));
        page.see_builds(asked.as_u64().expect("a number") as usize);
    }
}

#[test]
fn counts_why_builds_do_not_work() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    page.open("?host=linux.debian13.zen3.glibc@2.41");
    page.press("Why not?");
    page.see("does not run: target");
    page.see("does not run: platform");
    page.see("not reused: compiler-wrapper");
    page.open("");
    page.see_no("Why not?");
    // Each reason leads to its packages, and these to the builds.
    page.open("?host=linux.debian13.zen3.glibc@2.41&runs=yes");
    page.press("Why not?");
    page.press("does not run: platform");
    page.click(&[("test", "why-not"), ("link", "libiconv")]);
    page.see_query("?package=libiconv&host=linux.debian13.zen3.glibc@2.41&runs=no");
    // One package may keep everything that needs it from being reused.
    page.open("?host=linux.ubuntu22.04.x86_64_v3.glibc@2.35&reuse.exclude=zlib-ng");
    page.press("Why not?");
    let counts = || page.texts(&[("listitem", "")]);
    let is_there = |text: &str| counts().iter().any(|item| item == text);
    assert!(is_there("not reused: dependencies\n5"), "{:?}", counts());
    assert!(is_there("needs zlib-ng@2.3.2\n5"), "{:?}", counts());
    page.follow("zlib-ng@2.3.2");
    page.see("satisfies a spec that exclude lists: zlib-ng");
}

#[test]
fn says_of_each_build_in_a_list_whether_it_works() {
    at_each_width(|page| {
        page.open("?package=libxml2&host=linux.ubuntu20.04.zen3.glibc@2.31");
        page.see("does not run");
        page.see("needs glibc@2.35; yours is glibc@2.31");
        page.fits();
        page.screenshot("package-reuse");
        page.open("?package=libxml2&host=linux.debian13.zen3.glibc@2.41");
        page.see("works");
        page.see_no("needs glibc@2.35");
        page.open("?package=libxml2&host=linux.debian13.zen3.glibc@2.41&reuse.exclude=~python");
        page.see("not reused");
        page.see("exclude: satisfies a spec that exclude lists");
        page.open("?package=libxml2");
        page.see_no("Works here");
    });
    // Cache pages do not say what a build needs, so the page does not claim that Spack would reuse it.
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("?package=py-ml-dtypes&host=linux.ubuntu24.04.zen3");
    page.see_element(&[("columnheader", "Works here")]);
    let words =
        "[...new Set([...document.querySelectorAll('td.c-works b')].map((b) => b.innerText))]";
    let words = page.ask(&format!("return {words}"));
    assert_eq!(words, serde_json::json!(["runs", "does not run"]));
}

/// Opens the settings in the panel.
#[track_caller]
fn open_settings(page: &Page<'_>, machine: &str) {
    page.press(machine);
    page.press("Settings about reuse");
}

#[test]
fn reads_pasted_settings() {
    let machine = format!("?package=libxml2&hash={LIBXML2}&host=linux.debian13.zen3.glibc@2.41");
    let folder = tempfile::tempdir().expect("a folder");
    at_each_width(|page| {
        page.open(&machine);
        open_settings(page, "My machine: debian13 · zen3 · glibc 2.41");
        page.type_into("Settings to read", "concretizer: {reuse: maybe}");
        page.see("expected true, false, dependencies or an object, found \"maybe\"");
        page.see_query(&machine);
        page.fits();
        page.screenshot("settings-that-are-wrong");
        page.type_into(
            "Settings to read",
            "spack:\n  concretizer:\n    reuse: {exclude: [~python]}",
        );
        page.see("Read: the fields below show it");
        page.see_no("found \"maybe\"");
        page.see_query(&format!("{machine}&reuse.exclude=~python"));
        page.see("satisfies a spec that exclude lists: ~python");
        // Newly typed settings replace the earlier ones, and settings in another file are added.
        page.type_into("Settings to read", "concretizer:\n  reuse: {exclude: [~shared]}");
        page.see_query(&format!("{machine}&reuse.exclude=~shared"));
        let file = folder.path().join("packages.yaml");
        let external =
            "packages:\n  cuda:\n    externals: [{spec: cuda@12.4, prefix: /opt/cuda}]\n";
        fs::write(&file, external).expect("a file");
        let both = format!(
            "{machine}&reuse.exclude=~shared&reuse.external=cuda@12.4&reuse.prefix=/opt/cuda"
        );
        for _ in 0..2 {
            page.choose_files("File with settings", slice::from_ref(&file));
            page.see_query(&both);
        }
        page.see("Nothing in it changes the settings that were there");
        page.press("Use Spack’s defaults");
        page.see_query(&machine);
        page.type_into("Settings to read", "view: true");
        page.see("Nothing in it changes what Spack reuses by default");
        // Settings are settings wherever they are pasted.
        page.type_into(
            "Your machine in words, or the output of commands",
            "debian 13, zen3\nconcretizer:\n  reuse: {exclude: [~python]}",
        );
        page.see("Read: the fields below show it");
        page.see_no("Not understood");
        page.see_query(&format!("{machine}&reuse.exclude=~python"));
        // An error in them is shown far below that field, and the page moves there.
        page.type_into(
            "Your machine in words, or the output of commands",
            "debian 13, zen3\nconcretizer:\n  resue: false",
        );
        page.see("expected reuse, found \"resue\"");
        page.press("Show what runs");
        page.see_focused("settings-problem");
    });
}

#[test]
fn says_what_settings_change() {
    at_each_width(|page| {
        page.open("?host=linux.debian13.zen3.glibc@2.41");
        open_settings(page, "My machine: debian13 · zen3 · glibc 2.41");
        page.see_no("without these settings");
        page.type_into("Settings to read", "concretizer: {reuse: {exclude: [~python]}}");
        page.see("38 builds work here without these settings, 28 with them.");
        page.type_into("Settings to read", "concretizer: {reuse: {exclude: ['%gcc@4']}}");
        page.see("These settings change nothing: 38 builds work here without them, too.");
        page.fits();
        page.press("Use Spack’s defaults");
        page.see_no("These settings change nothing");
        // The link says it, too.
        page.open("?host=linux.debian13.zen3.glibc@2.41&reuse=false");
        open_settings(page, "My machine: debian13 · zen3 · glibc 2.41 · own settings");
        page.see("38 builds work here without these settings, 0 with them.");
    });
}

#[test]
fn shows_every_setting_of_a_file() {
    let cache = Cache::of_data(&["reuse/index.json"]);
    let page = Page::of(&cache.site, Width::Wide);
    let machine =
        format!("?package=libxml2&hash={LIBXML2}&host=linux.debian13.zen3.glibc@2.41&spack=1.1");
    page.open(&machine);
    open_settings(&page, "My machine: debian13 · zen3 · glibc 2.41 · Spack 1.1");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reuse/spack.yaml");
    page.choose_files("File with settings", &[file]);
    page.see("Read: the fields below show it");
    let settings = "reuse=dependencies&reuse.from=buildcache&reuse.include=%25gcc&reuse.from=buildcache&\
                    reuse.include=zlib&reuse.exclude=~shared&reuse.root=libxml2&reuse.targets=generic&\
                    reuse.os=sequoia&reuse.compatible=sonoma&reuse.repository=mine&reuse.external=cray-mpich@8.1.30&\
                    reuse.prefix=/opt/cray";
    page.see_query(&format!("{machine}&{settings}"));
    page.see("sequoia runs builds for sonoma");
    page.see("external cray-mpich@8.1.30, /opt/cray");
    page.see("exclude, cache 2");
    page.press("Remove external cray-mpich@8.1.30, /opt/cray");
    page.see_no("external cray-mpich");
    page.back();
    page.see("external cray-mpich@8.1.30, /opt/cray");
    page.is_accessible();
    page.screenshot("settings-of-a-file");
    // A link shows the same.
    page.open("?host=linux.debian13.zen3.glibc@2.41&reuse.from=none");
    open_settings(&page, "My machine: debian13 · zen3 · glibc 2.41 · own settings");
    page.press("Reuse from build caches");
    page.see_query("?host=linux.debian13.zen3.glibc@2.41");
}
