//! Starting the app in a browser.

use std::sync::Arc;

use cache_index::index::Index;
use cache_query::address;
use cache_query::{Answer, Query, Question, run};
use leptos::mount::mount_to;
use leptos::prelude::*;

use crate::browser::parts::PartError;
use crate::browser::{columns, history, parts, rest, scripting};
use crate::explorer::is_for_first_visits;
use crate::html::take_over;
use crate::{app, browser, view};

/// The index that the app shows if the page has none.
const BUILT_IN: &str = include_str!(concat!(env!("OUT_DIR"), "/index.json"));

/// Draws the page once the columns of its index have arrived. Each step is a task of its own, because together they take a
/// tenth of a second with a million builds.
pub fn start() {
    rest::announce();
    parts::when_columns_arrive(|text| match text {
        Ok(Some(text)) => columns::read_columns(text, |index| show(index.map_err(Into::into))),
        Ok(None) => show(Index::from_json(BUILT_IN).map_err(Into::into)),
        Err(error) => show(Err(error)),
    });
}

/// Shows an index, or why there is none.
fn show(index: Result<Index, PartError>) {
    let index = match index {
        Ok(index) => index,
        Err(error) => return explain(&error),
    };
    browser::mark("index-loaded");
    // The index lives as long as the page, so everything may refer to it.
    let index: &'static Index = Box::leak(Box::new(index));
    // The page's frame comes first: on a slow network, people read it while they wait.
    let asked = history::query_string();
    let query = || address::decode(&asked).0;
    if !address::has_seldom_keys(&asked)
        && browser::remembered_machine().is_none()
        && is_for_first_visits(&query())
    {
        let is_default = query() == Query::default();
        browser::after_frame(move || {
            if is_default && take_over::is_shown() {
                take_over::keep();
                return draw(index, None);
            }
            let all = Arc::new(run(index, &Question::default()));
            browser::soon(move || draw(index, Some(all)));
        });
    } else {
        rest::load(move |_| browser::after_frame(move || draw(index, None)));
    }
}

fn explain(error: &PartError) {
    let text = error.to_string();
    scripting::settle(Some(&text));
    let frame = browser::cleared_frame();
    mount_to(frame, move || view! { <view::frame::IndexProblem text/> }).forget();
}

fn draw(index: &'static Index, all: Option<Arc<Answer>>) {
    let early = take_over::early();
    mount_to(browser::cleared_frame(), move || view! { <app::App index all/> }).forget();
    take_over::hand_over();
    take_over::repeat(early);
    browser::mark("first-answer");
    browser::after_painting(|| browser::mark("answer-painted"));
}
