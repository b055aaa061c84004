//! The cached builds of a package that differ least from a missing node.
//!
//! Two specs are compared in eleven aspects, [`Differs`]; the nearest builds are those that differ in
//! the fewest. A build that differs in its recipe alone is what the next person would call the same.

use std::collections::BTreeMap;
use std::fmt;

use super::coverage::numbers;
use super::{Environment, Node};
use crate::build::{Build, Dependency, Deptypes, Hash, Variant};
use crate::facet::Facet;
use crate::index::{BuildId, EdgeTarget, Index, NO_COMPILER, RowId};

/// Cached builds of the same package that differ from a node in as few aspects as any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The build.
    pub build: BuildId,
    /// In what it differs, in the order of [`Differs`]; never empty, since nothing but an equal hash is
    /// equal in all, and never more than another build of the package.
    pub differs: Vec<Differs>,
}

/// An aspect in which two specs of a package can differ, the weightiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Differs {
    /// The version.
    Version,
    /// Platform, operating system or target.
    Architecture,
    /// The compilers, by language, name and version.
    Compiler,
    /// Any variant but `patches`.
    Variants,
    /// Compiler flags.
    Flags,
    /// The patches that were applied.
    Patches,
    /// The repository of the recipe.
    Namespace,
    /// Whether Spack built it.
    External,
    /// Which packages it depends on, and what for.
    Dependencies,
    /// The hashes of the builds that it depends on.
    DependencyHashes,
    /// The recipe's hash.
    Recipe,
}

impl Differs {
    /// Its name in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Differs::Version => "version",
            Differs::Architecture => "arch",
            Differs::Compiler => "compiler",
            Differs::Variants => "variants",
            Differs::Flags => "flags",
            Differs::Patches => "patches",
            Differs::Namespace => "namespace",
            Differs::External => "external",
            Differs::Dependencies => "dep_names",
            Differs::DependencyHashes => "dep_hashes",
            Differs::Recipe => "recipe",
        }
    }
}

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Differs::Version => "version",
            Differs::Architecture => "architecture",
            Differs::Compiler => "compiler",
            Differs::Variants => "variants",
            Differs::Flags => "compiler flags",
            Differs::Patches => "patches",
            Differs::Namespace => "repository",
            Differs::External => "external",
            Differs::Dependencies => "dependencies",
            Differs::DependencyHashes => "builds of its dependencies",
            Differs::Recipe => "recipe",
        })
    }
}

/// Finds the cached builds that differ least from the nodes of an environment.
pub struct Nearness<'a> {
    index: &'a Index,
    nodes: &'a [Node],
    numbers: BTreeMap<Hash, usize>,
}

/// What compiled a build: `(language, compiler@version)`, sorted.
type Compilers = Vec<(String, String)>;

/// The virtual packages that compilers provide.
const LANGUAGES: [&str; 3] = ["c", "cxx", "fortran"];

