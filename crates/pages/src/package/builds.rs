//! The table of builds: a column for each field in which they differ, and the variants in which they differ. Adjacent
//! builds that look alike are folded into one line, which can be expanded. If there are more variants than a few lines
//! have room for, the others can be opened below.

use std::ops::Range;

use cache_advice::{Alike, distinguishing_words, look_alikes};
use cache_index::facet::Facet;
use cache_index::index::BuildId;
use cache_index::mirror::Mirror;
use cache_index::order::is_development;
use cache_index::sorting;
use cache_query::{Column, builds};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::build::get::rank_of_place;
use crate::data::recipes;
use crate::package::in_common::InCommon;
use crate::package::lines::{Table, TableLine};
use crate::package::sizes;
use crate::package::works;
use crate::parts::columns::columns;
use crate::table_layout::TableLayout;
use site::explorer::Explorer;
use site::html::action::Action;
use site::html::list;
use site::html::rows::{ExistingRows, Viewport};
use site::memo::memo;
use site::view::parts::columns::{heading, sort_by};
use site::view::parts::copy::CopyButtons;

/// The minimum height of what is above the lines, in CSS pixels: the masthead, the name, the tabs, the number of builds and
/// the head of the table.
const ABOVE: f64 = 230.0;

/// The matching builds, in the chosen columns.
#[component]
pub(crate) fn Builds() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let list = memo(move || {
        // The builds may be sorted by their hashes.
        let (index, answer) = (explorer.so_far(), explorer.answer());
        let mut list = explorer.with_query(|query| builds(index, query, &answer));
        if explorer.with_presentation(|shown| shown.sort.is_none()) {
            // To Spack, a branch is newer than every release; people look for releases first.
            let is_of_branch =
                |build: &BuildId| is_development(index.text(index.row_of(*build), Facet::Version));
            sorting::sort_by_key(&mut list, is_of_branch);
            works::working_first(explorer, &mut list);
        }
        sizes::sort(explorer, &mut list);
        list
    });
    let alike = memo(move || list.with(|list| Alike::of(index, list)));
    let asked = memo(move || alike.with(|alike| columns(explorer, alike)));
    sizes::follow(explorer, asked);
    let has_machine = memo(move || explorer.host().is_some());
    let viewport: Viewport = expect_context();
    let layout = memo(move || {
        let mut rows = list.with(|list| index.rows_of_builds(list));
        let builds = rows.len();
        rows.dedup();
        let has_alikes = rows.len() < builds;
        let columns = asked.get();
        alike.with(|alike| {
            let width = viewport.width();
            TableLayout::new(index, &rows, columns, alike, width, has_machine.get(), has_alikes)
        })
    });
    let folds = memo(move || {
        // When sorted by something that differs for each build, nothing is folded.
        let column = explorer.with_presentation(|shown| shown.sort.map(|sort| sort.column));
        let is_by_build = matches!(column, Some(Column::Hash | Column::Size(_)));
        list.with(|list| match is_by_build {
            true => (0..list.len()).map(|place| place..place + 1).collect(),
            false => {
                let mut shown = layout.with(|layout| layout.columns.clone());
                shown.extend([Column::Facet(Facet::Variant), Column::Facet(Facet::Provider)]);
                look_alikes(index, list, &shown)
            }
        })
    });
    // The dependencies show how builds that look alike differ.
    Effect::new(move || {
        if folds.with(|folds| folds.iter().any(|fold| fold.len() > 1)) {
            explorer.want_dependencies();
        }
    });
    let open = RwSignal::new(Vec::<BuildId>::new());
    let whole = RwSignal::new(Vec::<BuildId>::new());
    let apart = memo(move || {
        // How the builds of a fold differ may depend on their dependencies.
        explorer.dependencies();
        let open = open.get();
        let mut apart = Vec::new();
        list.with(|list| {
            folds.with(|folds| {
                for fold in folds.iter().filter(|fold| open.contains(&list[fold.start])) {
                    let builds = &list[fold.clone()];
                    apart.extend(builds.iter().copied().zip(distinguishing_words(index, builds)));
                }
            });
        });
        apart
    });
    let columns = memo(move || layout.with(|layout| layout.columns.clone()));
    let deprecated = memo(move || {
        let package = list.with(|list| list.first().map(|&build| index.row_of(build)));
        let package = package.map(|row| index.value(row, Facet::Package));
        package.map_or_else(Vec::new, |package| recipes::deprecated(explorer, package))
    });
    let (picks, copy_buttons) = (expect_context(), CopyButtons::default());
    let table = Table {
        list,
        columns,
        layout,
        alike,
        folds,
        open,
        whole,
        apart,
        deprecated,
        picks,
        copy_buttons,
    };
    let below = move |first: BuildId, len: usize| {
        let words = table.words_of(first, len);
        let ranges = layout.with(|layout| layout.words.below(&words));
        ranges.into_iter().map(move |words| TableLine::Below(first, len, words.start, words.end))
    };
    let lines = memo(move || {
        let (open, whole) = (open.get(), whole.get());
        let line = |fold: &Range<usize>, list: &[BuildId]| {
            let first = list[fold.start];
            let mut lines = match fold.len() {
                1 => vec![TableLine::Build(first)],
                len => vec![TableLine::Fold(first, len)],
            };
            if whole.contains(&first) {
                lines.extend(below(first, fold.len()));
            }
            if fold.len() > 1 && open.contains(&first) {
                lines.extend(list[fold.clone()].iter().map(|&build| TableLine::Member(build)));
            }
            lines
        };
        list.with(|list| folds.with(|folds| folds.iter().flat_map(|f| line(f, list)).collect()))
    });
    let height = Signal::derive(move || layout.with(|layout| layout.row_height));
    let element = NodeRef::new();
    let existing = ExistingRows::of(
        element,
        Signal::derive(move || lines.with(Vec::len)),
        Some(height),
        ABOVE,
    );
    let write = move || {
        lines.with(|lines| {
            let columns = columns.with(Vec::len) + 3 + usize::from(explorer.host().is_some());
            html! {
                table.builds aria-rowcount=(lines.len() + 1) {
                    caption.heard { "Builds" }
                    thead { (head(table, asked)) }
                    (existing.write(lines, columns, |line| table.write(line)))
                }
            }
        })
    };
    let act = move |action: Action, _: &_| match action {
        Action::Sort(column) => sort_by(explorer, column),
        Action::UnfoldBuilds(first) => toggle(open, first),
        Action::ShowWords(first) => toggle(whole, first),
        Action::Select(hash) => table.picks.toggle(hash),
        Action::CopyHash(build) => table.copy_buttons.copy(action, hash_of(explorer, build)),
        Action::CopyCommands(build) => table.copy_buttons.copy(action, commands(explorer, build)),
        _ => {}
    };
    view! {
        <InCommon alike count=Signal::derive(move || list.with(Vec::len))/>
        {list::list("builds", "", element, write, act)}
    }
}

