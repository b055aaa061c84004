//! The lines of the table of builds as HTML.

use std::ops::Range;

use cache_advice::{Alike, differ_in, neighbours};
use cache_index::build::SHORT_HASH;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, RowId, ValueCode};
use cache_index::number::counted;
use cache_query::{Change, Column};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::package::sizes;
use crate::package::works;
use crate::parts::spec;
use crate::table_layout::{RowWords, TableLayout, WHY, shortened};
use site::explorer::Explorer;
use site::html::action::Action;
use site::view::frame::picks::Picks;
use site::view::parts::age::write_age;
use site::view::parts::copy::CopyButtons;
use site::view::parts::icon::Icon;

/// The start of the clause that says how the builds of a line differ.
const THEY: &str = "they ";

/// A line of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum TableLine {
    /// A build that differs from its neighbours.
    Build(BuildId),
    /// This many builds that look alike, by the first of them.
    Fold(BuildId, usize),
    /// One of those, below their line.
    Member(BuildId),
    /// A continuation of the line above, by its first build and its number of builds: the words from one index to another,
    /// which did not fit.
    Below(BuildId, usize, usize, usize),
}

/// What every line of the table needs.
#[derive(Clone, Copy)]
pub(super) struct Table {
    /// All builds, in the order of the table.
    pub(super) list: Memo<Vec<BuildId>>,
    pub(super) columns: Memo<Vec<Column>>,
    pub(super) layout: Memo<TableLayout>,
    pub(super) alike: Memo<Alike>,
    /// The runs of builds that look alike.
    pub(super) folds: Memo<Vec<Range<usize>>>,
    /// The expanded folds, by their first build.
    pub(super) open: RwSignal<Vec<BuildId>>,
    /// The lines that show all words, by their first build.
    pub(super) whole: RwSignal<Vec<BuildId>>,
    /// For each build of the expanded folds, what the others do not have.
    pub(super) apart: Memo<Vec<(BuildId, Vec<String>)>>,
    /// The versions that are deprecated.
    pub(super) deprecated: Memo<Vec<String>>,
    /// The selected builds.
    pub(super) picks: Picks,
    pub(super) copy_buttons: CopyButtons,
}

impl Table {
    /// Writes a line.
    pub(super) fn write(self, line: TableLine) -> Markup {
        match line {
            TableLine::Build(build) => self.row(build, 1),
            TableLine::Fold(first, len) => self.row(first, len),
            TableLine::Member(build) => self.member(build),
            TableLine::Below(first, len, start, end) => self.below(first, len, start..end),
        }
    }

    /// Writes a build, or `len` builds that look alike, by the first of them.
    fn row(self, id: BuildId, len: usize) -> Markup {
        let explorer = Explorer::here();
        let row = explorer.index.row_of(id);
        let RowWords { all, shown, says_why } = self.words_of(id, len);
        let words: Vec<String> = all[..shown].iter().map(|word| shortened(word)).collect();
        let more = all.len() - shown;
        let judged = self.list.with(|list| works::write(explorer, of_line(list, id, len)));
        let is_one = len == 1;
        let has_reasons = self.layout.with(|layout| layout.has_reasons);
        html! {
            tr.row data-key=(id.0) {
                td.c-pick { @if is_one { (self.pick(id)) } }
                @if let Some(judged) = judged { td.c-works.wide[has_reasons] { (judged) } }
                @for column in self.columns.get() {
                    @match column {
                        Column::Hash if len > 1 => (self.fold(id, len)),
                        Column::Hash => (hash_cell(explorer, id)),
                        Column::FirstSeen => (self.seen_cell(explorer, id, len)),
                        Column::Size(size) => {
                            (self.list.with(|list| sizes::cell(explorer, size, of_line(list, id, len))))
                        }
                        Column::Facet(Facet::Version) => (self.version_cell(explorer, row)),
                        _ => (cell(explorer, row, column)),
                    }
                }
                td.c-variant {
                    (spec::words(&words, &all.join(" ")))
                    @if more > 0 { (self.more_button(id, more)) }
                    @if says_why { " " span.why.muted { (self.why(explorer, id, len)) } }
                }
                td.c-copy { @if is_one { (self.copies(id)) } }
            }
        }
    }

