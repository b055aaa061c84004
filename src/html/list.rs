//! A list: an element whose contents are written as HTML.
//!
//! It has one listener for each kind of event, which finds the [`Action`] of what was pressed, and [`patch`] changes what is
//! inside it in place. If its elements are in the page already, as in the first view of a published one, they are
//! [taken over](take_over), and only written when the answer is on the screen, or when something changes.

use std::rc::Rc;

use leptos::ev;
use leptos::html::{Div, div};
use leptos::prelude::*;
use maud::Markup;
use wasm_bindgen::JsCast;
use web_sys::Event;

use super::action::{Action, DO};
use super::patch::{patch, put_styles};
use super::take_over;
use crate::browser;
use crate::explorer::Explorer;
use crate::memo::memo;

/// Draws the element with this id: a function writes its contents, and another does what its elements ask for.
pub(crate) fn list(
    id: &'static str,
    class: &'static str,
    element: NodeRef<Div>,
    write: impl Fn() -> Markup + Send + Sync + 'static,
    act: impl Fn(Action, &Event) + Clone + 'static,
) -> AnyView {
    keep(id, class, element, memo(move || write().into_string()), Rc::new(act))
}

/// The part of [`list`] that is not generic.
fn keep(
    id: &'static str,
    class: &'static str,
    element: NodeRef<Div>,
    html: Memo<String>,
    act: Rc<dyn Fn(Action, &Event)>,
) -> AnyView {
    let explorer = Explorer::here();
    let first = contents(id, Box::new(move || element.get_untracked().map(Into::into)), html);
    let on = move |act: &Rc<dyn Fn(Action, &Event)>| {
        let act = act.clone();
        move |event: Event| handle(explorer, &event, &*act)
    };
    div()
        .id(id)
        .class(class)
        .node_ref(element)
        .inner_html(first)
        .on(ev::Custom::new("click"), on(&act))
        .on(ev::Custom::new("change"), on(&act))
        .on(ev::Custom::new("input"), on(&act))
        .on(ev::capture(ev::Custom::new("scroll")), on(&act))
        .into_any()
}

/// Keeps the contents of the element with this id as they are written. Returns what its `inner_html` is at first.
pub(crate) fn contents(
    id: &'static str,
    element: Box<dyn Fn() -> Option<web_sys::Element>>,
    html: Memo<String>,
) -> String {
    let explorer = Explorer::here();
    let is_there = take_over::claim(id);
    let first = (!is_there).then(|| html.get_untracked());
    let mut drawn = first.clone();
    Effect::new(move |was_live: Option<bool>| {
        if !explorer.is_live() {
            return false;
        }
        if let Some(element) = element() {
            html.with(|html| {
                if was_live == Some(true) || drawn.take().as_ref() != Some(html) {
                    patch(&element, html);
                }
            });
            if was_live != Some(true) {
                put_styles(&element);
            }
        }
        true
    });
    first.unwrap_or_default()
}

/// Does what the element asks for to which something happened.
pub(crate) fn handle(explorer: Explorer, event: &Event, act: &dyn Fn(Action, &Event)) {
    if event.type_() == "click"
        && let Some(address) = address_of(event)
    {
        if is_plain(event) && explorer.follow(&address) {
            event.prevent_default();
        }
    } else if let Some(action) = Action::of(event) {
        explorer.go_live();
        act(action, event);
    }
}

/// Returns where a click leads: to the address of a link, or of the first link of what [follows](Action::Follow) it.
fn address_of(event: &Event) -> Option<String> {
    let link = browser::closest(event, "a[href]").or_else(|| match Action::of(event)? {
        Action::Follow => {
            browser::closest(event, &format!("[{DO}]"))?.query_selector("a[href]").ok()?
        }
        _ => None,
    });
    link?.get_attribute("href")
}

/// Returns `true` if a click on a link stays on the page. Any other opens a new tab or window, which the browser does with
/// the address.
pub(crate) fn is_plain(event: &Event) -> bool {
    let Some(event) = event.dyn_ref::<web_sys::MouseEvent>() else { return false };
    event.button() == 0
        && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
}
