//! Texts that are read as a whole: several packages, `mpich or openmpi`, and questions about nothing in particular, `how many packages`.

use std::ops::Range;

use cache_index::facet::Facet;
use cache_index::index::Index;

use super::phrases::{is_one_name, says_nothing};
use super::{Understood, has_code_for_gpus};
use crate::search::{Search, is_package};

/// Returns the search for anything, if no word says what is asked for: `how many packages`.
pub(super) fn of_fillers(index: &Index, text: &str, bare: &[Range<usize>]) -> Option<Search> {
    let says_nothing = |word: &str| {
        let is_gpu = has_code_for_gpus(index, &word.to_ascii_lowercase());
        word.eq_ignore_ascii_case("which")
            || says_nothing(word) && !is_package(index, word) && !is_gpu
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let asks_nothing = bare.len() > 1
        && words.len() == bare.len()
        && words.iter().all(|word| says_nothing(word))
        && !is_one_name(
            index,
            &words.iter().map(|word| word.to_ascii_lowercase()).collect::<Vec<_>>(),
        );
    let understood = words.iter().map(|word| Understood::left_out(word)).collect();
    asks_nothing.then(|| Search { understood, ..Search::default() })
}

/// The maximum number of packages that `or` connects.
const MOST_PACKAGES: usize = 4;

/// Returns the search for any of several packages: `mpich or openmpi`.
pub(super) fn any_of_packages(index: &Index, text: &str) -> Option<Search> {
    let words: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
    let names: Vec<String> = words.iter().step_by(2).cloned().collect();
    let is_list = words.len() % 2 == 1 && (2..=MOST_PACKAGES).contains(&names.len());
    let is_meant = is_list
        && words.iter().skip(1).step_by(2).all(|word| word == "or")
        && names.iter().all(|name| is_package(index, name));
    is_meant.then(|| Search {
        understood: vec![Understood {
            piece: text.trim().to_owned(),
            kind: "packages",
            text: names.join(", "),
        }],
        choices: vec![(Facet::Package, names)],
        ..Search::default()
    })
}
