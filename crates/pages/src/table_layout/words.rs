//! The words of the last column, variants and providers: how many lines they need, and which of them a row shows if there
//! are too many. In that case, the words that distinguish the row from the rows above and below it come first, followed by
//! those in which most builds differ, in the same order in every row. The others can be opened below the row.

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

/// What a line says about several builds that share it: builds of one row of the index, or of several rows.
pub(crate) const WHY: [&str; 2] =
    ["the builds differ only in dependencies", "the builds differ only in what is not shown"];

/// The words of a row, and how many of them it shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowWords {
    /// All words, in the order in which they are shown.
    pub(crate) all: Vec<String>,
    /// The number of words that the row shows: all of them, or as many as leave room to open the others.
    pub(crate) shown: usize,
    /// `true` if there is room to say how the builds of a row differ.
    pub(crate) says_why: bool,
}

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
    /// builds it distinguishes. Sorted by the name of the variant.
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

    /// Orders the words of a row of one or more builds. `neighbours` are the words of the rows above and below that agree
    /// with it in every column.
    pub(crate) fn of_row(
        &self,
        mut words: Vec<String>,
        neighbours: &[Vec<String>],
        of_several: bool,
    ) -> RowWords {
        let says_why = self.has_alikes && of_several;
        if self.lines_for(&words, says_why) <= self.lines {
            return RowWords { shown: words.len(), all: words, says_why };
        }
        let telling: Vec<String> =
            neighbours.iter().filter_map(|other| self.telling(&words, other)).collect();
        let is_telling = |word: &String| telling.iter().any(|other| other == name(word));
        sorting::sort_by_key(&mut words, |word| (!is_telling(word), self.rank(name(word))));
        let least = words.iter().filter(|word| is_telling(word)).count();
        let fit = |says_why| fitting(&words, self.line, self.lines, free(says_why) + MORE);
        // What distinguishes rows is more important than what distinguishes the builds of one row.
        let says_why = says_why && fit(true) >= least.min(fit(false));
        RowWords { shown: fit(says_why).max(1), all: words, says_why }
    }

    /// Returns the variant or virtual package that distinguishes a row from another one: if possible, one that both have.
    fn telling(&self, words: &[String], others: &[String]) -> Option<String> {
        let only = |words: &[String], others: &[String]| {
            let only = words.iter().filter(|word| !others.contains(word));
            only.map(|word| name(word).to_owned()).collect::<Vec<String>>()
        };
        let [own, other] = [only(words, others), only(others, words)];
        let is_in_both = |name: &String| own.contains(name) && other.contains(name);
        let all = own.iter().chain(&other);
        all.min_by_key(|name| (!is_in_both(name), self.rank(name))).cloned()
    }

    /// Returns the position of a variant or virtual package in the order that all rows share: low if it distinguishes many
    /// builds.
    fn rank(&self, name: &str) -> usize {
        let place = self.most_alike.binary_search_by(|(other, _)| other.as_str().cmp(name));
        place.map_or(usize::MAX, |place| self.most_alike[place].1)
    }

    /// Splits the words that a row does not show into lines of the table.
    pub(crate) fn below(&self, words: &RowWords) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        let (words, mut start) = (&words.all, words.shown);
        while start < words.len() {
            let end = start + fitting(&words[start..], self.whole_line, self.lines, 0).max(1);
            lines.push(start..end);
            start = end;
        }
        lines
    }

    /// Returns how many lines the words of a row need; numbers above [`MOST_LINES`] are not distinguished, so that thousands
    /// of words are counted once for each of a few lines, not of thousands.
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

/// Returns how many words fit into lines of this many characters; the last keeps some free.
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

