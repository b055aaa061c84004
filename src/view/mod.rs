//! The components. They read the [`Explorer`](crate::explorer::Explorer) and pass it the changes that a user makes;
//! they do not decide what matches.
//!
//! - [`pages`]: one module for each page. A page arranges parts, and knows which page it is.
//! - [`parts`]: what pages are made of. A part does not know which page it is on.
//! - [`frame`]: what surrounds every page: masthead, search box, rail, dialogs, notices.

pub(crate) mod frame;
pub(crate) mod pages;
pub(crate) mod parts;
