//! One value for everything about the page that a person would want to share.
//!
//! A [`Query`] says what is asked ([`text`](Query::text), choices by facet) and how the answer is
//! shown (which build, which columns, in which order). [`link`](crate::link) is its text form,
//! [`apply`] makes every transition, and [`run`] answers it.

mod alike;
mod change;
mod choice;
mod coverage;
mod filter;
mod places;
mod run;
mod sides;
mod tab;
mod table;
#[cfg(test)]
mod twin;
mod variety;

pub use alike::Alike;
pub use change::{Change, apply};
pub use choice::{Choice, Match};
pub use coverage::{Coverage, StackCounts};
pub use places::places;
pub use run::{Answer, run, run_with};
pub use tab::{Across, Tab};
pub use table::{Column, PackageRow, Sort, builds, packages};
pub use variety::most_varied;

use crate::facet::Facet;
use crate::host::{Host, Runs};

/// Everything about the page that a person would want to share. The default is the front page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// What is typed into the search box.
    pub text: String,
    /// What is chosen in each facet, by [`Facet::at`].
    pub choices: [Choice; Facet::COUNT],
    /// Hashes of single builds: one opens that build.
    pub hashes: Vec<String>,
    /// Hashes of builds to compare.
    pub compare: Vec<String>,
    /// The machine that builds should run on.
    pub host: Option<Host>,
    /// Of the verdicts on that machine, those asked for; none for all. Sorted, each once.
    pub runs: Vec<Runs>,
    /// Which part of the view is shown.
    pub tab: Tab,
    /// What the columns of the coverage matrix are.
    pub across: Across,
    /// The order of rows; none for the view's own.
    pub sort: Option<Sort>,
    /// The columns to show; none for the view's own. Sorted, each once.
    pub columns: Option<Vec<Column>>,
}

/// Which question a query asks, and so which view answers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View<'a> {
    /// Which packages are there?
    Packages,
    /// Which builds of this package are there?
    Package(&'a str),
    /// What is this build?
    Build(&'a str),
    /// How do these builds differ?
    Compare(&'a [String]),
}

impl Query {
    /// What is chosen in a facet.
    pub fn choice(&self, facet: Facet) -> &Choice {
        &self.choices[facet.at()]
    }

    pub(crate) fn choice_mut(&mut self, facet: Facet) -> &mut Choice {
        &mut self.choices[facet.at()]
    }

    /// The verdicts that are asked for: none while there is no machine to judge by.
    pub fn asked_runs(&self) -> &[Runs] {
        if self.host.is_some() { &self.runs } else { &[] }
    }

    /// The view that answers it.
    pub fn view(&self) -> View<'_> {
        if !self.compare.is_empty() {
            return View::Compare(&self.compare);
        }
        if let [hash] = self.hashes.as_slice() {
            return View::Build(hash);
        }
        match self.choice(Facet::Package).included() {
            [package] => View::Package(package),
            _ => View::Packages,
        }
    }

    /// Whether anything narrows the answer, apart from the package that is open.
    pub fn is_filtered(&self) -> bool {
        let open = usize::from(matches!(self.view(), View::Package(_)));
        let chosen = |choice: &Choice| choice.included().len() + choice.excluded().len();
        !self.text.trim().is_empty()
            || !self.asked_runs().is_empty()
            || !self.hashes.is_empty()
            || self.choices.iter().map(chosen).sum::<usize>() > open
    }
}
