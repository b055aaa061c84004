//! What is a spec's own: everything that its hash covers, except the hashes of its dependencies.
//!
//! A field that one side does not state, such as the recipe of a build that was read from a page, counts as equal.

use std::fmt;

use cache_index::build::{Build, CompilerSource, FoundAt, SHORT_HASH};

use crate::Generation;
use crate::differences::{Field, FieldEdge, FieldValue, PATCHES};
use crate::text::wording::listed;

/// A field in which two specs differ in themselves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnDifference {
    /// The field.
    pub field: Field,
    /// The variant or flag; empty for other fields.
    pub name: String,
    /// Its value on the old side.
    pub old: FieldValue,
    /// Its value on the new side.
    pub new: FieldValue,
}

impl fmt::Display for OwnDifference {
    /// Writes both values for people: `x86_64_v3 → zen4`, `+shared → ~shared`, `none → -O3 -g`. If both sides have the
    /// same dependencies in other builds, these are written one by one:
    /// `c=gcc@12.3.0 → @11.4.0, other builds of cmake and gmake`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (FieldValue::Edges(old), FieldValue::Edges(new)) = (&self.old, &self.new)
            && let Some(words) = one_by_one(old, new)
        {
            return f.write_str(&words);
        }
        write!(f, "{} → {}", self.words(&self.old, &self.new), self.words(&self.new, &self.old))
    }
}

impl OwnDifference {
    /// Returns the name of the field in JSON, such as `version` or `variant:mpi`.
    pub fn key(&self) -> String {
        match self.name.as_str() {
            "" => self.field.key().to_owned(),
            name => format!("{}:{name}", self.field.key()),
        }
    }

    /// Returns the name of the field for people.
    pub fn label(&self) -> String {
        match self.field {
            Field::Flags => self.name.clone(),
            Field::Variants => "variant".to_owned(),
            Field::Os => self.field.heading().to_owned(),
            field => field.heading().to_lowercase(),
        }
    }

    /// Returns `true` for the variant that lists patches.
    pub(super) fn is_variant_of_patches(&self) -> bool {
        self.field == Field::Variants && self.name == PATCHES
    }

    /// Writes one of the values for people.
    pub(super) fn words(&self, value: &FieldValue, other: &FieldValue) -> String {
        let list = |list: &[String]| match list {
            [] => "none".to_owned(),
            list => list.join(" "),
        };
        let name = &self.name;
        match (self.field, value) {
            (Field::External, FieldValue::Absent) => "built by Spack".to_owned(),
            (Field::Variants, value) => match value {
                FieldValue::Absent => format!("no variant {name}"),
                FieldValue::Bool(value) => format!("{}{name}", if *value { '+' } else { '~' }),
                FieldValue::List(values) => format!("{name}={}", values.join(",")),
                value => {
                    value.json().as_str().map_or(String::new(), |text| format!("{name}={text}"))
                }
            },
            (Field::Recipe, FieldValue::Text(hash)) => hash.chars().take(SHORT_HASH).collect(),
            (Field::Generation, FieldValue::Text(number)) => match number.parse() {
                Ok(number) => Generation::of_number(number).to_string(),
                Err(_) => number.clone(),
            },
            (Field::Patches, FieldValue::List(patches)) => {
                let short = |patch: &String| patch.chars().take(SHORT_HASH).collect();
                list(&patches.iter().map(short).collect::<Vec<String>>())
            }
            (_, FieldValue::Absent) => "none".to_owned(),
            (_, FieldValue::Bool(value)) => value.to_string(),
            (_, FieldValue::Text(text)) => text.clone(),
            (_, FieldValue::List(values)) => list(values),
            (_, FieldValue::FoundAt(FoundAt { prefix, modules, attributes })) => {
                match (prefix, other) {
                    (_, FieldValue::FoundAt(other))
                        if (prefix, modules) == (&other.prefix, &other.modules) =>
                    {
                        attributes.clone().unwrap_or_else(|| "no attributes".to_owned())
                    }
                    (Some(prefix), _) => prefix.clone(),
                    (None, _) => list(modules),
                }
            }
            (_, FieldValue::Edges(edges)) => {
                let has_same_name = |edge: &FieldEdge| match other {
                    FieldValue::Edges(others) => others.iter().any(|other| {
                        other.package == edge.package && other.hash.is_none() && edge.hash.is_none()
                    }),
                    _ => false,
                };
                let word = |edge: &FieldEdge| match has_same_name(edge) {
                    true => format!("{edge} ({})", edge.deptypes),
                    false => edge.to_string(),
                };
                list(&edges.iter().map(word).collect::<Vec<String>>())
            }
        }
    }
}

/// Writes dependencies that differ only in their builds: first those in other versions. Returns `None` if there is only
/// one, or if they differ in more.
fn one_by_one(old: &[FieldEdge], new: &[FieldEdge]) -> Option<String> {
    if old.len() < 2 || old.len() != new.len() {
        return None;
    }
    let (mut versions, mut builds) = (Vec::new(), Vec::new());
    for one in old {
        let key = |edge: &FieldEdge| (edge.package.clone(), edge.virtuals.clone(), edge.deptypes);
        let mut same = new.iter().filter(|other| key(other) == key(one) && other.hash.is_some());
        let (Some(other), None) = (same.next(), same.next()) else { return None };
        one.hash?;
        match (&one.version, &other.version) {
            (Some(from), Some(to)) if from == to => builds.push(one.package.clone()),
            (Some(_), Some(to)) => {
                let named = one.to_string();
                let named = named.split('/').next().unwrap_or_default();
                versions.push(format!("{named} → @{to}"));
            }
            _ => return None,
        }
    }
    if !builds.is_empty() {
        versions.push(format!("other builds of {}", listed(&builds)));
    }
    Some(versions.join(", "))
}

