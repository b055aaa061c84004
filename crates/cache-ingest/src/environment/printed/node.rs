//! The concrete specs of an environment.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::Hash;
use cache_index::environment::Node;

use crate::database::{Compilers, read_spec, unnamed};
use crate::fields::{Fields, Problems, field};
use crate::problem::{Finding, Record, quote};
use crate::value::Value;

/// Concrete specs without duplicate hashes.
#[derive(Default)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    seen: BTreeSet<Hash>,
    /// The number of records read so far, for messages.
    records: usize,
}

impl Nodes {
    /// Returns `true` if a spec with this hash has been added.
    pub(super) fn has(&self, hash: Hash) -> bool {
        self.seen.contains(&hash)
    }

    /// Adds a spec that is listed under a hash, unless there already is one with that hash.
    pub(super) fn add(&mut self, hash: Hash, spec: Value<'_>, problems: &mut Problems) {
        self.records += 1;
        if self.seen.contains(&hash) {
            return;
        }
        problems.record = Some(Record { number: self.records, hash: hash.to_string() });
        let build = read_spec(hash, spec, None, problems);
        problems.end_record(build.is_some());
        if let Some(build) = build {
            self.seen.insert(hash);
            self.nodes.push(Node { spliced_from: build.spliced_from, build });
        }
    }

    /// Adds what `spack spec --json` prints for one spec; returns its root.
    pub(super) fn add_spec_file(
        &mut self,
        value: Value<'_>,
        problems: &mut Problems,
    ) -> Option<Hash> {
        let mut file = Fields::open(value, "", problems)?;
        let mut spec = Fields::open(file.required("spec", problems)?, "spec", problems)?;
        spec.optional("_meta");
        let nodes = spec.list("nodes", problems)?;
        let mut root = None;
        for node in nodes {
            let hash = self.add_with_own_hash(node, problems);
            root = root.or(hash);
        }
        root
    }

    /// Adds what `spack find --json` prints; returns all hashes.
    pub(super) fn add_list(&mut self, value: Value<'_>, problems: &mut Problems) -> Vec<Hash> {
        let Value::List(nodes) = value else { return Vec::new() };
        nodes.into_iter().filter_map(|node| self.add_with_own_hash(node, problems)).collect()
    }

    fn add_with_own_hash(&mut self, node: Value<'_>, problems: &mut Problems) -> Option<Hash> {
        let hash = match field(&node, "hash") {
            Some(Value::Text(hash)) => read_hash(hash, "hash", problems)?,
            _ => {
                problems.report("hash", Finding::MissingField);
                return None;
            }
        };
        self.add(hash, node, problems);
        Some(hash)
    }

    /// Returns all nodes, with their compilers.
    pub(super) fn finish(mut self) -> Vec<Node> {
        let compilers = Compilers::among(self.nodes.iter().map(|node| &node.build));
        for Node { build, .. } in &mut self.nodes {
            build.compiler = compilers.of(build).cloned().or(build.compiler.take());
        }
        self.nodes
    }
}

/// Reads a hash, or reports why it is not one.
pub(super) fn read_hash(text: &str, field: &str, problems: &mut Problems) -> Option<Hash> {
    text.parse()
        .map_err(|error| problems.report(field, Finding::BadHash { found: quote(text), error }))
        .ok()
}

/// Converts the specs of lock files before version 4 to today's form.
///
/// | version | a spec is | listed under | its dependencies are |
/// | --- | --- | --- | --- |
/// | 1 | `{name: {…}}` without `hash` | its DAG hash | an object by name, with `hash` |
/// | 2 | `{name: {…}}` | its build hash | an object by name, with `hash` |
/// | 3 | as today | its build hash | a list, with `build_hash` |
///
/// `dag_hash` has the DAG hash of each key.
pub(super) fn modernized<'v>(
    spec: Value<'v>,
    hash: Hash,
    dag_hash: &BTreeMap<String, Hash>,
) -> Value<'v> {
    let mut fields = match unnamed(spec) {
        Value::Map(fields) => fields,
        other => return other,
    };
    fields.retain(|(name, _)| !matches!(&**name, "hash" | "build_hash" | "full_hash"));
    fields.push(("hash".into(), Value::Text(hash.to_string().into())));
    for (name, value) in &mut fields {
        if name == "dependencies" {
            *value = modern_dependencies(std::mem::replace(value, Value::Null), dag_hash);
        }
    }
    Value::Map(fields)
}

fn modern_dependencies<'v>(value: Value<'v>, dag_hash: &BTreeMap<String, Hash>) -> Value<'v> {
    let modern_hash = |fields: &mut Vec<(Cow<'_, str>, Value<'_>)>| {
        for (name, value) in fields {
            if name == "build_hash" {
                *name = "hash".into();
            }
            if name == "hash"
                && let Value::Text(hash) = value
                && let Some(known) = dag_hash.get(&**hash)
            {
                *hash = known.to_string().into();
            }
        }
    };
    let Value::List(edges) = value else { return value };
    let modern = |edge| match edge {
        Value::Map(mut fields) => {
            modern_hash(&mut fields);
            Value::Map(fields)
        }
        other => other,
    };
    Value::List(edges.into_iter().map(modern).collect())
}
