//! An assessment as text: JSON for programs, Markdown and CSV for reports, a list for `spack install`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_index::number::counted;
use serde_json::{Value, json};
use spack_spec::{Spec, VersionConstraint};

use super::assessment::{Assessment, Closest, Foreign, Share, Substitutes, Unread};
use super::{Nearest, SatisfyingBuilds};
use crate::Generation;
use crate::recipes::FromSource;
use crate::text::{csv_line, markdown_cell};

/// How many of the nearest builds are listed in JSON.
const NEAREST_LISTED: usize = 5;

/// An environment, the index it was compared with, and the result.
#[derive(Clone, Copy)]
pub struct AssessmentReport<'a> {
    /// The cache.
    pub index: &'a Index,
    /// What was asked for.
    pub environment: &'a Environment,
    /// What the cache has of the environment.
    pub assessment: &'a Assessment,
}

impl AssessmentReport<'_> {
    /// Returns one object: `{"nodes", "external", "cached", "by_content", "missing": [{"hash", "name", "version", "root",
    /// "blocks", "by_content", "nearest"}], "specs": [{"spec", "hashes", "certain"}]}`, and if there are any:
    /// `"undecided"`; `"requirements"`, `"developed"`, `"unread"` and `"newer_lock"` of [`Environment`]; `"from_source"`, the packages that Spack can
    /// build and the cache has no binary of, each with its newest release; and `"generations"`, if the
    /// hashes of missing nodes are of another generation than the cache.
    pub fn json(&self) -> Value {
        let AssessmentReport { environment, assessment, .. } = *self;
        let missing = assessment.missing().map(|(node, substitutes)| {
            let build = &environment.nodes[node].build;
            let by_content = substitutes.by_content.iter().take(NEAREST_LISTED);
            let by_content: Vec<String> =
                by_content.filter_map(|&build| self.hash(build)).collect();
            let nearest: Vec<Value> = substitutes
                .nearest
                .iter()
                .take(NEAREST_LISTED)
                .map(|Nearest { build, differs }| {
                    let differs: Vec<&str> = differs.iter().map(|differs| differs.key()).collect();
                    json!({"hash": self.hash(*build), "differs": differs})
                })
                .collect();
            json!({
                "hash": build.hash.to_string(),
                "name": build.package,
                "version": build.version,
                "root": assessment.coverage.is_root(node),
                "needed_to_run": assessment.coverage.is_needed_to_run(node),
                "developed": environment.nodes[node].is_developed(),
                "blocks": assessment.blockers.blocks(node),
                "by_content": by_content,
                "nearest": nearest,
            })
        });
        let specs = assessment.specs.iter().map(|found| {
            let (mut object, group) = match found {
                Ok(found) => {
                    let hashes: Vec<String> =
                        found.builds.iter().filter_map(|&build| self.hash(build)).collect();
                    let object =
                        json!({"spec": found.spec, "hashes": hashes, "certain": found.is_certain});
                    (object, &found.group)
                }
                Err(Unread { spec, group, message }) => {
                    let object =
                        json!({"spec": spec, "hashes": [], "certain": false, "error": message});
                    (object, group)
                }
            };
            if let Some(group) = group {
                object["group"] = json!(group);
            }
            if found.as_ref().is_ok_and(|found| found.is_developed) {
                object["developed"] = json!(true);
            }
            if found.as_ref().is_ok_and(|found| found.is_external) {
                object["external"] = json!(true);
            }
            object
        });
        let mut object = json!({
            "nodes": assessment.counts.nodes,
            "external": assessment.counts.external,
            "cached": assessment.counts.cached,
            "by_content": assessment.counts.by_content,
            "missing": missing.collect::<Vec<_>>(),
            "specs": specs.collect::<Vec<_>>(),
        });
        let Environment { undecided, requirements, developed, unread, newer_lock, .. } =
            environment;
        for (name, texts) in [
            ("undecided", undecided),
            ("requirements", requirements),
            ("developed", developed),
            ("unread", unread),
        ] {
            if !texts.is_empty() {
                object[name] = json!(texts);
            }
        }
        if let Some(version) = newer_lock {
            object["newer_lock"] = json!(version);
        }
        let from_source = self.from_source();
        if !from_source.is_empty() {
            let one = |FromSource { package, newest, .. }: &FromSource| json!({"package": package, "newest": newest});
            object["from_source"] = from_source.iter().map(one).collect();
        }
        if let Some(Foreign { theirs, cached, .. }) = &assessment.foreign {
            let names = |all: &BTreeSet<Generation>| {
                all.iter().map(ToString::to_string).collect::<Vec<_>>()
            };
            object["generations"] = json!({"environment": names(theirs), "cache": names(cached)});
        }
        object
    }

    /// Returns a section for a report: a headline, what to build first, and a table of the missing nodes.
    pub fn markdown(&self) -> String {
        let AssessmentReport { environment, assessment, .. } = *self;
        let mut text = format!("**{}**\n", self.headline());
        if let Some(advice) = self.advice() {
            let _ = writeln!(text, "\n{advice}");
        }
        let blocking = assessment.blockers.blocking().len();
        for (at, (node, substitutes)) in assessment.missing().enumerate() {
            if at == blocking && at > 0 {
                let others = assessment.blockers.tops().len();
                let _ = writeln!(text, "\nThen the other {others}:");
            }
            if at == 0 || at == blocking {
                text.push_str(
                    "\n| missing | blocks | needed to run | nearest in the cache | differs in |\n",
                );
                text.push_str("| --- | ---: | --- | --- | --- |\n");
            }
            let build = &environment.nodes[node].build;
            let runs =
                if assessment.coverage.is_needed_to_run(node) { "yes" } else { "build only" };
            let (nearest, differs) = self.closest_in_words(substitutes);
            let _ = writeln!(
                text,
                "| {} | {} | {runs} | {} | {differs} |",
                markdown_cell(&format!("{}@{}", build.package, build.version)),
                assessment.blockers.blocks(node),
                markdown_cell(&nearest),
            );
        }
        if !environment.is_concrete() && !assessment.specs.is_empty() {
            let has_groups = assessment.specs.iter().any(|found| group_of(found).is_some());
            let (group, line) = if has_groups { ("| group ", "| --- ") } else { ("", "") };
            let _ =
                writeln!(text, "\n{group}| spec | builds that satisfy it |\n{line}| --- | ---: |");
            for found in &assessment.specs {
                if has_groups {
                    let _ =
                        write!(text, "| {} ", markdown_cell(group_of(found).unwrap_or_default()));
                }
                let (spec, count) = self.spec_in_words(found);
                let _ = writeln!(text, "| {} | {count} |", markdown_cell(&spec));
            }
        }
        for undecided in &environment.undecided {
            let _ = writeln!(text, "\nNot decided: {}.", markdown_cell(undecided));
        }
        for note in self.notes() {
            let _ = writeln!(text, "\n{}.", markdown_cell(&note));
        }
        text
    }

    /// Returns a line for each node: hash, name, version, status, whether it is a root, whether it is needed to run,
    /// and how many nodes wait for it. For an environment without nodes, a line for each spec: how many builds satisfy
    /// it, `false` if more builds may satisfy it, and its group.
    pub fn csv(&self) -> String {
        let AssessmentReport { environment, assessment, .. } = *self;
        if !environment.is_concrete() {
            let mut text = csv_line(["spec", "builds", "certain", "group"]);
            for found in &assessment.specs {
                let (spec, builds, certain) = match found {
                    Ok(found) => (&found.spec, found.builds.len(), found.is_certain),
                    Err(unread) => (&unread.spec, 0, false),
                };
                let group = group_of(found).unwrap_or_default();
                text += &csv_line([spec, &builds.to_string(), &certain.to_string(), group]);
            }
            return text;
        }
        let mut text =
            csv_line(["hash", "name", "version", "status", "root", "needed_to_run", "blocks"]);
        for (at, node) in environment.nodes.iter().enumerate() {
            let status = match assessment.coverage.status(at) {
                super::Status::External => "external",
                super::Status::Cached(_) => "cached",
                super::Status::Missing => "missing",
            };
            text += &csv_line([
                node.build.hash.to_string().as_str(),
                &node.build.package,
                &node.build.version,
                status,
                &assessment.coverage.is_root(at).to_string(),
                &assessment.coverage.is_needed_to_run(at).to_string(),
                &assessment.blockers.blocks(at).to_string(),
            ]);
        }
        text
    }

    /// Returns `name/hash` for each missing node, one per line, as arguments for `spack install`; those that most
    /// others wait for come first. For an environment without nodes, the specs that no build satisfies.
    pub fn missing(&self) -> String {
        let AssessmentReport { environment, assessment, .. } = *self;
        if !environment.is_concrete() {
            let line = |found: &Result<SatisfyingBuilds, Unread>| match found {
                Ok(found) if !found.builds.is_empty() || found.is_external => None,
                Ok(SatisfyingBuilds { spec, .. }) | Err(Unread { spec, .. }) => {
                    Some(format!("{spec}\n"))
                }
            };
            return assessment.specs.iter().filter_map(line).collect();
        }
        let line = |&node: &usize| {
            let build = &environment.nodes[node].build;
            format!("{}/{}\n", build.package, build.hash)
        };
        assessment.blockers.ranked().iter().map(line).collect()
    }

    /// Returns a `spack.yaml` with the roots that the cache has: those of a lock file by hash, specs unchanged.
    pub fn manifest(&self) -> String {
        let AssessmentReport { environment, assessment, .. } = *self;
        let mut specs: Vec<String> = Vec::new();
        if !environment.is_concrete() {
            let satisfied =
                assessment.specs.iter().flatten().filter(|found| !found.builds.is_empty());
            specs.extend(satisfied.map(|found| found.spec.clone()));
        } else {
            specs
                .extend(assessment.cached_roots(environment).iter().map(|hash| format!("/{hash}")));
        }
        let mut text = String::from("spack:\n  specs:");
        if specs.is_empty() {
            text.push_str(" []");
        }
        for spec in specs {
            // A JSON string is a YAML string too.
            let _ = write!(text, "\n  - {}", Value::from(spec));
        }
        text.push('\n');
        text
    }

    /// Returns the object that badge services read.
    pub fn badge(&self) -> Value {
        let (percent, at_least) = match self.assessment.share(self.environment) {
            Share::Of(share) => (percent(share), ""),
            Share::AtLeast(share) => (percent(share), "≥ "),
        };
        let color = match percent {
            100 => "brightgreen",
            90..100 => "green",
            50..90 => "yellow",
            _ => "red",
        };
        let (message, color) = match self.environment.lists_nothing() {
            true => ("no specs".to_owned(), "lightgrey"),
            false => (format!("{at_least}{percent} %"), color),
        };
        json!({
            "schemaVersion": 1,
            "label": "build cache",
            "message": message,
            "color": color,
        })
    }

    /// Returns the result in one sentence.
    pub fn headline(&self) -> String {
        let AssessmentReport { environment, assessment, .. } = *self;
        let counts = assessment.counts;
        if environment.lists_nothing() {
            return "The environment lists no specs, so there is nothing to find in the cache"
                .to_owned();
        }
        if !environment.is_concrete() {
            let satisfied = assessment
                .specs
                .iter()
                .filter(|found| found.as_ref().is_ok_and(|found| !found.builds.is_empty()))
                .count();
            let developed = assessment.specs.iter().flatten().filter(|it| it.is_developed).count();
            let developed = match developed {
                0 => String::new(),
                developed => format!("; {developed} developed here"),
            };
            let wanted = assessment.wanted_specs();
            let external = match assessment.specs.len() - wanted {
                0 => String::new(),
                external => format!("; {external} external"),
            };
            return format!(
                "{satisfied} of {wanted} {} satisfied by a build in the cache{external}{developed}",
                if wanted == 1 { "spec is" } else { "specs are" },
            );
        }
        let wanted = counts.nodes - counts.external;
        let mut text = format!("{} of {wanted} specs are in the cache", counts.cached);
        let to_run = assessment.counts_to_run;
        let wanted_to_run = to_run.nodes - to_run.external;
        let _ = write!(text, ", {} of {wanted_to_run} that are needed to run", to_run.cached);
        if counts.external > 0 {
            let _ = write!(text, "; {} external", counts.external);
        }
        if counts.developed > 0 {
            let _ = write!(text, "; {} developed here", counts.developed);
        }
        text
    }

    /// Returns sentences, without a full stop, about what the answer does not take into account, about hashes of
    /// another generation, and about what Spack can build.
    pub fn notes(&self) -> Vec<String> {
        let from_source = self.from_source();
        let from_source = from_source.iter().map(ToString::to_string);
        let foreign = self.foreign_note().into_iter();
        foreign.chain(from_source).chain(self.environment.notes()).collect()
    }

    /// Returns a sentence, without a full stop, about hashes of another generation, if there are any.
    pub fn foreign_note(&self) -> Option<String> {
        self.assessment.foreign.as_ref().map(|Foreign { nodes, theirs, cached }| {
            let names =
                |all: &BTreeSet<Generation>| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let specs = counted(*nodes, "missing spec", "missing specs");
            let by_content = self.assessment.counts.by_content;
            let there = match by_content {
                0 => String::new(),
                count => format!("; {count} of them are there by content"),
            };
            let have = if *nodes == 1 { "has a hash" } else { "have hashes" };
            format!(
                "{specs} {have} of {}, but the cache has those of {}, in which the same build has another hash{there}",
                names(theirs),
                names(cached),
            )
        })
    }

    /// Returns the packages of missing roots and specs that Spack has a recipe of and the cache has no binary of, each
    /// once. Without recipes, none are known.
    pub fn from_source(&self) -> Vec<FromSource> {
        let AssessmentReport { index, environment, assessment } = *self;
        let roots = assessment.missing().map(|(node, _)| node);
        let roots = roots.filter(|&node| assessment.coverage.is_root(node));
        let roots = roots.filter_map(|node| {
            let build = &environment.nodes[node].build;
            Some((build.package.clone(), format!("={}", build.version).parse().ok()?))
        });
        let lacking = assessment.specs.iter().flatten();
        let lacking = lacking
            .filter(|found| found.builds.is_empty() && !found.is_developed && !found.is_external);
        let lacking = lacking.filter_map(|found| {
            let root = Spec::parse(&found.spec, index.dialect()).ok()?.root;
            Some((root.name?, root.versions))
        });
        let mut packages: BTreeMap<String, Vec<VersionConstraint>> = BTreeMap::new();
        for (package, versions) in roots.chain(lacking) {
            packages.entry(package).or_default().push(versions);
        }
        let found = packages.iter().filter_map(|(package, versions)| {
            Some(FromSource::of(index, package)?.asked_as(versions))
        });
        found.collect()
    }

    /// Describes what the cache has in place of a missing node, and how that differs.
    fn closest_in_words(&self, substitutes: &Substitutes) -> (String, String) {
        let Some(Closest { build, others, differs }) = substitutes.closest() else {
            return ("none".to_owned(), String::new());
        };
        let row = self.index.row_of(build);
        let hash = self.hash(build).unwrap_or_default();
        let more = if others > 0 { format!(" and {others} more") } else { String::new() };
        let name = format!(
            "{}@{}/{}{more}",
            self.index.text(row, Facet::Package),
            self.index.text(row, Facet::Version),
            spack_spec::short_hash(&hash),
        );
        (name, differs)
    }

    fn spec_in_words(&self, found: &Result<SatisfyingBuilds, Unread>) -> (String, String) {
        match found {
            Ok(found) if found.is_developed => (found.spec.clone(), "developed here".to_owned()),
            Ok(found) if found.is_external => (found.spec.clone(), "external".to_owned()),
            Ok(found) => {
                let more = if found.is_certain { "" } else { " or more: the cache does not say" };
                (found.spec.clone(), format!("{}{more}", found.builds.len()))
            }
            Err(unread) => {
                (unread.spec.clone(), format!("not understood: {}", markdown_cell(&unread.message)))
            }
        }
    }

    fn hash(&self, build: BuildId) -> Option<String> {
        self.index.hash(build).map(|hash| hash.to_string())
    }
}

/// Returns the group of a spec.
fn group_of(found: &Result<SatisfyingBuilds, Unread>) -> Option<&str> {
    match found {
        Ok(SatisfyingBuilds { group, .. }) | Err(Unread { group, .. }) => group.as_deref(),
    }
}

/// Returns a share as a whole percentage, rounded down, so that 100 means all.
pub fn percent(share: f64) -> u32 {
    // Half a millionth makes up for rounding in the division.
    (share * 100.0 + 5e-7).floor() as u32
}
