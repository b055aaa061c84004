//! Properties of the readers of Spack's files.

use std::io::Read as _;

use cache_index::build::{Build, Place};
use cache_index::index::{About, BuildId, pack};
use cache_ingest::compression::RATIO;
use cache_ingest::{Notes, Problem, Read, decompress, kind, read_database, read_page};

use crate::assert_is_message;

/// A cache page is rejected with a message, and the index returns the builds that are valid.
pub fn page(bytes: &[u8]) {
    let _ = kind(bytes);
    let text = String::from_utf8_lossy(bytes);
    let Read { value, problems, notes } = read_page(&text);
    are_messages(value.is_some(), &problems, &notes);
    are_given_back(value.map_or(Vec::new(), |page| page.builds));
}

/// A database file is rejected with a message, and the index returns the builds that are valid.
pub fn database(bytes: &[u8]) {
    let _ = kind(bytes);
    let place = Place::whole_release("develop");
    let Read { value, problems, notes } = read_database(bytes, &place);
    are_messages(value.is_some(), &problems, &notes);
    are_given_back(value.map_or(Vec::new(), |database| database.builds));
}

/// A stream is rejected with a message, or is read to its end without exceeding the permitted ratio.
pub fn stream(bytes: &[u8]) {
    let mut text = Vec::new();
    let read = decompress(bytes).and_then(|mut reader| reader.read_to_end(&mut text));
    if let Err(error) = read {
        assert_is_message(&error.to_string());
    }
    assert!(text.len() as u64 <= 32_000_000 + RATIO * bytes.len() as u64);
}

fn are_messages(is_read: bool, problems: &[Problem], notes: &Notes) {
    assert!(is_read || !problems.is_empty(), "rejected without a message");
    for problem in problems {
        assert_is_message(&problem.to_string());
        assert_is_message(&problem.kind());
    }
    notes.iter().for_each(|(novelty, _)| assert_is_message(&novelty.to_string()));
}

fn are_given_back(mut builds: Vec<Build>) {
    let index = match pack(About::default(), builds.iter().cloned()) {
        Ok(index) => index,
        Err(error) => return assert_is_message(&error.to_string()),
    };
    let mut packed: Vec<Build> =
        (0..index.specs()).filter_map(|id| index.build(BuildId(id))).collect();
    packed.sort_by_key(|build| build.hash);
    builds.sort_by_key(|build| build.hash);
    assert_eq!(packed.len(), builds.len());
    packed.iter().zip(&builds).for_each(|(packed, build)| assert_eq!(packed, build));
}
