//! Searching for files, by what was found in binaries: in a file that `inspect` wrote, or in the index itself.

use std::collections::BTreeMap;

use cache_index::facts::{FileTerm, KnownFacts};
use cache_index::index::{
    BuildId, FactsByBuild, FactsTexts, Index, LoadError, ShardOfNames, shards_about,
};
use cache_index::number::grouped;

/// The error if nothing is known of files.
const NO_FACTS: &str = "files are found in what `cache-explorer inspect` writes: --facts names it, here or for `index`";

/// The builds that have files.
#[derive(Debug, Default)]
pub(super) struct WithFiles {
    /// The builds, each with its files, at least one for each word.
    pub(super) builds: Vec<(BuildId, Vec<String>)>,
    /// How many more builds may have the files, but their lists of files have not been read.
    pub(super) unread: usize,
}

impl WithFiles {
    /// Finds the builds among `among` that have the files that `terms` ask for. What `inspect` wrote is used first, if it is
    /// given.
    pub(super) fn find(
        index: &Index,
        known: Option<&KnownFacts>,
        terms: &[FileTerm],
        among: &[BuildId],
    ) -> Result<WithFiles, String> {
        match (known, index.facts()) {
            (Some(known), _) => Ok(by_facts(index, known, terms, among)),
            (None, Some(texts)) => by_index(index, texts, terms, among)
                .map_err(|error| format!("what the index says of binaries: {error}")),
            (None, None) => Err(NO_FACTS.to_owned()),
        }
    }

    /// Returns a note if there may be more builds.
    pub(super) fn doubt(&self) -> Option<String> {
        let builds = match self.unread {
            0 => return None,
            1 => "1 build was not looked into".to_owned(),
            unread => format!("{} builds were not looked into", grouped(unread)),
        };
        Some(format!("there may be more: {builds}"))
    }
}

fn by_facts(index: &Index, known: &KnownFacts, terms: &[FileTerm], among: &[BuildId]) -> WithFiles {
    let mut found = WithFiles::default();
    for &build in among {
        match index.hash(build).and_then(|hash| known.of(hash)) {
            Some(facts) if !facts.is_partial => {
                let files = FileTerm::all_found(terms, facts);
                let files = files.map(|files| files.into_iter().map(str::to_owned).collect());
                found.builds.extend(files.map(|files| (build, files)));
            }
            _ => found.unread += 1,
        }
    }
    found
}

fn by_index(
    index: &Index,
    texts: &FactsTexts,
    terms: &[FileTerm],
    among: &[BuildId],
) -> Result<WithFiles, LoadError> {
    let mut by_build: BTreeMap<BuildId, Vec<Vec<String>>> = BTreeMap::new();
    let beginnings: Vec<&str> = texts.files.iter().map(|shard| shard.from.as_str()).collect();
    for (at, term) in terms.iter().enumerate() {
        for number in shards_about(&beginnings, term) {
            let shard = ShardOfNames::read(&texts.files[number].text, index)?;
            for (path, builds) in shard.found(term) {
                for build in builds.iter() {
                    let files = by_build.entry(build).or_insert_with(|| vec![vec![]; terms.len()]);
                    files[at].push(path.clone());
                }
            }
        }
    }
    let numbers = FactsByBuild::read(&texts.by_build, index)?;
    let mut found = WithFiles::default();
    for &build in among {
        let by_term = by_build.get(&build).filter(|files| files.iter().all(|it| !it.is_empty()));
        match by_term {
            _ if numbers.of(build).files.is_none() => found.unread += 1,
            Some(by_term) => {
                let each = by_term.iter().flat_map(|files| {
                    let mut files = files.clone();
                    files.sort();
                    files.dedup();
                    files
                });
                found.builds.push((build, each.collect()));
            }
            None => {}
        }
    }
    Ok(found)
}
