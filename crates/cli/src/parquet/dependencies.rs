//! The table of dependencies: the direct ones of each build with a binary, whether or not the dependency itself has a
//! binary.
//!
//! | column | type | contents |
//! | --- | --- | --- |
//! | `hash` | text | the build |
//! | `dependency` | text | the hash of what it depends on |
//! | `package` | text | the package of that |
//! | `version` | text or `NULL` | its version, if the cache knows the spec |
//! | `types` | list of texts | why it is needed: `build`, `link`, `run`, `test` |
//! | `virtuals` | list of texts | what it provides to the build: `mpi`, `c` |

use std::fs::File;

use cache_index::build::Hash;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Edge, EdgeTarget, Index};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::Result;

use super::GROUP;
use super::builds::{text_of, texts};
use super::table::{Column, Group, Table};

const SCHEMA: &str = "message dependencies {
  required binary hash (STRING);
  required binary dependency (STRING);
  required binary package (STRING);
  optional binary version (STRING);
  required group types (LIST) { repeated group list { required binary element (STRING); } }
  required group virtuals (LIST) { repeated group list { required binary element (STRING); } }
}";

pub(super) fn write(index: &Index, file: &File) -> Result<()> {
    let mut table = Table::new(file, SCHEMA, &[])?;
    let versions = texts(index, Facet::Version);
    let mut group = Vec::new();
    let mut edges = 0;
    for build in index.builds_with_binary() {
        let Some(its) = index.dependencies(build) else { continue };
        edges += its.len();
        group.push(build);
        if edges >= GROUP {
            table.group(|out| Edges { index, versions: &versions, of: &group }.write(out))?;
            group.clear();
            edges = 0;
        }
    }
    if edges > 0 {
        table.group(|out| Edges { index, versions: &versions, of: &group }.write(out))?;
    }
    table.finish()
}

/// The dependencies of a group of builds.
struct Edges<'b> {
    index: &'b Index,
    versions: &'b [ByteArray],
    of: &'b [BuildId],
}

impl<'b> Edges<'b> {
    fn write(&self, out: &mut Group<'_, '_>) -> Result<()> {
        let hash = |build| self.index.hash(build).map(text_of);
        out.column(|column: &mut Column<'_, '_, ByteArrayType>| {
            self.of.iter().try_for_each(|&build| {
                let text = hash(build);
                let count = self.index.dependencies(build).map_or(0, |edges| edges.len());
                (0..count).try_for_each(|_| column.value(text.clone()))
            })
        })?;
        self.texts(out, |edge| self.target(edge).map(text_of))?;
        self.texts(out, |edge| Some(edge.package.into()))?;
        self.texts(out, |edge| match edge.target {
            EdgeTarget::Build(build) => {
                let version = self.index.value(self.index.row_of(build), Facet::Version);
                Some(self.versions[version.0 as usize].clone())
            }
            EdgeTarget::Unknown { .. } => None,
        })?;
        self.lists(out, |edge| edge.deptypes.names().map(ByteArray::from).collect())?;
        self.lists(out, |edge| edge.virtuals.iter().map(|name| name.as_str().into()).collect())
    }

    fn edges(&self) -> impl Iterator<Item = Edge<'b>> + use<'b> {
        let Edges { index, of, .. } = *self;
        of.iter().filter_map(move |&build| index.dependencies(build)).flatten()
    }

    fn target(&self, edge: Edge<'_>) -> Option<Hash> {
        match edge.target {
            EdgeTarget::Build(build) => self.index.hash(build),
            EdgeTarget::Unknown { hash, .. } => Some(hash),
        }
    }

    fn texts(
        &self,
        out: &mut Group<'_, '_>,
        of: impl Fn(Edge<'b>) -> Option<ByteArray>,
    ) -> Result<()> {
        out.column(|column: &mut Column<'_, '_, ByteArrayType>| {
            self.edges().try_for_each(|edge| column.value(of(edge)))
        })
    }

    fn lists(
        &self,
        out: &mut Group<'_, '_>,
        of: impl Fn(Edge<'b>) -> Vec<ByteArray>,
    ) -> Result<()> {
        out.column(|column: &mut Column<'_, '_, ByteArrayType>| {
            self.edges().try_for_each(|edge| column.list(Some(of(edge))))
        })
    }
}
