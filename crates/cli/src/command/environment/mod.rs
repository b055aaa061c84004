//! `environment`: how much of an environment is in a cache.

mod carry;
mod on_host;
mod table;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use cache_advice::causes::{Causes, CausesInWords, Occasion};
use cache_advice::environment::{Assessment, AssessmentReport, Share, percent};
use cache_advice::export::sbom::{NOT_CONCRETE, Sbom, SbomFormat};
use cache_index::environment::Environment;
use cache_ingest::compression::{SizeLimit, decompress};
use cache_ingest::{IncludedFile, read_environment_with, visible};
use cache_query::Question;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};
use serde_json::{Map, Value, json};

use self::carry::{CarriedFiles, wanted};
use self::on_host::OnHost;
use super::index::{load_asking, now};
use crate::inputs::ReadingArguments;
use crate::mirrors::MirrorFiles;
use crate::output::{self, Kind, Output, may_write};
use crate::recipes::RecipeArguments;
use crate::report::{Failure, Report};

/// Show how much of an environment is in a cache, and what would have to be built
///
/// FILE is a spack.lock, a spack.yaml, the output of `spack spec --json`, `spack find --json` or `spack find -l`, or a list
/// of specs or hashes, one per line; `-` is the standard input. With --missing or --carry, a mirror on another machine is
/// asked which of the specs of a lock file it has. The specs of a lock file are looked up by hash, so the answer is exact. For
/// other specs, the answer is which builds satisfy them; only Spack's solver can say whether it would use these
/// (`spack explore SPEC` asks it). With --host, it is also said which of the cached specs of a lock file work on a machine.
///
/// The exit code is 0 if enough is in the cache, 1 if it is less than --require, and 2 if that cannot be decided.
#[derive(Args)]
#[command(group = ArgGroup::new("form"))]
pub(crate) struct EnvironmentCommand {
    /// The environments.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The cache: an index made by `index`, or anything that `index` takes. May be repeated.
    #[arg(long, required_unless_present = "mirrors", value_name = "INPUT")]
    from: Vec<PathBuf>,

    #[command(flatten)]
    mirrors: MirrorFiles,

    #[command(flatten)]
    recipes: RecipeArguments,

    #[command(flatten)]
    reading: ReadingArguments,

    /// Exit with 1 if less than this share of any environment is in the cache, not counting externals.
    #[arg(long, value_name = "PERCENT", default_value = "0%")]
    require: Percent,

    /// Show which differences keep specs out of the cache, how many each explains, and what would undo it, in place of the
    /// list of missing specs. With --json, the object has them too.
    #[arg(long, conflicts_with_all = ["missing", "badge", "csv", "cached_manifest", "sbom"])]
    causes: bool,

    /// Say which of the cached specs that are needed to run work on a machine, as `why --host` takes it, with its Spack's
    /// defaults. With --json, the object has a field about it.
    #[arg(
        long,
        value_name = "MACHINE",
        conflicts_with_all = ["causes", "missing", "badge", "csv", "cached_manifest", "sbom"],
    )]
    host: Option<String>,

    /// Print a JSON object, or one per line for several files.
    #[arg(long, group = "form")]
    json: bool,

    /// Print Markdown, for example for a job summary.
    #[arg(long, group = "form")]
    markdown: bool,

    /// Print `name/hash` for each missing spec, one per line, for `xargs spack install`; without a lock file, the specs that
    /// no build satisfies.
    #[arg(long, group = "form")]
    missing: bool,

    /// Print the JSON object that badge services read.
    #[arg(long, group = "form")]
    badge: bool,

    /// Print a line of CSV for each spec of one environment.
    #[arg(long, group = "form")]
    csv: bool,

    /// Print a list of software (SBOM) of the specs and what they need to run, in a format that others read: for a lock file
    /// or a list of hashes. What is not known is stated as unknown: licences, too, without --recipes. The time of the list is now, or
    /// SOURCE_DATE_EPOCH.
    #[arg(long, group = "form", value_name = "FORMAT", value_parser = sbom_format())]
    sbom: Option<SbomFormat>,

    /// Write the files of the mirror that the environments are installed from, for `rsync --files-from`; with their
    /// sizes if FILE ends in `.json`. The list is complete if --from is the folder of one mirror, and but for its keys if
    /// it is the URL of one; otherwise it says what it cannot know. An environment is a lock file, or a list of hashes:
    /// of specs without a hash, no files are listed.
    #[arg(long, value_name = "FILE")]
    carry: Option<PathBuf>,

    /// Print a spack.yaml with only the roots of one environment that are in the cache.
    #[arg(long, group = "form")]
    cached_manifest: bool,
}

/// A percentage from 0 to 100, with or without a percent sign.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Percent(f64);

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Percent, String> {
        let number = text.trim().trim_end_matches('%').trim_end();
        match number.parse::<f64>() {
            Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(Percent(percent)),
            _ => Err("expected a number from 0 to 100, such as 95%".to_owned()),
        }
    }
}

