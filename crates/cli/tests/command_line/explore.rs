//! `spack explore`: what the extension makes of the solver's answer. A few classes take the place of Spack's here; their
//! names and fields are the same as in Spack.

use serde_json::Value;

use crate::desk::{Desk, data, root};
use crate::python::{self, Python};

/// Runs the extension with specs or for an environment, and prints the mirrors, the calls of the command, and the lock file.
const RUN: &str = r#"
import contextlib, json, pathlib, sys, types
from types import SimpleNamespace

HERE, FETCHED = {"cmake"}, {"lib", "runtime"}

class Spec:
    all = {}
    def __init__(self, name, external=False, **below):
        self.name, self.external, self.installed, self.below = name, external, name in HERE, below
        self.prefix, self.build_spec = "/opt/" + name, self
        Spec.all[name] = self
    def dag_hash(self):
        return (self.name + "a" * 32)[:32]
    def dependencies(self, deptype=("build", "link", "run")):
        return [Spec.all[name] for name, types in self.below.items() if set(types) & set(deptype)]
    def traverse(self):
        return [self] + [one for below in self.dependencies() for one in below.traverse()]
    def satisfies(self, other):
        return str(other).startswith(self.name)
    def node_dict_with_hashes(self):
        edge = lambda name, types: {"name": name, "hash": Spec.all[name].dag_hash(),
            "parameters": {"deptypes": list(types), "virtuals": []}}
        node = {"name": self.name, "version": "1.0", "namespace": "builtin", "parameters": {},
            "annotations": {"original_specfile_version": 5},
            "arch": {"platform": "linux", "platform_os": "rhel9", "target": "x86_64"},
            "dependencies": [edge(*each) for each in self.below.items()]}
        return {**node, "external": {"path": "/usr", "module": None}} if self.external else node

Spec("gcc", external=True)
Spec("make"), Spec("other"), Spec("runtime")
Spec("lib", make=["build"], gcc=["build"], runtime=["link"])
Spec("cmake", other=["link"])
app = Spec("app", lib=["link"], cmake=["build"])

class Mirror:
    def __init__(self, url, name="there"):
        self.fetch_url, self.name = url, name
    def to_dict(self):
        return self.fetch_url

class Mirrors(dict):
    def __init__(self, binary=None):
        super().__init__(ours=Mirror(sys.argv[3], "ours"))

overridden = []
@contextlib.contextmanager
def override(scope):
    overridden.append(scope)
    yield

class Environment:
    def concretize(self):
        self.solved = [("app@1:", app)]
    def concretized_specs(self):
        return self.solved

index = SimpleNamespace(update=lambda **_: None, find_by_hash=lambda key: [1] if any(key.startswith(name) for name in FETCHED) else [])
class Error(Exception):
    pass
for name, fields in {
    "spack": {}, "spack.binary_distribution": {"BINARY_INDEX": index}, "spack.caches": {},
    "spack.cmd": {"parse_specs": lambda words, concretize=False: [app] if concretize else [" ".join(words)]},
    "spack.cmd.common": {}, "spack.cmd.common.arguments": {"mirror_name_or_url": lambda word: Mirrors().get(word) or Mirror(word)},
    "spack.config": {"override": override, "InternalConfigScope": lambda name, data: [*data]}, "spack.environment": {"active_environment": Environment},
    "spack.environment.environment": {"lockfile_format_version": 7}, "spack.error": {"SpackError": Error},
    "spack.mirrors": {}, "spack.mirrors.mirror": {"Mirror": Mirror, "MirrorCollection": Mirrors},
    "spack.repo": {}, "spack.spec": {"Spec": Spec, "SPECFILE_FORMAT_VERSION": 5}, "spack.version": {"VersionList": list},
}.items():
    module = sys.modules[name] = types.ModuleType(name)
    module.__dict__.update(fields)
    if "." in name:
        setattr(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2], module)

sys.path.insert(0, sys.argv[1])
import explore
print("mirrors:", *filter(explore.is_mirror, sys.argv[5:]))
run = explore.run
explore.program = lambda: sys.argv[2]
def called(call):
    sys.stdout.flush()
    if call[1] == "environment":
        pathlib.Path("spack.lock").write_text(pathlib.Path(call[2]).read_text())
        run(call)
    print(*(pathlib.Path(word).name for word in call[1:]))
