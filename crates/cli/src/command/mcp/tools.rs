//! The tools of the server: their descriptions for models, and how their arguments are read.
//!
//! A tool refuses every argument that it does not know: if it ignored the argument, a model would take the answer to be
//! about the question it meant to ask.

use cache_index::index::Index;
use cache_index::number::counted;
use cache_ingest::problem::quote;
use serde_json::{Map, Value, json};

use super::answers;
use super::bounded::LIMITS;
use super::given::{LIMIT, OFFSET, Snapshot, ToolInput};
use super::protocol::{Arguments, Tools};

/// The tools, for one cache.
pub(super) struct CacheTools<'i> {
    index: &'i Index,
    snapshot: Option<Snapshot>,
}

/// A tool.
struct Tool {
    name: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    answer: fn(&Index, &ToolInput<'_>) -> Result<Value, String>,
}

/// An argument of a tool.
struct Argument {
    name: &'static str,
    kind: Kind,
    is_required: bool,
    description: &'static str,
}

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Texts,
    Switch,
}

const fn text(name: &'static str, description: &'static str) -> Argument {
    Argument { name, kind: Kind::Text, is_required: false, description }
}

impl Argument {
    const fn required(self) -> Argument {
        Argument { is_required: true, ..self }
    }
}

const BUILD: Argument = text("build", "The hash of a build, or its beginning.").required();

const TOOLS: [Tool; 6] = [
    Tool {
        name: "search",
        description: "Finds the prebuilt binaries that satisfy a Spack spec, as `spack find` would: each with its hash, \
            package, version, compiler, platform, os, target, variants and the releases and stacks that have it. If none \
            does, the reason.",
        arguments: &[text(
            "spec",
            "A spec such as `hdf5@1.14: +mpi %gcc@13 os=ubuntu22.04 target=x86_64_v3`, or `/` and the beginning of a hash. \
             Where it is known what is in binaries, also the files that a build must have: `file:h5dump`, \
             `file:libhdf5.so*`, `import:mpi4py`.",
        )
        .required()],
        answer: answers::search,
    },
    Tool {
        name: "build",
        description: "Returns everything that is known about one build: its whole spec, size, libc, direct dependencies, \
            where it is, and the commands that install it.",
        arguments: &[BUILD],
        answer: answers::build,
    },
    Tool {
        name: "why",
        description: "Says whether Spack would reuse a build on a machine, or each build that satisfies a spec: every rule of \
            Spack, whether the build passes it, the fact that decides, and what would change it. `eligible` is null if the \
            cache does not say enough. Only Spack's solver can say which of the eligible builds it would choose.",
        arguments: &[
            Argument { name: "build", description: "The hash of a build or its beginning, or a spec.", ..BUILD },
            text(
                "host",
                "The machine: platform, OS and target such as `linux.ubuntu22.04.zen3`, or in words such as `Rocky 9 sapphire \
                 rapids`, or the output of `spack arch`, `lscpu` or `uname -a`.",
            )
            .required(),
            text("libc", "The machine's libc, such as `glibc@2.34` or `2.34`. It decides on Linux."),
            text("gpu", "A GPU of the machine: `H100`, `sm_90`, `MI250X`, `gfx90a`."),
            text("spack", "The version of Spack on the machine, such as `1.1`."),
        ],
        answer: answers::why,
    },
    Tool {
        name: "environment",
        description: "Says how much of an environment is in the cache: which specs are missing, which of them others wait for, \
            and which build is nearest to each. Of specs that are not concrete, which builds satisfy them.",
        arguments: &[
            text(
                "content",
                "The content of a spack.lock or a spack.yaml, the output of `spack spec --json`, or a list of specs or \
                 hashes, one per line.",
            )
            .required(),
            Argument {
                name: "causes",
                kind: Kind::Switch,
                is_required: false,
                description: "Add which differences keep specs out of the cache.",
            },
        ],
        answer: answers::environment,
    },
    Tool {
        name: "compare",
        description: "Compares two to four builds: in which fields, variants and dependencies they differ, and which \
            differences are the cause of different hashes.",
        arguments: &[Argument {
            name: "builds",
            kind: Kind::Texts,
            is_required: true,
            description: "Two to four hashes of builds, or their beginnings.",
        }],
        answer: answers::compare,
    },
    Tool {
        name: "changes",
        description: "Says which builds came and went, and which packages changed versions: since an earlier publication of the \
            cache, which `since` names, or `between` two of its releases or stacks.",
        arguments: &[text(
            "between",
            "Two releases or stacks, the earlier first, such as `v2026.03.0/e4s..develop/e4s` [default: since the earlier \
             publication if the cache has one, or else the two newest releases].",
        )],
        answer: answers::changes,
    },
];

