//! How a text is read: as a spec, as choices in facets, and piece by piece.

use cache_index::index::{About, pack};
use cache_index::sample;
use proptest::prelude::*;

use super::{index, index_of_spack_1, spec_text};
use crate::address;
use crate::search::{Search, Spec, is_plain, meanings, split};
use crate::{Query, Question, run};

#[test]
fn moves_what_facets_express_out_of_the_text() {
    let index = index();
    let check = |text: &str, link: &str| {
        let mut query = Query::default();
        query.question.take(split(&index, text));
        assert_eq!(address::encode(&query), link, "{text}");
    };
    check("hdf5", "q=hdf5");
    check("hdf5 os=ubuntu22.04", "q=hdf5&os=ubuntu22.04");
    check("os=ubuntu22.04", "os=ubuntu22.04");
    check("hdf5+mpi api=v110", "q=hdf5&variant=api=v110&variant=mpi&all=variant");
    check("+mpi", "variant=mpi");
    check("@=1.7", "version=1.7");
    check("hdf5@1.12:", "q=hdf5@1.12:");
    check("target=x86_64_v3:", "q=target=x86_64_v3:");
    check("arch=linux-ubuntu22.04-zen4", "os=ubuntu22.04&target=zen4&platform=linux");
    check("%gcc@=13.2.0", "compiler=gcc@13.2.0");
    check("%gcc@13", "q=%25gcc@13");
    // A text with a problem stays as it was typed.
    check("hdf5 os=ubuntu22.04 @", "q=hdf5%20os=ubuntu22.04%20@");
}

#[test]
fn removes_each_piece_separately() {
    let index = index();
    let check = |text: &str, expected: &[(&str, &str, &str)]| {
        let meanings = meanings(&index, text);
        let pieces: Vec<(&str, &str, &str)> = meanings
            .iter()
            .map(|m| (m.property.label(), m.text.as_str(), m.without.as_str()))
            .collect();
        assert_eq!(pieces, expected, "{text}");
    };
    check("", &[]);
    check("vol hdf", &[("name has", "vol", "hdf"), ("name has", "hdf", "vol")]);
    check(
        "hdf5@1.12:+mpi ^mpich",
        &[
            ("package", "hdf5", "@1.12:+mpi ^mpich"),
            ("version", "@1.12:", "hdf5+mpi ^mpich"),
            ("variant", "+mpi", "hdf5@1.12: ^mpich"),
            ("depends on", "^mpich", "hdf5@1.12:+mpi"),
        ],
    );
}

proptest! {
    #[test]
    fn reads_any_text(text in ".*") {
        for index in [index(), index_of_spack_1()] {
            let search = Search::read(&index, &text);
            search.select(&index);
            for problem in &search.problems {
                prop_assert!(text.get(problem.span.clone()).is_some());
            }
            // The rest of a text after the split, together with its facets, is the same question.
            let whole = Question::of_text(text.clone());
            let mut parted = Question::default();
            parted.take(split(&index, &text));
            prop_assert_eq!(run(&index, &whole).builds, run(&index, &parted).builds);
        }
    }

    #[test]
    fn keeps_the_meaning_of_what_the_parser_accepts(
        all in sample::builds(),
        text in spec_text(),
    ) {
        let index = pack(About::default(), all).expect("different hashes");
        if let Ok(spec) = Spec::parse(&text, index.dialect()) && !is_plain(&text) {
            let search = Search::read(&index, &text);
            prop_assert_eq!(search.spec().unwrap_or(&spec), &spec);
            prop_assert!(search.understood.is_empty() && search.choices.is_empty());
        }
    }
}
