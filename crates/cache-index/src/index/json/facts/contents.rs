//! The files of consecutive builds.
//!
//! | field | meaning | shape |
//! | --- | --- | --- |
//! | `first` | the number of the first build | number |
//! | `paths` | the path of each distinct entry, sorted; of a path that is a file of another size in another build, again | front-coded: `shared` bytes with the path before, and the `rest` |
//! | `types` | by entry a letter: `f` a file, `x` a file that may be executed, `l` a symbolic link, `h` a hard link | string |
//! | `sizes` | by entry that is a file: its size in bytes | numbers |
//! | `targets` | by entry that is a link: where it leads; absent if none is one | strings |
//! | `libraries` | the names of the libraries that programs and libraries need, sorted; absent if none needs one | strings |
//! | `needed` | by entry → `libraries`, in the order in which it names them; absent if none needs one | lists of numbers |
//! | `skipped` | by build: the number of builds before it whose files are not known; absent if there are none | numbers |
//! | `builds` | by build → entries | *changes* |
//!
//! *Changes* are explained in [`json`](super::super): a build with the same files as the one before costs two bytes. Folders
//! are left out, and so is what Spack itself writes to `.spack`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::front_coded::FrontCoded;
use super::line::{ListedKind, ListedLine};
use super::shards::LENGTH;
use crate::facts::{Entry, ListedFile};
use crate::index::json::parts::Shard;
use crate::index::json::{LoadError, numbers, text};
use crate::index::lists::Lists;
use crate::index::{BuildId, Sets};

#[derive(Serialize, Deserialize)]
struct ContentsDocument {
    first: u32,
    paths: FrontCoded,
    types: String,
    sizes: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    targets: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    libraries: Vec<String>,
    #[serde(default, skip_serializing_if = "Lists::is_empty", deserialize_with = "numbers::lists")]
    needed: Lists,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    skipped: Vec<u32>,
    #[serde(deserialize_with = "numbers::lists")]
    builds: Lists,
}

/// The files of consecutive builds.
#[derive(Clone, Debug)]
pub struct ShardOfBuilds {
    /// The distinct entries.
    entries: Vec<ListedFile>,
    /// The numbers of the builds, ascending.
    numbers: Vec<u32>,
    /// By build: the entries that either it or the build before it has, but not both, ascending.
    changes: Lists,
}

/// A shard that more builds can be added to.
#[derive(Default)]
struct OpenShard<'f> {
    lines: BTreeSet<ListedLine<'f>>,
    builds: Vec<(u32, BTreeSet<ListedLine<'f>>)>,
    length: usize,
    /// The length with only the first build.
    length_of_first: usize,
}

impl<'f> OpenShard<'f> {
    /// Returns how many bytes a build would add.
    fn added(&self, lines: &BTreeSet<ListedLine<'f>>) -> usize {
        let new = lines.difference(&self.lines).map(ListedLine::length).sum::<usize>();
        let before = self.builds.last().map(|(_, lines)| lines);
        let changed =
            before.map_or(lines.len(), |before| before.symmetric_difference(lines).count());
        new + changed * 4
    }

    /// Returns `true` if the shard should not take `added` more bytes. What builds of the same package have in common is
    /// written once for each shard, so a shard whose first build is large takes more.
    fn is_full_with(&self, added: usize) -> bool {
        let most = LENGTH.max(2 * self.length_of_first);
        !self.builds.is_empty() && self.length + added > most
    }

    fn add(&mut self, build: u32, lines: BTreeSet<ListedLine<'f>>, added: usize) {
        self.length += added;
        if self.builds.is_empty() {
            self.length_of_first = added;
        }
        self.lines.extend(&lines);
        self.builds.push((build, lines));
    }

    fn close(self) -> Option<Shard<u32>> {
        let first = self.builds.first()?.0;
        let lines: Vec<ListedLine<'f>> = self.lines.into_iter().collect();
        let (mut sets, mut skipped, mut next) = (Sets::default(), Vec::new(), first);
        for (build, of_build) in &self.builds {
            // Both are sorted.
            let mut codes = (0..).zip(&lines);
            sets.push(
                of_build.iter().filter_map(|line| {
                    codes.find(|(_, other)| *other == line).map(|(code, _)| code)
                }),
            );
            skipped.push(build - next);
            next = build + 1;
        }
        if skipped.iter().all(|&builds| builds == 0) {
            skipped.clear();
        }
        let libraries: BTreeSet<&String> = lines.iter().flat_map(|line| line.needed).collect();
        let libraries: Vec<&String> = libraries.into_iter().collect();
        let code = |name: &String| libraries.binary_search(&name).ok().map(|code| code as u32);
        let needed = lines.iter().map(|line| line.needed.iter().filter_map(code).collect());
        let needed = if libraries.is_empty() { Lists::default() } else { needed.collect() };
        let is_link = |line: &&ListedLine<'_>| line.kind.is_link();
        let document = ContentsDocument {
            first,
            paths: FrontCoded::new(lines.iter().map(|line| line.path)),
            types: lines.iter().map(|line| line.kind.letter()).collect(),
            sizes: lines.iter().filter(|line| !is_link(line)).map(|line| line.size).collect(),
            targets: lines.iter().filter(is_link).map(|line| line.target.to_owned()).collect(),
            libraries: libraries.into_iter().cloned().collect(),
            needed,
            skipped,
            builds: sets.to_changes(),
        };
        Some(Shard { from: first, text: text(&document) })
    }
}

