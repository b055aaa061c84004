//! Finding inputs: walking folders, and recognizing each file by how it starts.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cache_index::build::Place;
use cache_index::number::counted;

use self::urls::{add_url, manifest};
use super::ReadOptions;
use super::input::{DatabaseFile, Input, MirrorFolder, NameAndUrl, NameSource, Repository};
use super::location::{Base, Location};
use super::machine::{Folder, FolderEntry, FolderEntryKind, Machine};
use super::naming::{Source, name_all, several};
use super::read::package_data::Halves;
use crate::foreign::{ForeignFile, foreign_file, is_settings};
use crate::kind::START;
use crate::mirror::is_mirror;
use crate::oci::is_layout;
use crate::problem::quote;
use crate::report::Report;
use crate::{Finding, InputKind, decompress, is_environment, kind};

mod urls;

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
        given: Place::default(),
        found: FoundInputs::default(),
        halves: Halves::default(),
        report,
    };
    let (whole, labels) = match sources {
        [_, _, ..] => {
            let whole = search.without_parts(sources);
            let labels = if whole.len() > 1 { several::labels(&whole) } else { Vec::new() };
            (whole, labels)
        }
        _ => (sources.to_vec(), Vec::new()),
    };
    let one_or_all =
        |one: &Option<String>, all: &Option<String>| one.as_ref().or(all.as_ref()).cloned();
    let are_releases = !labels.is_empty()
        && whole.iter().all(|source| search.is_folder(&source.path))
        && several::are_releases(&whole, &labels, options);
    let mut searched = Vec::with_capacity(whole.len());
    for (at, source) in whole.iter().enumerate() {
        let before = search.found.list.len();
        let own = labels.get(at).filter(|_| are_releases);
        search.view = source.view.as_ref().or(options.view.as_ref()).cloned();
        search.given = Place {
            release: one_or_all(&source.release, &options.release)
                .or_else(|| own.cloned())
                .unwrap_or_default(),
            stack: one_or_all(&source.stack, &options.stack).unwrap_or_default(),
        };
        search.add(&source.path);
        searched.push((search.given.clone(), before..search.found.list.len()));
    }
    let of_others = searched.iter().map(|(given, range)| {
        let is_index = |input: &Input| matches!(input, Input::Index(_));
        let states_release = search.found.list[range.clone()].iter().all(is_index);
        (!states_release).then_some(given.release.as_str())
    });
    let names =
        if labels.is_empty() { Vec::new() } else { several::names(&whole, labels, of_others) };
    for (at, (source, (given, range))) in whole.iter().zip(searched).enumerate() {
        let label = names.get(at).and_then(Option::as_deref);
        let inputs = &mut search.found.list[range];
        if !inputs.is_empty()
            && let Err(problem) = name_all(source, inputs, &given, label)
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
    /// The place of databases and mirrors, as far as the user specified it.
    given: Place,
    found: FoundInputs,
    halves: Halves,
    report: &'s mut Report,
}

