//! An assessment as text: JSON for programs, Markdown and CSV for reports, a list for `spack install`.

use std::fmt::Write as _;

use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::Index;
use serde_json::{Value, json};

use super::Nearest;
use super::assessment::{Assessment, Share};

/// How many of the nearest builds are shown for each missing node in forms for people.
const NEAREST_SHOWN: usize = 1;

/// How many of the nearest builds are listed in JSON.
const NEAREST_LISTED: usize = 5;

/// An environment, the index it was compared with, and the result.
#[derive(Clone, Copy)]
pub struct Written<'a> {
    /// The cache.
    pub index: &'a Index,
    /// What was asked for.
    pub environment: &'a Environment,
    /// What the cache has of the environment.
    pub assessment: &'a Assessment,
}

impl Written<'_> {
    /// Returns one object: `{"nodes", "external", "cached", "missing": [{"hash", "name", "version", "root", "blocks",
    /// "nearest"}], "specs": [{"spec", "hashes", "certain"}]}`, `"undecided"` if anything is undecided, and
    /// `"requirements"` if `packages:` requires anything.
    pub fn json(&self) -> Value {
        let Written { environment, assessment, .. } = *self;
        let missing = assessment.blockers.ranked().iter().enumerate().map(|(at, &node)| {
            let build = &environment.nodes[node].build;
            let nearest: Vec<Value> = assessment.nearest[at]
                .iter()
                .take(NEAREST_LISTED)
                .map(|Nearest { build, differs }| {
                    json!({"hash": self.hash(*build), "differs": differs.keys()})
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
                "nearest": nearest,
            })
        });
        let specs = assessment.specs.iter().map(|found| match found {
            Ok(found) => {
                let hashes: Vec<String> =
                    found.builds.iter().filter_map(|&build| self.hash(build)).collect();
                json!({"spec": found.spec, "hashes": hashes, "certain": found.is_certain})
            }
            Err(unread) => json!({
                "spec": unread.spec, "hashes": [], "certain": false, "error": unread.message,
            }),
        });
        let mut object = json!({
            "nodes": assessment.counts.nodes,
            "external": assessment.counts.external,
            "cached": assessment.counts.cached,
            "missing": missing.collect::<Vec<_>>(),
            "specs": specs.collect::<Vec<_>>(),
        });
        if !environment.undecided.is_empty() {
            object["undecided"] = json!(environment.undecided);
        }
        if !environment.requirements.is_empty() {
            object["requirements"] = json!(environment.requirements);
        }
        object
    }

    /// Returns a section for a report: a headline, what to build first, and a table of the missing nodes.
    pub fn markdown(&self) -> String {
        let Written { environment, assessment, .. } = *self;
        let mut text = format!("**{}**\n", self.headline());
        if let Some(advice) = self.advice() {
            let _ = writeln!(text, "\n{advice}");
        }
        let blocking = assessment.blockers.blocking().len();
        for (at, &node) in assessment.blockers.ranked().iter().enumerate() {
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
            let (nearest, differs) = self.nearest_in_words(&assessment.nearest[at]);
            let _ = writeln!(
                text,
                "| {} | {} | {runs} | {} | {differs} |",
                cell(&format!("{}@{}", build.package, build.version)),
                assessment.blockers.blocks(node),
                cell(&nearest),
            );
        }
        if !environment.has_comparable_nodes() && !assessment.specs.is_empty() {
            text.push_str("\n| spec | builds that satisfy it |\n| --- | ---: |\n");
            for found in &assessment.specs {
                let (spec, count) = self.spec_in_words(found);
                let _ = writeln!(text, "| {} | {count} |", cell(&spec));
            }
        }
        for undecided in &environment.undecided {
            let _ = writeln!(text, "\nNot decided: {}.", cell(undecided));
        }
        if let Some(note) = environment.says_of_requirements() {
            let _ = writeln!(text, "\n{}.", cell(&note));
        }
        text
    }

    /// Returns a line for each node: hash, name, version, status, whether it is a root, whether it is needed to run,
    /// and how many nodes wait for it. For an environment without nodes that can be compared, a line for each spec: how
    /// many builds satisfy it, and `false` if others may.
    pub fn csv(&self) -> String {
        let Written { environment, assessment, .. } = *self;
        if !environment.has_comparable_nodes() {
            let mut text = String::from("spec,builds,certain\n");
            for found in &assessment.specs {
                let (spec, builds, certain) = match found {
                    Ok(found) => (&found.spec, found.builds.len(), found.is_certain),
                    Err(unread) => (&unread.spec, 0, false),
                };
                let _ = writeln!(text, "{},{builds},{certain}", quoted(spec));
            }
            return text;
        }
        let mut text = String::from("hash,name,version,status,root,needed_to_run,blocks\n");
        for (at, node) in environment.nodes.iter().enumerate() {
            let status = match assessment.coverage.status(at) {
                super::Status::External => "external",
                super::Status::Cached(_) => "cached",
                super::Status::Missing => "missing",
            };
            let _ = writeln!(
                text,
                "{},{},{},{status},{},{},{}",
                node.build.hash,
                quoted(&node.build.package),
                quoted(&node.build.version),
                assessment.coverage.is_root(at),
                assessment.coverage.is_needed_to_run(at),
                assessment.blockers.blocks(at),
            );
        }
        text
    }

    /// Returns `name/hash` for each missing node, one per line, as arguments for `spack install`; those that most
    /// others wait for come first.
    pub fn missing(&self) -> String {
        let Written { environment, assessment, .. } = *self;
        let line = |&node: &usize| {
            let build = &environment.nodes[node].build;
            format!("{}/{}\n", build.package, build.hash)
        };
        assessment.blockers.ranked().iter().map(line).collect()
    }

    /// Returns a `spack.yaml` with the roots that the cache has: those of a lock file by hash, specs unchanged.
    pub fn manifest(&self) -> String {
        let Written { environment, assessment, .. } = *self;
        let mut specs: Vec<String> = Vec::new();
        if !environment.has_comparable_nodes() {
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
        let Written { environment, assessment, .. } = *self;
        let counts = assessment.counts;
        if environment.lists_nothing() {
            return "The environment lists no specs, so there is nothing to find in the cache"
                .to_owned();
        }
        if !environment.has_comparable_nodes() {
            let satisfied = assessment
                .specs
                .iter()
                .filter(|found| found.as_ref().is_ok_and(|found| !found.builds.is_empty()))
                .count();
            let why = if environment.nodes.is_empty() {
                ""
            } else {
                " (this lock file is from before Spack 0.18: its hashes cannot be compared with those in caches)"
            };
            return format!(
                "{satisfied} of {} {} satisfied by a build in the cache{why}",
                assessment.specs.len(),
                if assessment.specs.len() == 1 { "spec is" } else { "specs are" },
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

    /// Returns what to build first, if anything is missing.
    pub fn advice(&self) -> Option<String> {
        let blockers = &self.assessment.blockers;
        let missing = blockers.ranked().len();
        match blockers.blocking().len() {
            _ if missing == 0 => None,
            0 => Some(format!(
                "{missing} to build; {}.",
                if missing == 1 {
                    "nothing else waits for it"
                } else {
                    "none of them waits for another"
                }
            )),
            blocking => Some(format!(
                "Build {} first; the other {} of the {missing} missing specs wait only for {}.",
                if blocking == 1 { "this one".to_owned() } else { format!("these {blocking}") },
                missing - blocking,
                if blocking == 1 { "it" } else { "them" },
            )),
        }
    }

    /// Describes the nearest builds of a missing node, and how they differ.
    fn nearest_in_words(&self, nearest: &[Nearest]) -> (String, String) {
        let Some(first) = nearest.first() else { return ("none".to_owned(), String::new()) };
        let shown = nearest.iter().take(NEAREST_SHOWN).map(|nearest| {
            let row = self.index.row_of(nearest.build);
            let hash = self.hash(nearest.build).unwrap_or_default();
            format!(
                "{}@{}/{}",
                self.index.text(row, Facet::Package),
                self.index.text(row, Facet::Version),
                hash.get(..7).unwrap_or(""),
            )
        });
        let mut names = shown.collect::<Vec<_>>().join(", ");
        if nearest.len() > NEAREST_SHOWN {
            let _ = write!(names, " and {} more", nearest.len() - NEAREST_SHOWN);
        }
        (names, first.differs.to_string())
    }

    fn spec_in_words(
        &self,
        found: &Result<super::Satisfying, super::assessment::Unread>,
    ) -> (String, String) {
        match found {
            Ok(found) => {
                let more = if found.is_certain { "" } else { " or more: the cache does not say" };
                (found.spec.clone(), format!("{}{more}", found.builds.len()))
            }
            Err(unread) => {
                (unread.spec.clone(), format!("not understood: {}", cell(&unread.message)))
            }
        }
    }

    fn hash(&self, build: cache_index::index::BuildId) -> Option<String> {
        self.index.hash(build).map(|hash| hash.to_string())
    }
}

/// Returns a share as a whole percentage, rounded down, so that 100 means all.
pub fn percent(share: f64) -> u32 {
    // Half a millionth makes up for rounding in the division.
    (share * 100.0 + 5e-7).floor() as u32
}

/// Escapes text that would end a cell of a Markdown table or start markup.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '|' | '<' | '`' | '*' | '_' | '[' | ']' | '\\' | '~' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// Quotes a field of CSV.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
