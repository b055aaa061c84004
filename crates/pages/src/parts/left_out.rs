//! A note on damaged builds that are not in the index, for when something is not found: it may be one of them.

use cache_index::index::Index;
use cache_query::{Change, Tab};
use leptos::prelude::*;

use site::view::parts::query_link::QueryLink;

/// Says how many there are, with a link to the reasons; `None` if there are none.
pub(crate) fn draw(index: &Index) -> Option<AnyView> {
    let said = index.about().without_damaged()?;
    let about = Change::Tab(Tab::About);
    Some(
        view! { <p>{said}": "<QueryLink change=about>"About"</QueryLink>" says why."</p> }
            .into_any(),
    )
}
