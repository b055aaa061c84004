//! The data of cache.spack.io: what its pages show, as two JSON files that belong together.
//!
//! ```text
//! package_data.json.gz  {"zlib": {"uid": "zlib", "url": …, "releases": [names], "specs": [hashes]}, …}
//! specs_data.json.gz    {"HASH": {"hash": "HASH", "version": "1.3.1", "variants": ["+pic", "build_system=makefile"],
//!                                 "platform", "os", "target", "dependencies": […], "stacks": [names], "releases": [names]}, …}
//! ```
//!
//! Only the first names the package of a hash. Dependencies are as in Spack's databases; in earlier data, they were
//! texts to be shown, so what a build depends on is unknown. Surprises:
//!
//! - releases and stacks are two lists, so that a build in several of both counts as being in each stack of each release;
//! - a variant with several values occurs once for each, and one with a single value looks like a list of one;
//! - the data has every build of an index, including external ones and those without a binary, and does not say which
//!   these are.

use std::collections::BTreeMap;
use std::io::BufReader;

use cache_index::build::{
    Build, CompilerSource, Dependency, Hash, Place, Places, Variant, VariantValue,
};
use cache_index::sorting;
use foldhash::HashMap;
use spack_spec::FLAG_NAMES;

use crate::database::{Skipper, Stop, read_dependency};
use crate::fields::{Fields, Problems, field, json_finding, texts};
use crate::problem::{Finding, Position, Record, quote};
use crate::read::Read;
use crate::value::{Text, Value};

/// The name of the file with the packages, by which it is found next to the other.
pub(crate) const PACKAGES: &str = "package_data.json.gz";

/// The name of the file with the builds.
pub(crate) const SPECS: &str = "specs_data.json.gz";

/// The maximum number of places of one build. A record only names releases and stacks, so a short one could have any
/// number of places.
pub(crate) const MOST_PLACES: usize = 100_000;

/// The package of each hash.
pub(crate) type PackageNames = HashMap<Hash, String>;

/// Reads the file with the packages.
pub(crate) fn read_packages(input: &mut dyn std::io::Read) -> Read<PackageNames> {
    let mut names = PackageNames::default();
    let mut problems = Problems::default();
    let is_whole = each_entry(input, &mut problems, &mut |name, value, problems| {
        let Some(mut package) = Fields::open(value, name.to_owned(), problems) else { return };
        for field in ["uid", "url", "releases"] {
            package.optional(field);
        }
        for text in package.texts("specs", problems).unwrap_or_default() {
            match text.parse::<Hash>() {
                Ok(hash) => drop(names.insert(hash, name.to_owned())),
                Err(error) => {
                    let finding = Finding::BadHash { found: quote(&text), error };
                    problems.report(package.name("specs"), finding);
                }
            }
        }
        package.close(problems);
    });
    problems.read(is_whole.then_some(names))
}

/// Reads the file with the builds, and passes them on one by one.
pub(crate) fn read_specs(
    input: &mut dyn std::io::Read,
    names: &PackageNames,
    each: &mut dyn FnMut(Build),
) -> Read<()> {
    let mut problems = Problems::default();
    let mut number = 0;
    let is_whole = each_entry(input, &mut problems, &mut |key, value, problems| {
        number += 1;
        problems.record = Some(Record { number, hash: key.to_owned() });
        let build = read_build(key, value, names, problems);
        problems.end_record(build.is_some());
        build.into_iter().for_each(&mut *each);
    });
    problems.read(is_whole.then_some(()))
}

