//! `why`: would Spack consider a build for reuse on a machine, and if not, why.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use cache_index::build::{Build, Hash};
use cache_index::host::Host;
use cache_index::index::{BuildId, Index};
use cache_index::number::{counted, grouped};
use cache_index::query::{Question, run_with};
use cache_index::reuse::{
    Checklist, Outcome, Settings, Setup, SpackVersion, Status, Verdicts, line,
};
use cache_index::search::{Problem, Search};
use cache_ingest::read_settings;
use cache_ingest::report::visible;
use clap::{ArgGroup, Args};
use serde_json::json;

use super::index::load;
use crate::inputs::Reading;
use crate::report::{Failed, Report};
use crate::terminal::Lines;

/// How many builds of a spec are listed for people.
const LISTED: usize = 20;

/// Show whether Spack would consider a build for reuse on a machine, and if not, why
///
/// Goes through the rules in Spack's order: what its selector drops before solving, then what its
/// solver cannot take. An eligible build is one that Spack considers; whether it chooses it depends on
/// what else is asked for, and is for its solver to say.
///
/// The exit code is 0 if the build is eligible (of a spec: any build that satisfies it), 1 if not, and
/// 2 if the cache does not say enough. With --all it is 0.
#[derive(Args)]
#[command(group = ArgGroup::new("which").required(true))]
pub(crate) struct Why {
    /// A build's hash or the beginning of it, or a spec such as `hdf5@1.14: +mpi`.
    #[arg(group = "which", value_name = "HASH|SPEC")]
    build: Option<String>,

    /// Print a line of JSON for each build of the cache: its hash, whether it is eligible (true, false,
    /// or null if that cannot be told), and the rule that decides it.
    #[arg(long, group = "which", conflicts_with = "json")]
    all: bool,

    /// Print how many builds of the cache are eligible, and how many each rule shuts out.
    #[arg(long, group = "which", conflicts_with = "json")]
    summary: bool,

    /// The cache: an index made by `index`, or anything that `index` takes. May be repeated.
    #[arg(long, required = true, value_name = "INPUT")]
    from: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    /// The machine: platform, OS and target, as linux.ubuntu22.04.zen3 or as `spack arch` prints them.
    #[arg(long)]
    host: String,

    /// The machine's libc, on Linux: name and version, or glibc's version alone.
    #[arg(long, value_name = "LIBC")]
    libc: Option<String>,

    /// Where that libc is installed.
    #[arg(long, value_name = "PREFIX", default_value = Setup::LIBC_PATH)]
    libc_path: String,

    /// The version of Spack on the machine.
    #[arg(long, value_name = "VERSION", default_value_t = SpackVersion::TODAY)]
    spack: SpackVersion,

    /// A file with settings: concretizer.yaml, packages.yaml, repos.yaml or spack.yaml. May be
    /// repeated; what a later one says holds. Without it, Spack's defaults.
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,

    /// A spec that is asked for, which decides where the settings reuse dependencies only. May be
    /// repeated.
    #[arg(long, value_name = "SPEC")]
    root: Vec<String>,

    /// The namespace of a further repository of recipes that the machine has. May be repeated.
    #[arg(long, value_name = "NAMESPACE")]
    repository: Vec<String>,

    /// Print the checklist as a JSON object; of a spec, one on a line for each build that satisfies it.
    #[arg(long)]
    json: bool,
}

impl Why {
    pub(crate) fn run(self, report: &mut Report) -> Result<ExitCode, Failed> {
        let Some(setup) = self.setup(report)? else { return Ok(ExitCode::from(2)) };
        let index = load(&self.from, &self.reading, report)?;
        let verdicts = Verdicts::new(&index, &setup);
        let asked = Asked { index: &index, setup: &setup, verdicts: &verdicts, json: self.json };
        let mut out = BufWriter::new(io::stdout().lock());
        let code = match &self.build {
            None if self.summary => asked.write_summary(&mut out)?,
            None => {
                for (hash, outcome) in verdicts.all(&index) {
                    writeln!(out, "{}", line(hash, outcome))?;
                }
                ExitCode::SUCCESS
            }
            Some(text) => match asked.find(text, report)? {
                Found::NoSuchHash(hash) => asked.write_missing(&mut out, hash)?,
                Found::Builds(builds, is_certain) => match builds.as_slice() {
                    [build] if !self.json => asked.write_checklist(&mut out, *build)?,
                    builds => asked.write_builds(&mut out, builds, is_certain)?,
                },
            },
        };
        out.flush()?;
        Ok(code)
    }

