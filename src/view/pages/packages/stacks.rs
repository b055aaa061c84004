//! Packages by stack: how many builds each package has where.

use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::query::{Change, StackCounts, packages};
use leptos::prelude::*;

use crate::explorer::Explorer;
use crate::memo::memo;
use crate::view::parts::cut::Cut;
use crate::view::parts::heat::heat_cell;
use crate::view::parts::rows::Rows;
use crate::view::parts::to::To;

/// A row for each matching package, with a column for each stack.
#[component]
pub(crate) fn HeatTable() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let list = memo(move || {
        let answer = explorer.answer();
        explorer.with_query(|query| packages(index, query, &answer))
    });
    let counts = Memo::new_with_compare(
        move |_| {
            let answer = explorer.answer();
            explorer.with_question(|question| StackCounts::new(index, question, &answer))
        },
        |_, _| true,
    );
    // No package has more builds in a stack than it has in total.
    let largest = memo(move || {
        let answer = explorer.answer();
        list.with(|list| list.iter().map(|&package| answer.matching(package)).max().unwrap_or(0))
    });
    let columns = memo(move || counts.with(|counts| counts.stacks().count()) + 1);
    let names = move || {
        let stack = |code| index.dictionary(Facet::Stack).text(code);
        let stacks = counts.with(|counts| counts.stacks().collect::<Vec<_>>()).into_iter();
        stacks
            .map(|code| view! { <th scope="col" title=stack(code)><bdi>{stack(code)}</bdi></th> })
            .collect_view()
    };
    let row = move |package: ValueCode| view! { <Row package counts largest/> };
    view! {
        <div class="matrix stacks" role="region" aria-label="Packages by stack" tabindex="0">
            <table aria-rowcount=move || list.with(Vec::len) + 1>
                <caption class="heard">"Builds of each package in each stack"</caption>
                <thead><tr><th scope="col">"Package"</th>{names}</tr></thead>
                <Rows items=list columns row/>
            </table>
        </div>
    }
}

#[component]
fn Row(
    /// The package.
    package: ValueCode,
    /// The counts.
    counts: Memo<StackCounts>,
    /// The count with the darkest cell.
    largest: Memo<u32>,
) -> impl IntoView {
    let index = Explorer::here().index;
    let name = index.dictionary(Facet::Package).text(package);
    let cells = move || {
        counts.with(|counts| {
            let row = counts.of(package).iter();
            let cell = |(stack, &count): (ValueCode, &u32)| {
                let stack = index.dictionary(Facet::Stack).text(stack);
                let narrow = Change::Narrow(vec![
                    (Facet::Package, name.to_owned()),
                    (Facet::Stack, stack.to_owned()),
                ]);
                heat_cell(count, largest.get(), format!("of {name} in {stack}"), narrow)
            };
            counts.stacks().zip(row).map(cell).collect_view()
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
