//! What is asked: everything that decides the answer.

use super::{AskedHash, Choice, Match, View};
use crate::facet::Facet;
use crate::host::{Host, Runs};
use crate::index::Index;
use crate::search::{self, Typed};

/// What is asked of an index. Equal questions have equal answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The text of the search box.
    pub text: String,
    /// What is chosen in each facet, by [`Facet::at`].
    pub choices: [Choice; Facet::COUNT],
    /// Hashes of single builds; one hash opens that build. Each is listed once.
    pub hashes: Vec<AskedHash>,
    /// Hashes of builds to compare, each listed once.
    pub compare: Vec<AskedHash>,
    /// The machine that builds should run on.
    pub host: Option<Host>,
    /// The verdicts on that machine to show; empty for all of them. Sorted and unique.
    pub runs: Vec<Runs>,
}

impl Question {
    /// Returns the question that a search text alone asks.
    pub fn of_text(text: impl Into<String>) -> Question {
        Question { text: text.into(), ..Question::default() }
    }

    /// Returns what is chosen in a facet.
    pub fn choice(&self, facet: Facet) -> &Choice {
        &self.choices[facet.at()]
    }

    pub(crate) fn choice_mut(&mut self, facet: Facet) -> &mut Choice {
        &mut self.choices[facet.at()]
    }

    /// Returns the verdicts to show, which are all of them (an empty list) as long as there is no
    /// machine to judge by.
    pub fn asked_runs(&self) -> &[Runs] {
        if self.host.is_some() { &self.runs } else { &[] }
    }

    /// Returns the view that answers the question.
    pub fn view(&self) -> View {
        if !self.compare.is_empty() {
            return View::Compare(self.compare.clone());
        }
        match (self.hashes.as_slice(), self.open_package()) {
            ([AskedHash::Hash(hash)], _) => View::Build(*hash),
            ([AskedHash::Malformed(text)], _) => View::MalformedHash(text.clone()),
            (_, Some(package)) => View::Package(package.to_owned()),
            (_, None) => View::Packages,
        }
    }

    /// Returns the package that is open, or would be if the build that is open were closed.
    fn open_package(&self) -> Option<&str> {
        match self.choice(Facet::Package).included() {
            [package] => Some(package),
            _ => None,
        }
    }

    /// Returns whether anything narrows the answer, apart from the package that is open.
    pub fn is_filtered(&self) -> bool {
        let open = usize::from(matches!(self.view(), View::Package(_)));
        let chosen = |choice: &Choice| choice.included().len() + choice.excluded().len();
        !self.text.trim().is_empty()
            || !self.asked_runs().is_empty()
            || !self.hashes.is_empty()
            || self.choices.iter().map(chosen).sum::<usize>() > open
    }

    /// Returns the question without its filters: what is left are the package, the build or the
    /// comparison that is open, and the machine.
    pub(crate) fn without_filters(&self) -> Question {
        let mut bare = Question {
            compare: self.compare.clone(),
            host: self.host.clone(),
            ..Question::default()
        };
        if let View::Package(package) = self.view() {
            bare.choice_mut(Facet::Package).include(package);
        }
        bare
    }

    /// Leaves the build or the comparison that is open.
    pub(crate) fn close_builds(&mut self) {
        self.hashes.clear();
        self.compare.clear();
    }

    /// Asks for one value in each of these facets: in place of the values that are included, or in
    /// addition to them where all are asked for.
    pub(crate) fn narrow(&mut self, cell: Vec<(Facet, String)>) {
        for (facet, value) in cell {
            let choice = self.choice_mut(facet);
            if choice.matching() == Match::Any {
                choice.clear_included();
            }
            choice.include(facet.canonical(&value));
        }
    }

    /// Asks for what was typed. A facet that the text mentions asks for the typed values alone.
    pub(crate) fn take(&mut self, typed: Typed) {
        self.text = typed.text;
        for (facet, values) in typed.choices {
            let choice = self.choice_mut(facet);
            let matching = if values.len() > 1 { Match::All } else { Match::Any };
            choice.replace_included(values);
            choice.set_matching(matching);
        }
    }

    /// Moves everything from the text that a facet can express into that facet.
    pub(crate) fn normalize(&mut self, index: &Index) {
        let typed = search::split(index, &self.text);
        if !typed.choices.is_empty() {
            self.take(typed);
        }
    }
}
