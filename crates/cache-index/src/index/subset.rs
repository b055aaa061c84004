//! An index of some of the builds of another one.
//!
//! It keeps what facets need, exactly as it was: packing the builds again would lose which library provides what, because
//! the builds that they depend on are mostly not among them. Codes that no build uses any more are removed, so that an
//! index of few builds is small. The dependencies are left out.

use std::sync::OnceLock;

use super::details::{Details, SharedTexts};
use super::recipes::RecipeParts;
use super::{BuildId, Columns, Configuration, Dictionary, Identity, Index, RowId, Sets};
use crate::facet::{Facet, Storage};

impl Index {
    /// Returns an index of these builds, which must be ascending, without their dependencies. If no hashes have been
    /// loaded, it has none.
    pub fn only(&self, builds: &[BuildId]) -> Index {
        let rows = self.rows_with(builds);
        let mut used: [KeptCodes; Facet::COUNT] =
            Facet::ALL.map(|facet| KeptCodes::none_of(self.dictionary(facet).len()));
        let mut use_value = |facet: Facet, code: u32| used[facet.at()].keep(code);

        let mut configurations = KeptCodes::none_of(self.configurations.len());
        let mut variant_sets = KeptCodes::none_of(self.variant_sets.len());
        let mut place_sets = KeptCodes::none_of(self.place_sets.len());
        let mut origins = KeptCodes::none_of(self.origins.len());
        for &(row, _) in &rows {
            let at = row.at();
            use_value(Facet::Package, self.package_of(row).0);
            use_value(Facet::Version, self.rows.version[at]);
            configurations.keep(self.rows.configuration[at]);
            variant_sets.keep(self.rows.variant_set[at]);
            place_sets.keep(self.rows.place_set[at]);
            origins.keep(self.origin_code(row));
        }
        let mut provider_sets = KeptCodes::none_of(self.provider_sets.len());
        for configuration in configurations.of(&self.configurations) {
            for (facet, code) in Facet::BY_SLOT.into_iter().zip(configuration.slots) {
                match (facet.stored(), code) {
                    (_, None) => {}
                    (Storage::Providers(_), Some(set)) => provider_sets.keep(set),
                    (_, Some(code)) => use_value(facet, code),
                }
            }
        }
        for &code in provider_sets.codes().flat_map(|set| self.provider_sets.get(set)) {
            use_value(Facet::Provider, code);
        }
        for &code in variant_sets.codes().flat_map(|set| self.variant_sets.get(set)) {
            use_value(Facet::Variant, code);
        }
        let mut places = KeptCodes::none_of(self.places.len());
        place_sets.codes().flat_map(|set| self.place_sets.get(set)).for_each(|&p| places.keep(p));
        for &(release, stack) in places.of(&self.places) {
            use_value(Facet::Release, release);
            use_value(Facet::Stack, stack);
        }

        let used = used.map(KeptCodes::numbered);
        let [configurations, variant_sets, place_sets, origins, provider_sets, places] =
            [configurations, variant_sets, place_sets, origins, provider_sets, places]
                .map(KeptCodes::numbered);
        let value = |facet: Facet, code: u32| used[facet.at()].code(code);
        let variants = &used[Facet::Variant.at()];
        let slots = |configuration: &Configuration| {
            let mut slots = configuration.slots;
            for (facet, slot) in Facet::BY_SLOT.into_iter().zip(&mut slots) {
                *slot = slot.map(|code| match facet.stored() {
                    Storage::Providers(_) => provider_sets.code(code),
                    _ => value(facet, code),
                });
            }
            Configuration { slots }
        };
        let single_valued = self
            .single_valued
            .iter()
            .filter_map(|&(set, code)| Some((variant_sets.get(set)?, variants.get(code)?)));
        Index {
            identity: Identity::default(),
            about: self.about.clone(),
            dictionaries: Facet::ALL.map(|facet| {
                let values = used[facet.at()].of(self.dictionary(facet).values());
                Dictionary::new(values.cloned().collect()).expect("values are distinct")
            }),
            multi_valued: variants.of(&self.multi_valued).copied().collect(),
            single_valued: single_valued.collect(),
            configurations: configurations.of(&self.configurations).map(slots).collect(),
            provider_sets: provider_sets.sets(&self.provider_sets, &used[Facet::Provider.at()]),
            variant_sets: variant_sets.sets(&self.variant_sets, variants),
            places: places
                .of(&self.places)
                .map(|&(release, stack)| {
                    (value(Facet::Release, release), value(Facet::Stack, stack))
                })
                .collect(),
            place_sets: place_sets.sets(&self.place_sets, &places),
            origins: origins.of(&self.origins).cloned().collect(),
            rows: self.renumbered(
                &rows,
                used[Facet::Package.at()].len(),
                |package| value(Facet::Package, package),
                |at| {
                    [
                        value(Facet::Version, self.rows.version[at]),
                        configurations.code(self.rows.configuration[at]),
                        variant_sets.code(self.rows.variant_set[at]),
                        place_sets.code(self.rows.place_set[at]),
                        origins.code(self.origin_code(RowId(at as u32))),
                    ]
                },
            ),
            hashes: self.hashes.get().map_or_else(OnceLock::new, |hashes| {
                OnceLock::from(builds.iter().map(|build| hashes[build.at()]).collect::<Vec<_>>())
            }),
            details: self
                .details
                .get()
                .map_or_else(OnceLock::new, |details| OnceLock::from(details.only(builds))),
            dependencies: OnceLock::new(),
            earlier: OnceLock::new(),
            recipes: RecipeParts::default(),
            facts: None,
            parsed: OnceLock::new(),
            row_by_build: OnceLock::new(),
        }
    }

