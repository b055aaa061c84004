//! What recipes say about packages, in the three forms in which this is published.
//!
//! | form | what it is |
//! | --- | --- |
//! | a folder, or a tarball of it | the files `data/packages/NAME.json` of packages.spack.io, one for each package |
//! | a JSON list | the same objects in one file |
//! | `spack list --format version_json` | a JSON list of all packages, with their versions and home pages, and no descriptions |
//!
//! Each may be compressed with gzip or zstd. Only names and versions that Spack's grammar allows are accepted, because
//! they become part of commands; all other texts are free, and are made [visible](crate::visible()), put on one line
//! and cut at [`LONGEST`]. In a folder or a tarball, JSON that is not a recipe is skipped and counted:
//! packages.spack.io has other data alongside the recipes.

mod record;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, BufReader, Cursor};

use cache_index::recipes::Recipes;
use serde::Deserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};

use self::record::{is_record, read_record};
use crate::binary::tar::{Archive, Kind};
use crate::compression::{SizeLimit, decompress};
use crate::fields::{Problems, json_finding};
use crate::foreign::{ForeignFile, foreign_file};
use crate::problem::{Finding, Position, Record};
use crate::read::Read;
use crate::value::{Text, Value};

/// The maximum length of a description in characters, after which it is cut.
pub const LONGEST: usize = 2_000;

/// The maximum decompressed size of what is read at once in bytes: the list of all packages of Spack has a tenth of it.
const LARGEST: u64 = 1 << 30;

/// The maximum size of a file in a tarball in bytes.
const LARGEST_ENTRY: u64 = 64 << 20;

/// The number of bytes that show what a file is.
const START: usize = 512;

/// The recipes in an archive, a file or a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundRecipes {
    /// What was found.
    pub recipes: Recipes,
    /// The number of JSON files that are not recipes.
    pub skipped: usize,
}

/// Reads a file with recipes: a tarball, a list or a single recipe.
pub fn read_recipes(file: impl io::Read, limit: SizeLimit) -> Read<FoundRecipes> {
    let mut reading = RecipeReader::default();
    if let Err(error) = reading.read(file, limit, false) {
        reading.problems.report("", Finding::Unreadable { message: error.to_string() });
    }
    reading.finish()
}

/// What has been read from several files.
#[derive(Debug, Default)]
pub(crate) struct RecipeReader {
    found: FoundRecipes,
    problems: Problems,
}

