//! What is known of builds: the other side of the question.

use crate::{Deptypes, VariantValue, Version};

/// Concrete specs and what they depend on, however they are stored.
///
/// A node is a number below [`node_count`](Graph::node_count). Where the data does not say
/// something, `None` leads to [`Answer::CannotTell`](crate::Answer::CannotTell) where it matters,
/// and is never taken for a no. The [module](super) has an example.
///
/// To ask many questions, wrap it in [`Numbered`](super::Numbered), which asks a [`Matcher`].
///
/// [`Matcher`]: super::Matcher
pub trait Graph {
    /// The number of nodes.
    fn node_count(&self) -> usize;

    /// What is known of a node, apart from its variants and dependencies.
    fn facts(&self, node: usize) -> Facts<'_>;

    /// What the variant of this name is set to; `None` if the node has no such variant.
    fn variant(&self, node: usize, name: &str) -> Option<&VariantValue>;

    /// The direct dependencies, each with the node that it leads to, or `None` if the data has only
    /// its name; `None` if the data does not list dependencies.
    fn dependencies(&self, node: usize) -> Option<Vec<(Link<'_>, Option<usize>)>>;
}

/// What is known of a node, apart from its variants and dependencies.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The package.
    pub name: &'a str,
    /// The version.
    pub version: &'a Version,
    /// Spack's hash, in lower case; empty if it has none.
    pub hash: &'a str,
    /// The repository of the recipe, such as `builtin`; `None` if the data does not say.
    pub namespace: Option<&'a str>,
    /// Platform, operating system and target.
    pub architecture: [&'a str; 3],
    /// Compiler flags by name (`cflags`); `None` if the data does not say.
    pub flags: Option<&'a [(String, Vec<String>)]>,
    /// What it was compiled by.
    pub compiler: Compiler<'a>,
}

impl<'a> Facts<'a> {
    /// A node of which no more is known than its package and version, compiled as Spack 1.x
    /// records it: by dependencies.
    ///
    /// ```
    /// use spack_spec::satisfy::Facts;
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

/// What a node was compiled by, and how the data says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler<'a> {
    /// By the dependencies that stand for `c`, `cxx` or `fortran`, as in what Spack 1.x wrote.
    Dependency,
    /// By this compiler, as a Spack before 1.0 recorded it (`gcc`, `clang`, `oneapi`). Name and
    /// version are all that such a file says of it.
    Recorded {
        /// The compiler's name, which is not always that of a package.
        name: &'a str,
        /// Its version.
        version: &'a Version,
    },
    /// By nothing, or by a compiler that was not recorded, in a file of a Spack before 1.0.
    NotRecorded,
}

/// What one node is to another that depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Link<'a> {
    /// The package depended on.
    pub package: &'a str,
    /// What it is needed for.
    pub deptypes: Deptypes,
    /// The virtual packages that it stands for, such as `mpi` and `c`.
    pub virtuals: &'a [String],
}

impl Link<'_> {
    /// Returns `true` if the name is that of the package, or of a virtual package that it stands
    /// for.
    pub fn is_called(&self, name: &str) -> bool {
        self.package == name || self.stands_for(name)
    }

    /// Returns `true` if it stands for the virtual package of this name.
    pub fn stands_for(&self, name: &str) -> bool {
        self.virtuals.iter().any(|known| known == name)
    }

    /// Returns `true` if the dependent needs it after it was built.
    pub(super) fn is_linked_or_run(&self) -> bool {
        self.deptypes.intersects(Deptypes::LINK.union(Deptypes::RUN))
    }
}
