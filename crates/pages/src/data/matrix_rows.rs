//! The packages that the matrix by stack shows.

use cache_advice::InEachStack;
use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_query::{MatrixRows, Tab, View};
use leptos::prelude::*;
use site::explorer::Explorer;

/// Returns the packages that these rows are limited to; `None` if they are not limited.
pub(crate) fn some_packages(
    index: &Index,
    cells: &InEachStack,
    rows: &MatrixRows,
) -> Option<Vec<ValueCode>> {
    match rows {
        MatrixRows::Gaps => Some(cells.with_gaps()),
        MatrixRows::InEach => Some(cells.in_each()),
        MatrixRows::OnlyIn(stack) => Some(only_in(index, cells, stack)),
        MatrixRows::All => None,
    }
}

/// Returns the packages that are shown if the matrix shows only some of those that match.
pub(crate) fn packages_of_rows(explorer: Explorer) -> Option<Vec<ValueCode>> {
    let rows = explorer
        .with_presentation(|shown| (shown.tab == Tab::Coverage).then(|| shown.rows.clone()))?;
    if rows == MatrixRows::All || explorer.view().get() != View::Packages {
        return None;
    }
    let (index, answer) = (explorer.index, explorer.answer());
    let cells = explorer.with_question(|question| InEachStack::new(index, question, &answer));
    some_packages(index, &cells, &rows)
}

/// Returns the packages that only this stack of the matrix has; empty if the matrix does not have the stack.
pub(crate) fn only_in(index: &Index, cells: &InEachStack, stack: &str) -> Vec<ValueCode> {
    let stack = index.dictionary(Facet::Stack).code(stack);
    let mut all = cells.only_in().into_iter();
    all.find(|(of, _)| Some(*of) == stack).map_or_else(Vec::new, |(_, packages)| packages)
}
