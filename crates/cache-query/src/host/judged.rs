//! The verdict on each build of an index, where more than its labels decides.

use std::sync::Arc;

use cache_index::index::BuildId;

use super::Runs;

/// The verdict on each build for the machine of a question. Working it out takes the dependencies, the GPUs and the rules of
/// reuse, so it is handed in; a question without it is answered by the labels of builds alone.
///
/// It follows from the rest of the question, so the address leaves it out. Two are equal only if they share their memory, so
/// comparing questions takes no time.
#[derive(Clone, Debug, Default)]
pub struct Judged(Option<Arc<[Runs]>>);

impl Judged {
    /// Takes a verdict for each build, in the order of the index.
    pub fn new(by_build: Arc<[Runs]>) -> Judged {
        Judged(Some(by_build))
    }

    /// Returns the verdict on a build; `None` if it is not known.
    pub fn of(&self, build: BuildId) -> Option<Runs> {
        self.0.as_ref()?.get(build.at()).copied()
    }

    /// Returns `true` if the verdicts are known.
    pub fn is_known(&self) -> bool {
        self.0.is_some()
    }
}

impl PartialEq for Judged {
    fn eq(&self, other: &Judged) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for Judged {}
