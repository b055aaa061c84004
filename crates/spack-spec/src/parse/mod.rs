//! Reading specs.
//!
//! [`Spec::parse`] is for programs: it returns a spec or the first error, with its position in the text. [`Spec::read`]
//! is for text that someone is typing: it never fails, and returns a [`SpecDraft`], which has the part of the spec that
//! was understood, all problems, and the role of each piece of the text. Both use the same reader.
//!
//! Deliberate differences from Spack:
//!
//! - A file name (`./spec.json`) is an error, because this crate reads no files.
//! - Words that refer to the machine that Spack runs on (`os=fe`, `target=default_target`) are read as ordinary names.
//! - `+os` and the like are errors; Spack would set the value to the text `True`.
//! - A quote must be closed by one that has no backslash before it.

mod complete;
mod edge;
mod error;
mod node;
mod reader;
mod token;
mod version;

pub use complete::{Completion, CompletionKind};
pub use error::{ParseError, ParseErrorKind};
pub(crate) use reader::RENAMED_COMPILERS;

use crate::span::Span;
use crate::{Dialect, Spec};
use reader::Reader;

/// How many versions, variants, values, flags and dependencies a spec may have in total. Nobody writes that many; the
/// limit bounds the work on absurd input.
pub const SPEC_LIMIT: usize = 1000;

/// The result of reading a text that may have problems.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpecDraft {
    /// The spec without the parts that have problems.
    pub spec: Spec,
    /// In the order in which they were found.
    pub problems: Vec<ParseError>,
    /// The pieces of the text, without the space between them, in the order of the text and without overlap.
    pub parts: Vec<SpecPart>,
}

impl SpecDraft {
    /// Returns the parts that constrain a direct dependency because they follow its `%`.
    ///
    /// Before Spack 1.0 they would have constrained the package, and someone who writes `py-torch %gcc ~cuda` most
    /// likely means that. Versions are left out: in both dialects, a version after a compiler constrains the compiler.
    ///
    /// ```
    /// use spack_spec::{Dialect, Spec};
    ///
    /// let text = "py-torch %gcc@13 ~cuda os=rhel8";
    /// let reading = Spec::read(text, Dialect::V1);
    /// let asked: Vec<&str> =
    ///     reading.constraints_after_percent().map(|part| &text[part.span.clone()]).collect();
    /// assert_eq!(asked, ["~cuda", "os=rhel8"]);
    /// ```
    pub fn constraints_after_percent(&self) -> impl Iterator<Item = &SpecPart> {
        let mut is_direct = false;
        self.parts.iter().filter(move |part| {
            match part.role {
                PartRole::Direct => is_direct = self.spec.dialect == Dialect::V1,
                PartRole::Transitive => is_direct = false,
                _ => {}
            }
            is_direct
                && matches!(part.role, PartRole::Variant | PartRole::Architecture | PartRole::Flag)
        })
    }
}

/// A piece of a spec's text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpecPart {
    /// Its position, in bytes.
    pub span: Span,
    /// What it is.
    pub role: PartRole,
    /// The node that it belongs to: 0 is the root, 1 the first `^` or `%` in the text, and so on.
    pub node: usize,
}

