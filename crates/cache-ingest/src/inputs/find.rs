//! Finding inputs: walking folders, and recognizing each file by how it starts.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cache_index::build::Place;
use cache_index::number::counted;

use super::ReadOptions;
use super::halves::Halves;
use super::input::{
    DatabaseFile, Input, MirrorFolder, NameAndUrl, Naming, Repository, Views, place_of,
};
use super::location::{
    Base, Location, LocationError, is_guarded, locate, locate_given, neither_path_nor_url,
    shown_url,
};
use super::machine::{Entry, EntryKind, Folder, Machine};
use super::naming::{Source, labels, mirror_of_database, name_all};
use super::remote::Remote;
use crate::foreign::{ForeignFile, foreign_file};
use crate::kind::START;
use crate::mirror::{INDEX_NAME, INDEXES, Listed, find_databases, is_mirror};
use crate::oci::{Address, is_layout};
use crate::problem::quote;
use crate::report::Report;
use crate::{Finding, Kind, decompress, is_environment, kind, read_manifest};

/// The inputs that were found, apart from the machine.
#[derive(Debug, Default)]
pub(super) struct FoundInputs {
    /// In the order in which they were found.
    pub(super) list: Vec<Input>,
    pub(super) bytes: u64,
    pub(super) guarded: BTreeSet<String>,
}

/// Finds all inputs at the sources, and reports files that are not inputs.
pub(super) fn find<M: Machine>(
    machine: &M,
    sources: &[Source],
    options: &ReadOptions,
    report: &mut Report,
) -> FoundInputs {
    let mut search = InputSearch {
        machine,
        options,
        view: None,
        found: FoundInputs::default(),
        halves: Halves::default(),
        report,
    };
    let labels = if sources.len() > 1 { labels(sources) } else { Vec::new() };
    for (at, source) in sources.iter().enumerate() {
        let before = search.found.list.len();
        search.view = source.view.as_ref().or(options.view.as_ref()).cloned();
        search.add(&source.path);
        let inputs = &mut search.found.list[before..];
        let (has_stack, label) = (options.stack.is_some(), labels.get(at).map(String::as_str));
        if !inputs.is_empty()
            && let Err(problem) = name_all(source, inputs, has_stack, label)
        {
            search.report.problem(&machine.shown(&source.path), &problem);
        }
    }
    let InputSearch { mut found, halves, report, .. } = search;
    if !halves.is_empty() {
        found.list.extend(halves.join(machine, report));
    }
    found
}

/// The files of a mirror that are not inputs.
#[derive(Default)]
struct SkippedFiles {
    files: usize,
    first: Option<PathBuf>,
}

struct InputSearch<'s, M> {
    machine: &'s M,
    options: &'s ReadOptions,
    /// The only view of mirrors to read.
    view: Option<String>,
    found: FoundInputs,
    halves: Halves,
    report: &'s mut Report,
}