explore.run = called
asked = sys.argv[5:]
explore.explore(None, SimpleNamespace(asked=asked, environment=not asked or asked == ["ours"], no_recipes=True, no_browser=True))
print("overridden:", overridden)
"#;

/// Runs the extension, and returns what it prints.
#[track_caller]
fn explore(desk: &Desk, asked: &[&str]) -> String {
    let command = root().join("packaging/python/spack_cache_explorer/spack-explore/explore/cmd");
    let command = command.display().to_string();
    let mirror = data("mirror-v3");
    let call = ["-c", RUN, &command, env!("CARGO_BIN_EXE_cache-explorer"), &mirror, "--"];
    let outcome = desk.call(python::command().args([&call[..], asked].concat()), "");
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{}", outcome.out);
    outcome.out
}

#[test]
fn opens_what_the_solver_chooses_for_a_spec() {
    let Some(Python) = python::with("json") else { return };
    let desk = Desk::new();
    let said = explore(&desk, &["app@1:", "+x", "^lib/abc"]);
    let counts =
        "Spack would take 2 from the mirrors and compile 1; 2 are on this machine already.";
    assert!(said.contains(counts), "{said}");
    // The command reads the lock file. The mirror has none of its specs.
    assert!(
        said.contains("0 of 3 specs are in the cache") && said.contains("2 external"),
        "{said}"
    );
    let page = "\nopen --environment spack.lock --mirrors mirrors.yaml --no-browser\n";
    assert!(said.contains(page) && said.starts_with("mirrors:\n"), "{said}");
    assert!(said.ends_with("overridden: []\n"), "{said}");
    let lock: Value = serde_json::from_str(&desk.read("spack.lock")).expect("JSON");
    assert_eq!(lock["roots"][0]["spec"], "app@1: +x ^lib/abc");
    let nodes = lock["concrete_specs"].as_object().expect("an object");
    let names = nodes.values().map(|node| node["name"].as_str().expect("a name"));
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    // The lock file has neither the build dependencies of a build that is fetched, nor the dependencies of one that is
    // installed.
    assert_eq!(names, ["app", "cmake", "gcc", "lib", "runtime"]);
    let below = |name: &str| {
        let node = nodes.values().find(|node| node["name"] == name).expect("a node");
        let edges = node["dependencies"].as_array().expect("a list").iter();
        edges.map(|edge| edge["name"].as_str().expect("a name")).collect::<Vec<_>>()
    };
    assert_eq!(
        [below("app"), below("lib"), below("cmake")],
        [vec!["lib", "cmake"], vec!["gcc", "runtime"], vec![]]
    );
}

#[test]
fn asks_the_solver_about_the_mirrors_that_are_named() {
    let Some(Python) = python::with("json") else { return };
    let desk = Desk::new();
    let folder = desk.path("here");
    std::fs::create_dir(&folder).expect("a folder");
    let mirrors = ["ours", "./here", "https://example.org/m", "/no/such"];
    let specs = ["app", "/abc", "lib/abc", "dev_path=/no/such", "nothere/abc", "here"];
    let words = [&mirrors[..], &["s3://b/c", "~/m", ".."], &specs].concat();
    let script = RUN.split("run = explore.run").next().expect("a beginning");
    let command = root().join("packaging/python/spack_cache_explorer/spack-explore/explore/cmd");
    let command = command.display().to_string();
    let call = ["-c", script, &command, "", "", "--"];
    let outcome = desk.call(python::command().args([&call[..], &words].concat()), "");
    let expected = "mirrors: ours ./here https://example.org/m /no/such s3://b/c ~/m ..\n";
    assert_eq!((outcome.out.as_str(), outcome.err.as_str()), (expected, ""));
    assert!(explore(&desk, &["ours", "app"]).ends_with("overridden: [['mirrors:']]\n"));
}

#[test]
fn opens_an_environment_that_is_not_concretized_yet() {
    let Some(Python) = python::with("json") else { return };
    let desk = Desk::new();
    let said = explore(&desk, &[]);
    assert!(said.contains("\nopen --environment spack.lock --mirrors mirrors.yaml"), "{said}");
    let lock: Value = serde_json::from_str(&desk.read("spack.lock")).expect("JSON");
    assert_eq!(lock["roots"][0]["spec"], "app@1:");
}