/// Reads an object entry by entry; returns `false` if it is damaged as a whole, which is reported.
fn each_entry(
    input: &mut dyn std::io::Read,
    problems: &mut Problems,
    each: &mut dyn FnMut(&str, Value<'_>, &mut Problems),
) -> bool {
    let mut input = BufReader::new(input);
    let mut json = Skipper::new(&mut input);
    let mut is_first = true;
    let stop = loop {
        let entry = match json.field(&mut is_first) {
            Ok(Some(key)) => json.value().map(|value| (key, value)),
            Ok(None) => match json.peek() {
                Ok(None) => return true,
                Ok(Some(_)) => break Stop::Syntax("nothing after the object"),
                Err(stop) => break stop,
            },
            Err(stop) => break stop,
        };
        let (key, value) = match entry {
            Ok(entry) => entry,
            Err(stop) => break stop,
        };
        let (key, value) = (json.bytes(key), json.bytes(value));
        match (serde_json::from_slice::<Text<'_>>(key), Value::of_json(value)) {
            (Ok(Text(key)), Ok(value)) => each(&key, value, problems),
            (key, Err(error)) => {
                let hash = key.map(|Text(key)| key.into_owned()).unwrap_or_default();
                let record = Some(Record { number: 0, hash });
                let at = Position { record, ..Position::default() };
                problems.report_at(at, json_finding(&error));
            }
            (Err(_), Ok(_)) => break Stop::Syntax("a name in quotes"),
        }
        json.take();
    };
    let finding = match stop {
        Stop::Unreadable(error) => Finding::Unreadable { message: error.to_string() },
        Stop::End => Finding::CutOff,
        Stop::Syntax(expected) => Finding::InvalidJson { message: format!("expected {expected}") },
        Stop::Reported => return false,
    };
    problems.record = None;
    problems.report("", finding);
    false
}

fn read_build(
    key: &str,
    value: Value<'_>,
    names: &PackageNames,
    problems: &mut Problems,
) -> Option<Build> {
    let before = problems.len();
    let hash: Hash = match key.parse() {
        Ok(hash) => hash,
        Err(error) => {
            problems.report("", Finding::BadHash { found: quote(key), error });
            return None;
        }
    };
    let mut fields = Fields::open(value, "", problems)?;
    if let Some(written) = fields.text("hash", problems)
        && written != key
    {
        problems.report("hash", Finding::HashDisagrees { found: quote(&written) });
    }
    let [version, platform, os, target] =
        ["version", "platform", "os", "target"].map(|name| fields.text(name, problems));
    let variants = fields.required("variants", problems);
    let variants =
        variants.and_then(|value| texts(value, "variants", problems)).unwrap_or_default();
    let dependencies = fields.list("dependencies", problems).unwrap_or_default();
    let dependencies = read_dependencies(dependencies, problems);
    let [stacks, releases] = ["stacks", "releases"].map(|name| fields.texts(name, problems));
    fields.close(problems);
    let Some(package) = names.get(&hash) else {
        problems.report("hash", Finding::HashWithoutPackage);
        return None;
    };
    let (variants, flags) = read_variants(variants);
    let (stacks, releases) = (stacks?, releases?);
    if stacks.len().saturating_mul(releases.len()) > MOST_PLACES {
        let (releases, stacks) = (releases.len(), stacks.len());
        problems.report("stacks", Finding::TooManyPlaces { releases, stacks });
        return None;
    }
    let in_release = |release: &String| {
        let place = |stack: &String| Place { release: release.clone(), stack: stack.clone() };
        stacks.iter().map(place).collect::<Vec<_>>()
    };
    let places: Places = releases.iter().flat_map(in_release).collect();
    let build = Build {
        platform: platform?,
        os: os?,
        target: target?,
        compiler_source: CompilerSource::Dependency,
        variants,
        flags,
        places,
        dependencies,
        ..Build::new(hash, package, &version?)
    };
    (problems.len() == before).then_some(build)
}

/// Reads the dependencies of a build; `None` if they are only texts to be shown.
fn read_dependencies(values: Vec<Value<'_>>, problems: &mut Problems) -> Option<Vec<Dependency>> {
    if values.iter().any(|value| field(value, "label").is_some()) {
        return None;
    }
    let edges = values.into_iter();
    let mut edges: Vec<_> = edges.filter_map(|edge| read_dependency(edge, problems)).collect();
    sorting::sort(&mut edges);
    Some(edges)
}

/// The variants and the compiler flags of a build.
type Parameters = (Vec<Variant>, Vec<(String, Vec<String>)>);

/// Reads variants and compiler flags, whose values may be anything: `+pic`, `~shared`, `languages=c`, `cflags=-O2 -g`.
fn read_variants(texts: Vec<String>) -> Parameters {
    let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut variants: Vec<Variant> = Vec::new();
    for text in texts {
        match (text.split_once('='), text.strip_prefix('+'), text.strip_prefix('~')) {
            (Some((name, value)), ..) => {
                values.entry(name.to_owned()).or_default().push(value.to_owned());
            }
            (None, Some(name), _) => {
                variants.push(Variant { name: name.to_owned(), value: VariantValue::Bool(true) });
            }
            (None, None, name) => {
                let name = name.unwrap_or(&text).to_owned();
                variants.push(Variant { name, value: VariantValue::Bool(false) });
            }
        }
    }
    let is_flag = |(name, _): &(String, Vec<String>)| FLAG_NAMES.contains(&name.as_str());
    let (flags, values): (Vec<_>, Vec<_>) = values.into_iter().partition(is_flag);
    for (name, mut values) in values {
        let value = match values.len() {
            1 => VariantValue::Single(values.remove(0)),
            _ => {
                sorting::sort(&mut values);
                values.dedup();
                VariantValue::Multi(values)
            }
        };
        variants.push(Variant { name, value });
    }
    sorting::sort(&mut variants);
    (variants, flags)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "ehunw7xdiu5rkttade3wkgkirgcxtlwc";
    const GCC: &str = "wrkn4vlghwszjc2n24cprvfmiaiqr2bz";

    fn packages() -> PackageNames {
        let text = format!(
            r#"{{"hdf5": {{"uid": "hdf5", "url": "https://x", "releases": ["develop"], "specs": ["{HASH}"]}}}}"#
        );
        read_packages(&mut text.as_bytes()).into_result().expect("packages")
    }

    fn spec(dependencies: &str, more: &str) -> String {
        format!(
            r#"{{"{HASH}": {{"hash": "{HASH}", "version": "1.14", "variants": ["+mpi", "~hl", "api=default",
            "languages=c", "languages=fortran", "cflags=-O2"], "platform": "linux", "os": "rhel9", "target": "zen4",
            "dependencies": {dependencies}, "stacks": ["e4s", "ml"], "releases": ["develop"]{more}}}}}"#
        )
    }

    fn read(text: &str) -> (Vec<Build>, Read<()>) {
        let mut builds = Vec::new();
        let read = read_specs(&mut text.as_bytes(), &packages(), &mut |build| builds.push(build));
        (builds, read)
    }

    #[test]
    fn reads_builds_with_their_package_and_places() {
        let edge = format!(
            r#"[{{"name": "gcc", "hash": "{GCC}", "parameters": {{"deptypes": ["build"], "virtuals": ["c"]}}}}]"#
        );
        let (builds, read) = read(&spec(&edge, r#", "origin": 1"#));
        assert!(read.problems.is_empty(), "{:?}", read.problems);
        assert_eq!(read.notes.iter().len(), 1);
        let [build] = &builds[..] else { panic!("one build, not {}", builds.len()) };
        let variants: Vec<String> = build.variants.iter().map(ToString::to_string).collect();
        assert_eq!((build.package.as_str(), build.version.as_str()), ("hdf5", "1.14"));
        assert_eq!(variants, ["api=default", "~hl", "languages=c,fortran", "+mpi"]);
        assert_eq!(build.flags, [("cflags".to_owned(), vec!["-O2".to_owned()])]);
        assert_eq!(build.places.iter().count(), 2);
        assert_eq!(build.dependencies.as_ref().map(Vec::len), Some(1));
    }

    #[test]
    fn knows_no_dependencies_where_they_are_texts() {
        let (builds, _) = read(&spec(r#"[{"label": "%c=gcc@13", "link": "/package/gcc"}]"#, ""));
        assert_eq!(builds[0].dependencies, None);
    }

    #[test]
    fn refuses_builds_in_more_places_than_anybody_has() {
        let names = |letter: char, count: usize| {
            let names: Vec<String> = (0..count).map(|number| format!("{letter}{number}")).collect();
            serde_json::to_string(&names).expect("JSON")
        };
        let in_places = |stacks: usize, releases: usize| {
            let text = spec("[]", "").replace(r#"["e4s", "ml"]"#, &names('s', stacks));
            text.replace(r#"["develop"]"#, &names('r', releases))
        };
        assert_eq!(read(&in_places(1000, 100)).0[0].places.len(), MOST_PLACES);
        let (builds, read) = read(&in_places(1000, 101));
        let problems: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
        assert!(builds.is_empty());
        assert!(problems[0].contains("1,000 stacks in each of 101 releases"), "{problems:?}");
    }

    #[test]
    fn reports_each_damaged_record_and_reads_the_rest() {
        let good = spec("[]", "");
        let bad = format!(r#""{GCC}": {{"hash": "x", "version": 1}}, "#);
        let (builds, read) = read(&good.replacen('{', &format!("{{{bad}"), 1));
        assert_eq!(builds.len(), 1);
        assert!(read.value.is_some() && !read.problems.is_empty());
        let (_, read) = super::tests::read(&good[..good.len() - 4]);
        assert_eq!(read.value, None);
    }
}
