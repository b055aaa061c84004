//! The mirrors whose binaries are looked into, and how each is opened: as a stream, and never as a copy on the disk.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

#[cfg(feature = "fetch")]
use cache_index::build::Build;
use cache_ingest::inputs::{DatabaseFile, Folder, Input, Location, Machine, NameAndUrl, Naming};
#[cfg(feature = "fetch")]
use cache_ingest::mirror::binary_of;
use cache_ingest::mirror::{BinaryFile, BinaryFiles, binaries, binary_in_registry};
use cache_ingest::oci::{Address, ImageLayout, Registry, find_repository};

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
    /// A folder that is a mirror, or in OCI's image layout.
    Folder(Folder<'f, Disk>, bool),
    #[cfg(feature = "fetch")]
    Web(Web<'f>),
    #[cfg(feature = "fetch")]
    Registry(Remote<'f>),
}

impl Place<'_> {
    /// Opens a binary; only its first bytes, if a number is given.
    pub(crate) fn open(
        &self,
        file: &BinaryFile,
        first: Option<u64>,
    ) -> io::Result<Option<Box<dyn Read + '_>>> {
        use cache_ingest::Files as _;
        match &self.source {
            Source::Folder(folder, false) => folder.open(&file.path),
            Source::Folder(folder, true) => folder.open(&format!("blobs/sha256/{}", file.path)),
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

    /// Returns the length of a binary, as far as it is known.
    pub(crate) fn length(&self, file: &BinaryFile) -> Option<u64> {
        let stated = file.stated.as_ref().and_then(|stated| stated.length);
        match &self.source {
            Source::Folder(folder, false) if stated.is_none() => {
                Some(folder.machine.length(&folder.root.join(&file.path)))
            }
            _ => stated,
        }
    }

    /// Returns `true` if a binary that could not be read may be readable on another try.
    pub(crate) fn may_fail(&self) -> bool {
        !matches!(self.source, Source::Folder(..))
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
            Input::Mirror(mirror) => in_folder(machine, &mirror.path, &label, report),
            Input::Repository(repository) => match &repository.location {
                Location::Path(path) => in_layout(machine, path, &label, report),
                Location::Url(url) => in_registry(machine, url, &label, report),
            },
            Input::Database(DatabaseFile {
                location: Location::Url(_),
                naming: Naming::Own(NameAndUrl { url: Some(url), .. }),
                ..
            }) if seen.insert(url) => on_web(inputs, url, report),
            // A view of the same mirror.
            Input::Database(DatabaseFile {
                location: Location::Url(_),
                naming: Naming::Own(NameAndUrl { url: Some(_), .. }),
                ..
            }) => None,
            _ => {
                let words =
                    "expected a mirror: the binaries of a cache are not known from anything else";
                report.problem(&label, &words);
                continue;
            }
        };
        places.extend(place);
    }
    places
}

fn in_folder<'f>(
    machine: &'f Disk,
    path: &'f Path,
    label: &str,
    report: &mut Report,
) -> Option<Place<'f>> {
    let folder = Folder { machine, root: path };
    let files = binaries(&folder).map_err(|error| report.problem(label, &error)).ok()?;
    let source = Source::Folder(folder, false);
    Some(place(label, files, source, report))
}

fn in_layout<'f>(
    machine: &'f Disk,
    path: &'f Path,
    label: &str,
    report: &mut Report,
) -> Option<Place<'f>> {
    let folder = Folder { machine, root: path };
    let read = ImageLayout::open(&folder);
    read.problems.iter().for_each(|problem| report.unusable(label, problem));
    let files = images(machine, &read.value?, label, report)?;
    Some(place(label, files, Source::Folder(Folder { machine, root: path }, true), report))
}

/// Finds the binaries of a repository of a registry.
fn images(
    machine: &Disk,
    registry: &(dyn Registry + Sync),
    label: &str,
    report: &mut Report,
) -> Option<BinaryFiles> {
    let read = find_repository(registry);
    read.problems.iter().for_each(|problem| report.unusable(label, problem));
    let tags = read.value?.builds;
    let mut files = BinaryFiles::default();
    machine.in_order(
        |each| tags.iter().for_each(each),
        |(hash, tag)| {
            let mut one = BinaryFiles::default();
            binary_in_registry(registry, *hash, tag, &mut one);
            one
        },
        |one| {
            files.found.extend(one.found);
            files.problems.extend(one.problems);
        },
    );
    Some(files)
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
    let files = images(machine, &remote, label, report)?;
    Some(place(label, files, Source::Registry(remote), report))
}

/// Finds the binaries of a mirror on a web server, which does not list its files: their names follow from the builds.
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
