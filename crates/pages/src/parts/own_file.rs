//! The name of a file that a user has opened, and who keeps what was read from it.

use leptos::prelude::*;

use crate::browser::kept::Keeper;

/// Draws the name, and what somebody needs who gets a link to the page.
pub(crate) fn draw(name: String, keeper: Keeper) -> AnyView {
    let fate = match keeper {
        Keeper::Page => " is part of this page: whoever gets the page has it too.",
        Keeper::Device => {
            " stays on this device: whoever gets a link to this page needs the same file."
        }
        Keeper::Nobody => {
            ", opened here. This browser keeps nothing for this page, so it will be gone when you leave it, and whoever \
             gets a link to it needs the same file."
        }
    };
    view! { <p class="muted" data-testid="own"><strong><bdi>{name}</bdi></strong>{fate}</p> }
        .into_any()
}
