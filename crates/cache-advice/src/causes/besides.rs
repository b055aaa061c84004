//! What the cache has besides the builds that the specs of an environment are compared with.
//!
//! A spec is compared with one build, which may come with a build above it. If another build for the same kind of machine
//! has the version and variants of the spec, nobody has to change them: then that build is named in place of a setting.
//! And nobody requires GPU code in order to find a build in the cache, so it is only said that there is none without.

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::{Build, Hash, SHORT_HASH, Variant, VariantValue};
use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index, RowId};
use foldhash::{HashMap, HashSet};

use super::machine::{is_libc, is_of_compiler};
use super::remedy::Remedy;
use super::{Cause, Causes, OwnDifference};
use crate::choosing::recommended::foreign;
use crate::differences::{Aspect, Field, FieldValue};
use crate::environment::{Assessment, Status, Substitutes};

/// The variants that turn GPU code on, and those that say for which GPUs it is.
const GPU_CODE: [(&str, &str); 2] = [("cuda", "cuda_arch"), ("rocm", "amdgpu_target")];

/// The maximum number of kinds of GPU code that are named.
const NAMED: usize = 3;

impl Causes {
    /// Counts the specs without a counterpart that are missing because the cache has nothing of their packages.
    pub(super) fn count_absent(
        &mut self,
        index: &Index,
        environment: &Environment,
        assessment: &Assessment,
    ) {
        let mut additions: HashSet<Hash> = self.additions.iter().copied().collect();
        let mut packages: BTreeSet<&str> = BTreeSet::new();
        for (at, node) in environment.nodes.iter().enumerate() {
            let Build { package, hash, .. } = &node.build;
            let is_missing = assessment.coverage.status(at) == Status::Missing;
            let is_absent = is_missing && rows_of(index, package).next().is_none();
            if is_absent && additions.remove(hash) {
                self.absent += 1;
                packages.insert(package);
            }
        }
        self.absent_packages = packages.into_iter().map(str::to_owned).collect();
    }

    /// Replaces settings for versions and variants that another build has as they are, and those that require GPU code.
    pub(super) fn heed_other_builds(
        &mut self,
        index: &Index,
        environment: &Environment,
        assessment: &Assessment,
    ) {
        let substitutes: HashMap<usize, &Substitutes> = assessment.missing().collect();
        let nodes = environment.nodes.iter().map(|node| &node.build).enumerate();
        let numbers: HashMap<Hash, usize> = nodes.map(|(at, build)| (build.hash, at)).collect();
        for cause in &mut self.causes {
            let specs = cause.hashes.iter().filter_map(|hash| numbers.get(hash));
            let specs = specs.map(|&at| (&environment.nodes[at].build, substitutes.get(&at)));
            let mut by_package: BTreeMap<&str, Vec<(&Build, Option<BuildId>)>> = BTreeMap::new();
            for (spec, substitutes) in specs {
                let alike = substitutes.and_then(|substitutes| alike(index, spec, substitutes));
                by_package.entry(&spec.package).or_default().push((spec, alike));
            }
            for (package, specs) in by_package {
                let of_gpus = || only_with_gpu_code(index, cause, &specs);
                if let Some(note) = already_there(index, cause, &specs).or_else(of_gpus) {
                    cause.replace(package, note);
                }
            }
        }
    }
}

impl Cause {
    /// Puts a note in the place of what would undo the cause for a package, if anything would.
    fn replace(&mut self, package: &str, note: String) {
        let (is_single, all) = (self.packages.len() == 1, self.remedies.len());
        self.remedies.retain(|remedy| match remedy {
            Remedy::Require { package: of, .. } => of != package,
            // Words do not name their package.
            Remedy::Words(_) => !is_single,
            _ => true,
        });
        if self.remedies.len() < all {
            self.remedies.push(Remedy::Instead(note));
        }
    }
}

/// Returns a build nearest to a missing spec that has the same version and variants, and is for the same kind of machine.
fn alike(index: &Index, missing: &Build, substitutes: &Substitutes) -> Option<BuildId> {
    let Substitutes { by_content, nearest } = substitutes;
    let is_alike = |differs: &[Aspect]| {
        !differs.contains(&Aspect::Version) && !differs.contains(&Aspect::Variants)
    };
    let nearest = nearest.iter().filter(|nearest| is_alike(&nearest.differs));
    let mut builds = by_content.iter().copied().chain(nearest.map(|nearest| nearest.build));
    builds.find(|&build| is_for(index, missing, index.row_of(build)))
}

