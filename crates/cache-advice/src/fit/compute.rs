//! Judging all builds at once: each after those it depends on, so every edge is looked at once.

use cache_index::build::{Deptypes, is_needed_to_run};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Dependencies, EdgeTarget, Index, Link, RowId, ValueCode};
use cache_query::host::{NeededLibc, Runs};
use cache_query::search::graph::IndexGraph;
use spack_spec::Target;

use super::{Fit, Fits, Step};
use crate::machine_words::{Gpu, GpuAnswer, GpuCode, has_no_own_code, is_for_all_supported};
use crate::relocation::{Relocation, Relocations};
use crate::reuse::Rule;

/// Returns `true` for packages that Spack makes anew on each machine, or takes from it.
pub(super) fn is_from_the_machine(package: &str) -> bool {
    matches!(package, "compiler-wrapper" | "gcc-runtime" | "glibc" | "musl")
}

/// What is known of a build together with everything that it needs to run.
#[derive(Clone, Copy)]
struct State {
    runs: Runs,
    /// The worst answer for code that was compiled for single GPUs.
    gpu: Option<GpuAnswer>,
    /// It has GPU code of its own.
    has_gpu_code: bool,
    /// It has or needs code for all GPUs that its CUDA or ROCm supports, which decides only if nothing else does.
    has_general_code: bool,
    /// The cache lacks something that it needs, or what it was spliced from.
    lacks: bool,
    /// Something that it needs is not known.
    is_open: bool,
    /// It is unknown if Spack would reuse it, and not only because caches of this kind omit the same facts for every build.
    is_unsure: bool,
}

pub(super) fn fits(index: &Index, on: &Fits, moved: Option<&Relocations<'_>>) -> Vec<Fit> {
    let states = states(index, on);
    let rows = index.row_by_build();
    let fit = |(build, state): (u32, State)| {
        let reused = match on.reuse.of(index, BuildId(build)).is_eligible() {
            Some(true) => Runs::Yes,
            Some(false) => Runs::No,
            None if state.is_unsure => Runs::Unknown,
            None => Runs::Yes,
        };
        let on_gpu = match state.gpu.or(state.has_general_code.then_some(GpuAnswer::Unknown)) {
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
        // The later steps say nothing about a build whose dependencies are not known.
        let is_listed =
            index.has_dependencies() && index.lists_dependencies(RowId(rows[build as usize]));
        let last = if is_listed { Step::Reused } else { Step::Runs };
        let (step, works) = decides.unwrap_or((last, Runs::Yes));
        let uses_gpu = state.has_gpu_code && state.gpu == Some(GpuAnswer::Runs);
        Fit { step, works, uses_gpu, runs: state.runs }
    };
    (0..).zip(states).map(fit).collect()
}

fn states(index: &Index, on: &Fits) -> Vec<State> {
    let Fits { setup, gpus, own, reuse, .. } = on;
    let rows = index.row_by_build();
    let on_gpus = on_gpus(index, gpus);
    let packages = index.dictionary(Facet::Package).iter();
    let without_own_code: Vec<ValueCode> =
        packages.filter(|(_, name)| has_no_own_code(name)).map(|(code, _)| code).collect();
    let of_build = |(build, &row): (u32, &u32)| {
        let (build, row) = (BuildId(build), RowId(row));
        let outcome = reuse.of(index, build);
        let is_unsure = outcome.is_eligible().is_none()
            && match outcome.rule() {
                Some(Rule::Package) => false,
                Some(Rule::Libc) => index.lists_dependencies(row),
                // This uncertainty comes from what it needs.
                Some(Rule::Dependencies) => false,
                _ => true,
            };
        let (gpu, is_general) = match without_own_code.contains(&index.package_of(row)) {
            true => (None, false),
            false => on_gpus[index.columns().variant_set[row.at()] as usize],
        };
        State {
            runs: own.of(index, build).runs,
            gpu: gpu.filter(|_| !is_general),
            has_gpu_code: gpu.is_some(),
            has_general_code: is_general,
            lacks: false,
            is_open: true,
            is_unsure,
        }
    };
    let mut states: Vec<State> = (0..).zip(rows).map(of_build).collect();
    for (BuildId(build), from) in index.installed_from((0..index.specs()).map(BuildId)) {
        states[build as usize].lacks = match from {
            EdgeTarget::Build(from) => !index.has_binary(index.row_of(from)),
            EdgeTarget::Unknown { .. } => true,
        };
    }
    let Some(edges) = index.edges() else { return states };
    let uses = uses(index, edges);
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
        for (&link, &lower) in links.iter().zip(lower) {
            let is_from_cache = match uses[link as usize] {
                Use::None => continue,
                Use::OfReuse => {
                    let below = states.get(lower as usize);
                    state.is_unsure |= below.is_some_and(|below| below.is_unsure);
                    continue;
                }
                Use::OfMachine => false,
                Use::OfCache => true,
            };
            let Some(&below) = states.get(lower as usize) else {
                state.lacks |= is_from_cache;
                state.is_open |= is_from_cache;
                continue;
            };
            let by_binary = own.by_binary(index, BuildId(lower));
            let lower = RowId(rows[lower as usize]);
            // The machine has its own.
            if index.origin(lower).external {
                state.is_open |= is_from_cache;
                continue;
            }
            if !is_from_cache {
                // Spack installs this build from the cache. Its labels only say for which machines it was made.
                worst = worst.max(by_binary.map_or(Runs::Yes, |verdict| verdict.runs));
                continue;
            }
            worst = worst.max(below.runs);
            state.gpu = state.gpu.max(below.gpu);
            state.has_general_code |= below.has_general_code;
            state.lacks |= below.lacks || !index.has_binary(lower);
            state.is_open |= below.is_open;
            state.is_unsure |= below.is_unsure;
        }
        let leaves_open = leaves_open[row.at()] && own.by_binary(index, BuildId(build)).is_none();
        state.runs = match (state.runs, worst) {
            (Runs::Unknown, Runs::Yes) if leaves_open && !state.is_open => Runs::Yes,
            (own, worst) => own.max(worst),
        };
        states[build as usize] = state;
    }
    states
}