/// Returns the fields other than edges in which two specs differ in themselves, in order.
pub(super) fn own_differences(old: &Build, new: &Build) -> Vec<OwnDifference> {
    let both_list_all = old.dependencies.is_some() && new.dependencies.is_some();
    // Only databases and lock files name repositories, and only these write values as the hash covers them.
    let are_exact = both_list_all && old.namespace.is_some() && new.namespace.is_some();
    let is_dependency = |build: &Build| build.compiler_source == CompilerSource::Dependency;
    // If both sides have it as a dependency, a compiler is compared as an edge.
    let skips_compiler = both_list_all && is_dependency(old) && is_dependency(new);
    let mut found = Vec::new();
    for field in Field::own().filter(|field| *field != Field::Compiler || !skips_compiler) {
        let (Some(olds), Some(news)) = (field.read(old), field.read(new)) else { continue };
        for name in names(&olds, &news) {
            let [old, new] = [&olds, &news].map(|values| {
                let value = values.iter().find(|(other, _)| other == name);
                value.map_or_else(|| field.default(), |(_, value)| value.clone())
            });
            if old != new && (are_exact || !is_same_where_shown(field, name, &old, &new)) {
                found.push(OwnDifference { field, name: name.clone(), old, new });
            }
        }
    }
    found
}

/// Returns the names of two lists, each once.
fn names<'v, T>(olds: &'v [(String, T)], news: &'v [(String, T)]) -> Vec<&'v String> {
    let mut names: Vec<&String> = olds.iter().chain(news).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns `true` if a page, or the data of cache.spack.io, may show one of the values in place of the other: they do not
/// always distinguish a list of one value from that value, and pages shorten the hashes of patches.
fn is_same_where_shown(field: Field, name: &str, old: &FieldValue, new: &FieldValue) -> bool {
    let (Some(old), Some(new)) = (old.list(), new.list()) else { return false };
    let is_same = |(old, new): (&String, &String)| {
        let length = old.len().min(new.len());
        let are_patches = field == Field::Patches || name == PATCHES;
        old == new || are_patches && length >= SHORT_HASH && old.get(..length) == new.get(..length)
    };
    old.len() == new.len() && old.iter().zip(new).all(is_same)
}

/// Returns for each difference of one spec, in order, whether it merely follows from another one.
///
/// A new version always brings another recipe, and often other variants and dependencies; so does a new recipe, which
/// brings its patches as well; and a variant decides what is depended on. Another generation of hashes names compilers in
/// another way, as fields or as dependencies. Other providers of the same virtual packages,
/// and edges to other existing builds, are choices of their own.
pub(super) fn follow(differences: &[OwnDifference]) -> Vec<bool> {
    let has = |field: Field| differences.iter().any(|difference| difference.field == field);
    let is_on_one_side =
        |OwnDifference { old, new, .. }: &OwnDifference| [old, new].contains(&&FieldValue::Absent);
    let becomes_external = differences
        .iter()
        .any(|difference| difference.field == Field::External && is_on_one_side(difference));
    let has_version = has(Field::Version);
    let has_generation = has(Field::Generation);
    let has_recipe = has(Field::Recipe) || has_version;
    let has_variant = differences.iter().any(|difference| {
        difference.field == Field::Variants && !difference.is_variant_of_patches()
    });
    // Some variants exist only for some values of another variant.
    let has_value = differences.iter().any(|difference| {
        difference.field == Field::Variants
            && !difference.is_variant_of_patches()
            && !is_on_one_side(difference)
    });
    let follows = |difference: &OwnDifference| match difference.field {
        Field::External => has_version && !becomes_external,
        _ if becomes_external => true,
        Field::Os | Field::Target => has(Field::Platform),
        Field::Recipe => has_version || has(Field::Namespace),
        Field::Patches => has_recipe,
        Field::Variants if difference.is_variant_of_patches() => has(Field::Patches),
        // A user's own sources come with no version or recipe.
        Field::Variants if difference.name == "dev_path" => false,
        Field::Variants => (has_recipe || has_value) && is_on_one_side(difference),
        Field::Compiler => has_generation,
        Field::Edges => (has_recipe || has_variant || has_generation) && !is_choice(difference),
        _ => false,
    };
    differences.iter().map(follows).collect()
}

/// Returns `true` if edges differ in a provider of the same virtual package, or in the build of the same package.
fn is_choice(OwnDifference { old, new, .. }: &OwnDifference) -> bool {
    let (FieldValue::Edges(old), FieldValue::Edges(new)) = (old, new) else { return false };
    let is_provided_by_another = |edge: &FieldEdge| {
        let others = old.iter().filter(|other| other.package != edge.package);
        let mut virtuals = others.flat_map(|other| &other.virtuals);
        virtuals.any(|name| edge.virtuals.contains(name))
    };
    old.iter().chain(new).any(|edge| edge.hash.is_some()) || new.iter().any(is_provided_by_another)
}
