//! Texts that are read as one: several packages, `mpich or openmpi`, and questions about nothing in particular,
//! `how many packages`.

use std::ops::Range;

use cache_index::facet::Facet;
use cache_index::index::Index;

use super::phrases::{is_one_name, says_nothing};
use super::{Understood, has_code_for_gpus};
use crate::search::names::similar;
use crate::search::{Search, TextMeaning, is_package};

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

/// Returns the search for any of several packages: `mpich or openmpi`, `pytorch or tensorflow with cuda`. `None` if the rest
/// of the text asks for different things of them.
pub(super) fn any_of_packages(index: &Index, text: &str) -> Option<Search> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_or = |at: usize| words.get(at).is_some_and(|word| word.eq_ignore_ascii_case("or"));
    let first = (1..words.len()).find(|&at| is_or(at))?.checked_sub(1)?;
    let places: Vec<usize> =
        (first..words.len()).step_by(2).take_while(|&at| at == first || is_or(at - 1)).collect();
    if !(2..=MOST_PACKAGES).contains(&places.len()) {
        return None;
    }
    let package = |word: &str| {
        let lower = word.to_ascii_lowercase();
        if is_package(index, &lower) { Some(lower) } else { similar(index, word) }
    };
    let names: Vec<String> = places.iter().map(|&at| package(words[at])).collect::<Option<_>>()?;
    let last = places[places.len() - 1];
    let of = |name: &String| {
        let words = [&words[..first], &[name.as_str()], &words[last + 1..]].concat();
        let mut search = Search::read_plain(index, &words.join(" "));
        let TextMeaning::Spec(spec) = &mut search.asked else { return None };
        let is_about_it = spec.root.name.take().as_ref() == Some(name);
        (is_about_it && search.problems.is_empty() && !search.chooses()).then_some(search)
    };
    let mut each = names.iter().map(of);
    let mut search = each.next()??;
    if !each.all(|other| other.is_some_and(|other| other.asked == search.asked)) {
        return None;
    }
    if search.spec().is_some_and(|spec| spec.root == Default::default()) {
        search.asked = TextMeaning::Anything;
    }
    search.parts.clear();
    search.understood.retain(|one| one.kind != "package");
    search.understood.insert(
        0,
        Understood {
            piece: words[first..=last].join(" "),
            kind: "packages",
            text: names.join(", "),
        },
    );
    search.choices = vec![(Facet::Package, names)];
    Some(search)
}
