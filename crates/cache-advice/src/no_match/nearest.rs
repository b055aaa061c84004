//! The builds nearest to a question that no build matches.
//!
//! The fewer filters a build fails, the nearer it is. It always has the requested package. If the question asks for a
//! target, or there is a machine, builds that do not run there are of little use: they come after all others, and those
//! of another family last. The same holds for builds for another platform than that of the requested operating systems.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::sync::Arc;

use cache_index::facet::{Facet, variant_name};
use cache_index::index::{BuildId, Index, RowId};
use cache_index::order::is_development;
use cache_query::host::Runs;
use cache_query::lookup::{Fails, Lookup};
use cache_query::search::{Meaning, Property, Search, graph, meanings};
use cache_query::{Match, Question, Selection};
use spack_spec::{Target, Version};

use crate::choosing::recommended::foreign;
use crate::differences::likeness::nearest_first;
use crate::machine_words::{GpuCode, libc_of_distribution, version_of_macos};
use crate::notes::runs_on::platform_of_target;

/// A build that fails few of the filters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// The build: the first of its row.
    pub build: BuildId,
    /// The values that differ: what it has, and what was requested instead.
    pub differs: Vec<(String, String)>,
}

/// The maximum number of pieces of a text that are compared separately.
const MOST_MEANINGS: usize = 8;

/// Returns at most `count` builds that fail the fewest filters of a question. No two of them agree in every facet.
/// Builds that run on the requested target come first. Among those that fail equally many filters, builds whose
/// libc the requested OS has come first, then those for the target nearest to the requested one, and then newer versions.
///
/// There are none if the question asks for a hash, or for a package that the index does not contain.
pub fn nearest(index: &Index, question: &Question, count: usize) -> Vec<Near> {
    let mut nearing = NearestSteps::new(index, question);
    while nearing.step(index) {}
    nearing.nearest(index, question, count)
}

/// The search for the [nearest] builds, in steps that each take as long as an answer.
pub struct NearestSteps {
    /// The name that the text asks for.
    name: String,
    /// `true` if it was meant as the name of a package, but no package is called that: then names that contain it are near.
    is_unknown: bool,
    /// What else the text asks for and has not been searched for yet, in reverse.
    open: Vec<Meaning>,
    /// What has been searched for, with the builds that have it.
    asked: Vec<(Meaning, Selection)>,
    /// `true` if the text asks for a hash: nothing is near a hash.
    is_hash: bool,
}

impl NearestSteps {
    /// Begins, without searching for anything yet.
    pub fn new(index: &Index, question: &Question) -> NearestSteps {
        let (names, mut open): (Vec<Meaning>, Vec<Meaning>) =
            meanings(index, &question.text).into_iter().take(MOST_MEANINGS).partition(|meaning| {
                matches!(meaning.property, Property::Package | Property::NameHas | Property::Hash)
            });
        open.reverse();
        let is_hash = names.iter().any(|meaning| meaning.property == Property::Hash);
        let is_unknown = |meaning: &Meaning| {
            let name = meaning.text.as_str();
            let is_package = index.dictionary(Facet::Package).code(name).is_some();
            meaning.property == Property::Package && !is_package && !graph::is_virtual(index, name)
        };
        let is_unknown = names.iter().any(is_unknown);
        let names: Vec<&str> = names.iter().map(|meaning| meaning.text.as_str()).collect();
        NearestSteps { name: names.join(" "), is_unknown, open, asked: Vec::new(), is_hash }
    }

    /// Searches for one piece of the text; returns `false` if none is left.
    pub fn step(&mut self, index: &Index) -> bool {
        let next = self.open.pop().filter(|_| !self.is_hash);
        self.asked.extend(next.map(|meaning| {
            let found = Search::read(index, &meaning.text).select(index);
            (meaning, found)
        }));
        !self.is_hash && !self.open.is_empty()
    }

    /// Returns the nearest builds, after the last step.
    pub fn nearest(self, index: &Index, question: &Question, count: usize) -> Vec<Near> {
        if self.is_hash {
            return Vec::new();
        }
        let names = Search::read(index, &self.name).select(index);
        let unknown = self.is_unknown.then_some(self.name.as_str());
        among(index, question, (Arc::new(names), unknown), &self.asked, count)
    }
}

