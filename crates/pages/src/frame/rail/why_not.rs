//! The number of builds that work on the user's machine, and the reasons why the others do not.

use leptos::prelude::*;
use maud::html;

use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;

use crate::parts::verdict;

/// Draws the counts by reason while a machine is chosen, which are worked out while they are open.
pub(crate) fn draw() -> AnyView {
    let explorer = Explorer::here();
    let is_open = RwSignal::new(false);
    let write = move || {
        html! {
            @if explorer.host().is_some() {
                section.facet data-testid="why-not" {
                    h2.plain-heading {
                        button.plain type="button" aria-expanded=(is_open.get()) data-do=(Action::Unfold) {
                            "Why not?"
                        }
                    }
                    @if is_open.get() { (verdict::counts(explorer)) }
                }
            }
        }
    };
    let act = move |action, _: &_| {
        if action == Action::Unfold {
            is_open.update(|is_open| *is_open = !*is_open);
        }
    };
    list("why-not", "", NodeRef::new(), write, act)
}
