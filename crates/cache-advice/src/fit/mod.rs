//! The one verdict on a build for a user's machine, in steps.
//!
//! | step | passes if |
//! | --- | --- |
//! | [`Runs`](Step::Runs) | the machine runs it, and what it needs to run: by what its binary demands where that is known, or else by its labels |
//! | [`Gpu`](Step::Gpu) | its GPU code, and that of what it needs to run, runs on one of the machine's GPUs; without a GPU or GPU code it passes |
//! | [`Complete`](Step::Complete) | the cache has what it needs to run, apart from what the machine has itself |
//! | [`Moves`](Step::Moves) | Spack can [move](crate::relocation) it, and what it needs to run, into the machine's install tree; passes if that, or what is in binaries, is not known at all |
//! | [`Reused`](Step::Reused) | Spack would [consider](crate::reuse) it for reuse |
//!
//! The first step that fails is the reason; if none does, the first whose answer is unknown. A build that lists no
//! dependencies, as in cache pages, is judged by what it states; if nothing of that fails, it passes the first step alone.
//!
//! A build that neither used a compiler nor depends on a libc runs where its dependencies run, so these decide as soon as
//! they are known.

mod compute;
mod own;
mod settings;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, FactsByBuild, Index};
use cache_query::host::Runs;
use cache_query::{ByBuild, OnMachine, Question, Setup};

use self::own::OwnVerdicts;
pub use self::settings::SettingsEffect;
use crate::binaries::Binaries;
use crate::machine_words::{Gpu, GpuVerdict};
use crate::relocation::{Destination, Relocations};
use crate::reuse::{self, Check, Checklist, FactRules, Rule};

/// A step of the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The machine runs it.
    Runs,
    /// Its GPU code runs on the machine.
    Gpu,
    /// The cache has what it needs to run.
    Complete,
    /// Spack can move it into the machine's install tree.
    Moves,
    /// Spack would consider it for reuse.
    Reused,
}

/// The verdict on a build, without the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fit {
    /// The step that decides; the last one that was judged if all pass.
    pub step: Step,
    /// The answer.
    pub works: Runs,
    /// It has GPU code of its own, and that runs on one of the machine's GPUs, as does the code of what it needs.
    pub uses_gpu: bool,
    /// The answer of the first step, even if another step decides.
    pub runs: Runs,
}

impl Fit {
    /// Returns the verdict in one or a few words.
    pub fn word(self) -> &'static str {
        match (self.works, self.step) {
            (Runs::Yes, Step::Runs) => "runs",
            (Runs::Yes, _) => "works",
            (Runs::Unknown, _) => "unknown",
            (Runs::No, Step::Runs) => "does not run",
            (Runs::No, Step::Gpu) => "wrong GPU",
            (Runs::No, Step::Complete) => "incomplete",
            (Runs::No, Step::Moves) => "cannot be moved",
            (Runs::No, Step::Reused) => "not reused",
        }
    }
}

/// Gives a question about a machine the verdicts on all builds, if they can be known yet. `binaries` is what the index
/// says about binaries.
pub fn judge(index: &Index, question: &mut Question, binaries: Option<Arc<FactsByBuild>>) {
    let is_known = index.has_dependencies() || !index.lists_any_dependencies();
    if let Some(setup) = question.setup().filter(|_| is_known) {
        let gpus = question.gpus.iter().filter_map(|gpu| Gpu::named(gpu)).collect();
        Fits::new(index, setup, gpus, binaries).on_machine().hand_in(question);
    }
}

/// The verdicts on all builds of an index for one machine.
#[derive(Clone, Debug)]
pub struct Fits {
    setup: Setup,
    gpus: Vec<Gpu>,
    own: OwnVerdicts,
    reuse: reuse::Verdicts,
    binaries: Option<Arc<FactsByBuild>>,
    /// Where builds would be moved.
    to: Option<Destination>,
    by_build: Vec<Fit>,
    on_machine: OnMachine,
}

