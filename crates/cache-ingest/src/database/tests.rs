//! Small database files, valid and invalid.

use proptest::prelude::*;

use super::{Database, read_database};
use cache_index::build::{Build, CompilerSource, Place};

/// A build, its compiler without a binary, and a library that it links, as Spack 1.x writes them.
const VERSION_8: &str = r#"{"database": {"version": "8", "installs": {
"2dqr6c6tz4lpr32hw5pomh7n2pbjpom4": {"spec": {"name": "hdf5", "version": "1.14.5",
  "arch": {"platform": "linux", "platform_os": "rhel8", "target": {"name": "icelake", "vendor": "GenuineIntel", "features": ["avx"], "generation": 0, "parents": ["x86_64_v4"], "cpupart": ""}},
  "namespace": "builtin",
  "parameters": {"build_type": "Release", "mpi": true, "libs": ["static", "shared"], "cflags": ["-g", "-O3"], "ldflags": []},
  "package_hash": "lrpx====",
  "dependencies": [
    {"name": "zlib", "hash": "4rseveu6q45rfj5ffuyyp4jehmrgveef", "parameters": {"deptypes": ["link", "build"], "virtuals": ["zlib-api"]}},
    {"name": "llvm", "hash": "5rseveu6q45rfj5ffuyyp4jehmrgveef", "parameters": {"deptypes": ["build"], "virtuals": ["cxx"]}},
    {"name": "gcc", "hash": "3rseveu6q45rfj5ffuyyp4jehmrgveef", "parameters": {"deptypes": ["build"], "virtuals": ["fortran", "c"]}}],
  "annotations": {"original_specfile_version": 5}, "hash": "2dqr6c6tz4lpr32hw5pomh7n2pbjpom4"}, "ref_count": 0, "in_buildcache": true},
"3rseveu6q45rfj5ffuyyp4jehmrgveef": {"spec": {"name": "gcc", "version": "12.4.0",
  "arch": {"platform": "linux", "platform_os": "rhel8", "target": "x86_64"}, "namespace": "builtin", "parameters": {},
  "external": {"path": "/usr", "module": null, "extra_attributes": {}}, "package_hash": "gbbf====",
  "annotations": {"original_specfile_version": 5}, "hash": "3rseveu6q45rfj5ffuyyp4jehmrgveef"}, "ref_count": 1, "in_buildcache": false},
"4rseveu6q45rfj5ffuyyp4jehmrgveef": {"spec": {"name": "zlib", "version": "git.develop=1.3",
  "arch": {"platform": "linux", "platform_os": "rhel8", "target": "x86_64"}, "namespace": "builtin", "parameters": {"patches": ["cc8a"]}, "patches": ["cc8a"],
  "package_hash": "7m5x====", "annotations": {"original_specfile_version": 4, "compiler": "gcc@=11.4.0"}, "hash": "4rseveu6q45rfj5ffuyyp4jehmrgveef"}, "ref_count": 1, "in_buildcache": true}
}}}"#;

fn place() -> Place {
    Place { release: "develop".into(), stack: "e4s".into() }
}

fn read(text: &str) -> Database {
    read_database(text.as_bytes(), &place()).into_result().expect("a database")
}

/// Checks that the file with one piece replaced has exactly these problems.
#[track_caller]
fn check(from: &str, to: &str, expected: &[&str]) {
    assert!(VERSION_8.contains(from), "{from} is not in the file");
    check_text(&VERSION_8.replacen(from, to, 1), expected);
}