    /// What the person has; `None` if a file could not be read, which is reported.
    fn setup(&self, report: &mut Report) -> Result<Option<Setup>, Failed> {
        let libc = self.libc.as_deref().unwrap_or_default();
        let read = |host: &str| match host.parse::<Host>() {
            // Written with dots, perhaps with its libc.
            Ok(host) if libc.is_empty() => Ok(host),
            Ok(host) => Host::from_arch(&host.arch(), libc),
            Err(_) => Host::from_arch(host, libc),
        };
        let host = read(&self.host).map_err(|error| format!("--host {}: {error}", self.host))?;
        let mut settings = Settings::default();
        for file in &self.config {
            let label = file.display().to_string();
            match fs::read(file) {
                Err(error) => report.problem(&label, &error),
                Ok(bytes) => match read_settings(&bytes, settings.clone()) {
                    Ok(read) => settings = read,
                    Err(problems) => {
                        problems.iter().for_each(|problem| report.problem(&label, problem));
                    }
                },
            }
        }
        for spec in &self.root {
            Search::parse(spec, self.spack.dialect())
                .map_err(|error| Lines(error.in_text(spec).to_string()))?;
        }
        settings.asked.clone_from(&self.root);
        settings.repositories.extend(self.repository.iter().cloned());
        let libc_path = self.libc_path.clone();
        let setup = Setup { host, libc_path, spack: self.spack, settings };
        Ok((!report.has_problems()).then_some(setup))
    }
}

/// What a text names.
enum Found {
    /// These builds, and whether they are all that the text means.
    Builds(Vec<BuildId>, bool),
    /// A whole hash that the cache does not have.
    NoSuchHash(Hash),
}

struct Asked<'a> {
    index: &'a Index,
    setup: &'a Setup,
    verdicts: &'a Verdicts,
    json: bool,
}

