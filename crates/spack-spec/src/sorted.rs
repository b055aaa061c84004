//! Lists that are sorted by key, without duplicate keys.

use std::ops::Deref;
use std::slice;
use std::vec;

/// What the elements of a [`SortedList`] are sorted by.
pub trait SortKey {
    /// Returns the key of an element.
    fn key(&self) -> &str;
}

impl SortKey for String {
    fn key(&self) -> &str {
        self
    }
}

/// A list that is sorted by key, without duplicate keys. It can be read as a slice.
///
/// ```
/// use spack_spec::SortedList;
///
/// let mut names: SortedList<String> = ["mpi", "c", "mpi"].map(str::to_owned).into_iter().collect();
/// assert_eq!(names[..], ["c", "mpi"]);
/// assert!(names.insert("blas".to_owned()).is_ok() && names.get("blas").is_some());
/// assert_eq!(names.insert("c".to_owned()), Err("c".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortedList<T>(Vec<T>);

impl<T: SortKey> SortedList<T> {
    /// Returns the element with a key.
    pub fn get(&self, key: &str) -> Option<&T> {
        self.place(key).ok().map(|place| &self.0[place])
    }

    /// Adds an element.
    ///
    /// # Errors
    ///
    /// Returns the element if the list already has its key.
    pub fn insert(&mut self, element: T) -> Result<(), T> {
        match self.place(element.key()) {
            Ok(_) => Err(element),
            Err(place) => {
                self.0.insert(place, element);
                Ok(())
            }
        }
    }

    /// Keeps only the elements for which `keep` returns `true`.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.0.retain(keep);
    }

    /// Removes the element at an index.
    ///
    /// # Panics
    ///
    /// Panics if there is no such element.
    pub fn remove(&mut self, index: usize) -> T {
        self.0.remove(index)
    }

    /// Adds an element, replacing any element with the same key.
    pub(crate) fn put(&mut self, element: T) {
        match self.place(element.key()) {
            Ok(place) => self.0[place] = element,
            Err(place) => self.0.insert(place, element),
        }
    }

    /// Returns the element with a key. The caller must not change its key.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut T> {
        let place = self.place(key).ok()?;
        self.0.get_mut(place)
    }

    fn place(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|element| element.key().cmp(key))
    }
}

impl<T> Default for SortedList<T> {
    /// Creates an empty list.
    fn default() -> SortedList<T> {
        SortedList(Vec::new())
    }
}

impl<T> Deref for SortedList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: SortKey> Extend<T> for SortedList<T> {
    /// Adds elements; those with a key that the list already has are dropped.
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            let _ = self.insert(element);
        }
    }
}

impl<T: SortKey> FromIterator<T> for SortedList<T> {
    /// Sorts elements; of those with the same key, the first is kept.
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> SortedList<T> {
        let mut elements: Vec<T> = elements.into_iter().collect();
        elements.sort_by(|one, other| one.key().cmp(other.key()));
        elements.dedup_by(|later, first| later.key() == first.key());
        SortedList(elements)
    }
}

impl<T> IntoIterator for SortedList<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> vec::IntoIter<T> {
        self.0.into_iter()
    }
}

impl<'s, T> IntoIterator for &'s SortedList<T> {
    type Item = &'s T;
    type IntoIter = slice::Iter<'s, T>;

    fn into_iter(self) -> slice::Iter<'s, T> {
        self.0.iter()
    }
}
