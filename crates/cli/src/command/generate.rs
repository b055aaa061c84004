//! `generate`: a made-up cache of any size, as pages and as an index.

use std::fs;
use std::path::{Path, PathBuf};

use cache_index::index::{About, Packer};
use cache_sample::{Page, Sample, pages};
use clap::Args;

use crate::output;
use crate::report::{Failed, Report, counted};

/// Make up a cache of any size, for benchmarks and demonstrations
///
/// The same numbers give the same cache, on every machine. It is written as an index, which `embed`
/// puts into a site, and as cache pages in a folder for each release.
#[derive(Args)]
pub(crate) struct Generate {
    /// How many builds; cache.spack.io has some 145,000.
    #[arg(long, value_name = "NUMBER")]
    builds: usize,

    /// Which of the caches of this size.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// How many packages [default: 1,400, or fewer in a small cache].
    #[arg(long, value_name = "NUMBER")]
    packages: Option<usize>,

    /// Leave out the pages, which are many and large.
    #[arg(long)]
    no_pages: bool,

    /// The folder to write into: index.json, and pages/ with a folder for each release.
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
}

impl Generate {
    pub(crate) fn run(self, _report: &mut Report) -> Result<(), Failed> {
        let mut sample = Sample::new(self.builds, self.seed);
        if let Some(packages) = self.packages {
            sample.packages = packages;
        }
        make_folder(&self.output)?;
        let mut packer = Packer::default();
        for builds in sample.packages() {
            for build in &builds {
                packer.push(build);
            }
            if !self.no_pages {
                for page in pages(&builds) {
                    self.write_page(&page)?;
                }
            }
        }
        let builds = counted(self.builds, "build", "builds");
        let source = format!("{builds} made up with the seed {}", self.seed);
        let index = packer.finish(About { made: None, source: Some(source) })?;
        let path = self.output.join("index.json");
        output::write(&path, &index.to_json())?;
        println!("{}: {builds}", path.display());
        Ok(())
    }

    fn write_page(&self, page: &Page) -> Result<(), Failed> {
        let folder = self.output.join("pages").join(&page.release);
        make_folder(&folder)?;
        let path = folder.join(format!("{}.md", page.package));
        // Some ten thousand pages that can be made again at any time: written as fast as they can be.
        fs::write(&path, &page.text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(())
    }
}

fn make_folder(path: &Path) -> Result<(), Failed> {
    fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(())
}
