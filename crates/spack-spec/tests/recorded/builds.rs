//! The builds of `tests/data/builds.txt` as a graph.

use spack_spec::{Compiler, Deptypes, Facts, Graph, Link, Variant, VariantValue, Version};

const DATA: &str = include_str!("../data/builds.txt");

/// All builds, by number.
pub(crate) struct Builds {
    pub(crate) builds: Vec<Build>,
    architectures: Vec<[&'static str; 3]>,
    variants: Vec<Vec<Variant>>,
    /// `true` to present the data as if it listed no dependencies, flags and so on.
    pub(crate) is_reduced: bool,
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
    flags: Vec<(String, Vec<String>)>,
    /// The indices of `edge` lines, and of the builds that these edges lead to.
    edges: Vec<(usize, usize)>,
}

impl Builds {
    pub(crate) fn load() -> Builds {
        let mut builds = Builds {
            builds: Vec::new(),
            architectures: Vec::new(),
            variants: Vec::new(),
            is_reduced: false,
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
                    builds.edges.push((deptypes_of(deptypes), virtuals));
                }
                _ => {
                    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
                    package = if fields[2] == "\"" { package } else { fields[2] };
                    let compiler = fields[6].split_once('@');
                    let flags = field(8).split_terminator('|').map(|flags| {
                        let (name, flags) = flags.split_once('=').unwrap();
                        (name.to_owned(), flags.split(';').map(str::to_owned).collect())
                    });
                    let mut children = Vec::new();
                    for group in field(9).split_terminator(' ') {
                        let (edge, numbers) = group.split_once('>').unwrap();
                        for child in numbers.split(',').map(|child| child.parse().unwrap()) {
                            children.push((edge.parse().unwrap(), child));
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
    fn node_count(&self) -> usize {
        self.builds.len()
    }

    fn facts(&self, node: usize) -> Facts<'_> {
        let build = &self.builds[node];
        Facts {
            name: build.name,
            version: &build.version,
            hash: build.hash,
            namespace: (!self.is_reduced).then_some(build.namespace),
            architecture: self.architectures[build.architecture],
            flags: (!self.is_reduced).then_some(&build.flags),
            compiler: match &build.compiler {
                Some((name, version)) => Compiler::Recorded { name, version },
                None => Compiler::Dependency,
            },
        }
    }

    fn variant(&self, node: usize, name: &str) -> Option<&VariantValue> {
        let variants = &self.variants[self.builds[node].variants];
        variants.iter().find(|variant| variant.name == name).map(|variant| &variant.value)
    }

    fn dependencies(&self, node: usize) -> Option<Vec<(Link<'_>, Option<usize>)>> {
        let link = |&(edge, child): &(usize, usize)| {
            let (deptypes, virtuals) = &self.edges[edge];
            let package = self.builds[child].name;
            (Link { package, deptypes: *deptypes, virtuals }, Some(child))
        };
        (!self.is_reduced).then(|| self.builds[node].edges.iter().map(link).collect())
    }
}
