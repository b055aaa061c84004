//! The coverage matrix of a package: versions in rows; machines, compilers or stacks in columns.

use cache_advice::{Coverage as Matrix, Gaps};
use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_query::{Across, Change};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::html::rows::Rows;
use crate::memo::memo;
use crate::view::parts::gaps::{GapsOnly, NoGaps};
use crate::view::parts::heat::heat_cell;

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
    let row = move |version: ValueCode| view! { <Row version matrix/> };
    let gaps = Callback::new(move |()| {
        matrix.with(|matrix| Gaps::of_versions(explorer.index, matrix, package))
    });
    view! {
        <Switch gaps/>
        <div class="matrix" class:downward=is_wide>
            <table aria-rowcount=move || versions.with(Vec::len) + 1>
                <caption class="heard">"Builds by version"</caption>
                <thead>{move || matrix.with(|matrix| heading(explorer.index, matrix))}</thead>
                <Rows items=versions columns row/>
            </table>
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

/// Draws the names of the columns: in one row, or in two for machines: operating systems, and below each its targets.
fn heading(index: &'static Index, matrix: &Matrix) -> AnyView {
    let facets = matrix.across.facets();
    let text = |place: usize, code| index.dictionary(facets[place]).text(code);
    let last = facets.len() - 1;
    let names = matrix.columns.iter().map(|codes| {
        view! { <th scope="col"><bdi>{text(last, codes[last])}</bdi></th> }
    });
    let names = names.collect_view();
    if last == 0 {
        return view! { <tr><th scope="col">"Version"</th>{names}</tr> }.into_any();
    }
    let groups = matrix.columns.chunk_by(|a, b| a[0] == b[0]).map(|group| {
        let name = text(0, group[0][0]);
        view! {
            <th scope="colgroup" class="group" colspan=group.len()><bdi>{name}</bdi></th>
        }
    });
    view! {
        <tr><th rowspan="2" scope="col">"Version"</th>{groups.collect_view()}</tr>
        <tr class="second">{names}</tr>
    }
    .into_any()
}

#[component]
fn Row(
    /// The row.
    version: ValueCode,
    /// The whole matrix.
    matrix: Memo<Matrix>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let name = index.dictionary(Facet::Version).text(version);
    let cells = move || {
        matrix.with(|matrix| {
            let place = matrix.versions.iter().position(|other| *other == version)?;
            let largest = matrix.largest();
            let cells = matrix.row(place).iter().enumerate().map(|(column, &count)| {
                let facets = matrix.across.facets().iter().zip(&matrix.columns[column]);
                let texts = facets.map(|(&facet, &code)| index.dictionary(facet).text(code));
                let what = format!("of {name}, {}", texts.collect::<Vec<_>>().join(" "));
                heat_cell(count, largest, what, matrix.narrowing(index, place, column))
            });
            Some(cells.collect_view())
        })
    };
    view! {
        <tr class="row">
            <th scope="row" class="spec-version"><bdi>{name}</bdi></th>
            {cells}
        </tr>
    }
}
