//! Which packages use a package.
//!
//! Filters for places and machines choose among the builds that use it; its versions decide what these must depend on. The
//! other filters are about the package itself, and are [left out](Users::left_out).

use std::cmp::Reverse;

use cache_index::facet::Facet;
use cache_index::index::{Index, RowId, ValueCode};
use cache_index::number::counted;
use cache_index::sorting;
use cache_query::search::{Property, Search, TextMeaning};
use cache_query::{Filter, Question, run};
use spack_spec::Dialect;

/// A package that uses another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The package with a build that depends directly on a build of the other.
    pub package: ValueCode,
    /// How many of its builds depend on the other: directly or, before Spack 1.0, whose language cannot ask for direct
    /// dependencies, in any way.
    pub builds: u32,
    /// The question that shows these builds.
    pub question: Question,
}

/// The packages that use another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Users {
    /// The package, with the versions that were asked for: `openmpi@4`.
    pub spec: String,
    /// Those that depend directly on it, those with the most builds first.
    pub direct: Vec<Use>,
    /// `true` if only builds that depend on it directly are counted.
    pub counts_direct: bool,
    /// How many packages depend on it: directly (to be built counts, to be tested does not), or through what they need
    /// to run.
    pub all: u32,
    /// The question that shows these packages.
    pub question: Question,
    /// The filters that do not say which builds use it.
    pub left_out: Vec<Filter>,
}

/// The facets that say where a build is, and for which machine.
const OF_PLACES: [Facet; 6] =
    [Facet::Stack, Facet::Release, Facet::Platform, Facet::Os, Facet::Target, Facet::Libc];

/// Returns the packages that use a package, in the versions and places that a question asks for; none before the dependencies
/// are there.
pub fn used_by(index: &Index, package: ValueCode, asked: &Question) -> Users {
    let names = index.dictionary(Facet::Package);
    let spec = format!("{}{}", names.text(package), versions(index, asked));
    let places = places(asked);
    let of_text = |text: String| Question { text, ..places.clone() };
    let any = of_text(format!("^{spec}"));
    // A name that Spack's language does not allow cannot be asked for.
    if Search::parse(&any.text, index.dialect()).is_err() {
        return Users::default();
    }
    let counts_direct = index.dialect() != Dialect::V0;
    let direct = match counts_direct {
        true => of_text(format!("%{spec}")),
        false => any.clone(),
    };
    let mut uses_it = vec![false; names.len()];
    for row in dependents_of(index, package) {
        uses_it[index.package_of(row).at()] = true;
    }
    let depending = run(index, &direct);
    let of = |user: ValueCode| {
        let mut question = direct.clone();
        question.choice_mut(Facet::Package).include(names.text(user));
        Use { package: user, builds: depending.matching(user), question }
    };
    let users = depending.matching_packages().filter(|user| uses_it[user.at()]);
    let mut uses: Vec<Use> = users.map(of).collect();
    sorting::sort_by_key(&mut uses, |user| Reverse(user.builds));
    let all = run(index, &any).packages;
    let left_out = left_out(index, asked, &places);
    Users { spec, direct: uses, counts_direct, all, question: any, left_out }
}

/// Returns why an index lists a package without binaries: other builds depend on it, or its binaries are missing. `None` for
/// an index without dependencies, and before they are there.
pub fn why_listed(index: &Index, package: ValueCode) -> Option<String> {
    if !index.has_dependencies() {
        return None;
    }
    if dependents_of(index, package).any(|row| index.has_binary(row)) {
        return Some("Other builds depend on it".to_owned());
    }
    let builds: u32 = index.rows_of(package).map(|row| index.row_len(row)).sum();
    let one = "build of it, but its binary is not there";
    let many = "builds of it, but their binaries are not there";
    Some(format!("The index lists {}", counted(builds as usize, one, many)))
}

/// Returns the rows of the builds that depend directly on a build of a package; none before the dependencies are there.
fn dependents_of(index: &Index, package: ValueCode) -> impl Iterator<Item = RowId> {
    let builds = index.rows_of(package).flat_map(move |row| index.builds_of(row));
    let dependents = builds.flat_map(move |build| index.dependents(build).into_iter().flatten());
    dependents.map(move |(dependent, _)| index.row_of(dependent))
}

/// Returns what a question asks of places and machines.
fn places(asked: &Question) -> Question {
    let mut places = Question {
        host: asked.host.clone(),
        gpus: asked.gpus.clone(),
        preference: asked.preference.clone(),
        runs: asked.runs.clone(),
        judged: asked.judged.clone(),
        ..Question::default()
    };
    OF_PLACES.iter().for_each(|&facet| *places.choice_mut(facet) = asked.choice(facet).clone());
    places
}

/// Returns the filters of a question that are neither about places nor about the name and the versions of the package.
fn left_out(index: &Index, asked: &Question, places: &Question) -> Vec<Filter> {
    let kept = Filter::all(index, places);
    let is_of_package = |filter: &Filter| match filter {
        Filter::Text(meaning) => {
            matches!(meaning.property, Property::Package | Property::Version)
        }
        Filter::Included(facet, _) => matches!(facet, Facet::Package | Facet::Version),
        _ => false,
    };
    let mut filters = Filter::all(index, asked);
    filters.retain(|filter| !kept.contains(filter) && !is_of_package(filter));
    filters
}

