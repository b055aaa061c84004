//! The builds that a question finds, by plain loops over the JSON of cache pages.
//!
//! This shares no code with the site or the command: it reads the field `spec_details` of each page, and compares texts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The facets of a cache whose pages list no dependencies: the keys of addresses, and the names on the page.
pub(crate) const FACETS: [(&str, &str); 8] = [
    ("release", "Release"),
    ("stack", "Stack"),
    ("os", "OS"),
    ("target", "Target"),
    ("compiler", "Compiler"),
    ("version", "Version"),
    ("platform", "Platform"),
    ("variant", "Variant"),
];

/// What an address asks for. Values are in the order of choosing, which addresses keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The text of the search box: parts of a name.
    pub(crate) text: String,
    /// By the key of a facet: the values that a build must have, one or all of them.
    pub(crate) included: BTreeMap<String, Vec<String>>,
    /// By the key of a facet: the values that a build must not have.
    pub(crate) excluded: BTreeMap<String, Vec<String>>,
    /// The facets whose included values are all required.
    pub(crate) all: BTreeSet<String>,
}

impl Asked {
    /// Returns the included values of a facet.
    pub(crate) fn included(&self, facet: &str) -> &[String] {
        self.included.get(facet).map_or(&[], Vec::as_slice)
    }

    fn excluded(&self, facet: &str) -> &[String] {
        self.excluded.get(facet).map_or(&[], Vec::as_slice)
    }

    /// Returns the open package.
    pub(crate) fn package(&self) -> Option<&str> {
        self.included("package").first().map(String::as_str)
    }

    /// Returns the keys and values of its address, sorted by key.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        // `+mpi` is written `mpi`, because many programs turn `+` into a space.
        let written = |value: &String| value.trim_start_matches('+').to_owned();
        let mut pairs = Vec::new();
        if !self.text.is_empty() {
            pairs.push(("q".to_owned(), self.text.clone()));
        }
        for (prefix, chosen) in [("", &self.included), ("not.", &self.excluded)] {
            for (facet, values) in chosen {
                let pair = |value: &String| (format!("{prefix}{facet}"), written(value));
                pairs.extend(values.iter().map(pair));
            }
        }
        pairs.extend(self.all.iter().map(|facet| ("all".to_owned(), facet.clone())));
        pairs.sort_by(|one, other| one.0.cmp(&other.0));
        pairs
    }

    /// Includes a value, or no longer does.
    pub(crate) fn toggle(&mut self, facet: &str, value: &str) {
        let was_included = self.included(facet).iter().any(|other| other == value);
        self.remove(facet, value);
        if !was_included {
            self.included.entry(facet.to_owned()).or_default().push(value.to_owned());
        }
    }

    /// Excludes a value, or no longer does.
    pub(crate) fn toggle_excluded(&mut self, facet: &str, value: &str) {
        let was_excluded = self.excluded(facet).iter().any(|other| other == value);
        self.remove(facet, value);
        if !was_excluded {
            self.excluded.entry(facet.to_owned()).or_default().push(value.to_owned());
        }
    }

    /// Includes only this value, and excludes none.
    pub(crate) fn choose_only(&mut self, facet: &str, value: &str) {
        self.clear(facet);
        self.included.insert(facet.to_owned(), vec![value.to_owned()]);
    }

    /// Chooses nothing in a facet.
    pub(crate) fn clear(&mut self, facet: &str) {
        self.included.remove(facet);
        self.excluded.remove(facet);
    }

    fn remove(&mut self, facet: &str, value: &str) {
        for chosen in [&mut self.included, &mut self.excluded] {
            if let Some(values) = chosen.get_mut(facet) {
                values.retain(|other| other != value);
                if values.is_empty() {
                    chosen.remove(facet);
                }
            }
        }
    }

    /// Returns what would be asked after choosing a value: only this value of its facet, or this value too if all are
    /// required.
    fn with(&self, facet: &str, value: &str) -> Asked {
        let mut with = self.clone();
        if !with.all.contains(facet) {
            with.clear(facet);
        }
        with.remove(facet, value);
        with.toggle(facet, value);
        with
    }
}

/// A build, as pages state it.
#[derive(Default)]
struct Build {
    hash: String,
    /// By the key of a facet, except for release and stack, which are in `places`.
    values: BTreeMap<&'static str, Vec<String>>,
    /// The release and the stack of each place in which it was published.
    places: BTreeSet<(String, String)>,
}

/// The builds of a folder of pages.
pub(crate) struct Cache(Vec<Build>);

impl Cache {
    /// Reads `<release>/<package>/specs.md`.
    pub(crate) fn read(folder: &Path) -> Cache {
        let mut builds = BTreeMap::<String, Build>::new();
        for release in names(folder) {
            for package in names(&folder.join(&release)) {
                let page = folder.join(&release).join(&package).join("specs.md");
                let page = fs::read_to_string(page).expect("the page can be read");
                let details = page.lines().find_map(|line| line.strip_prefix("spec_details: "));
                let details: Value =
                    serde_json::from_str(details.expect("a page has builds")).expect("JSON");
                for record in details.as_array().expect("a list") {
                    let hash = text(&record["hash"]);
                    let build = builds
                        .entry(hash.clone())
                        .or_insert_with(|| Build::read(&package, hash, record));
                    let stacks = texts(&record["stacks"]).into_iter();
                    build.places.extend(stacks.map(|stack| (release.clone(), stack)));
                }
            }
        }
        Cache(builds.into_values().collect())
    }

