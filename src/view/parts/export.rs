//! The menu that saves builds as files: those that are shown, or those that are selected.

use cache_index::index::BuildId;
use leptos::prelude::*;

use crate::door::{Piece, Saving, with_rest};

/// The menu of formats. What is in it is drawn when the rest of the app has arrived, which saves the files.
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
