//! Comparing two sides: by hash first, and then by likeness, within the packages that builds came to or went from.
//!
//! To compare the same indexes again, each time narrowed to other builds, keep the [`Comparer`]: after the first
//! comparison, it has looked at most of them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use cache_index::build::{BinaryDigest, Hash};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Identity, Index, RowId, ValueCode};
use cache_index::sorting;
use cache_query::Class;
use foldhash::{HashMap, HashMapExt};

use super::classes::class_of_coded;
use super::moved::moved;
use super::pairs::{Lone, paired};
use super::{Alone, Changes, Overwritten, PackageChange, Pair, Side};
use crate::differences::likeness::{Codebook, Coded, Coding};

impl Changes {
    /// Compares two sides.
    ///
    /// The time is proportional to the builds on both sides, and for each build that came or went, to the rows of its
    /// package, or to its possible pairs within its operating system and target.
    pub fn between(old: &Side<'_>, new: &Side<'_>) -> Changes {
        Comparer::default().between(old, new)
    }
}

/// Compares sides, and keeps what it learns about their indexes for the next comparison of the same ones.
#[derive(Clone, Debug, Default)]
pub struct Comparer {
    book: Codebook,
    /// The codings of the indexes that were compared last.
    codings: Vec<(Identity, Coding)>,
}

impl Comparer {
    /// Compares two sides, as [`Changes::between`] does.
    pub fn between(&mut self, old: &Side<'_>, new: &Side<'_>) -> Changes {
        let ComparedBuilds { went, came, stayed } = ComparedBuilds::of(old, new);
        let hashes = |side: &Side<'_>, builds: &[BuildId]| {
            let mut hashes = builds.iter().filter_map(|&build| side.index().hash(build)).collect();
            sorting::sort(&mut hashes);
            hashes
        };
        let mut packages: BTreeMap<&str, [&[BuildId]; 2]> = BTreeMap::new();
        for (at, side, builds) in [(0, old, &went), (1, new, &came)] {
            for (package, builds) in by_package(side.index(), builds) {
                packages.entry(package).or_default()[at] = builds;
            }
        }
        let codings = self.keep([old, new].map(|side| side.index().identity()));
        let packages = packages.into_iter().map(|(package, [went, came])| {
            let code = new.index().dictionary(Facet::Package).code(package);
            let stayed =
                code.map_or(&[][..], |code| of_package(new.index(), code, &stayed, |b| *b));
            self.change(package, codings, (old, went), (new, came), stayed.len())
        });
        Changes {
            packages: packages.collect(),
            overwritten: overwritten(old.index(), new.index(), &stayed),
            moved: moved(old, new, &stayed),
            stayed: stayed.len(),
            came: hashes(new, &came),
            went: hashes(old, &went),
        }
    }

    /// Returns the position of the coding of each index, and forgets the codings of other indexes. If both are the same
    /// index, the positions are equal.
    fn keep(&mut self, indexes: [&Identity; 2]) -> [usize; 2] {
        self.codings.retain(|(index, _)| indexes.contains(&index));
        if self.codings.is_empty() {
            self.book = Codebook::default();
        }
        indexes.map(|index| {
            let place = self.codings.iter().position(|(other, _)| other == index);
            place.unwrap_or_else(|| {
                self.codings.push((index.clone(), Coding::default()));
                self.codings.len() - 1
            })
        })
    }
}

/// Returns the builds of the new side whose binary differs from that on the old one.
fn overwritten(old: &Index, new: &Index, stayed: &[BuildId]) -> Vec<Overwritten> {
    if !old.has_digests() || !new.has_digests() {
        return Vec::new();
    }
    let known =
        stayed.iter().filter_map(|&build| Some((build, new.hash(build)?, new.digest(build)?)));
    let is_other = |&(_, hash, digest): &(BuildId, Hash, BinaryDigest)| {
        let before = old.find(hash).and_then(|build| old.digest(build));
        before.is_some_and(|before| before != digest)
    };
    let others = known.filter(is_other);
    let mut others: Vec<_> = others.filter_map(|(build, ..)| Overwritten::of(new, build)).collect();
    sorting::sort(&mut others);
    others
}

/// The builds of two sides, by the sides that have them, each list ascending.
struct ComparedBuilds {
    /// Builds that only the old side has.
    went: Vec<BuildId>,
    /// Builds that only the new side has.
    came: Vec<BuildId>,
    /// Builds that both sides have, as builds of the new one.
    stayed: Vec<BuildId>,
}

type Hashed<'i> = (&'i Hash, BuildId);

/// The maximum number of builds that are skipped on one side to find where both continue with the same builds.
const AHEAD: usize = 8;

