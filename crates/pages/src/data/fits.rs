//! The verdicts on all builds for the user's machine, with their reasons. The question on the page carries the verdicts, so
//! it decides which of them apply; what they are based on is kept here.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::sync::Arc;
use std::thread::LocalKey;

use cache_advice::fit::{Fit, Fits, Step};
use cache_advice::machine_words::Gpu;
use cache_advice::reuse::{Blocker, Check, Checklist, Rule};
use cache_index::index::{BuildId, Index, ValueCode};
use cache_index::sorting;
use cache_query::host::Runs;
use cache_query::{Answer, OnMachine, Setup};

use leptos::prelude::*;

use crate::browser;
use crate::data::facts::{self, InIndex};
use site::explorer::Explorer;
use site::memo::memo;

thread_local! {
    /// The verdicts that the page asked for last.
    static LAST: RefCell<Option<Arc<Fits>>> = const { RefCell::new(None) };
    /// The verdicts with Spack's default settings, with which those with the user's settings are compared.
    static WITH_DEFAULTS: RefCell<Option<Arc<Fits>>> = const { RefCell::new(None) };
}

/// Judges all builds for a machine with these GPUs.
pub(crate) fn judge(index: &'static Index, setup: Setup, gpus: &[String]) -> OnMachine {
    judge_once(index, setup, gpus, &LAST)
}

/// Judges all builds for the same machine with the default settings of Spack, to compare with.
pub(crate) fn with_defaults(index: &'static Index, setup: Setup, gpus: &[String]) -> OnMachine {
    judge_once(index, setup, gpus, &WITH_DEFAULTS)
}

fn judge_once(
    index: &'static Index,
    setup: Setup,
    gpus: &[String],
    last: &'static LocalKey<RefCell<Option<Arc<Fits>>>>,
) -> OnMachine {
    let gpus: Vec<Gpu> = gpus.iter().filter_map(|gpu| Gpu::named(gpu)).collect();
    let binaries = match facts::in_index() {
        // Until the facts have arrived, there are no verdicts.
        InIndex::Awaited => return OnMachine::default(),
        InIndex::Here(binaries) => Some(binaries),
        InIndex::NoFacts => None,
    };
    // If only something else has arrived, the last verdicts still apply.
    let known = last.with_borrow(Clone::clone);
    if let Some(fits) = known.filter(|fits| fits.are_for(&setup, &gpus, binaries.as_ref())) {
        return fits.on_machine();
    }
    let fits = Arc::new(Fits::new(index, setup, gpus, binaries));
    let on_machine = fits.on_machine();
    last.replace(Some(fits));
    on_machine
}

/// Fetches what the index has about binaries as soon as a user's machine makes it matter.
pub(crate) fn follow_machine(explorer: Explorer) {
    let has_machine = memo(move || explorer.host().is_some());
    Effect::new(move || {
        if has_machine.get() && browser::facts::are_there() {
            untrack(|| facts::ask_for_sizes(explorer));
        }
    });
}

/// Returns the verdicts that the question was asked with.
fn fits(explorer: Explorer) -> Option<Arc<Fits>> {
    let judged = explorer.with_question(|question| question.judged.clone());
    LAST.with_borrow(Clone::clone).filter(|fits| fits.on_machine().works == judged)
}

/// Returns the verdict on a build for the user's machine, with the reason; `None` without a machine, or until it is known.
pub(crate) fn of(explorer: Explorer, build: BuildId) -> Option<(Fit, String)> {
    let fits = fits(explorer)?;
    Some((fits.of(build), fits.reason(explorer.index, build)))
}

/// Returns the verdicts on these builds, without reasons.
pub(crate) fn of_all(explorer: Explorer, builds: &[BuildId]) -> Option<Vec<Fit>> {
    let fits = fits(explorer)?;
    Some(builds.iter().map(|&build| fits.of(build)).collect())
}

/// Returns `true` while the verdicts for a machine are still to come.
pub(crate) fn are_awaited(explorer: Explorer) -> bool {
    explorer.host().is_some() && fits(explorer).is_none()
}

/// Returns the rule about moving a build into the install tree of that machine; `None` as for [`of`], or if that tree or what
/// is in binaries is not known.
pub(crate) fn relocation(explorer: Explorer, build: BuildId) -> Option<Check> {
    fits(explorer)?.relocation(explorer.index, build)
}

