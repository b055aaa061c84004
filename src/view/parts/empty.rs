//! Nothing matches: why, which filters to remove, and what comes nearest.

use cache_advice::{Cause, Near, Nearing, RunsOn, WayOut, way_out, why};
use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::number::counted;
use cache_query::host::Runs;
use cache_query::search::Search;
use cache_query::{Change, Question};
use leptos::prelude::*;

use crate::browser::tasks::{Latest, pause, slices, wait};
use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::frame::machine::ask_for_libc;
use crate::view::parts::runs_on::RunsOnTarget;
use crate::view::parts::to::To;
use crate::view::parts::verdict::{self, word};

/// How many values of one filter are listed.
const MOST_VALUES: usize = 8;

/// How long a text must be unchanged before it is explained, in milliseconds. Explaining takes far longer than finding
/// nothing: the index is searched once more for each filter, in a task of its own.
const PAUSE: i32 = 250;

/// How many of the nearest builds are shown.
const NEAREST: usize = 3;

/// Explains that nothing matches, and offers what would.
#[component]
pub(crate) fn Empty() -> impl IntoView {
    let explorer = Explorer::here();
    // A hash may be that of a build, as long as the hashes are not there.
    let waits = memo(move || {
        explorer.hashes().is_none()
            && explorer.with_question(|question| {
                Search::read(explorer.index, &question.text).hash_prefix().is_some()
            })
    });
    move || match waits.get() {
        true => view! {
            <p class="loading" role="status">"The hashes of the builds are still loading…"</p>
        }
        .into_any(),
        false => view! { <Nothing/> }.into_any(),
    }
}

#[component]
fn Nothing() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let asked = memo(move || explorer.with_question(Clone::clone));
    let explained = RwSignal::new(None::<Explained>);
    let latest = Latest::new();
    Effect::new(move || {
        let asked = asked.get();
        // What is no longer asked must not be offered either.
        explained.set(None);
        let first = if untrack(|| explorer.typing()).is_some() { PAUSE } else { 0 };
        latest.begin(async move {
            wait(first).await;
            let mut explaining = Explaining::new(index, asked);
            slices(|| explaining.step(index)).await;
            pause().await;
            explained.set(Some(explaining.finish(index)));
        });
    });
    let ways = move || {
        explained
            .with(|explained| explained.as_ref().map(|all| all.ways.clone()))
            .unwrap_or_default()
    };
    let reason = move || {
        explained
            .with(|explained| explained.as_ref().map(|all| all.reason.clone()))
            .unwrap_or_default()
    };
    let way = move |WayOut { cause, builds, .. }: WayOut| {
        let words = asked.with_untracked(|question| words(question.asked_runs(), &cause));
        let builds = counted(builds as usize, "build", "builds");
        view! {
            <li>
                <button
                    type="button"
                    class="button"
                    on:click=move |_| explorer.go(cause.removal(index))
                >
                    "Remove " <bdi>{words}</bdi>
                </button>
                <span class="muted">{builds}</span>
            </li>
        }
    };
    let near = move || {
        let index = explorer.hashes()?;
        let near = explained.get().map(|all| all.near).into_iter().flatten();
        let near = near.filter_map(|near| Some((index.hash(near.build)?, near)));
        let near = near.map(|(hash, near)| near_build(explorer, hash, near)).collect::<Vec<_>>();
        (!near.is_empty()).then(|| view! { <h3>"Nearest builds:"</h3><ul class="near">{near}</ul> })
    };
    let runs_on = move || {
        let found = asked.with(|question| {
            let [target] = question.choice(Facet::Target).included() else { return None };
            RunsOn::of(index, question, target)
        });
        let choose = move |other: &str| explorer.go(Change::Only(Facet::Target, other.to_owned()));
        let drop_target = move || explorer.go(Change::ClearFacet(Facet::Target));
        found.map(|runs_on| view! { <p><RunsOnTarget runs_on choose drop_target/></p> })
    };
    // Only what certainly runs was asked for.
    let unknown = memo(move || {
        let asks_certainty = asked.with(|question| question.asked_runs() == [Runs::Yes]);
        let builds = explorer.answer().runs(Runs::Unknown);
        if asks_certainty { builds } else { 0 }
    });
    let unknown = move || (unknown.get() > 0).then(|| draw_unknown(explorer, unknown.get()));
    view! {
        <section class="empty" data-testid="empty">
            <h2>"No build matches"</h2>
            {unknown}
            <p class="why">{reason}</p>
            {runs_on}
            {move || (!ways().is_empty()).then(|| view! { <h3>"Remove one filter:"</h3> })}
            <ul aria-label="Filters in the way">{move || ways().into_iter().map(way).collect_view()}</ul>
            <button type="button" class="button" on:click=move |_| explorer.go(Change::ClearAll)>
                "Clear all filters"
            </button>
            {near}
        </section>
    }
}

