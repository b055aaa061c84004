//! Merging two constraints on the same dependency.
//!
//! `%c=gcc@12 %cxx=gcc@12` names one dependency twice, and Spack merges the two into `%c,cxx=gcc@12`. It does so if
//! name, parent, dependency types and condition are the same; dependencies of the same name with other types must be
//! able to coexist.

use crate::Deptypes;
use crate::sorted::SortedList;
use crate::spec::{CompilerConstraint, Dependency, Node};
use crate::{FlagConstraint, VersionConstraint};

/// Two constraints on a dependency that no build can satisfy together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict;

// Linear searches are fine here: a spec has at most [`SPEC_LIMIT`](crate::SPEC_LIMIT) parts.

/// Adds a dependency to those of a node, or merges it into an existing one; returns its index.
pub(crate) fn add(dependencies: &mut Vec<Dependency>, new: Dependency) -> Result<usize, Conflict> {
    let mut may_stand_beside = true;
    let mut same_condition = true;
    for (place, old) in dependencies.iter_mut().enumerate() {
        if new.node.name.is_none() || old.node.name != new.node.name {
            continue;
        }
        if old.deptypes == new.deptypes && old.when == new.when {
            merge(&mut old.node, &new.node)?;
            old.virtuals.extend(new.virtuals);
            return Ok(place);
        }
        may_stand_beside &= compatible(old.deptypes, new.deptypes);
        same_condition &= old.when == new.when;
    }
    if !may_stand_beside && same_condition {
        return Err(Conflict);
    }
    dependencies.push(new);
    Ok(dependencies.len() - 1)
}

/// Returns `true` if a node can depend on one package in both ways: once to build with, once to link to or run.
fn compatible(one: Deptypes, two: Deptypes) -> bool {
    let link_run = Deptypes::LINK.union(Deptypes::RUN);
    let compete = one.intersects(link_run) && two.intersects(link_run);
    !compete && !one.intersects(two)
}

/// Adds the second node's constraints to the first; after a conflict the first is unchanged.
pub(crate) fn merge(node: &mut Node, other: &Node) -> Result<(), Conflict> {
    if let (Some(own), Some(theirs)) = (&node.namespace, &other.namespace)
        && own != theirs
    {
        return Err(Conflict);
    }
    let hash = match (&node.hash, &other.hash) {
        (Some(own), Some(theirs)) if own.starts_with(theirs.as_str()) => Some(own),
        (Some(own), Some(theirs)) if !theirs.starts_with(own.as_str()) => return Err(Conflict),
        (own, theirs) => theirs.as_ref().or(own.as_ref()),
    };
    let hash = hash.cloned();
    let versions = common_versions(&node.versions, &other.versions)?;
    let mut architecture = node.architecture.clone();
    if !architecture.merge(&other.architecture) {
        return Err(Conflict);
    }
    let compiler = match (&node.compiler, &other.compiler) {
        (Some(own), Some(theirs)) if own.name != theirs.name => return Err(Conflict),
        (Some(own), Some(theirs)) => {
            let versions = common_versions(&own.versions, &theirs.versions)?;
            let versions = versions.unwrap_or_else(|| own.versions.clone());
            Some(CompilerConstraint { name: own.name.clone(), versions })
        }
        (own, theirs) => own.as_ref().or(theirs.as_ref()).cloned(),
    };
    let mut variants = Vec::new();
    for theirs in &other.variants {
        let mut merged = node.variants.get(&theirs.name).unwrap_or(theirs).clone();
        if !merged.merge(theirs) {
            return Err(Conflict);
        }
        variants.push(merged);
    }

    for variant in variants {
        node.variants.put(variant);
    }
    if let Some(versions) = versions {
        node.versions = versions;
    }
    node.namespace = node.namespace.take().or_else(|| other.namespace.clone());
    node.hash = hash;
    node.architecture = architecture;
    node.compiler = compiler;
    for constraint in &other.flags {
        merge_flags(&mut node.flags, constraint);
    }
    Ok(())
}

/// Returns the versions that both accept; `None` if the second accepts any version, so that the first can stay as it is.
fn common_versions(
    own: &VersionConstraint,
    theirs: &VersionConstraint,
) -> Result<Option<VersionConstraint>, Conflict> {
    if theirs.is_any() {
        return Ok(None);
    }
    let both = own.intersection(theirs);
    if both.is_empty() { Err(Conflict) } else { Ok(Some(both)) }
}

fn merge_flags(flags: &mut SortedList<FlagConstraint>, other: &FlagConstraint) {
    let Some(FlagConstraint { flags: own, .. }) = flags.get_mut(&other.name) else {
        flags.put(other.clone());
        return;
    };
    for flag in &other.flags {
        match own.iter_mut().find(|known| known.text == flag.text) {
            Some(known) => known.propagate |= flag.propagate,
            None => own.push(flag.clone()),
        }
    }
}
