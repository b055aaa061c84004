//! What was found in binaries: parts of the index that the page fetches on request.
//!
//! The page names the lists of shards, and the lists name the shards. The files of a build are in one shard; the builds that
//! have a file of some name are in a few. The lists stay in the page, or in the browser's cache, so they can be read again.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use cache_index::facts::{FileTerm, ListedFile};
use cache_index::index::{
    BuildId, FactsByBuild, Index, Part, ShardOfBuilds, ShardOfNames, StatedPart, StatedShard,
    shard_of, shards_about,
};

use site::browser::parts::{PartError, stated, text_that_stays};

/// The numbers of all builds are fetched without a request if they are at most this many bytes.
const SHORT: usize = 1 << 20;

/// Returns `true` if the page was published with what is in binaries.
pub(crate) fn are_there() -> bool {
    stated(Part::Contents).is_some()
}

/// Returns `true` if the numbers of all builds take no noticeable time to fetch.
pub(crate) fn are_short() -> bool {
    stated(Part::Facts).is_some_and(|part| part.length <= SHORT)
}

/// What is known about the sizes of builds.
#[derive(Clone)]
pub(crate) enum Sizes {
    /// Nobody has asked for them.
    NotAsked,
    /// They are being fetched.
    Awaited,
    /// They could not be fetched, or cannot be read.
    Failed(String),
    /// They have arrived.
    Here(Arc<FactsByBuild>),
}

thread_local! {
    static SIZES: RefCell<Sizes> = const { RefCell::new(Sizes::NotAsked) };
}

/// Returns what is known about the sizes of builds so far.
pub(crate) fn sizes() -> Sizes {
    SIZES.with_borrow(Sizes::clone)
}

/// Notes what is known about the sizes of builds.
pub(crate) fn keep_sizes(sizes: Sizes) {
    SIZES.set(sizes);
}

/// Returns what the index has about binaries. This changes as the facts arrive, so callers must ask again.
pub(crate) fn in_index() -> InIndex {
    match sizes() {
        _ if !are_there() => InIndex::NoFacts,
        Sizes::NotAsked | Sizes::Awaited => InIndex::Awaited,
        Sizes::Failed(_) => InIndex::NoFacts,
        Sizes::Here(numbers) => InIndex::Here(numbers),
    }
}

/// What the index has about binaries: what they demand of a machine, and how much room they have for an install tree.
pub(crate) enum InIndex {
    /// The page was published without what is in binaries, or this could not be fetched.
    NoFacts,
    /// It has not been fetched.
    Awaited,
    /// It is there.
    Here(Arc<FactsByBuild>),
}

/// Fetches the files and links of a build; `None` if they are not known.
pub(crate) async fn files_of(build: BuildId) -> Result<Option<Vec<ListedFile>>, PartError> {
    let Some(list) = stated(Part::Contents) else { return Ok(None) };
    let list = text_that_stays(Part::Contents.id(), &list).await?;
    let list: Vec<StatedShard<u32>> = StatedShard::read_list(&list)?;
    let Some(number) = shard_of(&list, build) else { return Ok(None) };
    let part: &StatedPart = &list[number].part;
    let shard = text_that_stays(&Part::Contents.shard_id(number), part).await?;
    let files = ShardOfBuilds::read(&shard)?;
    let files = files.of(build)?;
    Ok(files.map(|files| files.into_iter().cloned().collect()))
}

/// Fetches the numbers of all builds; `None` if they are not known.
pub(crate) async fn numbers(index: &Index) -> Result<Option<FactsByBuild>, PartError> {
    let Some(part) = stated(Part::Facts) else { return Ok(None) };
    let text = text_that_stays(Part::Facts.id(), &part).await?;
    Ok(Some(FactsByBuild::read(&text, index)?))
}

/// Returns the number of builds with a binary whose files are not known; 0 if it would take long to find out.
pub(crate) async fn builds_without_files(index: &Index) -> Result<usize, PartError> {
    let numbers = if are_short() { numbers(index).await? } else { None };
    let Some(numbers) = numbers else { return Ok(0) };
    let is_unknown = |build: &BuildId| numbers.of(*build).files.is_none();
    Ok(index.builds_with_binary().filter(is_unknown).count())
}

/// The lists that say which builds have a file.
pub(crate) struct FileLists(Vec<StatedShard<String>>);

/// Fetches which lists exist; `None` if the page was published without them.
pub(crate) async fn file_lists() -> Result<Option<FileLists>, PartError> {
    let Some(list) = stated(Part::Files) else { return Ok(None) };
    let list = text_that_stays(Part::Files.id(), &list).await?;
    Ok(Some(FileLists(StatedShard::read_list(&list)?)))
}

impl FileLists {
    /// Returns the indices of the lists that say which builds have a file.
    pub(crate) fn about(&self, term: &FileTerm) -> BTreeSet<usize> {
        let beginnings: Vec<&str> = self.0.iter().map(|shard| shard.from.as_str()).collect();
        shards_about(&beginnings, term)
    }

    /// Returns the total length of the lists about these files, in bytes.
    pub(crate) fn bytes_about(&self, terms: &[&FileTerm]) -> usize {
        let lists: BTreeSet<usize> = terms.iter().flat_map(|term| self.about(term)).collect();
        lists.iter().map(|&list| self.0[list].part.length).sum()
    }

    /// Fetches a list, and returns the builds that have a file according to it.
    pub(crate) async fn builds_with(
        &self,
        index: &Index,
        list: usize,
        term: &FileTerm,
    ) -> Result<Vec<BuildId>, PartError> {
        let text = text_that_stays(&Part::Files.shard_id(list), &self.0[list].part).await?;
        let shard = ShardOfNames::read(&text, index)?;
        Ok(shard.found(term).iter().flat_map(|(_, builds)| builds.iter()).collect())
    }
}
