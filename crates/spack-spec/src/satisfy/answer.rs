//! Yes, no, and cannot tell.

use std::fmt;

/// Whether a build is what a spec asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// It is not.
    No,
    /// The data does not say.
    CannotTell(Missing),
    /// It is.
    Yes,
}

/// What the data would have to have for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Missing {
    /// Dependencies are not listed.
    Dependencies,
    /// Which packages provide a virtual one is known from recipes only.
    Providers,
    /// The repository of the recipe is not listed.
    Namespace,
    /// Compiler flags are not listed.
    Flags,
}

impl Answer {
    /// Yes if both are.
    pub fn and(self, other: Answer) -> Answer {
        self.min(other)
    }

    /// Yes if one is.
    pub fn or(self, other: Answer) -> Answer {
        // The greater of the two; asked once for every edge, of which most are a no.
        match (self, other) {
            (Answer::No, answer) | (answer, Answer::No) => answer,
            _ => self.max(other),
        }
    }

    /// Whether it is a certain yes.
    pub fn is_yes(self) -> bool {
        self == Answer::Yes
    }
}

impl From<bool> for Answer {
    fn from(is_yes: bool) -> Answer {
        if is_yes { Answer::Yes } else { Answer::No }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Missing::Dependencies => "the data does not list dependencies",
            Missing::Providers => "the data does not say which packages provide a virtual package",
            Missing::Namespace => "the data does not list namespaces",
            Missing::Flags => "the data does not list compiler flags",
        })
    }
}