#[track_caller]
fn check_text(text: &str, expected: &[&str]) {
    let problems = read_database(text.as_bytes(), &place()).into_result().expect_err("problems");
    let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

/// Returns the same file as an older Spack would write it, with this compiler on every spec.
fn older(version: &str) -> String {
    let compiler = r#""compiler": {"name": "gcc", "version": "12.4.0"}, "hash""#;
    VERSION_8
        .replace("\"8\"", &format!("\"{version}\""))
        .replace(r#""annotations": {"original_specfile_version": 5}, "hash""#, compiler)
        .replace(
            r#""annotations": {"original_specfile_version": 4, "compiler": "gcc@=11.4.0"}, "hash""#,
            compiler,
        )
}

#[test]
fn reads_every_field_of_a_build() {
    let Database { version, builds } = read(VERSION_8);
    assert_eq!((version, builds.len()), (8, 3));
    let hdf5 = &builds[0];
    assert_eq!((hdf5.package.as_str(), hdf5.version.as_str()), ("hdf5", "1.14.5"));
    assert_eq!(hdf5.namespace.as_deref(), Some("builtin"));
    assert_eq!([&hdf5.platform, &hdf5.os, &hdf5.target], ["linux", "rhel8", "icelake"]);
    let variants: Vec<String> = hdf5.variants.iter().map(ToString::to_string).collect();
    assert_eq!(variants, ["build_type=Release", "libs=shared,static", "+mpi"]);
    assert_eq!(hdf5.flags, [("cflags".to_string(), vec!["-g".to_string(), "-O3".to_string()])]);
    assert_eq!(hdf5.package_hash.as_deref(), Some("lrpx===="));
    assert_eq!(hdf5.spec_format, Some(5));
    assert!(hdf5.places.contains(&place()) && !hdf5.external);
    let dependencies = hdf5.dependencies.as_deref().expect("dependencies");
    let names: Vec<&str> = dependencies.iter().map(|d| d.package.as_str()).collect();
    assert_eq!(names, ["gcc", "llvm", "zlib"]);
    assert_eq!(dependencies[0].virtuals, ["c", "fortran"]);
    assert_eq!(dependencies[2].deptypes.to_string(), "build,link");
}

#[test]
fn gives_no_place_to_specs_without_a_binary() {
    let gcc = &read(VERSION_8).builds[1];
    assert!(gcc.external && !gcc.has_binary());
    assert_eq!(gcc.found_at.as_ref().and_then(|at| at.prefix.as_deref()), Some("/usr"));
    assert_eq!(gcc.dependencies, Some(vec![]));
    assert_eq!(read(VERSION_8).builds[2].version, "git.develop=1.3");
}

#[test]
fn prefers_the_compiler_for_c_then_cxx_then_fortran() {
    #[track_caller]
    fn check(text: &str, expected: Option<&str>, source: CompilerSource) {
        let build = &read(text).builds[0];
        assert_eq!((build.compiler.as_deref(), build.compiler_source), (expected, source));
    }
    let dependency = CompilerSource::Dependency;
    check(VERSION_8, Some("gcc@12.4.0"), dependency);
    // The file has no record of llvm, so its version is not known.
    check(&VERSION_8.replace("[\"fortran\", \"c\"]", "[\"fortran\"]"), None, dependency);
    let fortran =
        VERSION_8.replace("[\"cxx\"]", "[]").replace("[\"fortran\", \"c\"]", "[\"fortran\"]");
    check(&fortran, Some("gcc@12.4.0"), dependency);
    let none = VERSION_8.replace("[\"cxx\"]", "[]").replace("[\"fortran\", \"c\"]", "[]");
    check(&none, None, dependency);
    check(&older("7"), Some("gcc@12.4.0"), CompilerSource::Field);
}

#[test]
fn reads_the_compiler_of_older_specs_from_an_annotation() {
    let zlib = &read(VERSION_8).builds[2];
    assert_eq!(zlib.compiler.as_deref(), Some("gcc@11.4.0"));
    assert_eq!(zlib.compiler_source, CompilerSource::Annotation);
    assert_eq!(zlib.spec_format, Some(4));
}

#[test]
fn reads_every_version_that_is_known() {
    for version in ["6", "7"] {
        assert_eq!(read(&older(version)).version.to_string(), version);
    }
    for version in ["8", "9"] {
        let read = read_database(VERSION_8.replace("\"8\"", version).as_bytes(), &place());
        assert!(read.problems.is_empty() && read.notes.is_empty());
        assert_eq!(read.value.expect("a database").version.to_string(), version);
    }
    for version in ["4", "-1", "seven"] {
        check(
            "\"8\"",
            &format!("\"{version}\""),
            &[&format!(
                "field database.version: \
                 expected a Spack database of version 5 to 9, found version \"{version}\""
            )],
        );
    }
}

#[test]
fn reads_specs_under_their_names() {
    let version_5 = r#"{"database": {"version": "5", "installs": {
"2dqr6c6tz4lpr32hw5pomh7n2pbjpom4": {"spec": {"pinentry": {"version": "1.1.1",
  "arch": {"platform": "linux", "platform_os": "centos7", "target": "x86_64"},
  "compiler": {"name": "gcc", "version": "9.3.1"}, "namespace": "builtin", "parameters": {"gui": ["tty"], "cflags": []},
  "dependencies": {"zlib": {"hash": "4rseveu6q45rfj5ffuyyp4jehmrgveef", "type": ["build", "link"]}},
  "hash": "2dqr6c6tz4lpr32hw5pomh7n2pbjpom4", "full_hash": "kkpsam5zk5zxcomn42ocb24bxn55abta"}}, "ref_count": 0, "in_buildcache": false},
"4rseveu6q45rfj5ffuyyp4jehmrgveef": {"spec": {"zlib": {"version": "1.2.11",
  "arch": {"platform": "linux", "platform_os": "centos7", "target": "x86_64"},
  "compiler": {"name": "gcc", "version": "9.3.1"}, "namespace": "builtin"}}, "ref_count": 1},
"3rseveu6q45rfj5ffuyyp4jehmrgveef": {"spec": {"gcc": {"version": "9.3.1",
  "arch": {"platform": "linux", "platform_os": "centos7", "target": "x86_64"},
  "external": {"path": "/usr", "module": false}, "compiler": {"name": "gcc", "version": "9.3.1"}, "namespace": "builtin"}}, "ref_count": 0}
}}}"#;
    let read = read_database(version_5.as_bytes(), &place());
    assert!(read.problems.is_empty() && read.notes.is_empty(), "{:?}", read.problems);
    let builds = read.value.expect("a database").builds;
    let lines: Vec<String> = builds
        .iter()
        .map(|it| format!("{}@{} {:?} {}", it.package, it.version, it.compiler, it.has_binary()))
        .collect();
    let gcc = "Some(\"gcc@9.3.1\")";
    assert_eq!(
        lines,
        [
            format!("pinentry@1.1.1 {gcc} false"),
            format!("zlib@1.2.11 {gcc} true"),
            format!("gcc@9.3.1 {gcc} false")
        ]
    );
    let edge = &builds[0].dependencies.as_deref().expect("dependencies")[0];
    assert_eq!((edge.package.as_str(), edge.deptypes.to_string().as_str()), ("zlib", "build,link"));
    check_text(
        &version_5.replace("\"hash\": \"2dqr", "\"hash\": \"3dqr"),
        &["record 1 (2dqr6c6tz4lpr32hw5pomh7n2pbjpom4), field spec.hash: \
           expected the hash that the record is listed under, found \"3dqr6c6tz4lpr32hw5pomh7n2pbjpom4\""],
    );
    check_text(
        &version_5.replacen("\"version\": \"1.2.11\"", "\"version\": \"\"", 1),
        &["record 2 (4rseveu6q45rfj5ffuyyp4jehmrgveef), field spec.version: \
           expected a text of at least one character"],
    );
}

