//! The cache as a whole, and the list of its packages.

use std::collections::BTreeMap;

use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::index::{LeftOut, ValueCode};
use cache_index::mirror::{Mirror, SignedBuilds};
use cache_query::PackageRow;
use serde::Serialize;

use super::{
    API, BADGES, OF_PACKAGES, PACKAGES, PackageFiles, PublishedCache, SYSTEM, Systems, with_lines,
};

/// The overview that a program reads first.
#[derive(Serialize)]
struct Overview<'c> {
    api: u32,
    title: &'c str,
    /// The time in UTC as `2026-11-21T09:50:00Z`.
    #[serde(skip_serializing_if = "Option::is_none")]
    made: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    about_url: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site_url: Option<&'c str>,
    builds: u32,
    packages: u32,
    /// `true` if builds list their dependencies; builds of cache pages do not.
    lists_dependencies: bool,
    /// The builds that came and went since the earlier publication.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Since>,
    /// Builds that are not here because they were damaged, by reason.
    left_out: &'c [LeftOut],
    systems: Vec<System<'c>>,
    mirrors: Vec<MirrorOfPlace>,
    /// Where the other files are, relative to the folder of the site.
    files: Files,
}

#[derive(Serialize)]
struct Since {
    since: Option<String>,
    came: usize,
    went: usize,
}

/// How many builds there are for a kind of machine.
#[derive(Serialize)]
struct System<'c> {
    platform: &'c str,
    os: &'c str,
    target: &'c str,
    builds: u32,
}

#[derive(Serialize)]
struct MirrorOfPlace {
    release: String,
    stack: String,
    name: String,
    /// `null` if its location is not known.
    url: Option<String>,
    view: Option<String>,
    /// The server of a bucket that is not Amazon's.
    endpoint: Option<String>,
    /// The profile that has the keys of a bucket.
    profile: Option<String>,
    builds: u32,
    /// How many of the builds are not signed, if any other is signed: `add` lets Spack check the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsigned_builds: Option<usize>,
    /// The command that adds the mirror to Spack.
    add: String,
}

#[derive(Serialize)]
struct Files {
    packages: &'static str,
    package: String,
    badge: String,
}

/// A package in the list.
#[derive(Serialize)]
struct InList<'c> {
    package: &'c str,
    builds: u32,
    /// The newest release; `null` if there is none.
    newest: Option<&'c str>,
    /// Newest first.
    versions: Vec<&'c str>,
    systems: Vec<System<'c>>,
    /// The file with the builds of the package; `null` if its name cannot be a file name.
    file: Option<String>,
}

/// Writes `index.json`.
pub(super) fn index(cache: &PublishedCache) -> String {
    let PublishedCache { index, answer, site_url, .. } = cache;
    let about = index.about();
    let changes = index.earlier().map(|earlier| earlier.summary());
    let all_rows =
        answer.matching_packages().flat_map(|package| answer.matching_rows(index, package));
    let overview = Overview {
        api: API,
        title: about.title(),
        made: about.made.as_deref(),
        source: about.source.as_deref(),
        about_url: about.about_url(),
        site_url: site_url.as_deref(),
        builds: answer.builds,
        packages: answer.packages,
        lists_dependencies: index.lists_any_dependencies(),
        changes: changes.map(|it| Since { since: it.made, came: it.came, went: it.went }),
        left_out: &about.left_out,
        systems: systems(cache, cache.systems(all_rows)),
        mirrors: mirrors(cache),
        files: Files {
            packages: PACKAGES,
            package: OF_PACKAGES.path("{package}"),
            badge: BADGES.path("{package}"),
        },
    };
    // A struct with names as keys is always JSON.
    serde_json::to_string_pretty(&overview).unwrap_or_default() + "\n"
}

/// Writes `packages.json`.
pub(super) fn packages(cache: &PublishedCache) -> String {
    #[derive(Serialize)]
    struct Head {
        api: u32,
    }
    let PublishedCache { index, answer, .. } = cache;
    let in_list = |PackageFiles { package, file }| {
        let row = PackageRow::new(index, answer, package);
        let version = |code: ValueCode| cache.name(Facet::Version, code);
        InList {
            package: cache.name(Facet::Package, package),
            builds: row.builds,
            newest: row.newest(index).0.map(version),
            versions: row.versions.iter().copied().map(version).collect(),
            systems: systems(cache, cache.systems(answer.matching_rows(index, package))),
            file: file.map(|file| OF_PACKAGES.path(&file)),
        }
    };
    with_lines(&Head { api: API }, "packages", cache.packages().map(in_list))
}

/// Returns the counts with the names of the kinds of machines.
fn systems(cache: &PublishedCache, systems: Systems) -> Vec<System<'static>> {
    let [platform, os, target] = SYSTEM;
    let system = |(codes, builds): ([ValueCode; 3], u32)| System {
        platform: cache.name(platform, codes[0]),
        os: cache.name(os, codes[1]),
        target: cache.name(target, codes[2]),
        builds,
    };
    systems.into_iter().map(system).collect()
}

/// Returns the mirror of each place, with the number of its builds.
fn mirrors(cache: &PublishedCache) -> Vec<MirrorOfPlace> {
    let PublishedCache { index, answer, .. } = cache;
    let mut builds: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for package in answer.matching_packages() {
        for row in answer.matching_rows(index, package) {
            let count = answer.count_in(index, row);
            index.places(row).for_each(|place| *builds.entry(place).or_default() += count);
        }
    }
    let mirror = |(code, builds)| {
        let place = index.place(code);
        let mirror = Mirror::for_place(index, &place);
        let add = mirror.add();
        let SignedBuilds { unsigned, .. } = SignedBuilds::of(index, &place);
        let unsigned_builds = Some(unsigned).filter(|&some| some > 0 && mirror.unsigned.is_none());
        let Mirror { name, url, view, endpoint, profile, .. } = mirror;
        let Place { release, stack } = place;
        MirrorOfPlace {
            release,
            stack,
            name,
            url,
            view,
            endpoint,
            profile,
            builds,
            unsigned_builds,
            add,
        }
    };
    builds.into_iter().map(mirror).collect()
}
