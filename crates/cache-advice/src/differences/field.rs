//! The fields of a build, and their values.

use std::fmt;

use cache_index::build::{Build, Deptypes, FoundAt, Hash, SHORT_HASH, Variant, VariantValue};
use cache_index::facet::Facet;
use serde_json::{Value, json};

use crate::Generation;

/// A field in which two builds can differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Field {
    /// The package.
    Package,
    /// The version.
    Version,
    /// The compiler's name and version.
    Compiler,
    /// The platform.
    Platform,
    /// The operating system.
    Os,
    /// The microarchitecture.
    Target,
    /// The releases that have it.
    Releases,
    /// The stacks that have it.
    Stacks,
    /// The compiler flags.
    Flags,
    /// The repository of the recipe.
    Namespace,
    /// The hash of the recipe.
    Recipe,
    /// The size of the binary.
    Size,
    /// Being found on the machine, and where, instead of built by Spack.
    External,
    /// The variants, `patches` among them.
    Variants,
    /// The patches that were applied.
    Patches,
    /// What it depends on, and why.
    Edges,
    /// The version of the spec format that its hash was made with.
    Generation,
}

/// The properties of a field, for everything that shows how builds differ.
struct FieldDefinition {
    field: Field,
    /// The name in JSON.
    key: &'static str,
    heading: &'static str,
    role: Role,
    /// `true` if it is a line where builds are shown side by side; variants have lines of their own.
    is_line: bool,
    /// The facet that has its values, if rows are compared by it.
    facet: Option<Facet>,
}

/// What a field is to a build.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Builds are compared with others of the same package.
    Package,
    /// The hash covers it.
    Own,
    /// The hash covers it, and it points to other builds.
    Edges,
    /// It says where the build is.
    Place,
    /// It belongs to the binary.
    Binary,
}

const fn own(field: Field, key: &'static str, heading: &'static str) -> FieldDefinition {
    FieldDefinition { field, key, heading, role: Role::Own, is_line: false, facet: None }
}

impl FieldDefinition {
    const fn with(self, role: Role) -> FieldDefinition {
        FieldDefinition { role, ..self }
    }

    const fn with_line(self) -> FieldDefinition {
        FieldDefinition { is_line: true, ..self }
    }

    const fn in_rows(self, facet: Facet) -> FieldDefinition {
        FieldDefinition { facet: Some(facet), ..self }
    }
}

/// The fields in the order in which they are declared and shown.
const TABLE: [FieldDefinition; 17] = [
    own(Field::Package, "package", "Package").with(Role::Package).with_line(),
    own(Field::Version, "version", "Version").with_line().in_rows(Facet::Version),
    own(Field::Compiler, "compiler", "Compiler").with_line().in_rows(Facet::Compiler),
    own(Field::Platform, "platform", "Platform").with_line().in_rows(Facet::Platform),
    own(Field::Os, "os", "OS").with_line().in_rows(Facet::Os),
    own(Field::Target, "target", "Target").with_line().in_rows(Facet::Target),
    own(Field::Releases, "releases", "Releases").with(Role::Place).with_line(),
    own(Field::Stacks, "stacks", "Stacks").with(Role::Place).with_line(),
    own(Field::Flags, "flag", "Flags").with_line(),
    own(Field::Namespace, "namespace", "Namespace").with_line(),
    own(Field::Recipe, "recipe", "Recipe").with_line(),
    own(Field::Size, "size", "Size").with(Role::Binary).with_line(),
    own(Field::External, "external", "External"),
    own(Field::Variants, "variant", "Variants"),
    own(Field::Patches, PATCHES, "Patches"),
    own(Field::Edges, "edges", "Dependencies").with(Role::Edges).in_rows(Facet::Provider),
    own(Field::Generation, "spec_format", "Generation of hashes"),
];

// The number of a field is its position in the table.
const _: () = {
    let mut at = 0;
    while at < TABLE.len() {
        assert!(TABLE[at].field as usize == at);
        at += 1;
    }
};

/// The variant that lists patches.
pub(crate) const PATCHES: &str = "patches";

fn text(text: &str) -> Option<Vec<(String, FieldValue)>> {
    Some(vec![(String::new(), FieldValue::Text(text.to_owned()))])
}

