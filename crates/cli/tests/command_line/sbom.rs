//! `environment --sbom`: lists of software, checked by the validators of their formats if `tools/setup python` has installed
//! these.

use serde_json::{Value, json};

use crate::desk::{Desk, data};
use crate::python::{self, Python};

const LOCK: &str = "environment/zlib-only/spack.lock";

/// Reads a list, checks it, and prints how many packages there are.
const SPDX: &str = "
import sys
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
document = parse_file(sys.argv[1])
messages = validate_full_spdx_document(document)
assert not messages, messages
print(len(document.packages))
";
const CYCLONEDX: &str = "
import json, sys
from cyclonedx.model.bom import Bom
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL
text = open(sys.argv[1]).read()
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
assert error is None, error
bom = Bom.from_json(json.loads(text))
bom.validate()
for component in bom.components:
    purl = PackageURL.from_string(str(component.purl))
    assert (purl.type, purl.name, purl.version) == ('spack', component.name, component.version), purl
print(len(bom.components))
";

/// Returns the list of an environment.
#[track_caller]
fn sbom(desk: &Desk, environment: &str, index: &str, format: &str) -> Value {
    sbom_with(desk, environment, index, format, &[])
}

#[track_caller]
fn sbom_with(desk: &Desk, environment: &str, index: &str, format: &str, more: &[&str]) -> Value {
    let call = [&["environment", environment, "--from", index, "--sbom", format], more].concat();
    let outcome = desk.run(&call);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    assert_eq!(desk.run(&call).out, outcome.out, "the same list again");
    desk.write(&format!("{format}.json"), &outcome.out);
    serde_json::from_str(&outcome.out).expect("JSON")
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().filter_map(|it| it["name"].as_str()).collect()
}

#[test]
fn lists_what_an_environment_needs_to_run_and_others_accept_it() {
    for lock in [LOCK, "environment/dev-path/spack.lock"] {
        let desk = Desk::new();
        let (lock, index) = (data(lock), data("environment/zlib-only/index.json"));
        let spdx = sbom(&desk, &lock, &index, "spdx");
        let cyclonedx = sbom(&desk, &lock, &index, "cyclonedx");
        assert_eq!(names(&spdx["packages"]), names(&cyclonedx["components"]));
        others_accept(&desk, names(&spdx["packages"]).len());
    }
}

/// Lets the validators of both formats check the last lists, and compares how many packages they count.
#[track_caller]
fn others_accept(desk: &Desk, packages: usize) {
    for (package, format, script) in
        [("spdx_tools", "spdx", SPDX), ("cyclonedx", "cyclonedx", CYCLONEDX)]
    {
        let Some(Python) = python::with(package) else { continue };
        let file = desk.path(&format!("{format}.json")).display().to_string();
        let outcome = desk.call(python::command().args(["-c", script, &file]), "");
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{format}");
        assert_eq!(outcome.out.trim(), packages.to_string());
    }
}

#[test]
fn states_the_licences_that_recipes_state() {
    let desk = Desk::new();
    desk.write("hashes.txt", "/sjijntoe2e26ie4cquahc4oocub4yj5h\n");
    let folder = desk.path("recipes");
    std::fs::create_dir(&folder).expect("a folder");
    let recipe = |name: &str, licences: Value| {
        let recipe = json!({"name": name, "versions": [{"name": "1"}], "licenses": licences});
        desk.write(&format!("recipes/{name}.json"), recipe.to_string());
    };
    recipe("zstd", json!(["BSD-3-Clause OR GPL-2.0-or-later"]));
    recipe("glibc", json!(["as it says", "MIT"]));
    let recipes = folder.display().to_string();
    let of = |format: &str| {
        sbom_with(&desk, "hashes.txt", &data("mirror-v3"), format, &["--recipes", &recipes])
    };
    let (spdx, cyclonedx) = (of("spdx"), of("cyclonedx"));
    let named = |list: &Value, name: &str| {
        let all = list.as_array().expect("a list").iter();
        all.clone().find(|it| it["name"] == name).expect("it is there").clone()
    };
    let zstd = named(&spdx["packages"], "zstd");
    assert_eq!(zstd["licenseDeclared"], json!("BSD-3-Clause OR GPL-2.0-or-later"));
    let zstd = named(&cyclonedx["components"], "zstd");
    assert_eq!(zstd["licenses"], json!([{"expression": "BSD-3-Clause OR GPL-2.0-or-later"}]));
    // A text that is not a licence expression becomes a comment.
    let glibc = named(&spdx["packages"], "glibc");
    assert_eq!(glibc["licenseDeclared"], json!("NOASSERTION"));
    assert_eq!(glibc["licenseComments"], json!("as it says; MIT"));
    others_accept(&desk, names(&spdx["packages"]).len());
}

