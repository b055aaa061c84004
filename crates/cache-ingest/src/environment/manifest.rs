//! `spack.yaml`: the specs that a user asks for, before Spack's solver runs.
//!
//! Only the parts that say which specs are wanted are read: `specs`, `definitions`, `toolchains`, `develop` and
//! `include_concrete`. Configuration (`packages`, `concretizer`, `view`, …) affects the solver's result, which is not
//! computed here; only the names of the packages that have requirements are kept, and whether reuse is restricted.
//! Included files are searched for the same parts. A `:` after a name makes it replace what other files say
//! (`packages::`).
//!
//! Two things are not decided here, and listed in [`Environment::undecided`]: definitions under a `when:`, which is
//! Python about the machine; and specs from other environments (`include_concrete`).

mod expand;

use std::collections::BTreeSet;

use cache_index::environment::{Environment, Root};

use self::expand::Expander;
use super::definitions::Definitions;
use super::include::{IncludedFile, Includes, Sections};
use super::toolchains::Toolchains;
use super::yaml::{read_yaml, without_marks};
use crate::fields::{Fields, Problems};
use crate::problem::Finding;
use crate::value::Value;

/// The group of specs that are in no other.
const DEFAULT_GROUP: &str = "default";

/// Reads a `spack.yaml`; `open` returns the content of a file that it includes.
#[inline(never)] // A part of its own of the reader in the page, see `crates/split`.
pub(super) fn read_manifest(
    text: &str,
    open: &mut dyn FnMut(&str) -> IncludedFile,
    problems: &mut Problems,
) -> Option<Environment> {
    let tree = without_marks(read_yaml(text, problems)?);
    let mut file = Fields::open(tree, "", problems)?;
    // Before Spack 0.20, it could be called `env`.
    let spack = match file.optional("env").filter(|_| !file.has("spack")) {
        Some(env) => Some(env),
        None => file.required("spack", problems),
    };
    let mut spack = match spack? {
        // `spack:` with nothing below it.
        Value::Null => return Some(Environment::default()),
        spack => Fields::open(spack, "spack", problems)?,
    };
    let mut undecided = Vec::new();
    let mut sections = Sections::default();
    sections.take(&mut spack);
    let unread = Includes::new(open).read(spack.optional("include"), &mut sections);
    let Sections { definitions, toolchains, packages, develop, concretizer } = sections;
    let mut known_toolchains = Toolchains::default();
    toolchains.into_iter().for_each(|value| known_toolchains.read(value, problems));
    let definitions = Definitions::read(
        definitions,
        !unread.is_empty(),
        known_toolchains.longest(),
        &mut undecided,
        problems,
    );
    let (locks, unread): (Vec<String>, Vec<String>) =
        unread.into_iter().partition(|path| path.ends_with("spack.lock"));
    if !locks.is_empty() {
        let locks = locks.join(", ");
        undecided.push(format!(
            "the specs of other environments are included, and were not read: {locks}"
        ));
    }
    if spack.has("include_concrete") {
        undecided.push(
            "include_concrete names other environments, whose lock files were not read".to_owned(),
        );
    }
    let specs = specs_of(spack.optional("specs"), "spack.specs", problems)?;
    let mut required = Names::default();
    packages.into_iter().for_each(|packages| required.add_required(packages));
    let has_groups = specs.iter().any(is_group);
    let mut expander = Expander::new(&definitions, &known_toolchains, &mut undecided, problems);
    let mut roots = Vec::new();
    for entry in specs {
        let (group, entries, field) = match entry {
            entry if is_group(&entry) => {
                match open_group(entry, &mut required, expander.problems) {
                    Some((name, entries)) => (Some(name), entries, "spack.specs.specs"),
                    None => continue,
                }
            }
            entry => (has_groups.then(|| DEFAULT_GROUP.to_owned()), vec![entry], "spack.specs"),
        };
        let specs = expander.expand(entries, field);
        roots.extend(specs.iter().map(|spec| Root {
            spec: spec.to_string(),
            group: group.clone(),
            hash: None,
        }));
    }
    let mut developed = Names::default();
    develop.into_iter().for_each(|develop| developed.add(names_of(develop)));
    Some(Environment {
        roots,
        nodes: Vec::new(),
        undecided,
        requirements: required.in_order,
        restricts_reuse: restricts_reuse(concretizer),
        developed: developed.in_order,
        unread,
        newer_lock: None,
    })
}

