//! Versions and constraints on them: [`Version`], a point in Spack's order, and [`VersionConstraint`], the text after
//! an `@`.

mod constraint;
mod key;
mod range;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

pub use constraint::{VersionConstraint, VersionElement};
use key::Key;
pub use range::VersionRange;

use crate::span::{Span, excerpt, message_with_carets, shown};

/// One version. It keeps its text, and compares as Spack compares.
///
/// ```
/// use spack_spec::Version;
///
/// let mut versions: Vec<Version> =
///     ["1.10", "develop", "1.9", "main", "1.10-rc1"].iter().flat_map(|text| text.parse()).collect();
/// versions.sort();
/// let sorted: Vec<&str> = versions.iter().map(Version::as_str).collect();
/// assert_eq!(sorted, ["1.9", "1.10-rc1", "1.10", "main", "develop"]);
/// ```
///
/// Equal versions may have different texts: `1.2` and `1-02` are equal.
///
/// A version made from a git branch, tag or commit is written `git.<ref>=<version>` (or `<40 hex digits>=<version>`)
/// and sorts just after the version on its right side. Without a right side nothing is known about it, and it sorts
/// after all others.
///
/// ```
/// use spack_spec::Version;
///
/// let (release, branch): (Version, Version) = ("1.14.5".parse()?, "develop".parse()?);
/// assert!(release < branch && branch.is_development());
/// assert_eq!(release.git_reference(), None);
/// assert_eq!("1.2".parse::<Version>()?, "1-02".parse()?);
/// # Ok::<(), spack_spec::VersionError>(())
/// ```
#[derive(Clone)]
pub struct Version {
    text: Box<str>,
    key: Key,
    /// The branch, tag or commit, for a version made from one.
    git: Option<Box<str>>,
}

impl Version {
    /// Returns the text that it was read from.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the branch, tag or commit that it was made from; `None` for an ordinary version.
    pub fn git_reference(&self) -> Option<&str> {
        self.git.as_deref()
    }

    /// Returns `true` if it contains one of the words that Spack orders above every number: `develop`, `main`,
    /// `master`, `head`, `trunk`, `nightly`, `stable`.
    pub fn is_development(&self) -> bool {
        self.key.has_infinity()
    }

    /// Reads a version that is not made from a git reference.
    fn standard(text: &str) -> Result<Version, VersionError> {
        let is_allowed =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        match text.bytes().position(|byte| !is_allowed(byte)) {
            None if text.is_empty() => Err(VersionError::new(VersionErrorKind::Empty, 0..0)),
            None => Ok(Version { text: text.into(), key: Key::of(text), git: None }),
            Some(position) => {
                let character = text[position..].chars().next().unwrap_or_default();
                let kind = VersionErrorKind::UnexpectedCharacter { text: excerpt(text), character };
                Err(VersionError::new(kind, position..position + character.len_utf8()))
            }
        }
    }

    /// Returns the same version in the spelling that Spack prints where it no longer has the original text.
    fn normalized(&self) -> Version {
        match key::normalized(&self.text) {
            // It consists of separators only, which have no other spelling.
            text if text.is_empty() => self.clone(),
            text => Version { text: text.into(), ..self.clone() },
        }
    }
}

/// Returns `true` if the text is a git reference rather than a version: `git.main`, a commit.
fn is_git(text: &str) -> bool {
    text.starts_with("git.")
        || text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl FromStr for Version {
    type Err = VersionError;

    /// Reads a version as Spack's databases and pages write it, without an `@`. A leading `=` is accepted, because that
    /// is how a concrete version prints in a spec.
    fn from_str(text: &str) -> Result<Version, VersionError> {
        let bare = text.strip_prefix('=').unwrap_or(text);
        let (reference, assigned) = match bare.split_once('=') {
            Some((reference, assigned)) => (reference, Some(assigned)),
            None if is_git(bare) => (bare, None),
            None => return Version::standard(bare).map_err(|error| error.within(text, bare)),
        };
        let key = match assigned {
            Some(assigned) => {
                Version::standard(assigned).map_err(|error| error.within(text, assigned))?.key
            }
            None => Key::unknown(),
        };
        let reference = reference.strip_prefix("git.").unwrap_or(reference);
        if reference.is_empty() {
            let kind = VersionErrorKind::EmptyGitReference { text: excerpt(text) };
            return Err(VersionError::new(kind, 0..0).within(text, reference));
        }
        Ok(Version { text: bare.into(), key, git: Some(reference.into()) })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Version({})", self.text)
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        self.key.cmp(&other.key).then_with(|| self.git.cmp(&other.git))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.key == other.key && self.git == other.git
    }
}

impl Eq for Version {}

impl Hash for Version {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
        self.git.hash(state);
    }
}

