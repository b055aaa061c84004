//! Problems with the address of the page: parts that have no meaning, or an unknown machine.

use cache_index::number::grouped;
use leptos::prelude::*;

use crate::frame::panel::unknown_os;
use crate::parts::sentence::with_code;
use site::explorer::Explorer;
use site::memo::memo;
use site::view::frame::machine::ask_for_machine;

/// How many parts of a link are listed.
const MOST: usize = 12;

/// Draws the problems.
pub(crate) fn draw() -> AnyView {
    view! { <Ignored/><MachineProblem/> }.into_any()
}

/// Shows which parts of the link were ignored, if any were.
#[component]
fn Ignored() -> impl IntoView {
    let explorer = Explorer::here();
    move || {
        let ignored = explorer.ignored();
        (!ignored.is_empty()).then(|| draw_ignored(ignored))
    }
}

fn draw_ignored(ignored: Vec<String>) -> AnyView {
    let others = ignored.len().saturating_sub(MOST);
    let others = (others > 0).then(|| format!(" and {} more", grouped(others)));
    let ignored = ignored.into_iter().take(MOST);
    let parts = ignored.map(|part| view! { " " <code><bdi>{part}</bdi></code> }).collect_view();
    view! {
        <p class="notice" role="status">
            "Parts of this link have no meaning here and were ignored:"
            {parts}{others}
        </p>
    }
    .into_any()
}

/// Shows why the page cannot say what runs on the machine, if its target or OS is unknown.
#[component]
fn MachineProblem() -> impl IntoView {
    let explorer = Explorer::here();
    let problem = memo(move || machine_problem(explorer));
    move || problem.get().map(|problem| draw_machine_problem(&problem))
}

fn machine_problem(explorer: Explorer) -> Option<String> {
    let host = explorer.host()?;
    if let Some(problem) = host.unknown_target(explorer.index) {
        return Some(problem.to_string());
    }
    // Newer releases of macOS run what older ones do, and on Linux a known libc decides.
    let is_undecided = host.platform() == "linux" && host.libc().is_none();
    unknown_os(explorer.index, host.os()).filter(|_| is_undecided)
}

fn draw_machine_problem(problem: &str) -> AnyView {
    view! {
        <p class="notice" role="status">
            "Your machine: "{with_code(problem)}" "
            <button type="button" class="plain" on:click=|_| ask_for_machine()>"Change it"</button>
        </p>
    }
    .into_any()
}
