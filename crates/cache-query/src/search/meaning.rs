//! The meaning of a text, in pieces that can be removed separately.

use cache_index::index::Index;
use spack_spec::{Node, Spec, VersionConstraint};

use super::{Asked, Search};

/// One thing that a text asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meaning {
    /// What it constrains: `package`, `version`, `depends on`, …
    pub field: &'static str,
    /// The constraint, as it is written in specs.
    pub text: String,
    /// The whole text without it.
    pub without: String,
}

impl Meaning {
    /// Returns the value as it is shown beside the name of its field, without the sign or the key before it: `zen3:`
    /// beside `target`.
    pub fn value(&self) -> &str {
        let text = self.text.trim_start();
        match self.field {
            "version" => text.trim_start_matches('@'),
            "platform" | "OS" | "target" | "namespace" => {
                text.split_once('=').map_or(text, |(_, value)| value)
            }
            "compiler" | "built with" => text.trim_start_matches('%'),
            "depends on" => text.trim_start_matches('^'),
            _ => text,
        }
    }
}

/// The maximum number of pieces. Each contains the text without it, so the total size is quadratic in their number;
/// further pieces remain part of the text.
const MOST: usize = 100;

/// Returns the pieces of a text, in the order in which Spack prints them.
pub fn meanings(index: &Index, text: &str) -> Vec<Meaning> {
    match Search::read(index, text).asked {
        Asked::Anything => Vec::new(),
        Asked::Words(words) => (0..words.len())
            .map(|at| {
                let mut others = words.clone();
                let word = others.remove(at);
                Meaning { field: "name has", text: word, without: others.join(" ") }
            })
            .collect(),
        Asked::Hash(hash) => {
            vec![Meaning { field: "hash", text: format!("/{hash}"), without: String::new() }]
        }
        Asked::Spec(spec) => of_spec(&spec),
    }
}

fn of_spec(spec: &Spec) -> Vec<Meaning> {
    let mut meanings = Vec::new();
    let root = &spec.root;
    // A piece is the text with everything else removed; the rest is the text with the piece removed.
    let mut add = |field, keep: &dyn Fn(&mut Node), drop: &dyn Fn(&mut Node)| {
        if meanings.len() == MOST {
            return;
        }
        let printed = |root: Node| format!("{:#}", Spec { dialect: spec.dialect, root });
        let mut alone = Node::default();
        keep(&mut alone);
        let mut rest = root.clone();
        drop(&mut rest);
        meanings.push(Meaning { field, text: printed(alone), without: printed(rest) });
    };
    if root.name.is_some() {
        add("package", &|node| node.name.clone_from(&root.name), &|node| node.name = None);
    }
    if root.namespace.is_some() {
        add("namespace", &|node| node.namespace.clone_from(&root.namespace), &|node| {
            node.namespace = None
        });
    }
    if !root.versions.is_any() {
        add("version", &|node| node.versions = root.versions.clone(), &|node| {
            node.versions = VersionConstraint::any()
        });
    }
    for (at, variant) in root.variants.iter().enumerate() {
        add("variant", &|node| node.variants = [variant.clone()].into_iter().collect(), &|node| {
            drop(node.variants.remove(at))
        });
    }
    let asked = &root.architecture;
    if asked.platform.is_some() {
        add("platform", &|node| node.architecture.platform.clone_from(&asked.platform), &|node| {
            node.architecture.platform = None
        });
    }
    if asked.os.is_some() {
        add("OS", &|node| node.architecture.os.clone_from(&asked.os), &|node| {
            node.architecture.os = None
        });
    }
    if asked.target.is_some() {
        add("target", &|node| node.architecture.target.clone_from(&asked.target), &|node| {
            node.architecture.target = None
        });
    }
    if root.compiler.is_some() {
        add("compiler", &|node| node.compiler.clone_from(&root.compiler), &|node| {
            node.compiler = None
        });
    }
    for (at, flag) in root.flags.iter().enumerate() {
        add("flags", &|node| node.flags = [flag.clone()].into_iter().collect(), &|node| {
            drop(node.flags.remove(at))
        });
    }
    for (at, dependency) in root.dependencies.iter().enumerate() {
        add(
            if dependency.direct { "built with" } else { "depends on" },
            &|node| node.dependencies = vec![dependency.clone()],
            &|node| drop(node.dependencies.remove(at)),
        );
    }
    if root.hash.is_some() {
        add("hash", &|node| node.hash.clone_from(&root.hash), &|node| node.hash = None);
    }
    meanings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests::index;

    #[test]
    fn names_each_field_once() {
        let index = index();
        let check = |text: &str, expected: &[&str]| {
            let meanings = meanings(&index, text);
            let said = |meaning: &Meaning| format!("{}: {}", meaning.field, meaning.value());
            let said: Vec<String> = meanings.iter().map(said).collect();
            assert_eq!(said, expected, "{text}");
        };
        check("target=zen3", &["target: zen3"]);
        check("target=zen3: os=centos7", &["OS: centos7", "target: zen3:"]);
        check("arch=linux-rhel8-zen3", &["platform: linux", "OS: rhel8", "target: zen3"]);
        check("@1.12: +mpi", &["version: 1.12:", "variant: +mpi"]);
        check("api=v18 cflags=-O2", &["variant: api=v18", "flags: cflags=-O2"]);
        check("namespace=builtin", &["namespace: builtin"]);
        check("%gcc@13 ^zlib@1.3", &["compiler: gcc@13", "depends on: zlib@1.3"]);
        check("/abc", &["hash: /abc"]);
    }
}
