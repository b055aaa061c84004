//! What changed since an earlier publication, as JSON: a separate part, because only the page of the changes needs it.
//!
//! | field | meaning | shape |
//! | --- | --- | --- |
//! | `made` | when the earlier publication was made; absent if unknown | string |
//! | `came` | the builds of this index that the earlier one does not have | builds, each as its step from the one before |
//! | `went` | the builds that only the earlier one has: an index with hashes and details, but without dependencies | object |
//! | `replaced_by` | by build of `went`: 0 if none replaced it, or 1 and the position in `came` of the build that did | numbers |
//! | `differences` | the distinct lists of aspects (`cache_advice::differences::Aspect::key`) in which a build differs from the one that replaced it, in the order in which pairs first have them; each is separated by commas | strings |
//! | `differs` | by build of `went` that was replaced → `differences` | *distances* |
//! | `classes` | the distinct classes (`cache_query::Class::key`) of builds that are in no pair, in the order in which builds first have them: that of the smallest change which makes the build one of the other side; null where the other side does not have the package | strings |
//! | `alone` | by build of `went`, then by build of `came`, that is in no pair → `classes` | *distances* |
//! | `overwritten` | the builds of this index that have another binary than in the earlier one; absent if there are none | builds, each as its step from the one before |
//! | `moved` | the releases and stacks that builds which both have left, or came to; absent if there are none | arrays of a release, a stack, how many came, and how many left |
//!
//! *Distances* are explained in [`recency`](crate::index::json::recency). A key that is not known says nothing.
//!
//! The part was added without a new number of the format: a page that skips it shows the cache as it is.

use serde::{Deserialize, Serialize};

use crate::build::Place;
use crate::index::details::SharedTexts;
use crate::index::json::recency::{from_distances, to_distances};
use crate::index::json::steps::{from_steps, to_steps};
use crate::index::json::{Document, LoadError, numbers};
use crate::index::{BuildId, Earlier, Index, PlaceChange};

#[derive(Serialize, Deserialize)]
pub(in crate::index::json) struct EarlierDocument {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made: Option<String>,
    #[serde(deserialize_with = "numbers::list")]
    came: Vec<u32>,
    went: Box<Document>,
    #[serde(deserialize_with = "numbers::list")]
    replaced_by: Vec<u32>,
    differences: Vec<Option<String>>,
    #[serde(deserialize_with = "numbers::list")]
    differs: Vec<u32>,
    classes: Vec<Option<String>>,
    #[serde(deserialize_with = "numbers::list")]
    alone: Vec<u32>,
    #[serde(default, deserialize_with = "numbers::list", skip_serializing_if = "Vec::is_empty")]
    overwritten: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moved: Vec<(String, String, usize, usize)>,
}

impl EarlierDocument {
    pub(in crate::index::json) fn new(earlier: &Earlier, went: Document) -> EarlierDocument {
        let Earlier { made, came, replaced_by, differs, alone, overwritten, moved, .. } = earlier;
        let moved = moved.iter().map(|PlaceChange { place, came, left }| {
            (place.release.clone(), place.stack.clone(), *came, *left)
        });
        EarlierDocument {
            made: made.clone(),
            came: steps_of(came),
            went: Box::new(went),
            replaced_by: replaced_by.iter().map(|new| new.map_or(0, |new| new + 1)).collect(),
            differences: differs.texts.clone(),
            differs: to_distances(&differs.by_build),
            classes: alone.texts.clone(),
            alone: to_distances(&alone.by_build),
            overwritten: steps_of(overwritten),
            moved: moved.collect(),
        }
    }

    fn read(self, index: &Index) -> Result<Earlier, LoadError> {
        let came = builds("changes.came", &self.came, index)?;
        let overwritten = builds("changes.overwritten", &self.overwritten, index)?;
        let went = self.went.read()?;
        if went.specs() > 0 && !went.has_hashes() {
            return Err(LoadError::UnequalColumns("changes.went.hashes"));
        }
        if self.replaced_by.len() != went.specs() as usize {
            return Err(LoadError::UnequalColumns("changes.replaced_by"));
        }
        let mut is_paired = vec![false; came.len()];
        let mut replaced_by = Vec::with_capacity(self.replaced_by.len());
        for new in self.replaced_by {
            let new = new.checked_sub(1);
            if let Some(new) = new {
                let paired = is_paired.get_mut(new as usize);
                if paired.is_none_or(|paired| std::mem::replace(paired, true)) {
                    return Err(LoadError::BadCode("changes.replaced_by"));
                }
            }
            replaced_by.push(new);
        }
        let pairs = is_paired.iter().filter(|paired| **paired).count();
        let in_no_pair = replaced_by.len() + came.len() - 2 * pairs;
        let differs = shared("changes.differs", self.differences, &self.differs, pairs)?;
        let alone = shared("changes.alone", self.classes, &self.alone, in_no_pair)?;
        let (made, went) = (self.made, Box::new(went));
        let moved = self.moved.into_iter().map(|(release, stack, came, left)| PlaceChange {
            place: Place { release, stack },
            came,
            left,
        });
        let moved = moved.collect();
        Ok(Earlier { made, came, went, replaced_by, differs, alone, overwritten, moved })
    }
}

/// Reads what changed, unless that has been loaded already.
pub(in crate::index::json) fn take(
    index: &Index,
    document: EarlierDocument,
) -> Result<(), LoadError> {
    let _ = index.earlier.set(document.read(index)?);
    Ok(())
}

fn steps_of(builds: &[BuildId]) -> Vec<u32> {
    to_steps(builds.iter().map(|build| build.0))
}

fn builds(field: &'static str, steps: &[u32], index: &Index) -> Result<Vec<BuildId>, LoadError> {
    let builds = from_steps(field, steps, index.specs())?;
    Ok(builds.into_iter().map(BuildId).collect())
}

fn shared(
    field: &'static str,
    texts: Vec<Option<String>>,
    distances: &[u32],
    length: usize,
) -> Result<SharedTexts, LoadError> {
    if distances.len() != length {
        return Err(LoadError::UnequalColumns(field));
    }
    let by_build = from_distances(distances, texts.len()).ok_or(LoadError::BadCode(field))?;
    Ok(SharedTexts { texts, by_build })
}
