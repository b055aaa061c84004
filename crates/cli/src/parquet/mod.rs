//! A cache as tables for query engines: two Parquet files, which DuckDB, Spark, Trino and pandas read.
//!
//! | file | a row for each | columns |
//! | --- | --- | --- |
//! | `builds.parquet` | build with a binary | [`builds`] |
//! | `dependencies.parquet` | direct dependency of one of these; none if the cache lists no dependencies | [`dependencies`] |
//!
//! Rows are written column by column, straight from the index, in groups of [`GROUP`] rows. So memory holds only the index
//! and one group, however many builds there are. The rows are in the order of the index, by package and version, in which
//! nearly all columns compress to almost nothing.
//!
//! Values are those of the facets, as in addresses: `variants` has `+mpi`, and each value of a multi-valued variant
//! separately, such as `cuda_arch=80` and `cuda_arch=90`. What is unknown is `NULL`, and never an empty list.

mod builds;
mod dependencies;
mod table;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use cache_index::index::Index;

use crate::output::{self, Content, Lock};
use crate::report::Failure;

/// The number of rows in a group: four times the unit in which DuckDB reads.
const GROUP: usize = 4 * 122_880;

/// Returns the paths of both files in a folder.
pub(crate) fn paths(folder: &Path) -> [PathBuf; 2] {
    ["builds.parquet", "dependencies.parquet"].map(|name| folder.join(name))
}

/// Writes both files into an existing folder, or neither. Returns their paths.
pub(crate) fn export(index: &Index, folder: &Path) -> Result<[PathBuf; 2], Failure> {
    let paths = paths(folder);
    let lock = Lock::of(folder).map_err(|error| output::WriteError::of_lock(folder, error))?;
    let builds = |file: &File| builds::write(index, file).map_err(io::Error::other);
    let dependencies = |file: &File| dependencies::write(index, file).map_err(io::Error::other);
    let files: [(&Path, &Content<'_>); 2] = [(&paths[0], &builds), (&paths[1], &dependencies)];
    output::write_contents(&files, &lock)?;
    Ok(paths)
}
