//! What several builds have in common, so that a table only needs to show what differs.

use cache_index::build::Variant;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index, RowId, ValueCode};
use cache_index::sorting;

/// What several builds have in common.
///
/// A variant is common if every build has it with the same values: `languages=c` and `languages=c,c++` have nothing in
/// common, because neither means the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alike {
    /// The facets with the values that every build has, in the order of [`Facet::ALL`].
    pub fields: Vec<(Facet, Vec<ValueCode>)>,
    /// The variants that every build has, by name.
    pub variants: Vec<Variant>,
    /// `true` if no build has any other variant.
    pub in_all_variants: bool,
}

impl Alike {
    /// Compares builds. A single build has nothing in common with others, because there are none.
    pub fn of(index: &Index, builds: &[BuildId]) -> Alike {
        let rows = index.rows_of_builds(builds);
        let Some(&first) = rows.first().filter(|_| builds.len() > 1) else {
            return Alike::default();
        };
        let fields = Facet::ALL.into_iter().filter(|&facet| facet != Facet::Variant);
        let fields = fields.map(|facet| (facet, index.values(first, facet)));
        let agree = |(facet, values): &(Facet, Vec<ValueCode>)| {
            // Values that are unknown for all builds, or have no name, are not common.
            values.iter().any(|&code| !index.dictionary(*facet).text(code).is_empty())
                && (index.representatives(&rows, *facet).into_iter())
                    .all(|row| index.values(row, *facet) == *values)
        };
        let mut variants = index.variants_of(first);
        let variant_sets = index.representatives(&rows, Facet::Variant);
        let in_all_variants = variant_sets.len() == 1;
        for row in variant_sets {
            let others = index.variants_of(row);
            variants.retain(|variant| others.contains(variant));
        }
        Alike { fields: fields.filter(agree).collect(), variants, in_all_variants }
    }

    /// Returns `true` if all builds have the same values in a facet.
    pub fn covers(&self, facet: Facet) -> bool {
        match facet {
            Facet::Variant => self.in_all_variants,
            _ => self.fields.iter().any(|(other, _)| *other == facet),
        }
    }

    /// Returns a row's variants and providers that not all builds have, as words.
    pub fn differing_words(&self, index: &Index, row: RowId) -> Vec<String> {
        let variants = self.differing_variants(index, row);
        let mut words: Vec<String> = variants.iter().map(Variant::to_string).collect();
        if !self.covers(Facet::Provider) {
            let providers = index.values(row, Facet::Provider).into_iter();
            let text = |code| index.dictionary(Facet::Provider).text(code).to_owned();
            words.extend(providers.map(text));
        }
        words
    }

    /// Returns the [words](Alike::differing_words) of each kind of row, each once: thousands of rows have few sets of
    /// variants and providers.
    pub fn differing_kinds(&self, index: &Index, rows: &[RowId]) -> Vec<Vec<String>> {
        let rows = match self.covers(Facet::Provider) {
            true => index.representatives(rows, Facet::Variant),
            false => {
                let kind = |row: RowId| {
                    (
                        index.columns().variant_set[row.at()],
                        index.columns().configuration[row.at()],
                        row,
                    )
                };
                let mut kinds: Vec<(u32, u32, RowId)> = rows.iter().copied().map(kind).collect();
                sorting::sort_and_dedup(&mut kinds);
                kinds.dedup_by_key(|(set, configuration, _)| (*set, *configuration));
                kinds.into_iter().map(|(.., row)| row).collect()
            }
        };
        let mut kinds: Vec<Vec<String>> =
            rows.into_iter().map(|row| self.differing_words(index, row)).collect();
        sorting::sort_and_dedup(&mut kinds);
        kinds
    }

    /// Returns a row's variants without those that all builds have.
    pub fn differing_variants(&self, index: &Index, row: RowId) -> Vec<Variant> {
        let mut variants = index.variants_of(row);
        variants.retain(|variant| !self.variants.contains(variant));
        variants
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use cache_index::index::{About, pack};
    use cache_index::sample;

    proptest! {
        #[test]
        fn finds_what_every_build_has(all in sample::builds()) {
            let index = pack(About::default(), all.clone()).expect("different hashes");
            let ids: Vec<BuildId> =
                all.iter().filter_map(|build| index.find(build.hash)).collect();
            let alike = Alike::of(&index, &ids);
            if all.len() < 2 {
                prop_assert_eq!(alike, Alike::default());
                return Ok(());
            }
            for variant in all.iter().flat_map(|build| &build.variants) {
                let in_every = all.iter().all(|build| build.variants.contains(variant));
                prop_assert_eq!(alike.variants.contains(variant), in_every, "{}", variant);
            }
            let same = |read: fn(&cache_index::build::Build) -> &str| {
                all.iter().all(|build| read(build) == read(&all[0]))
            };
            prop_assert_eq!(alike.covers(Facet::Os), same(|build| &build.os));
            prop_assert_eq!(alike.covers(Facet::Version), same(|build| &build.version));
            prop_assert_eq!(alike.covers(Facet::Package), same(|build| &build.package));
            let rows: Vec<RowId> = ids.iter().map(|&id| index.row_of(id)).collect();
            let mut kinds: Vec<Vec<String>> =
                rows.iter().map(|&row| alike.differing_words(&index, row)).collect();
            kinds.sort();
            kinds.dedup();
            prop_assert_eq!(alike.differing_kinds(&index, &rows), kinds);
            for id in ids {
                let row = index.row_of(id);
                let mut both = alike.differing_variants(&index, row);
                both.extend(alike.variants.clone());
                both.sort();
                prop_assert_eq!(both, index.variants_of(row));
            }
        }
    }
}
