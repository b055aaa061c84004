//! The table of builds.

use cache_index::facet::Facet;
use cache_index::index::{BuildId, RowId, ValueCode};
use cache_index::query::{Change, Column, Sort, builds};
use leptos::prelude::*;

use super::copy::Copy;
use super::icon::Icon;
use super::rows::Rows;
use super::spec::Variants;
use super::to::To;
use crate::explorer::{Explorer, facet_name};

/// How many characters of a hash tell builds apart for people, as Spack shows them.
pub(crate) const SHORT_HASH: usize = 7;

/// What a column is called.
pub(crate) fn column_name(column: Column) -> &'static str {
    match column {
        Column::Hash => "Hash",
        Column::Newest => "Newest",
        Column::Builds => "Builds",
        Column::Versions => "Versions",
        Column::Stack => "Stacks",
        Column::Release => "Releases",
        Column::Variant => "Variants",
        _ => column.facet().map_or("", facet_name),
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
    let sort = Memo::new(move |_| {
        explorer.with_query(|query| query.sort.filter(|sort| sort.column == column))
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

/// The builds that match, with the columns that are chosen.
#[component]
pub(crate) fn Builds() -> impl IntoView {
    let explorer = Explorer::here();
    let list = Memo::new(move |_| {
        let answer = explorer.answer();
        explorer.with_query(|query| builds(explorer.index, query, &answer))
    });
    let columns = Memo::new(move |_| columns(explorer));
    let count = Memo::new(move |_| columns.with(Vec::len) + 1);
    let headings = move || {
        let columns = columns.get().into_iter();
        columns.map(|column| view! { <Heading column label=column_name(column)/> }).collect_view()
    };
    let row = move |build: BuildId| view! { <Row of=build columns/> };
    view! {
        <table class="builds" aria-rowcount=move || list.with(Vec::len) + 1>
            <caption class="heard">"Builds"</caption>
            <thead>
                <tr>
                    {headings}
                    <th scope="col" class="c-copy"><span class="heard">"Copy"</span></th>
                </tr>
            </thead>
            <Rows items=list columns=count row/>
        </table>
    }
}

/// The columns that the query asks for, or those of the table's own.
fn columns(explorer: Explorer) -> Vec<Column> {
    explorer.with_query(|query| match &query.columns {
        Some(columns) => Column::OF_BUILDS.into_iter().filter(|c| columns.contains(c)).collect(),
        None => Column::OF_BUILDS_BY_DEFAULT.to_vec(),
    })
}

/// Chooses the columns.
#[component]
pub(crate) fn ColumnChoice() -> impl IntoView {
    let explorer = Explorer::here();
    let shown = Memo::new(move |_| columns(explorer));
    let toggle = move |column: Column| {
        let mut next = shown.get_untracked();
        match next.iter().position(|other| *other == column) {
            Some(place) => drop(next.remove(place)),
            None => next.push(column),
        }
        next.sort_unstable();
        let default = next == Column::OF_BUILDS_BY_DEFAULT;
        explorer.go(Change::Columns((!default).then_some(next)));
    };
    let boxes = Column::OF_BUILDS.into_iter().map(|column| {
        view! {
            <li>
                <label>
                    <input
                        type="checkbox"
                        prop:checked=move || shown.with(|shown| shown.contains(&column))
                        on:change=move |_| toggle(column)
                    />
                    {column_name(column)}
                </label>
            </li>
        }
    });
    view! {
        <details class="menu">
            <summary class="button">"Columns"</summary>
            <ul>{boxes.collect_view()}</ul>
        </details>
    }
}

#[component]
fn Row(
    /// The build.
    of: BuildId,
    /// The columns to show.
    columns: Memo<Vec<Column>>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let build = of;
    let row = explorer.index.row_of(build);
    let cells = move || {
        let columns = columns.get().into_iter();
        columns.map(|column| cell(explorer, build, row, column)).collect_view()
    };
    let hash = move || explorer.index.hash(build).map_or(String::new(), |hash| hash.to_string());
    let copy_hash = Callback::new(move |()| hash());
    let copy_install = Callback::new(move |()| format!("spack install /{}", hash()));
    view! {
        <tr class="row">
            {cells}
            <td class="c-copy">
                <Copy text=copy_hash label="Copy the hash" icon=Icon::Copy/>
                <Copy text=copy_install label="Copy spack install" icon=Icon::Command/>
            </td>
        </tr>
    }
}

fn cell(explorer: Explorer, build: BuildId, row: RowId, column: Column) -> AnyView {
    let index = explorer.index;
    let class = format!("c-{}", column.key());
    match column {
        Column::Hash => {
            let hash = index.hash(build).map_or(String::new(), |hash| hash.to_string());
            let short = hash[..SHORT_HASH.min(hash.len())].to_owned();
            view! {
                <th scope="row" class=class>
                    <To change=Change::OpenBuild(hash.clone()) title=hash>
                        <code>{short}</code>
                    </To>
                </th>
            }
            .into_any()
        }
        Column::Variant => {
            view! { <td class=class><Variants variants=index.variants_of(row)/></td> }.into_any()
        }
        _ => {
            let values = column.facet().map_or(Vec::new(), |facet| {
                let values = index.values(row, facet);
                values.into_iter().map(|code| (facet, code)).collect()
            });
            let several = values.len() > 1;
            let links = values
                .into_iter()
                .filter(|&(facet, code)| !several || !is_root(explorer, facet, code))
                .map(|(facet, code)| filter_link(explorer, facet, code))
                .collect_view();
            view! { <td class=class>{links}</td> }.into_any()
        }
    }
}

/// Whether a value says nothing beside others.
fn is_root(explorer: Explorer, facet: Facet, code: ValueCode) -> bool {
    facet == Facet::Stack && explorer.index.dictionary(facet).text(code) == "root"
}

/// A value that filters by itself when clicked.
fn filter_link(explorer: Explorer, facet: Facet, code: ValueCode) -> impl IntoView {
    let value = explorer.index.dictionary(facet).text(code).to_owned();
    let title = format!("Show only {} {value}", facet_name(facet));
    let change = Change::Include(facet, value.clone());
    let class = match facet {
        Facet::Version => "filter spec-version",
        _ => "filter",
    };
    view! {
        <To change class=class title=title>
            <bdi>{value}</bdi>
        </To>
    }
}
