//! Searches for what is not a property of builds, in small caches.

use cache_index::build::{Build, Place};
use cache_index::index::{About, pack};
use cache_index::sample;
use cache_query::address;

use super::*;

#[test]
fn says_where_the_page_has_what_is_not_a_property_of_builds() {
    let one = |number, stack: &str| Build {
        hash: sample::hash(number),
        places: [Place { release: "develop".to_owned(), stack: stack.to_owned() }].into(),
        ..sample::one("hdf5", "1.14.6")
    };
    let zlib = Build { package: "zlib".to_owned(), ..one(2, "e4s") };
    let builds = [one(0, "e4s"), one(1, "tools-sdk"), zlib];
    let index = pack(About::default(), builds).expect("an index");
    let query = address::decode("os=rhel8&q=zlib&host=linux.rhel8.zen3").0;
    let all = PublishedParts { recipes: true, binaries: true };
    let found = |index: &Index, query: &Query, text: &str| {
        let Some(Elsewhere::At { what, query }) = elsewhere(index, query, all, text) else {
            panic!("{text}: expected a place");
        };
        (what, address::encode(&query))
    };
    let check = |text: &str, expected: &str, to: &str| {
        let (what, query) = found(&index, &query, text);
        assert!(what.contains(expected), "{text}: {what}");
        assert_eq!(query, to, "{text}");
    };
    let kept = "os=rhel8&host=linux.rhel8.zen3";
    check("outdated packages?", "a newer release", &format!("{kept}&tab=outdated"));
    check(
        "e4s vs tools-sdk",
        "of e4s and of tools-sdk",
        &format!("stack=e4s&stack=tools-sdk&{kept}&tab=coverage"),
    );
    check(
        "in which stacks is hdf5",
        "hdf5 in each stack",
        &format!("package=hdf5&{kept}&tab=coverage&across=stack"),
    );
    check(
        "hdf5 1.14.6 vs 1.12.3",
        "hdf5, and choose",
        "package=hdf5&os=rhel8&version=1.14.6&host=linux.rhel8.zen3",
    );
    check("how old is this cache", "how old", &format!("{kept}&tab=about"));
    check(
        "what changed in hdf5",
        "changed in hdf5",
        "package=hdf5&os=rhel8&changes=&host=linux.rhel8.zen3",
    );
    check("what is new this week", "what changed", "os=rhel8&changes=&host=linux.rhel8.zen3");
    check(
        "hdf5 vs zlib",
        "hdf5 and zlib",
        "package=hdf5&package=zlib&os=rhel8&host=linux.rhel8.zen3",
    );
    for asked in ["newer versions of hdf5", "is hdf5 outdated"] {
        check(asked, "which versions of hdf5", "package=hdf5&os=rhel8&host=linux.rhel8.zen3");
    }
    let needed = "the builds of hdf5: the page of each";
    check("which glibc does hdf5 need", needed, "package=hdf5&os=rhel8&host=linux.rhel8.zen3");
    check(
        "hdf5 e4s vs tools-sdk",
        "the versions of hdf5 in e4s and in tools-sdk",
        &format!("package=hdf5&stack=e4s&stack=tools-sdk&{kept}&tab=coverage&across=stack"),
    );
    check("how many builds per stack", "each stack", &format!("{kept}&tab=coverage"));
    check(
        "does hdf5 differ by stack",
        "hdf5 in each stack",
        &format!("package=hdf5&{kept}&tab=coverage&across=stack"),
    );
    check("licence of hdf5", "the licence of hdf5", "package=hdf5&os=rhel8&host=linux.rhel8.zen3");
    check(
        "new builds for ubuntu24.04",
        "for ubuntu24.04",
        "os=ubuntu24.04&changes=&host=linux.rhel8.zen3",
    );
    let of_splice = [one(4, "e4s"), Build { spliced_from: Some(sample::hash(4)), ..one(5, "e4s") }];
    let of_splice = pack(About::default(), of_splice).expect("an index");
    let (what, to) = found(&of_splice, &Query::default(), "which builds are spliced");
    assert_eq!(what, "the 1 build that was spliced");
    assert_eq!(to, format!("q=/{}", sample::hash(5)));
    let none = Some(Elsewhere::Nowhere("No such build here was spliced"));
    assert_eq!(elsewhere(&index, &query, all, "spliced hdf5"), none);
    let releases = ["v1", "develop"].map(|release| Build {
        places: [Place { release: release.to_owned(), stack: "e4s".to_owned() }].into(),
        ..one(release.len(), "e4s")
    });
    let of_releases = pack(About::default(), releases).expect("an index");
    let changes = |text: &str, to: &str| {
        assert_eq!(found(&of_releases, &Query::default(), text).1, to, "{text}");
    };
    changes("v1 vs develop", "changes=v1..develop");
    changes("what changed in e4s", "changes=v1/e4s..develop/e4s");
    changes("new for ubuntu24.04 since v1", "os=ubuntu24.04&changes=v1..develop");
    let (one, two) = (sample::hash(2), sample::hash(7));
    changes(&format!("compare {one} /{two}"), &format!("compare={one}&compare={two}"));
    changes("difference between develop and v1", "changes=v1..develop");
    changes("what changed since v1 in e4s", "changes=v1/e4s..develop/e4s");
    changes("hdf5 develop vs v1", "package=hdf5&changes=v1..develop");
    check("file h5dump", "the file h5dump", &format!("{kept}&file=h5dump"));
    check(
        "default variants of hdf5",
        "the variants of hdf5",
        "package=hdf5&os=rhel8&host=linux.rhel8.zen3",
    );
    check("who has libhdf5.so?", "the file libhdf5.so", &format!("{kept}&file=libhdf5.so"));
    check("which build has bin/h5dump", "the file bin/h5dump", &format!("{kept}&file=bin/h5dump"));
    let users = elsewhere(&index, &query, all, "what needs libstdc++.so.6");
    assert!(matches!(users, Some(Elsewhere::Nowhere(said)) if said.contains("Contents")));
    check("import numpy", "the Python module numpy", &format!("{kept}&import=numpy"));
    check("from h5py import File", "the Python module h5py", &format!("{kept}&import=h5py"));
    check("mylib.h file not found", "the file mylib.h", &format!("{kept}&file=mylib.h"));
    check("FindHDF5.cmake", "the file findhdf5.cmake", &format!("{kept}&file=findhdf5.cmake"));
    for (message, said) in [
        ("version `GLIBC_2.34' not found", "a newer glibc"),
        ("Illegal instruction (core dumped)", "a newer processor"),
        ("no kernel image is available for execution on the device", "for this GPU"),
    ] {
        let found = elsewhere(&index, &query, all, message);
        let says = |one: &Elsewhere| matches!(one, Elsewhere::Nowhere(all) if all.contains(said));
        assert!(found.as_ref().is_some_and(says), "{message}: {found:?}");
    }
    check("which license", "licences", kept);
    check("which compilers are there", "compilers", kept);
    check("builds per os", "operating systems", kept);
    check("how to use it on a new machine", "use this cache", &format!("{kept}&tab=install"));
    check("mirror url", "use this cache", &format!("{kept}&tab=install"));
    check(
        "how big is hdf5?",
        "hdf5 by the size",
        &format!(
            "package=hdf5&{kept}&sort=size&columns=hash,version,compiler,os,target,stack,variant,size"
        ),
    );
    let alone = PublishedParts::default();
    let unknown = "This cache does not say how large its builds are";
    let nowhere = Some(Elsewhere::Nowhere(unknown));
    assert_eq!(elsewhere(&index, &query, alone, "smallest build of hdf5"), nowhere);
    assert_eq!(elsewhere(&index, &query, alone, "outdated"), None);
    let without_files = elsewhere(&index, &query, alone, "libhdf5.so");
    assert!(
        matches!(without_files, Some(Elsewhere::Nowhere(said)) if said.contains("their files"))
    );
    let import = elsewhere(&index, &query, alone, "import hdf5");
    assert!(matches!(import, Some(Elsewhere::At { what, .. }) if what == "the builds of hdf5"));
    assert_eq!(elsewhere(&index, &query, all, "frobnicator"), None);
    assert_eq!(elsewhere(&index, &query, all, "file"), None);
}
