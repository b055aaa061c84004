//! Packages by stack: the newest version of each package in each stack, and the gaps.

use cache_advice::changes::Between;
use cache_advice::{Gaps, InEachStack, OnlyIn, StackCell};
use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::number::counted;
use cache_query::{AskedChanges, AskedSide, Change, MatrixRows, packages};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::changes::two_parts;
use crate::data::matrix_rows::{only_in, some_packages};
use crate::parts::gaps::{GapsOnly, NoGaps};
use site::explorer::Explorer;
use site::html::list;
use site::html::rows::{ABOVE, ExistingRows};
use site::memo::memo;
use site::view::parts::cut::cut;
use site::view::parts::query_link::QueryLink;

/// The maximum number of stacks for which the page says what only one of them has.
const FEW: usize = 3;

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
        let rows = explorer.with_presentation(|shown| shown.rows.clone());
        let some = cells.with(|cells| some_packages(index, cells, &rows));
        some.unwrap_or_else(|| {
            let answer = explorer.answer();
            explorer.with_query(|query| packages(index, query, &answer))
        })
    });
    let element = NodeRef::new();
    let count = Signal::derive(move || list.with(Vec::len));
    let existing = ExistingRows::of(element, count, None, ABOVE);
    let write = move || {
        let name = |code| index.dictionary(Facet::Stack).text(code);
        cells.with(|cells| {
            let columns = cells.stacks().count() + 1;
            list.with(|list| {
                html! {
                    table aria-rowcount=(list.len() + 1) {
                        caption.heard { "The newest version of each package in each stack" }
                        thead {
                            tr {
                                th scope="col" { "Package" }
                                @for code in cells.stacks() {
                                    th scope="col" title=(name(code)) { bdi { (name(code)) } }
                                }
                            }
                        }
                        (existing.write(list, columns, |package| row(explorer, package, cells)))
                    }
                }
            })
        })
    };
    let gaps = Callback::new(move |()| cells.with(|cells| Gaps::of_stacks(index, cells)));
    let has_no_gaps = memo(move || {
        explorer.with_presentation(|shown| shown.rows == MatrixRows::Gaps)
            && list.with(Vec::is_empty)
    });
    view! {
        <OnlyInEach cells/>
        <div class="switch">
            <GapsOnly gaps/>
            <span class="muted">
                "The newest version in each stack, "
                <span class="older">"marked"</span>
                " where another stack, shown or not, has a newer one"
            </span>
            {move || view! { <QueryLink change=Change::OpenChanges(between(explorer))>"What changed between two of them"</QueryLink> }}
        </div>
        <div class="matrix stacks" role="region" aria-label="Packages by stack" tabindex="0">
            {list::list("stacks", "", element, write, |_, _| ())}
        </div>
        <NoGaps is_empty=Signal::derive(move || has_no_gaps.get())/>
    }
}

/// Returns the comparison of the two stacks that are chosen, or else one in which stacks can be chosen.
fn between(explorer: Explorer) -> AskedChanges {
    let chosen =
        explorer.with_question(|question| question.choice(Facet::Stack).included().to_vec());
    let [old, new] = &chosen[..] else { return two_parts(explorer.index) };
    match Between::of_stacks(explorer.index, [old, new]) {
        Some(Between { old, new }) => AskedChanges::Between {
            old: AskedSide::Named(old.to_string()),
            new: AskedSide::Named(new.to_string()),
        },
        None => two_parts(explorer.index),
    }
}

/// Says how many packages only one of few stacks has, and how many each of them has: each number is a link that shows only
/// these packages. If only such packages are shown, says which.
#[component]
fn OnlyInEach(
    /// What each stack has.
    cells: Memo<InEachStack>,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let words = |count: usize, stack: &str| {
        format!("{} only in {stack}", counted(count, "package", "packages"))
    };
    let in_each = move || {
        let count = cells.with(|cells| cells.in_each().len());
        format!("{} in each of them", counted(count, "package", "packages"))
    };
    let shown = move |words: String, note: Option<String>| {
        view! {
            <p data-testid="only-in">
                <b><bdi>{words}</bdi></b>
                " "
                <QueryLink change=Change::ShowRows(MatrixRows::All)>"Show all packages"</QueryLink>
                {note.map(|note| view! { <br/><span class="muted">{note}"."</span> })}
            </p>
        }
        .into_any()
    };
    let link = move |(stack, packages): (ValueCode, Vec<ValueCode>)| {
        let name = index.dictionary(Facet::Stack).text(stack);
        let change = Change::ShowRows(MatrixRows::OnlyIn(name.to_owned()));
        view! { <li><QueryLink change=change><bdi>{words(packages.len(), name)}</bdi></QueryLink></li> }
    };
    move || {
        match explorer.with_presentation(|shown| shown.rows.clone()) {
            MatrixRows::OnlyIn(stack) => {
                let (count, beside) = cells.with(|cells| {
                    let only = only_in(index, cells, &stack);
                    let code = index.dictionary(Facet::Stack).code(&stack);
                    let beside = code.map_or(0, |code| cells.with_builds_beside(code, &only));
                    (only.len(), beside)
                });
                return Some(shown(words(count, &stack), OnlyIn::sentence_beside(beside)));
            }
            MatrixRows::InEach => return Some(shown(in_each(), None)),
            MatrixRows::All | MatrixRows::Gaps => {}
        }
        let all = cells.with(|cells| cells.only_in());
        let few = (2..=FEW).contains(&all.len());
        few.then(|| {
            let none = all.iter().all(|(_, packages)| packages.is_empty());
            let none = none.then(|| view! { <li>"No package is in only one of these stacks"</li> });
            let links = all.into_iter().map(link).collect_view();
            view! {
                <ul class="line" data-testid="only-in">
                    {none} {links}
                    <li><QueryLink change=Change::ShowRows(MatrixRows::InEach)>{in_each()}</QueryLink></li>
                </ul>
            }
            .into_any()
        })
    }
}

/// Writes the row of a package.
fn row(explorer: Explorer, package: ValueCode, cells: &InEachStack) -> Markup {
    let name = explorer.index.dictionary(Facet::Package).text(package);
    html! {
        tr.row data-key=(package.0) {
            th scope="row" {
                a aria-label=(name) href=(explorer.address_after(Change::OpenPackage(name.to_owned()))) {
                    (cut(name))
                }
            }
            @for (stack, newest) in cells.stacks().zip(cells.of(package)) {
                (cell(explorer, name, stack, newest))
            }
        }
    }
}

fn cell(explorer: Explorer, name: &str, stack: ValueCode, cell: &StackCell) -> Markup {
    let index = explorer.index;
    let stack = index.dictionary(Facet::Stack).text(stack);
    let Some(newest) = cell.newest else {
        return html! { td.absent aria-label="absent" {} };
    };
    let version = index.dictionary(Facet::Version).text(newest);
    let narrow =
        Change::Narrow(vec![(Facet::Package, name.to_owned()), (Facet::Stack, stack.to_owned())]);
    let builds = counted(cell.builds as usize, "build", "builds");
    let older = if cell.is_older { ", older than in another stack" } else { "" };
    let label = format!("{builds} of {name} in {stack}, newest {version}{older}");
    html! {
        td {
            a.newest.older[cell.is_older] aria-label=(label) href=(explorer.address_after(narrow)) {
                (version)
            }
        }
    }
}
