//! How the files of builds differ.

use std::collections::BTreeMap;

use cache_index::facts::{Entry, EntryKind};

/// How the files and links of some builds differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileDifferences {
    /// By build: the paths that only it has, sorted.
    pub only: Vec<Vec<String>>,
    /// How many paths all of them have.
    pub common: usize,
    /// How many of these differ in size.
    pub resized: usize,
}

impl FileDifferences {
    /// Compares lists of files by their paths. Folders do not count.
    pub fn of(lists: &[Vec<Entry>]) -> FileDifferences {
        let mut by_path: BTreeMap<&str, Vec<(usize, u64)>> = BTreeMap::new();
        for (build, files) in lists.iter().enumerate() {
            for file in files.iter().filter(|file| file.kind != EntryKind::Dir) {
                let of_path = by_path.entry(&file.path).or_default();
                // A damaged list may have a path twice.
                if of_path.last().is_none_or(|(other, _)| *other != build) {
                    of_path.push((build, file.size));
                }
            }
        }
        let mut differences =
            FileDifferences { only: vec![Vec::new(); lists.len()], common: 0, resized: 0 };
        for (path, builds) in by_path {
            match builds.as_slice() {
                _ if builds.len() == lists.len() => {
                    let sizes = |pair: &[(usize, u64)]| pair[0].1 != pair[1].1;
                    differences.common += 1;
                    differences.resized += usize::from(builds.windows(2).any(sizes));
                }
                [(build, _)] => differences.only[*build].push(path.to_owned()),
                _ => {}
            }
        }
        differences
    }
}

#[cfg(test)]
mod tests {
    use cache_index::facts::Mode;

    use super::*;

    fn files(all: &[(&str, u64)]) -> Vec<Entry> {
        let entry = |&(path, size): &(&str, u64)| Entry {
            path: path.to_owned(),
            kind: if path.ends_with('/') { EntryKind::Dir } else { EntryKind::File },
            size,
            mode: Mode(0o644),
            target: None,
        };
        all.iter().map(entry).collect()
    }

    #[test]
    fn says_what_only_one_has() {
        let plain = files(&[("bin/", 0), ("bin/h5dump", 10), ("lib/libhdf5.so", 30)]);
        let parallel = files(&[("bin/h5dump", 12), ("bin/ph5diff", 9), ("lib/libhdf5.so", 30)]);
        let both = FileDifferences::of(&[plain.clone(), parallel.clone()]);
        assert_eq!(both.only, [vec![], vec!["bin/ph5diff".to_owned()]]);
        assert_eq!((both.common, both.resized), (2, 1));
        // A file that two of three builds have is neither common nor in one alone.
        let three = FileDifferences::of(&[plain, parallel.clone(), parallel]);
        assert_eq!(three.only, [vec![], vec![], Vec::<String>::new()]);
        assert_eq!(three.common, 2);
    }
}
