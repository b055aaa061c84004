//! What an index says about itself.

use serde::{Deserialize, Serialize};

/// The URL that binaries are fetched from, unless a publication says otherwise.
pub const DEFAULT_MIRROR_URL: &str = "https://binaries.spack.io";

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
    /// The URL below which each release and stack has its mirror; `None` for
    /// [`DEFAULT_MIRROR_URL`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirror_url: Option<String>,
}

impl About {
    /// The URL below which each release and stack has its mirror, without a trailing slash.
    pub fn mirror_url(&self) -> &str {
        self.mirror_url.as_deref().unwrap_or(DEFAULT_MIRROR_URL).trim_end_matches('/')
    }
}