impl<'a> Nearness<'a> {
    /// Prepares to look for builds near to these nodes.
    pub fn new(index: &'a Index, environment: &'a Environment) -> Nearness<'a> {
        let nodes = environment.nodes.as_slice();
        Nearness { index, nodes, numbers: numbers(nodes) }
    }

    /// Returns the cached builds that differ least from a node, by hash; empty if the cache has no build
    /// of the package.
    ///
    /// Without details or dependencies in the index, recipes and dependencies count as equal.
    pub fn of(&self, node: usize) -> Vec<Nearest> {
        let index = self.index;
        let wanted = &self.nodes[node].build;
        let Some(package) = index.dictionary(Facet::Package).code(&wanted.package) else {
            return Vec::new();
        };
        let wanted_compilers = self.compilers_of_node(wanted);
        let mut nearest: Vec<Nearest> = Vec::new();
        let mut fewest = usize::MAX;
        for row in index.rows_of(package).filter(|&row| index.has_binary(row)) {
            let of_row = differences_of_row(index, row, wanted);
            if of_row.len() > fewest {
                continue;
            }
            for build in index.builds_of(row) {
                let mut differs = of_row.clone();
                differs.extend(self.differences_of_build(build, row, wanted, &wanted_compilers));
                if differs.len() < fewest {
                    fewest = differs.len();
                    nearest.clear();
                }
                if differs.len() == fewest {
                    differs.sort_unstable();
                    nearest.push(Nearest { build, differs });
                }
            }
        }
        let text = |nearest: &Nearest| index.hash(nearest.build).map(|hash| hash.text());
        nearest.sort_by_cached_key(text);
        nearest
    }

    /// In what else a build differs from the wanted one.
    fn differences_of_build(
        &self,
        build: BuildId,
        row: RowId,
        wanted: &Build,
        wanted_compilers: &Compilers,
    ) -> impl Iterator<Item = Differs> {
        let index = self.index;
        let own = index.dependencies_of(build);
        let (same_compilers, same_edges, same_hashes) = match (&own, &wanted.dependencies) {
            (Some(own), Some(theirs)) => (
                match wanted_compilers.is_empty() {
                    // Specs of an older Spack record the compiler by itself.
                    true => same_recorded_compiler(index, row, wanted),
                    false => self.compilers_of_build(build) == *wanted_compilers,
                },
                edges(own) == edges(theirs),
                hashes(own) == hashes(theirs),
            ),
            _ => (same_recorded_compiler(index, row, wanted), true, true),
        };
        let recipe = index.package_hash(build);
        let same_recipe = recipe.is_none() || recipe == wanted.package_hash.as_deref();
        let same = [
            (Differs::Compiler, same_compilers),
            (Differs::Dependencies, same_edges),
            (Differs::DependencyHashes, same_hashes),
            (Differs::Recipe, same_recipe),
        ];
        same.into_iter().filter(|(_, same)| !same).map(|(differs, _)| differs)
    }

    fn compilers_of_node(&self, node: &Build) -> Compilers {
        let edges = node.dependencies.iter().flatten();
        compilers(edges.map(|edge| {
            let build = self.numbers.get(&edge.hash).map(|&at| &self.nodes[at].build);
            let version = build.map_or("", |build| build.version.as_str());
            (edge.virtuals.as_slice(), edge.package.as_str(), version)
        }))
    }

    fn compilers_of_build(&self, build: BuildId) -> Compilers {
        let index = self.index;
        compilers(index.dependencies(build).into_iter().flatten().map(|edge| {
            let version = match edge.target {
                EdgeTarget::Build(target) => index.text(index.row_of(target), Facet::Version),
                EdgeTarget::Unknown { .. } => "",
            };
            (edge.virtuals, edge.package, version)
        }))
    }
}

fn compilers<'e>(edges: impl Iterator<Item = (&'e [String], &'e str, &'e str)>) -> Compilers {
    let mut compilers: Compilers = edges
        .flat_map(|(virtuals, package, version)| {
            let languages = virtuals.iter().filter(|name| LANGUAGES.contains(&name.as_str()));
            languages.map(move |language| (language.clone(), format!("{package}@{version}")))
        })
        .collect();
    compilers.sort_unstable();
    compilers
}

fn same_recorded_compiler(index: &Index, row: RowId, wanted: &Build) -> bool {
    index.text(row, Facet::Compiler) == wanted.compiler.as_deref().unwrap_or(NO_COMPILER)
}

/// The edges without the builds that they lead to: package, purpose and virtual packages.
fn edges(edges: &[Dependency]) -> Vec<(&str, Deptypes, &[String])> {
    let mut edges: Vec<_> = edges
        .iter()
        .map(|edge| (edge.package.as_str(), edge.deptypes, edge.virtuals.as_slice()))
        .collect();
    edges.sort_unstable();
    edges
}

fn hashes(edges: &[Dependency]) -> Vec<Hash> {
    let mut hashes: Vec<Hash> = edges.iter().map(|edge| edge.hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// In what all builds of a row differ from the wanted one.
fn differences_of_row(index: &Index, row: RowId, wanted: &Build) -> Vec<Differs> {
    let has = |facet, value: &str| index.text(row, facet) == value;
    let origin = index.origin(row);
    let variants = index.variants_of(row);
    let is_patches = |variant: &&Variant| variant.name == "patches";
    let of_both = |keep: &dyn Fn(&&Variant) -> bool| {
        let own: Vec<&Variant> = variants.iter().filter(keep).collect();
        let theirs: Vec<&Variant> = wanted.variants.iter().filter(keep).collect();
        own == theirs
    };
    let same = [
        (Differs::Version, has(Facet::Version, &wanted.version)),
        (
            Differs::Architecture,
            has(Facet::Platform, &wanted.platform)
                && has(Facet::Os, &wanted.os)
                && has(Facet::Target, &wanted.target),
        ),
        (Differs::Variants, of_both(&|variant| !is_patches(variant))),
        (Differs::Flags, origin.flags == wanted.flags),
        (Differs::Patches, of_both(&is_patches)),
        (Differs::Namespace, origin.namespace == wanted.namespace),
        (Differs::External, origin.external == wanted.external),
    ];
    same.into_iter().filter(|(_, same)| !same).map(|(differs, _)| differs).collect()
}
