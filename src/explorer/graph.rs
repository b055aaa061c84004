//! The memos that are derived from the query: each stage from an address to an answer.
//!
//! ```text
//! Address ─▶ query ─▶ judged ─▶ Asked: view, question, presentation
//!                       ▲                       │
//!                       └────────────────── Answers ◀─ arrived parts of the index
//!                                               │
//!                                            answer
//! ```
//!
//! Each function here takes the signals it reads and returns the memos it creates, so that
//! [`Explorer::new`](super::Explorer::new) shows the whole graph.

use std::sync::Arc;

use cache_index::index::Index;
use cache_query::address;
use cache_query::search::Search;
use cache_query::{
    Answer, ByBuild, Change, OnMachine, PartFilter, Presentation, Query, Question, Selection, View,
    apply, run_with,
};
use leptos::prelude::*;

use super::Advice;
use super::arrival::{Arrival, ArrivedParts};
use crate::browser::parts::Stage;
use crate::browser::{self, history};
use crate::memo::memo;

/// A text as it was typed into the search box.
#[derive(Clone)]
pub struct TypedSearch {
    /// The text.
    pub(crate) text: String,
    /// The query before the first letter.
    pub(super) from: Query,
    /// The query after the last letter. If another query is shown, something else has changed it since.
    pub(super) after: Query,
    /// How much of the text was read, in bytes; the rest is not finished.
    pub read: usize,
    /// The user is still typing.
    pub(super) is_open: bool,
    /// The package whose page the text has opened.
    pub(super) opened: Option<String>,
}

impl TypedSearch {
    /// Returns `true` if this text is the last step of the history, and further typing belongs to the same step.
    pub(super) fn is_own_step(&self) -> bool {
        self.is_open && self.after != self.from
    }
}

/// The contents of the address bar. The query is the only state of the page that a user changes.
#[derive(Clone, Copy)]
pub(super) struct Address {
    pub(super) query: RwSignal<Query>,
    /// The parts of the address that were not understood.
    pub(super) ignored: RwSignal<Vec<String>>,
    /// What was typed last.
    pub(super) typing: RwSignal<Option<TypedSearch>>,
}

impl Address {
    /// Reads the address bar, and follows it when the user goes back or forward.
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
fn read_address(index: &Index) -> (Query, Vec<String>, Option<TypedSearch>) {
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
        TypedSearch {
            read: text.len(),
            text,
            from,
            after: query.clone(),
            is_open: false,
            opened: None,
        }
    });
    (query, ignored, typing)
}

/// Which builds pass filters on other parts of the index.
#[derive(Clone)]
pub struct PassingBuilds {
    /// The filters.
    pub filters: Vec<PartFilter>,
    /// The builds that pass all of them.
    pub passing: ByBuild<bool>,
    /// The builds that pass all of them except those on licences.
    pub but_for_licenses: ByBuild<bool>,
}

/// The parts of the query. A change to one does not affect anything that only reads the others.
#[derive(Clone, Copy)]
pub(super) struct QueryParts {
    pub(super) view: Memo<View>,
    pub(super) question: Memo<Question>,
    pub(super) presentation: Memo<Presentation>,
    /// The last result of the filters on other parts of the index.
    pub(super) passed: RwSignal<Option<PassingBuilds>>,
    /// `true` while the user has to decide before those filters are applied.
    pub(super) needs_user: RwSignal<bool>,
}

impl QueryParts {
    /// Derives the parts of a query. The question gets the verdicts on all builds, and the builds that pass the filters on
    /// other parts of the index, once these are known.
    pub(super) fn of(query: RwSignal<Query>, judged: Memo<OnMachine>) -> QueryParts {
        let passed = RwSignal::<Option<PassingBuilds>>::new(None);
        let view = memo(move || query.with(Query::view));
        // Subscribers are notified in the order in which they first read the query. The view comes first, so that a
        // page that is about to disappear is not redrawn.
        view.with_untracked(|_| ());
        let question = memo(move || {
            let mut question = query.with(|query| query.question.clone());
            judged.get().hand_in(&mut question);
            hand_in(passed, &mut question);
            question
        });
        let presentation = memo(move || query.with(|query| query.presentation.clone()));
        QueryParts { view, question, presentation, passed, needs_user: RwSignal::new(false) }
    }
}

