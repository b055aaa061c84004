//! The builds of a package.

use cache_advice::export::json_of;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Edge, EdgeTarget, Index, NO_LIBC, ValueCode};
use cache_query::PackageRow;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{API, PublishedCache, with_lines};
use crate::published::ToInstall;

#[derive(Serialize)]
struct Head<'c> {
    api: u32,
    package: &'c str,
    /// The newest release; `null` if there is none.
    newest: Option<&'c str>,
    /// The build that the page of the package names, and how to install it.
    #[serde(skip_serializing_if = "Option::is_none")]
    recommended: Option<Recommendation>,
}

#[derive(Serialize)]
struct Recommendation {
    hash: String,
    commands: Vec<String>,
}

/// A build with everything that the page shows of it.
#[derive(Serialize)]
struct InFull<'c> {
    /// Its spec as arguments for a shell.
    spec: String,
    /// The same fields as the page exports.
    #[serde(flatten)]
    whole: Map<String, Value>,
    /// The libc that it is linked with, as `glibc@2.35`: missing if that is not known, `null` if it is linked with none.
    #[serde(skip_serializing_if = "Option::is_none")]
    libc: Option<Option<&'c str>>,
    /// Missing if the cache does not list dependencies.
    #[serde(skip_serializing_if = "Option::is_none")]
    dependencies: Option<Vec<DirectDependency<'c>>>,
}

/// A direct dependency.
#[derive(Serialize)]
struct DirectDependency<'c> {
    package: &'c str,
    /// `null` if the cache does not know the spec.
    version: Option<&'c str>,
    hash: String,
    deptypes: Vec<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    virtuals: &'c [String],
    /// `true` if the cache has its binary.
    cached: bool,
    /// `true` if Spack expects it on the machine instead of installing it.
    external: bool,
}

/// Writes the file of a package.
pub(super) fn package(cache: &PublishedCache, package: ValueCode) -> String {
    let PublishedCache { index, answer, .. } = cache;
    let row = PackageRow::new(index, answer, package);
    let head = Head {
        api: API,
        package: cache.name(Facet::Package, package),
        newest: row.newest(index).0.map(|code| cache.name(Facet::Version, code)),
        recommended: cache.recommended(package).map(|ToInstall { hash, commands, .. }| {
            Recommendation { hash: hash.to_string(), commands }
        }),
    };
    let rows = answer.matching_rows(index, package);
    let builds = rows.flat_map(|row| answer.builds_of(index, row));
    with_lines(&head, "builds", builds.filter_map(|build| in_full(index, build)))
}

/// Returns the object that a file has about a build.
pub(crate) fn build(index: &Index, id: BuildId) -> Value {
    // A struct whose keys are names can always be written as JSON.
    in_full(index, id).and_then(|build| serde_json::to_value(build).ok()).unwrap_or_default()
}

fn in_full(index: &Index, id: BuildId) -> Option<InFull<'_>> {
    let build = index.build_alone(id)?;
    let libcs = index.values(index.row_of(id), Facet::Libc);
    let libc = libcs.first().map(|&code| index.dictionary(Facet::Libc).text(code));
    Some(InFull {
        spec: build.long_spec(),
        whole: serde_json::from_str(&json_of(&build)).unwrap_or_default(),
        libc: libc.map(|libc| Some(libc).filter(|libc| *libc != NO_LIBC)),
        dependencies: index
            .dependencies(id)
            .map(|all| all.filter_map(|edge| needed(index, edge)).collect()),
    })
}

fn needed<'i>(index: &'i Index, edge: Edge<'i>) -> Option<DirectDependency<'i>> {
    let Edge { package, target, deptypes, virtuals } = edge;
    let (hash, row) = match target {
        EdgeTarget::Build(build) => (index.hash(build)?, Some(index.row_of(build))),
        EdgeTarget::Unknown { hash, .. } => (hash, None),
    };
    Some(DirectDependency {
        package,
        version: row.map(|row| index.text(row, Facet::Version)),
        hash: hash.to_string(),
        deptypes: deptypes.names().collect(),
        virtuals,
        cached: row.is_some_and(|row| index.has_binary(row)),
        external: row.is_some_and(|row| index.origin(row).external),
    })
}
