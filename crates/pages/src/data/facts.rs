//! What was found in binaries, as it arrives.

use std::sync::Arc;

use cache_index::index::{BuildId, EdgeTarget, FactsByBuild, Index, TotalSize};

use crate::browser::facts;
pub(crate) use crate::browser::facts::{InIndex, Sizes, in_index};
use site::browser::tasks;
use site::explorer::Explorer;

/// Returns what is known about the sizes of builds. Whatever reads this is notified when they arrive.
pub(crate) fn sizes(explorer: Explorer) -> Sizes {
    explorer.requested();
    facts::sizes()
}

/// Fetches the sizes of builds, unless that has begun.
pub(crate) fn ask_for_sizes(explorer: Explorer) {
    if matches!(facts::sizes(), Sizes::Awaited | Sizes::Here(_)) {
        return;
    }
    let note = move |sizes| {
        facts::keep_sizes(sizes);
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
    let needed = index.installed_with(build)?.len();
    let fetched = index.fetched_with(build)?;
    let builds = fetched.iter().filter_map(|target| match target {
        EdgeTarget::Build(build) => Some(*build),
        EdgeTarget::Unknown { .. } => None,
    });
    let unlisted = fetched.len() - builds.clone().count();
    // The build that a spliced build was made from is included, and fetched in its place.
    let is_fetched = |build: &BuildId| index.origin(index.row_of(*build)).spliced_from.is_none();
    let mut total = numbers.total(builds.chain([build]).filter(is_fetched));
    total.unknown += unlisted;
    Some((needed, total))
}
