//! Environments that Spack concretized twice, with known changes in between. Spack's own hashes prove which differences
//! are causes: if all causes are undone, it computes the old hashes again, and if one is not undone, it does not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use cache_advice::causes::{Causes, CausesInWords, Occasion};
use cache_advice::environment::Assessment;
use cache_index::build::Place;
use cache_index::environment::Environment;
use cache_index::index::{About, BuildId, Index, pack};
use cache_ingest::{read_database, read_environment};
use cache_query::Question;
use flate2::read::GzDecoder;
use serde_json::{Map, Value, json};

/// The specs by hash, and the cases by name.
struct Recorded {
    specs: Map<String, Value>,
    cases: Map<String, Value>,
}

fn recorded() -> Recorded {
    let path = "../../tests/data/causes/recorded.json.gz";
    let file = File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the file");
    let mut all: Value = serde_json::from_reader(GzDecoder::new(file)).expect("JSON");
    let mut take = |name: &str| match all[name].take() {
        Value::Object(object) => object,
        other => panic!("{other}"),
    };
    Recorded { specs: take("specs"), cases: take("cases") }
}

impl Recorded {
    fn specs_of<'r>(
        &'r self,
        case: &'r Value,
        side: &str,
    ) -> impl Iterator<Item = (&'r str, &'r Value)> {
        texts(&case[side]).map(|hash| (hash, &self.specs[hash]))
    }

    /// Reads one side of a case as a database, in which all but externals have a binary.
    fn cache(&self, case: &Value, side: &str) -> Index {
        let record = |(hash, spec): (&str, &Value)| {
            let has_binary = spec.get("external").is_none();
            (hash.to_owned(), json!({"spec": spec, "ref_count": 1, "in_buildcache": has_binary}))
        };
        let installs: Map<String, Value> = self.specs_of(case, side).map(record).collect();
        let text = json!({"database": {"version": "8", "installs": installs}}).to_string();
        let place = Place::whole_release("");
        let read = read_database(text.as_bytes(), &place).into_result().expect("a database");
        pack(About::default(), read.builds).expect("different hashes")
    }

    fn environment(&self, case: &Value, side: &str) -> Environment {
        let specs: Map<String, Value> =
            self.specs_of(case, side).map(|(hash, spec)| (hash.to_owned(), spec.clone())).collect();
        let lock = json!({
            "_meta": {"file-type": "spack-lockfile", "lockfile-version": 6, "specfile-version": 5},
            "spack": {"version": "1.2.0.dev0", "type": "release"},
            "roots": case[format!("{side}_roots")],
            "concrete_specs": specs,
        });
        read_environment(lock.to_string().as_bytes()).expect("a lock file")
    }
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Compares causes with the recorded ones: each field of each node with its values, and what follows from which nodes.
#[track_caller]
fn check(name: &str, case: &Value, causes: &Causes) {
    let ours = Value::Object(CausesInWords { causes, occasion: Occasion::TwoBuilds }.json());
    // By hash and field.
    let mut expected: BTreeMap<(String, String), (Value, Value)> = BTreeMap::new();
    let mut by_name: BTreeMap<&str, &str> = BTreeMap::new();
    for node in case["causes"].as_array().expect("a list") {
        let hash = node["new"].as_str().expect("a hash");
        by_name.insert(node["name"].as_str().expect("a name"), hash);
        for (field, values) in node["changes"].as_object().expect("fields") {
            let values = (values["old"].clone(), values["new"].clone());
            expected.insert((hash.to_owned(), field.clone()), values);
        }
    }
    let mut found = BTreeMap::new();
    for cause in ours["causes"].as_array().expect("a list") {
        for hash in texts(&cause["hashes"]) {
            let field = cause["field"].as_str().expect("a name").to_owned();
            found.insert((hash.to_owned(), field), (cause["old"].clone(), cause["new"].clone()));
        }
    }
    assert_eq!(found, expected, "{name}: {}", case["meant"]);
    let follows: BTreeMap<String, BTreeSet<String>> = case["follows"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|node| {
            let causes = texts(&node["because_of"]).map(|name| by_name[name].to_owned());
            (node["new"].as_str().expect("a hash").to_owned(), causes.collect())
        })
        .collect();
    let found: BTreeMap<String, BTreeSet<String>> = ours["follows"]
        .as_object()
        .expect("an object")
        .iter()
        .map(|(hash, causes)| (hash.clone(), texts(causes).map(str::to_owned).collect()))
        .collect();
    assert_eq!(found, follows, "{name}");
    let added: BTreeSet<&str> = case["added"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|node| node["hash"].as_str())
        .collect();
    assert_eq!(texts(&ours["additions"]).collect::<BTreeSet<_>>(), added, "{name}");
    assert_eq!(ours.get("unexplained"), None, "{name}");
}

