//! One value for everything about the page that a person would want to share.
//!
//! A [`Query`] says what is asked ([`text`](Query::text), choices by facet) and how the answer is
//! shown (which build, which columns, in which order). [`link`](crate::link) is its text form,
//! [`apply`] makes every transition, and [`run`] answers it.

mod change;
mod choice;
mod filter;
mod run;
mod sides;
mod table;
#[cfg(test)]
mod twin;

pub use change::{Change, apply};
pub use choice::{Choice, Match};
pub use run::{Answer, run, run_with};
pub use table::{Column, PackageRow, Sort, builds, packages};

use crate::facet::Facet;

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
    /// The machine that builds should run on, as `linux.ubuntu24.04.zen4`.
    pub host: Option<String>,
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
            || !self.hashes.is_empty()
            || self.choices.iter().map(chosen).sum::<usize>() > open
    }
}
