//! The user's machine: its button in the masthead.
//!
//! It is part of the address, so links share it; this device remembers it only if the user asks for that.

use cache_query::host::Host;
use cache_query::{Change, Query, Question};
use leptos::prelude::*;

use crate::browser;
use crate::door::{Piece, with_rest};
use crate::explorer::Explorer;

/// What a part of the page knows about the machine when it asks the user for the rest.
#[derive(Clone, Default)]
pub struct KnownOfMachine {
    /// What is known, in words.
    pub words: String,
    /// The text in the search box that contains these words, and the text without them, which is searched for once the
    /// machine is stated.
    pub within: Option<(String, String)>,
}

/// Asks for the machine in the panel.
#[derive(Clone, Copy)]
pub struct AskMachine(RwSignal<Option<KnownOfMachine>>);

impl AskMachine {
    /// Returns what is known, once a part of the page has asked.
    pub fn known(&self) -> Option<KnownOfMachine> {
        self.0.get()
    }

    /// Searches for the text without the words about the machine, unless another text has been typed since.
    pub fn search_for_rest(&self, explorer: Explorer) {
        let known = self.0.try_update_untracked(Option::take).flatten();
        if let Some((text, rest)) = known.and_then(|known| known.within)
            && untrack(|| explorer.search_text()) == text
        {
            explorer.search_for(&rest);
        }
    }

    pub(crate) fn new() -> AskMachine {
        AskMachine(RwSignal::new(None))
    }

    /// Opens the panel with what is known in it.
    pub fn for_rest_of(&self, known: KnownOfMachine) {
        self.0.set(Some(known));
        ask_for_machine();
    }
}

/// Opens the panel that asks for the machine.
pub fn ask_for_machine() {
    browser::open_menu("machine", "machine-os");
}

/// The id of the panel's field for the libc.
pub const LIBC: &str = "machine-own-libc";

/// Opens the panel at the field for the libc.
pub fn ask_for_libc() {
    browser::open_menu("machine", LIBC);
}

/// The id of the panel's field for the specs that a user asks for.
pub const ASKED_FOR: &str = "machine-asked-for";

/// Opens the panel at the field for those specs.
pub fn ask_for_specs() {
    browser::open_menu("machine", ASKED_FOR);
}

/// Starts from the machine that this device remembers, unless the address names one.
///
/// The front page then only shows what runs there; an address with a query still shows everything that matches.
pub(crate) fn recall_machine(explorer: Explorer) {
    if untrack(|| explorer.host().is_none()) {
        let remembered = browser::remembered_machine().unwrap_or_default();
        let mut lines = remembered.lines();
        if let Some(host) = lines.next().and_then(|text| text.parse::<Host>().ok()) {
            let gpus: Vec<String> = lines.map(str::to_owned).collect();
            let asks = untrack(|| explorer.with_query(|query| *query != Query::default()));
            explorer.start_from(if asks { Change::Host(Some(host)) } else { Change::RunOn(host) });
            if !gpus.is_empty() {
                explorer.start_from(Change::Gpus(gpus));
            }
        }
    }
}

/// Returns a machine and its GPUs as this device remembers them, each on a line.
pub fn remembered(question: &Question) -> Option<String> {
    let host = question.host.as_ref()?.to_string();
    Some([host].iter().chain(&question.gpus).cloned().collect::<Vec<_>>().join("\n"))
}

/// `My machine: ubuntu24.04 · zen4`, which opens a panel.
#[component]
pub(crate) fn Machine() -> impl IntoView {
    let explorer = Explorer::here();
    let name = move || match explorer.host() {
        Some(host) => host.name(),
        None => "any".to_owned(),
    };
    view! {
        <details class="menu machine" name="menu">
            <summary class="button">
                <span class="machine-label">"My machine: "</span>
                <bdi class:any=move || explorer.host().is_none()>{name}</bdi>
                <bdi class="muted">{with_rest(Piece::StatedOfMachine)}</bdi>
            </summary>
            {with_rest(Piece::Machine)}
        </details>
    }
}
