//! Typing into the search box: what a text asks for, letter by letter.

use cache_query::search::{self, Completions, Search};
use cache_query::{Change, Query, Question, View, apply};
use leptos::prelude::*;

use super::graph::{self, TypedSearch};
use super::{Advice, Explorer};

impl Explorer {
    /// Returns the text in the search box: the text as it was typed until something else changes the query, and then
    /// the part of the query that only a text can express.
    pub fn search_text(&self) -> String {
        match self.typing() {
            Some(typing) => typing.text,
            None => self.with_question(|question| question.text.clone()),
        }
    }

    /// Returns what was typed, unless something else has changed the query since.
    pub fn typing(&self) -> Option<TypedSearch> {
        let query = self.address.query;
        self.address.typing.with(|typing| {
            let is_ours = |typing: &&TypedSearch| query.with(|query| typing.after == *query);
            typing.as_ref().filter(is_ours).cloned()
        })
    }

    /// Returns the query as it was before the text in the search box was typed.
    pub fn before_typing(&self) -> Query {
        self.typing().map_or_else(|| self.query(), |typing| typing.from)
    }

    /// Returns the query before typing, with the builds that pass its filters on other parts, to count what a text would
    /// find in it.
    fn query_to_complete(&self) -> Query {
        untrack(|| {
            let mut query = self.before_typing();
            graph::hand_in(self.asked.passed, &mut query.question);
            query
        })
    }

    /// Returns the completions of a text in the search box, at a cursor: an offset in bytes.
    pub(crate) fn complete(&self, text: &str, cursor: usize) -> Completions {
        let complete =
            |advice: Advice| (advice.complete)(self.index, &self.query_to_complete(), text, cursor);
        self.advice.map(complete).unwrap_or_default()
    }

    /// Shows what a text asks for while it is being typed. `offered` are the completions at its end.
    ///
    /// Each letter starts again from the query before the first letter, because what the text said a letter ago is no
    /// longer asked for. The whole text is one step of the history.
    pub(crate) fn type_text(&self, text: &str, offered: &Completions) {
        let from = untrack(|| self.before_typing());
        let finds = |question: &Question| self.answers.to(question).builds > 0;
        let Some(advice) = self.advice else { return };
        let opened = untrack(|| self.typing()).and_then(|typing| typing.opened);
        let base = self.base(&from, opened.as_deref(), text);
        let (after, read) = (advice.while_typing)(self.index, &base, text, offered, &finds);
        let text = text.to_owned();
        self.set_typing(TypedSearch { text, from, after, read, is_open: true, opened });
    }

    /// Shows what a complete text asks for, in place of what was typed.
    pub fn search_for(&self, text: &str) {
        let from = untrack(|| self.before_typing());
        let typed = Change::Type(search::split(self.index, text));
        let opened = untrack(|| self.typing()).and_then(|typing| typing.opened);
        let after = apply(&self.base(&from, opened.as_deref(), text), typed);
        let (read, text) = (text.len(), text.to_owned());
        let is_open = untrack(|| self.typing()).is_some_and(|typing| typing.is_open);
        self.set_typing(TypedSearch { text, from, after, read, is_open, opened });
    }

    /// Opens the page of the package that the typed text led to, in the same step of the history, and leaves the text in the
    /// box. Another text starts again from the query before typing, unless it names the package.
    pub(crate) fn open_typed(&self, package: String) {
        let change = Change::OpenPackage(package.clone());
        let Some(typing) = untrack(|| self.typing()) else { return self.go(change) };
        let after = apply(&typing.after, change);
        let (before, same_step) = (typing.after.clone(), typing.is_own_step());
        let typing =
            TypedSearch { after: after.clone(), is_open: false, opened: Some(package), ..typing };
        self.address.typing.set(Some(typing));
        self.show(&before, after, same_step);
    }

    /// Returns the query that a text is typed into: the one before typing, or the page of the package that the text has
    /// opened, as long as the text names that package.
    fn base(&self, from: &Query, opened: Option<&str>, text: &str) -> Query {
        let Some(opened) = opened else { return from.clone() };
        match search::split(self.index, text).looks_for {
            Some(name) if name == opened => apply(from, Change::OpenPackage(name)),
            // The earlier text has replaced the page of another package.
            _ if matches!(from.view(), View::Package(before) if before != opened && !text.is_empty()) => {
                apply(from, Change::OpenPackages)
            }
            _ => from.clone(),
        }
    }

    /// Ends the typing: further typing is another step of the history.
    pub(crate) fn end_typing(&self) {
        self.address.typing.update(|typing| {
            typing.iter_mut().for_each(|typing| typing.is_open = false);
        });
    }

    fn set_typing(&self, typing: TypedSearch) {
        let before = self.address.query.get_untracked();
        let after = typing.after.clone();
        let same_step = untrack(|| self.typing()).is_some_and(|typing| typing.is_own_step());
        // Set before the query, so that the new query counts as typed.
        self.address.typing.set(Some(typing));
        self.show(&before, after, same_step);
    }

    /// Returns how many builds a text would find in place of what was typed; `None` if that depends on parts of the index
    /// that are not there.
    pub fn builds_of(&self, text: &str) -> Option<u32> {
        let typed = Change::Type(search::split(self.index, text));
        let question = apply(&self.query_to_complete(), typed).question;
        if question.awaits_parts() {
            return None;
        }
        let search = Search::read(self.index, &question.text);
        if search.needs_dependencies(self.index) && self.dependencies().is_none() {
            self.want_dependencies();
            return None;
        }
        Some(self.answers.to(&question).builds)
    }
}
