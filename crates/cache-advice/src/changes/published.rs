//! The changes since an earlier publication: making the part of the index that has them, and reading it.

use std::collections::BTreeMap;

use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Earlier, Index, RowId, SharedTexts};
use cache_index::{order, sorting};
use cache_query::Class;
use foldhash::{HashSet, HashSetExt as _};

use super::classes::class_of;
use super::{Alone, Changes, Overwritten, PackageChange, Pair, Side};
use crate::differences::{Aspect, from_keys, to_keys};

/// Adds to an index what changed since an earlier publication of the same cache, and when each of its builds first
/// appeared, which the earlier publication may know. Returns the changes between the two.
///
/// If nothing changed, the index keeps what the earlier publication says of the one before it, so that publishing the
/// same builds again does not hide what is new.
///
/// A build that both have keeps the publication in which it first appeared. If the earlier one does not know that,
/// neither does this one: the build may be older than both. A build that comes back after it was gone counts as new.
pub fn publish(index: &mut Index, earlier: &Index) -> Changes {
    let changes = Changes::between(&Side::all(earlier), &Side::all(index));
    let part = match (changes.is_empty(), earlier.earlier()) {
        (true, None) => None,
        (true, Some(before)) => {
            let before_that = Changes::published(earlier, before);
            Some(pack(before.summary().made, &before_that, before.went(), index))
        }
        (false, _) => Some(pack(earlier.about().made.clone(), &changes, earlier, index)),
    };
    let first_seen = first_seen(index, earlier);
    index.publish(part, first_seen);
    changes
}

/// Makes the part of the index that has the changes. The builds that went are taken from `old`.
fn pack(made: Option<String>, changes: &Changes, old: &Index, new: &Index) -> Earlier {
    let ascending = |index: &Index, hashes: &[Hash]| {
        let mut builds: Vec<BuildId> = index.find_all(hashes).into_iter().flatten().collect();
        builds.sort_unstable();
        builds
    };
    let (went, came) = (ascending(old, &changes.went), ascending(new, &changes.came));
    let by_hash = |index: &Index, builds: &[BuildId]| -> BTreeMap<Hash, u32> {
        (0..).zip(builds).filter_map(|(at, &build)| Some((index.hash(build)?, at))).collect()
    };
    let (old_at, new_at) = (by_hash(old, &went), by_hash(new, &came));
    let mut replaced_by = vec![None; went.len()];
    let mut differs = vec![None; went.len()];
    let mut class_of_old = vec![None; went.len()];
    let mut class_of_new = vec![None; came.len()];
    let mut is_paired = vec![false; came.len()];
    for change in &changes.packages {
        for pair in &change.pairs {
            if let (Some(&old), Some(&new)) = (old_at.get(&pair.old), new_at.get(&pair.new)) {
                replaced_by[old as usize] = Some(new);
                differs[old as usize] = Some(to_keys(&pair.differs));
                is_paired[new as usize] = true;
            }
        }
        let place = |classes: &mut Vec<Option<Class>>, alone: &Alone, at: &BTreeMap<Hash, u32>| {
            at.get(&alone.hash).into_iter().for_each(|&at| classes[at as usize] = alone.class);
        };
        change.went_alone.iter().for_each(|alone| place(&mut class_of_old, alone, &old_at));
        change.came_alone.iter().for_each(|alone| place(&mut class_of_new, alone, &new_at));
    }
    let old_alone = class_of_old.iter().zip(&replaced_by).filter(|(_, new)| new.is_none());
    let new_alone = class_of_new.iter().zip(&is_paired).filter(|(_, paired)| !**paired);
    let classes = old_alone.map(|(class, _)| class).chain(new_alone.map(|(class, _)| class));
    let classes = classes.map(|class| class.map(|class: Class| class.key().to_owned()));
    Earlier {
        made,
        came,
        went: Box::new(old.only(&went)),
        differs: SharedTexts::of_texts(differs.into_iter().filter(Option::is_some)),
        alone: SharedTexts::of_texts(classes),
        replaced_by,
        overwritten: {
            let hashes: Vec<Hash> = changes.overwritten.iter().map(|one| one.hash).collect();
            ascending(new, &hashes)
        },
        moved: changes.moved.clone(),
    }
}

