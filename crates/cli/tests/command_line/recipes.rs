//! What recipes say: `--recipes`, and `outdated`.

use std::collections::BTreeMap;
use std::fs;

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::recipes::Recipe;
use serde_json::{Value, json};
use spack_spec::Version;

use crate::desk::{Desk, HASH, data, page};
use crate::site::SITE;

/// Returns databases with fftw, hdf5 (a commit), openblas, yaksa, zlib, zstd and more, and pages of Python packages.
fn inputs() -> [String; 3] {
    [data("database/v8.json"), data("database/v7.json"), data("../../seeds")]
}

fn load(desk: &Desk, name: &str) -> Index {
    Index::from_json(&desk.read(name)).expect("an index")
}

/// Returns what the recipes in the test data say, as JSON, by the name of the package.
fn plain_recipes() -> BTreeMap<String, Value> {
    let read = |path| -> Value {
        serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON")
    };
    let listed = read(data("recipes/version_json.json").into());
    let listed = listed.as_array().expect("a list").clone();
    let files = fs::read_dir(data("recipes/packages")).expect("a folder");
    let files = files.map(|file| read(file.expect("a file").path()));
    let name = |recipe: &Value| recipe["name"].as_str().expect("a name").to_owned();
    listed.into_iter().chain(files).map(|recipe| (name(&recipe), recipe)).collect()
}

#[test]
fn changes_nothing_without_recipes() {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    desk.run(&["index", "page.md", "-o", "plain.json"]);
    assert!(!desk.read("plain.json").contains("recipes"));
    desk.write("dist/index.html", SITE);
    desk.run(&["embed", "page.md", "--into", "dist"]);
    let plain = desk.read("dist/index.html");
    assert!(!plain.contains("recipe") && !plain.contains("index-other"), "{plain}");
    // A page loses its recipes again when it gets an index that was made without them.
    desk.run(&["embed", "page.md", "--into", "dist", "--recipes", &data("recipes/packages")]);
    assert!(desk.read("dist/index.html").contains("id=\"index-recipes\">"));
    desk.run(&["embed", "page.md", "--into", "dist"]);
    assert_eq!(desk.read("dist/index.html"), plain);
}

#[test]
fn puts_what_recipes_say_into_the_index() {
    let desk = Desk::new();
    let inputs = inputs();
    let mut index = vec!["index", "--release", "develop"];
    index.extend(inputs.iter().map(String::as_str));
    let (listed, packages) = (data("recipes/version_json.json"), data("recipes/packages"));
    index.extend(["--recipes", &listed, "--recipes", &packages]);
    let outcome = desk.run(&index);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let index = load(&desk, "index.json");
    let names = index.dictionary(Facet::Package);
    let plain = plain_recipes();
    let list = index.recipe_list().expect("recipes");
    for (package, name) in names.iter() {
        let recipe = index.recipe_of(package).expect("good");
        assert_eq!(recipe.is_some(), plain.contains_key(name), "{name}");
        let (Some(recipe), Some(plain)) = (recipe, plain.get(name)) else { continue };
        // Every field in the sample is also in the index.
        let text = |value: &Value| {
            let words = value.as_str().unwrap_or_default().split_whitespace();
            words.collect::<Vec<_>>().join(" ")
        };
        let found = |text: Option<String>| text.unwrap_or_default();
        assert_eq!(found(recipe.description.clone()), text(&plain["description"]), "{name}");
        assert_eq!(found(recipe.homepage.clone()), text(&plain["homepage"]), "{name}");
        assert_eq!(found(recipe.build_system.clone()), text(&plain["build_system"]), "{name}");
        let lists = [
            (&recipe.licenses, "licenses"),
            (&recipe.maintainers, "maintainers"),
            (&recipe.provides, "provides"),
        ];
        for (found, field) in lists {
            assert_eq!(json!(found), plain[field], "{name} {field}");
        }
        let variants = recipe.variants.iter().flatten().map(|variant| {
            let default =
                variant.default.parse::<bool>().map_or(json!(variant.default), Value::Bool);
            json!({"name": variant.name, "default": default, "description": variant.description})
        });
        let variants: Vec<Value> = variants.collect();
        let expected = plain["variants"].as_array().cloned().unwrap_or_default();
        let squeezed = expected.into_iter().map(|mut variant| {
            variant["description"] = json!(text(&variant["description"]));
            variant
        });
        assert_eq!(variants, squeezed.collect::<Vec<_>>(), "{name}");
        assert_eq!(
            list.of(package).expect("listed").description,
            found(recipe.description),
            "{name}"
        );
    }
    // For packages that the cache does not have, the index has the names and the newest versions.
    let others = index.other_packages().expect("others");
    assert_eq!(others.newest_of("dealii"), Some("9.7.1"));
    assert_eq!(others.newest_of("zlib"), None);
    let expected: Vec<&String> = plain.keys().filter(|name| names.code(name).is_none()).collect();
    assert_eq!(others.names.iter().collect::<Vec<_>>(), expected);

    // A page keeps these parts, and so does a command that takes the index.
    desk.write("dist/index.html", SITE);
    desk.run(&["embed", "index.json", "--into", "dist", "--inline"]);
    let again = desk.run(&["outdated", "dist/index.html"]);
    assert_eq!((again.code, again.out), (Some(0), desk.run(&["outdated", "index.json"]).out));
    assert_eq!(desk.run(&["check", "index.json"]).code, Some(0));
}

