//! The places of a build.

use std::ops::Deref;

use super::Place;
use crate::sorting;

/// The places of a build, sorted, each once.
///
/// A list rather than a tree: most builds have one or a few, and a cache has a hundred thousand builds.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Places(Vec<Place>);

impl Places {
    /// Adds a place; returns `false` if it is there already.
    pub fn insert(&mut self, place: Place) -> bool {
        match self.0.binary_search(&place) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, place);
                true
            }
        }
    }
}

impl Deref for Places {
    type Target = [Place];

    fn deref(&self) -> &[Place] {
        &self.0
    }
}

impl From<Place> for Places {
    fn from(place: Place) -> Places {
        Places(vec![place])
    }
}

impl<const N: usize> From<[Place; N]> for Places {
    fn from(places: [Place; N]) -> Places {
        Places::from_iter(places)
    }
}

impl Extend<Place> for Places {
    fn extend<I: IntoIterator<Item = Place>>(&mut self, places: I) {
        // Inserting them one by one would move all the following places each time.
        self.0.extend(places);
        sorting::sort(&mut self.0);
        self.0.dedup();
    }
}

impl FromIterator<Place> for Places {
    fn from_iter<I: IntoIterator<Item = Place>>(places: I) -> Places {
        let mut sorted = Places::default();
        sorted.extend(places);
        sorted
    }
}

impl IntoIterator for Places {
    type Item = Place;
    type IntoIter = std::vec::IntoIter<Place>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'p> IntoIterator for &'p Places {
    type Item = &'p Place;
    type IntoIter = std::slice::Iter<'p, Place>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_places_sorted_and_each_once() {
        let place = |release: &str| Place::whole_release(release);
        let places: Places = ["b", "c", "a", "b"].map(place).into();
        let releases: Vec<&str> = places.iter().map(|place| place.release.as_str()).collect();
        assert_eq!(releases, ["a", "b", "c"]);
        let mut more = Places::from(place("b"));
        assert!(!more.insert(place("b")));
        more.extend([place("c"), place("a")]);
        assert_eq!(more, places);
    }
}
