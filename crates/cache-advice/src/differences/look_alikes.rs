//! Builds that look alike in a table, and how they differ.
//!
//! Builds of one version for one machine with the same variants differ in their dependencies, or in a field that the
//! table does not show. A popular package has dozens of such builds. So adjacent builds that are equal in every column
//! are folded into one row, which a user can open.

use std::ops::Range;

use cache_index::build::Build;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index, RowId, ValueCode};
use cache_index::sorting;
use cache_query::Column;

use crate::differences::compare::{ComparedLine, Comparison, LineKind};

/// The maximum number of builds to distinguish; comparing the dependencies of thousands takes seconds.
const MOST: usize = 500;

/// The maximum number of builds that are compared for a clause, because it is written again and again.
const FEW: usize = 8;

/// Splits builds, in the order of a table, into runs that are equal in all of its columns.
///
/// The hash, which is always different, does not count.
pub fn look_alikes(index: &Index, builds: &[BuildId], columns: &[Column]) -> Vec<Range<usize>> {
    let rows = index.rows_of_builds(builds);
    let facets = columns.iter().filter_map(|column| column.facet());
    let kinds: Vec<Kinds> = facets.map(|facet| Kinds::new(index, &rows, facet)).collect();
    let is_like = |a: RowId, b: RowId| a == b || kinds.iter().all(|kinds| kinds.is_same(a, b));
    let mut start = 0;
    let runs = rows.chunk_by(|&a, &b| is_like(a, b)).map(|run| {
        start += run.len();
        start - run.len()..start
    });
    runs.collect()
}

/// Returns the first builds of the runs before and after the run that starts with a build, if they are equal to it in all
/// of these columns: they look alike unless something else is shown in which they differ.
pub fn neighbours(
    index: &Index,
    builds: &[BuildId],
    runs: &[Range<usize>],
    columns: &[Column],
    first: BuildId,
) -> Vec<BuildId> {
    let Some(at) = runs.iter().position(|run| builds.get(run.start) == Some(&first)) else {
        return Vec::new();
    };
    let row = index.row_of(first);
    let is_like = |other: &BuildId| {
        let other = index.row_of(*other);
        let mut facets = columns.iter().filter_map(|column| column.facet());
        facets.all(|facet| index.values(row, facet) == index.values(other, facet))
    };
    let beside = [at.checked_sub(1), at.checked_add(1)].into_iter().flatten();
    let beside = beside.filter_map(|place| builds.get(runs.get(place)?.start).copied());
    beside.filter(is_like).collect()
}

