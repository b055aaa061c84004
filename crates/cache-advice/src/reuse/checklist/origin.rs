//! The rules about a build alone: its binary, its spec, and where it came from.

use cache_index::build::{FoundAt, VariantValue};
use cache_index::facet::Facet;
use cache_index::index::{NO_COMPILER, Origin, RowId};
use cache_index::spack::{Runtimes, SpackVersion};

use super::{FROM_INDEX, Found, IN_INDEX, IN_SPEC, Judge, found};
use crate::reuse::below::{Below, HasRuntime};
use crate::reuse::rule::RuleStatus;
use crate::reuse::verdicts::{DIRECT_RUNTIMES, Externals, Runtime, format, package};

/// Returns where an external is, such as `at /usr`; `None` if that is not known.
pub(super) fn place_of(external: &Origin) -> Option<String> {
    let FoundAt { prefix, modules, .. } = external.found_at.as_ref()?;
    let noun = if modules.len() == 1 { "module" } else { "modules" };
    let listed = modules.join(", ");
    match (prefix, modules.is_empty()) {
        (Some(prefix), true) => Some(format!("at {prefix}")),
        (Some(prefix), false) => Some(format!("at {prefix} with {noun} {listed}")),
        (None, true) => None,
        (None, false) => Some(format!("from {noun} {listed}")),
    }
}

impl Judge<'_> {
    pub(super) fn offered(&self) -> Found {
        let places: Vec<String> = self
            .index
            .places_of(self.row)
            .map(|place| match (place.release.as_str(), place.stack.as_str()) {
                ("", "") => "the cache".to_owned(),
                ("", one) | (one, "") => one.to_owned(),
                (release, stack) => format!("{release}/{stack}"),
            })
            .collect();
        let external = self.index.origin(self.row).external;
        let fact = match places.as_slice() {
            [] if external => "an external, which needs no binary".to_owned(),
            [] => "the cache lists it, but has no binary".to_owned(),
            [place] => format!("a binary in {place}"),
            [place, others @ ..] => format!("a binary in {place} and {} more", others.len()),
        };
        let status = !places.is_empty() || external;
        found(status.into(), IN_INDEX, fact, "push its binary to the cache")
    }

    pub(super) fn format(&self) -> Found {
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
            RuleStatus::Passed => (format!("{written}, which Spack {spack} reuses"), String::new()),
            RuleStatus::Unknown => (written, FROM_INDEX.to_owned()),
            RuleStatus::Failed if spack >= SpackVersion::NEW_SPECS => (
                format!("{written}; Spack {spack} reuses formats from 5 on"),
                "a build by Spack 1.0 or later, or a Spack before 1.3".to_owned(),
            ),
            RuleStatus::Failed => {
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

    pub(super) fn dev_path(&self) -> Found {
        let variants = self.index.variants_of(self.row);
        let path = variants.iter().find(|variant| variant.name == "dev_path");
        let fact = match path.map(|variant| &variant.value) {
            None => "not built from a person's own sources".to_owned(),
            Some(VariantValue::Single(path)) => format!("built from sources at {path}"),
            Some(_) => "built from a person's own sources".to_owned(),
        };
        found(path.is_none().into(), IN_SPEC, fact, "a build without develop")
    }

    pub(super) fn compiler_wrapper(&self) -> Found {
        let is_wrapper = self.text(Facet::Package) == "compiler-wrapper";
        let fact =
            if is_wrapper { "each machine makes its own" } else { "not the compiler wrapper" };
        // Nothing would change it.
        (RuleStatus::from(!is_wrapper), IN_SPEC, fact.to_owned(), None)
    }

    pub(super) fn external(&self) -> Found {
        let origin = self.index.origin(self.row);
        if !origin.external {
            return found(RuleStatus::Passed, IN_SPEC, "built by Spack".to_owned(), "");
        }
        let status = Externals::new(self.index, self.setup).status(self.index, self.row);
        let place = place_of(origin).unwrap_or_else(|| "on the machine that built it".to_owned());
        let yours = if status == RuleStatus::Passed { "has" } else { "does not have" };
        let fact = format!("an external {place}, which your packages.yaml {yours}");
        let change = format!("{} in packages.yaml", self.wanted_external(self.row));
        found(status, "the build's spec, and your packages.yaml", fact, &change)
    }

    /// Returns what a packages.yaml needs, so that an external can be reused.
    pub(super) fn wanted_external(&self, row: RowId) -> String {
        let [name, version] =
            [Facet::Package, Facet::Version].map(|facet| self.index.text(row, facet));
        let mut external = format!("an external `spec: {name}@{version}`");
        if let Some(FoundAt { prefix, modules, .. }) = &self.index.origin(row).found_at {
            let mut with = " with";
            if let Some(prefix) = prefix {
                external += &format!("{with} `prefix: {prefix}`");
                with = " and";
            }
            if !modules.is_empty() {
                external += &format!("{with} `modules: [{}]`", modules.join(", "));
            }
        }
        external
    }

    pub(super) fn runtime(&self) -> Found {
        let fixed = "a build with the runtime of its compiler";
        let Some(edges) = self.index.edges() else {
            return self.not_listed();
        };
        let runtime = Runtime::new(self.index, edges, self.setup);
        let status = runtime.status(self.row, self.build);
        let fact = match (status, &runtime) {
            (RuleStatus::Unknown, _) => return self.not_listed(),
            (RuleStatus::Passed, Runtime::NotAsked) => {
                format!("Spack {} does not require it", self.setup.spack)
            }
            (RuleStatus::Passed, _) => {
                "has the runtime of each compiler among its dependencies".to_owned()
            }
            (RuleStatus::Failed, _) => self.lacks_runtime(),
        };
        found(status, IN_SPEC, fact, fixed)
    }

    /// Says which runtime a build lacks that fails the rule about runtimes. What is below each build is computed once for
    /// an index.
    pub(super) fn lacks_runtime(&self) -> String {
        let is_in_graph = self.setup.spack.runtimes() == Runtimes::InGraph;
        let below = Below::new(self.index).filter(|_| is_in_graph);
        if let Some(HasRuntime::No(compiler, runtime)) =
            below.map(|below| below.has_runtime(self.build))
        {
            return format!("{compiler} is among its dependencies, and {runtime} is not");
        }
        let compiler = self.text(Facet::Compiler).split('@').next().unwrap_or(NO_COMPILER);
        let runtime = DIRECT_RUNTIMES.iter().find(|(name, _)| *name == compiler);
        let runtime = runtime.map_or("its runtime", |(_, runtime)| runtime);
        format!("compiled by {compiler}, and does not depend on {runtime}")
    }

    pub(super) fn package(&self) -> Found {
        let origin = self.index.origin(self.row);
        let status = package(origin, self.setup);
        let (fact, change) = match &origin.namespace {
            None => (
                "this cache page does not say which repository it is from".to_owned(),
                String::new(),
            ),
            Some(namespace) => {
                let yours = if status == RuleStatus::Passed { "have" } else { "do not have" };
                let fact =
                    format!("its recipe is from the repository {namespace}, which you {yours}");
                let change = format!(
                    "the repository {namespace}, if you have it: state it as one of yours, in My machine \
                     under Settings about reuse, or with `--repository {namespace}`"
                );
                (fact, change)
            }
        };
        let change = if change.is_empty() { FROM_INDEX.to_owned() } else { change };
        found(status, IN_SPEC, fact, &change)
    }
}
