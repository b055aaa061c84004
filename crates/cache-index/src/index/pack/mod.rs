//! Builds in, index out.
//!
//! Strings and whole lists of variants and places are interned as builds arrive, so a [`Packer`] holds about fifty
//! bytes per build and looks at few texts. The order is established at the end, when all builds are known: dictionaries
//! in display order, sets in the order in which packages first have them (so that neighbours are alike and their
//! differences short), rows by package, version, configuration, variant set, places and origin.
//!
//! Until then nothing is lost: a packer returns each build as it arrived. So several threads can each fill one, and
//! [`take`](Packer::take) brings the builds together, as numbers.

mod graph;
mod intern;
mod linked;
mod numbers;
mod variants;

use std::fmt;
use std::sync::OnceLock;

use foldhash::HashMap;

use self::graph::Graph;
use self::intern::{Interner, reorder, sort_sets, sort_values};
use self::linked::LinkedWith;
use self::numbers::Table;

pub use self::numbers::{Codes, Translation};
use self::variants::{Lists, VariantSets};
use super::details::{Details, SharedTexts};
use super::recipes::RecipeParts;
use super::{About, Columns, Configuration, Dictionary, Identity, Index, NO_COMPILER, Origin};
use crate::build::{BinaryDigest, Build, Hash, Place, Places};
use crate::facet::{Facet, Storage};
use crate::order;

/// Packs builds with distinct hashes.
pub fn pack(about: About, builds: impl IntoIterator<Item = Build>) -> Result<Index, PackError> {
    let mut packer = Packer::default();
    for build in builds {
        packer.push(&build);
    }
    packer.finish(about)
}

/// Packs builds one by one, in any order.
#[derive(Debug, Default)]
pub struct Packer {
    values: [Interner<String>; Facet::COUNT],
    configurations: Interner<Configuration>,
    lists: Lists,
    place_sets: Interner<Places>,
    origins: Interner<Origin>,
    package_hashes: Interner<String>,
    signatures: Interner<String>,
    publications: Interner<String>,
    records: Vec<Record>,
    graph: Graph,
    /// By arrival.
    details: Vec<Detail>,
    /// The unions of pairs of place sets that have been needed so far.
    united: HashMap<(u32, u32), u32>,
}

/// A build in the numbers of the packer: first in the order of arrival, with a list of variants instead of a set, and
/// finally in the order of the index.
///
/// The fields are declared in the order by which builds are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Record {
    package: u32,
    version: u32,
    configuration: u32,
    variant_set: u32,
    place_set: u32,
    origin: u32,
    hash: Hash,
    /// Its position in the order of arrival.
    arrival: u32,
}

/// What only the page of a build shows, in the numbers of the packer.
#[derive(Clone, Copy, Debug, Default)]
struct Detail {
    size: Option<u64>,
    digest: Option<BinaryDigest>,
    package_hash: Option<u32>,
    signature: Option<u32>,
    first_seen: Option<u32>,
}

impl Record {
    fn row(&self) -> [u32; 6] {
        let Record { package, version, configuration, variant_set, place_set, origin, .. } = *self;
        [package, version, configuration, variant_set, place_set, origin]
    }
}

/// Why builds could not be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackError {
    /// Two builds have the same hash.
    DuplicateHash(Hash),
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackError::DuplicateHash(hash) => {
                write!(f, "expected builds with different hashes, found {hash} twice")
            }
        }
    }
}

impl std::error::Error for PackError {}

impl Packer {
    /// Adds a build.
    pub fn push(&mut self, build: &Build) {
        let slots = Facet::BY_SLOT.map(|facet| {
            let missing = facet.is_always_known().then_some(NO_COMPILER);
            // The libraries that a build is linked with are known only once its dependencies are.
            Some(self.value(facet, build.field(facet).or(missing)?))
        });
        let configuration = Configuration { slots };
        let record = Record {
            package: self.value(Facet::Package, &build.package),
            version: self.value(Facet::Version, &build.version),
            configuration: self.configurations.code(&configuration),
            variant_set: self.lists.code(&build.variants, build.dependencies.is_none()),
            place_set: self.place_sets.code(&build.places),
            origin: self.origins.code(&Origin::of(build)),
            hash: build.hash,
            arrival: self.records.len() as u32,
        };
        self.records.push(record);
        self.graph.push(build.dependencies.as_deref());
        let package_hash = build.package_hash.as_deref();
        let signature = build.signature.as_ref();
        self.details.push(Detail {
            size: build.size,
            digest: build.digest,
            package_hash: package_hash.map(|text| self.package_hashes.code(text)),
            signature: signature.map(|signature| self.signatures.code(signature.text())),
            first_seen: build.first_seen.as_deref().map(|made| self.publications.code(made)),
        });
    }

