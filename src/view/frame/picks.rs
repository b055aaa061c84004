//! The selected builds, and the bar that compares or exports them.
//!
//! The selection belongs to this visit, not to the address: only the comparison itself is worth sharing.

use cache_index::build::Hash;
use cache_query::{Change, View};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::explorer::Explorer;
use crate::html::action::Action;
use crate::html::list::list;
use crate::memo::memo;
use crate::view::parts::export::Export;
use crate::view::parts::icon::Icon;
use crate::view::parts::query_link::QueryLink;

/// More columns than this cannot be read side by side.
pub const MOST_COMPARED: usize = 4;

/// How many of the selected builds are named; the others are only counted.
const NAMED: usize = 4;

/// The selected builds, in the order in which they were selected.
#[derive(Clone, Copy)]
pub struct Picks(RwSignal<Vec<Hash>>);

impl Picks {
    /// Creates an empty selection.
    pub(crate) fn new() -> Picks {
        Picks(RwSignal::new(Vec::new()))
    }

    /// Selects a build, or deselects it.
    pub fn toggle(&self, hash: Hash) {
        self.0.update(|picks| match picks.iter().position(|other| *other == hash) {
            Some(place) => drop(picks.remove(place)),
            None => picks.push(hash),
        });
    }

    /// Writes the checkbox that selects a build.
    pub fn write(&self, hash: Hash) -> Markup {
        let is_picked = self.0.with(|picks| picks.contains(&hash));
        html! {
            input
                type="checkbox"
                aria-label=(format!("Select {}", short(&hash)))
                data-do=(Action::Select(hash))
                checked[is_picked];
        }
    }
}

/// The bar, which appears with the first selected build.
#[component]
pub(crate) fn PicksBar() -> impl IntoView {
    let explorer = Explorer::here();
    let picks: Picks = expect_context();
    let write = move || {
        picks.0.with(|picked| {
            let more = picked.len().saturating_sub(NAMED);
            html! {
                ul.chips {
                    @for hash in picked.iter().take(NAMED) {
                        li {
                            button.chip
                                type="button"
                                aria-label={ "Remove " (short(hash)) }
                                data-do=(Action::Deselect(*hash))
                            {
                                code { (short(hash)) }
                                (Icon::Cross.write())
                            }
                        }
                    }
                    @if more > 0 { li.muted { "and " (more) " more" } }
                }
            }
        })
    };
    let act = move |action, _: &_| {
        if let Action::Deselect(hash) = action {
            picks.toggle(hash);
        }
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
                view! { <QueryLink change=Change::Compare(hashes) class="button main">{label}</QueryLink> }
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
                {list("picks", "", NodeRef::new(), write, act)}
                <span class="actions">
                    {compare}
                    <Export builds=ids/>
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
