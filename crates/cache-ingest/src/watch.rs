//! What a publisher watches: the file of `embed --watch`.
//!
//! ```yaml
//! watch:
//!   hdf5-2: "hdf5@2:"
//!   zlib: zlib
//!   production: {lock: production/spack.lock}
//! ```
//!
//! Each name is that of a feed and a badge. A text is a spec, such as the name of a package. Anything else is an error:
//! a misspelt word would otherwise watch nothing, and nobody would notice. Specs are not read, and files are not
//! opened; the caller knows the rules of the cache, and the folder.

use crate::environment::yaml::read_yaml;
use crate::fields::{Fields, Name, Problems, text, unexpected};
use crate::problem::Finding;
use crate::read::Read;
use crate::value::Value;

/// Something that is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchItem {
    /// The name of its files, as written: any text of at least one character.
    pub name: String,
    /// The builds or the environment.
    pub what: WatchedWhat,
}

/// What an entry watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchedWhat {
    /// The builds that satisfy a spec, as written.
    Spec(String),
    /// The share of an environment that is cached; contains the path of its file, as written.
    Lock(String),
}

/// Reads the entries to watch, in the order of the file. Their names differ.
pub fn read_watch(bytes: &[u8]) -> Read<Vec<WatchItem>> {
    let mut problems = Problems::default();
    let watched = match str::from_utf8(bytes) {
        Ok(text) => read_text(text.trim_start_matches('\u{feff}'), &mut problems),
        Err(error) => {
            problems.report("", Finding::NotUtf8 { byte: error.valid_up_to() });
            None
        }
    };
    problems.read(watched)
}

const WATCH: &str = "watch";

fn read_text(text: &str, problems: &mut Problems) -> Option<Vec<WatchItem>> {
    let tree = read_yaml(text, problems)?;
    let mut file = Fields::open(tree, "", problems)?;
    let section = file.required(WATCH, problems);
    file.refuse_others(problems);
    let entries = Fields::open(section?, WATCH, problems)?.into_entries();
    Some(entries.filter_map(|(name, entry)| read_entry(&name, entry, problems)).collect())
}

fn read_entry(name: &str, entry: Value<'_>, problems: &mut Problems) -> Option<WatchItem> {
    let what = match entry {
        Value::Map(_) => {
            let mut fields = Fields::open(entry, format!("{WATCH}.{name}"), problems)?;
            let what = match fields.has("spec") {
                true => fields.text("spec", problems).map(WatchedWhat::Spec),
                false => fields.text("lock", problems).map(WatchedWhat::Lock),
            };
            fields.refuse_others(problems);
            what?
        }
        spec @ Value::Text(_) => WatchedWhat::Spec(text(spec, Name::new(WATCH, name), problems)?),
        other => {
            let expected = "a spec, or an object with a spec or a lock";
            return unexpected(&other, expected, Name::new(WATCH, name), problems);
        }
    };
    Some(WatchItem { name: name.to_owned(), what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_specs_and_locks_in_their_order() {
        let file = "watch:\n  hdf5-2: \"hdf5@2:\"\n  all: {spec: zlib}\n  production: {lock: a/spack.lock}\n";
        let read = read_watch(file.as_bytes()).into_result().expect("a file");
        let named = |name: &str, what| WatchItem { name: name.to_owned(), what };
        let expected = [
            named("hdf5-2", WatchedWhat::Spec("hdf5@2:".to_owned())),
            named("all", WatchedWhat::Spec("zlib".to_owned())),
            named("production", WatchedWhat::Lock("a/spack.lock".to_owned())),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn reads_many_entries_in_a_moment() {
        let entries = (0..50_000).map(|at| format!("  spec-{at}: hdf5@{at}\n"));
        let file = format!("watch:\n{}", entries.collect::<String>());
        let read = read_watch(file.as_bytes()).into_result().expect("a file");
        assert_eq!(read.len(), 50_000);
        assert_eq!(read[49_999].name, "spec-49999");
    }

    #[test]
    fn says_where_a_file_is_wrong() {
        #[track_caller]
        fn check(file: &str, expected: &str) {
            let problems = read_watch(file.as_bytes()).into_result().expect_err(file);
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            assert_eq!(problems.join("\n"), expected, "{file}");
        }
        check("", "expected an object, found nothing");
        check(
            "watch: {a: b\n",
            "line 2 column 1: not valid YAML: did not find expected ',' or '}'",
        );
        check(
            "feeds: {}",
            "field watch: expected this field, found none\n\
             field feeds: a field of this name is not known here",
        );
        check("watch: [zlib]", "field watch: expected an object, found a list");
        check(
            "watch: {a: 1, b: ''}",
            "field watch.a: expected a spec, or an object with a spec or a lock, found 1\n\
             field watch.b: expected a text of at least one character",
        );
        check(
            "watch: {a: {file: x}}",
            "field watch.a.lock: expected this field, found none\n\
             field watch.a.file: a field of this name is not known here",
        );
        check(
            "watch: {a: {spec: x, lock: y}}",
            "field watch.a.lock: a field of this name is not known here",
        );
        check("watch: {a: x, a: y}", "field watch.a: expected this field once, found it twice");
    }
}
