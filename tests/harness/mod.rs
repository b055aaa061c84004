//! What the tests are written in.
//!
//! [`Release`] is what `make dist` made, [`Site`] a server for it, [`Cache`] a made-up cache in it, [`Page`] the site in a browser. A test publishes a
//! folder, opens it and says what a person does and sees; how elements are found, how long to wait and what to tell
//! of a failure is here.

mod cache;
mod release;
mod site;

mod browser;
mod engine;

mod page;

mod accessible;
mod acting;
mod seeing;

mod report;

pub(crate) use cache::Cache;
pub(crate) use engine::Storage;
pub(crate) use page::{Page, Theme, Width};
pub(crate) use release::Release;
pub(crate) use site::Site;
pub(crate) use thirtyfour::Key;
