//! The verdict on a build, a word with an icon: how it runs on the person's machine.

use cache_query::host::{Runs, Verdict};
use leptos::prelude::*;
use maud::{Markup, html};

use crate::view::parts::icon::Icon;

/// Returns the word for a verdict.
pub(crate) fn word(runs: Runs) -> &'static str {
    match runs {
        Runs::Yes => "yes",
        Runs::No => "no",
        Runs::Unknown => "unknown",
    }
}

/// Returns the class that colours a verdict.
pub(crate) fn class(runs: Runs) -> &'static str {
    match runs {
        Runs::Yes => "runs yes",
        Runs::No => "runs no",
        Runs::Unknown => "runs unknown",
    }
}

/// Returns the verdict of an answer that may not be known.
pub(crate) fn runs(answer: Option<bool>) -> Runs {
    match answer {
        Some(true) => Runs::Yes,
        Some(false) => Runs::No,
        None => Runs::Unknown,
    }
}

/// Returns the icon of a verdict.
pub(crate) fn icon(runs: Runs) -> Icon {
    match runs {
        Runs::Yes => Icon::Done,
        Runs::No => Icon::Cross,
        Runs::Unknown => Icon::Question,
    }
}

/// Writes an icon, a word, and the reason. The word alone is enough; colour and icon only help.
pub(crate) fn write(verdict: &Verdict) -> Markup {
    html! { span class=(class(verdict.runs)) title=(verdict.reason) { (with_reason(verdict)) } }
}

/// Draws the same.
pub(crate) fn draw(verdict: Verdict) -> AnyView {
    let inner = with_reason(&verdict).into_string();
    view! { <span class=class(verdict.runs) title=verdict.reason inner_html=inner></span> }
        .into_any()
}

fn with_reason(Verdict { runs, reason }: &Verdict) -> Markup {
    html! { (icon(*runs).write()) b { (word(*runs)) ": " } bdi { (reason) } }
}
