//! What surrounds every page: masthead, search box, rail, dialogs and notices.

pub(crate) mod keys;
pub mod machine;
pub(crate) mod masthead;
pub(crate) mod notice;
pub mod picks;
pub mod rail;
pub mod search;

pub(crate) use keys::{Keys, listen_for_keys};
pub(crate) use machine::{AskMachine, recall_machine};
pub(crate) use masthead::Masthead;
pub(crate) use notice::{IndexProblem, PartProblem, RestProblem};
pub(crate) use picks::{Picks, PicksBar};
pub(crate) use rail::Rail;