/// Returns for each build of an index the date of the publication in which it first appeared.
fn first_seen(index: &Index, earlier: &Index) -> SharedTexts {
    let made = index.about().made.as_deref();
    let hashes: Vec<Hash> =
        (0..index.specs()).filter_map(|build| index.hash(BuildId(build))).collect();
    let builds = (0..).map(BuildId).zip(earlier.find_all(&hashes));
    let texts = builds.map(|(build, before)| match before {
        Some(before) if earlier.has_binary(earlier.row_of(before)) => earlier.first_seen(before),
        // An index that was packed from other indexes may know it already.
        _ if index.has_binary(index.row_of(build)) => index.first_seen(build).or(made),
        _ => None,
    });
    let shared = SharedTexts::of_texts(texts.map(|text| text.map(str::to_owned)));
    // If no build has a known first publication, nothing is stored.
    if shared.texts.iter().any(Option::is_some) { shared } else { SharedTexts::default() }
}

impl Changes {
    /// Returns all changes since an earlier publication.
    pub fn published(index: &Index, earlier: &Earlier) -> Changes {
        let went = earlier.went().builds_with_binary();
        let changes = Changes::published_among(index, earlier, index.builds_with_binary(), went);
        Changes { moved: earlier.moved.clone(), ..changes }
    }

    /// Returns the changes since an earlier publication among some builds, such as those that match a query: `new` are
    /// builds of the index, and `went` are builds that went, both ascending. Which builds moved is not known.
    pub fn published_among(
        index: &Index,
        earlier: &Earlier,
        new: impl IntoIterator<Item = BuildId>,
        went: impl IntoIterator<Item = BuildId>,
    ) -> Changes {
        let old = earlier.went();
        let rows = index.row_by_build();
        let mut by_package = vec![Narrowed::default(); index.dictionary(Facet::Package).len()];
        let mut came = (0..).zip(&earlier.came).peekable();
        let mut changes = Changes::default();
        let mut overwritten = earlier.overwritten.iter().peekable();
        for build in new {
            let row = RowId(rows[build.at()]);
            let package = &mut by_package[index.package_of(row).at()];
            let version = index.text(row, Facet::Version);
            while came.next_if(|(_, other)| **other < build).is_some() {}
            match came.next_if(|(_, other)| **other == build) {
                Some((at, _)) => package.came.push(at),
                None => {
                    changes.stayed += 1;
                    while overwritten.next_if(|other| **other < build).is_some() {}
                    if overwritten.next_if(|other| **other == build).is_some() {
                        changes.overwritten.extend(Overwritten::of(index, build));
                    }
                    package.stayed += 1;
                    push_version(&mut package.before, version);
                }
            }
            push_version(&mut package.after, version);
        }
        let names = index.dictionary(Facet::Package).iter().map(|(_, name)| name);
        let mut packages: BTreeMap<&str, Narrowed<'_>> = names.zip(by_package).collect();
        for build in went {
            let row = old.row_of(build);
            let package = packages.entry(old.text(row, Facet::Package)).or_default();
            package.went.push(build.0);
            push_version(&mut package.before, old.text(row, Facet::Version));
        }
        let reader = Reader::new(index, earlier);
        let hash = |index: &Index, build| index.hash(build);
        for (name, mut narrowed) in packages {
            if narrowed.came.is_empty() && narrowed.went.is_empty() {
                continue;
            }
            // Some builds of a version may have stayed while others went.
            let mut met = HashSet::new();
            narrowed.before.retain(|version| met.insert(*version));
            let went = narrowed.went.iter().filter_map(|&at| hash(old, BuildId(at)));
            let came =
                narrowed.came.iter().filter_map(|&at| hash(index, earlier.came[at as usize]));
            changes.went.extend(went);
            changes.came.extend(came);
            changes.packages.push(reader.change(name, narrowed));
        }
        sorting::sort(&mut changes.went);
        sorting::sort(&mut changes.came);
        sorting::sort(&mut changes.overwritten);
        changes
    }
}

/// Adds the version of a build, unless that of the one before is the same: the builds of a package are sorted by version.
fn push_version<'i>(versions: &mut Vec<&'i str>, version: &'i str) {
    if versions.last() != Some(&version) {
        versions.push(version);
    }
}

