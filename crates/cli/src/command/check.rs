//! `check`: everything that is wrong with the inputs, without writing anything.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use cache_index::number::counted;
use cache_ingest::Files;
use cache_ingest::graph::{BrokenDependency, Graph};
use cache_ingest::inputs::{Folder, Input, Machine};
use cache_ingest::mirror::{
    SpecState, WITHOUT_BINARIES, check_other_databases, check_spec, signable_files,
};
use clap::Args;

use super::check_facts;
use super::index::{Publication, packed};
use crate::inputs::{InputArguments, Inputs};
use crate::inspect;
use crate::report::{Failure, Report, print};
#[cfg(feature = "signatures")]
use crate::signatures::{self, read_keys};

/// Report everything that is wrong with the inputs
///
/// Every problem of every file is reported, not only the first. The exit code is 1 if there are any. An index made by
/// `index` can be checked too.
///
/// In the folder of a mirror, the digests of its databases are checked, also of those for older Spacks, and its specs, as far as it has them: in layout v3 by
/// their digests, and in layout v2 by reading them. Binaries are not read: Spack checks each when it installs it, and `inspect` looks into them.
#[derive(Args)]
pub(crate) struct Check {
    #[command(flatten)]
    inputs: InputArguments,

    /// Verify the signatures of mirrors with the OpenPGP public keys in this folder, or file. A signature that is bad or
    /// by another key is a problem, and so is a build that is not signed.
    #[cfg(feature = "signatures")]
    #[arg(long, value_name = "FOLDER")]
    keys: Option<PathBuf>,

    /// Compare what `inspect` found in the binaries with what the cache says of them.
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,

    /// Report builds that could not be moved to an install tree whose root has this many characters.
    #[arg(long, value_name = "LENGTH", requires = "facts")]
    padding: Option<usize>,

    /// Report builds that need something to run that the inputs do not have, or not as a binary, as problems: Spack cannot
    /// install them from this cache alone. Otherwise, they are notes.
    #[arg(long)]
    complete: bool,

    /// Accept builds that are not signed.
    #[cfg(feature = "signatures")]
    #[arg(long, requires = "keys")]
    allow_unsigned: bool,
}

impl Check {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failure> {
        let inputs = self.inputs.find(report);
        let gathered = inputs.read_all(report);
        #[cfg(feature = "signatures")]
        self.check_signatures(&inputs, report);
        check_mirrors(&inputs, report);
        if inputs.list.iter().any(is_mirror) && gathered.present.binaries == 0 {
            report.note(&format!("{}: {WITHOUT_BINARIES}", gathered.source));
        }
        inputs.compare_manifests(&gathered, report);

        let graph = Graph::of(&gathered.collection);
        let unknown = graph.unknown_dependencies();
        let unknown = unknown.filter(|broken| !report.is_damaged(&broken.dependency.1));
        for (name, dependents) in by_dependency(unknown) {
            let note = format!(
                "{} on {name}, which is in none of the inputs",
                dependents.which("depends", "depend")
            );
            report.note_of_kind("dependencies are in none of the inputs", note);
        }
        let lacking =
            graph.lacking_to_run().filter(|(broken, _)| !report.is_damaged(&broken.dependency.1));
        let lacking = lacking.filter(|(_, is_listed)| self.complete || *is_listed);
        for (name, dependents) in by_dependency(lacking.map(|(broken, _)| broken)) {
            let said = format!(
                "{} {name} to run, which has no binary here",
                dependents.which("needs", "need")
            );
            match self.complete {
                true => report.error(&said),
                false => report.note_of_kind("what builds need to run has no binary", said),
            }
        }
        let builds = gathered.collection.binaries();
        let source = gathered.source.clone();
        if let Some(file) = &self.facts {
            let known = inspect::load(file, true)?;
            let (index, _) = packed(gathered, &Publication::unpublished())?;
            check_facts::check(&index, &known, self.padding, report);
        }
        if report.has_problems() {
            return Err(Failure::Reported("the inputs are not fit to publish".to_owned()));
        }
        if !inputs.list.is_empty() {
            let builds = counted(builds, "build", "builds");
            let notes = match report.notes().len() {
                0 => String::new(),
                notes => format!(", {}", counted(notes, "note", "notes")),
            };
            print(format_args!("{builds} in {source}, no problems{notes}"));
        }
        Ok(())
    }

