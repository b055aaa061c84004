//! What every reader returns: what can be used, and everything that was found on the way.

use crate::problem::{Notes, Problem};

/// The result of reading an input: the value, what is wrong, and what is new.
///
/// A reader continues after a problem. If only some records are damaged, there still is a value without them, for
/// callers that want the rest and know what is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read<T> {
    /// What can be used; `None` if nothing can.
    pub value: Option<T>,
    /// What is wrong, in the order of the input. The value contains nothing that these problems concern.
    pub problems: Vec<Problem>,
    /// What is not understood, but harmless.
    pub notes: Notes,
}

impl<T> Read<T> {
    /// Returns the value, or every problem if there are any.
    pub fn into_result(self) -> Result<T, Vec<Problem>> {
        match self.value {
            Some(value) if self.problems.is_empty() => Ok(value),
            _ => Err(self.problems),
        }
    }

    /// Returns the same result, for this file of an input with many files.
    pub fn in_file(self, file: &str) -> Read<T> {
        let Read { value, problems, notes } = self;
        let problems = problems.into_iter().map(|problem| problem.in_file(file)).collect();
        Read { value, problems, notes: notes.in_file(file) }
    }

    /// Converts the value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Read<U> {
        let Read { value, problems, notes } = self;
        Read { value: value.map(change), problems, notes }
    }
}
