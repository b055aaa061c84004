//! The index's description of itself.

use std::cmp::Ordering;

use foldhash::{HashSet, HashSetExt as _};
use serde::{Deserialize, Serialize};

use crate::build::Place;
use crate::number::counted;

/// The URL of the public cache, which cache.spack.io describes.
pub const PUBLIC_MIRROR_URL: &str = "https://binaries.spack.io";

/// When and from what an index was made, and where its binaries are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The time in UTC as `2026-11-21T09:50:00Z`, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
    /// What the page is called, if its publisher gave it a name: `E4S build cache`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The `https` or `http` URL of a page about the cache, if its publisher named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about_url: Option<String>,
    /// What it was made from, as text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The URL under which each release and stack has its mirror; `None` if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirror_url: Option<String>,
    /// Mirrors that are elsewhere, or have a name of their own; sorted by release and stack.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mirrors: Vec<KnownMirror>,
    /// How Spack reaches the mirrors that are in buckets, if the URL alone is not enough.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buckets: Vec<BucketServer>,
    /// Builds that are not in the index because they were damaged, by reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// The exact URL of a place's mirror, and its name. Each takes precedence over what follows from
/// [`About::mirror_url`] and the names of release and stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct KnownMirror {
    /// The release; empty if the cache has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub release: String,
    /// The stack; empty if the cache has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stack: String,
    /// What commands call the mirror, if its publisher gave it a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The URL that `spack mirror add` takes, if its publisher gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The view, if the place is a view of the mirror: `spack mirror add --name` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
}

/// How Spack reaches what is below a URL in a bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct BucketServer {
    /// The URL: `s3://BUCKET/PREFIX`.
    pub url: String,
    /// The server, if it is not Amazon's: `spack mirror add --s3-endpoint-url` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// The profile in `~/.aws` that has the keys: `spack mirror add --s3-profile` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
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
    /// Returns a sentence without a full stop about damaged builds that are not in the index; `None` if there are none.
    pub fn without_damaged(&self) -> Option<String> {
        let builds: u64 = self.left_out.iter().map(|one| one.builds).sum();
        let builds = usize::try_from(builds).unwrap_or(usize::MAX);
        let were = counted(builds, "damaged build was", "damaged builds were");
        (builds > 0).then(|| format!("{were} left out of this index"))
    }

    /// Returns what the page is called.
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or("Spack build cache")
    }

    /// Returns the URL of a page about the cache if it is `https` or `http`, so that a link may point to it: anything
    /// else could be a script or a file.
    pub fn about_url(&self) -> Option<&str> {
        let is_web = |url: &&str| url.starts_with("https://") || url.starts_with("http://");
        self.about_url.as_deref().filter(is_web)
    }

    /// Returns the URL under which each release and stack has its mirror, without a slash at its end; `None` if the
    /// location of the binaries is unknown.
    pub fn mirror_url(&self) -> Option<&str> {
        self.mirror_url.as_deref().map(|url| url.trim_end_matches('/'))
    }

    /// Returns what is known exactly about the mirror of a place.
    pub fn known_mirror(&self, place: &Place) -> Option<&KnownMirror> {
        let key = |mirror: &KnownMirror| -> Ordering {
            (&mirror.release, &mirror.stack).cmp(&(&place.release, &place.stack))
        };
        let at = self.mirrors.partition_point(|mirror| key(mirror).is_lt());
        self.mirrors.get(at).filter(|mirror| key(mirror).is_eq())
    }

    /// Returns how Spack reaches a URL in a bucket. If several servers match, the one with the longest URL counts, as
    /// in Spack.
    pub fn bucket(&self, url: &str) -> Option<&BucketServer> {
        let is_below = |bucket: &&BucketServer| {
            let rest = url.strip_prefix(bucket.url.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.buckets.iter().filter(is_below).max_by_key(|bucket| bucket.url.len())
    }

    /// Returns every URL that says where binaries are, each once.
    pub fn urls(&self) -> Vec<&str> {
        let exact = self.mirrors.iter().filter_map(|mirror| mirror.url.as_deref());
        let mut seen = HashSet::new();
        self.mirror_url().into_iter().chain(exact).filter(|url| seen.insert(*url)).collect()
    }
}
