//! How many builds are new since the publication before, for those who come back.

use cache_index::index::Summary;
use cache_index::number::counted;
use cache_query::{AskedChanges, Change};
use leptos::prelude::*;

use crate::browser::published;
use crate::explorer::Explorer;
use crate::view::parts::age::age;
use crate::view::parts::query_link::QueryLink;

/// Draws a link to what changed; nothing if the page does not say.
pub(super) fn draw() -> Option<AnyView> {
    let Summary { made, came, went } = published::summary(Explorer::here().index)?;
    let text = match (came, went) {
        // In other releases or stacks, or of other binaries.
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
