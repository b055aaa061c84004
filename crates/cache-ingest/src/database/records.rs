//! The records of a batch: reading them one by one, and combining the results.

use cache_index::build::{Build, Hash, Place};
use foldhash::HashMap;
use std::borrow::Cow;

use super::NEWEST_VERSION;
use super::record::read_record;
use super::scan::{Batch, Outline};
use crate::fields::{Problems, json_finding};
use crate::problem::{Finding, Notes, Position, Problem, Record, quote};
use crate::read::Read;
use crate::value::{Text, Value};

/// The contents of a batch of records.
#[derive(Debug)]
pub struct Records {
    /// Each build with the number of its record, in the order of the file.
    builds: Vec<(usize, Build)>,
    problems: Vec<Problem>,
    notes: Notes,
}

/// Reads the records of a batch.
pub(super) fn read(batch: &Batch, place: &Place) -> Records {
    let mut problems = Problems::default();
    let mut builds = Vec::with_capacity(batch.entries.len());
    for entry in &batch.entries {
        let key = match serde_json::from_slice::<Text<'_>>(&batch.bytes[entry.key.clone()]) {
            Ok(Text(key)) => key,
            Err(_) => String::from_utf8_lossy(&batch.bytes[entry.key.clone()]),
        };
        let record = Record { number: entry.number, hash: key.to_string() };
        problems.record = Some(record.clone());
        let build = match serde_json::from_slice(&batch.bytes[entry.value.clone()]) {
            Ok(value) => read_one(key, value, batch.version, place, &mut problems),
            Err(error) => {
                let at = position(batch, entry.value.start, &error);
                problems.report_at(Position { record: Some(record), ..at }, json_finding(&error));
                None
            }
        };
        problems.end_record(build.is_some());
        builds.extend(build.map(|build| (entry.number, build)));
    }
    let Read { problems, notes, .. } = problems.read(Some(()));
    Records { builds, problems, notes }
}

fn read_one(
    key: Cow<'_, str>,
    value: Value<'_>,
    version: Option<u32>,
    place: &Place,
    problems: &mut Problems,
) -> Option<Build> {
    match key.parse::<Hash>() {
        Ok(hash) => read_record(hash, value, version, place, problems),
        Err(error) => {
            problems.report("", Finding::BadHash { found: quote(&key), error });
            None
        }
    }
}

/// Returns where in the file the JSON reader stopped in a record.
fn position(batch: &Batch, start: usize, error: &serde_json::Error) -> Position {
    let bytes = &batch.bytes[start..];
    let line = match error.line().saturating_sub(1) {
        0 => 0,
        lines => memchr::memchr_iter(b'\n', bytes).nth(lines - 1).map_or(0, |end| end + 1),
    };
    let offset = (line + error.column().saturating_sub(1)).min(bytes.len());
    batch.position(start + offset)
}

/// A database that is assembled from its batches.
#[derive(Debug, Default)]
pub struct Assembly {
    /// The number of the record of each hash.
    seen: HashMap<Hash, usize>,
    problems: Vec<Problem>,
    notes: Notes,
}

impl Assembly {
    /// Adds the records of the next batch and returns their builds, without duplicate hashes.
    pub fn take(&mut self, records: Records) -> Vec<Build> {
        self.problems.extend(records.problems);
        self.notes.extend(records.notes);
        let mut builds = Vec::with_capacity(records.builds.len());
        for (number, build) in records.builds {
            let first = *self.seen.entry(build.hash).or_insert(number);
            if first == number {
                builds.push(build);
            } else {
                let record = Some(Record { number, hash: build.hash.to_string() });
                let at = Position { record, ..Position::default() };
                let finding = Finding::RepeatedHash { first, difference: None };
                self.problems.push(Problem { at, finding });
            }
        }
        builds
    }

    /// Finishes the database, and returns the version of its format.
    pub fn finish(self, outline: Outline) -> Read<u32> {
        let version = outline.version.unwrap_or(NEWEST_VERSION);
        if version > NEWEST_VERSION
            && self.seen.is_empty()
            && let Some(problem) = self.problems.first()
        {
            let finding = Finding::DatabaseTooNew { version, message: problem.finding.to_string() };
            let at = Position { field: problem.at.field.clone(), ..Position::default() };
            let problems = [outline.problems, vec![Problem { at, finding }]].concat();
            return Read { value: None, problems, notes: Notes::default() };
        }
        let problems = [outline.problems, self.problems].concat();
        let mut notes = outline.notes;
        notes.extend(self.notes);
        Read { value: outline.is_whole.then_some(version), problems, notes }
    }
}
