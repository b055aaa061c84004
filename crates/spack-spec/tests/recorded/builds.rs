//! The builds of `tests/data/builds.txt` as a graph.

use std::collections::BTreeSet;

use spack_spec::satisfy::{Compiler, Edge, Graph, Link, is_known_virtual};
use spack_spec::{Deptypes, Variant, VariantValue, Version};

const DATA: &str = include_str!("../data/builds.txt");

/// All builds, by number.
pub(crate) struct Builds {
    pub(crate) builds: Vec<Build>,
    architectures: Vec<[&'static str; 3]>,
    variants: Vec<Vec<Variant>>,
    /// Whether the data is to be taken for one that lists no dependencies, no flags and the like.
    pub(crate) is_reduced: bool,
    virtuals: BTreeSet<String>,
    /// A number of `edge` lines, and a build of the package that such an edge leads to.
    links: Vec<(usize, usize)>,
    edges: Vec<(Deptypes, Vec<String>)>,
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
    /// Numbers of links, and of builds.
    edges: Vec<Edge<usize>>,
}

impl Builds {
    pub(crate) fn load() -> Builds {
        let mut builds = Builds {
            builds: Vec::new(),
            architectures: Vec::new(),
            variants: Vec::new(),
            is_reduced: false,
            virtuals: BTreeSet::new(),
            links: Vec::new(),
            edges: Vec::new(),
        };
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
                    builds.edges.push((deptypes_of(deptypes), virtuals));
                }
                _ => {
                    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
                    package = if fields[2] == "\"" { package } else { fields[2] };
                    let compiler = fields[6].split_once('@');
                    let flags = field(8).split_terminator('|').map(|flags| {
                        let (name, flags) = flags.split_once('=').unwrap();
                        (name, flags.split(';').map(str::to_owned).collect())
                    });
                    let mut children = Vec::new();
                    for group in field(9).split_terminator(' ') {
                        let (edge, numbers) = group.split_once('>').unwrap();
                        for child in numbers.split(',').map(|child| child.parse().unwrap()) {
                            let link = builds.links.len();
                            builds.links.push((edge.parse().unwrap(), child));
                            children.push(Edge { link, node: Some(child) });
                        }
                    }
                    builds.builds.push(Build {
                        hash: fields[1],
                        name: package,
                        version: fields[3].parse().unwrap(),
                        architecture: fields[4].parse().unwrap(),
                        variants: fields[5].parse().unwrap(),
                        compiler: compiler.map(|(name, version)| (name, version.parse().unwrap())),
                        namespace: if field(7).is_empty() { "builtin" } else { field(7) },
                        flags: flags.collect(),
                        edges: children,
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

    fn dependencies(&self, node: usize) -> Option<impl Iterator<Item = Edge<usize>>> {
        (!self.is_reduced).then(|| self.builds[node].edges.iter().copied())
    }

    fn link_count(&self) -> usize {
        self.links.len()
    }

    fn link(&self, link: usize) -> Link<'_> {
        let (edge, child) = self.links[link];
        let (deptypes, virtuals) = &self.edges[edge];
        Link { package: self.builds[child].name, deptypes: *deptypes, virtuals }
    }

    fn is_virtual(&self, name: &str) -> bool {
        self.virtuals.contains(name) || is_known_virtual(name)
    }
}
