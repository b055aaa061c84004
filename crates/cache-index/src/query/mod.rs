//! What a person asks of an index, and the answer.
//!
//! A [`Query`] is everything about the page that a person would want to share. It has two halves:
//! the [`Question`], which decides what the answer is and which [`View`] shows it, and the
//! [`Presentation`], which decides only how that view is laid out. [`address`](crate::address) is the
//! query's text form, [`apply`] makes every transition, and [`run`] answers a question.

mod alike;
mod change;
mod choice;
mod complete;
mod coverage;
mod examples;
mod filter;
mod gaps;
mod install;
mod look_alikes;
mod nearest;
mod places;
mod presentation;
mod question;
mod rail;
mod ranking;
mod run;
mod runs_on;
mod sides;
mod similar;
mod table;
#[cfg(test)]
mod twin;
mod uses;
mod variety;
mod view;
mod ways_out;

pub use alike::Alike;
pub use change::{Change, apply};
pub use choice::{Choice, Match};
pub use complete::{Completion, Completions, complete, while_typing};
pub use coverage::{Coverage, InEachStack, StackCell};
pub use examples::{Example, examples};
pub use gaps::Gaps;
pub use install::Install;
pub use look_alikes::{distinguishing_words, look_alikes, neighbours};
pub use nearest::{Near, Nearing, nearest};
pub use places::{Offer, Offers, offers};
pub use presentation::{Across, NodeStatus, Presentation, ShownNodes, Tab};
pub use question::Question;
pub use rail::{constants, facets_to_filter};
pub use ranking::{search_values, values_in_order};
pub use run::{Answer, matching_in, matching_went, run, run_with};
pub use runs_on::RunsOn;
pub use similar::{Similar, similar};
pub use table::{Column, PackageRow, Sort, builds, packages};
pub use uses::{Use, used_by};
pub use variety::most_varied;
pub use view::{AskedHash, View, is_hash_prefix};
pub use ways_out::{Cause, WayOut, way_out, ways_out, why};

use crate::index::Index;

/// Everything about the page that a person would want to share. The default is the front page.
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
