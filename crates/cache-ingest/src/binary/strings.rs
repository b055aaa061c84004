//! The paths in a program or library that Spack replaces when it moves a build.
//!
//! Spack looks for every prefix that it moves, and for the root of the install tree, anywhere in the file. The tarball
//! names them only at its end, after all programs. So every string that starts like the prefix of the build is kept,
//! each distinct text once, and the strings that Spack would replace are picked out at the end.

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::Hash;
use cache_index::facts::{PathUse, Relocation, SAFE_SUFFIX};
use memchr::memmem::Finder;

/// The maximum number of bytes of a string that are kept: no system allows longer paths.
const LONGEST: usize = 4096;

/// The maximum size of all strings of a tarball in bytes. Further strings are not kept.
const MAX_BYTES: usize = 16 << 20;

/// How often each string occurs. A string that ends within [`LONGEST`] bytes has its final zero byte.
pub(super) type Strings = BTreeMap<Vec<u8>, u32>;

/// Collects the strings of a file that is read in pieces.
pub(super) struct Scanner<'s> {
    start: &'s Finder<'s>,
    /// Bytes that were read and may be the beginning of a string.
    pending: Vec<u8>,
    strings: Strings,
    /// The number of bytes that the strings of the tarball may still take.
    budget: &'s mut usize,
    is_complete: bool,
}

/// Returns the number of bytes that all strings of one tarball may take.
pub(super) fn budget() -> usize {
    MAX_BYTES
}

/// Returns the text that all prefixes begin with: the first folders of the prefix of this build. The root of the
/// install tree is not known yet, but its layouts have at most four levels.
pub(super) fn start_of_prefixes(prefix: &str) -> Option<String> {
    let names: Vec<&str> = prefix.split('/').filter(|name| !name.is_empty()).collect();
    let kept = names.len().saturating_sub(4).max(1).min(names.len().saturating_sub(1));
    (kept > 0).then(|| format!("/{}", names[..kept].join("/")))
}

impl<'s> Scanner<'s> {
    pub(super) fn new(start: &'s Finder<'s>, budget: &'s mut usize) -> Scanner<'s> {
        Scanner { start, pending: Vec::new(), strings: Strings::new(), budget, is_complete: true }
    }

    /// Reads the next piece of the file.
    pub(super) fn read(&mut self, piece: &[u8]) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.extend_from_slice(piece);
        // A string that begins close to the end of a piece may continue in the next.
        let reach = self.start.needle().len() + LONGEST;
        if let Some(end) = pending.len().checked_sub(reach) {
            let done = self.collect(&pending, end);
            pending.drain(..done);
        }
        self.pending = pending;
    }

    /// Returns the strings, and whether they are complete.
    pub(super) fn finish(mut self) -> (Strings, bool) {
        let pending = std::mem::take(&mut self.pending);
        self.collect(&pending, pending.len());
        (self.strings, self.is_complete)
    }

    /// Collects the strings that begin before `end`, and returns where to continue.
    fn collect(&mut self, bytes: &[u8], end: usize) -> usize {
        let mut from = 0;
        while from < end
            && let Some(found) = self.start.find(&bytes[from..])
        {
            let at = from + found;
            if at >= end {
                break;
            }
            let string = string_at(bytes, at);
            from = at + self.start.needle().len();
            if let Some(count) = self.strings.get_mut(string) {
                *count += 1;
            } else if let Some(left) = self.budget.checked_sub(string.len() + 64) {
                *self.budget = left;
                self.strings.insert(string.to_vec(), 1);
            } else {
                self.is_complete = false;
            }
        }
        from.max(end)
    }
}

/// Returns the string at a position, with its final zero byte if that is not too far away.
fn string_at(bytes: &[u8], at: usize) -> &[u8] {
    let rest = &bytes[at..bytes.len().min(at + LONGEST)];
    let end = memchr::memchr(0, rest).map_or(rest.len(), |end| end + 1);
    &rest[..end]
}

/// Returns the paths that Spack replaces in place in a file: those in its strings, except in the values that Spack
/// rewrites (run paths, separated by `:`, and the interpreter). Each of these values occurs `copies` times.
pub(super) fn uses(
    strings: &Strings,
    rewritten: &[&str],
    copies: u32,
    moved: &Relocation,
) -> BTreeSet<PathUse> {
    let mut counts = strings.clone();
    for value in rewritten {
        let mut at = 0;
        for entry in value.split(':') {
            if use_of(entry.as_bytes(), moved).is_some() {
                let mut string = value.as_bytes()[at..].to_vec();
                string.push(0);
                string.truncate(LONGEST);
                if let Some(count) = counts.get_mut(&string) {
                    *count = count.saturating_sub(copies);
                    if *count == 0 {
                        counts.remove(&string);
                    }
                }
            }
            at += entry.len() + 1;
        }
    }
    counts.keys().filter_map(|string| use_of(string, moved)).collect()
}

