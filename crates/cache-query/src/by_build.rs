//! Values for each build that were computed elsewhere.

use std::sync::Arc;

use cache_index::index::BuildId;

/// A value for each build of an index, once it is known. Computing the values takes parts of the index or rules that this
/// crate does not have, so they are passed in.
///
/// The values follow from the rest of a question, so the address leaves them out. Two lists are equal only if they share
/// their memory, so comparing questions takes no time.
#[derive(Clone, Debug)]
pub struct ByBuild<T>(Option<Arc<[T]>>);

impl<T: Copy> ByBuild<T> {
    /// Takes a value for each build, in the order of the index.
    pub fn new(by_build: Arc<[T]>) -> ByBuild<T> {
        ByBuild(Some(by_build))
    }

    /// Returns the value of a build; `None` if it is not known.
    pub fn of(&self, build: BuildId) -> Option<T> {
        self.0.as_ref()?.get(build.at()).copied()
    }

    /// Returns `true` if the values are known.
    pub fn is_known(&self) -> bool {
        self.0.is_some()
    }
}

impl<T> Default for ByBuild<T> {
    fn default() -> ByBuild<T> {
        ByBuild(None)
    }
}

impl<T> PartialEq for ByBuild<T> {
    fn eq(&self, other: &ByBuild<T>) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl<T> Eq for ByBuild<T> {}
