//! The components. They read the [`Explorer`](crate::explorer::Explorer) and pass it the changes that a user makes;
//! they do not decide what matches.
//!
//! - [`front`]: the front page. The other pages are in a crate of their own (`crates/pages`).
//! - [`parts`]: what pages are made of. A part does not know which page it is on.
//! - [`frame`]: what surrounds every page: masthead, search box, rail, dialogs, notices.

pub mod frame;
pub mod front;
pub mod parts;