/// Why a text is not a version, or not a list of versions, with the position.
///
/// `Display` prints one sentence; [`in_text`](VersionError::in_text) adds the text and carets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VersionError {
    /// What is wrong.
    pub kind: VersionErrorKind,
    /// Where, in bytes. Empty if something is missing there.
    pub span: Span,
}

/// What can be wrong with the text of a version, or of a list of versions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VersionErrorKind {
    /// There is no text.
    Empty,
    /// The version contains a character that Spack does not allow there.
    UnexpectedCharacter {
        /// The version, shortened if it is long.
        text: String,
        /// The character.
        character: char,
    },
    /// `git.=1.2`: no branch, tag or commit is named.
    EmptyGitReference {
        /// The version, shortened if it is long.
        text: String,
    },
    /// `1:2:3`.
    MoreThanOneColon {
        /// The range, shortened if it is long.
        text: String,
    },
    /// `1.4:1.2`: it ends before it starts.
    EmptyRange {
        /// The range, shortened if it is long.
        text: String,
    },
}

impl VersionError {
    fn new(kind: VersionErrorKind, span: Span) -> VersionError {
        VersionError { kind, span }
    }

    /// Converts to the error for a longer text that contains the text that was read.
    fn within(self, text: &str, part: &str) -> VersionError {
        let offset = part.as_ptr().addr() - text.as_ptr().addr();
        VersionError { span: self.span.start + offset..self.span.end + offset, ..self }
    }

    /// Returns the sentence, the text, and carets below the position.
    ///
    /// ```
    /// use spack_spec::VersionConstraint;
    ///
    /// let error = "1.2, 1.4:1.2".parse::<VersionConstraint>().unwrap_err();
    /// assert_eq!(
    ///     error.in_text("1.2, 1.4:1.2"),
    ///     "the range `1.4:1.2` is empty: it ends before it starts\n1.2, 1.4:1.2\n     ^^^^^^^",
    /// );
    /// ```
    pub fn in_text(&self, text: &str) -> String {
        message_with_carets(self, text, self.span.clone())
    }
}

impl fmt::Display for VersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            VersionErrorKind::Empty => f.write_str("expected a version, found nothing"),
            VersionErrorKind::UnexpectedCharacter { text, character } => write!(
                f,
                "expected letters, digits, `.`, `-` and `_` in the version `{text}`, \
                 found {}",
                shown(*character)
            ),
            VersionErrorKind::EmptyGitReference { text } => {
                write!(f, "expected a branch, tag or commit in `{text}`, found nothing")
            }
            VersionErrorKind::MoreThanOneColon { text } => {
                write!(f, "expected one `:` in the range `{text}`, found more")
            }
            VersionErrorKind::EmptyRange { text } => {
                write!(f, "the range `{text}` is empty: it ends before it starts")
            }
        }
    }
}

impl std::error::Error for VersionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_at_the_error_in_a_malformed_version() {
        #[track_caller]
        fn check(text: &str, at: usize, expected: &str) {
            let error = text.parse::<Version>().expect_err("an error");
            assert_eq!((error.span.start, &*error.to_string()), (at, expected));
        }
        check("", 0, "expected a version, found nothing");
        check("=", 1, "expected a version, found nothing");
        check("git.main=", 9, "expected a version, found nothing");
        check("git.=1.2", 4, "expected a branch, tag or commit in `git.=1.2`, found nothing");
        check(
            "1.2+build5",
            3,
            "expected letters, digits, `.`, `-` and `_` in the version `1.2+build5`, found `+`",
        );
        check(
            &"é".repeat(1000),
            0,
            &format!(
                "expected letters, digits, `.`, `-` and `_` in the version `{}…`, found `é`",
                "é".repeat(60)
            ),
        );
    }

    #[test]
    fn keeps_the_text_of_a_version() {
        for text in ["01.2", "git.main=develop", "1.2_", "develop-2.0"] {
            assert_eq!(text.parse::<Version>().expect("a version").to_string(), text);
        }
    }
}
