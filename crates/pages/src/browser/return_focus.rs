//! Returns the focus for users of the keyboard: after Back and Forward, it is on the link that was followed there; after a
//! link to another page, it is on that page. Without this, the focus would be nowhere once the focused element is removed,
//! and the next Tab would start at the top.
//!
//! The followed links are only known until the page is reloaded; then a browser restores the focus itself.

use std::cell::RefCell;

use gloo::events::{EventListener, EventListenerOptions, EventListenerPhase};
use gloo::utils::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlElement};

use site::browser::history;
use site::browser::is_typing;
use site::browser::tasks::{painted, spawn};

/// How many addresses are remembered.
const MOST: usize = 100;

/// How many frames a page may take to draw a link, which waits for what it shows and for the scroll position.
const PATIENCE: u32 = 60;

thread_local! {
    /// For each address, the link that was followed there last.
    static FOLLOWED: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

/// From now on, notes which links the user follows, and returns the focus.
pub(crate) fn follow() {
    let options = EventListenerOptions { phase: EventListenerPhase::Capture, passive: true };
    // This runs before the app handles the click, and goes to another address.
    EventListener::new_with_options(&document(), "click", options, |event| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let Some(control) = target.and_then(|it| it.closest("a[href], button").ok()?) else {
            return;
        };
        if let Some(link) = control.get_attribute("href") {
            remember(address(), link);
        }
        spawn(async move {
            painted().await;
            if !control.is_connected() && is_nowhere() {
                focus(document().get_element_by_id("results"));
            }
        });
    })
    .forget();
    history::on_move(|| spawn(look_for_link(address(), document().active_element())));
}

fn address() -> String {
    window().location().search().unwrap_or_default()
}

fn remember(address: String, link: String) {
    FOLLOWED.with_borrow_mut(|followed| {
        followed.retain(|(other, _)| *other != address);
        followed.push((address, link));
        let old = followed.len().saturating_sub(MOST);
        followed.drain(..old);
    });
}

/// Focuses the link that was followed at an address once it has been drawn, unless the user has gone on meanwhile.
async fn look_for_link(there: String, before: Option<Element>) {
    let link = FOLLOWED.with_borrow(|followed| {
        followed.iter().find(|(address, _)| *address == there).map(|(_, link)| link.clone())
    });
    let Some(link) = link else { return };
    for _ in 0..PATIENCE {
        painted().await;
        let has_stayed = address() == there
            && !is_typing()
            && (is_nowhere() || document().active_element() == before);
        if !has_stayed {
            return;
        }
        if let Some(found) = find(&link) {
            return focus(Some(found));
        }
    }
}

/// Returns the first link with this address in the results, or else anywhere.
fn find(link: &str) -> Option<Element> {
    ["main a[href]", "a[href]"].into_iter().find_map(|selector| {
        let links = document().query_selector_all(selector).ok()?;
        let mut links = (0..links.length()).filter_map(|at| links.get(at)?.dyn_into().ok());
        links.find(|element: &Element| element.get_attribute("href").as_deref() == Some(link))
    })
}

/// Returns `true` if no element has the focus.
fn is_nowhere() -> bool {
    document().active_element().is_none_or(|element| element.tag_name() == "BODY")
}

/// Focuses an element without scrolling the page.
fn focus(element: Option<Element>) {
    if let Some(Ok(element)) = element.map(JsCast::dyn_into::<HtmlElement>) {
        let options = FocusOptions::new();
        options.set_prevent_scroll(true);
        let _ = element.focus_with_options(&options);
    }
}