fn list(list: Vec<String>) -> Option<Vec<(String, FieldValue)>> {
    Some(vec![(String::new(), FieldValue::List(list))])
}

impl Field {
    fn all(is_meant: fn(&FieldDefinition) -> bool) -> impl Iterator<Item = Field> {
        TABLE.iter().filter(move |definition| is_meant(definition)).map(|it| it.field)
    }

    /// The fields that are lines when builds are shown side by side; variants have lines of their own.
    pub(crate) fn shown() -> impl Iterator<Item = Field> {
        Field::all(|definition| definition.is_line)
    }

    /// The fields that the hash of a spec covers, except its edges.
    pub(crate) fn own() -> impl Iterator<Item = Field> {
        Field::all(|definition| definition.role == Role::Own)
    }

    /// The facets in which the rows of a package are compared, besides variants.
    pub(crate) fn facets() -> impl Iterator<Item = Facet> {
        TABLE.iter().filter_map(|definition| definition.facet)
    }

    fn definition(self) -> &'static FieldDefinition {
        &TABLE[self as usize]
    }

    /// Returns `true` if it says where a build is, rather than what it is.
    pub(crate) fn is_place(self) -> bool {
        self.definition().role == Role::Place
    }

    /// Returns the name in JSON.
    pub fn key(self) -> &'static str {
        self.definition().key
    }

    /// Returns the heading of a line.
    pub fn heading(self) -> &'static str {
        self.definition().heading
    }

    /// Reads the values of a build, each with the name of the variant or flag, if the field has many; `None` if the source
    /// of the build does not say.
    pub(crate) fn read(self, build: &Build) -> Option<Vec<(String, FieldValue)>> {
        // Every field is named, so that a new one is decided on: it becomes a `Field`, or does not count as a difference.
        let Build {
            hash: _,
            package,
            namespace,
            version,
            platform,
            os,
            target,
            compiler,
            // It is a difference between sources, not between builds.
            compiler_source: _,
            variants,
            flags,
            // Its releases and stacks are read from it.
            places: _,
            size,
            package_hash,
            external,
            found_at,
            // The generation is read from it.
            spec_format: _,
            // It follows from the recipe.
            provided_virtuals: _,
            // A spliced build differs in its edges, which are compared.
            spliced_from: _,
            // These belong to a binary, and may differ between two of the same build.
            signature: _,
            digest: _,
            first_seen: _,
            dependencies,
        } = build;
        match self {
            Field::Package => text(package),
            Field::Version => text(version),
            Field::Compiler => {
                Some(vec![(String::new(), FieldValue::of_text(compiler.as_deref()))])
            }
            Field::Platform => text(platform),
            Field::Os => text(os),
            Field::Target => text(target),
            Field::Releases => list(build.releases()),
            Field::Stacks => list(build.stacks()),
            Field::Flags => {
                // A page lists neither. A build that is read without its dependencies still has its flags.
                if flags.is_empty() {
                    dependencies.as_ref()?;
                }
                let flag = |(name, values): &(String, Vec<String>)| {
                    (name.clone(), FieldValue::List(values.clone()))
                };
                Some(flags.iter().map(flag).collect())
            }
            Field::Namespace => text(namespace.as_ref()?),
            Field::Recipe => text(package_hash.as_ref()?),
            Field::Size => text(&format!("{} bytes", (*size)?)),
            Field::External => {
                // The data of cache.spack.io lists dependencies, and says neither what is external nor a namespace.
                if !external {
                    namespace.as_ref()?;
                }
                dependencies.as_ref()?;
                let value = match external {
                    true => FieldValue::FoundAt(found_at.clone().unwrap_or_default()),
                    false => FieldValue::Absent,
                };
                Some(vec![(String::new(), value)])
            }
            Field::Variants => {
                let variant = |Variant { name, value }: &Variant| {
                    let value = match value {
                        VariantValue::Bool(value) => FieldValue::Bool(*value),
                        VariantValue::Single(value) => FieldValue::Text(value.clone()),
                        VariantValue::Multi(values) => FieldValue::List(values.clone()),
                    };
                    (name.clone(), value)
                };
                Some(variants.iter().map(variant).collect())
            }
            Field::Patches => {
                let value = variants.iter().find_map(|Variant { name, value }| match value {
                    VariantValue::Multi(values) if name == PATCHES => Some(values.clone()),
                    VariantValue::Single(value) if name == PATCHES => Some(vec![value.clone()]),
                    _ => None,
                });
                Some(vec![(String::new(), value.map_or(FieldValue::Absent, FieldValue::List))])
            }
            // Edges are only compared in graphs.
            Field::Edges => None,
            Field::Generation => text(&Generation::of(build)?.number().to_string()),
        }
    }

    /// Returns the value of a variant or flag that a build does not have.
    pub(crate) fn default(self) -> FieldValue {
        if self == Field::Flags { FieldValue::List(Vec::new()) } else { FieldValue::Absent }
    }

    /// Returns the words of a build, as they are shown side by side with those of others.
    pub(crate) fn words(self, build: &Build) -> Vec<String> {
        let words = |(name, value): (String, FieldValue)| match value {
            FieldValue::Absent => vec!["none".to_owned()],
            FieldValue::Text(text) => vec![text],
            FieldValue::List(values) if !name.is_empty() => {
                vec![format!("{name}={}", values.join(" "))]
            }
            FieldValue::List(values) => values,
            _ => Vec::new(),
        };
        self.read(build).into_iter().flatten().flat_map(words).collect()
    }
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldValue {
    /// The spec does not have the field.
    Absent,
    /// A boolean variant.
    Bool(bool),
    /// One text.
    Text(String),
    /// Several texts.
    List(Vec<String>),
    /// Where Spack found an external.
    FoundAt(FoundAt),
    /// Dependencies that only this side has.
    Edges(Vec<FieldEdge>),
}

