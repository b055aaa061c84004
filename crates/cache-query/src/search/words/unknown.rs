//! Words that mean nothing here, and what is left of a text without them.

use cache_index::index::Index;

use super::meaning::mean;
use super::phrases::{connects, says_nothing};
use super::{LONGEST, MOST_SPOKEN};
use crate::search::{Search, TextMeaning, is_in_a_name};

/// Returns a text without the words that mean nothing here, and without the numbers after these, if the rest is understood:
/// `openmpi cuda` for `openmpi cuda aware`.
pub(in crate::search) fn without_unknown(index: &Index, text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let is_number = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    let is_known = |word: &str| {
        let lower = word.to_ascii_lowercase();
        let is_plain =
            lower.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        !is_plain
            || connects(&lower)
            || is_in_a_name(index, &lower)
            || mean(index, None, word).is_some()
    };
    let mut kept: Vec<&str> = Vec::new();
    let mut is_dropped = false;
    for word in text.split_whitespace().take(MOST_SPOKEN) {
        is_dropped = if is_number(word) { is_dropped } else { !is_known(word) };
        if !is_dropped {
            kept.push(word);
        }
    }
    if kept.iter().all(|word| connects(word)) || kept.join(" ").len() == text.len() {
        return None;
    }
    // What they connected is gone.
    while kept.first().is_some_and(|word| matches!(*word, "or" | "and" | "but")) {
        kept.remove(0);
    }
    let mut rest = kept.join(" ");
    let mut read = Search::read(index, &rest);
    // Without the words that say nothing, unless they say how others are meant.
    kept.retain(|word| !says_nothing(word));
    let shorter = kept.join(" ");
    let read_shorter = Search::read(index, &shorter);
    if (&read.asked, &read.choices) == (&read_shorter.asked, &read_shorter.choices) {
        (rest, read) = (shorter, read_shorter);
    }
    let is_understood = match read.asked {
        TextMeaning::Spec(_) => true,
        TextMeaning::Anything | TextMeaning::Words(_) => read.chooses(),
        TextMeaning::Hash(_) | TextMeaning::Hashes(_) => false,
    };
    (read.problems.is_empty() && is_understood).then_some(rest)
}

/// Returns `true` for a word that says nothing by itself, or that is understood without a package.
pub(in crate::search) fn is_understood(index: &Index, word: &str) -> bool {
    says_nothing(word) || mean(index, None, word).is_some()
}