    /// Returns how the builds of a line that look alike differ.
    fn why(self, explorer: Explorer, first: BuildId, len: usize) -> String {
        let of_one_row = len <= explorer.index.row_len(explorer.index.row_of(first)) as usize;
        let otherwise = WHY[usize::from(!of_one_row)];
        let named = explorer.whole().and_then(|index| {
            self.list
                .with(|list| differ_in(index, of_line(list, first, len), WHY[1].len() - THEY.len()))
        });
        named.map_or_else(|| otherwise.to_owned(), |clause| format!("{THEY}{clause}"))
    }

    /// Writes one of the builds that look alike, and how it differs from the others.
    fn member(self, id: BuildId) -> Markup {
        let explorer = Explorer::here();
        let arrived = explorer.dependencies();
        let words = self.apart.with(|apart| {
            let words = apart.iter().find(|(build, _)| *build == id).map(|(_, words)| words);
            match words {
                Some(words) if !words.is_empty() => words.join(", "),
                _ if arrived.is_none() => "Loading…".to_owned(),
                _ if explorer.index.dependencies(id).is_some() => {
                    "the specs of its dependencies are the same".to_owned()
                }
                _ => "differs in dependencies, which this cache does not list".to_owned(),
            }
        });
        html! {
            tr.row.member data-key=(format!("member-{}", id.0)) {
                td.c-pick { (self.pick(id)) }
                @if let Some(judged) = works::write(explorer, &[id]) {
                    td.c-works.wide[self.layout.with(|layout| layout.has_reasons)] { (judged) }
                }
                (hash_cell(explorer, id))
                td.c-variant colspan=(self.columns.with(Vec::len)) {
                    bdi { (words) } (spliced(explorer, explorer.index.row_of(id)))
                }
                td.c-copy { (self.copies(id)) }
            }
        }
    }

    /// Writes words for which the line above has no room.
    fn below(self, id: BuildId, len: usize, range: Range<usize>) -> Markup {
        let all = self.words_of(id, len).all;
        let list = all.get(range.clone()).unwrap_or_default();
        let shown: Vec<String> = list.iter().map(|word| shortened(word)).collect();
        html! {
            tr.row.member data-key=(format!("below-{}-{}", id.0, range.start)) {
                td.c-pick {}
                @if Explorer::here().host().is_some() { td.c-works {} }
                th.c-hash scope="row" {
                    button.plain type="button" data-do=(Action::ShowWords(id)) { "less" }
                }
                td.c-variant colspan=(self.columns.with(Vec::len)) {
                    (spec::words(&shown, &list.join(" ")))
                }
                td.c-copy {}
            }
        }
    }

    /// Returns the words of a line of `len` builds, by the first of them.
    pub(super) fn words_of(self, first: BuildId, len: usize) -> RowWords {
        let index = Explorer::here().index;
        let words = |build: BuildId| {
            self.alike.with(|alike| alike.differing_words(index, index.row_of(build)))
        };
        let neighbours = self.list.with(|list| {
            let columns = self.columns.get();
            self.folds.with(|folds| neighbours(index, list, folds, &columns, first))
        });
        let neighbours: Vec<Vec<String>> = neighbours.into_iter().map(words).collect();
        self.layout.with(|layout| layout.words.of_row(words(first), &neighbours, len > 1))
    }

    /// Writes the button that shows or hides the words for which a line has no room.
    fn more_button(self, build: BuildId, more: usize) -> Markup {
        let is_open = self.whole.with(|whole| whole.contains(&build));
        html! {
            button.plain.fold type="button" aria-expanded=(is_open) data-do=(Action::ShowWords(build)) {
                "+" (more) " more"
            }
        }
    }

    /// Writes the button that expands and collapses a line of builds that look alike.
    fn fold(self, first: BuildId, len: usize) -> Markup {
        let is_open = self.open.with(|open| open.contains(&first));
        html! {
            th.c-hash scope="row" {
                button.plain.fold
                    type="button"
                    title="These builds are the same in every column"
                    aria-expanded=(is_open)
                    data-do=(Action::UnfoldBuilds(first))
                    { (counted(len, "build", "builds")) }
            }
        }
    }

