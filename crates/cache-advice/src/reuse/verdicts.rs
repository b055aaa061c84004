//! The outcomes of all builds of an index.
//!
//! The builds of a row differ only in their dependencies. Everything else is decided once for each
//! distinct configuration, origin and set of variants, and there are few of them; the outcome of a row is
//! the least of these. Then one pass over the builds, each after those it depends on, adds what follows
//! from the dependencies. It skips the edges of builds that have failed already.

use cache_index::build::{CompilerSource, Hash};
use cache_index::facet::Facet;
use cache_index::index::{
    BuildId, Configuration, Dependencies, Index, NO_COMPILER, NO_LIBC, Origin, RowId, ValueCode,
};
use cache_index::settings::External;
use cache_index::settings::Reuse;
use cache_index::spack::{Runtimes, SpackVersion};
use cache_query::Setup;
use cache_query::search::answers;
use cache_query::search::graph::IndexGraph;
use spack_spec::{Satisfies, Spec};

use super::below::{Below, HasRuntime, Needs};
use super::machine::Machine;
use super::rule::{Outcome, Rule, RuleStatus};
use super::specs;

/// The outcomes of all builds on one setup.
#[derive(Clone, Debug)]
pub struct Verdicts {
    by_row: Vec<Outcome>,
    /// Empty if the builds of a row do not differ, or their dependencies have not been loaded.
    by_build: Vec<Outcome>,
}

impl Verdicts {
    /// Judges all specs: the builds, and those that are only known as dependencies.
    ///
    /// Until the dependencies have been loaded, the rules that need them are left out.
    pub fn new(index: &Index, setup: &Setup) -> Verdicts {
        let by_row = by_row(index, setup);
        let by_specs = specs::outcomes(index, setup);
        let by_build = match index.edges() {
            Some(edges) => over_edges(index, edges, setup, &by_row, by_specs),
            None => match by_specs {
                Some(by_specs) => {
                    let rows = index.row_by_build();
                    rows.iter()
                        .zip(by_specs)
                        .map(|(&row, of)| by_row[row as usize].min(of))
                        .collect()
                }
                None => Vec::new(),
            },
        };
        Verdicts { by_row, by_build }
    }

    /// Returns the outcome of a build.
    pub fn of(&self, index: &Index, build: BuildId) -> Outcome {
        match self.by_build.get(build.at()) {
            Some(outcome) => *outcome,
            None => self.by_row[index.row_of(build).at()],
        }
    }

    /// Counts the builds with each outcome, in the order of the rules; eligible ones are last.
    pub fn counts(
        &self,
        index: &Index,
        builds: impl IntoIterator<Item = BuildId>,
    ) -> Vec<(Outcome, usize)> {
        let mut counts = vec![(Outcome::ELIGIBLE, 0); Outcome::COUNT];
        for build in builds {
            let outcome = self.of(index, build);
            let (kept, count) = &mut counts[outcome.at()];
            *kept = outcome;
            *count += 1;
        }
        counts.retain(|(_, count)| *count > 0);
        counts
    }

    /// Returns the hash and outcome of each build with a binary, in the order of the index. It is empty
    /// until the hashes have been loaded.
    pub fn all<'i>(&'i self, index: &'i Index) -> impl Iterator<Item = (Hash, Outcome)> + 'i {
        let builds = index.builds_with_binary();
        builds.filter_map(|build| Some((index.hash(build)?, self.of(index, build))))
    }
}

/// Returns the outcome of each row under the rules that its builds have in common.
fn by_row(index: &Index, setup: &Setup) -> Vec<Outcome> {
    let machine = Machine::new(index, setup);
    let by_configuration: Vec<Outcome> =
        index.configurations().iter().map(|one| of_configuration(index, &machine, one)).collect();
    let names = index.dictionary(Facet::Package).values();
    let by_package: Vec<Outcome> = names.iter().map(|name| of_package(name)).collect();
    let by_variants = by_variants(index);
    let whatever = of_settings(setup);
    let externals = Externals::new(index, setup);
    (0..index.rows() as u32)
        .map(RowId)
        .map(|row| {
            let origin = index.origin(row);
            let lists_dependencies = index.lists_dependencies(row);
            let is_offered = index.has_binary(row) || origin.external;
            let variants = by_variants.get(index.columns().variant_set[row.at()] as usize);
            whatever
                .min(by_configuration[index.columns().configuration[row.at()] as usize])
                .min(by_package[index.package_of(row).at()])
                .min(variants.copied().unwrap_or(Outcome::ELIGIBLE))
                .min(Outcome::of(Rule::Offered, is_offered.into()))
                .min(Outcome::of(Rule::Format, format(origin, lists_dependencies, setup.spack)))
                .min(Outcome::of(Rule::Package, package(origin, setup)))
                .min(externals.of(index, row))
        })
        .collect()
}

