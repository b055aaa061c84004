//! Which parts of the index, and of the app, have arrived. Nothing outside the explorer reads this: the explorer's accessors
//! return `None` until their data is there, and whatever has read them is then notified.

use cache_index::index::Index;
use leptos::prelude::*;

use crate::browser::parts::Stage;

/// The parts of the index that have arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArrivedParts {
    /// The last part that was read.
    pub(super) stage: Stage,
    /// `true` if the dependencies have been decoded, or never will be.
    pub(super) dependencies: bool,
    /// No further part will be read, because one could not be.
    pub(super) is_broken: bool,
    /// What is wrong with a part, if anything is.
    pub(super) problem: Option<String>,
}

impl ArrivedParts {
    /// Returns what has arrived together with the columns of an index.
    fn with_columns(index: &Index) -> ArrivedParts {
        // Hashes that came with the columns came with the details, too.
        let stage = if index.has_hashes() { Stage::Details } else { Stage::Columns };
        let dependencies = index.has_dependencies() || !index.lists_any_dependencies();
        ArrivedParts { stage, dependencies, is_broken: false, problem: None }
    }

    /// Returns `true` if a stage has been reached, or never will be.
    pub(super) fn is_past(&self, stage: Stage) -> bool {
        self.stage >= stage || self.is_broken
    }
}

/// The state of the rest of the app. Without it only the list of packages can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// It is being fetched.
    Awaited,
    /// It has arrived.
    Here,
    /// It could not be fetched.
    Failed,
}

/// What has arrived, and what follows from it.
///
/// These are signals, not memos. If `hashes` were a memo, an effect of Leptos that reads another memo, which depends on
/// `hashes`, and then `hashes` itself would not run again: checking the first memo computes `hashes`, and a memo does not
/// notify the effect that is being checked.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    pub(super) arrived: RwSignal<ArrivedParts>,
    pub(super) rest: RwSignal<Rest>,
    pub(super) hashes: RwSignal<bool>,
    pub(super) details: RwSignal<bool>,
    pub(super) dependencies: RwSignal<bool>,
    pub(super) problem: RwSignal<Option<String>>,
    /// Set when a part that is only read on request arrives.
    pub(super) requested: RwSignal<bool>,
}

impl Arrival {
    pub(super) fn new(index: &Index, has_rest: bool) -> Arrival {
        let arrived = ArrivedParts::with_columns(index);
        Arrival {
            rest: RwSignal::new(if has_rest { Rest::Here } else { Rest::Awaited }),
            hashes: RwSignal::new(arrived.is_past(Stage::Hashes)),
            details: RwSignal::new(arrived.is_past(Stage::Details)),
            dependencies: RwSignal::new(arrived.dependencies),
            problem: RwSignal::new(None),
            requested: RwSignal::new(false),
            arrived: RwSignal::new(arrived),
        }
    }

    /// Notes a change in what has arrived.
    pub(super) fn note(&self, change: impl FnOnce(&mut ArrivedParts)) {
        self.arrived.update(change);
        let now = self.arrived.get_untracked();
        set(self.hashes, now.is_past(Stage::Hashes));
        set(self.details, now.is_past(Stage::Details));
        set(self.dependencies, now.dependencies);
        set(self.problem, now.problem);
    }
}

/// Sets a signal, unless it already has this value.
fn set<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|before| *before != value) {
        signal.set(value);
    }
}
