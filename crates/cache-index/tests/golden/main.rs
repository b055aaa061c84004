//! Index files of every format that was ever written: they load for ever.
//!
//! `format-N/NAME.json` is an index as a program that wrote format N left it, and
//! `format-N/NAME.builds.jsonl` is what it holds, one build a line. Neither is ever changed or
//! deleted; a new format gets a new folder. CONTRIBUTING.md says how.
//!
//! | file | made from | what it is there for |
//! | --- | --- | --- |
//! | `pages` | the cache pages in `seeds` | no dependencies, no details |
//! | `databases` | `tests/data/database/v7.json` and `v8.json` | dependencies, externals, flags, both kinds of compiler |
//! | `older-specs` | `tests/data/database/v8-older-specs.json` | compilers as notes, a mirror URL |
//! | `mirrors` | `tests/data/mirror-v2` and `mirror-v3` | sizes of binaries |
//! | `every-field` | written by hand | each field of the format, optional ones included |
//! | `empty` | nothing | an index without builds |

use std::fs;
use std::path::{Path, PathBuf};

use cache_index::build::{Build, CompilerSource, Dependency, Place, Variant, VariantValue};
use cache_index::index::json::FORMAT;
use cache_index::index::{BuildId, Index};
use serde_json::{Map, Value, json};

/// A golden file: the number of its format, its path without the extension, and its text.
struct Golden {
    format: u32,
    path: PathBuf,
    json: String,
}

impl Golden {
    fn all() -> Vec<Golden> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        let paths = |folder: &Path| -> Vec<PathBuf> {
            let entries = fs::read_dir(folder).expect("a folder");
            entries.map(|entry| entry.expect("an entry").path()).collect()
        };
        let folders = paths(&root).into_iter().filter(|path| path.is_dir());
        let mut all = Vec::new();
        for folder in folders {
            let name = folder.file_name().and_then(|name| name.to_str()).expect("a name");
            let number = name.strip_prefix("format-").and_then(|number| number.parse().ok());
            let format = number.expect("a folder named format-N");
            let indexes =
                paths(&folder).into_iter().filter(|path| path.extension() == Some("json".as_ref()));
            all.extend(indexes.map(|path| {
                let json = fs::read_to_string(&path).expect("a text");
                Golden { format, path: path.with_extension(""), json }
            }));
        }
        assert!(!all.is_empty());
        all
    }

    fn name(&self) -> String {
        let name = self.path.file_name().expect("a name").to_string_lossy();
        format!("format-{}/{name}", self.format)
    }

    #[track_caller]
    fn load(&self) -> Index {
        Index::from_json(&self.json).unwrap_or_else(|error| panic!("{}: {error}", self.name()))
    }

    /// Loads the index as a page does: the columns first, and then each part by itself.
    #[track_caller]
    fn load_in_parts(&self) -> Index {
        let mut columns = read(&self.json);
        let fields = columns.as_object_mut().expect("an object");
        let parts = ["hashes", "details", "dependencies"].map(|part| fields.remove(part));
        let index =
            Index::from_json(&columns.to_string()).expect("columns without the other parts");
        let set = [Index::set_hashes, Index::set_details, Index::set_dependencies];
        for (part, set) in parts.iter().zip(set) {
            let set = part.iter().try_for_each(|part| set(&index, &part.to_string()));
            set.unwrap_or_else(|error| panic!("{}: {error}", self.name()));
        }
        index
    }

    /// The builds that this file holds. Writes them if they are not recorded yet, and then fails, so
    /// that somebody reads them.
    fn builds(&self, found: &str) -> String {
        let path = self.path.with_extension("builds.jsonl");
        fs::read_to_string(&path).unwrap_or_else(|_| {
            fs::write(&path, found).expect("a place for the builds");
            panic!("{}: recorded its builds for the first time: check and commit them", self.name())
        })
    }
}

