//! What to install for a query: one build, and a spec for the matching builds.
//!
//! The hash of the [best](Install::best) build is always right. A [spec](Install::spec) is easier to read and to keep
//! in an environment, but filters and specs do not express the same things: a spec cannot name a stack or an excluded
//! value, and may not distinguish builds that a filter does. So a spec is only offered if, in the mirror that it is
//! installed from, it matches the best build and nothing that the filters do not match. The evaluation that answers
//! searches checks this.

use cache_index::build::{Place, Variant, VariantValue};
use cache_index::facet::{Facet, variant_name};
use cache_index::index::{BuildId, Index, NO_COMPILER, RowId, ValueCode};
use cache_query::search::Search;
use cache_query::{Answer, Choice, Question};

use crate::choosing::recommended::recommended;

/// What to install of one package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Install {
    /// The build that is [recommended].
    pub best: BuildId,
    /// The place to install it from: a stack that the filters allow, or else the whole release.
    pub place: Place,
    /// A spec that in this place matches the best build, and only builds that the filters match; `None` if only the
    /// hash does so.
    pub spec: Option<String>,
}

impl Install {
    /// Finds what to install of a package; `None` if no build of it matches.
    pub fn of(
        index: &Index,
        question: &Question,
        answer: &Answer,
        package: ValueCode,
    ) -> Option<Install> {
        let best = recommended(index, question, answer, package)?;
        let row = index.row_of(best);
        let place = place(index, question, row)?;
        let spec =
            Recommendation { index, question, answer, package, row, best, place: &place }.spec();
        Some(Install { best, place, spec })
    }
}

/// Returns a place of a row's builds that the filters allow. A stack is preferred to a whole release, because a smaller
/// mirror is added faster.
fn place(index: &Index, question: &Question, row: RowId) -> Option<Place> {
    let allows = |choice: &Choice, value: &str| {
        !choice.excludes(value) && (choice.included().is_empty() || choice.includes(value))
    };
    let is_allowed = |place: &Place| {
        allows(question.choice(Facet::Release), &place.release)
            && allows(question.choice(Facet::Stack), &place.stack)
    };
    let places = index.places_of(row).filter(is_allowed);
    places.min_by_key(Place::is_whole_release)
}

/// The facets that a spec can express, in its order.
const IN_SPECS: [Facet; 7] = [
    Facet::Version,
    Facet::Variant,
    Facet::Platform,
    Facet::Os,
    Facet::Target,
    Facet::Compiler,
    Facet::Provider,
];

struct Recommendation<'a> {
    index: &'a Index,
    question: &'a Question,
    answer: &'a Answer,
    package: ValueCode,
    row: RowId,
    best: BuildId,
    place: &'a Place,
}

impl Recommendation<'_> {
    /// Tries the words of the filters first, then everything that a spec can say about the best build.
    fn spec(&self) -> Option<String> {
        let is_filtered = |facet: &Facet| match facet {
            Facet::Platform | Facet::Os | Facet::Target
                if !self.question.asked_runs().is_empty() =>
            {
                true
            }
            facet => !self.question.choice(*facet).is_empty(),
        };
        let of_filters: Vec<Facet> = IN_SPECS.into_iter().filter(is_filtered).collect();
        let short = self.write(&of_filters, |name| self.is_chosen_variant(name));
        let whole = || self.write(&IN_SPECS, |_| true);
        Some(short)
            .filter(|spec| self.is_faithful(spec))
            .or_else(|| Some(whole()).filter(|spec| self.is_faithful(spec)))
    }

    fn is_chosen_variant(&self, name: &str) -> bool {
        let choice = self.question.choice(Facet::Variant);
        choice.included().iter().chain(choice.excluded()).any(|value| variant_name(value) == name)
    }

    /// Writes the best build's values in these facets as a spec.
    fn write(&self, facets: &[Facet], is_wanted: impl Fn(&str) -> bool) -> String {
        let text = |facet| self.index.text(self.row, facet);
        let mut spec = self.index.dictionary(Facet::Package).text(self.package).to_owned();
        for &facet in facets {
            match facet {
                Facet::Version => spec.push_str(&format!("@={}", text(facet))),
                Facet::Variant => {
                    let mut variants = self.index.variants_of(self.row);
                    variants.retain(|variant| is_wanted(&variant.name));
                    let is_switch =
                        |variant: &Variant| matches!(variant.value, VariantValue::Bool(_));
                    for variant in variants.iter().filter(|variant| is_switch(variant)) {
                        spec.push_str(&variant.to_string());
                    }
                    for variant in variants.iter().filter(|variant| !is_switch(variant)) {
                        spec.push_str(&format!(" {variant}"));
                    }
                }
                Facet::Compiler if text(facet) == NO_COMPILER => {}
                Facet::Compiler => {
                    spec.push_str(&format!(" %{}", text(facet).replacen('@', "@=", 1)));
                }
                Facet::Provider => {
                    for code in self.index.values(self.row, facet) {
                        let provider = self.index.dictionary(facet).text(code);
                        if let Some((name, package)) = provider.split_once('=') {
                            let package = package.replacen('@', "@=", 1);
                            spec.push_str(&format!(" ^[virtuals={name}] {package}"));
                        }
                    }
                }
                facet => spec.push_str(&format!(" {}={}", facet.key(), text(facet))),
            }
        }
        spec
    }

    /// Returns `true` if a spec matches the best build and, in its place, no build of the package that the filters do
    /// not match.
    fn is_faithful(&self, spec: &str) -> bool {
        let index = self.index;
        let Ok(search) = Search::parse(spec, index.dialect()) else { return false };
        let found = search.select(index);
        let is_found = |row, build| found.count(index, row) > 0 && found.has(build);
        if found.missing.is_some() || !is_found(self.row, self.best) {
            return false;
        }
        let mut matching = vec![false; index.specs() as usize];
        for row in self.answer.matching_rows(index, self.package) {
            for build in self.answer.builds_of(index, row) {
                matching[build.0 as usize] = true;
            }
        }
        let here = |row: &RowId| index.places_of(*row).any(|place| place == *self.place);
        index.rows_of(self.package).filter(here).all(|row| {
            let mut builds = index.builds_of(row);
            builds.all(|build| matching[build.0 as usize] || !is_found(row, build))
        })
    }
}