impl ComparedBuilds {
    /// Matches the builds of two sides by their hashes; finds none until the hashes have been loaded.
    ///
    /// The builds of a package are in nearly the same order in both indexes, so the two are walked side by side, and only
    /// what this leaves is looked up.
    fn of(old: &Side<'_>, new: &Side<'_>) -> ComparedBuilds {
        let (before, after) = (with_hashes(old), with_hashes(new));
        let packages = new.index().dictionary(Facet::Package);
        let mut left = [Vec::new(), Vec::new()];
        let mut stayed = Vec::new();
        let mut is_on_both = vec![false; packages.len()];
        for (code, name) in old.index().dictionary(Facet::Package).iter() {
            let one = of_package(old.index(), code, &before, |(_, build)| *build);
            match packages.code(name) {
                Some(code) => {
                    is_on_both[code.at()] = true;
                    let other = of_package(new.index(), code, &after, |(_, build)| *build);
                    walk(one, other, &mut left, &mut stayed);
                }
                None => left[0].extend(one),
            }
        }
        for (code, _) in packages.iter().filter(|(code, _)| !is_on_both[code.at()]) {
            left[1].extend(of_package(new.index(), code, &after, |(_, build)| *build));
        }
        look_up(left, stayed)
    }
}

fn with_hashes<'i>(side: &Side<'i>) -> Vec<Hashed<'i>> {
    let hashes = side.index().hashes();
    let mut builds = side.builds();
    builds.retain(|build| build.at() < hashes.len());
    builds.into_iter().map(|build| (&hashes[build.at()], build)).collect()
}

/// Adds the builds of a package that both sides have to `stayed`, and the others to what is `left` of each.
fn walk<'i>(
    one: &[Hashed<'i>],
    other: &[Hashed<'i>],
    left: &mut [Vec<Hashed<'i>>; 2],
    stayed: &mut Vec<BuildId>,
) {
    let (mut at, mut beside) = (0, 0);
    while at < one.len() && beside < other.len() {
        if one[at].0 == other[beside].0 {
            stayed.push(other[beside].1);
            (at, beside) = (at + 1, beside + 1);
            continue;
        }
        let is_alike = |at: usize, beside: usize| {
            one.get(at).is_some_and(|one| other.get(beside).is_some_and(|other| one.0 == other.0))
        };
        let skipped = (1..=AHEAD).find_map(|skipped| {
            let ahead = [(skipped, 0), (0, skipped)];
            ahead.into_iter().find(|(old, new)| is_alike(at + old, beside + new))
        });
        let (old, new) = skipped.unwrap_or((1, 1));
        left[0].extend(&one[at..at + old]);
        left[1].extend(&other[beside..beside + new]);
        (at, beside) = (at + old, beside + new);
    }
    left[0].extend(&one[at..]);
    left[1].extend(&other[beside..]);
}

/// Matches the builds that are left of each side.
fn look_up([old, new]: [Vec<Hashed<'_>>; 2], mut stayed: Vec<BuildId>) -> ComparedBuilds {
    let mut place_of: HashMap<&Hash, usize> = HashMap::with_capacity(old.len());
    place_of.extend((0..).zip(&old).map(|(place, (hash, _))| (*hash, place)));
    let mut stays = vec![false; old.len()];
    let mut came = Vec::new();
    for (hash, build) in new {
        match place_of.get(hash) {
            Some(&place) => {
                stays[place] = true;
                stayed.push(build);
            }
            None => came.push(build),
        }
    }
    let went = old.into_iter().zip(stays).filter(|(_, stays)| !stays);
    let mut went: Vec<BuildId> = went.map(|((_, build), _)| build).collect();
    // Nearly all are in order already, which the stable sort makes use of.
    for builds in [&mut went, &mut came, &mut stayed] {
        builds.sort();
    }
    ComparedBuilds { went, came, stayed }
}

/// Divides ascending builds by package.
fn by_package<'i, 'b>(
    index: &'i Index,
    mut builds: &'b [BuildId],
) -> impl Iterator<Item = (&'i str, &'b [BuildId])> {
    std::iter::from_fn(move || {
        let package = index.package_of(index.row_of(*builds.first()?));
        let end = index.columns().build_start[index.row_range(package.at()).end as usize];
        let (these, others) = builds.split_at(builds.partition_point(|build| build.0 < end));
        builds = others;
        Some((index.dictionary(Facet::Package).text(package), these))
    })
}

/// Returns the things that belong to builds of a package, from things that are sorted by build.
fn of_package<'b, T>(
    index: &Index,
    code: ValueCode,
    things: &'b [T],
    build: impl Fn(&T) -> BuildId,
) -> &'b [T] {
    let rows = index.row_range(code.at());
    let before = |row: u32| {
        let first = index.columns().build_start[row as usize];
        things.partition_point(|thing| build(thing).0 < first)
    };
    &things[before(rows.start)..before(rows.end)]
}

/// A build that others are compared with, one of each row. The outline of most already differs in more than the nearest
/// one does, so only those that may be the nearest are compared in full.
struct Candidate {
    row: RowId,
    build: BuildId,
    outline: Coded,
    whole: Option<Coded>,
}

impl Comparer {
    /// Compares the builds of a package that went with those that came. `before` and `after` are the positions of the
    /// sides' codings.
    fn change(
        &mut self,
        package: &str,
        [before, after]: [usize; 2],
        (old, went): (&Side<'_>, &[BuildId]),
        (new, came): (&Side<'_>, &[BuildId]),
        stayed: usize,
    ) -> PackageChange {
        let Comparer { book, codings } = self;
        let (old_rows, new_rows) = (old.rows_of(package), new.rows_of(package));
        let lone_old = lone(book, &mut codings[before].1, old.index(), went);
        let lone_new = lone(book, &mut codings[after].1, new.index(), came);
        let pairs = paired(&lone_old, &lone_new);
        let unpaired = |builds: Vec<Lone<'_>>, of: fn(&Pair) -> Hash| {
            let mut paired: Vec<Hash> = pairs.iter().map(of).collect();
            paired.sort_unstable();
            let is_alone = |build: &Lone<'_>| paired.binary_search(&build.hash).is_err();
            let alone = builds.into_iter().filter(is_alone);
            alone.map(|build| (build.hash, build.coded)).collect::<Vec<_>>()
        };
        let went_alone = unpaired(lone_old, |pair| pair.old);
        let came_alone = unpaired(lone_new, |pair| pair.new);
        PackageChange {
            package: package.to_owned(),
            before: old.versions(&old_rows),
            after: new.versions(&new_rows),
            came: came.len(),
            went: went.len(),
            stayed,
            class: Class::DependenciesOnly,
            went_alone: alone(book, &mut codings[after].1, new.index(), &new_rows, went_alone),
            came_alone: alone(book, &mut codings[before].1, old.index(), &old_rows, came_alone),
            pairs,
        }
        .classified()
    }
}

fn lone<'i>(
    book: &mut Codebook,
    coding: &mut Coding,
    index: &'i Index,
    builds: &[BuildId],
) -> Vec<Lone<'i>> {
    let rows = index.row_by_build();
    let mut code = |&build: &BuildId| {
        let row = RowId(rows[build.at()]);
        let decided = coding.row(book, index, row);
        let outline = coding.outline(book, index, decided, build);
        let coded = coding.whole(book, index, outline, row, build);
        let machine = [Facet::Os, Facet::Target].map(|facet| index.text(row, facet));
        Some(Lone { hash: index.hash(build)?, machine, coded })
    };
    builds.iter().filter_map(&mut code).collect()
}

