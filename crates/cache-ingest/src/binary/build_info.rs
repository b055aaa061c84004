//! `.spack/binary_distribution`: what Spack writes about moving a build.
//!
//! It is YAML, usually in a single line, and the last entry of the tarball. Python writes bytes in names that are not
//! UTF-8 as halves of surrogate pairs (`\udce9`), which YAML's readers reject; here they become `\xe9`.

use std::collections::BTreeMap;

use cache_index::build::Hash;
use cache_index::facts::Relocation;
use serde::Deserialize;

use super::error::BinaryError;
use crate::yaml_depth::{TOO_DEEP, is_too_deep};

/// The file, relative to the prefix.
pub(super) const BUILD_INFO: &str = ".spack/binary_distribution";

/// Its fields that matter here. Older versions of Spack do not write all of them.
#[derive(Deserialize)]
struct Written {
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
    /// What Spack wrote before 0.20 instead.
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
    let bad = |message: String| BinaryError::BadBuildInfo { message };
    let text = std::str::from_utf8(bytes).map_err(|error| bad(error.to_string()))?;
    let text = without_surrogates(text);
    if is_too_deep(&text) {
        return Err(bad(TOO_DEEP.to_owned()));
    }
    let Written {
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

/// Replaces `\udce9` by `\\xe9`, which is `\xe9` in a YAML text.
fn without_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(r"\udc") {
        let digits = rest
            .get(at + 4..at + 6)
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        // After another backslash, it is no escape.
        let is_escape = !rest[..at].ends_with('\\');
        out.push_str(&rest[..at]);
        match digits.filter(|_| is_escape) {
            Some(digits) => {
                out.push_str(r"\\x");
                out.push_str(digits);
                rest = &rest[at + 6..];
            }
            None => {
                out.push_str(r"\udc");
                rest = &rest[at + 4..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_each_spack_writes() {
        let hash = "23dhitblzvsolk24z4rg7kcxo3pvrqhu";
        let now = format!(
            "{{sbang_install_path: /s/bin/sbang, buildpath: /s, relative_prefix: x/a, hash_to_prefix: {{{hash}: /s/x/a}}, \
             relocate_textfiles: [\"share/latin\\udce9\"]}}"
        );
        let earlier = format!("buildpath: /s\nprefix_to_hash:\n  /s/x/a: {hash}\n  /s/x/b: null\n");
        for text in [&now, &earlier] {
            let info = read(text.as_bytes()).expect("good");
            let prefixes: Vec<&str> =
                info.relocation.prefixes.values().map(String::as_str).collect();
            assert_eq!(prefixes, ["/s/x/a"]);
            assert_eq!(info.relocation.root, "/s");
        }
        assert_eq!(read(now.as_bytes()).expect("good").relocation.text, [r"share/latin\xe9"]);
    }

    #[test]
    fn rejects_anything_else() {
        for text in ["", "[]", "{}", "{buildpath: [", "buildpath: /s\nhash_to_prefix: {x: /s}\n"] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
