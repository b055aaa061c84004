//! The state of the page: one query, and everything derived from it.
//!
//! ```text
//! a click ─▶ go(change) ─▶ query ─▶ answer ─▶ views
//!                            ⇅
//!                       address bar
//! ```
//!
//! The query is the only signal that the user sets, and the [memos](graph) are derived from it. The columns of the index are
//! there from the start, so [`Explorer::index`] is a plain reference; its other parts arrive later, and an accessor such as
//! [`Explorer::hashes`] returns `None` until they are there.

mod advice;
mod arrival;
mod graph;
mod typing;

use std::cell::Cell;
use std::sync::Arc;

use cache_index::index::{Index, Part, RecipeList};
use cache_query::host::Host;
use cache_query::{
    Answer, Change, PartFilter, Presentation, Query, Question, Tab, View, apply, run_with,
};
use leptos::prelude::*;

pub use self::advice::Advice;
use self::arrival::{Arrival, Rest};
use self::graph::{Address, Answers, QueryParts};
pub use self::graph::{PassingBuilds, TypedSearch};
use crate::browser::parts::{self, PartError, Stage};
use crate::browser::{self, history, rest, tasks};
use crate::memo::memo;

/// The index, the query and its answers; components get this handle from their context.
#[derive(Clone, Copy)]
pub struct Explorer {
    /// The cache to explore.
    pub index: &'static Index,
    /// `None` natively.
    advice: Option<Advice>,
    address: Address,
    asked: QueryParts,
    arrival: Arrival,
    /// `false` while the page may still show its first view, which has the same answer.
    live: RwSignal<bool>,
    /// `true` if a part of a page needs the dependencies.
    wants_dependencies: RwSignal<bool>,
    answers: Answers,
    answer: Memo<Arc<Answer>>,
    baseline: Memo<Arc<Answer>>,
}

/// Returns `true` if the first module of the app can answer a query. It contains the list of packages and the facets.
pub(crate) fn is_for_first_visits(query: &Query) -> bool {
    query.view() == View::Packages
        && query.presentation.tab == Tab::List
        && query.question.text.is_empty()
        && query.question.host.is_none()
        && query.question.since.is_none()
        && query.question.part_filters.is_empty()
}

impl Explorer {
    /// Starts with the query in the address bar, and follows it from then on. `all` is the answer without any filter, if it
    /// is known. `is_live` is `false` while the page still shows its first view.
    pub(crate) fn new(
        index: &'static Index,
        advice: Option<Advice>,
        all: Option<Arc<Answer>>,
        is_live: bool,
    ) -> Explorer {
        let address = Address::follow(index);
        let arrival = Arrival::new(index, rest::is_here());
        let judged = graph::judged(index, advice, address.query, arrival);
        let asked = QueryParts::of(address.query, judged);
        let answers = Answers::new(index, all, asked.question, arrival.arrived);
        let (baseline, answer) = graph::answers(asked.view, asked.question, answers);
        let live = RwSignal::new(is_live);
        let wants_dependencies = RwSignal::new(false);
        let explorer = Explorer {
            index,
            advice,
            address,
            asked,
            arrival,
            live,
            wants_dependencies,
            answers,
            answer,
            baseline,
        };
        explorer.take_dependencies_when_needed();
        explorer
    }

    /// Decodes the dependencies once a search or a page needs them and their text has arrived.
    fn take_dependencies_when_needed(self) {
        let Explorer { index, address, asked, arrival, wants_dependencies, answers, .. } = self;
        let arrived = arrival.arrived;
        let view_needs = memo(move || {
            // A verdict depends on what a build needs.
            address.query.with(|query| query.question.host.is_some())
                || asked.view.with(|view| match view {
                    View::Build(_) | View::Compare(_) | View::Environment | View::Changes => true,
                    // A spec for all matching builds may have to name their dependencies.
                    View::Package(_) => {
                        let tab = asked.presentation.with(|shown| shown.tab);
                        matches!(tab, Tab::Install | Tab::Uses)
                    }
                    _ => false,
                })
        });
        let is_loading = Cell::new(false);
        Effect::new(move || {
            let is_needed =
                answers.needs_dependencies.get() || view_needs.get() || wants_dependencies.get();
            let has_text = arrived.with(|a| a.stage == Stage::All && !a.dependencies);
            if is_needed && has_text && !is_loading.replace(true) {
                // Decoding blocks the page, so the loading notice is painted first.
                tasks::spawn(async move {
                    tasks::painted().await;
                    match parts::load_dependencies(index).await {
                        Ok(()) => arrival.note(|arrived| arrived.dependencies = true),
                        Err(problem) => self.end(&problem),
                    }
                });
            }
        });
    }

