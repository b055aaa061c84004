//! Tests the distributions that the crate documents, on a cache small enough for every test run.

use std::collections::{BTreeMap, BTreeSet};

use cache_index::index::{About, pack};
use cache_ingest::{Collection, read_page};

use super::*;

#[test]
fn generates_the_same_cache_every_time() {
    let first = Sample::new(500, 7).builds().find(|build| build.package.len() > 7);
    let hash = first.map(|build| build.hash.to_string());
    // A different hash means that figures can no longer be compared with earlier ones.
    assert_eq!(hash.as_deref(), Some("qfllxzx6ibqtsb6vw6mwhcey76r4vw4i"));
    assert!(Sample::new(500, 7).builds().ne(Sample::new(500, 8).builds()));
}

#[test]
fn has_the_documented_distributions() {
    let sample = Sample { dependencies: true, ..Sample::new(20_000, 1) };
    let builds: Vec<Build> = sample.builds().collect();
    assert_eq!(builds.len(), 20_000);
    let mut by_package: BTreeMap<&str, usize> = BTreeMap::new();
    for build in &builds {
        *by_package.entry(&build.package).or_default() += 1;
        let stacks: BTreeSet<_> = build.places.iter().map(|place| &place.stack).collect();
        let releases: BTreeSet<_> = build.places.iter().map(|place| &place.release).collect();
        assert!((1..=4).contains(&stacks.len()) && (1..=6).contains(&releases.len()));
        assert!((1..=25).contains(&build.variants.len()));
        assert!(build.dependencies.as_ref().is_some_and(|all| all.len() <= 60));
    }
    assert_eq!(by_package.len(), 1400);
    assert_eq!(by_package.values().max(), Some(&371));
    let distinct = |value: fn(&Build) -> &str| builds.iter().map(value).collect::<BTreeSet<_>>();
    assert_eq!(distinct(|build| &build.os).len(), 8);
    assert_eq!(distinct(|build| &build.target).len(), 12);
    assert_eq!(distinct(|build| build.compiler.as_deref().unwrap_or("none")).len(), 8 + 1);
    let hashes: BTreeSet<_> = builds.iter().map(|build| build.hash).collect();
    let edges = || builds.iter().flat_map(|build| build.dependencies.iter().flatten());
    assert!(edges().count() > builds.len());
    assert!(edges().all(|edge| hashes.contains(&edge.hash)));
    let rows = pack(About::default(), builds.iter().cloned()).expect("different hashes").rows();
    assert!(rows * 10 < builds.len() * 8, "{rows} rows");
}

#[test]
fn writes_pages_of_the_same_cache() {
    let sample = Sample::new(300, 1);
    let mut collection = Collection::default();
    for page in sample.packages().flat_map(|builds| pages(&builds)) {
        let name = format!("{}/{}", page.release, page.package);
        let read = read_page(&page.text).into_result().expect("a good page");
        collection.add(&name, read.builds).expect("pages that agree");
    }
    let index = |builds| pack(About::default(), builds).expect("different hashes").to_json();
    assert_eq!(
        index(collection.into_builds().collect()),
        index(sample.builds().collect::<Vec<_>>())
    );
}

#[test]
fn looks_real_where_asked() {
    let sample = Sample { looks_real: true, ..Sample::new(20_000, 1) };
    let builds: Vec<Build> = sample.builds().collect();
    let real =
        builds.iter().find(|build| build.package == "hdf5").expect("a package that all know");
    assert!(real.variants.iter().any(|variant| variant.name == "mpi"), "{real:?}");
    let entries: Vec<_> = catalogue::entries().collect();
    let names: BTreeSet<_> = entries.iter().map(|entry| entry.name).collect();
    assert_eq!((names.len(), entries.len()), (1400, 1400));
    assert!(builds.iter().all(|build| names.contains(build.package.as_str())));
    assert!(entries.iter().all(|entry| (1..=8).contains(&entry.versions.len())));
}
