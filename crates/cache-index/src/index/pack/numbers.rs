//! Builds between packers, as numbers.
//!
//! Builds share almost all of their values, so a build is a few codes, its hash and its edges. Comparing or copying
//! builds that arrive as codes needs no texts, except once for each distinct value.

use super::graph::Graph;
use super::intern::Interner;
use super::{Detail, Packer, Record};
use crate::build::{
    BinaryDigest, Build, CompilerSource, Dependency, Deptypes, Hash, Places, Signature,
};
use crate::facet::Facet;
use crate::index::dependencies::Link;
use crate::index::{Configuration, NO_COMPILER};

/// The values that a build shares with others, in the numbers of its packer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    /// [`Build::package`].
    pub package: u32,
    /// [`Build::version`].
    pub version: u32,
    /// Platform, OS, target and compiler.
    pub configuration: u32,
    /// [`Build::variants`], together with the answer to whether the build lists its dependencies.
    pub variants: u32,
    /// [`Build::places`].
    pub places: u32,
    /// Everything else but hashes, sizes, signatures and dependencies.
    pub origin: u32,
}

/// The codes of one packer in the numbers of another, as far as they have been needed.
#[derive(Debug, Default)]
pub struct Translation {
    values: [Table; Facet::COUNT],
    configurations: Table,
    lists: Table,
    place_sets: Table,
    origins: Table,
    package_hashes: Table,
    signatures: Table,
    publications: Table,
    packages: Table,
    kinds: Table,
    links: Table,
    hashes: Table,
}

/// The new code of each old one; [`UNKNOWN`] before it is needed.
#[derive(Debug, Default)]
pub(super) struct Table(Vec<u32>);

const UNKNOWN: u32 = u32::MAX;

impl Table {
    pub(super) fn get(&mut self, old: u32, translate: impl FnOnce() -> u32) -> u32 {
        let old = old as usize;
        if old >= self.0.len() {
            self.0.resize((old + 1).next_power_of_two(), UNKNOWN);
        }
        if self.0[old] == UNKNOWN {
            self.0[old] = translate();
        }
        self.0[old]
    }
}

impl Packer {
    /// Returns the number of builds.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns `true` if there are no builds.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the hash of a build, by its arrival.
    pub fn hash(&self, build: usize) -> Hash {
        self.records[build].hash
    }

    /// Returns the package of a build.
    pub fn package(&self, build: usize) -> &str {
        self.text(Facet::Package, self.records[build].package)
    }

    /// Returns the version of a build.
    pub fn version(&self, build: usize) -> &str {
        self.text(Facet::Version, self.records[build].version)
    }

    /// Returns the compiler of a build.
    pub fn compiler(&self, build: usize) -> Option<&str> {
        self.slot(build, Facet::Compiler).filter(|name| *name != NO_COMPILER)
    }

    /// Returns where the compiler of a build was read from.
    pub fn compiler_source(&self, build: usize) -> CompilerSource {
        self.origins.value(self.records[build].origin).compiler_source
    }

    /// Returns `true` if a build is an external.
    pub fn is_external(&self, build: usize) -> bool {
        self.origins.value(self.records[build].origin).external
    }

    /// Returns the places of a build.
    pub fn places(&self, build: usize) -> &Places {
        self.place_sets.value(self.records[build].place_set)
    }

    /// Returns the codes of the values that a build shares with others.
    pub fn codes(&self, build: usize) -> Codes {
        let Record { package, version, configuration, variant_set, place_set, origin, .. } =
            self.records[build];
        Codes { package, version, configuration, variants: variant_set, places: place_set, origin }
    }

    /// Returns the edges of a build as codes: a [link](Packer::link) and a [target](Packer::target) each. `None` if it
    /// does not list its dependencies.
    pub fn edges(&self, build: usize) -> Option<&[(u32, u32)]> {
        self.graph.of(build)
    }

    /// Returns the package, the purposes and the virtual packages of a link, by its code.
    pub fn link(&self, code: u32) -> (&str, Deptypes, &[String]) {
        let Link { package, kind } = self.graph.links.value(code);
        let kind = self.graph.kinds.value(*kind);
        (self.graph.packages.value(*package), kind.deptypes, &kind.virtuals)
    }

    /// Returns the hash of a target, by its code.
    pub fn target(&self, code: u32) -> Hash {
        *self.graph.hashes.value(code)
    }

    /// Returns the number of codes of targets.
    pub fn targets(&self) -> usize {
        self.graph.hashes.len()
    }

    /// Returns the number of codes of links.
    pub fn links(&self) -> usize {
        self.graph.links.len()
    }

    /// Returns the code of a target, if anything depends on it.
    pub fn find_target(&self, hash: &Hash) -> Option<u32> {
        self.graph.hashes.get(hash)
    }

