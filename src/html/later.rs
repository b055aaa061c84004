//! Parts of the page that are empty in the first view.

use leptos::prelude::*;

use crate::explorer::Explorer;

/// Draws a part of the page once the page is [live](Explorer::is_live). It must show nothing in the first view, which would
/// otherwise have to wait until the part has been created.
pub(crate) fn when_live<V: IntoAny + 'static>(draw: fn() -> V) -> AnyView {
    let explorer = Explorer::here();
    drawn(Box::new(move || explorer.is_live().then(|| draw().into_any())))
}

fn drawn(draw: Box<dyn FnMut() -> Option<AnyView> + Send>) -> AnyView {
    draw.into_any()
}