    /// Verifies signatures, if there are keys.
    #[cfg(feature = "signatures")]
    fn check_signatures(&self, inputs: &Inputs, report: &mut Report) {
        let Some(keys) = &self.keys else { return };
        let keyring = read_keys(keys, report);
        if !inputs.list.iter().any(is_mirror) {
            report.error(
                &"there is no mirror's folder among the inputs, and only these have signatures",
            );
        } else if !keyring.is_empty() {
            let tally = signatures::check(inputs, &keyring, self.allow_unsigned, report);
            print(format_args!("{tally}"));
        }
    }
}

fn is_mirror(input: &Input) -> bool {
    matches!(input, Input::Mirror(_))
}

/// The builds that depend on one.
struct Dependents {
    count: usize,
    /// The first of them, as package and hash.
    first: String,
}

impl Dependents {
    /// Returns the builds with a verb: `caliper/… depends`, `9 builds, such as caliper/…, depend`.
    fn which(&self, does: &str, they_do: &str) -> String {
        let Dependents { count, first } = self;
        match count {
            1 => format!("{first} {does}"),
            _ => format!("{}, such as {first}, {they_do}", counted(*count, "build", "builds")),
        }
    }
}

/// Groups broken dependencies by the missing build: a package is often missing for hundreds of builds.
fn by_dependency<'c>(
    dependencies: impl Iterator<Item = BrokenDependency<'c>>,
) -> BTreeMap<String, Dependents> {
    let mut by_dependency: BTreeMap<String, Dependents> = BTreeMap::new();
    for BrokenDependency { dependent, dependency: (package, hash) } in dependencies {
        let first = || Dependents { count: 0, first: format!("{}/{}", dependent.0, dependent.1) };
        by_dependency.entry(format!("{package}/{hash}")).or_insert_with(first).count += 1;
    }
    by_dependency
}

/// Checks those files in the folders of mirrors that are not needed to read the builds.
fn check_mirrors(inputs: &Inputs, report: &mut Report) {
    for input in &inputs.list {
        let Input::Mirror(mirror) = input else { continue };
        let folder = Folder { machine: &inputs.machine, root: &mirror.path };
        let label = inputs.machine.shown(&mirror.path);
        match check_other_databases(&folder) {
            Ok(problems) => problems.iter().for_each(|problem| report.unusable(&label, problem)),
            Err(error) => report.problem(&label, &error),
        }
        if let Err(error) = check_specs(inputs, &folder, &label, report) {
            report.problem(&label, &error);
        }
    }
}

/// Checks the specs in the folder of a mirror, in layout v3 against what their manifests state.
fn check_specs(
    inputs: &Inputs,
    folder: &(dyn Files + Sync),
    label: &str,
    report: &mut Report,
) -> io::Result<()> {
    let files = signable_files(folder)?;
    let mut missing = 0;
    inputs.machine.in_order(
        |each| files.iter().for_each(each),
        |(hash, file)| check_spec(folder, file, *hash),
        |checked| match checked {
            Ok(Some(SpecState::Missing)) => missing += 1,
            Ok(Some(SpecState::Damaged(problem))) => report.damaged(label, &problem),
            Ok(Some(SpecState::AsStated) | None) => {}
            Err(error) => report.problem(label, &error),
        },
    );
    if missing > 0 {
        let of = counted(missing, "spec is", "specs are");
        let note = format!("{label}: {of} not in the mirror, and not checked");
        report.note_of_kind("specs are not in a mirror, and not checked", note);
    }
    Ok(())
}
