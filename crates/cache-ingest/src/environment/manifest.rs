//! `spack.yaml`: the specs that a person asks for, before Spack's solver runs.
//!
//! Only the parts that say which specs are wanted are read: `specs`, `definitions`, `toolchains` and
//! `include_concrete`. Configuration (`packages`, `concretizer`, `view`, …) affects the solver's result, which is not
//! computed here; of the packages that have requirements, the names are kept.
//!
//! Two things are not decided here, and listed in [`Environment::undecided`]: definitions under a `when:`, which is
//! Python about the machine; and specs from other files (`include`, `include_concrete`).

use cache_index::environment::{Environment, Root};
use spack_spec::Spec;

use super::expand::{Definitions, Expander};
use super::yaml::read_yaml;
use crate::fields::{Fields, Problems};
use crate::problem::Finding;
use crate::value::Value;

/// The group of specs that are in no other.
const DEFAULT_GROUP: &str = "default";

#[inline(never)] // A part of its own of the reader in the page, see `crates/split`.
pub(super) fn read_manifest(text: &str, problems: &mut Problems) -> Option<Environment> {
    let tree = read_yaml(text, problems)?;
    let mut file = Fields::open(tree, "", problems)?;
    let mut spack = match file.required("spack", problems)? {
        // `spack:` with nothing below it.
        Value::Null => return Some(Environment::default()),
        spack => Fields::open(spack, "spack", problems)?,
    };
    let mut undecided = Vec::new();
    let mut definitions = Definitions::default();
    if let Some(value) = spack.optional("definitions") {
        definitions.read(value, &mut undecided, problems);
    }
    definitions.may_be_elsewhere = spack.has("include");
    if let Some(value) = spack.optional("toolchains") {
        definitions.read_toolchains(value, problems);
    }
    for field in ["include_concrete"] {
        if spack.has(field) {
            undecided
                .push(format!("{field} names other environments, whose lock files were not read"));
        }
    }
    let specs = match spack.optional("specs") {
        Some(Value::List(entries)) => entries,
        Some(Value::Null) | None => Vec::new(),
        Some(other) => {
            let found = other.describe();
            let expected = "a list of specs";
            problems.report("spack.specs", Finding::UnexpectedType { expected, found });
            return None;
        }
    };
    let has_groups = specs.iter().any(is_group);
    let mut expander = Expander { definitions: &definitions, undecided: &mut undecided, problems };
    let mut roots = Vec::new();
    for entry in specs {
        let (group, entries, field) = match entry {
            entry if is_group(&entry) => match open_group(entry, expander.problems) {
                Some((name, entries)) => (Some(name), entries, "spack.specs.specs"),
                None => continue,
            },
            entry => (has_groups.then(|| DEFAULT_GROUP.to_owned()), vec![entry], "spack.specs"),
        };
        for entry in entries {
            let specs = expander.expand(entry, field);
            let root =
                |spec: Spec| Root { spec: spec.to_string(), group: group.clone(), hash: None };
            roots.extend(specs.into_iter().map(root));
        }
    }
    let requirements = spack.optional("packages").map_or(Vec::new(), requirements);
    Some(Environment { roots, nodes: Vec::new(), has_cache_hashes: true, undecided, requirements })
}

/// Returns the names of the packages that have requirements. Only the solver reads the requirements themselves.
fn requirements(packages: Value<'_>) -> Vec<String> {
    let Value::Map(packages) = packages else { return Vec::new() };
    let requires = |settings: &Value<'_>| {
        let Value::Map(fields) = settings else { return false };
        fields.iter().any(|(name, _)| name.trim_end_matches(':') == "require")
    };
    let required = packages.into_iter().filter(|(_, settings)| requires(settings));
    required.map(|(name, _)| name.trim_end_matches(':').to_owned()).collect()
}

fn is_group(entry: &Value<'_>) -> bool {
    matches!(entry, Value::Map(fields) if fields.iter().any(|(name, _)| name == "group"))
}

/// Returns the name of a group, and its entries. Its other fields (`needs`, `explicit`, `override`) say how its specs
/// are solved and installed.
fn open_group<'v>(entry: Value<'v>, problems: &mut Problems) -> Option<(String, Vec<Value<'v>>)> {
    let mut group = Fields::open(entry, "spack.specs", problems)?;
    let name = group.text("group", problems)?;
    let mut entries = match group.optional("specs") {
        Some(Value::List(entries)) => entries,
        Some(Value::Null) | None => Vec::new(),
        Some(other) => {
            let found = other.describe();
            let expected = "a list of specs";
            problems.report("spack.specs.specs", Finding::UnexpectedType { expected, found });
            return None;
        }
    };
    if let Some(matrix) = group.optional("matrix") {
        let exclude = group.optional("exclude").map(|value| ("exclude".into(), value));
        let fields = [("matrix".into(), matrix)].into_iter().chain(exclude);
        entries.push(Value::Map(fields.collect()));
    }
    for field in ["needs", "explicit", "override"] {
        group.optional(field);
    }
    group.close(problems);
    Some((name, entries))
}