/// Returns the nearest builds of the package with the requested name, or of the packages whose names contain it if there is no
/// such package.
fn among(
    index: &Index,
    question: &Question,
    (names, unknown): (Arc<Selection>, Option<&str>),
    asked: &[(Meaning, Selection)],
    count: usize,
) -> Vec<Near> {
    let filter = Lookup::new(index, question, names);
    let never = Fails(Fails::ALWAYS.0 | Fails::of(Facet::Package).0);
    let typed = asked.iter().filter(|(meaning, _)| meaning.property == Property::Target);
    let typed = typed.flat_map(|(meaning, _)| meaning.value().split(','));
    let included = question.choice(Facet::Target).included().iter().map(String::as_str);
    let targets: Vec<&str> = typed.chain(included).collect();
    let distances =
        distances(index, &targets.iter().copied().filter_map(ends_at).collect::<Vec<_>>());
    let typed_os = asked.iter().filter(|(meaning, _)| meaning.property == Property::Os);
    let typed_os = typed_os.flat_map(|(meaning, _)| meaning.value().split(','));
    let systems = question.choice(Facet::Os).included().iter().map(String::as_str);
    let systems: Vec<&str> = systems.chain(typed_os).collect();
    let libcs = libc_fits(index, &systems);
    let mut platforms: Vec<&str> = systems.into_iter().map(platform_of).collect();
    if let (true, [target]) = (platforms.is_empty(), &targets[..]) {
        platforms.extend(Target::named(target).and_then(platform_of_target));
    }
    let is_other_platform = |row: RowId| {
        !platforms.is_empty() && !platforms.contains(&index.text(row, Facet::Platform))
    };
    let typed_versions = asked.iter().filter(|(meaning, _)| meaning.property == Property::Version);
    let mut versions = typed_versions.map(|(meaning, _)| meaning.value().trim_start_matches('@'));
    let chosen = question.choice(Facet::Version).included();
    let prefers_releases =
        !versions.any(is_development) && !chosen.iter().any(|version| is_development(version));
    let asked_runs = question.asked_runs();
    let asks_runs = !asked_runs.is_empty();
    let has_machine = asks_runs || question.host.is_some() && question.judged.is_known();
    // The best verdict on a build of a row.
    let works = |row: RowId| {
        let judged = index.builds_of(row).filter_map(|build| question.judged.of(build));
        judged.min().or_else(|| filter.runs_of(index, row))
    };
    // A row that fails by its labels alone fails in the filter already.
    let fails_runs = |row: RowId| {
        let is_judged = asks_runs && question.judged.is_known();
        is_judged && !works(row).is_some_and(|works| asked_runs.contains(&works))
    };
    let fails_gpu = |row: RowId| {
        let uses_gpu = |build| question.on_gpu.of(build) == Some(true);
        question.asks_for_gpu() && !index.builds_of(row).any(uses_gpu)
    };
    // If no build has code for these GPUs, one with code for another is nearer than one without any.
    let code = |row: RowId| fails_gpu(row).then(|| GpuCode::of(&index.variants_of(row))).flatten();
    let mut rows: Vec<(Nearness, RowId)> = Vec::new();
    for (package, _) in index.dictionary(Facet::Package).iter() {
        for row in index.rows_of(package) {
            let fails = filter.row(index, package, row);
            if fails.0 & never.0 == 0 {
                let missed = asked.iter().filter(|(_, found)| found.count(index, row) == 0).count();
                // Where a build must have all of some values, it fails once for each that it lacks.
                let more: usize = (Facet::ALL.into_iter())
                    .filter(|facet| fails.0 & Fails::of(*facet).0 != 0)
                    .map(|facet| lacking(index, question, row, facet).len().saturating_sub(1))
                    .sum();
                let missed = fails.0.count_ones() as usize
                    + more
                    + usize::from(fails_both_sides(index, question, row))
                    + missed
                    + usize::from(unknown.is_some())
                    + usize::from(fails_runs(row))
                    + usize::from(fails_gpu(row));
                let distance = distances[index.value(row, Facet::Target).at()];
                let runs_not = has_machine && works(row) == Some(Runs::No);
                // Builds for another kind of machine come last.
                let is_foreign = question.host.as_ref().filter(|_| runs_not);
                let is_foreign =
                    is_foreign.map(|host| foreign(index, (host.platform(), host.target()), row));
                let runs = matches!(distance, Distance::Runs(_)) && !runs_not;
                let is_other = (is_other_platform(row), distance == Distance::Foreign);
                let is_other_os = question
                    .host
                    .as_ref()
                    .is_some_and(|host| runs_not && index.text(row, Facet::Os) != host.os());
                let lacks_code = fails_gpu(row) && code(row).is_none();
                let lacks = (missed, lacks_code, lacking_variants(index, question, row));
                let is_branch = prefers_releases && is_development(index.text(row, Facet::Version));
                let other_os = (is_other_os, libcs[index.value(row, Facet::Os).at()]);
                let nearness =
                    ((!runs, is_foreign, is_other), lacks, other_os, distance, is_branch);
                rows.push((nearness, row));
            }
        }
    }
    let near = nearest_first(rows)
        .into_iter()
        .filter(|((_, (missed, ..), ..), _)| *missed > 0)
        .take(count);
    let near = near.filter_map(|(_, row)| {
        let fails = filter.row(index, index.package_of(row), row);
        let missed = asked.iter().filter(|(_, found)| found.count(index, row) == 0);
        let mut differs: Vec<(String, String)> = missed
            .map(|(meaning, _)| match meaning.property.facet() {
                Some(facet) => {
                    (has(index, row, facet, meaning.value()), meaning.value().to_owned())
                }
                None => (String::new(), meaning.text.clone()),
            })
            .collect();
        if let Some(name) = unknown {
            differs.insert(0, (index.text(row, Facet::Package).to_owned(), name.to_owned()));
        }
        if fails_gpu(row) {
            let own = code(row).map_or_else(String::new, |code| code.to_string());
            differs
                .push((own, format!("code that is known to run on {}", question.gpus.join(", "))));
        }
        for facet in Facet::ALL {
            if fails.0 & Fails::of(facet).0 != 0 {
                differs.extend(differences(index, question, row, facet));
            }
        }
        let build = index.builds_of(row).min_by_key(|&build| question.judged.of(build))?;
        Some(Near { build, differs })
    });
    near.collect()
}

