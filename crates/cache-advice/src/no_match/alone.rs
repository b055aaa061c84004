//! Filters that exclude every build by themselves: where nothing matches and removing one filter does not help, these are the
//! reason.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::search::{Property, asks_nothing};
use cache_query::{Filter, Question, View, run};

use crate::no_match::ways_out::{filters_in_the_way, noun, question_without, ways_out, why};

/// The maximum number of reasons in a sentence.
const MOST: usize = 3;

/// Returns a sentence, without a full stop, about the filters that exclude every build of the requested package: "petsc
/// exists only as version 3.24.1; petsc exists only with ~cuda". `None` if there is nothing to say about any, if no
/// package is requested, or if it has no build.
pub fn excluding_alone(index: &Index, question: &Question) -> Option<String> {
    let filters = filters_in_the_way(index, question);
    let (packages, others): (Vec<&Filter>, Vec<&Filter>) =
        filters.iter().partition(|filter| match filter {
            Filter::Text(meaning) => meaning.property == Property::Package,
            Filter::Included(facet, _) => *facet == Facet::Package,
            _ => false,
        });
    let is_about_one = matches!(question.view(), View::Package(_)) || !packages.is_empty();
    if !is_about_one || matches_nothing(index, &only(index, question, &packages)) {
        return None;
    }
    let reason = |other: &Filter| {
        let alone = only(index, question, &[&packages[..], &[other]].concat());
        let is_alone = matches_nothing(index, &alone);
        is_alone.then(|| why(index, &alone, &ways_out(index, &alone))).flatten()
    };
    let reasons: Vec<String> = others.into_iter().filter_map(reason).take(MOST).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// Returns a sentence, without a full stop, about the filters that match nothing even without the others: "OS windows95 alone
/// matches no build, and neither does target z80". `None` if there are none.
pub fn matching_nothing_alone(index: &Index, question: &Question) -> Option<String> {
    let filters = filters_in_the_way(index, question);
    let mut names = filters
        .iter()
        .filter(|filter| match filter {
            // `with` is not meant as a part of a name.
            Filter::Text(meaning) if meaning.property == Property::NameHas => {
                !asks_nothing(&meaning.text)
            }
            _ => true,
        })
        .filter(|filter| matches_nothing(index, &only(index, question, &[filter])))
        .map(name);
    let first = names.next()?;
    let others: String = names.map(|other| format!(", and neither does {other}")).collect();
    Some(format!("{first} alone matches no build{others}"))
}

fn matches_nothing(index: &Index, question: &Question) -> bool {
    !question.awaits_parts() && run(index, question).builds == 0
}

/// Returns a question with only these filters. Removing a filter changes the text of the others, or makes them choices
/// of a facet, so they are compared by what they ask for. On its own, the name of a package that is not here is read as
/// a part of names.
fn only(index: &Index, question: &Question, kept: &[&Filter]) -> Question {
    let words = |filter: &Filter| {
        let (mut name, value) = filter.words();
        if let Filter::Text(meaning) = filter
            && meaning.property == Property::NameHas
        {
            name = Property::Package.label().to_owned();
        }
        (name.to_lowercase(), value)
    };
    let kept: Vec<_> = kept.iter().map(|filter| words(filter)).collect();
    let mut left = question.clone();
    for _ in 0..filters_in_the_way(index, question).len() {
        let mut filters = Filter::all(index, &left).into_iter();
        let Some(other) = filters.find(|filter| !kept.contains(&words(filter))) else { break };
        left = question_without(index, &left, &other);
    }
    left
}

/// Returns what a filter asks for, in words.
fn name(filter: &Filter) -> String {
    match filter {
        Filter::Text(meaning) => meaning.text.trim().to_owned(),
        Filter::Included(facet, values) => format!("{} {}", noun(*facet), values.join(" or ")),
        filter => {
            let (name, value) = filter.words();
            format!("{name} {value}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;

    fn index() -> Index {
        let one = |number: usize, version: &str, os: &str, variant: &str| Build {
            hash: sample::hash(number),
            os: os.to_owned(),
            compiler: Some("gcc@12.3.0".to_owned()),
            variants: vec![sample::variant(variant)],
            ..sample::one("hdf5", version)
        };
        let all = [
            one(0, "1.14.5", "rhel8", "~mpi"),
            one(1, "1.14.5", "ubuntu22.04", "~mpi"),
            one(2, "1.10.1", "ubuntu22.04", "~mpi"),
        ];
        let zlib = Build { hash: sample::hash(4), ..one(4, "1.3", "rhel9", "+mpi") };
        let zlib = Build { package: "zlib".to_owned(), version: "1.3".to_owned(), ..zlib };
        pack(About::default(), all.into_iter().chain([zlib])).expect("an index")
    }

    #[test]
    fn says_what_excludes_every_build_of_a_package() {
        let index = index();
        let check = |address: &str, expected: Option<&str>| {
            let question = address::decode(address).0.question;
            assert_eq!(excluding_alone(&index, &question).as_deref(), expected, "{address}");
        };
        let both = "hdf5 exists only as version 1.14.5, 1.10.1; hdf5 exists only with ~mpi";
        check("q=hdf5@1.2&variant=mpi", Some(both));
        check("package=hdf5&q=@1.2&variant=mpi", Some(both));
        check("q=hdf5@1.2%2Bmpi", Some(both));
        // One without the other would match.
        check("q=hdf5&os=rhel8&version=1.10.1", None);
        check("variant=mpi&version=9", None);
        check("q=nothing&variant=mpi", None);
    }

    #[test]
    fn names_filters_that_match_nothing_alone() {
        let index = index();
        let sentence =
            |address: &str| matching_nothing_alone(&index, &address::decode(address).0.question);
        assert_eq!(
            sentence("os=windows95&target=z80").as_deref(),
            Some("OS windows95 alone matches no build, and neither does target z80")
        );
        assert_eq!(
            sentence("os=rhel8&compiler=gcc@9.9.9").as_deref(),
            Some("compiler gcc@9.9.9 alone matches no build")
        );
        assert_eq!(sentence("os=rhel8&version=1.10.1"), None);
        assert_eq!(
            sentence("q=mfem%2Bcuda^zlib").as_deref(),
            Some("mfem alone matches no build, and neither does +cuda, and neither does ^zlib")
        );
        assert_eq!(
            sentence("q=^zlib-ng&os=rhel8").as_deref(),
            Some("^zlib-ng alone matches no build")
        );
    }
}
