#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod address;
mod asked;
mod by_build;
mod change;
mod choice;
mod class;
mod filter;
pub mod host;
pub mod lookup;
mod once;
mod part_filter;
mod place_counts;
mod preference;
mod presentation;
mod question;
mod rail;
mod ranking;
mod run;
pub mod search;
mod selection;
mod table;
#[cfg(test)]
mod twin;
mod view;

pub use asked::{AskedChanges, AskedEnvironment, AskedSide};
pub use by_build::ByBuild;
pub use change::{Change, apply};
pub use choice::{Choice, Match};
pub use class::Class;
pub use filter::Filter;
pub(crate) use once::{keep_once, push_once, texts_once};
pub use part_filter::PartFilter;
pub use preference::{Preference, Setup};
pub use presentation::{Across, MatrixRows, NodeStatus, Presentation, ShownNodes, Tab};
pub use question::{OnMachine, Question};
pub use rail::{constants, facets_to_filter};
pub use ranking::{search_values, values_in_order};
pub use run::{Answer, matching_in, matching_went, run, run_with};
pub use selection::Selection;
pub use table::{Column, PackageRow, Size, Sort, builds, packages};
pub use view::{AskedHash, View, is_hash_prefix};

use cache_index::index::Index;

/// Everything about the page that a user would want to share. The default is the front page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// What is asked.
    pub question: Question,
    /// How the answer is shown; this never changes the answer.
    pub presentation: Presentation,
}

impl Query {
    /// Returns the view that answers the question.
    pub fn view(&self) -> View {
        self.question.view()
    }

    /// Returns the canonical form of this query, in which the text contains nothing that a facet
    /// can express. Queries that ask for the same have the same canonical form, and one address.
    pub fn normalized(mut self, index: &Index) -> Query {
        self.question.normalize(index);
        self
    }
}
