//! Badges, as endpoints of shields.io: `https://img.shields.io/endpoint?url=…`.

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::number::counted;
use cache_query::{Answer, PackageRow};
use serde_json::json;

/// Writes a badge.
pub(super) fn badge(label: &str, message: &str, color: &str) -> String {
    let badge = json!({"schemaVersion": 1, "label": label, "message": message, "color": color});
    format!("{badge}\n")
}

/// Says which version of a package is the newest in an answer, and how many of its builds there are: `1.3.1 · 2 builds`.
pub(super) fn newest_and_builds(index: &Index, answer: &Answer, package: ValueCode) -> String {
    let row = PackageRow::new(index, answer, package);
    let (release, branch) = row.newest(index);
    let newest = release.or(branch).map(|code| index.dictionary(Facet::Version).text(code));
    let builds = counted(row.builds as usize, "build", "builds");
    let parts = [newest.map(str::to_owned), Some(builds)].into_iter().flatten();
    parts.collect::<Vec<_>>().join(" · ")
}
