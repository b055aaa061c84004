//! Pages that are valid, and one page that is wrong in every way.

use proptest::prelude::*;

use super::read_page;
use crate::kind::is_page;
use cache_index::build::{CompilerSource, VariantValue};

/// Two builds in three stacks; every test of a problem modifies this page.
const PAGE: &str = r#"---
title: "py-torch"
layout: cache
categories: [package, develop]
meta: {"compilers": ["gcc@=13.2.0", "none"], "num_specs": 2, "num_specs_by_stack": {"cpu": 1, "root": 2}, "oss": ["ubuntu24.04"], "platforms": ["linux"], "stacks": ["cpu", "root"], "targets": ["aarch64", "x86_64_v3"], "versions": ["2.4"]}
spec_details: [{"compiler": "gcc@=13.2.0", "hash": "2dqr6c6tz4lpr32hw5pomh7n2pbjpom4", "os": "ubuntu24.04", "platform": "linux", "size": "-", "stacks": ["root"], "target": "x86_64_v3", "variants": ["~mpi", "build_type=Release", "patches:=cc8ac22"], "versions": ["2.4"]}, {"compiler": "none", "hash": "3rseveu6q45rfj5ffuyyp4jehmrgveef", "os": "ubuntu24.04", "platform": "linux", "size": 1024, "stacks": ["cpu", "root"], "target": "aarch64", "variants": [], "versions": ["2.4"]}]
---"#;

/// Checks that the page with one piece replaced has exactly these problems.
#[track_caller]
fn check(from: &str, to: &str, expected: &[&str]) {
    assert!(PAGE.contains(from), "{from} is not in the page");
    check_text(&PAGE.replacen(from, to, 1), expected);
}

