//! What the browser tests and benchmarks are written in.
//!
//! [`Release`] is what `make dist` made, [`Site`] a server for it, [`Cache`] a made-up cache in it, [`Page`] the site in
//! a browser. A test publishes a folder, opens it and says what a person does and sees; how elements are found, how long
//! to wait, which browser to use and what to report of a failure is decided here.

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
pub use page::{Page, Theme, Width};
pub use release::{Release, file_url};
pub use site::{Saying, Site};
pub use thirtyfour::Key;
