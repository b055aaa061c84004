//! Builds as files: for spreadsheets, programs and Spack. Also [gaps](Gaps), and [lists of software](sbom).
//!
//! | format | contents |
//! | --- | --- |
//! | [`Csv`](Format::Csv) | a line for each build, as in RFC 4180; several values in a cell are separated by spaces |
//! | [`Json`](Format::Json) | a list of [`PlainBuild`] |
//! | [`Hashes`](Format::Hashes) | one hash per line |
//! | [`Commands`](Format::Commands) | one `spack install` per line, after the mirrors that they need |
//! | [`Environment`](Format::Environment) | a `spack.yaml` with the builds as its specs and the mirrors that have them |
//!
//! For a machine, tables and JSON have the [verdict](crate::fit) on each build too, as `works_here` and `reason`.

mod gaps;
pub mod sbom;

use std::fmt::Write;
use std::iter;

use cache_index::build::{Build, Dependency, FoundAt, Place, Signature};
use cache_index::facet::Facet;
use cache_index::index::About;
use cache_index::mirror::{Mirror, TRUST_KEYS, blanks, install};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

pub use self::gaps::Gaps;
use crate::text::csv_line;

/// A format to export builds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table for spreadsheets.
    Csv,
    /// Objects for programs.
    Json,
    /// Only the hashes.
    Hashes,
    /// Commands for a shell.
    Commands,
    /// A Spack environment.
    Environment,
}

impl Format {
    /// All formats, in the order in which the page offers them.
    pub const ALL: [Format; 5] =
        [Format::Csv, Format::Json, Format::Hashes, Format::Commands, Format::Environment];

    /// Returns the name of the exported file.
    pub fn file_name(self) -> &'static str {
        match self {
            Format::Csv => "builds.csv",
            Format::Json => "builds.json",
            Format::Hashes => "hashes.txt",
            Format::Commands => "install.sh",
            Format::Environment => "spack.yaml",
        }
    }

    /// Writes builds of a cache. `verdicts` has the verdict of a machine on each of them; empty without a machine.
    pub fn write(self, builds: &[Build], verdicts: &[Judgement], about: &About) -> String {
        match self {
            Format::Csv => csv(builds, verdicts),
            Format::Json => json(builds, verdicts),
            Format::Hashes => builds.iter().map(|build| format!("{}\n", build.hash)).collect(),
            Format::Commands => commands(builds, about),
            Format::Environment => environment(builds, about),
        }
    }
}

/// The verdict on a build for a machine, as it is exported.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// The verdict in a few words.
    pub works_here: &'static str,
    /// The reason, as text for people without a full stop.
    pub reason: String,
}

/// A build as a plain object: its hash, its value in each facet that corresponds to a field, and its places as pairs of
/// release and stack. The names are those in URLs, in the plural for lists.
#[derive(Clone, Debug)]
pub struct PlainBuild {
    hash: String,
    fields: Vec<(Facet, &'static str, Field)>,
    places: Vec<[String; 2]>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Field {
    One(Option<String>),
    List(Vec<String>),
}

impl From<&Build> for PlainBuild {
    fn from(build: &Build) -> PlainBuild {
        let place = |place: &Place| [place.release.clone(), place.stack.clone()];
        let field = |(facet, key): (Facet, &'static str)| {
            let field = match facet.is_multi_valued() {
                true => Field::List(build.list(facet)),
                false => Field::One(build.field(facet).map(str::to_owned)),
            };
            (facet, key, field)
        };
        PlainBuild {
            hash: build.hash.to_string(),
            fields: exported().map(field).collect(),
            places: build.places.iter().map(place).collect(),
        }
    }
}

impl Serialize for PlainBuild {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len() + 2))?;
        map.serialize_entry("hash", &self.hash)?;
        for (_, key, field) in &self.fields {
            map.serialize_entry(key, field)?;
        }
        map.serialize_entry("places", &self.places)?;
        map.end()
    }
}

/// Returns the exported facets with their names, those of places last.
fn exported() -> impl Iterator<Item = (Facet, &'static str)> {
    let of = |of_places: bool| {
        let facets =
            Facet::COLUMNS.into_iter().filter(move |facet| facet.is_of_places() == of_places);
        facets.filter_map(|facet| Some((facet, facet.export_key()?)))
    };
    of(false).chain(of(true))
}

/// Everything that is known about a build; unknown fields are omitted.
#[derive(Serialize)]
struct WholeBuild<'b> {
    #[serde(flatten)]
    plain: PlainBuild,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: &'b Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    flags: &'b [(String, Vec<String>)],
    external: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    found_at: &'b Option<FoundAt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spliced_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    package_hash: &'b Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spec_format: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provided_virtuals: &'b Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'b str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_seen: &'b Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dependencies: Option<Vec<PlainDependency<'b>>>,
}

