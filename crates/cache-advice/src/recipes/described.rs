//! Packages by what their descriptions say.
//!
//! A search by name is exact, this one is not: each word of the text that says something is compared with the words of
//! the name and the description, and matches those that only begin alike too (`compress`, `compression`). Words that
//! few descriptions have count for more. A package is found if it has most of the words, by that weight.

use cache_index::facet::Facet;
use cache_index::index::{Index, RecipeList, ValueCode};
use cache_index::sorting;

/// Words that people put around what they look for.
const FILLERS: [&str; 60] = [
    "a",
    "an",
    "and",
    "are",
    "as",
    "at",
    "be",
    "by",
    "can",
    "do",
    "does",
    "for",
    "from",
    "has",
    "have",
    "how",
    "i",
    "in",
    "into",
    "is",
    "it",
    "its",
    "libraries",
    "library",
    "like",
    "me",
    "my",
    "need",
    "of",
    "on",
    "or",
    "package",
    "packages",
    "program",
    "programs",
    "software",
    "some",
    "something",
    "spack",
    "that",
    "the",
    "there",
    "this",
    "to",
    "tool",
    "tools",
    "use",
    "used",
    "using",
    "want",
    "what",
    "which",
    "with",
    "write",
    "you",
    "your",
    "lib",
    "any",
    "find",
    "where",
];

/// The maximum number of words of a text that are read.
const MOST_WORDS: usize = 12;

/// The share of the words, by weight, that a package must have.
const ENOUGH: f64 = 0.6;

/// The words of all packages that have a recipe, to be searched.
pub struct Descriptions {
    packages: Vec<ValueCode>,
    /// By package: those of its name, and those of its description.
    words: Vec<[Vec<String>; 2]>,
}

/// A package that a text describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedPackage {
    /// The package.
    pub package: ValueCode,
    /// The words of the text that neither its name nor its description has.
    pub without: Vec<String>,
}

impl Descriptions {
    /// Splits the names and descriptions into words, which takes longer than searching them.
    pub fn of(index: &Index, list: &RecipeList) -> Descriptions {
        let names = index.dictionary(Facet::Package);
        let packages = list.packages.iter().zip(&list.descriptions);
        let words = packages.map(|(package, description)| {
            [words(names.text(*package)).collect(), words(description).collect()]
        });
        Descriptions { words: words.collect(), packages: list.packages.clone() }
    }

    /// Returns the packages that a text describes, the best first; none for a text that is not plain words.
    pub fn described_by(&self, text: &str) -> Vec<DescribedPackage> {
        let is_plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || "-_+#,.'?".contains(c);
        if !text.chars().all(is_plain) {
            return Vec::new();
        }
        let mut asked: Vec<String> =
            words(text).filter(|word| !FILLERS.contains(&word.as_str())).collect();
        asked.truncate(MOST_WORDS);
        sorting::sort_and_dedup(&mut asked);
        if asked.iter().all(|word| word.len() < 2) {
            return Vec::new();
        }
        let found: Vec<Vec<f64>> = asked.iter().map(|word| self.likeness(word)).collect();
        let all = self.packages.len() as f64;
        let weight = |found: &Vec<f64>| {
            let having = found.iter().filter(|likeness| **likeness > 0.0).count() as f64;
            (1.0 + all / (1.0 + having)).ln()
        };
        let weights: Vec<f64> = found.iter().map(weight).collect();
        let total: f64 = weights.iter().sum();
        let mut ranked: Vec<(f64, DescribedPackage)> = Vec::new();
        for (at, &package) in self.packages.iter().enumerate() {
            let likeness = || found.iter().map(|found| found[at]).zip(&weights);
            let has: f64 =
                likeness().filter(|(likeness, _)| *likeness > 0.0).map(|(_, weight)| weight).sum();
            if has > 0.0 && has >= ENOUGH * total {
                let score: f64 = likeness().map(|(likeness, weight)| likeness * weight).sum();
                let lacking = asked.iter().zip(&found).filter(|(_, likeness)| likeness[at] == 0.0);
                let without = lacking.map(|(word, _)| word.clone()).collect();
                ranked.push((score / self.penalty(at), DescribedPackage { package, without }));
            }
        }
        sorting::sort_by(&mut ranked, |(a, one), (b, other)| {
            b.total_cmp(a).then(one.package.cmp(&other.package))
        });
        ranked.into_iter().map(|(_, described)| described).collect()
    }

    /// Returns how much each package is about a word: 0 if it is not, 3 at most.
    fn likeness(&self, asked: &str) -> Vec<f64> {
        let best = |words: &[Vec<String>; 2]| {
            let [name, description] = words;
            let in_name = name.iter().map(|word| likeness(asked, word));
            // A description says first what a package is, and later what else it has.
            let share = |at: usize| {
                if at < 16 {
                    1.0
                } else if at < 40 {
                    0.8
                } else {
                    0.6
                }
            };
            let described = description.iter().enumerate();
            let described = described.map(|(at, word)| likeness(asked, word) * share(at));
            in_name.chain(described).fold(0.0, f64::max)
        };
        self.words.iter().map(best).collect()
    }

    /// Returns what the score of a package is divided by, because a long description has many words.
    fn penalty(&self, at: usize) -> f64 {
        1.0 + 0.003 * self.words[at][1].len() as f64
    }
}

/// Returns how alike two words are that begin alike: 0 if they do not, 3 if they are the same.
fn likeness(asked: &str, word: &str) -> f64 {
    if asked == word {
        return 3.0;
    }
    let same = asked.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
    let (left, right) = (asked.len() - same, word.len() - same);
    match (left, right) {
        // A plural.
        (0, ..=2) if same >= 3 => 2.5,
        (..=3, ..=4) if same >= 5 => 2.0,
        (..=3, ..=4) if same >= 4 => 1.5,
        (0, _) if same >= 4 => 1.0,
        _ => 0.0,
    }
}

/// Returns the words of a text, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let pieces = text.split(|c: char| !c.is_alphanumeric() && !"+#".contains(c));
    pieces.filter(|piece| !piece.is_empty()).map(str::to_lowercase)
}
