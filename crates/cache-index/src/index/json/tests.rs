//! What was written can be read again, and damaged text is rejected with a message.

use proptest::prelude::*;
use serde_json::{Value, json};

use spack_spec::Dialect;

use super::*;
use crate::build::{Build, Place, VariantValue};
use crate::index::{BuildId, ValueCode, pack};
use crate::sample;

fn unpacked(index: &Index) -> Vec<Build> {
    (0..index.specs()).filter_map(|id| index.build(BuildId(id))).collect()
}

/// Loads the columns, and then the other parts as a page does.
fn from_parts(parts: &Parts) -> Result<Index, LoadError> {
    let index = Index::from_json(&parts.columns)?;
    parts.hashes.iter().try_for_each(|json| index.set_hashes(json))?;
    parts.details.iter().try_for_each(|json| index.set_details(json))?;
    if let Some(json) = &parts.dependencies {
        let mut reader = index.dependencies_reader(json)?;
        while !reader.read(2)? {}
        index.take_dependencies(reader);
    }
    parts.changes.iter().try_for_each(|json| index.set_changes(json))?;
    Ok(index)
}

proptest! {
    #[test]
    fn reads_the_builds_it_writes(mut builds in sample::builds()) {
        let made = Some("2026-11-21T09:50:00Z".to_owned());
        let about = About { made, ..About::default() };
        let index = pack(about.clone(), builds.iter().cloned()).expect("different hashes");
        let json = index.to_json();
        let loaded = Index::from_json(&json).expect("what was just written");
        prop_assert_eq!(loaded.about(), &about);
        prop_assert_eq!(&loaded.to_json(), &json);
        let mut unpacked = unpacked(&loaded);
        unpacked.sort_by_key(|build| build.hash);
        builds.sort_by_key(|build| build.hash);
        prop_assert_eq!(unpacked, builds);
    }

    #[test]
    fn loads_the_same_index_from_parts(builds in sample::builds()) {
        let index = pack(About::default(), builds).expect("different hashes");
        let parts = index.to_parts();
        prop_assert_eq!(unpacked(&from_parts(&parts).expect("what was just written")), unpacked(&index));
        for part in [Some(parts.columns), parts.hashes, parts.details, parts.dependencies].iter().flatten() {
            prop_assert!(!part.contains('<'));
            prop_assert!(serde_json::from_str::<Value>(part).is_ok());
        }
    }

    #[test]
    fn reads_or_rejects_damaged_json(
        builds in sample::builds(),
        place in any::<prop::sample::Index>(),
        byte in b' '..=b'~',
    ) {
        let index = pack(About::default(), builds).expect("different hashes");
        let mut json = index.to_json().into_bytes();
        let place = place.index(json.len());
        json[place] = byte;
        let json = String::from_utf8_lossy(&json);
        if let Ok(index) = Index::from_json(&json) {
            unpacked(&index);
            for id in (0..index.specs()).map(BuildId).take(100) {
                index.closure(id);
                index.dependents(id).into_iter().flatten().for_each(drop);
            }
        }
    }
}

fn small() -> Value {
    json!({
        "format": 2,
        "about": {},
        "values": {
            "package": ["hdf5", "zlib"], "stack": ["e4s"], "os": ["ubuntu24.04"],
            "target": ["zen4"], "compiler": ["gcc@13.2.0"], "version": ["2.0", "1.3"],
            "platform": ["linux"], "release": ["develop"], "variant": ["+mpi", "precision=double"],
            "provider": ["mpi=hdf5@1.3", "mpi=mpich"], "libc": ["none"],
        },
        "multi_valued": [1],
        "configurations": [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]],
        "provider_sets": [[], [0]],
        "variant_sets": [[1], [0]],
        "single_valued": [[1, 1]],
        "places": [[0, 0]],
        "place_sets": [[0]],
        "rows": {
            "package": [2, 1], "version": [0, 1, 1], "configuration": [0, 0, 1],
            "variant_set": [0, 1, -1], "place_set": [0, 0, 0], "origin": [0, 0, 1],
            "builds": [1, 1, 1],
        },
        "origins": [
            {},
            {
                "namespace": "builtin", "external": true, "compiler_source": "dependency",
                "spec_format": 5, "flags": [["cflags", ["-O3"]]],
            },
        ],
        "hashes": (["d".repeat(32), "e".repeat(32), "f".repeat(32)].concat()),
        "details": {
            "sizes": [5, null, 700], "package_hashes": [null, "abc"], "package_hash": [0, 0, 2],
        },
        "dependencies": {
            "packages": ["mpich"],
            "kinds": [[6, []], [6, ["mpi"]]],
            "links": [[0, 1], [], [1]],
            "shapes": [[], [0], [0, 0, 1, 2]],
            "shape": [0, 0, 0],
            "unknown": [[0, ["b".repeat(32)]], [2, ["c".repeat(32)]]],
            "targets": [4, 1, 3, 1, 0],
        },
    })
}

