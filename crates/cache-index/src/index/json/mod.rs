//! The index as JSON: the one module that writes it and reads it.
//!
//! It is one object, or several texts, the first of them useful alone: [`Parts`]. Numbers are codes, that is,
//! positions in the list after the arrow.
//!
//! | field | meaning | shape |
//! | --- | --- | --- |
//! | `format` | the number of the [format](mod@format) | number |
//! | `about` | when and from what it was made: [`About`] | object |
//! | `values` | by facet key: the distinct values in display order | lists of strings |
//! | `multi_valued` | the variants whose build may have further values of the same name → `values.variant` | codes, ascending |
//! | `configurations` | platform, os, target, compiler → `values`; if dependencies are listed, also libc → `values` and providers → `provider_sets` | lists of 4 or 6 codes, ascending; a code that is not known is `null`, or left out at the end |
//! | `provider_sets` | each distinct set of providers → `values.provider`; absent where none are listed | *changes* |
//! | `variant_sets` | each distinct set of variants → `values.variant` | *changes* |
//! | `single_valued` | exceptions to `multi_valued`: single values in a set → `variant_sets` and `values.variant`; absent if nothing | pairs of codes, ascending |
//! | `places` | release and stack → `values` | pairs of codes, ascending |
//! | `place_sets` | each distinct set of places → `places`; empty for builds without a binary | *changes* |
//! | `origins` | each distinct [`Origin`]; absent if all builds have the default one | objects, ascending |
//! | `rows.package` | by package: how many rows it has | counts |
//! | `rows.version` | by row → `values.version` | *steps* from the row before; a package's first from 0 |
//! | `rows.configuration` | by row → `configurations` | codes |
//! | `rows.variant_set` | by row → `variant_sets` | *steps* from the row before |
//! | `rows.place_set` | by row → `place_sets` | codes |
//! | `rows.origin` | by row → `origins`; absent if all are 0 | codes |
//! | `rows.builds` | by row: the number of builds that it stands for, at least 1 | counts |
//! | `hashes` | of all builds in order, 32 characters each, without a separator; may be absent | string |
//! | `details` | what only the page of a single build shows: the module `details`; may be absent | object |
//! | `dependencies` | which builds depend on which: the module `dependencies`; may be absent | object |
//! | `changes` | what changed since an earlier publication: the module `earlier`; may be absent | object |
//! | `recipes` | what recipes say of packages: the module `recipes`; may be absent | object |
//! | `facts` | what was found in binaries: the module `facts`; may be absent. Only [`Index::to_json_with_facts`] writes it, and only [`Index::take_facts`] reads it | object |
//!
//! *Steps* are differences, which may be negative. *Changes* describe sets by their difference to the
//! set before: the members of only one of the two, ascending, each as its step from the one before
//! it. Both make neighbours look alike, which compresses well.
//!
//! The sizes of the fields, in bytes, for the 145,000 builds and 40,124 rows that `cache-explorer generate --builds
//! 145000` makes up (no dependencies, no details; fields of fewer than 100 bytes under brotli are left out).
//! `cache-explorer stats` prints them for any index.
//!
//! | field | raw | gzip | brotli | brotli, per build |
//! | --- | --- | --- | --- | --- |
//! | `hashes` | 4,640,002 | 3,113,005 | 2,908,674 | 20.060 |
//! | `rows.place_set` | 161,368 | 59,200 | 52,513 | 0.362 |
//! | `variant_sets` | 58,433 | 21,384 | 19,106 | 0.132 |
//! | `rows.builds` | 82,699 | 20,713 | 18,662 | 0.129 |
//! | `place_sets` | 56,757 | 14,822 | 13,449 | 0.093 |
//! | `rows.configuration` | 112,792 | 12,308 | 11,055 | 0.076 |
//! | `rows.version` | 84,360 | 10,497 | 8,941 | 0.062 |
//! | `rows.variant_set` | 82,703 | 6,239 | 5,607 | 0.039 |
//! | `values.variant` | 21,533 | 5,768 | 4,936 | 0.034 |
//! | `values.package` | 15,975 | 4,465 | 3,856 | 0.027 |
//! | `values.version` | 13,828 | 3,345 | 1,637 | 0.011 |
//! | `rows.package` | 3,991 | 1,512 | 1,253 | 0.009 |
//! | `multi_valued` | 1,493 | 680 | 591 | 0.004 |
//! | `places` | 2,380 | 662 | 308 | 0.002 |
//! | `values.stack` | 573 | 258 | 239 | 0.002 |
//! | `values.target` | 135 | 105 | 108 | 0.001 |
//! | all but the hashes | 700,179 | 166,786 | 143,186 | 0.987 |
//! | all | 5,340,161 | 3,281,697 | 3,053,431 | 21.058 |
//!
//! The text contains no `<`, so nothing in it can end the `<script>` of a page.
//!
//! A reader accepts any text and returns either an index in which every code is valid, or the reason why it is not one:
//! [`LoadError`].

