//! On real caches, the builds offered for installation are those that the filters match.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use cache_advice::Install;
use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::index::{About, BuildId, Index, ValueCode, pack};
use cache_ingest::{Collection, read_database, read_page};
use cache_query::search::Search;
use cache_query::{Change, Query, Question, apply, run};
use proptest::prelude::*;
use spack_spec::Target;

/// The sample pages, which list no dependencies, and the small databases, which do.
static CACHES: LazyLock<Vec<Index>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = Collection::default();
    for entry in fs::read_dir(root.join("seeds")).expect("seeds") {
        let path = entry.expect("a file").path();
        let page =
            read_page(&fs::read_to_string(&path).expect("a text")).into_result().expect("a page");
        pages.add(&path.display().to_string(), page.builds).expect("no conflict");
    }
    let mut databases = Vec::new();
    for name in ["database/v7.json", "database/v8.json", "mirror-v2/build_cache/index.json"] {
        let place = Place { release: "develop".into(), stack: "root".into() };
        let file = fs::File::open(root.join("tests/data").join(name)).expect("the file");
        let mut builds = Collection::default();
        let read = read_database(file, &place).into_result().expect("a database without problems");
        builds.add(name, read.builds).expect("no conflict");
        databases.push(builds);
    }
    let all = std::iter::once(pages).chain(databases);
    all.map(|builds| pack(About::default(), builds.into_builds()).expect("an index")).collect()
});

/// Finds the builds of a package that are in a place and match a spec.
fn found(index: &Index, spec: &str, package: ValueCode, place: &Place) -> Vec<BuildId> {
    let name = index.dictionary(Facet::Package).text(package).to_owned();
    let open = apply(&Query::default(), Change::OpenPackage(name));
    let question = Question { text: spec.to_owned(), ..open.question };
    let answer = run(index, &question);
    let is_there = |id: &BuildId| index.places_of(index.row_of(*id)).any(|other| other == *place);
    answer.matching_builds(index).filter(is_there).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn offers_a_spec_of_the_best_build_that_the_filters_match(
        cache in 0..4usize,
        package in any::<prop::sample::Index>(),
        filters in prop::collection::vec(
            (prop::sample::select(Facet::ALL.to_vec()), any::<prop::sample::Index>(), any::<bool>()),
            0..4,
        ),
    ) {
        let index = &CACHES[cache];
        let names = index.dictionary(Facet::Package);
        let package = ValueCode(package.index(names.len()) as u32);
        let mut query =
            apply(&Query::default(), Change::OpenPackage(names.text(package).to_owned()));
        // Values that the package has, so that something is left to install.
        let rows: Vec<_> = index.rows_of(package).collect();
        for (facet, at, excluded) in filters {
            let values = index.values(rows[at.index(rows.len())], facet);
            let Some(&value) = values.first().filter(|_| facet != Facet::Package) else { continue };
            let value = index.dictionary(facet).text(value).to_owned();
            let change = match excluded {
                true => Change::ToggleExcluded(facet, value),
                false => Change::Include(facet, value),
            };
            query = apply(&query, change);
        }
        let answer = run(index, &query.question);
        let matching: Vec<BuildId> = answer.matching_builds(index).collect();
        let Some(install) = Install::of(index, &query.question, &answer, package) else {
            prop_assert!(matching.is_empty());
            return Ok(());
        };
        prop_assert!(matching.contains(&install.best));
        let best = index.row_of(install.best);
        prop_assert!(index.places_of(best).any(|place| place == install.place));
        if let Some(spec) = &install.spec {
            prop_assert!(Search::parse(spec, index.dialect()).is_ok(), "{}", spec);
            let found = found(index, spec, package, &install.place);
            prop_assert!(found.contains(&install.best), "{}", spec);
            prop_assert!(found.iter().all(|build| matching.contains(build)), "{}", spec);
        }
    }
}

#[test]
fn writes_the_spec_in_the_words_of_the_filters() {
    #[track_caller]
    fn check(filters: &[(Facet, &str)], expected: Option<&str>) {
        let index = &CACHES[0];
        let open = Change::OpenPackage("py-ml-dtypes".to_owned());
        let include = |query, &(facet, value): &(Facet, &str)| {
            apply(&query, Change::Include(facet, value.to_owned()))
        };
        let query = filters.iter().fold(apply(&Query::default(), open), include);
        let package = index.dictionary(Facet::Package).code("py-ml-dtypes").expect("a package");
        let install = Install::of(index, &query.question, &run(index, &query.question), package)
            .expect("a build");
        assert_eq!(install.spec.as_deref(), expected);
    }
    check(&[], Some("py-ml-dtypes"));
    check(
        &[(Facet::Os, "ubuntu22.04"), (Facet::Version, "0.3.1")],
        Some("py-ml-dtypes@=0.3.1 os=ubuntu22.04"),
    );
    check(
        &[(Facet::Variant, "build_system=python_pip"), (Facet::Compiler, "gcc@11.4.0")],
        Some("py-ml-dtypes build_system=python_pip %gcc@=11.4.0"),
    );
}

#[test]
fn offers_builds_for_the_same_kind_of_machine_if_none_runs() {
    let index = &CACHES[0];
    let package = index.dictionary(Facet::Package).code("py-ml-dtypes").expect("a package");
    for (host, platform, family) in [
        ("linux.rhel8.zen2", "linux", "x86_64"),
        ("linux.rhel8.neoverse_n1", "linux", "aarch64"),
        ("darwin.monterey.m1", "darwin", "aarch64"),
    ] {
        let open = Change::OpenPackage("py-ml-dtypes".to_owned());
        let machine = Change::Host(Some(host.parse().expect("a machine")));
        let question = apply(&apply(&Query::default(), open), machine).question;
        let install = Install::of(index, &question, &run(index, &question), package);
        let row = index.row_of(install.expect("a build").best);
        let target = Target::named(index.text(row, Facet::Target)).expect("a target");
        let found = [index.text(row, Facet::Platform), target.family().name()];
        assert_eq!(found, [platform, family], "{host}");
    }
}
