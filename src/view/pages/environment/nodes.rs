//! The table of all specs of a lock file: what is missing first, with the nearest build of the cache.

use std::sync::Arc;

use cache_index::environment::{Nearest, Status};
use cache_index::facet::Facet;
use cache_index::number::grouped;
use cache_index::query::Change;
use cache_index::written::SHORT_HASH;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::pages::environment::state::Judged;
use crate::view::parts::icon::Icon;
use crate::view::parts::rows::Rows;
use crate::view::parts::to::To;

/// Which nodes the table shows. The choice outlives the table, which is drawn anew with each answer.
#[derive(Clone, Copy, Default)]
pub(super) struct Filter {
    shown: RwSignal<Shown>,
    only_to_run: RwSignal<bool>,
    name: RwSignal<String>,
}

/// Which specs are shown, by their status.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Shown {
    #[default]
    All,
    Missing,
    Cached,
    External,
}

impl Shown {
    const ALL: [Shown; 4] = [Shown::All, Shown::Missing, Shown::Cached, Shown::External];

    fn name(self) -> &'static str {
        match self {
            Shown::All => "All",
            Shown::Missing => "Missing",
            Shown::Cached => "In the cache",
            Shown::External => "External",
        }
    }

    fn has(self, status: Status) -> bool {
        match self {
            Shown::All => true,
            Shown::Missing => status == Status::Missing,
            Shown::Cached => matches!(status, Status::Cached(_)),
            Shown::External => status == Status::External,
        }
    }
}

/// The table and its filters.
#[component]
pub(super) fn Nodes(
    /// What is known.
    judged: Judged,
    /// What of it is shown.
    filter: Filter,
) -> impl IntoView {
    let Filter { shown, only_to_run, name } = filter;
    let judged = Arc::new(judged);
    let list = {
        let judged = judged.clone();
        memo(move || {
            let coverage = &judged.assessment.coverage;
            let rest = 0..judged.environment.nodes.len();
            let rest = rest.filter(|&node| coverage.status(node) != Status::Missing);
            let (external, cached): (Vec<usize>, Vec<usize>) =
                rest.partition(|&node| coverage.status(node) == Status::External);
            let missing = judged.assessment.blockers.ranked().iter().copied();
            let name = name.get().trim().to_lowercase();
            missing
                .chain(cached)
                .chain(external)
                .filter(|&node| shown.get().has(coverage.status(node)))
                .filter(|&node| !only_to_run.get() || coverage.is_needed_to_run(node))
                .filter(|&node| judged.environment.nodes[node].build.package.contains(&name))
                .collect::<Vec<usize>>()
        })
    };
    let counts = judged.assessment.counts;
    let buttons = Shown::ALL.map(|choice| {
        let count = match choice {
            Shown::All => counts.nodes,
            Shown::Missing => counts.missing,
            Shown::Cached => counts.cached,
            Shown::External => counts.external,
        };
        view! {
            <button
                type="button"
                aria-pressed=move || (shown.get() == choice).to_string()
                on:click=move |_| shown.set(choice)
            >
                {choice.name()} " " {grouped(count)}
            </button>
        }
    });
    let row = {
        let judged = judged.clone();
        move |node: usize| draw_row(&judged, node)
    };
    let none = move || {
        list.with(Vec::is_empty).then(|| view! { <p class="muted">"No spec is like that."</p> })
    };
    view! {
        <div class="switch">
            <span class="matching" role="group" aria-label="Which specs">{buttons.collect_view()}</span>
            <label>
                <input
                    type="checkbox"
                    prop:checked=move || only_to_run.get()
                    on:change:target=move |event| only_to_run.set(event.target().checked())
                />
                "Only what is needed to run"
            </label>
            <label>
                "Name has"
                <input
                    type="text"
                    autocapitalize="off"
                    spellcheck="false"
                    prop:value=move || name.get()
                    on:input:target=move |event| name.set(event.target().value())
                />
            </label>
        </div>
        <table class="nodes" aria-rowcount=move || list.with(Vec::len) + 1>
            <caption class="heard">"Specs of the environment"</caption>
            <thead>
                <tr>
                    <th scope="col" class="c-name">"Spec"</th>
                    <th scope="col" class="c-status">"Status"</th>
                    <th scope="col" class="c-needed">"Needed"</th>
                    <th scope="col" class="number c-blocks">"Blocks"</th>
                    <th scope="col" class="c-near">"Nearest in the cache"</th>
                    <th scope="col" class="c-differs">"Differs in"</th>
                </tr>
            </thead>
            <Rows items=list columns=6 row/>
        </table>
        {none}
    }
}

