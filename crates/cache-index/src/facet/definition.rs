//! The types of the cells in the table of facets.

use super::{Facet, Notation};

/// The properties of one facet.
pub(super) struct Definition {
    pub(super) facet: Facet,
    /// The name in URLs, the index and the scripting interface; the same as on cache.spack.io if it has the field.
    pub(super) key: &'static str,
    /// The name on the page.
    pub(super) label: &'static str,
    pub(super) values: Values,
    pub(super) source: Source,
    pub(super) stored: Storage,
    pub(super) notation: Notation,
    pub(super) order: Order,
    /// Its position in the rail; `None` if the rail does not show it.
    pub(super) rail: Option<Rail>,
    pub(super) column: ColumnPlace,
}

/// How many values of a facet a build can have at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// Exactly one.
    One,
    /// One, or none if the source does not say.
    OneIfKnown,
    /// Any number.
    Several {
        /// The name of a list of the values in exports.
        key: &'static str,
        /// The name of a list of the values on the page.
        label: &'static str,
    },
}

/// Where a build's values are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A field of the build.
    Field,
    /// The build's dependencies, once all builds have been read.
    Dependencies,
}

/// Where the index stores the code of a build's value.
///
/// Slots are positions in a configuration. Their order is part of the format, and decides how configurations are
/// sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Nowhere: the rows of a package are contiguous.
    Package,
    /// In the column of versions.
    Version,
    /// In a slot of the configuration.
    Configuration(usize),
    /// In a slot of the configuration, as the code of a set of providers.
    Providers(usize),
    /// In the variant set.
    Variants,
    /// In the places of the place set.
    Place(Side),
}

/// The two sides of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The release.
    Release,
    /// The stack.
    Stack,
}

impl Side {
    /// Returns the code on this side of a place, which is a pair of release and stack.
    pub fn of(self, (release, stack): (u32, u32)) -> u32 {
        match self {
            Side::Release => release,
            Side::Stack => stack,
        }
    }

    /// Returns the other side.
    pub fn other(self) -> Side {
        match self {
            Side::Release => Side::Stack,
            Side::Stack => Side::Release,
        }
    }
}

/// The order of a facet's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Newest version first.
    Version,
    /// By family and generation.
    Target,
    /// By the name of the variant, then by text. Lists show the most frequent first.
    Variant,
    /// By text. Lists show the most frequent first.
    Text,
}

/// How the rail shows a facet.
pub(super) struct Rail {
    pub(super) position: usize,
    /// `true` if it is open until a user closes it.
    pub(super) opens: bool,
    pub(super) scope: Scope,
}

/// The builds for which the rail shows a facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Always,
    /// The builds of one package: the values of different packages have nothing to do with each other.
    OnePackage,
}

/// How tables show a facet.
pub(super) struct ColumnPlace {
    /// Its position among the columns of facets.
    pub(super) position: usize,
    /// `true` if the table of builds shows it until a user chooses columns.
    pub(super) by_default: bool,
}
