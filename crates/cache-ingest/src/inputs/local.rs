//! Mirrors whose binaries can be opened, because they are in a folder.

use std::io::{self, Read};

use super::input::{Input, Repository};
use super::location::Location;
use super::machine::{Folder, Machine};
use crate::mirror::{
    BinaryFile, BinaryFiles, Files as _, SpecState, binaries, binary_in_registry, check_spec,
    signable_files,
};
use crate::oci::{ImageLayout, Registry, find_repository};
use crate::problem::Problem;
use crate::report::Report;

/// A mirror in a folder, or a repository in OCI's image layout.
#[derive(Debug)]
pub struct LocalMirror<'i, M> {
    folder: Folder<'i, M>,
    is_layout: bool,
}

impl<'i, M: Machine> LocalMirror<'i, M> {
    /// Returns what is wrong with the specs of its builds. A registry has no specs besides its manifests.
    pub fn damaged_specs(&self) -> Vec<Problem> {
        let files = match self.is_layout {
            true => Vec::new(),
            // If its files cannot be listed, that was reported when it was read.
            false => signable_files(&self.folder).unwrap_or_default(),
        };
        let damaged =
            files.iter().filter_map(|(build, file)| match check_spec(&self.folder, file, *build) {
                Ok(Some(SpecState::Damaged(problem))) => Some(problem),
                _ => None,
            });
        damaged.collect()
    }

    /// Returns the mirror of an input; `None` for any other input.
    pub fn of(machine: &'i M, input: &'i Input) -> Option<LocalMirror<'i, M>> {
        let (root, is_layout) = match input {
            Input::Mirror(mirror) => (mirror.path.as_path(), false),
            Input::Repository(Repository { location: Location::Path(path), .. }) => {
                (path.as_path(), true)
            }
            _ => return None,
        };
        Some(LocalMirror { folder: Folder { machine, root }, is_layout })
    }

    /// Finds its binaries, or reports why there are none.
    pub fn binaries(&self, label: &str, report: &mut Report) -> Option<BinaryFiles> {
        if !self.is_layout {
            return binaries(&self.folder).map_err(|error| report.problem(label, &error)).ok();
        }
        let read = ImageLayout::open(&self.folder);
        read.problems.iter().for_each(|problem| report.unusable(label, problem));
        binaries_in_registry(self.folder.machine, &read.value?, label, report)
    }

    /// Opens a binary; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(&self, file: &BinaryFile) -> io::Result<Option<Box<dyn Read + '_>>> {
        self.folder.open(&self.path(file))
    }

    /// Returns the length of a binary in bytes: the stated one, or else that of the file.
    pub fn length(&self, file: &BinaryFile) -> u64 {
        let stated = file.stated.as_ref().and_then(|stated| stated.length);
        stated.unwrap_or_else(|| self.found_length(file))
    }

    /// Returns `true` if a binary is there.
    pub fn has(&self, file: &BinaryFile) -> bool {
        self.folder.length(&self.path(file)).is_some()
    }

    /// Returns the length of a binary in bytes; 0 if it is not there.
    pub fn found_length(&self, file: &BinaryFile) -> u64 {
        self.folder.length(&self.path(file)).unwrap_or_default()
    }

    fn path(&self, file: &BinaryFile) -> String {
        match self.is_layout {
            true => format!("blobs/sha256/{}", file.path),
            false => file.path.clone(),
        }
    }
}

/// Finds the binaries of a repository of a registry, or reports why there are none.
pub fn binaries_in_registry(
    machine: &impl Machine,
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
