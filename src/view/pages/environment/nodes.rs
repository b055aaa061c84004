//! The table of all specs of a lock file: what is missing first, with the nearest build of the cache.

use std::sync::Arc;

use cache_advice::environment::{Nearest, Status};
use cache_index::build::SHORT_HASH;
use cache_index::facet::Facet;
use cache_index::number::grouped;
use cache_query::{Change, NodeStatus, ShownNodes};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::pages::environment::state::Judged;
use crate::view::parts::icon::Icon;
use crate::view::parts::rows::{NARROW, NARROW_ROW, Rows, Viewport, WIDE_ROW};
use crate::view::parts::to::To;

/// The height of a row on a narrow page, in CSS pixels, if there are nearest builds: all that they have
/// has a line, and what they differ in has two.
const HIGH_ROW: usize = 120;

/// The columns that not every list needs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Columns {
    /// How many specs wait for one.
    blocks: bool,
    /// The nearest build and in what it differs.
    near: bool,
}

/// The choices of a status, with their names; `None` is all.
const STATUSES: [(Option<NodeStatus>, &str); 4] = [
    (None, "All"),
    (Some(NodeStatus::Missing), "Missing"),
    (Some(NodeStatus::Cached), "In the cache"),
    (Some(NodeStatus::External), "External"),
];

fn kind(status: Status) -> NodeStatus {
    match status {
        Status::Missing => NodeStatus::Missing,
        Status::Cached(_) => NodeStatus::Cached,
        Status::External => NodeStatus::External,
    }
}

/// The table and its filters.
#[component]
pub(super) fn Nodes(
    /// What is known.
    judged: Judged,
) -> impl IntoView {
    let explorer = Explorer::here();
    let shown = memo(move || explorer.with_presentation(|presentation| presentation.nodes.clone()));
    let change = move |change: &dyn Fn(&mut ShownNodes)| {
        let mut next = shown.get_untracked();
        change(&mut next);
        Change::ShowNodes(next)
    };
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
            let ShownNodes { status, only_to_run, name } = shown.get();
            let name = name.trim().to_lowercase();
            let is_asked =
                |node: &usize| status.is_none_or(|asked| asked == kind(coverage.status(*node)));
            missing
                .chain(cached)
                .chain(external)
                .filter(is_asked)
                .filter(|&node| !only_to_run || coverage.is_needed_to_run(node))
                .filter(|&node| judged.environment.nodes[node].build.package.contains(&name))
                .collect::<Vec<usize>>()
        })
    };
    let counts = judged.assessment.counts;
    let buttons = STATUSES.map(|(status, name)| {
        let count = match status {
            None => counts.nodes,
            Some(NodeStatus::Missing) => counts.missing,
            Some(NodeStatus::Cached) => counts.cached,
            Some(NodeStatus::External) => counts.external,
        };
        view! {
            <button
                type="button"
                aria-pressed=move || shown.with(|shown| shown.status == status).to_string()
                on:click=move |_| explorer.go(change(&|shown| shown.status = status))
            >
                {name} " " {grouped(count)}
            </button>
        }
    });
    let columns = {
        let judged = judged.clone();
        memo(move || {
            let Judged { assessment, .. } = &*judged;
            list.with(|list| Columns {
                blocks: list.iter().any(|&node| assessment.blockers.blocks(node) > 0),
                near: list.iter().any(|&node| assessment.coverage.status(node) == Status::Missing),
            })
        })
    };
    let viewport: Viewport = expect_context();
    let height = Signal::derive(move || match viewport.width() < NARROW {
        true if columns.get().near => HIGH_ROW,
        true => NARROW_ROW,
        false => WIDE_ROW,
    });
    let count = Signal::derive(move || {
        let Columns { blocks, near } = columns.get();
        3 + usize::from(blocks) + 2 * usize::from(near)
    });
    let row = {
        let judged = judged.clone();
        move |node: usize| draw_row(&judged, node, columns)
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
                    prop:checked=move || shown.with(|shown| shown.only_to_run)
                    on:change:target=move |event| {
                        let checked = event.target().checked();
                        explorer.go(change(&|shown| shown.only_to_run = checked));
                    }
                />
                "Only what is needed to run"
            </label>
            <label>
                "Name has"
                <input
                    type="text"
                    autocapitalize="off"
                    spellcheck="false"
                    prop:value=move || shown.with(|shown| shown.name.clone())
                    on:input:target=move |event| {
                        // What is typed into the field is one step, which Back undoes.
                        let is_begun = shown.with_untracked(|shown| !shown.name.is_empty());
                        let text = event.target().value();
                        let change = change(&|shown| shown.name.clone_from(&text));
                        match is_begun {
                            true => explorer.start_from(change),
                            false => explorer.go(change),
                        }
                    }
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
                    {move || columns.get().blocks.then(|| view! {
                        <th scope="col" class="number c-blocks">"Blocks"</th>
                    })}
                    {move || columns.get().near.then(|| view! {
                        <th scope="col" class="c-near">"Nearest in the cache"</th>
                        <th scope="col" class="c-differs">"Differs in"</th>
                    })}
                </tr>
            </thead>
            <Rows items=list columns=count height row/>
        </table>
        {none}
    }
}

