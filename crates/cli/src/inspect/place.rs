//! The mirrors whose binaries are looked into, and how a binary is opened: as a stream, and never as a copy on the disk.

use std::collections::BTreeSet;
use std::io::{self, Read};

use cache_index::build::Build;
#[cfg(feature = "fetch")]
use cache_index::file_names::manifest_path;
use cache_ingest::inputs::{
    DatabaseFile, Input, LocalMirror, Location, NameAndUrl, NameSource, Repository,
};
#[cfg(feature = "fetch")]
use cache_ingest::inputs::{Machine as _, binaries_in_registry};
#[cfg(feature = "fetch")]
use cache_ingest::mirror::binary_of;
use cache_ingest::mirror::{BinaryFile, BinaryFiles};
use cache_ingest::oci::Address;
#[cfg(feature = "fetch")]
use cache_ingest::problem::{Finding, Position, Problem, Record};

use crate::inputs::Inputs;
use crate::machine::Disk;
#[cfg(feature = "fetch")]
use crate::machine::{Remote, Web};
use crate::report::Report;

/// A mirror, and its binaries.
pub(crate) struct Place<'f> {
    /// Its name in messages.
    pub(crate) label: String,
    /// Its binaries.
    pub(crate) binaries: Vec<BinaryFile>,
    source: Source<'f>,
}

enum Source<'f> {
    Local(LocalMirror<'f, Disk>),
    #[cfg(feature = "fetch")]
    Web(Web<'f>),
    #[cfg(feature = "fetch")]
    Registry(Remote<'f>),
}

impl Place<'_> {
    /// Opens a binary, or only its first bytes if a number is given.
    pub(crate) fn open(
        &self,
        file: &BinaryFile,
        first: Option<u64>,
    ) -> io::Result<Option<Box<dyn Read + '_>>> {
        match &self.source {
            Source::Local(mirror) => mirror.open(file),
            #[cfg(feature = "fetch")]
            Source::Web(web) => web.stream(&file.path, first),
            #[cfg(feature = "fetch")]
            Source::Registry(remote) => remote.stream(&file.path, first),
        }
        .map(|file| match (file, first) {
            (Some(file), Some(first)) => Some(Box::new(file.take(first)) as _),
            (file, _) => file,
        })
    }

    /// Returns the length of a binary, if it is known.
    pub(crate) fn length(&self, file: &BinaryFile) -> Option<u64> {
        match &self.source {
            Source::Local(mirror) => Some(mirror.length(file)),
            #[cfg(feature = "fetch")]
            _ => file.stated.as_ref()?.length,
        }
    }

    /// Returns `true` if a binary that could not be read may be readable on another try.
    pub(crate) fn may_succeed_later(&self) -> bool {
        !matches!(self.source, Source::Local(_))
    }
}

/// Finds the binaries of all inputs.
pub(crate) fn places<'f>(inputs: &'f Inputs, report: &mut Report) -> Vec<Place<'f>> {
    let mut places = Vec::new();
    let mut seen = BTreeSet::new();
    let mut builds = None;
    let machine = &inputs.machine;
    for input in &inputs.list {
        let label = input.label(machine);
        let place = match input {
            Input::Repository(Repository { location: Location::Url(url), .. }) => {
                in_registry(machine, url, &label, report)
            }
            Input::Database(DatabaseFile {
                location: Location::Url(_),
                naming: NameSource::Own(NameAndUrl { url: Some(url), .. }),
                ..
            }) if seen.insert(url) => on_web(inputs, url, &mut builds, report),
            // A view of the same mirror has the same binaries.
            Input::Database(DatabaseFile {
                location: Location::Url(_),
                naming: NameSource::Own(NameAndUrl { url: Some(_), .. }),
                ..
            }) => None,
            input => match LocalMirror::of(machine, input) {
                Some(mirror) => locally(mirror, &label, report),
                None => {
                    let words = "expected a mirror: the binaries of a cache are not known from anything else";
                    report.problem(&label, &words);
                    continue;
                }
            },
        };
        places.extend(place);
    }
    places
}

fn locally<'f>(
    mirror: LocalMirror<'f, Disk>,
    label: &str,
    report: &mut Report,
) -> Option<Place<'f>> {
    let files = mirror.binaries(label, report)?;
    Some(place(label, files, Source::Local(mirror), report))
}

