//! What an index says about itself.

use serde::{Deserialize, Serialize};

/// The URL of the public cache, which cache.spack.io describes.
pub const PUBLIC_MIRROR_URL: &str = "https://binaries.spack.io";

/// When and from what an index was made, and where its binaries are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The time in UTC as `2026-11-21T09:50:00Z`, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
    /// What it was made from, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The URL below which each release and stack has its mirror; `None` if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirror_url: Option<String>,
    /// Builds that were damaged and are therefore not in the index, by why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// Builds that were damaged in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// What is wrong with them, in words for people.
    pub why: String,
    /// How many they are.
    pub builds: u64,
}

impl About {
    /// Returns the URL below which each release and stack has its mirror, without a slash at its
    /// end; `None` if nobody said where the binaries are.
    pub fn mirror_url(&self) -> Option<&str> {
        self.mirror_url.as_deref().map(|url| url.trim_end_matches('/'))
    }
}
