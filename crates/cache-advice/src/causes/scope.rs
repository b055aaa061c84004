//! Which settings would change more than the specs that need them.
//!
//! `packages:` has settings for all specs of a package. A setting that gives a missing spec the value of its
//! counterpart also reaches the other specs of that package in the environment. If these have other values, the setting
//! would change them and their hashes, so it is not a remedy: the value has to be requested for the missing specs
//! alone. So no two settings of a remedy contradict each other.

use std::mem::take;

use cache_index::build::{Build, Hash};
use cache_index::environment::Environment;
use foldhash::HashSet;
use spack_spec::{Dialect, Spec};

use super::remedy::{LANGUAGES, Remedy, comes_with_compiler};
use super::{Causes, OwnDifference};
use crate::differences::Field;
use crate::text::wording::listed;

/// The maximum number of packages that a remedy names.
const NAMED: usize = 3;

impl Causes {
    /// Replaces each setting that would change other specs of an environment with words about what to ask for instead.
    pub(super) fn spare_others(&mut self, environment: &Environment) {
        for cause in &mut self.causes {
            let has_it: HashSet<Hash> = cause.hashes.iter().copied().collect();
            let nodes = environment.nodes.iter().map(|node| &node.build);
            let others: Vec<&Build> =
                nodes.filter(|build| !build.external && !has_it.contains(&build.hash)).collect();
            let remedies = take(&mut cause.remedies);
            for remedy in &remedies {
                let remedy = match remedy.compiler_instead(&cause.packages) {
                    Some(remedy) => remedy,
                    None if remedy.changes_any(&others, &cause.difference, &cause.packages)
                        || remedy.contradicts_any(&remedies) =>
                    {
                        remedy.for_some(&cause.difference, &cause.packages)
                    }
                    None => remedy.clone(),
                };
                if !cause.remedies.contains(&remedy) {
                    cause.remedies.push(remedy);
                }
            }
        }
    }
}

impl Remedy {
    /// Returns the remedy for the runtime libraries of a compiler that is not among these packages: to use the compiler
    /// in their version.
    fn compiler_instead(&self, packages: &[String]) -> Option<Remedy> {
        let Remedy::Require { package, requirement } = self else { return None };
        let compiler = package.strip_suffix("-runtime")?;
        let is_version = requirement.starts_with('@') && !comes_with_compiler(package, packages);
        is_version.then(|| Remedy::Words(format!("compile with {compiler}{requirement}")))
    }

    /// Returns `true` if the remedy would change any of these other specs, which do not have the difference.
    fn changes_any(
        &self,
        others: &[&Build],
        difference: &OwnDifference,
        packages: &[String],
    ) -> bool {
        others.iter().any(|build| match self {
            // A target of several packages is set for all.
            Remedy::Target { package, target } => {
                (packages.len() > 1 || build.package == *package) && build.target != *target
            }
            Remedy::Require { package, requirement } if difference.field == Field::Edges => build
                .dependencies
                .iter()
                .flatten()
                .any(|edge| edge.virtuals.contains(package) && edge.package != *requirement),
            Remedy::Require { package, requirement } => {
                let is_other = || {
                    difference.is_other_on(build)
                        || difference.field == Field::Variants && !has_variants(build, requirement)
                };
                // What comes with a compiler needs no setting.
                build.package == *package && is_other() && !comes_with_compiler(package, packages)
            }
            Remedy::External { .. } | Remedy::Words(_) | Remedy::Instead(_) => false,
        })
    }

    /// Returns `true` if another remedy of the same cause requires something else of the same package.
    fn contradicts_any(&self, remedies: &[Remedy]) -> bool {
        let Remedy::Require { package, requirement } = self else { return false };
        remedies.iter().any(|other| {
            matches!(other, Remedy::Require { package: of, requirement: wanted }
                if of == package && wanted != requirement)
        })
    }

    /// Returns a remedy that asks for the same value, in words, only for the specs that need it.
    fn for_some(&self, difference: &OwnDifference, packages: &[String]) -> Remedy {
        let these = match packages.len() {
            0..=NAMED => listed(packages),
            count => format!("{count} packages"),
        };
        let wanted = match self {
            Remedy::Target { target, .. } => format!("target={target} for {these}"),
            Remedy::Require { package, requirement } if difference.field == Field::Edges => {
                let sigil = if LANGUAGES.contains(&package.as_str()) { '%' } else { '^' };
                format!("{sigil}{package}={requirement} for {these}")
            }
            Remedy::Require { package, requirement } => format!("{requirement} for {package}"),
            Remedy::External { .. } | Remedy::Words(_) | Remedy::Instead(_) => {
                return self.clone();
            }
        };
        Remedy::Words(format!(
            "ask for {wanted} only where that is missing: as a requirement, it would change other specs"
        ))
    }
}

/// Returns `true` if a build has the variants that a requirement names.
fn has_variants(build: &Build, requirement: &str) -> bool {
    let Ok(spec) = Spec::parse(requirement, Dialect::V1) else { return true };
    spec.root.variants.iter().all(|wanted| {
        let mut variants = build.variants.iter();
        let variant = variants.find(|variant| variant.name == wanted.name);
        wanted.matches(variant.map(|variant| &variant.value))
    })
}

impl OwnDifference {
    /// Returns `true` if a build of the same package has another value than the old side.
    fn is_other_on(&self, build: &Build) -> bool {
        let Some(values) = self.field.read(build) else { return false };
        let value = values.into_iter().find(|(name, _)| *name == self.name);
        value.map_or_else(|| self.field.default(), |(_, value)| value) != self.old
    }
}
