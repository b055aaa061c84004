//! The data that specs are compared with.

use crate::{Deptypes, VariantValue, Version};

/// Concrete specs and what they depend on, however they are stored.
///
/// A node is a number below [`node_count`](Graph::node_count). If the data does not say something, return `None`: where
/// it matters, the answer is then [`Satisfies::CannotTell`](crate::Satisfies::CannotTell), never a guess.
///
/// To ask many questions, wrap the graph in [`NumberedGraph`](crate::NumberedGraph), which a
/// [`Matcher`](crate::Matcher) can use.
///
/// A graph of one build:
///
/// ```
/// use spack_spec::{
///     Dialect, Facts, Graph, Link, MissingData, Satisfies, Spec, Variant, VariantValue, Version,
/// };
///
/// struct Hdf5 {
///     version: Version,
///     mpi: Variant,
/// }
///
/// impl Graph for Hdf5 {
///     fn node_count(&self) -> usize {
///         1
///     }
///     // This data does not say which repository the recipe is from.
///     fn facts(&self, _: usize) -> Facts<'_> {
///         Facts {
///             hash: "rusemfbegqdqpg2s7dh6xzcv4mg4ysrb",
///             architecture: ["linux", "ubuntu24.04", "x86_64_v3"],
///             ..Facts::new("hdf5", &self.version)
///         }
///     }
///     fn variant(&self, _: usize, name: &str) -> Option<&VariantValue> {
///         (name == self.mpi.name).then_some(&self.mpi.value)
///     }
///     fn dependencies(&self, _: usize) -> Option<Vec<(Link<'_>, Option<usize>)>> {
///         None
///     }
/// }
///
/// let hdf5 = Hdf5 { version: "1.14.5".parse()?, mpi: "+mpi".parse()? };
/// let answer = |text: &str| Ok::<_, Box<dyn std::error::Error>>(
///     Spec::parse(text, Dialect::V1)?.is_satisfied_by(&hdf5, 0),
/// );
/// assert_eq!(answer("hdf5@1.12: target=x86_64_v2:")?, Satisfies::Yes);
/// assert_eq!(answer("~mpi")?, Satisfies::No);
/// assert_eq!(answer("hdf5 ^mpich")?, Satisfies::CannotTell(MissingData::Dependencies));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Graph {
    /// Returns the number of nodes.
    fn node_count(&self) -> usize;

    /// Returns what is known about a node, apart from its variants and dependencies.
    fn facts(&self, node: usize) -> Facts<'_>;

    /// Returns the value of the variant of this name; `None` if the node has no such variant.
    fn variant(&self, node: usize, name: &str) -> Option<&VariantValue>;

    /// Returns the direct dependencies, each with its node, or with `None` if the data has only its name; `None` if the
    /// data does not list dependencies.
    fn dependencies(&self, node: usize) -> Option<Vec<(Link<'_>, Option<usize>)>>;
}

/// What is known about a node, apart from its variants and dependencies.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The package.
    pub name: &'a str,
    /// The version.
    pub version: &'a Version,
    /// Spack's hash, in lower case; empty if the node has none.
    pub hash: &'a str,
    /// The repository of the recipe, such as `builtin`; `None` if the data does not say.
    pub namespace: Option<&'a str>,
    /// Platform, operating system and target.
    pub architecture: [&'a str; 3],
    /// Compiler flags by name (`cflags`); `None` if the data does not say.
    pub flags: Option<&'a [(String, Vec<String>)]>,
    /// The compiler.
    pub compiler: Compiler<'a>,
}

impl<'a> Facts<'a> {
    /// Creates the facts of a node with nothing but a package and a version, whose compiler is among its dependencies,
    /// as in Spack 1.x.
    ///
    /// ```
    /// use spack_spec::Facts;
    ///
    /// let version = "1.14.5".parse()?;
    /// let facts = Facts { namespace: Some("builtin"), ..Facts::new("hdf5", &version) };
    /// assert_eq!(facts.flags, None);
    /// # Ok::<(), spack_spec::VersionError>(())
    /// ```
    pub fn new(name: &'a str, version: &'a Version) -> Facts<'a> {
        Facts {
            name,
            version,
            hash: "",
            namespace: None,
            architecture: [""; 3],
            flags: None,
            compiler: Compiler::Dependency,
        }
    }
}

/// The compiler of a node, in the form in which the data records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler<'a> {
    /// The dependencies that provide `c`, `cxx` or `fortran`, as Spack 1.x records it.
    Dependency,
    /// A compiler as Spack before 1.0 recorded it (`gcc`, `clang`, `oneapi`): only a name and a version.
    Recorded {
        /// The compiler's name, which is not always the name of a package.
        name: &'a str,
        /// Its version.
        version: &'a Version,
    },
    /// No compiler, or none that was recorded, in data from Spack before 1.0.
    NotRecorded,
}

/// The properties of an edge, apart from the nodes at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Link<'a> {
    /// The package depended on.
    pub package: &'a str,
    /// Why it is needed.
    pub deptypes: Deptypes,
    /// The virtual packages that it provides on this edge, such as `mpi` and `c`.
    pub virtuals: &'a [String],
}

impl Link<'_> {
    /// Returns `true` if this is the name of the package, or of a virtual package that it provides here.
    pub fn is_called(&self, name: &str) -> bool {
        self.package == name || self.stands_for(name)
    }

    /// Returns `true` if it provides the virtual package of this name here.
    pub fn stands_for(&self, name: &str) -> bool {
        self.virtuals.iter().any(|known| known == name)
    }

    /// Returns `true` for a link or run dependency, which the dependent still needs after it is built.
    pub(super) fn is_linked_or_run(&self) -> bool {
        self.deptypes.intersects(Deptypes::LINK.union(Deptypes::RUN))
    }
}
