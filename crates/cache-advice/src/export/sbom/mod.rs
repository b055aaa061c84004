//! Lists of software (SBOM): a build or the specs of an environment, and what they need to run, for the tools of others.
//!
//! | format | contents |
//! | --- | --- |
//! | [SPDX 2.3](spdx) | a package for each spec, and what it depends on |
//! | [CycloneDX 1.6](cyclonedx) | a component for each spec, and what it depends on |
//!
//! Both are written as JSON. The same specs make the same list, except for the time.
//!
//! What is not known is stated as unknown: a spec whose dependencies no source lists, and licences unless the index has
//! [recipes](crate::recipes). Nothing is looked up elsewhere. Spack's hash identifies a build but is not a digest of its
//! files, so it is in the address of the package, not among its checksums.

mod cyclonedx;
mod purl;
mod spdx;

use std::collections::{BTreeMap, BTreeSet};

use cache_index::build::{Build, Hash};
use cache_index::environment::Environment;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use serde_json::Value;
use sha1_smol::Sha1;

/// A format of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SbomFormat {
    /// SPDX 2.3, as JSON.
    Spdx,
    /// CycloneDX 1.6, as JSON.
    Cyclonedx,
}

impl SbomFormat {
    /// The formats.
    pub const ALL: [SbomFormat; 2] = [SbomFormat::Spdx, SbomFormat::Cyclonedx];

    /// Returns the name, as a user types it.
    pub fn key(self) -> &'static str {
        match self {
            SbomFormat::Spdx => "spdx",
            SbomFormat::Cyclonedx => "cyclonedx",
        }
    }

    /// Returns the name for people.
    pub fn name(self) -> &'static str {
        match self {
            SbomFormat::Spdx => "SPDX 2.3",
            SbomFormat::Cyclonedx => "CycloneDX 1.6",
        }
    }

    /// Returns the end of the name of a file, by which other tools recognize it.
    pub fn extension(self) -> &'static str {
        match self {
            SbomFormat::Spdx => "spdx.json",
            SbomFormat::Cyclonedx => "cdx.json",
        }
    }
}

/// What a recipe says of the licence of its package.
enum Licence {
    /// An expression that the rules of SPDX allow, such as `MIT OR Apache-2.0`.
    Expression(String),
    /// Any other text; or several licences: which of them holds depends on the version or on a variant.
    Words(String),
}

/// What a list is about.
pub struct Sbom<'s> {
    /// The name of the environment or build.
    name: &'s str,
    /// When the list is made, in UTC as `2026-11-21T09:50:00Z`.
    made: String,
    /// The specs that were asked for, sorted.
    roots: Vec<Hash>,
    /// The roots and what they need to run, by hash.
    specs: BTreeMap<Hash, ListedSpec>,
}

/// A spec in a list.
struct ListedSpec {
    package: String,
    /// `None` if no source has the spec, only its hash.
    build: Option<Build>,
    /// What it needs to run; `None` if no source says.
    needs: Option<BTreeSet<Hash>>,
    /// Its licence; `None` if no recipe says.
    licence: Option<Licence>,
}

/// Why there is no list.
pub const NOT_CONCRETE: &str = "expected concrete specs, as in a spack.lock or a list of hashes, found only specs that Spack has not concretized";