/// Finds the class of each build that is in no pair, from its smallest difference to a build of the other side, whose
/// rows of the package are given. One build of each row is compared.
fn alone(
    book: &mut Codebook,
    coding: &mut Coding,
    index: &Index,
    rows: &[RowId],
    builds: Vec<(Hash, Coded)>,
) -> Vec<Alone> {
    if builds.is_empty() {
        return Vec::new();
    }
    let candidate = |&row: &RowId| {
        let build = index.builds_of(row).next()?;
        let decided = coding.row(book, index, row);
        let outline = coding.outline(book, index, decided, build);
        Some(Candidate { row, build, outline, whole: None })
    };
    let mut candidates: Vec<Candidate> = rows.iter().filter_map(candidate).collect();
    let mut at_least = vec![0; candidates.len()];
    let mut class = |own: &Coded| {
        let outlines = candidates.iter().map(|candidate| candidate.outline);
        for (at_least, outline) in at_least.iter_mut().zip(outlines) {
            *at_least = own.differences(&outline).count();
        }
        let (first, last) = (at_least.iter().min()?, at_least.iter().max()?);
        let mut least: Option<(u32, Reverse<Class>)> = None;
        for level in *first..=*last {
            if least.is_some_and(|(fewest, _)| fewest < level) {
                break;
            }
            let may_be = candidates.iter_mut().zip(&at_least).filter(|(_, at)| **at == level);
            for (Candidate { row, build, outline, whole }, _) in may_be {
                let whole =
                    whole.get_or_insert_with(|| coding.whole(book, index, *outline, *row, *build));
                let differs = own.differences(whole);
                if least.is_none_or(|(fewest, _)| differs.count() <= fewest) {
                    let this = (differs.count(), Reverse(class_of_coded(differs)));
                    least = Some(least.map_or(this, |least| least.min(this)));
                }
            }
        }
        least.map(|(_, Reverse(class))| class)
    };
    let alone = builds.into_iter().map(|(hash, coded)| Alone { hash, class: class(&coded) });
    alone.collect()
}
