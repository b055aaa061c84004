//! `.spack/binary_distribution`: what Spack writes about moving a build.
//!
//! It is YAML, usually in a single line, and the last entry of the tarball. Python writes bytes in names that are not
//! UTF-8 as halves of surrogate pairs (`\udce9`), which YAML's readers reject; here they become `\xe9`.

use std::collections::BTreeMap;

use cache_index::build::Hash;
use cache_index::facts::Relocation;
use serde::Deserialize;

use super::error::BinaryError;
use crate::value::Value;
use crate::yaml_depth::{TOO_DEEP, is_too_deep};

/// The file, relative to the prefix.
pub(super) const BUILD_INFO: &str = ".spack/binary_distribution";

/// The fields that are used. Older versions of Spack do not write all of them.
#[derive(Deserialize)]
struct BuildInfoFile {
    buildpath: String,
    sbang_install_path: Option<String>,
    relative_prefix: Option<String>,
    #[serde(default)]
    relocate_binaries: Vec<String>,
    #[serde(default)]
    relocate_textfiles: Vec<String>,
    #[serde(default)]
    relocate_links: Vec<String>,
    #[serde(default)]
    hash_to_prefix: BTreeMap<String, String>,
    /// What Spack before 0.20 wrote instead of `hash_to_prefix`.
    #[serde(default)]
    prefix_to_hash: BTreeMap<String, Option<String>>,
}

/// What is written about a build.
#[derive(Debug)]
pub(super) struct BuildInfo {
    pub(super) relocation: Relocation,
    /// The prefix below the root, if it is written.
    pub(super) relative_prefix: Option<String>,
}

/// Reads the file.
pub(super) fn read(bytes: &[u8]) -> Result<BuildInfo, BinaryError> {
    let bad = |message: String| BinaryError::BadBuildInfo { message: shortened(message) };
    let text = std::str::from_utf8(bytes).map_err(|error| bad(error.to_string()))?;
    let text = without_surrogates(text);
    if is_too_deep(&text) {
        return Err(bad(TOO_DEEP.to_owned()));
    }
    // Spack writes no aliases, which could stand for any number of texts.
    if text.contains('*') {
        Value::of_yaml(&text).map_err(|error| bad(error.to_string()))?;
    }
    let BuildInfoFile {
        buildpath,
        sbang_install_path,
        relative_prefix,
        relocate_binaries,
        relocate_textfiles,
        relocate_links,
        hash_to_prefix,
        prefix_to_hash,
    } = serde_yaml::from_str(&text).map_err(|error| bad(error.to_string()))?;
    let older = prefix_to_hash.into_iter().filter_map(|(prefix, hash)| Some((hash?, prefix)));
    let mut prefixes = BTreeMap::new();
    for (hash, prefix) in older.chain(hash_to_prefix) {
        let hash: Hash = hash.parse().map_err(|error| bad(format!("hash_to_prefix: {error}")))?;
        prefixes.insert(hash, prefix);
    }
    let relocation = Relocation {
        root: buildpath,
        sbang: sbang_install_path,
        prefixes,
        binaries: relocate_binaries,
        text: relocate_textfiles,
        links: relocate_links,
    };
    Ok(BuildInfo { relocation, relative_prefix })
}

/// Shortens a message of the YAML reader, which may quote a text of any length from the file.
fn shortened(mut message: String) -> String {
    const LONGEST: usize = 200;
    if let Some((end, _)) = message.char_indices().nth(LONGEST) {
        message.replace_range(end.., "…");
    }
    message
}

/// Replaces `\udce9`, in capitals too, by `\\xe9`, which is `\xe9` in a YAML text.
fn without_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at..];
        // Any other escape is skipped as two characters, so that an escaped backslash does not start another escape.
        let length = match byte_of(escape) {
            Some(byte) => {
                out.push_str(&format!(r"\\x{byte:02x}"));
                SURROGATE
            }
            None => {
                let length = escape.chars().take(2).map(char::len_utf8).sum();
                out.push_str(&escape[..length]);
                length
            }
        };
        rest = &escape[length..];
    }
    out.push_str(rest);
    out
}

/// The length of `\udce9`, in bytes.
const SURROGATE: usize = 6;

/// Returns the byte that is encoded by half of a surrogate pair at the start of a text.
fn byte_of(escape: &str) -> Option<u8> {
    let digits = escape.get(2..SURROGATE).filter(|_| escape.starts_with(r"\u"))?;
    let code = u16::from_str_radix(digits, 16).ok()?;
    (0xdc80..=0xdcff).contains(&code).then_some(code as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::TOO_REPETITIVE;

    #[test]
    fn reads_what_each_spack_writes() {
        let hash = "23dhitblzvsolk24z4rg7kcxo3pvrqhu";
        let now = format!(
            "{{sbang_install_path: /s/bin/sbang, buildpath: /s, relative_prefix: x/a, hash_to_prefix: {{{hash}: /s/x/a}}, \
             relocate_textfiles: [\"share/latin\\udce9\", \"share/\\\\\\uDCE9\"]}}"
        );
        let earlier = format!("buildpath: /s\nprefix_to_hash:\n  /s/x/a: {hash}\n  /s/x/b: null\n");
        for text in [&now, &earlier] {
            let info = read(text.as_bytes()).expect("good");
            let prefixes: Vec<&str> =
                info.relocation.prefixes.values().map(String::as_str).collect();
            assert_eq!(prefixes, ["/s/x/a"]);
            assert_eq!(info.relocation.root, "/s");
        }
        let texts = read(now.as_bytes()).expect("good").relocation.text;
        assert_eq!(texts, [r"share/latin\xe9", r"share/\\xe9"]);
    }

    #[test]
    fn rejects_anything_else() {
        for text in ["", "[]", "{}", "{buildpath: [", "buildpath: /s\nhash_to_prefix: {x: /s}\n"] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
        let repeated = format!(
            "buildpath: /s\nx: &x {}\nrelocate_binaries: [{}]\n",
            "y".repeat(50_000),
            "*x, ".repeat(100)
        );
        let message = read(repeated.as_bytes()).expect_err("5 MB of names").to_string();
        assert!(message.contains(TOO_REPETITIVE), "{message}");
        let message = read("a".repeat(100_000).as_bytes()).expect_err("a text").to_string();
        assert!(message.len() < 300, "{message}");
    }
}