/// The sort key of builds, nearest first:
///
/// 1. whether they fail to run on the requested target or machine; if so, whether they are for another platform or
///    family of targets than the machine's; and whether their platform, or the family of their target, is another than
///    requested;
/// 2. how many filters they fail, whether they lack any code for GPUs although a GPU was asked for, and of how many of the
///    requested variants they have no value;
/// 3. whether they do not run on the machine and are for another OS than its own; and whether the requested OS has their libc;
/// 4. how far their target is from the requested one;
/// 5. whether they are of a branch although none was asked for.
type Nearness = (
    (bool, Option<(bool, bool)>, (bool, bool)),
    (usize, bool, usize),
    (bool, LibcFit),
    Distance,
    bool,
);

/// Returns `true` if a row is neither in the requested releases nor in the requested stacks, which are one filter.
fn fails_both_sides(index: &Index, question: &Question, row: RowId) -> bool {
    [Facet::Release, Facet::Stack].into_iter().all(|side| {
        let own = index.values(row, side);
        let included = question.choice(side).included();
        let is_there = |value: &String| {
            index.dictionary(side).code(value).is_some_and(|code| own.contains(&code))
        };
        !included.is_empty() && !included.iter().any(is_there)
    })
}

/// Returns the platform of an operating system.
fn platform_of(os: &str) -> &'static str {
    match os {
        os if os.starts_with("windows") => "windows",
        os if version_of_macos(os).is_some() => "darwin",
        _ => "linux",
    }
}

/// How the libc that a distribution ships compares with that of the requested one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LibcFit {
    /// It is the same.
    Same,
    /// The requested one is newer, and has what the older one has.
    Newer,
    Unknown,
    /// The requested one is older, and may lack something.
    Older,
}

/// Returns for each operating system of the index how its libc fits the requested ones. Without a request, each fits.
fn libc_fits(index: &Index, asked: &[&str]) -> Vec<LibcFit> {
    let libc = |os: &str| {
        let (name, version) = libc_of_distribution(os)?.split_once('@')?;
        Some((name, version.parse::<Version>().ok()?))
    };
    let of_asked: Vec<(&str, Version)> = asked.iter().filter_map(|os| libc(os)).collect();
    let fit = |os: &String| {
        if asked.is_empty() || asked.contains(&os.as_str()) {
            return LibcFit::Same;
        }
        let Some((name, version)) = libc(os).filter(|_| !of_asked.is_empty()) else {
            return LibcFit::Unknown;
        };
        let has = of_asked.iter().filter(|(other, _)| *other == name);
        let fit = has.map(|(_, newest)| match newest.cmp(&version) {
            Ordering::Equal => LibcFit::Same,
            Ordering::Greater => LibcFit::Newer,
            Ordering::Less => LibcFit::Older,
        });
        fit.min().unwrap_or(LibcFit::Older)
    };
    index.dictionary(Facet::Os).values().iter().map(fit).collect()
}

