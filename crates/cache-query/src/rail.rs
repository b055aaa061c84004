//! Which facets a page offers to filter by: those in which its builds differ.
//!
//! A facet in which all builds have the same value cannot filter. Instead of a list, it is a word of the
//! headline, which describes the whole cache: `all in develop · linux`.

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};

use super::{Answer, Question, View};

/// Returns the facets that the rail shows, in order, given a question and its answer without any filter.
/// A facet with a choice is always among them.
pub fn facets_to_filter(index: &Index, question: &Question, unfiltered: &Answer) -> Vec<Facet> {
    let of_package = matches!(question.view(), View::Package(_));
    let differs = |facet: Facet| {
        (of_package || !facet.is_of_one_package())
            && index.has_names(facet)
            && !is_constant(index, unfiltered, facet)
    };
    Facet::in_rail().filter(|&facet| !question.choice(facet).is_empty() || differs(facet)).collect()
}

/// Returns the values of the facets in which the builds of an answer do not differ, in the order of the
/// rail. Variants are left out, because there are too many to read.
pub fn constants<'a>(index: &'a Index, unfiltered: &Answer) -> Vec<&'a str> {
    let is_constant = |facet: &Facet| {
        *facet != Facet::Variant
            && index.has_names(*facet)
            && is_constant(index, unfiltered, *facet)
    };
    let mut texts = Vec::new();
    for facet in Facet::in_rail().filter(is_constant) {
        let own: Vec<&str> = values(index, unfiltered, facet)
            .map(|code| index.dictionary(facet).text(code))
            .collect();
        let says_more = |text: &&str| own.len() == 1 || !facet.holds_everything(text);
        texts.extend(own.iter().copied().filter(says_more));
    }
    texts
}

/// Returns `true` if the builds of an answer do not differ in a facet: each has all of its values.
fn is_constant(index: &Index, answer: &Answer, facet: Facet) -> bool {
    values(index, answer, facet).all(|value| answer.count(facet, value) == answer.builds)
}

/// Returns the values that builds of an answer have in a facet.
fn values(index: &Index, answer: &Answer, facet: Facet) -> impl Iterator<Item = ValueCode> {
    let all = index.dictionary(facet).iter().map(|(code, _)| code);
    all.filter(move |&code| answer.count(facet, code) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address;
    use crate::run;
    use cache_index::build::{Build, Place};
    use cache_index::index::{About, pack};
    use cache_index::sample;

    fn index(builds: Vec<Build>) -> Index {
        pack(About::default(), builds).expect("different hashes")
    }

    fn keys(index: &Index, query: &str, unfiltered: &str) -> Vec<&'static str> {
        let question = |query: &str| address::decode(query).0.question;
        let unfiltered = run(index, &question(unfiltered));
        let facets = facets_to_filter(index, &question(query), &unfiltered);
        facets.into_iter().map(Facet::key).collect()
    }

    fn shared(index: &Index) -> Vec<&str> {
        constants(index, &run(index, &Question::default()))
    }

    fn at(number: usize, release: &str, stack: &str, version: &str) -> Build {
        let place = Place { release: release.into(), stack: stack.into() };
        let hash = sample::hash(number);
        Build { hash, places: [place].into(), ..sample::one("hdf5", version) }
    }

    #[test]
    fn offers_what_differs_and_states_what_is_constant() {
        let index = index(vec![at(0, "develop", "e4s", "1.12"), at(1, "develop", "cuda", "1.14")]);
        assert_eq!(keys(&index, "", ""), ["stack"]);
        assert_eq!(keys(&index, "os=rhel8", ""), ["stack", "os"]);
        assert_eq!(keys(&index, "not.release=v1", ""), ["release", "stack"]);
        assert_eq!(keys(&index, "package=hdf5", "package=hdf5"), ["stack", "version"]);
        assert_eq!(shared(&index), ["develop", "ubuntu24.04", "x86_64_v3", "gcc@13.2.0", "linux"]);
    }

    #[test]
    fn states_the_stack_of_a_whole_release_only_if_there_is_no_other() {
        let mut build = at(0, "develop", "root", "1.12");
        assert_eq!(shared(&index(vec![build.clone()]))[..2], ["develop", "root"]);
        build.places.insert(Place { release: "develop".into(), stack: "e4s".into() });
        assert_eq!(shared(&index(vec![build]))[..2], ["develop", "e4s"]);
    }

    #[test]
    fn puts_releases_first() {
        let index = index(vec![at(0, "develop", "e4s", "1.12"), at(1, "v1", "cuda", "1.12")]);
        assert_eq!(keys(&index, "", ""), ["release", "stack"]);
    }

    #[test]
    fn leaves_out_releases_and_stacks_that_have_no_name() {
        let mut other = at(1, "", "", "1.14");
        other.os = "rhel8".to_owned();
        let index = index(vec![at(0, "", "", "1.12"), other]);
        assert_eq!(keys(&index, "", ""), ["os"]);
        assert_eq!(shared(&index), ["x86_64_v3", "gcc@13.2.0", "linux"]);
        assert_eq!(shared(&self::index(Vec::new())), Vec::<&str>::new());
    }
}