    /// Returns the rows of some builds, each with their number.
    fn rows_with(&self, builds: &[BuildId]) -> Vec<(RowId, u32)> {
        let mut rows: Vec<(RowId, u32)> = Vec::new();
        for &build in builds {
            match rows.last_mut() {
                Some((row, count)) if build.0 < self.rows.build_start[row.at() + 1] => *count += 1,
                _ => rows.push((self.row_of(build), 1)),
            }
        }
        rows
    }

    /// Returns the columns of some rows, each given with the number of its builds. `codes` returns the new codes of a
    /// row, except that of its package.
    fn renumbered(
        &self,
        kept: &[(RowId, u32)],
        packages: usize,
        package: impl Fn(u32) -> u32,
        codes: impl Fn(usize) -> [u32; 5],
    ) -> Columns {
        let mut rows = Columns { build_start: vec![0], ..Columns::default() };
        let mut builds = 0;
        for (at, &(row, count)) in (0u32..).zip(kept) {
            let package = package(self.package_of(row).0) as usize;
            while rows.package_start.len() <= package {
                rows.package_start.push(at);
            }
            builds += count;
            rows.build_start.push(builds);
            let [version, configuration, variant_set, place_set, origin] = codes(row.at());
            rows.version.push(version);
            rows.configuration.push(configuration);
            rows.variant_set.push(variant_set);
            rows.place_set.push(place_set);
            rows.origin.push(origin);
        }
        if rows.origin.iter().all(|&origin| origin == 0) {
            rows.origin.clear();
        }
        rows.package_start.resize(packages + 1, kept.len() as u32);
        rows
    }
}

impl Details {
    fn only(&self, builds: &[BuildId]) -> Details {
        let sizes = match self.sizes.is_empty() {
            true => Vec::new(),
            false => builds.iter().map(|build| self.sizes[build.at()]).collect(),
        };
        let digests = match self.digests.is_empty() {
            true => Vec::new(),
            false => builds.iter().map(|build| self.digests[build.at()]).collect(),
        };
        let of = |shared: &SharedTexts| shared.only(builds);
        let Details { package_hashes, signatures, first_seen, .. } = self;
        Details::new(sizes, digests, of(package_hashes), of(signatures), of(first_seen))
    }
}

