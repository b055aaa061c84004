//! What is asked: everything that decides the answer.

use std::sync::Arc;

use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::index::Index;

use super::{AskedChanges, AskedEnvironment, AskedHash, ByBuild, Choice, Match, PartFilter, View};
use crate::host::{Host, Runs};
use crate::search::{self, SplitText};
use crate::{Preference, Setup, texts_once};

/// What is asked of an index. Equal questions have equal answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The text of the search box.
    pub text: String,
    /// The choice in each facet, by [`Facet::at`].
    pub choices: [Choice; Facet::COUNT],
    /// The hash of the open build.
    pub hash: Option<AskedHash>,
    /// Hashes of builds to compare, each listed once.
    pub compare: Vec<AskedHash>,
    /// The environment that is open.
    pub environment: Option<AskedEnvironment>,
    /// The changes that are open.
    pub changes: Option<AskedChanges>,
    /// The machine that builds should run on.
    pub host: Option<Host>,
    /// The GPUs of that machine, each listed once, such as `H100` or `gfx90a`.
    pub gpus: Vec<String>,
    /// The Spack on that machine and its settings, which decide what can be reused there; `None` for today's Spack with
    /// its defaults.
    pub preference: Option<Arc<Preference>>,
    /// Only builds that first appeared in a publication of this day or time, in UTC, or a later one.
    pub since: Option<String>,
    /// The verdicts on that machine to show; empty for all of them. Sorted and unique.
    pub runs: Vec<Runs>,
    /// The verdict on each build for that machine, once it is known. Computing it takes the dependencies, the GPUs and the
    /// rules of reuse; a question without it is answered by the labels of builds alone.
    pub judged: ByBuild<Runs>,
    /// `true` to show only builds that use one of the GPUs.
    pub only_on_gpu: bool,
    /// For each build `true` if it has GPU code that runs on one of the GPUs; known as soon as the verdicts are.
    pub on_gpu: ByBuild<bool>,
    /// Filters on what other parts of the index say, each listed once.
    pub part_filters: Vec<PartFilter>,
    /// For each build `true` if it passes all of these filters, once that is known.
    pub passing: ByBuild<bool>,
}

/// What is known of each build on the machine that a question names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnMachine {
    /// The verdict.
    pub works: ByBuild<Runs>,
    /// `true` if it has GPU code that runs on one of the machine's GPUs.
    pub uses_gpu: ByBuild<bool>,
}

impl OnMachine {
    /// Passes the values to a question about that machine.
    pub fn hand_in(self, question: &mut Question) {
        question.judged = self.works;
        question.on_gpu = self.uses_gpu;
    }
}

impl Question {
    /// Returns the question that consists of a search text.
    pub fn of_text(text: impl Into<String>) -> Question {
        Question { text: text.into(), ..Question::default() }
    }

    /// Returns the choice in a facet.
    pub fn choice(&self, facet: Facet) -> &Choice {
        &self.choices[facet.at()]
    }

    /// Returns the choice in a facet, to change it.
    pub fn choice_mut(&mut self, facet: Facet) -> &mut Choice {
        &mut self.choices[facet.at()]
    }

    /// Returns the verdicts to show; empty, which means all, unless a machine is chosen.
    pub fn asked_runs(&self) -> &[Runs] {
        if self.host.is_some() { &self.runs } else { &[] }
    }

    /// Returns `true` if only builds that use one of the machine's GPUs are shown; never without a machine that has one.
    pub fn asks_for_gpu(&self) -> bool {
        self.only_on_gpu && self.has_gpu()
    }

    /// Returns `true` if a machine with a GPU is chosen.
    pub fn has_gpu(&self) -> bool {
        self.host.is_some() && !self.gpus.is_empty()
    }

    /// Returns `true` if it is not known yet which builds use the machine's GPUs, and only these are shown.
    pub fn awaits_gpu_code(&self) -> bool {
        self.asks_for_gpu() && !self.on_gpu.is_known()
    }

    /// Returns the machine with its Spack, which decide what can be reused; `None` without a machine.
    pub fn setup(&self) -> Option<Setup> {
        self.host.clone().map(|host| self.preference().on(host))
    }

