//! The fields that people can filter by: one table, read by everything that deals with facets.
//!
//! Each [`Facet`] has one row in `TABLE`. Counting, filtering, the columns of tables, the rail, the keys of URLs,
//! exports, the scripting interface and the dictionaries of the index all follow that row. To add a facet, add its row,
//! and the field of a build that it corresponds to; CONTRIBUTING.md lists the files.

mod definition;
mod notation;

use std::borrow::Cow;

use self::definition::{ColumnPlace, Definition, Rail, Scope, Source, Values};

pub use self::definition::{Order, Side, Storage};
pub use self::notation::{Notation, variant_name};
use crate::build::Place;

/// A field that people can filter by.
///
/// Declared in the order of `TABLE`, which is the order in URLs and in the scripting interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Facet {
    /// The recipe's name. Not in the rail: the list of packages is its list of values.
    Package,
    /// The CI environment; a build is in one or more.
    Stack,
    /// The operating system, `ubuntu24.04`.
    Os,
    /// The microarchitecture, `x86_64_v3`.
    Target,
    /// Name and version, `gcc@13.2.0`.
    Compiler,
    /// The package's version.
    Version,
    /// `linux`, `darwin`.
    Platform,
    /// What the cache was published as; a build is in one or more.
    Release,
    /// A variant with one value; a build has many.
    Variant,
    /// A virtual package and the package that provides it for a build, `mpi=openmpi@5.0.6`; a build has many. Only
    /// includes virtual packages in which the cache's builds differ. If the cache lists no dependencies, no build has
    /// one.
    Provider,
    /// The name and version of the C library that a build is linked with, `glibc@2.39`; builds that do not list their
    /// dependencies have none.
    Libc,
}

/// One row for each facet.
const TABLE: &[Definition] = &[
    Definition {
        facet: Facet::Package,
        key: "package",
        label: "Package",
        values: Values::One,
        source: Source::Field,
        stored: Storage::Package,
        notation: Notation::Text,
        order: Order::Text,
        rail: None,
        column: ColumnPlace { position: 0, by_default: false },
    },
    Definition {
        facet: Facet::Stack,
        key: "stack",
        label: "Stack",
        values: Values::Several { key: "stacks", label: "Stacks" },
        source: Source::Field,
        stored: Storage::Place(Side::Stack),
        notation: Notation::Text,
        order: Order::Text,
        rail: Some(Rail { position: 1, opens: true, scope: Scope::Always }),
        column: ColumnPlace { position: 9, by_default: true },
    },
    Definition {
        facet: Facet::Os,
        key: "os",
        label: "OS",
        values: Values::One,
        source: Source::Field,
        stored: Storage::Configuration(1),
        notation: Notation::Text,
        order: Order::Text,
        rail: Some(Rail { position: 2, opens: true, scope: Scope::Always }),
        column: ColumnPlace { position: 4, by_default: true },
    },
    Definition {
        facet: Facet::Target,
        key: "target",
        label: "Target",
        values: Values::One,
        source: Source::Field,
        stored: Storage::Configuration(2),
        notation: Notation::Text,
        order: Order::Target,
        rail: Some(Rail { position: 3, opens: true, scope: Scope::Always }),
        column: ColumnPlace { position: 5, by_default: true },
    },
    Definition {
        facet: Facet::Compiler,
        key: "compiler",
        label: "Compiler",
        values: Values::One,
        source: Source::Field,
        stored: Storage::Configuration(3),
        notation: Notation::AtVersion,
        order: Order::Text,
        rail: Some(Rail { position: 4, opens: true, scope: Scope::Always }),
        column: ColumnPlace { position: 2, by_default: true },
    },
    Definition {
        facet: Facet::Version,
        key: "version",
        label: "Version",
        values: Values::One,
        source: Source::Field,
        stored: Storage::Version,
        notation: Notation::Text,
        order: Order::Version,
        rail: Some(Rail { position: 5, opens: true, scope: Scope::OnePackage }),
        column: ColumnPlace { position: 1, by_default: true },
    },
    Definition {
        facet: Facet::Platform,
        key: "platform",
        label: "Platform",
        values: Values::One,
        source: Source::Field,
        stored: Storage::Configuration(0),
        notation: Notation::Text,
        order: Order::Text,
        rail: Some(Rail { position: 9, opens: false, scope: Scope::Always }),
        column: ColumnPlace { position: 3, by_default: false },
    },
    Definition {
        facet: Facet::Release,
        key: "release",
        label: "Release",
        values: Values::Several { key: "releases", label: "Releases" },
        source: Source::Field,
        stored: Storage::Place(Side::Release),
        notation: Notation::Text,
        order: Order::Text,
        rail: Some(Rail { position: 0, opens: true, scope: Scope::Always }),
        column: ColumnPlace { position: 8, by_default: false },
    },
    Definition {
        facet: Facet::Variant,
        key: "variant",
        label: "Variant",
        values: Values::Several { key: "variants", label: "Variants" },
        source: Source::Field,
        stored: Storage::Variants,
        notation: Notation::Variant,
        order: Order::Variant,
        rail: Some(Rail { position: 6, opens: false, scope: Scope::Always }),
        column: ColumnPlace { position: 10, by_default: true },
    },
    Definition {
        facet: Facet::Provider,
        key: "provider",
        label: "Provider",
        values: Values::Several { key: "providers", label: "Providers" },
        source: Source::Dependencies,
        stored: Storage::Providers(5),
        notation: Notation::AtVersion,
        order: Order::Text,
        rail: Some(Rail { position: 7, opens: false, scope: Scope::Always }),
        column: ColumnPlace { position: 7, by_default: false },
    },
    Definition {
        facet: Facet::Libc,
        key: "libc",
        label: "libc",
        values: Values::OneIfKnown,
        source: Source::Dependencies,
        stored: Storage::Configuration(4),
        notation: Notation::AtVersion,
        order: Order::Text,
        rail: Some(Rail { position: 8, opens: false, scope: Scope::Always }),
        column: ColumnPlace { position: 6, by_default: false },
    },
];