    fn value(&mut self, facet: Facet, value: &str) -> u32 {
        self.values[facet.at()].code(value)
    }

    /// Returns the distinct places as codes of release and stack, and the distinct sets of them.
    fn take_places(&mut self) -> (Vec<(u32, u32)>, Vec<Vec<u32>>) {
        let mut places: Interner<(u32, u32)> = Interner::default();
        let mut sets = Vec::with_capacity(self.place_sets.len());
        for set in std::mem::take(&mut self.place_sets).into_values() {
            let code = |place: &Place| {
                let release = self.value(Facet::Release, &place.release);
                places.code(&(release, self.value(Facet::Stack, &place.stack)))
            };
            sets.push(set.iter().map(code).collect());
        }
        (places.into_values(), sets)
    }

    /// Gives each build its final configuration, now that all versions are known. Returns the distinct sets of
    /// providers.
    fn link_builds(&mut self) -> Vec<Vec<u32>> {
        let versions = self.values[Facet::Version.at()].by_code();
        let mut version = vec![None; self.graph.hashes.len()];
        for record in &self.records {
            if let Some(hash) = self.graph.hashes.get(&record.hash) {
                version[hash as usize] = Some(versions[record.version as usize].as_str());
            }
        }
        let LinkedWith { libcs, providers, sets, of } =
            LinkedWith::new(&self.graph, |hash| version[hash as usize]);
        self.values[Facet::Libc.at()] = libcs;
        self.values[Facet::Provider.at()] = providers;
        let old = std::mem::take(&mut self.configurations).into_values();
        // Keeps only compilers that are in use: a build may have had none before its compiler was set.
        let old_compilers = std::mem::take(&mut self.values[Facet::Compiler.at()]);
        let compilers = &mut self.values[Facet::Compiler.at()];
        let mut new_compiler = Table::default();
        for (record, linked) in self.records.iter_mut().zip(of) {
            let mut configuration = old[record.configuration as usize];
            for (slot, facet) in configuration.slots.iter_mut().zip(Facet::BY_SLOT) {
                match facet {
                    Facet::Compiler => {
                        *slot = slot.map(|code| {
                            let new = || compilers.code(old_compilers.value(code).as_str());
                            new_compiler.get(code, new)
                        });
                    }
                    Facet::Libc => *slot = linked.map(|(libc, _)| libc),
                    Facet::Provider => *slot = linked.map(|(_, providers)| providers),
                    _ => {}
                }
            }
            record.configuration = self.configurations.code(&configuration);
        }
        sets.into_values()
    }

