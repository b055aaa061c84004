//! Where the matching builds are available.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::index::{Index, RowId, ValueCode};
use cache_index::sorting;
use cache_query::Answer;
use cache_query::host::Runs;

/// Returns the places with matching builds of any package and their counts, most first, then by name.
pub fn places_of_all(index: &Index, answer: &Answer) -> Vec<(Place, u32)> {
    let packages = index.dictionary(Facet::Package).iter();
    let rows = packages.flat_map(|(code, _)| answer.matching_rows(index, code));
    let places = counted(index, answer, rows).into_iter();
    places.map(|(codes, count)| (index.place(codes), count)).collect()
}

/// Returns places that together have all matching builds that are in any place. Each is the one with the most builds
/// that the places before it do not have.
pub fn places_together(index: &Index, answer: &Answer) -> Vec<Place> {
    let rows = index.dictionary(Facet::Package).iter();
    let rows = rows.flat_map(|(code, _)| answer.matching_rows(index, code));
    let mut left: Vec<RowId> = rows.collect();
    let mut together = Vec::new();
    while let Some(&(most, _)) = counted(index, answer, left.iter().copied()).first() {
        left.retain(|&row| index.places(row).all(|other| other != most));
        together.push(index.place(most));
    }
    together
}

/// The codes of the release and the stack of a place.
type PlaceCodes = (u32, u32);

/// Does the same as [`places_of_all`] for these matching rows.
fn counted(
    index: &Index,
    answer: &Answer,
    rows: impl Iterator<Item = RowId>,
) -> Vec<(PlaceCodes, u32)> {
    let mut counts: BTreeMap<PlaceCodes, u32> = BTreeMap::new();
    for row in rows {
        for place in index.places(row) {
            *counts.entry(place).or_default() += answer.count_in(index, row);
        }
    }
    let mut places: Vec<(PlaceCodes, u32)> = counts.into_iter().collect();
    sorting::sort_by_key(&mut places, |(_, count)| Reverse(*count));
    places
}

/// The places with matching builds of a package, seen from a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// Those with builds that run on the machine, most first, then those with builds that may.
    pub of_use: Vec<Offer>,
    /// Those without a build that runs on it, those with most builds first.
    pub of_no_use: Vec<Place>,
}

/// The matching builds of a package in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The place.
    pub place: Place,
    /// How many there are.
    pub builds: u32,
    /// How many of them run on the machine; all of them without a machine.
    pub run: u32,
}

/// Returns the places that have matching builds of a package; those with builds that run on the machine come first. If no
/// place has such builds, all places are equally useful.
pub fn offers(index: &Index, answer: &Answer, package: ValueCode) -> Offers {
    let rows = || answer.matching_rows(index, package);
    // By place: the number of builds that run and of those that may. A build may be in thousands of places.
    let mut running: BTreeMap<PlaceCodes, (u32, u32)> = BTreeMap::new();
    for row in rows() {
        let working = answer.working_in(index, row);
        for place in index.places(row) {
            let (run, may_run) = running.entry(place).or_default();
            *run += working[Runs::Yes as usize];
            *may_run += working[Runs::Unknown as usize];
        }
    }
    let mut of_use = Vec::new();
    let mut of_no_use = Vec::new();
    for (codes, builds) in counted(index, answer, rows()) {
        let place = index.place(codes);
        match running.get(&codes).copied().unwrap_or_default() {
            (0, 0) => of_no_use.push((place, builds)),
            (run, may_run) => of_use.push(((Reverse(run), Reverse(may_run)), place, builds)),
        }
    }
    if of_use.is_empty() {
        let offer = |(place, builds)| Offer { place, builds, run: 0 };
        return Offers {
            of_use: of_no_use.into_iter().map(offer).collect(),
            of_no_use: Vec::new(),
        };
    }
    sorting::sort_by_key(&mut of_use, |(order, ..)| *order);
    let offer = |((Reverse(run), _), place, builds)| Offer { place, builds, run };
    Offers {
        of_use: of_use.into_iter().map(offer).collect(),
        of_no_use: of_no_use.into_iter().map(|(place, _)| place).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;
    use cache_query::run;

    #[test]
    fn offers_first_what_runs_on_the_machine() {
        let one = |number: usize, stack: &str, target: &str| Build {
            hash: sample::hash(number),
            target: target.to_owned(),
            places: [Place { release: String::new(), stack: stack.into() }].into(),
            ..sample::one("hdf5", "1.14.5")
        };
        let all = [
            one(0, "arm", "neoverse_v1"),
            one(1, "arm", "neoverse_v1"),
            one(2, "arm", "neoverse_n1"),
            one(3, "mixed", "zen4"),
            one(4, "mixed", "zen3"),
            one(5, "mixed", "zen5"),
            one(6, "zen", "zen2"),
            one(7, "zen", "zen3"),
        ];
        let index = pack(About::default(), all).expect("different hashes");
        let check = |text: &str, of_use: &[(&str, u32, u32)], of_no_use: &[&str]| {
            let query = address::decode(text).0.normalized(&index);
            let offers = offers(&index, &run(&index, &query.question), ValueCode(0));
            let found: Vec<(&str, u32, u32)> = (offers.of_use.iter())
                .map(|offer| (offer.place.stack.as_str(), offer.builds, offer.run))
                .collect();
            assert_eq!(found, of_use, "{text}");
            let found: Vec<&str> =
                offers.of_no_use.iter().map(|place| place.stack.as_str()).collect();
            assert_eq!(found, of_no_use, "{text}");
        };
        check("package=hdf5", &[("arm", 3, 3), ("mixed", 3, 3), ("zen", 2, 2)], &[]);
        let machine = "package=hdf5&host=linux.ubuntu24.04.zen3";
        check(machine, &[("zen", 2, 2), ("mixed", 3, 1)], &["arm"]);
        let none = "package=hdf5&host=darwin.sequoia.m1";
        check(none, &[("arm", 3, 0), ("mixed", 3, 0), ("zen", 2, 0)], &[]);
    }
}
