//! The table of builds.

use cache_index::facet::Facet;
use cache_index::index::{BuildId, RowId, ValueCode};
use cache_index::query::{Alike, Change, Column, builds};
use cache_index::written::SHORT_HASH;
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::frame::picks::Pick;
use crate::view::pages::package::in_common::InCommon;
use crate::view::parts::columns::{Heading, columns};
use crate::view::parts::copy::Copy;
use crate::view::parts::icon::Icon;
use crate::view::parts::rows::Rows;
use crate::view::parts::spec::Variants;
use crate::view::parts::to::To;
use crate::view::parts::verdict;

/// The builds that match, with the columns that are chosen.
#[component]
pub(crate) fn Builds() -> impl IntoView {
    let explorer = Explorer::here();
    let list = memo(move || {
        let answer = explorer.answer();
        explorer.with_query(|query| builds(explorer.index, query, &answer))
    });
    let alike = memo(move || list.with(|list| Alike::of(explorer.index, list)));
    let columns = memo(move || alike.with(|alike| columns(explorer, alike)));
    let has_machine = memo(move || explorer.host().is_some());
    let count = memo(move || columns.with(Vec::len) + 2 + usize::from(has_machine.get()));
    let headings = move || {
        let columns = columns.get().into_iter();
        columns.map(|column| view! { <Heading column/> }).collect_view()
    };
    let row = move |build: BuildId| view! { <Row of=build columns alike/> };
    view! {
        <InCommon alike/>
        <table class="builds" aria-rowcount=move || list.with(Vec::len) + 1>
            <caption class="heard">"Builds"</caption>
            <thead>
                <tr>
                    <th scope="col" class="c-pick"><span class="heard">"Compare"</span></th>
                    {move || has_machine.get().then(|| view! {
                        <th scope="col" class="c-runs">"Runs here"</th>
                    })}
                    {headings}
                    <th scope="col" class="c-copy"><span class="heard">"Copy"</span></th>
                </tr>
            </thead>
            <Rows items=list columns=count row/>
        </table>
    }
}

#[component]
fn Row(
    /// The build.
    of: BuildId,
    /// The columns to show.
    columns: Memo<Vec<Column>>,
    /// What need not be said of each.
    alike: Memo<Alike>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let build = of;
    let row = explorer.index.row_of(build);
    let cells = move || {
        let columns = columns.get().into_iter();
        columns.map(|column| cell(explorer, build, row, column, alike)).collect_view()
    };
    let hash = explorer.index.hash(build);
    let text = move || hash.map_or(String::new(), |hash| hash.to_string());
    let copy_hash = Callback::new(move |()| text());
    let copy_install = Callback::new(move |()| format!("spack install /{}", text()));
    view! {
        <tr class="row">
            <td class="c-pick">{hash.map(|hash| view! { <Pick hash/> })}</td>
            {move || explorer.verdict(row).map(|verdict| view! {
                <td class="c-runs">{verdict::draw(verdict)}</td>
            })}
            {cells}
            <td class="c-copy">
                <Copy text=copy_hash label="Copy the hash" icon=Icon::Copy/>
                <Copy text=copy_install label="Copy spack install" icon=Icon::Command/>
            </td>
        </tr>
    }
}

fn cell(
    explorer: Explorer,
    build: BuildId,
    row: RowId,
    column: Column,
    alike: Memo<Alike>,
) -> AnyView {
    let index = explorer.index;
    let class = format!("c-{}", column.key());
    match column {
        Column::Hash => {
            // Rows are there before their hashes are.
            let Some(hash) = index.hash(build) else {
                return view! { <th scope="row" class=class>"…"</th> }.into_any();
            };
            let text = hash.to_string();
            let short = text[..SHORT_HASH].to_owned();
            view! {
                <th scope="row" class=class>
                    <To change=Change::OpenBuild(hash) title=text>
                        <code>{short}</code>
                    </To>
                </th>
            }
            .into_any()
        }
        Column::Facet(Facet::Variant) => {
            let variants = alike.with(|alike| alike.differing_variants(index, row));
            view! { <td class=class><Variants variants/></td> }.into_any()
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
    facet.holds_everything(explorer.index.dictionary(facet).text(code))
}

/// A value that filters by itself when clicked.
fn filter_link(explorer: Explorer, facet: Facet, code: ValueCode) -> impl IntoView {
    let value = explorer.index.dictionary(facet).text(code).to_owned();
    let title = format!("Show only {} {value}", facet.label());
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
