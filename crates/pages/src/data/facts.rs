//! What was found in binaries, as it arrives.

use std::cell::RefCell;
use std::sync::Arc;

use cache_index::index::{BuildId, EdgeTarget, FactsByBuild, Index, TotalSize};

use crate::browser::facts;
use site::browser::tasks;
use site::explorer::Explorer;

/// What is known of the sizes of builds.
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

/// Returns what is known of the sizes of builds; whatever reads this follows what arrives.
pub(crate) fn sizes(explorer: Explorer) -> Sizes {
    explorer.requested();
    SIZES.with_borrow(Sizes::clone)
}

/// Returns what is known of how much room binaries have, for whoever asks again as that changes.
pub(crate) fn rooms() -> Rooms {
    match SIZES.with_borrow(Sizes::clone) {
        _ if !facts::are_there() => Rooms::NoFacts,
        Sizes::NotAsked | Sizes::Awaited => Rooms::Awaited,
        Sizes::Failed(_) => Rooms::NoFacts,
        Sizes::Here(numbers) => Rooms::Here(numbers),
    }
}

/// What is known of how much room binaries have for another install tree.
pub(crate) enum Rooms {
    /// The page was published without what is in binaries, or it cannot be had.
    NoFacts,
    /// It has not been fetched.
    Awaited,
    /// It is there.
    Here(Arc<FactsByBuild>),
}

/// Fetches the sizes of builds, unless that has begun.
pub(crate) fn ask_for_sizes(explorer: Explorer) {
    if SIZES.with_borrow(|sizes| matches!(sizes, Sizes::Awaited | Sizes::Here(_))) {
        return;
    }
    let note = move |sizes| {
        SIZES.set(sizes);
        explorer.note_requested();
    };
    note(Sizes::Awaited);
    tasks::spawn(async move {
        note(match facts::numbers(explorer.index).await {
            Ok(numbers) => Sizes::Here(Arc::new(numbers.unwrap_or_default())),
            Err(problem) => Sizes::Failed(problem.to_string()),
        });
    });
}

/// Returns how many specs a build needs to run, and the sizes of the build and all of these together, each counted once;
/// `None` if that is not known. Specs of unknown size are counted, too, if the cache does not have them.
pub(crate) fn with_needed(
    index: &Index,
    numbers: &FactsByBuild,
    build: BuildId,
) -> Option<(usize, TotalSize)> {
    let needed = index.fetched_with(build)?;
    let builds = needed.iter().filter_map(|target| match target {
        EdgeTarget::Build(build) => Some(*build),
        EdgeTarget::Unknown { .. } => None,
    });
    let unlisted = needed.len() - builds.clone().count();
    let mut total = numbers.total(builds.chain([build]));
    total.unknown += unlisted;
    Some((needed.len(), total))
}
