//! `file:` and `import:` in a search: which builds have a file, by the facts of their binaries.
//!
//! These words are this program's, not Spack's: in a spec of Spack, nothing can precede a colon but a version.
//!
//! | word | finds builds with |
//! | --- | --- |
//! | `file:h5dump` | a file of this name, in any folder |
//! | `file:libhdf5.so*` | a file whose name begins so: `*` stands for any characters, `?` for one |
//! | `file:lib/pkgconfig/*.pc` | such a file in such a folder |
//! | `import:mpi4py` | a Python module that `import mpi4py` finds |

use super::{Entry, EntryKind, Facts, from_its_end};

/// What a search asks of the files of a build: all of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTerms(Vec<FileTerm>);

/// A file that a build must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileTerm {
    /// A file with a name or path that fits a pattern.
    File(String),
    /// A Python module: its path, with slashes.
    Import(String),
}

impl FileTerms {
    /// Takes these words out of a text, and returns the rest of it.
    pub fn take(text: &str) -> (FileTerms, String) {
        let (mut terms, mut rest) = (Vec::new(), Vec::new());
        for word in text.split_whitespace() {
            let file = word.strip_prefix("file:").filter(|pattern| !pattern.is_empty());
            let import = word.strip_prefix("import:").filter(|module| !module.is_empty());
            match (file, import) {
                (Some(pattern), _) => {
                    terms.push(FileTerm::File(pattern.trim_start_matches('/').to_owned()));
                }
                (_, Some(module)) => terms.push(FileTerm::Import(module.replace('.', "/"))),
                _ => rest.push(word),
            }
        }
        match terms.is_empty() {
            // Blanks within quotes stay as they are.
            true => (FileTerms::default(), text.to_owned()),
            false => (FileTerms(terms), rest.join(" ")),
        }
    }

    /// Returns `true` if nothing is asked of files.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns what is asked.
    pub fn terms(&self) -> &[FileTerm] {
        &self.0
    }

    /// Returns the files that are asked for, if a build has at least one for each word.
    pub fn found<'f>(&self, facts: &'f Facts) -> Option<Vec<&'f str>> {
        let mut all = Vec::new();
        for term in &self.0 {
            let before = all.len();
            let is_file = |entry: &&Entry| entry.kind != EntryKind::Dir && !entry.is_of_spack();
            let paths = facts.files.iter().filter(is_file).map(|entry| entry.path.as_str());
            all.extend(paths.filter(|path| term.is_met(path)));
            if all.len() == before {
                return None;
            }
        }
        Some(all)
    }
}

impl FileTerm {
    /// Returns `true` if a file with this path is asked for.
    pub fn is_met(&self, path: &str) -> bool {
        match self {
            FileTerm::File(pattern) => {
                // As many names of the path as the pattern has, from its end.
                let names = pattern.matches('/').count() + 1;
                let mut starts = path.rmatch_indices('/').map(|(at, _)| at + 1).skip(names - 1);
                let start = starts.next().unwrap_or(0);
                matches(pattern.as_bytes(), &path.as_bytes()[start..])
            }
            FileTerm::Import(module) => {
                let Some((_, below)) = path.split_once("/site-packages/") else { return false };
                let rest = below.strip_prefix(module.as_str());
                rest.is_some_and(|rest| {
                    let is_extension =
                        rest.starts_with('.') && rest.ends_with(".so") && !rest.contains('/');
                    is_extension || matches!(rest, ".py" | "/__init__.py" | "/__init__.pyi")
                })
            }
        }
    }
}

impl FileTerm {
    /// Returns the beginnings of all paths that can be asked for, each [from its end](from_its_end), as the shards of an index
    /// have them. The shortest beginning is empty: a name that begins with `*` may be any.
    pub fn starts(&self) -> Vec<String> {
        match self {
            FileTerm::File(pattern) => {
                let mut start = String::new();
                for name in pattern.rsplit('/') {
                    let plain = name.find(['*', '?']).unwrap_or(name.len());
                    start.push_str(&name[..plain]);
                    if plain < name.len() {
                        return vec![start];
                    }
                    start.push('/');
                }
                // What is in front of the first folder may be nothing.
                start.pop();
                vec![start]
            }
            FileTerm::Import(module) => {
                let module = from_its_end(module);
                let name = module.split('/').next().unwrap_or_default();
                let package = format!("{module}/site-packages/");
                let init = ["__init__.py", "__init__.pyi"];
                let mut starts: Vec<_> =
                    init.iter().map(|file| format!("{file}/{package}")).collect();
                starts.push(format!("{name}."));
                starts
            }
        }
    }
}