mod about;
mod edges;
mod error;
mod facts;
pub mod format;
mod hashes;
mod later;
mod numbers;
mod parsed;
mod parts;
mod recency;
mod rows;
mod statement;
mod steps;
#[cfg(test)]
mod tests;
mod writing;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

pub use self::about::{About, BucketServer, KnownMirror, LeftOut, PUBLIC_MIRROR_URL};

pub use self::error::LoadError;
pub use self::facts::{
    BinaryFacts, BuildFacts, BuildsOfName, FactsByBuild, ShardOfBuilds, ShardOfNames, StatedShard,
    TotalSize, shard_of, shards_about,
};
pub use self::format::FORMAT;
use self::format::READ;

pub use self::hashes::HashReader;
pub use self::later::dependencies::DependenciesReader;
use self::later::dependencies::{self, DependenciesDocument};
use self::later::details::{self, DetailsDocument};
use self::later::earlier::{self, EarlierDocument};
use self::later::recipes::{self, RecipesDocument};
pub use self::parsed::ParsedColumns;
pub use self::parts::{FactsTexts, Part, Parts, Shard};
use self::rows::RowColumns;
pub use self::statement::{StatedPart, Statement};
pub use self::writing::in_script;
use self::writing::{changes, columns, document, text};
use super::lists::Lists;
use super::recipes::RecipeParts;
use super::{Configuration, Dictionary, Earlier, Identity, Index, Origin, Sets};
use crate::facet::{Facet, Storage};
use crate::sorting;

#[derive(Serialize, Deserialize)]
struct Document {
    format: u32,
    about: About,
    /// By facet key.
    values: BTreeMap<String, Vec<String>>,
    #[serde(deserialize_with = "numbers::list")]
    multi_valued: Vec<u32>,
    configurations: Vec<Vec<Option<u32>>>,
    #[serde(default, deserialize_with = "numbers::lists", skip_serializing_if = "Lists::is_empty")]
    provider_sets: Lists,
    #[serde(deserialize_with = "numbers::lists")]
    variant_sets: Lists,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    single_valued: Vec<(u32, u32)>,
    places: Vec<(u32, u32)>,
    #[serde(deserialize_with = "numbers::lists")]
    place_sets: Lists,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    origins: Vec<Origin>,
    rows: RowColumns,
    #[serde(skip_serializing_if = "Option::is_none")]
    hashes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<DetailsDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dependencies: Option<DependenciesDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<EarlierDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recipes: Option<Box<RecipesDocument>>,
}

/// What every format has, so that an unknown format is rejected by its number rather than by the first field that
/// differs.
#[derive(Deserialize)]
struct Head {
    format: Option<u32>,
}

impl Index {
    /// Writes the index as one text, with all parts that have been loaded.
    pub fn to_json(&self) -> String {
        text(&document(self))
    }

