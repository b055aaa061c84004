//! The first view, which a published page has as HTML and shows until the app draws the same.
//!
//! Most of it need not be drawn again: [lists](super::list) take over the elements that are there. What the user did in it
//! before the app started is repeated.

use std::cell::RefCell;

use gloo::utils::{document, document_element};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement};

use super::action::DO;

thread_local! {
    static FIRST: RefCell<Option<First>> = const { RefCell::new(None) };
}

/// The first view while the app draws the same.
struct First {
    element: Element,
    /// The element in it that has the focus.
    focused: Option<HtmlElement>,
    /// The ids of the elements that take over the contents of those with the same ids in it.
    claimed: Vec<&'static str>,
}

/// Returns `true` if the page shows its first view.
pub(crate) fn is_shown() -> bool {
    // With this attribute, index.html hides the first view.
    !document_element().has_attribute("data-asked")
        && document().get_element_by_id("first").is_some()
}

/// Keeps the first view. The app must draw the same view next, and then call [`hand_over`].
pub(crate) fn keep() {
    FIRST.set(document().get_element_by_id("first").map(|element| {
        let focused = document().active_element().filter(|it| element.contains(Some(it)));
        let focused = focused.and_then(|focused| focused.dyn_into().ok());
        First { element, focused, claimed: Vec::new() }
    }));
}

/// Returns `true` while there is a first view to take over.
pub(crate) fn is_kept() -> bool {
    FIRST.with_borrow(Option::is_some)
}

/// Returns `true` if an element with this id, which is about to be drawn empty, will get its contents from the first view.
pub(crate) fn claim(id: &'static str) -> bool {
    FIRST.with_borrow_mut(|first| match first {
        Some(first) if find(&first.element, id).is_some() => {
            first.claimed.push(id);
            true
        }
        _ => false,
    })
}

/// Moves the contents that have been claimed into the page. The focus stays where it is.
pub(crate) fn hand_over() {
    let Some(First { element, focused, claimed }) = FIRST.take() else { return };
    for id in claimed {
        let (Some(old), Some(new)) = (find(&element, id), document().get_element_by_id(id)) else {
            continue;
        };
        // Removes the comment with which Leptos marks where the contents belong.
        new.set_text_content(None);
        while let Some(child) = old.first_child() {
            if new.append_child(&child).is_err() {
                break;
            }
        }
    }
    if let Some(focused) = focused.filter(|focused| focused.is_connected()) {
        let _ = focused.focus();
    }
}

fn find(first: &Element, id: &str) -> Option<Element> {
    first.query_selector(&format!("#{id}")).ok()?
}

/// What the user did in the first view before the app took over.
pub(crate) struct Early {
    search: Option<String>,
    /// The actions of the boxes that were ticked.
    ticked: Vec<String>,
}

/// The boxes of the facets.
const BOXES: &str = ".values input";

fn boxes(selector: &str) -> Vec<HtmlInputElement> {
    let Ok(boxes) = document().query_selector_all(selector) else { return Vec::new() };
    (0..boxes.length()).filter_map(|at| boxes.item(at)?.dyn_into().ok()).collect()
}

fn search_box() -> Option<HtmlInputElement> {
    document().get_element_by_id("search")?.dyn_into().ok()
}

/// Returns what the user did in the first view, if the page shows it. Must be called before the app is drawn.
pub(crate) fn early() -> Early {
    if !is_shown() {
        return Early { search: None, ticked: Vec::new() };
    }
    let ticked = boxes(&format!("{BOXES}:checked")).into_iter();
    let ticked = ticked.filter_map(|input| input.get_attribute(DO)).collect();
    let search = search_box().map(|input| input.value()).filter(|text| !text.is_empty());
    Early { search, ticked }
}

/// Repeats what the user did, in the app, which has drawn the same view.
pub(crate) fn repeat(early: Early) {
    for action in early.ticked {
        let is_it = |input: &HtmlInputElement| input.get_attribute(DO).as_ref() == Some(&action);
        if let Some(input) = boxes(BOXES).into_iter().find(is_it) {
            // It may be the very box that the user ticked.
            input.set_checked(false);
            input.click();
        }
    }
    if let (Some(text), Some(input)) = (early.search, search_box()) {
        input.set_value(&text);
        let _ = input.focus();
        if let Ok(event) = Event::new("input") {
            let _ = input.dispatch_event(&event);
        }
    }
}
