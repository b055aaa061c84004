//! The builds that satisfy the specs that were asked for.

use std::sync::Arc;

use spack_spec::{Dialect, ParseError, Spec};

use super::Root;
use crate::index::{BuildId, Index};
use crate::query::{Question, run_with};
use crate::search::Search;

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
}

/// Returns the builds that satisfy each distinct spec of some roots, in their order, by the rules of a dialect, or why
/// the spec cannot be read.
pub fn satisfying<'r>(
    index: &Index,
    dialect: Dialect,
    roots: impl IntoIterator<Item = &'r Root>,
) -> Vec<(&'r str, Result<Satisfying, ParseError>)> {
    let mut seen: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for Root { spec, .. } in roots {
        if !seen.contains(&spec.as_str()) {
            seen.push(spec);
            found.push((spec.as_str(), satisfying_one(index, dialect, spec)));
        }
    }
    found
}

fn satisfying_one(index: &Index, dialect: Dialect, spec: &str) -> Result<Satisfying, ParseError> {
    let parsed = Spec::parse(spec, dialect)?;
    let spec = parsed.to_string();
    let found = Arc::new(Search::of(parsed).select(index));
    let answer = run_with(index, &Question::default(), found);
    Ok(Satisfying {
        spec,
        builds: answer.matching_builds(index).collect(),
        is_certain: answer.missing().is_none(),
    })
}
