//! Judging all builds at once: each after those it depends on, so every edge is looked at once.

use cache_index::build::is_needed_to_run;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Dependencies, Index, RowId};
use cache_query::Setup;
use cache_query::host::{self, NeededLibc, Runs};
use cache_query::search::graph::IndexGraph;
use spack_spec::Target;

use super::{Fit, Step};
use crate::machine_words::{Gpu, GpuAnswer, GpuCode};
use crate::relocation::{Moved, Relocation};
use crate::reuse::{self, Rule};

/// Returns `true` for packages that Spack makes anew on each machine, or takes from it.
pub(super) fn is_from_the_machine(package: &str) -> bool {
    matches!(package, "compiler-wrapper" | "gcc-runtime" | "glibc" | "musl")
}

/// What is known of a build together with everything that it needs to run.
#[derive(Clone, Copy)]
struct State {
    runs: Runs,
    gpu: Option<GpuAnswer>,
    /// It has GPU code of its own.
    has_gpu_code: bool,
    /// The cache lacks something that it needs.
    lacks: bool,
    /// Something that it needs is not known.
    is_open: bool,
    /// It is unknown if Spack would reuse it, and not only because this kind of cache leaves something out of all builds.
    is_unsure: bool,
}

pub(super) fn fits(
    index: &Index,
    setup: &Setup,
    gpus: &[Gpu],
    labels: &host::LabelVerdicts,
    reuse: &reuse::Verdicts,
    moved: Option<&Moved<'_>>,
) -> Vec<Fit> {
    let states = states(index, setup, gpus, labels, reuse);
    let rows = index.row_by_build();
    let fit = |(build, state): (u32, State)| {
        let reused = match reuse.of(index, BuildId(build)).is_eligible() {
            Some(true) => Runs::Yes,
            Some(false) => Runs::No,
            None if state.is_unsure => Runs::Unknown,
            None => Runs::Yes,
        };
        let on_gpu = match state.gpu {
            None | Some(GpuAnswer::Runs) => Runs::Yes,
            Some(GpuAnswer::OnlyThroughPtx | GpuAnswer::Unknown) => Runs::Unknown,
            Some(GpuAnswer::No) => Runs::No,
        };
        let complete = if state.lacks { Runs::No } else { Runs::Yes };
        let moves = moved.map_or(Runs::Yes, |moved| {
            let is_moved = index.has_binary(RowId(rows[build as usize]));
            match is_moved.then(|| moved.of(BuildId(build))) {
                None | Some(Relocation::Yes { .. }) => Runs::Yes,
                Some(Relocation::Unknown(_)) => Runs::Unknown,
                Some(Relocation::No(_)) => Runs::No,
            }
        });
        let steps = [
            (Step::Runs, state.runs),
            (Step::Gpu, on_gpu),
            (Step::Complete, complete),
            (Step::Moves, moves),
            (Step::Reused, reused),
        ];
        let first = |answer| steps.into_iter().find(|(_, works)| *works == answer);
        let decides = first(Runs::No).or_else(|| first(Runs::Unknown));
        // The later steps say nothing about a build that lists no dependencies.
        let is_listed = index.lists_dependencies(RowId(rows[build as usize]));
        let last = if is_listed { Step::Reused } else { Step::Runs };
        let (step, works) = decides.unwrap_or((last, Runs::Yes));
        let uses_gpu = state.has_gpu_code && state.gpu == Some(GpuAnswer::Runs);
        Fit { step, works, uses_gpu }
    };
    (0..).zip(states).map(fit).collect()
}

