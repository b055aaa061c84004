//! The functions of `cache-advice` that the explorer uses. Their code is downloaded later, so they are handed in as
//! pointers.

use cache_index::index::Index;
use cache_query::search::Completions;
use cache_query::{OnMachine, Query, Question, Setup};

/// Functions of `cache-advice`.
#[derive(Clone, Copy)]
pub struct Advice {
    /// Judges all builds for a machine with these GPUs.
    pub judge: fn(&'static Index, Setup, &[String]) -> OnMachine,
    /// Completes a text that is typed into a query, at a cursor: an offset in bytes.
    pub complete: fn(&Index, &Query, &str, usize) -> Completions,
    /// Returns the query after a text has been typed into another query, and how many bytes of the text it reads. It is given
    /// the completions at the end of the text, and a function that returns `true` if any build matches a question.
    pub while_typing: WhileTyping,
}

/// The type of [`Advice::while_typing`].
pub type WhileTyping =
    fn(&Index, &Query, &str, &Completions, &dyn Fn(&Question) -> bool) -> (Query, usize);
