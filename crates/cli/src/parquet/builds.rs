//! The table of builds.
//!
//! | column | type | contents |
//! | --- | --- | --- |
//! | `hash` | text | the DAG hash, 32 characters |
//! | `package`, `version`, `platform`, `os`, `target` | text | |
//! | `compiler` | text | `gcc@13.2.0`; `none` if it used no compiler |
//! | `libc` | text or `NULL` | `glibc@2.39`; `none` if no dependency is one; `NULL` if the source lists no dependencies |
//! | `variants` | list of texts | `+mpi`, `cuda_arch=80` |
//! | `providers` | list of texts or `NULL` | `mpi=openmpi@5.0.6`; `NULL` if the source lists no dependencies |
//! | `releases`, `stacks` | list of texts | those that have a name |
//! | `places` | list of (`release`, `stack`) | the mirrors that have it; a name may be empty |
//! | `namespace` | text or `NULL` | the repository of the recipe |
//! | `package_hash` | text or `NULL` | the hash of the recipe |
//! | `first_seen` | text or `NULL` | when the publication was made in which it first appeared; `NULL` if it is not known |
//! | `spec_format` | integer or `NULL` | |
//! | `size` | integer or `NULL` | of the binary, in bytes |

use std::fs::File;
use std::ops::Range;

use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index, Origin, RowId};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::Result;

use super::GROUP;
use super::table::{Column, Group, Table};

const SCHEMA: &str = "message builds {
  required binary hash (STRING);
  required binary package (STRING);
  required binary version (STRING);
  required binary platform (STRING);
  required binary os (STRING);
  required binary target (STRING);
  required binary compiler (STRING);
  optional binary libc (STRING);
  required group variants (LIST) { repeated group list { required binary element (STRING); } }
  optional group providers (LIST) { repeated group list { required binary element (STRING); } }
  required group releases (LIST) { repeated group list { required binary element (STRING); } }
  required group stacks (LIST) { repeated group list { required binary element (STRING); } }
  required group places (LIST) { repeated group list { required group element {
    required binary release (STRING);
    required binary stack (STRING);
  } } }
  optional binary namespace (STRING);
  optional binary package_hash (STRING);
  optional binary first_seen (STRING);
  optional int64 spec_format;
  optional int64 size;
}";

/// Builds of one row: they agree in every facet.
type Alike = (RowId, Range<u32>);

pub(super) fn write(index: &Index, file: &File) -> Result<()> {
    let mut table = Table::new(file, SCHEMA, &["hash"])?;
    for group in groups(index) {
        table.group(|out| Builds { index, group: &group }.write(out))?;
    }
    table.finish()
}

/// Returns all builds with a binary, in groups of at most [`GROUP`].
pub(super) fn groups(index: &Index) -> Vec<Vec<Alike>> {
    let mut groups: Vec<Vec<Alike>> = Vec::new();
    let mut room = 0;
    for row in (0..index.rows() as u32).map(RowId).filter(|&row| index.has_binary(row)) {
        let Some(BuildId(mut start)) = index.builds_of(row).next() else { continue };
        let end = start + index.row_len(row);
        while start < end {
            if room == 0 {
                groups.push(Vec::new());
                room = GROUP as u32;
            }
            let middle = end.min(start + room);
            groups.last_mut().into_iter().for_each(|group| group.push((row, start..middle)));
            room -= middle - start;
            start = middle;
        }
    }
    groups
}

/// A group of builds.
struct Builds<'b> {
    index: &'b Index,
    group: &'b [Alike],
}