fn place<'f>(
    label: &str,
    files: BinaryFiles,
    source: Source<'f>,
    report: &mut Report,
) -> Place<'f> {
    files.problems.iter().for_each(|problem| report.damaged(label, problem));
    Place { label: label.to_owned(), binaries: files.found, source }
}

#[cfg(feature = "fetch")]
fn in_registry<'f>(
    machine: &'f Disk,
    url: &str,
    label: &str,
    report: &mut Report,
) -> Option<Place<'f>> {
    let address = Address::parse(url).map_err(|error| report.error(&error)).ok()?;
    let remote =
        machine.remote(&address).map_err(|problem| report.problem(label, &problem)).ok()?;
    let files = binaries_in_registry(machine, &remote, label, report)?;
    Some(place(label, files, Source::Registry(remote), report))
}

/// Finds the binaries of a mirror on a web server, which does not list its files: the names follow from its builds. `builds`
/// has those of all inputs, once they have been read.
#[cfg(feature = "fetch")]
fn on_web<'f>(
    inputs: &'f Inputs,
    url: &str,
    builds: &mut Option<Vec<Build>>,
    report: &mut Report,
) -> Option<Place<'f>> {
    let web = inputs.machine.web(url).map_err(|problem| report.problem(url, &problem)).ok()?;
    let builds: &[Build] = builds.get_or_insert_with(|| {
        let gathered = inputs.read_all(report);
        gathered.collection.into_builds().filter(Build::has_binary).collect()
    });
    let here = places_at(inputs, url);
    let is_here = |build: &&Build| build.places.iter().any(|place| here.contains(&place));
    let mut files = BinaryFiles::default();
    let mut unread: Vec<(&Build, io::Error)> = Vec::new();
    inputs.machine.in_order(
        |each| builds.iter().filter(is_here).for_each(each),
        |build| {
            let mut one = BinaryFiles::default();
            (build, binary_of(&web, build, &mut one).map(|()| one))
        },
        |(build, one)| match one {
            Ok(one) => {
                files.found.extend(one.found);
                files.problems.extend(one.problems);
            }
            Err(error) => unread.push((build, error)),
        },
    );
    match &unread[..] {
        // If nothing can be read, the mirror is the problem, and not its builds.
        [(_, error), ..] if files.found.is_empty() => report.problem(url, error),
        _ => files.problems.extend(unread.iter().map(|(build, error)| unreadable(build, error))),
    }
    Some(place(url, files, Source::Web(web), report))
}

/// Returns the places of the mirror at a URL: that of the whole, and those of its views.
#[cfg(feature = "fetch")]
fn places_at<'f>(inputs: &'f Inputs, mirror: &str) -> Vec<&'f cache_index::build::Place> {
    let places = inputs.list.iter().filter_map(|input| match input {
        Input::Database(DatabaseFile {
            location: Location::Url(_),
            place,
            naming: NameSource::Own(NameAndUrl { url: Some(url), .. }),
            ..
        }) if url == mirror => Some(place),
        _ => None,
    });
    places.collect()
}

/// Returns the problem of a build whose binary is not known, because a server did not answer.
#[cfg(feature = "fetch")]
fn unreadable(build: &Build, error: &io::Error) -> Problem {
    let Build { hash, package, version, .. } = build;
    let record = Some(Record { number: 0, hash: hash.to_string() });
    let file = manifest_path(package, version, *hash);
    let finding = Finding::Unreadable { message: error.to_string() };
    Problem { at: Position { file, record, ..Position::default() }, finding }
}

#[cfg(not(feature = "fetch"))]
fn in_registry<'f>(
    machine: &'f Disk,
    url: &str,
    label: &str,
    report: &mut Report,
) -> Option<Place<'f>> {
    drop((machine, Address::parse(url)));
    report.problem(label, &"this command was built without what fetches files");
    None
}

#[cfg(not(feature = "fetch"))]
fn on_web<'f>(
    _: &'f Inputs,
    url: &str,
    _: &mut Option<Vec<Build>>,
    report: &mut Report,
) -> Option<Place<'f>> {
    report.problem(url, &"this command was built without what fetches files");
    None
}
