//! CycloneDX 1.6 as JSON: <https://cyclonedx.org/docs/1.6/json/>.
//!
//! Its `compositions` say which components list all their dependencies, and for which these are unknown.

use std::iter;

use cache_index::build::Hash;
use serde_json::{Map, Value, json};

use super::{Licence, ListedSpec, Sbom};

/// The reference to what the list is about, which differs from any hash.
const SUBJECT: &str = "environment";

/// Writes a list.
pub(super) fn write(sbom: &Sbom<'_>) -> Value {
    let texts =
        |hashes: &mut dyn Iterator<Item = &Hash>| hashes.map(Hash::to_string).collect::<Vec<_>>();
    let roots = json!({"ref": SUBJECT, "dependsOn": texts(&mut sbom.roots.iter())});
    let dependencies = sbom.specs.iter().map(|(hash, listed)| match &listed.needs {
        Some(needs) => json!({"ref": hash.to_string(), "dependsOn": texts(&mut needs.iter())}),
        None => json!({"ref": hash.to_string()}),
    });
    let of = |is_known: bool| {
        let specs = sbom.specs.iter().filter(|(_, listed)| listed.needs.is_some() == is_known);
        texts(&mut specs.map(|(hash, _)| hash))
    };
    let compositions = [("complete", of(true)), ("unknown", of(false))]
        .into_iter()
        .filter(|(_, specs)| !specs.is_empty())
        .map(|(aggregate, specs)| json!({"aggregate": aggregate, "dependencies": specs}));
    let dependencies: Vec<Value> = iter::once(roots).chain(dependencies).collect();
    let components: Vec<Value> =
        sbom.specs.iter().map(|(hash, listed)| component(*hash, listed)).collect();
    json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": format!("urn:uuid:{}", sbom.uuid()),
        "version": 1,
        "metadata": {
            "timestamp": sbom.made,
            "tools": {"components": [{
                "type": "application",
                "name": "cache-explorer",
                "version": env!("CARGO_PKG_VERSION"),
            }]},
            "component": {"type": "application", "bom-ref": SUBJECT, "name": sbom.name},
        },
        "components": components,
        "dependencies": dependencies,
        "compositions": compositions.collect::<Vec<_>>(),
    })
}

fn component(hash: Hash, listed: &ListedSpec) -> Value {
    let mut component = Map::new();
    let mut set = |field: &str, value: Option<Value>| {
        component.extend(value.map(|value| (field.to_owned(), value)));
    };
    // The format has no type for software of an unknown kind, and prescribes this one for it.
    set("type", Some("library".into()));
    set("bom-ref", Some(hash.to_string().into()));
    set("name", Some(listed.name().into()));
    set("version", listed.version().map(Value::from));
    let licences = listed.licence.as_ref().map(|licence| match licence {
        Licence::Expression(licence) => json!([{"expression": licence}]),
        Licence::Words(words) => json!([{"license": {"name": words}}]),
    });
    set("licenses", licences);
    set("purl", listed.purl(hash).map(Value::from));
    let property =
        |name: &str, value: String| json!({"name": format!("spack:{name}"), "value": value});
    let package_hash = listed.build.as_ref().and_then(|build| build.package_hash.clone());
    let properties = [
        Some(property("hash", hash.to_string())),
        listed.spec().map(|spec| property("spec", spec)),
        package_hash.map(|hash| property("package_hash", hash)),
        listed.external().map(|found| property("external", found)),
    ];
    set("properties", Some(properties.into_iter().flatten().collect()));
    Value::Object(component)
}
