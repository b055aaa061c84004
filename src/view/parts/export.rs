//! The menu that saves builds as files: those that are shown, or those that are selected.

use cache_index::index::BuildId;
use leptos::prelude::*;

use crate::door::{Piece, Saving, with_rest};

/// The menu of formats. Its contents are drawn once the rest of the app, which saves the files, has arrived.
#[component]
pub fn Export(
    /// The builds; those that are shown if none are given.
    #[prop(optional)]
    builds: Option<Callback<(), Vec<BuildId>>>,
) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let saving = Saving { builds, said };
    view! {
        <span class="muted" role="status">{said}</span>
        <details class="menu" name="menu">
            <summary class="button">"Export"</summary>
            <ul>{with_rest(Piece::Formats(saving))}</ul>
        </details>
    }
}