/// Which rows have the same values in a facet. Comparing numbers takes a fraction of the time of listing the values of
/// thousands of rows.
enum Kinds<'a> {
    /// Those of the same package.
    Packages(&'a Index),
    /// Those whose codes are of the same kind: the codes by row, and the kinds by code.
    Codes(&'a [u32], Vec<u32>),
}

impl<'a> Kinds<'a> {
    fn new(index: &'a Index, rows: &[RowId], facet: Facet) -> Kinds<'a> {
        let Some((codes, limit)) = index.determining(facet) else { return Kinds::Packages(index) };
        let representatives = index.representatives(rows, facet).into_iter();
        let mut lists: Vec<(Vec<ValueCode>, u32)> =
            representatives.map(|row| (index.values(row, facet), codes[row.at()])).collect();
        sorting::sort_and_dedup(&mut lists);
        let mut kinds = vec![0; limit];
        for (kind, alike) in (0..).zip(lists.chunk_by(|(a, _), (b, _)| a == b)) {
            alike.iter().for_each(|&(_, code)| kinds[code as usize] = kind);
        }
        Kinds::Codes(codes, kinds)
    }

    fn is_same(&self, a: RowId, b: RowId) -> bool {
        match self {
            Kinds::Packages(index) => index.package_of(a) == index.package_of(b),
            Kinds::Codes(codes, kinds) => {
                let kind = |row: RowId| kinds[codes[row.at()] as usize];
                kind(a) == kind(b)
            }
        }
    }
}

/// Returns for each of these builds the fields, variants and dependencies that not all of them have. The lists are
/// empty if the cache does not say what differs.
pub fn distinguishing_words(index: &Index, builds: &[BuildId]) -> Vec<Vec<String>> {
    let spelled: Option<Vec<Build>> = builds.iter().map(|&id| index.build_alone(id)).collect();
    let Some(spelled) = spelled.filter(|builds| builds.len() <= MOST) else {
        return vec![Vec::new(); builds.len()];
    };
    let comparison = Comparison::of(spelled).with_dependencies(index);
    let lines = || comparison.differing.iter().chain(&comparison.dependencies);
    (0..builds.len()).map(|place| lines().filter_map(|line| words(line, place)).collect()).collect()
}

/// Returns how a few builds differ, as a clause of at most this many characters: `differ in cmake (only to build)`.
/// `None` if the cache does not say, or if no clause is short enough.
pub fn differ_in(index: &Index, builds: &[BuildId], most: usize) -> Option<String> {
    let few = builds.len() <= FEW;
    let spelled: Option<Vec<Build>> =
        few.then(|| builds.iter().map(|&id| index.build_alone(id)).collect())?;
    let comparison = Comparison::of(spelled?).with_dependencies(index);
    let lines = || comparison.differing.iter().chain(&comparison.dependencies);
    let is_of_build = |line: &ComparedLine| line.kind == LineKind::BuildDependency;
    let end = if lines().all(is_of_build) { " (only to build)" } else { "" };
    // Lines of what is needed to run come first.
    let (to_build, to_run): (Vec<&ComparedLine>, Vec<_>) =
        lines().partition(|line| is_of_build(line));
    // Headings are capitalized.
    let name = |line: &ComparedLine| match (line.kind, line.name.as_str()) {
        (LineKind::Field, name) if name != "OS" => name.to_lowercase(),
        (_, name) => name.to_owned(),
    };
    let names: Vec<String> = to_run.into_iter().chain(to_build).map(name).collect();
    let clause = |shown: usize| {
        let more = names.len() - shown;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("differ in {}{more}{end}", names[..shown].join(", "))
    };
    let clauses = (1..=names.len()).rev().map(clause);
    clauses.into_iter().find(|clause| clause.chars().count() <= most)
}

/// Returns for each of two builds the dependencies that the other does not have. The lists are empty if the cache does not
/// say what differs.
pub(super) fn distinguishing_dependencies(index: &Index, builds: [BuildId; 2]) -> [Vec<String>; 2] {
    let spelled: Option<Vec<Build>> = builds.iter().map(|&id| index.build_alone(id)).collect();
    let lines = spelled.map_or(Vec::new(), |spelled| {
        Comparison::of(spelled).with_dependencies(index).dependencies
    });
    [0, 1].map(|place| lines.iter().filter_map(|line| words(line, place)).collect())
}

/// Returns what one build has in a line that not every build has: `~hwloc`, `mpich~hwloc`, `OS rhel8`.
fn words(line: &ComparedLine, place: usize) -> Option<String> {
    let own = line.cells[place].iter().filter(|word| !word.is_common);
    let own: Vec<&str> = own.map(|word| word.text.as_str()).collect();
    match (line.kind, own.as_slice()) {
        (_, []) => None,
        (LineKind::Field, words) => {
            // For example, a build in two releases, if one of these has all builds.
            let has_more = line.cells[place].len() > words.len();
            let also = if has_more { " also" } else { "" };
            Some(format!("{}{also} {}", line.name, words.join(" ")))
        }
        (LineKind::Variant, [word]) if word.starts_with(['+', '~']) => Some((*word).to_owned()),
        (LineKind::Variant, words) => Some(format!("{}={}", line.name, words.join(","))),
        (kind @ (LineKind::Dependency | LineKind::BuildDependency), words) => {
            // A hash is only shown if nothing else differs.
            let is_hash = |word: &&&str| word.starts_with('/');
            let shown: Vec<&str> = words.iter().filter(|word| !is_hash(word)).copied().collect();
            let shown = if shown.is_empty() { words.to_vec() } else { shown };
            let mut text = line.name.clone();
            for word in shown {
                if !word.starts_with(['@', '+', '~', '/']) {
                    text.push(' ');
                }
                text.push_str(word);
            }
            if kind == LineKind::BuildDependency {
                text.push_str(" (only to build)");
            }
            Some(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use cache_index::build::{Dependency, Deptypes, Hash};
    use cache_index::index::{About, pack};
    use cache_index::sample;

    fn hash(number: usize) -> Hash {
        sample::hash(number << 24)
    }

    fn of(package: &str, version: &str, number: usize) -> Build {
        Build { hash: hash(number), ..sample::one(package, version) }
    }

    fn needs(build: Build, package: &str, number: usize) -> Build {
        let (package, deptypes) = (package.to_owned(), Deptypes::LINK);
        let edge = Dependency { package, hash: hash(number), deptypes, virtuals: Vec::new() };
        Build { dependencies: Some(vec![edge]), ..build }
    }

    proptest! {
        #[test]
        fn folds_neighbours_with_the_same_values(
            all in sample::builds(),
            facets in proptest::sample::subsequence(Facet::ALL.to_vec(), 0..4),
        ) {
            let index = pack(About::default(), all.clone()).expect("different hashes");
            let ids: Vec<BuildId> = all.iter().filter_map(|build| index.find(build.hash)).collect();
            let columns: Vec<Column> = facets.iter().copied().map(Column::Facet).collect();
            let folds = look_alikes(&index, &ids, &columns);
            let values = |id: BuildId| -> Vec<Vec<ValueCode>> {
                facets.iter().map(|&facet| index.values(index.row_of(id), facet)).collect()
            };
            let mut next = 0;
            for (number, fold) in folds.iter().enumerate() {
                prop_assert_eq!(fold.start, next);
                next = fold.end;
                let first = values(ids[fold.start]);
                prop_assert!(ids[fold.clone()].iter().all(|&id| values(id) == first));
                prop_assert!(number == 0 || values(ids[fold.start - 1]) != first);
            }
            prop_assert_eq!(next, ids.len());
        }
    }

    #[test]
    fn folds_neighbours_that_only_differ_in_dependencies() {
        let builds = vec![
            needs(of("hdf5", "1.14", 1), "zlib", 4),
            needs(of("hdf5", "1.14", 2), "zlib", 5),
            of("hdf5", "1.12", 3),
            of("zlib", "1.3", 4),
            of("zlib", "1.2", 5),
        ];
        let index = pack(About::default(), builds).expect("different hashes");
        let ids: Vec<BuildId> =
            [1, 2, 3].iter().filter_map(|&number| index.find(hash(number))).collect();
        let columns = [Column::Hash, Column::Facet(Facet::Version), Column::Facet(Facet::Os)];
        assert_eq!(look_alikes(&index, &ids, &columns), [0..2, 2..3]);
        let folds = look_alikes(&index, &ids, &columns[2..]);
        assert_eq!((folds.len(), &folds[0]), (1, &(0..3)));
        assert!(look_alikes(&index, &[], &columns).is_empty());
        assert_eq!(distinguishing_words(&index, &ids[..2]), [["zlib@1.3"], ["zlib@1.2"]]);
        assert_eq!(differ_in(&index, &ids[..2], 20).as_deref(), Some("differ in zlib"));
        assert_eq!(differ_in(&index, &ids[..2], 10), None);
    }

    #[test]
    fn finds_neighbours_that_are_equal_in_the_columns() {
        let variants = |names: &[&str]| names.iter().map(|name| sample::variant(name)).collect();
        let built =
            |number, version, on| Build { variants: variants(on), ..of("hdf5", version, number) };
        let builds = vec![
            built(1, "1.14", &["+mpi"]),
            built(2, "1.14", &["~mpi"]),
            built(3, "1.12", &["~mpi"]),
            built(4, "1.12", &["~mpi", "+hl"]),
        ];
        let index = pack(About::default(), builds).expect("different hashes");
        let ids: Vec<BuildId> = (1..=4).filter_map(|number| index.find(hash(number))).collect();
        let version = [Column::Hash, Column::Facet(Facet::Version)];
        let runs = [0..1, 1..2, 2..3, 3..4];
        let of = |place: usize| neighbours(&index, &ids, &runs, &version, ids[place]);
        assert_eq!([of(0), of(1), of(2), of(3)], [[ids[1]], [ids[0]], [ids[3]], [ids[2]]]);
        let of = |place: usize| neighbours(&index, &ids, &runs, &[], ids[place]);
        assert_eq!(of(1), [ids[0], ids[2]]);
        // In one run with the one before it.
        assert_eq!(neighbours(&index, &ids, &[0..2, 2..4], &[], ids[1]), []);
    }

    #[test]
    fn shows_nothing_that_the_cache_does_not_say() {
        let builds = vec![of("hdf5", "1.14", 1), of("hdf5", "1.14", 2)];
        let index = pack(About::default(), builds).expect("different hashes");
        let ids: Vec<BuildId> =
            [1, 2].iter().filter_map(|&number| index.find(hash(number))).collect();
        assert_eq!(distinguishing_words(&index, &ids), [Vec::<String>::new(), Vec::new()]);
        assert_eq!(differ_in(&index, &ids, 99), None);
    }

    #[test]
    fn says_whether_a_difference_matters_when_builds_run() {
        let on = |build: Build, below: [(&str, usize, Deptypes); 2]| {
            let edge = |(package, number, deptypes): (&str, usize, Deptypes)| Dependency {
                package: package.to_owned(),
                hash: hash(number),
                deptypes,
                virtuals: Vec::new(),
            };
            Build { dependencies: Some(below.map(edge).into()), ..build }
        };
        let to_build = Deptypes::from_bits(1).expect("bits below 16");
        let hdf5 = |number, zlib, cmake| {
            let below = [("zlib", zlib, Deptypes::LINK), ("cmake", cmake, to_build)];
            on(of("hdf5", "1.14", number), below)
        };
        let leaf = |package: &str, version: &str, number| Build {
            dependencies: Some(Vec::new()),
            ..of(package, version, number)
        };
        let builds = vec![
            hdf5(1, 4, 6),
            hdf5(2, 4, 7),
            hdf5(3, 5, 7),
            leaf("zlib", "1.3", 4),
            leaf("zlib", "1.2", 5),
            leaf("cmake", "3.27", 6),
            leaf("cmake", "3.31", 7),
        ];
        let index = pack(About::default(), builds).expect("different hashes");
        let of = |numbers: &[usize], most: usize| {
            let ids: Vec<BuildId> =
                numbers.iter().filter_map(|&number| index.find(hash(number))).collect();
            differ_in(&index, &ids, most)
        };
        assert_eq!(of(&[1, 2], 40).as_deref(), Some("differ in cmake (only to build)"));
        assert_eq!(of(&[1, 2, 3], 40).as_deref(), Some("differ in zlib, cmake"));
        assert_eq!(of(&[1, 2, 3], 20), None);
    }
}
