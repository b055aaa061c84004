//! `generate`: a generated cache, for benchmarks and demonstrations.

use std::fs;
use std::path::{Path, PathBuf};

use cache_index::index::{About, pack};
use cache_index::number::counted;
use cache_sample::{Sample, pages};
use clap::{ArgGroup, Args};

use crate::output::{self, Kind, Output, may_write};
use crate::report::{Failure, print};

/// Generate a cache of any size, for benchmarks and demonstrations
///
/// The same size and seed give the same cache on every machine. Its distributions are as skewed as real ones: a few
/// packages have thousands of builds, most have dozens.
#[derive(Args)]
#[command(group = ArgGroup::new("form").required(true).multiple(true))]
pub(crate) struct Generate {
    /// The number of builds; cache.spack.io has about 145000.
    #[arg(long, value_name = "NUMBER")]
    builds: usize,

    /// The seed: each number generates a different cache.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Write the cache as an index to this file; `-` is the standard output.
    #[arg(short, long, value_name = "FILE", group = "form")]
    output: Option<PathBuf>,

    /// List the dependencies of builds, as databases do; pages cannot.
    #[arg(long)]
    dependencies: bool,

    /// Give packages the names, versions and variants of real ones.
    #[arg(long)]
    looks_real: bool,

    /// Write the cache as cache pages into this new folder.
    #[arg(long, value_name = "FOLDER", group = "form")]
    pages: Option<PathBuf>,
}

impl Generate {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Generate { builds, seed, output, dependencies, looks_real, pages } = self;
        let sample = Sample { dependencies, looks_real, ..Sample::new(builds, seed) };
        let outputs = [(&pages, Kind::Other, "--pages"), (&output, Kind::Index, "--output")];
        let outputs = outputs.into_iter();
        let outputs: Vec<Output> = outputs
            .filter_map(|(path, kind, option)| Some(Output::new(path.as_ref()?, kind, option)))
            .collect();
        may_write(&outputs, [])?;
        if let Some(folder) = &pages {
            let count = write_pages(folder, &sample)?;
            print(format_args!("{}: {}", folder.display(), counted(count, "page", "pages")));
        }
        if let Some(path) = &output {
            let source =
                format!("{}, made up with seed {seed}", counted(builds, "build", "builds"));
            // The commands in a demonstration should have no blanks to fill in. Nothing is at this address, which is
            // reserved.
            let mirror_url = looks_real.then(|| "https://binaries.example.org".to_owned());
            let about = About { source: Some(source), mirror_url, ..About::default() };
            let json = pack(about, sample.builds())?.to_json();
            output::write(path, &json)?;
            if !output::is_standard_output(path) {
                print(format_args!("{}: {}", path.display(), counted(json.len(), "byte", "bytes")));
            }
        }
        Ok(())
    }
}

/// Writes a page for each package in each release, as `<release>/<package>/specs.md`.
fn write_pages(folder: &Path, sample: &Sample) -> Result<usize, Failure> {
    if folder.exists() {
        return Err(format!("{}: expected a new folder, but it exists", folder.display()).into());
    }
    let mut count = 0;
    for page in sample.packages().flat_map(|builds| pages(&builds)) {
        let folder = folder.join(&page.release).join(&page.package);
        let path = folder.join("specs.md");
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&path, &page.text))
            .map_err(|error| format!("{}: could not be written: {error}", path.display()))?;
        count += 1;
    }
    Ok(count)
}
