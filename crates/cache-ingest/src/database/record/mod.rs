//! One record of a database file: a spec, and whether the cache has its binary.
//!
//! Always present: name, version, arch, namespace, parameters, hash, and from version 7 on package_hash. Omitted if
//! empty: dependencies, external, patches, build_spec. Up to version 6 there may be hashes of two other kinds. Written
//! only for specs that are not concrete, and therefore never here: propagate, abstract.

mod compiler;
mod named;

pub(crate) use self::compiler::{CompilerLinks, Compilers, compiler_node};
use self::named::is_named;
pub(crate) use self::named::unnamed;
use super::COMPILERS_ARE_DEPENDENCIES;
use crate::fields::{Fields, Name, Problems, text, texts, unexpected};
use crate::grammar::{is_name, is_version};
use crate::notation;
use crate::problem::{Finding, quote};
use crate::value::Value;
use cache_index::build::{
    Build, CompilerSource, Dependency, Deptypes, FoundAt, Hash, Place, Places, Variant,
    VariantValue,
};
use cache_index::sorting;
use spack_spec::FLAG_NAMES;

/// From this version on, the package hash is part of the format.
pub(super) const PACKAGE_HASHES: u32 = 7;

/// The first format of specs that says which virtual packages a build provides.
const PROVIDED_VIRTUALS: u32 = 6;

/// Reads a record. `version` is the version of the file, if it is known.
///
/// Returns the build, without a compiler if the compiler is a dependency.
pub(super) fn read_record(
    hash: Hash,
    value: Value<'_>,
    version: Option<u32>,
    place: &Place,
    problems: &mut Problems,
) -> Option<Build> {
    let before = problems.len();
    let mut record = Fields::open(value, "", problems)?;
    let spec = record.required("spec", problems);
    record.whole("ref_count", problems);
    // The database of an installation says which builds are installed, not which a cache has.
    let may_be_omitted = spec.as_ref().is_some_and(is_named) && !record.has("installed");
    let in_buildcache = match may_be_omitted && !record.has("in_buildcache") {
        true => Some(None),
        false => record.bool("in_buildcache", problems).map(Some),
    };
    record.close(problems);
    let mut build = read_spec(hash, spec?, version, problems)?;
    if in_buildcache?.unwrap_or(!build.external) {
        build.places = place.clone().into();
    }
    (problems.len() == before).then_some(build)
}

pub(crate) fn read_spec(
    hash: Hash,
    value: Value<'_>,
    version: Option<u32>,
    problems: &mut Problems,
) -> Option<Build> {
    let before = problems.len();
    let is_named = is_named(&value);
    let mut spec = Fields::open(unnamed(value), "spec", problems)?;
    let package = spec.text("name", problems);
    let package = package.filter(|name| is_allowed(name, is_name(name), "spec.name", problems));
    let package_version = spec.text("version", problems);
    let package_version = package_version
        .filter(|version| is_allowed(version, is_version(version), "spec.version", problems));
    let namespace = spec.text("namespace", problems);
    let arch = spec.required("arch", problems).and_then(|value| read_arch(value, problems));
    let parameters = match is_named {
        true => spec.optional("parameters"),
        false => spec.required("parameters", problems),
    };
    let (variants, flags) =
        parameters.and_then(|value| read_parameters(value, problems)).unwrap_or_default();
    let package_hash = match version {
        Some(version) if version >= PACKAGE_HASHES => spec.text("package_hash", problems),
        _ => spec.optional("package_hash").and_then(|v| text(v, "spec.package_hash", problems)),
    };
    let dependencies = match spec.optional("dependencies") {
        Some(value) => read_dependencies(value, problems),
        None => Vec::new(),
    };
    let may_lack_hash = is_named && !spec.has("hash");
    let written = if may_lack_hash { None } else { spec.text("hash", problems) };
    if let Some(written) = written.filter(|written| *written != hash.to_string()) {
        problems.report("spec.hash", Finding::HashDisagrees { found: quote(&written) });
    }
    if version.is_none_or(|version| version < PACKAGE_HASHES) {
        // Other digests of the same spec.
        spec.optional("full_hash");
        spec.optional("build_hash");
    }
    let external = spec.optional("external").map(|value| read_external(value, problems));
    let spliced_from =
        spec.optional("build_spec").and_then(|value| read_build_spec(value, problems));
    if let Some(value) = spec.optional("patches") {
        // The same list as in the parameters.
        texts(value, "spec.patches", problems);
    }
    let compiler = read_compiler(&mut spec, version, problems);
    let provided = match spec.optional("provided_virtuals") {
        Some(value) => texts(value, "spec.provided_virtuals", problems),
        // The field is omitted if there are none.
        None => compiler.spec_format.filter(|&it| it >= PROVIDED_VIRTUALS).map(|_| Vec::new()),
    };
    spec.close(problems);

    let arch = arch?;
    let build = Build {
        hash,
        package: package?,
        namespace: Some(namespace?),
        version: package_version?,
        platform: arch.platform,
        os: arch.os,
        target: arch.target,
        compiler: compiler.name,
        compiler_source: compiler.source,
        variants,
        flags,
        places: Places::default(),
        size: None,
        package_hash,
        external: external.is_some(),
        found_at: external.flatten(),
        spliced_from,
        spec_format: compiler.spec_format,
        provided_virtuals: provided.map(sorted),
        signature: None,
        digest: None,
        first_seen: None,
        dependencies: Some(dependencies),
    };
    (problems.len() == before).then_some(build)
}

