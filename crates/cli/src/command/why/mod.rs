//! `why`: would Spack consider a build for reuse on a machine, and if not, why.

mod differs;
mod judge;
mod machine;

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use cache_advice::Binaries;
use cache_advice::machine_words::{Gpu, GpuAnswer, GpuVerdict};
use cache_advice::relocation::Relocations;
use cache_advice::reuse::{
    Checklist, FactRules, MirrorRule, Outcome, Rule, RuleStatus, Verdicts, line,
};
use cache_index::build::{Build, Hash};
use cache_index::index::{BuildId, Index};
use cache_index::number::{counted, grouped};
use cache_ingest::visible;
use cache_query::Setup;
use cache_query::search::{Problem, Search, Visible};
use cache_query::{Question, run_with};
use clap::{ArgGroup, Args};
use serde_json::{Value, json};
use spack_spec::{HASH_LENGTH, is_hash_part};

use self::differs::NearestEligible;
pub(super) use self::judge::judge;
pub(super) use self::machine::{MachineArguments, shipped_libc};
use super::index::load;
use super::nothing;
use crate::inputs::ReadingArguments;
use crate::inspect;
use crate::mirrors::MirrorFiles;
use crate::report::{Failure, Report};
use crate::terminal::Lines;

/// The maximum number of builds that are listed for people.
const LISTED: usize = 20;

/// Show whether Spack would consider a build for reuse on a machine, and if not, why
///
/// Applies Spack's rules in Spack's order: first those that drop builds before solving, then those of
/// the solver. An eligible build is one that Spack considers; whether it chooses that build depends on
/// the rest of the request, and only the solver can say.
///
/// The exit code is 0 if the build is eligible (for a spec: if any build that satisfies it is), 1 if not,
/// and 2 if the cache does not say enough. With --all and --summary it is 0.
#[derive(Args)]
#[command(group = ArgGroup::new("which").required(true))]
pub(crate) struct Why {
    /// The hash of a build or its beginning, with `/` before fewer than 7 characters, or a spec such as `hdf5@1.14: +mpi`.
    #[arg(group = "which", value_name = "HASH|SPEC")]
    build: Option<String>,

    /// Print a line of JSON for each build of the cache: its hash, whether it is eligible (true, false,
    /// or null if that is unknown), and the rule that decides it; with --gpu, also what its GPU code does there, if it has any.
    #[arg(long, group = "which")]
    all: bool,

    /// Print how many builds of the cache are eligible, and for how many others each rule is the first that they fail.
    #[arg(long, group = "which", conflicts_with = "json")]
    summary: bool,

    /// The cache: an index made by `index`, or anything that `index` takes. May be repeated.
    #[arg(long, required_unless_present = "mirrors", value_name = "INPUT")]
    from: Vec<PathBuf>,

    #[command(flatten)]
    mirrors: MirrorFiles,

    #[command(flatten)]
    reading: ReadingArguments,

    #[command(flatten)]
    machine: MachineArguments,

    /// What was found in binaries, as `inspect` writes it: says what a binary needs, whatever its labels say [default:
    /// what the index has about binaries].
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,

    /// The root of the machine's install tree, `config:install_tree:root`: can a build be moved there? Its layout is
    /// taken to be the default of that Spack. Without --facts, this is judged by what the index has about binaries
    /// [default: that of --config].
    #[arg(long, value_name = "ROOT")]
    install_tree: Option<String>,

    /// The machine's `config:install_tree:padded_length`.
    #[arg(long, value_name = "LENGTH", requires = "install_tree")]
    padded_length: Option<usize>,

    /// There is no patchelf on the machine, and Spack must not install it.
    #[arg(long, requires = "install_tree")]
    no_patchelf: bool,

    /// Print the checklist as a JSON object; for a spec, one per line for each build that satisfies it.
    #[arg(long)]
    json: bool,
}