fn draw_row(judged: &Judged, node: usize) -> impl IntoView + use<> {
    let Judged { environment, assessment, left } = judged;
    let build = &environment.nodes[node].build;
    let is_developed = environment.nodes[node].is_developed();
    let name = format!("{}@{}", build.package, build.version);
    let title = build.short_spec();
    let hash = format!("/{}", build.short_hash());
    let status = assessment.coverage.status(node);
    let spec =
        view! { <code class="spec"><bdi>{name}<span class="spec-hash">{hash}</span></bdi></code> };
    let spec = match status {
        Status::Cached(_) => {
            view! { <To change=Change::OpenBuild(build.hash) title=title>{spec}</To> }.into_any()
        }
        _ => spec.into_any(),
    };
    let (class, icon, word) = match status {
        Status::Cached(_) => ("runs yes", Some(Icon::Done), "in the cache"),
        Status::Missing if is_developed => ("runs no", Some(Icon::Cross), "developed here"),
        Status::Missing => ("runs no", Some(Icon::Cross), "missing"),
        Status::External => ("muted", None, "external"),
    };
    let needed =
        match (assessment.coverage.is_root(node), assessment.coverage.is_needed_to_run(node)) {
            (true, _) => "asked for",
            (false, true) => "to run",
            (false, false) => "build only",
        };
    let blocks = assessment.blockers.blocks(node);
    let nearest = assessment.nearest_to(node);
    let differs = nearest.first().map(differences);
    let near = match (status, nearest.first()) {
        (Status::Missing, Some(first)) => Some(near(first, nearest.len())),
        (Status::Missing, None) if *left > 0 => Some(view! { "…" }.into_any()),
        (Status::Missing, None) => Some(view! { <span class="muted">"none"</span> }.into_any()),
        _ => None,
    };
    view! {
        <tr class="row">
            <th scope="row" class="c-name">{spec}</th>
            <td class="c-status"><span class=class>{icon.map(Icon::draw)}<b>{word}</b></span></td>
            <td class="c-needed">{needed}</td>
            <td class="number c-blocks">{(blocks > 0).then(|| grouped(blocks))}</td>
            <td class="c-near">{near}</td>
            <td class="c-differs"><bdi>{differs}</bdi></td>
        </tr>
    }
}

/// Draws a link to the nearest build, and how many others are as near.
pub(super) fn near(nearest: &Nearest, count: usize) -> AnyView {
    let index = Explorer::here().index;
    let row = index.row_of(nearest.build);
    let Some(hash) = index.hash(nearest.build) else { return ().into_any() };
    let [package, version] = [Facet::Package, Facet::Version].map(|facet| index.text(row, facet));
    let name = format!("{package}@{version}");
    let short = format!("/{}", &hash.to_string()[..SHORT_HASH]);
    let more = (count > 1).then(|| format!(" and {} more", grouped(count - 1)));
    view! {
        <To change=Change::OpenBuild(hash)>
            <code class="spec"><bdi>{name}<span class="spec-hash">{short}</span></bdi></code>
        </To>
        <span class="muted">{more}</span>
    }
    .into_any()
}

/// Says in what a build differs.
pub(super) fn differences(nearest: &Nearest) -> String {
    nearest.differs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
