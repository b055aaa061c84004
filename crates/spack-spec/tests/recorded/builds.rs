//! The builds of `tests/data/builds.txt` as a graph.

use std::collections::BTreeSet;

use spack_spec::satisfy::{Compiler, Edge, Graph, is_known_virtual};
use spack_spec::spec::Deptypes;
use spack_spec::{Variant, VariantValue, Version};

const DATA: &str = include_str!("../data/builds.txt");

/// All builds, by number.
pub(crate) struct Builds {
    pub(crate) builds: Vec<Build>,
    architectures: Vec<[&'static str; 3]>,
    variants: Vec<Vec<Variant>>,
    /// Whether the data is to be taken for one that lists no dependencies, no flags and the like.
    pub(crate) is_reduced: bool,
    virtuals: BTreeSet<String>,
}

pub(crate) struct Build {
    hash: &'static str,
    name: &'static str,
    version: Version,
    architecture: usize,
    variants: usize,
    pub(crate) compiler: Option<(&'static str, Version)>,
    namespace: &'static str,
    flags: Vec<(&'static str, Vec<String>)>,
    edges: Vec<(usize, Deptypes, Vec<String>)>,
}

impl Builds {
    pub(crate) fn load() -> Builds {
        let mut builds = Builds {
            builds: Vec::new(),
            architectures: Vec::new(),
            variants: Vec::new(),
            is_reduced: false,
            virtuals: BTreeSet::new(),
        };
        let mut edges: Vec<(Deptypes, Vec<String>)> = Vec::new();
        let mut package = "";
        for line in DATA.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&'static str> = line.split('\t').collect();
            match fields[0] {
                "architecture" => builds
                    .architectures
                    .push(fields[1].split(' ').collect::<Vec<_>>().try_into().unwrap()),
                "variants" => builds
                    .variants
                    .push(fields[1].split(' ').map(|text| text.parse().unwrap()).collect()),
                "edge" => {
                    let (deptypes, virtuals) = fields[1].split_once(':').unwrap_or((fields[1], ""));
                    let virtuals: Vec<String> =
                        virtuals.split_terminator(',').map(str::to_owned).collect();
                    builds.virtuals.extend(virtuals.iter().cloned());
                    edges.push((deptypes_of(deptypes), virtuals));
                }
                _ => {
                    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
                    package = if fields[2] == "\"" { package } else { fields[2] };
                    let compiler = fields[6].split_once('@');
                    let flags = field(8).split_terminator('|').map(|flags| {
                        let (name, flags) = flags.split_once('=').unwrap();
                        (name, flags.split(';').map(str::to_owned).collect())
                    });
                    let children = field(9).split_terminator(' ').flat_map(|group| {
                        let (edge, children) = group.split_once('>').unwrap();
                        let (deptypes, virtuals) = edges[edge_number(edge, &edges)].clone();
                        children
                            .split(',')
                            .map(move |child| (child.parse().unwrap(), deptypes, virtuals.clone()))
                    });
                    builds.builds.push(Build {
                        hash: fields[1],
                        name: package,
                        version: fields[3].parse().unwrap(),
                        architecture: fields[4].parse().unwrap(),
                        variants: fields[5].parse().unwrap(),
                        compiler: compiler.map(|(name, version)| (name, version.parse().unwrap())),
                        namespace: if field(7).is_empty() { "builtin" } else { field(7) },
                        flags: flags.collect(),
                        edges: children.collect(),
                    });
                }
            }
        }
        builds
    }
}

fn deptypes_of(letters: &str) -> Deptypes {
    letters.bytes().fold(Deptypes::default(), |all, letter| {
        all.union(match letter {
            b'b' => Deptypes::BUILD,
            b'l' => Deptypes::LINK,
            b'r' => Deptypes::RUN,
            _ => Deptypes::TEST,
        })
    })
}

fn edge_number(edge: &str, edges: &[(Deptypes, Vec<String>)]) -> usize {
    let number: usize = edge.parse().unwrap();
    assert!(number < edges.len());
    number
}

impl Graph for Builds {
    type Node = usize;

    fn node_count(&self) -> usize {
        self.builds.len()
    }

    fn index(&self, node: usize) -> usize {
        node
    }

    fn name(&self, node: usize) -> &str {
        self.builds[node].name
    }

    fn hash_starts_with(&self, node: usize, prefix: &str) -> bool {
        self.builds[node].hash.starts_with(prefix)
    }

    fn namespace(&self, node: usize) -> Option<&str> {
        (!self.is_reduced).then_some(self.builds[node].namespace)
    }

    fn version(&self, node: usize) -> &Version {
        &self.builds[node].version
    }

    fn variant(&self, node: usize, name: &str) -> Option<&VariantValue> {
        let variants = &self.variants[self.builds[node].variants];
        variants.iter().find(|variant| variant.name == name).map(|variant| &variant.value)
    }

    fn architecture(&self, node: usize) -> [&str; 3] {
        self.architectures[self.builds[node].architecture]
    }

    fn flags(&self, node: usize, name: &str) -> Option<&[String]> {
        let flags = &self.builds[node].flags;
        let found = flags.iter().find(|(known, _)| *known == name);
        (!self.is_reduced).then(|| found.map_or(&[][..], |(_, flags)| flags))
    }

    fn compiler(&self, node: usize) -> Compiler<'_> {
        match &self.builds[node].compiler {
            Some((name, version)) => Compiler::Recorded { name, version },
            None => Compiler::Dependency,
        }
    }

    fn dependencies(&self, node: usize) -> Option<impl Iterator<Item = Edge<'_, usize>>> {
        (!self.is_reduced).then(|| {
            self.builds[node].edges.iter().map(|(child, deptypes, virtuals)| Edge {
                package: self.builds[*child].name,
                node: Some(*child),
                deptypes: *deptypes,
                virtuals,
            })
        })
    }

    fn is_virtual(&self, name: &str) -> bool {
        self.virtuals.contains(name) || is_known_virtual(name)
    }
}
