//! Text without invisible characters.
//!
//! Pages, chats and documents put characters of no width between others, where a line may be broken, and they are copied
//! with the text. No name in Spack has one, and Spack rejects them.

use std::borrow::Cow;
use std::ops::Range;

/// A text without invisible characters, and where they were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visible<'t> {
    /// The characters that can be seen.
    pub text: Cow<'t, str>,
    /// For each stretch of bytes that was removed, where it was in the visible text, and how long it was.
    removed: Vec<(usize, usize)>,
}

impl<'t> Visible<'t> {
    /// Removes the characters of no width.
    ///
    /// ```
    /// use cache_query::search::Visible;
    ///
    /// assert_eq!(Visible::of("hdf5+mpi\u{200b}~cxx").text, "hdf5+mpi~cxx");
    /// ```
    pub fn of(text: &'t str) -> Visible<'t> {
        if text.is_ascii() || !text.contains(has_no_width) {
            return Visible { text: text.into(), removed: Vec::new() };
        }
        let mut visible = String::with_capacity(text.len());
        let mut removed = Vec::new();
        for character in text.chars() {
            match has_no_width(character) {
                true => removed.push((visible.len(), character.len_utf8())),
                false => visible.push(character),
            }
        }
        Visible { text: visible.into(), removed }
    }

    /// Returns where a part of the visible text is in the text that it was made from.
    pub(super) fn span_in(&self, text: &str, span: &Range<usize>) -> Range<usize> {
        let before = |at: usize, is_start: bool| {
            let removed =
                self.removed.iter().filter(|(place, _)| *place < at || is_start && *place == at);
            at + removed.map(|(_, length)| length).sum::<usize>()
        };
        let start = before(span.start, true).min(text.len());
        start..before(span.end, false).max(start).min(text.len())
    }
}

/// Returns `true` for the characters that take no room: joiners, marks of direction, the mark at the start of a file.
fn has_no_width(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use crate::search::Search;
    use crate::search::tests::{found, index};

    #[test]
    fn reads_what_was_copied_from_a_page() {
        let index = index();
        assert_eq!(found(&index, "hdf5@1.14.5\u{200b}+mpi\u{200b}"), ["hdf5@1.14.5"]);
        assert_eq!(found(&index, "hd\u{ad}f5 +mpi"), ["hdf5@1.14.5"]);
        assert_eq!(found(&index, "\u{feff}hdf5 mpi"), ["hdf5@1.14.5"]);
        assert!(Search::read(&index, "\u{200b}").problems.is_empty());
    }

    #[test]
    fn points_into_the_text_that_was_typed() {
        let index = index();
        let text = "hd\u{200b}f5\u{200b}+nosuch\u{200b}";
        let problems = Search::read(&index, text).problems;
        assert_eq!(problems.len(), 1);
        assert_eq!(&text[problems[0].span.clone()], "+nosuch");
        let text = "\u{feff}hdf\u{200b}55";
        let problem = Search::read(&index, text).problems.remove(0);
        assert_eq!(problem.mend(text).as_deref(), Some("\u{feff}hdf5"));
    }
}
