//! The person's machine: what runs on it, and why not.

use crate::harness::{Page, Site, Width};

#[test]
fn shows_for_each_build_whether_it_runs() {
    Page::at_each_width(|page| {
        page.open("");
        page.press("My machine: any");
        page.type_into("Output of spack arch", "linux-ubuntu24.04-zen3");
        page.press("Show what runs");
        page.see_query("?host=linux.ubuntu24.04.zen3");
        page.see_element(&[("button", "My machine: zen3")]);
        page.see_count("Runs here", "yes", 150);
        page.see_count("Runs here", "no", 240);
        page.see_count("Runs here", "unknown", 0);
        page.toggle_facet("Runs here", "yes");
        page.see_count("Runs here", "no", 240);
        page.close_filters();
        page.see_builds(150);
        page.follow("py-ml-dtypes");
        page.see_builds(60);
        page.see("built for x86_64_v3, which zen3 runs");
        page.fits();
        page.press("Remove runs here yes");
        page.see("built for darwin; yours is linux");
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
    page.see_element(&[("button", "My machine: m1")]);
    page.open("");
    page.press("My machine: any");
    page.type_into("Output of spack arch", "darwin-sequoia-m2");
    page.click(&[("checkbox", "Remember on this device")]);
    page.press("Show what runs");
    page.see_query("?host=darwin.sequoia.m2");
    page.open("?os=sequoia");
    page.see_query("?os=sequoia&host=darwin.sequoia.m2");
    page.press("My machine: m2");
    page.press("Any machine");
    page.see_query("?os=sequoia");
    page.open("");
    page.see_element(&[("button", "My machine: any")]);
}
