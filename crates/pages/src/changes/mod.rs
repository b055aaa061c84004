//! What changed between two releases or stacks of the cache, since an earlier publication of it, or between it and a
//! cache that was opened on this device.
//!
//! The two sides and the class that is shown are in the address. The comparison is the command's
//! ([`Changes`](cache_advice::changes::Changes)), narrowed to what the filters and the search leave of both sides. What
//! changed since an earlier publication is a part of the index, which is read here.

mod causes;
mod export;
mod pairs;
mod sides;
mod table;

use std::sync::Arc;

use cache_advice::changes::{
    Between, Changes, Comparer, MOVED, NOT_TWO_SIDES, OVERWRITTEN, Part, Side,
};
use cache_index::index::Index;
use cache_index::number::{counted, grouped};
use cache_query::{
    Answer, AskedChanges, AskedSide, Change, Class, Question, matching_in, matching_went,
};
use leptos::prelude::*;

use crate::browser::opened::{self, OpenedCache};
use crate::changes::causes::{Sides, WhyChanged};
use crate::changes::export::ExportChanges;
use crate::changes::sides::ChooseSides;
use crate::changes::table::ChangedPackages;
use crate::parts::not_on_device::NotOnDevice;
use crate::parts::{elsewhere, left_out, own_file};
use site::browser::published;
use site::browser::tasks::{self, Latest};
use site::explorer::Explorer;
use site::memo::memo;
use site::view::parts::age::age;
use site::view::parts::headline::Total;
use site::view::parts::query_link::QueryLink;

/// The maximum number of overwritten builds that are listed.
const LISTED: usize = 50;

/// What is compared.
#[derive(Clone, PartialEq, Eq)]
enum ComparedSides {
    /// Two releases or stacks.
    Between(Between),
    /// This publication and an earlier one.
    Published,
    /// A cache that was opened on this device, and a part of the shown one; `None` for all of it.
    Opened {
        id: String,
        part: Option<Part>,
        /// `true` if the opened one is the newer side.
        is_new: bool,
    },
}

/// Why there is nothing to show.
#[derive(Clone, PartialEq, Eq)]
enum Problem {
    /// A side is still to be chosen.
    Unchosen,
    /// The opened cache is not on this device.
    Absent,
    /// Anything else, in words.
    Words(String),
}

/// What was found.
#[derive(Clone)]
struct ComparisonOutcome {
    changes: Arc<Changes>,
    /// The opened cache, if it is one of the sides.
    opened: Option<OpenedCache>,
    /// The builds of both sides; `None` if only those that came and went are known.
    sides: Option<Arc<Sides>>,
}

