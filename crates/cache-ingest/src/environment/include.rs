//! The files that a `spack.yaml` includes, as far as they say which specs are wanted, or what is required of packages.
//!
//! | entry of `include` | is read |
//! | --- | --- |
//! | `config/packages.yaml`, or the same as `path` | yes, relative to the file that includes it; with `$env` or `$SPACK_ENV` before it, to the environment |
//! | a folder | its files that are named after sections, such as `packages.yaml` |
//! | `../other/spack.lock` | no: its specs are those of another environment |
//! | with a `when` other than `True`, from an address or a repository, with a variable (`$HOME`) | no |
//!
//! Entries that are not read, for one of these reasons or because the file does not exist, are returned, so that
//! answers can mention them. An `optional` file that does not exist is ignored, as in Spack.

use std::collections::BTreeSet;

use super::yaml::{read_yaml, without_marks};
use crate::fields::{Fields, Problems, field};
use crate::value::Value;

/// The maximum number of files that are read.
const FILES: usize = 100;

/// The sections of configuration that are read.
const NAMES: [&str; 5] = ["definitions", "toolchains", "packages", "develop", "concretizer"];

/// Those sections of an environment and of the files that it includes, the most significant first.
#[derive(Default)]
pub(super) struct Sections {
    pub(super) definitions: Vec<Value<'static>>,
    pub(super) toolchains: Vec<Value<'static>>,
    pub(super) packages: Vec<Value<'static>>,
    pub(super) develop: Vec<Value<'static>>,
    pub(super) concretizer: Vec<Value<'static>>,
}

impl Sections {
    /// Takes the sections of a file.
    pub(super) fn take(&mut self, fields: &mut Fields<'static>) {
        let all = [
            &mut self.definitions,
            &mut self.toolchains,
            &mut self.packages,
            &mut self.develop,
            &mut self.concretizer,
        ];
        for (section, name) in all.into_iter().zip(NAMES) {
            section.extend(fields.optional(name));
        }
    }
}

/// The result of opening a file that a `spack.yaml` includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IncludedFile {
    /// It has this content.
    Read(Vec<u8>),
    /// There is no such file or folder.
    Absent,
    /// It could not be read, or it is not known whether it exists.
    Unread,
}

/// A reader of included files.
pub(super) struct Includes<'o> {
    open: &'o mut dyn FnMut(&str) -> IncludedFile,
    met: BTreeSet<String>,
    unread: Vec<String>,
}

/// An entry of `include`.
enum Entry {
    Path {
        path: String,
        /// `true` if Spack ignores a missing file.
        is_optional: bool,
    },
    /// An entry that is not read, as written.
    Unread(String),
}

impl<'o> Includes<'o> {
    /// Creates a reader of files that `open` opens.
    pub(super) fn new(open: &'o mut dyn FnMut(&str) -> IncludedFile) -> Includes<'o> {
        Includes { open, met: BTreeSet::new(), unread: Vec::new() }
    }

    /// Adds the sections of all files that a list includes, directly or not. Returns the entries that were not read.
    pub(super) fn read(mut self, list: Option<Value<'_>>, sections: &mut Sections) -> Vec<String> {
        let mut open = entries_of(list, "");
        open.reverse();
        while let Some(entry) = open.pop() {
            let (path, is_optional) = match entry {
                Entry::Path { path, is_optional } if self.met.len() < FILES => (path, is_optional),
                Entry::Path { path, .. } | Entry::Unread(path) => {
                    self.unread.push(path);
                    continue;
                }
            };
            if !self.met.insert(path.clone()) {
                continue;
            }
            let files = match path.ends_with(".yaml") {
                true => match (self.open)(&path) {
                    IncludedFile::Read(bytes) => vec![(path.clone(), bytes)],
                    IncludedFile::Absent if is_optional => continue,
                    IncludedFile::Absent | IncludedFile::Unread => Vec::new(),
                },
                false => self.files_in(&path),
            };
            if files.is_empty() {
                let is_absent = is_optional && (self.open)(&path) == IncludedFile::Absent;
                self.unread.extend((!is_absent).then_some(path));
                continue;
            }
            let mut below = Vec::new();
            for (path, bytes) in files {
                match fields_of(&bytes) {
                    Some(mut fields) => {
                        sections.take(&mut fields);
                        below.extend(entries_of(fields.optional("include"), &path));
                    }
                    None => self.unread.push(path),
                }
            }
            open.extend(below.into_iter().rev());
        }
        self.unread
    }

    /// Opens the files of a folder that are named after sections.
    fn files_in(&mut self, folder: &str) -> Vec<(String, Vec<u8>)> {
        let folder = folder.trim_end_matches('/');
        let names = NAMES.iter().chain(&["include"]);
        let paths = names.map(|name| format!("{folder}/{name}.yaml"));
        paths
            .filter_map(|path| match (self.open)(&path) {
                IncludedFile::Read(bytes) => Some((path, bytes)),
                IncludedFile::Absent | IncludedFile::Unread => None,
            })
            .collect()
    }
}

/// Returns the top level of a file of configuration.
fn fields_of(bytes: &[u8]) -> Option<Fields<'static>> {
    let text = str::from_utf8(bytes).ok()?;
    // Spack reports what is wrong with a configuration file; here it only counts as not read.
    let mut problems = Problems::default();
    let fields = match read_yaml(text, &mut problems)? {
        Value::Null => Value::Map(Vec::new()),
        tree => without_marks(tree),
    };
    Fields::open(fields, "", &mut problems)
}

/// Reads the entries of `include` in a file.
fn entries_of(list: Option<Value<'_>>, file: &str) -> Vec<Entry> {
    let Some(Value::List(list)) = list else { return Vec::new() };
    list.iter().filter_map(|value| entry_of(value, file)).collect()
}

/// Reads an entry; `None` if it never applies.
fn entry_of(value: &Value<'_>, file: &str) -> Option<Entry> {
    let text = |name: &str| match field(value, name) {
        Some(Value::Text(text)) => Some(&**text),
        _ => None,
    };
    let (path, when) = match value {
        Value::Text(path) => (Some(&**path), None),
        _ => (text("path"), text("when").map(str::trim)),
    };
    let is_optional = matches!(field(value, "optional"), Some(Value::Bool(true)));
    match (path, when) {
        (_, Some("False")) => None,
        (Some(path), None | Some("True")) => Some(Entry::at(path, file, is_optional)),
        (path, _) => Some(Entry::Unread(path.or(text("git")).unwrap_or("a file").to_owned())),
    }
}

/// The ways in which Spack writes the folder of the environment in paths.
const OWN_FOLDER: [&str; 4] = ["$env", "${env}", "$SPACK_ENV", "${SPACK_ENV}"];

impl Entry {
    /// Returns the path of a file as seen from the environment; `file` includes it.
    fn at(written: &str, file: &str, is_optional: bool) -> Entry {
        let path = written.strip_prefix("file://").unwrap_or(written);
        let below = OWN_FOLDER.iter().find_map(|name| path.strip_prefix(name)?.strip_prefix('/'));
        let (path, file) = below.map_or((path, file), |path| (path, ""));
        if path.contains('$') || path.starts_with('~') || path.contains("://") {
            return Entry::Unread(written.to_owned());
        }
        let path = match file.rsplit_once('/') {
            Some((folder, _)) if !path.starts_with('/') => format!("{folder}/{path}"),
            _ => path.to_owned(),
        };
        Entry::Path { path, is_optional }
    }
}