impl<M: Machine> InputSearch<'_, M> {
    /// Returns the sources, with parts of a mirror, such as those that `v3/manifests/spec/*` names in a shell, replaced
    /// by the mirror.
    fn without_parts(&self, sources: &[Source]) -> Vec<Source> {
        let mut whole = Vec::with_capacity(sources.len());
        // By source: `true` if it replaces a part.
        let mut known: BTreeMap<Source, bool> = BTreeMap::new();
        for source in sources {
            let is_folder = self.is_folder(&source.path);
            let mirror = is_folder.then(|| self.mirror_around(&source.path)).flatten();
            let has_blobs = |mirror: &&Path| {
                !source.path.ends_with("v3") || self.is_folder(&mirror.join("blobs"))
            };
            let path = mirror.filter(has_blobs).unwrap_or(&source.path).to_path_buf();
            let is_part = path != source.path;
            let source = Source { path, ..source.clone() };
            let was_part = known.get(&source).copied();
            if !was_part.is_some_and(|was_part| is_part || was_part) {
                known.insert(source.clone(), is_part);
                whole.push(source);
            }
        }
        whole
    }

    fn add(&mut self, path: &Path) {
        if let Some(url) = path.to_str().filter(|text| text.contains("://")) {
            add_url(self, url);
            return;
        }
        if self.machine.entry_kind(path) != FolderEntryKind::Folder {
            self.add_file(path);
            return;
        }
        if let Some(mirror) = self.mirror_around(path) {
            let lacks_blobs = path.ends_with("v3") && !self.is_folder(&mirror.join("blobs"));
            if lacks_blobs {
                self.report.problem(&self.machine.shown(path), &Finding::PartOfAMirror);
            } else {
                self.add_mirror(mirror, self.given.clone());
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
                FolderEntryKind::Folder if self.is_part_of_mirror(&entry.path) => return false,
                FolderEntryKind::Folder if self.is_site(&entry.path) => {
                    seen_a_file = true;
                    self.add_file(&entry.path.join(SITE[0]));
                    return false;
                }
                FolderEntryKind::Folder
                    if is_layout(&Folder { machine, root: &entry.path }).unwrap_or(false) =>
                {
                    seen_a_file = true;
                    let (location, url) = (Location::Path(entry.path.clone()), None);
                    self.add_repository(location, url);
                    return false;
                }
                FolderEntryKind::Folder => {
                    let is_mirror = folder_is_mirror(machine, &entry.path);
                    if !is_mirror && let Some(finding) = self.foreign_folder(&entry.path) {
                        seen_a_file = true;
                        self.report.problem(&machine.shown(&entry.path), &finding);
                        return false;
                    }
                    if is_mirror {
                        seen_a_file = true;
                        self.add_mirror(&entry.path, self.given.clone());
                        mirrors.push((entry.path, SkippedFiles::default()));
                    }
                }
                FolderEntryKind::File => {
                    seen_a_file = true;
                    // Mirrors within other mirrors come later in the list.
                    let around = mirrors.iter_mut().rfind(|(root, _)| entry.path.starts_with(root));
                    match around {
                        Some((_, skipped)) => self.add_file_of_mirror(&entry.path, skipped),
                        None => self.add_file_of_folder(&entry.path),
                    }
                }
                FolderEntryKind::Other | FolderEntryKind::Nothing => {
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

    fn add_mirror(&mut self, path: &Path, place: Place) {
        self.found.list.push(Input::Mirror(MirrorFolder {
            path: path.to_path_buf(),
            place,
            view: self.view.clone(),
            naming: NameSource::own(),
            is_one_of_many: false,
        }));
    }

    fn add_repository(&mut self, location: Location, url: Option<String>) {
        self.found.list.push(Input::Repository(Repository {
            location,
            place: self.given.clone(),
            naming: NameSource::Own(NameAndUrl { url, ..NameAndUrl::default() }),
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

    /// Adds a file of a folder. A file about the folder, such as `README.md`, is skipped with a note.
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

    /// Recognizes a file, and returns the inputs that it names or contains, or why it is not an input.
    fn recognize(&mut self, path: &Path) -> io::Result<Result<Vec<Input>, Finding>> {
        let mut start = Vec::new();
        decompress(self.machine.open(path)?, self.machine.size_limit())?
            .take(START as u64)
            .read_to_end(&mut start)?;
        let input = match kind(&start) {
            InputKind::Page => Input::Page(path.to_path_buf()),
            InputKind::Index | InputKind::Site => {
                Input::Index(Location::Path(path.to_path_buf()).into())
            }
            InputKind::Database => Input::Database(DatabaseFile {
                location: Location::Path(path.to_path_buf()),
                place: self.given.clone(),
                digest: None,
                naming: NameSource::own(),
            }),
            InputKind::Manifest => {
                let folder = path.parent().unwrap_or(Path::new(""));
                let label = path.display().to_string();
                let file = self.machine.open(path)?;
                return manifest(self, file, &label, Base::Folder(folder)).map(Ok);
            }
            kind @ (InputKind::PackageData | InputKind::SpecsData) => {
                self.halves.add(kind, Location::Path(path.to_path_buf()));
                return Ok(Ok(Vec::new()));
            }
            InputKind::MirrorFile => return Ok(Err(Finding::PartOfAMirror)),
            InputKind::Empty => return Ok(Err(Finding::NothingInIt)),
            InputKind::Unknown => {
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

    /// Recognizes some files that are not inputs.
    fn foreign(&self, path: &Path, start: &[u8]) -> Option<ForeignFile> {
        foreign_file(start).or_else(|| {
            // The last character may be incomplete.
            let text = start.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            if is_environment(text.as_bytes(), &path.to_string_lossy()) {
                return Some(ForeignFile::Environment);
            }
            let instead = || ForeignFile::SettingsAsCache(self.machine.use_of_settings());
            is_settings(text).then(instead)
        })
    }

    /// Recognizes some folders that are not mirrors: a part of one, or a mirror of sources.
    fn foreign_folder(&self, path: &Path) -> Option<Finding> {
        if path.ends_with("blobs") && self.is_folder(&path.join("sha256")) {
            return Some(Finding::PartOfAMirror);
        }
        let is_of_sources = self.is_folder(&path.join(SOURCES));
        is_of_sources.then_some(Finding::Foreign(ForeignFile::Sources))
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

    /// Returns `true` for a published site, whose page points to the index.
    fn is_site(&self, path: &Path) -> bool {
        SITE.iter().all(|name| self.machine.entry_kind(&path.join(name)) == FolderEntryKind::File)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.machine.entry_kind(path) == FolderEntryKind::Folder
    }
}

/// The folders that a mirror consists of.
const PARTS: [&str; 3] = ["build_cache", "v3", "blobs"];

/// Files of every published site: its page, and the worker that keeps it for offline use. Other folders may have a list of
/// their files under the name of the page.
const SITE: [&str; 2] = ["index.html", "service-worker.js"];

/// A folder of a mirror of sources.
const SOURCES: &str = "_source-cache";

/// Returns `true` for hidden files, which are not inputs: `.git`, `.DS_Store`.
fn is_hidden(entry: &FolderEntry) -> bool {
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
