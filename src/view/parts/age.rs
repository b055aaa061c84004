//! How old something is, by this device's clock.

use cache_index::number::ago;
use leptos::prelude::*;
use maud::{Markup, html};

use crate::browser;

/// Writes how old something is, with the exact date as its title.
pub fn write_age(date: &str) -> Markup {
    html! { time datetime=(date) title=(date) { (words(date)) } }
}

/// Draws how old something is, with the exact date as its title.
pub fn age(date: &str) -> AnyView {
    let (words, date) = (words(date), date.to_owned());
    view! { <time datetime=date.clone() title=date>{words}</time> }.into_any()
}

fn words(date: &str) -> String {
    let day = || date.split('T').next().unwrap_or(date).to_owned();
    browser::seconds_since(date).map_or_else(day, ago)
}
