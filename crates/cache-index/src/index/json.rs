//! The index as JSON: the one place that writes it and reads it.
//!
//! One object. Numbers are codes, that is, places in the list named behind the arrow.
//!
//! | field | what | shape |
//! | --- | --- | --- |
//! | `format` | [`FORMAT`]; a reader refuses every other | number |
//! | `about` | when it was made and from what: [`About`] | object |
//! | `values` | by facet key: the distinct values in display order | lists of strings |
//! | `multi_valued` | the variants whose build may have further values of the same name → `values.variant` | codes, ascending |
//! | `configurations` | platform, os, target, compiler → `values` | lists of 4 codes, ascending |
//! | `variant_sets` | each distinct set of variants → `values.variant` | *changes* |
//! | `places` | release and stack → `values` | pairs of codes, ascending |
//! | `place_sets` | each distinct set of → `places`; empty for what has no binary | *changes* |
//! | `rows.package` | by package: how many rows it has | counts |
//! | `rows.version` | by row → `values.version` | *steps* from the row before; a package's first from 0 |
//! | `rows.configuration` | by row → `configurations` | codes |
//! | `rows.variant_set` | by row → `variant_sets` | *steps* from the row before |
//! | `rows.place_set` | by row → `place_sets` | codes |
//! | `rows.builds` | by row: how many builds it stands for, at least 1 | counts |
//! | `hashes` | of all builds in order, 32 characters each, without a separator; may be absent | string |
//!
//! *Steps* are differences, which may be negative. *Changes* are sets told by their difference to
//! the set before: the members of just one of the two, ascending, each as its step from the one
//! before it. Both make neighbours look alike, which is what compresses.
//!
//! The text is free of `<`, so that it can stand in a page's `<script>` and never end it.
//!
//! A reader takes any text and either gives an index in which every code leads somewhere, or says
//! what is wrong: [`LoadError`].

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::{Configuration, Dictionary, Index, Rows, Sets};
use crate::build::{Hash, HashError};
use crate::facet::Facet;

/// The number of the format that is written, and the only one that is read.
pub const FORMAT: u32 = 1;

/// When an index was made and from what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct About {
    /// The time in UTC as `2026-11-21T09:50:00Z`; none where nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
    /// What it was made from, in words for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The address below which the releases are published; none for Spack's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirror_url: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: u32,
    about: About,
    /// By facet key.
    values: BTreeMap<String, Vec<String>>,
    multi_valued: Vec<u32>,
    configurations: Vec<[u32; 4]>,
    variant_sets: Vec<Vec<u32>>,
    places: Vec<(u32, u32)>,
    place_sets: Vec<Vec<u32>>,
    rows: RowColumns,
    #[serde(skip_serializing_if = "Option::is_none")]
    hashes: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RowColumns {
    package: Vec<u32>,
    version: Vec<i32>,
    configuration: Vec<u32>,
    variant_set: Vec<i32>,
    place_set: Vec<u32>,
    builds: Vec<u32>,
}

/// What every format has, read first so that another format is refused by its number and not by the
/// first field that differs.
#[derive(Deserialize)]
struct Head {
    format: Option<u32>,
}