#[test]
fn reads_a_newer_version_whose_shape_fits() {
    let newer = VERSION_8.replacen("\"8\"", "\"12\"", 1);
    let read = read_database(newer.as_bytes(), &place());
    assert_eq!(read.value.as_ref().map(|database| database.builds.len()), Some(3));
    assert_eq!(read.problems, []);
    let notes: Vec<String> = read.notes.iter().map(|(novelty, _)| novelty.to_string()).collect();
    assert_eq!(
        notes,
        ["this database is of version 12, newer than 9, which is the newest known here; \
          it was read as one of that version"]
    );
    let other = newer.replace("\"namespace\"", "\"repository\"");
    check_text(
        &other,
        &["field spec.namespace: expected a Spack database of version 5 to 9, or one that can be \
           read like it; found version 12, in which no record can be read: \
           expected this field, found none"],
    );
}

#[test]
fn reads_provided_virtual_packages_from_format_6_on() {
    let text = VERSION_8.replace("specfile_version\": 5", "specfile_version\": 6").replacen(
        "\"package_hash\"",
        "\"provided_virtuals\": [\"mpi\", \"io\"], \"package_hash\"",
        1,
    );
    let provided: Vec<Option<Vec<String>>> =
        read(&text).builds.into_iter().map(|build| build.provided_virtuals).collect();
    assert_eq!(provided, [Some(vec!["io".into(), "mpi".into()]), Some(vec![]), None]);
}

