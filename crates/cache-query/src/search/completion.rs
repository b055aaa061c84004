//! What is offered to complete a text that is being typed: plain data, which the search box shows.

use std::ops::Range;

/// The options for a piece of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The piece that they replace, in bytes of the text; it ends at the cursor.
    pub replaces: Range<usize>,
    /// The options, best first.
    pub options: Vec<Completion>,
    /// Where the token of the piece starts, including its sign.
    pub token: usize,
}

/// One option.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Completion {
    /// The text that replaces the piece.
    pub text: String,
    /// The text with its sign, to be shown.
    pub shown: String,
    /// What it is: `package`, `version`, `variant`, …
    pub kind: &'static str,
    /// How many builds match with it; `None` if it is only the beginning of something, or if counting
    /// would take too long.
    pub builds: Option<u32>,
}
