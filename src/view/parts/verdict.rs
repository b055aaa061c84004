//! Whether a build runs on the person's machine, in words and with a mark.

use cache_index::host::{Runs, Verdict};
use leptos::prelude::*;

use crate::view::parts::icon::Icon;

/// What is said of a verdict in one word.
pub(crate) fn word(runs: Runs) -> &'static str {
    match runs {
        Runs::Yes => "yes",
        Runs::No => "no",
        Runs::Unknown => "unknown",
    }
}

/// The class that gives a verdict its colour.
pub(crate) fn class(runs: Runs) -> &'static str {
    match runs {
        Runs::Yes => "runs yes",
        Runs::No => "runs no",
        Runs::Unknown => "runs unknown",
    }
}

/// A mark and a word, with the reason on demand.
pub(crate) fn brief(verdict: Verdict) -> AnyView {
    let Verdict { runs, reason } = verdict;
    view! {
        <span class=format!("{} brief", class(runs))>
            {icon(runs).draw()}
            <b>{word(runs)}</b>
            <bdi class="reason">{reason}</bdi>
        </span>
    }
    .into_any()
}

fn icon(runs: Runs) -> Icon {
    match runs {
        Runs::Yes => Icon::Done,
        Runs::No => Icon::Cross,
        Runs::Unknown => Icon::Question,
    }
}

/// A mark, a word, and why. The word alone tells; colour and mark only help.
pub(crate) fn draw(verdict: Verdict) -> AnyView {
    let Verdict { runs, reason } = verdict;
    let said = format!("{}: ", word(runs));
    let title = reason.clone();
    view! {
        <span class=class(runs) title=title>
            {icon(runs).draw()}
            <b>{said}</b>
            <bdi>{reason}</bdi>
        </span>
    }
    .into_any()
}
