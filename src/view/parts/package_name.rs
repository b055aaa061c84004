//! The first cell of a package's row: its name, as a link to its page.

use cache_index::query::Change;
use leptos::prelude::*;

use crate::view::parts::cut::Cut;
use crate::view::parts::to::To;

/// The heading of a row about a package.
#[component]
pub(crate) fn PackageName(
    /// The name.
    name: &'static str,
    /// The classes of the cell.
    #[prop(optional)]
    class: &'static str,
) -> impl IntoView {
    view! {
        <th scope="row" class=class>
            <To change=Change::OpenPackage(name.to_owned()) label=name>
                <Cut text=name.to_owned()/>
            </To>
        </th>
    }
}
