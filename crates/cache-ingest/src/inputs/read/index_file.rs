//! Indexes: loading one from a file or from a page that has one, and taking its builds.

use std::collections::BTreeSet;
use std::io;
use std::slice;

use cache_index::build::Build;
use cache_index::index::{BuildId, Index, LoadError, Parts};
use cache_index::mirror::Mirror;
use thiserror::Error;

use super::{Intake, read_text};
use crate::inputs::input::{IndexFile, NameAndUrl};
use crate::inputs::location::Location;
use crate::inputs::machine::Machine;
#[cfg(feature = "command")]
use crate::report::Report;
use crate::site::{self, SiteError};
use crate::{Finding, InputKind, kind};

/// The reason why an index could not be loaded.
#[derive(Debug, Error)]
pub enum IndexError {
    /// There is nothing to read.
    #[error("{0}")]
    Unopened(#[from] io::Error),
    /// The file is not text.
    #[error("{0}")]
    NotText(Finding),
    /// A page contains no index.
    #[error("{0}")]
    InPage(#[from] SiteError),
    /// The index is damaged.
    #[error("{0}")]
    Damaged(#[from] LoadError),
    /// The index cannot be merged with other inputs, and nothing can be installed by it.
    #[error("expected an index with hashes, found one without")]
    WithoutHashes,
}

/// Loads an index as a page would, and refuses what a page would refuse.
#[inline(never)] // The reader in the page loads it later, see `crates/split`.
pub(in crate::inputs) fn load_index(
    machine: &impl Machine,
    location: &Location,
    #[cfg(feature = "command")] report: &mut Report,
) -> Result<Index, IndexError> {
    let limit = machine.size_limit();
    let text = read_text(location.open(machine)?, limit).map_err(IndexError::NotText)?;
    let index = match kind(text.as_bytes()) {
        InputKind::Site => {
            let beside = |name: &str| {
                let location = location.beside(name);
                // Only the page says which files it has.
                if let Location::Url(url) = &location {
                    machine.fetch(slice::from_ref(url), &BTreeSet::new());
                }
                let file = location.open(machine).map_err(|error| error.to_string())?;
                read_text(file, limit).map_err(|finding| finding.to_string())
            };
            let index = index_of_parts(site::extract(&text, beside)?)?;
            #[cfg(feature = "command")]
            if site::has_facts(&text) {
                let note = "what was found in binaries is not read from a page; give the index that it was made of, or \
                            --facts";
                report.note_of_kind(note, format!("{}: {note}", location.label(machine)));
            }
            index
        }
        _ => index_of_text(&text)?,
    };
    match index.specs() == 0 || index.has_hashes() {
        true => Ok(index),
        false => Err(IndexError::WithoutHashes),
    }
}

/// Reads an index from one text, including what it says about binaries.
fn index_of_text(text: &str) -> Result<Index, LoadError> {
    let mut index = Index::from_json(text)?;
    if Index::may_have_facts(text) {
        index.take_facts(text)?;
    }
    Ok(index)
}

fn index_of_parts(parts: Parts) -> Result<Index, LoadError> {
    let index = Index::from_json(&parts.columns)?;
    for (part, set) in [
        (parts.hashes, Index::set_hashes as fn(&Index, &str) -> _),
        (parts.details, Index::set_details),
        (parts.dependencies, Index::set_dependencies),
        (parts.changes, Index::set_changes),
        (parts.recipes, Index::set_recipes),
        (parts.recipe_details, Index::set_recipe_details),
        (parts.other_packages, Index::set_other_packages),
    ] {
        if let Some(part) = part {
            set(&index, &part)?;
        }
    }
    Ok(index)
}

/// Takes the builds of an index, and everything that it says about the cache.
#[inline(never)] // The reader in the page loads it later, see `crates/split`.
pub(super) fn read_index<M: Machine>(intake: &mut Intake<'_, M>, label: &str, input: &IndexFile) {
    let index = match load_index(
        intake.machine,
        &input.location,
        #[cfg(feature = "command")]
        intake.report,
    ) {
        Ok(index) => index,
        Err(problem) => return intake.report.problem(label, &problem),
    };
    let about = index.about();
    intake.mirrors.bases.extend(about.mirror_url().map(str::to_owned));
    intake.mirrors.buckets.extend(about.buckets.iter().cloned());
    intake.left_out.extend(about.left_out.iter().cloned());
    for place in index.all_places() {
        let name = about.known_mirror(&place).and_then(|mirror| mirror.name.clone());
        let Mirror { url, view, .. } = Mirror::of(&place, about);
        let known = NameAndUrl { name, url, view };
        if let Err(problem) = intake.mirrors.add(input.place_of(place), known) {
            intake.report.problem(label, &problem);
        }
    }
    let builds = (0..index.specs()).filter_map(|id| index.build(BuildId(id)));
    let builds = builds.map(|build| {
        let places = build.places.into_iter().map(|place| input.place_of(place));
        Build { places: places.collect(), ..build }
    });
    let part = intake.collection.begin(label);
    for conflict in intake.collection.extend(part, builds) {
        intake.report.conflict(&conflict);
    }
    #[cfg(feature = "command")]
    if let Err(problem) = intake.carried.take(&index) {
        intake.report.problem(label, &problem);
    }
    #[cfg(not(feature = "command"))]
    if index.recipe_list().is_some() {
        let note = "what recipes say is left out of an index that is opened with others";
        intake.report.note_of_kind(note, format!("{label}: {note}"));
    }
    #[cfg(not(feature = "command"))]
    if index.facts().is_some() {
        let note = "what was found in binaries is left out of an index that is opened with others";
        intake.report.note_of_kind(note, format!("{label}: {note}"));
    }
    intake.machine.have_read(index.specs() as usize);
}
