//! Packages by stack: the newest version of each package in each stack, and the gaps.

use cache_advice::{Gaps, InEachStack, StackCell};
use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::number::counted;
use cache_query::{Change, packages};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::html::rows::Rows;
use crate::memo::memo;
use crate::view::parts::cut::Cut;
use crate::view::parts::gaps::{GapsOnly, NoGaps};
use crate::view::parts::to::To;

/// A row for each matching package, or for each package with gaps; a column for each stack.
#[component]
pub(crate) fn StackTable() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let cells = Memo::new_with_compare(
        move |_| {
            let answer = explorer.answer();
            explorer.with_question(|question| InEachStack::new(index, question, &answer))
        },
        |_, _| true,
    );
    let list = memo(move || {
        if explorer.with_presentation(|shown| shown.gaps) {
            return cells.with(|cells| cells.with_gaps(index));
        }
        let answer = explorer.answer();
        explorer.with_query(|query| packages(index, query, &answer))
    });
    let columns = memo(move || cells.with(|cells| cells.stacks().count()) + 1);
    let names = move || {
        let stack = |code| index.dictionary(Facet::Stack).text(code);
        let stacks = cells.with(|cells| cells.stacks().collect::<Vec<_>>()).into_iter();
        stacks
            .map(|code| view! { <th scope="col" title=stack(code)><bdi>{stack(code)}</bdi></th> })
            .collect_view()
    };
    let row = move |package: ValueCode| view! { <Row package cells/> };
    let gaps = Callback::new(move |()| cells.with(|cells| Gaps::of_stacks(index, cells)));
    view! {
        <div class="switch">
            <GapsOnly gaps/>
            <span class="muted">
                "The newest version in each stack, "
                <span class="older">"marked"</span>
                " where another stack has a newer one"
            </span>
            <To change=Change::OpenChanges(String::new())>"What changed between two of them"</To>
        </div>
        <div class="matrix stacks" role="region" aria-label="Packages by stack" tabindex="0">
            <table aria-rowcount=move || list.with(Vec::len) + 1>
                <caption class="heard">"The newest version of each package in each stack"</caption>
                <thead><tr><th scope="col">"Package"</th>{names}</tr></thead>
                <Rows items=list columns row/>
            </table>
        </div>
        <NoGaps is_empty=Signal::derive(move || list.with(Vec::is_empty))/>
    }
}

#[component]
fn Row(
    /// The package.
    package: ValueCode,
    /// The cells of all packages.
    cells: Memo<InEachStack>,
) -> impl IntoView {
    let index = Explorer::here().index;
    let name = index.dictionary(Facet::Package).text(package);
    let cells = move || {
        cells.with(|cells| {
            let row = cells.stacks().zip(cells.of(package));
            row.map(|(stack, cell)| draw(name, stack, *cell)).collect_view()
        })
    };
    view! {
        <tr class="row">
            <th scope="row">
                <To change=Change::OpenPackage(name.to_owned()) label=name>
                    <Cut text=name.to_owned()/>
                </To>
            </th>
            {cells}
        </tr>
    }
}

fn draw(name: &str, stack: ValueCode, cell: StackCell) -> AnyView {
    let index = Explorer::here().index;
    let stack = index.dictionary(Facet::Stack).text(stack);
    let Some(newest) = cell.newest else {
        return view! { <td class="absent" aria-label="absent"></td> }.into_any();
    };
    let version = index.dictionary(Facet::Version).text(newest);
    let narrow =
        Change::Narrow(vec![(Facet::Package, name.to_owned()), (Facet::Stack, stack.to_owned())]);
    let builds = counted(cell.builds as usize, "build", "builds");
    let older = if cell.is_older { ", older than in another stack" } else { "" };
    let label = format!("{builds} of {name} in {stack}, newest {version}{older}");
    let class = if cell.is_older { "newest older" } else { "newest" };
    view! { <td><To change=narrow class=class label=label>{version}</To></td> }.into_any()
}
