//! The parts of a view that have an address of their own.

use crate::facet::Facet;

/// Which part of a view is shown. A view that has no such part shows its first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// The table of packages or builds.
    #[default]
    List,
    /// How many builds there are of each kind, as a matrix.
    Coverage,
    /// How to install the package.
    Install,
    /// What the cache holds as a whole, and since when.
    About,
}

impl Tab {
    /// All of them.
    pub const ALL: [Tab; 4] = [Tab::List, Tab::Coverage, Tab::Install, Tab::About];

    /// Its name in URLs.
    pub fn key(self) -> &'static str {
        match self {
            Tab::List => "list",
            Tab::Coverage => "coverage",
            Tab::Install => "install",
            Tab::About => "about",
        }
    }

    /// The one of a name in a URL.
    pub fn from_key(key: &str) -> Option<Tab> {
        Tab::ALL.into_iter().find(|tab| tab.key() == key)
    }
}

/// What the columns of a package's coverage matrix are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Across {
    /// Operating systems, and within each its targets.
    #[default]
    Machine,
    /// Compilers.
    Compiler,
    /// Stacks.
    Stack,
}

impl Across {
    /// All of them.
    pub const ALL: [Across; 3] = [Across::Machine, Across::Compiler, Across::Stack];

    /// Its name in URLs.
    pub fn key(self) -> &'static str {
        match self {
            Across::Machine => "machine",
            Across::Compiler => "compiler",
            Across::Stack => "stack",
        }
    }

    /// The one of a name in a URL.
    pub fn from_key(key: &str) -> Option<Across> {
        Across::ALL.into_iter().find(|across| across.key() == key)
    }

    /// The facets that make a column; their order is that of its values.
    pub fn facets(self) -> &'static [Facet] {
        match self {
            Across::Machine => &[Facet::Os, Facet::Target],
            Across::Compiler => &[Facet::Compiler],
            Across::Stack => &[Facet::Stack],
        }
    }
}
