//! The two tables of an answer: packages on the front page, builds of a package.

use std::cmp::Ordering;

use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index, RowId, ValueCode};
use cache_index::order::is_development;
use cache_index::sorting;

use super::{Answer, AskedHash, Query, View};

/// What a table can show of a build or a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// The values of a facet.
    Facet(Facet),
    /// The newest matching version of a package.
    Newest,
    /// The number of matching builds of a package.
    Builds,
    /// The number of matching versions of a package.
    Versions,
    /// The build's hash.
    Hash,
    /// When the publication in which the build first appeared was made.
    FirstSeen,
    /// A size of the build, according to the facts of its binary. Only callers that have these can sort by it.
    Size(Size),
}

/// A size of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// That of its binary.
    Download,
    /// That of all files in it.
    Unpacked,
    /// That of its binary and those of all that it needs to run.
    DownloadInAll,
    /// That of all files in these.
    UnpackedInAll,
}

/// The columns that tables show between the package's name and the other facets.
const OTHERS: [Column; 4] = [Column::Newest, Column::Builds, Column::Versions, Column::Hash];

/// The last columns of the table of builds.
const LAST: [Column; 5] = [
    Column::Size(Size::Download),
    Column::Size(Size::Unpacked),
    Column::Size(Size::DownloadInAll),
    Column::Size(Size::UnpackedInAll),
    Column::FirstSeen,
];

impl Column {
    /// All columns, in the order in which tables show them.
    pub const ALL: [Column; OTHERS.len() + Facet::COUNT + LAST.len()] = {
        let mut all = [Column::FirstSeen; OTHERS.len() + Facet::COUNT + LAST.len()];
        all[0] = Column::Facet(Facet::COLUMNS[0]);
        let mut at = 1;
        while at < all.len() {
            let facet = at.saturating_sub(OTHERS.len());
            all[at] = if at <= OTHERS.len() {
                OTHERS[at - 1]
            } else if facet < Facet::COUNT {
                Column::Facet(Facet::COLUMNS[facet])
            } else {
                LAST[facet - Facet::COUNT]
            };
            at += 1;
        }
        all
    };

    /// Returns the columns that the table of builds can show, in order.
    pub fn of_builds() -> impl Iterator<Item = Column> {
        Column::ALL[OTHERS.len()..].iter().copied()
    }

    /// Returns `true` if the table of builds shows it until a user chooses columns.
    pub fn is_of_builds_by_default(self) -> bool {
        match self {
            Column::Hash => true,
            Column::Newest | Column::Builds | Column::Versions => false,
            Column::FirstSeen | Column::Size(_) => false,
            Column::Facet(facet) => facet.is_column_by_default(),
        }
    }

    /// Returns the name in URLs.
    pub fn key(self) -> &'static str {
        match self {
            Column::Newest => "newest",
            Column::Builds => "builds",
            Column::Versions => "versions",
            Column::Hash => "hash",
            Column::FirstSeen => "seen",
            Column::Size(Size::Download) => "size",
            Column::Size(Size::Unpacked) => "unpacked",
            Column::Size(Size::DownloadInAll) => "size.all",
            Column::Size(Size::UnpackedInAll) => "unpacked.all",
            Column::Facet(facet) => facet.key(),
        }
    }

    /// Returns the name on the page.
    pub fn label(self) -> &'static str {
        match self {
            Column::Newest => "Newest",
            Column::Builds => "Builds",
            Column::Versions => "Versions",
            Column::Hash => "Hash",
            Column::FirstSeen => "First seen",
            Column::Size(Size::Download) => "Download",
            Column::Size(Size::Unpacked) => "Unpacked",
            Column::Size(Size::DownloadInAll) => "Download in all",
            Column::Size(Size::UnpackedInAll) => "Unpacked in all",
            Column::Facet(facet) => facet.label_of_all(),
        }
    }

    /// Returns `true` if any build of a cache has a value in it. Caches published as pages have nothing in the columns
    /// that are derived from dependencies. Sizes are in another part of the index, which this does not look at.
    pub fn is_known(self, index: &Index) -> bool {
        match self {
            Column::FirstSeen => !index.publications().is_empty(),
            Column::Size(_) => false,
            _ => self.facet().is_none_or(|facet| index.has_names(facet)),
        }
    }

    /// Returns the column with this name in URLs.
    pub fn from_key(key: &str) -> Option<Column> {
        Column::ALL.into_iter().find(|column| column.key() == key)
    }

    /// Returns the facet whose values it shows, if it shows one.
    pub fn facet(self) -> Option<Facet> {
        match self {
            Column::Facet(facet) => Some(facet),
            Column::Newest
            | Column::Builds
            | Column::Versions
            | Column::Hash
            | Column::FirstSeen
            | Column::Size(_) => None,
        }
    }

    /// Sorts columns into display order and removes duplicates.
    pub(crate) fn set(columns: &[Column]) -> Vec<Column> {
        Column::ALL.into_iter().filter(|column| columns.contains(column)).collect()
    }
}