fn of_configuration(
    index: &Index,
    machine: &Machine<'_>,
    configuration: &Configuration,
) -> Outcome {
    let text = |facet| {
        let code = index.values_in(configuration, facet).first()?;
        Some(index.dictionary(facet).text(ValueCode(*code)))
    };
    let [platform, os, target] =
        [Facet::Platform, Facet::Os, Facet::Target].map(|facet| text(facet).unwrap_or_default());
    let libc = match text(Facet::Libc) {
        Some(NO_LIBC) => RuleStatus::Passed,
        Some(libc) => machine.libc(libc),
        None if machine.judges_libc() => RuleStatus::Unknown,
        None => RuleStatus::Passed,
    };
    let dependencies = match text(Facet::Libc) {
        Some(_) => RuleStatus::Passed,
        None => RuleStatus::Unknown,
    };
    Outcome::of(Rule::Platform, machine.platform(platform))
        .min(Outcome::of(Rule::Target, machine.target(target)))
        .min(Outcome::of(Rule::Os, machine.os(os)))
        .min(Outcome::of(Rule::Libc, libc))
        .min(Outcome::of(Rule::Dependencies, dependencies))
}

fn of_package(name: &str) -> Outcome {
    Outcome::of(Rule::CompilerWrapper, (name != "compiler-wrapper").into())
}

/// Returns what the settings decide for all builds alike.
fn of_settings(setup: &Setup) -> Outcome {
    let settings = &setup.settings;
    let takes_any = settings.reuse != Reuse::Nothing && !settings.caches.is_empty();
    Outcome::of(Rule::Reuse, takes_any.into())
}

/// Returns the outcome of each set of variants, which fails if it has `dev_path`: such a build was made
/// from a user's own sources. It is empty if no build was.
fn by_variants(index: &Index) -> Vec<Outcome> {
    let names = index.dictionary(Facet::Variant);
    let is_dev_path: Vec<bool> =
        names.values().iter().map(|text| text.starts_with("dev_path=")).collect();
    if !is_dev_path.contains(&true) {
        return Vec::new();
    }
    let is_developed = |set: &[u32]| set.iter().any(|&code| is_dev_path[code as usize]);
    let sets = index.variant_sets().iter();
    sets.map(|set| Outcome::of(Rule::DevPath, (!is_developed(set)).into())).collect()
}

/// Returns whether a Spack can read specs of an origin, and reuses them.
pub(super) fn format(origin: &Origin, lists_dependencies: bool, spack: SpackVersion) -> RuleStatus {
    let is_of_new_spack =
        origin.compiler_source != CompilerSource::Field || origin.spec_format.is_some();
    let needed = match origin.spec_format {
        Some(6..) => SpackVersion::NEW_SPECS,
        _ if is_of_new_spack => SpackVersion::COMPILER_NODES,
        _ => {
            return match (spack >= SpackVersion::NEW_SPECS, lists_dependencies) {
                (false, true) => RuleStatus::Passed,
                (true, true) => origin.external.into(),
                // A page, whatever Spack it is from.
                (true, false) => RuleStatus::Unknown,
                (false, false) if spack < SpackVersion::COMPILER_NODES => RuleStatus::Unknown,
                (false, false) => RuleStatus::Passed,
            };
        }
    };
    let is_too_old = spack >= SpackVersion::NEW_SPECS
        && !origin.external
        && origin.spec_format.is_some_and(|format| format < 5);
    (spack >= needed && !is_too_old).into()
}

/// Returns whether a user has the repository of a recipe.
pub(super) fn package(origin: &Origin, setup: &Setup) -> RuleStatus {
    match &origin.namespace {
        None => RuleStatus::Unknown,
        Some(namespace) => setup.settings.repositories.contains(namespace).into(),
    }
}