    /// Writes the version of a row, and whether it is deprecated.
    fn version_cell(self, explorer: Explorer, row: RowId) -> Markup {
        let index = explorer.index;
        let (version, code) = (index.text(row, Facet::Version), index.value(row, Facet::Version));
        let is_old = self.deprecated.with(|all| all.iter().any(|other| other == version));
        html! {
            td.c-version.deprecated[is_old] title=[is_old.then_some("Deprecated in Spack")] {
                (filter_link(explorer, Facet::Version, code))
                @if is_old { span.heard { " deprecated in Spack" } }
                (spliced(explorer, row))
            }
        }
    }

    /// Writes when a build first appeared; for a line of builds, when the newest of them did.
    fn seen_cell(self, explorer: Explorer, first: BuildId, len: usize) -> Markup {
        let newest = explorer.details().and_then(|index| {
            let seen = |build: &BuildId| index.first_seen(*build);
            self.list.with(|list| of_line(list, first, len).iter().filter_map(seen).max())
        });
        html! { td.c-seen { @if let Some(made) = newest { (write_age(made)) } } }
    }

    fn pick(self, build: BuildId) -> Markup {
        let hash = Explorer::here().hashes().and_then(|index| index.hash(build));
        html! { @if let Some(hash) = hash { (self.picks.write(hash)) } }
    }

    /// Writes the buttons that copy the hash and the commands that install the build; none until its hash has arrived.
    fn copies(self, build: BuildId) -> Markup {
        let buttons = self.copy_buttons;
        let hash = Explorer::here().hashes().and_then(|index| index.hash(build));
        html! {
            @if hash.is_some() {
                (buttons.write(Action::CopyHash(build), "Copy the hash", Some(Icon::Copy)))
                (buttons.write(Action::CopyCommands(build), "Copy install commands", Some(Icon::Command)))
            }
        }
    }
}

/// Returns the builds of a line, by the first of them.
fn of_line(list: &[BuildId], first: BuildId, len: usize) -> &[BuildId] {
    let at = list.iter().position(|build| *build == first).unwrap_or_default();
    list.get(at..at + len).unwrap_or_default()
}

/// Writes the hash of a build as a link. Rows are written before their hashes arrive.
fn hash_cell(explorer: Explorer, build: BuildId) -> Markup {
    let hash = explorer.hashes().and_then(|index| index.hash(build));
    html! {
        th.c-hash scope="row" {
            @if let Some(hash) = hash {
                @let text = hash.to_string();
                @let is_spliced = explorer.index.origin(explorer.index.row_of(build)).spliced_from.is_some();
                a title=(text) href=(explorer.address_after(Change::OpenBuild(hash))) {
                    // The beginning of a spliced build's hash is that of the build it was made from.
                    code { (text[..SHORT_HASH]) @if is_spliced { "…" (text[text.len() - SHORT_HASH..]) } }
                }
            } @else {
                "…"
            }
        }
    }
}

/// Writes the values of a row, each as a link that filters by it.
fn cell(explorer: Explorer, row: RowId, column: Column) -> Markup {
    let facet = column.facet();
    let values = facet.map_or(Vec::new(), |facet| explorer.index.values(row, facet));
    let several = values.len() > 1;
    html! {
        td class={ "c-" (column.key()) } {
            @for (facet, code) in facet.into_iter().flat_map(|facet| values.iter().map(move |&code| (facet, code))) {
                @if !several || !is_root(explorer, facet, code) { (filter_link(explorer, facet, code)) }
            }
        }
    }
}

/// Returns `true` for a value that says nothing next to others.
fn is_root(explorer: Explorer, facet: Facet, code: ValueCode) -> bool {
    facet.holds_everything(explorer.index.dictionary(facet).text(code))
}

fn filter_link(explorer: Explorer, facet: Facet, code: ValueCode) -> Markup {
    let value = explorer.index.dictionary(facet).text(code);
    let address = explorer.address_after(Change::Include(facet, value.to_owned()));
    html! {
        a.filter title={ "Show only " (facet.label()) " " (value) } href=(address) { bdi { (value) } }
    }
}

/// Writes that builds were spliced: nothing else says why they have no compiler.
fn spliced(explorer: Explorer, row: RowId) -> Markup {
    let is_spliced = explorer.index.origin(row).spliced_from.is_some();
    html! { @if is_spliced { " " span.muted { "spliced" } } }
}