impl<M: Machine> InputSearch<'_, M> {
    fn add(&mut self, path: &Path) {
        if let Some(url) = path.to_str().filter(|text| text.contains("://")) {
            self.add_url(url);
            return;
        }
        if self.machine.entry_kind(path) != EntryKind::Folder {
            self.add_file(path);
            return;
        }
        if let Some(mirror) = self.mirror_around(path) {
            let lacks_blobs = path.ends_with("v3") && !self.is_folder(&mirror.join("blobs"));
            if lacks_blobs {
                self.report.problem(&self.machine.shown(path), &Finding::PartOfAMirror);
            } else {
                self.add_mirror(mirror, self.place());
            }
            return;
        }
        let before = self.found.list.len();
        let mut seen_a_file = false;
        let mut mirrors: Vec<(PathBuf, SkippedFiles)> = Vec::new();
        let machine = self.machine;
        machine.walk(path, &mut |entry| {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.report.problem(&path.display().to_string(), &error);
                    return false;
                }
            };
            if entry.depth > 0 && is_hidden(&entry) {
                return false;
            }
            match entry.kind {
                EntryKind::Folder if self.is_part_of_mirror(&entry.path) => return false,
                EntryKind::Folder
                    if is_layout(&Folder { machine, root: &entry.path }).unwrap_or(false) =>
                {
                    seen_a_file = true;
                    let (location, url) = (Location::Path(entry.path.clone()), None);
                    self.add_repository(location, url);
                    return false;
                }
                EntryKind::Folder => {
                    let is_mirror = folder_is_mirror(machine, &entry.path);
                    if !is_mirror && let Some(finding) = self.foreign_folder(&entry.path) {
                        seen_a_file = true;
                        self.report.problem(&machine.shown(&entry.path), &finding);
                        return false;
                    }
                    if is_mirror {
                        seen_a_file = true;
                        self.add_mirror(&entry.path, self.place());
                        mirrors.push((entry.path, SkippedFiles::default()));
                    }
                }
                EntryKind::File => {
                    seen_a_file = true;
                    // Those within others come later.
                    let around = mirrors.iter_mut().rfind(|(root, _)| entry.path.starts_with(root));
                    match around {
                        Some((_, skipped)) => self.add_file_of_mirror(&entry.path, skipped),
                        None => self.add_file_of_folder(&entry.path),
                    }
                }
                EntryKind::Other | EntryKind::Nothing => {
                    let name = entry.path.display();
                    let words = "it is a pipe, a socket or a device, and was skipped";
                    self.report.note(&format!("{name}: {words}"));
                }
            }
            true
        });
        for (mirror, SkippedFiles { files, first }) in mirrors {
            if let Some(first) = first {
                let (mirror, first) = (machine.shown(&mirror), machine.shown(&first));
                let (one, many) =
                    ("file that does not describe binaries", "files that do not describe binaries");
                let files = counted(files, one, many);
                self.report.note(&format!("{mirror}: skipped {files}, such as {first}"));
            }
        }
        if !seen_a_file && self.found.list.len() == before {
            self.report.problem(&path.display().to_string(), &"there is nothing to read in it");
        }
    }

    /// Returns the place of databases and mirrors, as far as the user specified it.
    fn place(&self) -> Place {
        let ReadOptions { release, stack, .. } = self.options;
        Place {
            release: release.clone().unwrap_or_default(),
            stack: stack.clone().unwrap_or_default(),
        }
    }

    fn add_mirror(&mut self, path: &Path, place: Place) {
        self.found.list.push(Input::Mirror(MirrorFolder {
            path: path.to_path_buf(),
            place,
            view: self.view.clone(),
            naming: Naming::own(),
            is_one_of_many: false,
        }));
    }

    fn add_repository(&mut self, location: Location, url: Option<String>) {
        self.found.list.push(Input::Repository(Repository {
            location,
            place: self.place(),
            naming: Naming::Own(NameAndUrl { url, ..NameAndUrl::default() }),
        }));
    }

    fn add_file(&mut self, path: &Path) {
        let recognized = self.recognize(path);
        self.add_recognized(path, recognized);
    }

    fn add_recognized(&mut self, path: &Path, recognized: io::Result<Result<Vec<Input>, Finding>>) {
        match recognized {
            Ok(Ok(inputs)) => self.add_inputs(path, inputs),
            Ok(Err(finding)) => self.report.problem(&self.machine.shown(path), &finding),
            Err(error) => self.report.problem(&self.machine.shown(path), &error),
        }
    }

    /// Adds a file of a folder, which may have a file that says what the folder is for.
    fn add_file_of_folder(&mut self, path: &Path) {
        let recognized = self.recognize(path);
        if matches!(recognized, Ok(Err(_))) && is_about_folder(path) {
            self.report.note(&format!("{}: skipped", self.machine.shown(path)));
        } else {
            self.add_recognized(path, recognized);
        }
    }

    /// Adds a file of a mirror that is in none of its own folders. Mirrors also contain source archives, which are not
    /// inputs.
    fn add_file_of_mirror(&mut self, path: &Path, skipped: &mut SkippedFiles) {
        match self.recognize(path) {
            Ok(Ok(inputs)) => self.add_inputs(path, inputs),
            Ok(Err(_)) | Err(_) => {
                skipped.files += 1;
                skipped.first.get_or_insert_with(|| path.to_path_buf());
            }
        }
    }

    fn add_inputs(&mut self, path: &Path, inputs: Vec<Input>) {
        self.found.bytes += self.machine.length(path);
        self.found.list.extend(inputs);
    }

    /// Recognizes a file, and returns the inputs that it leads to, or why it is not an input.
    fn recognize(&mut self, path: &Path) -> io::Result<Result<Vec<Input>, Finding>> {
        let mut start = Vec::new();
        decompress(self.machine.open(path)?, self.machine.size_limit())?
            .take(START as u64)
            .read_to_end(&mut start)?;
        let input = match kind(&start) {
            Kind::Page => Input::Page(path.to_path_buf()),
            Kind::Index | Kind::Site => Input::Index(Location::Path(path.to_path_buf()).into()),
            Kind::Database => Input::Database(DatabaseFile {
                location: Location::Path(path.to_path_buf()),
                place: self.place(),
                digest: None,
                naming: Naming::own(),
            }),
            Kind::Manifest => {
                let folder = path.parent().unwrap_or(Path::new(""));
                let label = path.display().to_string();
                return self
                    .manifest(self.machine.open(path)?, &label, Base::Folder(folder))
                    .map(Ok);
            }
            kind @ (Kind::PackageData | Kind::SpecsData) => {
                self.halves.add(kind, Location::Path(path.to_path_buf()));
                return Ok(Ok(Vec::new()));
            }
            Kind::MirrorFile => return Ok(Err(Finding::PartOfAMirror)),
            Kind::Empty => return Ok(Err(Finding::NothingInIt)),
            Kind::Unknown => {
                if let Some(file) = self.foreign(path, &start) {
                    return Ok(Err(Finding::Foreign(file)));
                }
                return Ok(Err(match std::str::from_utf8(&start) {
                    // The last character of the read bytes may be incomplete.
                    Err(error) if error.error_len().is_some() => {
                        Finding::NotUtf8 { byte: error.valid_up_to() }
                    }
                    _ => {
                        let text = String::from_utf8_lossy(&start);
                        let first = text.lines().find(|line| !line.trim().is_empty());
                        Finding::UnknownInput { found: quote(first.unwrap_or_default()) }
                    }
                }));
            }
        };
        Ok(Ok(vec![input]))
    }

    /// Returns what a file is that is not an input and is known all the same.
    fn foreign(&self, path: &Path, start: &[u8]) -> Option<ForeignFile> {
        foreign_file(start).or_else(|| {
            // The last character may be incomplete.
            let text = start.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            let is_environment = is_environment(text.as_bytes(), &path.to_string_lossy());
            is_environment.then_some(ForeignFile::Environment)
        })
    }

    /// Returns what a folder is that is not a mirror and is known all the same: a part of one, or a mirror of sources.
    fn foreign_folder(&self, path: &Path) -> Option<Finding> {
        if path.ends_with("blobs") && self.is_folder(&path.join("sha256")) {
            return Some(Finding::PartOfAMirror);
        }
        let is_of_sources = self.is_folder(&path.join(SOURCES));
        is_of_sources.then_some(Finding::Foreign(ForeignFile::Sources))
    }

    /// Adds what is at a URL: a manifest, a database, an index or a mirror.
    #[inline(never)] // The reader in the page loads it later, see `crates/split`.
    fn add_url(&mut self, url: &str) {
        if Address::is_meant(url) {
            match Address::parse(url) {
                Ok(_) => self.add_repository(Location::Url(url.to_owned()), Some(url.to_owned())),
                // The URL may be invalid because it contains a password.
                Err(error) => self.report.error(&error),
            }
            return;
        }
        match locate_given(url, &self.options.mappings) {
            Ok(Location::Path(path)) => self.add(&path),
            Ok(Location::Url(url)) => {
                self.machine.fetch(std::slice::from_ref(&url), &BTreeSet::new());
                match self.tell_fetched(&url) {
                    Ok(inputs) => self.found.list.extend(inputs),
                    // A server has no file at the URL of a mirror, or a list of its files.
                    Err(error) => match self.mirror_at(&url) {
                        inputs if inputs.is_empty() => {
                            let error = self.refusal_of_bucket(&url).unwrap_or(error);
                            self.report.problem(&shown_url(&url), &error);
                        }
                        inputs => self.found.list.extend(inputs),
                    },
                }
            }
            Err(error) => self.report.error(&error),
        }
    }

    /// Returns why the database of a mirror in a bucket cannot be read: no file is at the URL of the mirror itself.
    fn refusal_of_bucket(&self, url: &str) -> Option<Box<dyn Error>> {
        let files = Remote { machine: self.machine, url, view: None };
        let index = files.url_of(&format!("{INDEXES}{INDEX_NAME}"));
        if !url.starts_with("s3://") {
            return None;
        }
        self.machine.fetch(std::slice::from_ref(&index), &BTreeSet::new());
        self.machine.open_url(&index).err().map(Into::into)
    }

    /// Recognizes what was fetched, and returns the inputs that it leads to.
    fn tell_fetched(&mut self, url: &str) -> Result<Vec<Input>, Box<dyn Error>> {
        let mut start = Vec::new();
        decompress(self.machine.open_url(url)?, self.machine.size_limit())?
            .take(START as u64)
            .read_to_end(&mut start)?;
        match kind(&start) {
            Kind::Manifest => {
                let label = shown_url(url);
                Ok(self.manifest(self.machine.open_url(url)?, &label, Base::Url(url))?)
            }
            Kind::Database => Ok(vec![Input::Database(DatabaseFile {
                location: Location::Url(url.to_string()),
                place: self.place(),
                digest: None,
                naming: Naming::Own(NameAndUrl {
                    url: mirror_of_database(url),
                    ..NameAndUrl::default()
                }),
            })]),
            Kind::Index | Kind::Site => {
                Ok(vec![Input::Index(Location::Url(url.to_string()).into())])
            }
            kind @ (Kind::PackageData | Kind::SpecsData) => {
                self.halves.add(kind, Location::Url(url.to_owned()));
                Ok(Vec::new())
            }
            _ => Err(match foreign_file(&start) {
                Some(file) => Finding::Foreign(file).to_string(),
                None => "expected a Spack database, a manifest of mirrors, an index or a mirror"
                    .to_owned(),
            }
            .into()),
        }
    }

    /// Returns the databases of the mirror at a URL: that of the whole, the one that Spack 1.x reads if there are two, and
    /// those of views.
    fn mirror_at(&mut self, url: &str) -> Vec<Input> {
        let view = self.view.clone();
        let files = Remote { machine: self.machine, url, view: view.as_deref() };
        let read = find_databases(&files, view.as_deref());
        let Some(mut databases) = read.value.map(|mirror| mirror.databases) else {
            return Vec::new();
        };
        if let Some(last) = databases.iter().rposition(|listed| listed.view.is_none()) {
            databases.drain(..last);
        }
        let label = shown_url(url);
        read.problems.iter().for_each(|problem| self.report.unusable(&label, problem));
        for (novelty, seen) in read.notes.iter() {
            self.report.new_in(&label, novelty, seen);
        }
        let has_views = databases.iter().any(|listed| listed.view.is_some());
        let input = |listed: Listed| {
            let views = Views { is_only: view.is_some(), is_one_of_many: false, has_views };
            let place = place_of(self.place(), listed.view.as_deref(), views);
            Input::Database(DatabaseFile {
                location: Location::Url(files.url_of(&listed.path)),
                place,
                digest: listed.stated.map(|stated| stated.digest),
                naming: Naming::Own(NameAndUrl {
                    name: None,
                    url: Some(url.trim_end_matches('/').to_owned()),
                    view: listed.view,
                }),
            })
        };
        databases.into_iter().map(input).collect()
    }

    /// Returns the inputs that a manifest lists.
    #[inline(never)] // The reader in the page loads it later, see `crates/split`.
    fn manifest(&mut self, file: M::File, label: &str, base: Base<'_>) -> io::Result<Vec<Input>> {
        let mut text = String::new();
        decompress(file, self.machine.size_limit())?.read_to_string(&mut text)?;
        let read = read_manifest(&text);
        for problem in &read.problems {
            self.report.unusable(label, problem);
        }
        for (novelty, seen) in read.notes.iter() {
            self.report.new_in(label, novelty, seen);
        }
        let mut inputs = Vec::new();
        for source in read.value.unwrap_or_default() {
            let naming = if is_public(&source.url) { Naming::Public } else { Naming::Listed };
            let location = locate(&source.url, &self.options.mappings, base);
            if let Ok(Location::Url(url)) = &location
                && is_guarded(&source.url, &self.options.mappings, base)
            {
                self.found.guarded.insert(url.clone());
            }
            match location {
                Ok(Location::Path(path)) if self.machine.entry_kind(&path) == EntryKind::Folder => {
                    inputs.push(Input::Mirror(MirrorFolder {
                        path,
                        place: source.place,
                        view: None,
                        naming,
                        is_one_of_many: false,
                    }));
                }
                Ok(location) => inputs.push(Input::Database(DatabaseFile {
                    digest: source.digest(),
                    location,
                    place: source.place,
                    naming,
                })),
                Err(LocationError::UnknownScheme { url }) => {
                    self.report.problem_of(label, &url, &neither_path_nor_url(&url));
                }
                Err(error) => self.report.problem(label, &error),
            }
        }
        Ok(inputs)
    }

    /// Returns `true` for the folders of a mirror, which are read as part of it and not separately.
    fn is_part_of_mirror(&self, path: &Path) -> bool {
        let is_one = path.file_name().is_some_and(|name| PARTS.iter().any(|known| name == *known));
        is_one && path.parent().is_some_and(|parent| folder_is_mirror(self.machine, parent))
    }

    /// Returns the mirror that a folder is a part of; Spack prints the paths of such folders, so users copy them.
    fn mirror_around<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        let part = path.ancestors().find(|folder| self.is_part_of_mirror(folder))?;
        part.parent()
            .map(|mirror| if mirror.as_os_str().is_empty() { Path::new(".") } else { mirror })
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.machine.entry_kind(path) == EntryKind::Folder
    }
}

/// The folders that a mirror consists of.
const PARTS: [&str; 3] = ["build_cache", "v3", "blobs"];

/// A folder of a mirror of sources.
const SOURCES: &str = "_source-cache";

/// Returns `true` if a URL leads to the public cache, by either of its names.
fn is_public(url: &str) -> bool {
    ["s3://spack-binaries/", "https://binaries.spack.io/"].iter().any(|base| url.starts_with(base))
}

/// Returns `true` for hidden files, which are not inputs: `.git`, `.DS_Store`.
fn is_hidden(entry: &Entry) -> bool {
    entry.path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// Returns `true` for `README.md`, `LICENSE` and the like.
fn is_about_folder(path: &Path) -> bool {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_ascii_uppercase());
    stem.is_some_and(|stem| matches!(stem.as_str(), "README" | "LICENSE" | "COPYING" | "NOTICE"))
}

fn folder_is_mirror<M: Machine>(machine: &M, path: &Path) -> bool {
    is_mirror(&Folder { machine, root: path }).unwrap_or(false)
}
