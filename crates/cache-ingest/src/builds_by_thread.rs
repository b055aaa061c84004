//! Builds that several threads read at once.
//!
//! Each thread fills a packer of its own, so that threads do not wait for each other, and keeps what it has learned
//! next to it. The order of the input is restored when all threads have finished.

use std::sync::{Mutex, PoisonError};

use cache_index::index::Packer;
use cache_index::sorting;

/// The builds of those threads that are not reading at the moment.
#[derive(Debug)]
pub(crate) struct BuildsByThread<M>(Mutex<Vec<ThreadBuilds<M>>>);

/// The builds that one thread has read, and what else it keeps.
#[derive(Debug, Default)]
pub(crate) struct ThreadBuilds<M> {
    pub(crate) builds: Packer,
    /// The key of each build, which determines its position among the builds of all threads.
    pub(crate) keys: Vec<u64>,
    pub(crate) memory: M,
}

/// A build that one of the threads has read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreadBuild {
    pub(crate) key: u64,
    /// The index of the thread.
    pub(crate) thread: usize,
    /// The index of the build among those of its thread.
    pub(crate) build: usize,
}

impl<M> Default for BuildsByThread<M> {
    fn default() -> BuildsByThread<M> {
        BuildsByThread(Mutex::default())
    }
}

impl<M: Default> BuildsByThread<M> {
    /// Calls `work` with the builds of a thread that is not reading.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut ThreadBuilds<M>) -> T) -> T {
        // Builds are only in the list while nobody works on them, so a panic does not leave damaged ones there.
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let thread = free().pop();
        let mut thread = thread.unwrap_or_default();
        let outcome = work(&mut thread);
        free().push(thread);
        outcome
    }

    /// Returns the builds of each thread.
    pub(crate) fn into_threads(self) -> Vec<ThreadBuilds<M>> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the builds of all threads in the order of their keys.
pub(crate) fn in_order<M>(threads: &[ThreadBuilds<M>]) -> Vec<ThreadBuild> {
    let mut order: Vec<ThreadBuild> =
        Vec::with_capacity(threads.iter().map(|it| it.keys.len()).sum());
    for (number, thread) in threads.iter().enumerate() {
        let builds = thread.keys.iter().enumerate();
        order.extend(builds.map(|(build, &key)| ThreadBuild { key, thread: number, build }));
    }
    sorting::sort_by_key(&mut order, |it| it.key);
    order
}