/// The answer to whether enough of an environment is in a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Enough,
    TooLittle,
    CannotTell,
}

/// Reads the name of a format of lists of software.
fn sbom_format() -> impl TypedValueParser<Value = SbomFormat> {
    let names = PossibleValuesParser::new(SbomFormat::ALL.map(SbomFormat::key));
    let named = |name: String| SbomFormat::ALL.into_iter().find(|format| format.key() == name);
    names.try_map(move |name| named(name).ok_or("no such format"))
}

impl EnvironmentCommand {
    pub(crate) fn run(self, report: &mut Report) -> Result<ExitCode, Failure> {
        let limit = self.reading.size_limit();
        if let Some(path) = &self.carry {
            let inputs = self
                .files
                .iter()
                .chain(&self.from)
                .chain(&self.mirrors.mirrors)
                .map(PathBuf::as_path)
                .chain(self.recipes.paths());
            may_write(&[Output::new(path, Kind::CarryList, "--carry")], inputs)?;
        }
        // Two of these in a row are neither YAML, CSV nor JSON.
        let of_one = [
            (self.sbom.is_some(), "--sbom"),
            (self.csv, "--csv"),
            (self.cached_manifest, "--cached-manifest"),
        ];
        if self.files.len() > 1
            && let Some((_, option)) = of_one.iter().find(|(is_given, _)| *is_given)
        {
            return Err(format!("{option} describes one environment; name one file").into());
        }
        let mut environments = Vec::new();
        for file in &self.files {
            match read(file, limit) {
                Ok(Ok(environment)) => environments.push((file, environment)),
                Ok(Err(problems)) => {
                    let label = label(file);
                    problems.iter().for_each(|problem| report.problem(&label, problem));
                }
                Err(error) => report.problem(&label(file), &error),
            }
        }
        if report.has_problems() {
            return Ok(ExitCode::from(2));
        }
        let inputs = self.reading.find(&self.from, &self.mirrors.read(report), report);
        // A server is only asked for builds that will be installed or built next.
        let wanted = match self.carry.is_some() || self.missing {
            true => wanted(environments.iter().map(|(_, environment)| environment)),
            false => Vec::new(),
        };
        let mut index = load_asking(&inputs, &wanted, &self.reading, report)?;
        self.recipes.describe(&mut index, &self.reading, report)?;
        let on_host = match &self.host {
            None => None,
            Some(host) => match OnHost::new(host, &index, report)? {
                None => return Ok(ExitCode::from(2)),
                judged => judged,
            },
        };
        let mut worst = Verdict::Enough;
        let mut carried = CarriedFiles::new(&index);
        let prints = !self.carry.as_deref().is_some_and(output::is_standard_output);
        for (file, environment) in &environments {
            let assessment =
                Assessment::new(&index, environment, &Question::default(), index.dialect());
            let written = AssessmentReport { index: &index, environment, assessment: &assessment };
            if prints {
                self.print(file, written, on_host.as_ref())?;
            }
            if self.carry.is_some()
                && let Some(unlisted) = carried.add(&label(file), environment)
            {
                report.note(&format_args!("--carry does not list {unlisted}"));
            }
            worst = worst.max(self.verdict(assessment.share(environment)));
        }
        if let Some(path) = &self.carry {
            let list = carried.list(&inputs)?;
            let is_json = path.extension().is_some_and(|extension| extension == "json");
            let text = if is_json { format!("{:#}\n", list.json()) } else { list.text() };
            output::write(path, &visible_lines(&text))?;
        }
        Ok(match worst {
            Verdict::Enough => ExitCode::SUCCESS,
            Verdict::TooLittle => ExitCode::from(1),
            Verdict::CannotTell => ExitCode::from(2),
        })
    }

    fn verdict(&self, share: Share) -> Verdict {
        let Percent(required) = self.require;
        let reaches = |share: f64| share * 100.0 + 1e-9 >= required;
        match share {
            Share::Of(share) | Share::AtLeast(share) if reaches(share) => Verdict::Enough,
            Share::Of(_) => Verdict::TooLittle,
            Share::AtLeast(_) => Verdict::CannotTell,
        }
    }

