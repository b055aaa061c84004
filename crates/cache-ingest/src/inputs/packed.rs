//! Indexes as inputs: files that `index` made, and pages that contain one.

use cache_index::index::{Index, Parts};

use super::location::Location;
use super::machine::Machine;
use super::read::read_text;
use crate::{Kind, kind, site};

/// Loads an index as a page would, so that what a page would refuse is refused here.
#[inline(never)] // The reader in the page loads it later, see `crates/split`.
pub fn load_index(machine: &impl Machine, location: &Location) -> Result<Index, String> {
    let text = read_text(Ok(location.open(machine)?)).map_err(|finding| finding.to_string())?;
    let index = match kind(text.as_bytes()) {
        Kind::Site => {
            let beside = |name: &str| {
                let file = location.beside(name).open(machine)?;
                read_text(Ok(file)).map_err(|finding| finding.to_string())
            };
            of_parts(site::extract(&text, beside).map_err(|error| error.to_string())?)?
        }
        _ => Index::from_json(&text).map_err(|error| error.to_string())?,
    };
    // Without hashes, it cannot be merged with other inputs, and nothing can be installed.
    match index.specs() == 0 || index.has_hashes() {
        true => Ok(index),
        false => Err("expected an index with hashes, found one without".to_owned()),
    }
}

fn of_parts(parts: Parts) -> Result<Index, String> {
    let Parts { columns, hashes, details, dependencies, changes, .. } = parts;
    let index = Index::from_json(&columns).map_err(|error| error.to_string())?;
    for (part, set) in [
        (hashes, Index::set_hashes as fn(&Index, &str) -> _),
        (details, Index::set_details),
        (dependencies, Index::set_dependencies),
        (changes, Index::set_changes),
    ] {
        if let Some(part) = part {
            set(&index, &part).map_err(|error| error.to_string())?;
        }
    }
    Ok(index)
}
