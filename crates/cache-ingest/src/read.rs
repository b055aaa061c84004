//! What every reader returns: as much as is usable, and everything it found on the way.

use crate::problem::{Notes, Problem};

/// What was read from an input, what is wrong with it, and what is new in it.
///
/// A reader goes on after a problem. Where only some records are damaged there is still a value,
/// without them: whoever wants the rest can have it, and knows what is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read<T> {
    /// What can be used; `None` if nothing can.
    pub value: Option<T>,
    /// What is wrong, in the order of the input. The value is free of everything that these
    /// problems are about.
    pub problems: Vec<Problem>,
    /// What is not understood and does no harm.
    pub notes: Notes,
}

impl<T> Read<T> {
    /// Returns the value, or else every problem if there is any.
    pub fn into_result(self) -> Result<T, Vec<Problem>> {
        match self.value {
            Some(value) if self.problems.is_empty() => Ok(value),
            _ => Err(self.problems),
        }
    }

    /// The same, read from this file of an input of many files.
    pub fn in_file(self, file: &str) -> Read<T> {
        let Read { value, problems, notes } = self;
        let problems = problems.into_iter().map(|problem| problem.in_file(file)).collect();
        Read { value, problems, notes: notes.in_file(file) }
    }

    /// Changes the value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Read<U> {
        let Read { value, problems, notes } = self;
        Read { value: value.map(change), problems, notes }
    }
}