/// Returns how many of the chosen variants a row does not have at all: having another value is nearer.
fn lacking_variants(index: &Index, question: &Question, row: RowId) -> usize {
    let chosen = question.choice(Facet::Variant).included();
    if chosen.is_empty() {
        return 0;
    }
    let own: Vec<&str> = index
        .values(row, Facet::Variant)
        .into_iter()
        .map(|code| variant_name(index.dictionary(Facet::Variant).text(code)))
        .collect();
    chosen.iter().filter(|value| !own.contains(&variant_name(value))).count()
}

/// How far a target is from the nearest of those that were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    /// What is built for it runs there. It is this many generations older.
    Runs(usize),
    /// It does not, but is of the same family. It is this many generations away.
    Related(usize),
    /// It is of another family, or unknown.
    Foreign,
}

/// Returns the target of a name, or the one at the upper end of a range, or else at its lower end.
fn ends_at(asked: &str) -> Option<Target> {
    let (low, high) = asked.split_once(':').unwrap_or((asked, ""));
    Target::named(high).or_else(|| Target::named(low))
}

/// Returns how far each target of the index is from the nearest requested one. Without a request, each is equally near.
fn distances(index: &Index, asked: &[Target]) -> Vec<Distance> {
    let generation = |target: Target| target.ancestors().count();
    let distance = |name: &String| match (asked, Target::named(name)) {
        ([], _) => Distance::Runs(0),
        (_, None) => Distance::Foreign,
        (asked, Some(own)) => {
            let from = |&target: &Target| {
                let generations = generation(target).abs_diff(generation(own));
                match (target.runs(own), target.family() == own.family()) {
                    (true, _) => Distance::Runs(generations),
                    (false, true) => Distance::Related(generations),
                    (false, false) => Distance::Foreign,
                }
            };
            asked.iter().map(from).min().unwrap_or(Distance::Foreign)
        }
    };
    index.dictionary(Facet::Target).values().iter().map(distance).collect()
}

/// Returns the chosen values that a row lacks, if a build must have all of them; none if any of them is enough.
fn lacking<'q>(index: &Index, question: &'q Question, row: RowId, facet: Facet) -> Vec<&'q str> {
    let choice = question.choice(facet);
    let asked = choice.included().iter().filter(|_| choice.matching() == Match::All);
    let own = index.values(row, facet);
    let has = |value: &&String| {
        let code = index.dictionary(facet).code(value);
        code.is_some_and(|code| own.contains(&code))
    };
    asked.filter(|value| !has(value)).map(String::as_str).collect()
}

/// Returns what a row has in a facet, and what is chosen there instead.
fn differences(
    index: &Index,
    question: &Question,
    row: RowId,
    facet: Facet,
) -> Vec<(String, String)> {
    let choice = question.choice(facet);
    let own: Vec<&str> = index
        .values(row, facet)
        .into_iter()
        .map(|code| index.dictionary(facet).text(code))
        .collect();
    let lacks = |value: &&String| !own.contains(&value.as_str());
    let mut differs: Vec<(String, String)> = match facet {
        // A build has many variants; compare only the chosen one.
        Facet::Variant => {
            let lacking = choice.included().iter().filter(lacks);
            lacking.map(|value| (has(index, row, facet, value), value.clone())).collect()
        }
        _ if choice.matching() == Match::All => {
            let lacking = lacking(index, question, row, facet);
            let own = || has(index, row, facet, "");
            (!lacking.is_empty()).then(|| (own(), lacking.join(" and "))).into_iter().collect()
        }
        _ if choice.included().iter().all(|value| lacks(&value))
            && !choice.included().is_empty() =>
        {
            vec![(has(index, row, facet, ""), choice.included().join(" or "))]
        }
        _ => Vec::new(),
    };
    let excluded = choice.excluded().iter().filter(|value| !lacks(value));
    differs.extend(excluded.map(|value| (value.clone(), format!("not {value}"))));
    differs
}

/// Returns the values of a row in a facet; for variants, only those of the variant in `asked`.
fn has(index: &Index, row: RowId, facet: Facet, asked: &str) -> String {
    let texts = index.values(row, facet).into_iter().map(|code| index.dictionary(facet).text(code));
    let is_meant =
        |text: &&str| facet != Facet::Variant || variant_name(text) == variant_name(asked);
    let texts: Vec<&str> = texts.filter(is_meant).collect();
    match texts.is_empty() {
        true => String::new(),
        false => texts.join(", "),
    }
}
