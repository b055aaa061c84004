//! Generated builds as cache pages.

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::Build;
use serde_json::{Value, json};

/// A page: the builds of one package in one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamplePage {
    /// The release.
    pub release: String,
    /// The package.
    pub package: String,
    /// The complete text.
    pub text: String,
}

/// Writes the pages of a package, one for each release that has it. Pages do not list dependencies.
pub fn pages(builds: &[Build]) -> Vec<SamplePage> {
    let mut releases: BTreeMap<&str, Vec<&Build>> = BTreeMap::new();
    for build in builds {
        let in_releases: BTreeSet<&str> =
            build.places.iter().map(|place| place.release.as_str()).collect();
        for release in in_releases {
            releases.entry(release).or_default().push(build);
        }
    }
    let page = |(release, builds): (&str, Vec<&Build>)| SamplePage {
        release: release.to_owned(),
        package: builds[0].package.clone(),
        text: page_text(&builds[0].package, release, &builds),
    };
    releases.into_iter().map(page).collect()
}

fn page_text(package: &str, release: &str, builds: &[&Build]) -> String {
    let distinct = |value: fn(&Build) -> &str| -> BTreeSet<&str> {
        builds.iter().map(|build| value(build)).collect()
    };
    let mut by_stack: BTreeMap<&str, usize> = BTreeMap::new();
    for stack in builds.iter().flat_map(|build| stacks(build, release)) {
        *by_stack.entry(stack).or_default() += 1;
    }
    let meta = json!({
        "compilers": distinct(compiler),
        "num_specs": builds.len(),
        "num_specs_by_stack": by_stack,
        "oss": distinct(|build| &build.os),
        "platforms": distinct(|build| &build.platform),
        "stacks": by_stack.keys().collect::<Vec<_>>(),
        "targets": distinct(|build| &build.target),
        "versions": distinct(|build| &build.version),
    });
    let details: Vec<Value> = builds.iter().map(|build| record(build, release)).collect();
    let details = Value::from(details);
    format!(
        "---\ntitle: \"{package}\"\nlayout: cache\ncategories: [package, {release}]\n\
         meta: {meta}\nspec_details: {details}\n---\n"
    )
}

fn record(build: &Build, release: &str) -> Value {
    json!({
        "compiler": compiler(build),
        "hash": build.hash.to_string(),
        "os": build.os,
        "platform": build.platform,
        "size": "-",
        "stacks": stacks(build, release).collect::<Vec<_>>(),
        "target": build.target,
        "variants": build.variants.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "versions": [build.version],
    })
}

fn compiler(build: &Build) -> &str {
    build.compiler.as_deref().unwrap_or("none")
}

fn stacks<'a>(build: &'a Build, release: &'a str) -> impl Iterator<Item = &'a str> {
    let places = build.places.iter().filter(move |place| place.release == release);
    places.map(|place| place.stack.as_str())
}
