//! The rule about what a build needs, and which of its dependencies are the cause if it fails.

use std::collections::BTreeSet;

use cache_index::facet::Facet;
use cache_index::index::{Edge, EdgeTarget};
use cache_index::number::counted;
use foldhash::{HashSet, HashSetExt as _};

use super::settings::lacks_roots;
use super::{Found, IN_INDEX, Judge, found};
use crate::reuse::below::{Below, Needs};
use crate::reuse::rule::{Outcome, Rule, RuleStatus};

/// The maximum number of dependencies that are listed as causes.
const NAMED: usize = 5;

impl Judge<'_> {
    pub(super) fn dependencies(&self) -> Found {
        let Some(edges) = self.index.edges() else { return self.not_listed() };
        if !self.index.lists_dependencies(self.row) {
            return self.not_listed();
        }
        let needs = Needs::of(self.index, edges);
        let (links, _) = edges.numbers(self.build.at());
        let direct = self.index.dependencies(self.build).into_iter().flatten();
        let needed: Vec<Edge<'_>> = direct
            .zip(links)
            .filter(|(_, link)| needs.is_needed(**link))
            .map(|(edge, _)| edge)
            .collect();
        let failed = Outcome::of(Rule::Offered, RuleStatus::Failed);
        let outcome = |edge: &Edge<'_>| match edge.target {
            EdgeTarget::Build(id) => self.verdicts.of(self.index, id),
            EdgeTarget::Unknown { .. } => failed,
        };
        let mismatched =
            Below::new(self.index).is_some_and(|below| below.is_mismatched(self.build));
        let status = match needed.iter().map(|edge| outcome(edge).is_eligible()).min_by_key(rank) {
            _ if mismatched => RuleStatus::Failed,
            None | Some(Some(true)) => RuleStatus::Passed,
            Some(Some(false)) => RuleStatus::Failed,
            Some(None) => RuleStatus::Unknown,
        };
        if status == RuleStatus::Passed {
            let fact = match needed.len() {
                // `Needs` leaves `gcc-runtime` out.
                0 if self.has_runtime() => {
                    "needs only gcc-runtime from the cache, which Spack selects anew".to_owned()
                }
                0 => "needs nothing else from the cache".to_owned(),
                count => {
                    let needed = counted(count, "dependency", "dependencies");
                    format!("linked with or runs {needed}, which can be reused")
                }
            };
            return found(status, IN_INDEX, fact, "");
        }
        let Causes { mut causes, externals, changes } = self.causes(status);
        // This is the only cause for which no single build is to blame.
        let other_target = mismatched || causes.is_empty();
        let change = match externals.len() {
            0 if status == RuleStatus::Unknown && self.machine.libc.is_none() => {
                "say which libc you have".to_owned()
            }
            0 if status == RuleStatus::Unknown && lacks_roots(self.setup) => {
                "say what you ask for".to_owned()
            }
            0 if status == RuleStatus::Unknown => "a cache that says more of these".to_owned(),
            // One change helps all of them.
            0 if changes.len() == 1 && !changes.contains("") => {
                let change = changes.first().map_or("", String::as_str);
                format!("{change}; or a cache in which these can be reused too")
            }
            0 => "a cache in which these can be reused too".to_owned(),
            count => {
                let listed = externals[..count.min(NAMED)].join(" and ");
                let more = match count.saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let packages = format!("{listed}{more} in packages.yaml");
                let others = "a cache in which the others can be reused too";
                match (causes.len() > count || other_target, changes.first()) {
                    (false, _) => packages,
                    (true, Some(change)) if changes.len() == 1 && !change.is_empty() => {
                        format!("{packages}, and {change} or {others}")
                    }
                    (true, _) => format!("{packages}, and {others}"),
                }
            }
        };
        if other_target {
            causes.insert(0, "needs something that was built for another target".to_owned());
        }
        let mut fact = causes[..causes.len().min(NAMED)].join("; ");
        if causes.len() > NAMED {
            fact.push_str(&format!("; and {} more", causes.len() - NAMED));
        }
        found(status, IN_INDEX, fact, &change)
    }

    /// Returns `true` if the build runs with `gcc-runtime`.
    fn has_runtime(&self) -> bool {
        let direct = self.index.dependencies(self.build).into_iter().flatten();
        direct.filter(Edge::is_needed_to_run).any(|edge| match edge.target {
            EdgeTarget::Build(lower) => {
                self.index.text(self.index.row_of(lower), Facet::Package) == "gcc-runtime"
            }
            EdgeTarget::Unknown { package, .. } => package == "gcc-runtime",
        })
    }

    /// Returns the dependencies, direct or not, that have a status under a rule other than this one.
    fn causes(&self, status: RuleStatus) -> Causes {
        let mut found = Causes::default();
        let (index, Some(edges)) = (self.index, self.index.edges()) else { return found };
        let Causes { causes, externals, changes } = &mut found;
        let needs = Needs::of(index, edges);
        let mut met = vec![false; index.specs() as usize];
        let mut open = vec![self.build];
        let mut unknown = HashSet::new();
        while let Some(build) = open.pop() {
            let (links, _) = edges.numbers(build.at());
            let direct = index.dependencies(build).into_iter().flatten();
            for (edge, _) in direct.zip(links).filter(|(_, link)| needs.is_needed(**link)) {
                let lower = match edge.target {
                    EdgeTarget::Build(lower) => lower,
                    EdgeTarget::Unknown { package, hash } => {
                        if status == RuleStatus::Failed && unknown.insert(hash) {
                            causes.push(format!("{package}/{hash}: {}", Rule::Offered));
                            changes.insert(String::new());
                        }
                        continue;
                    }
                };
                if std::mem::replace(&mut met[lower.at()], true) {
                    continue;
                }
                let outcome = self.verdicts.of(index, lower);
                match outcome.rule() {
                    None => {}
                    Some(Rule::Dependencies) if index.lists_dependencies(index.row_of(lower)) => {
                        open.push(lower);
                    }
                    Some(_) if outcome.fails() != (status == RuleStatus::Failed) => {}
                    Some(rule) => {
                        let row = index.row_of(lower);
                        let [name, version] =
                            [Facet::Package, Facet::Version].map(|facet| index.text(row, facet));
                        let hash = index.hash(lower).map(|hash| format!(" /{hash}"));
                        let through = (build != self.build).then(|| {
                            let row = index.row_of(build);
                            let [name, version] = [Facet::Package, Facet::Version]
                                .map(|facet| index.text(row, facet));
                            format!(", which {name}@{version} needs")
                        });
                        match rule {
                            Rule::External => externals.push(self.wanted_external(row)),
                            _ if is_about_setup(rule) => {
                                let (setup, verdicts) = (self.setup, self.verdicts);
                                let below = Judge::new(index, setup, verdicts, lower, self.specs);
                                changes.insert(below.check(rule).change.unwrap_or_default());
                            }
                            _ => {
                                changes.insert(String::new());
                            }
                        }
                        let (hash, through) =
                            (hash.unwrap_or_default(), through.unwrap_or_default());
                        causes.push(format!("{name}@{version}{hash}{through}: {rule}"));
                    }
                }
            }
        }
        found
    }
}

/// The dependencies that prevent the reuse of a build.
#[derive(Default)]
struct Causes {
    /// Each with the rule that it fails.
    causes: Vec<String>,
    /// What a packages.yaml would need for the externals among them.
    externals: Vec<String>,
    /// What would help any of the others, each change once; empty for those that only another cache would help.
    changes: BTreeSet<String>,
}

/// Returns `true` if what would make a build pass a rule is another machine or other settings, and not another build.
fn is_about_setup(rule: Rule) -> bool {
    match rule {
        Rule::Reuse
        | Rule::Include
        | Rule::Exclude
        | Rule::Roots
        | Rule::Platform
        | Rule::Target
        | Rule::Os
        | Rule::Libc
        | Rule::Package => true,
        Rule::Offered
        | Rule::Format
        | Rule::DevPath
        | Rule::CompilerWrapper
        | Rule::External
        | Rule::Runtime
        | Rule::Dependencies
        | Rule::Binary
        | Rule::Relocation
        | Rule::Mirror => false,
    }
}

/// Sorts what is not eligible before what is unknown, and that before what is eligible.
fn rank(eligible: &Option<bool>) -> u8 {
    match eligible {
        Some(false) => 0,
        None => 1,
        Some(true) => 2,
    }
}
