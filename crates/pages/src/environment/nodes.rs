//! The table of all specs of a lock file: what is missing first, with the nearest build of the cache.

use cache_advice::environment::{Closest, Status, Substitutes};
use cache_index::build::SHORT_HASH;
use cache_index::facet::Facet;
use cache_index::number::grouped;
use cache_query::host::Runs;
use cache_query::{Change, NodeStatus, ShownNodes};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::data::fits;
use crate::environment::state::JudgedEnvironment;
use site::explorer::Explorer;
use site::html::list;
use site::html::rows::{ABOVE, ExistingRows, NARROW, NARROW_ROW, Viewport, WIDE_ROW};
use site::memo::memo;
use site::view::parts::icon::Icon;

/// The height of a row on a narrow page, in CSS pixels, if there are nearest builds: the differences have two lines,
/// and everything else has one.
const HIGH_ROW: usize = 120;

/// The columns that not every list needs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Columns {
    /// How many specs wait for this one.
    blocks: bool,
    /// The nearest build and how it differs.
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
    judged: Memo<JudgedEnvironment>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let shown = memo(move || explorer.with_presentation(|presentation| presentation.nodes.clone()));
    let change = move |change: &dyn Fn(&mut ShownNodes)| {
        let mut next = shown.get_untracked();
        change(&mut next);
        Change::ShowNodes(next)
    };
    let list = memo(move || {
        let JudgedEnvironment { environment, assessment, .. } = judged.get();
        let coverage = &assessment.coverage;
        let rest = 0..environment.nodes.len();
        let rest = rest.filter(|&node| coverage.status(node) != Status::Missing);
        let (external, cached): (Vec<usize>, Vec<usize>) =
            rest.partition(|&node| coverage.status(node) == Status::External);
        let missing = assessment.blockers.ranked().iter().copied();
        let ShownNodes { status, only_to_run, name } = shown.get();
        let name = name.trim().to_lowercase();
        let is_asked =
            |node: &usize| status.is_none_or(|asked| asked == kind(coverage.status(*node)));
        missing
            .chain(cached)
            .chain(external)
            .filter(is_asked)
            .filter(|&node| !only_to_run || coverage.is_needed_to_run(node))
            .filter(|&node| environment.nodes[node].build.package.contains(&name))
            .collect::<Vec<usize>>()
    });
    let counts = memo(move || judged.with(|judged| judged.assessment.counts));
    let buttons = STATUSES.map(|(status, name)| {
        let count = move || {
            let counts = counts.get();
            grouped(match status {
                None => counts.nodes,
                Some(NodeStatus::Missing) => counts.missing,
                Some(NodeStatus::Cached) => counts.cached,
                Some(NodeStatus::External) => counts.external,
            })
        };
        view! {
            <button
                type="button"
                aria-pressed=move || shown.with(|shown| shown.status == status).to_string()
                on:click=move |_| explorer.go(change(&|shown| shown.status = status))
            >
                {name} " " {count}
            </button>
        }
    });
    let columns = memo(move || {
        let JudgedEnvironment { assessment, .. } = judged.get();
        list.with(|list| Columns {
            blocks: list.iter().any(|&node| assessment.blockers.blocks(node) > 0),
            near: list.iter().any(|&node| assessment.coverage.status(node) == Status::Missing),
        })
    });
    let viewport: Viewport = expect_context();
    let height = Signal::derive(move || match viewport.width() < NARROW {
        true if columns.get().near => HIGH_ROW,
        true => NARROW_ROW,
        false => WIDE_ROW,
    });
    let element = NodeRef::new();
    let count = Signal::derive(move || list.with(Vec::len));
    let existing = ExistingRows::of(element, count, Some(height), ABOVE);
    let write = move || {
        let (judged, columns) = (judged.get(), columns.get());
        let count = 3 + usize::from(columns.blocks) + 2 * usize::from(columns.near);
        list.with(|list| {
            html! {
                table.nodes aria-rowcount=(list.len() + 1) {
                    caption.heard { "Specs of the environment" }
                    thead {
                        tr {
                            th.c-name scope="col" { "Spec" }
                            th.c-status scope="col" { "Status" }
                            th.c-needed scope="col" { "Needed" }
                            @if columns.blocks { th.number.c-blocks scope="col" { "Blocks" } }
                            @if columns.near {
                                th.c-near scope="col" { "Nearest in the cache" }
                                th.c-differs scope="col" { "Differs in" }
                            }
                        }
                    }
                    (existing.write(list, count, |node| row(explorer, &judged, node, columns)))
                }
                @if list.is_empty() { p.muted { "No spec is like that." } }
            }
        })
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
        {list::list("nodes", "", element, write, |_, _| ())}
    }
}

