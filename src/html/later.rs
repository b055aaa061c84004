//! Parts of the page that come after the first view.

use leptos::prelude::*;

use crate::explorer::Explorer;

/// Draws a part of the page once the page follows every change. It must show nothing in the first view, which would
/// otherwise have to wait until the part has been created.
pub(crate) fn after_first_view<V: IntoAny + 'static>(
    draw: impl Fn() -> V + Send + 'static,
) -> AnyView {
    let explorer = Explorer::here();
    let draw: Box<dyn FnMut() -> Option<AnyView> + Send> =
        Box::new(move || explorer.is_live().then(|| draw().into_any()));
    draw.into_any()
}
