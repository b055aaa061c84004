//! One image: its manifest, and the spec in its configuration.

use super::{Registry, small_blob};
use crate::database::read_spec;
use crate::digest::{Fingerprint, Sha256Text};
use crate::fields::{Fields, Problems};
use crate::problem::{Finding, Problem, quote};
use crate::read::Read;
use crate::value::Value;
use cache_index::build::{Build, Hash, Place};

/// The media types of an image's manifest, by OCI and, earlier, by Docker.
pub const MANIFEST_TYPES: [&str; 2] = [
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
];

/// The blobs that an image consists of.
#[derive(Debug)]
pub(super) struct Manifest {
    pub(super) config: Fingerprint,
    pub(super) layers: Vec<Fingerprint>,
}

/// Reads the manifest of an image.
pub(super) fn read_manifest(bytes: &[u8]) -> Read<Manifest> {
    let mut problems = Problems::default();
    let manifest = match Value::of_json(bytes) {
        Ok(value) => manifest(value, &mut problems),
        Err(error) => {
            problems.report_json_error(&error);
            None
        }
    };
    problems.read(manifest)
}

/// Returns the last layer of an image, which is the binary of its build; none if the image has no layers.
pub(crate) fn last_layer(bytes: &[u8]) -> Read<Option<Fingerprint>> {
    let Read { value, problems, notes } = read_manifest(bytes);
    Read { value: value.map(|mut manifest| manifest.layers.pop()), problems, notes }
}

fn manifest(value: Value<'_>, problems: &mut Problems) -> Option<Manifest> {
    let mut fields = Fields::open(value, "", problems)?;
    if fields.has("mediaType") {
        let media_type = fields.text("mediaType", problems)?;
        if !MANIFEST_TYPES.contains(&media_type.as_str()) {
            let finding = Finding::NotAnImage { found: quote(&media_type) };
            problems.report("mediaType", finding);
            return None;
        }
    }
    let config = fields.required("config", problems);
    let config = config.and_then(|value| descriptor(value, "config", problems));
    let before = problems.len();
    let layers = fields.list("layers", problems)?;
    let layers: Vec<Fingerprint> =
        layers.into_iter().filter_map(|layer| descriptor(layer, "layers", problems)).collect();
    (problems.len() == before).then_some(Manifest { config: config?, layers })
}

/// Reads the digest and length of a blob in a manifest.
pub(super) fn descriptor(
    value: Value<'_>,
    path: &'static str,
    problems: &mut Problems,
) -> Option<Fingerprint> {
    let mut fields = Fields::open(value, path, problems)?;
    let length = fields.whole("size", problems);
    let text = fields.text("digest", problems)?;
    let digest = text.strip_prefix("sha256:").and_then(Sha256Text::new);
    if digest.is_none() {
        problems.report(fields.name("digest"), Finding::BadDigest { found: quote(&text) });
    }
    Some(Fingerprint { digest: digest?, length: Some(length?) })
}

/// Reads the build of a tag and its dependencies. As far as this tag says, the dependencies have no binary.
pub fn read_image(
    registry: &dyn Registry,
    tag: &str,
    hash: Hash,
    place: &Place,
) -> Read<Vec<Build>> {
    let failed = |finding: Finding| Read {
        // Other tags can still be read.
        value: Some(Vec::new()),
        problems: vec![Problem::of_tag(tag, hash, finding)],
        notes: Default::default(),
    };
    let bytes = match registry.manifest(tag) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return failed(Finding::MissingImage),
        Err(error) => return failed(Finding::Unreadable { message: error.to_string() }),
    };
    let Read { value, problems, mut notes } = read_manifest(&bytes);
    let of_tag =
        |problem: Problem| Problem::of_tag(tag, hash, problem.finding).with_field(problem.at.field);
    let mut problems: Vec<Problem> = problems.into_iter().map(of_tag).collect();
    let Some(manifest) = value else { return Read { value: Some(Vec::new()), problems, notes } };
    let config = match small_blob(registry, &manifest.config) {
        Ok(config) => config,
        Err(finding) => return failed(finding),
    };
    let read = read_config(&config, hash, place);
    problems.extend(read.problems.into_iter().map(of_tag));
    notes.extend(read.notes.in_file(tag));
    Read { value: Some(read.value.unwrap_or_default()), problems, notes }
}

/// Reads the configuration of the image of a build: that build and its dependencies. There is no value if the build
/// itself cannot be read.
pub fn read_config(bytes: &[u8], hash: Hash, place: &Place) -> Read<Vec<Build>> {
    let mut problems = Problems::default();
    let builds = match Value::of_json(bytes) {
        Ok(value) => config(value, hash, place, &mut problems),
        Err(error) => {
            problems.report_json_error(&error);
            None
        }
    };
    problems.read(builds)
}

/// From this version of spec files on, compilers are dependencies, as in databases of version 8.
const COMPILERS_ARE_DEPENDENCIES: u64 = 5;

fn config(
    value: Value<'_>,
    hash: Hash,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<Build>> {
    let before = problems.len();
    // All other fields of an image are for running it.
    let mut fields = Fields::open(value, "", problems)?;
    let size = match fields.optional("archive_size") {
        Some(Value::Whole(size)) => Some(size),
        _ => None,
    };
    let mut spec = Fields::open(fields.required("spec", problems)?, "spec", problems)?;
    let mut meta = Fields::open(spec.required("_meta", problems)?, "spec._meta", problems)?;
    let version = match meta.whole("version", problems)? {
        version if version < COMPILERS_ARE_DEPENDENCIES => 7,
        _ => 8,
    };
    let nodes = spec.list("nodes", problems)?;
    let mut builds: Vec<Build> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let own = match crate::fields::field(&node, "hash") {
            Some(Value::Text(written)) => match written.parse::<Hash>() {
                Ok(own) => own,
                Err(error) => {
                    problems.report("hash", Finding::BadHash { found: quote(written), error });
                    continue;
                }
            },
            _ => {
                problems.report("hash", Finding::MissingField);
                continue;
            }
        };
        if let Some(mut build) = read_spec(own, node, Some(version), problems)
            && !builds.iter().any(|other| other.hash == own)
        {
            if own == hash {
                build.places = place.clone().into();
                build.size = size;
            }
            builds.push(build);
        }
    }
    if problems.len() == before && !builds.iter().any(|build| build.hash == hash) {
        problems.report("spec.nodes", Finding::NoSuchSpec { found: hash.to_string() });
    }
    (problems.len() == before).then_some(builds)
}
