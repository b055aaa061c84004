//! The files of a build as a tree, in which programs come first.

use std::collections::BTreeSet;

use cache_index::facts::{Entry, FileKind, ListedFile};

/// The folders that people look into first: they are listed first, and open at the start.
const PROGRAMS: [&str; 2] = ["bin", "sbin"];

/// How many lines an open tree may have at the start.
const OPEN_AT_START: usize = 60;

/// The maximum depth of a folder that is open at the start, counted from 1.
const DEEPEST_OPEN: usize = 4;

/// The files of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTree {
    /// Sorted by path, each path once.
    files: Vec<ListedFile>,
}

/// A line of the tree: a folder or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// The path.
    pub path: String,
    /// The name that is shown.
    pub name: String,
    /// How many folders it is in.
    pub depth: usize,
    /// What a file is for; `None` for a folder.
    pub kind: Option<FileKind>,
    /// The size in bytes; for a folder, of everything in it.
    pub size: u64,
    /// How many files and links are in a folder and its subfolders; 1 for a file.
    pub files: usize,
    /// Where a link points.
    pub target: Option<String>,
    /// The libraries that a program or library needs, by name.
    pub needed: Vec<String>,
    /// `true` for a folder whose contents follow.
    pub is_open: bool,
}

impl FileTree {
    /// Takes the files and links of a build.
    pub fn new(mut files: Vec<ListedFile>) -> FileTree {
        files.sort_by(|one, other| one.entry.path.cmp(&other.entry.path));
        files.dedup_by(|one, other| one.entry.path == other.entry.path);
        FileTree { files }
    }

    /// Returns the number of files and links.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// Returns the size of all files in bytes.
    pub fn size(&self) -> u64 {
        total(&self.files)
    }

    /// Returns the names of the programs.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        let programs = self.entries().filter(|entry| entry.file_kind() == FileKind::Program);
        programs.map(|entry| last_name(&entry.path))
    }

    /// Returns the names of the libraries that the build's programs and libraries need but the build does not contain,
    /// sorted.
    pub fn foreign_libraries(&self) -> BTreeSet<&str> {
        let needed = self.files.iter().flat_map(|file| &file.needed);
        let mut names: BTreeSet<&str> = needed.map(|name| last_name(name)).collect();
        for entry in self.entries() {
            names.remove(last_name(&entry.path));
        }
        names
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.files.iter().map(|file| &file.entry)
    }

    /// Returns the folders that are open at the start: those of programs, and all if there are few files.
    pub fn open_at_start(&self) -> BTreeSet<String> {
        let mut open = BTreeSet::new();
        for folder in PROGRAMS.map(str::to_owned) {
            if self.within(&format!("{folder}/")).len() <= OPEN_AT_START {
                open.insert(folder);
            }
        }
        if self.files.len() <= OPEN_AT_START / 2 {
            for entry in self.entries() {
                let ends = entry.path.match_indices('/').map(|(at, _)| at).take(DEEPEST_OPEN);
                open.extend(ends.map(|end| entry.path[..end].to_owned()));
            }
        }
        open
    }

    /// Returns the lines of the tree when these folders are open.
    pub fn rows(&self, open: &BTreeSet<String>) -> Vec<FileRow> {
        let mut rows = Vec::new();
        // Not recursive, because a path may have any number of folders.
        let mut next = vec![self.children("", 0)];
        while let Some(of_folder) = next.last_mut() {
            let Some(mut row) = of_folder.pop() else {
                next.pop();
                continue;
            };
            row.is_open = row.kind.is_none() && open.contains(&row.path);
            let inside =
                row.is_open.then(|| self.children(&format!("{}/", row.path), row.depth + 1));
            rows.push(row);
            next.extend(inside);
        }
        rows
    }

    /// Returns the files whose paths contain a text, ignoring case.
    pub fn with(&self, text: &str) -> Vec<FileRow> {
        let text = text.to_lowercase();
        let has = |file: &&ListedFile| file.entry.path.to_lowercase().contains(&text);
        let mut rows: Vec<FileRow> =
            self.files.iter().filter(has).map(|file| row(file, &file.entry.path, 0)).collect();
        rows.sort_by(|one, other| (one.kind, &one.path).cmp(&(other.kind, &other.path)));
        rows
    }

    /// Returns the files whose paths begin with a text.
    fn within(&self, start: &str) -> &[ListedFile] {
        let first = self.files.partition_point(|file| file.entry.path.as_str() < start);
        let rest = &self.files[first..];
        &rest[..rest.partition_point(|file| file.entry.path.starts_with(start))]
    }

    /// Returns the direct contents of a folder in reverse order. The path of the folder ends with a slash; that of the
    /// root is empty.
    fn children(&self, folder: &str, depth: usize) -> Vec<FileRow> {
        let inside = |file: &ListedFile| {
            file.entry.path[folder.len()..].split_once('/').map(|(name, _)| name.to_owned())
        };
        let mut rows = Vec::new();
        for files in self.within(folder).chunk_by(|one, other| {
            inside(one).is_some_and(|name| inside(other).is_some_and(|other| name == other))
        }) {
            let Some(first) = files.first() else { continue };
            rows.push(match inside(first) {
                None => row(first, &first.entry.path[folder.len()..], depth),
                Some(name) => FileRow {
                    path: format!("{folder}{name}"),
                    name,
                    depth,
                    kind: None,
                    size: total(files),
                    files: files.len(),
                    target: None,
                    needed: Vec::new(),
                    is_open: false,
                },
            });
        }
        let place = |row: &FileRow| {
            let at = PROGRAMS.iter().position(|name| depth == 0 && *name == row.name);
            (at.unwrap_or(PROGRAMS.len()), row.kind.is_some())
        };
        rows.sort_by_key(place);
        rows.reverse();
        rows
    }
}

