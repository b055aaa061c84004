//! Why builds are new: the differences that are causes, each of which narrows the table to the builds that it explains.

use std::collections::BTreeSet;
use std::sync::Arc;

use cache_advice::causes::{CauseSearch, Causes, CausesInWords, LISTED, Occasion, SpecSource};
use cache_index::build::Hash;
use cache_index::index::{BuildId, Index};
use leptos::prelude::*;

use crate::browser;
use crate::browser::opened::Opened;
use crate::explorer::Explorer;

/// How long the page is busy at a time, in milliseconds.
const SLICE: f64 = 12.0;

/// The builds of the old and the new side, each with the answer to whether they are of the opened cache.
pub(super) type Sides = [(bool, Vec<BuildId>); 2];

/// The builds that the chosen cause explains; `None` if none is chosen.
pub(super) type Explained = RwSignal<Option<Arc<BTreeSet<Hash>>>>;

/// The causes, as soon as they have been found.
#[component]
pub(super) fn WhyChanged(
    /// The builds of both sides.
    sides: Arc<Sides>,
    /// The cache that was opened on this device, if it is one of the sides.
    opened: Option<Opened>,
    /// How many builds came.
    came: usize,
    /// The builds that the chosen cause explains.
    explained: Explained,
) -> impl IntoView {
    let here = Explorer::here().index;
    let causes = RwSignal::new(None::<Arc<Causes>>);
    if came > 0 {
        browser::after_painting(move || {
            let [old, new] = indexes(here, opened.as_ref(), &sides);
            let [(_, old_builds), (_, new_builds)] = &*sides;
            let search = CauseSearch::between((old, old_builds), (new, new_builds));
            explain(causes, here, opened.clone(), sides.clone(), search);
        });
    }
    let chosen = RwSignal::new(None::<usize>);
    let choose = move |at: usize| {
        let at = (chosen.get_untracked() != Some(at)).then_some(at);
        chosen.set(at);
        explained.set(causes.with_untracked(|causes| {
            let builds = causes.as_ref()?.explained_by(at?);
            Some(Arc::new(builds.into_iter().collect()))
        }));
    };
    move || {
        let causes = causes.get()?;
        let words = CausesInWords { causes: &causes, occasion: Occasion::Came { builds: came } };
        let headline = words.headline()?;
        let lines = causes.told().take(LISTED).map(|(at, cause)| {
            let share = format!(" explains {}", words.share(cause));
            view! {
                <li>
                    <button
                        type="button"
                        class="button"
                        aria-pressed=move || (chosen.get() == Some(at)).to_string()
                        on:click=move |_| choose(at)
                    >
                        <bdi>{cause.words()}</bdi>
                    </button>
                    <span class="muted">{share}</span>
                </li>
            }
        });
        let lines = lines.collect_view();
        let rest = words.rest().into_iter();
        let rest = rest.map(|text| view! { <p class="muted">{text}"."</p> }).collect_view();
        Some(view! {
            <section class="causes" data-testid="causes" aria-label="Why builds are new">
                <h2>{headline}</h2>
                <ol>{lines}</ol>
                {rest}
            </section>
        })
    }
}

fn indexes<'i>(here: &'i Index, opened: Option<&'i Opened>, sides: &Sides) -> [&'i Index; 2] {
    let index = |is_opened: bool| match opened {
        Some(opened) if is_opened => &*opened.index,
        _ => here,
    };
    [index(sides[0].0), index(sides[1].0)]
}

/// Compares some of the new builds with their counterparts, and the others in later tasks.
fn explain(
    causes: RwSignal<Option<Arc<Causes>>>,
    here: &'static Index,
    opened: Option<Opened>,
    sides: Arc<Sides>,
    mut search: CauseSearch,
) {
    let start = browser::now();
    let [old, new] = indexes(here, opened.as_ref(), &sides).map(SpecSource::Index);
    while search.step(old, new) {
        if browser::now() - start > SLICE {
            return browser::soon(move || {
                // The page may have been left.
                if causes.try_get_untracked().is_some() {
                    explain(causes, here, opened, sides, search);
                }
            });
        }
    }
    let _ = causes.try_set(Some(Arc::new(search.finish())));
}