#[test]
fn notes_unknown_fields_and_reads_the_rest() {
    let text = VERSION_8
        .replacen("{\"version\"", "{\"x\": {\"y\": [1]}, \"version\"", 1)
        .replace("\"namespace\"", "\"abi\": 1, \"namespace\"")
        .replacen("\"vendor\"", "\"maker\": 1, \"vendor\"", 1)
        .replace("\"ref_count\"", "\"pinned\": true, \"ref_count\"");
    let read = read_database(text.as_bytes(), &place());
    let notes: Vec<(String, usize, String)> = read
        .notes
        .iter()
        .map(|(novelty, seen)| (novelty.to_string(), seen.count, seen.first.to_string()))
        .collect();
    let record = "record 1 (2dqr6c6tz4lpr32hw5pomh7n2pbjpom4)";
    let expected = [
        ("database.x", 1, ""),
        ("pinned", 3, record),
        ("spec.abi", 3, record),
        ("spec.arch.target.maker", 1, record),
    ];
    let expected = expected.map(|(field, count, first)| {
        let words = format!("the field {field} is not known here and was passed over");
        (words, count, first.to_owned())
    });
    assert_eq!(notes, expected);
    assert_eq!(read.into_result(), Ok(self::read(VERSION_8)));
}

#[test]
fn reads_the_records_around_a_damaged_one() {
    #[track_caller]
    fn check(from: &str, to: &str, problem: &str) {
        assert!(VERSION_8.contains(from), "{from} is not in the file");
        let whole = self::read(VERSION_8).builds;
        let read = read_database(VERSION_8.replacen(from, to, 1).as_bytes(), &place());
        let found: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
        assert_eq!(found, [problem]);
        assert!(read.notes.is_empty(), "what cannot be read is not also noted");
        let mut left = read.value.expect("a database").builds;
        left.iter_mut().for_each(|build| build.compiler = None);
        let expected = whole[1..].iter().cloned().map(|build| Build { compiler: None, ..build });
        assert_eq!(left, expected.collect::<Vec<_>>());
    }
    const AT: &str = "record 1 (2dqr6c6tz4lpr32hw5pomh7n2pbjpom4)";
    check(
        "\"name\": \"hdf5\"",
        "\"named\": \"hdf5\"",
        &format!("{AT}, field spec.name: expected this field, found none"),
    );
    check(
        "\"mpi\": true",
        "\"mpi\": tru",
        &format!("line 5 column 53, {AT}: not valid JSON: expected ident"),
    );
}

#[test]
fn reads_records_from_before_version_7() {
    let text = older("6").replace(r#", "package_hash": "gbbf====""#, "").replace(
        r#""parameters": {"deptypes": ["build"], "virtuals": ["cxx"]}"#,
        r#""type": ["build"]"#,
    );
    let builds = read(&text).builds;
    assert_eq!(builds[1].package_hash, None);
    assert_eq!(
        builds[0].dependencies.as_deref().expect("dependencies")[1].deptypes.to_string(),
        "build"
    );
}

#[test]
fn reads_a_version_after_the_records() {
    let text = VERSION_8.replacen("\"version\": \"8\", ", "", 1);
    let text = format!("{}, \"version\": \"8\"}}}}", text.trim_end_matches("}}"));
    assert_eq!(read(&text), read(VERSION_8));
}

#[test]
fn rejects_what_is_not_a_database() {
    check_text("", &["there is nothing in it"]);
    check_text("[1]", &["expected an object with the field database, found a list"]);
    check_text("{}", &["field database: expected this field, found none"]);
    check_text(
        "{\"database\": {}}",
        &[
            "field database.version: expected this field, found none",
            "field database.installs: expected this field, found none",
        ],
    );
    check(
        "{\"version\"",
        "{\"version\": 8, \"version\"",
        &["field database.version: expected this field once, found it twice"],
    );
    check(
        "}}}",
        "}}}}",
        &["line 19 column 4: not valid JSON: expected nothing after the database"],
    );
}

#[test]
fn reports_where_a_truncated_file_ends() {
    check("}}}", "}}", &["line 19 column 3: the file ends here, within a value: it was cut off"]);
    for end in (0..VERSION_8.len()).step_by(7) {
        assert!(read_database(&VERSION_8.as_bytes()[..end], &place()).value.is_none());
    }
}

#[test]
fn reports_where_bytes_are_not_text() {
    let mut bytes = VERSION_8.as_bytes().to_vec();
    let at = VERSION_8.find("rhel8").expect("an os");
    bytes[at] = 0xff;
    let problems = read_database(&bytes[..], &place()).into_result().expect_err("problems");
    assert_eq!(
        problems[0].to_string(),
        "line 3 column 49, record 1 (2dqr6c6tz4lpr32hw5pomh7n2pbjpom4): \
         not valid JSON: invalid unicode code point"
    );
}

#[test]
fn ends_at_whatever_is_nearly_a_space() {
    for at in 0..VERSION_8.len() {
        // A form feed is a space to Rust, but not in JSON.
        let mut bytes = VERSION_8.as_bytes().to_vec();
        bytes[at] = b'\x0c';
        let is_read = read_database(&bytes[..], &place()).into_result().is_ok();
        assert!(!is_read, "a form feed in place of byte {at} was accepted");
    }
}