/// Returns what a word is about: the name of its variant if that is on or off, otherwise the name with the sign after it,
/// because a build that has `+mpi` usually has `mpi=openmpi` too.
fn name(word: &str) -> &str {
    let word = word.trim_start_matches(['+', '~']);
    word.split_inclusive(['=', ':']).next().unwrap_or(word)
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

    /// The room of a table whose last column has this many characters.
    fn room(kinds: &[&str], line: usize, has_alikes: bool) -> WordRoom {
        let kinds: Vec<Vec<String>> = kinds.iter().map(|text| words(text)).collect();
        WordRoom::new(&kinds, line * CHARACTER, 2 * line * CHARACTER, has_alikes)
    }

    #[test]
    fn shows_all_words_that_fit() {
        let room = room(&["+aa +bb +cc", "~aa ~bb ~cc"], 7, false);
        assert_eq!(room.lines, 2);
        let row = room.of_row(words("+aa +bb +cc"), &[words("+aa +bb ~cc")], false);
        assert_eq!((row.shown, row.all), (3, words("+aa +bb +cc")));
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
        let row = room.of_row(words(kinds[0]), &[], false);
        assert_eq!(row.all, words("+half +always3 +rare +always1 +always2"));
        // "+half", "+always3", and the third line is for what opens the others.
        assert_eq!(row.shown, 2);
        assert_eq!(room.below(&row).into_iter().flatten().collect::<Vec<_>>(), [2, 3, 4]);
    }

    #[test]
    fn shows_first_what_tells_neighbours_apart() {
        let shared = "+aa +bb +cc +dd +ee +ff +gg +hh +ii +jj +kk +ll +mm +nn +oo +pp";
        let kinds = [
            format!("{shared} +mpi mpi=openmpi@5.0.6"),
            format!("{shared} +mpi mpi=mpich@4.2.3"),
            format!("{} +mpi mpi=openmpi@5.0.6", shared.replace('+', "~")),
            format!("{} ~mpi", shared.replace('+', "~")),
        ];
        let kinds = kinds.each_ref().map(String::as_str);
        let room = room(&kinds, 21, true);
        for of_several in [false, true] {
            let [first, second, third, last] = kinds.map(words);
            let row = room.of_row(first.clone(), std::slice::from_ref(&second), of_several);
            assert_eq!(row.all[0], "mpi=openmpi@5.0.6");
            let row = room.of_row(second, &[first, third.clone()], of_several);
            assert_eq!(row.all[..2], ["+aa", "mpi=mpich@4.2.3"]);
            assert!(row.shown >= 2 && !row.says_why, "{row:?}");
            // What both have is preferred to what only one has.
            let row = room.of_row(last, &[third], of_several);
            assert_eq!(row.all[0], "~mpi");
            assert_eq!(row.says_why, of_several);
        }
    }

    #[test]
    fn shows_or_opens_each_word_once() {
        let long: Vec<String> = (0..90).map(|number| format!("+variant_{number}")).collect();
        let long = long.join(" ");
        for line in [1, 9, 20, 60] {
            for has_alikes in [false, true] {
                let room = room(&[&long, "+x"], line, has_alikes);
                for of_several in [false, true] {
                    let row = room.of_row(words(&long), &[], of_several);
                    let mut next = row.shown;
                    assert!((1..90).contains(&next), "{next} in {line}");
                    for range in room.below(&row) {
                        assert_eq!(range.start, next);
                        assert!(range.end > next);
                        next = range.end;
                    }
                    assert_eq!(next, 90);
                    assert_eq!(room.of_row(words("+x"), &[], of_several).shown, 1);
                }
            }
        }
    }

    #[test]
    fn leaves_room_to_say_that_builds_are_alike_only_where_it_is_said() {
        let long: Vec<String> = (0..9).map(|number| format!("+{number}")).collect();
        let long = long.join(" ");
        let room = room(&[&long, "~0"], 12, true);
        assert_eq!(room.lines, MOST_LINES);
        let shown = |of_several| room.of_row(words(&long), &[], of_several).shown;
        assert_eq!((shown(false), shown(true)), (9, 1));
    }

    #[test]
    fn cuts_long_words_off() {
        let commit = format!("commit={}", "0123456789".repeat(4));
        assert_eq!(shortened(&commit).chars().count(), MOST_IN_WORD + 1);
        assert_eq!(room(&[&commit], 30, false).lines, 1);
    }
}
