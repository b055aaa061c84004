//! The sample pages end to end, without a browser: from their text to answers.

use std::fs;
use std::path::Path;

use cache_index::facet::Facet;
use cache_index::index::{About, Index, pack};
use cache_ingest::{Collection, read_page};
use cache_query::address;
use cache_query::{Answer, run};

fn index() -> Index {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../seeds");
    let mut collection = Collection::default();
    for entry in fs::read_dir(folder).expect("the sample pages are there") {
        let path = entry.expect("the folder can be read").path();
        let page = read_page(&fs::read_to_string(&path).expect("a text"))
            .into_result()
            .expect("a good page");
        collection.add(&path.display().to_string(), page.builds).expect("builds that agree");
    }
    let index = pack(About::default(), collection.into_builds()).expect("different hashes");
    // As the page reads it.
    Index::from_json(&index.to_json()).expect("what was just written")
}

fn ask(index: &Index, link: &str) -> Answer {
    let (query, ignored) = address::decode(link);
    assert_eq!(ignored, []);
    run(index, &query.question)
}

#[track_caller]
fn check(index: &Index, answer: &Answer, facet: Facet, expected: &[(&str, u32)]) {
    let dictionary = index.dictionary(facet);
    let mut counts: Vec<(&str, u32)> =
        dictionary.iter().map(|(code, text)| (text, answer.count(facet, code))).collect();
    let mut expected = expected.to_vec();
    counts.sort_unstable();
    expected.sort_unstable();
    assert_eq!(counts, expected);
}

#[test]
fn counts_every_facet_as_the_pages_do() {
    let index = index();
    let all = ask(&index, "");
    assert_eq!((all.builds, all.packages), (390, 4));
    check(
        &index,
        &all,
        Facet::Package,
        &[
            ("py-safetensors", 167),
            ("py-ml-dtypes", 129),
            ("py-transformers", 62),
            ("py-tokenizers", 32),
        ],
    );
    check(
        &index,
        &all,
        Facet::Stack,
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
    let oses = [("ubuntu24.04", 269), ("sequoia", 93), ("ubuntu22.04", 28)];
    check(&index, &all, Facet::Os, &oses);
    let targets = [("aarch64", 212), ("x86_64_v3", 172), ("neoverse_v1", 6)];
    check(&index, &all, Facet::Target, &targets);
    let compilers = [("gcc@13.2.0", 269), ("apple-clang@16.0.0", 93), ("gcc@11.4.0", 28)];
    check(&index, &all, Facet::Compiler, &compilers);

    let two = ask(&index, "os=sequoia&os=ubuntu22.04");
    assert_eq!((two.builds, two.packages), (121, 4));
    check(&index, &two, Facet::Os, &oses);
}

#[test]
fn combines_choices() {
    let index = index();
    let builds = |link: &str| ask(&index, link).builds;
    assert_eq!(builds("package=py-ml-dtypes&version=0.3.1"), 11);
    assert_eq!(builds("stack=ml-linux-x86_64-cpu&stack=ml-linux-x86_64-rocm&all=stack"), 49);
    assert_eq!(builds("not.os=sequoia"), 297);
    assert_eq!(builds("os=sequoia&os=nowhere"), 93);
    assert_eq!(builds("release=develop&stack=e4s"), 22);
    assert_eq!(builds("release=nowhere&stack=e4s"), 0);
}
