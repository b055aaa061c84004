//! The settings that affect reuse, from Spack's own files: `concretizer.yaml`, `packages.yaml`,
//! `repos.yaml`, a `spack.yaml`, or a pasted part of one of these.
//!
//! | read | as |
//! | --- | --- |
//! | `concretizer:reuse` | what may be reused, and from which sources |
//! | `concretizer:targets` | which targets the solver may use |
//! | `concretizer:os_compatible` | which OS runs what was built on which others |
//! | `packages:…:externals` | which externals the machine has |
//! | `specs` of a `spack.yaml`, if only dependencies are reused | what is asked for; a matrix or a definition is not applied |
//! | `repos`, if it is a mapping by name | which package repositories the user has |
//! | `config:install_tree` | where Spack installs builds; a root with a variable is not applied, and neither are projections |
//! | `packages:…:require`, `packages:…:conflict`, `packages:…:prefer`, `concretizer:splice`, `include` | what is not applied, and said so in answers |
//! | `mirrors:…:include_binary`, `exclude_binary` | the same, but for `why`, which [applies](crate::read_mirrors) them |
//!
//! A section may be at the top or below `spack:`, and `concretizer:` may be the whole text. A name with a second colon
//! (`reuse::`), by which Spack overrides other files, is read like the name. A single setting may be on one line:
//! `packages:all:require:"%gcc@12"`. Everything else does not affect reuse and is ignored, except a name that is nearly
//! one that Spack reads: that is an error, as it is for Spack.

mod names;
mod path;
#[cfg(test)]
mod tests;

use cache_index::settings::{
    ASKED, External, INCLUDE, InstallTree, MIRRORS, Reuse, ReuseSource, SPLICE, Settings,
};
use spack_spec::{Dialect, Spec};

use self::names::{IN_CONCRETIZER, IN_PACKAGE, IN_REUSE, SECTIONS, misspelt, refuse_misspelt};
use self::path::written_out;
use crate::environment::yaml::read_yaml;
use crate::fields::{Fields, Name, Problems, field, text, texts, unexpected};
use crate::problem::{Finding, Problem, quote};
use crate::value::Value;

/// Reads a file of settings. What it does not mention is taken from `known`: the defaults, or the settings
/// of other files.
///
/// # Errors
///
/// Returns all problems that were found, each with its place.
pub fn read_settings(bytes: &[u8], known: Settings) -> Result<Settings, Vec<Problem>> {
    let mut problems = Problems::default();
    let mut settings = known;
    match str::from_utf8(bytes) {
        Ok(text) => read_text(text.trim_start_matches('\u{feff}'), &mut settings, &mut problems),
        Err(error) => problems.report("", Finding::NotUtf8 { byte: error.valid_up_to() }),
    }
    // A file that is read a second time repeats what is already known.
    keep_first(&mut settings.externals);
    keep_first(&mut settings.unapplied);
    problems.read(Some(settings)).into_result()
}

