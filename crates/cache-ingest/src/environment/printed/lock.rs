//! `spack.lock`: the specs that were asked for, and the result of Spack's solver.
//!
//! ```text
//! {"_meta": {"file-type": "spack-lockfile", "lockfile-version": 6, "specfile-version": 5},
//!  "roots": [{"hash": "cnlcy7aip34bywwdtpy3rc4un3yhomaf", "spec": "hdf5@1.14.5"}, …],
//!  "concrete_specs": {"cnlcy7aip34bywwdtpy3rc4un3yhomaf": {"name": "hdf5", …}, …}}
//! ```
//!
//! | version | Spack | differs in |
//! | --- | --- | --- |
//! | 1 to 3 | 0.12 to 0.17 | what specs are listed under, see [`modernized`](super::node::modernized) |
//! | 4, 5, 6 | 0.18, 0.21, 1.0 | the specs' own format |
//! | 7 | 1.2 | roots have a `group` |
//! | 8 | 1.3 | the specs' own format |
//!
//! A later version is read as the newest one, and the environment says so. `include_concrete` contains lock files
//! within this one: their roots and specs count as its own. A lock file also lists the specs that spliced specs were
//! made from, and no root depends on those.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::{Dependency, Hash};
use cache_index::environment::{Environment, NEWEST_LOCK, Node, Root};

use super::node::{Nodes, modernized, read_hash};
use crate::fields::{Fields, Name, Problems, field, text};
use crate::problem::Finding;
use crate::value::Value;

/// From this version on, specs are listed under their DAG hashes.
const DAG_HASHES: u64 = 4;

pub(super) fn read_lock(value: Value<'_>, problems: &mut Problems) -> Option<Environment> {
    let mut lock = Fields::open(value, "", problems)?;
    let meta = lock.required("_meta", problems)?;
    let mut meta = Fields::open(meta, "_meta", problems)?;
    let file_type = meta.text("file-type", problems)?;
    if file_type != "spack-lockfile" {
        let found = crate::problem::quote(&file_type);
        let expected = "\"spack-lockfile\"";
        problems.report("_meta.file-type", Finding::UnexpectedType { expected, found });
        return None;
    }
    let version = meta.whole("lockfile-version", problems)?;
    lock.optional("spack");
    let mut reading = LockReader { version, nodes: Nodes::default(), roots: Vec::new(), problems };
    reading.read(lock, "")?;
    let LockReader { nodes, roots, problems, .. } = reading;
    let nodes = nodes.finish();
    report_absent(&nodes, problems);
    let newer_lock = (version > NEWEST_LOCK).then_some(version);
    Some(Environment { roots, nodes, newer_lock, ..Environment::default() })
}

struct LockReader<'p> {
    version: u64,
    nodes: Nodes,
    roots: Vec<Root>,
    problems: &'p mut Problems,
}

