//! Each distinct string of a facet once, in the display order of the facet.

use std::sync::OnceLock;

use super::code::ValueCode;
use crate::sorting;

/// The values of one facet, in display order and without duplicates.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    values: Vec<String>,
    /// The codes in the order of their texts, created when a text is first looked up: in most visits, most dictionaries
    /// are only read by code.
    by_text: OnceLock<Vec<u32>>,
}

impl Dictionary {
    /// Creates a dictionary from values in display order; `None` if a value is repeated.
    pub fn new(values: Vec<String>) -> Option<Dictionary> {
        // Most facets are displayed in the order of their texts.
        if values.is_sorted_by(|a, b| a < b) {
            let by_text = (0..values.len() as u32).collect::<Vec<_>>().into();
            return Some(Dictionary { values, by_text });
        }
        let dictionary = Dictionary { values, by_text: OnceLock::new() };
        let order = dictionary.by_text();
        let distinct = order
            .windows(2)
            .all(|pair| dictionary.values[pair[0] as usize] != dictionary.values[pair[1] as usize]);
        distinct.then_some(dictionary)
    }

    fn by_text(&self) -> &[u32] {
        self.by_text.get_or_init(|| {
            sorting::positions(self.len(), &|a, b| self.values[a].cmp(&self.values[b]))
        })
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns `true` if there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the text of a code of this dictionary.
    pub fn text(&self, code: ValueCode) -> &str {
        &self.values[code.at()]
    }

    /// Returns the code of a text, if the dictionary contains it.
    pub fn code(&self, text: &str) -> Option<ValueCode> {
        let order = self.by_text();
        let found = order.binary_search_by(|&code| self.values[code as usize].as_str().cmp(text));
        found.ok().map(|place| ValueCode(order[place]))
    }

    /// Returns all texts, in display order.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Iterates over all codes with their texts, in display order.
    pub fn iter(&self) -> impl Iterator<Item = (ValueCode, &str)> {
        self.values.iter().enumerate().map(|(at, text)| (ValueCode(at as u32), text.as_str()))
    }
}
