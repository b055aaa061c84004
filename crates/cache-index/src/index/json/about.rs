//! The index's description of itself.

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
    /// What it was made from, as text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The URL under which each release and stack has its mirror; `None` if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirror_url: Option<String>,
    /// Builds that are not in the index because they were damaged, by reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// Builds that were damaged in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// What is wrong with them, as text for people.
    pub why: String,
    /// The number of builds.
    pub builds: u64,
}

impl About {
    /// Returns the URL under which each release and stack has its mirror, without a slash at its end; `None` if the
    /// location of the binaries is unknown.
    pub fn mirror_url(&self) -> Option<&str> {
        self.mirror_url.as_deref().map(|url| url.trim_end_matches('/'))
    }
}