    fn print(
        &self,
        file: &Path,
        written: AssessmentReport<'_>,
        on_host: Option<&OnHost>,
    ) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        let is_one = self.files.len() == 1;
        let AssessmentReport { index, environment, assessment } = written;
        let causes = self.causes.then(|| Causes::of_environment(index, environment, assessment));
        let works = on_host.map_or(Vec::new(), |host| host.lines(written));
        if self.json {
            let mut object = written.json();
            if let (Some(causes), Some(object)) = (&causes, object.as_object_mut()) {
                object.extend(in_words(causes, written).json());
            }
            if let Some(on_host) = on_host {
                object["machine"] = on_host.json(written);
            }
            if !is_one {
                object["environment"] = json!(label(file));
            }
            writeln!(out, "{object}")?;
        } else if let Some(format) = self.sbom {
            let name = label(file);
            let sbom = Sbom::of_environment(&name, environment, index, now());
            let sbom = sbom.ok_or_else(|| format!("{name}: {NOT_CONCRETE}"))?;
            writeln!(out, "{:#}", sbom.write(format))?;
        } else if self.badge {
            writeln!(out, "{}", written.badge())?;
        } else if self.markdown {
            if !is_one {
                writeln!(out, "### {}\n", visible(&label(file)))?;
            }
            let text = match &causes {
                Some(causes) => {
                    format!("{}.\n\n{}", written.headline(), in_words(causes, written).markdown())
                }
                None => written.markdown(),
            };
            writeln!(out, "{}", visible_lines(&text))?;
            if let Some((said, reasons)) = works.split_first() {
                writeln!(out, "{}", visible(said))?;
                if !reasons.is_empty() {
                    writeln!(out)?;
                }
                for reason in reasons {
                    writeln!(out, "- {}", visible(reason.trim_start()))?;
                }
            }
            return Ok(());
        } else if let Some(causes) = &causes {
            if !is_one {
                writeln!(out, "{}:", visible(&label(file)))?;
            }
            writeln!(out, "{}", written.headline())?;
            write!(out, "{}", visible_lines(&in_words(causes, written).text()))?;
        } else if self.missing {
            write!(out, "{}", visible_lines(&written.missing()))?;
        } else if self.csv {
            let lines: Vec<String> = written.csv().split("\r\n").map(visible).collect();
            write!(out, "{}", lines.join("\r\n"))?;
        } else if self.cached_manifest {
            write!(out, "{}", written.manifest())?;
        } else if is_one {
            table::write(&mut out, written)?;
        } else {
            let share = match written.assessment.share(written.environment) {
                Share::Of(share) => format!("{:3} %", percent(share)),
                Share::AtLeast(share) => format!("≥ {} %", percent(share)),
            };
            writeln!(out, "{share}  {}: {}", visible(&label(file)), written.headline())?;
        }
        if !self.json {
            works.iter().try_for_each(|line| writeln!(out, "{}", visible(line)))?;
        }
        Ok(())
    }
}

/// Returns which differences keep specs out of the cache, as fields of the object about an environment.
pub(super) fn causes_of(written: AssessmentReport<'_>) -> Map<String, Value> {
    let AssessmentReport { index, environment, assessment } = written;
    let causes = Causes::of_environment(index, environment, assessment);
    in_words(&causes, written).json()
}

fn in_words<'a>(causes: &'a Causes, written: AssessmentReport<'_>) -> CausesInWords<'a> {
    let counts = written.assessment.counts;
    let wanted = counts.nodes - counts.external;
    let occasion = Occasion::Missing { wanted, cached: counts.cached, left_out: None };
    CausesInWords { causes, occasion }
}

/// Reads an environment, plain or compressed, and no more of it than `--max-size` allows.
pub(super) fn read(
    file: &Path,
    limit: SizeLimit,
) -> io::Result<Result<Environment, Vec<cache_ingest::Problem>>> {
    if file.is_dir() {
        let name = "expected a file, found a folder: name its spack.lock or spack.yaml";
        return Err(io::Error::new(io::ErrorKind::IsADirectory, name));
    }
    let mut bytes = Vec::new();
    match file.as_os_str() == "-" {
        true => decompress(io::stdin().lock(), limit)?.read_to_end(&mut bytes)?,
        false => decompress(File::open(file)?, limit)?.read_to_end(&mut bytes)?,
    };
    let folder = file.parent().filter(|_| file.as_os_str() != "-");
    Ok(read_environment_with(&bytes, &mut |path| match folder {
        Some(folder) => included(&folder.join(path)),
        None => IncludedFile::Unread,
    }))
}

/// The maximum length of a file that a spack.yaml includes.
const INCLUDED: u64 = 16 << 20;

/// Opens a file that a spack.yaml includes, unless it is too long.
fn included(path: &Path) -> IncludedFile {
    // Opening a pipe would wait for a writer.
    match path.metadata() {
        Ok(found) if found.is_file() => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return IncludedFile::Absent,
        _ => return IncludedFile::Unread,
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(INCLUDED + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 <= INCLUDED => IncludedFile::Read(bytes),
        _ => IncludedFile::Unread,
    }
}

pub(super) fn label(file: &Path) -> String {
    if file.as_os_str() == "-" { "standard input".to_owned() } else { file.display().to_string() }
}

/// Returns a text with every invisible character except line breaks written out.
fn visible_lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_percentage() {
        #[track_caller]
        fn check(text: &str, expected: Option<f64>) {
            assert_eq!(text.parse::<Percent>().ok(), expected.map(Percent));
        }
        check("100%", Some(100.0));
        check("95", Some(95.0));
        check("99.5 %", Some(99.5));
        check("101%", None);
        check("-1", None);
        check("all", None);
        check("NaN", None);
    }
}
