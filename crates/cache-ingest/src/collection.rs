//! Builds from many inputs, merged by hash.
//!
//! A build is often listed many times: in several stacks and releases, on pages of several days, on a page and in a
//! database file. A [`Collection`] keeps it once, with all its places, and with everything that any of the inputs says
//! about it. If two inputs contradict each other, one of them is damaged: that is a [`Conflict`], which names both.
//! Invisible characters are written as escapes.
//!
//! It keeps builds as the numbers of a [`Packer`]: whether two builds with one hash agree is then mostly a comparison of
//! six numbers, and what readers on several threads have read is not copied as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use foldhash::HashMap;

use super::agreement::{Difference, difference, has_detail, unite};
use super::builds_by_thread::ThreadBuild;
use super::database::{Builds, CompilerLinks};
use super::problem::quote;
use super::visible::write_visibly;
use super::wanted_build::WantedBuild;
use cache_index::build::{Build, CompilerSource, Hash, Place};
use cache_index::index::{About, Index, PackError, Packer, Translation};
use cache_index::sorting;

/// Builds by hash, each with everything that the inputs say about it.
#[derive(Debug, Default)]
pub struct Collection {
    builds: Packer,
    entries: HashMap<Hash, Entry>,
    labels: Vec<String>,
    /// Hashes about which two inputs contradict each other.
    disputed: BTreeSet<Hash>,
    /// `true` if the packer also has builds, or values of builds, that are no longer in the collection.
    has_leftovers: bool,
}

#[derive(Debug)]
struct Entry {
    /// The build's number in the packer.
    number: usize,
    /// The input that listed it first, as an index into `labels`.
    input: u32,
    /// The first input with the details that only database files contain.
    detail_input: u32,
}

/// An input whose builds are in a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputId(u32);

/// One hash with two different contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The hash.
    pub hash: Hash,
    /// The first field that differs, by its name in [`Build`].
    pub field: &'static str,
    /// The label of the input that listed the build first, and what it says.
    pub first: (String, String),
    /// The label of the input that disagrees, and what it says.
    pub second: (String, String),
}

impl Collection {
    /// Adds the builds of one input, except those that contradict an earlier input, which are returned.
    pub fn add(
        &mut self,
        label: &str,
        builds: impl IntoIterator<Item = Build>,
    ) -> Result<(), Vec<Conflict>> {
        let input = self.begin(label);
        let conflicts = self.extend(input, builds);
        if conflicts.is_empty() { Ok(()) } else { Err(conflicts) }
    }

    /// Starts an input, whose builds are added piece by piece.
    pub fn begin(&mut self, label: &str) -> InputId {
        self.labels.push(label.to_string());
        InputId(self.labels.len() as u32 - 1)
    }

    /// Adds builds of an input, and returns those that contradict earlier ones.
    pub fn extend(
        &mut self,
        input: InputId,
        builds: impl IntoIterator<Item = Build>,
    ) -> Vec<Conflict> {
        let mut conflicts = Vec::new();
        for mut build in builds {
            write_visibly(&mut build);
            self.builds.push(&build);
            conflicts.extend(self.settle(input));
        }
        conflicts
    }

    /// Adds a build of an input from a packer; its texts must have visible characters only. Returns how it contradicts
    /// an earlier build.
    pub(crate) fn take(
        &mut self,
        input: InputId,
        from: &Packer,
        build: usize,
        translation: &mut Translation,
    ) -> Option<Conflict> {
        self.builds.take(from, build, translation);
        self.settle(input)
    }

    /// Adds the builds of a database, with visible characters only. Returns those that contradict earlier ones.
    pub(crate) fn take_database(&mut self, input: InputId, database: Builds) -> Vec<Conflict> {
        let Builds { mut packers, order, has_leftovers } = database;
        let mut kept = None;
        if self.builds.is_empty()
            && let Some(most) = (0..packers.len()).max_by_key(|&thread| packers[thread].len())
        {
            // There is nothing to merge yet, so the largest packer is taken over.
            self.builds = std::mem::take(&mut packers[most]);
            kept = Some(most);
            let InputId(input) = input;
            for it in order.iter().filter(|it| it.thread == most) {
                let entry = Entry { number: it.build, input, detail_input: input };
                self.entries.insert(self.builds.hash(it.build), entry);
            }
            self.has_leftovers |= has_leftovers || self.entries.len() < self.builds.len();
        }
        let mut translations: Vec<Translation> =
            packers.iter().map(|_| Translation::default()).collect();
        let others = order.into_iter().filter(|it| Some(it.thread) != kept);
        let take = |ThreadBuild { thread, build, .. }| {
            self.take(input, &packers[thread], build, &mut translations[thread])
        };
        others.filter_map(take).collect()
    }

