//! Builds that a search for GPU code leaves out although they may run on that GPU: links next to the search.

use cache_advice::{ForEveryGpu, for_every_gpu, through_ptx};
use cache_index::number::counted;
use cache_query::{Query, Question};
use leptos::prelude::*;

use site::browser::history;
use site::explorer::Explorer;
use site::memo::memo;

/// Such builds: how many there are, in words, and the address that lists them.
type Left = (String, String);

/// Draws list items, each with a link to such builds; none if there are no such builds.
pub(super) fn draw(explorer: Explorer) -> impl IntoView {
    let index = explorer.index;
    let every = memo(move || {
        explorer.with_query(|query| {
            let ForEveryGpu { question, builds, are_of_others } =
                for_every_gpu(index, &query.question)?;
            // The filter on verdicts may leave none of them.
            let builds = match question.runs.is_empty() {
                true => builds,
                false => explorer.answer_to(&question).builds,
            };
            let left = left(query, question, builds)?;
            Some((left, are_of_others))
        })
    });
    let through = memo(move || {
        explorer.with_query(|query| {
            let question = through_ptx(index, &query.question)?;
            let builds = explorer.answer_to(&question).builds;
            left(query, question, builds)
        })
    });
    move || {
        let every = every.get().map(|((builds, address), are_of_others)| {
            view! {
                <li>
                    <a href=address>{builds}</a>
                    {are_of_others.then_some(" of other packages")}
                    " with code for every GPU that their ROCm supports (amdgpu_target=auto)"
                </li>
            }
        });
        let through = through.get().map(|(builds, address)| {
            view! {
                <li>
                    <a href=address>{builds}</a>
                    " with code for older GPUs, which runs on yours only if they contain PTX"
                </li>
            }
        });
        (every, through)
    }
}

fn left(query: &Query, question: Question, builds: u32) -> Option<Left> {
    let address = history::address(&Query { question, ..query.clone() });
    (builds > 0).then(|| (counted(builds as usize, "more build", "more builds"), address))
}