#[derive(Serialize)]
struct PlainDependency<'b> {
    package: &'b str,
    hash: String,
    deptypes: Vec<&'static str>,
    virtuals: &'b [String],
}

impl<'b> From<&'b Dependency> for PlainDependency<'b> {
    fn from(dependency: &'b Dependency) -> PlainDependency<'b> {
        PlainDependency {
            package: &dependency.package,
            hash: dependency.hash.to_string(),
            deptypes: dependency.deptypes.names().collect(),
            virtuals: &dependency.virtuals,
        }
    }
}

/// Returns everything that is known about a build as indented JSON.
pub fn json_of(build: &Build) -> String {
    let whole = WholeBuild {
        plain: PlainBuild::from(build),
        namespace: &build.namespace,
        flags: &build.flags,
        external: build.external,
        found_at: &build.found_at,
        spliced_from: build.spliced_from.map(|hash| hash.to_string()),
        size: build.size,
        package_hash: &build.package_hash,
        spec_format: build.spec_format,
        provided_virtuals: &build.provided_virtuals,
        signature: build.signature.as_ref().map(Signature::text),
        first_seen: &build.first_seen,
        dependencies: build
            .dependencies
            .as_ref()
            .map(|all| all.iter().map(PlainDependency::from).collect()),
    };
    serde_json::to_string_pretty(&whole).unwrap_or_default()
}

/// A build with the verdict on it, if there is one.
#[derive(Serialize)]
struct JudgedBuild<'v> {
    #[serde(flatten)]
    plain: PlainBuild,
    #[serde(flatten)]
    verdict: Option<&'v Judgement>,
}

fn json(builds: &[Build], verdicts: &[Judgement]) -> String {
    let verdicts = verdicts.iter().map(Some).chain(iter::repeat(None));
    let judged: Vec<JudgedBuild<'_>> = builds
        .iter()
        .zip(verdicts)
        .map(|(build, verdict)| JudgedBuild { plain: PlainBuild::from(build), verdict })
        .collect();
    serde_json::to_string_pretty(&judged).unwrap_or_default() + "\n"
}

fn csv(builds: &[Build], verdicts: &[Judgement]) -> String {
    // One column has the complete places instead of one for each of their sides.
    let is_cell = |facet: Facet| !facet.is_of_places();
    let names = exported().filter(|(facet, _)| is_cell(*facet)).map(|(_, name)| name);
    let of_machine: &[&str] = if verdicts.is_empty() { &[] } else { &["works_here", "reason"] };
    let names = ["hash"].into_iter().chain(names).chain(["places"]);
    let mut text = csv_line(names.chain(of_machine.iter().copied()));
    let verdicts = verdicts.iter().map(Some).chain(iter::repeat(None));
    for (build, verdict) in builds.iter().zip(verdicts) {
        let PlainBuild { hash, fields, places } = PlainBuild::from(build);
        let mut cells = vec![hash];
        cells.extend(fields.into_iter().filter(|(facet, ..)| is_cell(*facet)).map(
            |(_, _, field)| match field {
                Field::One(text) => text.unwrap_or_default(),
                Field::List(texts) => texts.join(" "),
            },
        ));
        let places: Vec<String> = places.iter().map(|place| place.join("/")).collect();
        cells.push(places.join(" "));
        if let Some(Judgement { works_here, reason }) = verdict {
            cells.extend([(*works_here).to_owned(), reason.clone()]);
        }
        text.push_str(&csv_line(cells));
    }
    text
}

fn commands(builds: &[Build], about: &About) -> String {
    let mirrors = mirrors_for(builds, about);
    let mut text = blanks(&mirrors);
    let has_signed = mirrors.iter().any(|mirror| mirror.unsigned.is_none());
    for mirror in mirrors {
        text.push_str(&format!("{}\n", mirror.add()));
    }
    if has_signed {
        text.push_str(&format!("{TRUST_KEYS}\n"));
    }
    for build in builds {
        text.push_str(&format!("{}\n", install(&format!("/{}", build.hash))));
    }
    text
}

fn environment(builds: &[Build], about: &About) -> String {
    // Every JSON string is also a YAML string.
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let mirrors = mirrors_for(builds, about);
    let mut text = blanks(&mirrors) + "spack:\n  specs:\n";
    for build in builds {
        let _ = writeln!(text, "  - {}", quoted(&format!("{}/{}", build.package, build.hash)));
    }
    text.push_str("  concretizer:\n    unify: false\n    reuse: true\n  mirrors:\n");
    for mirror in mirrors {
        let _ = writeln!(text, "    {}", mirror.line());
    }
    text
}

