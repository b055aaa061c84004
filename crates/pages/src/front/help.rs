//! Help: what the page is for, task by task, and its search language.

use leptos::prelude::*;

/// The text as HTML, which `build.rs` makes from two pages in `docs/`.
const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/help.html"));

/// Draws the pages of the documentation for people who install with Spack.
pub(crate) fn draw() -> AnyView {
    view! { <article class="help" inner_html=TEXT></article> }.into_any()
}
