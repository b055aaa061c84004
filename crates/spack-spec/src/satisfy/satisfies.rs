//! Yes, no, and cannot tell.

use std::fmt;

/// The answer to whether a build satisfies a spec. `Ord` goes from no to yes, so [`and`](Satisfies::and) is the lesser
/// and [`or`](Satisfies::or) the greater of two answers.
///
/// ```
/// use spack_spec::{Satisfies, MissingData};
///
/// let unknown = Satisfies::CannotTell(MissingData::Dependencies);
/// assert_eq!(Satisfies::Yes.and(unknown), unknown);
/// assert_eq!(Satisfies::Yes.or(unknown), Satisfies::Yes);
/// assert_eq!(Satisfies::No.and(unknown), Satisfies::No);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Satisfies {
    /// It does not.
    No,
    /// The data does not say.
    CannotTell(MissingData),
    /// It does.
    Yes,
}

/// The missing data that an answer needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MissingData {
    /// Dependencies are not listed.
    Dependencies,
    /// Only recipes say which packages provide a virtual package.
    Providers,
    /// The repository of the recipe is not listed.
    Namespace,
    /// Compiler flags are not listed.
    Flags,
}

impl Satisfies {
    /// Returns yes if both are yes, no if either is no.
    #[inline(always)] // A search asks it for each build.
    pub fn and(self, other: Satisfies) -> Satisfies {
        // The lesser of the two; mostly one is a yes.
        match (self, other) {
            (Satisfies::Yes, answer) | (answer, Satisfies::Yes) => answer,
            _ => self.min(other),
        }
    }

    /// Returns yes if either is yes, no if both are no.
    #[inline(always)] // A search asks it once for each edge.
    pub fn or(self, other: Satisfies) -> Satisfies {
        // The greater of the two. Asked once for every edge; most answers are no.
        match (self, other) {
            (Satisfies::No, answer) | (answer, Satisfies::No) => answer,
            _ => self.max(other),
        }
    }

    /// Returns `true` for [`Satisfies::Yes`].
    pub fn is_yes(self) -> bool {
        self == Satisfies::Yes
    }
}

impl From<bool> for Satisfies {
    fn from(is_yes: bool) -> Satisfies {
        if is_yes { Satisfies::Yes } else { Satisfies::No }
    }
}

impl fmt::Display for MissingData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MissingData::Dependencies => "the data does not list dependencies",
            MissingData::Providers => {
                "the data does not say which packages provide a virtual package"
            }
            MissingData::Namespace => "the data does not list namespaces",
            MissingData::Flags => "the data does not list compiler flags",
        })
    }
}
