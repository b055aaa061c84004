//! Which builds are compared when both sides are narrowed to some of their builds, as by the filters of the page.
//!
//! The specs of a package compete for counterparts, and so do those of the packages that it depends on. So if one build
//! of a package is compared, all of its builds are, and all builds of the packages that these depend on. Then a spec
//! has the same counterpart whatever the sides are narrowed to, and most of a large cache can still be left out.

use std::borrow::Cow;
use std::collections::BTreeSet;

use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};

use super::graph::SpecSource;
use super::pauses::Pauses;
use crate::changes::SideBuilds;

/// Returns the builds of both sides to compare.
pub(super) async fn compared<'s>(
    sides: [(&Index, &'s SideBuilds); 2],
    pauses: &mut Pauses<impl AsyncFnMut()>,
) -> [Cow<'s, [BuildId]>; 2] {
    if sides.iter().all(|(_, side)| side.builds.len() == side.all.len()) {
        return sides.map(|(_, side)| Cow::Borrowed(&*side.all));
    }
    let mut chosen = sides.map(|(_, side)| side.builds.clone());
    let mut packages: BTreeSet<&str> = BTreeSet::new();
    loop {
        let known = packages.len();
        for ((index, _), builds) in sides.iter().zip(&chosen) {
            let below = SpecSource::Index(index);
            for at in below.closure(builds.iter().map(|build| build.0), pauses).await {
                packages.insert(package(index, BuildId(at)));
                pauses.after_one().await;
            }
        }
        if packages.len() == known {
            return chosen.map(Cow::Owned);
        }
        chosen = sides.map(|(index, side)| {
            let is_meant = |build: &BuildId| packages.contains(package(index, *build));
            side.all.iter().copied().filter(is_meant).collect()
        });
    }
}

fn package(index: &Index, build: BuildId) -> &str {
    index.text(index.row_of(build), Facet::Package)
}
