use std::io::Write as _;

use cache_index::recipes::{Recipe, RecipeVariant};

use super::*;

const ZLIB: &str = r#"{"name": "zlib", "aliases": [], "versions": [{"name": "develop", "branch": "develop"},
    {"name": "1.3.1"}, {"name": "glu", "branch": "glu", "commit": "e234eab1"}],
    "versions_deprecated": [{"name": "1.2"}], "latest_version": "develop", "build_system": "MakefilePackage",
    "variants": [{"name": "shared", "default": true, "description": "Builds\n shared libraries"},
    {"name": "jobs", "default": 4, "description": null}, {"name": "languages", "default": ["c", "fortran"]}],
    "homepage": "https://zlib.net", "maintainers": ["ada"], "licenses": ["Zlib"], "provides": ["zlib-api@1"],
    "description": "A free,\n    lossless library.\n    ", "patches": [{}], "dependencies": ["c"]}"#;

/// What `spack list --format version_json` prints about a package.
const LISTED: &str = r#"{"name": "mpich", "latest_version": "4.2", "versions": ["develop", "4.3", "4.2"],
    "homepage": "", "file": "https://github.com/spack", "maintainers": [], "dependencies": {"build": ["c"]}}"#;

fn read(bytes: &[u8]) -> Read<FoundRecipes> {
    read_recipes(bytes, SizeLimit::default())
}

#[track_caller]
fn recipes(bytes: &[u8]) -> Recipes {
    read(bytes).into_result().expect("good").recipes
}

#[track_caller]
fn rejects(bytes: impl AsRef<[u8]>, expected: &str) {
    let problems = read(bytes.as_ref()).into_result().expect_err("a problem");
    let messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(messages.join("; "), expected);
}

fn texts(texts: &[&str]) -> Option<Vec<String>> {
    Some(texts.iter().map(|&text| text.to_owned()).collect())
}

