//! The seed pages, read and united, against what is known about them.
#![cfg(feature = "ingest")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cache_index::build::Build;
use cache_index::ingest::{Collection, read_page};

fn seeds() -> Vec<Build> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds");
    let mut collection = Collection::default();
    for entry in fs::read_dir(folder).expect("the folder of seeds") {
        let path = entry.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a text");
        let page = read_page(&text).expect("a page without problems");
        collection.add(&path.display().to_string(), page.builds).expect("no conflict");
    }
    collection.into_builds().collect()
}

#[track_caller]
fn check(counts: BTreeMap<String, usize>, expected: &[(&str, usize)]) {
    let counts: Vec<(&str, usize)> = counts.iter().map(|(name, &n)| (name.as_str(), n)).collect();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(counts, expected);
}

fn count<'a>(values: impl Iterator<Item = &'a String>) -> BTreeMap<String, usize> {
    values.fold(BTreeMap::new(), |mut counts, value| {
        *counts.entry(value.clone()).or_default() += 1;
        counts
    })
}

#[test]
fn the_seeds_are_what_they_are_known_to_be() {
    let builds = seeds();
    assert_eq!(builds.len(), 390);
    check(
        count(builds.iter().map(|build| &build.package)),
        &[
            ("py-safetensors", 167),
            ("py-ml-dtypes", 129),
            ("py-transformers", 62),
            ("py-tokenizers", 32),
        ],
    );
    check(
        count(builds.iter().flat_map(|build| &build.places).map(|place| &place.stack)),
        &[
            ("root", 390),
            ("ml-linux-x86_64-cpu", 128),
            ("ml-linux-aarch64-cpu", 119),
            ("ml-linux-aarch64-cuda", 115),
            ("ml-linux-x86_64-cuda", 115),
            ("ml-darwin-aarch64-mps", 93),
            ("ml-linux-x86_64-rocm", 69),
            ("e4s", 22),
            ("e4s-neoverse_v1", 6),
        ],
    );
    check(
        count(builds.iter().map(|build| &build.os)),
        &[("ubuntu24.04", 269), ("sequoia", 93), ("ubuntu22.04", 28)],
    );
    check(
        count(builds.iter().map(|build| &build.target)),
        &[("aarch64", 212), ("x86_64_v3", 172), ("neoverse_v1", 6)],
    );
    check(
        count(builds.iter().filter_map(|build| build.compiler.as_ref())),
        &[("gcc@13.2.0", 269), ("apple-clang@16.0.0", 93), ("gcc@11.4.0", 28)],
    );
}