    /// Returns the Spack on the machine and its settings.
    pub fn preference(&self) -> Arc<Preference> {
        self.preference.clone().unwrap_or_default()
    }

    /// Returns the view that answers the question.
    pub fn view(&self) -> View {
        if !self.compare.is_empty() {
            return View::Compare(self.compare.clone());
        }
        if self.environment.is_some() {
            return View::Environment;
        }
        if self.changes.is_some() {
            return View::Changes;
        }
        match (&self.hash, self.open_package()) {
            (Some(AskedHash::Hash(hash)), _) => View::Build(*hash),
            (Some(AskedHash::Malformed(text)), _) => View::MalformedHash(text.clone()),
            (None, Some(package)) => View::Package(package.to_owned()),
            (None, None) => View::Packages,
        }
    }

    /// Returns the package that is open, or would be if the open build were closed.
    fn open_package(&self) -> Option<&str> {
        match self.choice(Facet::Package).included() {
            [package] => Some(package),
            _ => None,
        }
    }

    /// Returns `true` if anything besides the open package narrows the answer.
    pub fn is_filtered(&self) -> bool {
        let open = usize::from(matches!(self.view(), View::Package(_)));
        let chosen = |choice: &Choice| choice.included().len() + choice.excluded().len();
        !self.text.trim().is_empty()
            || !self.asked_runs().is_empty()
            || self.asks_for_gpu()
            || self.since.is_some()
            || !self.part_filters.is_empty()
            || self.hash.is_some()
            || self.choices.iter().map(chosen).sum::<usize>() > open
    }

    /// Returns `true` if the filters on releases and stacks do not rule out this place.
    pub fn leaves(&self, place: &Place) -> bool {
        [(Facet::Release, &place.release), (Facet::Stack, &place.stack)].into_iter().all(
            |(facet, value)| {
                let choice = self.choice(facet);
                !choice.excludes(value) && (choice.included().is_empty() || choice.includes(value))
            },
        )
    }

    /// Returns `true` if both have the same answer, because they differ at most in the page that shows it.
    pub fn has_answer_of(&self, other: &Question) -> bool {
        // Every field is named, so that the compiler asks for a decision on a new one.
        let Question {
            text,
            choices,
            hash,
            host,
            gpus: _,
            since,
            runs,
            judged,
            only_on_gpu: _,
            on_gpu,
            part_filters,
            passing,
            compare: _,
            environment: _,
            changes: _,
            preference: _,
        } = other;
        let own = (&self.text, &self.choices, &self.hash, &self.host, &self.since, &self.runs);
        own == (text, choices, hash, host, since, runs)
            && self.judged == *judged
            && self.asks_for_gpu() == other.asks_for_gpu()
            && self.on_gpu == *on_gpu
            && self.part_filters == *part_filters
            && self.passing == *passing
    }

    /// Returns the question without its filters: only the open package, build or comparison and the machine are left.
    pub fn without_filters(&self) -> Question {
        let mut bare = Question {
            compare: self.compare.clone(),
            environment: self.environment.clone(),
            changes: self.changes.clone(),
            host: self.host.clone(),
            gpus: self.gpus.clone(),
            preference: self.preference.clone(),
            ..Question::default()
        };
        if let View::Package(package) = self.view() {
            bare.choice_mut(Facet::Package).include(package);
        }
        bare
    }

    /// Leaves the open build, comparison, environment or changes.
    pub fn close_builds(&mut self) {
        self.hash = None;
        self.compare.clear();
        self.environment = None;
        self.changes = None;
    }

    /// States the machine, to see what runs there. If only its own OS or target was chosen, that choice is removed,
    /// because builds for others may run there too.
    pub(crate) fn run_on(&mut self, host: Host) {
        for (facet, own) in [(Facet::Os, host.os()), (Facet::Target, host.target())] {
            let choice = self.choice_mut(facet);
            if choice.included() == [own] {
                *choice = Choice::default();
            }
        }
        self.host = Some(host);
        // In an environment, builds that do not work there are in the cache nevertheless.
        self.runs = if self.environment.is_some() { Vec::new() } else { vec![Runs::Yes] };
    }

    /// States the GPUs of the machine.
    pub(crate) fn state_gpus(&mut self, gpus: &[String]) {
        self.gpus = texts_once(gpus);
        self.only_on_gpu &= !self.gpus.is_empty();
    }

