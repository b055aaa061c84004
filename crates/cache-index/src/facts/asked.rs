//! `file:` and `import:` in a search: which builds have a file, by the facts of their binaries.
//!
//! These words are this program's, not Spack's: in a Spack spec, only a version can precede a colon.
//!
//! | word | finds builds with |
//! | --- | --- |
//! | `file:h5dump` | a file of this name, in any folder |
//! | `file:libhdf5.so*` | a file whose name begins so: `*` stands for any characters, `?` for one |
//! | `file:lib/pkgconfig/*.pc` | such a file in such a folder |
//! | `import:mpi4py` | a Python module that `import mpi4py` finds |

use super::{Entry, EntryKind, Facts, from_its_end};

/// A file that a build must have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FileTerm {
    /// A file with a name or path that fits a pattern.
    File(String),
    /// A Python module: its path, with slashes.
    Import(String),
}

impl FileTerm {
    /// The word before the colon, and the key in an address, for a file.
    pub const FILE: &str = "file";

    /// The same for a Python module.
    pub const IMPORT: &str = "import";

    /// Takes these words out of a text, and returns them and the rest of the text.
    pub fn take(text: &str) -> (Vec<FileTerm>, String) {
        let (mut terms, mut rest) = (Vec::new(), Vec::new());
        for word in words(text).map(str::trim_end).filter(|word| !word.is_empty()) {
            match FileTerm::of_word(word) {
                Some(term) => terms.push(term),
                None => rest.push(word),
            }
        }
        // Blanks within quotes stay as they are.
        let rest = if terms.is_empty() { text.to_owned() } else { rest.join(" ") };
        (terms, rest)
    }

    /// Returns a text with blanks in place of these words, so that the positions of the other words stay the same.
    pub fn blank_out(text: &str) -> String {
        let blank = |word: &str| match FileTerm::of_word(word.trim_end()) {
            Some(_) => " ".repeat(word.len()),
            None => word.to_owned(),
        };
        words(text).map(blank).collect()
    }

    fn of_word(word: &str) -> Option<FileTerm> {
        let (key, value) = word.split_once(':')?;
        let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        FileTerm::read(key, quoted.unwrap_or(value))
    }

    /// Reads the value of one of the two keys; `None` for any other key, or if the value is blank.
    pub fn read(key: &str, value: &str) -> Option<FileTerm> {
        // In one pass, so that reading the result again returns the same term.
        let is_before = |c: char| c == '/' || c.is_whitespace();
        let value = value.trim_end().trim_start_matches(is_before);
        match key {
            _ if value.is_empty() => None,
            FileTerm::FILE => Some(FileTerm::File(value.to_owned())),
            FileTerm::IMPORT => Some(FileTerm::Import(value.replace('.', "/"))),
            _ => None,
        }
    }

    /// Returns its key and its value.
    pub fn words(&self) -> (&'static str, String) {
        match self {
            FileTerm::File(pattern) => (FileTerm::FILE, pattern.clone()),
            FileTerm::Import(module) => (FileTerm::IMPORT, module.replace('/', ".")),
        }
    }

    /// Returns the files that match the terms; `None` unless the build has at least one for each term.
    pub fn all_found<'f>(terms: &[FileTerm], facts: &'f Facts) -> Option<Vec<&'f str>> {
        let mut all = Vec::new();
        for term in terms {
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

/// Iterates over the words of a text, each with the white space after it. Quoted text after a key belongs to the same word:
/// `file:"with space.txt"`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let quoted = [FileTerm::FILE, FileTerm::IMPORT].iter().find_map(|key| {
            let inside = rest.strip_prefix(key)?.strip_prefix(":\"")?;
            Some(rest.len() - inside.len() + inside.find('"')? + 1)
        });
        let start = quoted.unwrap_or(0);
        let end = rest[start..].find(char::is_whitespace).map_or(rest.len(), |at| start + at);
        let (word, after) = rest.split_at(rest.len() - rest[end..].trim_start().len());
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

impl FileTerm {
    /// Returns `true` if the term matches a file with this path.
    pub fn is_met(&self, path: &str) -> bool {
        match self {
            FileTerm::File(pattern) => {
                // Compares as many names as the pattern has, from the end of the path.
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
    /// Returns the beginnings of all paths that can match, each [from its end](from_its_end), as in the shards of an index.
    /// The shortest beginning is empty: a name pattern that starts with `*` matches any beginning.
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
                // The first folder of the pattern may also be the first of the path, so no slash has to follow.
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

/// Returns `true` if a name or path matches a pattern. `*` and `?` do not match slashes.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    // Where the last `*` is, and where in the text its match ends so far.
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

    /// Every path that a term matches starts, from its end, with one of the beginnings.
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
            let (terms, rest) = FileTerm::take(text);
            assert_eq!(rest, "");
            assert_eq!(
                FileTerm::all_found(&terms, &facts(&[path])).is_some(),
                expected,
                "{text} {path}"
            );
            if expected {
                check_starts(&terms[0], path);
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
        check("file:\"with space.txt\"", "share/with space.txt", true);
        check("file:\"with space.txt\"", "share/with-space.txt", false);
        check("file:spec.json", ".spack/spec.json", false);
        check("file:**a*b**c", "xaybzc", true);
        check("import:mpi4py", "lib/python3.11/site-packages/mpi4py/__init__.py", true);
        check("import:six", "lib/python3.11/site-packages/six.py", true);
        check("import:yaml._yaml", "lib/python3.11/site-packages/yaml/_yaml.cpython-311.so", true);
        check("import:mpi", "lib/python3.11/site-packages/mpi4py/__init__.py", false);
        check("import:mpi4py", "share/mpi4py/__init__.py", false);
    }

    #[test]
    fn reads_what_it_writes() {
        for text in ["file:h5dump", "file:lib/*.pc", "import:yaml._yaml"] {
            let (key, value) = FileTerm::take(text).0[0].words();
            assert_eq!(format!("{key}:{value}"), text);
        }
        assert_eq!(FileTerm::take("file: file:// import: @1:2 x:y").0, []);
        let text = "größe file:größe  +mpi import:a";
        let blank = FileTerm::blank_out(text);
        assert_eq!(blank.len(), text.len());
        assert_eq!(blank.split_whitespace().collect::<Vec<_>>(), ["größe", "+mpi"]);
    }

    #[test]
    fn looks_up_few_names() {
        #[track_caller]
        fn check(text: &str, expected: &[&str]) {
            assert_eq!(FileTerm::take(text).0[0].starts(), expected);
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
        let (terms, rest) = FileTerm::take("hdf5@1.14 file:h5dump +mpi file:*.h");
        assert_eq!(rest, "hdf5@1.14 +mpi");
        assert_eq!(FileTerm::all_found(&terms, &facts(&["bin/h5dump"])), None);
        let both = facts(&["bin/h5dump", "include/hdf5.h"]);
        assert_eq!(FileTerm::all_found(&terms, &both), Some(vec!["bin/h5dump", "include/hdf5.h"]));
        let (terms, rest) = FileTerm::take("a file:\"b c\" d");
        assert_eq!((terms[0].words().1.as_str(), rest.as_str()), ("b c", "a d"));
        let (none, rest) = FileTerm::take("a  cflags=\"-O2  -g\"");
        assert!(none.is_empty());
        assert_eq!(rest, "a  cflags=\"-O2  -g\"");
    }
}
