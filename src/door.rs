//! The door to the rest of the app: to `crates/pages`, whose code is downloaded after the first answer.
//!
//! This crate never names that one, nor `cache-advice`. The app hands in what it has when it starts ([`open`]): [`Rest`], a
//! table of functions. The page asks for a [`Piece`] of it wherever one belongs, and until the rest has arrived, nothing is
//! there. The other functions can be called at any time: called too early, they load the rest first, and block the page.
//! Natively, where only the first view is drawn, there is no rest.

use std::sync::OnceLock;

use cache_index::index::BuildId;
use cache_query::{Tab, View};
use leptos::prelude::*;

use crate::browser::scripting::Scripting;
use crate::explorer::{Advice, Explorer};
use crate::memo::memo;

/// What the rest of the app does.
#[derive(Clone, Copy)]
pub struct Rest {
    /// Called once it has arrived.
    pub begin: fn(),
    /// Called once all parts of the index have arrived, too.
    pub take_whole: fn(Explorer),
    /// Draws a piece of the page.
    pub draw: fn(Piece) -> AnyView,
    /// What `cache-advice` says to the explorer.
    pub advice: Advice,
    /// The functions of the page's interface for scripts.
    pub scripting: Scripting,
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
}

static REST: OnceLock<Rest> = OnceLock::new();

/// States what the rest of the app does. Its functions load it if they are called before it has arrived.
pub(crate) fn open(rest: Rest) {
    let _ = REST.set(rest);
}

/// Starts the rest of the app, which has arrived.
pub(crate) fn begin() {
    if let Some(rest) = REST.get() {
        (rest.begin)();
    }
}

/// Lets the rest of the app know that all parts of the index have arrived.
pub(crate) fn take_whole(explorer: Explorer) {
    if let Some(rest) = REST.get() {
        (rest.take_whole)(explorer);
    }
}

/// Returns what the rest of the app does; `None` natively.
pub(crate) fn rest() -> Option<&'static Rest> {
    REST.get()
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
