//! Comparing in the page: an environment with a lock file of 2,000 specs against a million builds that list their
//! dependencies, and two snapshots of 145,000 builds.
//!
//! A quarter of the specs in the lock file is missing: no build has their hashes, and one variant of each differs. In each
//! snapshot, 3 % of the builds are not in the other one. The files that a user would open are put directly where `open.js`
//! keeps them, so reading files is not part of the figures.

use std::fs;

use cache_explorer_harness::{Cache, Page, Width};
use cache_index::environment::EnvironmentTexts;
use cache_index::index::{About, Index, Part, pack};
use serde_json::Value;

use crate::figures::Figures;
use crate::{SCRIPT, number};

const NODES: usize = 2_000;

/// One of this many builds is on one side only.
const SHARE: usize = 33;

pub(crate) fn measure() {
    let (cache, index) = Cache::of_dependencies(1_000_000);
    let kept =
        EnvironmentTexts::new(&cache_sample::environment(&index, NODES)).expect("different hashes");
    drop(index);
    write(&cache, "head.json", &kept.head);
    write(&cache, "nodes.json", kept.nodes.as_deref().unwrap_or_default());
    let goals =
        [("counted", "100"), ("nearest builds", "300"), ("causes", "100"), ("longest task", "50")];
    print("environment", &goals, &ask(&cache, "environment"));

    let (cache, index) = Cache::of_dependencies(145_000);
    let parts = older(&index).to_parts();
    drop(index);
    let names = Part::ALL.into_iter().filter_map(|part| {
        write(&cache, &format!("{}.json", part.id()), parts.text(part)?);
        Some(part.id())
    });
    let names: Vec<&str> = names.collect();
    let goals = [("read and compared", ""), ("compared", "150"), ("longest task", "")];
    print("changes", &goals, &ask(&cache, &format!("changes({names:?})")));
}

fn ask(cache: &Cache, what: &str) -> Value {
    let page = Page::alone("", Width::Wide);
    page.open(&cache.site.url(""));
    let call = if what.ends_with(')') { what.to_owned() } else { format!("{what}()") };
    page.ask(&format!("{SCRIPT}; return await {call}"))
}

fn print(of: &str, goals: &[(&str, &str)], answer: &Value) {
    for (what, goal) in goals {
        let values = answer[what].as_array().into_iter().flatten().map(number).collect();
        let goal = (!goal.is_empty()).then_some(*goal);
        Figures::new(&format!("{of}: {what}"), values).print("ms", goal);
    }
}

fn write(cache: &Cache, name: &str, text: &str) {
    fs::write(cache.folder().join(name), text).expect("a file can be written");
}

/// Returns the snapshot before this one: without some of the builds, and with other hashes for some.
fn older(index: &Index) -> Index {
    let builds = index.builds_with_binary().enumerate().filter(|(at, _)| at % SHARE != 0);
    let builds = builds.filter_map(|(at, id)| {
        let mut build = index.build(id)?;
        if at % SHARE == 1 {
            build.hash = cache_sample::unknown_hash(at);
        }
        Some(build)
    });
    pack(About::default(), builds).expect("different hashes")
}