/// Reports a name or a version that Spack's grammar does not allow.
fn is_allowed(text: &str, is_allowed: bool, field: &str, problems: &mut Problems) -> bool {
    if !is_allowed {
        problems.report(field, Finding::NotInGrammar { found: quote(text) });
    }
    is_allowed
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    sorting::sort(&mut texts);
    texts
}

struct Arch {
    platform: String,
    os: String,
    target: String,
}

fn read_arch(value: Value<'_>, problems: &mut Problems) -> Option<Arch> {
    let mut arch = Fields::open(value, "spec.arch", problems)?;
    let platform = arch.text("platform", problems);
    let os = arch.text("platform_os", problems);
    let target = arch.required("target", problems).and_then(|value| match value {
        // A specific microarchitecture, with everything that Spack knows about it.
        Value::Map(_) => {
            let mut target = Fields::open(value, "spec.arch.target", problems)?;
            let name = target.text("name", problems);
            for known in ["vendor", "features", "generation", "parents", "cpupart"] {
                target.optional(known);
            }
            target.close(problems);
            name
        }
        // A family or a generic level, such as x86_64_v3.
        generic => text(generic, "spec.arch.target", problems),
    });
    arch.close(problems);
    Some(Arch { platform: platform?, os: os?, target: target? })
}

type Parameters = (Vec<Variant>, Vec<(String, Vec<String>)>);

/// Reads variants by the type of their value: a bool, a text, or a list, which may have one element.
fn read_parameters(value: Value<'_>, problems: &mut Problems) -> Option<Parameters> {
    const PATH: &str = "spec.parameters";
    let entries = Fields::open(value, PATH, problems)?.into_entries();
    let mut variants = Vec::with_capacity(entries.len());
    let mut flags = Vec::new();
    for (name, value) in entries {
        let field = Name::new(PATH, &name);
        // Written as a spec, it would be read as another variant.
        if name.is_empty() || name.starts_with(['+', '~']) || name.contains('=') {
            problems.report(field, Finding::NotAVariant { found: quote(&name) });
            continue;
        }
        if FLAG_NAMES.contains(&&*name) {
            match any_texts(value, field, problems) {
                Some(values) if !values.is_empty() => flags.push((name.into_owned(), values)),
                _ => {}
            }
            continue;
        }
        let value = match value {
            Value::Bool(value) => VariantValue::Bool(value),
            Value::Text(value) => VariantValue::Single(value.into_owned()),
            Value::List(_) => {
                let Some(mut values) = any_texts(value, field, problems) else { continue };
                // Spack writes the value `none` instead.
                if values.is_empty() {
                    let found = "an empty list".to_owned();
                    let expected = "a list of one text or more";
                    problems.report(field, Finding::UnexpectedType { expected, found });
                    continue;
                }
                // The values are a set, even if one is written twice.
                sorting::sort(&mut values);
                values.dedup();
                values.shrink_to_fit();
                VariantValue::Multi(values)
            }
            other => {
                let expected = "true, false, a text or a list of texts";
                unexpected::<()>(&other, expected, field, problems);
                continue;
            }
        };
        variants.push(Variant { name: name.into_owned(), value });
    }
    sorting::sort(&mut variants);
    // Six of the parameters are flags, which leaves unused capacity, and builds stay in memory.
    variants.shrink_to_fit();
    sorting::sort(&mut flags);
    Some((variants, flags))
}

/// Reads a list of texts, which may themselves be empty.
fn any_texts(value: Value<'_>, field: Name<'_>, problems: &mut Problems) -> Option<Vec<String>> {
    let expected = "a list of texts";
    let Value::List(elements) = value else {
        return unexpected(&value, expected, field, problems);
    };
    elements
        .into_iter()
        .map(|element| match element {
            Value::Text(text) => Some(text.into_owned()),
            other => unexpected(&other, "a text", field, problems),
        })
        .collect()
}

fn read_dependencies(value: Value<'_>, problems: &mut Problems) -> Vec<Dependency> {
    let Value::List(edges) = value else {
        unexpected::<()>(&value, "a list", "spec.dependencies", problems);
        return Vec::new();
    };
    let mut dependencies = Vec::with_capacity(edges.len());
    dependencies.extend(edges.into_iter().filter_map(|edge| read_dependency(edge, problems)));
    sorting::sort(&mut dependencies);
    dependencies
}

