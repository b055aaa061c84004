//! The headings of columns, which sort a table.

use cache_index::facet::Facet;
use cache_query::{Change, Column, Sort};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::explorer::Explorer;
use crate::html::action::Action;

/// Writes the heading of a column, which sorts the table by it, and in reverse the second time. Its width is in CSS pixels; by
/// default that of the styles.
pub fn heading(explorer: Explorer, column: Column, width: Option<usize>) -> Markup {
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
pub fn sort_by(explorer: Explorer, column: Column) {
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
    matches!(column, Column::Builds | Column::Versions | Column::Size(_))
}
