//! The coverage matrix of a package: versions in rows; machines, compilers or stacks in columns.

use cache_advice::{Coverage as Matrix, Gaps};
use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_query::{Across, Change};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::parts::gaps::{GapsOnly, NoGaps};
use crate::parts::heat::heat_cell;
use site::explorer::Explorer;
use site::html::list::list;
use site::html::rows::{ABOVE, ExistingRows};
use site::memo::memo;

/// Up to this many columns, their names are written horizontally; beyond that, vertically.
const ACROSS: usize = 7;

/// The number of builds of a package of each kind.
#[component]
pub(crate) fn Coverage(
    /// The package.
    package: ValueCode,
) -> impl IntoView {
    let explorer = Explorer::here();
    let matrix = memo(move || {
        let answer = explorer.answer();
        explorer.with_query(|query| Matrix::new(explorer.index, query, &answer, package))
    });
    let versions = memo(move || matrix.with(|matrix| matrix.versions.clone()));
    let columns = memo(move || matrix.with(|matrix| matrix.columns.len()) + 1);
    let is_wide = move || columns.get() > ACROSS + 1;
    let element = NodeRef::new();
    let count = Signal::derive(move || versions.with(Vec::len));
    let existing = ExistingRows::of(element, count, None, ABOVE);
    let write = move || {
        matrix.with(|matrix| {
            versions.with(|versions| {
                let row = |version| row(explorer, matrix, version);
                html! {
                    table aria-rowcount=(versions.len() + 1) {
                        caption.heard { "Builds by version" }
                        thead { (heading(explorer.index, matrix)) }
                        (existing.write(versions, matrix.columns.len() + 1, row))
                    }
                }
            })
        })
    };
    let gaps = Callback::new(move |()| {
        matrix.with(|matrix| Gaps::of_versions(explorer.index, matrix, package))
    });
    view! {
        <Switch gaps/>
        <div class="matrix" class:downward=is_wide>
            {list("coverage", "", element, write, |_, _| ())}
        </div>
        <NoGaps is_empty=Signal::derive(move || versions.with(Vec::is_empty))/>
    }
}

/// The switch between kinds of columns.
#[component]
fn Switch(
    /// Lists the gaps.
    gaps: Callback<(), Gaps>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let across = memo(move || explorer.with_presentation(|presentation| presentation.across));
    let is_known =
        |across: &Across| across.facets().iter().all(|facet| explorer.index.has_names(*facet));
    let buttons = Across::ALL.into_iter().filter(is_known).map(|this| {
        let name = match this {
            Across::Machine => "OS and target",
            Across::Compiler => "compiler",
            Across::Stack => "stack",
        };
        view! {
            <button
                type="button"
                aria-pressed=move || (across.get() == this).to_string()
                on:click=move |_| explorer.go(Change::Across(this))
            >
                {name}
            </button>
        }
    });
    view! {
        <div class="switch">
            <span class="muted" id="across">"Versions by"</span>
            <span class="matching" role="group" aria-labelledby="across">{buttons.collect_view()}</span>
            <GapsOnly gaps/>
        </div>
    }
}

/// Writes the names of the columns: in one row, or in two for machines: operating systems, and below each its targets.
fn heading(index: &'static Index, matrix: &Matrix) -> Markup {
    let facets = matrix.across.facets();
    let text = |place: usize, code| index.dictionary(facets[place]).text(code);
    let last = facets.len() - 1;
    let names = html! {
        @for codes in &matrix.columns { th scope="col" { bdi { (text(last, codes[last])) } } }
    };
    if last == 0 {
        return html! { tr { th scope="col" { "Version" } (names) } };
    }
    html! {
        tr {
            th rowspan="2" scope="col" { "Version" }
            @for group in matrix.columns.chunk_by(|a, b| a[0] == b[0]) {
                th.group scope="colgroup" colspan=(group.len()) { bdi { (text(0, group[0][0])) } }
            }
        }
        tr.second { (names) }
    }
}

/// Writes the row of a version.
fn row(explorer: Explorer, matrix: &Matrix, version: ValueCode) -> Markup {
    let index = explorer.index;
    let name = index.dictionary(Facet::Version).text(version);
    let place = matrix.versions.iter().position(|other| *other == version);
    let cell = |place: usize, column: usize, count: u32| {
        let facets = matrix.across.facets().iter().zip(&matrix.columns[column]);
        let texts = facets.map(|(&facet, &code)| index.dictionary(facet).text(code));
        let what = format!("of {name}, {}", texts.collect::<Vec<_>>().join(" "));
        let address = || explorer.address_after(matrix.narrowing(index, place, column));
        heat_cell(count, matrix.largest(), &what, address)
    };
    html! {
        tr.row data-key=(version.0) {
            th.spec-version scope="row" { bdi { (name) } }
            @if let Some(place) = place {
                @for (column, &count) in matrix.row(place).iter().enumerate() {
                    (cell(place, column, count))
                }
            }
        }
    }
}
