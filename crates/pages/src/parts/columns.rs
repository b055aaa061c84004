//! The columns of the table of builds: which ones are shown.

use cache_advice::Alike;
use cache_query::{Change, Column};
use leptos::prelude::*;

use crate::browser::facts;
use site::explorer::Explorer;
use site::memo::memo;

/// Returns the columns that the query asks for, or by default those in which the builds differ.
pub(crate) fn columns(explorer: Explorer, alike: &Alike) -> Vec<Column> {
    let index = explorer.so_far();
    let differs = |column: &Column| {
        column.is_known(index) && column.facet().is_none_or(|facet| !alike.covers(facet))
    };
    explorer.with_presentation(|presentation| match &presentation.columns {
        Some(columns) => Column::of_builds().filter(|column| columns.contains(column)).collect(),
        None => Column::of_builds()
            .filter(|column| column.is_of_builds_by_default() && differs(column))
            .collect(),
    })
}

/// The menu of columns.
#[component]
pub(crate) fn ColumnChoice() -> impl IntoView {
    let explorer = Explorer::here();
    let chosen =
        memo(move || explorer.with_presentation(|presentation| presentation.columns.clone()));
    let is_shown = move |column: Column| match chosen.get() {
        Some(columns) => columns.contains(&column),
        None => column.is_of_builds_by_default(),
    };
    let toggle = move |column: Column| {
        let next = Column::of_builds().filter(|other| is_shown(*other) != (*other == column));
        explorer.go(Change::Columns(Some(untrack(|| next.collect()))));
    };
    let known = Column::of_builds().filter(|column| match column {
        Column::Size(_) => facts::are_there(),
        column => column.is_known(explorer.index),
    });
    let boxes = known.map(|column| {
        view! {
            <li>
                <label>
                    <input
                        type="checkbox"
                        prop:checked=move || is_shown(column)
                        on:change=move |_| toggle(column)
                    />
                    {column.label()}
                </label>
            </li>
        }
    });
    view! {
        <details class="menu columns" name="menu">
            <summary class="button">"Columns"</summary>
            <div>
                <ul>{boxes.collect_view()}</ul>
                <button
                    type="button"
                    class="plain"
                    on:click=move |_| explorer.go(Change::Columns(None))
                >
                    "Only what differs"
                </button>
            </div>
        </details>
    }
}
