//! `export`: a cache as tables for query engines.

use std::fs;
use std::path::PathBuf;

use cache_index::number::counted;
use clap::{Args, ValueEnum};

use super::index::{Publication, index_of};
use crate::inputs::InputArguments;
use crate::output::{Kind, Output, may_write};
use crate::parquet;
use crate::report::{Failure, Report, print};

/// Export a cache as tables for query engines such as DuckDB, Spark and Trino
///
/// Writes `builds.parquet`, a row for each build, and `dependencies.parquet`, a row for each of their
/// dependencies. `NULL` is what the cache does not say.
#[derive(Args)]
pub(crate) struct Export {
    #[command(flatten)]
    inputs: InputArguments,

    /// The format.
    #[arg(long)]
    to: Form,

    /// The folder to write the files into; it is created if it does not exist.
    #[arg(short, long, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Parquet,
}

impl Export {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failure> {
        let Export { inputs, to: Form::Parquet, output } = self;
        let tables = parquet::paths(&output).map(|path| Output::new(path, Kind::Table, "--output"));
        may_write(&tables, inputs.paths())?;
        let index = index_of(&inputs, &Publication::default(), report)?;
        fs::create_dir_all(&output)
            .map_err(|error| format!("{}: could not be created: {error}", output.display()))?;
        let [builds, dependencies] = parquet::export(&index, &output)?;
        let count = index.builds_with_binary().count();
        print(format_args!("{}: {}", builds.display(), counted(count, "build", "builds")));
        if index.lists_any_dependencies() {
            print(format_args!("{}: their dependencies", dependencies.display()));
        } else {
            let none = "empty, because this cache lists no dependencies";
            print(format_args!("{}: {none}", dependencies.display()));
        }
        Ok(())
    }
}
