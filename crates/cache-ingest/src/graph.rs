//! Checks across all builds of a collection: dependencies on unknown builds, and cycles.
//!
//! A dependency on a hash that no input lists is common (an index of one stack need not list builds of another) and not
//! an error: it is kept, and can be shown as unknown. A graph whose hashes are digests of it cannot have a cycle, so an
//! input with one is damaged.

use foldhash::HashMap;

use super::Collection;
use cache_index::build::{Build, Dependency, Hash};

/// The builds of a collection by number, in the order of their hashes, and which of them depend on which.
#[derive(Debug)]
pub struct Graph<'c> {
    builds: Vec<&'c Build>,
    /// For each build, where its dependencies end in `targets`; they start where those of the build before it end.
    ends: Vec<usize>,
    /// The builds that are depended on; [`UNKNOWN`] if no input lists them.
    targets: Vec<u32>,
}

/// A dependency on a build that no input lists, or that it lists under another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDependency<'c> {
    /// The build that depends on it.
    pub dependent: &'c Build,
    /// Package and hash of the unknown build.
    pub dependency: &'c Dependency,
}

const UNKNOWN: u32 = u32::MAX;

impl<'c> Graph<'c> {
    /// Numbers the builds of a collection, and looks up each dependency once.
    pub fn of(collection: &'c Collection) -> Graph<'c> {
        let builds: Vec<&Build> = collection.builds().collect();
        let numbers: HashMap<Hash, u32> = builds.iter().map(|build| build.hash).zip(0..).collect();
        let mut ends = Vec::with_capacity(builds.len());
        let mut targets = Vec::new();
        for build in &builds {
            let number =
                |dependency: &Dependency| numbers.get(&dependency.hash).copied().unwrap_or(UNKNOWN);
            targets.extend(dependencies(build).iter().map(number));
            ends.push(targets.len());
        }
        Graph { builds, ends, targets }
    }

    /// Returns the targets of a build's dependencies, in their order.
    fn targets(&self, build: usize) -> &[u32] {
        let start = if build == 0 { 0 } else { self.ends[build - 1] };
        &self.targets[start..self.ends[build]]
    }

    /// Iterates over all dependencies, each with its target.
    fn edges(&self) -> impl Iterator<Item = (UnknownDependency<'c>, u32)> + '_ {
        self.builds.iter().enumerate().flat_map(|(number, &dependent)| {
            let edge = move |dependency| UnknownDependency { dependent, dependency };
            dependencies(dependent).iter().map(edge).zip(self.targets(number).iter().copied())
        })
    }

    /// Returns all dependencies on builds that no input lists, by the dependent's hash.
    pub fn unknown_dependencies(&self) -> impl Iterator<Item = UnknownDependency<'c>> + '_ {
        self.edges().filter(|(_, target)| *target == UNKNOWN).map(|(edge, _)| edge)
    }

    /// Returns dependencies whose hash is that of a build with another name, each with that build. The hash is a digest
    /// of the name too, so one of the two records is damaged.
    pub fn misnamed_dependencies(
        &self,
    ) -> impl Iterator<Item = (UnknownDependency<'c>, &'c Build)> + '_ {
        self.edges().filter_map(|(edge, target)| {
            let build = *self.builds.get(target as usize)?;
            (build.package != edge.dependency.package).then_some((edge, build))
        })
    }

    /// Returns builds of which each depends on the next, and the last on the first; `None` if there is no cycle.
    pub fn find_cycle(&self) -> Option<Vec<Hash>> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            OnPath,
            Done,
        }
        let mut states = vec![State::New; self.builds.len()];
        for start in 0..self.builds.len() {
            if states[start] != State::New {
                continue;
            }
            states[start] = State::OnPath;
            // The path, each build with its remaining dependencies. Iterative, because a damaged input may be deeper
            // than the stack.
            let mut path = vec![(start, self.targets(start).iter())];
            while let Some((build, rest)) = path.last_mut() {
                let Some(&target) = rest.next() else {
                    states[*build] = State::Done;
                    path.pop();
                    continue;
                };
                let target = target as usize;
                match states.get(target) {
                    None | Some(State::Done) => {}
                    Some(State::OnPath) => {
                        let builds = path.into_iter().map(|(build, _)| build);
                        let cycle = builds.skip_while(|&build| build != target);
                        return Some(cycle.map(|build| self.builds[build].hash).collect());
                    }
                    Some(State::New) => {
                        states[target] = State::OnPath;
                        path.push((target, self.targets(target).iter()));
                    }
                }
            }
        }
        None
    }

    /// Returns builds in cycles, by hash: enough of them that without these there is no cycle.
    pub fn in_cycles(&self) -> Vec<Hash> {
        /// A build on the path, and how far up the path its dependencies lead.
        struct Step<'g> {
            build: usize,
            rest: std::slice::Iter<'g, u32>,
            leads_back_to: usize,
        }
        let mut found = Vec::new();
        // For each build reached so far: its index on the path, or `None` once it is done.
        let mut met: Vec<Option<Option<usize>>> = vec![None; self.builds.len()];
        for start in 0..self.builds.len() {
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
                // Indices on the path start at 0, and this was the last one.
                if leads_back_to < at {
                    found.push(self.builds[build].hash);
                    if let Some(above) = path.last_mut()
                        && leads_back_to < at - 1
                    {
                        above.leads_back_to = above.leads_back_to.min(leads_back_to);
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }
}

fn dependencies(build: &Build) -> &[Dependency] {
    build.dependencies.as_deref().unwrap_or_default()
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
            .map(|u| format!("{} {}", u.dependent.package, u.dependency.package))
            .collect();
        assert_eq!(unknown, ["a x", "b y"]);
    }
}
