//! What the first view does not show.

use leptos::prelude::*;

use crate::explorer::Explorer;

/// Draws a part of the page that is not seen at first, once the page is [live](Explorer::is_live). Leptos creates it at once
/// otherwise, however empty it is.
pub(crate) fn when_live<V: IntoAny + 'static>(draw: fn() -> V) -> AnyView {
    let explorer = Explorer::here();
    drawn(Box::new(move || explorer.is_live().then(|| draw().into_any())))
}

fn drawn(draw: Box<dyn FnMut() -> Option<AnyView> + Send>) -> AnyView {
    draw.into_any()
}