impl Why {
    pub(crate) fn run(self, report: &mut Report) -> Result<ExitCode, Failure> {
        let gpus = self.machine.gpus(report)?;
        let mut mirrors = self.mirrors.read(report);
        let settings = self.machine.settings(&mut mirrors, report)?;
        let Some(settings) = settings else { return Ok(ExitCode::from(2)) };
        let index = load(&self.from, &mirrors, &self.reading, report)?;
        let setup = self.machine.setup(settings, &index, report)?;
        self.machine.note_libc(&setup, &index, report);
        let verdicts = Verdicts::new(&index, &setup);
        let known = self.facts.as_ref().map(|file| inspect::load(file, false)).transpose()?;
        let facts = |hash: Hash| known.as_ref().and_then(|known| known.of(hash));
        let to = self.destination(&setup);
        let in_index = index.facts_by_build()?.filter(|_| known.is_none());
        let binaries = match (&known, &in_index) {
            (Some(_), _) => Some(Binaries::Inspected(&facts)),
            (None, Some(by_build)) => Some(Binaries::InIndex(by_build)),
            (None, None) => None,
        };
        if to.is_some() && binaries.is_none() {
            let expected = "nothing is known of the binaries; name --facts, which `inspect` writes";
            if self.install_tree.is_some() {
                return Err(format!("--install-tree: {expected}").into());
            }
            let reason = "nothing is known of the binaries (--facts)";
            report.note(&format!("the install tree is not considered, because {reason}"));
        }
        let rules = binaries.map(|binaries| {
            let moved = to.as_ref().map(|to| Relocations::new(&index, binaries, to));
            FactRules::new(&index, &setup, binaries, moved)
        });
        let asked = Examination {
            mirrors: MirrorRule::new(&index, &mirrors.users, setup.spack),
            index: &index,
            setup: &setup,
            verdicts: &verdicts,
            gpus: &gpus,
            rules,
            json: self.json,
        };
        let mut out = BufWriter::new(io::stdout().lock());
        let code = match &self.build {
            None if self.summary => asked.write_summary(&mut out)?,
            None => {
                for build in index.builds_with_binary() {
                    if let Some(hash) = index.hash(build) {
                        writeln!(out, "{}", asked.line(hash, build))?;
                    }
                }
                ExitCode::SUCCESS
            }
            Some(text) => match asked.find(text, report)? {
                NamedBuilds::NoSuchHash(hash) => asked.write_missing(&mut out, hash)?,
                NamedBuilds::Builds(builds, is_certain) => match builds.as_slice() {
                    [] => asked.write_nothing(&mut out, text, is_certain, report)?,
                    [build] if !self.json => asked.write_checklist(&mut out, *build)?,
                    builds => asked.write_builds(&mut out, builds, is_certain)?,
                },
            },
        };
        out.flush()?;
        Ok(code)
    }
}

/// What a text refers to.
enum NamedBuilds {
    /// Builds, and whether the data decides that these are all.
    Builds(Vec<BuildId>, bool),
    /// A complete hash that is not in the cache.
    NoSuchHash(Hash),
}

struct Examination<'a> {
    index: &'a Index,
    setup: &'a Setup,
    verdicts: &'a Verdicts,
    gpus: &'a [Gpu],
    /// The rule about the user's mirrors, if it excludes anything.
    mirrors: Option<MirrorRule<'a>>,
    /// The rules that take facts, if there are facts: in a file, or in the index.
    rules: Option<FactRules<'a>>,
    json: bool,
}

