//! Which cached specs of an environment work on a machine.

use cache_index::environment::Environment;
use cache_index::index::BuildId;
use cache_index::number::{counted, grouped};
use cache_query::Question;
use cache_query::host::Runs;

use super::Status;
use super::assessment::Assessment;
use super::written::AssessmentReport;

/// How many of the cached specs that an environment needs to run are known to work on a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkingSpecs {
    /// The number of these specs.
    pub all: usize,
    /// How many of them work. Some of the others may.
    pub working: usize,
    /// The builds that do not work.
    pub not_working: Vec<BuildId>,
}

impl WorkingSpecs {
    /// Returns a sentence about how many of them work on a machine, which it calls `machine`; `None` if there are none.
    pub fn in_words(&self, machine: &str) -> Option<String> {
        let all = counted(self.all, "spec", "specs");
        let cached = "needed to run and in the cache";
        match (self.all, self.working, self.not_working.len()) {
            (0, ..) => None,
            (1, 1, _) => Some(format!("The spec that is {cached} works on {machine}.")),
            (1, _, 1) => Some(format!("The spec that is {cached} does not work on {machine}.")),
            (count, working, _) if count == working => {
                Some(format!("All {all} that are {cached} work on {machine}."))
            }
            (count, _, not) if count == not => {
                Some(format!("None of the {all} that are {cached} works on {machine}."))
            }
            (count, 0, 0) => {
                let (subject, work) = match count {
                    1 => ("the spec that is".to_owned(), "works"),
                    _ => (format!("the {all} that are"), "work"),
                };
                Some(format!("It is not known if {subject} {cached} {work} on {machine}."))
            }
            (count, working, not) => {
                let unknown = match count - working - not {
                    0 => String::new(),
                    unknown => format!("; of {} it is not known", grouped(unknown)),
                };
                let (number, work) = match (working, not) {
                    (1, 0) => (1, "works"),
                    (_, 0) => (working, "work"),
                    (_, 1) => (1, "does not work"),
                    _ => (not, "do not work"),
                };
                let number = grouped(number);
                Some(format!(
                    "{number} of the {all} that are {cached} {work} on {machine}{unknown}."
                ))
            }
        }
    }
}

impl Assessment {
    /// Judges the cached specs that the environment needs to run, on the machine of a question.
    pub fn on_machine(&self, environment: &Environment, question: &Question) -> WorkingSpecs {
        let nodes = 0..environment.nodes.len();
        let cached = nodes.filter(|&node| self.coverage.is_needed_to_run(node));
        let cached = cached.filter_map(|node| match self.coverage.status(node) {
            Status::Cached(build) => Some((node, build)),
            _ => None,
        });
        let mut found = WorkingSpecs::default();
        for (node, build) in cached {
            found.all += 1;
            // A spliced spec has other dependencies than the build whose binary it is installed from.
            let is_same = environment.nodes[node].spliced_from.is_none();
            match question.judged.of(build).filter(|_| is_same) {
                Some(Runs::No) => found.not_working.push(build),
                Some(Runs::Yes) => found.working += 1,
                _ => {}
            }
        }
        found
    }
}

impl AssessmentReport<'_> {
    /// Returns a sentence about what is in the cache and works on the machine of a question, which it calls `machine`.
    /// `None` if the cache has nothing, or no verdicts are known.
    pub fn on_machine(&self, question: &Question, machine: &str) -> Option<String> {
        let AssessmentReport { environment, assessment, .. } = *self;
        if !question.judged.is_known() {
            return None;
        }
        if environment.is_concrete() {
            return assessment.on_machine(environment, question).in_words(machine);
        }
        let satisfied = assessment.specs.iter().flatten().filter(|found| !found.builds.is_empty());
        let works = |build: &BuildId| question.judged.of(*build) == Some(Runs::Yes);
        let works: Vec<bool> = satisfied.map(|found| found.builds.iter().any(works)).collect();
        if works.is_empty() {
            return None;
        }
        let working = works.iter().filter(|works| **works).count();
        Some(match (works.len(), working) {
            (1, 1) => format!("A build that satisfies it works on {machine}."),
            (1, 0) => format!("No build that satisfies it is known to work on {machine}."),
            (all, 0) => {
                format!("No build that satisfies one of these {all} is known to work on {machine}.")
            }
            (all, working) if all == working => {
                format!("Each of these {all} is satisfied by a build that works on {machine}.")
            }
            (all, 1) => {
                format!("Only 1 of these {all} is satisfied by a build that works on {machine}.")
            }
            (all, working) => format!(
                "Only {working} of these {all} are satisfied by a build that works on {machine}."
            ),
        })
    }
}
