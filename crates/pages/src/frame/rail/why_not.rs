//! The number of builds that work on the user's machine, and the reasons why the others do not.

use cache_index::number::grouped;
use leptos::prelude::*;
use maud::html;

use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;
use site::memo::memo;

use crate::data::fits;
use crate::parts::verdict;

/// Says how many builds run although they are not among those that work.
fn more_run(builds: usize) -> String {
    let run = if builds == 1 { "more runs" } else { "more run" };
    format!(
        "{} {run}, but Spack does not reuse {}",
        grouped(builds),
        if builds == 1 { "it" } else { "them" }
    )
}

/// Draws the counts by reason while a machine is chosen. They are only computed while they are open.
pub(crate) fn draw() -> AnyView {
    let explorer = Explorer::here();
    let is_open = RwSignal::new(false);
    let run_only = memo(move || {
        // It is not known what runs on an unknown target.
        let is_unknown =
            explorer.host().is_some_and(|host| host.unknown_target(explorer.index).is_some());
        if is_unknown { 0 } else { fits::run_only(explorer).unwrap_or(0) }
    });
    let write = move || {
        html! {
            @if explorer.host().is_some() {
                section.facet data-testid="why-not" {
                    h2.plain-heading {
                        button.plain type="button" aria-expanded=(is_open.get()) data-do=(Action::Unfold) {
                            "Why not?"
                        }
                    }
                    @if is_open.get() {
                        (verdict::counts(explorer))
                    } @else if run_only.get() > 0 {
                        p.muted { (more_run(run_only.get())) }
                    }
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