/// What a piece of a spec's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PartRole {
    /// The name of a package, or `*`.
    Package,
    /// The `builtin.` before it, or `namespace=…`.
    Namespace,
    /// A version constraint with its `@`; without the `@` after the name of a compiler.
    Version,
    /// `+x`, `~x`, `k=v`.
    Variant,
    /// The name after `%`, before Spack 1.0. Since then it is a [`Package`](PartRole::Package).
    Compiler,
    /// `os=…`, `arch=…`.
    Architecture,
    /// `cflags=…`.
    Flag,
    /// `/abc`.
    Hash,
    /// `%`, which belongs to the node after it; before Spack 1.0 the `%` of a compiler, which belongs to the package.
    Direct,
    /// `^`. It belongs to the node after it.
    Transitive,
    /// `[` or `]` of edge attributes.
    Bracket,
    /// `virtuals=…`, `deptypes=…`, `when=…`.
    EdgeAttribute,
    /// The text before the `=` in `%c,cxx=gcc`.
    Virtual,
    /// Text that cannot be part of the spec.
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
        let SpecDraft { spec, problems, .. } = Spec::read(text, dialect);
        match problems.into_iter().next() {
            None => Ok(spec),
            Some(problem) => Err(problem),
        }
    }

    /// Reads text that someone is typing.
    ///
    /// ```
    /// use spack_spec::{Dialect, PartRole, Spec};
    ///
    /// let reading = Spec::read("hdf5@ +mpi", Dialect::V1);
    /// assert_eq!(reading.spec.to_string(), "hdf5+mpi");
    /// assert_eq!(reading.problems[0].to_string(), "expected a version after `@`");
    /// assert_eq!(reading.problems[0].span, 4..5);
    /// assert_eq!(reading.parts[0].role, PartRole::Package);
    /// ```
    pub fn read(text: &str, dialect: Dialect) -> SpecDraft {
        Reader::new(text, dialect, 0).read()
    }
}

impl std::str::FromStr for Spec {
    type Err = ParseError;

    /// Reads a spec in the dialect of Spack 1.x.
    fn from_str(text: &str) -> Result<Spec, ParseError> {
        Spec::parse(text, Dialect::V1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PartRole::{
        Architecture, Bracket, Compiler, Direct, EdgeAttribute, Flag, Hash, Namespace, Package,
        Problem, Transitive, Variant, Version, Virtual,
    };

    #[track_caller]
    fn check(dialect: Dialect, text: &str, expected: &[(&str, PartRole, usize)]) {
        let reading = Spec::read(text, dialect);
        let parts: Vec<(&str, PartRole, usize)> = reading
            .parts
            .iter()
            .map(|part| (&text[part.span.clone()], part.role, part.node))
            .collect();
        assert_eq!(parts, expected);
    }

    #[test]
    fn gives_each_piece_a_role_and_a_node() {
        check(
            Dialect::V1,
            "builtin.hdf5@1.14 +mpi api=v110 os=rhel8 cflags=-O3 /abc",
            &[
                ("builtin.", Namespace, 0),
                ("hdf5", Package, 0),
                ("@1.14", Version, 0),
                ("+mpi", Variant, 0),
                ("api=v110", Variant, 0),
                ("os=rhel8", Architecture, 0),
                ("cflags=-O3", Flag, 0),
                ("/abc", Hash, 0),
            ],
        );
        check(
            Dialect::V1,
            "%c,cxx=gcc@13 ^[deptypes=link] mpich %%b",
            &[
                ("%", Direct, 1),
                ("c,cxx", Virtual, 1),
                ("gcc", Package, 1),
                ("@13", Version, 1),
                ("^", Transitive, 2),
                ("[", Bracket, 2),
                ("deptypes=link", EdgeAttribute, 2),
                ("]", Bracket, 2),
                ("mpich", Package, 2),
                ("%%", Direct, 3),
                ("b", Package, 3),
            ],
        );
        check(
            Dialect::V0,
            "hdf5 % gcc @ 13+mpi",
            &[
                ("hdf5", Package, 0),
                ("%", Direct, 0),
                ("gcc", Compiler, 0),
                ("13", Version, 0),
                ("+mpi", Variant, 0),
            ],
        );
    }

    #[test]
    fn reads_on_after_a_problem() {
        check(
            Dialect::V1,
            "hdf5 { zlib @ +mpi os= ^mpich",
            &[
                ("hdf5", Package, 0),
                ("{", Problem, 0),
                ("zlib", Problem, 0),
                ("@", Problem, 0),
                ("+mpi", Variant, 0),
                ("os=", Problem, 0),
                ("^", Transitive, 1),
                ("mpich", Package, 1),
            ],
        );
        let reading = Spec::read("hdf5 { zlib @ +mpi os= ^mpich", Dialect::V1);
        assert_eq!(reading.spec.to_string(), "hdf5+mpi ^mpich");
        assert_eq!(reading.problems.len(), 4);
    }
}