pub(crate) fn read_dependency(value: Value<'_>, problems: &mut Problems) -> Option<Dependency> {
    const PATH: &str = "spec.dependencies";
    let mut edge = Fields::open(value, PATH, problems)?;
    let package = edge.text("name", problems);
    let package = package.filter(|name| is_allowed(name, is_name(name), PATH, problems));
    let hash = edge.text("hash", problems).and_then(|written| read_hash(&written, PATH, problems));
    let kinds = match edge.optional("type") {
        // Spack 0.18 and older.
        Some(types) => {
            texts(types, "spec.dependencies.type", problems).map(|types| (types, vec![]))
        }
        None => edge
            .required("parameters", problems)
            .and_then(|value| read_edge_parameters(value, problems)),
    };
    edge.close(problems);
    let (names, mut virtuals) = kinds?;
    let mut deptypes = Deptypes::default();
    for name in names {
        match Deptypes::named(&name) {
            Some(deptype) => deptypes = deptypes.union(deptype),
            None => problems.report(PATH, Finding::UnknownDeptype { found: quote(&name) }),
        }
    }
    sorting::sort(&mut virtuals);
    Some(Dependency { package: package?, hash: hash?, deptypes, virtuals })
}

fn read_edge_parameters(
    value: Value<'_>,
    problems: &mut Problems,
) -> Option<(Vec<String>, Vec<String>)> {
    let mut parameters = Fields::open(value, "spec.dependencies.parameters", problems)?;
    let deptypes = parameters.texts("deptypes", problems);
    let virtuals = match parameters.optional("virtuals") {
        Some(value) => texts(value, "spec.dependencies.parameters.virtuals", problems),
        None => Some(Vec::new()),
    };
    // Spack 1.x sets it on the edges of specs that an older Spack wrote.
    parameters.optional("direct");
    parameters.close(problems);
    Some((deptypes?, virtuals?))
}

fn read_hash(written: &str, field: &str, problems: &mut Problems) -> Option<Hash> {
    match written.parse() {
        Ok(hash) => Some(hash),
        Err(error) => {
            problems.report(field, Finding::BadHash { found: quote(written), error });
            None
        }
    }
}

/// Reads where on the machine Spack found an external build. Either field may be null.
fn read_external(value: Value<'_>, problems: &mut Problems) -> Option<FoundAt> {
    let mut external = Fields::open(value, "spec.external", problems)?;
    let prefix = match external.optional("path") {
        None | Some(Value::Null) => None,
        Some(value) => text(value, "spec.external.path", problems),
    };
    let modules = match external.optional("module") {
        None | Some(Value::Null | Value::Bool(false)) => Vec::new(),
        Some(Value::Text(module)) => vec![module.into_owned()],
        Some(value) => texts(value, "spec.external.module", problems).unwrap_or_default(),
    };
    let attributes = external.optional("extra_attributes");
    let is_empty = |value: &Value<'_>| *value == Value::Null || *value == Value::Map(Vec::new());
    let attributes = attributes.filter(|value| !is_empty(value));
    external.close(problems);
    Some(FoundAt { prefix, modules, attributes: attributes.map(|value| value.visible_json()) })
}

/// Reads the build that a spliced build was made from.
fn read_build_spec(value: Value<'_>, problems: &mut Problems) -> Option<Hash> {
    let mut build_spec = Fields::open(value, "spec.build_spec", problems)?;
    build_spec.text("name", problems);
    let written = build_spec.text("hash", problems);
    build_spec.close(problems);
    read_hash(&written?, "spec.build_spec.hash", problems)
}

#[derive(Default)]
struct Compiler {
    name: Option<String>,
    source: CompilerSource,
    spec_format: Option<u32>,
}

/// Reads the compiler from where the file's version stores it. If the version is not known yet, the fields that exist
/// decide.
fn read_compiler(spec: &mut Fields<'_>, version: Option<u32>, problems: &mut Problems) -> Compiler {
    let is_field = match version {
        Some(version) => version < COMPILERS_ARE_DEPENDENCIES,
        None => spec.has("compiler"),
    };
    if is_field {
        let name = spec.required("compiler", problems).and_then(|value| {
            let mut compiler = Fields::open(value, "spec.compiler", problems)?;
            let name = compiler.text("name", problems);
            let version = compiler.text("version", problems);
            compiler.close(problems);
            Some(format!("{}@{}", name?, version?))
        });
        return Compiler { name, source: CompilerSource::Field, spec_format: None };
    }
    let mut compiler = Compiler { source: CompilerSource::Dependency, ..Compiler::default() };
    let annotations = spec
        .required("annotations", problems)
        .and_then(|value| Fields::open(value, "spec.annotations", problems));
    if let Some(mut annotations) = annotations {
        compiler.spec_format = annotations
            .whole("original_specfile_version", problems)
            .and_then(|number| u32::try_from(number).ok());
        if let Some(value) = annotations.optional("compiler") {
            compiler.source = CompilerSource::Annotation;
            compiler.name = text(value, "spec.annotations.compiler", problems)
                .and_then(|name| notation::compiler(&name));
        }
        annotations.close(problems);
    }
    compiler
}
