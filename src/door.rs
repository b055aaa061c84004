//! The door to the rest of the app: to `crates/pages`, whose code is downloaded after the first answer.
//!
//! This crate names neither that one nor `cache-advice`. When the app starts, it hands in [`Rest`], a table of functions
//! ([`open`]). The page draws a [`Piece`] of the rest wherever one belongs, and shows nothing there until the rest has
//! arrived. The other functions can be called at any time: if it is too early, they load the rest first, and block the page.
//! Natively, where only the first view is drawn, there is no rest.

use std::sync::OnceLock;

use cache_index::index::BuildId;
use cache_query::{Tab, View};
use leptos::prelude::*;

use crate::browser::scripting::Scripting;
use crate::explorer::{Advice, Explorer};
use crate::memo::memo;

/// The functions of the rest of the app.
#[derive(Clone, Copy)]
pub struct Rest {
    /// Called once it has arrived.
    pub begin: fn(),
    /// Called once all parts of the index have arrived, too.
    pub take_whole: fn(Explorer),
    /// Draws a piece of the page.
    pub draw: fn(Piece) -> AnyView,
    /// The functions of `cache-advice` that the explorer uses.
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
    /// What is stated about that machine besides its name.
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

/// Sets the functions of the rest of the app. A function that is called before the rest has arrived loads it.
pub(crate) fn open(rest: Rest) {
    let _ = REST.set(rest);
}

/// Starts the rest of the app once it has arrived.
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

/// Returns the functions of the rest of the app; `None` natively.
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