impl Fits {
    /// Judges all builds for a machine with these GPUs. Until the dependencies have been loaded, builds are judged alone.
    /// `binaries` is what is known of them; without it, labels decide, and nothing is said about the install tree.
    pub fn new(
        index: &Index,
        setup: Setup,
        gpus: Vec<Gpu>,
        binaries: Option<Arc<FactsByBuild>>,
    ) -> Fits {
        let own = OwnVerdicts::new(index, &setup.host, binaries.as_ref());
        let reuse = reuse::Verdicts::new(index, &setup);
        let to = Destination::of(&setup);
        let mut fits = Fits {
            setup,
            gpus,
            own,
            reuse,
            binaries,
            to,
            by_build: Vec::new(),
            on_machine: OnMachine::default(),
        };
        fits.by_build = compute::fits(index, &fits, fits.moved(index).as_ref());
        let by_build = &fits.by_build;
        fits.on_machine = OnMachine {
            works: ByBuild::new(by_build.iter().map(|fit| fit.works).collect()),
            uses_gpu: ByBuild::new(by_build.iter().map(|fit| fit.uses_gpu).collect()),
        };
        fits
    }

    /// Returns the moves into the machine's install tree; `None` if that, or what is in binaries, is not known.
    fn moved<'m>(&'m self, index: &'m Index) -> Option<Relocations<'m>> {
        let binaries = Binaries::InIndex(self.binaries.as_deref()?);
        Some(Relocations::new(index, binaries, self.to.as_ref()?))
    }

    /// Returns the rule about the machine's install tree, applied to a build; `None` if that is not known.
    pub fn relocation(&self, index: &Index, build: BuildId) -> Option<Check> {
        Some(reuse::relocation_check(&self.moved(index)?, build))
    }

    /// Returns the rules about what is in binaries, applied to a build; none if that is not known.
    pub fn binary_checks(&self, index: &Index, build: BuildId) -> Vec<Check> {
        let Some(binaries) = self.binaries.as_deref() else { return Vec::new() };
        let binaries = Binaries::InIndex(binaries);
        FactRules::new(index, &self.setup, binaries, self.moved(index)).checks(build)
    }

    /// Returns `true` if these are the verdicts for a machine, made with the same knowledge of binaries.
    pub fn are_for(
        &self,
        setup: &Setup,
        gpus: &[Gpu],
        binaries: Option<&Arc<FactsByBuild>>,
    ) -> bool {
        let has_same_binaries = match (&self.binaries, binaries) {
            (None, None) => true,
            (Some(known), Some(binaries)) => Arc::ptr_eq(known, binaries),
            _ => false,
        };
        has_same_binaries && self.setup == *setup && self.gpus == gpus
    }

    /// Returns the machine, its Spack and its settings.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns which builds Spack would consider for reuse there.
    pub fn reuse(&self) -> &reuse::Verdicts {
        &self.reuse
    }

    /// Returns the verdict on a build.
    pub fn of(&self, build: BuildId) -> Fit {
        self.by_build[build.at()]
    }

    /// Returns the answers for a question about this machine. They are always the same ones, so questions that have
    /// them can be equal.
    pub fn on_machine(&self) -> OnMachine {
        self.on_machine.clone()
    }

    /// Returns the reason for the verdict on a build, as text for people without a full stop. It takes no longer if the cache
    /// is larger.
    pub fn reason(&self, index: &Index, build: BuildId) -> String {
        let fit = self.of(build);
        match fit.step {
            Step::Runs => self.why_it_runs_or_not(index, build, fit.works),
            Step::Gpu => {
                let verdict = GpuVerdict::of_build(index, build, &self.gpus);
                verdict.map_or(String::new(), |verdict| verdict.reason)
            }
            Step::Complete => lacking(index, build),
            Step::Moves => {
                let check = self.relocation(index, build);
                check.map_or(String::new(), |check| check.fact)
            }
            Step::Reused if fit.works == Runs::Yes => {
                let own = self.own.of(index, build);
                match own.runs {
                    Runs::Yes => own.reason.clone(),
                    _ if index.closure(build).is_none_or(|needed| needed.is_empty()) => {
                        "it needs no other build, and the cache names no libc for it".to_owned()
                    }
                    _ => {
                        "what it needs runs there; the cache names no libc for it itself".to_owned()
                    }
                }
            }
            Step::Reused => {
                Checklist::reason(index, &self.setup, &self.reuse, build).unwrap_or_default()
            }
        }
    }