impl LockReader<'_> {
    /// Reads the roots and specs of a lock file, or of one that it includes.
    fn read(&mut self, mut lock: Fields<'_>, path: &str) -> Option<()> {
        let roots = lock.list("roots", self.problems)?;
        let specs = lock.required("concrete_specs", self.problems)?;
        let included = lock.optional("include_concrete");
        let Value::Map(specs) = specs else {
            let found = specs.describe();
            let expected = "an object of specs by their hashes";
            let field = format!("{path}concrete_specs");
            self.problems.report(&*field, Finding::UnexpectedType { expected, found });
            return None;
        };
        let dag_hashes = self.dag_hashes(&specs);
        let mut first_reached = Vec::new();
        for root in roots {
            if let Some((key, root)) = self.read_root(root, path, &dag_hashes) {
                first_reached.push(key);
                self.roots.push(root);
            }
        }
        if self.version < DAG_HASHES {
            self.add_as_reached(first_reached, specs, &dag_hashes);
        } else {
            for (key, spec) in specs {
                if let Some(&hash) = dag_hashes.get(&*key) {
                    self.nodes.add(hash, spec, self.problems);
                }
            }
        }
        if let Some(included) = included {
            let path = format!("{path}include_concrete");
            for (name, lock) in Fields::open(included, path.clone(), self.problems)?.into_entries()
            {
                let path = format!("{path}.{name}");
                let lock = Fields::open(lock, path.clone(), self.problems)?;
                self.read(lock, &format!("{path}."))?;
            }
        }
        Some(())
    }

    /// Returns the DAG hash of each spec by the key that it is listed under.
    fn dag_hashes(&mut self, specs: &[(Cow<'_, str>, Value<'_>)]) -> BTreeMap<String, Hash> {
        let mut hashes = BTreeMap::new();
        for (key, spec) in specs {
            let spec = match spec {
                Value::Map(fields) if self.version < 3 && fields.len() == 1 => &fields[0].1,
                spec => spec,
            };
            let written = match field(spec, "hash") {
                Some(Value::Text(hash)) if self.version < DAG_HASHES => hash,
                _ => key,
            };
            if let Some(hash) = read_hash(written, "concrete_specs", self.problems) {
                hashes.insert(key.to_string(), hash);
            }
        }
        hashes
    }

    /// Adds the specs of an old lock file in the order in which its roots reach them: more than one may have the same
    /// DAG hash, and the first one counts.
    fn add_as_reached(
        &mut self,
        roots: Vec<String>,
        specs: Vec<(Cow<'_, str>, Value<'_>)>,
        dag_hashes: &BTreeMap<String, Hash>,
    ) {
        let mut specs: BTreeMap<String, Value<'_>> =
            specs.into_iter().map(|(key, spec)| (key.into_owned(), spec)).collect();
        let mut open: Vec<String> = roots.into_iter().rev().collect();
        while let Some(key) = open.pop() {
            let (Some(spec), Some(&hash)) = (specs.remove(&key), dag_hashes.get(&key)) else {
                continue;
            };
            if self.nodes.has(hash) {
                continue;
            }
            open.extend(keys_of_dependencies(&spec).into_iter().rev());
            let spec = modernized(spec, hash, dag_hashes);
            self.nodes.add(hash, spec, self.problems);
        }
    }

    /// Returns the key of a root's spec, and the root.
    fn read_root(
        &mut self,
        value: Value<'_>,
        path: &str,
        dag_hashes: &BTreeMap<String, Hash>,
    ) -> Option<(String, Root)> {
        let path = format!("{path}roots");
        let mut root = Fields::open(value, path.clone(), self.problems)?;
        let key = root.text("hash", self.problems);
        let spec = root.text("spec", self.problems);
        let group = root.optional("group");
        let group = match group {
            Some(value) => Some(text(value, Name::new(&path, "group"), self.problems)?),
            None => None,
        };
        let (key, spec) = (key?, spec?);
        let Some(&hash) = dag_hashes.get(&key) else {
            let found = crate::problem::quote(&key);
            self.problems.report(Name::new(&path, "hash"), Finding::NoSuchSpec { found });
            return None;
        };
        Some((key, Root { spec, group, hash: Some(hash) }))
    }
}

/// Reports dependencies that a lock file does not list: Spack cannot read such a file, and nothing is known about them.
fn report_absent(nodes: &[Node], problems: &mut Problems) {
    let mut met: BTreeSet<Hash> = nodes.iter().map(|node| node.build.hash).collect();
    for Node { build, .. } in nodes {
        for Dependency { package, hash, .. } in build.dependencies.iter().flatten() {
            // Each once.
            if met.insert(*hash) {
                let dependent = format!("{}/{}", build.package, build.short_hash());
                let absent = format!("{package}/{hash}");
                problems.report("concrete_specs", Finding::NotInLock { dependent, absent });
            }
        }
    }
}

/// Returns the keys of the dependencies of a spec in an old lock file, wherever its version stores them.
fn keys_of_dependencies(spec: &Value<'_>) -> Vec<String> {
    let spec = match spec {
        Value::Map(fields) if fields.len() == 1 => &fields[0].1,
        spec => spec,
    };
    let edges: Vec<&Value<'_>> = match field(spec, "dependencies") {
        Some(Value::List(edges)) => edges.iter().collect(),
        Some(Value::Map(edges)) => edges.iter().map(|(_, edge)| edge).collect(),
        _ => Vec::new(),
    };
    let key = |edge: &Value| match field(edge, "build_hash").or_else(|| field(edge, "hash")) {
        Some(Value::Text(hash)) => Some(hash.to_string()),
        _ => None,
    };
    edges.into_iter().filter_map(key).collect()
}
