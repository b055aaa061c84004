//! What only some visits need: files that the page's loader fetches when they are first asked for.
//!
//! A page says that it has them by `data-later` on its loader. In a sealed page its value names the build:
//! the loader asks for `open.js?…`, so that no file of another build is taken for one of this.

use sha2::{Digest as _, Sha256};

/// Run in the page: opens caches of the person's own.
pub(super) const OPEN: &str = "open.js";

/// Run in the worker: the reader, its glue, and what has the files.
pub(super) const WORKER: [&str; 2] = ["reader.js", "reader-worker.js"];

/// The reader's module.
pub(super) const MODULE: &str = "reader_bg.wasm";

/// All of these files.
pub(crate) const FILES: [&str; 4] = [OPEN, WORKER[0], WORKER[1], MODULE];

/// The attribute of the loader.
pub(super) const ATTRIBUTE: &str = "data-later";

/// Returns `true` if a page has them. Trunk writes an attribute without a value as a name alone.
pub(crate) fn has_later(html: &str) -> bool {
    html.contains(" data-later")
}

/// Names a build of them by its content.
pub(crate) fn build_name(files: &[Vec<u8>]) -> String {
    let mut digest = Sha256::new();
    for bytes in files {
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    }
    digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
