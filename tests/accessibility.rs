//! Every view, in every width and in both themes, checked with axe-core; and no view has too many elements.

use crate::dependencies;
use crate::harness::{Page, Site, Theme, Width};
use crate::views::{VIEWS, VIEWS_WITH_DEPENDENCIES};

/// Colours do not depend on the width, nor the structure on the theme: each width has one theme.
fn check(conditions: [(Width, Theme); 2]) {
    let cache = dependencies::cache();
    for (site, views) in [(&Site::release(), &VIEWS[..]), (&cache.site, &VIEWS_WITH_DEPENDENCIES)] {
        for (width, theme) in conditions {
            let page = Page::of(site, width);
            page.prefer(theme);
            page.open("");
            for (name, address) in views {
                println!("{name}, {width:?}, {theme:?}");
                page.go(address);
                page.is_accessible();
                page.fits();
                page.has_few_elements();
            }
        }
    }
}

#[test]
fn is_accessible_on_small_screens() {
    check([(Width::Narrow, Theme::Light), (Width::Middle, Theme::Dark)]);
}

#[test]
fn is_accessible_on_large_screens() {
    check([(Width::Laptop, Theme::Light), (Width::Wide, Theme::Dark)]);
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
