//! Writing an index as JSON: all of it, its columns alone, or the text of any part.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Document;
use super::format::FORMAT;
use super::later::earlier::EarlierDocument;
use super::rows::RowColumns;
use crate::facet::Facet;
use crate::index::{Earlier, Index, Origin};

/// Returns the index with all parts that have been loaded.
pub(super) fn document(index: &Index) -> Document {
    Document {
        hashes: index.hashes_text(),
        details: index.details_document(),
        dependencies: index.dependencies_document(),
        changes: index.earlier().map(changes),
        recipes: index.recipes_document().map(Box::new),
        ..columns(index)
    }
}

/// Returns the index without its other parts.
pub(super) fn columns(index: &Index) -> Document {
    let default = [Origin::default()];
    let origins = if index.origins == default { &[] } else { index.origins.as_slice() };
    // One by one, because collecting them would add an instance of the library's sort.
    let mut values = BTreeMap::new();
    for facet in Facet::ALL {
        values.insert(facet.key().to_owned(), index.dictionary(facet).values().to_vec());
    }
    Document {
        format: FORMAT,
        about: index.about.clone(),
        values,
        multi_valued: (0u32..)
            .zip(&index.multi_valued)
            .filter_map(|(code, &multi)| multi.then_some(code))
            .collect(),
        configurations: index
            .configurations
            .iter()
            .map(|configuration| {
                let used = configuration.slots.iter().rposition(Option::is_some);
                configuration.slots[..used.map_or(0, |last| last + 1)].to_vec()
            })
            .collect(),
        provider_sets: index.provider_sets.to_changes(),
        variant_sets: index.variant_sets.to_changes(),
        single_valued: index.single_valued.clone(),
        places: index.places.clone(),
        place_sets: index.place_sets.to_changes(),
        origins: origins.to_vec(),
        rows: RowColumns::new(index),
        hashes: None,
        details: None,
        dependencies: None,
        changes: None,
        recipes: None,
    }
}

/// Returns what changed, with the builds that went.
pub(super) fn changes(earlier: &Earlier) -> EarlierDocument {
    EarlierDocument::new(earlier, document(earlier.went()))
}

/// Returns the text of a part.
pub(super) fn text(part: &impl Serialize) -> String {
    in_script(&serde_json::to_string(part).expect("strings and numbers make JSON"))
}

/// Returns JSON without `<`, so that it cannot end the element of a page that contains it. In JSON, `<` only occurs within
/// strings, where the escape means the same.
pub fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}
