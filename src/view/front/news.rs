//! The number of builds that are new since the previous publication, for users who come back.

use cache_index::index::Summary;
use cache_index::number::counted;
use cache_query::{AskedChanges, Change};
use leptos::prelude::*;

use crate::browser::published;
use crate::explorer::Explorer;
use crate::view::parts::age::age;
use crate::view::parts::query_link::QueryLink;

/// Draws a link to what changed; `None` if the page does not say what changed.
pub(super) fn draw() -> Option<AnyView> {
    let Summary { made, came, went } = published::summary(Explorer::here().index)?;
    let text = match (came, went) {
        // Builds may be in other releases or stacks, or have other binaries.
        (0, 0) => "what changed".to_owned(),
        (0, went) => format!("{} gone", counted(went, "build", "builds")),
        (came, _) => counted(came, "new build", "new builds"),
    };
    let since = made.map(|made| view! { " since the publication " {age(&made)} });
    let link = view! {
        ", "
        <span class="news" data-testid="news">
            <QueryLink change=Change::OpenChanges(AskedChanges::Published)>{text} {since}</QueryLink>
        </span>
    };
    Some(link.into_any())
}