    /// Merges the build that was added last with an earlier one that has the same hash.
    fn settle(&mut self, InputId(input): InputId) -> Option<Conflict> {
        let last = self.builds.len() - 1;
        let hash = self.builds.hash(last);
        let Some(entry) = self.entries.get_mut(&hash) else {
            self.entries.insert(hash, Entry { number: last, input, detail_input: input });
            return None;
        };
        self.has_leftovers = true;
        if self.builds.agree(entry.number, last) {
            self.builds.unite(entry.number, last);
            self.builds.pop();
            return None;
        }
        let (mut build, other) = (self.builds.build(entry.number), self.builds.build(last));
        self.builds.pop();
        let Some(difference) = difference(&build, &other) else {
            if !has_detail(&build) && has_detail(&other) {
                entry.detail_input = input;
            }
            unite(&mut build, other);
            self.builds.replace(entry.number, &build);
            return None;
        };
        let Difference { field, first, second, detail } = difference;
        let earlier = if detail { entry.detail_input } else { entry.input };
        self.disputed.insert(hash);
        let label = |input: u32| self.labels[input as usize].clone();
        Some(Conflict {
            hash,
            field,
            first: (label(earlier), first),
            second: (label(input), second),
        })
    }

    /// Sets the compiler of builds whose compiler is a dependency, once all inputs have been added. Returns the builds
    /// for which a page names another compiler.
    pub fn resolve_compilers(&mut self) -> Vec<Conflict> {
        let Collection { builds, entries, labels, disputed, .. } = self;
        let links = CompilerLinks::of(builds);
        let mut names: HashMap<u32, Option<String>> = HashMap::default();
        let mut conflicts = Vec::new();
        for (&hash, &Entry { number, input, detail_input }) in &*entries {
            if builds.compiler_source(number) != CompilerSource::Dependency {
                continue;
            }
            let Some(target) = links.target(builds, number) else { continue };
            let name = names.entry(target).or_insert_with(|| {
                let node = entries.get(&builds.target(target))?.number;
                Some(format!("{}@{}", builds.package(node), builds.version(node)))
            });
            let Some(name) = name else { continue };
            match builds.compiler(number) {
                None => builds.set_compiler(number, name),
                Some(known) if known == name => {}
                Some(known) => {
                    disputed.insert(hash);
                    let label = |input: u32| labels[input as usize].clone();
                    conflicts.push(Conflict {
                        hash,
                        field: "compiler",
                        first: (label(input), quote(known)),
                        second: (label(detail_input), quote(name)),
                    });
                }
            }
        }
        sorting::sort_by_key(&mut conflicts, |conflict| conflict.hash);
        conflicts
    }

    /// Removes damaged builds: the given ones, and all about which two inputs contradict each other. Returns how many
    /// were removed.
    ///
    /// Builds that depend on them are kept, and then depend on builds that no input lists.
    pub fn leave_out(&mut self, damaged: impl IntoIterator<Item = Hash>) -> usize {
        let before = self.len();
        let disputed = std::mem::take(&mut self.disputed);
        for hash in disputed.into_iter().chain(damaged) {
            self.entries.remove(&hash);
        }
        self.has_leftovers |= self.len() < before;
        before - self.len()
    }

    /// Returns the number of builds, with and without a binary.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if there are no builds.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns `true` if there is a build with a hash.
    pub fn contains(&self, hash: &Hash) -> bool {
        self.entries.contains_key(hash)
    }

    /// Returns `true` if there is a build with a hash, and it has a binary.
    pub(crate) fn has_binary(&self, hash: &Hash) -> bool {
        let entry = self.entries.get(hash);
        entry.is_some_and(|entry| !self.builds.places(entry.number).is_empty())
    }

    /// Returns `true` if there is a build with a hash, and it is in one of these places.
    pub(crate) fn is_at(&self, hash: &Hash, places: &[&Place]) -> bool {
        let entry = self.entries.get(hash);
        entry.is_some_and(|entry| self.is_number_at(entry.number, places))
    }

    fn is_number_at(&self, number: usize, places: &[&Place]) -> bool {
        self.builds.places(number).iter().any(|place| places.contains(&place))
    }

    /// Returns the builds in these places, with their packages.
    pub(crate) fn all_at(&self, places: &[&Place]) -> BTreeMap<Hash, String> {
        let here = self.entries.iter().filter(|(_, it)| self.is_number_at(it.number, places));
        here.map(|(hash, it)| (*hash, self.builds.package(it.number).to_owned())).collect()
    }

