//! `inspect`: what is in the binaries of mirrors.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use cache_index::build::Hash;
use cache_index::facts::{Facts, Object};
use cache_index::number::counted;
use cache_ingest::binary::{Binary, BinaryError, read_binary, read_prefix};
use cache_ingest::digest::Sha256Text;
use cache_ingest::mirror::BinaryFile;
use cache_ingest::problem::{Position, Record};
use clap::Args;
use serde_json::{Map, Value, json};

use crate::inputs::InputArguments;
use crate::inspect::{Place, SavedFacts, places};
use crate::output::{Kind, Output, may_write};
use crate::parallel::in_order_on;
use crate::progress::Progress;
use crate::report::{Failure, Report, print};

/// How many binaries are read at once: each takes up to about 40 MB of memory.
const AT_ONCE: usize = 6;

/// How much of a binary is read for its prefix, in bytes.
const BEGINNING: u64 = 64 << 10;

/// The delay before each retry of a binary on another machine.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// Look into the binaries of mirrors: files, what programs and libraries need, and where they can be installed
///
/// Each binary is read once, as a stream: nothing is unpacked, or copied to the disk. A binary that cannot be used is a
/// problem of its build, and the others are read all the same. `why`, `check` and `search` take the facts with --facts.
///
/// A run that is interrupted keeps what it has, in the output file with `.part` after its name, and the next one goes on
/// from there.
#[derive(Args)]
#[command(group = clap::ArgGroup::new("result").required(true).multiple(true))]
pub(crate) struct Inspect {
    #[command(flatten)]
    inputs: InputArguments,

    /// Where to write the facts.
    #[arg(short, long, value_name = "FILE", group = "result")]
    output: Option<PathBuf>,

    /// Facts that were written before: binaries with the same digest are not read again. The output can be named here too,
    /// before it is written for the first time.
    #[arg(long, value_name = "FILE", requires = "output")]
    known: Option<PathBuf>,

    /// Print a line of JSON for each build.
    #[arg(long, group = "result")]
    json: bool,

    /// Read only the beginning of each binary, which shows the prefix that it was built in and nothing else.
    #[arg(long)]
    quick: bool,
}

/// A binary, and all builds that have it.
struct Work<'p> {
    place: &'p Place<'p>,
    file: &'p BinaryFile,
    builds: Vec<Hash>,
}

impl Inspect {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failure> {
        if let Some(output) = &self.output {
            let facts = |path: &Path| Output::new(path, Kind::Facts, "--output");
            may_write(&[facts(output), facts(&SavedFacts::part(output))], self.inputs.paths())?;
        }
        let found = self.inputs.find(report);
        let places = places(&found, report);
        if report.has_errors() || (places.is_empty() && report.has_problems()) {
            return Err(Failure::Reported("nothing was read".to_owned()));
        }
        let mut saved = match &self.output {
            Some(output) => Some(SavedFacts::open(output, self.known.as_deref(), self.quick)?),
            None => None,
        };
        let mut work = work(&places);
        let mut builds: Vec<(Hash, String)> = Vec::new();
        let known = |work: &Work<'_>| {
            let digest = digest_text(&work.file.stated.as_ref()?.digest);
            saved.as_ref().is_some_and(|saved| saved.knows(&digest)).then_some(digest)
        };
        let mut read_before = 0;
        work.retain(|one| match known(one) {
            Some(digest) => {
                builds.extend(one.builds.iter().map(|hash| (*hash, digest.clone())));
                read_before += 1;
                false
            }
            None => true,
        });
        if let (true, Some(saved), false) = (self.json, &saved, builds.is_empty()) {
            let facts = saved.earlier()?;
            for (hash, digest) in &builds {
                if let Some(facts) = facts.of_digest(digest) {
                    print_line(*hash, digest, facts)?;
                }
            }
        }
        let bytes = work.iter().filter_map(|one| one.place.length(one.file)).sum();
        let progress = Progress::over(bytes);
        let (mut done, mut usable, all, quick) = (0, 0, work.len(), self.quick);
        let mut failed: Option<Failure> = None;
        in_order_on(
            AT_ONCE,
            |each| work.iter().for_each(each),
            |one| (one, read(one, quick, &progress)),
            |(one, read)| {
                done += 1;
                progress.reading(&format!("{done} of {}", counted(all, "binary", "binaries")));
                match read {
                    Ok(Binary { digest, facts }) => {
                        usable += 1;
                        let digest = digest_text(&digest);
                        builds.extend(one.builds.iter().map(|hash| (*hash, digest.clone())));
                        let added = saved.as_mut().map(|saved| saved.add(&digest, &facts));
                        let mut printed = one.builds.iter().filter(|_| self.json);
                        let printed: Result<(), Failure> =
                            printed.try_for_each(|hash| print_line(*hash, &digest, &facts));
                        if let Err(error) = added.transpose().map_err(Failure::from).and(printed) {
                            failed.get_or_insert(error);
                        }
                    }
                    Err(error) => {
                        for hash in &one.builds {
                            report_unusable(one, *hash, &error, report);
                        }
                    }
                }
            },
        );
        progress.finish();
        if let Some(failed) = failed {
            return Err(failed);
        }
        // The mirror cannot be read now. What was found in it before must not be lost.
        if saved.is_some() && builds.is_empty() && report.has_problems() {
            return Err(Failure::Reported(
                "no binary can be used, so nothing was written".to_owned(),
            ));
        }
        if let (Some(saved), Some(output)) = (saved, &self.output) {
            builds.sort_unstable();
            let written = saved.finish(&builds)?;
            let written = counted(written, "build", "builds");
            let new = counted(usable, "binary read", "binaries read");
            if !self.json {
                print(format_args!(
                    "{}: facts of {written}; {new}, {read_before} known before",
                    output.display()
                ));
            }
        }
        match report.has_problems() {
            true => Err(Failure::Reported("some binaries cannot be used".to_owned())),
            false => Ok(()),
        }
    }
}

