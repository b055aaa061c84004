//! A part of an index, or a shard of one, and where it is: in the page, or in a file next to it.

use std::borrow::Cow;

use cache_index::index::{Part, StatedPart, Summary};
use sha2::{Digest, Sha256};

use cache_ingest::digest::integrity;

/// How many digits of a part's digest are in the name of its file.
const DIGITS: usize = 16;

/// A part or a shard, and its place.
pub(super) struct PlacedPart<'i> {
    /// The id of its script, if it is in the page.
    pub(super) id: String,
    /// `None` for a shard.
    pub(super) part: Option<Part>,
    /// The text as it is in the script or the file.
    pub(super) text: Cow<'i, str>,
    /// The name of its file; `None` if it is in the page.
    pub(super) file: Option<String>,
}

/// Returns the name for the file of a part or one of its shards, which begins with the part's id.
pub(super) fn file_name(part: Part, text: &str) -> String {
    let digest = format!("{:x}", Sha256::digest(text.as_bytes()));
    format!("{}-{}.json", part.id(), &digest[..DIGITS])
}

/// Returns `true` if a file has a name that [`embed_beside`](super::embed::embed_beside) gives to a part.
pub(crate) fn is_part_file(name: &str) -> bool {
    let digest =
        |part: Part| name.strip_prefix(part.id())?.strip_prefix('-')?.strip_suffix(".json");
    Part::ALL
        .into_iter()
        .filter_map(digest)
        .any(|digest| digest.len() == DIGITS && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Returns what a page states about a part with this text.
pub(super) fn describe(text: &str, file: Option<String>, summary: Option<Summary>) -> StatedPart {
    StatedPart::of(text, integrity(text.as_bytes()), file).with_summary(summary)
}

/// Returns the script of a part. Its text must not contain `<`.
pub(super) fn script(id: &str, text: &str) -> String {
    format!("<script type=\"application/json\" id=\"{id}\">{text}</script>")
}