// The table and the enum list facets in the same order.
const _: () = {
    let mut at = 0;
    while at < TABLE.len() {
        assert!(TABLE[at].facet as usize == at);
        at += 1;
    }
};

impl Facet {
    /// The number of facets.
    pub const COUNT: usize = TABLE.len();

    /// All facets, in the order of the table.
    pub const ALL: [Facet; Facet::COUNT] = {
        let mut all = [Facet::Package; Facet::COUNT];
        let mut at = 0;
        while at < all.len() {
            all[at] = TABLE[at].facet;
            at += 1;
        }
        all
    };

    /// All facets, in the order in which tables show their columns.
    pub const COLUMNS: [Facet; Facet::COUNT] = {
        let mut columns = [Facet::Package; Facet::COUNT];
        let mut at = 0;
        while at < columns.len() {
            columns[TABLE[at].column.position] = TABLE[at].facet;
            at += 1;
        }
        columns
    };

    /// The number of slots of a configuration.
    pub const SLOTS: usize = {
        let mut slots = 0;
        let mut at = 0;
        while at < TABLE.len() {
            slots += TABLE[at].facet.slot().is_some() as usize;
            at += 1;
        }
        slots
    };

    /// The facets of the slots of a configuration.
    pub const BY_SLOT: [Facet; Facet::SLOTS] = {
        let mut by_slot = [Facet::Package; Facet::SLOTS];
        let mut at = 0;
        while at < TABLE.len() {
            if let Some(slot) = TABLE[at].facet.slot() {
                by_slot[slot] = TABLE[at].facet;
            }
            at += 1;
        }
        by_slot
    };