/// Names in the order in which they were added, each once.
#[derive(Default)]
struct Names {
    in_order: Vec<String>,
    met: BTreeSet<String>,
}

impl Names {
    fn add(&mut self, names: impl IntoIterator<Item = String>) {
        let new = names.into_iter().filter(|name| self.met.insert(name.clone()));
        self.in_order.extend(new);
    }

    /// Adds the names of the packages that have requirements. Only the solver reads the requirements themselves.
    fn add_required(&mut self, packages: Value<'_>) {
        let Value::Map(packages) = packages else { return };
        let requires = |settings: &Value<'_>| matches!(settings, Value::Map(fields) if fields.iter().any(|(name, _)| name == "require"));
        let required = packages.into_iter().filter(|(_, settings)| requires(settings));
        self.add(required.map(|(name, _)| name.into_owned()));
    }
}

/// Returns `true` if these `concretizer` sections, the most significant first, restrict reuse: if the first `reuse` is
/// not Spack's default, to reuse whatever it finds, or if any of them sets what Spack splices.
fn restricts_reuse(sections: Vec<Value<'_>>) -> bool {
    let mut fields = Vec::new();
    for section in sections {
        if let Value::Map(of_section) = section {
            fields.extend(of_section);
        }
    }
    let reuse = fields.iter().find(|(name, _)| name == "reuse").map(|(_, value)| value);
    let does = |value: &Value<'_>| match value {
        Value::Bool(automatic) => *automatic,
        Value::List(explicit) => !explicit.is_empty(),
        _ => false,
    };
    let splices = fields.iter().any(|(name, value)| match value {
        Value::Map(splice) if name == "splice" => splice.iter().any(|(_, value)| does(value)),
        _ => false,
    });
    splices || reuse.is_some_and(|reuse| !matches!(reuse, Value::Bool(true) | Value::Null))
}

fn names_of(value: Value<'_>) -> Vec<String> {
    match value {
        Value::Map(fields) => fields.into_iter().map(|(name, _)| name.into_owned()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the entries of a list of specs; `None` if it is something else.
fn specs_of<'v>(
    value: Option<Value<'v>>,
    field: &'static str,
    problems: &mut Problems,
) -> Option<Vec<Value<'v>>> {
    match value {
        Some(Value::List(entries)) => Some(entries),
        Some(Value::Null) | None => Some(Vec::new()),
        Some(other) => {
            let found = other.describe();
            let expected = "a list of specs";
            problems.report(field, Finding::UnexpectedType { expected, found });
            None
        }
    }
}

fn is_group(entry: &Value<'_>) -> bool {
    matches!(entry, Value::Map(fields) if fields.iter().any(|(name, _)| name == "group"))
}

/// Returns the name of a group, and its entries. Its other fields (`needs`, `explicit`) say how its specs are solved
/// and installed; `override` may have requirements.
fn open_group<'v>(
    entry: Value<'v>,
    required: &mut Names,
    problems: &mut Problems,
) -> Option<(String, Vec<Value<'v>>)> {
    let mut group = Fields::open(entry, "spack.specs", problems)?;
    let name = group.text("group", problems)?;
    let mut entries = specs_of(group.optional("specs"), "spack.specs.specs", problems)?;
    if let Some(matrix) = group.optional("matrix") {
        let exclude = group.optional("exclude").map(|value| ("exclude".into(), value));
        let fields = [("matrix".into(), matrix)].into_iter().chain(exclude);
        entries.push(Value::Map(fields.collect()));
    }
    if let Some(Value::Map(sections)) = group.optional("override") {
        let packages = sections.into_iter().filter(|(name, _)| name == "packages");
        packages.for_each(|(_, packages)| required.add_required(packages));
    }
    for field in ["needs", "explicit"] {
        group.optional(field);
    }
    group.close(problems);
    Some((name, entries))
}
