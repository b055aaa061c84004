//! How to install the environment: the mirrors, their keys, what comes from the cache, and what has to be built.

use cache_advice::environment::Plan;
use cache_index::number::counted;
use cache_query::Question;
use leptos::prelude::*;

use crate::environment::state::Judged;
use site::explorer::Explorer;
use site::view::frame::machine::ask_for_machine;
use site::view::parts::copy::{draw_steps, notices};

/// The maximum number of specs to build that are named.
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
        let Plan { mirrors, commands, unknown, system, to_build, working_nowhere } = plan;
        let is_concrete = environment.is_concrete();
        let is_filtered = explorer.with_question(Question::is_filtered);
        let ask = (!is_concrete && system.is_some()).then(|| {
            view! {
                <p class="notice">
                    <button type="button" class="plain" on:click=|_| ask_for_machine()>
                        "Say what your machine is"
                    </button>
                    ": these are builds for "
                    <bdi>{system.unwrap_or_default()}</bdi>
                    ", for which the cache satisfies most of the specs."
                </p>
            }
        });
        let each = (!is_concrete).then(|| {
            view! {
                <p class="muted">
                    "Each is the newest build that satisfies its spec, chosen by itself: what they depend on may differ. "
                    "Spack’s solver chooses them together; "<code>"spack explore"</code>" asks it."
                </p>
            }
        });
        let unknown = (!unknown.is_empty()).then(|| {
            let names = unknown.join(", ");
            view! {
                <p class="notice">"The cache has no package of these names; check them: "<bdi>{names}</bdi>"."</p>
            }
        });
        let notices = mirrors.iter().map(notices).collect_view();
        let absent = match is_filtered {
            true => "Not in what the filters leave of the cache, so built from source: ",
            false => "Not in the cache, so built from source: ",
        };
        let build = [
            (absent, to_build),
            ("In the cache, but no build works here, so built from source: ", working_nowhere),
        ];
        let build = build.into_iter().filter(|(_, specs)| !specs.is_empty()).map(|(why, specs)| {
            let more = specs.len().saturating_sub(NAMED);
            let names = specs[..specs.len() - more].join(", ");
            let more = (more > 0).then(|| format!(" and {}", counted(more, "other", "others")));
            view! {
                <p>{why}<bdi>{names}</bdi>{more}"."</p>
            }
        });
        let build = build.collect_view();
        view! {
            <section class="guide">
                {ask}
                {notices}
                {unknown}
                {each}
                {draw_steps(commands, lines)}
                {build}
            </section>
        }
    }
}