impl<'i> CacheTools<'i> {
    pub(super) fn new(index: &'i Index, snapshot: Option<Snapshot>) -> CacheTools<'i> {
        CacheTools { index, snapshot }
    }
}

impl Tools for CacheTools<'_> {
    fn instructions(&self) -> String {
        let about = self.index.about();
        let builds = self.index.builds_with_binary().count();
        let made = about.made.as_ref().map_or(String::new(), |made| format!(", as of {made}"));
        format!(
            "This server knows one build cache of Spack, {}: {}{made}. Use `search` to find builds, then the other tools with \
             their hashes. Answers have a part of long lists: `all` says how long they are, and `next_offset`, if it is \
             there, asks for the next part.",
            quote(about.title()),
            counted(builds, "prebuilt binary", "prebuilt binaries"),
        )
    }

    fn list(&self) -> Value {
        TOOLS.iter().map(Tool::describe).collect()
    }

    fn call(&self, name: &str, arguments: &Arguments) -> Option<Result<Value, String>> {
        let tool = TOOLS.iter().find(|tool| tool.name == name)?;
        let given = ToolInput { arguments, snapshot: self.snapshot.as_ref() };
        Some(tool.check(arguments).and_then(|()| (tool.answer)(self.index, &given)))
    }
}

impl Tool {
    /// Returns the description that a client gets: the schema of the arguments is JSON Schema.
    fn describe(&self) -> Value {
        let mut properties = Map::new();
        for Argument { name, kind, description, .. } in self.arguments {
            let mut schema = match kind {
                Kind::Text => json!({"type": "string"}),
                Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
                Kind::Switch => json!({"type": "boolean"}),
            };
            schema["description"] = (*description).into();
            properties.insert((*name).to_owned(), schema);
        }
        let offset = json!({
            "type": "integer",
            "minimum": 0,
            "description": "Where to begin in long lists: `next_offset` of the answer before.",
        });
        let limit = json!({
            "type": "integer",
            "minimum": LIMITS.start(),
            "maximum": LIMITS.end(),
            "description": "How many elements of long lists to return.",
        });
        properties.insert(OFFSET.to_owned(), offset);
        properties.insert(LIMIT.to_owned(), limit);
        let required = self.arguments.iter().filter(|it| it.is_required).map(|it| it.name);
        json!({
            "name": self.name,
            "description": self.description,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": required.collect::<Vec<_>>(),
                "additionalProperties": false,
            },
            "annotations": {"readOnlyHint": true, "openWorldHint": false},
        })
    }

    /// Fails if the arguments do not fit the tool.
    fn check(&self, given: &Arguments) -> Result<(), String> {
        for (name, value) in given {
            let known = self.arguments.iter().find(|known| known.name == name);
            let what = known.map_or(String::new(), |known| format!(": {}", known.description));
            let (is_right, expected) = match known.map(|known| known.kind) {
                Some(Kind::Text) => (value.is_string(), "a text"),
                Some(Kind::Texts) => {
                    let texts = value.as_array();
                    (
                        texts.is_some_and(|texts| texts.iter().all(Value::is_string)),
                        "a list of texts",
                    )
                }
                Some(Kind::Switch) => (value.is_boolean(), "true or false"),
                None if name == OFFSET => (value.is_u64(), "a whole number"),
                None if name == LIMIT => (
                    value.as_u64().is_some_and(|it| LIMITS.contains(&it)),
                    "a whole number from 1 to 100",
                ),
                None => {
                    let names = self.arguments.iter().map(|known| known.name);
                    let names: Vec<&str> = names.chain([OFFSET, LIMIT]).collect();
                    let name = quote(name);
                    return Err(format!("no argument {name}; there are {}", names.join(", ")));
                }
            };
            if !is_right {
                let found =
                    if value.is_number() { format!(", found {value}") } else { String::new() };
                return Err(format!("{name}: expected {expected}{found}{what}"));
            }
        }
        let missing = |it: &&Argument| it.is_required && !given.contains_key(it.name);
        match self.arguments.iter().find(missing) {
            Some(missing) => {
                Err(format!("expected the argument {}: {}", missing.name, missing.description))
            }
            None => Ok(()),
        }
    }
}