#[test]
fn reads_and_writes_the_documented_format() {
    let index = Index::from_json(&small().to_string()).expect("a good index");
    assert_eq!(serde_json::from_str::<Value>(&index.to_json()).expect("JSON"), small());
    let versions: Vec<String> = unpacked(&index).into_iter().map(|b| b.version).collect();
    assert_eq!(versions, ["2.0", "1.3", "1.3"]);
    let builds = unpacked(&index);
    assert_eq!(builds[2].flags, [("cflags".to_owned(), vec!["-O3".to_owned()])]);
    assert_eq!(builds.iter().map(|b| b.size).collect::<Vec<_>>(), [Some(5), None, Some(700)]);
    let hashes: Vec<Option<&str>> = builds.iter().map(|b| b.package_hash.as_deref()).collect();
    assert_eq!(hashes, [None, Some("abc"), None]);
    assert_eq!(index.dialect(), Dialect::V1);
    assert!(matches!(&builds[0].variants[0].value, VariantValue::Multi(list) if list.len() == 1));
    assert!(matches!(&builds[1].variants[1].value, VariantValue::Single(_)));
    let dependencies: Vec<Vec<String>> = builds
        .iter()
        .map(|build| {
            let listed = build.dependencies.iter().flatten();
            listed.map(|d| format!("{} {}", d.package, &d.hash.to_string()[31..])).collect()
        })
        .collect();
    assert_eq!(
        dependencies,
        [vec![], vec!["hdf5 b"], vec!["hdf5 d", "hdf5 d", "hdf5 e", "mpich c"]]
    );
}

#[test]
fn leaves_out_what_pages_do_not_contain() {
    let mut json = small();
    json["origins"] = json!([{}]);
    json["rows"]["origin"] = json!([0, 0, 0]);
    json["details"] = json!({});
    json["configurations"] = json!([[0, 0, 0, 0], [0, 0, 0, 0]]);
    json["provider_sets"] = json!([]);
    json.as_object_mut().expect("an object").remove("dependencies");
    let index = Index::from_json(&json.to_string()).expect("a good index");
    let parts = index.to_parts();
    assert!(!parts.columns.contains("origin"));
    assert_eq!((parts.details, parts.dependencies), (None, None));
    assert_eq!(index.dialect(), Dialect::V0);
}

#[test]
fn finds_mirrors_in_any_order() {
    let mut json = small();
    json["about"]["mirrors"] = json!([
        { "release": "b", "stack": "a", "name": "ba" },
        { "release": "a", "stack": "b", "name": "ab" },
        { "release": "a", "stack": "a", "name": "aa" },
    ]);
    let index = Index::from_json(&json.to_string()).expect("a good index");
    let name = |release: &str, stack: &str| {
        let place = Place { release: release.to_owned(), stack: stack.to_owned() };
        index.about().known_mirror(&place).and_then(|mirror| mirror.name.as_deref())
    };
    assert_eq!(name("a", "a"), Some("aa"));
    assert_eq!(name("a", "b"), Some("ab"));
    assert_eq!(name("b", "a"), Some("ba"));
    assert_eq!(name("b", "b"), None);
}

