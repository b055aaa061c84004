//! Reading what Spack writes.

use std::io::Read;

use cache_index::build::{Build, Place};
use cache_index::index::{About, BuildId, pack};
use cache_ingest::compression::RATIO;
use cache_ingest::{Problem, decompress, kind, read_database, read_page};

use crate::assert_is_message;

/// A cache page is refused in words, or an index of its builds returns them unchanged.
pub fn page(bytes: &[u8]) {
    let _ = kind(bytes);
    let text = String::from_utf8_lossy(bytes);
    match read_page(&text) {
        Ok(page) => are_given_back(page.builds),
        Err(problems) => are_told(&problems),
    }
}

/// A database file is refused in words, or an index of its builds returns them unchanged.
pub fn database(bytes: &[u8]) {
    let _ = kind(bytes);
    let place = Place::whole_release("develop");
    match read_database(bytes, &place) {
        Ok(database) => are_given_back(database.builds),
        Err(problems) => are_told(&problems),
    }
}

/// A stream is refused in words, or it is read to its end, and not beyond the ratio it may grow by.
pub fn stream(bytes: &[u8]) {
    let mut text = Vec::new();
    let read = decompress(bytes).and_then(|mut reader| reader.read_to_end(&mut text));
    if let Err(error) = read {
        assert_is_message(&error.to_string());
    }
    assert!(text.len() as u64 <= 32_000_000 + RATIO * bytes.len() as u64);
}

fn are_told(problems: &[Problem]) {
    assert!(!problems.is_empty(), "refused without a word");
    problems.iter().for_each(|problem| assert_is_message(&problem.to_string()));
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