/// Returns for each set of variants whether its GPU code runs on a machine with these GPUs; `None` without such code,
/// or without a GPU. The second value is `true` if that is [not known](is_for_all_supported) because the code is for
/// all supported GPUs.
fn on_gpus(index: &Index, gpus: &[Gpu]) -> Vec<(Option<GpuAnswer>, bool)> {
    let on_gpu = |set: u32| {
        if gpus.is_empty() {
            return (None, false);
        }
        let variants = index.spell_variants(set);
        let verdict = GpuCode::of(&variants).and_then(|code| code.on(gpus));
        let answer = verdict.map(|verdict| verdict.answer);
        (answer, answer == Some(GpuAnswer::Unknown) && is_for_all_supported(&variants))
    };
    (0..index.variant_sets().len() as u32).map(on_gpu).collect()
}

/// Why a build needs the target of a link when it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// For nothing.
    None,
    /// For nothing, but Spack only reuses both or neither: a test dependency.
    OfReuse,
    /// It needs it, and the machine may have its own ([`is_from_the_machine`]).
    OfMachine,
    /// It needs it from the cache.
    OfCache,
}

/// Returns the use of each link.
fn uses(index: &Index, edges: &Dependencies) -> Vec<Use> {
    let of_link = |link: &Link| {
        let deptypes = edges.kinds[link.kind as usize].deptypes;
        let package = index.package_or_further(edges, link.package);
        match (is_needed_to_run(deptypes), is_from_the_machine(package)) {
            (false, _) if deptypes == Deptypes::BUILD => Use::None,
            (false, _) => Use::OfReuse,
            (true, true) => Use::OfMachine,
            (true, false) => Use::OfCache,
        }
    };
    edges.links.iter().map(of_link).collect()
}

/// Returns `true` if the labels of a row name no libc because it needs none itself.
fn leaves_it_to_what_it_needs(index: &Index, row: RowId) -> bool {
    let libc = index.values(row, Facet::Libc).first().copied();
    let libc = libc.map(|code| index.dictionary(Facet::Libc).text(code));
    Target::named(index.text(row, Facet::Target)).is_some()
        && NeededLibc::of_facets(libc, index.text(row, Facet::Compiler)) == NeededLibc::None
}
