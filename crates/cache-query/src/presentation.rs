//! How an answer is shown: the part of a view, its order and its columns.

use cache_index::facet::Facet;

use super::{Column, Sort};
use crate::Class;

/// How a view shows its answer. It belongs to one view: leaving the view resets it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presentation {
    /// The part of the view that is shown.
    pub tab: Tab,
    /// What the columns of the coverage matrix show.
    pub across: Across,
    /// The rows of a matrix that are shown.
    pub rows: MatrixRows,
    /// The release and stack whose mirror is shown, as [`Place::key`] writes them; `None` for the first.
    ///
    /// [`Place::key`]: cache_index::build::Place::key
    pub mirror: Option<String>,
    /// Which specs of an environment are shown.
    pub nodes: ShownNodes,
    /// The class of changes that is shown; `None` for all.
    pub class: Option<Class>,
    /// The order of rows; `None` for the view's default order.
    pub sort: Option<Sort>,
    /// The columns to show; `None` for the view's default columns. Sorted and unique.
    pub columns: Option<Vec<Column>>,
}

impl Presentation {
    /// Shows another part of the view, with its default columns across, all its rows and the first mirror.
    pub(crate) fn open_tab(&mut self, tab: Tab) {
        self.tab = tab;
        self.across = Across::default();
        self.rows = MatrixRows::All;
        self.mirror = None;
    }
}

/// Which rows a matrix shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum MatrixRows {
    /// All of them.
    #[default]
    All,
    /// Those in which something is absent.
    Gaps,
    /// Those in which nothing is absent.
    InEach,
    /// Those of packages that this stack has, and no other stack of the matrix.
    OnlyIn(String),
}

/// The part of a view that is shown. A view that does not have this part shows its first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// The table of packages or builds.
    #[default]
    List,
    /// The number of builds of each kind, as a matrix.
    Coverage,
    /// How to install the package.
    Install,
    /// Which packages depend on the package.
    Uses,
    /// Which packages Spack has newer releases of.
    Outdated,
    /// What the whole cache contains, and its age.
    About,
    /// What the page is for, task by task.
    Help,
}

impl Tab {
    /// Every variant.
    pub const ALL: [Tab; 7] =
        [Tab::List, Tab::Coverage, Tab::Install, Tab::Uses, Tab::Outdated, Tab::About, Tab::Help];

    /// Returns its name in URLs.
    pub fn key(self) -> &'static str {
        match self {
            Tab::List => "list",
            Tab::Coverage => "coverage",
            Tab::Install => "install",
            Tab::Uses => "uses",
            Tab::Outdated => "outdated",
            Tab::About => "about",
            Tab::Help => "help",
        }
    }

    /// Returns the variant with this name in URLs, if there is one.
    pub fn from_key(key: &str) -> Option<Tab> {
        Tab::ALL.into_iter().find(|tab| tab.key() == key)
    }
}

/// Which specs of an environment its table shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShownNodes {
    /// Those with this status; `None` for all.
    pub status: Option<NodeStatus>,
    /// `true` for only those that are needed to run what was asked for.
    pub only_to_run: bool,
    /// Those of packages whose names contain this text, in lower case.
    pub name: String,
}

/// What the cache has of a spec of an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeStatus {
    /// It would have to be built.
    Missing,
    /// It is in the cache.
    Cached,
    /// It is external, so nothing has to be installed.
    External,
}

impl NodeStatus {
    /// Every variant.
    pub const ALL: [NodeStatus; 3] =
        [NodeStatus::Missing, NodeStatus::Cached, NodeStatus::External];

    /// Returns its name in URLs.
    pub fn key(self) -> &'static str {
        match self {
            NodeStatus::Missing => "missing",
            NodeStatus::Cached => "cached",
            NodeStatus::External => "external",
        }
    }

    /// Returns the variant with this name in URLs, if there is one.
    pub fn from_key(key: &str) -> Option<NodeStatus> {
        NodeStatus::ALL.into_iter().find(|status| status.key() == key)
    }
}

/// What the columns of a package's coverage matrix show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Across {
    /// Operating systems, each with its targets.
    #[default]
    Machine,
    /// Compilers.
    Compiler,
    /// Stacks.
    Stack,
}

impl Across {
    /// Every variant.
    pub const ALL: [Across; 3] = [Across::Machine, Across::Compiler, Across::Stack];

    /// Returns its name in URLs.
    pub fn key(self) -> &'static str {
        match self {
            Across::Machine => "machine",
            Across::Compiler => "compiler",
            Across::Stack => "stack",
        }
    }

    /// Returns the variant with this name in URLs, if there is one.
    pub fn from_key(key: &str) -> Option<Across> {
        Across::ALL.into_iter().find(|across| across.key() == key)
    }

    /// Returns the facets that define a column, in the order of its values.
    pub fn facets(self) -> &'static [Facet] {
        match self {
            Across::Machine => &[Facet::Os, Facet::Target],
            Across::Compiler => &[Facet::Compiler],
            Across::Stack => &[Facet::Stack],
        }
    }
}
