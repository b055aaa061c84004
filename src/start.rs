//! Starting the app in a browser.

use cache_index::address;
use cache_index::index::Index;
use leptos::mount::mount_to;
use leptos::prelude::*;

use crate::browser::{history, parts, rest, scripting};
use crate::explorer::is_for_first_visits;
use crate::{app, browser, view};

/// The index that the app shows if the page has none.
const BUILT_IN: &str = include_str!(concat!(env!("OUT_DIR"), "/index.json"));

/// Draws the page once the columns of its index have arrived.
pub fn start() {
    rest::announce();
    parts::when_columns_arrive(|columns| {
        let read = columns.and_then(|columns| match columns {
            Some(columns) => Ok(parts::read_columns(&columns)?),
            None => Ok(Index::from_json(BUILT_IN)?),
        });
        match read {
            Ok(index) => {
                browser::mark("index-loaded");
                // The index lives as long as the page, so everything may refer to it.
                let index: &'static Index = Box::leak(Box::new(index));
                scripting::publish(index);
                // The page's frame comes first: on a slow network, people read it while they wait.
                let draw = move || browser::after_frame(move || draw(index));
                let asked = history::query_string();
                let is_for_first_visits = || is_for_first_visits(&address::decode(&asked).0);
                if !address::has_seldom_keys(&asked)
                    && browser::remembered_machine().is_none()
                    && is_for_first_visits()
                {
                    draw();
                } else {
                    rest::load(move |_| draw());
                }
            }
            Err(error) => {
                let text = error.to_string();
                scripting::settle(Some(&text));
                let frame = browser::cleared_frame();
                mount_to(frame, move || view! { <view::frame::IndexProblem text/> }).forget();
            }
        }
    });
}

fn draw(index: &'static Index) {
    let early = browser::early();
    mount_to(browser::cleared_frame(), move || view! { <app::App index/> }).forget();
    browser::repeat(early);
    browser::mark("first-answer");
    browser::after_painting(|| browser::mark("answer-painted"));
}
