//! The versions of the spec language.

/// A version of the spec language. Spack 1.0 changed what specs mean.
///
/// | written | [`V0`](Dialect::V0) | [`V1`](Dialect::V1) |
/// |---|---|---|
/// | `%gcc` | an attribute of the package | a direct dependency |
/// | `hdf5 %gcc +mpi` | `+mpi` belongs to hdf5 | `+mpi` belongs to gcc |
/// | `^x` | anywhere in the graph | among link and run dependencies, and the root's own build dependencies |
/// | `%c,cxx=gcc`, `%[virtuals=c] gcc` | errors | the dependency that provides these |
/// | `x:=y` | an error | exactly these values |
/// | `a=b%gcc` | `%` ends the value | `%` is part of the value |
///
/// Database files up to version 7, and pages made from them, use the first dialect; files from version 8 on use the
/// second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Spack before 1.0.
    V0,
    /// Spack 1.0 and later.
    #[default]
    V1,
}