impl Examination<'_> {
    fn find(&self, text: &str, report: &mut Report) -> Result<NamedBuilds, Failure> {
        let index = self.index;
        let text = Visible::of(text);
        let text = text.text.trim();
        if let Ok(hash) = text.trim_start_matches('/').parse::<Hash>() {
            return Ok(match index.find(hash) {
                Some(build) => NamedBuilds::Builds(vec![build], true),
                None => NamedBuilds::NoSuchHash(hash),
            });
        }
        let dialect = index.dialect();
        let search = match Search::read(index, text) {
            // The beginning of a hash. In `read`, other words would search for names.
            search if search.asks_hash() => search,
            _ => Search::parse(text, dialect)
                .map_err(|error| Lines(error.in_text(text).to_string()))?,
        };
        let answer = run_with(index, &Question::default(), Arc::new(search.select(index)));
        let is_found = answer.matching_builds(index).next().is_some();
        if !is_found && may_begin_a_hash(text) && !index.find_prefix(text, 1).is_empty() {
            let meant = format!("no package `{text}` here: did you mean the hash `/{text}`?");
            return Err(meant.into());
        }
        if let Some(missing) = answer.missing() {
            let problem = Problem::undecided(index, text, dialect, missing);
            report.note(&format!("there may be more builds, but {}", problem.message));
        }
        Ok(NamedBuilds::Builds(answer.matching_builds(index).collect(), answer.missing().is_none()))
    }

    /// Returns the line that `--all` prints for a build, with what its GPU code does on the given GPUs.
    fn line(&self, hash: Hash, build: BuildId) -> String {
        let line = line(hash, self.outcome(build));
        match GpuVerdict::of_build(self.index, build, self.gpus) {
            None => line,
            Some(verdict) => {
                let fields = line.trim_end_matches('}');
                format!(r#"{fields}, "gpu": "{}"}}"#, verdict.answer.key())
            }
        }
    }

    fn checklist(&self, build: BuildId) -> Checklist {
        let mut further = self.rules.as_ref().map_or(Vec::new(), |rules| rules.checks(build));
        further.extend(self.mirrors.as_ref().and_then(|rule| rule.check(build)));
        Checklist::new(self.index, self.setup, self.verdicts, build).with(further)
    }

    fn outcome(&self, build: BuildId) -> Outcome {
        let outcome = self.verdicts.of(self.index, build);
        let outcome =
            self.rules.as_ref().map_or(outcome, |rules| outcome.min(rules.outcome(build)));
        self.mirrors.as_ref().map_or(outcome, |rule| outcome.min(rule.outcome(build)))
    }

    /// Returns the machine and its Spack, for the first line.
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

    fn nearest_eligible(&self, build: BuildId) -> Option<NearestEligible> {
        let is_for_other_gpu = |build| {
            let verdict = GpuVerdict::of_build(self.index, build, self.gpus);
            verdict.is_some_and(|verdict| verdict.answer == GpuAnswer::No)
        };
        let is_eligible =
            |build| self.outcome(build).is_eligible() == Some(true) && !is_for_other_gpu(build);
        NearestEligible::of(self.index, build, is_eligible)
    }

    /// Returns the checklist of a build as an object, with the nearest eligible build if `with_nearest` is set.
    fn object(&self, id: BuildId, with_nearest: bool) -> Option<Value> {
        let mut object = self.checklist(id).json(&self.index.build_alone(id)?, self.setup);
        if let Some(verdict) = GpuVerdict::of_build(self.index, id, self.gpus) {
            object["gpu"] = json!({
                "runs": verdict.answer.key(),
                "reason": verdict.reason,
                "source": verdict.source,
            });
        }
        if with_nearest && let Some(nearest) = self.nearest_eligible(id) {
            nearest.extend(self.index, &mut object);
        }
        Some(object)
    }

    fn write_checklist(&self, out: &mut impl Write, build: BuildId) -> Result<ExitCode, Failure> {
        let checklist = self.checklist(build);
        writeln!(out, "{}", visible(&self.spec(build)))?;
        writeln!(out, "on {}", visible(&self.machine()))?;
        writeln!(out, "\n{}\n", visible(&checklist.headline()))?;
        let width = checklist.checks.iter().map(|check| check.rule.key().len()).max().unwrap_or(0);
        for check in &checklist.checks {
            let mark = match check.status {
                RuleStatus::Passed => "passed ",
                RuleStatus::Failed => "failed ",
                RuleStatus::Unknown => "unknown",
            };
            let (fact, source) = (visible(&check.fact), check.source);
            writeln!(out, "  {mark}  {:width$}  {fact} ({source})", check.rule.key())?;
            if let Some(change) = &check.change {
                let change = visible(change);
                let is_of_libc = matches!(check.rule, Rule::Libc | Rule::Dependencies)
                    && check.status == RuleStatus::Unknown
                    && self.setup.host.libc().is_none();
                let option = if is_of_libc { " (--libc)" } else { "" };
                writeln!(out, "  {:7}  {:width$}  would change it: {change}{option}", "", "")?;
            }
        }
        if let Some(verdict) = GpuVerdict::of_build(self.index, build, self.gpus) {
            let source = verdict.source.map_or(String::new(), |source| format!(" ({source})"));
            let (answer, reason) = (verdict.answer.words(), visible(&verdict.reason));
            writeln!(out, "\n{answer}: {reason}{source}")?;
        }
        if let Some(nearest) = self.nearest_eligible(build) {
            nearest.write(out, |build| self.spec(build))?;
        }
        if checklist.outcome == Outcome::ELIGIBLE {
            writeln!(
                out,
                "\nSpack considers this build. Whether it chooses it depends on the rest of the request; \
                 only its solver can say: `spack explore SPEC`."
            )?;
        }
        Ok(code([checklist.outcome], true))
    }

    /// Writes each build, eligible ones first, or a JSON object for each.
    fn write_builds(
        &self,
        out: &mut impl Write,
        builds: &[BuildId],
        is_certain: bool,
    ) -> Result<ExitCode, Failure> {
        let outcomes = builds.iter().map(|&build| self.outcome(build));
        let code = code(outcomes, is_certain);
        if self.json {
            // Comparing thousands of builds with all similar ones would take minutes.
            let is_only = builds.len() == 1;
            for object in builds.iter().filter_map(|&build| self.object(build, is_only)) {
                writeln!(out, "{object}")?;
            }
            return Ok(code);
        }
        let mut ranked = builds.to_vec();
        ranked.sort_by_key(|&build| std::cmp::Reverse(self.outcome(build)));
        writeln!(out, "on {}", visible(&self.machine()))?;
        for &build in ranked.iter().take(LISTED) {
            let headline = self.checklist(build).headline();
            writeln!(out, "  {}\n      {}", visible(&self.spec(build)), visible(&headline))?;
            if let Some(verdict) = GpuVerdict::of_build(self.index, build, self.gpus) {
                let (answer, reason) = (verdict.answer.words(), visible(&verdict.reason));
                writeln!(out, "      {answer}: {reason}")?;
            }
        }
        if let Some(more @ 1..) = builds.len().checked_sub(LISTED) {
            writeln!(out, "  and {}", counted(more, "more build", "more builds"))?;
        }
        writeln!(out, "{}", self.counts(builds.iter().copied()))?;
        Ok(code)
    }

    fn write_summary(&self, out: &mut impl Write) -> Result<ExitCode, Failure> {
        let rows = self.index.builds_with_binary();
        writeln!(out, "on {}\n{}", visible(&self.machine()), self.counts(rows))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Returns the counts: `1,296 of 2,133 builds eligible; not eligible, by the first rule that each fails: target 510`.
    fn counts(&self, builds: impl IntoIterator<Item = BuildId>) -> String {
        let mut counts: BTreeMap<Outcome, usize> = BTreeMap::new();
        let builds: Vec<BuildId> = builds.into_iter().collect();
        builds.iter().for_each(|&build| *counts.entry(self.outcome(build)).or_default() += 1);
        let group = |eligible: Option<bool>| {
            let mut group: Vec<_> =
                counts.iter().filter(|(o, _)| o.is_eligible() == eligible).collect();
            group.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let by_rule = group.iter().filter_map(|(outcome, count)| {
                Some(format!("{} {}", outcome.rule()?, grouped(**count)))
            });
            let by_rule: Vec<String> = by_rule.collect();
            (group.iter().map(|(_, count)| **count).sum::<usize>(), by_rule.join(", "))
        };
        let all: usize = counts.values().sum();
        let mut by_gpu: BTreeMap<&str, usize> = BTreeMap::new();
        let eligible =
            builds.iter().filter(|build| self.outcome(**build).is_eligible() == Some(true));
        for verdict in
            eligible.filter_map(|&build| GpuVerdict::of_build(self.index, build, self.gpus))
        {
            *by_gpu.entry(verdict.answer.words()).or_default() += 1;
        }
        let mut text = format!(
            "{} of {} eligible",
            grouped(group(Some(true)).0),
            counted(all, "build", "builds")
        );
        for (eligible, word) in [
            (Some(false), "not eligible, by the first rule that each fails"),
            (None, "cannot tell"),
        ] {
            let (count, by_rule) = group(eligible);
            if count > 0 {
                text.push_str(&format!("; {word}: {by_rule}"));
            }
        }
        if !by_gpu.is_empty() {
            let counts =
                by_gpu.into_iter().map(|(words, count)| format!("{words} {}", grouped(count)));
            let counts = counts.collect::<Vec<_>>().join(", ");
            text.push_str(&format!(
                "; GPU code of eligible builds, or of what they need: {counts}"
            ));
        }
        text
    }

    /// Says why no build satisfies a spec, or has a hash that begins with the text.
    fn why_nothing(&self, text: &str, is_certain: bool) -> String {
        let text = text.trim();
        match text.strip_prefix('/') {
            Some(prefix) => format!("no build of this cache has a hash that begins with {prefix}"),
            None => {
                let mut reasons = nothing::reasons(self.index, text);
                if is_certain && reasons.is_empty() {
                    reasons.push("no build of this cache satisfies this spec".to_owned());
                } else if reasons.is_empty() {
                    reasons.push("no build of this cache is known to satisfy this spec".to_owned());
                }
                let reasons = reasons.join("; ");
                match may_begin_a_hash(text) {
                    true => format!("no hash begins with `{text}`, and {reasons}"),
                    false => reasons,
                }
            }
        }
    }

    fn write_nothing(
        &self,
        out: &mut impl Write,
        text: &str,
        is_certain: bool,
        report: &mut Report,
    ) -> Result<ExitCode, Failure> {
        let reason = self.why_nothing(text, is_certain);
        if self.json {
            report.note(&reason);
        } else {
            let word = if is_certain { "not eligible" } else { "cannot tell" };
            writeln!(out, "{word}: {}", visible(&reason))?;
        }
        Ok(code([], is_certain))
    }

    fn write_missing(&self, out: &mut impl Write, hash: Hash) -> Result<ExitCode, Failure> {
        if self.json {
            writeln!(out, "{}", missing(hash))?;
        } else {
            writeln!(out, "not eligible: {NO_SUCH_HASH}: {hash}")?;
        }
        Ok(ExitCode::from(1))
    }
}

const NO_SUCH_HASH: &str = "no build of this cache has this hash";

/// Returns the object about a build that is not in the cache.
fn missing(hash: Hash) -> Value {
    json!({
        "hash": hash.to_string(),
        "eligible": false,
        "rule": "offered",
        "reason": NO_SUCH_HASH,
        "checks": [],
    })
}

/// Returns `true` if a user may mean a text as the beginning of a hash.
fn may_begin_a_hash(text: &str) -> bool {
    text.len() <= HASH_LENGTH && is_hash_part(text)
}

/// Returns 0 if a build is eligible, 1 if none is, and 2 if that is unknown.
fn code(outcomes: impl IntoIterator<Item = Outcome>, is_certain: bool) -> ExitCode {
    let none = if is_certain { Some(false) } else { None };
    let best =
        outcomes.into_iter().map(Outcome::is_eligible).fold(none, |best, one| match (best, one) {
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
