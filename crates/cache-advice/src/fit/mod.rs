//! The one verdict on a build for a user's machine, in steps.
//!
//! | step | passes if |
//! | --- | --- |
//! | [`Runs`](Step::Runs) | the machine runs it, and what it needs to run |
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
#[cfg(test)]
mod tests;

use std::sync::Arc;

use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, FactsByBuild, Index};
use cache_query::host::{self, Runs};
use cache_query::{ByBuild, OnMachine, Question, Setup};

use crate::machine_words::{Gpu, GpuVerdict};
use crate::relocation::{Destination, Moved};
use crate::reuse::{self, Check, Checklist, Rule};

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

/// Hands the verdicts on all builds to a question about a machine, if they can be known by now.
pub fn judge(index: &Index, question: &mut Question) {
    let is_known = index.has_dependencies() || !index.lists_any_dependencies();
    if let Some(setup) = question.setup().filter(|_| is_known) {
        let gpus = question.gpus.iter().filter_map(|gpu| Gpu::named(gpu)).collect();
        Fits::new(index, setup, gpus, None).on_machine().hand_in(question);
    }
}

/// The verdicts on all builds of an index for one machine.
#[derive(Clone, Debug)]
pub struct Fits {
    setup: Setup,
    gpus: Vec<Gpu>,
    labels: host::LabelVerdicts,
    reuse: reuse::Verdicts,
    tree: Option<Tree>,
    by_build: Vec<Fit>,
    on_machine: OnMachine,
}

/// An install tree, and how much room binaries have for it.
#[derive(Clone, Debug)]
struct Tree {
    to: Destination,
    rooms: Arc<FactsByBuild>,
}

impl Tree {
    fn moved<'m>(&'m self, index: &'m Index) -> Moved<'m> {
        Moved::by_rooms(index, &self.rooms, &self.to)
    }
}

impl Fits {
    /// Judges all builds for a machine with these GPUs. Until the dependencies have been loaded, builds are judged alone.
    /// `rooms` is what is known of their binaries; without it, nothing is said about the install tree.
    pub fn new(
        index: &Index,
        setup: Setup,
        gpus: Vec<Gpu>,
        rooms: Option<Arc<FactsByBuild>>,
    ) -> Fits {
        let labels = host::LabelVerdicts::new(index, &setup.host);
        let reuse = reuse::Verdicts::new(index, &setup);
        let tree = Destination::of(&setup).zip(rooms).map(|(to, rooms)| Tree { to, rooms });
        let moved = tree.as_ref().map(|tree| tree.moved(index));
        let by_build = compute::fits(index, &setup, &gpus, &labels, &reuse, moved.as_ref());
        drop(moved);
        let on_machine = OnMachine {
            works: ByBuild::new(by_build.iter().map(|fit| fit.works).collect()),
            uses_gpu: ByBuild::new(by_build.iter().map(|fit| fit.uses_gpu).collect()),
        };
        Fits { setup, gpus, labels, reuse, tree, by_build, on_machine }
    }

    /// Returns the rule about the machine's install tree, applied to a build; `None` if that is not known.
    pub fn relocation(&self, index: &Index, build: BuildId) -> Option<Check> {
        let tree = self.tree.as_ref()?;
        Some(reuse::relocation_check(&tree.moved(index), build))
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

    /// Returns the answers for a question about this machine, always the same ones: questions that have them can be equal.
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
                let label = self.labels.of(index, index.row_of(build));
                match label.runs {
                    Runs::Yes => label.reason.clone(),
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

    /// Returns the rule of reuse that stands for the reason, if one does: of a build that does not run, the first of its own
    /// labels that fails, or its dependencies.
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
                Some(if self.labels.of(index, row).runs != works {
                    Rule::Dependencies
                } else if text(Facet::Platform) != host.platform() {
                    Rule::Platform
                } else if !has_target && host.target() != text(Facet::Target) {
                    Rule::Target
                } else if host.platform() == "linux" {
                    Rule::Libc
                } else {
                    Rule::Os
                })
            }
        }
    }

    /// Explains the first step: by the build's own labels, or by those of something that it needs.
    fn why_it_runs_or_not(&self, index: &Index, build: BuildId, works: Runs) -> String {
        let own = self.labels.of(index, index.row_of(build));
        if own.runs == works {
            return own.reason.clone();
        }
        let needed = index.fetched_with(build).unwrap_or_default();
        let decides = needed.into_iter().find_map(|target| {
            let EdgeTarget::Build(lower) = target else { return None };
            let row = index.row_of(lower);
            let verdict = self.labels.of(index, row);
            let package = index.text(row, Facet::Package);
            (verdict.runs == works).then(|| format!("it needs {package}: {}", verdict.reason))
        });
        decides.unwrap_or_else(|| own.reason.clone())
    }
}

/// Returns what the cache lacks of what a build needs to run, as a clause.
fn lacking(index: &Index, build: BuildId) -> String {
    let needed = index.fetched_with(build).unwrap_or_default();
    let lacks: Vec<String> = needed
        .into_iter()
        .filter_map(|target| match target {
            EdgeTarget::Unknown { package, .. } => Some(package.to_owned()),
            EdgeTarget::Build(lower) => {
                let row = index.row_of(lower);
                let text = |facet| index.text(row, facet);
                let name = || format!("{}@{}", text(Facet::Package), text(Facet::Version));
                (!index.has_binary(row)).then(name)
            }
        })
        .filter(|name| !compute::is_from_the_machine(name.split('@').next().unwrap_or_default()))
        .collect();
    match lacks.as_slice() {
        [] => "the cache lacks something that it needs to run".to_owned(),
        [one] => format!("the cache lacks {one}, which it needs to run"),
        [first, others @ ..] => {
            format!("the cache lacks {first} and {} more that it needs to run", others.len())
        }
    }
}
