//! The table of builds: a column for each field in which they differ, and the variants in which they differ. Adjacent
//! builds that look alike are folded into one line, which can be expanded. If there are more variants than a few lines
//! have room for, the others can be opened below.

use std::ops::Range;

use cache_advice::{Alike, distinguishing_words, look_alikes, neighbours};
use cache_index::build::Place;
use cache_index::build::SHORT_HASH;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, RowId, ValueCode};
use cache_index::mirror::Mirror;
use cache_index::number::counted;
use cache_query::{Change, Column, builds};
use leptos::ev::MouseEvent;
use leptos::html::Thead;
use leptos::prelude::*;
use maud::html;

use crate::explorer::Explorer;
use crate::html::action::Action;
use crate::html::list;
use crate::html::rows::{Rows, Viewport};
use crate::memo::memo;
use crate::view::frame::picks::Pick;
use crate::view::pages::package::in_common::InCommon;
use crate::view::pages::package::reuse;
use crate::view::pages::packages::lead::age;
use crate::view::pages::room::{Room, RowWords, WHY, shortened};
use crate::view::parts::columns::{columns, heading, sort_by};
use crate::view::parts::copy::Copy;
use crate::view::parts::icon::Icon;
use crate::view::parts::spec::Words;
use crate::view::parts::to::To;

/// The minimum height of what is above the lines, in CSS pixels: the masthead, the name, the tabs, the number of builds and
/// the head of the table.
const ABOVE: f64 = 230.0;

/// A line of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum TableLine {
    /// A build that differs from its neighbours.
    Build(BuildId),
    /// This many builds that look alike, by the first of them.
    Fold(BuildId, usize),
    /// One of those, below their line.
    Member(BuildId),
    /// The words from here to there that the line above, of so many builds, has no room for.
    Below(BuildId, usize, usize, usize),
}

/// What every line of the table needs.
#[derive(Clone, Copy)]
struct Table {
    /// All builds, in the order of the table.
    list: Memo<Vec<BuildId>>,
    columns: Memo<Vec<Column>>,
    room: Memo<Room>,
    alike: Memo<Alike>,
    /// The runs of builds that look alike.
    folds: Memo<Vec<Range<usize>>>,
    /// The expanded folds, by their first build.
    open: RwSignal<Vec<BuildId>>,
    /// The lines, by their first build, of which all words are shown.
    whole: RwSignal<Vec<BuildId>>,
    /// For each build of those folds, what the others do not have.
    apart: Memo<Vec<(BuildId, Vec<String>)>>,
}

