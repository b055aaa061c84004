//! The memos that are derived from the query: each stage from an address to an answer.
//!
//! ```text
//! Address ─▶ query ─▶ Asked: view, question, presentation
//!                                    │
//!                          Found: the text's selection ◀─ arrived parts of the index
//!                                    │
//!               answers, verdicts
//! ```
//!
//! Each function here takes the signals it reads and returns the memos it creates, so that
//! [`Explorer::new`](super::Explorer::new) shows the whole graph.

use std::sync::Arc;

use cache_index::address;
use cache_index::host::Verdicts;
use cache_index::index::Index;
use cache_index::query::{
    Answer, Change, Presentation, Query, Question, View, apply, run, run_with,
};
use cache_index::reuse::{self, Setup};
use cache_index::search::{Search, Selection};
use leptos::prelude::*;

use super::Arrived;
use crate::browser::parts::Stage;
use crate::browser::{self, history};
use crate::memo::memo;

/// A text as it was typed into the search box.
#[derive(Clone)]
pub(crate) struct Typing {
    /// The text.
    pub(crate) text: String,
    /// The query before the first letter.
    pub(super) from: Query,
    /// The query after the last one; if another one is shown, something else was done since.
    pub(super) after: Query,
    /// How much of the text was read, in bytes; the rest is not finished.
    pub(crate) read: usize,
    /// The person is still typing.
    pub(super) is_open: bool,
}

/// The contents of the address bar. The query is the only state of the page that a person changes.
#[derive(Clone, Copy)]
pub(super) struct Address {
    pub(super) query: RwSignal<Query>,
    /// The parts of the address that were not understood.
    pub(super) ignored: RwSignal<Vec<String>>,
    /// What was typed last.
    pub(super) typing: RwSignal<Option<Typing>>,
}

impl Address {
    /// Reads the address bar, and follows it when the person goes back or forward.
    pub(super) fn follow(index: &'static Index) -> Address {
        let (query, ignored, typing) = read_address(index);
        let address = Address {
            query: RwSignal::new(query),
            ignored: RwSignal::new(ignored),
            typing: RwSignal::new(typing),
        };
        history::on_move(move || {
            let (query, ignored, typing) = read_address(index);
            if typing.is_some() {
                address.typing.set(typing);
            }
            if query.view() != address.query.with_untracked(Query::view) {
                browser::leave_results();
            }
            address.query.set(query);
            address.ignored.set(ignored);
        });
        address
    }
}

/// Reads the query from the address bar and puts it into its canonical form, so that one query has
/// one address. A text that says more than its canonical form counts as typed.
fn read_address(index: &Index) -> (Query, Vec<String>, Option<Typing>) {
    let (written, ignored) = address::decode(&history::query_string());
    let query = written.clone().normalized(index);
    if query != written {
        history::replace(&query);
    }
    let ignored = ignored.iter().map(ToString::to_string).collect();
    let typing = (query.question.text != written.question.text).then(|| {
        let text = written.question.text.clone();
        let mut from = written;
        from.question.text.clear();
        Typing { read: text.len(), text, from, after: query.clone(), is_open: false }
    });
    (query, ignored, typing)
}

/// The parts of the query. A change of one part does not affect what only reads the others.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub(super) view: Memo<View>,
    pub(super) question: Memo<Question>,
    pub(super) presentation: Memo<Presentation>,
}

impl Asked {
    pub(super) fn of(query: RwSignal<Query>) -> Asked {
        let view = memo(move || query.with(Query::view));
        // Subscribers are notified in the order in which they first read the query. The view comes first, so that a
        // page that is about to disappear is not redrawn.
        view.with_untracked(|_| ());
        let question = memo(move || query.with(|query| query.question.clone()));
        let presentation = memo(move || query.with(|query| query.presentation.clone()));
        Asked { view, question, presentation }
    }
}

/// The result of the search text. It does not change while facets are chosen.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) selection: Memo<Arc<Selection>>,
    /// `true` if the text depends on dependencies.
    pub(super) needs_dependencies: Memo<bool>,
    /// `true` if the answer depends on dependencies or details that have not arrived.
    pub(super) is_waiting: Memo<bool>,
    searching: Searching,
}

/// Searches for texts in what has arrived, and keeps the last result: what is typed is searched for once to see whether it
/// is finished, and once for the answer.
#[derive(Clone, Copy)]
struct Searching {
    index: &'static Index,
    arrived: RwSignal<Arrived>,
    /// The last text, what had arrived by then, and what it found.
    last: StoredValue<Option<(String, Arrived, Arc<Selection>)>>,
}

