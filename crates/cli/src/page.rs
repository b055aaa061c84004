//! Writing a cache page: what `cache_index::ingest::page` reads, the other way round.

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::Build;
use serde_json::json;

/// The page of a package in a release. The builds are all of that package and in that release.
pub(crate) fn write(package: &str, release: &str, builds: &[&Build]) -> String {
    let stacks_of = |build: &Build| -> Vec<String> {
        let places = build.places.iter().filter(|place| place.release == release);
        places.map(|place| place.stack.clone()).collect()
    };
    let compiler = |build: &Build| build.compiler.clone().unwrap_or_else(|| "none".to_string());
    let mut by_stack: BTreeMap<String, usize> = BTreeMap::new();
    for stack in builds.iter().flat_map(|build| stacks_of(build)) {
        *by_stack.entry(stack).or_default() += 1;
    }
    let distinct = |field: &dyn Fn(&Build) -> String| -> BTreeSet<String> {
        builds.iter().map(|build| field(build)).collect()
    };
    let meta = json!({
        "compilers": distinct(&compiler),
        "num_specs": builds.len(),
        "num_specs_by_stack": by_stack,
        "oss": distinct(&|build| build.os.clone()),
        "platforms": distinct(&|build| build.platform.clone()),
        "stacks": by_stack.keys().collect::<Vec<_>>(),
        "targets": distinct(&|build| build.target.clone()),
        "versions": distinct(&|build| build.version.clone()),
    });
    let details: Vec<serde_json::Value> = builds
        .iter()
        .map(|build| {
            json!({
                "compiler": compiler(build),
                "hash": build.hash.to_string(),
                "os": build.os,
                "platform": build.platform,
                "size": build.size.map_or(json!("-"), |size| json!(size)),
                "stacks": stacks_of(build),
                "target": build.target,
                "variants": build.variants.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "versions": [build.version],
            })
        })
        .collect();
    let title = json!(package);
    format!(
        "---\ntitle: {title}\nlayout: cache\ncategories: [package, {release}]\n\
         meta: {meta}\nspec_details: {}\n---",
        json!(details)
    )
}

#[cfg(test)]
mod tests {
    use cache_index::ingest::{Collection, read_page};
    use cache_sample::Sample;

    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let builds: Vec<Build> = Sample::new(300, 1).builds().collect();
        let mut collection = Collection::default();
        let packages: BTreeSet<&String> = builds.iter().map(|build| &build.package).collect();
        let places = builds.iter().flat_map(|build| &build.places);
        let releases: BTreeSet<&String> = places.map(|place| &place.release).collect();
        for package in packages {
            for release in &releases {
                let is_in = |build: &&Build| {
                    build.package == *package && build.places.iter().any(|p| p.release == **release)
                };
                let on_page: Vec<&Build> = builds.iter().filter(is_in).collect();
                let page = read_page(&write(package, release, &on_page)).expect("a page");
                collection.add(release, page.builds).expect("no conflict");
            }
        }
        assert_eq!(collection.len(), builds.len());
        for build in &builds {
            let read = collection.get(&build.hash).expect("a build");
            assert_eq!((&read.places, &read.size), (&build.places, &build.size));
            assert_eq!((&read.version, &read.compiler), (&build.version, &build.compiler));
            let variants = |build: &Build| -> Vec<String> {
                build.variants.iter().map(ToString::to_string).collect()
            };
            assert_eq!(variants(read), variants(build));
        }
    }
}
