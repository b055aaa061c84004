//! The meaning of a text, in pieces that can be removed separately.

use cache_index::facet::Facet;
use cache_index::index::Index;
use spack_spec::{Node, Spec, VersionConstraint};

use super::{Search, TextMeaning, is_compiler, is_package};

/// What a piece of a text constrains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// A part of the name.
    NameHas,
    /// The name.
    Package,
    /// The namespace of the recipe.
    Namespace,
    /// The version.
    Version,
    /// A variant.
    Variant,
    /// The platform.
    Platform,
    /// The operating system.
    Os,
    /// The target.
    Target,
    /// The compiler, in Spack's older dialect.
    Compiler,
    /// Flags of the compiler.
    Flags,
    /// A compiler, which Spack 1.x asks for as a direct dependency.
    BuiltWith,
    /// A direct dependency other than a compiler.
    DependsDirectly,
    /// A dependency at any depth.
    DependsOn,
    /// The hash.
    Hash,
}

impl Property {
    /// Returns its name.
    pub fn label(self) -> &'static str {
        match self {
            Property::NameHas => "name has",
            Property::Package => "package",
            Property::Namespace => "namespace",
            Property::Version => "version",
            Property::Variant => "variant",
            Property::Platform => "platform",
            Property::Os => "OS",
            Property::Target => "target",
            Property::Compiler => "compiler",
            Property::Flags => "flags",
            Property::BuiltWith => "built with",
            Property::DependsDirectly => "depends directly on",
            Property::DependsOn => "depends on",
            Property::Hash => "hash",
        }
    }

    /// Returns the facet that has its values; `None` if there is none, and for names, which are not chosen like
    /// values.
    pub fn facet(self) -> Option<Facet> {
        match self {
            Property::Version => Some(Facet::Version),
            Property::Variant => Some(Facet::Variant),
            Property::Platform => Some(Facet::Platform),
            Property::Os => Some(Facet::Os),
            Property::Target => Some(Facet::Target),
            Property::Compiler | Property::BuiltWith => Some(Facet::Compiler),
            Property::NameHas
            | Property::Package
            | Property::Namespace
            | Property::Flags
            | Property::DependsDirectly
            | Property::DependsOn
            | Property::Hash => None,
        }
    }
}

/// One thing that a text asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meaning {
    /// What it constrains.
    pub property: Property,
    /// The constraint, as it is written in specs.
    pub text: String,
    /// The whole text without it.
    pub without: String,
}

impl Meaning {
    /// Returns the value as it is shown next to the name of its field, without the sign or the key before it: `zen3:`
    /// next to `target`.
    pub fn value(&self) -> &str {
        let text = self.text.trim_start();
        match self.property {
            Property::Version => text.trim_start_matches('@'),
            Property::Platform | Property::Os | Property::Target | Property::Namespace => {
                text.split_once('=').map_or(text, |(_, value)| value)
            }
            Property::Compiler | Property::BuiltWith | Property::DependsDirectly => {
                text.trim_start_matches('%')
            }
            Property::DependsOn => text.trim_start_matches('^'),
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
        TextMeaning::Anything => Vec::new(),
        TextMeaning::Words(words) => (0..words.len())
            .map(|at| {
                let mut others = words.clone();
                let word = others.remove(at);
                Meaning { property: Property::NameHas, text: word, without: others.join(" ") }
            })
            .collect(),
        TextMeaning::Hashes(hashes) => (0..hashes.len())
            .map(|at| {
                let mut others: Vec<String> =
                    hashes.iter().map(|hash| format!("/{hash}")).collect();
                let text = others.remove(at);
                Meaning { property: Property::Hash, text, without: others.join(" ") }
            })
            .collect(),
        // A word that no hash begins with was more likely meant as a name: `mvapich2`.
        TextMeaning::Hash(word) if index.has_hashes() && index.find_prefix(&word, 1).is_empty() => {
            let without = String::new();
            vec![Meaning { property: Property::NameHas, text: word, without }]
        }
        TextMeaning::Hash(hash) => {
            vec![Meaning {
                property: Property::Hash,
                text: format!("/{hash}"),
                without: String::new(),
            }]
        }
        TextMeaning::Spec(spec) => of_spec(index, &spec),
    }
}

fn of_spec(index: &Index, spec: &Spec) -> Vec<Meaning> {
    let mut meanings = Vec::new();
    let root = &spec.root;
    // A piece is the text with everything else removed; the rest is the text with the piece removed.
    let mut add = |property, keep: &dyn Fn(&mut Node), drop: &dyn Fn(&mut Node)| {
        if meanings.len() == MOST {
            return;
        }
        let printed = |root: Node| format!("{:#}", Spec { dialect: spec.dialect, root });
        let mut alone = Node::default();
        keep(&mut alone);
        let mut rest = root.clone();
        drop(&mut rest);
        meanings.push(Meaning { property, text: printed(alone), without: printed(rest) });
    };
    if root.name.is_some() {
        add(Property::Package, &|node| node.name.clone_from(&root.name), &|node| node.name = None);
    }
    if root.namespace.is_some() {
        add(Property::Namespace, &|node| node.namespace.clone_from(&root.namespace), &|node| {
            node.namespace = None
        });
    }
    if !root.versions.is_any() {
        add(Property::Version, &|node| node.versions = root.versions.clone(), &|node| {
            node.versions = VersionConstraint::any()
        });
    }
    for (at, variant) in root.variants.iter().enumerate() {
        add(
            Property::Variant,
            &|node| node.variants = [variant.clone()].into_iter().collect(),
            &|node| drop(node.variants.remove(at)),
        );
    }
    let asked = &root.architecture;
    if asked.platform.is_some() {
        add(
            Property::Platform,
            &|node| node.architecture.platform.clone_from(&asked.platform),
            &|node| node.architecture.platform = None,
        );
    }
    if asked.os.is_some() {
        add(Property::Os, &|node| node.architecture.os.clone_from(&asked.os), &|node| {
            node.architecture.os = None
        });
    }
    if asked.target.is_some() {
        add(
            Property::Target,
            &|node| node.architecture.target.clone_from(&asked.target),
            &|node| node.architecture.target = None,
        );
    }
    if root.compiler.is_some() {
        add(Property::Compiler, &|node| node.compiler.clone_from(&root.compiler), &|node| {
            node.compiler = None
        });
    }
    for (at, flag) in root.flags.iter().enumerate() {
        add(Property::Flags, &|node| node.flags = [flag.clone()].into_iter().collect(), &|node| {
            drop(node.flags.remove(at))
        });
    }
    for (at, dependency) in root.dependencies.iter().enumerate() {
        let name = dependency.node.name.as_deref().unwrap_or_default();
        let may_be_compiler = || !is_package(index, name) || is_compiler(index, name);
        add(
            match dependency.direct {
                true if may_be_compiler() => Property::BuiltWith,
                true => Property::DependsDirectly,
                false => Property::DependsOn,
            },
            &|node| node.dependencies = vec![dependency.clone()],
            &|node| drop(node.dependencies.remove(at)),
        );
    }
    if root.hash.is_some() {
        add(Property::Hash, &|node| node.hash.clone_from(&root.hash), &|node| node.hash = None);
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
            let said =
                |meaning: &Meaning| format!("{}: {}", meaning.property.label(), meaning.value());
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
