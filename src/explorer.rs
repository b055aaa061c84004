//! The state of the page: one query, and what follows from it.
//!
//! ```text
//! a click ─▶ go(change) ─▶ query ─▶ answer ─▶ views
//!                            ⇅
//!                       address bar
//! ```
//!
//! The index never changes, so it is a plain reference; the query is the only signal that is ever
//! set, and the answers are memos of it.

use std::sync::Arc;

use cache_index::facet::Facet;
use cache_index::host::{Host, Verdict, Verdicts};
use cache_index::index::{Index, LoadError, RowId};
use cache_index::link;
use cache_index::query::{Across, Answer, Change, Query, Tab, View, apply, run, run_with};
use cache_index::search::{self, Search, Selection};
use leptos::prelude::*;

use crate::browser::parts::{self, Stage};
use crate::browser::{self, history};
use crate::memo::memo;

/// The index, the query and its answers; a handle that is passed on as context.
#[derive(Clone, Copy)]
pub(crate) struct Explorer {
    /// The cache that is explored.
    pub(crate) index: &'static Index,
    query: RwSignal<Query>,
    shown: Memo<Shown>,
    ignored: RwSignal<Vec<String>>,
    answer: Memo<Arc<Answer>>,
    baseline: Memo<Arc<Answer>>,
    host: Memo<Option<Host>>,
    verdicts: Memo<Option<Arc<Verdicts>>>,
    arrived: RwSignal<Arrived>,
    is_searching: Memo<bool>,
}

/// Which page is shown; a memo of it keeps a view while only its contents change.
#[derive(Clone, PartialEq)]
pub(crate) enum Shown {
    Packages,
    Package(String),
    Build(String),
    Compare(Vec<String>),
}

impl Shown {
    fn by(query: &Query) -> Shown {
        match query.view() {
            View::Package(name) => Shown::Package(name.to_owned()),
            View::Build(hash) => Shown::Build(hash.to_owned()),
            View::Compare(hashes) => Shown::Compare(hashes.to_vec()),
            View::Packages => Shown::Packages,
        }
    }
}

/// How far the parts of the index have come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrived {
    /// What has been taken.
    pub(crate) stage: Stage,
    /// Whether the dependencies are decoded, or never will be.
    pub(crate) dependencies: bool,
    /// What is wrong with a part, if anything is.
    pub(crate) problem: Option<String>,
}

impl Explorer {
    /// Starts from the address bar, and follows it from then on.
    pub(crate) fn new(index: &'static Index) -> Explorer {
        let (query, ignored) = read_address(index);
        let query = RwSignal::new(query);
        let ignored = RwSignal::new(ignored);
        history::on_move(move || {
            let (moved_to, unknown) = read_address(index);
            query.set(moved_to);
            ignored.set(unknown);
        });
        // Asked first, so that it is told of a change first: then a view that goes away goes before
        // it would be drawn anew.
        let shown = memo(move || query.with(Shown::by));
        shown.with_untracked(|_| ());
        // How the answer is shown does not change it.
        let question = memo(move || {
            let mut question = query.get();
            question.sort = None;
            question.columns = None;
            question.tab = Tab::default();
            question.across = Across::default();
            question
        });
        // What the text finds stays while facets are chosen.
        let text = memo(move || question.with(|question| question.text.clone()));
        let search = always_new(move || Arc::new(Search::read(index, &text.get())));
        // Hashes that are there have come with the columns, and the details with them.
        let stage = if index.has_hashes() { Stage::Details } else { Stage::Columns };
        let dependencies = index.has_dependencies() || !index.lists_any_dependencies();
        let arrived = RwSignal::new(Arrived { stage, dependencies, problem: None });
        let search_needs = memo(move || search.get().needs_dependencies(index));
        let is_searching =
            memo(move || search_needs.get() && !arrived.with(|arrived| arrived.dependencies));
        let found = Memo::new_with_compare(
            move |before: Option<&Arc<Selection>>| {
                // A text may ask for what has just arrived: a hash, dependencies.
                if text.with(|text| !text.is_empty()) {
                    arrived.track();
                }
                match before {
                    // What cannot be told yet is not told wrongly meanwhile.
                    Some(before) if is_searching.get() => before.clone(),
                    _ if is_searching.get() => Arc::default(),
                    _ => Arc::new(search.get().select(index)),
                }
            },
            |_, _| true,
        );
        let answer = always_new(move || Arc::new(run_with(index, &question.get(), found.get())));
        let package = memo(move || {
            let mut alone = Query::default();
            question.with(|question| {
                if let View::Package(package) = question.view() {
                    alone = apply(&alone, Change::OpenPackage(package.to_owned()));
                }
            });
            alone
        });
        let baseline = always_new(move || Arc::new(run(index, &package.get())));
        let host = memo(move || query.with(|query| query.host.clone()));
        let verdicts = Memo::new_with_compare(
            move |_| host.with(|host| Some(Arc::new(Verdicts::new(index, host.as_ref()?)))),
            |_, _| true,
        );
        let explorer = Explorer {
            index,
            query,
            shown,
            ignored,
            answer,
            baseline,
            host,
            verdicts,
            arrived,
            is_searching,
        };
        let shows_dependencies =
            memo(move || question.with(|q| matches!(q.view(), View::Build(_) | View::Compare(_))));
        Effect::new(move || {
            let is_needed = search_needs.get() || shows_dependencies.get();
            let waits = arrived.with(|a| a.stage == Stage::All && !a.dependencies);
            if is_needed && waits {
                // What says that it is loading is seen first.
                browser::after_painting(move || {
                    let taken = parts::take_dependencies(index);
                    arrived.update(|arrived| arrived.dependencies = true);
                    explorer.has_taken(Stage::All, taken);
                });
            }
        });
        explorer
    }

