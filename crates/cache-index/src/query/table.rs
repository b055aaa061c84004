//! The two tables of an answer: packages on the front page, builds of a package.

use std::cmp::Ordering;

use super::{Answer, AskedHash, Query, View};
use crate::facet::Facet;
use crate::index::{BuildId, Index, RowId, ValueCode};
use crate::sorting;

/// What a table can show of a build or a package.
///
/// Declared in the order in which tables show them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// The recipe's name.
    Package,
    /// Of a package: its newest version that matches.
    Newest,
    /// Of a package: how many builds match.
    Builds,
    /// Of a package: how many versions match.
    Versions,
    /// The build's hash.
    Hash,
    /// The build's version.
    Version,
    /// Name and version of the compiler.
    Compiler,
    /// `linux`, `darwin`.
    Platform,
    /// The operating system.
    Os,
    /// The microarchitecture.
    Target,
    /// The C library that it is linked with.
    Libc,
    /// The packages that stand for virtual ones.
    Provider,
    /// The releases that have it.
    Release,
    /// The stacks that have it.
    Stack,
    /// All variants.
    Variant,
}

impl Column {
    /// All of them, in order.
    pub const ALL: [Column; 15] = [
        Column::Package,
        Column::Newest,
        Column::Builds,
        Column::Versions,
        Column::Hash,
        Column::Version,
        Column::Compiler,
        Column::Platform,
        Column::Os,
        Column::Target,
        Column::Libc,
        Column::Provider,
        Column::Release,
        Column::Stack,
        Column::Variant,
    ];

    /// What the table of builds can show.
    pub const OF_BUILDS: [Column; 11] = [
        Column::Hash,
        Column::Version,
        Column::Compiler,
        Column::Platform,
        Column::Os,
        Column::Target,
        Column::Libc,
        Column::Provider,
        Column::Release,
        Column::Stack,
        Column::Variant,
    ];

    /// What the table of builds shows unless asked otherwise.
    pub const OF_BUILDS_BY_DEFAULT: [Column; 8] = [
        Column::Hash,
        Column::Version,
        Column::Compiler,
        Column::Os,
        Column::Target,
        Column::Provider,
        Column::Stack,
        Column::Variant,
    ];

    /// Its name in URLs.
    pub fn key(self) -> &'static str {
        match self {
            Column::Package => "package",
            Column::Newest => "newest",
            Column::Builds => "builds",
            Column::Versions => "versions",
            Column::Hash => "hash",
            Column::Version => "version",
            Column::Compiler => "compiler",
            Column::Platform => "platform",
            Column::Os => "os",
            Column::Target => "target",
            Column::Libc => "libc",
            Column::Provider => "provider",
            Column::Release => "release",
            Column::Stack => "stack",
            Column::Variant => "variant",
        }
    }

    /// Whether a cache tells anything in it; one of pages tells nothing that dependencies tell.
    pub fn is_told(self, index: &Index) -> bool {
        self.facet().is_none_or(|facet| !index.dictionary(facet).is_empty())
    }

    /// The column of a name in a URL.
    pub fn from_key(key: &str) -> Option<Column> {
        Column::ALL.into_iter().find(|column| column.key() == key)
    }

    /// The facet whose values it shows, if it is one's.
    pub fn facet(self) -> Option<Facet> {
        match self {
            Column::Newest | Column::Builds | Column::Versions | Column::Hash => None,
            _ => Facet::from_key(self.key()),
        }
    }

    /// Puts columns into order, each once.
    pub(crate) fn set(mut columns: Vec<Column>) -> Vec<Column> {
        sorting::sort_and_dedup(&mut columns);
        columns
    }
}

/// The order of the rows of a table. A view ignores an order by a column that it does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// What is compared.
    pub column: Column,
    /// Against the column's own direction. Names ascend of their own; versions start with the
    /// oldest, numbers with the smallest.
    pub descending: bool,
}

/// What matches of one package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageRow {
    /// The package.
    pub package: ValueCode,
    /// How many builds.
    pub builds: u32,
    /// Their versions, newest first.
    pub versions: Vec<ValueCode>,
    /// Their operating systems.
    pub oses: Vec<ValueCode>,
    /// Their targets.
    pub targets: Vec<ValueCode>,
    /// Their stacks.
    pub stacks: Vec<ValueCode>,
}

impl PackageRow {
    /// Gathers what matches of a package.
    pub fn new(index: &Index, answer: &Answer, package: ValueCode) -> PackageRow {
        let mut row = PackageRow {
            package,
            builds: answer.matching(package),
            versions: Vec::new(),
            oses: Vec::new(),
            targets: Vec::new(),
            stacks: Vec::new(),
        };
        let mut place_sets = Vec::new();
        for id in answer.matching_rows(index, package) {
            row.versions.push(index.value(id, Facet::Version));
            row.oses.push(index.value(id, Facet::Os));
            row.targets.push(index.value(id, Facet::Target));
            place_sets.push(index.rows.place_set[id.0 as usize]);
        }
        sorting::sort_and_dedup(&mut place_sets);
        for set in place_sets {
            let places = index.place_sets.get(set).iter();
            row.stacks.extend(places.map(|&place| ValueCode(index.places[place as usize].1)));
        }
        for codes in [&mut row.versions, &mut row.oses, &mut row.targets, &mut row.stacks] {
            sorting::sort_and_dedup(codes);
        }
        row
    }
}