/// Why nothing matches.
#[derive(Clone)]
struct Explained {
    ways: Vec<WayOut>,
    /// A sentence, or nothing.
    reason: String,
    near: Vec<Near>,
}

/// The search for the reasons, step by step.
struct Explaining {
    question: Question,
    causes: std::vec::IntoIter<Cause>,
    ways: Vec<WayOut>,
    nearing: Nearing,
}

impl Explaining {
    fn new(index: &Index, question: Question) -> Explaining {
        let causes = Cause::all(index, &question).into_iter();
        let nearing = Nearing::new(index, &question);
        Explaining { question, causes, ways: Vec::new(), nearing }
    }

    /// Makes one step; returns `false` if none is left.
    fn step(&mut self, index: &Index) -> bool {
        match self.causes.next() {
            Some(cause) => {
                self.ways.extend(way_out(index, &self.question, cause));
                true
            }
            None => self.nearing.step(index),
        }
    }

    fn finish(self, index: &Index) -> Explained {
        let Explaining { question, ways, nearing, .. } = self;
        let reason = match why(index, &question, &ways) {
            Some(sentence) => format!("{sentence}."),
            None if ways.is_empty() => {
                "No single filter is the cause: only together do they exclude every build."
                    .to_owned()
            }
            None => String::new(),
        };
        let near = nearing.nearest(index, &question, NEAREST);
        Explained { ways, reason, near }
    }
}

/// Draws how many builds may run on the machine, and what would show them.
fn draw_unknown(explorer: Explorer, builds: u32) -> AnyView {
    let number = counted(builds as usize, "build runs", "builds run");
    let without_libc =
        explorer.host().is_some_and(|host| host.platform() == "linux" && host.libc().is_none());
    let state_libc = without_libc.then(|| {
        view! {
            <button type="button" class="button" on:click=|_| ask_for_libc()>"State its libc"</button>
        }
    });
    view! {
        <p>{format!("It is unknown whether {number} on your machine.")}</p>
        <p class="line">
            <button
                type="button"
                class="button"
                on:click=move |_| explorer.go(Change::ToggleRuns(Runs::Unknown))
            >
                "Show them too"
            </button>
            {state_libc}
        </p>
    }
    .into_any()
}

/// A build and what it has in place of what was asked for.
pub(crate) fn near_build(explorer: Explorer, hash: Hash, near: Near) -> AnyView {
    let index = explorer.index;
    let row = index.row_of(near.build);
    let [package, version] = [Facet::Package, Facet::Version].map(|facet| index.text(row, facet));
    let name = format!("{package}@{version}");
    let short = format!("/{}", &hash.to_string()[..cache_index::build::SHORT_HASH]);
    let differs = near.differs.into_iter().map(|(has, asked)| {
        let said = if has.is_empty() { "without " } else { " instead of " };
        let has = (!has.is_empty()).then(|| view! { <mark><bdi>{has}</bdi></mark> });
        view! { <span class="fact">{has}{said}<bdi>{asked}</bdi></span> }
    });
    let differs = differs.collect::<Vec<_>>();
    // If nothing else differs, the machine is the reason.
    let verdict = differs.is_empty().then(|| explorer.verdict(row).map(verdict::draw));
    view! {
        <li>
            <To change=Change::OpenBuild(hash)>
                <code class="spec"><bdi>{name}<span class="spec-hash">{short}</span></bdi></code>
            </To>
            <span>{differs}</span>
            {verdict}
        </li>
    }
    .into_any()
}

/// A filter in words.
fn words(asked_runs: &[Runs], cause: &Cause) -> String {
    match cause {
        Cause::Text(meaning) => format!("{} {}", meaning.field, meaning.value()),
        Cause::Runs => {
            let verdicts: Vec<&str> = asked_runs.iter().map(|runs| word(*runs)).collect();
            format!("runs here {}", verdicts.join(", "))
        }
        Cause::Since(since) => format!("new since {since}"),
        Cause::Included(facet, values) => {
            let listed = values[..values.len().min(MOST_VALUES)].join(", ");
            let others = values.len() - MOST_VALUES.min(values.len());
            let others = match others {
                0 => String::new(),
                _ => format!(" or {}", counted(others, "other", "others")),
            };
            format!("{} {listed}{others}", facet.label())
        }
        Cause::Excluded(facet, value) => format!("not {} {value}", facet.label()),
    }
}
