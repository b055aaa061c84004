//! Problems with the address of the page: parts that have no meaning, or an unknown machine.

use cache_advice::machine_words::libc_of_distribution;
use cache_advice::setup_problems;
use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::number::grouped;
use cache_query::host::Host;
use cache_query::{Change, Tab, View};
use leptos::prelude::*;

use crate::frame::panel::unknown_os;
use crate::parts::sentence::with_code;
use crate::parts::verdict::notes;
use site::explorer::Explorer;
use site::memo::memo;
use site::view::frame::machine::ask_for_machine;

/// How many parts of a link are listed.
const MOST: usize = 12;

/// Draws the problems.
pub(crate) fn draw() -> AnyView {
    view! { <Ignored/><MachineProblems/><LibcOfMachine/><WithoutTimes/> }.into_any()
}

/// Shows which parts of the link were ignored, if any were.
#[component]
fn Ignored() -> impl IntoView {
    let explorer = Explorer::here();
    move || {
        let mut ignored = explorer.ignored();
        let is_environment = explorer.view().with(|view| *view == View::Environment);
        // The parts of the address that another view would read.
        let of_view = explorer.with_presentation(|shown| {
            let name = Some(&shown.nodes.name).filter(|name| !is_environment && !name.is_empty());
            let mirror = shown.mirror.as_ref().filter(|_| shown.tab != Tab::Install);
            [("name", name.cloned()), ("mirror", mirror.cloned())]
        });
        let of_view =
            of_view.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?)));
        ignored.extend(of_view);
        (!ignored.is_empty()).then(|| draw_ignored(ignored))
    }
}

fn draw_ignored(ignored: Vec<String>) -> AnyView {
    let others = ignored.len().saturating_sub(MOST);
    let others = (others > 0).then(|| format!(" and {} more", grouped(others)));
    let ignored = ignored.into_iter().take(MOST);
    let parts = ignored.map(|part| {
        let why = part.strip_prefix("host=").and_then(|host| host.parse::<Host>().err());
        let why = why.map(|error| format!(" ({error})"));
        view! { " " <code><bdi>{part}</bdi></code> {why} }
    });
    let parts = parts.collect_view();
    view! {
        <p class="notice" role="status">
            "Parts of this link have no meaning here and were ignored:"
            {parts}{others}
        </p>
    }
    .into_any()
}

/// Shows which parts of the machine and its settings the page ignores, and what needs a machine if none is chosen.
#[component]
fn MachineProblems() -> impl IntoView {
    let explorer = Explorer::here();
    let problems = memo(move || machine_problems(explorer));
    move || {
        let of_machine = problems.get().into_iter().map(|problem| ("Your machine: ", problem));
        let of_settings = notes(explorer).into_iter().map(|note| ("Your settings: ", note));
        of_machine.chain(of_settings).map(|(of, said)| draw_problem(of, &said)).collect_view()
    }
}

/// If no build is made for the OS of the machine, says that its libc decides, and offers the one that the OS ships.
#[component]
fn LibcOfMachine() -> impl IntoView {
    let explorer = Explorer::here();
    move || {
        let host = explorer.host()?;
        let libc = shipped_libc(explorer.index, &host)?;
        let with_libc: Host = format!("{host}.{libc}").parse().ok()?;
        let address = explorer.address_after(Change::Host(Some(with_libc)));
        let said = format!("{}. ", unknown_os(explorer.index, host.os())?);
        Some(view! {
            <p class="notice" role="status">
                "Your machine: "{with_code(&said)}
                <a href=address>{format!("Assume {libc}, which it ships")}</a>
            </p>
        })
    }
}

/// Returns the libc that the OS of a machine ships, if that is not stated and the cache has no build for the OS.
fn shipped_libc(index: &Index, host: &Host) -> Option<&'static str> {
    let is_undecided = host.platform() == "linux"
        && host.libc().is_none()
        && host.unknown_target(index).is_none()
        && index.dictionary(Facet::Os).code(host.os()).is_none();
    libc_of_distribution(host.os()).filter(|_| is_undecided)
}

/// Says that a cache without times cannot show which builds are new since a time.
#[component]
fn WithoutTimes() -> impl IntoView {
    let explorer = Explorer::here();
    let asks = memo(move || explorer.with_question(|question| question.since.is_some()));
    move || {
        let index = explorer.details().filter(|_| asks.get())?;
        index.publications().is_empty().then(|| {
            view! {
                <p class="notice" role="status">
                    "This cache does not say when its builds first appeared, so nothing is found as new."
                </p>
            }
        })
    }
}

fn machine_problems(explorer: Explorer) -> Vec<String> {
    let mut problems = explorer.with_question(setup_problems);
    match explorer.host() {
        None => {
            let asks = explorer.with_question(|question| {
                !question.runs.is_empty()
                    || question.only_on_gpu
                    || !question.gpus.is_empty()
                    || question.preference.is_some()
            });
            let has_settings = explorer.with_question(|question| question.preference.is_some());
            let words = match has_settings {
                true => "none is chosen, so your settings of Spack change nothing yet",
                false => "none is chosen, so what the address asks of one is not answered",
            };
            problems.extend(asks.then(|| words.to_owned()));
        }
        Some(host) => match host.unknown_target(explorer.index) {
            Some(problem) => problems.push(problem.to_string()),
            None => {
                // Newer releases of macOS run what older ones do, and on Linux a known libc decides.
                let is_undecided = host.platform() == "linux"
                    && host.libc().is_none()
                    && shipped_libc(explorer.index, &host).is_none();
                let unknown = unknown_os(explorer.index, host.os());
                problems.extend(unknown.filter(|_| is_undecided));
            }
        },
    }
    problems
}

fn draw_problem(of: &'static str, problem: &str) -> AnyView {
    let end = if problem.ends_with('?') { " " } else { ". " };
    view! {
        <p class="notice" role="status">
            {of}{with_code(problem)}{end}
            <button type="button" class="plain" on:click=|_| ask_for_machine()>"Change it"</button>
        </p>
    }
    .into_any()
}
