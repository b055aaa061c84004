//! The door to the rest of the app: to `crates/pages`, whose code is downloaded after the first answer.
//!
//! This crate never names that one. The app hands in what it has when it starts ([`open`]), and the page asks for a
//! [`Piece`] of it wherever one belongs. Until the rest has arrived, nothing is there; natively, where only the first view
//! is drawn, nothing ever is.

use std::sync::OnceLock;

use cache_advice::export::Format;
use cache_index::index::BuildId;
use cache_query::{Tab, View};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;

/// What the rest of the app does.
#[derive(Clone, Copy)]
pub struct Rest {
    /// Called once it has arrived.
    pub begin: fn(),
    /// Called once all parts of the index have arrived, too.
    pub complete: fn(Explorer),
    /// Draws a piece of the page.
    pub draw: fn(Piece) -> AnyView,
}

/// What the rest of the app draws.
#[derive(Clone)]
pub enum Piece {
    /// Any page except the front page.
    Page(View),
    /// A part of the front page other than the list of packages.
    Tab(Tab),
    /// What is shown in place of a list if nothing matches.
    Empty,
    /// Below the list of packages: what Spack has and the cache does not.
    Beyond,
    /// Questions that a newcomer may ask.
    Examples,
    /// Above every page: what is wrong with its address or with a search, and how a search is read.
    Notes,
    /// The form for the user's machine.
    Machine,
    /// What is stated of that machine besides its name.
    StatedOfMachine,
    /// At the start of the rail: how many builds work on the machine, and why others do not.
    Verdicts,
    /// At the end of the rail: filters on what arrives later than the facets.
    MoreFilters,
    /// The keyboard shortcuts.
    Keys,
    /// The formats of a menu that saves builds.
    Formats(Saving),
}

/// A menu that saves builds.
#[derive(Clone, Copy)]
pub struct Saving {
    /// The builds; those that are shown if none are given.
    pub builds: Option<Callback<(), Vec<BuildId>>>,
    /// The message next to the menu.
    pub said: RwSignal<String>,
    /// The format of a large file that the user has asked for once.
    pub asked: RwSignal<Option<Format>>,
}

static REST: OnceLock<Rest> = OnceLock::new();

/// States what the rest of the app does. Its functions load it if they are called before it has arrived.
pub(crate) fn open(rest: Rest) {
    let _ = REST.set(rest);
}

/// Lets the rest of the app begin, which has arrived.
pub(crate) fn begin() {
    if let Some(rest) = REST.get() {
        (rest.begin)();
    }
}

/// Lets the rest of the app know that all parts of the index have arrived.
pub(crate) fn complete(explorer: Explorer) {
    if let Some(rest) = REST.get() {
        (rest.complete)(explorer);
    }
}

/// Draws a piece of the page once the rest of the app has arrived.
pub fn with_rest(piece: Piece) -> AnyView {
    let explorer = Explorer::here();
    let has_rest = memo(move || explorer.has_rest());
    let draw: Box<dyn FnMut() -> Option<AnyView> + Send> = Box::new(move || {
        let rest = REST.get().filter(|_| has_rest.get())?;
        Some((rest.draw)(piece.clone()))
    });
    draw.into_any()
}
