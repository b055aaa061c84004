//! Relations between specs: combining two, and testing whether one implies the other.
//!
//! Spack combines specs to build the rows of a matrix ([`Spec::constrain`]), and tests implication for its `exclude`
//! list ([`Spec::implies`]).

use std::fmt;

use crate::merge::{self, Conflict};
use crate::spec::{Dependency, Node};
use crate::variant::WantedValue;
use crate::{Spec, TargetConstraint, VariantConstraint};

/// Two specs that no build can satisfy at once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contradiction {
    /// The spec before the call.
    pub one: String,
    /// The spec whose constraints were to be added.
    pub other: String,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no build satisfies both {:?} and {:?}", self.one, self.other)
    }
}

impl std::error::Error for Contradiction {}

impl Spec {
    /// Adds the constraints of another spec to this one.
    ///
    /// Every constraint binds to the root, wherever it was written in the other spec. If this returns an error, the
    /// spec is unchanged.
    ///
    /// ```
    /// use spack_spec::{Dialect, Spec};
    ///
    /// let parse = |text| Spec::parse(text, Dialect::V1).expect("a spec");
    /// let mut spec = parse("hdf5 %gcc@12");
    /// spec.constrain(&parse("+mpi"))?;
    /// assert_eq!(spec.to_string(), "hdf5+mpi %gcc@12");
    /// assert!(spec.constrain(&parse("~mpi")).is_err());
    /// # Ok::<(), spack_spec::Contradiction>(())
    /// ```
    pub fn constrain(&mut self, other: &Spec) -> Result<(), Contradiction> {
        let mut root = self.root.clone();
        match constrain(&mut root, &other.root) {
            Ok(()) => {
                self.root = root;
                Ok(())
            }
            Err(Conflict) => Err(Contradiction { one: self.to_string(), other: other.to_string() }),
        }
    }

    /// Returns `true` if every build that satisfies this spec also satisfies the other, as far as the specs alone can
    /// show.
    ///
    /// ```
    /// use spack_spec::{Dialect, Spec};
    ///
    /// let parse = |text| Spec::parse(text, Dialect::V1).expect("a spec");
    /// assert!(parse("hdf5@1.14.5+mpi %gcc@12 ^mpich").implies(&parse("hdf5@1.14: ^mpich")));
    /// assert!(!parse("hdf5").implies(&parse("hdf5+mpi")));
    /// ```
    pub fn implies(&self, other: &Spec) -> bool {
        implies(&self.root, &other.root)
    }
}

fn constrain(node: &mut Node, other: &Node) -> Result<(), Conflict> {
    match (&node.name, &other.name) {
        (Some(one), Some(two)) if one != two => return Err(Conflict),
        (None, Some(name)) => node.name = Some(name.clone()),
        _ => {}
    }
    merge::merge(node, other)?;
    for dependency in &other.dependencies {
        let mut alone = dependency.clone();
        let below = std::mem::take(&mut alone.node.dependencies);
        let at = merge::add(&mut node.dependencies, alone)?;
        for dependency in below {
            merge::add(&mut node.dependencies[at].node.dependencies, dependency)?;
        }
    }
    // In text, a `%` after a `^` would belong to that dependency.
    node.dependencies.sort_by_key(|dependency| !dependency.direct);
    Ok(())
}

fn implies(node: &Node, other: &Node) -> bool {
    let has = |own: &Option<String>, theirs: &Option<String>| theirs.is_none() || own == theirs;
    let own = &node.architecture;
    let theirs = &other.architecture;
    let hash = match (&node.hash, &other.hash) {
        (_, None) => true,
        (Some(own), Some(theirs)) => own.starts_with(theirs.as_str()),
        (None, Some(_)) => false,
    };
    let compiler = match (&node.compiler, &other.compiler) {
        (_, None) => true,
        (Some(own), Some(theirs)) => {
            own.name == theirs.name && own.versions.is_within(&theirs.versions)
        }
        (None, Some(_)) => false,
    };
    has(&node.name, &other.name)
        && has(&node.namespace, &other.namespace)
        && hash
        && node.versions.is_within(&other.versions)
        && has(&own.platform, &theirs.platform)
        && has(&own.os, &theirs.os)
        && target_implies(own.target.as_ref(), theirs.target.as_ref())
        && compiler
        && other.variants.iter().all(|wanted| variants_imply(&node.variants, wanted))
        && other.flags.iter().all(|wanted| {
            node.flags.iter().any(|own| {
                own.name == wanted.name
                    && wanted.flags.iter().all(|flag| own.flags.iter().any(|f| f.text == flag.text))
            })
        })
        && other.dependencies.iter().all(|wanted| depends_on(node, wanted))
}