/// Returns the path at the beginning of a string, if Spack moves it. Prefixes are looked for before the root.
fn use_of(string: &[u8], moved: &Relocation) -> Option<PathUse> {
    let after = |path: &str| string.strip_prefix(path.as_bytes()).filter(|_| !path.is_empty());
    let of_build = |(&hash, path): (&Hash, &String)| Some((Some(hash), after(path)?));
    let (build, rest) =
        moved.prefixes.iter().find_map(of_build).or_else(|| Some((None, after(&moved.root)?)))?;
    let end = rest.iter().take(usize::from(SAFE_SUFFIX)).position(|&byte| byte == 0);
    Some(PathUse { build, suffix: end.map(|end| end as u8) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "23dhitblzvsolk24z4rg7kcxo3pvrqhu";

    fn moved() -> Relocation {
        let prefixes = [(HASH.parse().expect("a hash"), "/o/s/linux/a-1".to_owned())].into();
        Relocation { root: "/o/s".to_owned(), prefixes, ..Relocation::default() }
    }

    fn scan(pieces: &[&[u8]]) -> (Strings, bool) {
        let (start, mut budget) = (Finder::new("/o"), budget());
        let mut scanner = Scanner::new(&start, &mut budget);
        pieces.iter().for_each(|piece| scanner.read(piece));
        scanner.finish()
    }

    #[track_caller]
    fn check(bytes: &[u8], rewritten: &[&str], expected: &[(bool, Option<u8>)]) {
        let (strings, is_complete) = scan(&[bytes]);
        assert!(is_complete);
        let found = uses(&strings, rewritten, 1, &moved());
        let found: Vec<_> = found.iter().map(|it| (it.build.is_some(), it.suffix)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn finds_paths_that_are_moved() {
        check(b"\0/o/s\0", &[], &[(false, Some(0))]);
        check(b"/o/s", &[], &[(false, None)]);
        check(b"\0/o/s/abcde\0/o/s/abcdef\0", &[], &[(false, None), (false, Some(6))]);
        let options = b"-L/o/s/linux/a-1/lib -L/o/s/linux/b-1/lib\0";
        check(options, &[], &[(false, None), (true, None)]);
    }

    #[test]
    fn leaves_out_what_is_written_anew() {
        let rpath = "/o/s/linux/a-1/lib:/o/s/linux/b-1/lib:/usr/lib";
        check(format!("\0{rpath}\0").as_bytes(), &[rpath], &[]);
        check(format!("\0{rpath}\0{rpath}\0").as_bytes(), &[rpath], &[(false, None), (true, None)]);
        // Spack only moves what begins with a prefix.
        check(b"\0x/o/s\0", &["x/o/s"], &[(false, Some(0))]);
    }

    #[test]
    fn finds_the_same_in_pieces_of_any_size() {
        let mut bytes = vec![b'x'; 40_000];
        for (at, text) in
            [(0, "/o/s\0"), (7_000, "/o/s/y\0"), (16_380, "/o/s/1\0"), (39_990, "/o/s/zz")]
        {
            bytes[at..at + text.len()].copy_from_slice(text.as_bytes());
        }
        let whole = scan(&[&bytes]);
        assert_eq!(whole.0.len(), 4);
        for size in [1, 2, 3, 100, 4_096, 4_099, 8_192, 9_000, 30_000] {
            let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
            assert_eq!(scan(&pieces), whole, "{size}");
        }
    }

    #[test]
    fn knows_what_every_prefix_begins_with() {
        #[track_caller]
        fn check(prefix: &str, expected: Option<&str>) {
            assert_eq!(start_of_prefixes(prefix).as_deref(), expected);
        }
        check("opt/spack/linux-zen3/zlib-1.3-abc", Some("/opt"));
        check("home/me/spack/opt/spack/linux-zen3/zlib-1.3-abc", Some("/home/me/spack"));
        check("opt/zlib", Some("/opt"));
        check("zlib", None);
    }
}
