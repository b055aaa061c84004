//! The first view, which a published page has as HTML and shows until the app draws the same.
//!
//! Most of it need not be drawn again: parts that the app [writes](crate::view::parts::written) take over the elements that
//! are there.

use std::cell::RefCell;

use gloo::utils::{document, document_element};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

thread_local! {
    static FIRST: RefCell<Option<First>> = const { RefCell::new(None) };
}

/// The first view while the app draws the same.
struct First {
    element: Element,
    /// What has the focus in it.
    focused: Option<HtmlElement>,
    /// The ids of the elements that take over the contents of those with the same ids in it.
    claimed: Vec<&'static str>,
}

/// Returns `true` if the page shows its first view.
pub(crate) fn is_shown() -> bool {
    // With this mark, index.html hides it.
    !document_element().has_attribute("data-asked")
        && document().get_element_by_id("first").is_some()
}

/// Keeps the first view, which the app must draw next, and then call [`hand_over`].
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

/// Moves what has been claimed into the page. The focus stays where it is.
pub(crate) fn hand_over() {
    let Some(First { element, focused, claimed }) = FIRST.take() else { return };
    for id in claimed {
        let (Some(old), Some(new)) = (find(&element, id), document().get_element_by_id(id)) else {
            continue;
        };
        // Leptos marks the place of contents with a comment.
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
