//! A first visit: a new browser profile, so nothing is cached, neither files nor compiled code; files are compressed in the
//! same way as by hosts.
//!
//! A page of plain JavaScript is the yardstick (`yardstick.html`). It has the same rows in typed arrays, counts them in
//! plain loops, draws a list of facets and a list of packages, and does nothing else. It, our page and an empty one take
//! turns, each in a browser of its own.

use std::collections::HashMap;

use cache_explorer_harness::{Cache, Page, Width};
use cache_index::facet::Facet;
use cache_index::index::{Index, RowId, ValueCode};
use serde_json::{Value, json};

use crate::figures::{Figures, Ratio};
use crate::number;

/// What is measured, with the maximum ratio of our page to the yardstick. The goals are 1.1 and 1.4.
const LIMITS: [(&str, f64); 2] = [("answer on screen", 1.5), ("usable", 2.5)];

/// How often each page is visited over each network.
const VISITS: usize = 9;

/// The networks, each with its megabits per second and its latency in milliseconds if it is slowed down.
const NETWORKS: [(&str, Option<(u32, u32)>); 2] = [("", None), (" at 10 Mbit/s", Some((10, 40)))];

/// Returns when the answer was on the screen, and when the page could also be used. The first content that a page shows is
/// the answer, or a part of it if the page arrives in pieces, and the browser records when it was on the screen. A page sets
/// a mark when it has drawn what responds to clicks; ours does so over a first view that was in the page from the start. An
/// empty page has nothing that responds.
const SEEN: &str = "
  const at = (name) => performance.getEntriesByName(name)[0]?.startTime;
  const isEmpty = location.pathname.endsWith('empty.html');
  const wait = () => new Promise((done) => setTimeout(done, 20));
  while (!at('first-contentful-paint') || (!isEmpty && !at('first-answer'))) await wait();
  const seen = at('first-contentful-paint');
  return [seen, Math.max(seen, at('first-answer') ?? 0)]";

/// Publishes a cache of this many builds, with the yardstick next to it.
pub(crate) fn cache(builds: usize) -> Cache {
    Cache::beside(builds, "yardstick.html", |index| {
        include_str!("yardstick.html").replace("DATA", &data(index).to_string())
    })
}

/// Measures first visits, and adds the ratios that can fail.
pub(crate) fn measure(cache: &Cache, ratios: &mut Vec<Ratio>) {
    let pages = [("empty", "empty.html"), ("plain JavaScript", "yardstick.html"), ("explorer", "")];
    for (network, slow) in NETWORKS {
        let mut visits: [Vec<Value>; 3] = Default::default();
        for _ in 0..VISITS {
            for ((_, path), visits) in pages.iter().zip(&mut visits) {
                let page = Page::alone(&cache.site.url(""), Width::Wide);
                if let Some((megabits, latency)) = slow {
                    page.slow_down(megabits, latency);
                }
                page.open(path);
                visits.push(page.ask(SEEN));
            }
        }
        for (place, (what, limit)) in LIMITS.into_iter().enumerate() {
            let figures = pages.iter().zip(&visits).map(|((name, _), visits)| {
                let values = visits.iter().map(|visit| number(&visit[place])).collect();
                Figures::new(&format!("{what}{network}: {name}"), values)
            });
            let figures: Vec<Figures> = figures.collect();
            figures.iter().for_each(|figures| figures.print("ms", None));
            ratios.push(Ratio::new(&figures[2], &figures[1], limit));
        }
    }
}

/// Returns the data that the yardstick counts: for each facet, the set of values of each row, as numbers.
fn data(index: &Index) -> Value {
    let rows = || (0..index.rows() as u32).map(RowId);
    let facet = |facet: Facet| {
        let mut numbers = HashMap::new();
        let mut sets: Vec<Vec<u32>> = Vec::new();
        let by_row = rows().map(|row| {
            let set: Vec<u32> =
                index.values(row, facet).into_iter().map(|ValueCode(code)| code).collect();
            *numbers.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() as u32 - 1
            })
        });
        let by_row: Vec<u32> = by_row.collect();
        json!({
            "key": facet.key(), "label": facet.label(), "values": index.dictionary(facet).values(),
            "rows": by_row, "sets": sets,
        })
    };
    let mut facets: Vec<Facet> = vec![Facet::Package];
    facets.extend(Facet::in_rail());
    let newest = |package: ValueCode| {
        index.rows_of(package).map(|row| index.text(row, Facet::Version)).max()
    };
    let packages = index.dictionary(Facet::Package).iter();
    json!({
        "builds": rows().map(|row| index.row_len(row)).collect::<Vec<u32>>(),
        "versions": packages.map(|(package, _)| newest(package)).collect::<Vec<_>>(),
        "facets": facets.into_iter().map(facet).collect::<Vec<_>>(),
    })
}
