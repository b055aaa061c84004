//! How to install the environment: the mirrors, their keys, what comes from the cache, and what has to be built.

use cache_advice::environment::Plan;
use cache_index::number::counted;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::view::pages::environment::state::Judged;
use crate::view::parts::copy::{Command, Copy, notices};

/// How many of the specs that have to be built are named.
const NAMED: usize = 20;

/// The commands, each to copy, or all at once.
#[component]
pub(super) fn HowToInstall(
    /// What is known.
    judged: Judged,
) -> impl IntoView {
    let explorer = Explorer::here();
    move || {
        let Judged { environment, assessment, .. } = &judged;
        let index = explorer.so_far();
        let plan =
            explorer.with_question(|question| Plan::new(index, question, environment, assessment));
        let lines = plan.lines();
        let Plan { mirrors, commands, to_build } = plan;
        let notices = mirrors.iter().map(notices).collect_view();
        let commands = commands
            .into_iter()
            .map(|(does, text)| view! { <Command does text label="Copy"/> })
            .collect_view();
        let build = (!to_build.is_empty()).then(|| {
            let more = to_build.len().saturating_sub(NAMED);
            let names = to_build[..to_build.len() - more].join(", ");
            let more = (more > 0).then(|| format!(" and {}", counted(more, "other", "others")));
            view! {
                <p>"Not in the cache, so built from source: "<bdi>{names}</bdi>{more}"."</p>
            }
        });
        view! {
            <section class="guide">
                {notices}
                <ol class="steps">{commands}</ol>
                <p class="line">
                    <Copy text=Callback::new(move |()| lines.clone()) label="Copy all"/>
                </p>
                {build}
            </section>
        }
    }
}
