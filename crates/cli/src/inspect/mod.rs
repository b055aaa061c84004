//! Looking into the binaries of mirrors: finding them, loading what earlier runs found, and reading the rest.

mod place;
mod saved;

pub(crate) use self::place::{Place, places};
pub(crate) use self::saved::{SavedFacts, load};
