//! What can be wrong with a spec's text, and where.

use std::fmt;

use crate::VersionError;
use crate::span::{Span, excerpt, message_with_carets, shown};

/// An error in a spec, with its position in the text.
///
/// `Display` prints one sentence; [`in_text`](ParseError::in_text) adds the text and carets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// Where, in bytes. Empty, and at the end of the text, if something is missing there.
    pub span: Span,
}

/// What can be wrong with a spec.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// No part of a spec can start with this character.
    UnexpectedCharacter(char),
    /// `@` without a version.
    ExpectedVersion,
    /// `+` without a name.
    ExpectedVariantName,
    /// `/` without a hash.
    ExpectedHash,
    /// `k=` without a value.
    ExpectedValue {
        /// The name on the left.
        name: String,
    },
    /// A quote is opened but not closed.
    UnclosedQuote,
    /// Another package, or a word that is not understood, follows the spec.
    MoreThanOneSpec {
        /// The text that follows.
        found: String,
    },
    /// `./spec.json`: Spack would read the file.
    FileName,
    /// `@1 @2`.
    VersionGivenTwice,
    /// The text after the `@` is not a version or a list of versions.
    Version(VersionError),
    /// `+x~x`.
    VariantGivenTwice {
        /// The variant's name.
        name: String,
    },
    /// `os=a os=b`.
    ArchitectureGivenTwice {
        /// `platform`, `os` or `target`.
        part: &'static str,
    },
    /// `arch=linux-ubuntu24.04-zen2 target=zen3`.
    ArchitectureComplete,
    /// `%gcc %clang`, before Spack 1.0.
    CompilerGivenTwice,
    /// `target==zen3`.
    CannotPropagate {
        /// The name on the left.
        name: String,
    },
    /// `+os`.
    ExpectedText {
        /// The name of an attribute that takes a value.
        name: String,
    },
    /// `x=*,a`, and before Spack 1.0 `x=none,a`.
    ValueStandsAlone {
        /// The value that cannot be combined.
        value: &'static str,
    },
    /// `^` or `%` without anything after it.
    ExpectedDependency,
    /// Something other than `key=value`, or the end of the text, between the brackets of `^[…]`.
    ExpectedEdgeAttribute,
    /// `^[color=red]`.
    UnknownEdgeAttribute {
        /// The name on the left.
        name: String,
    },
    /// `^[deptypes=foo]`.
    UnknownDeptype {
        /// The text that was found.
        found: String,
    },
    /// `^[virtuals=a b]`.
    BadVirtual {
        /// The text that was found.
        found: String,
    },
    /// The condition in `^[when=…]` is not a spec.
    BadCondition {
        /// What is wrong with the condition.
        problem: String,
    },
    /// `^a@1 ^a@2`: one dependency is constrained twice, and the constraints cannot be merged.
    ConflictingDependencies {
        /// The package that is named twice.
        name: String,
    },
    /// More dependencies, variants, values, flags and versions than [`SPEC_LIMIT`](crate::SPEC_LIMIT).
    TooLong {
        /// The largest number of parts that a spec may have.
        limit: usize,
    },
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ParseErrorKind as Kind;
        match self {
            Kind::UnexpectedCharacter(character) => {
                write!(f, "unexpected character {}", shown(*character))
            }
            Kind::ExpectedVersion => f.write_str("expected a version after `@`"),
            Kind::ExpectedVariantName => f.write_str("expected the name of a variant"),
            Kind::ExpectedHash => f.write_str("expected a hash after `/`"),
            Kind::ExpectedValue { name } => {
                write!(f, "expected a value right after `{}=`", excerpt(name))
            }
            Kind::UnclosedQuote => f.write_str("the quote is not closed"),
            Kind::MoreThanOneSpec { found } => {
                write!(f, "expected a single spec, but `{}` starts another", excerpt(found))
            }
            Kind::FileName => f.write_str("a file cannot be read here"),
            Kind::VersionGivenTwice => f.write_str("a version is given twice"),
            Kind::Version(error) => write!(f, "{error}"),
            Kind::VariantGivenTwice { name } => {
                write!(f, "the variant `{}` is given twice", excerpt(name))
            }
            Kind::ArchitectureGivenTwice { part } => write!(f, "`{part}` is given twice"),
            Kind::ArchitectureComplete => {
                f.write_str("the architecture is complete already: no part can be given again")
            }
            Kind::CompilerGivenTwice => f.write_str("a compiler is given twice"),
            Kind::CannotPropagate { name } => {
                write!(f, "`{}` cannot be propagated with `==`", excerpt(name))
            }
            Kind::ExpectedText { name } => {
                let name = excerpt(name);
                write!(f, "`{name}` is not a boolean variant: expected `{name}=` and a value")
            }
            Kind::ValueStandsAlone { value } => {
                write!(f, "the value `{value}` cannot be combined with others")
            }
            Kind::ExpectedDependency => {
                f.write_str("expected a package, a version, a variant or the like after this")
            }
            Kind::ExpectedEdgeAttribute => {
                f.write_str("expected `deptypes=`, `virtuals=` or `]` in the edge attributes")
            }
            Kind::UnknownEdgeAttribute { name } => write!(
                f,
                "expected `deptypes=`, `virtuals=` or `when=` in the edge attributes, found `{}=`",
                excerpt(name)
            ),
            Kind::UnknownDeptype { found } => write!(
                f,
                "expected `build`, `link`, `run` or `test` for a dependency type, found `{}`",
                excerpt(found)
            ),
            Kind::BadVirtual { found } => {
                write!(f, "expected the name of a virtual package, found `{}`", excerpt(found))
            }
            Kind::BadCondition { problem } => write!(f, "in the condition: {problem}"),
            Kind::ConflictingDependencies { name } => {
                write!(
                    f,
                    "what is asked of `{}` here contradicts the rest of the spec",
                    excerpt(name)
                )
            }
            Kind::TooLong { limit } => {
                write!(
                    f,
                    "expected at most {limit} versions, variants, values, flags and dependencies"
                )
            }
        }
    }
}

