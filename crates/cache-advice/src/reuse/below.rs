//! What is below each build, as far as it affects reuse on any machine: computed once for an index.

use cache_index::build::{Deptypes, is_needed_to_run};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Dependencies, Index, Link, RowId, ValueCode};
use cache_query::search::graph::IndexGraph;
use spack_spec::Target;

/// Compilers and the packages with their runtime libraries: a build that contains the first must contain
/// the second. A build contains its direct dependencies of any type, and everything that it is linked
/// with or runs, directly or not.
const RUNTIMES: [(&str, &str); 2] =
    [("gcc", "gcc-runtime"), ("intel-oneapi-compilers", "intel-oneapi-runtime")];

/// A bit of [`Below`], after two bits for each of the [`RUNTIMES`]: some of what the build contains is
/// not listed.
const UNLISTED: u8 = 1 << 4;

/// A bit of [`Below`]: the build needs something that was built for a target that its own does not run.
const MISMATCHED: u8 = 1 << 5;

/// For each build, what is below it, as bits.
#[derive(Clone, Copy)]
pub(super) struct Below<'i>(&'i [u8]);

/// The answer to whether a build comes with the runtime libraries of the compilers in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HasRuntime {
    Yes,
    /// The compiler and the runtime package that is missing.
    No(&'static str, &'static str),
    Unknown,
}

impl<'i> Below<'i> {
    /// Returns `None` until the dependencies have been loaded.
    pub(super) fn new(index: &'i Index) -> Option<Below<'i>> {
        let edges = index.edges()?;
        Some(Below(edges.below(|| compute(index, edges))))
    }

    #[inline]
    pub(super) fn has_runtime(self, build: BuildId) -> HasRuntime {
        let bits = self.0[build.0 as usize];
        let is_unlisted = bits & UNLISTED != 0;
        for (at, (compiler, runtime)) in RUNTIMES.into_iter().enumerate() {
            match bits >> (2 * at) & 0b11 {
                0b01 if !is_unlisted => return HasRuntime::No(compiler, runtime),
                0b00 | 0b01 if is_unlisted => return HasRuntime::Unknown,
                _ => {}
            }
        }
        HasRuntime::Yes
    }

    /// Returns `true` if a build needs something that was built for a target that its own does not run.
    #[inline]
    pub(super) fn is_mismatched(self, build: BuildId) -> bool {
        self.0[build.0 as usize] & MISMATCHED != 0
    }
}

fn compute(index: &Index, edges: &Dependencies) -> Vec<u8> {
    let graph = IndexGraph::new(index);
    let order = graph.in_order().unwrap_or_default();
    let rows = index.row_by_build();
    let names = index.dictionary(Facet::Package).values();
    let named = |name: &str| {
        let pairs = RUNTIMES.into_iter().flat_map(<[&str; 2]>::from);
        pairs.enumerate().find(|(_, other)| *other == name).map_or(0, |(at, _)| 1 << at)
    };
    let by_package: Vec<u8> = names.iter().map(|name| named(name)).collect();
    let by_link: Vec<u8> = edges
        .links
        .iter()
        .map(|link| named(index.package_or_further(edges, link.package)))
        .collect();
    let needs = Needs::of(index, edges);
    let targets = targets(index);
    let is_followed: Vec<bool> = edges
        .links
        .iter()
        .map(|link| is_needed_to_run(edges.kinds[link.kind as usize].deptypes))
        .collect();
    // For each build: itself and what it is linked with or runs, directly or not.
    let mut closure = vec![0u8; rows.len()];
    let mut below = vec![0u8; rows.len()];
    for &BuildId(build) in order {
        let row = RowId(rows[build as usize]);
        let mut bits = by_package[index.package_of(row).at()];
        if !index.lists_dependencies(row) {
            bits |= UNLISTED;
        }
        let mut own = 0;
        let (links, lower) = edges.numbers(build as usize);
        for (&link, &lower) in links.iter().zip(lower) {
            own |= by_link[link as usize];
            let Some(&of_lower) = closure.get(lower as usize) else {
                // It may itself be linked with the runtime.
                own |= if is_followed[link as usize] { UNLISTED } else { 0 };
                continue;
            };
            if is_followed[link as usize] {
                bits |= of_lower;
            }
            let lower = RowId(rows[lower as usize]);
            let is_external = || index.origin(lower).external;
            if needs.is_needed(link) && !targets.runs(index, row, lower) && !is_external() {
                own |= MISMATCHED;
            }
        }
        closure[build as usize] = bits;
        below[build as usize] = bits | own;
    }
    below
}

/// For each link, whether reuse needs what it points to.
pub(super) struct Needs(Vec<Need>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Needed only to build, or selected anew by Spack: `gcc-runtime`.
    Not,
    Libc,
    Reuse,
}

impl Needs {
    pub(super) fn of(index: &Index, edges: &Dependencies) -> Needs {
        Needs(edges.links.iter().map(|link| Need::of(index, edges, link)).collect())
    }

    /// Returns `true` if what the link points to has to be reused too.
    #[inline]
    pub(super) fn is_needed(&self, link: u32) -> bool {
        self.0[link as usize] == Need::Reuse
    }

    /// Returns `true` if the link points to the libc.
    pub(super) fn is_libc(&self, link: u32) -> bool {
        self.0[link as usize] == Need::Libc
    }
}

impl Need {
    fn of(index: &Index, edges: &Dependencies, link: &Link) -> Need {
        let kind = &edges.kinds[link.kind as usize];
        if kind.virtuals.iter().any(|name| name == "libc") {
            Need::Libc
        } else if kind.deptypes == Deptypes::BUILD
            || index.package_or_further(edges, link.package) == "gcc-runtime"
        {
            Need::Not
        } else {
            Need::Reuse
        }
    }
}

/// Returns `true` if what a link points to has to be reused too.
pub(super) fn is_needed(index: &Index, edges: &Dependencies, link: u32) -> bool {
    Need::of(index, edges, &edges.links[link as usize]) == Need::Reuse
}

/// For each pair of targets, by code: whether the first runs what was built for the second.
struct Runs {
    count: usize,
    runs: Vec<bool>,
}

impl Runs {
    fn runs(&self, index: &Index, row: RowId, lower: RowId) -> bool {
        let [ValueCode(own), ValueCode(lower)] =
            [row, lower].map(|row| index.value(row, Facet::Target));
        own == lower || self.runs[own as usize * self.count + lower as usize]
    }
}

/// Returns which targets run which. Any target runs an unknown one, and the other way round: Spack did build such
/// combinations.
fn targets(index: &Index) -> Runs {
    let names = index.dictionary(Facet::Target).values();
    let targets: Vec<Option<Target>> = names.iter().map(|name| Target::named(name)).collect();
    let pairs = targets.iter().flat_map(|own| targets.iter().map(move |lower| (own, lower)));
    let runs = pairs.map(|pair| match pair {
        (Some(own), Some(lower)) => own.runs(*lower),
        _ => true,
    });
    Runs { count: targets.len(), runs: runs.collect() }
}
