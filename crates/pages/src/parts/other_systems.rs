//! Builds for systems or targets other than the one that is asked for, and the offer to make that the user's machine.

use cache_advice::machine_words::{DescribedMachine, Gpu};
use cache_advice::{AskedMachine, OtherSystems};
use cache_index::number::counted;
use leptos::prelude::*;
use site::browser::history;
use site::explorer::Explorer;
use site::view::frame::machine::{AskMachine, KnownOfMachine};

/// Returns how many builds for other systems or targets match, if one is asked for.
pub(crate) fn find(explorer: Explorer) -> Option<OtherSystems> {
    let answer = explorer.answer();
    explorer.with_question(|question| OtherSystems::of(explorer.index, question, &answer))
}

/// Returns the GPUs that the text in the search box names, which are those of the machine, too.
pub(crate) fn typed_gpus(explorer: Explorer) -> Vec<String> {
    let text = untrack(|| explorer.search_text());
    DescribedMachine::read(&text).gpus.iter().map(Gpu::text).collect()
}

/// Says how many there are, or how many more, if some builds match.
pub(crate) fn draw(others: OtherSystems, has_found: bool) -> AnyView {
    let explorer = Explorer::here();
    let ask: AskMachine = expect_context();
    let (one, many) = if has_found { ("more build", "more builds") } else { ("build", "builds") };
    let builds = counted(others.builds as usize, one, many);
    let (are, some) = if others.builds == 1 { ("is", "it") } else { ("are", "some") };
    let gpus = typed_gpus(explorer);
    let machine = others.machine();
    let runs_nowhere = others.too_new.as_ref().filter(|(too_new, _)| *too_new == others.builds);
    let said = match (&others.os, &others.target) {
        (Some(os), _) if let Some((_, libc)) = runs_nowhere => {
            let (none, they_need) = if others.builds == 1 {
                ("it does not run", "it needs")
            } else {
                ("none of them runs", "they need")
            };
            format!(
                "{builds} {are} for other systems, and {none} on {os}: {they_need} a newer libc than its {libc}."
            )
        }
        (None, _) => format!("{builds} {are} for other targets that {machine} runs."),
        (Some(_), Some(_)) => {
            format!("{builds} {are} for other systems or targets; {some} may run on {machine}.")
        }
        (Some(_), None) => {
            format!("{builds} {are} for other systems; {some} may run on {machine}.")
        }
    };
    let stated = untrack(|| {
        AskedMachine::with_filters(
            explorer.index,
            &explorer.before_typing(),
            &explorer.search_text(),
        )
    });
    if let Some(AskedMachine { said: machine, query, .. }) = stated {
        let offer = format!("See what runs on {machine}");
        return view! { <bdi>{said}</bdi>" "<a href=history::address(&query)><bdi>{offer}</bdi></a> }
            .into_any();
    }
    let parts: Vec<String> = std::iter::once(machine).chain(gpus.iter().cloned()).collect();
    let offer = format!("My machine is {}", parts.join(" · "));
    let words: Vec<String> = others.target.into_iter().chain(gpus).collect();
    let words = words.join(" ");
    let press =
        move |_| ask.for_rest_of(KnownOfMachine { words: words.clone(), ..Default::default() });
    view! {
        <bdi>{said}</bdi>
        " "
        <button type="button" class="plain" on:click=press><bdi>{offer}</bdi></button>
    }
    .into_any()
}