/// Returns `true` if the builds of a row are for the kind of machine that a spec is for.
fn is_for(index: &Index, spec: &Build, row: RowId) -> bool {
    foreign(index, (spec.platform.as_str(), spec.target.as_str()), row) == (false, false)
}

/// Says which build already has the version or variant that differs; `None` if there is none for one of the specs.
fn already_there(
    index: &Index,
    cause: &Cause,
    specs: &[(&Build, Option<BuildId>)],
) -> Option<String> {
    let OwnDifference { field, name, old, new } = &cause.difference;
    let is_chosen = match field {
        Field::Version => true,
        Field::Variants => name != "dev_path" && !cause.difference.is_variant_of_patches(),
        _ => false,
    };
    let (first, _) = specs.first()?;
    if !is_chosen || is_libc(&first.package) || is_of_compiler(&first.package) {
        return None;
    }
    let mut builds = Vec::new();
    for (spec, alike) in specs {
        builds.push(alike.filter(|_| !spec.external)?);
    }
    let value = match (field, new) {
        (Field::Version, _) => format!("@{}", first.version),
        (_, FieldValue::Bool(_)) => cause.difference.words(new, old),
        _ => format!(" with {}", cause.difference.words(new, old)),
    };
    let hash = index.hash(*builds.first()?)?.to_string();
    let (package, hash) = (&first.package, &hash[..SHORT_HASH]);
    Some(format!("The cache also has {package}{value}, as /{hash}, so this needs no change"))
}

/// Says that the cache has the version of a package only with GPU code, if that is what the cause is about.
fn only_with_gpu_code(
    index: &Index,
    cause: &Cause,
    specs: &[(&Build, Option<BuildId>)],
) -> Option<String> {
    let OwnDifference { field, name, old, .. } = &cause.difference;
    let is_switch = GPU_CODE.iter().any(|(switch, _)| switch == name);
    if *field != Field::Variants || !is_switch || *old != FieldValue::Bool(true) {
        return None;
    }
    let (spec, _) = specs.first()?;
    let Build { package, version, .. } = spec;
    if specs.iter().any(|(other, _)| other.version != *version) {
        return None;
    }
    let has_version = |row: &RowId| index.text(*row, Facet::Version) == version.as_str();
    let rows = rows_of(index, package).filter(has_version);
    let kinds: Option<BTreeSet<String>> = rows
        .filter(|&row| is_for(index, spec, row))
        .map(|row| gpu_code(&index.variants_of(row)))
        .collect();
    let kinds: Vec<String> = kinds?.into_iter().take(NAMED).collect();
    if kinds.is_empty() {
        return None;
    }
    let taken = cause.remedies.iter().find_map(|remedy| match remedy {
        Remedy::Require { package: of, requirement } if of == package => Some(requirement),
        _ => None,
    });
    let taken = taken.map(|it| format!("; to take that, ask for {package}@{version} {it}"));
    Some(format!(
        "For this kind of machine, the cache has {package}@{version} only with GPU code: {}{}",
        kinds.join(" or "),
        taken.unwrap_or_default()
    ))
}

/// Returns the variants by which a build has GPU code, as in a spec; `None` if it has none.
fn gpu_code(variants: &[Variant]) -> Option<String> {
    let find = |name: &str| variants.iter().find(|variant| variant.name == name);
    let is_on = |variant: &&Variant| variant.value == VariantValue::Bool(true);
    let mut texts: Vec<String> = Vec::new();
    for (switch, gpus) in GPU_CODE {
        if let Some(switch) = find(switch).filter(is_on) {
            texts.extend([Some(switch), find(gpus)].into_iter().flatten().map(Variant::to_string));
        }
    }
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// Returns the rows of a package that have binaries.
fn rows_of(index: &Index, package: &str) -> impl Iterator<Item = RowId> {
    let package = index.dictionary(Facet::Package).code(package);
    let rows = package.into_iter().flat_map(move |package| index.rows_of(package));
    rows.filter(move |&row| index.has_binary(row))
}
