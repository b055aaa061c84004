//! Which builds have a file.
//!
//! The names are reversed paths: `h5dump/bin` is `bin/h5dump`. So all files with the same name are adjacent, and so are
//! those of them in folders with the same name; a shard has a range of names.
//!
//! | field | meaning | shape |
//! | --- | --- | --- |
//! | `names` | the distinct names, sorted | front-coded: `shared` bytes with the name before, and the `rest` |
//! | `set` | by name → `sets` | *distances* |
//! | `sets` | each distinct set of builds, in the order in which names first have them: in turn how many builds in the order of the index are not in it, and how many are | lists of numbers |
//!
//! *Distances* are explained in [`recency`](super::super::recency). Folders are left out, and so is what Spack itself writes
//! to `.spack`.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::front_coded::FrontCoded;
use super::line::ListedLine;
use super::shards::LENGTH;
use crate::facts::{FileTerm, from_its_end};
use crate::index::json::parts::Shard;
use crate::index::json::recency::{from_distances, to_distances};
use crate::index::json::{LoadError, numbers, text};
use crate::index::lists::Lists;
use crate::index::{BuildId, Index};

#[derive(Serialize, Deserialize)]
struct FilesDocument {
    names: FrontCoded,
    #[serde(deserialize_with = "numbers::list")]
    set: Vec<u32>,
    #[serde(deserialize_with = "numbers::lists")]
    sets: Lists,
}

/// Which builds have the files of a range of names.
#[derive(Clone, Debug)]
pub struct ShardOfNames {
    names: Vec<String>,
    /// By name.
    set: Vec<u32>,
    /// The distinct sets of builds, as runs.
    sets: Lists,
}

/// Writes which builds have a file. The builds must come in their order.
pub(super) fn shards<'f>(
    builds: impl Iterator<Item = (u32, Vec<ListedLine<'f>>)>,
) -> Vec<Shard<String>> {
    let mut by_name: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (build, files) in builds {
        for line in files {
            let builds = by_name.entry(from_its_end(line.path)).or_default();
            // A damaged tarball may have a path twice.
            if builds.last() != Some(&build) {
                builds.push(build);
            }
        }
    }
    let mut shards = Vec::new();
    let mut open = OpenShard::default();
    for (name, builds) in by_name {
        if open.length > LENGTH {
            let from = beginning(&open.last, &name).to_owned();
            shards.push(std::mem::replace(&mut open, OpenShard { from, ..Default::default() }));
        }
        open.add(name, &builds);
    }
    shards.push(open);
    shards.into_iter().filter(|shard| !shard.set.is_empty()).map(OpenShard::close).collect()
}

/// Returns the shortest beginning of a name that sorts after the name before it.
fn beginning<'n>(before: &str, name: &'n str) -> &'n str {
    let ends = name.char_indices().map(|(at, _)| at).skip(1);
    ends.map(|end| &name[..end]).find(|start| *start > before).unwrap_or(name)
}

/// A shard that more names can be added to.
#[derive(Default)]
struct OpenShard {
    from: String,
    names: Vec<String>,
    last: String,
    set: Vec<u32>,
    sets: Lists,
    codes: HashMap<Vec<u32>, u32>,
    length: usize,
}

impl OpenShard {
    fn add(&mut self, name: String, builds: &[u32]) {
        let runs = to_runs(builds);
        let alike = self.last.bytes().zip(name.bytes()).take_while(|(one, other)| one == other);
        self.length += name.len() - alike.count() + 9;
        let next = self.codes.len() as u32;
        let length = &mut self.length;
        let sets = &mut self.sets;
        let code = *self.codes.entry(runs).or_insert_with_key(|runs| {
            *length += runs.len() * 4;
            sets.push_slice(runs);
            next
        });
        self.set.push(code);
        self.last.clone_from(&name);
        self.names.push(name);
    }

    fn close(self) -> Shard<String> {
        let document = FilesDocument {
            names: FrontCoded::new(self.names.iter().map(String::as_str)),
            set: to_distances(&self.set),
            sets: self.sets,
        };
        Shard { from: self.from, text: text(&document) }
    }
}

/// Writes ascending numbers as runs: in turn how many numbers are skipped, and how many are present.
fn to_runs(numbers: &[u32]) -> Vec<u32> {
    let mut next = 0;
    let mut runs = Vec::new();
    for run in numbers.chunk_by(|one, other| one + 1 == *other) {
        runs.extend([run[0] - next, run.len() as u32]);
        next = run[0] + run.len() as u32;
    }
    runs
}

impl ShardOfNames {
    /// Reads the text of a shard.
    ///
    /// # Errors
    ///
    /// If it is not JSON of this shape, or a number in it is out of range.
    pub fn read(json: &str, index: &Index) -> Result<ShardOfNames, LoadError> {
        let document: FilesDocument = serde_json::from_str(json)?;
        let names = document.names.read().ok_or(LoadError::BadCode("files.names"))?;
        let sets = document.sets;
        if document.set.len() != names.len() {
            return Err(LoadError::UnequalColumns("files.set"));
        }
        let set = from_distances(&document.set, sets.len());
        let set = set.ok_or(LoadError::BadCode("files.set"))?;
        let builds = u64::from(index.specs());
        let fits = |runs: &[u32]| {
            let end: u64 = runs.iter().map(|&run| u64::from(run)).sum();
            runs.len().is_multiple_of(2) && end <= builds
        };
        match names.is_sorted() && sets.iter().all(fits) {
            true => Ok(ShardOfNames { names, set, sets }),
            false => Err(LoadError::BadCode("files.sets")),
        }
    }

    /// Returns the paths that match a term, each with the builds that have it; some paths more than once.
    pub fn found(&self, term: &FileTerm) -> Vec<(String, BuildsOfName<'_>)> {
        let starts = term.starts();
        let paths = starts.iter().flat_map(|start| self.with(start));
        paths.filter(|(path, _)| term.is_met(path)).collect()
    }

    /// Returns the paths whose names begin with a text, each with the builds that have it, ascending.
    pub fn with<'s>(&'s self, start: &str) -> impl Iterator<Item = (String, BuildsOfName<'s>)> {
        let first = self.names.partition_point(|name| name.as_str() < start);
        let names = self.names.iter().zip(&self.set).skip(first);
        let names = names.take_while(move |(name, _)| name.starts_with(start));
        names.map(|(name, &set)| {
            (from_its_end(name), BuildsOfName { runs: self.sets.get(set as usize) })
        })
    }
}

/// The builds that have a file.
#[derive(Clone, Copy, Debug)]
pub struct BuildsOfName<'s> {
    runs: &'s [u32],
}

impl<'s> BuildsOfName<'s> {
    /// Returns the builds, ascending.
    pub fn iter(&self) -> impl Iterator<Item = BuildId> + use<'s> {
        let mut next = 0;
        self.runs.chunks_exact(2).flat_map(move |run| {
            let start = next + run[0];
            next = start + run[1];
            (start..next).map(BuildId)
        })
    }
}
