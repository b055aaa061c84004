//! Looking into the binaries of mirrors: where they are, what was found before, and reading the others.

mod place;
mod saved;

pub(crate) use self::place::{Place, places};
pub(crate) use self::saved::{SavedFacts, load};