#[test]
fn names_the_damage() {
    #[track_caller]
    fn check(pointer: &str, value: Value, expected: &str) {
        let mut json = small();
        match json.pointer_mut(pointer) {
            Some(place) => *place = value,
            None => {
                let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
                json.pointer_mut(parent).expect("a parent")[key] = value;
            }
        }
        let error = Index::from_json(&json.to_string()).expect_err("damaged");
        assert_eq!(error.to_string(), expected);
    }
    check(
        "/format",
        json!(3),
        "the index has format 3, which is newer than this program; it reads formats 1 to 2",
    );
    check(
        "/format",
        json!(0),
        "the index has format 0, which this program no longer reads; \
         make the index again (this program reads formats 1 to 2)",
    );
    check(
        "",
        json!({"database": {}}),
        "expected an index of formats 1 to 2, found JSON without a format number",
    );
    check(
        "",
        json!({"format": 7, "pages": []}),
        "the index has format 7, which is newer than this program; it reads formats 1 to 2",
    );
    check(
        "/values/os",
        json!(["a", "b", "a"]),
        "the index is damaged: the list of values for os repeats one",
    );
    let bad = |field: &str| format!("the index is damaged: {field} contains an invalid number");
    check("/multi_valued", json!([2]), &bad("multi_valued"));
    check("/single_valued", json!([[1, 2]]), &bad("single_valued"));
    check("/single_valued", json!([[2, 1]]), &bad("single_valued"));
    check("/configurations", json!([[0, 0, 0, 1]]), &bad("configurations"));
    check("/configurations", json!([[0, 0, 0, 0, 0]]), &bad("configurations"));
    check("/configurations", json!([[0, 0, 0, 0, 0, 2]]), &bad("configurations"));
    check("/configurations", json!([[0, 0, 0, 0, 1, 0]]), &bad("configurations"));
    check("/provider_sets", json!([[2]]), &bad("provider_sets"));
    check("/places", json!([[0, 1]]), &bad("places"));
    check("/variant_sets", json!([[], [2]]), &bad("variant_sets"));
    check("/variant_sets", json!([[], [0, 0]]), &bad("variant_sets"));
    check("/place_sets", json!([[1]]), &bad("place_sets"));
    check("/rows/version", json!([0, 1, 2]), &bad("rows.version"));
    check("/rows/version", json!([0, -1, 1]), &bad("rows.version"));
    check("/rows/configuration", json!([0, 0, 2]), &bad("rows.configuration"));
    check("/rows/variant_set", json!([0, 1, 1]), &bad("rows.variant_set"));
    check("/rows/place_set", json!([0, 0, 1]), &bad("rows.place_set"));
    check("/rows/origin", json!([0, 0, 2]), &bad("rows.origin"));
    check("/origins", json!([{}]), &bad("rows.origin"));
    check("/details/package_hash", json!([0, 0, 3]), &bad("details.package_hash"));
    check("/details/package_hash", json!([0, 0, 0]), &bad("details.package_hash"));
    check("/dependencies/kinds", json!([[16, []], [6, []]]), &bad("dependencies.kinds"));
    check("/dependencies/links", json!([[0, 2], [], [1]]), &bad("dependencies.links"));
    check("/dependencies/shapes", json!([[], [0], [0, 0, 1, 3]]), &bad("dependencies.shapes"));
    check("/dependencies/shape", json!([0, 0, 3]), &bad("dependencies.shape"));
    let unknown = |package: u32, hash: &str| json!([[package, [hash]]]);
    let b = "b".repeat(32);
    check("/dependencies/unknown", unknown(3, &b), &bad("dependencies.unknown"));
    check("/dependencies/unknown", json!([[0, [b, b]]]), &bad("dependencies.unknown"));
    check("/dependencies/targets", json!([4, 1, 3, 1, 1]), &bad("dependencies.targets"));
    check("/dependencies/targets", json!([u32::MAX, 1, 3, 1, 0]), &bad("dependencies.targets"));
    check("/rows/builds", json!([1, 1, 0]), &bad("rows.builds"));
    check("/rows/builds", json!([u32::MAX, 1, 1]), &bad("rows.builds"));
    let unequal = |field: &str| {
        format!("the index is damaged: {field} is not as long as the columns it belongs to")
    };
    check("/rows/version", json!([0, 1]), &unequal("rows.version"));
    check("/rows/origin", json!([0, 1]), &unequal("rows.origin"));
    check("/details/sizes", json!([1]), &unequal("details.sizes"));
    check("/details/package_hash", json!([0]), &unequal("details.package_hash"));
    check("/dependencies/links", json!([[0, 1], [1]]), &unequal("dependencies.links"));
    check("/dependencies/shape", json!([0, 0]), &unequal("dependencies.shape"));
    check("/dependencies/targets", json!([4, 1, 3, 1]), &unequal("dependencies.targets"));
    check("/rows/package", json!([1, 1]), &unequal("rows.package"));
    check("/rows/package", json!([3]), &unequal("rows.package"));
    check(
        "/hashes",
        json!("aa"),
        "the index is damaged: expected 96 characters of hashes for 3 builds, found 2",
    );
    check(
        "/hashes",
        json!("a".repeat(95) + "A"),
        "the index is damaged: build 2: expected a hash of the letters a to z and the digits \
         2 to 7, found another character at position 31",
    );
}