/// The packages that match, in the order that the query asks for: by name of its own.
///
/// A package whose name is, or begins with, what is typed comes first unless an order is chosen.
pub fn packages(index: &Index, query: &Query, answer: &Answer) -> Vec<ValueCode> {
    let mut packages: Vec<ValueCode> = answer.matching_packages().collect();
    let names = index.dictionary(Facet::Package);
    let newest = |package: &ValueCode| {
        answer.matching_rows(index, *package).next().map(|row| index.value(row, Facet::Version))
    };
    let versions = |package: &ValueCode| {
        let mut versions: Vec<ValueCode> = answer
            .matching_rows(index, *package)
            .map(|row| index.value(row, Facet::Version))
            .collect();
        versions.dedup();
        versions.len()
    };
    match query.presentation.sort.map(|sort| sort.column) {
        // Small codes are new versions.
        Some(Column::Newest) => {
            sorting::sort_by_key(&mut packages, |package| std::cmp::Reverse(newest(package)));
        }
        Some(Column::Builds) => {
            sorting::sort_by_key(&mut packages, |package| answer.matching(*package));
        }
        Some(Column::Versions) => sorting::sort_by_key(&mut packages, versions),
        Some(Column::Package) => {}
        _ => {
            let text = query.question.text.trim().to_ascii_lowercase();
            if !text.is_empty() {
                sorting::sort_by_key(&mut packages, |package| {
                    let name = names.text(*package);
                    (name != text, !name.starts_with(&text))
                });
            }
            return packages;
        }
    }
    if query.presentation.sort.is_some_and(|sort| sort.descending) {
        packages.reverse();
    }
    packages
}

/// The builds that the page of a query shows, in its order: those of its hashes if it has any,
/// otherwise those that match.
///
/// The order of its own is the index's: by package, newest version, configuration, variants.
pub fn builds(index: &Index, query: &Query, answer: &Answer) -> Vec<BuildId> {
    match query.view() {
        View::Compare(hashes) => found(index, &hashes),
        View::Build(_) | View::MalformedHash(_) => found(index, &query.question.hashes),
        View::Packages if !query.question.hashes.is_empty() => found(index, &query.question.hashes),
        View::Packages | View::Package(_) => {
            let rows = answer
                .matching_packages()
                .flat_map(|package| answer.matching_rows(index, package))
                .collect();
            sorted(index, answer, query.presentation.sort, rows)
        }
    }
}

fn found(index: &Index, hashes: &[AskedHash]) -> Vec<BuildId> {
    hashes.iter().filter_map(AskedHash::hash).filter_map(|hash| index.find(hash)).collect()
}

fn sorted(
    index: &Index,
    answer: &Answer,
    sort: Option<Sort>,
    mut rows: Vec<RowId>,
) -> Vec<BuildId> {
    let builds_of = |row| answer.builds_of(index, row);
    let Some(Sort { column, descending }) = sort else {
        return rows.into_iter().flat_map(builds_of).collect();
    };
    let direction = |ordering: Ordering| if descending { ordering.reverse() } else { ordering };
    // Equal ones keep the order of the index in both directions.
    match column {
        Column::Hash => {
            let mut builds: Vec<BuildId> = rows.into_iter().flat_map(builds_of).collect();
            sorting::sort_by_key(&mut builds, |build| index.hash(*build).map(|hash| hash.text()));
            if descending {
                builds.reverse();
            }
            return builds;
        }
        Column::Version => sorting::sort_by(&mut rows, |&a, &b| {
            let code = |row| index.value(row, Facet::Version);
            direction(code(b).cmp(&code(a)))
        }),
        Column::Variant => sorting::sort_by(&mut rows, |&a, &b| {
            direction(index.variants(a).cmp(index.variants(b)))
        }),
        _ => {
            if let Some(facet) = column.facet() {
                sorting::sort_by_key(&mut rows, |&row| index.values(row, facet));
                if descending {
                    reverse_runs(index, facet, &mut rows);
                }
            }
        }
    }
    rows.into_iter().flat_map(builds_of).collect()
}

/// Reverses the order of runs of rows that agree in a facet, and leaves each run as it is.
fn reverse_runs(index: &Index, facet: Facet, rows: &mut [RowId]) {
    rows.reverse();
    for run in rows.chunk_by_mut(|&a, &b| index.values(a, facet) == index.values(b, facet)) {
        run.reverse();
    }
}