fn target_implies(own: Option<&TargetConstraint>, theirs: Option<&TargetConstraint>) -> bool {
    match (own, theirs) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(own), Some(theirs)) => {
            own == theirs || own.intersection(theirs).is_some_and(|both| both == *own)
        }
    }
}

fn variants_imply(own: &[VariantConstraint], wanted: &VariantConstraint) -> bool {
    let of_name = own.iter().find(|own| own.name == wanted.name);
    of_name.is_some_and(|own| match (&own.wanted, &wanted.wanted) {
        (_, WantedValue::Anything) => true,
        (WantedValue::Bool(own), WantedValue::Bool(wanted)) => own == wanted,
        (
            WantedValue::Including(own) | WantedValue::Exactly(own),
            WantedValue::Including(wanted),
        ) => wanted.iter().all(|value| own.contains(value)),
        (WantedValue::Exactly(own), WantedValue::Exactly(wanted)) => own == wanted,
        _ => false,
    })
}

/// Returns `true` if one of a node's dependencies implies the wanted one; only direct dependencies count if a direct
/// one is wanted.
fn depends_on(node: &Node, wanted: &Dependency) -> bool {
    let mut dependencies = node.dependencies.iter().chain(
        node.dependencies.iter().flat_map(|d| &d.node.dependencies).filter(|_| !wanted.direct),
    );
    dependencies.any(|own| {
        let has_name = wanted.node.name.is_none()
            || own.node.name == wanted.node.name
            || wanted.node.is_bare_name()
                && own.virtuals.iter().any(|name| Some(name) == wanted.node.name.as_ref());
        let mut named = wanted.node.clone();
        if has_name {
            named.name.clone_from(&own.node.name);
        }
        (own.direct || !wanted.direct)
            && has_name
            && own.deptypes.contains(wanted.deptypes)
            && wanted.virtuals.iter().all(|name| own.virtuals.contains(name))
            && implies(&own.node, &named)
    })
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, Spec};

    #[track_caller]
    fn spec(text: &str) -> Spec {
        Spec::parse(text, Dialect::V1).expect("a spec")
    }

    #[test]
    fn constrains_the_root() {
        #[track_caller]
        fn check(one: &str, other: &str, both: Option<&str>) {
            let mut combined = spec(one);
            let outcome = combined.constrain(&spec(other));
            match both {
                Some(both) => assert_eq!(combined.to_string(), both),
                None => {
                    assert!(outcome.is_err(), "{combined}");
                    assert_eq!(combined, spec(one), "an error changes nothing");
                }
            }
        }
        check("hdf5", "+mpi", Some("hdf5+mpi"));
        check("target=zen4", "zlib", Some("zlib target=zen4"));
        check("hdf5 ^mpich", "~fortran", Some("hdf5~fortran ^mpich"));
        check("hdf5 ^mpich", "^mpich~fortran", Some("hdf5 ^mpich~fortran"));
        check("hdf5 ^mpich", "%gcc", Some("hdf5 %gcc ^mpich"));
        check("hdf5@1.12:", "@:1.14", Some("hdf5@1.12:1.14"));
        check("hdf5@1.2", "@1.3", None);
        check("hdf5", "zlib", None);
        check("hdf5 ^mpich@4", "^mpich@3", None);
    }

    #[test]
    fn implies_what_it_asks_and_less() {
        #[track_caller]
        fn check(one: &str, other: &str, implied: bool) {
            assert_eq!(spec(one).implies(&spec(other)), implied, "{one} implies {other}");
        }
        check("hdf5 %clang ^mpich", "%clang ^mpich", true);
        check("hdf5 %clang ^openmpi", "%clang ^mpich", false);
        check("hdf5@1.14.5", "hdf5@1.14:", true);
        check("hdf5@1.12:", "hdf5@1.14:", false);
        check("xz %gcc@11", "xz %gcc@11", true);
        check("xz %gcc@12", "xz %gcc@11", false);
        check("hdf5 target=zen4", "hdf5 target=zen4", true);
        check("hdf5 target=zen4", "target=x86_64_v3:", true);
        check("hdf5 target=zen4", "target=x86_64_v3", false);
        check("hdf5 cuda_arch=80,90", "cuda_arch=80", true);
        check("hdf5", "hdf5~mpi", false);
        check("hdf5 ^mpi=mpich", "^mpich", true);
    }
}
