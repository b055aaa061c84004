//! The Spack Build Cache Explorer: a page that shows what is in a build cache.
//!
//! Everything about the page that can be shared is one [`Query`](cache_query::Query). The
//! [`Explorer`](explorer::Explorer) holds it and everything derived from it, and [`view`] draws that. Only [`browser`]
//! uses the window.
//!
//! This is what a first visit shows. The rest of the app is behind a [`door`].
//!
//! In a browser, `start` mounts the page. Natively, the command writes the first view of a cache as HTML
//! ([`first_view()`]), with the same components.

// The component macro writes `pub` whatever the visibility.
#![allow(unreachable_pub)]
// Natively, only the first view is drawn, once; the code for clicks and for parts that arrive later is not used.
#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code, unused_imports))]

mod app;
pub mod browser;
pub mod door;
pub mod explorer;
#[cfg(not(target_arch = "wasm32"))]
mod first_view;
pub mod html;
pub mod memo;
#[cfg(target_arch = "wasm32")]
mod start;
pub mod view;

#[cfg(not(target_arch = "wasm32"))]
pub use first_view::first_view;
#[cfg(target_arch = "wasm32")]
pub use start::start;