    /// Adds a GPU to the machine.
    pub(crate) fn add_gpu(&mut self, gpu: &str) {
        crate::push_once(&mut self.gpus, gpu);
    }

    /// Adds a spec to the open environment, or opens one with it.
    pub fn add_spec(&mut self, spec: &str) {
        if !spec.trim().is_empty() {
            self.environment.get_or_insert_default().add_spec(spec);
        }
    }

    /// Asks for one value in each of these facets: instead of the included values, or in addition to them if all are
    /// required.
    pub fn narrow(&mut self, cell: Vec<(Facet, String)>) {
        for (facet, value) in cell {
            let choice = self.choice_mut(facet);
            if choice.matching() == Match::Any {
                choice.clear_included();
            }
            choice.include(facet.canonical(&value));
        }
    }

    /// Returns `true` if it is not known yet which builds pass the filters on other parts of the index.
    pub fn awaits_parts(&self) -> bool {
        !self.part_filters.is_empty() && !self.passing.is_known()
    }

    /// Adds a filter on another part of the index, unless it is there.
    pub fn add_part_filter(&mut self, filter: PartFilter) {
        if !self.part_filters.contains(&filter) {
            if let PartFilter::Signed(_) = filter {
                self.part_filters.retain(|there| !matches!(there, PartFilter::Signed(_)));
            }
            self.part_filters.push(filter);
            self.passing = ByBuild::default();
        }
    }

    /// Adds a filter on another part of the index, or removes it if it is there.
    pub(crate) fn toggle_part_filter(&mut self, filter: PartFilter) {
        match self.part_filters.iter().position(|there| *there == filter) {
            Some(at) => {
                self.part_filters.remove(at);
                self.passing = ByBuild::default();
            }
            None => self.add_part_filter(filter),
        }
    }

    /// Asks for what was typed. In a facet that the text mentions, the typed values replace all others; so do files, imports
    /// and the like.
    pub fn take(&mut self, typed: SplitText) {
        self.text = typed.text;
        let others = self.part_filters.len();
        self.part_filters.retain(|there| {
            let is_replaced = typed.part_filters.iter().any(|typed| typed.label() == there.label());
            !is_replaced || typed.part_filters.contains(there)
        });
        if self.part_filters.len() < others {
            self.passing = ByBuild::default();
        }
        typed.part_filters.into_iter().for_each(|filter| self.add_part_filter(filter));
        self.choose(typed.choices, typed.excluded, &typed.alternatives);
    }

    /// Chooses exactly these values in their facets, and excludes others. A build must have all of the values of a
    /// facet if it can have several, unless they are alternatives.
    pub fn choose(
        &mut self,
        choices: Vec<(Facet, Vec<String>)>,
        excluded: Vec<(Facet, String)>,
        alternatives: &[Facet],
    ) {
        for (facet, values) in choices {
            let choice = self.choice_mut(facet);
            let all = values.len() > 1 && facet.is_multi_valued() && !alternatives.contains(&facet);
            let matching = if all { Match::All } else { Match::Any };
            choice.replace_included(values);
            choice.set_matching(matching);
        }
        for (facet, value) in excluded {
            self.choice_mut(facet).exclude(value);
        }
    }

    /// Moves everything that a facet can express from the text into that facet.
    pub fn normalize(&mut self, index: &Index) {
        // The first answer, before anything is typed, does not need the code for this.
        if self.text.is_empty() {
            return;
        }
        let typed = search::split(index, &self.text);
        if !typed.choices.is_empty() || !typed.part_filters.is_empty() || typed.text != self.text {
            self.take(typed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_answer_of_questions_that_only_open_another_page() {
        let bare = Question::default();
        let mut other = Question { changes: Some(AskedChanges::Latest), ..Question::default() };
        other.add_spec("zlib");
        assert!(bare.has_answer_of(&other) && other.has_answer_of(&bare));
        other.text = "zlib".to_owned();
        assert!(!bare.has_answer_of(&other) && !other.has_answer_of(&bare));
        let mut narrowed = Question::default();
        narrowed.choice_mut(Facet::Os).include("ubuntu22.04");
        assert!(!bare.has_answer_of(&narrowed));
    }
}