impl RecipeReader {
    /// Reads a file. One of a folder `is_of_many`: there may be other JSON alongside the recipes.
    pub(crate) fn read(
        &mut self,
        file: impl io::Read,
        SizeLimit(limit): SizeLimit,
        is_of_many: bool,
    ) -> io::Result<()> {
        let mut file = decompress(file, SizeLimit(limit.min(LARGEST)))?;
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::Read::take(&mut file, START as u64), &mut bytes)?;
        match foreign_file(&bytes) {
            Some(ForeignFile::Archive("tar")) if !is_of_many => {
                let all = io::Read::chain(Cursor::new(bytes), file);
                self.read_archive(BufReader::new(all));
                return Ok(());
            }
            Some(foreign) => {
                self.problems.report("", Finding::Foreign(foreign));
                return Ok(());
            }
            None => {}
        }
        io::Read::read_to_end(&mut file, &mut bytes)?;
        self.read_json(&bytes, is_of_many);
        Ok(())
    }

    /// Reads the JSON files in a tarball, except for those whose path has a name that starts with a dot.
    fn read_archive(&mut self, input: impl io::BufRead) {
        let mut archive = Archive::new(input);
        loop {
            let entry = archive.next_entry();
            let unreadable =
                |error: &dyn fmt::Display| Finding::Unreadable { message: error.to_string() };
            let header = match entry {
                Ok(None) => return,
                Ok(Some(header)) => header,
                Err(error) => return self.problems.report("", unreadable(&error)),
            };
            let path = String::from_utf8_lossy(&header.path).into_owned();
            if header.kind != Kind::File || !may_be_recipe(&path) {
                continue;
            }
            match archive.content(LARGEST_ENTRY) {
                Ok(Some(content)) => {
                    self.in_file(&path, |reading| reading.read_json(&content, true))
                }
                Ok(None) => self.in_file(&path, |reading| {
                    let message = format!("it is longer than {LARGEST_ENTRY} bytes");
                    reading.problems.report("", Finding::Unreadable { message });
                }),
                Err(error) => return self.problems.report("", unreadable(&error)),
            }
        }
    }

    /// Calls `read`, and puts the problems that it finds in this file of the input.
    pub(crate) fn in_file(&mut self, file: &str, read: impl FnOnce(&mut RecipeReader)) {
        let outside = std::mem::take(&mut self.problems);
        read(self);
        let inside = std::mem::replace(&mut self.problems, outside);
        let Read { problems, .. } = inside.read(Some(())).in_file(file);
        self.problems.extend(problems);
    }

    /// Reports why a file of the input could not be read.
    pub(crate) fn report(&mut self, error: &io::Error) {
        self.problems.report("", Finding::Unreadable { message: error.to_string() });
    }

    fn read_json(&mut self, json: &[u8], is_of_many: bool) {
        let mut from = serde_json::Deserializer::from_slice(json);
        let read = from.deserialize_any(Document { reading: self, is_of_many });
        if let Err(error) = read.and_then(|()| from.end()) {
            if error.is_data() || !error.is_eof() || !json.trim_ascii().is_empty() {
                let at = Position {
                    line: Some(error.line()).filter(|&line| line > 0),
                    column: Some(error.column()).filter(|&column| column > 0),
                    ..Position::default()
                };
                self.problems.report_at(at, json_finding(&error));
            } else {
                self.problems.report("", Finding::NothingInIt);
            }
        }
    }

    /// Reads a recipe that is an element of a list, or alone in its file (`number` 0).
    fn read_value(&mut self, value: Value<'_>, number: usize) {
        let name = crate::fields::field(&value, "name");
        let name = match name {
            Some(Value::Text(name)) => name.clone().into_owned(),
            _ => String::new(),
        };
        self.problems.record = Some(Record { number, hash: name });
        if let Some((name, recipe)) = read_record(value, &mut self.problems) {
            self.found.recipes.0.entry(name).or_default().unite(recipe);
        }
        self.problems.end_record(true);
    }

    /// Ends the input.
    pub(crate) fn finish(mut self) -> Read<FoundRecipes> {
        if self.problems.is_quiet() && self.found.recipes.0.is_empty() {
            self.problems.report("", Finding::NothingInIt);
        }
        self.problems.read(Some(self.found))
    }
}

/// Returns `true` for the path of a file that may be a recipe.
pub(crate) fn may_be_recipe(path: &str) -> bool {
    let mut names = path.split('/').filter(|name| *name != ".");
    let end = path.strip_suffix(".gz").or(path.strip_suffix(".zst")).unwrap_or(path);
    end.ends_with(".json") && names.all(|name| !name.starts_with('.'))
}

/// The JSON of a file: recipes are read one by one, so that a list is never in memory as a tree.
struct Document<'r> {
    reading: &'r mut RecipeReader,
    is_of_many: bool,
}

impl Document<'_> {
    /// Reports JSON that is neither a list nor an object.
    fn unexpected<E: Error>(self, value: &Value<'_>) -> Result<(), E> {
        match self.is_of_many {
            true => self.reading.found.skipped += 1,
            false => self.reading.problems.report(
                "",
                Finding::UnexpectedType { expected: "recipes in JSON", found: value.describe() },
            ),
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of recipes, or one")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let mut number = 0;
        while let Some(value) = elements.next_element::<Value<'de>>()? {
            number += 1;
            match self.is_of_many && number == 1 && !is_record(&value) {
                // A list of something else, which is read to its end.
                true => {
                    self.reading.found.skipped += 1;
                    while elements.next_element::<serde::de::IgnoredAny>()?.is_some() {}
                }
                false => self.reading.read_value(value, number),
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut map = Vec::new();
        while let Some((Text(name), value)) = entries.next_entry()? {
            map.push((name, value));
        }
        let value = Value::Map(map);
        match self.is_of_many && !is_record(&value) {
            true => self.reading.found.skipped += 1,
            false => self.reading.read_value(value, 0),
        }
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.unexpected(&Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.unexpected(&Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.unexpected(&Value::Whole(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.unexpected(&Value::Number(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.unexpected(&Value::Number(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.unexpected(&Value::Text(value.into()))
    }
}
