//! The builds that satisfy the specs that were asked for.

use std::sync::Arc;

use cache_index::environment::Root;
use cache_index::index::{BuildId, Index};
use cache_query::search::Search;
use cache_query::{Question, run_with};
use spack_spec::{Dialect, ParseError, Spec};

use crate::{Near, nearest};

/// The builds that a cache has for one spec.
#[derive(Clone, Debug)]
pub struct Satisfying {
    /// The spec in canonical form.
    pub spec: String,
    /// The builds with a binary that satisfy it, in the order of the index.
    pub builds: Vec<BuildId>,
    /// `true` if these are all; `false` if the cache does not say enough, for example because it does not list
    /// dependencies.
    pub is_certain: bool,
    /// If there are none: builds that fail the fewest parts of the spec and the filters.
    pub nearest: Vec<Near>,
}

/// How many of the nearest builds are found for a spec.
const NEAREST: usize = 3;

impl Satisfying {
    /// Finds the builds that satisfy a spec, among those that pass the filters of a question, by the rules of a
    /// dialect.
    ///
    /// # Errors
    ///
    /// Why the spec cannot be read.
    pub fn new(
        index: &Index,
        question: &Question,
        dialect: Dialect,
        spec: &str,
    ) -> Result<Satisfying, ParseError> {
        let parsed = Spec::parse(spec, dialect)?;
        let spec = parsed.to_string();
        let found = Arc::new(Search::of(parsed).select(index));
        let answer = run_with(index, question, found);
        let builds: Vec<BuildId> = answer.matching_builds(index).collect();
        let nearest = match builds.is_empty() {
            true => nearest(index, &Question { text: spec.clone(), ..question.clone() }, NEAREST),
            false => Vec::new(),
        };
        Ok(Satisfying { spec, builds, is_certain: answer.missing().is_none(), nearest })
    }
}

/// Returns the specs of some roots in their order, each once.
pub(super) fn distinct<'r>(roots: impl IntoIterator<Item = &'r Root>) -> Vec<&'r str> {
    let mut distinct: Vec<&str> = Vec::new();
    for Root { spec, .. } in roots {
        if !distinct.contains(&spec.as_str()) {
            distinct.push(spec);
        }
    }
    distinct
}
