//! Checks across all builds of a collection: dependencies on unknown builds, and cycles.
//!
//! A dependency on a hash that no input lists is common (an index of one stack need not list builds of another) and not
//! an error: it is kept, and can be shown as unknown. A graph whose hashes are digests of it cannot have a cycle, so an
//! input with one is damaged.

use super::Collection;
use cache_index::build::{Hash, is_needed_to_run};
use cache_index::index::Packer;
use cache_index::sorting;

/// The builds of a collection by number, in the order of their hashes, and which of them depend on which.
#[derive(Debug)]
pub struct Graph<'c> {
    builds: &'c Packer,
    /// Each build's number in `builds`.
    numbers: Vec<usize>,
    /// For each build, where its dependencies end in `targets`; they start where those of the build before it end.
    ends: Vec<usize>,
    /// The builds that are depended on; [`UNKNOWN`] if no input lists them.
    targets: Vec<u32>,
}

/// A broken dependency, such as one on a build that no input lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenDependency<'c> {
    /// Package and hash of the build that depends on it.
    pub dependent: (&'c str, Hash),
    /// Package and hash of the build that it should point to.
    pub dependency: (&'c str, Hash),
}

const UNKNOWN: u32 = u32::MAX;

impl<'c> Graph<'c> {
    /// Numbers the builds of a collection, and looks up each dependency once.
    pub fn of(collection: &'c Collection) -> Graph<'c> {
        let (builds, numbers) = collection.numbers();
        let mut known = vec![UNKNOWN; builds.targets()];
        for (build, &number) in (0..).zip(&numbers) {
            if let Some(target) = builds.find_target(&builds.hash(number)) {
                known[target as usize] = build;
            }
        }
        let mut ends = Vec::with_capacity(numbers.len());
        let mut targets = Vec::new();
        for &number in &numbers {
            let edges = builds.edges(number).unwrap_or_default();
            targets.extend(edges.iter().map(|&(_, target)| known[target as usize]));
            ends.push(targets.len());
        }
        Graph { builds, numbers, ends, targets }
    }

    /// Returns the hash of a build.
    fn hash(&self, build: usize) -> Hash {
        self.builds.hash(self.numbers[build])
    }

    /// Returns the targets of a build's dependencies, in their order.
    fn targets(&self, build: usize) -> &[u32] {
        let start = if build == 0 { 0 } else { self.ends[build - 1] };
        &self.targets[start..self.ends[build]]
    }

    /// Iterates over the dependencies of a build, each with its target.
    fn edges_of(&self, build: usize) -> impl Iterator<Item = (BrokenDependency<'c>, u32)> + '_ {
        let builds = self.builds;
        let number = self.numbers[build];
        let dependent = (builds.package(number), builds.hash(number));
        let edge = move |&(link, target): &(u32, u32)| BrokenDependency {
            dependent,
            dependency: (builds.link(link).0, builds.target(target)),
        };
        let edges = builds.edges(number).unwrap_or_default();
        edges.iter().map(edge).zip(self.targets(build).iter().copied())
    }

    /// Returns all dependencies on builds that no input lists, by the dependent's hash.
    pub fn unknown_dependencies(&self) -> impl Iterator<Item = BrokenDependency<'c>> + '_ {
        let all = (0..self.numbers.len()).flat_map(|build| self.edges_of(build));
        all.filter(|(_, target)| *target == UNKNOWN).map(|(edge, _)| edge)
    }

    /// Returns the dependencies that builds with a binary need to run but that have no binary, by the dependent's hash,
    /// each with whether the inputs list it. Externals are left out: no cache has their binaries.
    pub fn lacking_to_run(&self) -> impl Iterator<Item = (BrokenDependency<'c>, bool)> + '_ {
        let builds = self.builds;
        let has_binary = move |number: usize| !builds.places(number).is_empty();
        let with_binary =
            (0..self.numbers.len()).filter(move |&build| has_binary(self.numbers[build]));
        with_binary.flat_map(move |build| {
            let edges = builds.edges(self.numbers[build]).unwrap_or_default();
            let is_broken = move |&(link, _): &(u32, u32), target: u32| {
                let number = self.numbers.get(target as usize);
                let is_without =
                    |&number: &usize| !has_binary(number) && !builds.is_external(number);
                is_needed_to_run(builds.link(link).1) && number.is_none_or(is_without)
            };
            let dependencies = edges.iter().zip(self.edges_of(build));
            dependencies
                .filter(move |(edge, (_, target))| is_broken(edge, *target))
                .map(|(_, (dependency, target))| (dependency, target != UNKNOWN))
        })
    }

    /// Returns dependencies whose hash is that of a build with another name, each with that name. The hash is a digest
    /// of the name too, so one of the two records is damaged.
    pub fn misnamed_dependencies(
        &self,
    ) -> impl Iterator<Item = (BrokenDependency<'c>, &'c str)> + '_ {
        let builds = self.builds;
        let package_of = |link| builds.find_package(builds.link(link).0);
        let packages: Vec<Option<u32>> = (0..builds.links() as u32).map(package_of).collect();
        let wrong = (0..self.numbers.len()).filter(move |&build| {
            let edges = builds.edges(self.numbers[build]).unwrap_or_default();
            edges.iter().zip(self.targets(build)).any(|(&(link, _), &target)| {
                let number = self.numbers.get(target as usize);
                let package = number.map(|&number| builds.codes(number).package);
                package.is_some() && package != packages[link as usize]
            })
        });
        wrong.flat_map(|build| self.edges_of(build)).filter_map(|(edge, target)| {
            let package = self.builds.package(*self.numbers.get(target as usize)?);
            (package != edge.dependency.0).then_some((edge, package))
        })
    }

    /// Returns builds that depend on each other in a circle, each on the next; `None` if there is no cycle.
    pub fn find_cycle(&self) -> Option<Vec<Hash>> {
        let in_cycles = self.numbers_in_cycles();
        let is_in_cycle = |target: &usize| in_cycles.binary_search(target).is_ok();
        let mut is_on_path = vec![false; self.numbers.len()];
        let mut path = Vec::new();
        let mut build = *in_cycles.first()?;
        // Each of them depends on another one, so the path returns to a build on it.
        while !std::mem::replace(&mut is_on_path[build], true) {
            path.push(build);
            build = self.targets(build).iter().map(|&target| target as usize).find(is_in_cycle)?;
        }
        let cycle = path.into_iter().skip_while(|&before| before != build);
        Some(cycle.map(|build| self.hash(build)).collect())
    }

    /// Returns enough builds in cycles, by hash, that no cycle remains without them.
    pub fn in_cycles(&self) -> Vec<Hash> {
        self.numbers_in_cycles().into_iter().map(|build| self.hash(build)).collect()
    }

    /// Returns enough builds in cycles, in their order, that no cycle remains without them; each depends on one of
    /// them. Iterative, because a damaged input may be deeper than the stack.
    fn numbers_in_cycles(&self) -> Vec<usize> {
        /// A build on the path, and how far up the path its dependencies lead.
        struct Step<'g> {
            build: usize,
            rest: std::slice::Iter<'g, u32>,
            leads_back_to: usize,
        }
        let mut found = Vec::new();
        // For each build reached so far: its index on the path, or `None` once it is done.
        let mut met: Vec<Option<Option<usize>>> = vec![None; self.numbers.len()];
        for start in 0..self.numbers.len() {
            let mut path: Vec<Step<'_>> = Vec::new();
            let mut next = met[start].is_none().then_some(start);
            loop {
                if let Some(build) = next.take() {
                    met[build] = Some(Some(path.len()));
                    let rest = self.targets(build).iter();
                    path.push(Step { build, rest, leads_back_to: usize::MAX });
                }
                let at = path.len();
                let Some(step) = path.last_mut() else { break };
                if let Some(&target) = step.rest.next() {
                    match met.get(target as usize) {
                        None | Some(Some(None)) => {}
                        Some(&Some(Some(place))) => {
                            step.leads_back_to = step.leads_back_to.min(place);
                        }
                        Some(None) => next = Some(target as usize),
                    }
                    continue;
                }
                let Step { build, leads_back_to, .. } = *step;
                met[build] = Some(None);
                path.pop();
                // This build had the index `at - 1`, so it is in a cycle if it leads back to itself or further up.
                if leads_back_to < at {
                    found.push(build);
                    if let Some(above) = path.last_mut()
                        && leads_back_to < at - 1
                    {
                        above.leads_back_to = above.leads_back_to.min(leads_back_to);
                    }
                }
            }
        }
        sorting::sort(&mut found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_database;
    use cache_index::build::Place;

    /// Creates a collection of builds with one-letter names, each with the letters it depends on.
    fn collection(graph: &[(&str, &str)]) -> Collection {
        let hash = |letter: char| letter.to_string().repeat(32);
        let records: Vec<String> = graph
            .iter()
            .map(|(name, dependencies)| {
                let hash_of_name = name.repeat(32);
                let edges: Vec<String> = dependencies
                    .chars()
                    .map(|letter| {
                        let hash = hash(letter);
                        format!(
                            r#"{{"name": "{letter}", "hash": "{hash}", "parameters": {{"deptypes": ["link"]}}}}"#
                        )
                    })
                    .collect();
                format!(
                    r#""{hash_of_name}": {{"spec": {{"name": "{name}", "version": "1", "arch": {{"platform": "linux", "platform_os": "rhel8", "target": "zen"}}, "namespace": "builtin", "parameters": {{}}, "package_hash": "x", "dependencies": [{}], "annotations": {{"original_specfile_version": 5}}, "hash": "{hash_of_name}"}}, "ref_count": 1, "in_buildcache": true}}"#,
                    edges.join(", ")
                )
            })
            .collect();
        let text = format!(
            r#"{{"database": {{"version": "8", "installs": {{{}}}}}}}"#,
            records.join(", ")
        );
        let place = Place::whole_release("develop");
        let mut collection = Collection::default();
        let database = read_database(text.as_bytes(), &place).into_result().expect("a database");
        collection.add("graph", database.builds).expect("no conflict");
        collection
    }

    #[test]
    fn finds_and_shows_cycles() {
        #[track_caller]
        fn check(graph: &[(&str, &str)], expected: Option<&str>) {
            let builds = collection(graph);
            let cycle = Graph::of(&builds).find_cycle();
            let letters: Option<String> = cycle
                .map(|hashes| hashes.iter().filter_map(|h| h.to_string().chars().next()).collect());
            assert_eq!(letters.as_deref(), expected);
            let mut rest = collection(graph);
            let in_cycles = Graph::of(&rest).in_cycles();
            assert_eq!(in_cycles.is_empty(), expected.is_none());
            rest.leave_out(in_cycles);
            assert_eq!(Graph::of(&rest).find_cycle(), None);
        }
        check(&[], None);
        check(&[("a", "bc"), ("b", "c"), ("c", "")], None);
        check(&[("a", "bx"), ("b", "c"), ("c", "y")], None);
        check(&[("a", "a")], Some("a"));
        check(&[("a", "b"), ("b", "cd"), ("c", ""), ("d", "b")], Some("bd"));
        check(&[("a", ""), ("b", "ac"), ("c", "d"), ("d", "b")], Some("bcd"));
        check(&[("a", "bc"), ("b", "a"), ("c", "b")], Some("ab"));
    }

    #[test]
    fn keeps_and_lists_unknown_dependencies() {
        let collection = collection(&[("a", "bx"), ("b", "y")]);
        let unknown: Vec<String> = Graph::of(&collection)
            .unknown_dependencies()
            .map(|u| format!("{} {}", u.dependent.0, u.dependency.0))
            .collect();
        assert_eq!(unknown, ["a x", "b y"]);
    }
}