/// The externals of the machine, to compare those of the cache with.
pub(super) struct Externals {
    /// Each with the answer for each build to whether it satisfies the external's spec.
    known: Vec<(External, Vec<Satisfies>)>,
}

impl Externals {
    pub(super) fn new(index: &Index, setup: &Setup) -> Externals {
        if !index.origins().iter().any(|origin| origin.external) {
            return Externals { known: Vec::new() };
        }
        let known = setup.settings.externals_on(setup.host.platform()).into_iter();
        let known = known.filter_map(|external| {
            let spec = Spec::parse(&external.spec, setup.spack.dialect()).ok()?;
            Some((external, answers(index, &spec)))
        });
        Externals { known: known.collect() }
    }

    /// Returns the outcome of a row, which is eligible if Spack built it.
    fn of(&self, index: &Index, row: RowId) -> Outcome {
        Outcome::of(Rule::External, self.status(index, row))
    }

    pub(super) fn status(&self, index: &Index, row: RowId) -> RuleStatus {
        let origin = index.origin(row);
        if !origin.external {
            return RuleStatus::Passed;
        }
        let Some(first) = index.builds_of(row).next() else { return RuleStatus::Passed };
        let is_same = |external: &External| {
            let found = origin.found_at.as_ref();
            found.and_then(|at| at.prefix.as_ref()) == external.prefix.as_ref()
                && found.map_or(&[][..], |at| &at.modules) == external.modules
        };
        let is_known = |(external, answers): &(External, Vec<Satisfies>)| {
            is_same(external) && answers[first.at()].is_yes()
        };
        self.known.iter().any(is_known).into()
    }
}

/// Returns the outcome of each build, given those of the rows and of the specs in the settings.
fn over_edges(
    index: &Index,
    edges: &Dependencies,
    setup: &Setup,
    by_row: &[Outcome],
    by_specs: Option<Vec<Outcome>>,
) -> Vec<Outcome> {
    let rows = index.row_by_build();
    let needs = Needs::of(index, edges);
    let runtimes = Runtime::new(index, edges, setup);
    let libcs = Libcs::new(index, setup);
    let below = Below::new(index);
    let order = IndexGraph::new(index).in_order().unwrap_or_default();
    // For each shape: which of its links point to something that has to be reused too.
    let needed: Vec<Vec<u32>> = edges
        .shapes
        .iter()
        .map(|links| {
            (0..).zip(links).filter(|(_, link)| needs.is_needed(**link)).map(|(at, _)| at).collect()
        })
        .collect();
    let failed_below = Outcome::of(Rule::Dependencies, RuleStatus::Failed);
    let mut outcomes = vec![Outcome::ELIGIBLE; rows.len()];
    for &id in order {
        let build = id.at();
        let row = rows[build];
        let mut outcome = by_row[row as usize];
        if let Some(by_specs) = &by_specs {
            outcome = outcome.min(by_specs[build]);
        }
        // The rule about runtimes comes before most others.
        outcome = outcome.min(runtimes.of(RowId(row), id));
        if !outcome.fails() {
            if let Some(libcs) = &libcs {
                outcome = outcome.min(libcs.of(index, edges, &needs, id));
            }
            let (_, lower) = edges.numbers(build);
            for &at in &needed[edges.shape[build] as usize] {
                outcome = outcome.min(match outcomes.get(lower[at as usize] as usize) {
                    Some(lower) => lower.seen_from_above(),
                    None => failed_below,
                });
            }
            if below.is_some_and(|below| below.is_mismatched(id)) {
                outcome = outcome.min(failed_below);
            }
        }
        outcomes[build] = outcome;
    }
    outcomes
}

/// The rule about the runtime libraries of compilers.
pub(super) enum Runtime<'i> {
    NotAsked,
    InGraph(&'i Index, Below<'i>),
    /// By row, the compiler that it was built with, and by shape, the compilers whose runtime it has, as
    /// bits.
    Direct(&'i Index, &'i Dependencies, Vec<u8>, Vec<u8>),
}