/// Removes repeated elements from a list.
fn keep_first<T: PartialEq>(list: &mut Vec<T>) {
    let mut kept: Vec<T> = Vec::with_capacity(list.len());
    for one in list.drain(..) {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    *list = kept;
}

fn read_text(text: &str, settings: &mut Settings, problems: &mut Problems) {
    let tree = match read_yaml(&written_out(text), problems) {
        None | Some(Value::Null) => return,
        Some(tree) => tree,
    };
    let Some(mut file) = Fields::open(tree, "", problems) else { return };
    let mut specs = None;
    if let Some(spack) = take(&mut file, "spack")
        && let Some(mut spack) = open(spack, "spack", problems)
    {
        read_sections(&mut spack, settings, problems);
        specs = take(&mut spack, "specs");
        refuse_misspelt(spack, &[SECTIONS], problems);
    }
    read_sections(&mut file, settings, problems);
    // The text may be the contents of `concretizer:` alone.
    read_concretizer(&mut file, settings, problems);
    let asked = specs.into_iter().chain(take(&mut file, "specs"));
    if settings.reuse == Reuse::Dependencies {
        asked.for_each(|specs| read_asked(specs, settings));
    }
    refuse_misspelt(file, &[SECTIONS, IN_CONCRETIZER], problems);
}

/// Reads the specs that a `spack.yaml` asks for.
fn read_asked(specs: Value<'_>, settings: &mut Settings) {
    let Value::List(specs) = specs else { return };
    for spec in specs {
        match spec {
            Value::Text(spec) if Spec::parse(&spec, Dialect::V1).is_ok() => {
                if !settings.asked.iter().any(|other| *other == *spec) {
                    settings.asked.push(spec.into_owned());
                }
            }
            Value::Text(name) => settings.unapplied.push(format!("{ASKED}{name}")),
            _ => settings.unapplied.push(format!("{ASKED}matrix")),
        }
    }
}

fn read_sections(file: &mut Fields<'_>, settings: &mut Settings, problems: &mut Problems) {
    if let Some(value) = take(file, "concretizer")
        && let Some(mut section) = open(value, "concretizer", problems)
    {
        read_concretizer(&mut section, settings, problems);
        refuse_misspelt(section, &[IN_CONCRETIZER], problems);
    }
    if let Some(value) = take(file, "packages")
        && let Some(section) = open(value, "packages", problems)
    {
        for (name, package) in section.into_entries() {
            read_package(&name, package, settings, problems);
        }
    }
    if let Some(value) = take(file, "include") {
        let new = included(value).into_iter().map(|name| format!("{INCLUDE}{name}"));
        settings.unapplied.extend(new);
    }
    if let Some(value) = take(file, "config")
        && let Some(mut config) = open(value, "config", problems)
        && let Some(tree) = take(&mut config, "install_tree")
    {
        read_install_tree(tree, settings, problems);
    }
    if let Some(Value::Map(mirrors)) = take(file, "mirrors") {
        mirrors.iter().for_each(|(name, mirror)| read_filters(name, mirror, settings));
    }
    if let Some(Value::Map(repositories)) = take(file, "repos") {
        let known = &mut settings.repositories;
        for (name, _) in repositories {
            let name = name.trim_end_matches(':');
            if !known.iter().any(|other| other == name) {
                known.push(name.to_owned());
            }
        }
    }
}

fn read_concretizer(section: &mut Fields<'_>, settings: &mut Settings, problems: &mut Problems) {
    if let Some(value) = take(section, "reuse") {
        read_reuse(value, settings, problems);
    }
    if let Some(Value::Map(splice)) = take(section, "splice") {
        splice.iter().for_each(|(name, value)| read_splice(name, value, settings));
    }
    if let Some(value) = take(section, "targets")
        && let Some(mut targets) = open(value, "concretizer.targets", problems)
    {
        if let Some(value) = take(&mut targets, "host_compatible") {
            let field = "concretizer.targets.host_compatible";
            if let Some(value) = boolean(value, field, problems) {
                settings.targets.host_compatible = value;
            }
        }
        if let Some(value) = take(&mut targets, "granularity") {
            let field = "concretizer.targets.granularity";
            match text(value, field, problems).as_deref() {
                None => {}
                Some("generic") => settings.targets.only_generic = true,
                Some("microarchitectures") => settings.targets.only_generic = false,
                Some(other) => problems.report(
                    field,
                    Finding::UnexpectedType {
                        expected: "generic or microarchitectures",
                        found: quote(other),
                    },
                ),
            }
        }
    }
    if let Some(value) = take(section, "os_compatible")
        && let Some(oses) = open(value, "concretizer.os_compatible", problems)
    {
        for (os, others) in oses.into_entries() {
            let field = "concretizer.os_compatible";
            if let Some(others) = texts(others, Name::new(field, &os), problems) {
                settings.os_compatible.push((os.trim_end_matches(':').to_owned(), others));
            }
        }
    }
}

/// Reads what Spack splices into reused specs: into all of them, or a replacement into those that need a target.
fn read_splice(name: &str, value: &Value<'_>, settings: &mut Settings) {
    let name = name.trim_end_matches(':');
    let said = match (name, value) {
        ("automatic", Value::Bool(true)) => "true".to_owned(),
        ("explicit", Value::List(entries)) => {
            let text = |entry, name| match field(entry, name) {
                Some(Value::Text(text)) => text.to_string(),
                _ => String::new(),
            };
            let words =
                |entry| format!("{} → {}", text(entry, "target"), text(entry, "replacement"));
            entries.iter().map(words).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    };
    if !said.is_empty() {
        settings.unapplied.push(format!("{SPLICE}{name}: {said}"));
    }
}

/// Spack's own projections, which say where builds are below the root.
const PROJECTIONS: [&str; 2] = [
    "{architecture.platform}-{architecture.target}/{name}-{version}-{hash}",
    "{architecture}/{compiler.name}-{compiler.version}/{name}-{version}-{hash}",
];

/// Reads the install tree: its root alone, as in old files, or a mapping.
fn read_install_tree(value: Value<'_>, settings: &mut Settings, problems: &mut Problems) {
    const PATH: &str = "config.install_tree";
    let is_mapping = matches!(value, Value::Map(_));
    let (root, padded_length) = if is_mapping {
        let Some(mut tree) = Fields::open(value, PATH, problems) else { return };
        let padded_length = match take(&mut tree, "padded_length") {
            Some(Value::Whole(length)) => usize::try_from(length).unwrap_or(usize::MAX),
            _ => 0,
        };
        if let Some(Value::Map(projections)) = take(&mut tree, "projections")
            && !projections.iter().all(|(name, value)| {
                name.trim_end_matches(':') == "all"
                    && matches!(value, Value::Text(text) if PROJECTIONS.contains(&&**text))
            })
        {
            settings.unapplied.push(format!("{INSTALL_TREE}:projections"));
        }
        (take(&mut tree, "root"), padded_length)
    } else {
        (Some(value), 0)
    };
    let Some(root) = root.and_then(|root| text(root, PATH, problems)) else { return };
    let is_variable = root.contains('$') || root.starts_with('~');
    match InstallTree::new(&root, padded_length).filter(|_| !is_variable) {
        Some(tree) => settings.install_tree = Some(tree),
        None => settings.unapplied.push(format!("{INSTALL_TREE}:root: {root}")),
    }
}

/// The name of this setting among those that are not applied.
const INSTALL_TREE: &str = "config:install_tree";

fn read_reuse(value: Value<'_>, settings: &mut Settings, problems: &mut Problems) {
    const PATH: &str = "concretizer.reuse";
    match value {
        Value::Bool(all) => {
            settings.reuse = if all { Reuse::Everything } else { Reuse::Nothing };
            settings.caches = vec![ReuseSource::default()];
        }
        Value::Text(name) if name == "dependencies" => {
            settings.reuse = Reuse::Dependencies;
            settings.caches = vec![ReuseSource::default()];
        }
        map @ Value::Map(_) => {
            let Some(mut reuse) = Fields::open(map, PATH, problems) else { return };
            let roots = take(&mut reuse, "roots")
                .and_then(|value| boolean(value, "concretizer.reuse.roots", problems));
            settings.reuse =
                if roots == Some(false) { Reuse::Dependencies } else { Reuse::Everything };
            let lists = read_lists(&mut reuse, PATH, &ReuseSource::default(), problems);
            settings.caches = match take(&mut reuse, "from") {
                None | Some(Value::Null) => vec![lists],
                Some(Value::List(sources)) => sources
                    .into_iter()
                    .filter_map(|source| read_source(source, &lists, problems))
                    .collect(),
                Some(other) => {
                    unexpected::<()>(
                        &other,
                        "a list of sources",
                        "concretizer.reuse.from",
                        problems,
                    );
                    Vec::new()
                }
            };
            refuse_misspelt(reuse, &[IN_REUSE], problems);
        }
        other => {
            unexpected::<()>(&other, "true, false, dependencies or an object", PATH, problems);
        }
    }
}

/// Reads an entry of `from`; `None` if it is not about caches. Its own lists replace those for all sources.
fn read_source(
    value: Value<'_>,
    all: &ReuseSource,
    problems: &mut Problems,
) -> Option<ReuseSource> {
    const PATH: &str = "concretizer.reuse.from";
    let mut source = Fields::open(value, PATH, problems)?;
    let kind = source.text("type", problems)?;
    match kind.as_str() {
        "buildcache" => Some(read_lists(&mut source, PATH, all, problems)),
        "local" | "external" | "environment" => None,
        other => {
            let expected = "local, buildcache, external or environment";
            let finding = Finding::UnexpectedType { expected, found: quote(other) };
            problems.report("concretizer.reuse.from.type", finding);
            None
        }
    }
}

fn read_lists(
    fields: &mut Fields<'_>,
    path: &'static str,
    default: &ReuseSource,
    problems: &mut Problems,
) -> ReuseSource {
    let mut list = |name: &str, default: &[String]| match take(fields, name) {
        None => default.to_vec(),
        Some(Value::Null) => Vec::new(),
        Some(value) => specs(value, Name::new(path, name), problems),
    };
    let include = list("include", &default.include);
    ReuseSource { include, exclude: list("exclude", &default.exclude) }
}

/// Reads a list of specs.
pub(crate) fn specs(value: Value<'_>, field: Name<'_>, problems: &mut Problems) -> Vec<String> {
    let specs = texts(value, field, problems).unwrap_or_default();
    let readable = |spec: &String| is_spec(spec, field, problems);
    specs.into_iter().filter(readable).collect()
}

fn is_spec(spec: &str, field: Name<'_>, problems: &mut Problems) -> bool {
    match Spec::parse(spec, Dialect::V1) {
        Ok(_) => true,
        Err(error) => {
            let message = error.to_string();
            problems.report(field, Finding::NotASpec { found: quote(spec), message });
            false
        }
    }
}

/// Returns the names of what a file includes, as written.
fn included(value: Value<'_>) -> Vec<String> {
    match value {
        Value::Text(name) => vec![name.into_owned()],
        Value::List(entries) => entries.into_iter().flat_map(included).collect(),
        Value::Map(fields) => {
            let field = fields.into_iter().find(|(name, _)| ["path", "git"].contains(&&**name));
            field.map_or(Vec::new(), |(_, name)| included(name))
        }
        _ => Vec::new(),
    }
}

/// The list of the binaries that Spack fetches from a mirror, and pushes to it.
pub(crate) const INCLUDE_BINARY: &str = "include_binary";

/// The list of the binaries that it does not fetch or push.
pub(crate) const EXCLUDE_BINARY: &str = "exclude_binary";

/// Reads which binaries Spack fetches from a mirror, where what is below `fetch` comes first.
fn read_filters(name: &str, mirror: &Value<'_>, settings: &mut Settings) {
    let name = name.trim_end_matches(':');
    for list in [INCLUDE_BINARY, EXCLUDE_BINARY] {
        let of_fetch = field(mirror, "fetch").and_then(|fetch| field(fetch, list));
        let specs = of_fetch.or_else(|| field(mirror, list)).map_or(Vec::new(), required_specs);
        if !specs.is_empty() {
            settings.unapplied.push(format!("{MIRRORS}{name}:{list}: {}", specs.join(", ")));
        }
    }
}

/// The settings of a package that take precedence over reuse, and are not applied.
const UNAPPLIED: [&str; 3] = ["require", "conflict", "prefer"];

/// Returns the specs in a requirement; alternatives and conditions are part of the text: `mpich or openmpi when +mpi`.
fn required_specs(value: &Value<'_>) -> Vec<String> {
    match value {
        Value::Text(spec) => vec![spec.to_string()],
        Value::List(entries) => entries.iter().flat_map(required_specs).collect(),
        Value::Map(fields) => {
            let is_of_specs = |name: &str| ["spec", "any_of", "one_of"].contains(&name);
            let specs = fields.iter().filter(|(name, _)| is_of_specs(name));
            let specs: Vec<String> = specs.flat_map(|(_, value)| required_specs(value)).collect();
            let when = fields.iter().find_map(|(name, value)| match value {
                Value::Text(when) if name == "when" => Some(format!(" when {when}")),
                _ => None,
            });
            vec![format!("{}{}", specs.join(" or "), when.unwrap_or_default())]
        }
        _ => Vec::new(),
    }
}

fn read_package(name: &str, value: Value<'_>, settings: &mut Settings, problems: &mut Problems) {
    let Value::Map(entries) = value else { return };
    let name = name.trim_end_matches(':');
    let path = format!("packages.{name}");
    for (field, value) in &entries {
        if let Some(finding) = misspelt(field, &[IN_PACKAGE]) {
            problems.report(Name::new(&path, field.trim_end_matches(':')), finding);
        }
        let field = field.trim_end_matches(':');
        if UNAPPLIED.contains(&field) {
            let specs = required_specs(value).join(", ");
            settings.unapplied.push(format!("packages:{name}:{field}: {specs}"));
        }
    }
    let externals =
        entries.into_iter().find(|(field, _)| field.trim_end_matches(':') == "externals");
    let Some((_, Value::List(externals))) = externals else { return };
    for external in externals {
        let field = Name::new("packages", name);
        let Some(mut entry) = Fields::open(external, "packages.externals", problems) else {
            continue;
        };
        let Some(spec) = entry.text("spec", problems) else { continue };
        let prefix = match entry.optional("prefix") {
            None | Some(Value::Null) => None,
            Some(value) => text(value, field, problems),
        };
        let modules = match entry.optional("modules") {
            None | Some(Value::Null) => Vec::new(),
            Some(value) => texts(value, field, problems).unwrap_or_default(),
        };
        if is_spec(&spec, field, problems) {
            settings.externals.push(External { spec, prefix, modules });
        }
    }
}

fn boolean(value: Value<'_>, field: &'static str, problems: &mut Problems) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(value),
        other => unexpected(&other, "true or false", field, problems),
    }
}

/// Takes a field by its name, or by its name with the second colon that overrides.
fn take<'v>(fields: &mut Fields<'v>, name: &str) -> Option<Value<'v>> {
    fields.optional(name).or_else(|| fields.optional(&format!("{name}:")))
}

/// Opens a section, which may be empty.
fn open<'v>(value: Value<'v>, path: &'static str, problems: &mut Problems) -> Option<Fields<'v>> {
    match value {
        Value::Null => None,
        value => Fields::open(value, path, problems),
    }
}