    /// Returns the number of builds.
    pub(crate) fn builds(&self) -> usize {
        self.0.len()
    }

    /// Returns the names of all packages, sorted.
    pub(crate) fn packages(&self) -> Vec<&str> {
        let names: BTreeSet<&str> = self.0.iter().map(Build::package).collect();
        names.into_iter().collect()
    }

    /// Returns the hashes of the builds that are found, sorted.
    pub(crate) fn found(&self, asked: &Asked) -> Vec<&str> {
        self.matching(asked).map(|build| build.hash.as_str()).collect()
    }

    /// Counts the builds that are found, by package.
    pub(crate) fn by_package(&self, asked: &Asked) -> BTreeMap<&str, usize> {
        let mut packages = BTreeMap::new();
        for build in self.matching(asked) {
            *packages.entry(build.package()).or_default() += 1;
        }
        packages
    }

    /// Returns for each value of a facet how many builds choosing it would find.
    pub(crate) fn counts(&self, asked: &Asked, facet: &str) -> BTreeMap<String, usize> {
        let values: BTreeSet<String> =
            self.0.iter().flat_map(|build| build.values_of(facet)).collect();
        let count = |value: String| {
            let found = self.matching(&asked.with(facet, &value)).count();
            (value, found)
        };
        values.into_iter().map(count).collect()
    }

    fn matching<'a, 'q>(
        &'a self,
        asked: &'q Asked,
    ) -> impl Iterator<Item = &'a Build> + use<'a, 'q> {
        let places = Places::of(asked);
        self.0.iter().filter(move |build| build.matches(asked) && places.are_met_by(build))
    }
}

/// The conditions on the places of a build. Release and stack are the two sides of a place, and the same place must satisfy
/// both.
struct Places<'q> {
    asked: &'q Asked,
    /// For each side: lists of values; a build must have a value of each list.
    demands: [Vec<&'q [String]>; 2],
}

impl<'q> Places<'q> {
    fn of(asked: &'q Asked) -> Self {
        let demands = |facet: &str| -> Vec<&'q [String]> {
            let included = asked.included(facet);
            match asked.all.contains(facet) && !included.is_empty() {
                true => included.chunks(1).collect(),
                false => vec![included],
            }
        };
        Places { asked, demands: ["release", "stack"].map(demands) }
    }

    fn are_met_by(&self, build: &Build) -> bool {
        let chosen = |facet, value: &String| {
            let included = self.asked.included(facet);
            included.is_empty() || included.contains(value)
        };
        let is_out = |(release, stack): &(String, String)| {
            self.asked.excluded("release").contains(release) && chosen("stack", stack)
                || self.asked.excluded("stack").contains(stack) && chosen("release", release)
        };
        let meets = |demand: &[String], value| demand.is_empty() || demand.contains(value);
        let is_met = |releases: &[String], stacks: &[String]| {
            let mut places = build.places.iter();
            places.any(|(release, stack)| meets(releases, release) && meets(stacks, stack))
        };
        let [releases, stacks] = &self.demands;
        !build.places.iter().any(is_out)
            && releases.iter().all(|releases| stacks.iter().all(|stacks| is_met(releases, stacks)))
    }
}

impl Build {
    fn read(package: &str, hash: String, record: &Value) -> Build {
        let mut values = BTreeMap::from([("package", vec![package.to_owned()])]);
        for facet in ["os", "target", "compiler", "platform"] {
            values.insert(facet, vec![text(&record[facet])]);
        }
        values.insert("version", texts(&record["versions"]));
        let variants = texts(&record["variants"]);
        values.insert("variant", variants.iter().flat_map(|variant| several(variant)).collect());
        Build { hash, values, places: BTreeSet::new() }
    }

    fn package(&self) -> &str {
        &self.values["package"][0]
    }

    fn values_of(&self, facet: &str) -> Vec<String> {
        match facet {
            "release" => self.places.iter().map(|(release, _)| release.clone()).collect(),
            "stack" => self.places.iter().map(|(_, stack)| stack.clone()).collect(),
            _ => self.values[facet].clone(),
        }
    }

    /// Returns `true` if the build meets all conditions except those on places.
    fn matches(&self, asked: &Asked) -> bool {
        let mut words = asked.text.trim_matches('*').split_whitespace();
        words.all(|word| self.package().contains(word))
            && self.values.keys().all(|facet| self.has(asked, facet))
    }

    fn has(&self, asked: &Asked, facet: &str) -> bool {
        let has = |value: &String| self.values[facet].contains(value);
        let included = asked.included(facet);
        let fits = match asked.all.contains(facet) {
            true => included.iter().all(has),
            false => included.is_empty() || included.iter().any(has),
        };
        fits && !asked.excluded(facet).iter().any(has)
    }
}

/// Returns the values of a variant one by one: `languages=c` and `languages=fortran`.
fn several(variant: &str) -> Vec<String> {
    match variant.split_once('=') {
        None => vec![variant.to_owned()],
        Some((name, values)) => values.split(',').map(|value| format!("{name}={value}")).collect(),
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().expect("a list").iter().map(text).collect()
}