    const fn definition(self) -> &'static Definition {
        &TABLE[self as usize]
    }

    /// Returns the position in [`Facet::ALL`].
    pub const fn at(self) -> usize {
        self as usize
    }

    /// Returns the name in URLs and in the scripting interface.
    pub fn key(self) -> &'static str {
        self.definition().key
    }

    /// Returns the facet with this key.
    pub fn from_key(key: &str) -> Option<Facet> {
        Facet::ALL.into_iter().find(|facet| facet.key() == key)
    }

    /// Returns the name on the page.
    pub fn label(self) -> &'static str {
        self.definition().label
    }

    /// Returns the name for all values of a build: a plural if it can have several.
    pub fn label_of_all(self) -> &'static str {
        match self.definition().values {
            Values::Several { label, .. } => label,
            Values::One | Values::OneIfKnown => self.label(),
        }
    }

    /// Returns the name in exports, or `None` if exports leave the facet out because it does not correspond to a field
    /// of a single build.
    pub fn export_key(self) -> Option<&'static str> {
        match (self.definition().source, self.definition().values) {
            (Source::Dependencies, _) => None,
            (Source::Field, Values::Several { key, .. }) => Some(key),
            (Source::Field, Values::One | Values::OneIfKnown) => Some(self.key()),
        }
    }

    /// Returns `true` if a build can have several values, so that a user can ask for all of the chosen ones.
    pub fn is_multi_valued(self) -> bool {
        matches!(self.definition().values, Values::Several { .. })
    }

    /// Returns `true` if every build has exactly one value.
    pub fn is_always_known(self) -> bool {
        self.definition().values == Values::One
    }

    /// Returns `true` if the values are derived from the dependencies of builds, so that only builds that list their
    /// dependencies have one.
    pub fn is_from_dependencies(self) -> bool {
        self.definition().source == Source::Dependencies
    }

    /// Returns where the code of the facet is stored.
    pub const fn stored(self) -> Storage {
        self.definition().stored
    }

    /// Returns `true` for the two sides of a place.
    pub fn is_of_places(self) -> bool {
        matches!(self.stored(), Storage::Place(_))
    }

    const fn slot(self) -> Option<usize> {
        match self.stored() {
            Storage::Configuration(slot) | Storage::Providers(slot) => Some(slot),
            Storage::Package | Storage::Version | Storage::Variants | Storage::Place(_) => None,
        }
    }

    /// Returns the order of its values.
    pub fn order(self) -> Order {
        self.definition().order
    }

    /// Returns the facets that the rail shows, in order.
    pub fn in_rail() -> impl Iterator<Item = Facet> {
        let at = |position| {
            let is_there =
                |row: &&Definition| row.rail.as_ref().is_some_and(|r| r.position == position);
            TABLE.iter().find(is_there).map(|row| row.facet)
        };
        (0..Facet::COUNT).filter_map(at)
    }

    /// Returns `true` if the rail only shows it where one package is open, because the values of
    /// different packages have nothing to do with each other.
    pub fn is_of_one_package(self) -> bool {
        self.definition().rail.as_ref().is_some_and(|rail| rail.scope == Scope::OnePackage)
    }

    /// Returns `true` if the rail shows its values until a user closes it.
    pub fn opens(self) -> bool {
        self.definition().rail.as_ref().is_some_and(|rail| rail.opens)
    }

    /// Returns `true` if the table of builds shows it until a user chooses columns.
    pub fn is_column_by_default(self) -> bool {
        self.definition().column.by_default
    }

    /// Returns `true` for a value that adds nothing to others: the stack of a whole release.
    pub fn holds_everything(self, value: &str) -> bool {
        self.stored() == Storage::Place(Side::Stack) && Place::holds_release(value)
    }

    /// Returns the canonical form of a value that can be written in several ways: `gcc@=13.2.0` is
    /// `gcc@13.2.0`, and `mpi` is the variant `+mpi`.
    ///
    /// Canonical values stay unchanged.
    pub fn canonical(self, value: &str) -> Cow<'_, str> {
        // A version alone is a version of glibc, as in the description of a machine.
        if self == Facet::Libc && value.starts_with(|first: char| first.is_ascii_digit()) {
            return Cow::Owned(format!("glibc@{value}"));
        }
        self.definition().notation.canonical(value)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn finds_each_facet_by_key_and_position() {
        for (position, facet) in Facet::ALL.into_iter().enumerate() {
            assert_eq!(facet.at(), position);
            assert_eq!(Facet::from_key(facet.key()), Some(facet));
        }
        assert_eq!(Facet::from_key("not.os"), None);
    }

    #[test]
    fn numbers_columns_rail_and_slots_without_gaps() {
        let distinct = |facets: &[Facet]| facets.iter().copied().collect::<BTreeSet<_>>().len();
        assert_eq!(distinct(&Facet::COLUMNS), Facet::COUNT);
        assert_eq!(distinct(&Facet::BY_SLOT), Facet::SLOTS);
        assert!(Facet::BY_SLOT.iter().all(|facet| facet.slot().is_some()));
        let positions: BTreeSet<usize> =
            TABLE.iter().filter_map(|row| Some(row.rail.as_ref()?.position)).collect();
        let in_rail: Vec<Facet> = Facet::in_rail().collect();
        assert_eq!(in_rail.len(), TABLE.iter().filter(|row| row.rail.is_some()).count());
        assert_eq!(positions, (0..in_rail.len()).collect());
    }
}