fn all(index: &Index) -> Vec<BuildId> {
    index.builds_with_binary().collect()
}

#[test]
fn finds_the_recorded_causes_of_what_changed() {
    let recorded = recorded();
    for (name, case) in &recorded.cases {
        let (old, new) = (recorded.cache(case, "old"), recorded.cache(case, "new"));
        check(name, case, &Causes::between((&old, &all(&old)), (&new, &all(&new))));
    }
}

#[test]
fn finds_the_recorded_causes_of_missing_specs() {
    let recorded = recorded();
    for (name, case) in &recorded.cases {
        let cache = recorded.cache(case, "old");
        let environment = recorded.environment(case, "new");
        let assessment =
            Assessment::new(&cache, &environment, &Question::default(), cache.dialect());
        let causes = Causes::of_environment(&cache, &environment, &assessment);
        check(name, case, &causes);
        // Undoing them all leads to builds that the cache has.
        let all: Vec<usize> = causes.shown().map(|(at, _)| at).collect();
        assert_eq!(causes.restored(&all), (assessment.counts.missing, 0), "{name}");
    }
}

#[test]
fn says_what_would_undo_the_causes() {
    let recorded = recorded();
    let written = |name: &str| {
        let case = &recorded.cases[name];
        let cache = recorded.cache(case, "old");
        let environment = recorded.environment(case, "new");
        let assessment =
            Assessment::new(&cache, &environment, &Question::default(), cache.dialect());
        let causes = Causes::of_environment(&cache, &environment, &assessment);
        let counts = assessment.counts;
        let occasion = Occasion::Missing {
            wanted: counts.nodes - counts.external,
            cached: counts.cached,
            left_out: None,
        };
        CausesInWords { causes: &causes, occasion }.text()
    };
    let expected = "\
6 of your 21 specs are missing because of 2 differences
  variant: +shared → ~shared of openssl, compared with openssl/xcko2cn
      explains 4 specs, all of them alone
      to undo it, require +shared for openssl
  version: 5.4.7 → 5.6.3 of xz, compared with xz/npmm4ak
      explains 2 specs, all of them alone
      to undo it, require @5.4.7 for xz

What would undo the differences, in spack.yaml:

packages:
  openssl:
    require: \"+shared\"
  xz:
    require: \"@5.4.7\"

With these, 21 of 21 are in the cache
";
    assert_eq!(written("two-causes"), expected);
    let expected = "\
19 of your 21 specs are missing because of 1 difference
  version: 11.4.0 → 12.3.0 of gcc, gcc-runtime
      explains 19 specs, all of them alone
      to undo it, use the external gcc@11.4.0 languages:='c,c++,fortran'

What would undo the differences, in spack.yaml:

packages:
  gcc:
    externals:
    - spec: \"gcc@11.4.0 languages:='c,c++,fortran'\"
      prefix: /usr
      extra_attributes: {\"compilers\":{\"c\":\"/usr/bin/gcc-11\",\"cxx\":\"/usr/bin/g++-11\",\"fortran\":\"/usr/bin/gfortran-11\"}}

With these, 21 of 21 are in the cache
";
    assert_eq!(written("compiler-version"), expected);
    // No setting in spack.yaml restores another recipe, so other lines would be of no use.
    let recipe = written("recipe-only");
    assert!(recipe.contains("to undo it, use the recipe of gmake that the cache was built with"));
    assert!(!recipe.contains("packages:"), "{recipe}");
}
