//! The search for what may follow: which kinds are offered, in which order, and how many builds each finds.

use std::ops::Range;

use spack_spec::Spec;
use spack_spec::parse::Expected;

use super::{Completion, MOST};
use crate::facet::Facet;
use crate::index::{Index, ValueCode};
use crate::query::{Answer, Change, Query, apply, run};
use crate::search::{Asked, Search, Typed, split};

/// How many builds may have to be asked for their dependencies with each offer.
const FEW: u32 = 1000;

/// The search for what may follow.
pub(super) struct Options<'a> {
    pub(super) index: &'a Index,
    pub(super) query: &'a Query,
    pub(super) text: &'a str,
    /// Where the token begins of which the piece is a part.
    pub(super) token: usize,
    /// The letters typed, in lower case.
    pub(super) piece: String,
    /// Where they are.
    pub(super) span: Range<usize>,
    /// Whether the token says something of the build itself.
    pub(super) of_root: bool,
    /// The text without the token.
    pub(super) base: String,
}

impl Options<'_> {
    pub(super) fn of(&self, expected: Expected) -> Vec<Completion> {
        let package = |of: Option<String>| self.package(of);
        let mut options = match expected {
            Expected::Package if self.of_root => {
                let mut options = self.packages();
                if !self.piece.is_empty() {
                    options.extend(self.facets());
                }
                options
            }
            Expected::Package => self.dependencies(),
            Expected::Compiler if self.of_root => self.compilers("", &self.piece),
            Expected::Compiler => self.direct(),
            Expected::Version { of } => self.versions(of.as_deref()),
            Expected::BoolVariant { of } => self.variants(package(of), true),
            Expected::Value { of, key } => self.values(package(of), &key),
            Expected::Attribute { of } => {
                let mut options = self.variants(package(of), false);
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
        // What a spec cannot have twice is no use a second time.
        let problems = |text: &str| Spec::read(text, self.index.dialect()).problems.len();
        let before = problems(&self.base);
        let is_fit =
            |one: &Completion| one.builds.is_none() || problems(&self.with(&one.text)) <= before;
        options.retain(is_fit);
        // What was a part of a name, or a virtual package, does not stay the same with more.
        let stays = match Search::read(self.index, &self.base).asked {
            Asked::Anything => true,
            Asked::Words(_) | Asked::Hash(_) => false,
            Asked::Spec(spec) => {
                spec.root.name.is_none_or(|name| self.package(Some(name)).is_some())
            }
        };
        if !stays {
            for option in options.iter_mut().filter(|option| option.builds.is_some()) {
                option.builds = Some(self.found_with(&option.text));
            }
            options.retain(|option| option.builds != Some(0));
        }
        options
    }

    /// The text with something in the place of the piece.
    pub(super) fn with(&self, text: &str) -> String {
        [&self.text[..self.span.start], text, &self.text[self.span.end..]].concat()
    }

    pub(super) fn package(&self, name: Option<String>) -> Option<ValueCode> {
        self.index.dictionary(Facet::Package).code(&name?)
    }

    /// The answer to the text without the token, whatever is chosen in this facet.
    pub(super) fn answer_but_for(&self, facet: Option<Facet>) -> Answer {
        let Typed { choices, looks_for, .. } = split(self.index, &self.base);
        // What the text says of a facet takes the place of what is chosen there.
        let typed = Typed { text: self.base.clone(), choices: Vec::new(), looks_for };
        let mut query = apply(self.query, Change::Type(typed));
        for facet in choices.into_iter().map(|(facet, _)| facet).chain(facet) {
            query.question.choice_mut(facet).clear_included();
        }
        run(self.index, &query.question)
    }

    /// How many builds match once this takes the place of the piece.
    pub(super) fn found_with(&self, text: &str) -> u32 {
        let query = apply(self.query, Change::Type(split(self.index, &self.with(text))));
        run(self.index, &query.question).builds
    }

    /// What of these is offered: what begins with the letters typed, then what contains them.
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

    /// The same, where counting takes a search for each.
    pub(super) fn searched<'t>(
        &self,
        kind: &'static str,
        sign: &str,
        texts: impl Iterator<Item = &'t str>,
    ) -> Vec<Completion> {
        let mut options = self.ranked(kind, sign, texts.map(|text| (text, None)));
        options.truncate(MOST);
        let is_known = self.index.has_dependencies() || !self.index.lists_any_dependencies();
        if is_known && self.answer_but_for(None).builds <= FEW {
            for option in &mut options {
                option.builds = Some(self.found_with(&option.text));
            }
            options.retain(|option| option.builds != Some(0));
        }
        options
    }

    /// The sign that the token has before the piece.
    pub(super) fn sign(&self) -> &str {
        self.text[self.token..self.span.start].trim()
    }
}