/// Reads a binary, and retries if the error may be temporary.
fn read(work: &Work<'_>, quick: bool, progress: &Progress) -> Result<Binary, BinaryError> {
    let mut waits = WAITS.iter();
    loop {
        let outcome = read_once(work, quick, progress);
        let may_pass = match &outcome {
            Err(BinaryError::Unreadable { .. } | BinaryError::CutOff) => {
                work.place.may_succeed_later()
            }
            _ => false,
        };
        match waits.next().filter(|_| may_pass) {
            Some(wait) => thread::sleep(*wait),
            None => return outcome,
        }
    }
}

fn read_once(work: &Work<'_>, quick: bool, progress: &Progress) -> Result<Binary, BinaryError> {
    let first = quick.then_some(BEGINNING);
    let input = work.place.open(work.file, first)?.ok_or(BinaryError::Absent)?;
    let input = progress.count(input);
    if !quick {
        return read_binary(input, work.file.stated.as_ref());
    }
    let facts = Facts {
        size: work.place.length(work.file).unwrap_or_default(),
        prefix: read_prefix(input)?,
        is_partial: true,
        ..Facts::default()
    };
    match &work.file.stated {
        Some(stated) => Ok(Binary { digest: stated.digest.clone(), facts }),
        None => Err(BinaryError::Unreadable {
            message: "its digest is not stated, so all of it must be read".to_owned(),
        }),
    }
}

/// Returns the binaries to read, each once.
fn work<'p>(places: &'p [Place<'p>]) -> Vec<Work<'p>> {
    let mut by_digest: BTreeMap<&Sha256Text, usize> = BTreeMap::new();
    let mut met: BTreeSet<(Hash, Option<&Sha256Text>)> = BTreeSet::new();
    let mut work: Vec<Work<'p>> = Vec::new();
    for place in places {
        for file in &place.binaries {
            let digest = file.stated.as_ref().map(|stated| &stated.digest);
            if digest.is_some() && !met.insert((file.hash, digest)) {
                continue;
            }
            match digest.and_then(|digest| by_digest.get(digest)) {
                Some(&at) => work[at].builds.push(file.hash),
                None => {
                    if let Some(digest) = digest {
                        by_digest.insert(digest, work.len());
                    }
                    work.push(Work { place, file, builds: vec![file.hash] });
                }
            }
        }
    }
    work
}

fn digest_text(digest: &Sha256Text) -> String {
    format!("sha256:{}", digest.as_str())
}

fn report_unusable(work: &Work<'_>, hash: Hash, error: &BinaryError, report: &mut Report) {
    let record = Some(Record { number: 0, hash: hash.to_string() });
    let at = Position { file: work.file.path.clone(), record, ..Position::default() };
    report.of_binary(&work.place.label, &at, true, error.to_string(), Map::new());
}

/// Prints what was found in the binary of a build. It is not an error if the receiver stops reading early.
fn print_line(hash: Hash, digest: &str, facts: &Facts) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let line = line(hash, digest, facts);
    serde_json::to_writer(&mut out, &line).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}

fn line(hash: Hash, digest: &str, facts: &Facts) -> Value {
    let files = facts.files.iter().map(|entry| {
        json!({
            "path": entry.path,
            "type": entry.kind,
            "size": entry.size,
            "mode": entry.mode,
            "target": entry.target,
        })
    });
    let object = |object: &Object| {
        json!({
            "path": object.path,
            "machine": object.machine,
            "soname": object.soname,
            "needed": object.needed,
            "rpath": object.rpath,
            "requires": object.requires,
            "isa": object.isa,
        })
    };
    let relocation = &facts.relocation;
    json!({
        "hash": hash,
        "digest": digest,
        "size": facts.size,
        "unpacked": facts.unpacked,
        "prefix": facts.prefix,
        "files": files.collect::<Vec<_>>(),
        "objects": facts.objects.iter().map(object).collect::<Vec<_>>(),
        "relocation": {
            "binaries": relocation.binaries,
            "text": relocation.text,
            "links": relocation.links,
        },
    })
}
