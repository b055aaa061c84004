//! Files that only some visits need, and that the page's loader fetches on demand.
//!
//! A page that has them has `data-later` on its loader. In a sealed page, its value identifies the build:
//! the loader requests `open.js?…`, so that files of different builds are never combined.

use sha2::{Digest as _, Sha256};

/// Runs in the page, and opens caches from the person's files.
pub(super) const OPEN: &str = "open.js";

/// Runs in the worker: the reader's glue, and the script that has the files.
pub(super) const WORKER: [&str; 2] = ["reader.js", "reader-worker.js"];

/// The reader's modules: the code that reads databases and mirrors, and the rest.
pub(super) const MODULES: [&str; 2] = ["reader_bg.wasm", "reader_rest.wasm"];

/// All of these files.
pub(crate) const FILES: [&str; 5] = [OPEN, WORKER[0], WORKER[1], MODULES[0], MODULES[1]];

/// The attribute of the loader.
pub(super) const ATTRIBUTE: &str = "data-later";

/// Returns `true` if a page has them. Trunk writes an attribute without a value as a name alone.
pub(crate) fn has_later(html: &str) -> bool {
    html.contains(" data-later")
}

/// Returns an id of their build, derived from their contents.
pub(crate) fn build_name(files: &[Vec<u8>]) -> String {
    let mut digest = Sha256::new();
    for bytes in files {
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    }
    digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
