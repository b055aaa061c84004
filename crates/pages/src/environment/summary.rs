//! How much is in the cache, as bars: of all specs, of those needed to run, and of those that were asked for.

use cache_advice::environment::Counts;
use cache_advice::size_in_words;
use cache_index::number::{counted, grouped};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::browser::facts;
use crate::data::facts::{Sizes, ask_for_sizes, sizes};
use crate::environment::state::JudgedEnvironment;
use site::explorer::Explorer;
use site::html::list::list;

/// A bar for each group of nodes.
#[component]
pub(super) fn Summary(
    /// What is known.
    judged: Memo<JudgedEnvironment>,
) -> impl IntoView {
    let explorer = Explorer::here();
    if facts::are_short() {
        ask_for_sizes(explorer);
    }
    // Known once the sizes that were found in the binaries have arrived.
    let unpacked = move |JudgedEnvironment { environment, assessment, .. }: &JudgedEnvironment| {
        let Sizes::Here(numbers) = sizes(explorer) else { return None };
        let total = numbers.total(assessment.builds_to_run(environment));
        (total.unpacked > 0).then_some((size_in_words(total.unpacked), total.unknown))
    };
    let write = move || {
        let judged = judged.get();
        let JudgedEnvironment { environment, assessment, .. } = &judged;
        let rows = [
            ("All specs", assessment.counts),
            ("Needed to run", assessment.counts_to_run),
            ("Asked for", assessment.coverage.counts_of_roots(environment)),
        ];
        let (bytes, unknown) = assessment.bytes_to_run(explorer.index, environment);
        let beside = match unknown {
            0 => String::new(),
            unknown => format!(", and {} of unknown size", grouped(unknown)),
        };
        html! {
            table.shares data-testid="summary" {
                caption.heard { "How much is in the cache" }
                thead.heard {
                    tr {
                        @for name in ["Specs", "Share", "In the cache", "Missing", "External"] {
                            th scope="col" { (name) }
                        }
                    }
                }
                tbody { @for (name, counts) in rows { (row(name, counts)) } }
            }
            @if bytes > 0 {
                p.muted { (size_in_words(bytes)) " to download for what is needed to run" (beside) }
            }
            @if let Some((size, unknown)) = unpacked(&judged) {
                p.muted {
                    "Of what is needed to run, what is in the cache takes " (size) " installed"
                    @if unknown > 0 { ", without " (counted(unknown, "build", "builds")) " that nobody has looked into" }
                }
            }
        }
    };
    list("shares", "", NodeRef::new(), write, |_, _| ())
}

fn row(name: &str, counts: Counts) -> Markup {
    let percent = |part: usize| format!("{:.3}%", part as f64 * 100.0 / counts.nodes.max(1) as f64);
    let bar = |class: &str, before: usize, part: usize| {
        html! { rect class=(class) x=(percent(before)) width=(percent(part)) height="12" {} }
    };
    let Counts { cached, missing, external, .. } = counts;
    html! {
        tr {
            th scope="row" { (name) }
            td.share {
                svg width="100%" height="12" aria-hidden="true" {
                    (bar("cached", 0, cached))
                    (bar("missing", cached, missing))
                    (bar("external", cached + missing, external))
                }
            }
            td { (grouped(cached)) " in the cache" }
            td { (grouped(missing)) " missing" }
            td { (grouped(external)) " external" }
        }
    }
}
