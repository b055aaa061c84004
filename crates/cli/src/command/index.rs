//! `index`: one index file from many inputs.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cache_advice::changes::publish;
use cache_index::build::Place;
use cache_index::index::{self, BuildId};
use cache_index::number::counted;
use cache_ingest::inputs::{DamageLimit, EMPTY, GatheredBuilds, WantedBuild};
use chrono::{DateTime, Datelike, SecondsFormat};
use clap::Args;

use crate::inputs::{InputArguments, Inputs, ReadingArguments, gather, gather_to_ask};
use crate::inspect;
use crate::mirrors::MirrorInputs;
use crate::output::{self, Kind, Output, may_write};
use crate::recipes::RecipeArguments;
use crate::report::{Failure, Report, print};

/// Make the index of a cache, as one JSON file
#[derive(Args)]
pub(crate) struct Index {
    #[command(flatten)]
    inputs: InputArguments,

    #[command(flatten)]
    publication: Publication,

    /// Where to write the index; `-` is the standard output.
    #[arg(short, long, value_name = "FILE", default_value = "index.json")]
    output: PathBuf,
}

/// What the page says about the cache as a whole.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Publication {
    /// What the page and its tab are called, such as `E4S build cache`.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// The address of a page about the cache; the title leads to it.
    #[arg(long, value_name = "URL", value_parser = web_address)]
    about_url: Option<String>,

    /// The URL under which each release and stack has its mirror, as in Spack's own cache, for the commands that the
    /// page shows. The default is https://binaries.spack.io for cache pages and the manifest of the public cache; for
    /// other mirrors without --url, the commands have a blank to fill in.
    #[arg(long, value_name = "URL", value_parser = crate::sources::mirror_url)]
    mirror_url: Option<String>,

    /// Leave out damaged builds and continue, instead of stopping; with a limit such as `--leave-out-damaged=1%`, only
    /// if no more than that are damaged. The page shows how many were left out, and why.
    #[arg(
        long,
        value_name = "LIMIT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "100%"
    )]
    pub(crate) leave_out_damaged: Option<DamageLimit>,

    /// What was published before: an index, a page with an index in it, or anything else that is an input. The index then
    /// has the builds that came and went since, and when each build first appeared. If there is nothing at this path,
    /// this is the first publication.
    #[arg(long, value_name = "EARLIER")]
    since: Option<PathBuf>,

    /// What was found in binaries, as `inspect` writes it. Files and sizes become parts of the index of their own, which
    /// are beside a page and not loaded with it.
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,

    /// Publish a cache without a single build, such as one that is about to be filled.
    #[arg(long)]
    allow_empty: bool,

    #[command(flatten)]
    recipes: RecipeArguments,
}

impl Index {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failure> {
        let output = Output::new(&self.output, Kind::Index, "--output");
        may_write(&[output], self.inputs.paths().chain(self.publication.paths()))?;
        let inputs = self.inputs.find_before(self.publication.earlier(), report);
        let gathered = gather(&inputs, self.publication.leave_out_damaged, report)?;
        let (mut index, count) = packed(gathered, &self.publication)?;
        self.publication.complete(&mut index, self.inputs.reading(), report)?;
        let json = index.to_json_with_facts();
        output::write(&self.output, &json)?;
        if !output::is_standard_output(&self.output) {
            let builds = counted(count, "build", "builds");
            let bytes = counted(json.len(), "byte", "bytes");
            print(format_args!("{}: {builds} in {bytes}", self.output.display()));
        }
        Ok(())
    }
}

impl Publication {
    /// Returns the publication of a cache that is only searched: without a publisher's words, and it may be empty.
    pub(super) fn unpublished() -> Publication {
        Publication { allow_empty: true, ..Publication::default() }
    }

    /// Puts what the publisher says about the cache into an index.
    pub(crate) fn say_in(&self, index: &mut index::Index) {
        let Publication { title, about_url, .. } = self;
        let about = index.about_mut();
        about.title = title.clone().or(about.title.take());
        about.about_url = about_url.clone().or(about.about_url.take());
    }

