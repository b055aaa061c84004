//! The words of the last column, variants and providers: how many lines they need, and which of them a row shows if there
//! are too many. Then those come first that tell most builds apart, in every row in the same order, and the others can be
//! opened below the row.

use std::collections::BTreeMap;
use std::ops::Range;

use cache_index::sorting;

use super::{CHARACTER, LINE, TEXT_CHARACTER};

/// The maximum number of lines of a row.
pub(super) const MOST_LINES: usize = 3;
/// The maximum number of characters of a word; a longer one, such as a commit, is cut off, and complete in the title.
const MOST_IN_WORD: usize = 28;
/// The number of characters of "+99 more".
const MORE: usize = 9;

/// What is said of several builds in one line: of one row of the index, or of several.
pub(crate) const WHY: [&str; 2] =
    ["the builds differ only in dependencies", "the builds differ only in what is not shown"];

/// Returns a word as the last column shows it.
pub(crate) fn shortened(word: &str) -> String {
    match word.char_indices().nth(MOST_IN_WORD) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

/// How the words of a table are laid out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WordRoom {
    /// How many characters fit into a line of the last column.
    line: usize,
    /// How many fit into a line below a row, which is as wide as the table.
    whole_line: usize,
    /// How many lines there are.
    pub(super) lines: usize,
    /// Several builds may be alike in a row, which then says so in [`WHY`].
    has_alikes: bool,
    /// If not all words fit, how many kinds of builds have the most frequent value of each variant: the fewer, the more
    /// it tells them apart. Sorted by the name of the variant.
    most_alike: Vec<(String, usize)>,
}

impl WordRoom {
    /// Lays out the words of all kinds of builds, in a column and below it, whose widths are in CSS pixels.
    pub(super) fn new(
        kinds: &[Vec<String>],
        column: usize,
        whole: usize,
        has_alikes: bool,
    ) -> WordRoom {
        let [line, whole_line] = [column, whole].map(|pixels| (pixels / CHARACTER).max(1));
        let mut room = WordRoom { line, whole_line, has_alikes, ..WordRoom::default() };
        let needed = kinds.iter().map(|words| room.lines_for(words, has_alikes));
        let needed = needed.max().unwrap_or(1);
        room.lines = needed.clamp(1, MOST_LINES);
        if needed > MOST_LINES {
            room.most_alike = most_alike(kinds);
        }
        room
    }

    /// Returns the height of the lines in CSS pixels.
    pub(super) fn height(&self) -> usize {
        self.lines * LINE
    }

    /// Returns the words of a row in the order in which they are shown.
    pub(crate) fn in_order(&self, mut words: Vec<String>) -> Vec<String> {
        let rank = |word: &String| {
            let name = name(word);
            let place = self.most_alike.binary_search_by(|(other, _)| other.as_str().cmp(name));
            place.map_or(usize::MAX, |place| self.most_alike[place].1)
        };
        if !self.most_alike.is_empty() {
            sorting::sort_by_key(&mut words, rank);
        }
        words
    }

    /// Returns how many of its words a row shows, of one build or of several: all of them, or as many as leave room to open
    /// the others.
    pub(crate) fn shown(&self, words: &[String], of_several: bool) -> usize {
        let says_why = self.has_alikes && of_several;
        if self.lines_for(words, says_why) <= self.lines {
            return words.len();
        }
        fitting(words, self.line, self.lines, free(says_why) + MORE).max(1)
    }

    /// Splits the words that a row does not show into lines of the table.
    pub(crate) fn below(&self, words: &[String], of_several: bool) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        let mut start = self.shown(words, of_several);
        while start < words.len() {
            let end = start + fitting(&words[start..], self.whole_line, self.lines, 0).max(1);
            lines.push(start..end);
            start = end;
        }
        lines
    }

    /// Returns how many lines the words of a row need; more than [`MOST_LINES`] are not told apart, so that thousands of
    /// words are counted once for each line and not once for each of thousands.
    fn lines_for(&self, words: &[String], says_why: bool) -> usize {
        let free = free(says_why);
        let is_enough = |lines: &usize| {
            *lines * self.line >= free && fitting(words, self.line, *lines, free) == words.len()
        };
        (1..=MOST_LINES).find(is_enough).unwrap_or(MOST_LINES + 1)
    }
}

/// Returns how many characters a row keeps free.
fn free(says_why: bool) -> usize {
    if says_why { WHY[1].len() * TEXT_CHARACTER / CHARACTER + 1 } else { 0 }
}