/// The page of the changes in the address.
#[component]
pub(crate) fn WhatChanged() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let address = memo(move || {
        let stated = explorer.with_question(|question| question.changes.clone());
        match stated {
            None | Some(AskedChanges::Latest) => latest(index),
            Some(changes) => changes,
        }
    });
    let asked = memo(move || read(index, address.get()));
    // Comparing blocks the page for a moment, so what is there is painted first.
    let found = RwSignal::new(None::<Result<ComparisonOutcome, Problem>>);
    // The opened cache that was read last.
    let last = RwSignal::new(None::<OpenedCache>);
    // The same sides are compared again with each filter, and when they are swapped.
    let comparer = StoredValue::new(Comparer::default());
    let latest = Latest::default();
    Effect::new(move || {
        latest.give_up();
        found.set(None);
        let (answer, Ok(asked)) = (explorer.answer(), asked.get()) else { return };
        // Until the rest of the index is there, some differences would be missed.
        if explorer.whole().is_none() && asked != ComparedSides::Published {
            return;
        }
        let question = untrack(|| explorer.with_question(Clone::clone));
        latest.begin(async move {
            let compare = move |old: Side<'_>, new: Side<'_>| {
                comparer.try_update_value(|comparer| comparer.between(&old, &new))
            };
            let mut sides = None;
            let ours = |part: &Part| part.of(index).among(answer.matching_builds(index));
            let mut opened = None;
            let changes = match asked {
                ComparedSides::Between(between) => {
                    tasks::painted().await;
                    let (old, new) = (ours(&between.old), ours(&between.new));
                    sides = Some([&old, &new].map(|side| (false, side.without_index())));
                    Ok(compare(old, new))
                }
                ComparedSides::Published => {
                    tasks::painted().await;
                    published_changes(index, &question, &answer).await.map(Some)
                }
                ComparedSides::Opened { id, part, is_new } => match read_opened(last, &id).await {
                    Err(problem) => Err(problem),
                    Ok(other) => {
                        tasks::painted().await;
                        let matching = matching_in(index, &other.index, &question);
                        let theirs = Side::all(&other.index);
                        let theirs = theirs.among(matching.matching_builds(&other.index));
                        let ours = part.as_ref().map_or_else(
                            || Side::all(index).among(answer.matching_builds(index)),
                            ours,
                        );
                        let (old, new) = if is_new { (ours, theirs) } else { (theirs, ours) };
                        sides =
                            Some([(!is_new, old.without_index()), (is_new, new.without_index())]);
                        let changes = compare(old, new);
                        opened = Some(other);
                        Ok(changes)
                    }
                },
            };
            if let Some(changes) = changes.transpose() {
                let (changes, sides) = (changes.map(Arc::new), sides.map(Arc::new));
                found.set(Some(changes.map(|changes| ComparisonOutcome {
                    changes,
                    opened,
                    sides,
                })));
            }
        });
    });
    let notice =
        |problem: String| view! { <p class="notice" role="alert"><bdi>{problem}</bdi></p> };
    let failed = move |problem: Problem| match problem {
        Problem::Unchosen => ().into_any(),
        Problem::Absent => {
            let heading = "The other cache is not on this device";
            let about = "The link compares this cache with one";
            view! { <NotOnDevice heading about problem=None opens="comparison"/> }.into_any()
        }
        Problem::Words(problem) => notice(problem).into_any(),
    };
    let own = move || {
        let Ok(ComparedSides::Opened { id, .. }) = asked.get() else { return None };
        let opened = last.get().filter(|opened| opened.id == id)?;
        Some(own_file::draw(opened.name, opened.keeper))
    };
    // The headline stays while the sides are compared again, so that a new one is read out.
    let total = memo(move || {
        found.with(|found| match found {
            Some(Ok(compared)) => compared.changes.headline(),
            _ => "Comparing…".to_owned(),
        })
    });
    let has_total = memo(move || {
        asked.with(Result::is_ok) && found.with(|found| !matches!(found, Some(Err(_))))
    });
    let content = move || match asked.get() {
        Err(problem) => failed(problem),
        Ok(asked) => match found.get() {
            None => ().into_any(),
            Some(Err(problem)) => failed(problem),
            Some(Ok(compared)) => {
                let name = match &asked {
                    ComparedSides::Between(between) => {
                        format!("changes-{between}").replace('/', "-")
                    }
                    ComparedSides::Published | ComparedSides::Opened { .. } => "changes".to_owned(),
                };
                view! { <Found compared name/> }.into_any()
            }
        },
    };
    let with_opened =
        memo(move || asked.with(|asked| matches!(asked, Ok(ComparedSides::Opened { .. }))));
    let name =
        Signal::derive(move || last.with(|last| last.as_ref().map(|last| last.name.clone())));
    let is_published = memo(move || address.with(|address| *address == AskedChanges::Published));
    let has_sides = Part::all(index).len() > 1;
    let choice = move || match (is_published.get(), has_sides || with_opened.get()) {
        (true, _) => since(explorer, has_sides),
        (false, true) => view! { <ChooseSides asked=address opened=name/> }.into_any(),
        (false, false) => view! {
            <section class="empty" data-testid="empty">
                <h2>"This cache has only one release and stack"</h2>
                <p>"Open another snapshot of it, and you see what changed between the two."</p>
                <button type="button" class="button main" data-open="comparison">
                    "Compare with another snapshot…"
                </button>
                {published::summary(index).map(|_| view! {
                    <QueryLink change=Change::OpenChanges(AskedChanges::Published) class="button">
                        "Since the publication before"
                    </QueryLink>
                })}
                <QueryLink change=Change::OpenPackages class="button">"All packages"</QueryLink>
            </section>
        }
        .into_any(),
    };
    view! {
        <div class="title">
            <nav aria-label="Breadcrumb">
                <QueryLink change=Change::OpenPackages>"All packages"</QueryLink>
            </nav>
            <h1>"What changed"</h1>
        </div>
        {choice}
        {own}
        {move || has_total.get().then(|| view! { <Total total/> })}
        {content}
    }
}