/// Returns the rules by which Spack would consider a build for reuse on that machine; `None` as for [`of`].
pub(crate) fn checklist(explorer: Explorer, build: BuildId) -> Option<Checklist> {
    let fits = fits(explorer)?;
    let further = fits.binary_checks(explorer.index, build);
    Some(Checklist::new(explorer.index, fits.setup(), fits.reuse(), build).with(further))
}

/// The builds of the answer by their verdict, including those that are filtered out by it.
pub(crate) struct VerdictCounts {
    /// In the order of the steps and rules.
    pub(crate) by_reason: Vec<OfReason>,
    /// For the builds that only a dependency keeps from being reused: how many of them each dependency blocks, by its name
    /// with an example, most first. A build counts for the first one that blocks it.
    pub(crate) by_blocker: Vec<(String, Blocker<'static>, usize)>,
}

/// The builds with one verdict for one reason.
#[derive(Clone)]
pub(crate) struct OfReason {
    /// The verdict.
    pub(crate) fit: Fit,
    /// The rule of reuse, if one decides.
    pub(crate) rule: Option<Rule>,
    /// How many there are.
    pub(crate) count: usize,
    /// Their packages with how many each has, most first.
    pub(crate) packages: Vec<(ValueCode, usize)>,
}

/// Counts the builds of the answer by their verdict; `None` as for [`of`].
pub(crate) fn counts(explorer: Explorer) -> Option<VerdictCounts> {
    let (index, fits) = (explorer.index, fits(explorer)?);
    let mut by_reason: Vec<OfReason> = Vec::new();
    let mut blockers: Vec<Blocker<'static>> = Vec::new();
    // The builds of a package follow each other.
    for build in whatever_the_verdict(explorer).matching_builds(index) {
        // Verdicts that differ only in GPU code, or in steps that do not decide, are counted together.
        let fit = fits.of(build);
        let fit = Fit { uses_gpu: false, runs: fit.works, ..fit };
        let rule = fits.rule(index, build);
        let at = by_reason.iter().position(|other| (other.fit, other.rule) == (fit, rule));
        let at = at.unwrap_or_else(|| {
            by_reason.push(OfReason { fit, rule, count: 0, packages: Vec::new() });
            by_reason.len() - 1
        });
        let package = index.package_of(index.row_of(build));
        let OfReason { count, packages, .. } = &mut by_reason[at];
        *count += 1;
        match packages.last_mut().filter(|(last, _)| *last == package) {
            Some((_, of_package)) => *of_package += 1,
            None => packages.push((package, 1)),
        }
        if is_blocked(fit, rule) {
            blockers.extend(Blocker::below(index, fits.reuse(), build));
        }
    }
    for of_reason in &mut by_reason {
        sorting::sort_by_key(&mut of_reason.packages, |(_, count)| Reverse(*count));
    }
    sorting::sort_by_key(&mut by_reason, |of| (of.fit.works, of.fit.step, of.rule));
    sorting::sort(&mut blockers);
    let mut by_blocker: Vec<(String, Blocker<'static>, usize)> = Vec::new();
    for group in blockers.chunk_by(|one, other| one == other) {
        let name = group[0].name(index);
        match by_blocker.iter_mut().find(|(other, ..)| *other == name) {
            Some((.., count)) => *count += group.len(),
            None => by_blocker.push((name, group[0], group.len())),
        }
    }
    sorting::sort_by_key(&mut by_blocker, |(_, _, count)| Reverse(*count));
    Some(VerdictCounts { by_reason, by_blocker })
}

/// Returns the answer without the filter on verdicts.
fn whatever_the_verdict(explorer: Explorer) -> Arc<Answer> {
    let mut question = explorer.with_question(Clone::clone);
    if question.runs.is_empty() {
        return explorer.answer();
    }
    question.runs.clear();
    explorer.answer_to(&question)
}

/// Returns how many builds of the answer run on the machine although Spack does not reuse them, including those that are
/// filtered out by their verdict; `None` as for [`of`].
pub(crate) fn run_only(explorer: Explorer) -> Option<usize> {
    let fits = fits(explorer)?;
    let answer = whatever_the_verdict(explorer);
    let runs_only = |build: &BuildId| {
        let fit = fits.of(*build);
        (fit.step, fit.works, fit.runs) == (Step::Reused, Runs::No, Runs::Yes)
    };
    Some(answer.matching_builds(explorer.index).filter(runs_only).count())
}

/// Returns `true` if only something below a build keeps it from being reused.
pub(crate) fn is_blocked(fit: Fit, rule: Option<Rule>) -> bool {
    (fit.step, fit.works, rule) == (Step::Reused, Runs::No, Some(Rule::Dependencies))
}