/// Writes the headings; `asked` are all wanted columns, including those that were left out for lack of room.
fn head(table: Table, asked: Memo<Vec<Column>>) -> Markup {
    let explorer = Explorer::here();
    let has_variants = asked.with(|columns| columns.contains(&Column::Facet(Facet::Variant)));
    table.layout.with(|layout| {
        html! {
            tr {
                th.c-pick scope="col" { span.heard { "Compare" } }
                @if explorer.host().is_some() {
                    th.c-works
                        scope="col"
                        title="Does it run on your machine, is it complete, and would Spack reuse it?"
                        data-style={ "width:" (layout.verdicts) "px" }
                        { "Works here" }
                }
                @for (&column, &width) in layout.columns.iter().zip(&layout.widths) {
                    (heading(explorer, column, Some(width)))
                }
                @if has_variants {
                    (heading(explorer, Column::Facet(Facet::Variant), None))
                } @else {
                    th.c-variant scope="col" { span.heard { "Differences" } }
                }
                th.c-copy scope="col" { span.heard { "Copy" } }
            }
        }
    })
}

/// Adds a build to the opened ones, or removes it.
fn toggle(opened: RwSignal<Vec<BuildId>>, build: BuildId) {
    opened.update(|opened| match opened.iter().position(|other| *other == build) {
        Some(place) => drop(opened.remove(place)),
        None => opened.push(build),
    });
}

fn hash_of(explorer: Explorer, build: BuildId) -> String {
    explorer.index.hash(build).map_or(String::new(), |hash| hash.to_string())
}

/// Returns the commands that install a build.
pub(super) fn commands(explorer: Explorer, build: BuildId) -> String {
    let index = explorer.index;
    let places = index.places_of(index.row_of(build));
    let place = places.min_by_key(|place| rank_of_place(explorer, place));
    place.map_or(String::new(), |place| {
        Mirror::for_build(index, &place, build).steps(&format!("/{}", hash_of(explorer, build)))
    })
}
