//! The records of a database: reading them one by one, and putting them in order.

use cache_index::build::{Build, Hash, Place};
use cache_index::index::Packer;
use cache_index::sorting;
use foldhash::HashMap;
use std::borrow::Cow;

use super::known_fields::KnownFields;
use super::record::read_record;
use super::scan::{Batch, Outline};
use crate::builds_by_thread::{BuildsByThread, ThreadBuild, ThreadBuilds, in_order};
use crate::database_version::NEWEST_VERSION;
use crate::fields::{Problems, field, json_finding};
use crate::foreign::ForeignFile;
use crate::problem::{Finding, Notes, Position, Problem, Record, quote};
use crate::read::Read;
use crate::value::{Text, Value};
use crate::visible::write_visibly;

/// The records of a database, read in batches on any number of threads.
#[derive(Debug, Default)]
pub struct Records(BuildsByThread<State>);

/// The state of a thread besides its builds.
#[derive(Debug, Default)]
struct State {
    known: KnownFields,
    /// What was found in each batch, with the number of its first record.
    found: Vec<(usize, Vec<Problem>, Notes)>,
    /// `true` if the packer may have values of records that cannot be used.
    has_leftovers: bool,
    /// `true` if a record has a field that only the database of an installation has.
    is_of_installation: bool,
}

/// The builds of a database, without duplicate hashes.
#[derive(Debug, Default)]
pub(crate) struct Builds {
    /// The builds of each thread.
    pub(crate) packers: Vec<Packer>,
    /// Their order in the file.
    pub(crate) order: Vec<ThreadBuild>,
    /// `true` if the packers may also have values of other builds.
    pub(crate) has_leftovers: bool,
}

impl Records {
    /// Reads the records of a batch, and returns how many can be used. Those with a binary are put in `place`.
    pub fn read(&self, batch: &Batch, place: &Place) -> usize {
        self.0.with(|thread| read(batch, place, thread))
    }

    /// Puts all records in order. Returns the version of the database's format, and the builds without duplicate
    /// hashes.
    pub(crate) fn finish(self, outline: Outline) -> (Read<u32>, Builds) {
        let mut threads = self.0.into_threads();
        let mut order = in_order(&threads);
        let mut found: Vec<_> =
            threads.iter_mut().flat_map(|thread| thread.memory.found.drain(..)).collect();
        sorting::sort_by_key(&mut found, |(first, ..)| *first);
        let Outline { version, is_whole, mut problems, mut notes } = outline;
        let stated = problems.len();
        for (_, problems_of_batch, notes_of_batch) in found {
            problems.extend(problems_of_batch);
            notes.extend(notes_of_batch);
        }
        let version = version.unwrap_or(NEWEST_VERSION);
        if version > NEWEST_VERSION
            && order.is_empty()
            && let Some(problem) = problems.get(stated)
        {
            let finding = Finding::DatabaseTooNew { version, message: problem.finding.to_string() };
            let at = Position { field: problem.at.field.clone(), ..Position::default() };
            problems.truncate(stated);
            problems.push(Problem { at, finding });
            let read = Read { value: None, problems, notes: Notes::default() };
            return (read, Builds::default());
        }
        if order.is_empty() && threads.iter().any(|thread| thread.memory.is_of_installation) {
            let finding = Finding::Foreign(ForeignFile::Installation);
            problems.truncate(stated);
            problems.push(Problem { at: Position::default(), finding });
            let read = Read { value: None, problems, notes: Notes::default() };
            return (read, Builds::default());
        }
        let has_leftovers = threads.iter().any(|thread| thread.memory.has_leftovers);
        let packers: Vec<Packer> = threads.into_iter().map(|thread| thread.builds).collect();
        // The number of the record of each hash.
        let mut seen: HashMap<Hash, u64> = HashMap::default();
        order.retain(|&ThreadBuild { key, thread, build }| {
            let hash = packers[thread].hash(build);
            let first = *seen.entry(hash).or_insert(key);
            if first != key {
                let record = Some(Record { number: key as usize, hash: hash.to_string() });
                let at = Position { record, ..Position::default() };
                let finding = Finding::RepeatedHash { first: first as usize, difference: None };
                problems.push(Problem { at, finding });
            }
            first == key
        });
        let read = Read { value: is_whole.then_some(version), problems, notes };
        (read, Builds { packers, order, has_leftovers })
    }
}

/// Reads the records of a batch.
fn read(batch: &Batch, place: &Place, thread: &mut ThreadBuilds<State>) -> usize {
    let ThreadBuilds { builds, keys, memory } = thread;
    let State { known, found, has_leftovers, is_of_installation } = memory;
    let before = keys.len();
    let mut problems = Problems::default();
    known.begin(batch.version, place);
    for entry in &batch.entries {
        let (key, value) = (&batch.bytes[entry.key.clone()], &batch.bytes[entry.value.clone()]);
        let parts = known.parts(key, value, builds);
        if parts.as_ref().is_some_and(|parts| known.add(parts, builds)) {
            keys.push(entry.number as u64);
            continue;
        }
        let key = match serde_json::from_slice::<Text<'_>>(key) {
            Ok(Text(key)) => key,
            Err(_) => String::from_utf8_lossy(key),
        };
        let record = Record { number: entry.number, hash: key.to_string() };
        problems.record = Some(record.clone());
        let build = match Value::of_json(value) {
            Ok(value) => {
                *is_of_installation |= field(&value, "installed").is_some();
                read_one(key, value, batch.version, place, &mut problems)
            }
            Err(error) => {
                let at = position(batch, entry.value.start, &error);
                problems.report_at(Position { record: Some(record), ..at }, json_finding(&error));
                None
            }
        };
        let is_expected = !problems.has_pending_notes();
        problems.end_record(build.is_some());
        *has_leftovers |= build.is_none();
        if let Some(mut build) = build {
            write_visibly(&mut build);
            builds.push(&build);
            keys.push(entry.number as u64);
            if let Some(parts) = parts
                && is_expected
            {
                known.learn(&parts, builds.codes(builds.len() - 1));
            }
        }
    }
    let Read { problems, notes, .. } = problems.read(Some(()));
    if !(problems.is_empty() && notes.is_empty()) {
        found.push((batch.entries.first().map_or(0, |entry| entry.number), problems, notes));
    }
    keys.len() - before
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
