//! Files that only some visits need, and that the page's loader fetches on demand.
//!
//! A page that has them has `data-later` on its loader. In a sealed page, its value identifies the build:
//! the loader requests `open.js?…`, so that files of different builds are never combined.

use sha2::{Digest as _, Sha256};
use wasmparser::{Parser, Payload};

/// The script that runs in the page, and opens caches from the user's files.
pub(super) const OPEN: &str = "open.js";

/// The scripts that run in the worker: the reader's glue, and the script that receives the files.
pub(super) const WORKER: [&str; 2] = ["reader.js", "reader-worker.js"];

/// The first of the reader's modules, which names the others.
const FIRST: &str = "reader_bg.wasm";

/// The attribute of the loader that says that the page has these files.
pub(super) const ATTRIBUTE: &str = "data-later";

/// Returns `true` if a page has these files. Trunk writes an attribute without a value as its name alone.
pub(crate) fn has_later(html: &str) -> bool {
    html.contains(" data-later")
}

/// Returns all of these files by name; `read` reads one. The first of the reader's modules has a custom section `parts` with
/// a line for each of the others (`crates/split`), unless it is the complete reader.
pub(crate) fn files<E>(
    read: &dyn Fn(&str) -> Result<Vec<u8>, E>,
) -> Result<Vec<(String, Vec<u8>)>, E> {
    let first = read(FIRST)?;
    let scripts = [OPEN, WORKER[0], WORKER[1]].map(str::to_owned);
    let mut files = Vec::new();
    for name in scripts.into_iter().chain(parts(&first)) {
        let bytes = read(&name)?;
        files.push((name, bytes));
    }
    files.push((FIRST.to_owned(), first));
    Ok(files)
}

/// Returns the names of the other modules, which the first one lists.
fn parts(first: &[u8]) -> Vec<String> {
    let sections = Parser::new(0).parse_all(first).map_while(Result::ok);
    let mut lines = sections.filter_map(|section| match section {
        Payload::CustomSection(section) if section.name() == "parts" => Some(section.data()),
        _ => None,
    });
    let lines = String::from_utf8_lossy(lines.next().unwrap_or_default());
    let names = lines.lines().filter_map(|line| line.split(' ').next());
    names.map(|name| format!("reader_{name}.wasm")).collect()
}

/// Returns an id of the build that the files belong to, derived from their contents.
pub(crate) fn build_name(files: &[(String, Vec<u8>)]) -> String {
    let mut digest = Sha256::new();
    for (_, bytes) in files {
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    }
    let mut name = format!("{:x}", digest.finalize());
    name.truncate(16);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a module without code that has these custom sections.
    fn module(sections: &[(&str, &str)]) -> Vec<u8> {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        for (name, contents) in sections {
            let length = 1 + name.len() + contents.len();
            // Longer than needed: some programs write a number in a fixed width, to fill it in later.
            module.extend([0, length as u8 | 0x80, 0, name.len() as u8]);
            module.extend([name.as_bytes(), contents.as_bytes()].concat());
        }
        module
    }

    #[track_caller]
    fn check(first: &[u8], expected: &[&str]) {
        let read = |name: &str| match name {
            FIRST => Ok::<_, ()>(first.to_vec()),
            name => Ok(name.as_bytes().to_vec()),
        };
        let files = files(&read).expect("all can be read");
        let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, [&[OPEN, WORKER[0], WORKER[1]], expected, &[FIRST]].concat());
        assert!(files.iter().all(|(name, bytes)| name == FIRST || name.as_bytes() == bytes));
    }

    #[test]
    fn finds_the_modules_that_the_first_names() {
        check(&module(&[]), &[]);
        check(&module(&[("partsof", "x"), ("producers", "parts")]), &[]);
        check(
            &module(&[("producers", "parts"), ("parts", "cache\nmirror cache\nzstd")]),
            &["reader_cache.wasm", "reader_mirror.wasm", "reader_zstd.wasm"],
        );
    }

    #[test]
    fn survives_a_module_that_is_cut_off() {
        let module = module(&[("producers", "parts"), ("parts", "cache\nzstd")]);
        for end in 0..module.len() {
            check(&module[..end], &[]);
        }
    }

    #[test]
    fn changes_the_name_of_the_build_with_any_file() {
        let name = |bytes: &[u8]| build_name(&[("a".to_owned(), bytes.to_vec())]);
        assert_ne!(name(b"x"), name(b"y"));
        assert_eq!(name(b"x"), name(b"x"));
    }
}
