//! The columns of the table of builds: which ones are shown, and their headings.

use cache_index::facet::Facet;
use cache_index::query::{Alike, Change, Column, Sort};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;

/// Returns the columns that the query asks for, or by default those in which the builds differ.
pub(crate) fn columns(explorer: Explorer, alike: &Alike) -> Vec<Column> {
    let differs = |column: &Column| {
        column.is_known(explorer.index) && column.facet().is_none_or(|facet| !alike.covers(facet))
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
    let known = Column::of_builds().filter(|column| column.is_known(explorer.index));
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

/// The heading of a column, which sorts the table by it, and in reverse the second time.
#[component]
pub(crate) fn Heading(
    /// The column.
    column: Column,
    /// `true` if its cells are numbers, which are sorted largest first.
    #[prop(optional)]
    number: bool,
    /// Its width in CSS pixels; by default that of the styles.
    #[prop(optional, into)]
    width: Option<usize>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let sort = memo(move || {
        explorer.with_presentation(|shown| shown.sort.filter(|sort| sort.column == column))
    });
    // The best comes first: large numbers and new versions.
    let first_descending =
        number || matches!(column, Column::Facet(Facet::Version) | Column::Newest);
    let press = move |_| {
        let descending = sort.get_untracked().map_or(first_descending, |sort| !sort.descending);
        explorer.go(Change::Sort(Sort { column, descending }));
    };
    let direction = move || match sort.get() {
        None => None,
        Some(sort) if sort.descending => Some("descending"),
        Some(_) => Some("ascending"),
    };
    let arrow = move || match sort.get() {
        None => "",
        Some(sort) if sort.descending => "↓",
        Some(_) => "↑",
    };
    let class = format!("c-{}{}", column.key(), if number { " number" } else { "" });
    view! {
        <th
            scope="col"
            class=class
            style:width=width.map(|width| format!("{width}px"))
            aria-sort=direction
        >
            <button type="button" on:click=press>
                {column.label()}
                <span class="arrow" aria-hidden="true">{arrow}</span>
            </button>
        </th>
    }
}