/// Adds what a later program may add without a new number.
#[test]
fn skips_fields_that_it_does_not_know() {
    let good = Index::from_json(&small().to_string()).expect("a good index");
    for place in ["", "/about", "/rows", "/details", "/dependencies", "/origins/0", "/values"] {
        let mut json = small();
        json.pointer_mut(place).expect("a place")["flavour"] = json!(["sweet", "sour"]);
        let index = Index::from_json(&json.to_string()).expect("an index with more in it");
        assert_eq!(index.to_json(), good.to_json(), "{place}");
    }
}

#[test]
fn reads_a_facet_without_a_list_as_empty() {
    let mut json = small();
    json["configurations"] = json!([[0, 0, 0, 0], [0, 0, 0, 0]]);
    let values = json["values"].as_object_mut().expect("lists by facet");
    values.remove("libc");
    values.remove("provider");
    json.as_object_mut().expect("an object").remove("provider_sets");
    let index = Index::from_json(&json.to_string()).expect("an index of fewer facets");
    assert!(index.dictionary(Facet::Libc).is_empty());
    json["values"].as_object_mut().expect("lists by facet").remove("os");
    let error = Index::from_json(&json.to_string()).expect_err("codes without their values");
    assert_eq!(error, LoadError::BadCode("configurations"));
}

#[test]
fn names_the_damage_of_the_changes() {
    let index = Index::from_json(&small().to_string()).expect("an index");
    let mut went = small();
    went.as_object_mut().expect("an object").remove("dependencies");
    let whole = json!({
        "made": "2026-11-20T09:50:00Z", "came": [0, 2], "went": went, "replaced_by": [0, 2, 0],
        "differences": ["version,arch"], "differs": [0],
        "classes": ["variants", null], "alone": [0, 0, 2],
    });
    let read = |changes: &Value| index.clone().set_changes(&changes.to_string());
    assert_eq!(read(&whole), Ok(()));
    let check = |pointer: &str, value: Value, expected: &str| {
        let mut changes = whole.clone();
        *changes.pointer_mut(pointer).expect("a field") = value;
        let error = read(&changes).expect_err("damaged");
        assert_eq!(error.to_string(), format!("the index is damaged: {expected}"), "{pointer}");
    };
    let bad = |field: &str| format!("changes.{field} contains an invalid number");
    check("/came", json!([0, 3]), &bad("came"));
    check("/came", json!([1, 0]), &bad("came"));
    check("/replaced_by", json!([0, 3, 0]), &bad("replaced_by"));
    check("/replaced_by", json!([2, 2, 0]), &bad("replaced_by"));
    check("/differs", json!([2]), &bad("differs"));
    check("/alone", json!([0, 0, 3]), &bad("alone"));
    check("/went/rows/version", json!([0, 1, 2]), "rows.version contains an invalid number");
    let unequal = |field: &str| format!("{field} is not as long as the columns it belongs to");
    check("/replaced_by", json!([0, 2]), &unequal("changes.replaced_by"));
    check("/differs", json!([]), &unequal("changes.differs"));
    check("/alone", json!([0, 0]), &unequal("changes.alone"));
    check("/went/hashes", Value::Null, &unequal("changes.went.hashes"));
}

