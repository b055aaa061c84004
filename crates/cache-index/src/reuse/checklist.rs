//! All rules about one build, in words: what was found, where that is written, and what would change it.

use spack_spec::{Spec, Target};

use super::below::{Below, HasRuntime, Needs};
use super::machine::Machine;
use super::rule::{Outcome, Rule, Status};
use super::settings::Reuse;
use super::spack::SpackVersion;
use super::verdicts::{DIRECT_RUNTIMES, Externals, Runtime, Verdicts, format, package};
use super::{Setup, specs};
use crate::build::VariantValue;
use crate::facet::Facet;
use crate::index::{BuildId, Edge, EdgeTarget, Index, NO_COMPILER, NO_LIBC, RowId};
use crate::number::counted;

/// How many of the dependencies that cannot be reused are named.
const NAMED: usize = 5;

/// A rule, and how a build meets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The rule.
    pub rule: Rule,
    /// Whether the build meets it.
    pub status: Status,
    /// What was found, in words without a full stop.
    pub fact: String,
    /// Where that is written.
    pub source: &'static str,
    /// What would make the rule pass, unless it passes or nothing would.
    pub change: Option<String>,
}

/// All rules about one build, in Spack's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checklist {
    /// What follows from them.
    pub outcome: Outcome,
    /// One for each rule.
    pub checks: Vec<Check>,
}

const IN_INDEX: &str = "the cache's index";
const IN_SPEC: &str = "the build's spec";
const IN_SETTINGS: &str = "your concretizer settings";
const IN_BOTH: &str = "the build's spec, and your machine";

impl Checklist {
    /// Goes through all rules for one build. `verdicts` are those of the same setup.
    ///
    /// Before the dependencies are there, the rules that need them are unknown.
    pub fn new(index: &Index, setup: &Setup, verdicts: &Verdicts, build: BuildId) -> Checklist {
        let row = index.row_of(build);
        let judge = Judge { index, setup, verdicts, build, row, machine: Machine::new(setup) };
        let checks: Vec<Check> = Rule::ALL.into_iter().map(|rule| judge.check(rule)).collect();
        let outcomes = checks.iter().map(|check| Outcome::of(check.rule, check.status));
        let outcome = outcomes.min().unwrap_or(Outcome::ELIGIBLE);
        Checklist { outcome, checks }
    }

    /// The check that decides; `None` for an eligible build.
    pub fn decides(&self) -> Option<&Check> {
        let rule = self.outcome.rule()?;
        self.checks.iter().find(|check| check.rule == rule)
    }

    /// The answer in one line: `not eligible: target: built for zen4; …`.
    pub fn headline(&self) -> String {
        match self.decides() {
            None => format!("{}: all rules pass", self.outcome.word()),
            Some(check) => format!("{}: {}: {}", self.outcome.word(), check.rule, check.fact),
        }
    }
}

struct Judge<'a> {
    index: &'a Index,
    setup: &'a Setup,
    verdicts: &'a Verdicts,
    build: BuildId,
    row: RowId,
    machine: Machine<'a>,
}

