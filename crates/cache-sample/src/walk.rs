//! A sequence of queries that a user might make, one change after the other.

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_query::search::SplitText;
use cache_query::{Change, Query, View, apply};

use crate::random::Random;

/// Walks endlessly through queries of an index. Each is one change away from the one before: toggles in all facets of
/// the rail, now and then an exclusion, a search or a package, and back to the start when about four are active.
pub fn walk(index: &Index, seed: u64) -> impl Iterator<Item = Query> {
    let mut random = Random::new(seed, 0);
    let mut query = Query::default();
    std::iter::repeat_with(move || {
        let change = step(index, &query, &mut random);
        query = apply(&query, change);
        query.clone()
    })
}

fn step(index: &Index, query: &Query, random: &mut Random) -> Change {
    if random.chance(15) {
        return match query.view() {
            View::Package(_) => Change::OpenPackages,
            _ => Change::ClearAll,
        };
    }
    if random.chance(5) {
        return Change::OpenPackage(value(index, Facet::Package, random));
    }
    if random.chance(5) {
        let text: String = value(index, Facet::Package, random).chars().skip(1).take(2).collect();
        return Change::Type(SplitText::words(text));
    }
    let facet = loop {
        let facet = random.pick(&Facet::ALL);
        if facet != Facet::Package && !index.dictionary(facet).is_empty() {
            break facet;
        }
    };
    let value = value(index, facet, random);
    match random.chance(15) {
        true => Change::ToggleExcluded(facet, value),
        false => Change::Toggle(facet, value),
    }
}

fn value(index: &Index, facet: Facet, random: &mut Random) -> String {
    let dictionary = index.dictionary(facet);
    dictionary.text(ValueCode(random.below(dictionary.len()) as u32)).to_owned()
}
