//! Visits what builds are linked with or run, and each build after these.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use cache_index::build::Hash;
use cache_index::index::{BuildId, EdgeTarget, Index};

/// What a build needs: a spec of the index, or one that is not in it.
#[derive(Clone, Copy)]
pub(crate) enum NeededSpec<'i> {
    Build(BuildId),
    Unlisted(&'i str, Hash),
}

impl NeededSpec<'_> {
    fn build(self) -> Option<BuildId> {
        match self {
            NeededSpec::Build(build) => Some(build),
            NeededSpec::Unlisted(..) => None,
        }
    }
}

/// Returns what a build is linked with or runs directly, as far as Spack installs it from a cache.
pub(crate) fn needed(index: &Index, build: BuildId) -> impl Iterator<Item = NeededSpec<'_>> {
    let edges = index.dependencies(build).into_iter().flatten();
    edges.filter(|edge| edge.is_needed_to_run()).filter_map(move |edge| match edge.target {
        EdgeTarget::Build(lower) if index.origin(index.row_of(lower)).external => None,
        EdgeTarget::Build(lower) => Some(NeededSpec::Build(lower)),
        EdgeTarget::Unknown { package, hash } => Some(NeededSpec::Unlisted(package, hash)),
    })
}

/// Answers about builds that follow from those about what they need.
#[derive(Debug)]
pub(crate) struct AnswersBelow<T>(RefCell<HashMap<u32, T>>);

impl<T> Default for AnswersBelow<T> {
    fn default() -> AnswersBelow<T> {
        AnswersBelow(RefCell::default())
    }
}

impl<T: Clone> AnswersBelow<T> {
    /// Returns the answer about a build. `answer` gets a build, and the answers about what it needs; none where builds
    /// need each other in a circle.
    pub(crate) fn of(
        &self,
        index: &Index,
        build: BuildId,
        answer: impl Fn(BuildId, &dyn Fn(BuildId) -> Option<T>) -> T,
    ) -> T {
        let known = |build: BuildId| self.0.borrow().get(&build.0).cloned();
        let mut open = BTreeSet::new();
        // Iterative, because a damaged file may be deeper than the stack.
        let mut stack = vec![build];
        while let Some(&top) = stack.last() {
            if self.0.borrow().contains_key(&top.0) {
                stack.pop();
            } else if open.insert(top.0) {
                let is_new = |it: &BuildId| !open.contains(&it.0);
                stack.extend(needed(index, top).filter_map(NeededSpec::build).filter(is_new));
            } else {
                let found = answer(top, &known);
                self.0.borrow_mut().insert(top.0, found);
                stack.pop();
            }
        }
        known(build).unwrap_or_else(|| answer(build, &known))
    }
}