    /// Returns the paths of what is read besides the inputs, and not changed by a publication.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.facts.as_deref().into_iter().chain(self.recipes.paths())
    }

    /// Returns the path or URL of the publication before this one, if the user names it.
    pub(crate) fn earlier(&self) -> Option<&Path> {
        self.since.as_deref()
    }

    /// Adds to an index what does not come from the inputs.
    fn complete(
        &self,
        index: &mut index::Index,
        reading: &ReadingArguments,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let about = index.about_mut();
        let is_new =
            |url: &&String| about.mirror_url.as_ref() == Some(url) && about.bucket(url).is_none();
        let bucket = self.mirror_url.as_ref().filter(is_new).and_then(|url| reading.bucket(url));
        about.buckets.extend(bucket);
        self.compare(index, reading, report)?;
        self.add_facts(index, report)?;
        self.recipes.describe(index, reading, report)
    }

    /// Adds to an index what was found in binaries, if `--facts` names it.
    fn add_facts(&self, index: &mut index::Index, report: &mut Report) -> Result<(), Failure> {
        let Some(path) = &self.facts else { return Ok(()) };
        let known = inspect::load(path, true)?;
        let builds = index.builds_with_binary().count();
        let unknown = builds.saturating_sub(index.add_facts(&|hash| known.of(hash))?);
        if unknown > 0 {
            let builds = counted(unknown, "build has", "builds have");
            report.note(&format!("{}: {builds} no facts there", path.display()));
        }
        Ok(())
    }

    /// Adds to an index what changed since the earlier publication, if there is one.
    fn compare(
        &self,
        index: &mut index::Index,
        reading: &ReadingArguments,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let Some(path) = &self.since else { return Ok(()) };
        let is_elsewhere = path.to_str().is_some_and(|path| path == "-" || path.contains("://"));
        if !is_elsewhere && matches!(path.try_exists(), Ok(false)) {
            let first = "there is nothing yet, so this is the first publication";
            report.note(&format!("{}: {first}", path.display()));
            return Ok(());
        }
        let earlier = load_snapshot(std::slice::from_ref(path), reading, report)?;
        let made = [&earlier, index].map(|index| index.about().made.clone().unwrap_or_default());
        if made[0] > made[1] && !made[1].is_empty() {
            let [before, after] = made;
            let words = format!(
                "{}: expected an earlier publication than that of {after}, found one of {before}",
                path.display()
            );
            return Err(words.into());
        }
        if publish(index, &earlier).is_empty() {
            let said = match moved(index, &earlier) {
                0 => "nothing has changed since it was made".to_owned(),
                moved => {
                    let builds = counted(moved, "build is", "builds are");
                    format!(
                        "no build came or went since it was made, but {builds} in other releases or stacks"
                    )
                }
            };
            report.note(&format!("{}: {said}", path.display()));
        }
        Ok(())
    }
}

/// Returns how many builds are in other releases or stacks now than in an earlier index.
fn moved(index: &index::Index, earlier: &index::Index) -> usize {
    let places = |index: &index::Index, build: BuildId| -> BTreeSet<Place> {
        index.places_of(index.row_of(build)).collect()
    };
    let now = index.find_all(earlier.hashes()).into_iter();
    let both = (0..).map(BuildId).zip(now).filter_map(|(before, now)| Some((before, now?)));
    both.filter(|(before, now)| places(earlier, *before) != places(index, *now)).count()
}

/// Reads the address of a web page.
pub(super) fn web_address(text: &str) -> Result<String, String> {
    match ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme)) {
        true => Ok(text.to_owned()),
        false => Err("expected an address that begins with https:// or http://".to_owned()),
    }
}

