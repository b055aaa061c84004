//! Why builds are new: the differences that are causes. Each narrows the table to the builds that it explains.

use std::collections::BTreeSet;
use std::sync::Arc;

use cache_advice::causes::{Causes, CausesInWords, LISTED, Occasion};
use cache_advice::changes::SideBuilds;
use cache_index::build::Hash;
use leptos::prelude::*;

use crate::browser::opened::OpenedCache;
use site::browser::tasks::{self, Latest};
use site::explorer::Explorer;

/// The builds and the stacks of the old and the new side, each with `true` if it is the opened cache.
pub(super) type Sides = [(bool, SideBuilds); 2];

/// The builds that the chosen cause explains; `None` if none is chosen.
pub(super) type Explained = RwSignal<Option<Arc<BTreeSet<Hash>>>>;

/// The maximum number of new builds whose causes are looked for without a click. More can take seconds of computing.
const AT_ONCE: usize = 5_000;

/// The number of causes shown at once, so that the table stays in sight.
const FEW: usize = 5;

/// The causes, as soon as they have been found.
#[component]
pub(super) fn WhyChanged(
    /// The builds of both sides.
    sides: Arc<Sides>,
    /// The cache that was opened on this device, if it is one of the sides.
    opened: Option<OpenedCache>,
    /// How many builds came.
    came: usize,
    /// The builds that the chosen cause explains.
    explained: Explained,
) -> impl IntoView {
    let here = Explorer::here().index;
    let causes = RwSignal::new(None::<Arc<Causes>>);
    // The search for the causes ends when the page is left.
    let latest = Latest::default();
    let is_asked = RwSignal::new((1..=AT_ONCE).contains(&came));
    Effect::new(move || {
        if !is_asked.get() {
            return;
        }
        let (sides, opened) = (sides.clone(), opened.clone());
        latest.begin(async move {
            tasks::painted().await;
            let index = |is_opened: bool| match &opened {
                Some(opened) if is_opened => &*opened.index,
                _ => here,
            };
            let [old, new] = sides.each_ref().map(|(is_opened, side)| (index(*is_opened), side));
            let found = Causes::between_with_pauses(old, new, tasks::pauses()).await;
            causes.set(Some(Arc::new(found)));
        });
    });
    let chosen = RwSignal::new(None::<usize>);
    let choose = move |at: usize| {
        let at = (chosen.get_untracked() != Some(at)).then_some(at);
        chosen.set(at);
        explained.set(causes.with_untracked(|causes| {
            let builds = causes.as_ref()?.explained_by(at?);
            Some(Arc::new(builds.into_iter().collect()))
        }));
    };
    let offer = move || {
        let is_open = came > AT_ONCE && causes.with(Option::is_none);
        is_open.then(|| match is_asked.get() {
            true => {
                view! { <p class="loading" role="status">"Looking for the causes…"</p> }.into_any()
            }
            false => view! {
                <p>
                    <button type="button" class="button" on:click=move |_| is_asked.set(true)>
                        "Why are they new?"
                    </button>
                </p>
            }
            .into_any(),
        })
    };
    let list = move || {
        let causes = causes.get()?;
        let words = CausesInWords { causes: &causes, occasion: Occasion::Came { builds: came } };
        let added = words.added().into_iter().map(|said| {
            view! { <p data-testid="added"><bdi>{said}</bdi>"."</p> }
        });
        let added = added.collect_view();
        let rest = words.rest().into_iter();
        let rest = rest.map(|text| view! { <p>{text}"."</p> }).collect_view();
        let Some(headline) = words.headline() else {
            return Some(view! { {added}{rest} }.into_any());
        };
        let explains_most = 2 * causes.explained >= came;
        let lines = causes.shown().take(LISTED).map(|(at, cause)| {
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
        let mut lines: Vec<_> = lines.collect();
        let others = lines.split_off(lines.len().min(FEW));
        let others = (!others.is_empty()).then(|| {
            let summary = format!("The next {}", others.len());
            view! { <details><summary>{summary}</summary><ol start=FEW + 1>{others}</ol></details> }
        });
        let not_listed = words.not_listed().map(|text| view! { <p class="muted">{text}"."</p> });
        let section = view! {
            {added}
            <section class="causes" data-testid="causes" aria-label="Why builds are new">
                <details open=explains_most>
                    <summary><h2>{headline}</h2></summary>
                    <ol>{lines}</ol>
                    {others}
                    {not_listed}
                </details>
            </section>
            {rest}
        };
        Some(section.into_any())
    };
    view! { {offer}{list} }
}