fn tarball(files: &[(&str, &str)]) -> Vec<u8> {
    let mut tarball = Vec::new();
    for (path, content) in files {
        let mut header = [0u8; 512];
        header[..path.len()].copy_from_slice(path.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        tarball.extend(header);
        tarball.extend(content.as_bytes());
        tarball.resize(tarball.len().next_multiple_of(512), 0);
    }
    tarball.extend([0; 1024]);
    tarball
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn unites_what_the_files_of_one_input_say() {
    let one = r#"{"name": "zstd", "description": "Fast compression", "homepage": "https://a.example", "versions": [{"name": "1.4"}]}"#;
    let other = r#"[{"name": "zstd", "homepage": "https://b.example", "versions": ["1.5"]}]"#;
    let found = recipes(&tarball(&[("packages/zstd.json", one), ("version_json.json", other)]));
    let zstd = &found.0["zstd"];
    assert_eq!(zstd.description.as_deref(), Some("Fast compression"));
    assert_eq!(zstd.homepage.as_deref(), Some("https://b.example"));
    assert_eq!(zstd.versions, texts(&["1.5"]));
}

#[test]
fn reads_every_field_of_a_recipe() {
    let all = recipes(ZLIB.as_bytes());
    let variant = |name: &str, default: &str, description: &str| RecipeVariant {
        name: name.to_owned(),
        default: default.to_owned(),
        description: description.to_owned(),
    };
    let expected = Recipe {
        description: Some("A free, lossless library.".to_owned()),
        homepage: Some("https://zlib.net".to_owned()),
        build_system: Some("MakefilePackage".to_owned()),
        licenses: texts(&["Zlib"]),
        is_spdx: false,
        maintainers: texts(&["ada"]),
        provides: texts(&["zlib-api@1"]),
        variants: Some(vec![
            variant("shared", "true", "Builds shared libraries"),
            variant("jobs", "4", ""),
            variant("languages", "c,fortran", ""),
        ]),
        versions: texts(&["develop", "1.3.1", "glu", "1.2"]),
        branches: texts(&["develop"]),
        deprecated: texts(&["1.2"]),
        preferred: None,
    };
    assert_eq!(all.0.get("zlib"), Some(&expected));
    assert_eq!(expected.releases(), ["1.3.1", "glu"]);
}

#[test]
fn reads_what_spack_lists() {
    let all = recipes(format!("[{LISTED}]").as_bytes());
    let expected = Recipe {
        maintainers: texts(&[]),
        versions: texts(&["develop", "4.3", "4.2"]),
        preferred: Some("4.2".to_owned()),
        ..Recipe::default()
    };
    assert_eq!(all.0.get("mpich"), Some(&expected));
}

#[test]
fn reads_the_same_from_a_list_and_a_tarball_compressed_or_not() {
    let list = format!("[{ZLIB}, {LISTED}]");
    let files = [
        ("./spack-packages/data/packages/zlib.json", ZLIB),
        ("spack-packages/data/packages/mpich.json", LISTED),
        ("spack-packages/data/repology.json", r#"{"num_packages": 2, "packages": {}}"#),
        ("spack-packages/data/list.json", r#"["zlib", "mpich"]"#),
        ("spack-packages/README.md", "# Packages"),
        ("spack-packages/.github/a.json", "{"),
    ];
    let tarball = tarball(&files);
    let expected = recipes(list.as_bytes());
    assert_eq!(expected.0.len(), 2);
    for bytes in [list.clone().into_bytes(), gzip(list.as_bytes())] {
        assert_eq!(recipes(&bytes), expected);
    }
    for bytes in [tarball.clone(), gzip(&tarball)] {
        let found = read(&bytes).into_result().expect("good");
        assert_eq!((found.recipes, found.skipped), (expected.clone(), 2));
    }
}

#[test]
fn says_what_is_wrong_and_where() {
    rejects("", "there is nothing in it");
    rejects("[]", "there is nothing in it");
    rejects("7", "expected recipes in JSON, found 7");
    rejects("[7]", "record 1: expected an object, found 7");
    rejects("{}", "field name: expected this field, found none");
    rejects(
        "[{\"name\": \"zlib\", \"versions\": [1.2]}]",
        "record 1 (zlib), field versions: expected an object, found 1.2",
    );
    rejects(
        r#"{"name": "zlib", "versions": ["1:2"]}"#,
        "field versions: expected letters, digits, `_`, `-` and `.`, as in Spack's names and versions, found \"1:2\"",
    );
    rejects(
        r#"{"name": "--help", "versions": []}"#,
        "field name: expected letters, digits, `_`, `-` and `.`, as in Spack's names and versions, found \"--help\"",
    );
    rejects(
        r#"{"name": "zlib", "description": 7, "homepage": []}"#,
        "field description: expected a text, found 7; field homepage: expected a text, found a list",
    );
    let broken = tarball(&[("packages/a.json", ZLIB), ("packages/b.json", "{\"name\": \"b\"")]);
    rejects(&broken[..700], "could not be read: the tarball is cut off");
    rejects(
        &broken,
        "packages/b.json: line 1 column 12: not valid JSON: EOF while parsing an object",
    );
    rejects(b"PK\x03\x04\x14", "this is an archive (zip); unpack it, and bring what is in it");
}

#[test]
fn keeps_what_is_good_beside_a_problem() {
    let found = read(format!("[{ZLIB}, {{\"name\": 7}}]").as_bytes());
    assert_eq!(found.problems.len(), 1);
    assert_eq!(found.value.expect("a value").recipes.0.len(), 1);
}

#[test]
fn tames_hostile_texts() {
    let long = "x".repeat(1_000_000);
    let text = format!(
        "[{{\"name\": \"a\", \"description\": \"<script>\\u202e \\u0007{long}\", \"homepage\": \"javascript:alert(1)\"}}]"
    );
    let all = recipes(text.as_bytes());
    let recipe = &all.0["a"];
    let description = recipe.description.as_deref().expect("a description");
    assert!(description.starts_with(r"<script>\u{202e} \u{7}xxx"), "{description:.40}");
    assert!(description.ends_with("x…") && description.chars().count() < LONGEST + 20);
    assert_eq!(recipe.home_page(), None);
    let deep = format!("[{}", "[".repeat(100_000));
    assert!(read(deep.as_bytes()).into_result().is_err());
}
