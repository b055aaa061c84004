//! Typing a search key by key, in generated caches with the names of real packages.
//!
//! The text is `hdf5 +mpi ^openmpi %gcc@13`. The `^` fetches and decodes the dependencies, and the key after it is the first
//! question about them; at the end usually nothing matches, which is explained after a pause. Each page is opened anew, so
//! every round decodes.

use cache_explorer_harness::Cache;

use crate::figures::Figures;
use crate::{SCRIPT, browser, number};

/// How often the text is typed into each page.
const ROUNDS: usize = 5;

/// The caches, and the address of each page that is typed into.
const PAGES: [(&str, usize, bool, &str); 4] = [
    ("145,000 builds", 145_000, false, ""),
    ("145,000 with dependencies", 145_000, true, ""),
    ("145,000 with dependencies, machine", 145_000, true, "?host=linux.ubuntu22.04.zen3"),
    ("1,000,000 builds", 1_000_000, false, ""),
];

/// Measures typing, and searches for dependencies of any package.
pub(crate) fn measure() {
    let caches: Vec<Cache> =
        PAGES.iter().map(|&(_, builds, lists, _)| Cache::of_real_names(builds, lists)).collect();
    let mut keys = [const { Vec::new() }; PAGES.len()];
    let mut dependencies = keys.clone();
    let mut longest = keys.clone();
    let mut anonymous = keys.clone();
    for _ in 0..ROUNDS {
        for (place, ((.., lists, address), cache)) in PAGES.iter().zip(&caches).enumerate() {
            // A separate browser, because the pages that were left compete with the next one.
            let page = browser();
            page.open(&cache.site.url(address));
            page.ask("await spackCache.ready");
            let typed = page.ask(&format!("{SCRIPT}; await rest(); return await typing()"));
            keys[place].extend(typed["keys"].as_array().into_iter().flatten().map(number));
            longest[place].push(number(&typed["longest"]));
            if *lists {
                dependencies[place].push(number(&typed["dependencies"]));
                let times = page.ask(&format!("{SCRIPT}; return await anonymous()"));
                anonymous[place].extend(times.as_array().into_iter().flatten().map(number));
            }
        }
    }
    let figures = keys.into_iter().zip(longest).zip(dependencies.into_iter().zip(anonymous));
    for ((name, _, lists, _), ((keys, longest), (dependencies, anonymous))) in
        PAGES.iter().zip(figures)
    {
        let print = |what: &str, values: Vec<f64>, goal: &str| {
            Figures::new(&format!("{name}: {what}"), values).print("ms", Some(goal));
        };
        print("key", keys, "50 p95");
        print("longest task of typing", longest, "50");
        if *lists {
            print("first dependencies", dependencies, "120");
            print("any package's", anonymous, "16");
        }
    }
}
