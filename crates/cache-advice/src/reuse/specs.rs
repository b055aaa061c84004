//! The rules that the settings state as specs: what is included, excluded and requested.

use std::cell::OnceCell;
use std::cmp::Ordering;

use cache_index::build::{Deptypes, is_needed_to_run};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Dependencies, Index, Link, RowId};
use cache_index::settings::{Reuse, ReuseSource};
use cache_index::spack::SpackVersion;
use cache_query::Setup;
use cache_query::search::graph::IndexGraph;
use spack_spec::{Dialect, MissingData, Node, Satisfies, Spec};

use super::providers::{self, answers};
use super::rule::{Outcome, Rule, RuleStatus};

/// Returns the outcome of each build under these rules; `None` if there are none.
pub(super) fn outcomes(index: &Index, setup: &Setup) -> Option<Vec<Outcome>> {
    let by_roots = (setup.settings.reuse == Reuse::Dependencies).then(|| of_roots(index, setup));
    match (outcomes_of_lists(index, setup), by_roots) {
        (Some(one), Some(other)) => Some(merge(one, &other, Outcome::min)),
        (one, other) => one.or(other),
    }
}

/// Returns the outcome of each build under the lists of the sources; `None` if a source accepts every
/// build.
fn outcomes_of_lists(index: &Index, setup: &Setup) -> Option<Vec<Outcome>> {
    let has_lists = |source: &ReuseSource| !source.include.is_empty() || !source.exclude.is_empty();
    let sources = &setup.settings.caches;
    if !sources.iter().all(has_lists) {
        return None;
    }
    let outcomes = sources.iter().map(|source| of_source(index, source, setup.spack));
    // It is enough if one source accepts a build.
    outcomes.reduce(|one, other| merge(one, &other, Outcome::max))
}

fn merge(
    one: Vec<Outcome>,
    other: &[Outcome],
    choose: impl Fn(Outcome, Outcome) -> Outcome,
) -> Vec<Outcome> {
    one.into_iter().zip(other).map(|(one, other)| choose(one, *other)).collect()
}

/// Returns the outcome of each build under the lists of one source.
pub(super) fn of_source(index: &Index, source: &ReuseSource, spack: SpackVersion) -> Vec<Outcome> {
    let lists = SourceLists::new(index, source, spack);
    (0..index.specs()).map(|build| lists.outcome(BuildId(build))).collect()
}

/// Which builds satisfy the lists of one source.
pub(super) struct SourceLists {
    /// `None` if the list is empty.
    include: Option<Vec<Satisfies>>,
    /// For each spec of the list: which builds satisfy it.
    exclude: Vec<(String, Vec<Satisfies>)>,
}

impl SourceLists {
    fn new(index: &Index, source: &ReuseSource, spack: SpackVersion) -> SourceLists {
        let ReuseSource { include, exclude } = source;
        let include = (!include.is_empty()).then(|| any(index, include, spack));
        let exclude = exclude.iter().filter_map(|text| {
            let spec = Spec::parse(text, spack.dialect()).ok()?;
            Some((text.clone(), answers(index, &spec)))
        });
        SourceLists { include, exclude: exclude.collect() }
    }

    /// Returns the status of a build under `include` alone.
    pub(super) fn include(&self, build: BuildId) -> RuleStatus {
        let answer = self.include.as_ref().map(|answers| answers[build.at()]);
        answer.map_or(RuleStatus::Passed, status)
    }

    /// Returns the status of a build under `exclude` alone.
    pub(super) fn exclude(&self, build: BuildId) -> RuleStatus {
        let answers = self.exclude.iter().map(|(_, answers)| answers[build.at()]);
        status(answers.fold(Satisfies::No, Satisfies::or).not())
    }

    /// Returns the specs in `exclude` that a build satisfies.
    pub(super) fn excluded_by(&self, build: BuildId) -> impl Iterator<Item = &str> {
        let exclude = self.exclude.iter();
        let satisfied = exclude.filter(move |(_, answers)| answers[build.at()].is_yes());
        satisfied.map(|(spec, _)| spec.as_str())
    }

    /// Returns the outcome of a build under both.
    pub(super) fn outcome(&self, build: BuildId) -> Outcome {
        let include = Outcome::of(Rule::Include, self.include(build));
        include.min(Outcome::of(Rule::Exclude, self.exclude(build)))
    }
}