/// Returns the index of a cache for a command that only queries it: read from a file, or made from inputs.
pub(crate) fn load(
    from: &[PathBuf],
    mirrors: &MirrorInputs,
    reading: &ReadingArguments,
    report: &mut Report,
) -> Result<index::Index, Failure> {
    let inputs = reading.find(from, mirrors, report);
    load_asking(&inputs, &[], reading, report)
}

/// Does the same as [`load`], and asks mirrors on other machines which of some builds they have.
pub(crate) fn load_asking(
    inputs: &Inputs,
    wanted: &[WantedBuild],
    reading: &ReadingArguments,
    report: &mut Report,
) -> Result<index::Index, Failure> {
    reading.report_unused_place(inputs, report);
    load_inputs(inputs, wanted, report)
}

/// Returns the index of one of two snapshots, as [`load`] does. `--release` and `--stack` may be meant for the other one.
pub(crate) fn load_snapshot(
    from: &[PathBuf],
    reading: &ReadingArguments,
    report: &mut Report,
) -> Result<index::Index, Failure> {
    load_inputs(&reading.find(from, &MirrorInputs::default(), report), &[], report)
}

fn load_inputs(
    inputs: &Inputs,
    wanted: &[WantedBuild],
    report: &mut Report,
) -> Result<index::Index, Failure> {
    if let Some(index) = inputs.only_index(report) {
        return Ok(index?);
    }
    let mut gathered = gather_to_ask(inputs, report)?;
    inputs.ask(wanted, &mut gathered, report);
    Ok(packed(gathered, &Publication::unpublished())?.0)
}

/// Returns the index of inputs that are to be published: reads it if the only input is an index, and otherwise makes it.
pub(crate) fn index_of(
    arguments: &InputArguments,
    publication: &Publication,
    report: &mut Report,
) -> Result<index::Index, Failure> {
    let inputs = arguments.find_before(publication.earlier(), report);
    index_of_found(&inputs, arguments.reading(), publication, report)
}

/// Does the same as [`index_of`] for inputs that have been found.
pub(crate) fn index_of_found(
    inputs: &Inputs,
    reading: &ReadingArguments,
    publication: &Publication,
    report: &mut Report,
) -> Result<index::Index, Failure> {
    let mut index = match inputs.only_index(report) {
        Some(index) => {
            let mut index = index?;
            publication.say_in(&mut index);
            index
        }
        None => packed(gather(inputs, publication.leave_out_damaged, report)?, publication)?.0,
    };
    publication.complete(&mut index, reading, report)?;
    Ok(index)
}

/// Returns the index, and the number of its builds.
pub(crate) fn packed(
    gathered: GatheredBuilds,
    publication: &Publication,
) -> Result<(index::Index, usize), Failure> {
    let mirror_url = publication.mirror_url.clone();
    let (mut index, count) = gathered.pack(mirror_url, now())?;
    if count == 0 && !publication.allow_empty {
        return Err(EMPTY.into());
    }
    publication.say_in(&mut index);
    Ok((index, count))
}

/// Returns the current time in UTC, or the time that a reproducible build sets.
pub(super) fn now() -> String {
    let asked = env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| time(seconds.parse().ok()?));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    asked.or_else(|| time(now.as_secs())).unwrap_or_default()
}

/// Formats a time in seconds since 1970 as RFC 3339, which has no years after 9999.
fn time(seconds: u64) -> Option<String> {
    let time = DateTime::from_timestamp(i64::try_from(seconds).ok()?, 0)?;
    (time.year() <= 9999).then(|| time.to_rfc3339_opts(SecondsFormat::Secs, true))
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn writes_times_that_others_can_read() {
        assert_eq!(time(1_763_719_800).as_deref(), Some("2025-11-21T10:10:00Z"));
        assert_eq!(time(253_402_300_799).as_deref(), Some("9999-12-31T23:59:59Z"));
        for seconds in [253_402_300_800, i64::MAX as u64, u64::MAX] {
            assert_eq!(time(seconds), None, "{seconds}");
        }
    }
}
