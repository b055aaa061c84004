//! The cost of the page in a browser, with a cache of today's size and with one seven times as large.
//!
//! `make bench` runs this on the release in `dist/`. It prints each figure with its spread, and next to it the
//! project's goal on an idle machine with two cores. Times depend on the machine, so only a ratio of two figures that were
//! measured in turns can make it fail. `cargo bench … -- first-visit` measures first visits alone, `-- typing`
//! typing, `-- comparing` environments and snapshots, `-- opening` a user's own database, and `-- warm` the rest.
//!
//! | figure | from | to |
//! | --- | --- | --- |
//! | first visit | the navigation, in a new browser profile | the answer is on the screen; the page can be used too |
//! | start | the navigation, in a warm browser | the marks that the page sets: `index-loaded`, `first-answer`, `answer-painted` |
//! | toggle | a query, asked with `spackCache.query` | its totals and all counts |
//! | click, opening, scrolling | the event | the task after the frame that shows it |
//! | typing | each key of a search | the task after the frame that shows it |
//! | memory | | the private memory of the page's process, minus that of an empty page |

mod comparing;
mod figures;
mod first_visit;
mod memory;
mod opening;
mod typing;

use std::process::ExitCode;

use cache_explorer_harness::{Cache, Page, Release, Width};
use serde_json::Value;

use self::figures::{Figures, Ratio, print_heading};

/// How often a page is opened. The caches take turns.
const STARTS: usize = 12;

/// The functions that the page runs.
const SCRIPT: &str = include_str!("page.js");

/// The measurements, each a function in `page.js`, with its unit and the project's goals: for the sample pages, today's
/// cache, and a million builds.
const WORK: [(&str, &str, [Option<&str>; 3]); 6] = [
    ("toggle", "ms", [None, Some("0.7 median, 3 p95"), Some("3 median, 12 p95")]),
    ("loop", "ms", [None, None, None]),
    ("click", "ms", [None, Some("50 p95"), None]),
    ("opening", "ms", [None, Some("35"), None]),
    ("scrolling", "ms", [None, Some("17 median"), None]),
    ("elements", "", [None, Some("3000 at most"), None]),
];

/// How often each cache takes its turn.
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    // When all targets are run as tests, this one is skipped.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    let asked = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_asked = |name| asked.as_deref().is_none_or(|asked| asked == name);
    print_heading();
    let mut ratios = Vec::new();
    if is_asked("first-visit") {
        first_visit::measure(&first_visit::cache(145_000), &mut ratios);
    }
    if is_asked("typing") {
        typing::measure();
    }
    if is_asked("warm") {
        let sample = Cache::publish("sample pages", Release::copy());
        let caches = [sample, Cache::of(145_000), Cache::of(1_000_000)];
        starts(&caches, &mut ratios);
        work(&caches, &mut ratios);
        memory(&caches);
    }

    if is_asked("comparing") {
        comparing::measure();
    }
    if is_asked("opening") {
        opening::measure();
    }

    println!("\nWhat fails: ratios of medians, of figures measured in turns");
    for ratio in &ratios {
        println!("{ratio}");
    }
    match ratios.iter().all(Ratio::is_good) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Starts one browser for all caches.
fn browser() -> Page<'static> {
    Page::alone("", Width::Wide)
}

fn starts(caches: &[Cache; 3], ratios: &mut Vec<Ratio>) {
    let page = browser();
    let mut opened: [Vec<Value>; 3] = Default::default();
    let mut empty = Vec::new();
    for _ in 0..STARTS {
        for (cache, opened) in caches.iter().zip(&mut opened) {
            page.open(&cache.site.url("empty.html"));
            let loaded = "return performance.getEntriesByType('navigation')[0].loadEventEnd";
            empty.push(number(&page.ask(loaded)));
            page.open(&cache.site.url(""));
            opened.push(page.ask(&format!("{SCRIPT}; return await start()")));
        }
    }
    Figures::new("an empty page", empty).print("ms", None);
    let goals = [None, Some("300 median"), None];
    let firsts: Vec<Figures> = caches
        .iter()
        .zip(&opened)
        .zip(goals)
        .map(|((cache, opened), goal)| {
            let figures = |name: &str| {
                let values = opened.iter().map(|start| number(&start[name])).collect();
                Figures::new(&format!("{}: {name}", cache.name), values)
            };
            figures("first paint").print("ms", None);
            figures("index loaded").print("ms", None);
            figures("first counts").print("ms", goal);
            figures("counts painted").print("ms", None);
            figures("all hashes").print("ms", None);
            figures("task that decodes").print("ms", None);
            figures("longest other task").print("ms", Some("50"));
            figures("first counts")
        })
        .collect();
    ratios.push(Ratio::new(&firsts[1], &firsts[0], 3.0));
    ratios.push(Ratio::new(&firsts[2], &firsts[1], 3.0));
}

fn work(caches: &[Cache; 3], ratios: &mut Vec<Ratio>) {
    let page = browser();
    let mut values = WORK.map(|_| [const { Vec::<f64>::new() }; 3]);
    for round in 1..=ROUNDS {
        for (place, cache) in caches.iter().enumerate() {
            page.open(&cache.site.url(""));
            page.ask("await spackCache.ready");
            for ((what, ..), values) in WORK.iter().zip(&mut values) {
                let answer = page.ask(&format!("{SCRIPT}; return await {what}({round})"));
                values[place].extend(answer.as_array().into_iter().flatten().map(number));
            }
        }
    }
    let measured = WORK.iter().zip(values).map(|((what, unit, goals), values)| {
        let mut of_caches = caches.iter().zip(values).zip(goals).map(|((cache, values), goal)| {
            let figures = Figures::new(&format!("{}: {what}", cache.name), values);
            figures.print(unit, *goal);
            figures
        });
        std::array::from_fn(|_| of_caches.next().expect("one of each cache"))
    });
    let measured: Vec<[Figures; 3]> = measured.collect();
    let [toggle, plain, click, opening, ..] = measured.as_slice() else { return };
    ratios.push(Ratio::new(&toggle[1], &plain[1], 1.0));
    ratios.push(Ratio::new(&toggle[2], &plain[2], 1.0));
    ratios.push(Ratio::new(&click[1], &click[0], 3.0));
    ratios.push(Ratio::new(&opening[1], &opening[0], 4.0));
}

fn memory(caches: &[Cache; 3]) {
    for (cache, goal) in caches.iter().zip([None, Some("60"), Some("200")]) {
        // A separate browser, because each page leaves something behind.
        let page = browser();
        page.open(&cache.site.url("empty.html"));
        let empty = memory::of_page();
        page.open(&cache.site.url(""));
        page.ask("await spackCache.ready");
        page.ask(&format!("{SCRIPT}; await rest()"));
        let (Some(empty), Some(with)) = (empty, memory::of_page()) else { return };
        Figures::new(&format!("{}: memory", cache.name), vec![with - empty]).print("MB", goal);
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}
