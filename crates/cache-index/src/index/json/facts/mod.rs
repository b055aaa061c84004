//! What was found in binaries, as parts of the index that a page fetches when a user asks for them.
//!
//! | part | contents | read by |
//! | --- | --- | --- |
//! | `index-facts` | by build: its sizes, the number of its files, the length of its prefix, its room for another install tree, what it demands of a machine | [`FactsByBuild`] |
//! | `index-contents` | the list of the shards with the files of builds, each of consecutive builds | [`ShardOfBuilds`] |
//! | `index-files` | the list of the shards that say which builds have a file, each of consecutive names | [`ShardOfNames`] |
//!
//! A shard is a text of its own, so that a page about one build, or about one name, fetches a small part of all lists. The
//! publisher of an index writes the lists of its shards ([`StatedShard`]), because only the publisher knows where the shards
//! are.
//!
//! In an index of one text, the field `facts` has all of this. It is left out if nothing was found, and programs that do not
//! know it skip it.
//!
//! | field | meaning |
//! | --- | --- |
//! | `facts.by_build` | the text of `index-facts` |
//! | `facts.contents`, `facts.files` | the shards, each with what it starts `from` and its `text` |

mod by_build;
mod contents;
mod files;
mod front_coded;
mod kept;
mod line;
mod shards;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use self::by_build::{BuildFacts, FactsByBuild, TotalSize};
pub use self::contents::ShardOfBuilds;
pub use self::files::{BuildsOfName, ShardOfNames};
pub use self::kept::BinaryFacts;
pub use self::shards::{StatedShard, shard_of, shards_about};
use super::parts::{FactsTexts, Parts, Shard};
use super::{LoadError, text};
use crate::index::Index;

/// The texts within an index of one text.
#[derive(Serialize, Deserialize)]
struct FactsDocument {
    by_build: Box<RawValue>,
    contents: Vec<ShardDocument<u32>>,
    files: Vec<ShardDocument<String>>,
}

#[derive(Serialize, Deserialize)]
struct ShardDocument<K> {
    from: K,
    text: Box<RawValue>,
}

/// The only field of an index that is read here.
#[derive(Deserialize)]
struct WithFacts {
    #[serde(default)]
    facts: Option<FactsDocument>,
}

impl Index {
    /// Returns the texts about binaries, if the index was published with them.
    pub fn facts(&self) -> Option<&FactsTexts> {
        self.facts.as_deref()
    }

    /// Returns the numbers that are known about each build, if the index was published with facts.
    ///
    /// # Errors
    ///
    /// If they are damaged.
    pub fn facts_by_build(&self) -> Result<Option<FactsByBuild>, LoadError> {
        self.facts().map(|texts| FactsByBuild::read(&texts.by_build, self)).transpose()
    }

    /// Reads the texts about binaries from an index of one text, for its publisher. Most indexes have none
    /// ([`Index::may_have_facts`]), and need not be read twice.
    ///
    /// # Errors
    ///
    /// If the text is not JSON, or its facts do not have their shape.
    pub fn take_facts(&mut self, json: &str) -> Result<(), LoadError> {
        let WithFacts { facts } = serde_json::from_str(json)?;
        self.facts = facts.map(|facts| Arc::new(facts.read()));
        Ok(())
    }

    /// Returns `false` for an index of one text that certainly has no texts about binaries.
    pub fn may_have_facts(json: &str) -> bool {
        json.contains("\"facts\"")
    }

    /// Writes the index as [`Index::to_json`] does, with the texts about binaries. Only the command has these, so the app
    /// and the reader do without this code.
    pub fn to_json_with_facts(&self) -> String {
        let json = self.to_json();
        let facts = self.facts.as_deref().and_then(FactsDocument::new);
        match (facts, json.strip_suffix('}')) {
            (Some(facts), Some(others)) => format!("{others},\"facts\":{}}}", text(&facts)),
            _ => json,
        }
    }

    /// Writes the index as [`Index::to_parts`] does, with the texts about binaries.
    pub fn to_parts_with_facts(&self) -> Parts {
        Parts { facts: self.facts.clone(), ..self.to_parts() }
    }
}

impl FactsDocument {
    /// Returns `None` if a text is not JSON.
    fn new(texts: &FactsTexts) -> Option<FactsDocument> {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).ok();
        Some(FactsDocument {
            by_build: raw(&texts.by_build)?,
            contents: ShardDocument::all(&texts.contents)?,
            files: ShardDocument::all(&texts.files)?,
        })
    }

    fn read(self) -> FactsTexts {
        FactsTexts {
            by_build: self.by_build.get().to_owned(),
            contents: self.contents.into_iter().map(ShardDocument::read).collect(),
            files: self.files.into_iter().map(ShardDocument::read).collect(),
        }
    }
}

impl<K: Clone> ShardDocument<K> {
    fn all(shards: &[Shard<K>]) -> Option<Vec<ShardDocument<K>>> {
        let document = |Shard { from, text }: &Shard<K>| {
            let text = RawValue::from_string(text.clone()).ok()?;
            Some(ShardDocument { from: from.clone(), text })
        };
        shards.iter().map(document).collect()
    }

    fn read(self) -> Shard<K> {
        Shard { from: self.from, text: self.text.get().to_owned() }
    }
}
