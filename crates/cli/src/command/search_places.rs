//! The words of a search that ask for builds in a stack or release, or outside of it, as in the page's addresses:
//! `stack=e4s`, `release=develop`, `not.stack=e4s`. Spack has no such words, so if a cache has a variant of that name, the
//! word asks for the variant.

use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_query::search::Problem;
use spack_spec::nearest;

/// The places that a text asks for.
#[derive(Debug, Default)]
pub(super) struct AskedPlaces {
    stacks: Vec<String>,
    releases: Vec<String>,
    excluded_stacks: Vec<String>,
    excluded_releases: Vec<String>,
    /// The words, for messages.
    pub(super) words: Vec<String>,
    /// The first word whose place is not in this cache.
    pub(super) problem: Option<Problem>,
}

impl AskedPlaces {
    /// Takes these words out of a text, and leaves blanks in their place, so that positions in the rest stay the same.
    pub(super) fn take(index: &Index, text: &str) -> (AskedPlaces, String) {
        let mut asked = AskedPlaces::default();
        let mut rest = String::with_capacity(text.len());
        for piece in text.split_inclusive(char::is_whitespace) {
            let word = piece.trim_end();
            match asked.read(index, word, rest.len()) {
                true => {
                    asked.words.push(word.to_owned());
                    rest.push_str(&" ".repeat(piece.len()));
                }
                false => rest.push_str(piece),
            }
        }
        (asked, rest)
    }

    /// Reads a word; returns `false` if it does not ask for a place.
    fn read(&mut self, index: &Index, word: &str, at: usize) -> bool {
        let Some((key, value)) = word.split_once('=') else { return false };
        let (facet, wanted) = match key {
            "stack" => (Facet::Stack, &mut self.stacks),
            "release" => (Facet::Release, &mut self.releases),
            "not.stack" => (Facet::Stack, &mut self.excluded_stacks),
            "not.release" => (Facet::Release, &mut self.excluded_releases),
            _ => return false,
        };
        let mut variants = index.dictionary(Facet::Variant).values().iter();
        if variants.any(|variant| variant.split('=').next() == Some(key)) {
            return false;
        }
        let places = index.dictionary(facet);
        if places.code(value).is_none() {
            let instead = nearest(value, places.values().iter().map(String::as_str));
            let meant =
                instead.map_or(String::new(), |name| format!(": did you mean `{key}={name}`?"));
            let name = key.trim_start_matches("not.");
            let message = format!("no {name} `{value}` here{meant}");
            self.problem.get_or_insert(Problem::about(at..at + word.len(), message));
        }
        wanted.push(value.to_owned());
        true
    }

    /// Returns `true` if the text does not ask for a place.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns `true` if a build is in one of the stacks of one of the releases, and in none of the excluded ones.
    pub(super) fn have(&self, index: &Index, build: BuildId) -> bool {
        let is_asked = |names: &[String], name: &String| names.is_empty() || names.contains(name);
        let is_there = |place: Place| {
            is_asked(&self.stacks, &place.stack) && is_asked(&self.releases, &place.release)
        };
        let is_excluded = |place: Place| {
            self.excluded_stacks.contains(&place.stack)
                || self.excluded_releases.contains(&place.release)
        };
        let row = index.row_of(build);
        index.places_of(row).any(is_there) && !index.places_of(row).any(is_excluded)
    }
}