    /// Returns the code of a package, if there is a build of it.
    pub fn find_package(&self, name: &str) -> Option<u32> {
        self.values[Facet::Package.at()].get(name)
    }

    /// Returns the code of a dependency without its hash.
    pub fn link_code(&mut self, dependency: &Dependency) -> u32 {
        self.graph.link(dependency)
    }

    /// Returns the code of the target of an edge.
    pub fn target_code(&mut self, hash: &Hash) -> u32 {
        self.graph.hashes.code(hash)
    }

    /// Returns a build as it was added.
    pub fn build(&self, build: usize) -> Build {
        let record = &self.records[build];
        let Detail { size, digest, package_hash, signature, first_seen } = self.details[build];
        let origin = self.origins.value(record.origin).clone();
        let slot = |facet| self.slot(build, facet).unwrap_or_default().to_owned();
        let dependency = |&(link, target): &(u32, u32)| {
            let (package, deptypes, virtuals) = self.link(link);
            let (package, virtuals) = (package.to_owned(), virtuals.to_vec());
            Dependency { package, hash: self.target(target), deptypes, virtuals }
        };
        Build {
            hash: record.hash,
            package: self.package(build).to_owned(),
            namespace: origin.namespace,
            version: self.version(build).to_owned(),
            platform: slot(Facet::Platform),
            os: slot(Facet::Os),
            target: slot(Facet::Target),
            compiler: self.compiler(build).map(str::to_owned),
            compiler_source: origin.compiler_source,
            variants: self.lists.list(record.variant_set).to_vec(),
            flags: origin.flags,
            places: self.places(build).clone(),
            size,
            package_hash: package_hash.map(|code| self.package_hashes.value(code).clone()),
            external: origin.external,
            found_at: origin.found_at,
            spliced_from: origin.spliced_from,
            spec_format: origin.spec_format,
            provided_virtuals: origin.provided_virtuals,
            signature: signature.map(|code| Signature::of_text(self.signatures.value(code))),
            digest,
            first_seen: first_seen.map(|code| self.publications.value(code).clone()),
            dependencies: self.edges(build).map(|edges| edges.iter().map(dependency).collect()),
        }
    }

    /// Adds a build that lists its dependencies, in the numbers of this packer.
    pub fn push_codes(
        &mut self,
        hash: Hash,
        codes: Codes,
        package_hash: Option<&str>,
        edges: impl IntoIterator<Item = (u32, u32)>,
    ) {
        let Codes { package, version, configuration, variants, places, origin } = codes;
        self.records.push(Record {
            package,
            version,
            configuration,
            variant_set: variants,
            place_set: places,
            origin,
            hash,
            arrival: self.records.len() as u32,
        });
        let start = self.graph.edges.len() as u32;
        self.graph.edges.extend(edges);
        self.graph.ranges.push(Some(start..self.graph.edges.len() as u32));
        let package_hash = package_hash.map(|text| self.package_hashes.code(text));
        self.details.push(Detail { package_hash, ..Detail::default() });
    }

    /// Adds a build of another packer. `translation` must always be used with the same two packers.
    pub fn take(&mut self, from: &Packer, build: usize, translation: &mut Translation) {
        let Translation { values, configurations, lists, place_sets, origins, .. } = translation;
        let record = &from.records[build];
        let mut value = |into: &mut [Interner<String>; Facet::COUNT], facet: Facet, code| {
            let text = || into[facet.at()].code(from.text(facet, code));
            values[facet.at()].get(code, text)
        };
        let record = Record {
            package: value(&mut self.values, Facet::Package, record.package),
            version: value(&mut self.values, Facet::Version, record.version),
            configuration: configurations.get(record.configuration, || {
                let Configuration { mut slots } = *from.configurations.value(record.configuration);
                for (slot, facet) in slots.iter_mut().zip(Facet::BY_SLOT) {
                    *slot = slot.map(|code| value(&mut self.values, facet, code));
                }
                self.configurations.code(&Configuration { slots })
            }),
            variant_set: lists.get(record.variant_set, || {
                let is_from_page = from.graph.of(build).is_none();
                self.lists.code(from.lists.list(record.variant_set), is_from_page)
            }),
            place_set: place_sets.get(record.place_set, || {
                self.place_sets.code(from.place_sets.value(record.place_set))
            }),
            origin: origins
                .get(record.origin, || self.origins.code(from.origins.value(record.origin))),
            hash: record.hash,
            arrival: self.records.len() as u32,
        };
        self.records.push(record);
        let Translation { packages, kinds, links, hashes, .. } = translation;
        let Graph {
            packages: new_packages,
            kinds: new_kinds,
            links: new_links,
            hashes: new_hashes,
            ranges,
            edges,
        } = &mut self.graph;
        let start = edges.len() as u32;
        ranges.push(from.edges(build).map(|old| {
            edges.extend(old.iter().map(|&(link, hash)| {
                let link = links.get(link, || {
                    let Link { package, kind } = *from.graph.links.value(link);
                    let name = from.graph.packages.value(package).as_str();
                    let package = packages.get(package, || new_packages.code(name));
                    let kind = kinds.get(kind, || new_kinds.code(from.graph.kinds.value(kind)));
                    new_links.code(&Link { package, kind })
                });
                (link, hashes.get(hash, || new_hashes.code(from.graph.hashes.value(hash))))
            }));
            start..edges.len() as u32
        }));
        let Translation { package_hashes, signatures, publications, .. } = translation;
        let Detail { size, digest, package_hash, signature, first_seen } = from.details[build];
        let package_hash = package_hash.map(|code| {
            let text = || self.package_hashes.code(from.package_hashes.value(code).as_str());
            package_hashes.get(code, text)
        });
        let signature = signature.map(|code| {
            let text = || self.signatures.code(from.signatures.value(code).as_str());
            signatures.get(code, text)
        });
        let first_seen = first_seen.map(|code| {
            let text = || self.publications.code(from.publications.value(code).as_str());
            publications.get(code, text)
        });
        self.details.push(Detail { size, digest, package_hash, signature, first_seen });
    }

