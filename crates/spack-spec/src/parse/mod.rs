//! Reading specs.
//!
//! [`Spec::parse`] is for programs: a spec or the first error, with its place in the text.
//! [`Spec::read`] is for what someone is typing: it never fails, and returns a [`Reading`], which
//! is the spec as far as it was understood, all problems, and the role of each piece of the text.
//! Both are the same reader.
//!
//! What differs from Spack, on purpose:
//!
//! - A file name (`./spec.json`) is an error: there are no files here.
//! - Words that mean the machine Spack runs on (`os=fe`, `target=default_target`) are taken as
//!   names.
//! - `+os` and the like are errors; Spack takes the value for the text `True`.
//! - A quote must be closed by one that has no backslash before it.

mod complete;
mod edge;
mod error;
mod node;
mod reader;
mod token;
mod version;

pub use complete::{Completion, Expected};
pub use error::{ParseError, ParseErrorKind};
pub(crate) use reader::RENAMED_COMPILERS;
pub use token::Span;

use crate::{Dialect, Spec};
use reader::Reader;

/// How many variants, flags and dependencies a spec may have, together. Nobody writes as many; it
/// bounds the work on absurd input.
pub const LIMIT: usize = 1000;

/// What was understood of a text, and what was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The spec, as if what is a problem had not been written.
    pub spec: Spec,
    /// In the order in which they were found.
    pub problems: Vec<ParseError>,
    /// The pieces of the text, without the space between them, in the order in which they stand
    /// there; none overlaps another.
    pub parts: Vec<Part>,
}

/// A piece of a spec's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it stands, in bytes.
    pub span: Span,
    /// What it is.
    pub role: Role,
    /// The node it belongs to: 0 is the root, 1 the first `^` or `%` in the text, and so on.
    pub node: usize,
}

/// What a piece of a spec's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The name of a package, or `*`.
    Package,
    /// The `builtin.` before it, or `namespace=…`.
    Namespace,
    /// A version constraint with its `@`; without it after the name of a compiler.
    Version,
    /// `+x`, `~x`, `k=v`.
    Variant,
    /// The name after `%`, before Spack 1.0. Later that is a [`Package`](Role::Package).
    Compiler,
    /// `os=…`, `arch=…`.
    Architecture,
    /// `cflags=…`.
    Flag,
    /// `/abc`.
    Hash,
    /// `^`, `%`, and the brackets of edge attributes.
    Sigil,
    /// `virtuals=…`, `deptypes=…`, `when=…`.
    EdgeAttribute,
    /// What stands before the `=` in `%c,cxx=gcc`.
    Virtual,
    /// What has no place here.
    Problem,
}

impl Spec {
    /// Reads exactly one spec.
    ///
    /// ```
    /// use spack_spec::{Dialect, Spec};
    ///
    /// let spec = Spec::parse("hdf5@1.14: +mpi %c=gcc@13 ^mpich", Dialect::V1)?;
    /// assert_eq!(spec.root.name.as_deref(), Some("hdf5"));
    /// assert_eq!(spec.to_string(), "hdf5@1.14:+mpi %c=gcc@13 ^mpich");
    /// # Ok::<(), spack_spec::ParseError>(())
    /// ```
    pub fn parse(text: &str, dialect: Dialect) -> Result<Spec, ParseError> {
        let Reading { spec, problems, .. } = Spec::read(text, dialect);
        match problems.into_iter().next() {
            None => Ok(spec),
            Some(problem) => Err(problem),
        }
    }

    /// Reads what someone is typing.
    ///
    /// ```
    /// use spack_spec::{Dialect, Role, Spec};
    ///
    /// let reading = Spec::read("hdf5@ +mpi", Dialect::V1);
    /// assert_eq!(reading.spec.to_string(), "hdf5+mpi");
    /// assert_eq!(reading.problems[0].to_string(), "expected a version after `@`");
    /// assert_eq!(reading.problems[0].span, 4..5);
    /// assert_eq!(reading.parts[0].role, Role::Package);
    /// ```
    pub fn read(text: &str, dialect: Dialect) -> Reading {
        let mut reading = Reader::new(text, dialect, 0).read();
        reading.parts.sort_by_key(|part| part.span.start);
        reading
    }
}

impl std::str::FromStr for Spec {
    type Err = ParseError;

    /// In the dialect of Spack 1.x.
    fn from_str(text: &str) -> Result<Spec, ParseError> {
        Spec::parse(text, Dialect::V1)
    }
}
