//! Loading an index from a file or from a page that has one.

use std::io::{self, Read};

use cache_index::index::{Index, LoadError, Parts};
use thiserror::Error;

use super::location::Location;
use super::machine::Machine;
use crate::compression::{SizeLimit, decompress};
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

/// Loads an index as a page would, so that what a page would refuse is refused here.
#[inline(never)] // The reader in the page loads it later, see `crates/split`.
pub(super) fn load_index(
    machine: &impl Machine,
    location: &Location,
    #[cfg(feature = "command")] report: &mut Report,
) -> Result<Index, IndexError> {
    let limit = machine.size_limit();
    let text = read_text(location.open(machine)?, limit).map_err(IndexError::NotText)?;
    let index = match kind(text.as_bytes()) {
        InputKind::Site => {
            let beside = |name: &str| {
                let file =
                    location.beside(name).open(machine).map_err(|error| error.to_string())?;
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

/// Reads an index of one text, with what it has about binaries.
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

/// Reads a text that may be compressed.
pub(super) fn read_text(file: impl Read, limit: SizeLimit) -> Result<String, Finding> {
    let mut bytes = Vec::new();
    decompress(file, limit)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .map_err(|error| Finding::Unreadable { message: error.to_string() })?;
    String::from_utf8(bytes)
        .map_err(|error| Finding::NotUtf8 { byte: error.utf8_error().valid_up_to() })
}