/// Why a text is no index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// It is not JSON, or not of the shape of an index; serde's words, with line and column.
    Malformed(String),
    /// JSON, but no `format` says that it is an index.
    NoFormat,
    /// An index of a format that this reader does not know.
    OtherFormat(u32),
    /// No list of values for a facet.
    MissingValues(Facet),
    /// A list of values for a facet that nobody knows.
    UnknownFacet(String),
    /// A value that stands twice in the list of a facet.
    RepeatedValue(Facet),
    /// Columns whose lengths do not fit together.
    UnequalColumns(&'static str),
    /// A number that leads nowhere, or an order that is broken, in the field named.
    BadCode(&'static str),
    /// The hashes are not as many as the builds.
    HashCount {
        /// Builds of the index.
        builds: usize,
        /// Characters of the hashes' text.
        characters: usize,
    },
    /// A hash with a wrong character.
    BadHash {
        /// Which, from 0.
        build: usize,
        /// What is wrong with it.
        error: HashError,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Malformed(error) => write!(f, "the index is damaged: {error}"),
            LoadError::NoFormat => {
                write!(
                    f,
                    "expected an index of format {FORMAT}, found JSON without a format number"
                )
            }
            LoadError::OtherFormat(format) if *format > FORMAT => write!(
                f,
                "the index has format {format}, which is newer than this program; \
                 it reads format {FORMAT}"
            ),
            LoadError::OtherFormat(format) => write!(
                f,
                "the index has format {format}, which is older than this program reads; \
                 make it again, in format {FORMAT}"
            ),
            LoadError::MissingValues(facet) => {
                write!(f, "the index is damaged: no list of values for {}", facet.key())
            }
            LoadError::UnknownFacet(key) => {
                write!(f, "the index is damaged: a list of values for {key:?}, which is no facet")
            }
            LoadError::RepeatedValue(facet) => {
                write!(f, "the index is damaged: a {} stands twice in its list", facet.key())
            }
            LoadError::UnequalColumns(field) => write!(
                f,
                "the index is damaged: {field} has another length than the columns beside it"
            ),
            LoadError::BadCode(field) => {
                write!(f, "the index is damaged: a number in {field} leads nowhere")
            }
            LoadError::HashCount { builds, characters } => write!(
                f,
                "the index is damaged: expected {} characters of hashes for {builds} builds, \
                 found {characters}",
                builds * Hash::CHARACTERS
            ),
            LoadError::BadHash { build, error } => {
                write!(f, "the index is damaged: build {build}: {error}")
            }
        }
    }
}

impl std::error::Error for LoadError {}

impl Index {
    /// Writes the index, the hashes included if they are there.
    pub fn to_json(&self) -> String {
        let hashes = self.hashes.get().map(|hashes| hashes.iter().flat_map(Hash::text));
        let document = Document {
            format: FORMAT,
            about: self.about.clone(),
            values: Facet::ALL
                .into_iter()
                .map(|facet| (facet.key().to_owned(), self.dictionary(facet).values().to_vec()))
                .collect(),
            multi_valued: (0u32..)
                .zip(&self.multi_valued)
                .filter_map(|(code, &multi)| multi.then_some(code))
                .collect(),
            configurations: self
                .configurations
                .iter()
                .map(|c| [c.platform, c.os, c.target, c.compiler])
                .collect(),
            variant_sets: self.variant_sets.to_changes(),
            places: self.places.clone(),
            place_sets: self.place_sets.to_changes(),
            rows: self.row_columns(),
            hashes: hashes.map(|characters| characters.map(char::from).collect()),
        };
        let json = serde_json::to_string(&document).expect("strings and numbers make JSON");
        // `<` stands only within strings, where the escape means the same.
        json.replace('<', "\\u003c")
    }

    fn row_columns(&self) -> RowColumns {
        let rows = &self.rows;
        let mut version = Vec::with_capacity(self.rows());
        for package in 0..self.dictionary(Facet::Package).len() {
            version.extend(steps(&rows.version, self.row_range(package)));
        }
        RowColumns {
            package: rows.package_start.windows(2).map(|pair| pair[1] - pair[0]).collect(),
            version,
            configuration: rows.configuration.clone(),
            variant_set: steps(&rows.variant_set, 0..self.rows() as u32).collect(),
            place_set: rows.place_set.clone(),
            builds: rows.build_start.windows(2).map(|pair| pair[1] - pair[0]).collect(),
        }
    }

    /// Reads an index, with hashes or without.
    pub fn from_json(json: &str) -> Result<Index, LoadError> {
        let malformed = |error: serde_json::Error| LoadError::Malformed(error.to_string());
        let document: Document = serde_json::from_str(json).map_err(|error| {
            match serde_json::from_str::<Head>(json) {
                Ok(Head { format: None }) => LoadError::NoFormat,
                Ok(Head { format: Some(format) }) if format != FORMAT => {
                    LoadError::OtherFormat(format)
                }
                _ => malformed(error),
            }
        })?;
        if document.format != FORMAT {
            return Err(LoadError::OtherFormat(document.format));
        }
        document.read()
    }

    /// Takes the hashes of all builds, 32 characters each, if they are not there yet.
    pub fn set_hashes(&self, text: &str) -> Result<(), LoadError> {
        let builds = self.specs() as usize;
        if text.len() != builds * Hash::CHARACTERS {
            return Err(LoadError::HashCount { builds, characters: text.len() });
        }
        let mut hashes = Vec::with_capacity(builds);
        for (build, text) in text.as_bytes().chunks_exact(Hash::CHARACTERS).enumerate() {
            let hash =
                Hash::from_text(text).map_err(|error| LoadError::BadHash { build, error })?;
            hashes.push(hash);
        }
        // Hashes that are there already are the same ones.
        let _ = self.hashes.set(hashes);
        Ok(())
    }
}

