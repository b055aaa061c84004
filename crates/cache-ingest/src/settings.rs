//! The settings that affect reuse, from Spack's own files: `concretizer.yaml`, `packages.yaml`,
//! `repos.yaml`, a `spack.yaml`, or a pasted part of one of these.
//!
//! | read | as |
//! | --- | --- |
//! | `concretizer:reuse` | what may be reused, and from which sources |
//! | `concretizer:targets` | which targets the solver may use |
//! | `concretizer:os_compatible` | which OS runs what was built on which others |
//! | `packages:…:externals` | which externals the machine has |
//! | `repos`, if it is a mapping by name | which package repositories the user has |
//! | `packages:…:require`, `packages:…:conflict`, `include` | what is not applied, and said so in answers |
//! | `mirrors:…:include_binary`, `exclude_binary` | the same, but for `why`, which [applies](crate::read_mirrors) them |
//!
//! A section may be at the top or below `spack:`, and `concretizer:` may be the whole text. A name with a
//! second colon (`reuse::`), by which Spack overrides other files, is read like the name. Everything else
//! does not affect reuse and is ignored.

use cache_index::settings::{External, INCLUDE, MIRRORS, Reuse, ReuseSource, Settings};
use spack_spec::{Dialect, Spec};

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
    problems.read(Some(settings)).into_result()
}

fn read_text(text: &str, settings: &mut Settings, problems: &mut Problems) {
    let tree = match read_yaml(text, problems) {
        None | Some(Value::Null) => return,
        Some(tree) => tree,
    };
    let Some(mut file) = Fields::open(tree, "", problems) else { return };
    if let Some(spack) = take(&mut file, "spack")
        && let Some(mut spack) = open(spack, "spack", problems)
    {
        read_sections(&mut spack, settings, problems);
    }
    read_sections(&mut file, settings, problems);
    // The section without its name.
    read_concretizer(&mut file, settings, problems);
}

