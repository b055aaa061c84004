//! The property of the readers of a mirror's folder.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use cache_index::build::{Hash, Place};
use cache_ingest::mirror::{
    SpecState, binaries, build_of, carried, check_other_databases, check_spec, is_mirror,
    read_mirror, signable_files, split_signed,
};
use cache_ingest::{Files, Read, find_databases};

use crate::assert_is_message;
use crate::ingest::are_messages;

/// Separates files.
const BETWEEN: u8 = b'\x1e';

/// A folder is read as a mirror, or rejected with messages. Every file that is reported exists in it: those of
/// binaries, of signed texts, and those to carry; and a manifest is read as that of its build, or rejected with
/// messages.
///
/// The bytes are files with the separator U+001E between them; the first line of each is its path.
pub fn mirror(bytes: &[u8]) {
    let folder = Folder::of(bytes);
    let works = "a folder in memory can be read";
    let _ = is_mirror(&folder).expect(works);
    let Read { value, problems, notes } = find_databases(&folder, None);
    are_messages(value.is_some(), &problems, &notes);
    let Read { value, problems, notes } = read_mirror(&folder, &Place::whole_release("develop"));
    are_messages(value.is_some(), &problems, &notes);

    let problems = check_other_databases(&folder).expect(works);
    are_messages(true, &problems, &Default::default());

    let found = binaries(&folder).expect(works);
    are_messages(true, &found.problems, &Default::default());
    let hashes: BTreeSet<Hash> = found.found.iter().map(|binary| binary.hash).collect();
    let list = carried(&folder, &hashes).expect(works);
    list.files.iter().for_each(|file| assert!(folder.0.contains_key(&file.path), "{}", file.path));
    list.unknown.iter().for_each(|words| assert_is_message(words));

    for (hash, file) in signable_files(&folder).expect(works) {
        if let Some(SpecState::Damaged(problem)) = check_spec(&folder, &file, hash).expect(works) {
            assert_is_message(&problem.to_string());
        }
    }
    for (_, file) in signable_files(&folder).expect(works) {
        let text = String::from_utf8_lossy(&folder.0[&file]).into_owned();
        if let Some((_, signature)) = split_signed(&text) {
            assert!(text.ends_with(signature));
        }
        if let Err(problems) = build_of(&folder, &file, &text) {
            are_messages(false, &problems, &Default::default());
        }
    }
}

struct Folder(BTreeMap<String, Vec<u8>>);

impl Folder {
    fn of(bytes: &[u8]) -> Self {
        let file = |bytes: &[u8]| {
            let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
            let content = bytes.get(end + 1..).unwrap_or_default();
            (String::from_utf8_lossy(&bytes[..end]).into_owned(), content.to_vec())
        };
        // Neither folders nor buckets have longer names, and messages name files.
        let is_possible = |(path, _): &(String, Vec<u8>)| path.len() <= 1024;
        Folder(bytes.split(|byte| *byte == BETWEEN).map(file).filter(is_possible).collect())
    }
}

impl Files for Folder {
    fn open(&self, path: &str) -> io::Result<Option<Box<dyn io::Read + '_>>> {
        Ok(self.0.get(path).map(|content| Box::new(&content[..]) as Box<dyn io::Read + '_>))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let is_in = |path: &&String| {
            folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        };
        Ok(self.0.keys().filter(is_in).cloned().collect())
    }

    fn length(&self, path: &str) -> Option<u64> {
        self.0.get(path).map(|content| content.len() as u64)
    }
}