/// Returns `true` if a name or path is as a pattern says. `*` and `?` stand for no slash.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    // Where the last `*` is, and what it stands for at least.
    let mut star: Option<(usize, usize)> = None;
    while read < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(b'?') if text[read] != b'/' => (at, read) = (at + 1, read + 1),
            Some(letter) if *letter == text[read] => (at, read) = (at + 1, read + 1),
            _ => match star {
                Some((star_at, start)) if text[start] != b'/' => {
                    star = Some((star_at, start + 1));
                    (at, read) = (star_at + 1, start + 1);
                }
                _ => return false,
            },
        }
    }
    pattern[at..].iter().all(|letter| *letter == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Mode;

    /// Whatever is found begins, from its end, as one of the beginnings.
    #[track_caller]
    fn check_starts(term: &FileTerm, path: &str) {
        let name = from_its_end(path);
        assert!(term.starts().iter().any(|start| name.starts_with(start)), "{term:?} {path}");
    }

    fn facts(paths: &[&str]) -> Facts {
        let entry = |path: &&str| Entry {
            path: (*path).to_owned(),
            kind: EntryKind::File,
            size: 1,
            mode: Mode(0o644),
            target: None,
        };
        Facts { files: paths.iter().map(entry).collect(), ..Facts::default() }
    }

    #[test]
    fn finds_files_by_names_and_patterns() {
        #[track_caller]
        fn check(text: &str, path: &str, expected: bool) {
            let (terms, rest) = FileTerms::take(text);
            assert_eq!(rest, "");
            assert_eq!(terms.found(&facts(&[path])).is_some(), expected, "{text} {path}");
            if expected {
                check_starts(&terms.terms()[0], path);
            }
        }
        check("file:h5dump", "bin/h5dump", true);
        check("file:h5dump", "h5dump", true);
        check("file:h5dump", "bin/h5dump-shared", false);
        check("file:libhdf5.so*", "lib/libhdf5.so.310.2.0", true);
        check("file:libhdf5.so*", "lib/libhdf5_hl.so", false);
        check("file:*.so.?", "lib/libz.so.1", true);
        check("file:lib/pkgconfig/*.pc", "lib/pkgconfig/zlib.pc", true);
        check("file:pkgconfig/*.pc", "lib/pkgconfig/zlib.pc", true);
        check("file:lib/*.pc", "lib/pkgconfig/zlib.pc", false);
        check("file:/bin/h5dump", "bin/h5dump", true);
        check("file:spec.json", ".spack/spec.json", false);
        check("file:**a*b**c", "xaybzc", true);
        check("import:mpi4py", "lib/python3.11/site-packages/mpi4py/__init__.py", true);
        check("import:six", "lib/python3.11/site-packages/six.py", true);
        check("import:yaml._yaml", "lib/python3.11/site-packages/yaml/_yaml.cpython-311.so", true);
        check("import:mpi", "lib/python3.11/site-packages/mpi4py/__init__.py", false);
        check("import:mpi4py", "share/mpi4py/__init__.py", false);
    }

    #[test]
    fn looks_up_few_names() {
        #[track_caller]
        fn check(text: &str, expected: &[&str]) {
            assert_eq!(FileTerms::take(text).0.terms()[0].starts(), expected);
        }
        check("file:h5dump", &["h5dump"]);
        check("file:bin/h5dump", &["h5dump/bin"]);
        check("file:libhdf5.so*", &["libhdf5.so"]);
        check("file:lib*/libz.so", &["libz.so/lib"]);
        check("file:lib/pkgconfig/*.pc", &[""]);
        let yaml = "_yaml/yaml/site-packages/";
        check(
            "import:yaml._yaml",
            &[&format!("__init__.py/{yaml}"), &format!("__init__.pyi/{yaml}"), "_yaml."],
        );
    }

    #[test]
    fn asks_for_a_file_for_each_word() {
        let (terms, rest) = FileTerms::take("hdf5@1.14 file:h5dump +mpi file:*.h");
        assert_eq!(rest, "hdf5@1.14 +mpi");
        assert_eq!(terms.found(&facts(&["bin/h5dump"])), None);
        let both = facts(&["bin/h5dump", "include/hdf5.h"]);
        assert_eq!(terms.found(&both), Some(vec!["bin/h5dump", "include/hdf5.h"]));
        let (none, rest) = FileTerms::take("a  cflags=\"-O2  -g\"");
        assert!(none.is_empty());
        assert_eq!(rest, "a  cflags=\"-O2  -g\"");
    }
}