impl Builds<'_> {
    fn write(&self, out: &mut Group<'_, '_>) -> Result<()> {
        let Builds { index, .. } = *self;
        self.texts(out, |build| index.hash(build).map(text_of))?;
        for facet in [
            Facet::Package,
            Facet::Version,
            Facet::Platform,
            Facet::Os,
            Facet::Target,
            Facet::Compiler,
            Facet::Libc,
        ] {
            self.value(out, facet)?;
        }
        self.list(out, Facet::Variant)?;
        self.list(out, Facet::Provider)?;
        self.list(out, Facet::Release)?;
        self.list(out, Facet::Stack)?;
        self.places(out, |place| place.release)?;
        self.places(out, |place| place.stack)?;
        self.origin(out, |origin| origin.namespace.as_deref().map(ByteArray::from))?;
        self.texts(out, |build| index.package_hash(build).map(ByteArray::from))?;
        self.texts(out, |build| index.first_seen(build).map(ByteArray::from))?;
        out.column(|column: &mut Column<'_, '_, Int64Type>| {
            self.repeat(|row| index.origin(row).spec_format.map(i64::from), |v| column.value(v))
        })?;
        out.column(|column: &mut Column<'_, '_, Int64Type>| {
            self.builds().try_for_each(|build| column.value(index.size(build).map(|n| n as i64)))
        })
    }

    fn builds(&self) -> impl Iterator<Item = BuildId> {
        self.group.iter().flat_map(|(_, builds)| builds.clone()).map(BuildId)
    }

    /// Calls `add` once for each build of a row with the value of that row.
    fn repeat<V: Clone>(
        &self,
        of: impl Fn(RowId) -> V,
        mut add: impl FnMut(V) -> Result<()>,
    ) -> Result<()> {
        self.group.iter().try_for_each(|(row, builds)| {
            let value = of(*row);
            builds.clone().try_for_each(|_| add(value.clone()))
        })
    }

    /// Writes a column of texts, given the text of a build.
    fn texts(
        &self,
        out: &mut Group<'_, '_>,
        of: impl Fn(BuildId) -> Option<ByteArray>,
    ) -> Result<()> {
        out.column(|column: &mut Column<'_, '_, ByteArrayType>| {
            self.builds().try_for_each(|build| column.value(of(build)))
        })
    }

    /// Writes a column of texts, given the text of how a build was made.
    fn origin(
        &self,
        out: &mut Group<'_, '_>,
        of: impl Fn(&Origin) -> Option<ByteArray>,
    ) -> Result<()> {
        out.column(|column: &mut Column<'_, '_, ByteArrayType>| {
            self.repeat(|row| of(self.index.origin(row)), |value| column.value(value))
        })
    }

    /// Writes a facet in which a build has at most one value.
    fn value(&self, out: &mut Group<'_, '_>, facet: Facet) -> Result<()> {
        let values = texts(self.index, facet);
        let of = |row| {
            let code = self.index.values(row, facet).first().copied();
            code.map(|code| values[code.0 as usize].clone())
        };
        out.column(|column: &mut Column<'_, '_, ByteArrayType>| {
            self.repeat(of, |value| column.value(value))
        })
    }

    /// Writes a facet in which a build can have more than one value.
    fn list(&self, out: &mut Group<'_, '_>, facet: Facet) -> Result<()> {
        let values = texts(self.index, facet);
        let of = |row| {
            let is_known = facet != Facet::Provider || self.index.lists_dependencies(row);
            let codes = self.index.values(row, facet).into_iter();
            // A cache without releases or stacks has one without a name.
            let named = codes.map(|code| values[code.0 as usize].clone()).filter(|v| !v.is_empty());
            is_known.then(|| named.collect::<Vec<_>>())
        };
        out.column(|column: &mut Column<'_, '_, ByteArrayType>| {
            self.repeat(of, |list| column.list(list))
        })
    }

    /// Writes the releases or the stacks of all places.
    fn places(&self, out: &mut Group<'_, '_>, side: impl Fn(Place) -> String) -> Result<()> {
        let of = |row| {
            let sides =
                self.index.places_of(row).map(|place| ByteArray::from(side(place).as_str()));
            Some(sides.collect::<Vec<_>>())
        };
        out.column(|column: &mut Column<'_, '_, ByteArrayType>| {
            self.repeat(of, |list| column.list(list))
        })
    }
}

/// Returns the values of a facet by code.
pub(super) fn texts(index: &Index, facet: Facet) -> Vec<ByteArray> {
    index.dictionary(facet).values().iter().map(|text| ByteArray::from(text.as_str())).collect()
}

/// Returns the text of a hash.
pub(super) fn text_of(hash: cache_index::build::Hash) -> ByteArray {
    ByteArray::from(&hash.text()[..])
}
