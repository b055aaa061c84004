//! Abstract specs: what a person writes.
//!
//! A [`Spec`] is a [`Node`], which asks something of a build, and of the node's dependencies, which
//! ask something of what it was built with. Nothing here is more than two levels deep: a `%` names
//! what the node before it was built with, a `^` names a dependency of the root, and after a `^`
//! another `%` belongs to that.
//!
//! All fields are public, because an index evaluates each kind of constraint by itself. The reader
//! keeps what the fields' docs promise; code that changes a spec has to keep it too.

use crate::{
    ArchitectureConstraint, Deptypes, Dialect, FlagConstraint, VariantConstraint, VersionConstraint,
};

/// What is asked of a build and of its dependencies. Parse it with [`Spec::parse`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// In which dialect it was written, and by whose rules it is answered.
    pub dialect: Dialect,
    /// What is asked of the build itself.
    pub root: Node,
}

/// What is asked of one node of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The package; `None` for an anonymous spec such as `+cuda`.
    pub name: Option<String>,
    /// The repository of the recipe: `builtin.hdf5`, `namespace=builtin`.
    pub namespace: Option<String>,
    /// [Any](VersionConstraint::any) if no version is asked for.
    pub versions: VersionConstraint,
    /// Sorted by name, each once.
    pub variants: Vec<VariantConstraint>,
    /// Platform, operating system and target.
    pub architecture: ArchitectureConstraint,
    /// Sorted by name, each once.
    pub flags: Vec<FlagConstraint>,
    /// The beginning of a hash, in the case written; hashes are in lower case.
    pub hash: Option<String>,
    /// `%gcc@13` in the dialect before Spack 1.0; later, a compiler is a dependency.
    pub compiler: Option<CompilerConstraint>,
    /// In the order written.
    pub dependencies: Vec<Dependency>,
}

/// `%gcc@13` as Spack before 1.0 understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerConstraint {
    /// Such as `gcc`.
    pub name: String,
    /// [Any](VersionConstraint::any) if no version is asked for.
    pub versions: VersionConstraint,
}

/// A dependency that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// `%x`: a direct dependency of the node before. Otherwise `^x`: one of the root, direct or not.
    pub direct: bool,
    /// `%%x`: preferred for dependencies too. It changes nothing of what matches.
    pub propagate: bool,
    /// `%[deptypes=build] x`; empty if not asked for.
    pub deptypes: Deptypes,
    /// `%c,cxx=gcc`, `^[virtuals=mpi] mpich`: for which virtual packages it stands; sorted, each
    /// once.
    pub virtuals: Vec<String>,
    /// `%[when=+cuda] x`: asked only if the node that depends on it is so.
    pub when: Option<Box<Spec>>,
    /// What is asked of it.
    pub node: Node,
}

impl Default for Node {
    /// Asks for nothing.
    fn default() -> Node {
        Node {
            name: None,
            namespace: None,
            versions: VersionConstraint::any(),
            variants: Vec::new(),
            architecture: ArchitectureConstraint::default(),
            flags: Vec::new(),
            hash: None,
            compiler: None,
            dependencies: Vec::new(),
        }
    }
}

impl Node {
    /// Returns `true` if it asks for nothing.
    pub fn is_any(&self) -> bool {
        *self == Node::default()
    }

    /// Returns `true` if it asks for nothing but a name of the node itself. It may ask for
    /// dependencies.
    pub fn is_bare_name(&self) -> bool {
        self.name.is_some()
            && self.namespace.is_none()
            && self.versions.is_any()
            && self.variants.is_empty()
            && self.architecture.is_any()
            && self.flags.is_empty()
            && self.hash.is_none()
            && self.compiler.is_none()
    }
}
