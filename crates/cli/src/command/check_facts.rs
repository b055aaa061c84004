//! `check --facts`: what was found in binaries against what the cache says of them.

use std::collections::BTreeMap;

use cache_advice::Binaries;
use cache_advice::relocation::{Destination, Relocation, Relocations};
use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::facts::{KnownFacts, numbers};
use cache_index::index::{BuildId, Index, missing_libraries};
use cache_index::number::counted;

use crate::report::{Report, print};

/// Reports builds that differ from their labels, that need libraries that nothing provides, and, if a `padding` is given,
/// that cannot be moved to a root of this many characters.
pub(super) fn check(
    index: &Index,
    known: &KnownFacts,
    padding: Option<usize>,
    report: &mut Report,
) {
    let facts = |hash: Hash| known.of(hash);
    let mut unread = 0;
    for build in index.builds_with_binary() {
        let Some(hash) = index.hash(build) else { continue };
        // The beginning of a binary says nothing about its files.
        let Some(found) = known.of(hash).filter(|found| !found.is_partial) else {
            unread += 1;
            continue;
        };
        let name = name(index, build, hash);
        if let Some((label, needed)) = newer_than_label(index, build, &found.requires()) {
            let kind = "builds need a newer glibc than their label says";
            let message = format!("{name}: needs GLIBC_{needed}; its label says {label}");
            report.damaged_builds(kind, message, &[hash]);
        }
        for missing in missing_libraries(index, &facts, build).unwrap_or_default() {
            let kind = "builds need a library that neither they nor their dependencies nor their libc provide";
            let message = format!("{name}: {} needs {}", missing.file, missing.library);
            report.damaged_builds(kind, message, &[hash]);
        }
    }
    if unread > 0 {
        let note = counted(unread, "build was not looked into", "builds were not looked into");
        report.note(&note);
    }
    if let Some(length) = padding {
        check_moves(index, known, length, report);
    }
    print_writers(index, known);
}

fn name(index: &Index, build: BuildId, hash: Hash) -> String {
    let row = index.row_of(build);
    format!("{}@{}/{hash}", index.text(row, Facet::Package), index.text(row, Facet::Version))
}

/// Returns the version of glibc that a build's label states, and the newer one that the build needs.
fn newer_than_label<'f>(
    index: &'f Index,
    build: BuildId,
    requires: &BTreeMap<&'f str, &'f str>,
) -> Option<(&'f str, &'f str)> {
    let label = index.text(index.row_of(build), Facet::Libc).strip_prefix("glibc@")?;
    let label = label.trim_start_matches('=');
    let needed = *requires.get("GLIBC")?;
    (numbers(needed) > numbers(label)).then_some((label, needed))
}

/// Reports builds that cannot be moved to a root of this many characters.
fn check_moves(index: &Index, known: &KnownFacts, length: usize, report: &mut Report) {
    let facts = |hash: Hash| known.of(hash);
    // The characters only matter at the end of a root of the same length, and no root ends like this one.
    let root = format!("/{}", "~".repeat(length.saturating_sub(1)));
    let to = Destination { root, ..Destination::new("/") };
    let moved = Relocations::new(index, Binaries::Inspected(&facts), &to);
    let kind = format!("builds cannot be moved to a root of {length} characters");
    for build in index.builds_with_binary() {
        if let (Relocation::No(obstacle), Some(hash)) = (moved.alone(build), index.hash(build)) {
            let message = format!("{}: {obstacle}", name(index, build, hash));
            report.damaged_builds(&kind, message, &[hash]);
        }
    }
}

/// Prints how many builds each writer pushed, by the root of its install tree, and how many of these have paths that
/// cannot grow.
fn print_writers(index: &Index, known: &KnownFacts) {
    let mut writers: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for hash in index.builds_with_binary().filter_map(|build| index.hash(build)) {
        let Some(found) = known.of(hash).filter(|found| !found.is_partial) else { continue };
        let (all, fixed) = writers.entry(&found.relocation.root).or_default();
        *all += 1;
        *fixed += usize::from(found.objects.iter().any(|object| !object.strings.is_empty()));
    }
    for (root, (all, fixed)) in writers {
        let builds = counted(all, "build", "builds");
        let length = root.len();
        print(format_args!(
            "{builds} from {root} ({length} characters), {fixed} of them with paths that cannot grow"
        ));
    }
}