impl ParseError {
    /// Returns the sentence, the line of the text that it refers to, and carets below the position.
    ///
    /// ```
    /// use spack_spec::{Dialect, Spec};
    ///
    /// let text = "hdf5@1.14 +mpi os=";
    /// let error = Spec::parse(text, Dialect::V1).unwrap_err();
    /// assert_eq!(
    ///     error.in_text(text),
    ///     "expected a value right after `os=`\nhdf5@1.14 +mpi os=\n               ^^^"
    /// );
    /// ```
    pub fn in_text(&self, text: &str) -> String {
        message_with_carets(self, text, self.span.clone())
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests {
    use crate::{Dialect, Spec};

    /// Checks the underlined part and the message of a text's first problem.
    #[track_caller]
    fn check_in(dialect: Dialect, text: &str, underlined: &str, message: &str) {
        let error = Spec::parse(text, dialect).expect_err("an error");
        assert_eq!((&text[error.span.clone()], &*error.to_string()), (underlined, message));
    }

    #[track_caller]
    fn check(text: &str, underlined: &str, message: &str) {
        check_in(Dialect::V1, text, underlined, message);
    }

    #[test]
    fn says_what_was_found_and_expected() {
        check("hdf5 {", "{", "unexpected character `{`");
        check("hdf5 \u{7}", "\u{7}", "unexpected character U+0007");
        check("hdf5@ +mpi", "@", "expected a version after `@`");
        check("hdf5 + ", "+", "expected the name of a variant");
        check("hdf5/", "/", "expected a hash after `/`");
        check("hdf5 api=", "api=", "expected a value right after `api=`");
        check("hdf5 api:= a", "api:=", "expected a value right after `api=`");
        check("hdf5 api='a", "api", "the quote is not closed");
        check("hdf5 zlib", "zlib", "expected a single spec, but `zlib` starts another");
        check("/abc/def", "/def", "expected a single spec, but `/def` starts another");
        check("./a.json", "./a.json", "a file cannot be read here");
        check("hdf5@1 @2", "@2", "a version is given twice");
        check("hdf5@1.4:1.2", "@1.4:1.2", "the range `1.4:1.2` is empty: it ends before it starts");
        check("hdf5+mpi~mpi", "~mpi", "the variant `mpi` is given twice");
        check("os=a os=b", "os=b", "`os` is given twice");
        check(
            "arch=linux-a-zen target=zen2",
            "target=zen2",
            "the architecture is complete already: no part can be given again",
        );
        check_in(Dialect::V0, "a %gcc %gcc", "%gcc", "a compiler is given twice");
        check("target==zen2", "target==zen2", "`target` cannot be propagated with `==`");
        check("+os", "+os", "`os` is not a boolean variant: expected `os=` and a value");
        check("x=a,*", "x=a,*", "the value `*` cannot be combined with others");
        check_in(
            Dialect::V0,
            "x=a,none",
            "x=a,none",
            "the value `none` cannot be combined with others",
        );
        let missing = "expected a package, a version, a variant or the like after this";
        check("hdf5 %", "%", missing);
        check_in(Dialect::V0, "hdf5 ^", "^", missing);
        let attribute = "expected `deptypes=`, `virtuals=` or `]` in the edge attributes";
        check("a ^[b] c", "b", attribute);
        check("a ^[", "", attribute);
        check(
            "a ^[color=red] c",
            "color=red",
            "expected `deptypes=`, `virtuals=` or `when=` in the edge attributes, found `color=`",
        );
        check(
            "a ^[deptypes=foo] c",
            "deptypes=foo",
            "expected `build`, `link`, `run` or `test` for a dependency type, found `foo`",
        );
        check(
            "a ^[virtuals='b c'] c",
            "virtuals='b c'",
            "expected the name of a virtual package, found `b c`",
        );
        check("a ^[when='+'] c", "when='+'", "in the condition: expected the name of a variant");
        check("a ^b@1 ^b@2", "^", "what is asked of `b` here contradicts the rest of the spec");
        check(
            &format!("a k={}", "b,".repeat(1000)),
            &format!("k={}", "b,".repeat(1000)),
            "expected at most 1000 versions, variants, values, flags and dependencies",
        );
    }

    #[test]
    fn puts_carets_below_the_place() {
        let text = format!("{}\n  {} {{ {}", "first line", "é".repeat(100), "b".repeat(100));
        let error = Spec::parse(&text, Dialect::V1).expect_err("an error");
        assert_eq!(
            error.in_text("hdf5"),
            "expected a single spec, but `line` starts another\nhdf5\n    ^"
        );
        let error = super::ParseError {
            kind: super::ParseErrorKind::ExpectedVersion,
            span: text.find('{').map(|place| place..place + 1).expect("a brace"),
        };
        assert_eq!(
            error.in_text(&text),
            format!(
                "expected a version after `@`\n…{} {{ {}…\n{}^",
                "é".repeat(59),
                "b".repeat(58),
                " ".repeat(61)
            )
        );
    }
}
