//! What the rail shows besides the facets.

mod licenses;
mod runs;
mod seen;
mod why_not;

use leptos::prelude::*;

use self::runs::WorksHere;
use crate::parts::of_settings;

/// Draws how many builds work on the machine, and why others do not.
pub(crate) fn verdicts() -> AnyView {
    view! { <WorksHere/> {of_settings::draw()} {why_not::draw()} }.into_any()
}

/// Draws the filters on what arrives later than the facets.
pub(crate) fn more_filters() -> AnyView {
    view! { {licenses::draw()} {seen::draw()} }.into_any()
}
