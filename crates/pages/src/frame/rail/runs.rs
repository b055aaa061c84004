//! The facet for the user's machine: the number of builds that work on it, may work, and do not, and that use its GPU.

use cache_query::host::Runs;
use cache_query::{Change, Question};
use leptos::prelude::*;
use maud::{Markup, html};

use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list::list;
use site::view::frame::rail::value::Value;

use crate::parts::verdict::class;

/// The facet, shown only while a machine is chosen.
#[component]
pub(crate) fn WorksHere() -> impl IntoView {
    let explorer = Explorer::here();
    let write = move || {
        html! {
            @if explorer.host().is_some() {
                section.facet aria-labelledby="facet-runs" data-testid="runs" {
                    h2.plain-heading id="facet-runs" { "Works here" }
                    ul.values {
                        @for runs in Runs::ALL { (value(explorer, runs)) }
                        @if explorer.with_question(Question::has_gpu) { (on_gpu(explorer)) }
                    }
                }
            }
        }
    };
    let act = move |action, _: &_| match action {
        Action::ToggleRuns(runs) => explorer.go(Change::ToggleRuns(runs)),
        Action::ToggleOnGpu => explorer.go(Change::ToggleOnGpu),
        _ => {}
    };
    list("runs", "", NodeRef::new(), write, act)
}

fn value(explorer: Explorer, runs: Runs) -> Markup {
    let value = Value {
        name: runs.key(),
        label: html! { span.cut { span class=(class(runs)) { (runs.key()) } } },
        count: explorer.answer().runs(runs),
        included: explorer.with_question(|question| question.runs.contains(&runs)),
        excluded: false,
        largest: None,
        action: Action::ToggleRuns(runs),
        is_stop: runs == Runs::Yes,
        buttons: html! {},
    };
    value.write()
}

/// Writes the filter for builds with GPU code that runs on the machine's GPUs. Builds without GPU code are not among them,
/// whatever the verdict on them.
fn on_gpu(explorer: Explorer) -> Markup {
    let value = Value {
        name: "uses my GPU",
        label: html! { span.cut { "uses my GPU" } },
        count: explorer.answer().on_gpu(),
        included: explorer.with_question(|question| question.only_on_gpu),
        excluded: false,
        largest: None,
        action: Action::ToggleOnGpu,
        is_stop: false,
        buttons: html! {},
    };
    value.write()
}
