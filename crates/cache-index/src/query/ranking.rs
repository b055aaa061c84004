//! The order in which lists show the values of a facet.

use std::cmp::Reverse;

use super::Answer;
use crate::facet::{Facet, Order};
use crate::index::{Index, ValueCode};
use crate::sorting;

/// Returns the values of a facet that occur in an answer: versions and targets in their own order, all others by their
/// number of builds. The stack of a whole release comes last, because it contains everything.
pub fn values_in_order(index: &Index, answer: &Answer, facet: Facet) -> Vec<ValueCode> {
    let dictionary = index.dictionary(facet);
    let count = |code: ValueCode| answer.count(facet, code);
    let mut values: Vec<ValueCode> =
        dictionary.iter().map(|(code, _)| code).filter(|&code| count(code) > 0).collect();
    let goes_by_count = matches!(facet.order(), Order::Text | Order::Variant);
    sorting::sort_by_key(&mut values, |&code| {
        let builds = if goes_by_count { count(code) } else { 0 };
        (facet.holds_everything(dictionary.text(code)), Reverse(builds))
    });
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{Build, Place};
    use crate::index::{About, pack};
    use crate::query::run;
    use crate::{address, sample};

    #[test]
    fn orders_values_by_count_or_in_the_order_of_their_facet() {
        let build = |number: usize, version: &str, target: &str, stacks: &[&str]| {
            let place = |stack: &&str| Place { release: "develop".into(), stack: (*stack).into() };
            Build {
                hash: sample::hash(number),
                target: target.into(),
                places: stacks.iter().map(place).collect(),
                ..sample::one("hdf5", version)
            }
        };
        let builds = [
            build(0, "1.9", "zen4", &["root", "b"]),
            build(1, "1.9", "zen4", &["root", "b"]),
            build(2, "1.10", "x86_64", &["root", "a"]),
        ];
        let index = pack(About::default(), builds).expect("different hashes");
        let check = |query: &str, facet: Facet, expected: &[&str]| {
            let answer = run(&index, &address::decode(query).0.question);
            let values = values_in_order(&index, &answer, facet);
            let texts: Vec<&str> =
                values.into_iter().map(|code| index.dictionary(facet).text(code)).collect();
            assert_eq!(texts, expected, "{query}");
        };
        check("", Facet::Version, &["1.10", "1.9"]);
        check("", Facet::Target, &["x86_64", "zen4"]);
        check("", Facet::Stack, &["b", "a", "root"]);
        check("target=x86_64", Facet::Stack, &["a", "root"]);
    }
}
