//! What surrounds every page, once there is more to say than in a first visit.

mod beside_gpu;
pub(crate) mod keys;
mod link_problems;
mod machine_in_words;
mod only_in;
pub(crate) mod panel;
mod problems;
pub(crate) mod rail;
pub(crate) mod spack;

use leptos::prelude::*;

use crate::data::fits;
use crate::parts::looking;
use site::explorer::Explorer;

/// Draws what is wrong with the address or with a search, how a search is read, and what filters
/// do not answer.
pub(crate) fn notes() -> AnyView {
    fits::follow_machine(Explorer::here());
    view! { {link_problems::draw()} <problems::SearchProblems/> {only_in::draw()} {looking::draw()} }.into_any()
}
