//! Abstract specs: what people write.

use crate::{
    ArchitectureConstraint, Deptypes, Dialect, FlagConstraint, SortedList, VariantConstraint,
    VersionConstraint,
};

/// The constraints on a build and its dependencies: what people write. Parse it with [`Spec::parse`].
///
/// A spec is a [`Node`], which constrains a build, with the node's dependencies, which constrain what it was built
/// with. Nothing is more than two levels deep: `%` names a dependency of the node before it, `^` names a dependency of
/// the root, and a `%` after a `^` belongs to the latter.
///
/// All fields are public, because an index evaluates each kind of constraint separately. Each field accepts every value
/// of its type: lists that have to be sorted are a [`SortedList`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The dialect that the spec is written in, whose rules decide what satisfies it.
    pub dialect: Dialect,
    /// The constraints on the build itself.
    pub root: Node,
}

/// The constraints on one node of a graph.
///
/// ```
/// use spack_spec::{Dialect, Node, Spec};
///
/// let spec = Spec::parse("hdf5@1.14: +mpi api=v110 ^mpich", Dialect::V1)?;
/// assert_eq!(spec.root.name.as_deref(), Some("hdf5"));
/// assert!(spec.root.variants.get("api").is_some() && spec.root.variants.len() == 2);
///
/// // A spec for the version alone.
/// let root = Node { versions: spec.root.versions.clone(), ..Node::default() };
/// assert_eq!(Spec { root, ..spec }.to_string(), "@1.14:");
/// # Ok::<(), spack_spec::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The package; `None` for an anonymous spec such as `+cuda`.
    pub name: Option<String>,
    /// The repository of the recipe: `builtin.hdf5`, `namespace=builtin`.
    pub namespace: Option<String>,
    /// [Any](VersionConstraint::any) if the version is not constrained.
    pub versions: VersionConstraint,
    /// The constraints on variants, by name.
    pub variants: SortedList<VariantConstraint>,
    /// Platform, operating system and target.
    pub architecture: ArchitectureConstraint,
    /// The constraints on compiler flags, by name.
    pub flags: SortedList<FlagConstraint>,
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
    /// [Any](VersionConstraint::any) if the version is not constrained.
    pub versions: VersionConstraint,
}

/// A dependency that a build must have.
///
/// ```
/// use spack_spec::{Dialect, Spec};
///
/// let spec = Spec::parse("hdf5 %cxx,c=gcc@13", Dialect::V1)?;
/// let [gcc] = &spec.root.dependencies[..] else { panic!("expected one dependency") };
/// assert!(gcc.direct && gcc.virtuals[..] == ["c", "cxx"]);
/// # Ok::<(), spack_spec::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// `true` for `%x`, a direct dependency of the node before; `false` for `^x`, a dependency of the root, direct or
    /// not.
    pub direct: bool,
    /// `%%x`: preferred for dependencies too. This does not change what matches.
    pub propagate: bool,
    /// `%[deptypes=build] x`; empty if the types are not constrained.
    pub deptypes: Deptypes,
    /// `%c,cxx=gcc`, `^[virtuals=mpi] mpich`: the virtual packages that it must provide.
    pub virtuals: SortedList<String>,
    /// `%[when=+cuda] x`: only required if the dependent node satisfies this.
    pub when: Option<Box<Spec>>,
    /// The constraints on the dependency itself.
    pub node: Node,
}

impl Default for Node {
    /// Creates a node without constraints.
    fn default() -> Node {
        Node {
            name: None,
            namespace: None,
            versions: VersionConstraint::any(),
            variants: SortedList::default(),
            architecture: ArchitectureConstraint::default(),
            flags: SortedList::default(),
            hash: None,
            compiler: None,
            dependencies: Vec::new(),
        }
    }
}

impl Node {
    /// Returns `true` if the node constrains nothing.
    pub fn is_any(&self) -> bool {
        *self == Node::default()
    }

    /// Returns `true` if the node constrains only its name. It may still constrain dependencies.
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