    /// Tells of parts of the index that arrive from now on.
    pub(crate) fn has_taken(&self, stage: Stage, part: Result<(), LoadError>) {
        self.arrived.update(|arrived| {
            arrived.stage = stage;
            if let Err(error) = part {
                // None that follows will come.
                arrived.dependencies = true;
                arrived.problem = Some(error.to_string());
            }
        });
    }

    /// Whether the search waits for the dependencies; until they are there the answer is that of
    /// the search before.
    pub(crate) fn is_searching(&self) -> bool {
        self.is_searching.get()
    }

    /// How far the parts of the index have come.
    pub(crate) fn arrived(&self) -> Arrived {
        self.arrived.get()
    }

    /// The one that the app provides.
    pub(crate) fn here() -> Explorer {
        expect_context()
    }

    /// What is asked.
    pub(crate) fn query(&self) -> Query {
        self.query.get()
    }

    /// Something about what is asked.
    pub(crate) fn with_query<T>(&self, read: impl FnOnce(&Query) -> T) -> T {
        self.query.with(read)
    }

    /// Which page is asked for.
    pub(crate) fn shown(&self) -> Memo<Shown> {
        self.shown
    }

    /// The answer.
    pub(crate) fn answer(&self) -> Arc<Answer> {
        self.answer.get()
    }

    /// The answer without any filter, within the package that is open: what facets are ordered by,
    /// so that their values stay where they are while a person chooses among them.
    pub(crate) fn baseline(&self) -> Arc<Answer> {
        self.baseline.get()
    }

    /// The machine that builds should run on.
    pub(crate) fn host(&self) -> Option<Host> {
        self.host.get()
    }

    /// Whether the builds of a row run on that machine.
    pub(crate) fn verdict(&self, row: RowId) -> Option<Verdict> {
        self.verdicts.with(|verdicts| Some(verdicts.as_ref()?.of(self.index, row).clone()))
    }

    /// What the link that the page was opened with has, and nothing here understands.
    pub(crate) fn ignored(&self) -> Vec<String> {
        self.ignored.get()
    }

    /// Where a change would lead, as an address.
    pub(crate) fn address_after(&self, change: Change) -> String {
        self.query.with(|query| history::address(&apply(query, change)))
    }

    /// Changes the query without a step in the history, as if it had always been so.
    pub(crate) fn start_from(&self, change: Change) {
        let after = apply(&self.query.get_untracked(), change);
        history::replace(&after);
        self.query.set(after);
    }

    /// Changes the query, and the address with it: a choice is a step that Back undoes, typing is
    /// one step however long it is.
    pub(crate) fn go(&self, change: Change) {
        let before = self.query.get_untracked();
        let after = apply(&before, change);
        self.show(&before, after, false);
    }

    /// Shows what a text asks for that is being typed. It is one step however long it is, and each
    /// letter starts again `from` the query before the first: what the text said a letter ago is
    /// not asked for any more.
    pub(crate) fn type_text(&self, from: &Query, text: &str) {
        let before = self.query.get_untracked();
        self.show(&before, self.after_typing(from, text), before != *from);
    }

    /// What a text asks for, typed at a query.
    pub(crate) fn after_typing(&self, from: &Query, text: &str) -> Query {
        apply(from, Change::Type(search::split(self.index, text)))
    }

    fn show(&self, before: &Query, after: Query, same_step: bool) {
        if after == *before {
            return;
        }
        if same_step {
            history::replace(&after);
        } else {
            history::push(&after);
        }
        // Another page starts at its top.
        let opens = Shown::by(&after) != Shown::by(before);
        self.ignored.set(Vec::new());
        self.query.set(after);
        if opens {
            browser::scroll_to_top();
        }
    }
}

/// Reads the address; what facets can say is taken out of its text, so that one query has one
/// address.
fn read_address(index: &Index) -> (Query, Vec<String>) {
    let (written, ignored) = link::decode(&history::search());
    let query = search::normalized(index, &written);
    if query != written {
        history::replace(&query);
    }
    (query, ignored.iter().map(ToString::to_string).collect())
}

/// A memo of something too large to compare.
fn always_new<T: Send + Sync + 'static>(
    value: impl Fn() -> Arc<T> + Send + Sync + 'static,
) -> Memo<Arc<T>> {
    Memo::new_with_compare(move |_| value(), |_, _| true)
}

/// How a facet is called on the page.
pub(crate) fn facet_name(facet: Facet) -> &'static str {
    match facet {
        Facet::Package => "Package",
        Facet::Stack => "Stack",
        Facet::Os => "OS",
        Facet::Target => "Target",
        Facet::Compiler => "Compiler",
        Facet::Version => "Version",
        Facet::Platform => "Platform",
        Facet::Release => "Release",
        Facet::Variant => "Variant",
        Facet::Provider => "Provider",
        Facet::Libc => "libc",
    }
}
