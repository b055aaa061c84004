//! A file as it is sorted and compared, and written to the lists of files.

use std::collections::HashMap;

use crate::facts::{Entry, EntryKind, Facts, ListedFile, Mode};

/// A file or a link of a build. Folders have no line, and neither has what Spack itself writes to `.spack`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListedLine<'f> {
    pub(super) path: &'f str,
    pub(super) kind: ListedKind,
    pub(super) size: u64,
    pub(super) target: &'f str,
    /// The libraries that it needs.
    pub(super) needed: &'f [String],
}

/// The files of a build, from either source. Their lines are only made when they are written, because the lines of all
/// builds take much memory.
#[derive(Clone, Copy)]
pub(super) enum FilesOfBuild<'f> {
    Found(&'f Facts),
    Listed(&'f [ListedFile]),
}

impl<'f> FilesOfBuild<'f> {
    pub(super) fn lines(self) -> Vec<ListedLine<'f>> {
        match self {
            FilesOfBuild::Found(facts) => ListedLine::of_facts(facts),
            FilesOfBuild::Listed(files) => {
                files.iter().filter_map(|file| ListedLine::new(&file.entry, &file.needed)).collect()
            }
        }
    }
}

/// What a line is, in the order of its letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ListedKind {
    File,
    Hardlink,
    Symlink,
    Executable,
}

impl ListedKind {
    /// The letters in the lists, and what they mean.
    const LETTERS: [(char, ListedKind); 4] = [
        ('f', ListedKind::File),
        ('h', ListedKind::Hardlink),
        ('l', ListedKind::Symlink),
        ('x', ListedKind::Executable),
    ];

    pub(super) fn of_letter(letter: char) -> Option<ListedKind> {
        ListedKind::LETTERS.into_iter().find(|(of, _)| *of == letter).map(|(_, kind)| kind)
    }

    pub(super) fn letter(self) -> char {
        ListedKind::LETTERS[self as usize].0
    }

    pub(super) fn is_link(self) -> bool {
        matches!(self, ListedKind::Symlink | ListedKind::Hardlink)
    }

    /// Returns an entry of this kind. Of the permissions, the lists keep whether a file may be executed.
    pub(super) fn entry(self, path: String, size: u64, target: Option<String>) -> Entry {
        let (kind, mode) = match self {
            ListedKind::File => (EntryKind::File, 0o644),
            ListedKind::Executable => (EntryKind::File, 0o755),
            ListedKind::Symlink => (EntryKind::Symlink, 0o777),
            ListedKind::Hardlink => (EntryKind::Hardlink, 0o644),
        };
        Entry { path, kind, size, mode: Mode(mode), target }
    }
}

impl<'f> ListedLine<'f> {
    fn of_facts(facts: &'f Facts) -> Vec<ListedLine<'f>> {
        let needed = facts.objects.iter().map(|object| (&object.path[..], &object.needed[..]));
        let needed: HashMap<&str, &[String]> = needed.collect();
        let line = |entry: &'f Entry| {
            let needed = needed.get(&entry.path[..]).copied().unwrap_or_default();
            ListedLine::new(entry, needed)
        };
        facts.files.iter().filter_map(line).collect()
    }

    fn new(entry: &'f Entry, needed: &'f [String]) -> Option<ListedLine<'f>> {
        let kind = match entry.kind {
            EntryKind::Dir => return None,
            EntryKind::File if entry.mode.0 & 0o111 != 0 => ListedKind::Executable,
            EntryKind::File => ListedKind::File,
            EntryKind::Symlink => ListedKind::Symlink,
            EntryKind::Hardlink => ListedKind::Hardlink,
        };
        let target = entry.target.as_deref().unwrap_or_default();
        let is_listed = !entry.is_of_spack();
        is_listed.then_some(ListedLine {
            path: &entry.path,
            kind,
            size: entry.size,
            target,
            needed,
        })
    }

    /// Returns the file as the lists store it.
    pub(super) fn to_listed(self) -> ListedFile {
        let target = self.kind.is_link().then(|| self.target.to_owned());
        let entry = self.kind.entry(self.path.to_owned(), self.size, target);
        ListedFile { entry, needed: self.needed.to_vec() }
    }

    /// Returns about how many bytes the line takes.
    pub(super) fn length(&self) -> usize {
        // Most of a path is shared with the one before.
        self.path.len() / 3 + self.target.len() + 3 * self.needed.len() + 16
    }
}