impl Searching {
    fn search(&self, text: &str) -> Arc<Selection> {
        let arrived = self.arrived.get_untracked();
        let known = self.last.with_value(|last| {
            let last = last.as_ref();
            let is_it = |last: &&(String, Arrived, _)| last.0 == text && last.1 == arrived;
            last.filter(is_it).map(|(.., found)| found.clone())
        });
        known.unwrap_or_else(|| {
            let found = Arc::new(Search::read(self.index, text).select(self.index));
            self.last.set_value(Some((text.to_owned(), arrived, found.clone())));
            found
        })
    }
}

impl Found {
    pub(super) fn new(
        index: &'static Index,
        question: Memo<Question>,
        arrived: RwSignal<Arrived>,
    ) -> Found {
        let text = memo(move || question.with(|question| question.text.clone()));
        let search = uncompared(move |_| Arc::new(Search::read(index, &text.get())));
        let needs_dependencies = memo(move || search.get().needs_dependencies(index));
        // When builds first appeared is one of the details.
        let asks_when = memo(move || question.with(|question| question.since.is_some()));
        let is_waiting = memo(move || {
            arrived.with(|a| {
                needs_dependencies.get() && !a.dependencies
                    || asks_when.get() && a.stage < Stage::Details && a.problem.is_none()
            })
        });
        let searching = Searching { index, arrived, last: StoredValue::new(None) };
        let selection = uncompared(move |before: Option<&Arc<Selection>>| {
            // A text may search for what has just arrived: a hash, or dependencies.
            if text.with(|text| !text.is_empty()) || asks_when.get() {
                arrived.track();
            }
            if is_waiting.get() {
                // The previous answer is better than a wrong one.
                return before.cloned().unwrap_or_default();
            }
            text.with(|text| searching.search(text))
        });
        Found { selection, needs_dependencies, is_waiting, searching }
    }

    /// Returns what a text finds, which may not be the one that is asked for.
    pub(super) fn by(&self, text: &str) -> Arc<Selection> {
        self.searching.search(text)
    }
}

/// Creates the answer without any filter, within the open package, and the answer to the question. They are the same as
/// long as there is no filter, as in the first view.
pub(super) fn answers(
    index: &'static Index,
    view: Memo<View>,
    question: Memo<Question>,
    found: Memo<Arc<Selection>>,
) -> (Memo<Arc<Answer>>, Memo<Arc<Answer>>) {
    let unfiltered = memo(move || match view.get() {
        View::Package(name) => apply(&Query::default(), Change::OpenPackage(name)).question,
        _ => Question::default(),
    });
    let baseline = uncompared(move |_| Arc::new(run(index, &unfiltered.get())));
    let answer = uncompared(move |_| {
        let question = question.get();
        match unfiltered.with(|unfiltered| unfiltered.has_answer_of(&question)) {
            true => baseline.get(),
            false => Arc::new(run_with(index, &question, found.get())),
        }
    });
    (baseline, answer)
}

/// Creates the verdicts of all configurations on the person's machine; `None` without a machine.
pub(super) fn verdicts(
    index: &'static Index,
    question: Memo<Question>,
) -> Memo<Option<Arc<Verdicts>>> {
    let host = memo(move || question.with(|question| question.host.clone()));
    uncompared(move |_| host.with(|host| Some(Arc::new(Verdicts::new(index, host.as_ref()?)))))
}

/// What a person has, and what of the cache Spack would consider for reuse there.
pub(super) struct Reusable {
    pub(super) setup: Setup,
    pub(super) verdicts: reuse::Verdicts,
}

/// Creates the outcomes of all builds for the person's machine and Spack; `None` without a machine. They are computed
/// when something shows them.
pub(super) fn reusable(
    index: &'static Index,
    question: Memo<Question>,
    arrived: RwSignal<Arrived>,
) -> Memo<Option<Arc<Reusable>>> {
    let setup = memo(move || question.with(Question::setup));
    uncompared(move |_| {
        arrived.track();
        let setup = setup.get()?;
        Some(Arc::new(Reusable { verdicts: reuse::Verdicts::new(index, &setup), setup }))
    })
}

/// Creates a memo of a value that is too large to compare: whatever reads it runs again whenever the value is
/// recomputed.
fn uncompared<T: Send + Sync + 'static>(
    read: impl Fn(Option<&T>) -> T + Send + Sync + 'static,
) -> Memo<T> {
    Memo::new_with_compare(read, |_, _| true)
}
