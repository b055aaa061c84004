//! Index files of every format that was ever written, which must load for ever.
//!
//! `format-N/NAME.json` is an index as written by a program with format N, and `format-N/NAME.builds.jsonl` has the
//! builds that it contains, one per line. Neither is ever changed or deleted; a new format gets a new folder.
//! CONTRIBUTING.md has the steps.
//!
//! | file | made from | covers |
//! | --- | --- | --- |
//! | `pages` | the cache pages in `seeds` | no dependencies, no details |
//! | `databases` | `tests/data/database/v7.json` and `v8.json` | dependencies, externals, flags, both kinds of compiler |
//! | `older-specs` | `tests/data/database/v8-older-specs.json` | compilers as annotations, a mirror URL |
//! | `mirrors` | `tests/data/mirror-v2` and `mirror-v3` | sizes of binaries |
//! | `every-field` | written by hand | each field of the format, optional ones included |
//! | `own-mirrors` | `tests/data/mirror-v2` and `mirror-v3` | names and exact URLs of mirrors, without a release |
//! | `signed` | `tests/data/signed/mirror` | signatures of manifests |
//! | `since` | `tests/data/environment/zlib-only`, then `dev-path` | the changes since an earlier publication |
//! | `recipes` | `tests/data/database/v8.json`, with `tests/data/recipes` | what recipes say, in all three parts |
//! | `facts` | `tests/data/binaries/v2-plain`, with what `inspect` finds there | what was found in binaries, in all three parts |
//! | `demands` | the same | how much room binaries have for other install trees, and what they demand of a machine |
//! | `libraries` | the same | which libraries programs and libraries need |
//! | `empty` | nothing | an index without builds |

use std::fs;
use std::path::{Path, PathBuf};

use cache_index::build::{
    Build, CompilerSource, Dependency, Place, Signature, Variant, VariantValue,
};
use cache_index::facts::ListedFile;
use cache_index::index::json::FORMAT;
use cache_index::index::{BuildFacts, BuildId, FactsByBuild, Index, ShardOfBuilds, ShardOfNames};
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
        let index = Index::from_json(&self.json);
        self.with_facts(index.unwrap_or_else(|error| panic!("{}: {error}", self.name())))
    }

    /// Adds the texts about binaries, which only the publisher of an index reads.
    #[track_caller]
    fn with_facts(&self, mut index: Index) -> Index {
        let taken = index.take_facts(&self.json);
        taken.unwrap_or_else(|error| panic!("{}: {error}", self.name()));
        index
    }

    /// Loads the index as a page does: first the columns, then each part separately.
    #[track_caller]
    fn load_in_parts(&self) -> Index {
        let mut columns = read(&self.json);
        let fields = columns.as_object_mut().expect("an object");
        let mut recipes = fields.remove("recipes").unwrap_or_default();
        let recipes =
            ["list", "details", "others"].map(|part| recipes.get_mut(part).map(Value::take));
        fields.remove("facts");
        let parts =
            ["hashes", "details", "dependencies", "changes"].map(|part| fields.remove(part));
        let index =
            Index::from_json(&columns.to_string()).expect("columns without the other parts");
        let set =
            [Index::set_hashes, Index::set_details, Index::set_dependencies, Index::set_changes];
        let set_recipes =
            [Index::set_recipes, Index::set_recipe_details, Index::set_other_packages];
        let parts = parts.iter().zip(set).chain(recipes.iter().zip(set_recipes));
        for (part, set) in parts {
            let set = part.iter().try_for_each(|part| set(&index, &part.to_string()));
            set.unwrap_or_else(|error| panic!("{}: {error}", self.name()));
        }
        self.with_facts(index)
    }

    /// Returns the builds that this file contains. If they have not been recorded, writes them and fails, so that
    /// somebody checks them.
    fn builds(&self, found: &str) -> String {
        let path = self.path.with_extension("builds.jsonl");
        fs::read_to_string(&path).unwrap_or_else(|_| {
            fs::write(&path, found).expect("a place for the builds");
            panic!("{}: recorded its builds for the first time: check and commit them", self.name())
        })
    }
}