fn draw_row(judged: &Arc<Judged>, node: usize, columns: Memo<Columns>) -> impl IntoView + use<> {
    let Judged { environment, assessment, .. } = &**judged;
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
            view! { <To change=Change::OpenBuild(build.hash)>{spec}</To> }.into_any()
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
    let judged = judged.clone();
    view! {
        <tr class="row">
            <th scope="row" class="c-name" title=title>{spec}</th>
            <td class="c-status"><span class=class>{icon.map(Icon::draw)}<b>{word}</b></span></td>
            <td class="c-needed">{needed}</td>
            {move || columns.get().blocks.then(|| view! {
                <td class="number c-blocks">{(blocks > 0).then(|| grouped(blocks))}</td>
            })}
            {move || columns.get().near.then(|| draw_nearest(&judged, node))}
        </tr>
    }
}

/// Draws the nearest build of a missing spec, and in what it differs. What has no room is in the titles.
fn draw_nearest(judged: &Judged, node: usize) -> AnyView {
    let Judged { assessment, left, .. } = judged;
    let nearest = assessment.nearest_to(node);
    let differs = nearest.first().map(differences);
    let whole = differs.clone();
    let (cell, title) = match (assessment.coverage.status(node), nearest.first()) {
        (Status::Missing, Some(first)) => {
            (Some(near(first, nearest.len())), name_of(first, nearest.len()))
        }
        (Status::Missing, None) if *left > 0 => (Some(view! { "…" }.into_any()), None),
        (Status::Missing, None) => {
            (Some(view! { <span class="muted">"none"</span> }.into_any()), None)
        }
        _ => (None, None),
    };
    view! {
        <td class="c-near" title=title>{cell}</td>
        <td class="c-differs" title=whole><bdi>{differs}</bdi></td>
    }
    .into_any()
}

/// Returns the text of a link to the nearest build.
fn name_of(nearest: &Nearest, count: usize) -> Option<String> {
    let build = Explorer::here().index.build_alone(nearest.build)?;
    let more = if count > 1 { and_more(count) } else { String::new() };
    Some(format!("{}{more}", build.short_spec()))
}

fn and_more(count: usize) -> String {
    format!(" and {} more", grouped(count - 1))
}

/// Draws a link to the nearest build, and how many others are as near.
pub(super) fn near(nearest: &Nearest, count: usize) -> AnyView {
    let index = Explorer::here().index;
    let row = index.row_of(nearest.build);
    let Some(hash) = index.hash(nearest.build) else { return ().into_any() };
    let [package, version] = [Facet::Package, Facet::Version].map(|facet| index.text(row, facet));
    let name = format!("{package}@{version}");
    let short = format!("/{}", &hash.to_string()[..SHORT_HASH]);
    let more = (count > 1).then(|| and_more(count));
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
    nearest.differs.to_string()
}