fn row(file: &ListedFile, name: &str, depth: usize) -> FileRow {
    let ListedFile { entry, needed } = file;
    FileRow {
        path: entry.path.clone(),
        name: name.to_owned(),
        depth,
        kind: Some(entry.file_kind()),
        size: entry.size,
        files: 1,
        target: entry.target.clone(),
        needed: needed.iter().map(|name| last_name(name).to_owned()).collect(),
        is_open: false,
    }
}

/// Returns the last name of a path.
fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn total(files: &[ListedFile]) -> u64 {
    files.iter().fold(0, |sum, file| sum.saturating_add(file.entry.size))
}

/// Returns a size in bytes in the largest unit that fits: `1.4 MB`.
pub fn size_in_words(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    // A size that rounds up to a unit is written in it: 999,950 bytes are 1.0 MB.
    match units.into_iter().find(|(unit, _)| bytes.saturating_add(unit / 20_000) >= *unit) {
        Some((unit, name)) => {
            let tenth = unit / 10;
            let tenths = bytes / tenth + u64::from(bytes % tenth >= tenth / 2);
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        None => cache_index::number::counted(bytes as usize, "byte", "bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::facts::{EntryKind, Mode};

    fn tree(files: &[(&str, u64)]) -> FileTree {
        let listed = |&(path, size): &(&str, u64)| {
            let path = path.to_owned();
            let entry =
                Entry { path, kind: EntryKind::File, size, mode: Mode(0o755), target: None };
            ListedFile { entry, needed: Vec::new() }
        };
        FileTree::new(files.iter().map(listed).collect())
    }

    fn names(rows: &[FileRow]) -> Vec<String> {
        let line = |row: &FileRow| {
            let mark = if row.kind.is_none() { "/" } else { "" };
            format!("{}{}{mark} {}", "  ".repeat(row.depth), row.name, row.size)
        };
        rows.iter().map(line).collect()
    }

    #[test]
    fn shows_programs_first_and_folders_with_their_sizes() {
        let hdf5 = tree(&[
            ("include/hdf5.h", 10),
            ("lib/libhdf5.so", 500),
            ("lib/pkgconfig/hdf5.pc", 5),
            ("lib-extra/x", 1),
            ("COPYING", 3),
            ("bin/h5dump", 40),
            ("bin/h5ls", 2),
        ]);
        assert_eq!((hdf5.files(), hdf5.size()), (7, 561));
        assert_eq!(hdf5.programs().collect::<Vec<_>>(), ["h5dump", "h5ls"]);
        let open = ["bin", "lib"].map(str::to_owned).into();
        assert_eq!(
            names(&hdf5.rows(&open)),
            [
                "bin/ 42",
                "  h5dump 40",
                "  h5ls 2",
                "include/ 10",
                "lib-extra/ 1",
                "lib/ 505",
                "  pkgconfig/ 5",
                "  libhdf5.so 500",
                "COPYING 3"
            ]
        );
        assert!(hdf5.open_at_start().contains("lib/pkgconfig"));
        // Programs come first among what a filter finds, too.
        assert_eq!(names(&hdf5.with("H5")), ["bin/h5dump 40", "bin/h5ls 2"]);
    }

    #[test]
    fn names_the_libraries_of_other_builds() {
        let mut hdf5 = tree(&[("bin/h5dump", 40), ("lib/libhdf5.so.310", 500)]);
        let needs = [
            &["libhdf5.so.310", "libc.so.6"] as &[&str],
            &["libz.so.1", "/opt/lib/libsz.2.dylib", "libc.so.6"],
        ];
        for (file, needed) in hdf5.files.iter_mut().zip(needs) {
            file.needed = needed.iter().map(|name| (*name).to_owned()).collect();
        }
        let foreign: Vec<&str> = hdf5.foreign_libraries().into_iter().collect();
        assert_eq!(foreign, ["libc.so.6", "libsz.2.dylib", "libz.so.1"]);
        let rows = hdf5.with("h5dump");
        assert_eq!(rows[0].needed, ["libhdf5.so.310", "libc.so.6"]);
    }

    #[test]
    fn opens_no_long_folders_by_itself() {
        let many: Vec<String> = (0..200).map(|number| format!("bin/tool-{number}")).collect();
        let many: Vec<(&str, u64)> = many.iter().map(|path| (path.as_str(), 1)).collect();
        assert!(!tree(&many).open_at_start().contains("bin"));
        let deep = "a/".repeat(20_000) + "b";
        let deep = tree(&[(&deep, 1)]);
        assert_eq!(deep.rows(&deep.open_at_start()).len(), 1 + DEEPEST_OPEN);
    }

    #[test]
    fn writes_sizes_in_the_largest_unit() {
        let cases = [
            (1, "1 byte"),
            (999, "999 bytes"),
            (1_000, "1.0 kB"),
            (1_449_999, "1.4 MB"),
            (1_450_000, "1.5 MB"),
            (999_949, "999.9 kB"),
            (999_950, "1.0 MB"),
            (u64::MAX, "18446744073.7 GB"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(size_in_words(bytes), expected);
        }
    }
}