/// Returns all builds of an index, one per line.
fn lines(index: &Index) -> String {
    let line = |id| {
        let mut line = line(index.build(id).expect("a build"));
        line.extend(found_in_binary(index, id).map(|found| ("binary".to_owned(), found)));
        format!("{}\n", Value::Object(line))
    };
    (0..index.specs()).map(|id| line(BuildId(id))).collect()
}

/// Returns what the index says about the binary of a build, if it was published with facts.
fn found_in_binary(index: &Index, id: BuildId) -> Option<Value> {
    let texts = index.facts()?;
    let by_build = FactsByBuild::read(&texts.by_build, index).expect("numbers");
    let files = texts.contents.iter().find_map(|shard| {
        let shard = ShardOfBuilds::read(&shard.text).expect("a shard");
        let files = shard.of(id).expect("codes in range")?;
        let listed = |file: &&ListedFile| {
            let mut listed = vec![json!(file.entry.path), json!(file.entry.size)];
            listed.push(json!(file.entry.target));
            // Older indexes do not have these.
            listed.extend((!file.needed.is_empty()).then(|| json!(file.needed)));
            Value::Array(listed)
        };
        Some(files.iter().map(listed).collect())
    });
    let files: Option<Vec<Value>> = files;
    let found = texts.files.iter().flat_map(|shard| {
        let names = ShardOfNames::read(&shard.text, index).expect("a shard");
        let of_build = names.with("").filter(|(_, builds)| builds.iter().any(|build| build == id));
        of_build.map(|(path, _)| path).collect::<Vec<_>>()
    });
    let mut found: Vec<String> = found.collect();
    found.sort();
    let listed = files.iter().flatten().filter_map(|file| Some(file[0].as_str()?.to_owned()));
    assert_eq!(found, listed.collect::<Vec<_>>(), "the files that the build is found by");
    let BuildFacts { size, unpacked, files: count, prefix } = by_build.of(id);
    let mut found = json!({
        "size": size, "unpacked": unpacked, "count": count, "prefix": prefix, "files": files,
    });
    // Older indexes do not have these.
    if let Some(room) = by_build.room(id) {
        found["room"] = json!(room);
    }
    if let Some(demands) = by_build.demands(id) {
        found["demands"] = json!(demands);
    }
    Some(found)
}

/// Returns everything known about a build. Unknown fields are omitted, so that fields added by later formats do not
/// change the line.
fn line(build: Build) -> Map<String, Value> {
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
        found_at,
        spliced_from,
        spec_format,
        provided_virtuals,
        signature,
        digest: _,
        first_seen,
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
        ("found_at", json!(found_at)),
        ("spliced_from", json!(spliced_from.map(|hash| hash.to_string()))),
        ("spec_format", json!(spec_format)),
        ("provided_virtuals", json!(provided_virtuals)),
        ("signature", json!(signature.as_ref().map(Signature::text))),
        ("first_seen", json!(first_seen)),
        (
            "dependencies",
            dependencies.map(|all| all.into_iter().map(dependency).collect::<Vec<_>>()).into(),
        ),
    ];
    let known = fields.into_iter().filter(|(_, value)| !value.is_null());
    known.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn read(json: &str) -> Value {
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn loads_every_index_that_was_ever_written() {
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
fn loads_every_index_in_parts() {
    for golden in Golden::all() {
        let whole = golden.load();
        let index = golden.load_in_parts();
        assert_eq!(lines(&index), lines(&whole), "{}", golden.name());
    }
}

#[test]
fn writes_indexes_of_older_formats_in_the_newest() {
    for golden in Golden::all() {
        let old = golden.load();
        let written = old.to_json_with_facts();
        assert_eq!(read(&written)["format"], json!(FORMAT));
        let mut new = Index::from_json(&written).expect("what was just written");
        new.take_facts(&written).expect("what was just written");
        assert_eq!(lines(&new), lines(&old), "{}", golden.name());
    }
}

/// Fails if the written form changes its shape without a new number.
#[test]
fn writes_the_newest_format_unchanged() {
    let newest: Vec<Golden> =
        Golden::all().into_iter().filter(|golden| golden.format == FORMAT).collect();
    assert!(newest.iter().any(|golden| golden.name().ends_with("/every-field")));
    for golden in newest {
        let index = golden.load();
        assert_eq!(read(&index.to_json_with_facts()), read(&golden.json), "{}", golden.name());
    }
}