#[track_caller]
fn check_text(text: &str, expected: &[&str]) {
    let problems = read_page(text).into_result().expect_err("a page with problems");
    let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

#[test]
fn reads_package_release_and_builds() {
    let page = read_page(PAGE).into_result().expect("a page");
    assert_eq!((page.package.as_str(), page.release.as_str()), ("py-torch", "develop"));
    let [one, other] = &page.builds[..] else { panic!("expected two builds") };
    assert_eq!(one.hash.to_string(), "2dqr6c6tz4lpr32hw5pomh7n2pbjpom4");
    assert_eq!((one.package.as_str(), one.version.as_str()), ("py-torch", "2.4"));
    assert_eq!(one.compiler.as_deref(), Some("gcc@13.2.0"));
    assert_eq!(one.compiler_source, CompilerSource::Field);
    let variants: Vec<String> = one.variants.iter().map(ToString::to_string).collect();
    assert_eq!(variants, ["build_type=Release", "~mpi", "patches=cc8ac22"]);
    assert_eq!(one.variants[2].value, VariantValue::Multi(vec!["cc8ac22".into()]));
    assert_eq!((one.size, other.size), (None, Some(1024)));
    assert_eq!(other.compiler, None);
    let places: Vec<&str> = other.places.iter().map(|place| place.stack.as_str()).collect();
    assert_eq!(places, ["cpu", "root"]);
    assert_eq!(one.dependencies, None);
}

#[test]
fn recognizes_pages_by_their_first_line() {
    assert!(is_page(PAGE));
    assert!(is_page("---\r\ntitle: x"));
    assert!(!is_page("{}"));
    assert!(!is_page(""));
}

#[test]
fn reads_multi_line_yaml_and_other_line_ends() {
    let page = read_page(PAGE);
    let folded = PAGE.replace("\"platform\"", "\n  platform").replace("}, {", "},\n  {");
    assert_ne!(folded, PAGE);
    assert_eq!(read_page(&folded), page);
    assert_eq!(read_page(&PAGE.replace('\n', "\r\n")), page);
    assert_eq!(read_page(&format!("{PAGE}\n\n")), page);
}

#[test]
fn reads_pairs_of_escapes_as_one_character() {
    let page = read_page(&PAGE.replace("Release", r"\ud83d\ude00")).into_result().expect("a page");
    assert_eq!(page.builds[0].variants[0].to_string(), "build_type=😀");
}

#[test]
fn reads_older_pages_with_the_address_of_the_binary() {
    let text = PAGE.replacen("\"hash\"", r#""tarball": "x", "hash""#, 1);
    assert_eq!(read_page(&text), read_page(PAGE));
}

#[test]
fn rejects_front_matter_without_two_fences() {
    check_text("", &["there is nothing in it"]);
    check_text(" \n", &["there is nothing in it"]);
    check_text(
        "{\"a\": 1}",
        &["line 1: expected a line `---` at the start of a cache page, found \"{\\\"a\\\": 1}\""],
    );
    let cut = "expected a line `---` after the front matter, found the end of the file";
    check("]\n---", "]", &[cut]);
    check(
        "]\n---",
        "]\n---\n\nmore",
        &["line 9: expected nothing after the front matter, found \"more\""],
    );
}

#[test]
fn reports_a_truncated_page_wherever_it_ends() {
    for end in PAGE.char_indices().map(|(end, _)| end).filter(|&end| end < PAGE.len() - 1) {
        assert!(
            read_page(&PAGE[..end]).into_result().is_err(),
            "read a page cut off at byte {end}"
        );
    }
}

#[test]
fn reports_where_yaml_is_invalid() {
    check(
        "layout: cache",
        "layout: cache: x",
        &["line 3 column 14: not valid YAML: mapping values are not allowed in this context"],
    );
}

#[test]
fn checks_the_fields_of_the_front_matter() {
    check("title: \"py-torch\"", "title: 12", &["field title: expected a text, found 12"]);
    check("\"py-torch\"", "\"\"", &["field title: expected a text of at least one character"]);
    check("layout: cache\n", "", &["field layout: expected this field, found none"]);
    check(
        "layout: cache",
        "layout: table",
        &["field layout: expected the layout \"cache\", found \"table\""],
    );
    check(
        "[package, develop]",
        "[develop]",
        &["field categories: expected \"package\" and the name of a release, found \"develop\""],
    );
    check(
        "layout: cache",
        "layout: cache\nlayout: cache",
        &["field layout: expected this field once, found it twice"],
    );
    check(
        "spec_details: [",
        "spec_details: 3\nrest: [",
        &["line 6, field spec_details: expected a list, found 3"],
    );
}

#[test]
fn checks_the_fields_of_records() {
    const AT: &str = "line 6, record 1 (2dqr6c6tz4lpr32hw5pomh7n2pbjpom4), field";
    let check = |from: &str, to: &str, expected: &str| {
        check(from, to, &[&format!("{AT} {expected}")]);
    };
    check("\"os\": \"ubuntu24.04\", ", "", "os: expected this field, found none");
    check("\"os\": \"ubuntu24.04\"", "\"os\": 5", "os: expected a text, found 5");
    check("\"os\":", "\"os\": \"x\", \"os\":", "os: expected this field once, found it twice");
    check(
        "\"size\": \"-\"",
        "\"size\": \"5 GB\"",
        "size: expected \"-\" or a whole number of bytes, found \"5 GB\"",
    );
    check(
        "\"size\": \"-\"",
        "\"size\": -5",
        "size: expected \"-\" or a whole number of bytes, found -5",
    );
    check("[\"root\"]", "[]", "stacks: expected a list of at least one value");
    check(
        "[\"root\"]",
        "[\"root\", \"root\"]",
        "stacks: expected each value once, found \"root\" twice",
    );
    check("[\"root\"]", "\"root\"", "stacks: expected a list of texts, found \"root\"");
    check(
        "\"~mpi\"",
        "\"mpi\"",
        "variants: expected a variant such as +x, ~x, name=value, found \"mpi\"",
    );
    check(
        "\"~mpi\"",
        "\"~mpi\", \"+mpi\"",
        "variants: expected each variant once, found \"mpi\" twice",
    );
    check("\"~mpi\"", "null", "variants: expected a text, found nothing");
    check(
        "], \"versions\": [\"2.4\"]}, {",
        "], \"versions\": [\"2.4\", \"2.5\"]}, {",
        "versions: expected exactly one version, found 2",
    );
}

#[test]
fn notes_a_new_field_and_reads_the_rest() {
    let text = PAGE
        .replace("layout: cache", "layout: cache\npermalink: /a")
        .replace("\"os\":", "\"so\": 1, \"os\":")
        .replacen("\"oss\":", "\"sos\": [], \"oss\":", 1);
    let read = read_page(&text);
    let notes: Vec<String> =
        read.notes.iter().map(|(novelty, seen)| format!("{} {novelty}", seen.count)).collect();
    assert_eq!(
        notes,
        ["meta.sos", "permalink", "so"].map(|field| {
            let count = if field == "so" { 2 } else { 1 };
            format!("{count} the field {field} is not known here and was passed over")
        })
    );
    assert_eq!(read.into_result(), read_page(PAGE).into_result());
}

#[test]
fn reads_the_records_around_a_damaged_one() {
    let read = read_page(&PAGE.replacen("\"os\": \"ubuntu24.04\", ", "", 1));
    assert_eq!(read.problems.len(), 1);
    let page = read_page(PAGE).into_result().expect("a page");
    assert_eq!(read.value.expect("a page").builds, page.builds[1..]);
    // Without its title nothing on a page can be used.
    assert_eq!(read_page(&PAGE.replacen("title", "titel", 1)).value, None);
}

#[test]
fn checks_hashes() {
    check(
        "2dqr6c6tz4lpr32hw5pomh7n2pbjpom4",
        "2dqr6c6",
        &["line 6, record 1 (2dqr6c6), field hash: \
           not a hash: expected a hash of 32 characters, found 7, in \"2dqr6c6\""],
    );
    check(
        "{\"compiler\": \"gcc",
        "5, {\"compiler\": \"gcc",
        &[
            "line 6, record 1: expected an object, found 5",
            "line 5, field meta.num_specs: the page states another number than its spec_details have: 2 instead of 3",
        ],
    );
    check(
        "3rseveu6q45rfj5ffuyyp4jehmrgveef",
        "2dqr6c6tz4lpr32hw5pomh7n2pbjpom4",
        &["line 6, record 2 (2dqr6c6tz4lpr32hw5pomh7n2pbjpom4), field hash: \
           expected each hash once, but record 1 has it too and differs in stacks"],
    );
}

#[test]
fn checks_the_summary_of_a_page() {
    let check = |from: &str, to: &str, expected: &str| {
        check(from, to, &[&format!("line 5, field meta.{expected}")]);
    };
    check(
        "\"num_specs\": 2",
        "\"num_specs\": 3",
        "num_specs: the page states another number than its spec_details have: 3 instead of 2",
    );
    check(
        "\"num_specs\": 2",
        "\"num_specs\": \"2\"",
        "num_specs: expected a whole number, found \"2\"",
    );
    check(
        "{\"cpu\": 1, ",
        "{",
        "num_specs_by_stack.cpu: the page states another number than its spec_details have: 0 instead of 1",
    );
    check(
        "{\"cpu\": 1",
        "{\"gpu\": 1, \"cpu\": 1",
        "num_specs_by_stack.gpu: the page states another number than its spec_details have: 1 instead of 0",
    );
    check(
        "{\"cpu\": 1",
        "{\"cpu\": true",
        "num_specs_by_stack.cpu: expected a whole number, found true",
    );
    check(
        "{\"cpu\": 1",
        "{\"cpu\": 1, \"cpu\": 1",
        "num_specs_by_stack.cpu: expected this field once, found it twice",
    );
    for (list, some) in [
        ("compilers", "gcc@=13.2.0"),
        ("oss", "ubuntu24.04"),
        ("platforms", "linux"),
        ("stacks", "cpu"),
        ("targets", "aarch64"),
        ("versions", "2.4"),
    ] {
        check(
            &format!("\"{list}\": [\"{some}\""),
            &format!("\"{list}\": [\"new\", \"{some}\""),
            &format!(
                "{list}: the page lists a value that no build in its spec_details has: \"new\""
            ),
        );
    }
    check(
        "[\"gcc@=13.2.0\", \"none\"]",
        "[\"gcc@=13.2.0\"]",
        "compilers: the page leaves out a value that a build in its spec_details has: \"none\"",
    );
}

#[test]
fn reports_every_problem_of_a_page() {
    let text = PAGE
        .replacen("\"num_specs\": 2", "\"num_specs\": 9", 1)
        .replacen("\"size\": \"-\"", "\"size\": true", 1)
        .replacen("layout: cache", "layout: other", 1)
        .replacen("\"size\": 1024", "\"size\": []", 1);
    let problems = read_page(&text).into_result().expect_err("a page with problems");
    assert_eq!(problems.len(), 4, "{problems:?}");
}

#[test]
fn keeps_hostile_texts_as_texts() {
    let hostile = r#"</script><script>alert(1)</script>\"'&\u0000\u202e"#;
    let plain = "</script><script>alert(1)</script>\"'&\0\u{202e}";
    let text = PAGE.replace("ubuntu24.04", hostile).replace("Release", hostile);
    let page = read_page(&text).into_result().expect("a page");
    assert_eq!(page.builds[0].os, plain);
    assert_eq!(page.builds[0].variants[0].to_string(), format!("build_type={plain}"));
}

proptest! {
    #[test]
    fn reads_any_text_without_panicking(text in ".{0,200}") {
        let _ = read_page(&text);
        let _ = read_page(&format!("---\n{text}\n---"));
    }

    #[test]
    fn reads_any_damage_without_panicking(at in 0..PAGE.len(), length in 0..40_usize, new in ".{0,8}") {
        let end = (at + length).min(PAGE.len());
        if PAGE.is_char_boundary(at) && PAGE.is_char_boundary(end) {
            let _ = read_page(&format!("{}{new}{}", &PAGE[..at], &PAGE[end..]));
        }
    }
}