impl Judge<'_> {
    fn check(&self, rule: Rule) -> Check {
        let (status, source, fact, change) = match rule {
            Rule::Offered => self.offered(),
            Rule::Format => self.format(),
            Rule::Reuse => self.reuse(),
            Rule::DevPath => self.dev_path(),
            Rule::CompilerWrapper => self.compiler_wrapper(),
            Rule::External => self.external(),
            Rule::Runtime => self.runtime(),
            Rule::Include | Rule::Exclude => self.lists(rule),
            Rule::Roots => self.roots(),
            Rule::Platform => self.platform(),
            Rule::Target => self.target(),
            Rule::Os => self.os(),
            Rule::Libc => self.libc(),
            Rule::Package => self.package(),
            Rule::Dependencies => self.dependencies(),
        };
        let change = change.filter(|_| status != Status::Passed);
        Check { rule, status, fact, source, change }
    }

    fn text(&self, facet: Facet) -> &str {
        self.index.text(self.row, facet)
    }

    fn offered(&self) -> Found {
        let places: Vec<String> = self
            .index
            .places_of(self.row)
            .map(|place| match (place.release.as_str(), place.stack.as_str()) {
                ("", "") => "the cache".to_owned(),
                (release, stack) => format!("{release}/{stack}"),
            })
            .collect();
        let external = self.index.origin(self.row).external;
        let fact = match places.as_slice() {
            [] if external => "an external, which needs no binary".to_owned(),
            [] => "the cache has a record of it and no binary".to_owned(),
            [place] => format!("a binary in {place}"),
            [place, others @ ..] => format!("a binary in {place} and {} more", others.len()),
        };
        let status = !places.is_empty() || external;
        found(status.into(), IN_INDEX, fact, "push its binary to the cache")
    }

    fn format(&self) -> Found {
        let origin = self.index.origin(self.row);
        let spack = self.setup.spack;
        let lists = self.index.lists_dependencies(self.row);
        let status = format(origin, lists, spack);
        let written = match origin.spec_format {
            Some(format) => format!("spec format {format}"),
            None if lists => "a spec of Spack before 1.0".to_owned(),
            None => "a cache page, which does not say its spec's format".to_owned(),
        };
        let (fact, change) = match status {
            Status::Passed => (format!("{written}, which Spack {spack} reuses"), String::new()),
            Status::Unknown => (written, "look at the cache's index".to_owned()),
            Status::Failed if spack >= SpackVersion::NEW_SPECS => (
                format!("{written}; Spack {spack} reuses formats from 5 on"),
                "a build by Spack 1.0 or later, or a Spack before 1.3".to_owned(),
            ),
            Status::Failed => {
                let needs = match origin.spec_format {
                    Some(6..) => SpackVersion::NEW_SPECS,
                    _ => SpackVersion::COMPILER_NODES,
                };
                let fact = format!("{written}, which Spack {spack} cannot read");
                (fact, format!("Spack {needs} or later"))
            }
        };
        found(status, IN_SPEC, fact, &change)
    }

    fn reuse(&self) -> Found {
        let settings = &self.setup.settings;
        let takes_none = settings.caches.is_empty();
        let (status, fact, change) = match settings.reuse {
            Reuse::Nothing => {
                (Status::Failed, "reuse: false takes nothing from caches", "reuse: true")
            }
            _ if takes_none => {
                (Status::Failed, "from lists no buildcache", "a source of type buildcache in from")
            }
            Reuse::Everything => (Status::Passed, "builds of caches may be reused", ""),
            Reuse::Dependencies => (Status::Passed, "dependencies may be reused from caches", ""),
        };
        found(status, IN_SETTINGS, fact.to_owned(), change)
    }

    fn dev_path(&self) -> Found {
        let variants = self.index.variants_of(self.row);
        let path = variants.iter().find(|variant| variant.name == "dev_path");
        let fact = match path.map(|variant| &variant.value) {
            None => "not built from a person's own sources".to_owned(),
            Some(VariantValue::Single(path)) => format!("built from sources at {path}"),
            Some(_) => "built from a person's own sources".to_owned(),
        };
        found(path.is_none().into(), IN_SPEC, fact, "a build without develop")
    }

    fn compiler_wrapper(&self) -> Found {
        let is_wrapper = self.text(Facet::Package) == "compiler-wrapper";
        let fact =
            if is_wrapper { "each machine makes its own" } else { "not the compiler wrapper" };
        // Nothing would change it.
        (Status::from(!is_wrapper), IN_SPEC, fact.to_owned(), None)
    }

    fn external(&self) -> Found {
        let origin = self.index.origin(self.row);
        if !origin.external {
            return found(Status::Passed, IN_SPEC, "built by Spack".to_owned(), "");
        }
        let status = Externals::new(self.index, self.setup).status(self.index, self.row);
        let prefix = origin.found_at.as_ref().and_then(|at| at.prefix.as_deref());
        let place =
            prefix.map_or("on the machine that made it".to_owned(), |at| format!("at {at}"));
        let yours = if status == Status::Passed { "has" } else { "does not have" };
        let fact = format!("an external {place}, which your packages.yaml {yours}");
        let spec = format!("{}@{}", self.text(Facet::Package), self.text(Facet::Version));
        let change = match prefix {
            Some(prefix) => {
                format!("an external `spec: {spec}` with `prefix: {prefix}` in packages.yaml")
            }
            None => format!("an external `spec: {spec}` in packages.yaml"),
        };
        found(status, "the build's spec, and your packages.yaml", fact, &change)
    }

    fn runtime(&self) -> Found {
        let fixed = "a build with the runtime of its compiler";
        let Some(edges) = self.index.edges() else {
            return self.not_listed();
        };
        let runtime = Runtime::new(self.index, edges, self.setup);
        let status = runtime.status(self.row, self.build);
        let below = Below::new(self.index).map(|below| below.has_runtime(self.build));
        let compiler = self.text(Facet::Compiler).split('@').next().unwrap_or(NO_COMPILER);
        let fact = match (status, &runtime, below) {
            (Status::Unknown, ..) => return self.not_listed(),
            (Status::Passed, Runtime::NotAsked, _) => {
                format!("Spack {} does not ask for it", self.setup.spack)
            }
            (Status::Passed, ..) => {
                "no compiler among its dependencies lacks its runtime".to_owned()
            }
            (Status::Failed, Runtime::InGraph(..), Some(HasRuntime::No(compiler, runtime))) => {
                format!("{compiler} is among its dependencies, and {runtime} is not")
            }
            (Status::Failed, ..) => {
                let runtime = DIRECT_RUNTIMES.iter().find(|(name, _)| *name == compiler);
                let runtime = runtime.map_or("its runtime", |(_, runtime)| runtime);
                format!("compiled by {compiler}, and does not depend on {runtime}")
            }
        };
        found(status, IN_SPEC, fact, fixed)
    }

    fn not_listed(&self) -> Found {
        let fact = match self.index.lists_dependencies(self.row) {
            true => "its dependencies are not loaded",
            false => "this cache page does not list dependencies",
        };
        found(Status::Unknown, IN_INDEX, fact.to_owned(), "look at the cache's index")
    }

    fn lists(&self, rule: Rule) -> Found {
        let settings = &self.setup.settings;
        let has_lists = settings.caches.iter().any(|of| match rule {
            Rule::Include => !of.include.is_empty(),
            _ => !of.exclude.is_empty(),
        });
        let status = specs::outcomes_of_lists(self.index, self.setup)
            .map_or(Status::Passed, |outcomes| status_under(outcomes[self.build.at()], rule));
        let lists: Vec<&str> = settings
            .caches
            .iter()
            .flat_map(|of| if rule == Rule::Include { &of.include } else { &of.exclude })
            .map(String::as_str)
            .collect();
        let listed = lists.join(", ");
        let (fact, change) = match (rule, status) {
            _ if !has_lists => (format!("{rule} lists nothing"), String::new()),
            (Rule::Include, Status::Passed) => {
                (format!("include takes it: {listed}"), String::new())
            }
            (Rule::Include, Status::Failed) => {
                (format!("it satisfies none of what include lists: {listed}"), "list it".to_owned())
            }
            (_, Status::Passed) => (format!("exclude leaves it: {listed}"), String::new()),
            (_, Status::Failed) => (
                format!("it satisfies a spec that exclude lists: {listed}"),
                "take that off".to_owned(),
            ),
            (_, Status::Unknown) => (
                format!("{listed}: the cache does not say enough"),
                "look at the cache's index".to_owned(),
            ),
        };
        found(status, IN_SETTINGS, fact, &change)
    }

    fn roots(&self) -> Found {
        let settings = &self.setup.settings;
        if settings.reuse != Reuse::Dependencies {
            return found(
                Status::Passed,
                IN_SETTINGS,
                "what you ask for may be reused".to_owned(),
                "",
            );
        }
        if settings.asked.is_empty() {
            let fact = "only dependencies are reused, and what you ask for is not known";
            return found(Status::Unknown, IN_SETTINGS, fact.to_owned(), "say what you ask for");
        }
        let mut status = Status::Passed;
        let mut named = "none of what you ask for".to_owned();
        let asked = settings.asked.iter().zip(specs::read(&settings.asked, self.setup.spack));
        for (text, spec) in asked {
            let of = spec.map_or(Status::Unknown, |spec: Spec| {
                specs::is_free_of(self.index, &spec, self.build)
            });
            if of < status {
                (status, named) = (of, text.clone());
            }
        }
        let fact = match status {
            Status::Passed => format!("it contains {named}"),
            Status::Failed => format!("it contains {named}, which you ask for"),
            Status::Unknown => format!("whether it contains {named} is not known"),
        };
        found(status, IN_SETTINGS, fact, "reuse: true")
    }

    fn platform(&self) -> Found {
        let (built_for, yours) = (self.text(Facet::Platform), self.setup.host.platform());
        let fact = format!("built for {built_for}; yours is {yours}");
        found(self.machine.platform(built_for), IN_BOTH, fact, &format!("a {built_for} machine"))
    }

    fn target(&self) -> Found {
        let (built_for, yours) = (self.text(Facet::Target), self.setup.host.target());
        let status = self.machine.target(built_for);
        let known = Target::named(built_for).zip(Target::named(yours));
        let fact = match (status, known) {
            (Status::Passed, _) if built_for == yours => {
                format!("built for {built_for}, as yours is")
            }
            (Status::Passed, _) => format!("built for {built_for}, which {yours} runs"),
            (Status::Unknown, _) => {
                let unknown = if Target::named(built_for).is_none() { built_for } else { yours };
                format!("nothing is known of the target {unknown}")
            }
            (Status::Failed, Some((needed, own))) if own.runs(needed) => {
                format!("built for {built_for}, and your settings allow generic targets only")
            }
            (Status::Failed, Some((needed, own))) if own.family() != needed.family() => {
                format!("built for {built_for}; yours is {}", own.family())
            }
            (Status::Failed, Some((needed, own))) => {
                match own.features_missing_for(needed).as_slice() {
                    [] => format!("built for {built_for}; yours is {yours}, which does not run it"),
                    few @ ([_] | [_, _] | [_, _, _]) => {
                        format!(
                            "built for {built_for}; yours is {yours}, which lacks {}",
                            few.join(", ")
                        )
                    }
                    many => format!(
                        "built for {built_for}; yours is {yours}, which lacks {} and {} more",
                        many[..2].join(", "),
                        many.len() - 2
                    ),
                }
            }
            (Status::Failed, None) => format!("built for {built_for}; yours is {yours}"),
        };
        found(status, IN_BOTH, fact, &format!("a machine that runs {built_for}"))
    }

    fn os(&self) -> Found {
        let (built_on, yours) = (self.text(Facet::Os), self.setup.host.os());
        // The machine says nothing about the OS of another platform.
        if self.machine.platform(self.text(Facet::Platform)) == Status::Failed {
            let fact = format!("built on {built_on}; yours is {yours}");
            return found(self.machine.os(built_on), IN_BOTH, fact, "a machine of that platform");
        }
        let status = self.machine.os(built_on);
        let fact = match status {
            Status::Passed if built_on == yours => format!("built on {built_on}, as yours is"),
            Status::Passed if self.machine.judges_libc() => {
                format!("built on {built_on}; on Linux the libc decides, and not the OS")
            }
            Status::Passed => format!("built on {built_on}, which {yours} takes"),
            Status::Failed | Status::Unknown => format!("built on {built_on}; yours is {yours}"),
        };
        let change = format!("{built_on}, or os_compatible: {{{yours}: [{built_on}]}}");
        found(status, IN_BOTH, fact, &change)
    }

    fn libc(&self) -> Found {
        let values = self.index.values(self.row, Facet::Libc);
        let linked_with = values.first().map(|code| self.index.dictionary(Facet::Libc).text(*code));
        let yours = self.setup.host.libc();
        if !self.machine.judges_libc() {
            let fact = match self.setup.host.platform() {
                "linux" => format!("Spack {} judges the OS instead", self.setup.spack),
                platform => format!("not judged on {platform}"),
            };
            return found(Status::Passed, IN_BOTH, fact, "");
        }
        let needed = match linked_with {
            None => {
                let fact = "this cache page does not say which libc it is linked with";
                let change = "look at the cache's index";
                return found(Status::Unknown, IN_INDEX, fact.to_owned(), change);
            }
            Some(NO_LIBC) => {
                let fact = "not itself linked with a libc".to_owned();
                return found(Status::Passed, IN_SPEC, fact, "");
            }
            Some(needed) => needed,
        };
        let prefix = self.libc_prefix();
        let place = self.machine.libc_place(prefix);
        let status = self.machine.libc(needed).min(place);
        let at = prefix.map_or(String::new(), |prefix| format!(" at {prefix}"));
        let yours = match yours {
            None => "yours is not known".to_owned(),
            Some(yours) if place == Status::Failed => {
                format!("yours is {yours} at {}", self.setup.libc_path)
            }
            Some(yours) => format!("yours is {yours}"),
        };
        let fact = format!("linked with {needed}{at}; {yours}");
        let change = match status {
            Status::Unknown => "say which libc yours is".to_owned(),
            _ if place == Status::Failed => format!("a machine with its libc{at}"),
            _ => format!("a machine with {} or newer", needed.replace('@', " ")),
        };
        found(status, IN_BOTH, fact, &change)
    }

    /// Where the libc of the build is.
    fn libc_prefix(&self) -> Option<&str> {
        let mut edges = self.index.dependencies(self.build)?;
        let libc = edges.find(|edge| edge.virtuals.iter().any(|name| name == "libc"))?;
        let EdgeTarget::Build(libc) = libc.target else { return None };
        self.index.origin(self.index.row_of(libc)).found_at.as_ref()?.prefix.as_deref()
    }

    fn package(&self) -> Found {
        let origin = self.index.origin(self.row);
        let status = package(origin, self.setup);
        let (fact, change) = match &origin.namespace {
            None => (
                "this cache page does not say which repository it is from".to_owned(),
                String::new(),
            ),
            Some(namespace) => {
                let yours = if status == Status::Passed { "have" } else { "do not have" };
                let fact =
                    format!("its recipe is from the repository {namespace}, which you {yours}");
                (fact, format!("the repository {namespace}"))
            }
        };
        let change =
            if change.is_empty() { "look at the cache's index".to_owned() } else { change };
        found(status, IN_SPEC, fact, &change)
    }

    fn dependencies(&self) -> Found {
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
        let failed = Outcome::of(Rule::Offered, Status::Failed);
        let of = |edge: &Edge<'_>| match edge.target {
            EdgeTarget::Build(id) => self.verdicts.of(self.index, id),
            EdgeTarget::Unknown { .. } => failed,
        };
        let mismatched =
            Below::new(self.index).is_some_and(|below| below.is_mismatched(self.build));
        let status = match needed.iter().map(|edge| of(edge).is_eligible()).min_by_key(rank) {
            _ if mismatched => Status::Failed,
            None | Some(Some(true)) => Status::Passed,
            Some(Some(false)) => Status::Failed,
            Some(None) => Status::Unknown,
        };
        if status == Status::Passed {
            let fact = match needed.len() {
                0 => "it needs nothing else from the cache".to_owned(),
                count => {
                    let needed = counted(count, "dependency", "dependencies");
                    format!(
                        "{needed} that it is linked with or runs, with all of theirs, can be reused"
                    )
                }
            };
            return found(status, IN_INDEX, fact, "");
        }
        let causes: Vec<String> = self.causes();
        let mut fact = match causes.as_slice() {
            [] => "it needs something that was built for another target".to_owned(),
            causes => causes[..causes.len().min(NAMED)].join("; "),
        };
        if causes.len() > NAMED {
            fact.push_str(&format!("; and {} more", causes.len() - NAMED));
        }
        found(status, IN_INDEX, fact, "a cache in which these can be reused too")
    }

    /// What below the build cannot be reused for a reason of its own, each with the rule.
    fn causes(&self) -> Vec<String> {
        let (index, Some(edges)) = (self.index, self.index.edges()) else { return Vec::new() };
        let needs = Needs::of(index, edges);
        let mut met = vec![false; index.specs() as usize];
        let mut open = vec![self.build];
        let mut causes = Vec::new();
        let mut seen_unknown = Vec::new();
        while let Some(build) = open.pop() {
            let (links, _) = edges.numbers(build.at());
            let direct = index.dependencies(build).into_iter().flatten();
            for (edge, _) in direct.zip(links).filter(|(_, link)| needs.is_needed(**link)) {
                let lower = match edge.target {
                    EdgeTarget::Build(lower) => lower,
                    EdgeTarget::Unknown { package, hash } => {
                        if !seen_unknown.contains(&hash) {
                            seen_unknown.push(hash);
                            causes.push(format!("{package}/{hash}: {}", Rule::Offered));
                        }
                        continue;
                    }
                };
                if std::mem::replace(&mut met[lower.at()], true) {
                    continue;
                }
                match self.verdicts.of(index, lower).rule() {
                    None => {}
                    Some(Rule::Dependencies) if index.lists_dependencies(index.row_of(lower)) => {
                        open.push(lower);
                    }
                    Some(rule) => {
                        let row = index.row_of(lower);
                        let [name, version] =
                            [Facet::Package, Facet::Version].map(|facet| index.text(row, facet));
                        let hash = index.hash(lower).map(|hash| format!(" /{hash}"));
                        causes
                            .push(format!("{name}@{version}{}: {rule}", hash.unwrap_or_default()));
                    }
                }
            }
        }
        causes
    }
}

type Found = (Status, &'static str, String, Option<String>);

fn found(status: Status, source: &'static str, fact: String, change: &str) -> Found {
    (status, source, fact, Some(change.to_owned()).filter(|change| !change.is_empty()))
}

/// Failed before unknown before passed.
fn rank(eligible: &Option<bool>) -> u8 {
    match eligible {
        Some(false) => 0,
        None => 1,
        Some(true) => 2,
    }
}

/// What an outcome under `include` and `exclude` says of one of the two.
fn status_under(outcome: Outcome, rule: Rule) -> Status {
    match outcome.rule() {
        Some(decides) if decides == rule => match outcome.is_eligible() {
            Some(_) => Status::Failed,
            None => Status::Unknown,
        },
        _ => Status::Passed,
    }
}
