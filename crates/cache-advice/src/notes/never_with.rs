//! Builds without a variant, in addition to those that a search finds because they have it switched off:
//! `without cuda`.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::number::grouped;
use cache_query::search::Search;
use cache_query::{Choice, Question, run};
use spack_spec::Spec;

/// Builds without a variant that a search asks to be off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverWith {
    /// The name of the variant.
    pub variant: String,
    /// How many there are, apart from those that have it switched off.
    pub builds: u32,
    /// The question about both.
    pub question: Question,
}

impl NeverWith {
    /// Finds builds without the variant among those that match the rest of a question. `None` if `typed` is empty or
    /// names a package, if the question does not ask for exactly one variant to be off, or if there are no such builds.
    pub fn of(index: &Index, question: &Question, typed: &str) -> Option<NeverWith> {
        let names_package = |spec: &Spec| spec.root.name.is_some();
        if typed.is_empty() || Search::read(index, typed).spec().is_some_and(names_package) {
            return None;
        }
        let included = question.choice(Facet::Variant).included();
        let mut off = included.iter().filter_map(|value| value.strip_prefix('~'));
        let (Some(variant), None) = (off.next(), off.next()) else { return None };
        let mut without = question.clone();
        // The only package that has the variant may have been opened.
        *without.choice_mut(Facet::Package) = Choice::default();
        let choice = without.choice_mut(Facet::Variant);
        choice.remove(&format!("~{variant}"));
        choice.exclude(format!("+{variant}"));
        let mut off = without.clone();
        off.choice_mut(Facet::Variant).remove(&format!("+{variant}"));
        off.choice_mut(Facet::Variant).include(format!("~{variant}"));
        let builds = run(index, &without).builds.saturating_sub(run(index, &off).builds);
        (builds > 0).then(|| NeverWith { variant: variant.to_owned(), builds, question: without })
    }

    /// Returns what to know of them, as a sentence without a full stop.
    pub fn sentence(&self) -> String {
        let NeverWith { variant, builds, .. } = self;
        let have = if *builds == 1 { "build has" } else { "builds have" };
        let more = grouped(*builds as usize);
        format!(
            "Found are builds with the variant {variant} switched off; {more} more {have} no such variant"
        )
    }
}

#[cfg(test)]
mod tests {
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::{Query, address};

    use super::*;

    #[test]
    fn finds_builds_that_never_have_what_is_switched_off() {
        let build = |number: usize, package: &str, variants: &[&str]| Build {
            hash: sample::hash(number),
            variants: sample::variants_of(variants),
            ..sample::one(package, "1.0")
        };
        let builds = [
            build(1, "hdf5", &["+cuda"]),
            build(2, "llvm", &["~cuda"]),
            build(3, "zlib", &[]),
            build(4, "which", &[]),
        ];
        let index = pack(About::default(), builds).expect("an index");
        let check = |asked: &str, typed: &str, expected: Option<(&str, u32)>| {
            let found = NeverWith::of(&index, &address::decode(asked).0.question, typed);
            let found = found.map(|NeverWith { question, builds, .. }| {
                (address::encode(&Query { question, ..Query::default() }), builds)
            });
            assert_eq!(found, expected.map(|(to, builds)| (to.to_owned(), builds)), "{asked}");
        };
        check("variant=~cuda", "without cuda", Some(("not.variant=cuda", 2)));
        check("package=llvm&variant=~cuda", "without cuda", Some(("not.variant=cuda", 2)));
        check("package=llvm&variant=~cuda", "llvm ~cuda", None);
        check("package=llvm&variant=~cuda", "", None);
        check("variant=cuda", "cuda", None);
    }
}
