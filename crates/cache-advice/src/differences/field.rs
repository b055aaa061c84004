//! The fields of a build, and their values.

use std::fmt;

use cache_index::build::{Build, Deptypes, FoundAt, Hash, SHORT_HASH, Variant, VariantValue};
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

/// Reads the values of a build in a field, each with the name of the variant or flag, if that is what it is a value of;
/// `None` if the source of the build does not say.
type Read = fn(&Build) -> Option<Vec<(String, FieldValue)>>;

/// For each field, in order: its name in JSON, its heading, and its value. A field that belongs to one build of a cache is
/// not [own](Field::is_own).
const TABLE: [(Field, &str, &str, Read); 17] = [
    (Field::Package, "package", "Package", |build| text(&build.package)),
    (Field::Version, "version", "Version", |build| text(&build.version)),
    (Field::Compiler, "compiler", "Compiler", |build| {
        Some(vec![(String::new(), FieldValue::of_text(build.compiler.as_deref()))])
    }),
    (Field::Platform, "platform", "Platform", |build| text(&build.platform)),
    (Field::Os, "os", "OS", |build| text(&build.os)),
    (Field::Target, "target", "Target", |build| text(&build.target)),
    (Field::Releases, "releases", "Releases", |build| list(build.releases())),
    (Field::Stacks, "stacks", "Stacks", |build| list(build.stacks())),
    (Field::Flags, "flag", "Flags", |build| {
        build.dependencies.as_ref()?;
        let flag = |(name, values): &(String, Vec<String>)| {
            (name.clone(), FieldValue::List(values.clone()))
        };
        Some(build.flags.iter().map(flag).collect())
    }),
    (Field::Namespace, "namespace", "Namespace", |build| text(build.namespace.as_ref()?)),
    (Field::Recipe, "recipe", "Recipe", |build| text(build.package_hash.as_ref()?)),
    (Field::Size, "size", "Size", |build| text(&format!("{} bytes", build.size?))),
    (Field::External, "external", "External", |build| {
        build.dependencies.as_ref()?;
        let found_at = || FieldValue::FoundAt(build.found_at.clone().unwrap_or_default());
        let value = if build.external { found_at() } else { FieldValue::Absent };
        Some(vec![(String::new(), value)])
    }),
    (Field::Variants, "variant", "Variants", |build| {
        let variant = |Variant { name, value }: &Variant| {
            let value = match value {
                VariantValue::Bool(value) => FieldValue::Bool(*value),
                VariantValue::Single(value) => FieldValue::Text(value.clone()),
                VariantValue::Multi(values) => FieldValue::List(values.clone()),
            };
            (name.clone(), value)
        };
        Some(build.variants.iter().map(variant).collect())
    }),
    (Field::Patches, PATCHES, "Patches", |build| {
        let value = build.variants.iter().find_map(|Variant { name, value }| match value {
            VariantValue::Multi(values) if name == PATCHES => Some(values.clone()),
            VariantValue::Single(value) if name == PATCHES => Some(vec![value.clone()]),
            _ => None,
        });
        Some(vec![(String::new(), value.map_or(FieldValue::Absent, FieldValue::List))])
    }),
    // Edges are only compared in graphs.
    (Field::Edges, "edges", "Dependencies", |_| None),
    (Field::Generation, "spec_format", "Generation of hashes", |build| {
        text(&Generation::of(build)?.number().to_string())
    }),
];

/// The variant that lists patches.
pub(crate) const PATCHES: &str = "patches";

fn text(text: &str) -> Option<Vec<(String, FieldValue)>> {
    Some(vec![(String::new(), FieldValue::Text(text.to_owned()))])
}

fn list(list: Vec<String>) -> Option<Vec<(String, FieldValue)>> {
    Some(vec![(String::new(), FieldValue::List(list))])
}

impl Field {
    /// The fields that are lines when builds are shown side by side; variants have lines of their own.
    pub(crate) fn shown() -> impl Iterator<Item = Field> {
        TABLE.into_iter().map(|(field, ..)| field).take(Field::Size as usize + 1)
    }

    /// The fields that the hash of a spec covers, except its edges.
    pub(crate) fn own() -> impl Iterator<Item = Field> {
        let is_own = |field: &Field| {
            use Field::{Edges, Package, Releases, Size, Stacks};
            !matches!(field, Package | Releases | Stacks | Size | Edges)
        };
        TABLE.into_iter().map(|(field, ..)| field).filter(is_own)
    }

    /// Returns the name in JSON.
    pub fn key(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Returns the heading of a line.
    pub fn heading(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// Reads the values of a build, each with the name of the variant or flag, if the field has many; `None` if the source
    /// of the build does not say.
    pub(crate) fn read(self, build: &Build) -> Option<Vec<(String, FieldValue)>> {
        (TABLE[self as usize].3)(build)
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
    /// Writes the dependency as in a spec: `mpi=openmpi`, `zlib-ng/abcdefg`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.virtuals.is_empty() {
            write!(f, "{}=", self.virtuals.join(","))?;
        }
        f.write_str(&self.package)?;
        match self.hash {
            Some(hash) => write!(f, "/{}", &hash.to_string()[..SHORT_HASH]),
            None => Ok(()),
        }
    }
}
