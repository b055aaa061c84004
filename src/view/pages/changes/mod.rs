//! What changed between two releases or stacks of the cache.
//!
//! The two sides and the class that is shown are in the address. The comparison is the command's
//! ([`Changes`](cache_index::changes::Changes)), narrowed to what the filters and the search leave of both sides.

mod export;
mod pairs;
mod sides;
mod table;

use std::sync::Arc;

use cache_index::changes::{Between, Changes, Class, Part};
use cache_index::number::{counted, grouped};
use cache_index::query::Change;
use leptos::prelude::*;

use crate::browser::{self, history};
use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::frame::rail::SheetButton;
use crate::view::pages::changes::export::ExportChanges;
use crate::view::pages::changes::sides::ChooseSides;
use crate::view::pages::changes::table::ChangedPackages;
use crate::view::parts::copy::Copy;
use crate::view::parts::headline::{Chips, Spoken};
use crate::view::parts::to::To;

/// The page of the changes in the address.
#[component]
pub(crate) fn WhatChanged() -> impl IntoView {
    let explorer = Explorer::here();
    let asked = memo(move || {
        explorer.with_question(|question| question.changes.clone().unwrap_or_default())
    });
    let between = memo(move || read(explorer, &asked.get()));
    // Comparing blocks the page for a moment, so what is there is painted first.
    let found = RwSignal::new(None::<Arc<Changes>>);
    Effect::new(move || {
        found.set(None);
        let (answer, Ok(between)) = (explorer.answer(), between.get()) else { return };
        browser::after_painting(move || {
            let side =
                |part: &Part| part.of(explorer.index).among(answer.matching_builds(explorer.index));
            let (old, new) = (side(&between.old), side(&between.new));
            let _ = found.try_set(Some(Arc::new(Changes::between(&old, &new))));
        });
    });
    let content = move || match between.get() {
        Err(problem) => (!problem.is_empty())
            .then(|| view! { <p class="notice" role="alert"><bdi>{problem}</bdi></p> })
            .into_any(),
        Ok(between) => match found.get() {
            None => view! { <p class="loading" role="status">"Comparing…"</p> }.into_any(),
            Some(changes) => view! { <Found changes between/> }.into_any(),
        },
    };
    let choice = match Part::all(explorer.index).len() {
        0 | 1 => view! {
            <section class="empty" data-testid="empty">
                <h2>"This cache has only one release and stack"</h2>
                <p>
                    "Two snapshots of it are compared by the command: "
                    <code>"cache-explorer changes OLD NEW"</code> "."
                </p>
                <To change=Change::OpenPackages class="button">"All packages"</To>
            </section>
        }
        .into_any(),
        _ => view! { <ChooseSides asked/> }.into_any(),
    };
    view! {
        <div class="title">
            <nav aria-label="Breadcrumb">
                <To change=Change::OpenPackages>"All packages"</To>
            </nav>
            <h1>"What changed"</h1>
        </div>
        {choice}
        {content}
    }
}

/// Returns the two sides, or what is wrong with them; nothing is wrong until both are chosen.
fn read(explorer: Explorer, asked: &str) -> Result<Between, String> {
    if asked.is_empty() {
        return Err(String::new());
    }
    let between: Between = asked.parse().map_err(|error| format!("{asked}: {error}"))?;
    let read = |part: Part| {
        if part.to_string().is_empty() {
            return Err(String::new());
        }
        let part = part.meant_in(explorer.index);
        match part.is_in(explorer.index) {
            true => Ok(part),
            false => Err(format!("This cache has no release or stack {part}")),
        }
    };
    Ok(Between { old: read(between.old)?, new: read(between.new)? })
}

/// What the comparison found.
#[component]
fn Found(
    /// The changes.
    changes: Arc<Changes>,
    /// The two sides.
    between: Between,
) -> impl IntoView {
    let explorer = Explorer::here();
    let total = changes.headline();
    let said = total.clone();
    let share = Callback::new(move |()| explorer.with_query(history::whole_address));
    let class = memo(move || explorer.with_presentation(|shown| shown.class));
    let choice = |value: Option<Class>, name: String, count: usize| {
        view! {
            <button
                type="button"
                aria-pressed=move || (class.get() == value).to_string()
                on:click=move |_| explorer.go(Change::ShowClass(value))
            >
                {name} " " {grouped(count)}
            </button>
        }
    };
    let classes = changes.by_class().into_iter();
    let classes = classes.map(|(class, count)| choice(Some(class), class.to_string(), count));
    let all = choice(None, "All".to_owned(), changes.packages.len());
    let same = changes.is_empty().then(|| {
        let stayed = counted(changes.stayed, "build", "builds");
        view! { <p class="muted">{format!("Both sides have the same builds: {stayed}.")}</p> }
    });
    view! {
        <div class="headline">
            <p class="total" data-testid="total">{total}</p>
            <Chips/>
            <span class="actions">
                <SheetButton/>
                <Copy text=share label="Copy link"/>
            </span>
        </div>
        <Spoken text=Memo::new(move |_| said.clone())/>
        {same}
        <div class="switch">
            <span class="matching" role="group" aria-label="Class of change">{all}{classes.collect_view()}</span>
            <ExportChanges changes=changes.clone() between/>
        </div>
        <ChangedPackages changes class/>
    }
}
