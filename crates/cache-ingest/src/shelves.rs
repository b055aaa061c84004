//! Builds that several threads read at once.
//!
//! Each thread fills a shelf of its own, so that none waits for another, and keeps what it has learnt there. The order of
//! the input is restored when all have finished.

use std::sync::{Mutex, PoisonError};

use cache_index::index::Packer;
use cache_index::sorting;

/// The shelves that no thread uses at the moment.
#[derive(Debug)]
pub(crate) struct Shelves<M>(Mutex<Vec<Shelf<M>>>);

/// The builds that one thread has read, and what else it keeps.
#[derive(Debug, Default)]
pub(crate) struct Shelf<M> {
    pub(crate) builds: Packer,
    /// By build: its position among all that are read, by any order.
    pub(crate) keys: Vec<u64>,
    pub(crate) memory: M,
}

/// A build on one of many shelves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shelved {
    pub(crate) key: u64,
    /// The position of the shelf.
    pub(crate) shelf: usize,
    /// The position of the build on the shelf.
    pub(crate) build: usize,
}

impl<M> Default for Shelves<M> {
    fn default() -> Shelves<M> {
        Shelves(Mutex::default())
    }
}

impl<M: Default> Shelves<M> {
    /// Works on a shelf that nobody else uses.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Shelf<M>) -> T) -> T {
        // A shelf is only in the list while nobody works on it, so a panic does not leave a damaged one there.
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shelf = free().pop();
        let mut shelf = shelf.unwrap_or_default();
        let outcome = work(&mut shelf);
        free().push(shelf);
        outcome
    }

    /// Returns all shelves.
    pub(crate) fn into_shelves(self) -> Vec<Shelf<M>> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the builds of all shelves by key.
pub(crate) fn in_order<M>(shelves: &[Shelf<M>]) -> Vec<Shelved> {
    let mut order: Vec<Shelved> = Vec::with_capacity(shelves.iter().map(|it| it.keys.len()).sum());
    for (number, shelf) in shelves.iter().enumerate() {
        let builds = shelf.keys.iter().enumerate();
        order.extend(builds.map(|(build, &key)| Shelved { key, shelf: number, build }));
    }
    sorting::sort_by_key(&mut order, |it| it.key);
    order
}
