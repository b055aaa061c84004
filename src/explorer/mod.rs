//! The state of the page: one query, and what follows from it.
//!
//! ```text
//! a click ─▶ go(change) ─▶ query ─▶ answer ─▶ views
//!                            ⇅
//!                       address bar
//! ```
//!
//! The index never changes, so it is a plain reference. The query is the only signal that a person
//! sets, and the [memos](graph) follow from it.

mod graph;

use std::sync::Arc;

use cache_index::host::{Host, Verdict, Verdicts};
use cache_index::index::{Index, RowId};
use cache_index::query::{Answer, Change, Presentation, Query, Question, Tab, View, apply};
use cache_index::search;
use leptos::prelude::*;

use self::graph::{Address, Asked, Found};
use crate::browser::parts::{self, PartError, Stage};
use crate::browser::{self, history};
use crate::memo::memo;

/// The index, the query and its answers; a handle that components get from their context.
#[derive(Clone, Copy)]
pub(crate) struct Explorer {
    /// The cache that is explored.
    pub(crate) index: &'static Index,
    address: Address,
    asked: Asked,
    arrived: RwSignal<Arrived>,
    /// A part of a page asked for the dependencies.
    wants_dependencies: RwSignal<bool>,
    found: Found,
    answer: Memo<Arc<Answer>>,
    baseline: Memo<Arc<Answer>>,
    verdicts: Memo<Option<Arc<Verdicts>>>,
}

/// Which parts of the index have arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrived {
    /// The last part that was taken.
    pub(crate) stage: Stage,
    /// The dependencies are decoded, or never will be.
    pub(crate) dependencies: bool,
    /// What is wrong with a part, if anything is.
    pub(crate) problem: Option<String>,
}

impl Arrived {
    /// Returns what an index contains before any part but the first has arrived.
    fn with_columns(index: &Index) -> Arrived {
        // Hashes that came with the columns came with the details, too.
        let stage = if index.has_hashes() { Stage::Details } else { Stage::Columns };
        let dependencies = index.has_dependencies() || !index.lists_any_dependencies();
        Arrived { stage, dependencies, problem: None }
    }
}

impl Explorer {
    /// Starts from the address bar, and follows it from then on.
    pub(crate) fn new(index: &'static Index) -> Explorer {
        let address = Address::follow(index);
        let asked = Asked::of(address.query);
        let arrived = RwSignal::new(Arrived::with_columns(index));
        let found = Found::new(index, asked.question, arrived);
        let answer = graph::answer(index, asked.question, found.selection);
        let baseline = graph::baseline(index, asked.view);
        let verdicts = graph::verdicts(index, asked.question);
        let wants_dependencies = RwSignal::new(false);
        let explorer = Explorer {
            index,
            address,
            asked,
            arrived,
            wants_dependencies,
            found,
            answer,
            baseline,
            verdicts,
        };
        explorer.take_dependencies_when_needed();
        explorer
    }

    /// Decodes the dependencies as soon as a search or a page needs them and their text is there.
    fn take_dependencies_when_needed(self) {
        let Explorer { index, asked, arrived, wants_dependencies, found, .. } = self;
        let view_needs = memo(move || {
            asked.view.with(|view| match view {
                View::Build(_) | View::Compare(_) => true,
                // A spec for all that match may have to name what they depend on.
                View::Package(_) => asked.presentation.with(|shown| shown.tab == Tab::Install),
                _ => false,
            })
        });
        Effect::new(move || {
            let is_needed =
                found.needs_dependencies.get() || view_needs.get() || wants_dependencies.get();
            let has_text = arrived.with(|a| a.stage == Stage::All && !a.dependencies);
            if is_needed && has_text {
                // Decoding blocks the page, so the notice that it is loading is painted before.
                browser::after_painting(move || {
                    let taken = parts::take_dependencies(index);
                    arrived.update(|arrived| arrived.dependencies = true);
                    self.has_taken(Stage::All, taken);
                });
            }
        });
    }

