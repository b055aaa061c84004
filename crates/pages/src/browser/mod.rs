//! What is fetched on request, and what `open.js` does: the interface to the browser that a first visit does without.

pub(crate) mod environments;
pub(crate) mod facts;
pub(crate) mod kept;
pub(crate) mod opened;
pub(crate) mod recipes;
pub(crate) mod return_focus;
pub(crate) mod scripting;
pub(crate) mod settings;
