//! What surrounds every page: masthead, search box, rail, dialogs and notices.

pub(crate) mod keys;
mod link_problems;
pub(crate) mod machine;
pub(crate) mod masthead;
pub(crate) mod notice;
mod panel;
pub(crate) mod picks;
mod problems;
pub(crate) mod rail;
mod search;
pub(crate) mod spack;

pub(crate) use keys::{Keys, listen_for_keys};
pub(crate) use machine::{AskMachine, recall_machine};
pub(crate) use masthead::Masthead;
pub(crate) use notice::{IndexProblem, LinkProblems, PartProblem, RestProblem};
pub(crate) use picks::{Picks, PicksBar};
pub(crate) use rail::{Rail, Sheet};
pub(crate) use search::SearchProblems;