/// Adds to a question the builds that pass its filters on other parts of the index, if they are known.
pub(super) fn hand_in(passed: RwSignal<Option<PassingBuilds>>, question: &mut Question) {
    if question.awaits_parts() {
        passed.with(|passed| {
            let passed = passed.as_ref().filter(|passed| passed.filters == question.part_filters);
            question.passing = passed.map(|passed| passed.passing.clone()).unwrap_or_default();
        });
    }
}

/// How many answers are kept, besides the one without any filter.
const KEPT: usize = 2;

/// An answer, and what its text found.
#[derive(Clone)]
struct TextAnswer {
    question: Question,
    /// What had arrived by then, if the answer depends on it.
    arrived: Option<ArrivedParts>,
    found: Arc<Selection>,
    answer: Arc<Answer>,
}

/// The last answers, which are kept because they are used twice. While the user types, a text is searched for to see whether
/// it is finished, and again for the answer; and a page without filters shows the answer by which its facets are ordered.
///
/// When a signal changes, Leptos marks everything that depends on it once for each path of memos from the signal, and most
/// of the page depends on the answer. So the answer reads the question directly and searches as it is computed; the memos
/// here only serve to show that a search is waiting.
#[derive(Clone, Copy)]
pub(super) struct Answers {
    /// `true` if the text depends on dependencies.
    pub(super) needs_dependencies: Memo<bool>,
    /// `true` if the answer depends on parts that have not arrived.
    pub(super) is_waiting: Memo<bool>,
    index: &'static Index,
    arrived: RwSignal<ArrivedParts>,
    last: StoredValue<Vec<TextAnswer>>,
    /// What the text of the shown answer found.
    shown: StoredValue<Arc<Selection>>,
}

impl Answers {
    /// Starts with the answer without any filter, if it is known.
    pub(super) fn new(
        index: &'static Index,
        all: Option<Arc<Answer>>,
        question: Memo<Question>,
        arrived: RwSignal<ArrivedParts>,
    ) -> Answers {
        // When builds first appeared is one of the details.
        let sought = memo(move || {
            question.with(|q| {
                (q.text.clone(), q.since.is_some(), q.awaits_parts() || q.awaits_gpu_code())
            })
        });
        let needs_dependencies = memo(move || {
            sought.with(|(text, ..)| {
                !text.is_empty() && Search::read(index, text).needs_dependencies(index)
            })
        });
        let is_waiting = memo(move || {
            arrived.with(|arrived| {
                needs_dependencies.get() && !arrived.dependencies
                    || sought.with(|&(_, asks_when, awaits_more)| {
                        asks_when && !arrived.is_past(Stage::Details) || awaits_more
                    })
            })
        });
        let all = all.map(|answer| TextAnswer {
            question: Question::default(),
            arrived: None,
            found: Arc::default(),
            answer,
        });
        Answers {
            needs_dependencies,
            is_waiting,
            index,
            arrived,
            last: StoredValue::new(all.into_iter().collect()),
            shown: StoredValue::default(),
        }
    }

    /// Returns what the text of the question on the page finds, and follows what arrives.
    pub(super) fn selection(&self, question: &Question) -> Arc<Selection> {
        // A text may search for what has just arrived: a hash, or dependencies.
        if depends_on_arrival(question) {
            self.arrived.track();
        }
        // The previous answer is better than a wrong one.
        if !self.is_waiting.get_untracked() {
            self.shown.set_value(self.answered(question).found);
        }
        self.shown.get_value()
    }

