//! What is known of the binaries of builds, from facts and from other indexes, before it is written as texts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::by_build::{BuildFacts, FactsByBuild};
use super::contents::{self, ShardOfBuilds};
use super::files;
use super::line::{FilesOfBuild, ListedLine};
use crate::build::Hash;
use crate::facts::{Demands, Facts, FactsOf, ListedFile, Room};
use crate::index::json::parts::FactsTexts;
use crate::index::json::{LoadError, text};
use crate::index::{BuildId, Index};
use crate::spack::TreeLayout;

/// What an index has about the binary of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinaryFacts {
    /// The numbers.
    pub numbers: BuildFacts,
    /// How much room it has for another install tree; `None` if that is not known.
    pub room: Option<Room>,
    /// What it demands of a machine; `None` if that is not known.
    pub demands: Option<Demands>,
    /// Its files and links, without those of Spack, sorted by path; `None` if they are not known.
    pub files: Option<Vec<ListedFile>>,
}

/// The same, borrowed from facts or from [`BinaryFacts`].
struct BinaryParts<'f> {
    numbers: BuildFacts,
    room: Option<Cow<'f, Room>>,
    demands: Option<Cow<'f, Demands>>,
    files: Option<FilesOfBuild<'f>>,
}

impl<'f> BinaryParts<'f> {
    fn of_facts(index: &Index, facts: &'f Facts) -> BinaryParts<'f> {
        let whole = Some(facts).filter(|facts| !facts.is_partial);
        let path_in_tree =
            |hash: Hash, layout: TreeLayout| index.path_in_tree(index.find(hash)?, layout);
        BinaryParts {
            numbers: BuildFacts::new(facts),
            room: whole.and_then(|facts| Room::of(facts, path_in_tree)).map(Cow::Owned),
            demands: Demands::of(facts).map(Cow::Owned),
            files: whole.map(FilesOfBuild::Found),
        }
    }

    fn of_binary(binary: &'f BinaryFacts) -> BinaryParts<'f> {
        BinaryParts {
            numbers: binary.numbers,
            room: binary.room.as_ref().map(Cow::Borrowed),
            demands: binary.demands.as_ref().map(Cow::Borrowed),
            files: binary.files.as_deref().map(FilesOfBuild::Listed),
        }
    }
}

impl Index {
    /// Adds what was found in the binaries of builds, and returns the number of builds with facts. The facts must include
    /// their lists of files. What the index has about a build stays if there are no facts about it, or only its prefix was
    /// found.
    ///
    /// # Errors
    ///
    /// If what the index has about binaries is damaged.
    pub fn add_facts(&mut self, facts: &FactsOf<'_>) -> Result<usize, LoadError> {
        let kept = self.facts_by_number()?;
        let kept = kept.iter().map(|(&build, binary)| (build, BinaryParts::of_binary(binary)));
        let mut known: BTreeMap<u32, BinaryParts<'_>> = kept.collect();
        let mut count = 0;
        for (build, found) in self.by_hash(facts) {
            count += 1;
            if !(found.is_partial && known.contains_key(&build)) {
                known.insert(build, BinaryParts::of_facts(self, found));
            }
        }
        if count > 0 {
            self.write_facts(&known);
        }
        Ok(count)
    }

    /// Returns what an index stores about a binary with these facts. The facts must include their lists of files.
    pub fn binary_facts(&self, facts: &Facts) -> BinaryFacts {
        let BinaryParts { numbers, room, demands, files } = BinaryParts::of_facts(self, facts);
        BinaryFacts {
            numbers,
            room: room.map(Cow::into_owned),
            demands: demands.map(Cow::into_owned),
            files: files
                .map(|files| files.lines().into_iter().map(ListedLine::to_listed).collect()),
        }
    }

    /// Returns what the index has about binaries, by the hashes of their builds.
    ///
    /// # Errors
    ///
    /// If that is damaged.
    pub fn facts_by_hash(&self) -> Result<BTreeMap<Hash, BinaryFacts>, LoadError> {
        let by_number = self.facts_by_number()?.into_iter();
        Ok(by_number.filter_map(|(build, it)| Some((self.hash(BuildId(build))?, it))).collect())
    }

    /// Replaces what it has about binaries by what other indexes have about the binaries of its builds, unless they
    /// have nothing.
    pub fn take_binaries(&mut self, binaries: &BTreeMap<Hash, BinaryFacts>) {
        let known = self.by_hash(|hash| binaries.get(&hash));
        let known: BTreeMap<u32, BinaryParts<'_>> =
            known.map(|(build, binary)| (build, BinaryParts::of_binary(binary))).collect();
        if !known.is_empty() {
            self.write_facts(&known);
        }
    }

    /// Iterates over the builds about which something is known, by number.
    fn by_hash<T>(&self, known: impl Fn(Hash) -> Option<T>) -> impl Iterator<Item = (u32, T)> {
        let builds = (0..self.specs()).map(BuildId);
        builds.filter_map(move |build| Some((build.0, known(self.hash(build)?)?)))
    }

    fn facts_by_number(&self) -> Result<BTreeMap<u32, BinaryFacts>, LoadError> {
        let mut known: BTreeMap<u32, BinaryFacts> = BTreeMap::new();
        let Some(texts) = self.facts() else { return Ok(known) };
        let all = FactsByBuild::read(&texts.by_build, self)?;
        for build in (0..self.specs()).map(BuildId) {
            let numbers = all.of(build);
            if numbers != BuildFacts::default() {
                let (room, demands) = (all.room(build).cloned(), all.demands(build).cloned());
                known.insert(build.0, BinaryFacts { numbers, room, demands, files: None });
            }
        }
        for shard in &texts.contents {
            let shard = ShardOfBuilds::read(&shard.text)?;
            shard.each(|build, files| {
                if let Some(binary) = known.get_mut(&build) {
                    binary.files = Some(files.into_iter().cloned().collect());
                }
            })?;
        }
        Ok(known)
    }

    fn write_facts(&mut self, known: &BTreeMap<u32, BinaryParts<'_>>) {
        let numbers = known.iter().map(|(&build, known)| {
            (build, known.numbers, known.room.as_deref(), known.demands.as_deref())
        });
        let files =
            || known.iter().filter_map(|(&build, known)| Some((build, known.files?.lines())));
        let texts = FactsTexts {
            by_build: text(&FactsByBuild::new(self.specs(), numbers)),
            contents: contents::shards(files()),
            files: files::shards(files()),
        };
        self.facts = Some(Arc::new(texts));
    }
}
