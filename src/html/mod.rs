//! Lists and tables: functions from the state to HTML, whose elements name typed actions.
//!
//! Leptos creates each element, attribute, text and listener with a function that is instantiated for its type, and a
//! browser compiles each of these when it first runs. Most of what a page shows is lists, which the browser's own parser
//! creates from a text at once. So a list or table is written here, and forms and the rest of a page are Leptos components.

pub mod action;
pub(crate) mod later;
pub mod list;
mod patch;
pub mod rows;
pub(crate) mod take_over;