/// Computes the expected answer in plain loops: for each package, the versions in the cache, and those in Spack that are
/// releases and not deprecated, newest first.
fn plain_outdated(index: &Index) -> (Vec<Value>, Vec<Value>) {
    let (mut outdated, mut deprecated) = (Vec::new(), Vec::new());
    let is_release = |version: &str| {
        let infinite = ["develop", "main", "master", "head", "trunk", "nightly", "stable"];
        !version.starts_with("git.") && !infinite.iter().any(|word| version.contains(word))
    };
    let version = |text: &str| text.parse::<Version>().expect("a version");
    for (name, recipe) in plain_recipes() {
        let mut cached: Vec<(String, usize)> = Vec::new();
        for build in (0..index.specs()).map(cache_index::index::BuildId) {
            let build = index.build(build).expect("a build");
            if build.package == name && build.has_binary() {
                match cached.iter_mut().find(|(version, _)| *version == build.version) {
                    Some((_, builds)) => *builds += 1,
                    None => cached.push((build.version, 1)),
                }
            }
        }
        if cached.is_empty() {
            continue;
        }
        let names = |field: &str| -> Vec<String> {
            let all = recipe[field].as_array().into_iter().flatten();
            let all = all.filter(|it| it["branch"].is_null() || !it["commit"].is_null());
            all.filter_map(|it| Some(it.as_str().or(it["name"].as_str())?.to_owned())).collect()
        };
        let old = names("versions_deprecated");
        let mut known: Vec<String> =
            names("versions").into_iter().filter(|it| is_release(it)).collect();
        if recipe["versions_deprecated"].is_null() {
            let latest = version(recipe["latest_version"].as_str().expect("a version"));
            known.retain(|it| version(it) <= latest);
        }
        known.sort_by_key(|it| std::cmp::Reverse(version(it)));
        let mut newest: Vec<&String> =
            cached.iter().map(|(it, _)| it).filter(|it| is_release(it)).collect();
        newest.sort_by_key(|it| std::cmp::Reverse(version(it)));
        let newer = known
            .iter()
            .filter(|it| newest.first().is_none_or(|cached| version(it) > version(cached)));
        let behind = newer.count();
        if behind > 0 {
            outdated.push(json!({"package": name, "cached": newest.first(), "newest": known[0], "behind": behind}));
        }
        cached.retain(|(it, _)| old.contains(it));
        cached.sort_by_key(|(it, _)| std::cmp::Reverse(version(it)));
        let builds =
            |(version, builds)| json!({"package": name, "version": version, "builds": builds});
        deprecated.extend(cached.into_iter().map(builds));
    }
    outdated.sort_by_key(|one| std::cmp::Reverse(one["behind"].as_u64()));
    (outdated, deprecated)
}

#[test]
fn lists_what_is_outdated_as_a_plain_reading_does() {
    let desk = Desk::new();
    let inputs = inputs();
    let (listed, packages) = (data("recipes/version_json.json"), data("recipes/packages"));
    let mut outdated = vec!["outdated", "--release", "develop"];
    outdated.extend(inputs.iter().map(String::as_str));
    outdated.extend(["--recipes", &listed, "--recipes", &packages]);
    let found = desk.run(&[&outdated[..], &["--json"]].concat());
    assert_eq!((found.code, found.err.as_str()), (Some(0), ""));
    let found: Value = serde_json::from_str(&found.out).expect("JSON");
    let mut index = vec!["index", "--release", "develop"];
    index.extend(inputs.iter().map(String::as_str));
    desk.run(&index);
    let (expected, deprecated) = plain_outdated(&load(&desk, "index.json"));
    assert!(expected.len() > 4, "{expected:?}");
    assert_eq!((&found["outdated"], &found["deprecated"]), (&json!(expected), &json!(deprecated)));

    let lines = desk.run(&outdated).out;
    let markdown = desk.run(&[&outdated[..], &["--markdown"]].concat()).out;
    assert!(lines.contains("  py-safetensors"), "{lines}");
    assert!(markdown.starts_with(&format!("**{}**\n", lines.lines().next().expect("a headline"))));
    // Without recipes there is nothing to compare with.
    let without = desk.run(&["outdated", "index.json"]);
    assert_eq!(without.code, Some(1));
    assert!(without.err.contains("--recipes"), "{}", without.err);
}