/// Which builds satisfy the specs in the settings, worked out for all builds of an index when first asked for. It must be
/// asked about one index and one setup.
#[derive(Default)]
pub(super) struct SettingsSpecs {
    sources: OnceCell<Vec<SourceLists>>,
    asked: OnceCell<Vec<(String, Vec<Satisfies>)>>,
}

impl SettingsSpecs {
    /// Returns the lists of each source.
    pub(super) fn sources(&self, index: &Index, setup: &Setup) -> &[SourceLists] {
        self.sources.get_or_init(|| {
            let sources = setup.settings.caches.iter();
            sources.map(|source| SourceLists::new(index, source, setup.spack)).collect()
        })
    }

    /// Returns each spec that is asked for, with the status of a build under the rule that it must not contain the spec.
    pub(super) fn asked<'s>(
        &'s self,
        index: &Index,
        setup: &Setup,
        build: BuildId,
    ) -> impl Iterator<Item = (&'s str, RuleStatus)> + use<'s> {
        let asked = self.asked.get_or_init(|| {
            let specs = read(&setup.settings.asked, setup.spack);
            specs.map(|spec| (spec.to_string(), containing(index, &spec))).collect()
        });
        let status = move |contains: &Vec<Satisfies>| status(contains[build.at()].not());
        asked.iter().map(move |(spec, contains)| (spec.as_str(), status(contains)))
    }
}

/// Returns for each build whether it satisfies any of these specs.
fn any(index: &Index, specs: &[String], spack: SpackVersion) -> Vec<Satisfies> {
    let mut any = vec![Satisfies::No; index.specs() as usize];
    for spec in read(specs, spack) {
        providers::visit(index, &spec, &mut |build, answer| {
            let any = &mut any[build.at()];
            *any = any.or(answer);
        });
    }
    any
}

/// Parses the specs of a list, which a [setup](Setup) has only if they can be parsed.
fn read(specs: &[String], spack: SpackVersion) -> impl Iterator<Item = Spec> {
    specs.iter().filter_map(move |spec| Spec::parse(spec, spack.dialect()).ok())
}

/// Returns the outcome of each build if nothing is reused that contains a requested spec.
fn of_roots(index: &Index, setup: &Setup) -> Vec<Outcome> {
    let unknown = Outcome::of(Rule::Roots, RuleStatus::Unknown);
    let mut outcomes = vec![Outcome::ELIGIBLE; index.specs() as usize];
    if setup.settings.asked.is_empty() {
        outcomes.fill(unknown);
    }
    for spec in read(&setup.settings.asked, setup.spack) {
        for (outcome, contains) in outcomes.iter_mut().zip(containing(index, &spec)) {
            *outcome = (*outcome).min(Outcome::of(Rule::Roots, status(contains.not())));
        }
    }
    outcomes
}

/// Returns for each build whether it contains a spec, in Spack's sense.
///
/// If a spec has no name, or the name of the build's own package, the build itself must satisfy it. For
/// any other spec, Spack looks among the dependencies. Before 1.0, any of them may satisfy it, direct or
/// not, whatever its type. From 1.0 on, only the first with that name counts, or the first that provides
/// it: among the direct build dependencies, and then in the link/run closure, nearest first.
fn containing(index: &Index, spec: &Spec) -> Vec<Satisfies> {
    let satisfied = answers(index, spec);
    let Some(name) = spec.root.name.as_deref() else { return satisfied };
    let below = match index.edges() {
        None => vec![CANNOT_TELL; satisfied.len()],
        Some(edges) => match spec.dialect {
            Dialect::V0 => anywhere_below(index, edges, &satisfied),
            _ => named_below(index, edges, spec, name, &satisfied),
        },
    };
    let rows = index.row_by_build();
    let own = index.dictionary(Facet::Package).code(name);
    let is_own = |build: usize| Some(index.package_of(RowId(rows[build]))) == own;
    (0..rows.len())
        .map(|build| if is_own(build) { satisfied[build] } else { below[build] })
        .collect()
}

const CANNOT_TELL: Satisfies = Satisfies::CannotTell(MissingData::Dependencies);

