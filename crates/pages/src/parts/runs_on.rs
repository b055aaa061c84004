//! What runs on a target for which no build is made, and the offer to make it the user's machine.

use cache_advice::{AskedMachine, RunsOn};
use cache_index::number::grouped;
use cache_query::Change;
use leptos::prelude::*;

use crate::parts::other_systems::typed_gpus;
use site::browser::history;
use site::explorer::Explorer;
use site::view::frame::machine::{AskMachine, KnownOfMachine};

/// The targets whose builds run there, each with its number of builds.
#[component]
pub(crate) fn RunsOnTarget<C>(
    /// The target and what runs on it.
    runs_on: RunsOn,
    /// Asks for builds for one of the others instead.
    choose: C,
    /// The text in the search box that contains the target, and the text without it; `None` if a filter asks for the target.
    within: Option<(String, String)>,
) -> impl IntoView
where
    C: Fn(&str) + Clone + 'static,
{
    let explorer = Explorer::here();
    let ask: AskMachine = expect_context();
    let RunsOn { target, os, others, .. } = runs_on;
    let (intro, after) = match (&os, others.is_empty()) {
        (None, true) => (format!("Nothing that matches runs on {target}."), " "),
        (None, false) => (format!("These run on {target}:"), ". "),
        // Which of these run depends on more than the target.
        (Some(os), true) => (
            format!(
                "Nothing that matches and is for {os} runs on {target}; builds for other systems may."
            ),
            " ",
        ),
        (Some(os), false) => (
            format!("Of those for {os}, these run on {target}:"),
            "; builds for other systems may, too. ",
        ),
    };
    let parts: Vec<String> =
        os.into_iter().chain([target.to_owned()]).chain(typed_gpus(explorer)).collect();
    let (machine, words) = (parts.join(" · "), parts.join(" "));
    let other = |(name, builds): (String, u32)| {
        let choose = choose.clone();
        let said = format!("{name} · {}", grouped(builds as usize));
        view! {
            " "
            <button type="button" class="plain" on:click=move |_| choose(&name)><bdi>{said}</bdi></button>
        }
    };
    let set = move |_| match untrack(|| explorer.host()) {
        Some(host) => {
            if let Some((_, rest)) = &within {
                explorer.search_for(rest);
            }
            explorer.go(Change::RunOn(host.with_target(target)));
        }
        None => {
            let (words, within) = (words.clone(), within.clone());
            ask.for_rest_of(KnownOfMachine { words, within });
        }
    };
    let is_own = move || explorer.host().is_some_and(|host| host.target() == target);
    let offer = move || match is_own() {
        true => "Show what runs on your machine".to_owned(),
        false => format!("My machine is {machine}"),
    };
    // With its OS, all of the machine is known.
    let stated = untrack(|| {
        let (query, text) = (explorer.before_typing(), explorer.search_text());
        AskedMachine::with_filters(explorer.index, &query, &text)
    });
    let offer = match stated.filter(|_| untrack(|| explorer.host().is_none())) {
        Some(AskedMachine { said, query, .. }) => {
            let see = format!("See what runs on {said}");
            view! { <a href=history::address(&query)><bdi>{see}</bdi></a> }.into_any()
        }
        None => {
            view! { <button type="button" class="plain" on:click=set>{offer}</button> }.into_any()
        }
    };
    view! {
        <span>{intro}</span>
        {others.into_iter().map(other).collect_view()}
        {after}
        {offer}
    }
}