/// Returns the latest changes: since the previous publication, or between the newest two releases.
fn latest(index: &Index) -> AskedChanges {
    match (published::summary(index), Between::latest(index)) {
        (Some(_), _) => AskedChanges::Published,
        (None, Some(between)) => (&between).into(),
        (None, None) => UNCHOSEN,
    }
}

/// The changes between two sides that are still to be chosen.
const UNCHOSEN: AskedChanges =
    AskedChanges::Between { old: AskedSide::Unchosen, new: AskedSide::Unchosen };

/// Returns the comparison of two releases or stacks to start with: of the newest two releases, or else of sides that are
/// still to be chosen.
pub(crate) fn two_parts(index: &Index) -> AskedChanges {
    match published::summary(index) {
        None => AskedChanges::Latest,
        // The latest changes are those since the previous publication.
        Some(_) => Between::latest(index).map_or(UNCHOSEN, |between| (&between).into()),
    }
}

/// What a page without this part of the index says.
const NOT_PUBLISHED: &str =
    "This cache was published without what changed since an earlier publication";

/// Draws since when these are the changes, and links to other comparisons.
fn since(explorer: Explorer, has_sides: bool) -> AnyView {
    let made = published::summary(explorer.index).and_then(|summary| summary.made);
    let made = made.map(|made| view! { <p>"Since the publication " {age(&made)}</p> });
    let sides = two_parts(explorer.index);
    let others = has_sides.then(|| {
        view! {
            <QueryLink change=Change::OpenChanges(sides)>"Compare two releases or stacks"</QueryLink>
        }
    });
    view! {
        <div class="line sides">
            {made} {others}
            <button type="button" class="button" data-open="comparison">"Compare with another snapshot…"</button>
        </div>
    }
    .into_any()
}

/// Returns what is compared, or why nothing can be.
fn read(index: &Index, asked: AskedChanges) -> Result<ComparedSides, Problem> {
    let (old, new) = match asked {
        AskedChanges::Latest => return Err(Problem::Unchosen),
        AskedChanges::Published => return Ok(ComparedSides::Published),
        AskedChanges::Malformed(text) => {
            return Err(Problem::Words(format!("{text}: {NOT_TWO_SIDES}")));
        }
        AskedChanges::Between { old, new } => (old, new),
    };
    let read = |side: AskedSide| {
        let AskedSide::Named(name) = side else { return Err(Problem::Unchosen) };
        let part = Part::from(name.as_str()).meant_in(index);
        match part.is_in(index) {
            true => Ok(part),
            false => Err(Problem::Words(format!("This cache has no release or stack {part}"))),
        }
    };
    let (id, part, is_new) = match (old, new) {
        (AskedSide::Opened(_), AskedSide::Opened(_)) => {
            let problem = "One of the sides must be of the cache that is shown";
            return Err(Problem::Words(problem.to_owned()));
        }
        (AskedSide::Opened(id), part) => (id, part, false),
        (part, AskedSide::Opened(id)) => (id, part, true),
        (old, new) => {
            return Ok(ComparedSides::Between(Between { old: read(old)?, new: read(new)? }));
        }
    };
    let part = (part != AskedSide::Unchosen).then(|| read(part)).transpose()?;
    Ok(ComparedSides::Opened { id, part, is_new })
}