    /// Records that a part of the index was taken, or what was wrong with it.
    pub(crate) fn has_taken(&self, stage: Stage, part: Result<(), PartError>) {
        self.arrived.update(|arrived| {
            arrived.stage = stage;
            if let Err(error) = part {
                // No further part will come.
                arrived.dependencies = true;
                arrived.problem = Some(error.to_string());
            }
        });
    }

    /// Returns whether the search waits for the dependencies. Until they are there, the answer is
    /// that of the search before.
    pub(crate) fn is_searching(&self) -> bool {
        self.found.is_waiting.get()
    }

    /// Asks for the dependencies, which most visits never need.
    pub(crate) fn want_dependencies(&self) {
        self.wants_dependencies.set(true);
    }

    /// Returns which parts of the index have arrived.
    pub(crate) fn arrived(&self) -> Arrived {
        self.arrived.get()
    }

    /// Returns the explorer that the app provides as context.
    pub(crate) fn here() -> Explorer {
        expect_context()
    }

    /// Returns the query.
    pub(crate) fn query(&self) -> Query {
        self.address.query.get()
    }

    /// Reads the whole query: for what depends on both its halves.
    pub(crate) fn with_query<T>(&self, read: impl FnOnce(&Query) -> T) -> T {
        self.address.query.with(read)
    }

    /// Reads what is asked.
    pub(crate) fn with_question<T>(&self, read: impl FnOnce(&Question) -> T) -> T {
        self.asked.question.with(read)
    }

    /// Reads how the answer is shown.
    pub(crate) fn with_presentation<T>(&self, read: impl FnOnce(&Presentation) -> T) -> T {
        self.asked.presentation.with(read)
    }

    /// Returns the view that answers the question; it changes only when another page opens.
    pub(crate) fn view(&self) -> Memo<View> {
        self.asked.view
    }

    /// Returns the answer.
    pub(crate) fn answer(&self) -> Arc<Answer> {
        self.answer.get()
    }

    /// Returns the answer without any filter, within the package that is open. Facets are ordered by
    /// it, so that their values stay in place while a person chooses among them.
    pub(crate) fn baseline(&self) -> Arc<Answer> {
        self.baseline.get()
    }

    /// Returns the machine that builds should run on.
    pub(crate) fn host(&self) -> Option<Host> {
        self.with_question(|question| question.host.clone())
    }

    /// Returns whether the builds of a row run on that machine; `None` without a machine.
    pub(crate) fn verdict(&self, row: RowId) -> Option<Verdict> {
        self.verdicts.with(|verdicts| Some(verdicts.as_ref()?.of(self.index, row).clone()))
    }

    /// Returns the parts of the address that were not understood when the page was opened.
    pub(crate) fn ignored(&self) -> Vec<String> {
        self.address.ignored.get()
    }

    /// Returns the address after a change.
    pub(crate) fn address_after(&self, change: Change) -> String {
        self.with_query(|query| history::address(&apply(query, change)))
    }

    /// Changes the query without a step in the history, as if it had always been so.
    pub(crate) fn start_from(&self, change: Change) {
        let after = apply(&self.address.query.get_untracked(), change);
        history::replace(&after);
        self.address.query.set(after);
    }

    /// Changes the query, and the address with it, as a step that Back undoes.
    pub(crate) fn go(&self, change: Change) {
        let before = self.address.query.get_untracked();
        let after = apply(&before, change);
        self.show(&before, after, false);
    }

    /// Shows what a text asks for while it is being typed.
    ///
    /// Each letter starts again `from` the query before the first letter, because what the text said
    /// a letter ago is no longer asked for. The whole text is one step of the history.
    pub(crate) fn type_text(&self, from: &Query, text: &str) {
        let before = self.address.query.get_untracked();
        self.show(&before, self.after_typing(from, text), before != *from);
    }

    /// Returns the query after typing a text into another query.
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
        let opens = after.view() != before.view();
        self.address.ignored.set(Vec::new());
        self.address.query.set(after);
        if opens {
            browser::scroll_to_top();
        }
    }
}
