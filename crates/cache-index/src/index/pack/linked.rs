//! What builds are linked with, according to their dependencies: the libc, and the packages that provide virtual ones.
//!
//! As for Spack's `%mpi=openmpi`, only direct dependencies count: a Python package is not linked with the libc,
//! although its interpreter is.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::HashMap;

use super::graph::Graph;
use super::intern::Interner;
use crate::build::is_needed_to_run;
use crate::index::NO_LIBC;

/// Virtual packages that do not represent a choice of library: compilers, and what they include.
const NO_PROVIDERS: [&str; 7] =
    ["c", "cxx", "fortran", "libc", "fortran-rt", "libgfortran", "libifcore"];

const LIBC: &str = "libc";

/// The values of two facets for all builds, as codes of their own.
#[derive(Default)]
pub(super) struct LinkedWith {
    /// `glibc@2.39`.
    pub(super) libcs: Interner<String>,
    /// `mpi=openmpi@5.0.6`.
    pub(super) providers: Interner<String>,
    /// Distinct sets of providers.
    pub(super) sets: Interner<Vec<u32>>,
    /// By arrival: the libc and the set of providers; `None` for builds that list no dependencies.
    pub(super) of: Vec<Option<(u32, u32)>>,
}

impl LinkedWith {
    /// Reads them from the dependencies. `version` returns the version of the build with a hash, if it is known.
    pub(super) fn new<'v>(graph: &Graph, version: impl Fn(u32) -> Option<&'v str>) -> LinkedWith {
        let packages = graph.packages.by_code();
        let kinds = graph.kinds.by_code();
        let links = graph.links.by_code();
        let name = |package: u32, hash: u32| match version(hash) {
            Some(version) => format!("{}@{version}", packages[package as usize]),
            None => packages[package as usize].clone(),
        };

        // First collect everything that could distinguish builds, by virtual package; then keep what does.
        let mut met: Interner<(&str, String)> = Interner::default();
        let mut codes: HashMap<(&str, u32, u32), u32> = HashMap::default();
        let mut linked = LinkedWith::default();
        let mut builds: Vec<Option<(u32, Vec<u32>)>> = Vec::new();
        for edges in graph.iter() {
            builds.push(edges.map(|edges| {
                let mut libc = None;
                let mut providers = Vec::new();
                for &(link, hash) in edges {
                    let link = links[link as usize];
                    let kind = kinds[link.kind as usize];
                    for virtual_name in kind.virtuals.iter().map(String::as_str) {
                        if virtual_name == LIBC {
                            libc.get_or_insert((link.package, hash));
                        }
                        let is_used = is_needed_to_run(kind.deptypes);
                        if is_used && !NO_PROVIDERS.contains(&virtual_name) {
                            let code =
                                codes.entry((virtual_name, link.package, hash)).or_insert_with(
                                    || met.code(&(virtual_name, name(link.package, hash))),
                                );
                            providers.push(*code);
                        }
                    }
                }
                providers.sort_unstable();
                providers.dedup();
                let libc = match libc {
                    Some((package, hash)) => linked.libcs.code(name(package, hash).as_str()),
                    None => linked.libcs.code(NO_LIBC),
                };
                (libc, providers)
            }));
        }

        let met = met.into_values();
        let mut choices: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (virtual_name, provider) in &met {
            choices.entry(virtual_name).or_default().insert(provider);
        }
        let kept: Vec<Option<u32>> = met
            .iter()
            .map(|(virtual_name, provider)| {
                (choices[virtual_name].len() > 1)
                    .then(|| linked.providers.code(format!("{virtual_name}={provider}").as_str()))
            })
            .collect();
        linked.of = builds
            .into_iter()
            .map(|build| {
                let (libc, providers) = build?;
                let mut set: Vec<u32> =
                    providers.into_iter().filter_map(|code| kept[code as usize]).collect();
                set.sort_unstable();
                Some((libc, linked.sets.code(set.as_slice())))
            })
            .collect();
        linked
    }
}