/// Compares with an earlier publication. Reads the part of the index about it, if this has not been done.
async fn published_changes(
    index: &'static Index,
    question: &Question,
    answer: &Answer,
) -> Result<Changes, Problem> {
    let loaded = published::load(index).await;
    loaded.map_err(|problem| Problem::Words(problem.to_string()))?;
    let Some(earlier) = index.earlier() else {
        return Err(Problem::Words(NOT_PUBLISHED.to_owned()));
    };
    if !question.is_filtered() {
        return Ok(Changes::published(index, earlier));
    }
    let went = matching_went(index, earlier, question);
    let went = went.matching_builds(earlier.went());
    Ok(Changes::published_among(index, earlier, answer.matching_builds(index), went))
}

/// Reads an opened cache, unless it is the one that was read last.
async fn read_opened(
    last: RwSignal<Option<OpenedCache>>,
    id: &str,
) -> Result<OpenedCache, Problem> {
    let is_it = |opened: &OpenedCache| opened.id == id;
    if let Some(opened) = last.try_get_untracked().flatten().filter(is_it) {
        return Ok(opened);
    }
    match opened::find(id).await {
        Ok(opened) => {
            let _ = last.try_set(Some(opened.clone()));
            Ok(opened)
        }
        Err(None) => Err(Problem::Absent),
        Err(Some(problem)) => Err(Problem::Words(problem)),
    }
}

/// What the comparison found.
#[component]
fn Found(
    /// The changes.
    compared: ComparisonOutcome,
    /// The name of files with the changes, without its end.
    name: String,
) -> impl IntoView {
    let explorer = Explorer::here();
    let ComparisonOutcome { changes, opened, sides } = compared;
    let explained = RwSignal::new(None);
    let why = sides.map(|sides| {
        let (opened, came) = (opened.clone(), changes.came.len());
        view! { <WhyChanged sides opened came explained/> }
    });
    let overwritten = (!changes.overwritten.is_empty()).then(|| {
        let listed = changes.overwritten.iter().take(LISTED).map(|one| {
            let (hash, text) = (one.hash, one.to_string());
            match opened {
                None => {
                    view! { <li><QueryLink change=Change::OpenBuild(hash)>{text}</QueryLink></li> }
                        .into_any()
                }
                // The build may be only in the opened cache.
                Some(_) => view! { <li><bdi>{text}</bdi></li> }.into_any(),
            }
        });
        let listed = listed.collect_view();
        let more = changes.overwritten.len().saturating_sub(LISTED);
        let more =
            (more > 0).then(|| view! { <li>{counted(more, "more build", "more builds")}</li> });
        view! {
            <div data-testid="overwritten">
                <p>{OVERWRITTEN} ":"</p>
                <ul>{listed} {more}</ul>
            </div>
        }
    });
    let moved = (!changes.moved.is_empty()).then(|| {
        let listed =
            changes.moved.iter().map(|one| view! { <li><bdi>{one.to_string()}</bdi></li> });
        view! {
            <div data-testid="moved">
                <p>{MOVED} ":"</p>
                <ul>{listed.collect_view()}</ul>
            </div>
        }
    });
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
        let said = match changes.stayed {
            0 => "No build of either side matches.".to_owned(),
            stayed => {
                format!("Both sides have the same builds: {}.", counted(stayed, "build", "builds"))
            }
        };
        // A question may ask for something other than builds.
        let elsewhere = (changes.stayed == 0).then(|| elsewhere::find(explorer)).flatten();
        view! { <p class="muted">{said}</p> {elsewhere.map(elsewhere::draw)} }
    });
    let damaged = (!changes.went.is_empty()).then(|| left_out::draw(explorer.index)).flatten();
    view! {
        {same}
        {damaged}
        {overwritten}
        {moved}
        {why}
        <div class="switch">
            <span class="matching" role="group" aria-label="Class of change">{all}{classes.collect_view()}</span>
            <ExportChanges changes=changes.clone() name/>
        </div>
        <ChangedPackages changes opened class explained/>
    }
}
