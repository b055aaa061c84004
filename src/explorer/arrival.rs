//! Which parts of the index, and of the app, have arrived. Nothing outside the explorer asks for this: its accessors return
//! `None` until what they return is there, and whatever reads them follows.

use cache_index::index::Index;
use leptos::prelude::*;

use crate::browser::parts::Stage;
use crate::memo::memo;

/// The parts of the index that have arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arrived {
    /// The last part that was read.
    pub(super) stage: Stage,
    /// `true` if the dependencies have been decoded, or never will be.
    pub(super) dependencies: bool,
    /// The problem with a part, if there is one: no further part will be read.
    pub(super) problem: Option<String>,
}

impl Arrived {
    /// Returns what an index contains before any part but the first has arrived.
    fn with_columns(index: &Index) -> Arrived {
        // Hashes that came with the columns came with the details, too.
        let stage = if index.has_hashes() { Stage::Details } else { Stage::Columns };
        let dependencies = index.has_dependencies() || !index.lists_any_dependencies();
        Arrived { stage, dependencies, problem: None }
    }

    /// Returns `true` if nothing of a stage is still to come.
    pub(super) fn is_past(&self, stage: Stage) -> bool {
        self.stage >= stage || self.problem.is_some()
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
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    pub(super) arrived: RwSignal<Arrived>,
    pub(super) rest: RwSignal<Rest>,
    pub(super) hashes: Memo<bool>,
    pub(super) details: Memo<bool>,
    pub(super) dependencies: Memo<bool>,
    pub(super) problem: Memo<Option<String>>,
}

impl Arrival {
    pub(super) fn new(index: &Index, has_rest: bool) -> Arrival {
        let arrived = RwSignal::new(Arrived::with_columns(index));
        let is_past = move |stage| memo(move || arrived.with(|arrived| arrived.is_past(stage)));
        Arrival {
            arrived,
            rest: RwSignal::new(if has_rest { Rest::Here } else { Rest::Awaited }),
            hashes: is_past(Stage::Hashes),
            details: is_past(Stage::Details),
            dependencies: memo(move || arrived.with(|arrived| arrived.dependencies)),
            problem: memo(move || arrived.with(|arrived| arrived.problem.clone())),
        }
    }
}
