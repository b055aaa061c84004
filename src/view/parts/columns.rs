//! The columns of the table of builds: which are shown, what they are called, and their headings.

use cache_index::query::{Alike, Change, Column, Sort};
use leptos::prelude::*;

use crate::explorer::{Explorer, facet_name};
use crate::memo::memo;

/// What a column is called.
pub(crate) fn column_name(column: Column) -> &'static str {
    match column {
        Column::Hash => "Hash",
        Column::Newest => "Newest",
        Column::Builds => "Builds",
        Column::Versions => "Versions",
        Column::Stack => "Stacks",
        Column::Provider => "Providers",
        Column::Release => "Releases",
        Column::Variant => "Variants",
        _ => column.facet().map_or("", facet_name),
    }
}

/// The columns that the query asks for; where it asks for none, those of the table's own in which
/// the builds differ.
pub(crate) fn columns(explorer: Explorer, alike: &Alike) -> Vec<Column> {
    let differs = |column: &Column| {
        column.is_told(explorer.index) && column.facet().is_none_or(|facet| !alike.covers(facet))
    };
    explorer.with_presentation(|presentation| match &presentation.columns {
        Some(columns) => Column::OF_BUILDS.into_iter().filter(|c| columns.contains(c)).collect(),
        None => Column::OF_BUILDS_BY_DEFAULT.into_iter().filter(differs).collect(),
    })
}

/// Chooses the columns.
#[component]
pub(crate) fn ColumnChoice() -> impl IntoView {
    let explorer = Explorer::here();
    let chosen =
        memo(move || explorer.with_presentation(|presentation| presentation.columns.clone()));
    let is_shown = move |column: Column| match chosen.get() {
        Some(columns) => columns.contains(&column),
        None => Column::OF_BUILDS_BY_DEFAULT.contains(&column),
    };
    let toggle = move |column: Column| {
        let next =
            Column::OF_BUILDS.into_iter().filter(|other| is_shown(*other) != (*other == column));
        explorer.go(Change::Columns(Some(untrack(|| next.collect()))));
    };
    let told = Column::OF_BUILDS.into_iter().filter(|column| column.is_told(explorer.index));
    let boxes = told.map(|column| {
        view! {
            <li>
                <label>
                    <input
                        type="checkbox"
                        prop:checked=move || is_shown(column)
                        on:change=move |_| toggle(column)
                    />
                    {column_name(column)}
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

/// The heading of a column: orders the table by it, and by it the other way round.
#[component]
pub(crate) fn Heading(
    /// Which.
    column: Column,
    /// What it says.
    label: &'static str,
    /// Whether its cells are numbers, which start with the largest.
    #[prop(optional)]
    number: bool,
) -> impl IntoView {
    let explorer = Explorer::here();
    let sort = memo(move || {
        explorer.with_presentation(|shown| shown.sort.filter(|sort| sort.column == column))
    });
    // What is best comes first: large numbers and new versions.
    let first_descending = number || matches!(column, Column::Version | Column::Newest);
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
        <th scope="col" class=class aria-sort=direction>
            <button type="button" on:click=press>
                {label}
                <span class="arrow" aria-hidden="true">{arrow}</span>
            </button>
        </th>
    }
}