    /// Returns `true` if two builds agree in everything except their hashes, places, sizes, first publications and the
    /// digests of their binaries.
    pub fn agree(&self, one: usize, other: usize) -> bool {
        let facts = |build| {
            let Detail { size: _, digest: _, package_hash, signature, first_seen: _ } =
                self.details[build];
            let codes = Codes { places: 0, ..self.codes(build) };
            (codes, package_hash, signature, self.edges(build))
        };
        facts(one) == facts(other)
    }

    /// Adds the places of another build to those of a build, and keeps the larger size and the earlier publication.
    pub fn unite(&mut self, build: usize, other: usize) {
        let size = self.details[build].size.max(self.details[other].size);
        let digest = self.details[build].digest.max(self.details[other].digest);
        let publications =
            [build, other].into_iter().filter_map(|one| self.details[one].first_seen);
        let first_seen = publications.min_by_key(|&code| self.publications.value(code));
        let detail = &mut self.details[build];
        (detail.size, detail.digest, detail.first_seen) = (size, digest, first_seen);
        let (set, more) = (self.records[build].place_set, self.records[other].place_set);
        if set != more {
            let (place_sets, records) = (&mut self.place_sets, &mut self.records);
            records[build].place_set = *self.united.entry((set, more)).or_insert_with(|| {
                let mut places = place_sets.value(set).clone();
                places.extend(place_sets.value(more).iter().cloned());
                place_sets.code(&places)
            });
        }
    }

    /// Removes the build that was added last.
    pub fn pop(&mut self) {
        self.records.pop();
        self.details.pop();
        self.graph.pop();
    }

    /// Replaces a build with another one.
    pub fn replace(&mut self, build: usize, new: &Build) {
        self.push(new);
        self.records.swap_remove(build);
        self.details.swap_remove(build);
        self.graph.replace_with_last(build);
        self.records[build].arrival = build as u32;
    }

    /// Sets the compiler of a build.
    pub fn set_compiler(&mut self, build: usize, name: &str) {
        let code = self.value(Facet::Compiler, name);
        let mut configuration = *self.configurations.value(self.records[build].configuration);
        for (slot, facet) in configuration.slots.iter_mut().zip(Facet::BY_SLOT) {
            if facet == Facet::Compiler {
                *slot = Some(code);
            }
        }
        self.records[build].configuration = self.configurations.code(&configuration);
    }

    /// Sets the size, the digest and the signature of a build's binary.
    pub fn set_binary(
        &mut self,
        build: usize,
        size: Option<u64>,
        digest: Option<BinaryDigest>,
        signature: Option<&Signature>,
    ) {
        let signature = signature.map(|signature| self.signatures.code(signature.text()));
        let detail = &mut self.details[build];
        (detail.size, detail.digest, detail.signature) = (size, digest, signature);
    }

    fn text(&self, facet: Facet, code: u32) -> &str {
        self.values[facet.at()].value(code)
    }

    /// Returns the value of a build in a facet of configurations.
    fn slot(&self, build: usize, facet: Facet) -> Option<&str> {
        let configuration = self.configurations.value(self.records[build].configuration);
        let mut slots = configuration.slots.iter().zip(Facet::BY_SLOT);
        let (code, _) = slots.find(|(_, other)| *other == facet)?;
        Some(self.text(facet, (*code)?))
    }
}
