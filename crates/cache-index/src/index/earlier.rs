//! What changed since an earlier publication of the same cache, in a separate part of the index.
//!
//! The part contains what this index does not: the builds that went, as an index of their own, and which of these
//! belong to which builds that came, which only the dependencies of both sides show. `cache_advice::changes` creates
//! the part, and derives the changes from it again.

use std::fmt;

use super::details::SharedTexts;
use super::{BuildId, Index};
use crate::build::Place;
use crate::number::grouped;

/// What changed since an earlier publication.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// When it was made, if it is known.
    pub made: Option<String>,
    /// The builds that came since, ascending.
    pub came: Vec<BuildId>,
    /// The builds that went, without their dependencies.
    pub went: Box<Index>,
    /// By build of `went`: the position in `came` of the build that replaced it.
    pub replaced_by: Vec<Option<u32>>,
    /// By build of `went` that was replaced: the keys of the aspects in which the two differ, separated by commas.
    pub differs: SharedTexts,
    /// By build of `went` that was not replaced, then by build of `came` that replaced none: the key of the class of the
    /// smallest change that turns it into a build of the other side.
    pub alone: SharedTexts,
    /// The builds whose binaries differ between the two publications, ascending.
    pub overwritten: Vec<BuildId>,
    /// The releases and stacks that builds of both publications left or came to.
    pub moved: Vec<PlaceChange>,
}

/// The change of a release or stack by builds that stayed in the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceChange {
    /// The release and stack.
    pub place: Place,
    /// How many came to it.
    pub came: usize,
    /// How many left it.
    pub left: usize,
}

/// The summary of the changes that a page shows before it has loaded them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// When the earlier publication was made, if it is known.
    pub made: Option<String>,
    /// How many builds came since.
    pub came: usize,
    /// How many went.
    pub went: usize,
}

impl fmt::Display for PlaceChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlaceChange { place: Place { release, stack }, came, left } = self;
        let names = [release.as_str(), stack.as_str()].into_iter().filter(|name| !name.is_empty());
        let parts = [(*came, "came"), (*left, "left")].into_iter().filter(|(count, _)| *count > 0);
        let parts = parts.map(|(builds, verb)| format!("{} {verb}", grouped(builds)));
        let (names, parts): (Vec<&str>, Vec<String>) = (names.collect(), parts.collect());
        write!(f, "{}: {}", names.join("/"), parts.join(", "))
    }
}

impl Earlier {
    /// Returns the builds that went, as an index of their own.
    pub fn went(&self) -> &Index {
        &self.went
    }

    /// Returns the build that replaced one of those that went.
    pub fn replacement(&self, went: BuildId) -> Option<BuildId> {
        let place = (*self.replaced_by.get(went.0 as usize)?)?;
        self.came.get(place as usize).copied()
    }

    /// Returns the summary that a page shows before it has loaded the changes.
    pub fn summary(&self) -> Summary {
        Summary { made: self.made.clone(), came: self.came.len(), went: self.went.specs() as usize }
    }
}

impl Index {
    /// Returns what changed since an earlier publication, if that has been loaded.
    pub fn earlier(&self) -> Option<&Earlier> {
        self.earlier.get()
    }

    /// Adds what changed since an earlier publication, and when builds first appeared.
    pub fn publish(&mut self, earlier: Option<Earlier>, first_seen: SharedTexts) {
        self.earlier.take();
        if let Some(earlier) = earlier {
            let _ = self.earlier.set(earlier);
        }
        let mut details = self.details.take().unwrap_or_default();
        details.first_seen = first_seen;
        let _ = self.details.set(details);
    }
}
