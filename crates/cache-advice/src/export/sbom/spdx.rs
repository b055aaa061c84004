//! SPDX 2.3 as JSON: <https://spdx.github.io/spdx-spec/v2.3/>.
//!
//! `NOASSERTION` is its word for what is not known.

use cache_index::build::Hash;
use serde_json::{Value, json};

use super::{Licence, ListedSpec, Sbom};

const UNKNOWN: &str = "NOASSERTION";
const DOCUMENT: &str = "SPDXRef-DOCUMENT";

/// Writes a list.
pub(super) fn write(sbom: &Sbom<'_>) -> Value {
    let packages = sbom.specs.iter().map(|(hash, listed)| package(*hash, listed));
    let described = sbom.roots.iter().map(|root| relationship(DOCUMENT, "DESCRIBES", &id(*root)));
    let dependencies = sbom.specs.iter().flat_map(|(hash, listed)| dependencies(*hash, listed));
    json!({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": DOCUMENT,
        "name": sbom.name,
        "documentNamespace": format!("https://spdx.org/spdxdocs/spack-{}", sbom.uuid()),
        "creationInfo": {
            "created": sbom.made,
            "creators": [concat!("Tool: cache-explorer-", env!("CARGO_PKG_VERSION"))],
        },
        "packages": packages.collect::<Vec<_>>(),
        "relationships": described.chain(dependencies).collect::<Vec<_>>(),
    })
}

fn package(hash: Hash, listed: &ListedSpec) -> Value {
    let mut package = json!({
        "SPDXID": id(hash),
        "name": listed.name(),
        "downloadLocation": UNKNOWN,
        "filesAnalyzed": false,
        "supplier": UNKNOWN,
        "licenseConcluded": UNKNOWN,
        "licenseDeclared": UNKNOWN,
        "copyrightText": UNKNOWN,
    });
    let mut set = |field: &str, value: Option<Value>| {
        if let Some(value) = value {
            package[field] = value;
        }
    };
    set("versionInfo", listed.version().map(Value::from));
    set("summary", listed.spec().map(Value::from));
    set("sourceInfo", listed.external().map(Value::from));
    match &listed.licence {
        Some(Licence::Expression(licence)) => set("licenseDeclared", Some(licence.as_str().into())),
        Some(Licence::Words(words)) => set("licenseComments", Some(words.as_str().into())),
        None => {}
    }
    let purl = listed.purl(hash).map(|purl| {
        json!([{
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": purl,
        }])
    });
    set("externalRefs", purl);
    package
}

/// Returns what a spec needs to run, or that nothing is known or needed.
fn dependencies(hash: Hash, listed: &ListedSpec) -> Vec<Value> {
    const DEPENDS_ON: &str = "DEPENDS_ON";
    let from = id(hash);
    match &listed.needs {
        None => vec![relationship(&from, DEPENDS_ON, UNKNOWN)],
        Some(needs) if needs.is_empty() => vec![relationship(&from, DEPENDS_ON, "NONE")],
        Some(needs) => {
            needs.iter().map(|need| relationship(&from, DEPENDS_ON, &id(*need))).collect()
        }
    }
}

fn relationship(from: &str, what: &str, to: &str) -> Value {
    json!({"spdxElementId": from, "relationshipType": what, "relatedSpdxElement": to})
}

/// Returns the name of a spec in the document.
fn id(hash: Hash) -> String {
    format!("SPDXRef-{hash}")
}
