//! Reading an environment that a user has chosen in the page, as the command reads it.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use cache_index::environment::{Environment, EnvironmentTexts};
use cache_ingest::inputs::{FolderEntryKind, Machine};
use cache_ingest::kind::{InputKind, START, kind};
use cache_ingest::report::Report;
use cache_ingest::{IncludedFile, decompress, is_environment, read_environment_with};

use crate::{Bytes, ChosenFiles, OpenOptions, Refusal, digest};

/// An environment that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedEnvironment {
    /// Its texts, which the page reads again.
    pub kept: EnvironmentTexts,
    /// Identifies environments: the same file has the same id, whenever and wherever it is read.
    pub id: String,
    /// How many nodes it has, or how many specs if it has no nodes.
    pub specs: usize,
    /// Its specs, if it contains nothing else and they are short enough for an address.
    pub address: Option<Vec<String>>,
}

/// The maximum length in bytes, all together, of the specs that an address contains.
const ADDRESSED: usize = 2_000;

/// The files of an environment's folder, the best one first.
const NAMES: [&str; 2] = ["spack.lock", "spack.yaml"];

/// Reads an environment; returns `None` if what was chosen is something else. A file that could be either is read as an
/// environment if one is wanted.
pub fn open_environment<B: Bytes>(
    chosen: &ChosenFiles<B>,
    wanted: &OpenOptions,
) -> Option<Result<OpenedEnvironment, Refusal>> {
    let path = file(chosen)?;
    let start = read(chosen, &path, START as u64).ok()?;
    if !matches!(kind(&start), InputKind::Unknown | InputKind::MirrorFile | InputKind::Empty) {
        return None;
    }
    read_as_environment(chosen, &path, wanted)
}

/// Reads a file that may be an environment, like [`open_environment`].
#[inline(never)] // Not needed for a database, see `crates/split`.
fn read_as_environment<B: Bytes>(
    chosen: &ChosenFiles<B>,
    path: &Path,
    wanted: &OpenOptions,
) -> Option<Result<OpenedEnvironment, Refusal>> {
    let refused = |problem: &str| {
        let mut report = Report::default();
        report.error(&problem);
        Some(Err(Refusal::of(&report)))
    };
    let bytes = match read(chosen, path, u64::MAX) {
        Ok(bytes) => bytes,
        Err(error) => return refused(&error.to_string()),
    };
    let name = path.to_string_lossy();
    if !wanted.is_environment && !is_environment(&bytes, &name) {
        return None;
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut included = |written: &str| included(chosen, folder, Path::new(written));
    Some(match read_environment_with(&bytes, &mut included) {
        Ok(environment) => match EnvironmentTexts::new(&environment) {
            Ok(kept) => Ok(opened(&environment, kept)),
            Err(error) => return refused(&error.to_string()),
        },
        Err(problems) => {
            let mut report = Report::default();
            problems.iter().for_each(|problem| report.problem(&name, problem));
            Err(Refusal::of(&report))
        }
    })
}

fn opened(environment: &Environment, kept: EnvironmentTexts) -> OpenedEnvironment {
    let specs: Vec<String> = environment.roots.iter().map(|root| root.spec.clone()).collect();
    let length: usize = specs.iter().map(String::len).sum();
    let says_all =
        *environment == Environment { roots: environment.roots.clone(), ..Environment::default() };
    let has_groups = environment.roots.iter().any(|root| root.group.is_some());
    let address = (says_all && !has_groups && length <= ADDRESSED).then_some(specs);
    let specs = match environment.nodes.len() {
        0 => environment.roots.len(),
        nodes => nodes,
    };
    let nodes = kept.nodes.as_deref().unwrap_or_default();
    OpenedEnvironment { id: digest([kept.head.as_str(), nodes]), specs, address, kept }
}

/// Opens a file that a `spack.yaml` in this folder includes. Files outside a folder that was chosen are not known.
fn included<B: Bytes>(chosen: &ChosenFiles<B>, folder: &Path, written: &Path) -> IncludedFile {
    let path = folder.join(written);
    let is_known = folder != Path::new("")
        && written
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    match chosen.entry_kind(&path) {
        FolderEntryKind::Nothing if is_known => IncludedFile::Absent,
        FolderEntryKind::File => {
            read(chosen, &path, u64::MAX).map_or(IncludedFile::Unread, IncludedFile::Read)
        }
        _ => IncludedFile::Unread,
    }
}

/// Returns the file with the environment: the only one, or the best of an environment's folder.
fn file<B: Bytes>(chosen: &ChosenFiles<B>) -> Option<PathBuf> {
    let inputs: Vec<&Path> = chosen.inputs().collect();
    let folder = match inputs[..] {
        [one] if chosen.entry_kind(one) == FolderEntryKind::File => return Some(one.to_owned()),
        [one] => one,
        _ if inputs.iter().all(|path| NAMES.map(OsStr::new).contains(&path.as_os_str())) => {
            Path::new("")
        }
        _ => return None,
    };
    let files = NAMES.map(|name| folder.join(name));
    files.into_iter().find(|path| chosen.entry_kind(path) == FolderEntryKind::File)
}

pub(crate) fn read<B: Bytes>(
    chosen: &ChosenFiles<B>,
    path: &Path,
    most: u64,
) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    decompress(chosen.open(path)?, chosen.size_limit())?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