    /// Writes the index as a text for each part that has been loaded.
    pub fn to_parts(&self) -> Parts {
        Parts {
            columns: text(&columns(self)),
            hashes: self.hashes_text().map(|hashes| text(&hashes)),
            details: self.details_document().map(|details| text(&details)),
            dependencies: self.dependencies_document().map(|dependencies| text(&dependencies)),
            changes: self.earlier().map(|earlier| text(&changes(earlier))),
            summary: self.earlier().map(Earlier::summary),
            recipes: self.recipe_list_text(),
            recipe_details: self.recipe_details_text(),
            other_packages: self.other_packages_text(),
            facts: None,
        }
    }

    fn details_document(&self) -> Option<DetailsDocument> {
        let details = self.details.get().filter(|details| !details.is_empty())?;
        Some(DetailsDocument::new(details))
    }

    fn dependencies_document(&self) -> Option<DependenciesDocument> {
        Some(DependenciesDocument::new(self, self.dependencies.get()?))
    }

    /// Reads an index, with the parts that the text contains.
    pub fn from_json(json: &str) -> Result<Index, LoadError> {
        Document::parse(json)?.read()
    }

    /// Reads [`Parts::details`], unless they have been loaded already.
    pub fn set_details(&self, json: &str) -> Result<(), LoadError> {
        details::take(self, serde_json::from_str(json)?)
    }

    /// Reads [`Parts::dependencies`], unless they have been loaded already.
    pub fn set_dependencies(&self, json: &str) -> Result<(), LoadError> {
        dependencies::take(self, serde_json::from_str(json)?)
    }

    /// Returns a reader of [`Parts::dependencies`] that works in steps, because a click should not wait for them.
    pub fn dependencies_reader(&self, json: &str) -> Result<DependenciesReader<'_>, LoadError> {
        Ok(DependenciesReader::new(self, serde_json::from_str(json)?))
    }

    /// Stores the dependencies if the reader has read all of them, unless they have been loaded already.
    pub fn take_dependencies(&self, reader: DependenciesReader<'_>) {
        if let Some(all) = reader.finish() {
            let _ = self.dependencies.set(all);
        }
    }

    /// Reads [`Parts::changes`], unless they have been loaded already.
    pub fn set_changes(&self, json: &str) -> Result<(), LoadError> {
        earlier::take(self, serde_json::from_str(json)?)
    }
}

impl Document {
    fn parse(json: &str) -> Result<Document, LoadError> {
        let document: Document = serde_json::from_str(json).map_err(|error| {
            let head: Option<Head> = serde_json::from_str(json).ok();
            let refused = head.and_then(|head| READ.check(head.format).err());
            refused.unwrap_or_else(|| error.into())
        })?;
        READ.check(Some(document.format))?;
        Ok(document)
    }