    /// Returns at most `many` builds in these places, without those in `except`.
    pub(crate) fn some_at(
        &self,
        places: &[&Place],
        except: &BTreeSet<Hash>,
        many: usize,
    ) -> Vec<WantedBuild> {
        let here = self
            .entries
            .iter()
            .filter(|(hash, it)| !except.contains(hash) && self.is_number_at(it.number, places));
        let wanted = here.map(|(_, it)| WantedBuild::of(&self.builds.build(it.number)));
        wanted.take(many).collect()
    }

    /// Changes a build, if there is one with this hash.
    pub(crate) fn edit(&mut self, hash: &Hash, change: impl FnOnce(&mut Build)) {
        let Some(entry) = self.entries.get(hash) else { return };
        let mut build = self.builds.build(entry.number);
        change(&mut build);
        self.builds.replace(entry.number, &build);
        self.has_leftovers = true;
    }

    /// Returns the build with a hash.
    pub fn get(&self, hash: &Hash) -> Option<Build> {
        Some(self.builds.build(self.entries.get(hash)?.number))
    }

    /// Returns the number of builds with a binary.
    pub fn binaries(&self) -> usize {
        let places = self.entries.values().map(|entry| self.builds.places(entry.number));
        places.filter(|places| !places.is_empty()).count()
    }

    /// Iterates over the places of all builds, in any order and with repetitions.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Place> {
        self.entries.values().flat_map(|entry| self.builds.places(entry.number).iter())
    }

    /// Returns the packer of all builds, and their numbers in the order of their hashes.
    pub(crate) fn numbers(&self) -> (&Packer, Vec<usize>) {
        let mut numbers: Vec<usize> = self.entries.values().map(|entry| entry.number).collect();
        sorting::sort_by_key(&mut numbers, |&number| self.builds.hash(number));
        (&self.builds, numbers)
    }

    /// Iterates over all builds, in the order of their hashes.
    pub fn into_builds(self) -> impl ExactSizeIterator<Item = Build> {
        let numbers = self.numbers().1.into_iter();
        numbers.map(move |number| self.builds.build(number))
    }

    /// Packs all builds into an index.
    ///
    /// # Errors
    ///
    /// None in practice: builds of a collection have different hashes.
    pub fn pack(self, about: About) -> Result<Index, PackError> {
        if !self.has_leftovers {
            return self.builds.finish(about);
        }
        let mut packer = Packer::default();
        let mut translation = Translation::default();
        let (builds, numbers) = self.numbers();
        numbers.iter().for_each(|&number| packer.take(builds, number, &mut translation));
        drop((self, translation));
        packer.finish(about)
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conflict { hash, field, first, second } = self;
        write!(
            f,
            "build {hash} differs in {field}: {} in {}, but {} in {}",
            first.1, first.0, second.1, second.0
        )
    }
}

impl std::error::Error for Conflict {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::read_page;
    use cache_index::build::{CompilerSource, Dependency, Deptypes, VariantValue};

    /// Creates a build as a page describes it.
    fn page_build() -> Build {
        let text = r#"---
title: zlib
layout: cache
categories: [package, develop]
meta: {"compilers": ["gcc@13.2.0"], "num_specs": 1, "num_specs_by_stack": {"root": 1}, "oss": ["rhel8"], "platforms": ["linux"], "stacks": ["root"], "targets": ["zen4"], "versions": ["1.3"]}
spec_details: [{"compiler": "gcc@13.2.0", "hash": "2dqr6c6tz4lpr32hw5pomh7n2pbjpom4", "os": "rhel8", "platform": "linux", "size": "-", "stacks": ["root"], "target": "zen4", "variants": ["patches=cc8ac22"], "versions": ["1.3"]}]
---"#;
        read_page(text).into_result().expect("a page").builds.remove(0)
    }

    /// Creates the same build as a database file describes it.
    fn database_build() -> Build {
        let mut build = page_build();
        let patch = "cc8ac22".to_string() + &"0".repeat(57);
        build.namespace = Some("builtin".into());
        build.compiler_source = CompilerSource::Dependency;
        build.variants[0].value = VariantValue::Multi(vec![patch]);
        build.dependencies = Some(vec![Dependency {
            package: "gmake".into(),
            hash: "3rseveu6q45rfj5ffuyyp4jehmrgveef".parse().expect("a hash"),
            deptypes: Deptypes::from_bits(1).expect("a set"),
            virtuals: vec![],
        }]);
        build.size = Some(5);
        build
    }