#[test]
fn says_what_is_wrong_with_recipes_and_writes_nothing() {
    let desk = Desk::new();
    desk.write("page.md", page("zlib", HASH, "rhel8"));
    desk.write("recipes/zlib.json", r#"{"name": "zlib", "versions": [{"name": "--help"}]}"#);
    desk.write("recipes/.git/a.json", "{");
    desk.write("recipes/list.json", r#"["zlib"]"#);
    let index = |recipes: &str| desk.run(&["index", "page.md", "--recipes", recipes]);
    let outcome = index("recipes");
    assert_eq!(outcome.code, Some(1));
    let expected = "error: recipes: zlib.json: field versions: expected letters, digits, `_`, `-` and `.`, as in \
                    Spack's names and versions, found \"--help\"\n";
    assert!(outcome.err.starts_with(expected), "{}", outcome.err);
    assert!(!desk.path("index.json").exists());
    assert!(index("nowhere").err.contains("nowhere: "), "{}", index("nowhere").err);
    assert!(index("http://example.org/a.json").err.contains("is not encrypted"));
    // An input is never overwritten.
    desk.write("a.json", r#"[{"name": "zlib", "versions": ["1.3"]}]"#);
    let over = desk.run(&["index", "page.md", "--recipes", "a.json", "-o", "a.json"]);
    assert_eq!(over.code, Some(1), "{}", over.err);
    assert!(desk.read("a.json").starts_with('['));
    // Recipes may come from the standard input.
    let piped = desk.run_with(&["index", "page.md", "--recipes", "-"], &desk.read("a.json"));
    assert_eq!((piped.code, piped.err.as_str()), (Some(0), ""));
}

#[test]
fn says_which_roots_of_an_environment_spack_can_build() {
    let desk = Desk::new();
    desk.write("specs.txt", "dealii@9.5 +mpi\nzlib\nnothing-like-it\n");
    let cache = data("database/v8.json");
    let recipes = data("recipes/version_json.json");
    let environment = ["environment", "specs.txt", "--from", &cache, "--recipes", &recipes];
    let words = "Spack has a recipe for dealii, whose newest release is 9.7.1; this cache has no binary of it\n";
    let outcome = desk.run(&environment);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    assert!(outcome.out.contains(words), "{}", outcome.out);
    assert!(!outcome.out.contains("Spack can build nothing"), "{}", outcome.out);
    let json: Value =
        serde_json::from_str(&desk.run(&[&environment[..], &["--json"]].concat()).out)
            .expect("JSON");
    assert_eq!(json["from_source"], json!([{"package": "dealii", "newest": "9.7.1"}]));
    let plain = desk.run(&environment[..4]).out;
    desk.write("other.txt", "dealii@9.7: +mpi\n");
    let other = desk.run(&["environment", "other.txt", "--from", &cache, "--recipes", &recipes]);
    assert!(other.out.contains("Spack can build dealii 9.7.1 from source"), "{}", other.out);
    assert_eq!(outcome.out.replace(words, ""), plain);
}

#[test]
fn keeps_what_recipes_say_where_an_index_is_merged_with_others() {
    let desk = Desk::new();
    let [first, second, _] = inputs();
    let (listed, packages) = (data("recipes/version_json.json"), data("recipes/packages"));
    let index = |inputs: &[&str], output: &str, recipes: &[&str]| {
        let recipes = recipes.iter().flat_map(|place| ["--recipes", place]);
        let mut arguments = [&["index"], inputs, &["-o", output]].concat();
        arguments.extend(recipes);
        let outcome = desk.run(&arguments);
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    };
    index(&[&first], "first.json", &[&listed]);
    index(&[&second], "second.json", &[&packages]);
    index(&["first.json", "second.json"], "merged.json", &[]);
    index(&["first.json", "second.json"], "given.json", &[&listed, &packages]);
    let [first, second, merged, given] =
        ["first", "second", "merged", "given"].map(|name| load(&desk, &format!("{name}.json")));
    // A cache keeps everything that is said of its own packages, and the later index wins.
    let recipe = |index: &Index, name: &str| {
        let package = index.dictionary(Facet::Package).code(name)?;
        let recipe = index.recipe_of(package).expect("good")?;
        // This field is computed again each time.
        Some(Recipe { is_spdx: false, ..recipe })
    };
    let mut known = 0;
    for (_, name) in merged.dictionary(Facet::Package).iter() {
        let said = [recipe(&first, name), recipe(&second, name)].into_iter().flatten();
        let expected = said.reduce(|mut earlier, later| {
            earlier.unite(later);
            earlier
        });
        known += usize::from(expected.is_some());
        assert_eq!(recipe(&merged, name), expected, "{name}");
    }
    assert!(known > 2, "{known}");
    // The packages that no cache has are the same as if the merged cache were given all recipes.
    let others = |index: &Index| index.other_packages().expect("others").clone();
    assert_eq!(others(&merged).names, others(&given).names);
    assert_eq!(others(&merged).newest.len(), others(&given).newest.len());
}
