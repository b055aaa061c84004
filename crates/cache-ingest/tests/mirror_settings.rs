//! Entries of a `mirrors.yaml`, with what Spack itself says about each (`tests/data/environment/mirror-entries.json`).

use cache_ingest::mirror_settings::{ConfiguredMirror, Connection};
use cache_ingest::{Read, read_mirrors};
use serde_json::{Value, json};

const ENTRIES: &str = include_str!("../../../tests/data/environment/mirror-entries.json");

fn read(entry: &Value) -> Read<Vec<ConfiguredMirror>> {
    // JSON is YAML.
    read_mirrors(json!({"mirrors": {"m": entry}}).to_string().as_bytes())
}

#[test]
fn understands_what_spack_understands() {
    let entries: Vec<Value> = serde_json::from_str(ENTRIES).expect("JSON");
    assert!(entries.len() >= 60);
    for recorded in entries {
        let name = &recorded["name"];
        let Read { value, problems, notes } = read(&recorded["entry"]);
        let is_understood = problems.is_empty() && notes.is_empty();
        assert_eq!(is_understood, recorded["valid"], "{name}: {problems:?}");
        let Some(mirror) = value.and_then(|mut mirrors| mirrors.pop()) else { continue };
        let Connection { url, view, endpoint, profile, accepts, .. } = &mirror.fetch;
        // Paths are expanded where they are used.
        let is_url = |url: &&str| url.contains("://") && !url.contains("$cwd");
        if let Some(recorded) = recorded["url"].as_str().filter(is_url) {
            assert_eq!(url.as_deref(), Some(recorded), "{name}");
        }
        assert_eq!(json!(view), recorded["view"], "{name}");
        assert_eq!(json!(mirror.has_binaries), recorded["binary"], "{name}");
        assert_eq!(json!(endpoint), recorded["endpoint_url"], "{name}");
        assert_eq!(json!(profile), recorded["profile"], "{name}");
        let list = |name: &str| recorded[name].as_array().cloned().unwrap_or_default();
        assert_eq!(json!(accepts.include), json!(list("include_binary")), "{name}");
        assert_eq!(json!(accepts.exclude), json!(list("exclude_binary")), "{name}");
        let is_registry = url.as_ref().is_some_and(|url| url.starts_with("oci"));
        // Spack cannot say it of a mirror without a URL to fetch from.
        let is_signed = recorded["signed"].as_bool().filter(|_| !is_registry);
        assert_eq!(is_signed.unwrap_or(mirror.is_signed), mirror.is_signed, "{name}");
    }
}