#[test]
fn names_versions_hashes_and_relations_and_says_what_is_unknown() {
    let desk = Desk::new();
    let (lock, index) = (data(LOCK), data("environment/zlib-only/index.json"));
    let spdx = sbom(&desk, &lock, &index, "spdx");
    assert_eq!(spdx["creationInfo"]["created"], "2025-11-21T10:10:00Z");
    let packages = spdx["packages"].as_array().expect("packages");
    let zlib = packages.iter().find(|it| it["name"] == "zlib-ng").expect("zlib-ng");
    assert_eq!(zlib["licenseDeclared"], "NOASSERTION");
    let purl = zlib["externalRefs"][0]["referenceLocator"].as_str().expect("an address");
    let version = zlib["versionInfo"].as_str().expect("a version");
    assert!(purl.starts_with(&format!("pkg:spack/builtin/zlib-ng@{version}?sha=")), "{purl}");
    let relations = spdx["relationships"].as_array().expect("relations");
    let of = |kind: &str| relations.iter().filter(|it| it["relationshipType"] == kind).count();
    assert!(of("DESCRIBES") == 1 && of("DEPENDS_ON") >= packages.len(), "{relations:?}");
    // Tools that are only needed for building are not in the list.
    assert!(!names(&spdx["packages"]).contains(&"gmake"), "{packages:?}");
    let cyclonedx = sbom(&desk, &lock, &index, "cyclonedx");
    let compositions = cyclonedx["compositions"].as_array().expect("a list");
    let of = |at: usize| {
        (&compositions[at]["aggregate"], compositions[at]["dependencies"].as_array().map(Vec::len))
    };
    // The libc is the machine's own, so its dependencies are unknown.
    assert_eq!([of(0), of(1)], [(&json!("complete"), Some(2)), (&json!("unknown"), Some(1))]);
}

#[test]
fn takes_from_the_cache_what_a_hash_alone_does_not_say() {
    let desk = Desk::new();
    let index = data("mirror-v3");
    desk.write("hashes.txt", "/sjijntoe2e26ie4cquahc4oocub4yj5h\n");
    let spdx = sbom(&desk, "hashes.txt", &index, "spdx");
    let packages = names(&spdx["packages"]);
    assert!(packages.contains(&"zstd") && packages.len() > 1, "{packages:?}");
    // Neither the list nor the cache knows this one.
    desk.write("hashes.txt", "/2dqr6c6tz4lpr32hw5pomh7n2pbjpom4\n");
    let call = ["environment", "hashes.txt", "--from", &index, "--sbom", "spdx"];
    let spdx: Value = serde_json::from_str(&desk.run(&call).out).expect("JSON");
    let unknown = json!({
        "spdxElementId": "SPDXRef-2dqr6c6tz4lpr32hw5pomh7n2pbjpom4",
        "relationshipType": "DEPENDS_ON",
        "relatedSpdxElement": "NOASSERTION",
    });
    assert!(spdx["relationships"].as_array().expect("relations").contains(&unknown), "{spdx}");
}

#[test]
fn makes_no_list_of_what_is_not_concrete() {
    let desk = Desk::new();
    desk.write("specs.txt", "zlib\nhdf5 +mpi\n");
    let call = ["environment", "specs.txt", "--from", &data("mirror-v3"), "--sbom", "spdx"];
    let outcome = desk.run(&call);
    let words = "error: specs.txt: expected concrete specs, as in a spack.lock or a list of hashes, \
                 found only specs that Spack has not concretized\n";
    assert_eq!((outcome.code, outcome.err.as_str(), outcome.out.as_str()), (Some(2), words, ""));
}
