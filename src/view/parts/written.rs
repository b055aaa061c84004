//! Parts of the page that are written as HTML.
//!
//! Leptos creates each element, attribute, text and listener with a function that is instantiated for its type, and a browser
//! compiles each of these when it first runs. Most of what a first visit shows is lists, of five hundred elements, which its
//! own parser creates from a text at once. If they are in the page already, as in the first view of a published one, they are
//! [taken over](browser::first), and only written when the answer is on the screen, or when something changes.
//!
//! So such a part is a function from the state to a text. Its element has one listener for each kind of event, and
//! [`patch`](browser::patch) changes what is inside it in place.

use leptos::html::ElementType;
use leptos::prelude::*;
use maud::Markup;
use wasm_bindgen::JsCast;

use crate::browser;
use crate::explorer::Explorer;
use crate::memo::memo;

/// Keeps the contents of an element with this id as a function writes them. Returns what its `inner_html` is at first.
pub(crate) fn written<E>(
    id: &'static str,
    element: NodeRef<E>,
    write: impl Fn() -> Markup + Send + Sync + 'static,
) -> String
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    let element = move || element.get_untracked().map(JsCast::unchecked_into);
    keep(id, Box::new(element), memo(move || write().into_string()))
}

/// Of [`written`], what does not depend on the element.
fn keep(
    id: &'static str,
    element: Box<dyn Fn() -> Option<web_sys::Element>>,
    html: Memo<String>,
) -> String {
    let explorer = Explorer::here();
    let is_there = browser::first::claim(id);
    let first = (!is_there).then(|| html.get_untracked());
    let mut drawn = first.clone();
    Effect::new(move |was_live: Option<bool>| {
        if !explorer.is_live() {
            return false;
        }
        if let Some(element) = element() {
            html.with(|html| {
                if was_live == Some(true) || drawn.take().as_ref() != Some(html) {
                    browser::patch(&element, html);
                }
            });
            if was_live != Some(true) {
                browser::put_styles(&element);
            }
        }
        true
    });
    first.unwrap_or_default()
}