#[test]
fn names_the_damage_of_the_recipes() {
    let index = Index::from_json(&small().to_string()).expect("an index");
    let packages = index.dictionary(Facet::Package).len() as u32;
    let list = json!({
        "packages": [0, packages - 1], "descriptions": ["a", ""], "newest": ["1", ""], "behind": [1, 0],
    });
    let others = json!({"names": ["b", "c"], "newest": ["1", ""]});
    let whole = json!({"list": list, "details": [{}, {}], "others": others});
    let read = |recipes: &Value| {
        let mut json = small();
        json["recipes"] = recipes.clone();
        Index::from_json(&json.to_string())
    };
    assert!(packages > 1 && read(&whole).is_ok(), "{:?}", read(&whole).err());
    let check = |pointer: &str, value: Value, expected: &str| {
        let mut recipes = whole.clone();
        *recipes.pointer_mut(pointer).expect("a field") = value;
        let error = read(&recipes).expect_err("damaged");
        assert_eq!(error.to_string(), format!("the index is damaged: {expected}"), "{pointer}");
    };
    let bad = "recipes.list.packages contains an invalid number";
    check("/list/packages", json!([0, packages]), bad);
    check("/list/packages", json!([0, 0]), bad);
    let unequal =
        |field: &str| format!("recipes.{field} is not as long as the columns it belongs to");
    check("/list/descriptions", json!(["a"]), &unequal("list.descriptions"));
    check("/list/newest", json!([]), &unequal("list.newest"));
    check("/list/behind", json!([1, 0, 0]), &unequal("list.behind"));
    check("/details", json!([{}]), &unequal("details"));
    check("/others/newest", json!(["1"]), &unequal("others.newest"));
    check("/others/names", json!(["c", "b"]), "recipes.others.names is not sorted");
    // Details are read when a package is opened.
    let mut recipes = whole.clone();
    recipes["details"][0]["versions"] = json!(7);
    let damaged = read(&recipes).expect("an index");
    assert!(damaged.recipe_of(ValueCode(0)).is_err());
    assert!(damaged.recipe_of(ValueCode(packages - 1)).is_ok());
}

#[test]
fn rejects_text_that_is_not_json_with_its_position() {
    #[track_caller]
    fn check(json: &str, expected: &str) {
        let error = Index::from_json(json).expect_err("not an index");
        assert_eq!(error.to_string(), expected);
    }
    check("", "the index is damaged: EOF while parsing a value at line 1 column 0");
    check("{\"format\": 1,", "the index is damaged: EOF while parsing a value at line 1 column 13");
    check(
        "7",
        "the index is damaged: invalid type: integer `7`, expected struct Document at line 1 column 1",
    );
}

#[test]
fn escapes_values_that_could_end_a_script() {
    let mut json = small();
    json["values"]["package"] = json!(["</script><script>alert(1)</script>", "<!--"]);
    let index = Index::from_json(&json.to_string()).expect("a good index");
    assert!(!index.to_json().contains('<'));
    let again = Index::from_json(&index.to_json()).expect("what was just written");
    assert_eq!(again.dictionary(Facet::Package).values()[1], "<!--");
}

#[test]
fn reads_hashes_from_a_json_string() {
    let mut json = small();
    json.as_object_mut().expect("an object").remove("hashes");
    let index = Index::from_json(&json.to_string()).expect("a good index");
    let error = |json: &str| index.set_hashes(json).expect_err("damaged").to_string();
    assert_eq!(
        error("[1]"),
        "the index is damaged: expected the hashes in quotes, found no quotes"
    );
    assert_eq!(error("\""), error("[1]"));
    assert!(!index.has_hashes());
    let hashes = format!("\n\"{}\"\n", "a".repeat(96));
    assert_eq!(index.set_hashes(&hashes), Ok(()));
    assert!(index.has_hashes());
}

#[test]
fn reads_hashes_in_slices() {
    let mut json = small();
    json.as_object_mut().expect("an object").remove("hashes");
    let index = Index::from_json(&json.to_string()).expect("a good index");
    let count = |builds: usize, characters: usize| LoadError::HashCount { builds, characters };
    assert_eq!(index.hash_reader(95).err(), Some(count(3, 95)));
    let mut reader = index.hash_reader(96).expect("32 characters a build");
    reader.read(&"a".repeat(64)).expect("two good hashes");
    assert_eq!(index.take_hashes(reader.clone()), Err(count(3, 64)));
    let error = reader.clone().read(&"b".repeat(31)).expect_err("half a hash");
    assert_eq!(
        error.to_string(),
        "the index is damaged: build 2: expected a hash of 32 characters, found 31"
    );
    assert!(!index.has_hashes());
    reader.read(&"b".repeat(32)).expect("a good hash");
    assert_eq!(index.take_hashes(reader), Ok(()));
    assert_eq!(index.hash(BuildId(2)).map(|hash| hash.to_string()), Some("b".repeat(32)));
}