    fn read(self) -> Result<Index, LoadError> {
        let mut values = self.values;
        let mut dictionaries: [Dictionary; Facet::COUNT] = Default::default();
        for facet in Facet::ALL {
            let values = values.remove(facet.key()).unwrap_or_default();
            dictionaries[facet.at()] =
                Dictionary::new(values).ok_or(LoadError::RepeatedValue(facet))?;
        }
        let known = |facet: Facet, code: u32| (code as usize) < dictionaries[facet.at()].len();

        let variants = dictionaries[Facet::Variant.at()].len();
        let mut multi_valued = vec![false; variants];
        for code in self.multi_valued {
            let multi = multi_valued.get_mut(code as usize);
            *multi.ok_or(LoadError::BadCode("multi_valued"))? = true;
        }
        let provider_sets =
            Sets::from_changes(&self.provider_sets, dictionaries[Facet::Provider.at()].len())
                .ok_or(LoadError::BadCode("provider_sets"))?;
        let configuration = |codes: &Vec<Option<u32>>| {
            let mut slots = [None; Facet::SLOTS];
            slots.get_mut(..codes.len())?.copy_from_slice(codes);
            let linked = |facet: Facet| facet.is_from_dependencies();
            let is_linked =
                Facet::BY_SLOT.iter().zip(slots).any(|(f, slot)| linked(*f) && slot.is_some());
            let leads_somewhere = |(facet, slot): (Facet, Option<u32>)| match slot {
                None => !(facet.is_always_known() || linked(facet) && is_linked),
                Some(set) if matches!(facet.stored(), Storage::Providers(_)) => {
                    (set as usize) < provider_sets.len()
                }
                Some(code) => known(facet, code),
            };
            let all_lead_somewhere = Facet::BY_SLOT.into_iter().zip(slots).all(leads_somewhere);
            all_lead_somewhere.then_some(Configuration { slots })
        };
        let configurations: Option<Vec<Configuration>> =
            self.configurations.iter().map(configuration).collect();
        let configurations = configurations.ok_or(LoadError::BadCode("configurations"))?;
        let places = self.places;
        if !places.is_sorted_by(|a, b| a < b)
            || !places.iter().all(|&(release, stack)| {
                known(Facet::Release, release) && known(Facet::Stack, stack)
            })
        {
            return Err(LoadError::BadCode("places"));
        }
        let variant_sets = Sets::from_changes(&self.variant_sets, variants)
            .ok_or(LoadError::BadCode("variant_sets"))?;
        if !self.single_valued.is_sorted_by(|a, b| a < b)
            || !self.single_valued.iter().all(|&(set, code)| {
                (set as usize) < variant_sets.len() && known(Facet::Variant, code)
            })
        {
            return Err(LoadError::BadCode("single_valued"));
        }
        let place_sets = Sets::from_changes(&self.place_sets, places.len())
            .ok_or(LoadError::BadCode("place_sets"))?;
        let origins = if self.origins.is_empty() { vec![Origin::default()] } else { self.origins };
        let rows = self.rows.read(&dictionaries)?;
        let all_below =
            |column: &[u32], limit: usize| column.iter().all(|&code| (code as usize) < limit);
        if !all_below(&rows.configuration, configurations.len()) {
            return Err(LoadError::BadCode("rows.configuration"));
        }
        if !all_below(&rows.variant_set, variant_sets.len()) {
            return Err(LoadError::BadCode("rows.variant_set"));
        }
        if !all_below(&rows.place_set, place_sets.len()) {
            return Err(LoadError::BadCode("rows.place_set"));
        }
        if !all_below(&rows.origin, origins.len()) {
            return Err(LoadError::BadCode("rows.origin"));
        }
        let mut about = self.about;
        // Mirrors are found by a binary search for their place. The writer has sorted them, but a text may have any
        // order.
        sorting::sort_by(&mut about.mirrors, |one, other| {
            (&one.release, &one.stack).cmp(&(&other.release, &other.stack))
        });
        let index = Index {
            identity: Identity::default(),
            about,
            dictionaries,
            multi_valued,
            single_valued: self.single_valued,
            configurations,
            provider_sets,
            variant_sets,
            places,
            place_sets,
            origins,
            rows,
            hashes: OnceLock::new(),
            details: OnceLock::new(),
            dependencies: OnceLock::new(),
            earlier: OnceLock::new(),
            recipes: RecipeParts::default(),
            facts: None,
            parsed: OnceLock::new(),
            row_by_build: OnceLock::new(),
        };
        if let Some(hashes) = self.hashes {
            index.read_hashes(&hashes)?;
        }
        if let Some(details) = self.details {
            details::take(&index, details)?;
        }
        if let Some(dependencies) = self.dependencies {
            dependencies::take(&index, dependencies)?;
        }
        if let Some(changes) = self.changes {
            earlier::take(&index, changes)?;
        }
        if let Some(recipes) = self.recipes {
            recipes::take(&index, *recipes)?;
        }
        Ok(index)
    }
}
