//! A first visit: a new browser profile, so nothing is cached, neither files nor compiled code; files that are compressed
//! as hosts compress them.
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

/// The maximum ratio of our first answer to the yardstick's.
const LIMIT: f64 = 3.0;

/// How often each page is visited over each network.
const VISITS: usize = 9;

/// The networks, each with its megabits per second and its latency in milliseconds if it is slowed down.
const NETWORKS: [(&str, Option<(u32, u32)>); 2] = [("", None), (" at 10 Mbit/s", Some((10, 40)))];

/// Waits until the answer has been painted, which ours and the yardstick mark; an empty page when it has loaded.
const PAINTED: &str = "
  const marked = () => performance.getEntriesByName('answer-painted')[0]?.startTime;
  const empty = location.pathname.endsWith('empty.html');
  while (!empty && !marked()) await new Promise((done) => setTimeout(done, 20));
  const first = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
  while (!first()) await new Promise((done) => setTimeout(done, 20));
  return empty ? first() : marked()";

/// Publishes a cache of this many builds, with the yardstick next to it.
pub(crate) fn cache(builds: usize) -> Cache {
    Cache::beside(builds, "yardstick.html", |index| {
        include_str!("yardstick.html").replace("DATA", &data(index).to_string())
    })
}

/// Measures first visits, and adds the ratios that can fail.
pub(crate) fn measure(cache: &Cache, ratios: &mut Vec<Ratio>) {
    let pages =
        [("empty page", "empty.html"), ("plain JavaScript", "yardstick.html"), ("explorer", "")];
    for (network, slow) in NETWORKS {
        let mut painted: [Vec<f64>; 3] = Default::default();
        for _ in 0..VISITS {
            for ((_, path), painted) in pages.iter().zip(&mut painted) {
                let page = Page::alone(&cache.site.url(""), Width::Wide);
                if let Some((megabits, latency)) = slow {
                    page.slow_down(megabits, latency);
                }
                page.open(path);
                painted.push(number(&page.ask(PAINTED)));
            }
        }
        let names = pages.map(|(name, _)| format!("first visit{network}: {name}"));
        let figures: Vec<Figures> =
            names.iter().zip(painted).map(|(name, values)| Figures::new(name, values)).collect();
        figures.iter().for_each(|figures| figures.print("ms", None));
        ratios.push(Ratio::new(&figures[2], &figures[1], LIMIT));
    }
}

/// Returns what the yardstick counts: for each facet, the set of values of each row, as numbers.
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
