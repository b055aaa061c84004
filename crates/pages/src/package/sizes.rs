//! The columns of sizes, which were found in binaries. The sizes are fetched when a column shows one.

use std::cmp::Reverse;

use cache_advice::size_in_words;
use cache_index::index::{BuildId, FactsByBuild, Index, TotalSize};
use cache_query::{Column, Size};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::data::facts::{Sizes, ask_for_sizes, sizes, with_needed};
use site::explorer::Explorer;

/// Fetches the sizes, and the dependencies that they require, as soon as a column shows one or the table is sorted by one.
pub(super) fn follow(explorer: Explorer, columns: Memo<Vec<Column>>) {
    Effect::new(move || {
        let size = |column: &Column| match column {
            Column::Size(size) => Some(*size),
            _ => None,
        };
        let mut all: Vec<Size> = columns.with(|columns| columns.iter().filter_map(size).collect());
        all.extend(sorted_by(explorer).map(|(size, _)| size));
        if !all.is_empty() {
            untrack(|| ask_for_sizes(explorer));
        }
        if all.into_iter().any(takes_dependencies) {
            explorer.want_dependencies();
        }
    });
}

/// Sorts builds by size, if the table is sorted by a size and the sizes are there. Builds of unknown size come last.
pub(super) fn sort(explorer: Explorer, list: &mut [BuildId]) {
    let Some((size, descending)) = sorted_by(explorer) else { return };
    let Sizes::Here(numbers) = sizes(explorer) else { return };
    let index = explorer.so_far();
    let bytes = |build: &BuildId| of(index, &numbers, size, *build).map(|(bytes, _)| bytes);
    match descending {
        true => list.sort_by_cached_key(|build| Reverse(bytes(build))),
        false => list.sort_by_cached_key(|build| (bytes(build).is_none(), bytes(build))),
    }
}

fn sorted_by(explorer: Explorer) -> Option<(Size, bool)> {
    let sort = explorer.with_presentation(|shown| shown.sort)?;
    match sort.column {
        Column::Size(size) => Some((size, sort.descending)),
        _ => None,
    }
}

/// Returns `true` for sizes that include what a build needs to run.
fn takes_dependencies(size: Size) -> bool {
    matches!(size, Size::DownloadInAll | Size::UnpackedInAll)
}

/// Returns a size of a build in bytes, and `true` if something of unknown size is left out of it; `None` if nothing is known.
fn of(index: &Index, numbers: &FactsByBuild, size: Size, build: BuildId) -> Option<(u64, bool)> {
    let own = numbers.of(build);
    let in_all = |total: fn(TotalSize) -> u64| {
        own.size?;
        let (_, all) = with_needed(index, numbers, build)?;
        Some((total(all), all.unknown > 0))
    };
    match size {
        Size::Download => Some((own.size?, false)),
        Size::Unpacked => Some((own.unpacked?, false)),
        Size::DownloadInAll => in_all(|all| all.size),
        Size::UnpackedInAll => in_all(|all| all.unpacked),
    }
}

/// Writes the cell for a size of builds that share a line: the largest.
pub(super) fn cell(explorer: Explorer, size: Size, builds: &[BuildId]) -> Markup {
    let (text, problem) = match sizes(explorer) {
        Sizes::NotAsked | Sizes::Awaited => ("…".to_owned(), None),
        Sizes::Failed(problem) => ("not loaded".to_owned(), Some(problem)),
        Sizes::Here(_)
            if takes_dependencies(size)
                && explorer.index.lists_any_dependencies()
                && explorer.dependencies().is_none() =>
        {
            ("…".to_owned(), None)
        }
        Sizes::Here(numbers) => {
            let index = explorer.so_far();
            let all = builds.iter().filter_map(|build| of(index, &numbers, size, *build));
            let text = all.max().map_or(String::new(), |(bytes, is_more)| {
                format!("{}{}", if is_more { "over " } else { "" }, size_in_words(bytes))
            });
            (text, None)
        }
    };
    let is_size = text.ends_with('B');
    html! {
        td.number
            class={ "c-" (Column::Size(size).key()) }
            title=[problem]
            data-unit=[is_size.then(|| unit(size))]
            { (text) }
    }
}

/// Returns what follows a size if there is no heading.
fn unit(size: Size) -> &'static str {
    match size {
        Size::Download => " to download",
        Size::Unpacked => " unpacked",
        Size::DownloadInAll => " to download in all",
        Size::UnpackedInAll => " unpacked in all",
    }
}
