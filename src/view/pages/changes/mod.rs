//! What changed between two releases or stacks of the cache, or since an earlier publication of it.
//!
//! The two sides and the class that is shown are in the address. The comparison is the command's
//! ([`Changes`](cache_index::changes::Changes)), narrowed to what the filters and the search leave of both sides. What
//! changed since an earlier publication is a part of the index, which is read here.

mod export;
mod pairs;
mod sides;
mod table;

use std::sync::Arc;

use cache_index::changes::{Between, Changes, Class, PUBLISHED, Part};
use cache_index::number::{counted, grouped};
use cache_index::query::{Change, matching_went};
use leptos::prelude::*;

use crate::browser::{self, published};
use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::pages::changes::export::ExportChanges;
use crate::view::pages::changes::sides::ChooseSides;
use crate::view::pages::changes::table::ChangedPackages;
use crate::view::pages::packages::lead::age;
use crate::view::parts::headline::Total;
use crate::view::parts::to::To;

/// What is compared.
#[derive(Clone, PartialEq, Eq)]
enum Asked {
    /// Two releases or stacks.
    Between(Between),
    /// This publication and an earlier one.
    Published,
}

/// The page of the changes in the address.
#[component]
pub(crate) fn WhatChanged() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let address = memo(move || {
        explorer.with_question(|question| question.changes.clone().unwrap_or_default())
    });
    let asked = memo(move || read(explorer, &address.get()));
    // Comparing blocks the page for a moment, so what is there is painted first.
    let found = RwSignal::new(None::<Result<Arc<Changes>, String>>);
    let show = move |changes: Result<Changes, String>| {
        let _ = found.try_set(Some(changes.map(Arc::new)));
    };
    Effect::new(move || {
        found.set(None);
        let (answer, Ok(asked)) = (explorer.answer(), asked.get()) else { return };
        match asked {
            Asked::Between(between) => browser::after_painting(move || {
                let side = |part: &Part| part.of(index).among(answer.matching_builds(index));
                let (old, new) = (side(&between.old), side(&between.new));
                show(Ok(Changes::between(&old, &new)));
            }),
            Asked::Published => {
                let question = explorer.with_question(Clone::clone);
                browser::after_painting(move || {
                    published::load(index, move |loaded| {
                        show(match (loaded, index.earlier()) {
                            (Err(problem), _) => Err(problem.to_string()),
                            (Ok(_), None) => Err(NOT_PUBLISHED.to_owned()),
                            (Ok(_), Some(earlier)) => {
                                let went = matching_went(index, earlier, &question);
                                let went = went.matching_builds(earlier.went());
                                let new = answer.matching_builds(index);
                                Ok(Changes::published_among(index, earlier, new, went))
                            }
                        });
                    });
                });
            }
        }
    });
    let notice =
        |problem: String| view! { <p class="notice" role="alert"><bdi>{problem}</bdi></p> };
    let content = move || match asked.get() {
        Err(problem) => (!problem.is_empty()).then(|| notice(problem)).into_any(),
        Ok(asked) => match found.get() {
            None => view! { <p class="loading" role="status">"Comparing…"</p> }.into_any(),
            Some(Err(problem)) => notice(problem).into_any(),
            Some(Ok(changes)) => {
                let name = match &asked {
                    Asked::Between(between) => format!("changes-{between}").replace('/', "-"),
                    Asked::Published => "changes".to_owned(),
                };
                view! { <Found changes name/> }.into_any()
            }
        },
    };
    let is_published = memo(move || address.with(|address| address == PUBLISHED));
    let has_sides = Part::all(index).len() > 1;
    let choice = move || match (is_published.get(), has_sides) {
        (true, _) => since(explorer, has_sides),
        (false, true) => view! { <ChooseSides asked=address/> }.into_any(),
        (false, false) => view! {
            <section class="empty" data-testid="empty">
                <h2>"This cache has only one release and stack"</h2>
                <p>
                    "Two snapshots of it are compared by the command: "
                    <code>"cache-explorer changes OLD NEW"</code> "."
                </p>
                {published::summary(index).map(|_| view! {
                    <To change=Change::OpenChanges(PUBLISHED.to_owned()) class="button">
                        "Since the publication before"
                    </To>
                })}
                <To change=Change::OpenPackages class="button">"All packages"</To>
            </section>
        }
        .into_any(),
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

/// What a page without the part says.
const NOT_PUBLISHED: &str =
    "This cache was published without what changed since an earlier publication";

/// Says since when, and leads to other comparisons.
fn since(explorer: Explorer, has_sides: bool) -> AnyView {
    let made = published::summary(explorer.index).and_then(|summary| summary.made);
    let made = made.map(|made| view! { <p>"Since the publication " {age(&made)}</p> });
    let others = has_sides.then(|| {
        view! {
            <To change=Change::OpenChanges(String::new())>"Compare two releases or stacks"</To>
        }
    });
    view! { <div class="line sides">{made} {others}</div> }.into_any()
}

/// Returns what is compared, or what is wrong with the sides; nothing is wrong until both are chosen.
fn read(explorer: Explorer, asked: &str) -> Result<Asked, String> {
    match asked {
        "" => return Err(String::new()),
        PUBLISHED => return Ok(Asked::Published),
        _ => {}
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
    Ok(Asked::Between(Between { old: read(between.old)?, new: read(between.new)? }))
}

/// What the comparison found.
#[component]
fn Found(
    /// The changes.
    changes: Arc<Changes>,
    /// The name of files with the changes, without its end.
    name: String,
) -> impl IntoView {
    let explorer = Explorer::here();
    let total = changes.headline();
    let class = memo(move || explorer.with_presentation(|shown| shown.class));
    let choice = |value: Option<Class>, class_name: String, count: usize| {
        view! {
            <button
                type="button"
                aria-pressed=move || (class.get() == value).to_string()
                on:click=move |_| explorer.go(Change::ShowClass(value))
            >
                {class_name} " " {grouped(count)}
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
        <Total total=Memo::new(move |_| total.clone())/>
        {same}
        <div class="switch">
            <span class="matching" role="group" aria-label="Class of change">{all}{classes.collect_view()}</span>
            <ExportChanges changes=changes.clone() name/>
        </div>
        <ChangedPackages changes class/>
    }
}