/// All builds of an index, one a line.
fn lines(index: &Index) -> String {
    let builds = (0..index.specs()).map(|id| index.build(BuildId(id)).expect("a build"));
    builds.map(|build| format!("{}\n", line(build))).collect()
}

/// All that is known of a build; what is not known is left out, so that a field which a format does
/// not have yet is not in its lines.
fn line(build: Build) -> Value {
    let Build {
        hash,
        package,
        namespace,
        version,
        platform,
        os,
        target,
        compiler,
        compiler_source,
        variants,
        flags,
        places,
        size,
        package_hash,
        external,
        spec_format,
        provided_virtuals,
        dependencies,
    } = build;
    let compiler_source = match compiler_source {
        CompilerSource::Field => "field",
        CompilerSource::Annotation => "annotation",
        CompilerSource::Dependency => "dependency",
    };
    let variant = |Variant { name, value }: Variant| match value {
        VariantValue::Bool(value) => json!([name, value]),
        VariantValue::Single(value) => json!([name, value]),
        VariantValue::Multi(values) => json!([name, values]),
    };
    let place = |Place { release, stack }: Place| json!([release, stack]);
    let dependency = |Dependency { package, hash, deptypes, virtuals }: Dependency| {
        let deptypes: Vec<&str> = deptypes.names().collect();
        json!([package, hash.to_string(), deptypes, virtuals])
    };
    let fields = [
        ("hash", json!(hash.to_string())),
        ("package", json!(package)),
        ("namespace", json!(namespace)),
        ("version", json!(version)),
        ("platform", json!(platform)),
        ("os", json!(os)),
        ("target", json!(target)),
        ("compiler", json!(compiler)),
        ("compiler_source", json!(compiler_source)),
        ("variants", variants.into_iter().map(variant).collect()),
        ("flags", json!(flags)),
        ("places", places.into_iter().map(place).collect()),
        ("size", json!(size)),
        ("package_hash", json!(package_hash)),
        ("external", json!(external)),
        ("spec_format", json!(spec_format)),
        ("provided_virtuals", json!(provided_virtuals)),
        (
            "dependencies",
            dependencies.map(|all| all.into_iter().map(dependency).collect::<Vec<_>>()).into(),
        ),
    ];
    let known = fields.into_iter().filter(|(_, value)| !value.is_null());
    known.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
}

fn read(json: &str) -> Value {
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn every_index_that_was_ever_written_loads() {
    for golden in Golden::all() {
        let index = golden.load();
        let found = lines(&index);
        // The order of names within an object depends on how serde_json is built.
        let values = |lines: &str| lines.lines().map(read).collect::<Vec<Value>>();
        assert_eq!(values(&found), values(&golden.builds(&found)), "{}", golden.name());
        assert_eq!(json!(index.about()), read(&golden.json)["about"], "{}", golden.name());
    }
}

#[test]
fn every_index_loads_in_parts() {
    for golden in Golden::all() {
        let whole = golden.load();
        let index = golden.load_in_parts();
        assert_eq!(lines(&index), lines(&whole), "{}", golden.name());
    }
}

#[test]
fn an_index_of_an_older_format_is_written_in_the_newest() {
    for golden in Golden::all() {
        let old = golden.load();
        let written = old.to_json();
        assert_eq!(read(&written)["format"], json!(FORMAT));
        let new = Index::from_json(&written).expect("what was just written");
        assert_eq!(lines(&new), lines(&old), "{}", golden.name());
    }
}

/// Fails if what is written changes its shape without a new number.
#[test]
fn the_newest_format_is_written_as_it_was() {
    let newest: Vec<Golden> =
        Golden::all().into_iter().filter(|golden| golden.format == FORMAT).collect();
    assert!(newest.iter().any(|golden| golden.name().ends_with("/every-field")));
    for golden in newest {
        let index = golden.load();
        assert_eq!(read(&index.to_json()), read(&golden.json), "{}", golden.name());
    }
}