/// Returns the versions that a question asks for, as a spec has them after its name: `@4:`; empty for any.
fn versions(index: &Index, asked: &Question) -> String {
    let chosen = asked.choice(Facet::Version).included();
    let chosen: Vec<String> = chosen.iter().map(|version| format!("={version}")).collect();
    if !chosen.is_empty() {
        return format!("@{}", chosen.join(","));
    }
    match Search::read(index, &asked.text).asked {
        TextMeaning::Spec(spec) if !spec.root.versions.is_any() => {
            format!("@{}", spec.root.versions)
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Build, CompilerSource, Dependency, Deptypes, Places};
    use cache_index::index::{About, pack};
    use cache_index::sample;

    /// Returns a build that is linked with others, each given by its package and number.
    fn build(number: usize, package: &str, needs: &[(&str, usize)]) -> Build {
        let edge = |&(package, number): &(&str, usize)| Dependency {
            package: package.to_owned(),
            hash: sample::hash(number),
            deptypes: Deptypes::LINK,
            virtuals: Vec::new(),
        };
        Build {
            hash: sample::hash(number),
            dependencies: Some(needs.iter().map(edge).collect()),
            // As Spack writes it since 1.0.
            compiler: None,
            compiler_source: CompilerSource::Dependency,
            ..sample::one(package, "1.0")
        }
    }

    #[test]
    fn lists_direct_users_with_the_builds_that_their_links_show() {
        let builds = vec![
            build(0, "zlib", &[]),
            Build { version: "2.0".to_owned(), ..build(1, "zlib", &[]) },
            build(2, "hdf5", &[("zlib", 0)]),
            build(3, "hdf5", &[("zlib", 1)]),
            build(4, "libpng", &[("zlib", 0)]),
            // Only below another one.
            build(5, "netcdf", &[("hdf5", 2)]),
            build(6, "hdf5", &[("libpng", 4)]),
        ];
        let index = pack(About::default(), builds).expect("different hashes");
        let code = |name: &str| index.dictionary(Facet::Package).code(name).expect("it is there");
        let uses = used_by(&index, code("zlib"), &Question::default());
        let found: Vec<(ValueCode, u32)> =
            uses.direct.iter().map(|user| (user.package, user.builds)).collect();
        assert_eq!(found, [(code("hdf5"), 2), (code("libpng"), 1)]);
        for user in uses.direct {
            assert_eq!(run(&index, &user.question).builds, user.builds);
        }
        assert_eq!((uses.all, run(&index, &uses.question).packages), (3, 3));
        // Only of the versions that were asked for.
        let mut chosen = Question::default();
        chosen.choice_mut(Facet::Version).include("2.0".to_owned());
        for (asked, spec) in [(Question::of_text("zlib@2:"), "zlib@2:"), (chosen, "zlib@=2.0")] {
            let uses = used_by(&index, code("zlib"), &asked);
            assert_eq!(uses.spec, spec);
            assert_eq!(uses.direct.len(), 1, "{asked:?}");
            assert_eq!((uses.direct[0].package, uses.direct[0].builds), (code("hdf5"), 1));
            assert_eq!(uses.all, 1);
        }
        assert_eq!(used_by(&index, code("netcdf"), &Question::default()).direct, []);
        // A filter for a machine is one for those that use it, and one for its variants is not.
        let mut on_mac = Question::of_text("zlib+pic");
        on_mac.choice_mut(Facet::Os).include("sequoia".to_owned());
        let uses = used_by(&index, code("zlib"), &on_mac);
        assert_eq!((uses.direct.len(), uses.all), (0, 0));
        let left_out: Vec<String> = uses.left_out.iter().map(|filter| filter.words().1).collect();
        assert_eq!(left_out, ["+pic"]);
    }

    #[test]
    fn says_why_a_package_without_binaries_is_listed() {
        #[track_caller]
        fn check(builds: Vec<Build>, expected: Option<&str>) {
            let index = pack(About::default(), builds).expect("different hashes");
            let zlib = index.dictionary(Facet::Package).code("zlib").expect("it is there");
            assert_eq!(why_listed(&index, zlib).as_deref(), expected);
        }
        let lacking = |build: Build| Build { places: Places::default(), ..build };
        let zlib = |number| lacking(build(number, "zlib", &[]));
        let hdf5 = build(2, "hdf5", &[("zlib", 0)]);
        let missing = "The index lists 1 build of it, but its binary is not there";
        check(vec![zlib(0), build(1, "hdf5", &[])], Some(missing));
        check(vec![zlib(0), hdf5.clone()], Some("Other builds depend on it"));
        // Neither build can be installed.
        check(vec![zlib(0), lacking(hdf5)], Some(missing));
        let all_missing = "The index lists 2 builds of it, but their binaries are not there";
        check(vec![zlib(0), zlib(1)], Some(all_missing));
        // Without dependencies, it is not known whether others depend on it.
        check(vec![lacking(sample::one("zlib", "1.3"))], None);
    }

    #[test]
    fn says_nothing_where_the_cache_does_not() {
        let index = pack(About::default(), [sample::one("zlib", "1.3")]).expect("an index");
        assert_eq!(used_by(&index, ValueCode(0), &Question::default()).direct, []);
    }
}