/// Returns how many words fit into lines of so many characters, of which the last keeps some free.
fn fitting(words: &[String], line: usize, lines: usize, free: usize) -> usize {
    // What has to be kept free may itself need several lines.
    let capacity = |at: usize| {
        let after = (lines - 1 - at) * line;
        (line + after).saturating_sub(free).min(line)
    };
    let (mut at, mut taken) = (0, 0);
    for (place, word) in words.iter().enumerate() {
        let length = shortened(word).chars().count().min(line);
        while taken + length > capacity(at) {
            (at, taken) = (at + 1, 0);
            if at == lines {
                return place;
            }
        }
        taken += length + 1;
    }
    words.len()
}

/// Returns the name of the variant or virtual package of a word.
fn name(word: &str) -> &str {
    let word = word.trim_start_matches(['+', '~']);
    word.split(['=', ':']).next().unwrap_or(word)
}

fn most_alike(kinds: &[Vec<String>]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for word in kinds.iter().flatten() {
        *counts.entry((name(word), word)).or_default() += 1;
    }
    let mut most: Vec<(String, usize)> = Vec::new();
    let counts: Vec<((&str, &str), usize)> = counts.into_iter().collect();
    for group in counts.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
        let has_it: usize = group.iter().map(|(_, count)| count).sum();
        let without = kinds.len().saturating_sub(has_it);
        let largest = group.iter().map(|(_, count)| *count).max().unwrap_or(0);
        most.push((group[0].0.0.to_owned(), largest.max(without)));
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    /// The room of a table whose last column has so many characters.
    fn room(kinds: &[&str], line: usize, has_alikes: bool) -> WordRoom {
        let kinds: Vec<Vec<String>> = kinds.iter().map(|text| words(text)).collect();
        WordRoom::new(&kinds, line * CHARACTER, 2 * line * CHARACTER, has_alikes)
    }

    #[test]
    fn shows_all_words_that_fit() {
        let room = room(&["+aa +bb +cc", "~aa ~bb ~cc"], 7, false);
        assert_eq!(room.lines, 2);
        let all = room.in_order(words("+aa +bb +cc"));
        assert_eq!((room.shown(&all, false), all), (3, words("+aa +bb +cc")));
    }

    #[test]
    fn shows_first_what_tells_most_builds_apart() {
        let kinds = [
            "+always1 +always2 +always3 +half +rare",
            "+always1 +always2 +always3 ~half ~rare",
            "+always1 +always2 +always3 +half ~rare",
            "+always1 +always2 ~always3 ~half ~rare",
        ];
        let room = room(&kinds, 9, false);
        assert_eq!(room.lines, MOST_LINES);
        let all = room.in_order(words(kinds[0]));
        assert_eq!(all, words("+half +always3 +rare +always1 +always2"));
        // "+half", "+always3", and the third line is for what opens the others.
        assert_eq!(room.shown(&all, false), 2);
        assert_eq!(room.below(&all, false).into_iter().flatten().collect::<Vec<_>>(), [2, 3, 4]);
    }

    #[test]
    fn shows_or_opens_each_word_once() {
        let long: Vec<String> = (0..90).map(|number| format!("+variant_{number}")).collect();
        let long = long.join(" ");
        for line in [1, 9, 20, 60] {
            for has_alikes in [false, true] {
                let room = room(&[&long, "+x"], line, has_alikes);
                let all = room.in_order(words(&long));
                for of_several in [false, true] {
                    let mut next = room.shown(&all, of_several);
                    assert!((1..90).contains(&next), "{next} in {line}");
                    for range in room.below(&all, of_several) {
                        assert_eq!(range.start, next);
                        assert!(range.end > next);
                        next = range.end;
                    }
                    assert_eq!(next, 90);
                    assert_eq!(room.shown(&words("+x"), of_several), 1);
                }
            }
        }
    }

    #[test]
    fn leaves_room_to_say_that_builds_are_alike_only_where_it_is_said() {
        let long: Vec<String> = (0..9).map(|number| format!("+{number}")).collect();
        let long = long.join(" ");
        let room = room(&[&long, "~0"], 12, true);
        let all = room.in_order(words(&long));
        assert_eq!(room.lines, MOST_LINES);
        assert_eq!((room.shown(&all, false), room.shown(&all, true)), (9, 1));
    }

    #[test]
    fn cuts_long_words_off() {
        let commit = format!("commit={}", "0123456789".repeat(4));
        assert_eq!(shortened(&commit).chars().count(), MOST_IN_WORD + 1);
        assert_eq!(room(&[&commit], 30, false).lines, 1);
    }
}