/// Returns a small set of mirrors that together have all builds, preferring whole releases.
fn mirrors_for(builds: &[Build], about: &About) -> Vec<Mirror> {
    let mut chosen: Vec<&Place> = Vec::new();
    for build in builds {
        if !chosen.iter().any(|place| build.places.contains(place)) {
            let whole = build.places.iter().find(|place| place.is_whole_release());
            chosen.extend(whole.or(build.places.first()));
        }
    }
    let of_place = |place: &Place| {
        let mut there = builds.iter().filter(|build| build.places.contains(place));
        let are_any_unsigned = there.any(|build| build.signature == Some(Signature::Unsigned));
        Mirror::of(place, about).with_unsigned(are_any_unsigned)
    };
    chosen.into_iter().map(of_place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Variant, VariantValue};
    use cache_index::sample;

    fn builds() -> Vec<Build> {
        let place = |stack: &str| Place { release: "develop".into(), stack: stack.into() };
        let mpi = Variant { name: "mpi".into(), value: VariantValue::Bool(true) };
        let first = Build {
            variants: vec![mpi],
            places: [place("e4s"), place("root")].into(),
            ..sample::one("hdf5", "1.14.5")
        };
        let second = Build {
            hash: sample::hash(1),
            places: [place("root")].into(),
            ..sample::one("say \"hi\", zlib", "1.3")
        };
        vec![first, second]
    }

    #[track_caller]
    fn check(format: Format, expected: &str) {
        let mirror_url = Some("https://example.org".to_owned());
        let about = About { mirror_url, ..About::default() };
        assert_eq!(format.write(&builds(), &[], &about), expected);
    }

    #[test]
    fn quotes_and_guards_every_csv_cell() {
        check(
            Format::Csv,
            "hash,package,version,compiler,platform,os,target,variants,places\r\n\
             aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab,hdf5,1.14.5,gcc@13.2.0,linux,ubuntu24.04,x86_64_v3, +mpi,\
             develop/e4s develop/root\r\n\
             aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa7b,\"say \"\"hi\"\", zlib\",1.3,gcc@13.2.0,linux,\
             ubuntu24.04,x86_64_v3,,develop/root\r\n",
        );
    }

    #[test]
    fn adds_the_verdicts_for_a_machine() {
        let verdict =
            |works_here, reason: &str| Judgement { works_here, reason: reason.to_owned() };
        let verdicts = [verdict("works", ""), verdict("does not run", "built for zen4")];
        let csv = Format::Csv.write(&builds(), &verdicts, &About::default());
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].ends_with(",places,works_here,reason"), "{csv}");
        assert!(lines[1].ends_with("develop/root,works,"), "{csv}");
        assert!(lines[2].ends_with("develop/root,does not run,built for zen4"), "{csv}");
        let json = Format::Json.write(&builds(), &verdicts, &About::default());
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json[1]["reason"], "built for zen4");
        let plain = Format::Json.write(&builds(), &[], &About::default());
        assert!(!plain.contains("works_here"));
    }

    #[test]
    fn writes_commands_and_an_environment_for_spack() {
        check(
            Format::Commands,
            "spack mirror add develop https://example.org/develop\n\
             spack buildcache keys --install --trust\n\
             spack install --cache-only /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n\
             spack install --cache-only /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa7b\n",
        );
        check(
            Format::Environment,
            "spack:\n  specs:\n  - \"hdf5/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"\n  \
             - \"say \\\"hi\\\", zlib/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa7b\"\n  \
             concretizer:\n    unify: false\n    reuse: true\n  mirrors:\n    \
             \"develop\": \"https://example.org/develop\"\n",
        );
    }

    #[test]
    fn names_the_view_in_commands_and_environments() {
        use cache_index::index::KnownMirror;
        let place = Place { release: String::new(), stack: "texts".to_owned() };
        let build = Build { places: [place].into(), ..sample::one("zlib", "1.3") };
        let known = KnownMirror {
            stack: "texts".to_owned(),
            url: Some("https://example.org/m".to_owned()),
            view: Some("texts".to_owned()),
            ..KnownMirror::default()
        };
        let about = About { mirrors: vec![known], ..About::default() };
        let builds = [build];
        let commands = Format::Commands.write(&builds, &[], &about);
        assert!(
            commands.starts_with("spack mirror add --name texts texts https://example.org/m\n")
        );
        let environment = Format::Environment.write(&builds, &[], &about);
        let mirror =
            "  mirrors:\n    \"texts\": {url: \"https://example.org/m\", view: \"texts\"}\n";
        assert!(environment.ends_with(mirror), "{environment}");
    }

    #[test]
    fn writes_json_with_the_fields_of_the_scripting_interface() {
        let json: serde_json::Value =
            serde_json::from_str(&Format::Json.write(&builds(), &[], &About::default()))
                .expect("JSON");
        assert_eq!(json[0]["variants"][0], "+mpi");
        assert_eq!(json[0]["places"][1], serde_json::json!(["develop", "root"]));
        assert_eq!(json[1]["package"], "say \"hi\", zlib");
    }
}
