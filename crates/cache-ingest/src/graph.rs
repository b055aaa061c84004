//! Checks across all builds of a collection: dependencies on unknown builds, and cycles.
//!
//! A dependency on a hash that no input lists is common (an index of one stack need not list builds of another) and not
//! an error: it is kept, and can be shown as unknown. A graph whose hashes are digests of it cannot have a cycle, so an
//! input with one is damaged.

use std::collections::HashMap;

use super::Collection;
use cache_index::build::{Build, Dependency, Hash};

/// A dependency on a build that no input lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDependency<'c> {
    /// The build that depends on it.
    pub dependent: &'c Build,
    /// Package and hash of the unknown build.
    pub dependency: &'c Dependency,
}

/// Returns all dependencies on builds that no input lists, by the dependent's hash.
pub fn unknown_dependencies(
    collection: &Collection,
) -> impl Iterator<Item = UnknownDependency<'_>> {
    collection.builds().flat_map(|dependent| {
        dependencies(dependent)
            .iter()
            .filter(|dependency| collection.get(&dependency.hash).is_none())
            .map(move |dependency| UnknownDependency { dependent, dependency })
    })
}

/// Returns dependencies whose hash is that of a build with another name, each with that build. The hash is a digest of
/// the name too, so one of the two records is damaged.
pub fn misnamed_dependencies(collection: &Collection) -> Vec<(UnknownDependency<'_>, &Build)> {
    let builds: HashMap<Hash, &Build> =
        collection.builds().map(|build| (build.hash, build)).collect();
    let mut found = Vec::new();
    for dependent in collection.builds() {
        for dependency in dependencies(dependent) {
            if let Some(&build) = builds.get(&dependency.hash)
                && build.package != dependency.package
            {
                found.push((UnknownDependency { dependent, dependency }, build));
            }
        }
    }
    found
}

/// Returns builds of which each depends on the next, and the last on the first; `None` if there is no cycle.
pub fn find_cycle(collection: &Collection) -> Option<Vec<Hash>> {
    // For each build reached so far: `true` if it is on the current path, otherwise it is done.
    let mut on_path: HashMap<Hash, bool> = HashMap::with_capacity(collection.len());
    for start in collection.builds() {
        if on_path.contains_key(&start.hash) {
            continue;
        }
        on_path.insert(start.hash, true);
        // The path, each build with its remaining dependencies. Iterative, because a damaged input may be deeper than
        // the stack.
        let mut path = vec![(start.hash, dependencies(start).iter())];
        while let Some((hash, rest)) = path.last_mut() {
            let Some(dependency) = rest.next() else {
                on_path.insert(*hash, false);
                path.pop();
                continue;
            };
            match on_path.get(&dependency.hash) {
                Some(false) => {}
                Some(true) => {
                    let hashes = path.into_iter().map(|(hash, _)| hash);
                    return Some(hashes.skip_while(|&hash| hash != dependency.hash).collect());
                }
                None => {
                    let Some(next) = collection.get(&dependency.hash) else { continue };
                    on_path.insert(next.hash, true);
                    path.push((next.hash, dependencies(next).iter()));
                }
            }
        }
    }
    None
}

/// Returns builds in cycles, by hash: enough of them that without these there is no cycle.
pub fn in_cycles(collection: &Collection) -> Vec<Hash> {
    /// A build on the path, and how far up the path its dependencies lead.
    struct Step<'c> {
        hash: Hash,
        rest: std::slice::Iter<'c, Dependency>,
        leads_back_to: usize,
    }
    let mut found = Vec::new();
    // For each build reached so far: its index on the path, or `None` once it is done.
    let mut met: HashMap<Hash, Option<usize>> = HashMap::with_capacity(collection.len());
    for start in collection.builds() {
        let mut path: Vec<Step<'_>> = Vec::new();
        let mut next = (!met.contains_key(&start.hash)).then_some(start);
        loop {
            if let Some(build) = next.take() {
                met.insert(build.hash, Some(path.len()));
                let rest = dependencies(build).iter();
                path.push(Step { hash: build.hash, rest, leads_back_to: usize::MAX });
            }
            let at = path.len();
            let Some(step) = path.last_mut() else { break };
            if let Some(dependency) = step.rest.next() {
                match met.get(&dependency.hash) {
                    Some(None) => {}
                    Some(&Some(place)) => step.leads_back_to = step.leads_back_to.min(place),
                    None => next = collection.get(&dependency.hash),
                }
                continue;
            }
            let Step { hash, leads_back_to, .. } = *step;
            met.insert(hash, None);
            path.pop();
            // Indices on the path start at 0, and this was the last one.
            if leads_back_to < at {
                found.push(hash);
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
            let cycle = find_cycle(&collection(graph));
            let letters: Option<String> = cycle
                .map(|hashes| hashes.iter().filter_map(|h| h.to_string().chars().next()).collect());
            assert_eq!(letters.as_deref(), expected);
            let mut rest = collection(graph);
            rest.leave_out(in_cycles(&rest));
            assert_eq!(find_cycle(&rest), None);
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
        let unknown: Vec<String> = unknown_dependencies(&collection)
            .map(|u| format!("{} {}", u.dependent.package, u.dependency.package))
            .collect();
        assert_eq!(unknown, ["a x", "b y"]);
    }
}
