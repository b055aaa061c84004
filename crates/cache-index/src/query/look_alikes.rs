//! Builds that look alike in a table, and how they differ.
//!
//! Builds of one version for one machine with the same variants differ in their dependencies, or in a field that the
//! table does not show. A popular package has dozens of such builds. So adjacent builds that are equal in every column
//! are folded into one row, which a person can open.

use std::ops::Range;

use super::Column;
use crate::build::Build;
use crate::compare::{Comparison, Kind, Line};
use crate::facet::Facet;
use crate::index::{BuildId, Index, RowId};

/// The maximum number of builds to distinguish; comparing the dependencies of thousands takes seconds.
const MOST: usize = 500;

/// Splits builds, in the order of a table, into runs that are equal in all of its columns.
///
/// The hash, which is always different, does not count.
pub fn look_alikes(index: &Index, builds: &[BuildId], columns: &[Column]) -> Vec<Range<usize>> {
    let facets: Vec<Facet> = columns.iter().filter_map(|column| column.facet()).collect();
    let is_like = |a: RowId, b: RowId| {
        a == b || facets.iter().all(|&facet| index.values(a, facet) == index.values(b, facet))
    };
    let rows: Vec<RowId> = builds.iter().map(|&build| index.row_of(build)).collect();
    let mut start = 0;
    let runs = rows.chunk_by(|&a, &b| is_like(a, b)).map(|run| {
        start += run.len();
        start - run.len()..start
    });
    runs.collect()
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

/// Returns what one build has in a line that not every build has: `~hwloc`, `mpich~hwloc`, `OS rhel8`.
fn words(line: &Line, place: usize) -> Option<String> {
    let own = line.cells[place].iter().filter(|word| !word.is_common);
    let own: Vec<&str> = own.map(|word| word.text.as_str()).collect();
    match (line.kind, own.as_slice()) {
        (_, []) => None,
        (Kind::Field, words) => Some(format!("{} {}", line.name, words.join(" "))),
        (Kind::Variant, [word]) if word.starts_with(['+', '~']) => Some((*word).to_owned()),
        (Kind::Variant, words) => Some(format!("{}={}", line.name, words.join(","))),
        (Kind::Dependency, words) => {
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
            Some(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{Dependency, Deptypes, Hash};
    use crate::index::{About, pack};
    use crate::sample;

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
        assert_eq!(look_alikes(&index, &[], &columns), []);
        assert_eq!(distinguishing_words(&index, &ids[..2]), [["zlib@1.3"], ["zlib@1.2"]]);
    }

    #[test]
    fn shows_nothing_that_the_cache_does_not_say() {
        let builds = vec![of("hdf5", "1.14", 1), of("hdf5", "1.14", 2)];
        let index = pack(About::default(), builds).expect("different hashes");
        let ids: Vec<BuildId> =
            [1, 2].iter().filter_map(|&number| index.find(hash(number))).collect();
        assert_eq!(distinguishing_words(&index, &ids), [Vec::<String>::new(), Vec::new()]);
    }
}