/// Writes the row of a spec.
fn row(explorer: Explorer, judged: &JudgedEnvironment, node: usize, columns: Columns) -> Markup {
    let JudgedEnvironment { environment, assessment, .. } = judged;
    let build = &environment.nodes[node].build;
    let is_developed = environment.nodes[node].is_developed();
    let status = assessment.coverage.status(node);
    let is_filtered = assessment.coverage.is_left_out(node);
    let spec = html! {
        code.spec {
            bdi {
                (build.package) "@" (build.version)
                span.spec-hash { "/" (build.short_hash()) }
            }
        }
    };
    // The cache has the binary of another build, with other dependencies.
    let from = environment.nodes[node].spliced_from;
    let unfit = match status {
        Status::Cached(build) if from.is_none() && assessment.coverage.is_needed_to_run(node) => {
            fits::of(explorer, build).filter(|(fit, _)| fit.works == Runs::No)
        }
        _ => None,
    };
    let reason = unfit.as_ref().map(|(_, reason)| format!("in the cache, but {reason}"));
    let reason = match (from, status) {
        (Some(from), Status::Cached(_)) => {
            Some(format!("spliced: Spack installs it from the binary of /{from}"))
        }
        _ => reason,
    };
    let (class, icon, word) = match status {
        Status::Cached(_) => match &unfit {
            Some((fit, _)) => ("runs no", Some(Icon::Cross), fit.word()),
            None => ("runs yes", Some(Icon::Done), "in the cache"),
        },
        Status::Missing if is_developed => ("runs no", Some(Icon::Cross), "developed here"),
        Status::Missing if is_filtered => ("muted", None, "left out by the filters"),
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
    html! {
        tr.row data-key=(node) {
            th.c-name scope="row" title=(build.short_spec()) {
                @if is_filtered || matches!(status, Status::Cached(_)) {
                    a href=(explorer.address_after(Change::OpenBuild(from.unwrap_or(build.hash)))) { (spec) }
                } @else {
                    (spec)
                }
            }
            td.c-status {
                span class=(class) title=[reason.as_ref()] {
                    @if let Some(icon) = icon { (icon.write()) }
                    b { (word) }
                }
            }
            td.c-needed { (needed) }
            @if columns.blocks { td.number.c-blocks { @if blocks > 0 { (grouped(blocks)) } } }
            @if columns.near { (closest_cells(explorer, judged, node)) }
        }
    }
}

/// Writes the closest build to a missing spec, and how it differs. What does not fit is in the titles.
fn closest_cells(explorer: Explorer, judged: &JudgedEnvironment, node: usize) -> Markup {
    let JudgedEnvironment { assessment, left, .. } = judged;
    let coverage = &assessment.coverage;
    let is_missing = coverage.status(node) == Status::Missing && !coverage.is_left_out(node);
    let closest = assessment.substitutes_of(node).and_then(Substitutes::closest);
    let closest = closest.filter(|_| is_missing);
    let differs = closest.as_ref().map(|closest| closest.differs.clone());
    html! {
        td.c-near title=[closest.as_ref().and_then(name_of)] {
            @if let Some(closest) = &closest {
                (link(explorer, closest))
            } @else if is_missing && *left > 0 {
                "…"
            } @else if is_missing {
                span.muted { "none" }
            }
        }
        td.c-differs title=[differs.as_ref()] { bdi { (differs.as_deref().unwrap_or_default()) } }
    }
}

/// Returns the text of a link to the closest build.
fn name_of(closest: &Closest) -> Option<String> {
    let build = Explorer::here().index.build_alone(closest.build)?;
    let more = if closest.others > 0 { and_more(closest.others) } else { String::new() };
    Some(format!("{}{more}", build.short_spec()))
}

fn and_more(others: usize) -> String {
    format!(" and {} more", grouped(others))
}

/// Writes a link to the closest build, and how many others are as close.
fn link(explorer: Explorer, closest: &Closest) -> Markup {
    let index = explorer.index;
    let row = index.row_of(closest.build);
    let Some(hash) = explorer.hashes().and_then(|index| index.hash(closest.build)) else {
        return html! {};
    };
    let [package, version] = [Facet::Package, Facet::Version].map(|facet| index.text(row, facet));
    html! {
        a href=(explorer.address_after(Change::OpenBuild(hash))) {
            code.spec {
                bdi {
                    (package) "@" (version)
                    span.spec-hash { "/" (hash.to_string()[..SHORT_HASH]) }
                }
            }
        }
        span.muted { @if closest.others > 0 { (and_more(closest.others)) } }
    }
}
