//! The formats of others that only the command reads. Caches and environments have none of them: those are read by
//! `cache-ingest`.
//!
//! | module | format | written by |
//! | --- | --- | --- |
//! | [`feed`] | Atom | the command, for each publication; anyone may have changed it since |
//! | `listing` | lists of folders and of buckets | web servers, and servers that speak S3 |
//! | `signatures` | keys and signatures of OpenPGP | people, with GnuPG and other programs |
//!
//! Bytes or text in, plain data or what is wrong with it out: there are no files here, and no network. What holds for any
//! input is in `crates/properties`, and what looks for input that breaks it in `fuzz/`.

pub mod feed;
#[cfg(feature = "listings")]
pub mod listing;
#[cfg(feature = "signatures")]
pub mod signatures;

/// The maximum number of characters of what a library says, which may repeat the whole input.
const LONGEST_MESSAGE: usize = 200;

/// Returns what a library says of an error, in one line that is not long.
fn brief(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
