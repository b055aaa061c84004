//! The mirrors whose binaries are looked into, and how a binary is opened: as a stream, and never as a copy on the disk.

use std::collections::BTreeSet;
use std::io::{self, Read};

#[cfg(feature = "fetch")]
use cache_index::build::Build;
use cache_ingest::inputs::{
    DatabaseFile, Input, LocalMirror, Location, NameAndUrl, NameSource, Repository,
};
#[cfg(feature = "fetch")]
use cache_ingest::inputs::{Machine as _, binaries_in_registry};
#[cfg(feature = "fetch")]
use cache_ingest::mirror::binary_of;
use cache_ingest::mirror::{BinaryFile, BinaryFiles};
use cache_ingest::oci::Address;

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
            }) if seen.insert(url) => on_web(inputs, url, report),
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

/// Finds the binaries of a mirror on a web server, which does not list its files: the names follow from the builds.
#[cfg(feature = "fetch")]
fn on_web<'f>(inputs: &'f Inputs, url: &str, report: &mut Report) -> Option<Place<'f>> {
    let web = inputs.machine.web(url).map_err(|problem| report.problem(url, &problem)).ok()?;
    let gathered = inputs.read_all(report);
    let builds: Vec<Build> = gathered.collection.into_builds().filter(Build::has_binary).collect();
    let mut files = BinaryFiles::default();
    let mut failed = None;
    inputs.machine.in_order(
        |each| builds.iter().for_each(each),
        |build| {
            let mut one = BinaryFiles::default();
            binary_of(&web, build, &mut one).map(|()| one)
        },
        |one| match one {
            Ok(one) => {
                files.found.extend(one.found);
                files.problems.extend(one.problems);
            }
            Err(error) => failed = failed.take().or(Some(error)),
        },
    );
    if let Some(error) = failed {
        report.problem(url, &error);
    }
    Some(place(url, files, Source::Web(web), report))
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
fn on_web<'f>(_: &'f Inputs, url: &str, report: &mut Report) -> Option<Place<'f>> {
    report.problem(url, &"this command was built without what fetches files");
    None
}
