//! What Spack prints or writes about concrete specs: lock files, and the output of `spack spec` and `spack find`, as
//! JSON or YAML.

mod lock;
mod node;

use cache_index::build::Hash;
use cache_index::environment::{Environment, Root};
use serde_json::Deserializer;

use super::yaml;
use crate::fields::{Problems, field};
use crate::problem::Finding;
use crate::value::Value;
/// Reads what `spack spec --yaml` prints: a document for each spec, with no `---` between them.
#[inline(never)] // A part of its own of the reader in the page, see `crates/split`.
pub(super) fn read_specs_in_yaml(text: &str, problems: &mut Problems) -> Option<Environment> {
    let mut specs = node::Nodes::default();
    let mut roots = Vec::new();
    let mut documents: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| line.trim_end() != "---") {
        match documents.last_mut() {
            Some(document) if line.trim_end() != "spec:" => *document += line,
            _ => documents.push(line.to_owned()),
        }
        documents.last_mut()?.push('\n');
    }
    for document in documents {
        roots.extend(specs.add_spec_file(yaml::read_yaml(&document, problems)?, problems));
    }
    Some(environment_of(roots, specs))
}

#[inline(never)] // A part of its own of the reader in the page, see `crates/split`.
pub(super) fn read_json(text: &str, problems: &mut Problems) -> Option<Environment> {
    let mut specs = node::Nodes::default();
    let mut roots = Vec::new();
    // Read as bytes, like every other input, so that the reader in the page contains the parser only once.
    for document in Deserializer::from_slice(text.as_bytes()).into_iter::<Value<'_>>() {
        let document = match document {
            Ok(document) => document,
            Err(error) => {
                problems.report_json_error(&error);
                return None;
            }
        };
        match &document {
            Value::Map(fields) if fields.iter().any(|(name, _)| name == "spec") => {
                roots.extend(specs.add_spec_file(document, problems));
            }
            Value::Map(fields) if fields.iter().any(|(name, _)| name == "_meta") => {
                return lock::read_lock(document, problems);
            }
            Value::List(list)
                if !list.is_empty() && list.iter().all(|it| field(it, "hash").is_none()) =>
            {
                problems.report("", Finding::JsonWithoutHashes);
                return None;
            }
            Value::List(_) => roots.extend(specs.add_list(document, problems)),
            other => {
                let found = other.describe();
                let expected = "a lock file, or the output of spack spec or spack find";
                problems.report("", Finding::UnexpectedType { expected, found });
                return None;
            }
        }
    }
    Some(environment_of(roots, specs))
}

/// Returns the environment of these specs; a user asks for the `roots`.
fn environment_of(roots: Vec<Hash>, specs: node::Nodes) -> Environment {
    let nodes = specs.finish();
    let roots = roots
        .into_iter()
        .map(|hash| {
            let build = nodes.iter().map(|node| &node.build).find(|build| build.hash == hash);
            let spec = build.map_or(String::new(), |b| format!("{}@={}", b.package, b.version));
            Root { spec, group: None, hash: Some(hash) }
        })
        .collect();
    Environment { roots, nodes, ..Environment::default() }
}