/// The order of the rows of a table. A view ignores a column that it does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The column to compare.
    pub column: Column,
    /// `true` reverses the column's natural direction: names ascend, versions start with the oldest, numbers with the
    /// smallest.
    pub descending: bool,
}

/// The matching builds of one package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageRow {
    /// The package.
    pub package: ValueCode,
    /// The number of builds.
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
    /// Collects the matching builds of a package.
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
            place_sets.push(index.columns().place_set[id.0 as usize]);
        }
        sorting::sort_and_dedup(&mut place_sets);
        for set in place_sets {
            let places = index.place_sets().get(set).iter();
            row.stacks
                .extend(places.map(|&place| ValueCode(index.place_codes()[place as usize].1)));
        }
        for codes in [&mut row.versions, &mut row.oses, &mut row.targets, &mut row.stacks] {
            sorting::sort_and_dedup(codes);
        }
        row
    }

    /// Returns the newest release, and the newest branch or commit if that is newer still; the first is `None` if there
    /// is no release.
    pub fn newest(&self, index: &Index) -> (Option<ValueCode>, Option<ValueCode>) {
        let names = index.dictionary(Facet::Version);
        let is_branch = |code: &ValueCode| is_development(names.text(*code));
        let release = self.versions.iter().copied().find(|code| !is_branch(code));
        (release, self.versions.first().copied().filter(is_branch))
    }
}

/// Returns the matching packages in the order that the query asks for, by default by name.
///
/// Unless an order is chosen, packages whose name is the typed text, or starts with it, come first.
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
        Some(Column::Facet(Facet::Package)) => {}
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

/// Returns the builds that the page of a query shows, in its order: those with its hashes if it has any, otherwise the
/// matching ones.
///
/// The default order is that of the index: by package, newest version, configuration, variants. With a machine, builds
/// that run on it come first, and those that do not last.
pub fn builds(index: &Index, query: &Query, answer: &Answer) -> Vec<BuildId> {
    match query.view() {
        View::Compare(hashes) => found(index, &hashes),
        View::Build(_) | View::MalformedHash(_) => found(index, query.question.hash.as_slice()),
        View::Packages | View::Package(_) | View::Environment | View::Changes => {
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
        sorting::sort_by_key(&mut rows, |&row| answer.runs_of(index, row));
        return rows.into_iter().flat_map(builds_of).collect();
    };
    let direction = |ordering: Ordering| if descending { ordering.reverse() } else { ordering };
    // Equal builds keep the order of the index in both directions.
    match column {
        Column::Hash => {
            let mut builds: Vec<BuildId> = rows.into_iter().flat_map(builds_of).collect();
            sorting::sort_by_key(&mut builds, |build| index.hash(*build).map(|hash| hash.text()));
            if descending {
                builds.reverse();
            }
            return builds;
        }
        Column::FirstSeen => {
            let mut builds: Vec<BuildId> = rows.into_iter().flat_map(builds_of).collect();
            let seen = |build: BuildId| index.first_seen(build);
            sorting::sort_by(&mut builds, |&a, &b| direction(seen(a).cmp(&seen(b))));
            return builds;
        }
        Column::Facet(Facet::Version) => sorting::sort_by(&mut rows, |&a, &b| {
            let code = |row| index.value(row, Facet::Version);
            direction(code(b).cmp(&code(a)))
        }),
        Column::Facet(Facet::Variant) => sorting::sort_by(&mut rows, |&a, &b| {
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

/// Reverses the order of runs of rows that agree in a facet, without changing the runs.
fn reverse_runs(index: &Index, facet: Facet, rows: &mut [RowId]) {
    rows.reverse();
    for run in rows.chunk_by_mut(|&a, &b| index.values(a, facet) == index.values(b, facet)) {
        run.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Question, run};
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;

    #[test]
    fn tells_the_newest_release_from_the_newest_branch() {
        #[track_caller]
        fn check(versions: &[&str], release: Option<&str>, branch: Option<&str>) {
            let build = |(number, version): (usize, &&str)| Build {
                hash: sample::hash(number),
                ..sample::one("hdf5", version)
            };
            let builds: Vec<Build> = versions.iter().enumerate().map(build).collect();
            let index = pack(About::default(), builds).expect("different hashes");
            let answer = run(&index, &Question::default());
            let row = PackageRow::new(&index, &answer, ValueCode(0));
            let text = |code: ValueCode| index.dictionary(Facet::Version).text(code);
            let (newest, newer) = row.newest(&index);
            assert_eq!((newest.map(text), newer.map(text)), (release, branch), "{versions:?}");
        }
        check(&["1.9", "1.10"], Some("1.10"), None);
        check(&["1.10", "develop", "1.9"], Some("1.10"), Some("develop"));
        check(&["main", "develop"], None, Some("develop"));
        check(&["git.develop=develop-2.0", "1.14"], Some("1.14"), Some("git.develop=develop-2.0"));
        // A commit that counts as a release is not one.
        check(
            &["git.0123456789012345678901234567890123456789=1.14.6", "1.12"],
            Some("1.12"),
            Some("git.0123456789012345678901234567890123456789=1.14.6"),
        );
    }
}