/// Compilers that have a package with their runtime, by the names that Spack used before 1.0.
pub(super) const DIRECT_RUNTIMES: [(&str, &str); 2] =
    [("gcc", "gcc-runtime"), ("oneapi", "intel-oneapi-runtime")];

impl<'i> Runtime<'i> {
    pub(super) fn new(index: &'i Index, edges: &'i Dependencies, setup: &Setup) -> Runtime<'i> {
        match setup.spack.runtimes() {
            Runtimes::InGraph => {
                Below::new(index).map_or(Runtime::NotAsked, |below| Runtime::InGraph(index, below))
            }
            Runtimes::Direct if setup.host.platform() == "linux" => {
                let bits = |is: &dyn Fn((&str, &str)) -> bool| {
                    (0..).zip(DIRECT_RUNTIMES).map(|(at, pair)| u8::from(is(pair)) << at).sum()
                };
                let compilers = index.dictionary(Facet::Compiler).values().iter();
                let of_compiler: Vec<u8> = compilers
                    .map(|text| text.split('@').next().unwrap_or(NO_COMPILER))
                    .map(|name| bits(&|(compiler, _)| compiler == name))
                    .collect();
                let rows = (0..index.rows() as u32).map(RowId);
                let by_row = rows
                    .map(|row| match index.origin(row).external {
                        true => 0,
                        false => of_compiler[index.value(row, Facet::Compiler).at()],
                    })
                    .collect();
                let name = |link: &u32| {
                    index.package_or_further(edges, edges.links[*link as usize].package)
                };
                let by_shape = edges
                    .shapes
                    .iter()
                    .map(|links| {
                        bits(&|(_, runtime)| links.iter().any(|link| name(link) == runtime))
                    })
                    .collect();
                Runtime::Direct(index, edges, by_row, by_shape)
            }
            _ => Runtime::NotAsked,
        }
    }

    #[inline]
    fn of(&self, row: RowId, build: BuildId) -> Outcome {
        Outcome::of(Rule::Runtime, self.status(row, build))
    }

    #[inline]
    pub(super) fn status(&self, row: RowId, build: BuildId) -> RuleStatus {
        match self {
            Runtime::NotAsked => RuleStatus::Passed,
            Runtime::InGraph(index, below) => match below.has_runtime(build) {
                HasRuntime::Yes => RuleStatus::Passed,
                _ if index.origin(row).external => RuleStatus::Passed,
                HasRuntime::No(..) => RuleStatus::Failed,
                HasRuntime::Unknown => RuleStatus::Unknown,
            },
            Runtime::Direct(index, edges, by_row, by_shape) => {
                let missing = by_row[row.at()] & !by_shape[edges.shape[build.at()] as usize];
                match missing {
                    0 => RuleStatus::Passed,
                    _ if !index.lists_dependencies(row) => RuleStatus::Unknown,
                    _ => RuleStatus::Failed,
                }
            }
        }
    }
}

/// The libcs of the cache that are installed elsewhere than the machine's.
struct Libcs {
    /// By row.
    is_elsewhere: Vec<bool>,
}

impl Libcs {
    /// Returns `None` if there are none, which is almost always the case.
    fn new(index: &Index, setup: &Setup) -> Option<Libcs> {
        let machine = Machine::new(index, setup);
        let status = |origin: &Origin| {
            machine.libc_place(origin.found_at.as_ref().and_then(|at| at.prefix.as_deref()))
        };
        if index.origins().iter().all(|origin| status(origin) == RuleStatus::Passed) {
            return None;
        }
        let rows = (0..index.rows() as u32).map(RowId);
        let is_elsewhere =
            rows.map(|row| status(index.origin(row)) == RuleStatus::Failed).collect();
        Some(Libcs { is_elsewhere })
    }

    fn of(&self, index: &Index, edges: &Dependencies, needs: &Needs, build: BuildId) -> Outcome {
        let (links, lower) = edges.numbers(build.at());
        let rows = index.row_by_build();
        let mut libcs = links.iter().zip(lower).filter(|(link, _)| needs.is_libc(**link));
        let is_elsewhere = libcs.any(|(_, lower)| {
            rows.get(*lower as usize).is_some_and(|&row| self.is_elsewhere[row as usize])
        });
        Outcome::of(Rule::Libc, (!is_elsewhere).into())
    }
}
