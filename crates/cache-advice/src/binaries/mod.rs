//! What is known of binaries, and the rule that decides if a machine has what they demand.

mod contents;
mod provision;

use std::borrow::Cow;

use cache_index::facts::{Demands, Facts, FactsOf};
use cache_index::index::{BuildId, FactsByBuild, Index};

pub use self::contents::{FileRow, FileTree, size_in_words};
pub(crate) use self::provision::Provision;

/// The source of what is known about binaries.
#[derive(Clone, Copy)]
pub enum Binaries<'b> {
    /// All that was found in them, as `inspect` writes it.
    Inspected(&'b FactsOf<'b>),
    /// What the index itself says about them.
    InIndex(&'b FactsByBuild),
}

impl<'b> Binaries<'b> {
    /// Returns what the binary of a build demands of a machine; `None` if that is not known.
    pub fn demands(self, index: &Index, build: BuildId) -> Option<Cow<'b, Demands>> {
        match self {
            Binaries::Inspected(facts) => Demands::of(whole(facts, index, build)?).map(Cow::Owned),
            Binaries::InIndex(by_build) => by_build.demands(build).map(Cow::Borrowed),
        }
    }
}

/// Returns what was found in the binary of a build if all of it was looked into.
pub(crate) fn whole<'f>(facts: &FactsOf<'f>, index: &Index, build: BuildId) -> Option<&'f Facts> {
    facts(index.hash(build)?).filter(|facts| !facts.is_partial)
}
