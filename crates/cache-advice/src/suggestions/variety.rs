//! The packages with the most distinct builds.

use std::cmp::Reverse;

use cache_index::index::{Index, ValueCode};
use cache_index::sorting;
use cache_query::Answer;

/// Returns the packages with the most distinct matching builds and their counts, most first, then by name.
///
/// Two builds are distinct if their version, machine, compiler or variants differ; builds that only differ in their
/// places or dependencies count once.
pub fn most_varied(index: &Index, answer: &Answer, count: usize) -> Vec<(ValueCode, usize)> {
    let distinct = |package: ValueCode| {
        let rows = index.columns();
        let mut kinds: Vec<(u32, u32, u32)> = answer
            .matching_rows(index, package)
            .map(|row| row.0 as usize)
            .map(|row| (rows.version[row], rows.configuration[row], rows.variant_set[row]))
            .collect();
        sorting::sort_and_dedup(&mut kinds);
        kinds.len()
    };
    let mut packages: Vec<(ValueCode, usize)> =
        answer.matching_packages().map(|package| (package, distinct(package))).collect();
    sorting::sort_by_key(&mut packages, |(_, distinct)| Reverse(*distinct));
    packages.truncate(count);
    packages
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Build, Place};
    use cache_index::facet::Facet;
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::{Question, run};

    #[test]
    fn counts_builds_that_only_differ_in_hash_or_place_once() {
        let at = |number: usize, stack: &str, build: Build| {
            let place = Place { release: "develop".into(), stack: stack.into() };
            Build { hash: sample::hash(number), places: [place].into(), ..build }
        };
        let builds = vec![
            at(0, "a", sample::one("hdf5", "1")),
            at(1, "a", sample::one("hdf5", "1")),
            at(2, "b", sample::one("hdf5", "1")),
            at(3, "a", sample::one("zlib", "1")),
            at(4, "a", sample::one("zlib", "2")),
        ];
        let index = pack(About::default(), builds).expect("different hashes");
        let varied = most_varied(&index, &run(&index, &Question::default()), 10);
        let name = |code| index.dictionary(Facet::Package).text(code);
        let varied: Vec<_> = varied.into_iter().map(|(code, count)| (name(code), count)).collect();
        assert_eq!(varied, [("zlib", 2), ("hdf5", 1)]);
    }
}
