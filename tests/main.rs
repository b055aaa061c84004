//! Tests of the complete product from outside: what a user or a script sees, independent of the implementation.
//!
//! Everything is one test binary, which links only once. What belongs where:
//!
//! - `harness/`: a library with the vocabulary of the tests. It has the release in `dist/`, a server for it, and pages
//!   in a real browser, described in the words of their users.
//! - `architecture`: the statements of ARCHITECTURE.md about the sources. `scripts`: how the scripts in `web/` are written.
//! - `seeds`: the sample pages end to end, without a browser.
//! - `explorer`: what people do with it on the sample pages.
//! - `search`: the search box. `publishing`: other caches, and damaged ones. `hostile`: malicious ones.
//! - `front_page`, `package_view`, `build_view`, `compare_view`, `machine`, `keyboard`: each view, and what all views
//!   share.
//! - `dependencies`: dependencies and dependents of builds, in all views, on a small real cache.
//! - `reuse`: whether Spack would reuse a build, on a small real cache.
//! - `changes`: what changed between two releases or stacks. `published`: what changed since an earlier publication.
//! - `recipes`: what recipes say about packages, next to what the cache has.
//! - `deciding`: what people base a decision on: what differs, what is alike, and the commands of one build.
//! - `facets`: which filters a cache has, and what they count. `maintaining`: what maintainers of a cache ask.
//! - `views`: all views by address. `accessibility`: what axe-core finds in each.
//! - `weight`: what a first visit downloads, and its budget.
//! - `scale`: today's cache and larger ones. `bench/` is a separate program, which measures them.
//! - `first_view`: what a page shows before its app has started. `html`: how lists are changed in place.
//! - `loading`: how the site starts, wherever it is hosted, and what it shows if it cannot. `faults`: what a browser
//!   may refuse. `incomplete`: what may not arrive. `offline`: what works without a network. `policy`: what the page
//!   may load.
//! - `package_pages`: the pages of packages for search engines, and how the site takes their place.
//! - `contents`: what is in the binaries of builds.
//! - `inside`: the command with the site in it: `open`, `serve`, and new sites.
//! - `wheel`: the Python wheel, installed as people do. `export`: tables, as DuckDB reads them. `versions`: that the
//!   project's version is the same everywhere.
//! - `opening`: users' own caches, read in the page. `reading`: how long that takes, and giving up. `keeping`: what a browser
//!   keeps of them. `own_binaries`: what is in the binaries of a user's own cache.
//! - `environment`: users' own environments, and what the cache has of them. `remembering`: what a device remembers and keeps
//!   of them. `updating`: pages whose answers change.
//! - `walk`: hundreds of random steps, compared with `naive`, which finds builds in plain loops.
//! - `vocabulary`: the harness itself.
//!
//! The tests need the release, which `make test` builds first. `BROWSER=firefox` and `BROWSER=webkit`
//! run them in the other engines.

use cache_explorer_harness as harness;

mod accessibility;
mod architecture;
mod build_view;
mod changes;
mod compare_view;
mod contents;
mod deciding;
mod dependencies;
mod environment;
mod explorer;
mod export;
mod facets;
mod faults;
mod first_view;
mod front_page;
mod hostile;
mod html;
mod incomplete;
mod inside;
mod keeping;
mod keyboard;
mod loading;
mod machine;
mod maintaining;
mod naive;
mod offline;
mod opening;
mod own_binaries;
mod package_pages;
mod package_view;
mod policy;
mod published;
mod publishing;
mod reading;
mod recipes;
mod remembering;
mod reuse;
mod scale;
mod scripts;
mod search;
mod seeds;
mod updating;
mod versions;
mod views;
mod vocabulary;
mod walk;
mod weight;
mod wheel;