impl Document {
    fn read(self) -> Result<Index, LoadError> {
        let mut values = self.values;
        let mut dictionaries: [Dictionary; Facet::COUNT] = Default::default();
        for facet in Facet::ALL {
            let values = values.remove(facet.key()).ok_or(LoadError::MissingValues(facet))?;
            dictionaries[facet.at()] =
                Dictionary::new(values).ok_or(LoadError::RepeatedValue(facet))?;
        }
        if let Some((key, _)) = values.pop_first() {
            return Err(LoadError::UnknownFacet(key));
        }
        let known = |facet: Facet, code: u32| (code as usize) < dictionaries[facet.at()].len();

        let variants = dictionaries[Facet::Variant.at()].len();
        let mut multi_valued = vec![false; variants];
        for code in self.multi_valued {
            let multi = multi_valued.get_mut(code as usize);
            *multi.ok_or(LoadError::BadCode("multi_valued"))? = true;
        }
        let configurations: Vec<Configuration> = self
            .configurations
            .into_iter()
            .map(|[platform, os, target, compiler]| Configuration {
                platform,
                os,
                target,
                compiler,
            })
            .collect();
        let configurations_lead_somewhere = configurations.iter().all(|configuration| {
            known(Facet::Platform, configuration.platform)
                && known(Facet::Os, configuration.os)
                && known(Facet::Target, configuration.target)
                && known(Facet::Compiler, configuration.compiler)
        });
        if !configurations_lead_somewhere {
            return Err(LoadError::BadCode("configurations"));
        }
        let places = self.places;
        if !places.is_sorted_by(|a, b| a < b)
            || !places.iter().all(|&(release, stack)| {
                known(Facet::Release, release) && known(Facet::Stack, stack)
            })
        {
            return Err(LoadError::BadCode("places"));
        }
        let variant_sets = Sets::from_changes(&self.variant_sets, variants)
            .ok_or(LoadError::BadCode("variant_sets"))?;
        let place_sets = Sets::from_changes(&self.place_sets, places.len())
            .ok_or(LoadError::BadCode("place_sets"))?;
        let rows = self.rows.read(&dictionaries)?;
        let all_below =
            |column: &[u32], limit: usize| column.iter().all(|&code| (code as usize) < limit);
        if !all_below(&rows.configuration, configurations.len()) {
            return Err(LoadError::BadCode("rows.configuration"));
        }
        if !all_below(&rows.variant_set, variant_sets.len()) {
            return Err(LoadError::BadCode("rows.variant_set"));
        }
        if !all_below(&rows.place_set, place_sets.len()) {
            return Err(LoadError::BadCode("rows.place_set"));
        }
        let index = Index {
            about: self.about,
            dictionaries,
            multi_valued,
            configurations,
            variant_sets,
            places,
            place_sets,
            rows,
            hashes: OnceLock::new(),
        };
        if let Some(hashes) = self.hashes {
            index.set_hashes(&hashes)?;
        }
        Ok(index)
    }
}

impl RowColumns {
    /// Undoes steps and counts, and checks what needs no more than the columns and dictionaries.
    fn read(self, dictionaries: &[Dictionary; Facet::COUNT]) -> Result<Rows, LoadError> {
        let rows = self.builds.len();
        for (field, length) in [
            ("rows.version", self.version.len()),
            ("rows.configuration", self.configuration.len()),
            ("rows.variant_set", self.variant_set.len()),
            ("rows.place_set", self.place_set.len()),
        ] {
            if length != rows {
                return Err(LoadError::UnequalColumns(field));
            }
        }
        let package_start = starts(&self.package).ok_or(LoadError::BadCode("rows.package"))?;
        if self.package.len() != dictionaries[Facet::Package.at()].len()
            || package_start.last().is_none_or(|&end| end as usize != rows)
        {
            return Err(LoadError::UnequalColumns("rows.package"));
        }
        if self.builds.contains(&0) {
            return Err(LoadError::BadCode("rows.builds"));
        }
        let build_start = starts(&self.builds).ok_or(LoadError::BadCode("rows.builds"))?;

        let versions = dictionaries[Facet::Version.at()].len();
        let mut version = Vec::with_capacity(rows);
        for package in package_start.windows(2) {
            let steps = &self.version[package[0] as usize..package[1] as usize];
            undo_steps(steps, &mut version);
        }
        if version.iter().any(|&code| code as usize >= versions) {
            return Err(LoadError::BadCode("rows.version"));
        }
        let mut variant_set = Vec::with_capacity(rows);
        undo_steps(&self.variant_set, &mut variant_set);
        Ok(Rows {
            package_start,
            version,
            configuration: self.configuration,
            variant_set,
            place_set: self.place_set,
            build_start,
        })
    }
}

