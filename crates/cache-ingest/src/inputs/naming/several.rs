//! Names that distinguish several sources. The reader in the page loads this later, see `crates/split`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Source, is_release};
use crate::inputs::ReadOptions;

/// Returns `true` if the labels of all these sources are names that releases have, and the user states neither a name,
/// a release nor a stack for any of them.
#[inline(never)]
pub(in crate::inputs) fn are_releases(
    sources: &[Source],
    labels: &[String],
    options: &ReadOptions,
) -> bool {
    let is_named = |source: &Source| {
        let stated =
            [&source.name, &source.release, &source.stack, &options.release, &options.stack];
        stated.into_iter().any(Option::is_some)
    };
    labels.iter().zip(sources).all(|(label, source)| !is_named(source) && is_release(label))
}

/// Returns the label of each of these sources; `None` for a source that needs none, because it is alone in its release
/// and the user gave it no name. `releases` are those that the user gives the sources that do not state theirs.
#[inline(never)]
pub(in crate::inputs) fn names<'r>(
    sources: &[Source],
    labels: Vec<String>,
    releases: impl Iterator<Item = Option<&'r str>>,
) -> Vec<Option<String>> {
    let releases: Vec<Option<&str>> =
        releases.map(|one| one.filter(|one| !one.is_empty())).collect();
    let mut sources_of: BTreeMap<&str, usize> = BTreeMap::new();
    for release in releases.iter().flatten() {
        *sources_of.entry(release).or_default() += 1;
    }
    let is_alone =
        |release: &Option<&str>| release.is_some_and(|release| sources_of.get(release) == Some(&1));
    let named = labels.into_iter().zip(sources).zip(&releases);
    named
        .map(|((label, source), release)| {
            (source.name.is_some() || !is_alone(release)).then_some(label)
        })
        .collect()
}

/// Returns a label for each of several sources: the name that the user gave it, or else as many of the last parts of
/// its path as it takes to distinguish it from the others.
///
/// Labels are never empty, and only equal if the user gave equal names or equal paths.
pub(in crate::inputs) fn labels(sources: &[Source]) -> Vec<String> {
    let parts: Vec<Vec<&str>> = sources.iter().map(parts).collect();
    let names: BTreeSet<&str> =
        sources.iter().filter_map(|source| source.name.as_deref()).collect();
    // In the order of their last parts, a path has the longest end in common with one of its neighbours.
    let mut unnamed: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for (_, parts) in sources.iter().zip(&parts).filter(|(source, _)| source.name.is_none()) {
        unnamed.insert(parts.iter().rev().copied().collect(), 1);
    }
    let keys: Vec<Vec<&str>> = unnamed.keys().cloned().collect();
    for pair in keys.windows(2) {
        let common = pair[0].iter().zip(&pair[1]).take_while(|(one, other)| one == other).count();
        for key in pair {
            unnamed.entry(key.clone()).and_modify(|depth| *depth = (*depth).max(common + 1));
        }
    }
    let mut given: BTreeMap<&Path, String> = BTreeMap::new();
    let mut used: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut labels = Vec::with_capacity(sources.len());
    for (source, parts) in sources.iter().zip(&parts) {
        let path = source.path.as_path();
        if let Some(label) = source.name.as_ref().or_else(|| given.get(path)) {
            labels.push(label.clone());
            continue;
        }
        let reversed: Vec<&str> = parts.iter().rev().copied().collect();
        let depth = unnamed.get(&reversed).copied().unwrap_or(1).min(parts.len());
        let last = |many: usize| parts[parts.len() - many..].join("/");
        let ends = (depth..=parts.len()).map(last);
        // Paths such as `../a` and `a` consist of the same parts.
        let numbered = (2..).map(|number| format!("{}-{number}", last(depth)));
        let label = ends.chain(numbered).find(|label| !used.contains(label)).unwrap_or_default();
        used.insert(label.clone());
        given.insert(path, label.clone());
        labels.push(label);
    }
    labels
}

/// Returns the parts of a source's path or URL that say what it is called: without `..`, and without what every mirror
/// calls its database. At least one, and none is empty.
fn parts(source: &Source) -> Vec<&str> {
    let path = source.path.to_str().unwrap_or_default();
    let mut parts = parts_of(path);
    if parts.is_empty() {
        parts = parts_of(source.url.as_deref().unwrap_or_default());
    }
    if parts.is_empty() { vec!["mirror"] } else { parts }
}

fn parts_of(path: &str) -> Vec<&str> {
    let path = match path.split_once("://") {
        Some((_, rest)) => rest.split(['?', '#']).next().unwrap_or_default(),
        None => path,
    };
    let named = |part: &&str| !matches!(*part, "" | "." | ".." | "-");
    let mut parts: Vec<&str> = path.split(['/', '\\']).filter(named).collect();
    if let Some(last) = parts.last_mut() {
        for extension in [".gz", ".zst", ".json"] {
            *last = last.strip_suffix(extension).filter(|rest| !rest.is_empty()).unwrap_or(last);
        }
    }
    while parts.len() > 1 && matches!(parts.last(), Some(&("index" | "build_cache"))) {
        parts.pop();
    }
    parts
}