    /// Reads the parts of the index that follow the columns as they arrive. Returns the problem, if there was one.
    pub(crate) async fn take_parts(self) -> Option<String> {
        let taken = |stage| self.arrival.note(|arrived| arrived.stage = stage);
        let problem = parts::take_later(self.index, taken).await.err()?;
        self.end(&problem);
        Some(problem.to_string())
    }

    /// Notes that a part of the index could not be read, and that no further part will be.
    fn end(self, problem: &PartError) {
        self.arrival.note(|arrived| {
            arrived.dependencies = true;
            arrived.is_broken = true;
            arrived.problem = Some(problem.to_string());
        });
    }

    /// Reports that a part which is only read on request could not be read.
    pub fn report_failure(self, problem: &PartError) {
        self.arrival.note(|arrived| arrived.problem = Some(problem.to_string()));
    }

    /// Fetches the rest of the app; returns `false` if it could not be fetched.
    pub(crate) async fn load_rest(self) -> bool {
        let is_here = rest::load().await;
        self.arrival.rest.set(if is_here { Rest::Here } else { Rest::Failed });
        is_here
    }

    /// Returns the index once its hashes have been read, or never will be because a part of it is damaged.
    pub fn hashes(&self) -> Option<&'static Index> {
        self.arrival.hashes.get().then_some(self.index)
    }

    /// Returns the index once its details, which follow the hashes, have been read, or never will be.
    pub fn details(&self) -> Option<&'static Index> {
        self.arrival.details.get().then_some(self.index)
    }

    /// Returns the index once its dependencies have been decoded, or never will be. They are only read if something
    /// [needs](Explorer::want_dependencies) them.
    pub fn dependencies(&self) -> Option<&'static Index> {
        self.arrival.dependencies.get().then_some(self.index)
    }

    /// Returns the index once all of these have been read, or never will be.
    pub fn whole(&self) -> Option<&'static Index> {
        self.details().and(self.dependencies())
    }

    /// Returns the index with whatever has arrived of it. Whatever reads this is notified when more arrives.
    pub fn so_far(&self) -> &'static Index {
        let _ = (self.hashes(), self.details(), self.dependencies());
        self.index
    }

    /// Returns `true` if the cache was published with recipes.
    pub fn has_recipes(&self) -> bool {
        self.index.recipe_list().is_some() || parts::is_stated(Part::Recipes)
    }

    /// Returns the index with whatever has been read of it on request. Whatever reads this is notified when more is read.
    pub fn requested(&self) -> &'static Index {
        self.arrival.requested.track();
        self.index
    }

    /// Notes that something has been read on request.
    pub fn note_requested(&self) {
        self.arrival.requested.set(true);
    }

    /// Returns what lists show about recipes, once it has been read.
    pub fn recipe_list(&self) -> Option<&'static RecipeList> {
        self.requested().recipe_list()
    }

    /// Returns what is wrong with a part of the index, if anything is.
    pub(crate) fn problem(&self) -> Option<String> {
        self.arrival.problem.get()
    }

    /// Returns `true` if the rest of the app has arrived.
    pub(crate) fn has_rest(&self) -> bool {
        self.arrival.rest.get() == Rest::Here
    }

    /// Returns `true` if the rest of the app could not be fetched.
    pub(crate) fn lacks_rest(&self) -> bool {
        self.arrival.rest.get() == Rest::Failed
    }

    /// Returns `true` once the page follows every change.
    pub(crate) fn is_live(&self) -> bool {
        self.live.get()
    }

    /// Lets the page follow every change from now on.
    pub(crate) fn go_live(&self) {
        if !self.live.get_untracked() {
            self.live.set(true);
        }
    }

    /// Returns `true` if the search waits for a part of the index. Until that arrives, the answer is that of the previous
    /// search.
    pub fn is_searching(&self) -> bool {
        self.is_live() && self.answers.is_waiting.get() && !self.asked.needs_user.get()
    }

    /// Returns `true` if nothing matches. A first view never counts as empty: it was published with its answer.
    pub(crate) fn finds_nothing(&self) -> bool {
        self.is_live() && self.answer().builds == 0
    }

    /// Requests the dependencies, which most visits never need.
    pub fn want_dependencies(&self) {
        self.wants_dependencies.set(true);
    }

    /// Returns the explorer that the app provides as context.
    pub fn here() -> Explorer {
        expect_context()
    }

    /// Returns the query.
    pub(crate) fn query(&self) -> Query {
        self.address.query.get()
    }

    /// Reads the whole query, for callers that depend on both its halves.
    pub fn with_query<T>(&self, read: impl FnOnce(&Query) -> T) -> T {
        self.address.query.with(read)
    }

    /// Reads the question.
    pub fn with_question<T>(&self, read: impl FnOnce(&Question) -> T) -> T {
        self.asked.question.with(read)
    }

    /// Reads the presentation.
    pub fn with_presentation<T>(&self, read: impl FnOnce(&Presentation) -> T) -> T {
        self.asked.presentation.with(read)
    }

    /// Returns the view that answers the question; it changes only when another page opens.
    pub fn view(&self) -> Memo<View> {
        self.asked.view
    }

    /// Returns the answer.
    pub fn answer(&self) -> Arc<Answer> {
        self.answer.get()
    }

    /// Returns `true` if it is not yet known which builds pass the filters on other parts of the index.
    pub(crate) fn awaits_parts(&self) -> bool {
        self.with_question(Question::awaits_parts)
    }

    /// Sets the builds that pass those filters.
    pub fn hand_in(&self, passed: Option<PassingBuilds>) {
        self.asked.passed.set(passed);
    }

    /// Sets whether the user has to decide before those filters are applied.
    pub fn wait_for_user(&self, waits: bool) {
        self.asked.needs_user.set(waits);
    }

    /// Returns the answer to a question that is not the one on the page.
    pub fn answer_to(&self, question: &Question) -> Arc<Answer> {
        self.answers.to(question)
    }

    /// Returns the answer as if no licence were chosen.
    pub fn answer_but_for_licenses(&self) -> Arc<Answer> {
        let answer = self.answer();
        let mut question = self.with_question(Clone::clone);
        question.part_filters.retain(|filter| !matches!(filter, PartFilter::License(_)));
        question.passing = self.asked.passed.with(|passed| {
            passed.as_ref().map(|passed| passed.but_for_licenses.clone()).unwrap_or_default()
        });
        match self.with_question(|asked| asked.part_filters == question.part_filters) {
            true => answer,
            false => self.answers.to(&question),
        }
    }

    /// Returns how many builds would match if the question were limited to those that first appeared on this day or later.
    pub fn builds_since(&self, since: &str) -> u32 {
        let question = self.with_question(Clone::clone);
        let found = self.answers.selection(&question);
        self.details();
        let question = Question { since: Some(since.to_owned()), ..question };
        run_with(self.index, &question, found).builds
    }

    /// Returns the answer without any filter, within the open package. Facets are ordered by it, so that their values
    /// stay in place while a user chooses among them.
    pub fn baseline(&self) -> Arc<Answer> {
        self.baseline.get()
    }

    /// Returns the machine that builds should run on.
    pub fn host(&self) -> Option<Host> {
        self.with_question(|question| question.host.clone())
    }

    /// Returns the parts of the address that were not understood when the page was opened.
    pub fn ignored(&self) -> Vec<String> {
        self.address.ignored.get()
    }

    /// Returns the address after a change.
    pub fn address_after(&self, change: Change) -> String {
        self.with_query(|query| history::address(&apply(query, change)))
    }

    /// Returns the address after a change on the page of a cache that the user has opened.
    pub fn address_in(&self, cache: &str, change: Change) -> String {
        self.with_query(|query| history::address_in(cache, &apply(query, change)))
    }

    /// Changes the query without a step in the history: as if the page had started with it, or as a part of the last step.
    pub fn start_from(&self, change: Change) {
        let after = apply(&self.address.query.get_untracked(), change);
        history::replace(&after);
        self.address.query.set(after);
    }

    /// Changes the query and the address, as a step that Back undoes.
    pub fn go(&self, change: Change) {
        let before = self.address.query.get_untracked();
        let after = apply(&before, change);
        self.show(&before, after, false);
    }

    /// Goes to an address on this page, as a step that Back undoes; returns `false` if the address is that of another page.
    pub(crate) fn follow(&self, address: &str) -> bool {
        let Some(after) = history::query_of(address) else { return false };
        self.show(&self.address.query.get_untracked(), after, false);
        true
    }

    fn show(&self, before: &Query, after: Query, same_step: bool) {
        if after == *before {
            return;
        }
        self.go_live();
        if same_step {
            history::replace(&after);
        } else {
            history::push(&after);
        }
        // Another page starts at its top.
        let opens = after.view() != before.view();
        if opens {
            browser::leave_results();
        }
        self.address.ignored.set(Vec::new());
        self.address.query.set(after);
        if opens {
            browser::scroll_to_top();
        }
    }
}