impl SharedTexts {
    fn only(&self, builds: &[BuildId]) -> SharedTexts {
        if self.by_build.is_empty() {
            return SharedTexts::default();
        }
        let texts: Vec<String> = self.texts.iter().flatten().cloned().collect();
        // By old code: the position of its text in `texts`.
        let mut position = Vec::with_capacity(self.texts.len());
        let mut before = 0;
        for text in &self.texts {
            position.push(text.as_ref().map(|_| before));
            before += u32::from(text.is_some());
        }
        let code = |build: &BuildId| position[self.by_build[build.at()] as usize];
        match builds.iter().any(|build| code(build).is_some()) {
            true => SharedTexts::new(builds.iter().map(code), texts),
            false => SharedTexts::default(),
        }
    }
}

/// The codes that are kept.
struct KeptCodes(Vec<bool>);

impl KeptCodes {
    fn none_of(codes: usize) -> KeptCodes {
        KeptCodes(vec![false; codes])
    }

    fn keep(&mut self, code: u32) {
        self.0[code as usize] = true;
    }

    fn codes(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.0).filter(|(_, kept)| **kept).map(|(code, _)| code)
    }

    fn of<'t, T>(&self, all: &'t [T]) -> impl Iterator<Item = &'t T> {
        all.iter().zip(&self.0).filter(|(_, kept)| **kept).map(|(one, _)| one)
    }

    fn numbered(self) -> Numbered {
        let mut length = 0;
        let new = self.0.iter().map(|&kept| {
            length += u32::from(kept);
            kept.then(|| length - 1)
        });
        Numbered { new: new.collect(), length: length as usize }
    }
}

/// The codes that are kept, renumbered in the same order.
struct Numbered {
    new: Vec<Option<u32>>,
    length: usize,
}

impl Numbered {
    fn len(&self) -> usize {
        self.length
    }

    fn get(&self, code: u32) -> Option<u32> {
        self.new[code as usize]
    }

    fn code(&self, code: u32) -> u32 {
        self.get(code).expect("every code in use is kept")
    }

    fn of<'t, T>(&self, all: &'t [T]) -> impl Iterator<Item = &'t T> {
        all.iter().zip(&self.new).filter(|(_, new)| new.is_some()).map(|(one, _)| one)
    }

    /// Returns the sets that are kept, with the new codes of their members.
    fn sets(&self, all: &Sets, members: &Numbered) -> Sets {
        let mut sets = Sets::default();
        for (set, _) in all.iter().zip(&self.new).filter(|(_, new)| new.is_some()) {
            sets.push(set.iter().map(|&member| members.code(member)));
        }
        sets
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::build::Build;
    use crate::index::{About, pack};
    use crate::sample;

    proptest! {
        #[test]
        fn keeps_everything_about_some_builds_but_their_dependencies(
            builds in sample::builds(),
            kept in prop::collection::vec(any::<bool>(), 40),
        ) {
            let index = pack(About::default(), builds).expect("different hashes");
            let kept: Vec<BuildId> =
                (0..index.specs()).map(BuildId).filter(|id| kept[id.at()]).collect();
            let only = index.only(&kept);
            prop_assert_eq!(only.specs() as usize, kept.len());
            let only = Index::from_json(&only.to_json()).expect("what was just written");
            let texts = |index: &Index, build: BuildId, facet: Facet| {
                let codes = index.values(index.row_of(build), facet);
                codes.into_iter().map(|code| index.dictionary(facet).text(code).to_owned()).collect::<Vec<_>>()
            };
            for (new, &old) in (0..).map(BuildId).zip(&kept) {
                let plain = |build: Option<Build>| build.map(|build| Build { dependencies: None, ..build });
                prop_assert_eq!(plain(only.build(new)), plain(index.build(old)));
                for facet in Facet::ALL {
                    prop_assert_eq!(texts(&only, new, facet), texts(&index, old, facet));
                }
            }
            for facet in Facet::ALL {
                let used = |text: &String| (0..only.specs()).any(|id| texts(&only, BuildId(id), facet).contains(text));
                prop_assert!(only.dictionary(facet).values().iter().all(used));
            }
        }
    }
}