/// The builds of a package among which changes are looked for.
#[derive(Clone, Default)]
struct Narrowed<'i> {
    before: Vec<&'i str>,
    after: Vec<&'i str>,
    /// Positions in [`Earlier::came`].
    came: Vec<u32>,
    /// Builds of [`Earlier::went`].
    went: Vec<u32>,
    stayed: usize,
}

/// What the part says of each build, by its position.
struct Reader<'i> {
    index: &'i Index,
    earlier: &'i Earlier,
    /// By build that went: the aspects in which it differs from the one that replaced it; empty if none did.
    differs: Vec<Vec<Aspect>>,
    /// By build that came: the one that it replaced.
    replaces: Vec<Option<u32>>,
    /// The classes of builds that are in no pair.
    class_of_old: Vec<Option<Class>>,
    class_of_new: Vec<Option<Class>>,
}

impl<'i> Reader<'i> {
    fn new(index: &'i Index, earlier: &'i Earlier) -> Reader<'i> {
        let mut replaces = vec![None; earlier.came.len()];
        let mut differs = Vec::with_capacity(earlier.replaced_by.len());
        let mut pairs = 0;
        for (old, new) in (0..).zip(&earlier.replaced_by) {
            differs.push(match new {
                None => Vec::new(),
                Some(new) => {
                    replaces[*new as usize] = Some(old);
                    pairs += 1;
                    let keys = earlier.differs.get(pairs - 1).unwrap_or_default();
                    from_keys(keys).unwrap_or_default()
                }
            });
        }
        let mut in_no_pair = 0;
        let mut class = |is_paired: bool| {
            if is_paired {
                return None;
            }
            in_no_pair += 1;
            earlier.alone.get(in_no_pair - 1).and_then(Class::from_key)
        };
        let class_of_old = earlier.replaced_by.iter().map(|new| class(new.is_some())).collect();
        let class_of_new = replaces.iter().map(|old| class(old.is_some())).collect();
        Reader { index, earlier, differs, replaces, class_of_old, class_of_new }
    }

    fn change(&self, package: &str, narrowed: Narrowed<'_>) -> PackageChange {
        let Narrowed { before, after, came, went, stayed } = narrowed;
        let Earlier { replaced_by, came: builds, .. } = self.earlier;
        let old_hash = |old: u32| self.earlier.went().hash(BuildId(old));
        let new_hash = |new: u32| self.index.hash(builds[new as usize]);
        let mut pairs = Vec::new();
        let mut went_alone = Vec::new();
        for &old in &went {
            let Some(hash) = old_hash(old) else { continue };
            let differs = &self.differs[old as usize];
            match replaced_by[old as usize] {
                None => went_alone.push(Alone { hash, class: self.class_of_old[old as usize] }),
                Some(new) => {
                    let class = class_of(differs);
                    match new_hash(new).filter(|_| came.binary_search(&new).is_ok()) {
                        Some(new) => {
                            pairs.push(Pair { old: hash, new, differs: differs.clone(), class });
                        }
                        // The build that replaced it is not among the builds to compare.
                        None => went_alone.push(Alone { hash, class: Some(class) }),
                    }
                }
            }
        }
        let mut came_alone = Vec::new();
        for &new in &came {
            let class = match self.replaces[new as usize] {
                Some(old) if went.binary_search(&old).is_ok() => continue,
                Some(old) => Some(class_of(&self.differs[old as usize])),
                None => self.class_of_new[new as usize],
            };
            came_alone.extend(new_hash(new).map(|hash| Alone { hash, class }));
        }
        PackageChange {
            package: package.to_owned(),
            before: newest_first(before),
            after: after.into_iter().map(str::to_owned).collect(),
            came: came.len(),
            went: went.len(),
            stayed,
            class: Class::DependenciesOnly,
            pairs,
            went_alone,
            came_alone,
        }
        .classified()
    }
}

fn newest_first(versions: Vec<&str>) -> Vec<String> {
    let versions: Vec<String> = versions.into_iter().map(str::to_owned).collect();
    let order = order::sorted(Facet::Version, &versions);
    order.into_iter().map(|at| versions[at as usize].clone()).collect()
}
