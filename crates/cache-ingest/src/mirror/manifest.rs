//! The manifests of v3 mirrors: lists of blobs.
//!
//! A manifest is `{"version": 3, "data": […]}`; each element has a media type, a checksum and a length, and the length
//! of `application/vnd.spack.install…` is the size of the binary, which is recorded nowhere else in a cache. Manifests
//! of signed builds are wrapped in a signature.

use super::signature::without_signature;
use crate::digest::Sha256Text;
use crate::fields::{Fields, Problems};
use crate::problem::{Finding, quote};
use crate::read::Read;
use crate::value::Value;

/// The version of manifests that can be read.
const VERSION: u64 = 3;

/// The compressions of blobs.
const COMPRESSIONS: [&str; 3] = ["none", "gzip", "zstd"];

/// A blob listed in a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// Its media type.
    pub media_type: String,
    /// Its sha256, which is also its name.
    pub checksum: Sha256Text,
    /// Its length in bytes.
    pub length: u64,
}

/// Reads a manifest, signed or not.
pub fn read_manifest(bytes: &[u8]) -> Read<Vec<Blob>> {
    let mut problems = Problems::default();
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => match without_signature(text) {
            Some(text) => text,
            None => {
                problems.report("", Finding::CutOff);
                return problems.read(None);
            }
        },
        Err(error) => {
            problems.report("", Finding::NotUtf8 { byte: error.valid_up_to() });
            return problems.read(None);
        }
    };
    let value = match Value::of_json(text.as_bytes()) {
        Ok(value) => value,
        Err(error) => {
            problems.report_json_error(&error);
            return problems.read(None);
        }
    };
    let mut blobs = Vec::new();
    if let Some(mut fields) = Fields::open(value, "", &mut problems) {
        match fields.whole("version", &mut problems) {
            Some(VERSION) | None => {
                for element in fields.list("data", &mut problems).unwrap_or_default() {
                    blobs.extend(read_element(element, &mut problems));
                }
                fields.close(&mut problems);
            }
            Some(found) => problems.report("version", Finding::UnknownManifestVersion { found }),
        }
    }
    let is_good = problems.len() == 0;
    problems.read(is_good.then_some(blobs))
}

/// Reads `v3/layout.json`.
pub(super) fn read_layout(bytes: &[u8]) -> Read<()> {
    let mut problems = Problems::default();
    match Value::of_json(bytes) {
        Ok(value) => {
            if let Some(mut fields) = Fields::open(value, "", &mut problems) {
                if fields.has("version") {
                    match fields.whole("version", &mut problems) {
                        Some(VERSION) | None => {}
                        Some(found) => {
                            problems.report("version", Finding::UnknownLayoutVersion { found });
                        }
                    }
                }
                fields.optional("signing");
                fields.close(&mut problems);
            }
        }
        Err(error) => problems.report_json_error(&error),
    }
    problems.read(Some(()))
}

fn read_element(value: Value<'_>, problems: &mut Problems) -> Option<Blob> {
    let mut fields = Fields::open(value, "data", problems)?;
    let media_type = fields.text("mediaType", problems);
    let length = fields.whole("contentLength", problems);
    if let Some(compression) = fields.text("compression", problems)
        && !COMPRESSIONS.contains(&compression.as_str())
    {
        let found = quote(&compression);
        problems.report("data.compression", Finding::UnknownCompression { found });
    }
    match fields.text("checksumAlgorithm", problems) {
        Some(algorithm) if algorithm != "sha256" => {
            let found = quote(&algorithm);
            problems.report("data.checksumAlgorithm", Finding::UnknownChecksum { found });
        }
        _ => {}
    }
    let checksum = fields.text("checksum", problems).and_then(|text| {
        let checksum = Sha256Text::new(&text);
        if checksum.is_none() {
            problems.report("data.checksum", Finding::BadDigest { found: quote(&text) });
        }
        checksum
    });
    fields.close(problems);
    Some(Blob { media_type: media_type?, checksum: checksum?, length: length? })
}