impl<'s> Sbom<'s> {
    /// Collects the specs of an environment and what they need to run. What the environment does not say about a spec, the
    /// index may say. `None` if the environment has no concrete specs. `made` is the time of the list, in UTC as
    /// `2026-11-21T09:50:00Z`.
    pub fn of_environment(
        name: &'s str,
        environment: &Environment,
        index: &Index,
        made: String,
    ) -> Option<Sbom<'s>> {
        let nodes: BTreeMap<Hash, &Build> =
            environment.nodes.iter().map(|node| (node.build.hash, &node.build)).collect();
        let mut roots: Vec<Hash> = environment.roots.iter().filter_map(|root| root.hash).collect();
        roots.sort_unstable();
        roots.dedup();
        (!roots.is_empty()).then(|| Sbom::collect(name, roots, &nodes, index, made))
    }

    /// Collects a build of an index and what it needs to run. `None` if its hash has not been loaded.
    pub fn of_build(
        name: &'s str,
        build: BuildId,
        index: &Index,
        made: String,
    ) -> Option<Sbom<'s>> {
        Some(Sbom::collect(name, vec![index.hash(build)?], &BTreeMap::new(), index, made))
    }

    fn collect(
        name: &'s str,
        roots: Vec<Hash>,
        nodes: &BTreeMap<Hash, &Build>,
        index: &Index,
        made: String,
    ) -> Sbom<'s> {
        let mut specs = BTreeMap::new();
        let mut open: Vec<(Hash, String)> =
            roots.iter().map(|&hash| (hash, String::new())).collect();
        while let Some((hash, package)) = open.pop() {
            if specs.contains_key(&hash) {
                continue;
            }
            let there = index.find(hash).and_then(|id| index.build(id));
            let ours = nodes.get(&hash).copied().filter(|node| !node.package.is_empty());
            let dependencies = ours
                .and_then(|build| build.dependencies.clone())
                .or_else(|| there.as_ref().and_then(|build| build.dependencies.clone()));
            let needed = dependencies.map(|all| {
                all.into_iter()
                    .filter(|dependency| dependency.is_needed_to_run())
                    .collect::<Vec<_>>()
            });
            for dependency in needed.iter().flatten() {
                open.push((dependency.hash, dependency.package.clone()));
            }
            let needs: Option<BTreeSet<Hash>> =
                needed.map(|all| all.iter().map(|dependency| dependency.hash).collect());
            // A list of hashes has nodes without anything else; then the cache says more.
            let build = match ours.filter(|build| !build.version.is_empty()) {
                Some(build) => Some(build.clone()),
                None => there.or_else(|| ours.cloned()),
            };
            // Spack does not look up what an external needs.
            let is_external = build.as_ref().is_some_and(|build| build.external);
            let needs = needs.filter(|needs| !is_external || !needs.is_empty());
            let package = build.as_ref().map_or(package, |build| build.package.clone());
            let licence = licence_of(index, &package);
            specs.insert(hash, ListedSpec { package, build, needs, licence });
        }
        Sbom { name, made, roots, specs }
    }

    /// Writes the list.
    pub fn write(&self, format: SbomFormat) -> Value {
        match format {
            SbomFormat::Spdx => spdx::write(self),
            SbomFormat::Cyclonedx => cyclonedx::write(self),
        }
    }

    /// Returns an id that depends on everything in the list except the time: a UUID of version 5 (RFC 9562, section
    /// 5.5) in the namespace of URLs.
    fn uuid(&self) -> String {
        const URLS: u128 = 0x6ba7b811_9dad_11d1_80b4_00c04fd430c8;
        let mut digest = Sha1::from(URLS.to_be_bytes());
        let mut add = |text: &str| {
            digest.update(&(text.len() as u64).to_le_bytes());
            digest.update(text.as_bytes());
        };
        add("pkg:spack");
        add(self.name);
        for (hash, listed) in &self.specs {
            add(&hash.to_string());
            add(&listed.spec().unwrap_or_default());
            let needs = listed.needs.iter().flatten();
            add(&needs.map(Hash::to_string).collect::<Vec<_>>().join(" "));
        }
        self.roots.iter().for_each(|root| add(&root.to_string()));
        let digest = digest.digest().bytes();
        let mut id: [u8; 16] = std::array::from_fn(|at| digest[at]);
        id[6] = id[6] & 0x0f | 0x50;
        id[8] = id[8] & 0x3f | 0x80;
        let mut text = format!("{:032x}", u128::from_be_bytes(id));
        [20, 16, 12, 8].into_iter().for_each(|at| text.insert(at, '-'));
        text
    }
}

/// Returns the licence of a package according to its recipe.
fn licence_of(index: &Index, package: &str) -> Option<Licence> {
    let code = index.dictionary(Facet::Package).code(package)?;
    // A damaged recipe says nothing.
    let recipe = index.recipe_of(code).ok().flatten()?;
    let licences = recipe.licenses.filter(|licences| !licences.is_empty())?.join("; ");
    Some(if recipe.is_spdx { Licence::Expression(licences) } else { Licence::Words(licences) })
}

impl ListedSpec {
    /// Returns its name in the list, which is `unknown` if only its hash is known.
    fn name(&self) -> &str {
        if self.package.is_empty() { "unknown" } else { &self.package }
    }

    fn version(&self) -> Option<&str> {
        let build = self.build.as_ref()?;
        Some(build.version.as_str()).filter(|version| !version.is_empty())
    }

    /// Returns everything but the hash as a spec.
    fn spec(&self) -> Option<String> {
        self.build.as_ref().filter(|build| !build.version.is_empty()).map(Build::long_spec)
    }

    /// Returns where it was found, if Spack did not build it.
    fn external(&self) -> Option<String> {
        let build = self.build.as_ref().filter(|build| build.external)?;
        let prefix = build.found_at.as_ref().and_then(|found| found.prefix.as_deref());
        Some(match prefix {
            Some(prefix) => format!("found on the machine at {prefix}, not built by Spack"),
            None => "found on the machine, not built by Spack".to_owned(),
        })
    }

    /// Returns its address as a package.
    fn purl(&self, hash: Hash) -> Option<String> {
        let namespace = self.build.as_ref().and_then(|build| build.namespace.as_deref());
        (!self.package.is_empty())
            .then(|| purl::purl(namespace, &self.package, self.version(), hash))
    }
}
