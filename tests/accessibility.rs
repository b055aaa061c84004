//! Every view, in every width and theme, checked with axe-core; and no view has too many elements.

use crate::dependencies;
use crate::harness::{Page, Site, Theme, Width};
use crate::views::{VIEWS, VIEWS_WITH_DEPENDENCIES};

fn check(width: Width) {
    let cache = dependencies::cache();
    for (site, views) in [(&Site::release(), &VIEWS[..]), (&cache.site, &VIEWS_WITH_DEPENDENCIES)] {
        let page = Page::of(site, width);
        for theme in [Theme::Light, Theme::Dark] {
            page.prefer(theme);
            for (name, address) in views {
                println!("{name}, {width:?}, {theme:?}");
                page.open(address);
                page.is_accessible();
                page.fits();
                page.has_few_elements();
            }
        }
    }
}

#[test]
fn is_accessible_on_a_phone() {
    check(Width::Narrow);
}

#[test]
fn is_accessible_on_a_tablet() {
    check(Width::Middle);
}

#[test]
fn is_accessible_on_a_laptop() {
    check(Width::Laptop);
}

#[test]
fn is_accessible_on_a_desktop() {
    check(Width::Wide);
}

#[test]
fn is_accessible_with_panels_and_dialogs_open() {
    Page::at_each_width(|page| {
        page.open("?host=linux.ubuntu24.04.zen3");
        page.press("My machine: ubuntu24.04 · zen3");
        page.is_accessible();
        page.type_keys(crate::harness::Key::Escape);
        page.type_keys("?");
        page.see_element(&[("dialog", "Keyboard")]);
        page.is_accessible();
    });
}