#[test]
fn checks_the_fields_of_records() {
    let check = |from: &str, to: &str, expected: &str| {
        check(
            from,
            to,
            &[&format!("record 1 (2dqr6c6tz4lpr32hw5pomh7n2pbjpom4), field {expected}")],
        );
    };
    check("\"ref_count\": 0, ", "", "ref_count: expected this field, found none");
    check("true}", "1}", "in_buildcache: expected true or false, found 1");
    check(
        "\"name\": \"hdf5\"",
        "\"name\": \"\"",
        "spec.name: expected a text of at least one character",
    );
    check(
        "\"platform_os\": \"rhel8\", ",
        "",
        "spec.arch.platform_os: expected this field, found none",
    );
    check(
        "\"name\": \"icelake\"",
        "\"name\": 3",
        "spec.arch.target.name: expected a text, found 3",
    );
    check(
        "\"mpi\": true",
        "\"mpi\": null",
        "spec.parameters.mpi: expected true, false, a text or a list of texts, found nothing",
    );
    check(
        "[\"-g\", \"-O3\"]",
        "\"-g\"",
        "spec.parameters.cflags: expected a list of texts, found \"-g\"",
    );
    check("\"shared\"]", "1]", "spec.parameters.libs: expected a text, found 1");
    check(
        "[\"link\", \"build\"]",
        "[\"links\"]",
        "spec.dependencies: expected build, link, run or test, found \"links\"",
    );
    check(
        "4rseveu6q45rfj5ffuyyp4jehmrgveef\", \"parameters",
        "x\", \"parameters",
        "spec.dependencies: not a hash: expected a hash of 32 characters, found 1, in \"x\"",
    );
    check(
        "\"hash\": \"2dqr6c6tz4lpr32hw5pomh7n2pbjpom4\"",
        "\"hash\": \"3dqr6c6tz4lpr32hw5pomh7n2pbjpom4\"",
        "spec.hash: expected the hash that the record is listed under, found \"3dqr6c6tz4lpr32hw5pomh7n2pbjpom4\"",
    );
    check(
        "\"original_specfile_version\": 5",
        "\"original_specfile_version\": \"5\"",
        "spec.annotations.original_specfile_version: expected a whole number, found \"5\"",
    );
    check(
        "\"annotations\"",
        "\"build_spec\": {\"name\": \"x\"}, \"annotations\"",
        "spec.build_spec.hash: expected this field, found none",
    );
}

#[test]
fn checks_hashes() {
    check(
        "\"3rseveu6q45rfj5ffuyyp4jehmrgveef\": {",
        "\"short\": {",
        &["record 2 (short): not a hash: expected a hash of 32 characters, found 5, in \"short\""],
    );
    check(
        "\"3rseveu6q45rfj5ffuyyp4jehmrgveef\": {",
        "\"2dqr6c6tz4lpr32hw5pomh7n2pbjpom4\": {",
        &["record 2 (2dqr6c6tz4lpr32hw5pomh7n2pbjpom4), field spec.hash: expected the hash that \
           the record is listed under, found \"3rseveu6q45rfj5ffuyyp4jehmrgveef\""],
    );
}

#[test]
fn reads_a_repeated_record_once() {
    let (start, records) = VERSION_8.split_once("\"installs\": {").expect("records");
    let first =
        &records[..records.find("\"3rseveu6q45rfj5ffuyyp4jehmrgveef\": {").expect("a record")];
    let read =
        read_database(format!("{start}\"installs\": {{{first}{records}").as_bytes(), &place());
    let found: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        ["record 2 (2dqr6c6tz4lpr32hw5pomh7n2pbjpom4): \
          expected each hash once, but record 1 is the same build"]
    );
    assert_eq!(read.value, Some(self::read(VERSION_8)));
}

proptest! {
    #[test]
    fn reads_any_bytes_without_panicking(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_database(&bytes[..], &place());
    }

    #[test]
    fn reads_any_damage_without_panicking(
        at in 0..VERSION_8.len(),
        length in 0..60_usize,
        new in proptest::collection::vec(any::<u8>(), 0..8),
    ) {
        let end = (at + length).min(VERSION_8.len());
        let bytes = [&VERSION_8.as_bytes()[..at], &new, &VERSION_8.as_bytes()[end..]].concat();
        let _ = read_database(&bytes[..], &place());
    }
}