    fn in_stack(mut build: Build, stack: &str) -> Build {
        build.places = build
            .places
            .into_iter()
            .map(|place| cache_index::build::Place { stack: stack.into(), ..place })
            .collect();
        build
    }

    #[track_caller]
    fn unite_all(builds: Vec<Build>) -> Build {
        let mut collection = Collection::default();
        for (number, build) in builds.into_iter().enumerate() {
            collection.add(&number.to_string(), [build]).expect("no conflict");
        }
        assert_eq!(collection.len(), 1);
        collection.into_builds().next().expect("a build")
    }

    #[test]
    fn merges_the_places_of_all_inputs() {
        let builds = vec![page_build(), in_stack(page_build(), "e4s"), page_build()];
        let stacks: Vec<String> =
            unite_all(builds).places.into_iter().map(|place| place.stack).collect();
        assert_eq!(stacks, ["e4s", "root"]);
    }

    #[test]
    fn merges_a_page_and_a_database_in_any_order() {
        let full = database_build();
        assert_eq!(unite_all(vec![page_build(), full.clone()]), full);
        assert_eq!(unite_all(vec![full.clone(), page_build()]), full);
    }

    #[test]
    fn keeps_the_larger_size() {
        let sized = |size| Build { size, ..page_build() };
        for order in [[None, Some(5), Some(7)], [Some(7), None, Some(5)]] {
            assert_eq!(unite_all(order.map(sized).to_vec()).size, Some(7));
        }
    }

    #[test]
    fn names_both_inputs_and_the_field_of_a_conflict() {
        type Change = fn(&mut Build);
        let cases: BTreeMap<&str, (Change, &str)> = BTreeMap::from([
            ("package", ((|b| b.package = "x".into()) as Change, "\"zlib\" in a, but \"x\" in b")),
            ("version", (|b| b.version = "2".into(), "\"1.3\" in a, but \"2\" in b")),
            ("platform", (|b| b.platform = "x".into(), "\"linux\" in a, but \"x\" in b")),
            ("os", (|b| b.os = "x".into(), "\"rhel8\" in a, but \"x\" in b")),
            ("target", (|b| b.target = "x".into(), "\"zen4\" in a, but \"x\" in b")),
            ("compiler", (|b| b.compiler = None, "\"gcc@13.2.0\" in a, but none in b")),
            ("namespace", (|b| b.namespace = Some("x".into()), "\"builtin\" in a, but \"x\" in b")),
            ("external", (|b| b.external = true, "false in a, but true in b")),
            (
                "flags",
                (
                    |b| b.flags = vec![("cflags".into(), vec!["-g".into()])],
                    "\"[]\" in a, but \"[(\\\"cflags\\\", [\\\"-g\\\"])]\" in b",
                ),
            ),
            (
                "dependencies",
                (
                    |b| b.dependencies = Some(vec![]),
                    "\"gmake/3rseveu6q45rfj5ffuyyp4jehmrgveef\" as build [] in a, but none in b",
                ),
            ),
        ]);
        for (field, (change, expected)) in cases {
            let mut collection = Collection::default();
            collection.add("a", [database_build()]).expect("the first");
            let mut other = database_build();
            change(&mut other);
            let conflicts = collection.add("b", [other]).expect_err("a conflict");
            let message =
                format!("build 2dqr6c6tz4lpr32hw5pomh7n2pbjpom4 differs in {field}: {expected}");
            assert_eq!(conflicts.iter().map(ToString::to_string).collect::<Vec<_>>(), [message]);
        }
    }

    #[test]
    fn shows_conflicting_variants() {
        let mut collection = Collection::default();
        collection.add("a", [page_build()]).expect("the first");
        let mut other = page_build();
        other.variants[0].value = VariantValue::Single("cc8ac23".into());
        let conflicts = collection.add("b", [other]).expect_err("a conflict");
        assert_eq!(conflicts[0].field, "variants");
        assert_eq!(conflicts[0].first.1, "\"patches=cc8ac22\"");
        assert_eq!(conflicts[0].second.1, "\"patches=cc8ac23\"");
    }

    #[test]
    fn names_the_databases_of_a_conflict_in_a_detail() {
        let mut collection = Collection::default();
        collection.add("page", [page_build()]).expect("the first");
        collection.add("one", [database_build()]).expect("the same");
        let conflicts = collection
            .add("two", [Build { external: true, ..database_build() }])
            .expect_err("a conflict");
        assert_eq!((conflicts[0].first.0.as_str(), conflicts[0].second.0.as_str()), ("one", "two"));
    }
}
