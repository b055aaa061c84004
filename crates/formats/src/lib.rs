//! Formats defined by others that only the command reads. The formats of caches and environments are read by
//! `cache-ingest`.
//!
//! | module | format | written by |
//! | --- | --- | --- |
//! | [`feed`] | Atom | the command, for each publication; anyone may have changed it since |
//! | `listing` | lists of folders and of buckets | web servers, and servers that speak S3 |
//! | `signatures` | keys and signatures of OpenPGP | people, with GnuPG and other programs |
//!
//! Bytes or text go in, plain data or a description of what is wrong comes out: this crate uses no files and no
//! network. The properties that hold for any input are in `crates/properties`, and the targets that look for input that
//! breaks them are in `fuzz/`.

pub mod feed;
#[cfg(feature = "listings")]
pub mod listing;
#[cfg(feature = "signatures")]
pub mod signatures;

/// The maximum number of characters of a library's message, which may repeat the entire input.
const LONGEST_MESSAGE: usize = 200;

/// Returns the first line of a library's error message, shortened if it is long.
fn brief(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
