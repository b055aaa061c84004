//! Help: what the page is for, task by task, and its search language.

use leptos::prelude::*;

use crate::browser::facts;
use site::explorer::Explorer;

/// The text as HTML, which `build.rs` makes from two pages in `docs/`.
const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/help.html"));

/// What the text says about tasks that need recipes, and about those that need what is in binaries.
const NEEDS_RECIPES: &str = "if the cache is published with recipes";
const NEEDS_FACTS: &str = "if the cache is published with what is in its binaries";
/// What is added to these words if they are not true of this cache.
const LACKS: &str = " (<b>this one is not</b>)";

/// Draws the pages of the documentation for people who install with Spack, and says what does not work in this cache.
pub(crate) fn draw() -> AnyView {
    let needs =
        [(NEEDS_RECIPES, Explorer::here().has_recipes()), (NEEDS_FACTS, facts::are_there())];
    let lacks = needs.into_iter().filter(|(_, is_there)| !is_there);
    let text = lacks
        .fold(TEXT.to_owned(), |text, (says, _)| text.replace(says, &format!("{says}{LACKS}")));
    view! { <article class="help" inner_html=text></article> }.into_any()
}