/// Returns for each build whether anything below it satisfies the spec.
fn anywhere_below(index: &Index, edges: &Dependencies, satisfied: &[Satisfies]) -> Vec<Satisfies> {
    let mut below = vec![CANNOT_TELL; satisfied.len()];
    for &build in IndexGraph::new(index).in_order().unwrap_or_default() {
        if !index.lists_dependencies(index.row_of(build)) {
            continue;
        }
        let (_, lower) = edges.numbers(build.at());
        let answer = |&lower: &u32| match below.get(lower as usize) {
            Some(below) => satisfied[lower as usize].or(*below),
            None => CANNOT_TELL,
        };
        below[build.at()] = lower.iter().map(answer).fold(Satisfies::No, Satisfies::or);
    }
    below
}

/// Returns for each build whether the dependency that Spack finds by a name satisfies the spec.
fn named_below(
    index: &Index,
    edges: &Dependencies,
    spec: &Spec,
    name: &str,
    satisfied: &[Satisfies],
) -> Vec<Satisfies> {
    let links = &edges.links;
    let kind = |link: &Link| &edges.kinds[link.kind as usize];
    let is_named: Vec<bool> = links
        .iter()
        .map(|link| {
            index.package_or_further(edges, link.package) == name
                || kind(link).virtuals.iter().any(|provided| provided == name)
        })
        .collect();
    let to_build = Deptypes::BUILD.union(Deptypes::TEST);
    let is_to_build: Vec<bool> =
        links.iter().map(|link| kind(link).deptypes.intersects(to_build)).collect();
    let is_followed: Vec<bool> =
        links.iter().map(|link| is_needed_to_run(kind(link).deptypes)).collect();
    let is_bare = spec.root == Node { name: Some(name.to_owned()), ..Node::default() };
    let found = |lower: u32| match satisfied.get(lower as usize) {
        _ if is_bare => Satisfies::Yes,
        Some(answer) => *answer,
        None => CANNOT_TELL,
    };
    // For each build: the number of steps to the nearest dependency of that name in the link/run closure,
    // and whether it satisfies the spec. If there is none, whether everything is listed.
    let nowhere = (u32::MAX, Satisfies::No);
    let mut nearest = vec![(u32::MAX, CANNOT_TELL); satisfied.len()];
    let mut below = vec![CANNOT_TELL; satisfied.len()];
    for &build in IndexGraph::new(index).in_order().unwrap_or_default() {
        if !index.lists_dependencies(index.row_of(build)) {
            continue;
        }
        let (links, lower) = edges.numbers(build.at());
        let edges = || links.iter().map(|&link| link as usize).zip(lower.iter().copied());
        let own = edges().find(|&(link, _)| is_named[link] && is_to_build[link]);
        let followed = edges().filter(|&(link, _)| is_followed[link]).map(|(link, lower)| {
            match nearest.get(lower as usize) {
                _ if is_named[link] => (1, found(lower)),
                Some(&(steps, answer)) => (steps.saturating_add(1), answer),
                None => (u32::MAX, CANNOT_TELL),
            }
        });
        let nearer = |one: (u32, Satisfies), other: (u32, Satisfies)| match one.0.cmp(&other.0) {
            Ordering::Less => one,
            Ordering::Greater => other,
            Ordering::Equal if one.0 == u32::MAX => (u32::MAX, one.1.or(other.1)),
            // Edges are sorted by name, as Spack visits them.
            Ordering::Equal => one,
        };
        let of_closure = followed.fold(nowhere, nearer);
        nearest[build.at()] = of_closure;
        below[build.at()] = own.map_or(of_closure.1, |(_, lower)| found(lower));
    }
    below
}

fn status(answer: Satisfies) -> RuleStatus {
    match answer {
        Satisfies::Yes => RuleStatus::Passed,
        Satisfies::No => RuleStatus::Failed,
        Satisfies::CannotTell(_) => RuleStatus::Unknown,
    }
}

/// Negates an answer.
trait Opposite {
    fn not(self) -> Self;
}

impl Opposite for Satisfies {
    fn not(self) -> Satisfies {
        match self {
            Satisfies::Yes => Satisfies::No,
            Satisfies::No => Satisfies::Yes,
            unknown => unknown,
        }
    }
}
