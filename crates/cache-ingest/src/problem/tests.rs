//! Every message that an input can cause.

use super::*;
use cache_index::build::HashError;

#[track_caller]
fn check(at: Position, finding: Finding, expected: &str) {
    assert_eq!(Problem { at, finding }.to_string(), expected);
}

#[test]
fn shows_as_much_of_the_position_as_is_known() {
    let finding = || Finding::MissingField;
    let text = "expected this field, found none";
    check(Position::default(), finding(), text);
    let line = Position { line: Some(6), ..Position::default() };
    check(line.clone(), finding(), &format!("line 6: {text}"));
    let column = Position { column: Some(9), ..line.clone() };
    check(column, finding(), &format!("line 6 column 9: {text}"));
    let record = |hash: &str| Some(Record { number: 3, hash: hash.into() });
    let at = Position { record: record("abc"), field: "size".into(), ..line };
    check(at, finding(), &format!("line 6, record 3 (abc), field size: {text}"));
    let at = Position { record: record(""), ..Position::default() };
    check(at, finding(), &format!("record 3: {text}"));
}

#[test]
fn shortens_and_escapes_texts_of_the_input() {
    let record = Some(Record { number: 1, hash: "\u{202e}<\n".into() });
    let at = Position { record, field: "a\u{7}".into(), ..Position::default() };
    check(
        at,
        Finding::EmptyText,
        "record 1 (\"\\u{202e}<\\n\"), field a\\u{7}: \
         expected a text of at least one character",
    );
    assert_eq!(quote("a\"b"), r#""a\"b""#);
    assert_eq!(quote(&"ä".repeat(61)), format!("\"{}\"…", "ä".repeat(60)));
}

#[test]
fn writes_each_finding_as_one_lower_case_sentence() {
    #[track_caller]
    fn check(finding: Finding, expected: &str) {
        assert_eq!(finding.to_string(), expected);
    }
    let found = || "\"x\"".to_string();
    check(Finding::NothingInIt, "there is nothing in it");
    check(
        Finding::UnknownInput { found: found() },
        "expected a cache page (which starts with a line `---`), a Spack database, \
         a mirror or a manifest of mirrors, found \"x\"",
    );
    check(
        Finding::PartOfAMirror,
        "this is a part of a mirror; expected the folder of the mirror, \
         which has build_cache or v3 in it",
    );
    check(
        Finding::ExpectedFrontMatter { found: found() },
        "expected a line `---` at the start of a cache page, found \"x\"",
    );
    check(
        Finding::UnclosedFrontMatter,
        "expected a line `---` after the front matter, found the end of the file",
    );
    check(
        Finding::TextAfterFrontMatter { found: found() },
        "expected nothing after the front matter, found \"x\"",
    );
    check(Finding::InvalidYaml { message: "oh".into() }, "not valid YAML: oh");
    check(Finding::InvalidJson { message: "oh".into() }, "not valid JSON: oh");
    check(Finding::MissingField, "expected this field, found none");
    check(Finding::UnknownField, "a field of this name is not known here");
    check(Finding::RepeatedField, "expected this field once, found it twice");
    check(
        Finding::UnexpectedType { expected: "a text", found: "12".into() },
        "expected a text, found 12",
    );
    check(Finding::EmptyText, "expected a text of at least one character");
    check(Finding::EmptyList, "expected a list of at least one value");
    check(Finding::RepeatedValue { found: found() }, "expected each value once, found \"x\" twice");
    check(Finding::UnknownLayout { found: found() }, "expected the layout \"cache\", found \"x\"");
    check(
        Finding::ExpectedPackageAndRelease { found: found() },
        "expected \"package\" and the name of a release, found \"x\"",
    );
    check(Finding::ExpectedOneVersion { count: 2 }, "expected exactly one version, found 2");
    check(
        Finding::BadHash { found: found(), error: HashError::ExpectedLength32 { length: 1 } },
        "not a hash: expected a hash of 32 characters, found 1, in \"x\"",
    );
    check(
        Finding::NotAVariant { found: found() },
        "expected a variant such as +x, ~x, name=value, found \"x\"",
    );
    check(
        Finding::RepeatedVariant { name: found() },
        "expected each variant once, found \"x\" twice",
    );
    check(
        Finding::RepeatedHash { first: 2, difference: None },
        "expected each hash once, but record 2 is the same build",
    );
    check(
        Finding::RepeatedHash { first: 2, difference: Some("os") },
        "expected each hash once, but record 2 has it too and differs in os",
    );
    check(
        Finding::HashDisagrees { found: found() },
        "expected the hash that the record is listed under, found \"x\"",
    );
    check(
        Finding::TooManyPlaces { releases: 1_000, stacks: 2 },
        "expected a build in at most 100,000 places, found one in 2 stacks in each of 1,000 releases",
    );
    check(
        Finding::UnknownDeptype { found: found() },
        "expected build, link, run or test, found \"x\"",
    );
    check(Finding::CutOff, "the file ends here, within a value: it was cut off");
    check(
        Finding::DatabaseTooNew { version: 12, message: "oh".into() },
        "expected a Spack database of version 5 to 9, or one that can be read like it; \
         found version 12, in which no record can be read: oh",
    );
    check(Finding::NoView { view: found(), found: vec![] }, "the mirror has no view \"x\"");
    check(
        Finding::NoView { view: found(), found: vec!["io".into(), "compression".into()] },
        "the mirror has no view \"x\", but io, compression",
    );
    check(
        Finding::UnknownDatabaseVersion { found: found() },
        "expected a Spack database of version 5 to 9, found version \"x\"",
    );
    check(Finding::Unreadable { message: "oh".into() }, "could not be read: oh");
    check(Finding::NotUtf8 { byte: 7 }, "expected UTF-8, found other bytes at byte 7");
    check(Finding::NoIndex, "the mirror has no index; `spack buildcache update-index` makes it");
    check(
        Finding::UnknownManifestVersion { found: 4 },
        "expected a manifest of version 3, found version 4",
    );
    check(Finding::UnknownChecksum { found: found() }, "expected \"sha256\", found \"x\"");
    check(
        Finding::BadDigest { found: found() },
        "expected a sha256 of 64 hexadecimal digits, found \"x\"",
    );
    check(
        Finding::MissingBlob { path: "blobs/x".into() },
        "the mirror lacks a file that this manifest names: blobs/x",
    );
    check(
        Finding::LengthDisagrees { stated: 3, found: 2 },
        "the length differs from the stated one: expected 3 bytes, found 2",
    );
    check(
        Finding::DigestDisagrees { stated: "ab".into(), found: "cd".into() },
        "the sha256 differs from the stated one: expected ab, found cd",
    );
    check(
        Finding::DamagedSpec { path: None, finding: Box::new(Finding::CutOff) },
        "the spec of this build is damaged: the file ends here, within a value: it was cut off",
    );
    check(
        Finding::DamagedSpec {
            path: Some("blobs/x".into()),
            finding: Box::new(Finding::LengthDisagrees { stated: 3, found: 2 }),
        },
        "the spec of this build is damaged: blobs/x: the length differs from the stated one: \
         expected 3 bytes, found 2",
    );
    check(
        Finding::CountDisagrees { stated: 3, counted: 2 },
        "the page states another number than its spec_details have: 3 instead of 2",
    );
    check(
        Finding::ListedButAbsent { value: found() },
        "the page lists a value that no build in its spec_details has: \"x\"",
    );
    check(
        Finding::PresentButUnlisted { value: found() },
        "the page leaves out a value that a build in its spec_details has: \"x\"",
    );
    check(
        Finding::NotAListOfSpecs { wrong: 1200, lines: 1500 },
        "expected a spack.lock, a spack.yaml or a list of specs, but 1,200 of its 1,500 lines are not specs",
    );
    check(Finding::MoreNotSpecs { more: 1 }, "1 more line is not a spec");
}
