//! The columns of the table of builds: which ones are shown, and their headings.

use cache_advice::Alike;
use cache_index::facet::Facet;
use cache_query::{Change, Column, Sort};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::explorer::Explorer;
use crate::html::action::Action;
use crate::memo::memo;

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

/// Writes the heading of a column, which sorts the table by it, and in reverse the second time. Its width is in CSS pixels; by
/// default that of the styles.
pub(crate) fn heading(explorer: Explorer, column: Column, width: Option<usize>) -> Markup {
    let sort = explorer.with_presentation(|shown| shown.sort.filter(|sort| sort.column == column));
    let (direction, arrow) = match sort {
        None => (None, ""),
        Some(sort) if sort.descending => (Some("descending"), "↓"),
        Some(_) => (Some("ascending"), "↑"),
    };
    html! {
        th
            class=(format!("c-{}{}", column.key(), if is_number(column) { " number" } else { "" }))
            scope="col"
            aria-sort=[direction]
            data-key=(column.key())
            data-style=[width.map(|width| format!("width:{width}px"))]
        {
            button type="button" data-do=(Action::Sort(column)) {
                (column.label())
                span.arrow aria-hidden="true" { (arrow) }
            }
        }
    }
}

/// Sorts the table by a column, and in reverse the second time.
pub(crate) fn sort_by(explorer: Explorer, column: Column) {
    let sort = untrack(|| explorer.with_presentation(|shown| shown.sort));
    let descending = match sort.filter(|sort| sort.column == column) {
        Some(sort) => !sort.descending,
        // The best comes first: large numbers and new versions.
        None => {
            is_number(column) || matches!(column, Column::Facet(Facet::Version) | Column::Newest)
        }
    };
    explorer.go(Change::Sort(Sort { column, descending }));
}

/// Returns `true` if the cells of a column are numbers.
fn is_number(column: Column) -> bool {
    matches!(column, Column::Builds | Column::Versions)
}
