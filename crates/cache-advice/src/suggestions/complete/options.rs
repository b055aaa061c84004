//! Finding the options: which kinds there are, in which order, and how many builds each finds.

use std::ops::Range;

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_query::search::{Search, SplitText, TextMeaning, split};
use cache_query::{Answer, Change, Query, apply, run};
use spack_spec::CompletionKind;
use spack_spec::Spec;

use super::{Completion, MOST};

/// The maximum number of builds for which options that need their dependencies are counted.
const FEW: u32 = 1000;

/// What is being completed.
pub(super) struct Options<'a> {
    pub(super) index: &'a Index,
    pub(super) query: &'a Query,
    pub(super) text: &'a str,
    /// Where the token of the piece starts.
    pub(super) token: usize,
    /// The typed letters, in lower case.
    pub(super) piece: String,
    /// The position of the piece in the text.
    pub(super) span: Range<usize>,
    /// `true` if the token is about the build itself, not a dependency.
    pub(super) of_root: bool,
    /// The text without the token.
    pub(super) base: String,
}

impl Options<'_> {
    pub(super) fn of(&self, expected: CompletionKind) -> Vec<Completion> {
        let mut options = match expected {
            CompletionKind::Package if self.of_root => {
                let mut options = self.packages();
                if !self.piece.is_empty() {
                    options.extend(self.facets());
                }
                options
            }
            CompletionKind::Package => self.dependencies(),
            CompletionKind::Compiler if self.of_root => self.compilers("", &self.piece),
            CompletionKind::Compiler => self.direct(),
            CompletionKind::Version { name } => self.versions(name.as_deref()),
            CompletionKind::BoolVariant { package } => self.variants(self.package(package), true),
            CompletionKind::Value { package, key } => self.values(self.package(package), &key),
            CompletionKind::Attribute { package } => {
                let mut options = self.variants(self.package(package), false);
                if self.of_root && !self.piece.is_empty() {
                    options.extend(self.facets());
                    options.extend(self.compilers("%", &self.piece));
                }
                options.extend(self.keys());
                options
            }
            _ => Vec::new(),
        };
        options.truncate(MOST);
        // Leave out what a spec cannot have twice, and has already.
        let problems = |text: &str| Spec::read(text, self.index.dialect()).problems.len();
        let before = problems(&self.base);
        let is_fit =
            |one: &Completion| one.builds.is_none() || problems(&self.with(&one.text)) <= before;
        options.retain(is_fit);
        // A part of a name, or a virtual package, means something else once more follows.
        let stays = match Search::read(self.index, &self.base).asked {
            TextMeaning::Anything => true,
            TextMeaning::Words(_) | TextMeaning::Hash(_) | TextMeaning::Hashes(_) => false,
            TextMeaning::Spec(spec) => {
                spec.root.name.is_none_or(|name| self.package(Some(name)).is_some())
            }
        };
        if !stays {
            for option in options.iter_mut().filter(|option| option.builds.is_some()) {
                option.builds = Some(self.found_with(&option.text));
            }
            options.retain(|option| option.builds != Some(0));
        }
        // Which builds have such a file is only looked up once the user asks for it.
        if apply(self.query, Change::Type(split(self.index, &self.base))).question.awaits_parts() {
            options.iter_mut().for_each(|option| option.builds = None);
        }
        options
    }

    /// Returns the text with another in place of the piece.
    pub(super) fn with(&self, text: &str) -> String {
        [&self.text[..self.span.start], text, &self.text[self.span.end..]].concat()
    }

    pub(super) fn package(&self, name: Option<String>) -> Option<ValueCode> {
        self.index.dictionary(Facet::Package).code(&name?)
    }

    /// Returns the answer to the text without the token, and without what is chosen in this facet.
    pub(super) fn answer_but_for(&self, facet: Option<Facet>) -> Answer {
        let SplitText { choices, part_filters, looks_for, .. } = split(self.index, &self.base);
        // The typed values of a facet replace those that are chosen.
        let typed =
            SplitText { text: self.base.clone(), part_filters, looks_for, ..SplitText::default() };
        let mut query = apply(self.query, Change::Type(typed));
        for facet in choices.into_iter().map(|(facet, _)| facet).chain(facet) {
            query.question.choice_mut(facet).clear_included();
        }
        run(self.index, &query.question)
    }

    /// Returns the number of builds that match with a text in place of the piece.
    pub(super) fn found_with(&self, text: &str) -> u32 {
        let query = apply(self.query, Change::Type(split(self.index, &self.with(text))));
        run(self.index, &query.question).builds
    }

    /// Returns the texts that begin with the typed letters, and after those the texts that contain them.
    pub(super) fn ranked<'t>(
        &self,
        kind: &'static str,
        sign: &str,
        texts: impl Iterator<Item = (&'t str, Option<u32>)>,
    ) -> Vec<Completion> {
        let mut begins = Vec::new();
        let mut contains = Vec::new();
        for (text, builds) in texts.filter(|(_, builds)| *builds != Some(0)) {
            let option = || Completion {
                text: text.to_owned(),
                shown: format!("{sign}{text}"),
                kind,
                builds,
            };
            match text.to_ascii_lowercase().find(&self.piece) {
                Some(0) if begins.len() < MOST => begins.push(option()),
                Some(_) if contains.len() < MOST => contains.push(option()),
                _ => {}
            }
        }
        begins.extend(contains);
        begins
    }

    /// Returns the same options as [`ranked`](Options::ranked), for texts that have to be counted by one search each.
    pub(super) fn searched<'t>(
        &self,
        kind: &'static str,
        sign: &str,
        texts: impl Iterator<Item = &'t str>,
    ) -> Vec<Completion> {
        let mut options = self.ranked(kind, sign, texts.map(|text| (text, None)));
        options.truncate(MOST);
        let is_known = self.index.has_dependencies() || !self.index.lists_any_dependencies();
        let without = self.answer_but_for(None).builds;
        if is_known && without == 0 {
            // More constraints find no more.
            options.clear();
        } else if is_known && without <= FEW {
            for option in &mut options {
                option.builds = Some(self.found_with(&option.text));
            }
            options.retain(|option| option.builds != Some(0));
        }
        options
    }

    /// Returns the sign of the token, before the piece.
    pub(super) fn sign(&self) -> &str {
        self.text[self.token..self.span.start].trim()
    }
}