    /// Returns the answer to the question on the page, and follows what arrives.
    fn shown(&self, question: &Question) -> Arc<Answer> {
        let found = self.selection(question);
        match self.is_waiting.get_untracked() {
            true => Arc::new(run_with(self.index, question, found)),
            false => self.to(question),
        }
    }

    /// Returns the answer to a question, which need not be the one on the page.
    pub(super) fn to(&self, question: &Question) -> Arc<Answer> {
        self.answered(question).answer
    }

    fn answered(&self, question: &Question) -> TextAnswer {
        let arrived = depends_on_arrival(question).then(|| self.arrived.get_untracked());
        let (known, found) = self.last.with_value(|last| {
            let mut same = last
                .iter()
                .filter(|last| last.arrived == arrived && last.question.text == question.text);
            let found = same.clone().next().map(|last| last.found.clone());
            (same.find(|last| last.question == *question).cloned(), found)
        });
        known.unwrap_or_else(|| {
            let search = || match question.text.as_str() {
                "" => Arc::default(),
                text => Arc::new(Search::read(self.index, text).select(self.index)),
            };
            let found = found.unwrap_or_else(search);
            let answer = Arc::new(run_with(self.index, question, found.clone()));
            let answered = TextAnswer { question: question.clone(), arrived, found, answer };
            self.last.update_value(|last| {
                let is_other = |last: &&TextAnswer| last.question != Question::default();
                if last.iter().filter(is_other).count() >= KEPT
                    && let Some(oldest) = last.iter().position(|last| is_other(&last))
                {
                    last.remove(oldest);
                }
                last.push(answered.clone());
            });
            answered
        })
    }
}

/// Returns `true` if the answer to a question depends on parts of the index other than the columns.
fn depends_on_arrival(question: &Question) -> bool {
    !question.text.is_empty() || question.since.is_some()
}

/// Creates the answer without any filter, within the open package, and the answer to the question. They are the same as
/// long as there is no filter, as in the first view.
pub(super) fn answers(
    view: Memo<View>,
    question: Memo<Question>,
    answers: Answers,
) -> (Memo<Arc<Answer>>, Memo<Arc<Answer>>) {
    let unfiltered = memo(move || match view.get() {
        View::Package(name) => apply(&Query::default(), Change::OpenPackage(name)).question,
        _ => Question::default(),
    });
    let baseline = uncompared(move |_| unfiltered.with(|unfiltered| answers.to(unfiltered)));
    let answer = uncompared(move |_| {
        let question = question.get();
        match unfiltered.with(|unfiltered| unfiltered.has_answer_of(&question)) {
            true => baseline.get(),
            false => answers.shown(&question),
        }
    });
    (baseline, answer)
}

/// Creates the verdicts on all builds for the user's machine, with its GPUs, its Spack and its settings. There are none
/// without a machine, or until the dependencies have arrived or never will.
pub(super) fn judged(
    index: &'static Index,
    advice: Option<Advice>,
    query: RwSignal<Query>,
    arrival: Arrival,
) -> Memo<OnMachine> {
    let machine = memo(move || {
        query.with(|query| Some((query.question.setup()?, query.question.gpus.clone())))
    });
    let judged = move || {
        let (setup, gpus) = machine.get()?;
        let is_known = arrival.dependencies.get() || !index.lists_any_dependencies();
        // Verdicts also depend on what was found in binaries, which is read on request.
        arrival.requested.track();
        let advice = advice.filter(|_| is_known)?;
        Some((advice.judge)(index, setup, &gpus))
    };
    memo(move || judged().unwrap_or_default())
}

/// Creates a memo of a value that is too large to compare: whatever reads it runs again whenever the value is
/// recomputed.
fn uncompared<T: Send + Sync + 'static>(
    read: impl Fn(Option<&T>) -> T + Send + Sync + 'static,
) -> Memo<T> {
    Memo::new_with_compare(read, |_, _| true)
}
