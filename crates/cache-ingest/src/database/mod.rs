//! Spack's database files: what every build cache carries as `index.json`.
//!
//! ```text
//! {"database": {"version": "8", "installs": {
//!     "ehunw7xdiu5rkttade3wkgkirgcxtlwc": {"spec": {…}, "ref_count": 0, "in_buildcache": true}, …
//! }}}
//! ```
//!
//! Versions 5 to 8 are read. 7 (Spack 0.20 to 0.23) and 8 (Spack 1.x) are known from real files; of 5
//! and 6 is read what they share with 7, and what they do not share is an unknown or missing field.
//! Any other version is refused by its number.
//!
//! The records are read one after the other as they come, so the memory needed is that of the
//! builds, not of the file. Surprises:
//!
//! - a record with `in_buildcache: false` (an external compiler, the libc, a dependency that was not
//!   pushed) has no binary: it gets no place, and stays known because others depend on it;
//! - up to version 7 the compiler is a field of the spec, from version 8 on it is a dependency, whose
//!   version stands in another record; so compilers are resolved when all records are read;
//! - version 8 may hold specs that an older Spack wrote, with the compiler in an annotation.

mod compiler;
mod record;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::io;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

pub(crate) use self::compiler::{CompilerNode, compiler_node, resolve};
pub(crate) use self::record::read_spec;
use super::fields::Problems;
use super::problem::{Finding, Problem, Record, quote};
use super::value::Value;
use cache_index::build::{Build, Hash, Place};

/// What a database file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// Version of the format.
    pub version: u32,
    /// In the order of the file, each hash once.
    pub builds: Vec<Build>,
}

/// The versions that are read.
const VERSIONS: std::ops::RangeInclusive<u32> = 5..=8;

/// From this version on the compiler is a dependency.
const COMPILERS_ARE_DEPENDENCIES: u32 = 8;

/// Reads a database file, or says everything that is wrong with it. The file does not say which
/// mirror it describes: `place` does, and every build with a binary is put there.
pub fn read_database(mut reader: impl io::Read, place: &Place) -> Result<Database, Vec<Problem>> {
    read(&mut reader, place)
}

/// Not generic, so that it is compiled here, for speed, and not where it is called, for size.
fn read(reader: &mut dyn io::Read, place: &Place) -> Result<Database, Vec<Problem>> {
    let mut reading = Reading {
        place,
        version: None,
        has_installs: false,
        builds: Vec::new(),
        compilers: Vec::new(),
        seen: BTreeMap::new(),
        problems: Problems::default(),
    };
    let mut json = serde_json::Deserializer::from_reader(io::BufReader::new(reader));
    let outcome = File(&mut reading).deserialize(&mut json).and_then(|()| json.end());
    reading.finish(outcome)
}

/// A file that is being read.
struct Reading<'p> {
    place: &'p Place,
    version: Option<Version>,
    has_installs: bool,
    builds: Vec<Build>,
    /// For each build the node that compiled it, as far as its own record tells.
    compilers: Vec<Option<CompilerNode>>,
    /// Number of the record of each hash.
    seen: BTreeMap<Hash, usize>,
    problems: Problems,
}

/// The version that the file states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    Known(u32),
    /// Noted already; the records are not looked at.
    Unknown,
}

impl Reading<'_> {
    fn finish(mut self, outcome: serde_json::Result<()>) -> Result<Database, Vec<Problem>> {
        self.problems.record = None;
        match outcome {
            Err(error) => self.problems.note_json_error(&error),
            Ok(()) => {
                if self.version.is_none() {
                    self.problems.note("database.version", Finding::MissingField);
                }
                if !self.has_installs {
                    self.problems.note("database.installs", Finding::MissingField);
                }
            }
        }
        if let Some(Version::Known(version)) = self.version
            && version >= record::PACKAGE_HASHES
        {
            self.miss_package_hashes();
        }
        match self.version {
            Some(Version::Known(version)) if self.problems.len() == 0 => {
                compiler::resolve(&mut self.builds, &self.compilers);
                Ok(Database { version, builds: self.builds })
            }
            _ => Err(self.problems.into_vec()),
        }
    }

    /// Notes what a record could only be found to lack when the version was known, which older files have
    /// behind the records.
    fn miss_package_hashes(&mut self) {
        for build in self.builds.iter().filter(|build| build.package_hash.is_none()) {
            let number = self.seen.get(&build.hash).copied().unwrap_or_default();
            self.problems.record = Some(Record { number, hash: build.hash.to_string() });
            self.problems.note("spec.package_hash", Finding::MissingField);
        }
        self.problems.record = None;
    }

    fn read_version(&mut self, value: &Value) {
        // Spack writes a text; a number means the same.
        let number = match value {
            Value::Text(text) => text.parse().ok(),
            Value::Whole(number) => u32::try_from(*number).ok(),
            _ => None,
        };
        self.version = Some(match number {
            Some(number) if VERSIONS.contains(&number) => Version::Known(number),
            _ => {
                let found = value.describe();
                self.problems.note("database.version", Finding::UnknownDatabaseVersion { found });
                Version::Unknown
            }
        });
    }

    fn read_record(&mut self, number: usize, key: &str, value: Value) {
        self.problems.record = Some(Record { number, hash: key.to_string() });
        let hash: Hash = match key.parse() {
            Ok(hash) => hash,
            Err(error) => {
                self.problems.note("", Finding::BadHash { found: quote(key), error });
                return;
            }
        };
        if let Some(&first) = self.seen.get(&hash) {
            self.problems.note("", Finding::RepeatedHash { first, difference: None });
            return;
        }
        self.seen.insert(hash, number);
        let version = match self.version {
            Some(Version::Known(version)) => Some(version),
            _ => None,
        };
        let record = record::read_record(hash, value, version, self.place, &mut self.problems);
        if let Some((build, compiler)) = record {
            self.builds.push(build);
            self.compilers.push(compiler);
        }
    }
}

/// The whole file: an object with `database` in it.
struct File<'r, 'p>(&'r mut Reading<'p>);

/// The object that holds `version` and `installs`.
struct Contents<'r, 'p>(&'r mut Reading<'p>);

/// All records by their hashes.
struct Installs<'r, 'p>(&'r mut Reading<'p>);

impl<'de> DeserializeSeed<'de> for File<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for File<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the field database")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut found = false;
        while let Some(name) = entries.next_key::<String>()? {
            if name == "database" {
                found = true;
                entries.next_value_seed(Contents(self.0))?;
            } else {
                entries.next_value::<IgnoredAny>()?;
                self.0.problems.note(name, Finding::UnknownField);
            }
        }
        if !found {
            self.0.problems.note("database", Finding::MissingField);
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Contents<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Contents<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the fields version and installs")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while let Some(name) = entries.next_key::<String>()? {
            match name.as_str() {
                "version" => {
                    let value = entries.next_value()?;
                    self.0.read_version(&value);
                }
                "installs" => {
                    self.0.has_installs = true;
                    entries.next_value_seed(Installs(self.0))?;
                }
                _ => {
                    entries.next_value::<IgnoredAny>()?;
                    self.0.problems.record = None;
                    self.0.problems.note(format!("database.{name}"), Finding::UnknownField);
                }
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Installs<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Installs<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of records by their hashes")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut number = 0;
        while let Some(key) = entries.next_key::<String>()? {
            number += 1;
            if self.0.version == Some(Version::Unknown) {
                entries.next_value::<IgnoredAny>()?;
            } else {
                let value = entries.next_value()?;
                self.0.read_record(number, &key, value);
            }
        }
        self.0.problems.record = None;
        Ok(())
    }
}