fn read_sections(file: &mut Fields<'_>, settings: &mut Settings, problems: &mut Problems) {
    if let Some(value) = take(file, "concretizer")
        && let Some(mut section) = open(value, "concretizer", problems)
    {
        read_concretizer(&mut section, settings, problems);
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

/// The list of those that it does not.
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

/// What of a package's settings excludes builds, and is not applied.
const UNAPPLIED: [&str; 2] = ["require", "conflict"];

/// Returns the specs in a requirement, which may be below `spec`, `any_of` and `one_of`.
fn required_specs(value: &Value<'_>) -> Vec<String> {
    match value {
        Value::Text(spec) => vec![spec.to_string()],
        Value::List(entries) => entries.iter().flat_map(required_specs).collect(),
        Value::Map(fields) => {
            let is_of_specs = |name: &str| ["spec", "any_of", "one_of"].contains(&name);
            let specs = fields.iter().filter(|(name, _)| is_of_specs(name));
            specs.flat_map(|(_, value)| required_specs(value)).collect()
        }
        _ => Vec::new(),
    }
}

fn read_package(name: &str, value: Value<'_>, settings: &mut Settings, problems: &mut Problems) {
    let Value::Map(entries) = value else { return };
    let name = name.trim_end_matches(':');
    for (field, value) in &entries {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn read(text: &str) -> Settings {
        read_settings(text.as_bytes(), Settings::default()).expect("settings")
    }

    fn source(include: &[&str], exclude: &[&str]) -> ReuseSource {
        let own = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
        ReuseSource { include: own(include), exclude: own(exclude) }
    }

    #[test]
    fn reads_what_may_be_reused() {
        #[track_caller]
        fn check(text: &str, reuse: Reuse, caches: &[ReuseSource]) {
            let settings = read(text);
            assert_eq!((settings.reuse, settings.caches.as_slice()), (reuse, caches), "{text}");
        }
        let all = [ReuseSource::default()];
        check("", Reuse::Everything, &all);
        check("concretizer:\n  reuse: true\n", Reuse::Everything, &all);
        check("concretizer:\n  reuse: false\n", Reuse::Nothing, &all);
        check("spack:\n  concretizer:\n    reuse: dependencies\n", Reuse::Dependencies, &all);
        check("concretizer:\n  reuse::\n    roots: false\n", Reuse::Dependencies, &all);
        check(
            "reuse: {exclude: ['%gcc@11', '+mpi']}",
            Reuse::Everything,
            &[source(&[], &["%gcc@11", "+mpi"])],
        );
        check("spack: {specs: [hdf5], view: true}", Reuse::Everything, &all);
    }

    #[test]
    fn prefers_the_lists_of_a_source_to_those_of_all_sources() {
        let from = |from: &str| {
            read(&format!("concretizer: {{reuse: {{include: [+shared], from: [{from}]}}}}")).caches
        };
        assert_eq!(from("{type: local}"), []);
        assert_eq!(from("{type: buildcache}, {type: external}"), [source(&["+shared"], &[])]);
        let own = "{type: buildcache, include: [~shared], exclude: [cmake]}, {type: environment, path: e}";
        assert_eq!(from(own), [source(&["~shared"], &["cmake"])]);
        assert_eq!(from("{type: buildcache, include: []}"), [source(&[], &[])]);
    }

    #[test]
    fn reads_targets_oses_externals_and_repositories() {
        let settings = read(
            "concretizer:\n  targets: {granularity: generic, host_compatible: false}\n  \
             os_compatible: {monterey: [bigsur, catalina]}\npackages:\n  all: {require: '%gcc'}\n  \
             cray-mpich:\n    buildable: false\n    externals:\n    - spec: cray-mpich@8.1.30\n      \
             prefix: /opt/cray\n      modules: [cray-mpich/8.1.30]\nrepos:\n  corpus: /home/corpus\n",
        );
        assert!(settings.targets.only_generic && !settings.targets.host_compatible);
        assert_eq!(settings.os_compatible[0].0, "monterey");
        assert_eq!(settings.os_compatible[0].1, ["bigsur", "catalina"]);
        let external = External {
            spec: "cray-mpich@8.1.30".to_owned(),
            prefix: Some("/opt/cray".to_owned()),
            modules: vec!["cray-mpich/8.1.30".to_owned()],
        };
        assert_eq!(settings.externals, [external]);
        assert_eq!(settings.repositories, ["builtin", "corpus"]);
    }

    #[test]
    fn names_what_is_not_applied() {
        let settings = read(
            "spack:\n  include: [site/packages.yaml, {path: /etc/more.yaml, when: 'True'}]\n  packages:\n    \
             all: {require: '%gcc@12'}\n    mpi:: {require: [{one_of: [mpich, openmpi]}]}\n    \
             zlib: {conflict: ['@1.2'], version: ['1.3']}\n",
        );
        let unapplied = [
            "packages:all:require: %gcc@12",
            "packages:mpi:require: mpich, openmpi",
            "packages:zlib:conflict: @1.2",
            "include: site/packages.yaml",
            "include: /etc/more.yaml",
        ];
        assert_eq!(settings.unapplied, unapplied);
        let of_mirrors = "mirrors: {m: {url: x, exclude_binary: [cuda, gcc]}, n: y}";
        assert_eq!(read(of_mirrors).unapplied, ["mirrors:m:exclude_binary: cuda, gcc"]);
        assert_eq!(
            settings.notes()[0],
            "`packages:all:require: %gcc@12` is not applied: builds that it excludes are shown as eligible"
        );
        assert_eq!(
            settings.notes()[3],
            "`site/packages.yaml` is included, but not read: builds that it excludes are shown as eligible"
        );
    }

    #[test]
    fn reports_what_is_wrong_and_where() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            let problems = read_settings(text.as_bytes(), Settings::default()).expect_err(text);
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            assert_eq!(problems, [expected]);
        }
        check(
            "concretizer: {reuse: 3}",
            "field concretizer.reuse: expected true, false, dependencies or an object, found 3",
        );
        check(
            "reuse: {from: [{type: mirror}]}",
            "field concretizer.reuse.from.type: expected local, buildcache, external or environment, \
             found \"mirror\"",
        );
        check(
            "concretizer: {targets: {host_compatible: maybe}}",
            "field concretizer.targets.host_compatible: expected true or false, found \"maybe\"",
        );
        let problems = read_settings(b"reuse: {include: ['@@']}", Settings::default());
        assert!(
            problems.expect_err("a spec")[0]
                .to_string()
                .starts_with("field concretizer.reuse.include")
        );
        assert!(read_settings(b"a: [", Settings::default()).is_err());
        assert!(read_settings(b"\xff", Settings::default()).is_err());
    }
}
