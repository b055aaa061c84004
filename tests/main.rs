//! The whole, from outside: what a person or a script meets, and nothing of how it is made.
//!
//! Everything is one test binary, so that it links once. What belongs where:
//!
//! - `harness/`: a library of what the tests are written in. The release in `dist/`, a server for it, and a page in a real
//!   browser, spoken to in a user's words.
//! - `architecture`: what ARCHITECTURE.md says of the sources.
//! - `seeds`: the sample pages end to end, without a browser.
//! - `explorer`: what a person does with it on the sample pages.
//! - `search`: the search box. `publishing`: other caches, and damaged ones. `hostile`: those that attack.
//! - `front_page`, `package_view`, `build_view`, `compare_view`, `machine`, `keyboard`: each view, and what is in all.
//! - `dependencies`: what a build depends on and what depends on it, in all views, on a small real cache.
//! - `deciding`: what is seen where a person decides: what differs, what is alike, and the commands of one build.
//! - `views`: all of them by address. `accessibility`: what axe-core says of each.
//! - `weight`: what a first visit downloads, and its budget.
//! - `scale`: today's cache and larger ones. `bench/` is a program of its own, which measures them.
//! - `loading`: how the site starts, wherever it is put, and what it says when it cannot. `faults`: what a browser
//!   may refuse it. `incomplete`: what may not arrive. `offline`: what is kept for when there is no network. `policy`: what the page may load.
//! - `vocabulary`: the harness itself.
//!
//! The tests need the release: `make test` makes it first. `BROWSER=firefox` runs them in Firefox.

use cache_explorer_harness as harness;

mod accessibility;
mod architecture;
mod build_view;
mod compare_view;
mod deciding;
mod dependencies;
mod explorer;
mod faults;
mod front_page;
mod hostile;
mod incomplete;
mod keyboard;
mod loading;
mod machine;
mod offline;
mod package_view;
mod policy;
mod publishing;
mod scale;
mod search;
mod seeds;
mod views;
mod vocabulary;
mod weight;
