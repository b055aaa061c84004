//! Values that filters name and no build has, with what may have been meant.

use cache_advice::UnknownValue;
use cache_query::{Change, apply};
use leptos::prelude::*;
use site::browser::history;
use site::explorer::Explorer;

/// Says that no build has a value, and offers one that is nearly the same in its place.
pub(crate) fn draw(explorer: Explorer, unknown: UnknownValue) -> AnyView {
    let sentence = unknown.sentence();
    let UnknownValue { facet, value, is_excluded, like } = unknown;
    let like = like.map(|like| {
        let address = explorer.with_query(|query| {
            let without = apply(query, Change::Remove(facet, vec![value]));
            let instead = match is_excluded {
                true => Change::ToggleExcluded(facet, like.clone()),
                false => Change::Include(facet, like.clone()),
            };
            history::address(&apply(&without, instead))
        });
        view! { " Did you mean " <a href=address><bdi>{like}</bdi></a> "?" }
    });
    view! { <bdi>{sentence}</bdi>"."{like} }.into_any()
}