fn states(
    index: &Index,
    setup: &Setup,
    gpus: &[Gpu],
    labels: &host::LabelVerdicts,
    reuse: &reuse::Verdicts,
) -> Vec<State> {
    let rows = index.row_by_build();
    let own = own(index, gpus, labels);
    let of_build = |(build, &row): (u32, &u32)| {
        let outcome = reuse.of(index, BuildId(build));
        let lists_dependencies = index.lists_dependencies(RowId(row));
        let is_unsure = outcome.is_eligible().is_none()
            && match outcome.rule() {
                Some(Rule::Package) => false,
                Some(Rule::Libc) => lists_dependencies,
                // Then it is what it needs that is unsure.
                Some(Rule::Dependencies) => false,
                _ => true,
            };
        State { is_unsure, ..own[row as usize] }
    };
    let mut states: Vec<State> = (0..).zip(rows).map(of_build).collect();
    let Some(edges) = index.edges() else { return states };
    let needed = needed(index, edges);
    let knows_host = Target::named(setup.host.target()).is_some();
    let leaves_open: Vec<bool> = (0..index.rows() as u32)
        .map(|row| knows_host && leaves_it_to_what_it_needs(index, RowId(row)))
        .collect();
    let order = IndexGraph::new(index).in_order().unwrap_or_default();
    for &BuildId(build) in order {
        let row = RowId(rows[build as usize]);
        let mut state = states[build as usize];
        let mut worst = Runs::Yes;
        state.is_open = !index.lists_dependencies(row);
        let (links, lower) = edges.numbers(build as usize);
        let of_link = links.iter().zip(lower).filter(|(link, _)| needed[**link as usize]);
        for (_, &lower) in of_link {
            let Some(&below) = states.get(lower as usize) else {
                state.lacks = true;
                state.is_open = true;
                continue;
            };
            let lower = RowId(rows[lower as usize]);
            // The machine has its own.
            if index.origin(lower).external {
                state.is_open = true;
                continue;
            }
            worst = worst.max(below.runs);
            state.gpu = state.gpu.max(below.gpu);
            state.lacks |= below.lacks || !index.has_binary(lower);
            state.is_open |= below.is_open;
            state.is_unsure |= below.is_unsure;
        }
        state.runs = match (state.runs, worst) {
            (Runs::Unknown, Runs::Yes) if leaves_open[row.at()] && !state.is_open => Runs::Yes,
            (own, worst) => own.max(worst),
        };
        states[build as usize] = state;
    }
    states
}

/// Returns what the labels of each row say.
fn own(index: &Index, gpus: &[Gpu], labels: &host::LabelVerdicts) -> Vec<State> {
    let on_gpu = |set: u32| match gpus {
        [] => None,
        gpus => GpuCode::of(&index.spell_variants(set))?.on(gpus).map(|verdict| verdict.answer),
    };
    let by_set: Vec<Option<GpuAnswer>> =
        (0..index.variant_sets().len() as u32).map(on_gpu).collect();
    let sets = &index.columns().variant_set;
    let of_row = |row: RowId| State {
        runs: labels.of(index, row).runs,
        gpu: by_set[sets[row.at()] as usize],
        has_gpu_code: by_set[sets[row.at()] as usize].is_some(),
        lacks: false,
        is_open: true,
        is_unsure: false,
    };
    (0..index.rows() as u32).map(RowId).map(of_row).collect()
}

/// Returns for each link `true` if a build needs its target to run, and takes it from the cache.
fn needed(index: &Index, edges: &Dependencies) -> Vec<bool> {
    let is_needed = |link: &cache_index::index::Link| {
        let deptypes = edges.kinds[link.kind as usize].deptypes;
        is_needed_to_run(deptypes)
            && !is_from_the_machine(index.package_or_further(edges, link.package))
    };
    edges.links.iter().map(is_needed).collect()
}

/// Returns `true` if the labels of a row name no libc because it needs none itself.
fn leaves_it_to_what_it_needs(index: &Index, row: RowId) -> bool {
    let libc = index.values(row, Facet::Libc).first().copied();
    let libc = libc.map(|code| index.dictionary(Facet::Libc).text(code));
    Target::named(index.text(row, Facet::Target)).is_some()
        && NeededLibc::of_facets(libc, index.text(row, Facet::Compiler)) == NeededLibc::None
}
