//! Parts of the page that come after the first view, or with the rest of the app.

use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;

/// Draws a part of the page once the page follows every change. It must show nothing in the first view, which would
/// otherwise have to wait until the part has been created.
pub(crate) fn after_first_view<V: IntoAny + 'static>(
    draw: impl Fn() -> V + Send + 'static,
) -> AnyView {
    let explorer = Explorer::here();
    drawn(Box::new(move || explorer.is_live().then(|| draw().into_any())))
}

/// Draws a part of the page whose code is in the rest of the app, once that has arrived.
pub(crate) fn with_rest(draw: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    let explorer = Explorer::here();
    let has_rest = memo(move || explorer.has_rest());
    drawn(Box::new(move || has_rest.get().then(&draw)))
}

fn drawn(draw: Box<dyn FnMut() -> Option<AnyView> + Send>) -> AnyView {
    draw.into_any()
}