/// The matching builds, in the chosen columns.
#[component]
pub(crate) fn Builds() -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let list = memo(move || {
        let answer = explorer.answer();
        let mut list = explorer.with_query(|query| builds(index, query, &answer));
        if explorer.with_presentation(|shown| shown.sort.is_none()) {
            reuse::eligible_first(explorer, &mut list);
        }
        list
    });
    let alike = memo(move || list.with(|list| Alike::of(index, list)));
    let asked = memo(move || alike.with(|alike| columns(explorer, alike)));
    let has_machine = memo(move || explorer.host().is_some());
    let viewport: Viewport = expect_context();
    let room = memo(move || {
        let mut rows = list.with(|list| index.rows_of_builds(list));
        let builds = rows.len();
        rows.dedup();
        let has_alikes = rows.len() < builds;
        let columns = asked.get();
        alike.with(|alike| {
            let width = viewport.width();
            Room::new(index, &rows, columns, alike, width, has_machine.get(), has_alikes)
        })
    });
    let folds = memo(move || {
        // Sorted by hash, nothing is folded.
        let by_hash = explorer
            .with_presentation(|shown| shown.sort.is_some_and(|sort| sort.column == Column::Hash));
        list.with(|list| match by_hash {
            true => (0..list.len()).map(|place| place..place + 1).collect(),
            false => {
                let mut shown = room.with(|room| room.columns.clone());
                shown.extend([Column::Facet(Facet::Variant), Column::Facet(Facet::Provider)]);
                look_alikes(index, list, &shown)
            }
        })
    });
    let open = RwSignal::new(Vec::<BuildId>::new());
    let whole = RwSignal::new(Vec::<BuildId>::new());
    let apart = memo(move || {
        // What the builds of a fold differ in.
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
    let columns = memo(move || room.with(|room| room.columns.clone()));
    let table = Table { list, columns, room, alike, folds, open, whole, apart };
    let below = move |first: BuildId, len: usize| {
        let words = words_of(first, len, table);
        let ranges = room.with(|room| room.words.below(&words));
        ranges.into_iter().map(move |words| TableLine::Below(first, len, words.start, words.end))
    };
    let lines = memo(move || {
        let (open, whole) = (open.get(), whole.get());
        let line = |fold: &std::ops::Range<usize>, list: &[BuildId]| {
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
    let height = Signal::derive(move || room.with(|room| room.row_height));
    let count = memo(move || columns.with(Vec::len) + 3 + usize::from(has_machine.get()));
    let head = NodeRef::<Thead>::new();
    let headings = memo(move || {
        let has_variants = asked.with(|columns| columns.contains(&Column::Facet(Facet::Variant)));
        room.with(|room| {
            html! {
                tr {
                    th.c-pick scope="col" { span.heard { "Compare" } }
                    @if has_machine.get() {
                        th.c-reuse scope="col" title="Would Spack consider it for reuse on your machine?" {
                            "Reuse"
                        }
                    }
                    @for (&column, &width) in room.columns.iter().zip(&room.widths) {
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
            .into_string()
        })
    });
    let head_element = Box::new(move || head.get_untracked().map(Into::into));
    let headings = list::contents("headings", head_element, headings);
    let press = move |event: MouseEvent| {
        list::handle(explorer, &event, &|action, _| {
            if let Action::Sort(column) = action {
                sort_by(explorer, column);
            }
        });
    };
    let row = move |line: TableLine| match line {
        TableLine::Build(build) => view! { <Row id=build len=1 table/> }.into_any(),
        TableLine::Fold(first, len) => view! { <Row id=first len table/> }.into_any(),
        TableLine::Member(build) => view! { <Member id=build table/> }.into_any(),
        TableLine::Below(first, len, start, end) => below_row(first, len, start..end, table),
    };
    view! {
        <InCommon alike count=Signal::derive(move || list.with(Vec::len))/>
        <table class="builds" aria-rowcount=move || lines.with(Vec::len) + 1>
            <caption class="heard">"Builds"</caption>
            <thead node_ref=head inner_html=headings on:click=press></thead>
            <Rows items=lines columns=count height above=ABOVE row/>
        </table>
    }
}

/// A build, or several that look alike.
#[component]
fn Row(
    /// The build, or the first of them.
    id: BuildId,
    /// The number of builds.
    len: usize,
    /// The table.
    table: Table,
) -> impl IntoView {
    let explorer = Explorer::here();
    let index = explorer.index;
    let row = index.row_of(id);
    let cells = move || {
        let columns = table.columns.get().into_iter();
        columns
            .map(|column| match column {
                Column::Hash if len > 1 => fold(id, len, table.open),
                Column::Hash => hash_cell(explorer, id),
                Column::FirstSeen => seen_cell(explorer, table, id, len),
                _ => cell(explorer, row, column),
            })
            .collect_view()
    };
    let words = move || {
        let RowWords { all, shown, says_why } = words_of(id, len, table);
        let title = all.join(" ");
        let more = all.len() - shown;
        let why = says_why.then(|| {
            let text = WHY[usize::from(len > index.row_len(row) as usize)];
            view! { " "<span class="why muted">{text}</span> }
        });
        view! {
            <Words words=all[..shown].iter().map(|word| shortened(word)).collect() title/>
            {(more > 0).then(|| more_button(id, more, table.whole))}
            {why}
        }
    };
    let is_one = len == 1;
    view! {
        <tr class="row">
            <td class="c-pick">{is_one.then(|| pick(explorer, id))}</td>
            {move || {
                let judged = table.list.with(|list| reuse::draw(explorer, of_line(list, id, len)))?;
                Some(view! { <td class="c-reuse">{judged}</td> })
            }}
            {cells}
            <td class="c-variant">{words}</td>
            <td class="c-copy">{is_one.then(|| copies(explorer, id))}</td>
        </tr>
    }
}

/// One of several builds that look alike, and how it differs from the others.
#[component]
fn Member(
    /// The build.
    id: BuildId,
    /// The table.
    table: Table,
) -> impl IntoView {
    let explorer = Explorer::here();
    let words = move || {
        let arrived = explorer.dependencies().is_some();
        table.apart.with(|apart| {
            let words = apart.iter().find(|(build, _)| *build == id).map(|(_, words)| words);
            match words {
                Some(words) if !words.is_empty() => words.join(", "),
                _ if !arrived => "Loading…".to_owned(),
                _ if explorer.index.lists_any_dependencies() => "same specs".to_owned(),
                _ => "differs in dependencies, which this cache does not list".to_owned(),
            }
        })
    };
    let rest = move || table.columns.with(Vec::len);
    view! {
        <tr class="row member">
            <td class="c-pick">{pick(explorer, id)}</td>
            {move || reuse::draw(explorer, &[id]).map(|judged| view! { <td class="c-reuse">{judged}</td> })}
            {hash_cell(explorer, id)}
            <td class="c-variant" colspan=rest><bdi>{words}</bdi></td>
            <td class="c-copy">{copies(explorer, id)}</td>
        </tr>
    }
}

/// Returns the words of a line of so many builds, by the first of them.
fn words_of(first: BuildId, len: usize, table: Table) -> RowWords {
    let index = Explorer::here().index;
    let words = |build: BuildId| {
        table.alike.with(|alike| alike.differing_words(index, index.row_of(build)))
    };
    let neighbours = table.list.with(|list| {
        let columns = table.columns.get();
        table.folds.with(|folds| neighbours(index, list, folds, &columns, first))
    });
    let neighbours: Vec<Vec<String>> = neighbours.into_iter().map(words).collect();
    table.room.with(|room| room.words.of_row(words(first), &neighbours, len > 1))
}

/// Draws the button that shows or hides the words for which a line has no room.
fn more_button(build: BuildId, more: usize, whole: RwSignal<Vec<BuildId>>) -> AnyView {
    let is_open = move || whole.with(|whole| whole.contains(&build));
    view! {
        <button
            type="button"
            class="plain fold"
            aria-expanded=move || is_open().to_string()
            on:click=move |_| toggle(whole, build)
        >
            {format!("+{more} more")}
        </button>
    }
    .into_any()
}

/// Draws words for which the line above has no room.
fn below_row(build: BuildId, len: usize, words: Range<usize>, table: Table) -> AnyView {
    let explorer = Explorer::here();
    let list = words_of(build, len, table).all;
    let list = list.get(words).unwrap_or_default();
    let shown = list.iter().map(|word| shortened(word)).collect();
    let rest = move || table.columns.with(Vec::len);
    view! {
        <tr class="row member">
            <td class="c-pick"></td>
            {move || explorer.host().map(|_| view! { <td class="c-reuse"></td> })}
            <th scope="row" class="c-hash">
                <button type="button" class="plain" on:click=move |_| toggle(table.whole, build)>"less"</button>
            </th>
            <td class="c-variant" colspan=rest><Words words=shown title=list.join(" ")/></td>
            <td class="c-copy"></td>
        </tr>
    }
    .into_any()
}

/// Adds a build to the opened ones, or removes it.
fn toggle(opened: RwSignal<Vec<BuildId>>, build: BuildId) {
    opened.update(|opened| match opened.iter().position(|other| *other == build) {
        Some(place) => drop(opened.remove(place)),
        None => opened.push(build),
    });
}

/// Returns the builds of a line, by the first of them.
fn of_line(list: &[BuildId], first: BuildId, len: usize) -> &[BuildId] {
    let at = list.iter().position(|build| *build == first).unwrap_or_default();
    list.get(at..at + len).unwrap_or_default()
}

fn pick(explorer: Explorer, build: BuildId) -> Option<impl IntoView> {
    explorer.index.hash(build).map(|hash| view! { <Pick hash/> })
}

/// Draws the buttons that copy the hash and the commands that install the build.
fn copies(explorer: Explorer, build: BuildId) -> impl IntoView {
    let index = explorer.index;
    let hash = move || index.hash(build).map_or(String::new(), |hash| hash.to_string());
    let commands = move |()| {
        let place = index.places_of(index.row_of(build)).min_by_key(Place::is_whole_release);
        place.map_or(String::new(), |place| {
            Mirror::of(&place, index.about()).steps(&format!("/{}", hash()))
        })
    };
    view! {
        <Copy text=Callback::new(move |()| hash()) label="Copy the hash" icon=Icon::Copy/>
        <Copy text=Callback::new(commands) label="Copy install commands" icon=Icon::Command/>
    }
}

/// Draws the button that expands and collapses a line of builds that look alike.
fn fold(first: BuildId, len: usize, open: RwSignal<Vec<BuildId>>) -> AnyView {
    let explorer = Explorer::here();
    let is_open = move || open.with(|open| open.contains(&first));
    let press = move |_| {
        explorer.want_dependencies();
        toggle(open, first);
    };
    view! {
        <th scope="row" class="c-hash">
            <button
                type="button"
                class="plain fold"
                title="These builds are the same in every column"
                aria-expanded=move || is_open().to_string()
                on:click=press
            >
                {counted(len, "build", "builds")}
            </button>
        </th>
    }
    .into_any()
}

fn hash_cell(explorer: Explorer, build: BuildId) -> AnyView {
    // Rows are drawn before their hashes arrive.
    let Some(hash) = explorer.index.hash(build) else {
        return view! { <th scope="row" class="c-hash">"…"</th> }.into_any();
    };
    let text = hash.to_string();
    let short = text[..SHORT_HASH].to_owned();
    view! {
        <th scope="row" class="c-hash">
            <To change=Change::OpenBuild(hash) title=text>
                <code>{short}</code>
            </To>
        </th>
    }
    .into_any()
}

/// Draws when a build first appeared, or the newest of several.
fn seen_cell(explorer: Explorer, table: Table, first: BuildId, len: usize) -> AnyView {
    let newest = move || {
        let index = explorer.details()?;
        let seen = |build: &BuildId| index.first_seen(*build);
        table.list.with(|list| of_line(list, first, len).iter().filter_map(seen).max().map(age))
    };
    view! { <td class="c-seen">{newest}</td> }.into_any()
}

fn cell(explorer: Explorer, row: RowId, column: Column) -> AnyView {
    let values = column.facet().map_or(Vec::new(), |facet| {
        let values = explorer.index.values(row, facet);
        values.into_iter().map(|code| (facet, code)).collect()
    });
    let several = values.len() > 1;
    let links = values
        .into_iter()
        .filter(|&(facet, code)| !several || !is_root(explorer, facet, code))
        .map(|(facet, code)| filter_link(explorer, facet, code))
        .collect_view();
    view! { <td class=format!("c-{}", column.key())>{links}</td> }.into_any()
}

/// Returns `true` for a value that says nothing next to others.
fn is_root(explorer: Explorer, facet: Facet, code: ValueCode) -> bool {
    facet.holds_everything(explorer.index.dictionary(facet).text(code))
}

/// Draws a value that filters when clicked.
fn filter_link(explorer: Explorer, facet: Facet, code: ValueCode) -> impl IntoView {
    let value = explorer.index.dictionary(facet).text(code).to_owned();
    let title = format!("Show only {} {value}", facet.label());
    let change = Change::Include(facet, value.clone());
    view! {
        <To change class="filter" title=title>
            <bdi>{value}</bdi>
        </To>
    }
}