    /// Returns the rule of reuse that matches the reason, if there is one. For a build that does not run, this is the
    /// rule for the first of its own labels that fails, or the rule about dependencies.
    pub fn rule(&self, index: &Index, build: BuildId) -> Option<Rule> {
        let fit = self.of(build);
        match (fit.step, fit.works) {
            (_, Runs::Yes) | (Step::Gpu | Step::Complete, _) => None,
            (Step::Moves, _) => Some(Rule::Relocation),
            (Step::Reused, _) => self.reuse.of(index, build).rule(),
            (Step::Runs, works) => {
                let (row, host) = (index.row_of(build), &self.setup.host);
                let text = |facet| index.text(row, facet);
                let [own, needed] =
                    [host.target(), text(Facet::Target)].map(spack_spec::Target::named);
                let has_target = own.zip(needed).is_some_and(|(own, needed)| own.runs(needed));
                Some(if self.own.of(index, build).runs != works {
                    Rule::Dependencies
                } else if text(Facet::Platform) != host.platform() {
                    Rule::Platform
                } else if !has_target && host.target() != text(Facet::Target) {
                    Rule::Target
                } else if self.own.by_binary(index, build).is_some() {
                    Rule::Binary
                } else if host.platform() == "linux" {
                    Rule::Libc
                } else {
                    Rule::Os
                })
            }
        }
    }

    /// Explains the first step: by the build itself, or by something that it needs.
    fn why_it_runs_or_not(&self, index: &Index, build: BuildId, works: Runs) -> String {
        let own = self.own.of(index, build);
        if own.runs == works {
            return own.reason.clone();
        }
        let needed = index.installed_with(build).unwrap_or_default();
        // Direct dependencies come first, because the user knows them.
        let edges = index.dependencies(build).into_iter().flatten();
        let direct: Vec<EdgeTarget<'_>> = edges
            .filter(|edge| edge.is_needed_to_run() && needed.contains(&edge.target))
            .map(|edge| edge.target)
            .collect();
        let decides = direct.into_iter().chain(needed).find_map(|target| {
            let EdgeTarget::Build(lower) = target else { return None };
            let verdict = self.own.of(index, lower);
            let package = index.text(index.row_of(lower), Facet::Package);
            (verdict.runs == works).then(|| format!("it needs {package}: {}", verdict.reason))
        });
        decides.unwrap_or_else(|| own.reason.clone())
    }
}

/// Returns what a build needs to run, or spliced builds are installed from, and the cache does not have, as a clause.
fn lacking(index: &Index, build: BuildId) -> String {
    let lacks = |targets: Option<Vec<EdgeTarget<'_>>>| -> Vec<String> {
        let names = targets.unwrap_or_default().into_iter().filter_map(|target| match target {
            EdgeTarget::Unknown { package, .. } => Some(package.to_owned()),
            EdgeTarget::Build(lower) => {
                let row = index.row_of(lower);
                let text = |facet| index.text(row, facet);
                let name = || format!("{}@{}", text(Facet::Package), text(Facet::Version));
                (!index.has_binary(row)).then(name)
            }
        });
        names
            .filter(|name| {
                !compute::is_from_the_machine(name.split('@').next().unwrap_or_default())
            })
            .collect()
    };
    let to_run = lacks(index.installed_with(build));
    let is_spliced = to_run.is_empty();
    let lacks = if is_spliced { lacks(index.fetched_with(build)) } else { to_run };
    match lacks.as_slice() {
        [] => "the cache lacks something that it needs to run".to_owned(),
        [one] if is_spliced => {
            format!("it is spliced, and the cache lacks {one}, which it is installed from")
        }
        [one] => format!("the cache lacks {one}, which it needs to run"),
        [first, others @ ..] => {
            let others = others.len();
            match is_spliced {
                true => format!(
                    "it is spliced, and the cache lacks {first} and {others} more that it is installed from"
                ),
                false => format!("the cache lacks {first} and {others} more that it needs to run"),
            }
        }
    }
}
