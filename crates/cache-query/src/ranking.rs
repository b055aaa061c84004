//! The order in which lists show the values of a facet.

use std::cmp::Reverse;

use cache_index::facet::{Facet, Order};
use cache_index::index::{Index, ValueCode};
use cache_index::sorting;

use super::Answer;

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

/// Returns those of a facet's values that contain a text, in any case: the value that equals it first, then those that
/// begin with it (`1.3.1` before `1.30`), each group in the order given. `+` and `~` before the name of a variant are
/// ignored.
pub fn search_values(
    index: &Index,
    values: &[ValueCode],
    facet: Facet,
    text: &str,
) -> Vec<ValueCode> {
    let text = text.trim().to_ascii_lowercase();
    if text.is_empty() {
        return values.to_vec();
    }
    let rank = |code: ValueCode| {
        let value = index.dictionary(facet).text(code).to_ascii_lowercase();
        let name = value.strip_prefix(['+', '~']).unwrap_or(&value);
        match value.strip_prefix(&text).or_else(|| name.strip_prefix(&text)) {
            Some("") => Some(0),
            Some(rest) if !rest.starts_with(char::is_alphanumeric) => Some(1),
            Some(_) => Some(2),
            None => value.contains(&text).then_some(3),
        }
    };
    let mut found: Vec<(u8, ValueCode)> =
        values.iter().filter_map(|&code| Some((rank(code)?, code))).collect();
    sorting::sort_by_key(&mut found, |(rank, _)| *rank);
    found.into_iter().map(|(_, code)| code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address;
    use crate::run;
    use cache_index::build::{Build, Place};
    use cache_index::index::{About, pack};
    use cache_index::sample;

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

    #[test]
    fn finds_the_exact_value_first_and_then_what_begins_alike() {
        let versions = ["11.3", "1.30", "1.3.1", "1.3", "0.1.3"];
        let build = |(number, version): (usize, &&str)| Build {
            hash: sample::hash(number),
            variants: vec![sample::variant(["+mpi", "~mpi", "+openmpi"][number % 3])],
            ..sample::one("hdf5", version)
        };
        let builds: Vec<Build> = versions.iter().enumerate().map(build).collect();
        let index = pack(About::default(), builds).expect("different hashes");
        let check = |facet: Facet, text: &str, expected: &[&str]| {
            let values: Vec<ValueCode> =
                index.dictionary(facet).iter().map(|(code, _)| code).collect();
            let found = search_values(&index, &values, facet, text);
            let texts: Vec<&str> =
                found.into_iter().map(|code| index.dictionary(facet).text(code)).collect();
            assert_eq!(texts, expected, "{text}");
        };
        check(Facet::Version, "1.3", &["1.3", "1.3.1", "1.30", "11.3", "0.1.3"]);
        check(Facet::Version, " 11 ", &["11.3"]);
        check(Facet::Version, "2", &[]);
        check(Facet::Variant, "MPI", &["+mpi", "~mpi", "+openmpi"]);
        check(Facet::Variant, "~m", &["~mpi"]);
        check(Facet::Variant, "", &["+mpi", "~mpi", "+openmpi"]);
    }
}
