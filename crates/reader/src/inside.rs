//! Looking into the binaries of the mirrors that a user has chosen, when they ask for it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use cache_index::build::Hash;
use cache_index::index::{FactsTexts, Index, Part, StatedPart, StatedShard, Statement};
use cache_ingest::binary::{Binary, BinaryError, read_binary};
use cache_ingest::digest::{Sha256Text, integrity};
use cache_ingest::inputs::{Inputs, LocalMirror};
use cache_ingest::mirror::{Amount, BinaryFile};
use cache_ingest::problem::{Position, Problem, Record};
use cache_ingest::report::Report;
use serde_json::Map;

use crate::{Bytes, ChosenFiles, DamagedBuild};

/// A mirror that a user has chosen.
struct ChosenMirror<'i, B> {
    label: String,
    mirror: LocalMirror<'i, ChosenFiles<B>>,
    /// Its binaries that were chosen too.
    binaries: Vec<BinaryFile>,
}

/// Finds the binaries that were chosen. The problems of a mirror were reported when it was read.
fn mirrors<B: Bytes>(inputs: &Inputs<ChosenFiles<B>>) -> Vec<ChosenMirror<'_, B>> {
    let machine = &inputs.machine;
    let mut mirrors = Vec::new();
    for input in &inputs.list {
        let label = input.label(machine);
        if let Some(mirror) = LocalMirror::of(machine, input)
            && let Some(files) = mirror.binaries(&label, &mut Report::default())
        {
            let mut binaries = files.found;
            binaries.retain(|file| mirror.has(file));
            mirrors.push(ChosenMirror { label, mirror, binaries });
        }
    }
    mirrors
}

/// Returns how much there is to read, counting identical binaries once.
fn amount<B: Bytes>(mirrors: &[ChosenMirror<'_, B>]) -> Amount {
    let mut amount = Amount::default();
    let mut seen = BTreeSet::new();
    for ChosenMirror { mirror, binaries, .. } in mirrors {
        for file in binaries {
            if file.stated.as_ref().is_none_or(|stated| seen.insert(&stated.digest)) {
                amount += Amount { binaries: 1, bytes: mirror.found_length(file) };
            }
        }
    }
    amount
}

/// Adds what is in the binaries of its mirrors to an index. A binary that cannot be used, or a spec that is damaged, is
/// noted, and the others are read all the same. Returns the builds with such a binary or spec.
#[inline(never)] // Only on request, see `crates/split`.
pub(crate) fn look_inside<B: Bytes>(
    inputs: &Inputs<ChosenFiles<B>>,
    index: &mut Index,
    report: &mut Report,
) -> Vec<DamagedBuild> {
    let mirrors = mirrors(inputs);
    let mut damaged: BTreeSet<Hash> = BTreeSet::new();
    for ChosenMirror { label, mirror, .. } in &mirrors {
        for Problem { at, finding } in mirror.damaged_specs() {
            damaged.extend(at.record.as_ref().and_then(|record| record.hash.parse::<Hash>().ok()));
            report.of_binary(label, &at, false, finding.to_string(), Map::new());
        }
    }
    inputs.machine.begin_inside(amount(&mirrors));
    let mut found = BTreeMap::new();
    let mut builds: BTreeMap<Sha256Text, Hash> = BTreeMap::new();
    for ChosenMirror { label, mirror, binaries } in &mirrors {
        for file in binaries {
            let stated = file.stated.as_ref().map(|stated| &stated.digest);
            let same = stated.and_then(|digest| builds.get(digest));
            if let Some(same) = same.and_then(|build| found.get(build)).cloned() {
                found.insert(file.hash, same);
                continue;
            }
            match read(mirror, file) {
                Ok(Binary { digest, facts }) => {
                    builds.insert(digest, file.hash);
                    found.insert(file.hash, index.binary_facts(&facts));
                }
                // One note covers all binaries that are not there.
                Err(BinaryError::Absent) => {}
                Err(error) => {
                    damaged.insert(file.hash);
                    note(label, file, &error, report);
                }
            }
            inputs.machine.end_of_binary();
        }
    }
    index.take_binaries(&found);
    damaged.into_iter().filter_map(|hash| DamagedBuild::of(index, hash)).collect()
}

fn read<B: Bytes>(
    mirror: &LocalMirror<'_, ChosenFiles<B>>,
    file: &BinaryFile,
) -> Result<Binary, BinaryError> {
    let input = match mirror.open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        opened => opened?,
    };
    let input = input.ok_or(BinaryError::Absent)?;
    read_binary(input, file.stated.as_ref())
}

fn note(label: &str, file: &BinaryFile, error: &BinaryError, report: &mut Report) {
    let record = Some(Record { number: 0, hash: file.hash.to_string() });
    let at = Position { file: file.path.clone(), record, ..Position::default() };
    report.of_binary(label, &at, false, error.to_string(), Map::new());
}

/// Returns the scripts of a page with these texts about binaries, each with its id: the parts, their shards, and the statement
/// by which the page knows that they are there.
#[inline(never)] // Only on request, see `crates/split`.
pub(crate) fn scripts(facts: &FactsTexts) -> Vec<(String, String)> {
    let FactsTexts { by_build, contents, files } = facts;
    let state = |text: &str| StatedPart::of(text, integrity(text.as_bytes()), None);
    let lists = [
        (Part::Facts, by_build.clone()),
        (Part::Contents, StatedShard::write_list(contents, |_, text| state(text))),
        (Part::Files, StatedShard::write_list(files, |_, text| state(text))),
    ];
    let mut statement = Statement::default();
    let mut scripts = Vec::new();
    for (part, text) in lists {
        statement.set(part, state(&text));
        scripts.push((part.id().to_owned(), text));
    }
    let shards = contents.iter().map(|shard| &shard.text).enumerate();
    scripts.extend(shards.map(|(at, text)| (Part::Contents.shard_id(at), text.clone())));
    let shards = files.iter().map(|shard| &shard.text).enumerate();
    scripts.extend(shards.map(|(at, text)| (Part::Files.shard_id(at), text.clone())));
    scripts.push((Statement::ID.to_owned(), statement.to_json()));
    scripts
}
