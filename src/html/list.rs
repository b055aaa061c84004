//! A list: an element whose contents are written as HTML.
//!
//! It has one listener for each kind of event, which finds the [`Action`] of the element that was pressed, and [`patch`]
//! changes the contents of the list in place. If its elements are in the page already, as in the first view of a published
//! page, they are [taken over](take_over), and only written once the answer is on the screen, or when something changes.

use std::rc::Rc;

use leptos::ev;
use leptos::html::{Div, div};
use leptos::prelude::*;
use maud::Markup;
use web_sys::Event;

use super::action::{Action, DO};
use super::patch::{patch, put_styles};
use super::take_over;
use crate::browser;
use crate::browser::history::is_plain;
use crate::explorer::Explorer;
use crate::memo::memo;

/// Draws the element with this id: `write` returns its contents, and `act` carries out the actions of the elements in it.
pub fn list(
    id: &'static str,
    class: &'static str,
    element: NodeRef<Div>,
    write: impl Fn() -> Markup + Send + Sync + 'static,
    act: impl Fn(Action, &Event) + Clone + 'static,
) -> AnyView {
    keep(id, class, element, memo(move || write().into_string()), Rc::new(act))
}

/// What a list does with an action.
type Act = Rc<dyn Fn(Action, &Event)>;

/// The part of [`list`] that is not generic.
fn keep(
    id: &'static str,
    class: &'static str,
    element: NodeRef<Div>,
    html: Memo<String>,
    act: Act,
) -> AnyView {
    let explorer = Explorer::here();
    let is_there = take_over::claim(id);
    let first = (!is_there).then(|| html.get_untracked());
    let mut drawn = first.clone();
    Effect::new(move |was_live: Option<bool>| {
        if !explorer.is_live() {
            return false;
        }
        if let Some(element) = element.get_untracked() {
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
    // Firefox runs no effects between the two events of printing, so the list is changed within these events.
    browser::on_print(move |_| {
        if let Some(element) = element.get_untracked().filter(|_| untrack(|| explorer.is_live())) {
            html.with_untracked(|html| patch(&element, html));
        }
    });
    let on = move |act: &Act| {
        let act = act.clone();
        move |event: Event| handle(explorer, &event, &*act)
    };
    div()
        .id(id)
        .class(class)
        .node_ref(element)
        .inner_html(first.unwrap_or_default())
        .on(ev::Custom::new("click"), on(&act))
        .on(ev::Custom::new("change"), on(&act))
        .on(ev::Custom::new("input"), on(&act))
        .on(ev::capture(ev::Custom::new("scroll")), on(&act))
        .into_any()
}

/// Carries out the action of the element that an event happened to. A click on a link only follows the link.
fn handle(explorer: Explorer, event: &Event, act: &dyn Fn(Action, &Event)) {
    if event.type_() == "click" && browser::closest(event, "a[href]").is_some() {
        return;
    }
    match Action::of(event) {
        Some(Action::Follow) => {
            if let Some(address) = address_in(event).filter(|_| is_plain(event)) {
                explorer.follow(&address);
            }
        }
        Some(action) => {
            explorer.go_live();
            act(action, event);
        }
        None => {}
    }
}

/// Returns the address of the first link in the element to which something happened.
fn address_in(event: &Event) -> Option<String> {
    let link = browser::closest(event, &format!("[{DO}]"))?.query_selector("a[href]").ok()??;
    link.get_attribute("href")
}
