//! Starting the app in a browser.

use std::sync::Arc;

use cache_index::index::Index;
use cache_query::address;
use cache_query::{Answer, Query, Question, run};
use leptos::mount::mount_to;
use leptos::prelude::*;

use crate::browser::parts::PartError;
use crate::browser::{columns, history, parts, rest, scripting, tasks};
use crate::door::{self, Rest};
use crate::explorer::is_for_first_visits;
use crate::html::take_over;
use crate::{app, browser, view};

/// The index that the app shows if the page has none.
const BUILT_IN: &str = include_str!(concat!(env!("OUT_DIR"), "/index.json"));

/// Draws the page once the columns of its index have arrived. Each step is a task of its own, because together they take a
/// tenth of a second with a million builds.
pub fn start(rest_of_app: Rest) {
    door::open(rest_of_app);
    rest::announce();
    tasks::spawn(async {
        match read().await {
            Ok(index) => show(Box::leak(Box::new(index))).await,
            Err(error) => explain(&error),
        }
    });
}

async fn read() -> Result<Index, PartError> {
    let index = match parts::columns().await? {
        Some(text) => columns::read_columns(text).await?,
        None => Index::from_json(BUILT_IN)?,
    };
    browser::mark("index-loaded");
    Ok(index)
}

/// Shows an index, which lives as long as the page, so everything may refer to it.
async fn show(index: &'static Index) {
    // The page's frame comes first: on a slow network, people read it while they wait.
    let asked = history::query_string();
    let query = || address::decode(&asked).0;
    let is_first_visit = !address::is_beyond_first_visits(&asked)
        && browser::remembered_machine().is_none()
        && is_for_first_visits(&query());
    if !is_first_visit {
        rest::load().await;
    }
    browser::frame_drawn().await;
    if !is_first_visit {
        return draw(index, None);
    }
    if query() == Query::default() && take_over::is_shown() {
        take_over::keep();
        return draw(index, None);
    }
    let all = Arc::new(run(index, &Question::default()));
    tasks::pause().await;
    draw(index, Some(all));
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
    tasks::spawn(async {
        tasks::painted().await;
        browser::mark("answer-painted");
    });
}