/// Writes the files of builds, which must come in their order.
pub(super) fn shards<'f>(
    builds: impl Iterator<Item = (u32, Vec<ListedLine<'f>>)>,
) -> Vec<Shard<u32>> {
    let mut shards = Vec::new();
    let mut open = OpenShard::default();
    for (build, files) in builds {
        let lines: BTreeSet<ListedLine<'_>> = files.into_iter().collect();
        let mut added = open.added(&lines);
        if open.is_full_with(added) {
            shards.extend(std::mem::take(&mut open).close());
            added = open.added(&lines);
        }
        open.add(build, lines, added);
    }
    shards.extend(open.close());
    shards
}

impl ShardOfBuilds {
    /// Reads the text of a shard.
    ///
    /// # Errors
    ///
    /// If it is not JSON of this shape, or a number in it is out of range.
    pub fn read(json: &str) -> Result<ShardOfBuilds, LoadError> {
        let document: ContentsDocument = serde_json::from_str(json)?;
        let paths = document.paths.read().ok_or(LoadError::BadCode("contents.paths"))?;
        let (mut sizes, mut targets) = (document.sizes.iter(), document.targets.into_iter());
        let mut letters = document.types.chars();
        let has_needs = !document.needed.is_empty();
        if has_needs && document.needed.len() != paths.len() {
            return Err(LoadError::UnequalColumns("contents.needed"));
        }
        let mut entry = |path: String| {
            let kind = ListedKind::of_letter(letters.next()?)?;
            let size = if kind.is_link() { 0 } else { *sizes.next()? };
            let target = if kind.is_link() { Some(targets.next()?) } else { None };
            Some(kind.entry(path, size, target))
        };
        let entries: Option<Vec<Entry>> = paths.into_iter().map(&mut entry).collect();
        let entries = entries.ok_or(LoadError::UnequalColumns("contents.types"))?;
        let library = |&code: &u32| document.libraries.get(code as usize).cloned();
        let listed = |(at, entry)| {
            let codes = if has_needs { document.needed.get(at) } else { &[] };
            Some(ListedFile { entry, needed: codes.iter().map(library).collect::<Option<_>>()? })
        };
        let entries: Option<Vec<ListedFile>> =
            entries.into_iter().enumerate().map(listed).collect();
        let entries = entries.ok_or(LoadError::BadCode("contents.needed"))?;
        let changes = document.builds;
        let is_good = document.skipped.is_empty() || document.skipped.len() == changes.len();
        if !is_good {
            return Err(LoadError::UnequalColumns("contents.skipped"));
        }
        let mut next = Some(document.first);
        let number = |build: usize| {
            let skipped = document.skipped.get(build).copied().unwrap_or(0);
            let number = next?.checked_add(skipped)?;
            next = number.checked_add(1);
            Some(number)
        };
        let numbers: Option<Vec<u32>> = (0..changes.len()).map(number).collect();
        let numbers = numbers.ok_or(LoadError::BadCode("contents.skipped"))?;
        Ok(ShardOfBuilds { entries, numbers, changes })
    }

    /// Returns the builds whose files are in the shard, ascending.
    pub fn builds(&self) -> impl Iterator<Item = BuildId> {
        self.numbers.iter().copied().map(BuildId)
    }

    /// Returns the files and links of a build, sorted by path; `None` if they are not in this shard.
    ///
    /// # Errors
    ///
    /// If a number of the shard is out of range.
    pub fn of(&self, build: BuildId) -> Result<Option<Vec<&ListedFile>>, LoadError> {
        let Ok(last) = self.numbers.binary_search(&build.0) else { return Ok(None) };
        let mut has = vec![false; self.entries.len()];
        for steps in self.changes.iter().take(last + 1) {
            change(&mut has, steps)?;
        }
        Ok(Some(self.entries_of(&has)))
    }

    /// Calls a function with each build and its files and links, sorted by path.
    ///
    /// # Errors
    ///
    /// If a number of the shard is out of range.
    pub(super) fn each<'s>(
        &'s self,
        mut each: impl FnMut(u32, Vec<&'s ListedFile>),
    ) -> Result<(), LoadError> {
        let mut has = vec![false; self.entries.len()];
        for (&number, steps) in self.numbers.iter().zip(self.changes.iter()) {
            change(&mut has, steps)?;
            each(number, self.entries_of(&has));
        }
        Ok(())
    }

    fn entries_of(&self, has: &[bool]) -> Vec<&ListedFile> {
        self.entries.iter().zip(has).filter_map(|(entry, &has)| has.then_some(entry)).collect()
    }
}

/// Turns the entries of a build into those of the next one.
fn change(has: &mut [bool], steps: &[u32]) -> Result<(), LoadError> {
    let mut code: u32 = 0;
    for (at, &step) in steps.iter().enumerate() {
        let next = code.checked_add(step).filter(|_| at == 0 || step > 0);
        let entry = next.and_then(|next| has.get_mut(next as usize));
        let entry = entry.ok_or(LoadError::BadCode("contents.builds"))?;
        *entry = !*entry;
        code += step;
    }
    Ok(())
}
