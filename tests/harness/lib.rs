//! The vocabulary of the browser tests and benchmarks.
//!
//! [`Release`] is the output of `make dist`, [`Site`] serves it, [`Cache`] puts a cache into it, [`Page`] opens it in a
//! browser. A test publishes a folder, opens it and says what a user does and sees. This crate decides how elements
//! are found, how long to wait, which browser to use, and what to report after a failure.

mod cache;
mod release;
mod site;

mod browser;
mod driver;
mod engine;
mod pool;

mod page;

mod accessible;
mod acting;
mod seeing;

mod report;

pub use cache::Cache;
pub use engine::Storage;
pub use page::{Page, Tab, Theme, Width};
pub use release::{Release, file_url};
pub use site::{Saying, Site};
pub use thirtyfour::Key;