/// Each number's difference to the one before it, the first one's to 0.
fn steps(column: &[u32], rows: Range<u32>) -> impl Iterator<Item = i32> {
    let mut last = 0;
    column[rows.start as usize..rows.end as usize].iter().map(move |&code| {
        let step = code.wrapping_sub(last) as i32;
        last = code;
        step
    })
}

/// The inverse of [`steps`]; wrong steps give wrong codes, which are checked for being too large.
fn undo_steps(steps: &[i32], column: &mut Vec<u32>) {
    let mut last: u32 = 0;
    column.extend(steps.iter().map(|&step| {
        last = last.wrapping_add_signed(step);
        last
    }));
}

/// Where each of many runs starts, and where the last ends; `None` if that is no `u32`.
fn starts(lengths: &[u32]) -> Option<Vec<u32>> {
    let mut starts = Vec::with_capacity(lengths.len() + 1);
    let mut end: u32 = 0;
    starts.push(end);
    for &length in lengths {
        end = end.checked_add(length)?;
        starts.push(end);
    }
    Some(starts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::build::Build;
    use crate::index::{BuildId, pack};
    use crate::sample;

    fn unpacked(index: &Index) -> Vec<Build> {
        (0..index.specs()).filter_map(|id| index.build(BuildId(id))).collect()
    }

    proptest! {
        #[test]
        fn builds_survive_packing_and_json(mut builds in sample::builds()) {
            let about = About { made: Some("2026-11-21T09:50:00Z".to_owned()), ..About::default() };
            let index = pack(about.clone(), builds.iter().cloned()).expect("different hashes");
            let json = index.to_json();
            let loaded = Index::from_json(&json).expect("what was just written");
            prop_assert_eq!(loaded.about(), &about);
            prop_assert_eq!(&loaded.to_json(), &json);
            let mut unpacked = unpacked(&loaded);
            unpacked.sort_by_key(|build| build.hash);
            builds.sort_by_key(|build| build.hash);
            prop_assert_eq!(unpacked, builds);
        }

        #[test]
        fn any_json_is_read_or_refused(
            builds in sample::builds(),
            place in any::<prop::sample::Index>(),
            byte in b' '..=b'~',
        ) {
            let index = pack(About::default(), builds).expect("different hashes");
            let mut json = index.to_json().into_bytes();
            let place = place.index(json.len());
            json[place] = byte;
            let json = String::from_utf8_lossy(&json);
            if let Ok(index) = Index::from_json(&json) {
                unpacked(&index);
            }
        }
    }

    fn small() -> Value {
        json!({
            "format": 1,
            "about": {},
            "values": {
                "package": ["hdf5", "zlib"], "stack": ["e4s"], "os": ["ubuntu24.04"],
                "target": ["zen4"], "compiler": ["gcc@13.2.0"], "version": ["2.0", "1.3"],
                "platform": ["linux"], "release": ["develop"], "variant": ["+mpi"],
            },
            "multi_valued": [],
            "configurations": [[0, 0, 0, 0]],
            "variant_sets": [[], [0]],
            "places": [[0, 0]],
            "place_sets": [[0]],
            "rows": {
                "package": [2, 1], "version": [0, 1, 1], "configuration": [0, 0, 0],
                "variant_set": [0, 1, -1], "place_set": [0, 0, 0], "builds": [1, 1, 1],
            },
            "hashes": "a".repeat(96),
        })
    }

    #[test]
    fn the_format_is_as_documented() {
        let index = Index::from_json(&small().to_string()).expect("a good index");
        assert_eq!(serde_json::from_str::<Value>(&index.to_json()).expect("JSON"), small());
        let versions: Vec<String> = unpacked(&index).into_iter().map(|b| b.version).collect();
        assert_eq!(versions, ["2.0", "1.3", "1.3"]);
    }

    #[test]
    fn damage_is_named() {
        #[track_caller]
        fn check(pointer: &str, value: Value, expected: &str) {
            let mut json = small();
            match json.pointer_mut(pointer) {
                Some(place) => *place = value,
                None => {
                    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
                    json.pointer_mut(parent).expect("a parent")[key] = value;
                }
            }
            let error = Index::from_json(&json.to_string()).expect_err("damaged");
            assert_eq!(error.to_string(), expected);
        }
        check(
            "/format",
            json!(2),
            "the index has format 2, which is newer than this program; it reads format 1",
        );
        check(
            "/format",
            json!(0),
            "the index has format 0, which is older than this program reads; \
             make it again, in format 1",
        );
        check(
            "",
            json!({"database": {}}),
            "expected an index of format 1, found JSON without a format number",
        );
        check(
            "",
            json!({"format": 7, "pages": []}),
            "the index has format 7, which is newer than this program; it reads format 1",
        );
        check(
            "/values/os",
            json!(["a", "b", "a"]),
            "the index is damaged: a os stands twice in its list",
        );
        check(
            "/values/flavour",
            json!([]),
            "the index is damaged: a list of values for \"flavour\", which is no facet",
        );
        let bad = |field: &str| format!("the index is damaged: a number in {field} leads nowhere");
        check("/multi_valued", json!([1]), &bad("multi_valued"));
        check("/configurations", json!([[0, 0, 0, 1]]), &bad("configurations"));
        check("/places", json!([[0, 1]]), &bad("places"));
        check("/variant_sets", json!([[], [1]]), &bad("variant_sets"));
        check("/variant_sets", json!([[], [0, 0]]), &bad("variant_sets"));
        check("/place_sets", json!([[1]]), &bad("place_sets"));
        check("/rows/version", json!([0, 1, 2]), &bad("rows.version"));
        check("/rows/version", json!([0, -1, 1]), &bad("rows.version"));
        check("/rows/configuration", json!([0, 0, 1]), &bad("rows.configuration"));
        check("/rows/variant_set", json!([0, 1, 1]), &bad("rows.variant_set"));
        check("/rows/place_set", json!([0, 0, 1]), &bad("rows.place_set"));
        check("/rows/builds", json!([1, 1, 0]), &bad("rows.builds"));
        check("/rows/builds", json!([u32::MAX, 1, 1]), &bad("rows.builds"));
        let unequal = |field: &str| {
            format!("the index is damaged: {field} has another length than the columns beside it")
        };
        check("/rows/version", json!([0, 1]), &unequal("rows.version"));
        check("/rows/package", json!([1, 1]), &unequal("rows.package"));
        check("/rows/package", json!([3]), &unequal("rows.package"));
        check(
            "/hashes",
            json!("aa"),
            "the index is damaged: expected 96 characters of hashes for 3 builds, found 2",
        );
        check(
            "/hashes",
            json!("a".repeat(95) + "A"),
            "the index is damaged: build 2: expected a hash of the letters a to z and the digits \
             2 to 7, found another character at position 31",
        );
    }

    #[test]
    fn text_that_is_no_index_is_refused_with_its_place() {
        #[track_caller]
        fn check(json: &str, expected: &str) {
            let error = Index::from_json(json).expect_err("no index");
            assert_eq!(error.to_string(), expected);
        }
        check("", "the index is damaged: EOF while parsing a value at line 1 column 0");
        check(
            "{\"format\": 1,",
            "the index is damaged: EOF while parsing a value at line 1 column 13",
        );
        check(
            "[]",
            "the index is damaged: invalid length 0, expected struct Document with 10 elements at line 1 column 2",
        );
    }

    #[test]
    fn no_value_can_end_a_script_element() {
        let mut json = small();
        json["values"]["package"] = json!(["</script><script>alert(1)</script>", "<!--"]);
        let index = Index::from_json(&json.to_string()).expect("a good index");
        assert!(!index.to_json().contains('<'));
        let again = Index::from_json(&index.to_json()).expect("what was just written");
        assert_eq!(again.dictionary(Facet::Package).values()[1], "<!--");
    }
}
