//! The files that `search` is asked for, by what was found in binaries: in a file that `inspect` wrote, or in the index itself.

use std::collections::BTreeMap;
use std::path::Path;

use cache_index::facts::{FileTerm, KnownFacts};
use cache_index::index::{BuildId, FactsByBuild, FactsTexts, Index, LoadError, ShardOfNames};

use crate::inspect;
use crate::report::Failed;

/// What is known of the files of builds.
pub(super) enum FilesOf {
    /// By what `inspect` wrote.
    File(KnownFacts),
    /// By the index: the numbers of builds, and by build the files that each word finds.
    Index(FactsByBuild, BTreeMap<BuildId, Vec<Vec<String>>>),
}

/// What is known of the files of one build.
pub(super) enum FilesFound {
    /// It has these files, at least one for each word.
    Files(Vec<String>),
    /// It lacks one.
    Nothing,
    /// Nobody has read the list of its files.
    Unknown,
}

impl FilesOf {
    /// Reads what is known, from a file if one is given.
    pub(super) fn read(
        index: &Index,
        file: Option<&Path>,
        terms: &[FileTerm],
    ) -> Result<FilesOf, Failed> {
        match (file, index.facts()) {
            (Some(file), _) => Ok(FilesOf::File(inspect::load(file, true)?)),
            (None, Some(texts)) => Ok(by_index(index, texts, terms)
                .map_err(|error| format!("what the index says of binaries: {error}"))?),
            (None, None) => {
                let words = "files are found in what `cache-explorer inspect` writes: --facts names it, here or for `index`";
                Err(words.into())
            }
        }
    }

    /// Returns the files of a build that the words ask for.
    pub(super) fn of(&self, index: &Index, build: BuildId, terms: &[FileTerm]) -> FilesFound {
        let files = match self {
            FilesOf::File(known) => match index.hash(build).and_then(|hash| known.of(hash)) {
                Some(facts) if !facts.is_partial => FileTerm::all_found(terms, facts)
                    .map(|files| files.into_iter().map(str::to_owned).collect()),
                _ => return FilesFound::Unknown,
            },
            FilesOf::Index(numbers, _) if numbers.of(build).files.is_none() => {
                return FilesFound::Unknown;
            }
            FilesOf::Index(_, found) => found
                .get(&build)
                .filter(|by_term| by_term.iter().all(|files| !files.is_empty()))
                .map(|by_term| by_term.concat()),
        };
        files.map_or(FilesFound::Nothing, FilesFound::Files)
    }
}

fn by_index(index: &Index, texts: &FactsTexts, terms: &[FileTerm]) -> Result<FilesOf, LoadError> {
    let mut found: BTreeMap<BuildId, Vec<Vec<String>>> = BTreeMap::new();
    for shard in &texts.files {
        let shard = ShardOfNames::read(&shard.text, index)?;
        for (at, term) in terms.iter().enumerate() {
            for (path, builds) in shard.found(term) {
                for build in builds.iter() {
                    let by_term = found.entry(build).or_insert_with(|| vec![vec![]; terms.len()]);
                    by_term[at].push(path.clone());
                }
            }
        }
    }
    for files in found.values_mut().flatten() {
        files.sort();
        files.dedup();
    }
    Ok(FilesOf::Index(FactsByBuild::read(&texts.by_build, index)?, found))
}
