//! `prune-preview`: the builds that a cache could do without. It deletes nothing.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use cache_advice::environment::{Prunable, hash_part};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_index::number::{counted, grouped};
use cache_ingest::visible;
use clap::Args;

use super::environment::{label, read};
use super::index::load;
use crate::inputs::ReadingArguments;
use crate::mirrors::MirrorFiles;
use crate::report::{Failure, Report};

/// Show which builds of a cache no kept environment needs, without deleting anything
///
/// A build is needed if one of the files lists its hash, or installs a spliced spec from it.
#[derive(Args)]
pub(crate) struct PrunePreview {
    /// The cache: an index made by `index`, or anything that `index` takes.
    #[arg(required_unless_present = "mirrors", value_name = "CACHE")]
    from: Vec<PathBuf>,

    #[command(flatten)]
    mirrors: MirrorFiles,

    /// One or more files to keep: a spack.lock, or a list of hashes as `spack buildcache prune --keeplist` takes it; `-` is
    /// the standard input. May be repeated.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    keep: Vec<PathBuf>,

    #[command(flatten)]
    reading: ReadingArguments,

    /// Print a JSON object.
    #[arg(long)]
    json: bool,
}

impl PrunePreview {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failure> {
        let mut environments = Vec::new();
        for file in &self.keep {
            let label = label(file);
            match read(file, self.reading.size_limit()) {
                Err(error) => report.problem(&label, &error),
                Ok(Err(problems)) => {
                    problems.iter().for_each(|problem| report.problem(&label, problem));
                }
                Ok(Ok(environment))
                    if environment.nodes.is_empty()
                        && environment
                            .roots
                            .iter()
                            .any(|root| root.hash.is_none() && hash_part(root).is_none()) =>
                {
                    report.problem(
                        &label,
                        &"expected a lock file or a list of hashes, found specs, which have no hashes to keep",
                    );
                }
                Ok(Ok(environment)) => environments.push((label, environment)),
            }
        }
        if report.has_problems() {
            return Ok(());
        }
        let index = load(&self.from, &self.mirrors.read(report), &self.reading, report)?;
        for (label, environment) in &environments {
            if Prunable::new(&index, [environment]).kept.is_empty() {
                report.note(&format_args!("{label} keeps nothing: this cache has no build of it"));
                continue;
            }
            // A mistyped hash would silently keep nothing. But it is normal that not all of a lock file is cached.
            let hashes = environment.roots.iter().filter(|_| environment.nodes.is_empty());
            let is_gone = |hash: &&str| index.find_prefix(hash, 1).is_empty();
            let gone: Vec<&str> = hashes.filter_map(hash_part).filter(is_gone).collect();
            if let Some(first) = gone.first() {
                let of = counted(gone.len(), "hash is", "hashes are");
                report.note(&format_args!("{label}: {of} of no build here, the first is {first}"));
            }
        }
        let environments = environments.iter().map(|(_, environment)| environment);
        let prunable = Prunable::new(&index, environments);
        let mut out = BufWriter::new(io::stdout().lock());
        match self.json {
            true => writeln!(out, "{}", prunable.json(&index))?,
            false => write_lists(&mut out, &index, &prunable)?,
        }
        out.flush()?;
        Ok(())
    }
}

fn write_lists(out: &mut impl Write, index: &Index, prunable: &Prunable) -> io::Result<()> {
    let Prunable { unneeded, kept, broken } = prunable;
    let all = unneeded.len() + kept.len();
    let (bytes, unknown) = prunable.bytes(index);
    let size = match (bytes, unknown) {
        (0, 0) => String::new(),
        (0, _) => "; their sizes are not known".to_owned(),
        (bytes, 0) => format!("; {} bytes", grouped(bytes as usize)),
        (bytes, unknown) => {
            format!("; {} bytes, and {} of unknown size", grouped(bytes as usize), grouped(unknown))
        }
    };
    let of = counted(all, "build", "builds");
    writeln!(out, "{} of {of} not among what is kept{size}", grouped(unneeded.len()))?;
    for &build in unneeded {
        let size = index.size(build).map(|size| format!("  {size}")).unwrap_or_default();
        writeln!(out, "  {}{size}", name(index, build))?;
    }
    match broken {
        None => writeln!(
            out,
            "this cache does not list dependencies, so what would break is not known"
        )?,
        Some(broken) if broken.is_empty() => {
            writeln!(out, "no build that is kept needs one of these to run")?;
        }
        Some(broken) => {
            let needs =
                counted(broken.len(), "build that is kept needs", "builds that are kept need");
            writeln!(out, "{needs} one of these to run")?;
            for &build in broken {
                writeln!(out, "  {}", name(index, build))?;
            }
        }
    }
    writeln!(out, "nothing was deleted")
}

fn name(index: &Index, build: BuildId) -> String {
    let row = index.row_of(build);
    let [name, version] = [Facet::Package, Facet::Version].map(|facet| index.text(row, facet));
    let hash = index.hash(build).map(|hash| hash.to_string()).unwrap_or_default();
    format!("{}@{} /{hash}", visible(name), visible(version))
}