/// A dependency that only one side has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldEdge {
    /// The package depended on.
    pub package: String,
    /// Why it is needed.
    pub deptypes: Deptypes,
    /// The virtual packages that it provides.
    pub virtuals: Vec<String>,
    /// The build, if only that tells it apart from another dependency on the same package.
    pub hash: Option<Hash>,
    /// The version of that build, if it is known.
    pub version: Option<String>,
}

impl FieldValue {
    fn of_text(text: Option<&str>) -> FieldValue {
        text.map_or(FieldValue::Absent, |text| FieldValue::Text(text.to_owned()))
    }

    /// Returns one text or several as a list.
    pub(crate) fn list(&self) -> Option<&[String]> {
        match self {
            FieldValue::Text(text) => Some(std::slice::from_ref(text)),
            FieldValue::List(list) => Some(list),
            _ => None,
        }
    }

    /// Returns the value as lock files write it; dependencies as a list of objects.
    pub fn json(&self) -> Value {
        match self {
            FieldValue::Absent => Value::Null,
            FieldValue::Bool(value) => json!(value),
            FieldValue::Text(text) => json!(text),
            FieldValue::List(list) => json!(list),
            FieldValue::FoundAt(FoundAt { prefix, modules, attributes }) => {
                let module = if modules.is_empty() { Value::Null } else { json!(modules) };
                let attributes = attributes.as_deref().unwrap_or("{}");
                let attributes = serde_json::from_str(attributes).unwrap_or(json!(attributes));
                json!({"path": prefix, "module": module, "extra_attributes": attributes})
            }
            FieldValue::Edges(edges) => edges.iter().map(FieldEdge::json).collect(),
        }
    }
}

impl FieldEdge {
    fn json(&self) -> Value {
        let deptypes: Vec<&str> = self.deptypes.names().collect();
        let mut object =
            json!({"name": self.package, "deptypes": deptypes, "virtuals": self.virtuals});
        if let Some(hash) = self.hash {
            object["hash"] = json!(hash.to_string());
        }
        object
    }
}

impl fmt::Display for FieldEdge {
    /// Writes the dependency as in a spec: `mpi=openmpi`, `zlib-ng@2.2.4/abcdefg`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.virtuals.is_empty() {
            write!(f, "{}=", self.virtuals.join(","))?;
        }
        f.write_str(&self.package)?;
        if let Some(version) = &self.version {
            write!(f, "@{version}")?;
        }
        match self.hash {
            Some(hash) => write!(f, "/{}", &hash.to_string()[..SHORT_HASH]),
            None => Ok(()),
        }
    }
}
