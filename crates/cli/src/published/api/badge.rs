//! The badge of a package, as an endpoint of shields.io: `https://img.shields.io/endpoint?url=…`.

use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::number::counted;
use cache_query::PackageRow;
use serde_json::json;

use super::Published;

/// Returns the newest version of a package and the number of its builds.
pub(super) fn badge(cache: &Published, package: ValueCode) -> String {
    let row = PackageRow::new(cache.index, &cache.answer, package);
    let (release, branch) = row.newest(cache.index);
    let newest = release.or(branch).map(|code| cache.name(Facet::Version, code));
    let builds = counted(row.builds as usize, "build", "builds");
    let message = [newest.map(str::to_owned), Some(builds)].into_iter().flatten();
    let badge = json!({
        "schemaVersion": 1,
        "label": cache.name(Facet::Package, package),
        "message": message.collect::<Vec<_>>().join(" · "),
        "color": "blue",
    });
    format!("{badge}\n")
}