impl Asked<'_> {
    fn find(&self, text: &str, report: &mut Report) -> Result<Found, Failed> {
        let index = self.index;
        let text = text.trim();
        if let Ok(hash) = text.trim_start_matches('/').parse::<Hash>() {
            return Ok(match index.find(hash) {
                Some(build) => Found::Builds(vec![build], true),
                None => Found::NoSuchHash(hash),
            });
        }
        let dialect = index.dialect();
        let search = match Search::read(index, text) {
            // Words that are the beginning of a hash; other words would look for names.
            search if search.asks_hash() => search,
            _ => Search::parse(text, dialect)
                .map_err(|error| Lines(error.in_text(text).to_string()))?,
        };
        let answer = run_with(index, &Question::default(), Arc::new(search.select(index)));
        if let Some(missing) = answer.missing() {
            let problem = Problem::untold(index, text, dialect, missing);
            report.note(&format!("there may be more builds, but {}", problem.message));
        }
        Ok(Found::Builds(answer.matching_builds(index).collect(), answer.missing().is_none()))
    }

    fn checklist(&self, build: BuildId) -> Checklist {
        Checklist::new(self.index, self.setup, self.verdicts, build)
    }

    /// The machine and its Spack, for the first line.
    fn machine(&self) -> String {
        let Setup { host, libc_path, spack, .. } = self.setup;
        let libc = match host.libc() {
            Some(libc) => format!(" with {libc} at {libc_path}"),
            None => String::new(),
        };
        format!("{}{libc}, Spack {spack}", host.arch())
    }

    fn spec(&self, build: BuildId) -> String {
        let spec = |build: Build| format!("{} /{}", build.long_spec(), build.hash);
        self.index.build_alone(build).map_or(String::new(), spec)
    }

    fn write_checklist(&self, out: &mut impl Write, build: BuildId) -> Result<ExitCode, Failed> {
        let checklist = self.checklist(build);
        writeln!(out, "{}", visible(&self.spec(build)))?;
        writeln!(out, "on {}", visible(&self.machine()))?;
        writeln!(out, "\n{}\n", visible(&checklist.headline()))?;
        let width = checklist.checks.iter().map(|check| check.rule.key().len()).max().unwrap_or(0);
        for check in &checklist.checks {
            let mark = match check.status {
                Status::Passed => "passed ",
                Status::Failed => "failed ",
                Status::Unknown => "unknown",
            };
            let (fact, source) = (visible(&check.fact), check.source);
            writeln!(out, "  {mark}  {:width$}  {fact} ({source})", check.rule.key())?;
            if let Some(change) = &check.change {
                writeln!(out, "  {:7}  {:width$}  would change it: {}", "", "", visible(change))?;
            }
        }
        if checklist.outcome == Outcome::ELIGIBLE {
            writeln!(
                out,
                "\nSpack considers it. Whether it chooses it depends on what else is asked for, and is for \
                 its solver to say."
            )?;
        }
        Ok(code([checklist.outcome], true))
    }

    /// Writes a line for each build, or a JSON object; eligible builds come first.
    fn write_builds(
        &self,
        out: &mut impl Write,
        builds: &[BuildId],
        is_certain: bool,
    ) -> Result<ExitCode, Failed> {
        let outcomes = builds.iter().map(|&build| self.verdicts.of(self.index, build));
        let code = code(outcomes, is_certain);
        if self.json {
            for &id in builds {
                if let Some(build) = self.index.build_alone(id) {
                    writeln!(out, "{}", self.checklist(id).json(&build, self.setup))?;
                }
            }
            return Ok(code);
        }
        if builds.is_empty() {
            let word = if is_certain { "not eligible" } else { "cannot tell" };
            writeln!(out, "{word}: offered: no build of this cache is known to satisfy this spec")?;
            return Ok(code);
        }
        let mut ranked = builds.to_vec();
        ranked.sort_by_key(|&build| std::cmp::Reverse(self.verdicts.of(self.index, build)));
        writeln!(out, "on {}", visible(&self.machine()))?;
        for &build in ranked.iter().take(LISTED) {
            let headline = self.checklist(build).headline();
            writeln!(out, "  {}\n      {}", visible(&self.spec(build)), visible(&headline))?;
        }
        if let Some(more @ 1..) = builds.len().checked_sub(LISTED) {
            writeln!(out, "  and {}", counted(more, "more build", "more builds"))?;
        }
        writeln!(out, "{}", self.counts(builds.iter().copied()))?;
        Ok(code)
    }

    fn write_summary(&self, out: &mut impl Write) -> Result<ExitCode, Failed> {
        let rows = self.index.builds_with_binary();
        writeln!(out, "on {}\n{}", visible(&self.machine()), self.counts(rows))?;
        Ok(ExitCode::SUCCESS)
    }

    /// `1,296 of 2,133 builds are eligible; not eligible: target 510, platform 327`.
    fn counts(&self, builds: impl IntoIterator<Item = BuildId>) -> String {
        let counts = self.verdicts.counts(self.index, builds);
        let of = |eligible: Option<bool>| {
            let mut of: Vec<_> =
                counts.iter().filter(|(o, _)| o.is_eligible() == eligible).collect();
            of.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let by_rule = of.iter().filter_map(|(outcome, count)| {
                Some(format!("{} {}", outcome.rule()?, grouped(*count)))
            });
            let by_rule: Vec<String> = by_rule.collect();
            (of.iter().map(|(_, count)| count).sum::<usize>(), by_rule.join(", "))
        };
        let all: usize = counts.iter().map(|(_, count)| count).sum();
        let mut text = format!(
            "{} of {} eligible",
            grouped(of(Some(true)).0),
            counted(all, "build", "builds")
        );
        for (eligible, word) in [(Some(false), "not eligible"), (None, "cannot tell")] {
            let (count, by_rule) = of(eligible);
            if count > 0 {
                text.push_str(&format!("; {word}: {by_rule}"));
            }
        }
        text
    }

    fn write_missing(&self, out: &mut impl Write, hash: Hash) -> Result<ExitCode, Failed> {
        let reason = "no build of this cache has this hash";
        if self.json {
            let object = json!({
                "hash": hash.to_string(),
                "eligible": false,
                "rule": "offered",
                "reason": reason,
                "checks": [],
            });
            writeln!(out, "{object}")?;
        } else {
            writeln!(out, "not eligible: offered: {reason}: {hash}")?;
        }
        Ok(ExitCode::from(1))
    }
}

/// 0 if any is eligible, 1 if none is, 2 if that cannot be told.
fn code(outcomes: impl IntoIterator<Item = Outcome>, is_certain: bool) -> ExitCode {
    let none = if is_certain { Some(false) } else { None };
    let best =
        outcomes.into_iter().map(Outcome::is_eligible).fold(none, |best, of| match (best, of) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (None, _) | (_, None) => None,
            _ => Some(false),
        });
    match best {
        Some(true) => ExitCode::SUCCESS,
        Some(false) => ExitCode::from(1),
        None => ExitCode::from(2),
    }
}
