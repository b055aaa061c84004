//! Small real caches, packed, written and loaded again: the index has everything that a database file says about a
//! build.

use std::fs;
use std::path::Path;

use cache_index::build::{Build, Place};
use cache_index::facet::Facet;
use cache_index::index::{About, BuildId, EdgeTarget, Index, Parts, pack};
use cache_ingest::{Collection, read_database};
use spack_spec::Dialect;

fn read(names: &[&str]) -> Vec<Build> {
    let mut collection = Collection::default();
    for name in names {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name);
        let place = Place::whole_release("develop");
        let file = fs::File::open(path).expect("the file");
        let database =
            read_database(file, &place).into_result().expect("a database without problems");
        collection.add(name, database.builds).expect("no conflict");
    }
    collection.into_builds().collect()
}

/// Packs builds, writes the index as several texts, and loads those.
fn load(builds: Vec<Build>) -> (Parts, Index) {
    let parts = pack(About::default(), builds).expect("different hashes").to_parts();
    let index = Index::from_json(&parts.columns).expect("columns");
    index.set_hashes(parts.hashes.as_deref().expect("hashes")).expect("good hashes");
    index.set_details(parts.details.as_deref().expect("details")).expect("good details");
    let dependencies = parts.dependencies.as_deref().expect("dependencies");
    index.set_dependencies(dependencies).expect("good dependencies");
    (parts, index)
}

const ALL: [&str; 4] = [
    "database/v7.json",
    "database/v8.json",
    "database/v8-older-specs.json",
    "mirror-v2/build_cache/index.json",
];

#[test]
fn returns_builds_as_they_were_read() {
    #[track_caller]
    fn check(names: &[&str], dialect: Dialect) {
        let builds = read(names);
        let (_, index) = load(builds.clone());
        let mut loaded: Vec<Build> =
            (0..index.specs()).filter_map(|id| index.build(BuildId(id))).collect();
        loaded.sort_by_key(|build| build.hash);
        assert_eq!(loaded, builds);
        assert_eq!(index.dialect(), dialect);
    }
    for (name, dialect) in ALL.iter().zip([Dialect::V0, Dialect::V1, Dialect::V1, Dialect::V0]) {
        check(&[name], dialect);
    }
    check(&ALL, Dialect::V1);
}

#[test]
fn writes_parts_that_cannot_end_a_script() {
    let (parts, _) = load(read(&ALL));
    let texts = [Some(parts.columns), parts.hashes, parts.details, parts.dependencies];
    for text in texts.iter().flatten() {
        assert!(!text.contains('<'));
        serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    }
}

#[test]
fn finds_the_libc_among_dependencies() {
    let (_, index) = load(read(&ALL));
    // The first belongs to a build whose glibc is not in the file.
    let libcs = index.dictionary(Facet::Libc).values();
    assert_eq!(libcs, ["glibc", "glibc@2.35", "glibc@2.36", "none"]);
    // No virtual package has two providers here.
    assert!(index.dictionary(Facet::Provider).is_empty());
}

#[test]
fn finds_what_a_mirror_lacks_of_a_closure() {
    let (_, index) = load(read(&["database/v8.json"]));
    let named = |id: &BuildId| index.text(index.row_of(*id), Facet::Package) == "hdf5";
    let hdf5 = (0..index.specs()).map(BuildId).find(named).expect("a build of hdf5");
    let name = |target: &EdgeTarget<'_>| match target {
        EdgeTarget::Build(id) => index.text(index.row_of(*id), Facet::Package).to_owned(),
        EdgeTarget::Unknown { package, .. } => format!("{package}, unknown"),
    };
    let names = |targets: Option<Vec<EdgeTarget<'_>>>| -> Vec<String> {
        targets.expect("listed").iter().map(name).collect()
    };
    let unknown = ["pkgconf, unknown", "zlib-ng, unknown"];
    assert_eq!(names(index.closure(hdf5)), [&["gcc-runtime", "glibc"], &unknown[..]].concat());
    let missing = |stack: &str| {
        let place = Place { release: "develop".into(), stack: stack.into() };
        names(index.fetched_with(hdf5).map(|all| index.missing_at(&all, &place)))
    };
    // The libc is external: no mirror needs to have it.
    assert_eq!(missing("root"), unknown);
    assert_eq!(missing("nowhere"), [&["gcc-runtime"], &unknown[..]].concat());
}
