//! The Spack Build Cache Explorer: a page that answers what is in a build cache.
//!
//! Everything about the page that can be shared is one [`Query`](cache_index::query::Query); the
//! [`Explorer`](explorer::Explorer) holds it and what follows from it; [`view`] draws that. Only
//! this file, [`browser`] and [`history`] touch the window.

// The component macro writes `pub` whatever the visibility.
#![allow(unreachable_pub)]

mod app;
mod browser;
mod explorer;
mod history;
mod scripting;
mod view;

use cache_index::index::{Index, LoadError};
use leptos::prelude::*;

/// What the app explores where the page brings no index of its own.
const BUILT_IN: &str = include_str!(concat!(env!("OUT_DIR"), "/index.json"));

fn main() {
    browser::when_parsed(|| match load() {
        Ok(index) => {
            browser::mark("index-loaded");
            // One index for the life of the page, so everything may refer to it.
            let index: &'static Index = Box::leak(Box::new(index));
            scripting::publish(index);
            browser::clear_frame();
            mount_to_body(move || view! { <app::App index/> });
            browser::mark("first-answer");
            scripting::settle(None);
        }
        Err(error) => {
            let text = error.to_string();
            browser::clear_frame();
            scripting::settle(Some(&text));
            mount_to_body(move || view! { <view::problem::IndexProblem text/> });
        }
    });
}

fn load() -> Result<Index, LoadError> {
    match browser::take_page_index() {
        Some(json) => Index::from_json(&json),
        None => Index::from_json(BUILT_IN),
    }
}