    /// Sorts everything and creates the index.
    pub fn finish(mut self, about: About) -> Result<Index, PackError> {
        let variants =
            std::mem::take(&mut self.lists).finish(&mut self.values[Facet::Variant.at()]);
        for record in &mut self.records {
            record.variant_set = variants.set_of(record.variant_set);
        }
        let provider_sets = self.link_builds();
        let (places, place_sets) = self.take_places();
        let mut renumbered: [Vec<u32>; Facet::COUNT] = Default::default();
        let mut dictionaries: [Dictionary; Facet::COUNT] = Default::default();
        for facet in Facet::ALL {
            let values = std::mem::take(&mut self.values[facet.at()]).into_values();
            let order = order::sorted(facet, &values);
            let (values, codes) = reorder(values, &order);
            renumbered[facet.at()] = codes;
            dictionaries[facet.at()] =
                Dictionary::new(values).expect("interned values are distinct");
        }
        let new_code = |facet: Facet, code: u32| renumbered[facet.at()][code as usize];

        let provider_sets = provider_sets.into_iter().map(|mut set| {
            set.iter_mut().for_each(|code| *code = new_code(Facet::Provider, *code));
            set.sort_unstable();
            set
        });
        let (provider_sets, new_provider_set) = sort_values(provider_sets.collect());

        let configurations = self.configurations.into_values().into_iter();
        let configurations = configurations.map(|mut configuration| {
            for (slot, facet) in configuration.slots.iter_mut().zip(Facet::BY_SLOT) {
                *slot = slot.map(|old| match facet.stored() {
                    Storage::Providers(_) => new_provider_set[old as usize],
                    _ => new_code(facet, old),
                });
            }
            configuration
        });
        let (configurations, new_configuration) = sort_values(configurations.collect());

        let places = places.into_iter().map(|(release, stack)| {
            (new_code(Facet::Release, release), new_code(Facet::Stack, stack))
        });
        let (places, new_place) = sort_values(places.collect());

        let (origins, new_origin) = sort_values(self.origins.into_values());

        let mut records = self.records;
        for record in &mut records {
            record.package = new_code(Facet::Package, record.package);
            record.version = new_code(Facet::Version, record.version);
            record.configuration = new_configuration[record.configuration as usize];
            record.origin = new_origin[record.origin as usize];
        }
        let mut set_of_build: Vec<(u32, u32)> =
            records.iter().map(|record| (record.package, record.variant_set)).collect();
        let VariantSets { sets: variant_sets, multi_valued, single_valued } =
            variants.finish(&mut set_of_build, &renumbered[Facet::Variant.at()]);
        let (place_sets, new_place_set) = sort_sets(
            place_sets,
            &new_place,
            records.iter().map(|record| (record.package, record.place_set)),
        );
        for (record, (_, variant_set)) in records.iter_mut().zip(set_of_build) {
            record.variant_set = variant_set;
            record.place_set = new_place_set[record.place_set as usize];
        }
        records.sort_unstable();

        let hashes: Vec<Hash> = records.iter().map(|record| record.hash).collect();
        let mut sorted = hashes.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(PackError::DuplicateHash(pair[0]));
        }
        let detail = |record: &Record| self.details[record.arrival as usize];
        let details = Details::new(
            records.iter().map(|record| detail(record).size).collect(),
            records.iter().map(|record| detail(record).digest).collect(),
            SharedTexts::new(
                records.iter().map(|record| detail(record).package_hash),
                self.package_hashes.into_values(),
            ),
            SharedTexts::new(
                records.iter().map(|record| detail(record).signature),
                self.signatures.into_values(),
            ),
            SharedTexts::new(
                records.iter().map(|record| detail(record).first_seen),
                self.publications.into_values(),
            ),
        );
        let dependencies =
            self.graph.into_dependencies(&records, &dictionaries[Facet::Package.at()]);
        Ok(Index {
            identity: Identity::default(),
            about,
            rows: rows(&records, dictionaries[Facet::Package.at()].len()),
            dictionaries,
            multi_valued,
            single_valued,
            configurations,
            provider_sets: provider_sets.into_iter().collect(),
            variant_sets,
            places,
            place_sets,
            origins,
            hashes: OnceLock::from(hashes),
            details: OnceLock::from(details),
            dependencies: dependencies.map_or_else(OnceLock::new, OnceLock::from),
            earlier: OnceLock::new(),
            recipes: RecipeParts::default(),
            facts: None,
            parsed: OnceLock::new(),
            row_by_build: OnceLock::new(),
        })
    }
}

/// Merges sorted records that differ only in their hashes.
fn rows(records: &[Record], packages: usize) -> Columns {
    let mut rows = Columns::default();
    for chunk in records.chunk_by(|a, b| a.row() == b.row()) {
        let record = &chunk[0];
        let row = rows.version.len() as u32;
        while rows.package_start.len() <= record.package as usize {
            rows.package_start.push(row);
        }
        let builds = rows.build_start.last().copied().unwrap_or(0);
        if rows.build_start.is_empty() {
            rows.build_start.push(0);
        }
        rows.build_start.push(builds + chunk.len() as u32);
        rows.version.push(record.version);
        rows.configuration.push(record.configuration);
        rows.variant_set.push(record.variant_set);
        rows.place_set.push(record.place_set);
        rows.origin.push(record.origin);
    }
    if rows.origin.iter().all(|&origin| origin == 0) {
        rows.origin.clear();
    }
    if rows.build_start.is_empty() {
        rows.build_start.push(0);
    }
    rows.package_start.resize(packages + 1, rows.version.len() as u32);
    rows
}
