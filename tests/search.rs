//! The search box: completions, problems, and one address for one question.

use crate::harness::{Key, Page, Site, Width};

const BOX: &str = "Search packages and specs";

#[test]
fn completes_by_keyboard() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.type_keys("/");
    page.type_keys("py-ml");
    page.see_element(&[("listbox", ""), ("option", "py-ml-dtypes")]);
    page.type_keys(Key::Down);
    page.type_keys(Key::Enter);
    page.type_keys("@0.");
    page.see_element(&[("listbox", ""), ("option", "0.3.1")]);
    page.type_keys("3");
    page.see_builds(11);
    page.see_query("?q=py-ml-dtypes@0.3");
    page.type_keys(Key::Escape);
    page.type_keys(Key::Enter);
    page.see_query("?q=py-ml-dtypes@0.3&package=py-ml-dtypes");
    page.see_builds(11);
}

#[test]
fn treats_typed_and_chosen_filters_alike() {
    let site = Site::release();
    let page = Page::of(&site, Width::Wide);
    page.open("");
    page.type_into(BOX, "py-ml-dtypes os=sequoia");
    page.see_builds(11);
    page.see_chosen("OS", "sequoia", true);
    page.see_query("?q=py-ml-dtypes&os=sequoia");
    page.type_keys(Key::Escape);
    page.press("Remove OS sequoia");
    page.see_query("?q=py-ml-dtypes");
    page.see_builds(129);
    // Typed by hand, it is the same address.
    page.open("?q=py-ml-dtypes%20os=sequoia");
    page.see_query("?q=py-ml-dtypes&os=sequoia");
    page.see_builds(11);
}

#[test]
fn explains_what_is_wrong_and_what_would_work() {
    Page::at_each_width(|page| {
        page.open("?q=py-tokenizer%2Bcuda");
        page.see("no package `py-tokenizer`: did you mean `py-tokenizers`?");
        page.open("?q=py-toknizers");
        page.press("Search for py-tokenizers");
        page.see_builds(32);
        page.open("?q=py-ml-dtypes%20%5Epython");
        page.see("Cannot search dependencies: this cache does not list them");
        page.fits();
    });
}
