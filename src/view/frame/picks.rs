//! The selected builds, and the bar that compares or exports them.
//!
//! The selection belongs to this visit, not to the address: only the comparison itself is worth sharing.

use cache_index::build::Hash;
use cache_query::{Change, View};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::export::Export;
use crate::view::parts::icon::Icon;
use crate::view::parts::to::To;

/// More columns than this cannot be read side by side.
const MOST_COMPARED: usize = 4;

/// How many of the selected builds are named; the others are only counted.
const NAMED: usize = 4;

/// The selected builds, in the order in which they were selected.
#[derive(Clone, Copy)]
pub(crate) struct Picks(RwSignal<Vec<Hash>>);

impl Picks {
    /// Creates an empty selection.
    pub(crate) fn new() -> Picks {
        Picks(RwSignal::new(Vec::new()))
    }

    fn toggle(&self, hash: Hash) {
        self.0.update(|picks| match picks.iter().position(|other| *other == hash) {
            Some(place) => drop(picks.remove(place)),
            None => picks.push(hash),
        });
    }
}

/// The checkbox that selects a build.
#[component]
pub(crate) fn Pick(
    /// The build's hash.
    hash: Hash,
) -> impl IntoView {
    let picks: Picks = expect_context();
    let is_picked = memo(move || picks.0.with(|picks| picks.contains(&hash)));
    view! {
        <input
            type="checkbox"
            aria-label=format!("Select {}", short(&hash))
            prop:checked=move || is_picked.get()
            on:change=move |_| picks.toggle(hash)
        />
    }
}

/// The bar, which appears with the first selected build.
#[component]
pub(crate) fn PicksBar() -> impl IntoView {
    let explorer = Explorer::here();
    let picks: Picks = expect_context();
    let chips = move || {
        let picked = picks.0.get().into_iter();
        let named = picked.take(NAMED);
        named
            .map(|hash| {
                let name = short(&hash);
                let label = format!("Remove {name}");
                view! {
                    <li>
                        <button
                            type="button"
                            class="chip"
                            aria-label=label
                            on:click=move |_| picks.toggle(hash)
                        >
                            <code>{name}</code>
                            {Icon::Cross.draw()}
                        </button>
                    </li>
                }
            })
            .collect_view()
    };
    let more = move || {
        let more = picks.0.with(Vec::len).saturating_sub(NAMED);
        (more > 0).then(|| view! { <li class="muted">{format!("and {more} more")}</li> })
    };
    let ids = Callback::new(move |()| {
        let hashes = picks.0.get();
        explorer.index.find_all(&hashes).into_iter().flatten().collect()
    });
    let compare = move || {
        let hashes = picks.0.get();
        match hashes.len() {
            1 => view! { <span class="muted">"Select another build to compare"</span> }.into_any(),
            count if count > MOST_COMPARED => {
                let text = format!("At most {MOST_COMPARED} can be compared");
                view! { <span class="muted">{text}</span> }.into_any()
            }
            count => {
                let label = format!("Compare {count} builds");
                view! { <To change=Change::Compare(hashes) class="button main">{label}</To> }
                    .into_any()
            }
        }
    };
    let is_open = memo(move || {
        let comparing = explorer.view().with(|view| matches!(view, View::Compare(_)));
        !comparing && picks.0.with(|picks| !picks.is_empty())
    });
    view! {
        <Show when=move || is_open.get()>
            <section class="picks" aria-label="Selected builds">
                <ul class="chips">{chips}{more}</ul>
                <span class="actions">
                    {compare}
                    <Export ids/>
                    <button type="button" class="button" on:click=move |_| picks.0.set(Vec::new())>
                        "Clear"
                    </button>
                </span>
            </section>
        </Show>
    }
}

fn short(hash: &Hash) -> String {
    hash.to_string().chars().take(cache_index::build::SHORT_HASH).collect()
}
