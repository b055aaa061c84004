//! The aspects of specs as numbers, for comparing many specs with many.
//!
//! Two specs whose numbers come from the same [`Codebook`] agree in an aspect if and only if its numbers are equal.
//! Most of an index is codes already, and few of them are distinct, so a [`Coding`] looks at each text, set and list of
//! an index once. After that, two specs are compared by comparing twelve numbers.
//!
//! Builds are coded in three stages, because the later ones cost more and mostly are not needed: what the
//! [row](Coding::row) decides, the [outline](Coding::outline), and the [whole](Coding::whole). A number that is missing
//! counts as equal to any other, so earlier stages never show more differences than later ones.

use cache_index::build::{Dependency, Deptypes, Hash, Variant, VariantValue};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Dependencies, EdgeTarget, Index, NO_COMPILER, RowId, ValueCode};
use foldhash::fast::RandomState;
use indexmap::IndexSet;

use spack_spec::LANGUAGES;

use super::Aspects;
use crate::differences::{Aspect, PATCHES};

/// The number of an aspect that is not specified or not known yet.
const MISSING: u32 = u32::MAX;

/// The aspects of a spec as numbers: in the order of [`Aspect`], and then the versions of the compilers, which belong to
/// [`Aspect::Compiler`] and may not be known although their names are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coded([u32; VERSIONS + 1]);

/// The position of the versions of the compilers.
const VERSIONS: usize = Aspect::COUNT;

/// The aspects in which two specs differ: a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Differences(u16);

impl Coded {
    /// Compares two specs whose numbers come from the same book.
    pub(crate) fn differences(&self, other: &Coded) -> Differences {
        let mut bits: u16 = 0;
        for at in 0..self.0.len() {
            let (one, other) = (self.0[at], other.0[at]);
            bits |= u16::from(one != other && one != MISSING && other != MISSING) << at;
        }
        let of_versions = bits >> VERSIONS & 1;
        Differences(bits & !(1 << VERSIONS) | of_versions << Aspect::Compiler as u16)
    }

    /// Returns the number of an aspect.
    pub(crate) fn number(&self, aspect: Aspect) -> u32 {
        self.0[aspect as usize]
    }

    fn set(&mut self, aspect: Aspect, number: u32) {
        self.0[aspect as usize] = number;
    }

    /// Returns the numbers of all aspects but the hashes of the dependencies.
    pub(crate) fn without_hashes(self) -> [u32; VERSIONS + 1] {
        let mut coded = self;
        coded.set(Aspect::DependencyHashes, MISSING);
        coded.0
    }
}

impl Differences {
    /// Returns how many aspects differ.
    pub(crate) fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns `true` if the specs differ in an aspect.
    pub(crate) fn has(self, aspect: Aspect) -> bool {
        self.0 >> aspect as usize & 1 == 1
    }

    /// Returns the most significant aspect.
    pub(crate) fn first(self) -> Option<Aspect> {
        Aspect::ALL.into_iter().find(|&aspect| self.has(aspect))
    }

    /// Returns the aspects, most significant first.
    pub(crate) fn list(self) -> Vec<Aspect> {
        Aspect::ALL.into_iter().filter(|&aspect| self.has(aspect)).collect()
    }
}

/// The numbers of texts, hashes, and lists of numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codebook {
    texts: IndexSet<String, RandomState>,
    hashes: IndexSet<Hash, RandomState>,
    lists: IndexSet<Vec<u32>, RandomState>,
}

impl Codebook {
    /// Returns the number of the package, purposes and virtual packages of a dependency.
    pub(crate) fn dependency(&mut self, edge: &Dependency) -> u32 {
        let package = self.text(&edge.package);
        self.edge(package, edge.deptypes, &edge.virtuals)
    }

    /// Returns the number of a list; equal lists have equal numbers.
    pub(crate) fn number(&mut self, list: &[u32]) -> u32 {
        self.list(list)
    }

    /// Returns the text of a number.
    pub(crate) fn spelled(&self, number: u32) -> &str {
        self.texts.get_index(number as usize).map_or("", String::as_str)
    }

    /// Returns the package, purposes and virtual packages of a [dependency](Codebook::dependency)'s number.
    pub(crate) fn spelled_dependency(&self, number: u32) -> (String, Deptypes, Vec<String>) {
        let list = self.lists.get_index(number as usize).map_or(&[][..], Vec::as_slice);
        let [package, deptypes, virtuals @ ..] = list else { return Default::default() };
        let text = |number: &u32| self.spelled(*number).to_owned();
        let deptypes = Deptypes::from_bits(*deptypes as u8).unwrap_or_default();
        (text(package), deptypes, virtuals.iter().map(text).collect())
    }

    /// Returns the numbers of a spec that is spelled out.
    pub(crate) fn spec(&mut self, aspects: &Aspects) -> Coded {
        let known_versions = aspects.compiler_versions.as_ref();
        let compilers = aspects.compilers.iter().enumerate().map(|(at, (language, package))| {
            let version = known_versions.map_or(MISSING, |versions| self.text(&versions[at]));
            [self.text(language), self.text(package), version]
        });
        let compilers = compilers.collect();
        let [compilers, versions] = self.compilers(compilers);
        let mut coded = Coded([MISSING; VERSIONS + 1]);
        coded.0[VERSIONS] = versions;
        for aspect in Aspect::ALL {
            let number = match aspect {
                Aspect::Version => self.text(&aspects.version),
                Aspect::Architecture => {
                    let texts = aspects.architecture.each_ref().map(|text| self.text(text));
                    self.list(&texts)
                }
                Aspect::Namespace => self.namespace(aspects.namespace.as_deref()),
                Aspect::Compiler => compilers,
                Aspect::Variants => self.variants(aspects.variants.iter()),
                Aspect::Flags => self.flags(&aspects.flags),
                Aspect::Patches => self.variants(aspects.patches.iter()),
                Aspect::External => u32::from(aspects.external),
                Aspect::Dependencies => aspects.edges.as_ref().map_or(MISSING, |edges| {
                    let edges = edges.iter().map(|(package, types, virtuals)| {
                        let package = self.text(package);
                        self.edge(package, *types, virtuals)
                    });
                    let edges = edges.collect();
                    self.set(edges)
                }),
                Aspect::Recipe => {
                    aspects.recipe.as_ref().map_or(MISSING, |recipe| self.text(recipe))
                }
                Aspect::DependencyHashes => aspects.hashes.as_ref().map_or(MISSING, |hashes| {
                    let hashes = hashes.iter().map(|hash| self.hash(*hash)).collect();
                    self.set(hashes)
                }),
            };
            coded.set(aspect, number);
        }
        coded
    }

    /// Returns the number of a text.
    pub(crate) fn text(&mut self, text: &str) -> u32 {
        let code = self.texts.get_index_of(text);
        code.unwrap_or_else(|| self.texts.insert_full(text.to_owned()).0) as u32
    }

    /// Returns the number of a hash.
    pub(crate) fn hash(&mut self, hash: Hash) -> u32 {
        self.hashes.insert_full(hash).0 as u32
    }

    fn list(&mut self, list: &[u32]) -> u32 {
        let code = self.lists.get_index_of(list);
        code.unwrap_or_else(|| self.lists.insert_full(list.to_vec()).0) as u32
    }

    /// Returns the number of a list whose order does not matter.
    fn set(&mut self, mut numbers: Vec<u32>) -> u32 {
        numbers.sort_unstable();
        self.list(&numbers)
    }

    /// Takes the texts of language, name and version of each, and returns the numbers of the compilers and of their
    /// versions.
    fn compilers(&mut self, mut compilers: Vec<[u32; 3]>) -> [u32; 2] {
        compilers.sort_unstable();
        let names: Vec<u32> = compilers.iter().flat_map(|[names @ .., _]| *names).collect();
        let versions: Vec<u32> = compilers.iter().map(|[.., version]| *version).collect();
        let versions = match versions.contains(&MISSING) {
            true => MISSING,
            false => self.list(&versions),
        };
        [self.list(&names), versions]
    }

    fn namespace(&mut self, namespace: Option<&str>) -> u32 {
        namespace.map_or(MISSING, |text| self.text(text))
    }

    fn variants<'v>(&mut self, variants: impl Iterator<Item = &'v Variant>) -> u32 {
        let mut list = Vec::new();
        for Variant { name, value } in variants {
            list.push(self.text(name));
            match value {
                VariantValue::Bool(value) => list.extend([0, u32::from(*value)]),
                VariantValue::Single(value) => list.extend([1, self.text(value)]),
                // As in `Aspects`, a list of one value is that value.
                VariantValue::Multi(values) if values.len() == 1 => {
                    list.extend([1, self.text(&values[0])]);
                }
                VariantValue::Multi(values) => {
                    list.extend([2, values.len() as u32]);
                    list.extend(values.iter().map(|value| self.text(value)));
                }
            }
        }
        self.list(&list)
    }

    fn flags(&mut self, flags: &[(String, Vec<String>)]) -> u32 {
        let mut list = Vec::new();
        for (name, values) in flags {
            list.extend([self.text(name), values.len() as u32]);
            list.extend(values.iter().map(|value| self.text(value)));
        }
        self.list(&list)
    }

    fn edge(&mut self, package: u32, deptypes: Deptypes, virtuals: &[String]) -> u32 {
        let mut list = vec![package, u32::from(deptypes.bits())];
        list.extend(virtuals.iter().map(|text| self.text(text)));
        self.list(&list)
    }
}

/// What has been looked at in an index. All calls must pass the same index and the same book.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coding {
    versions: Memo<u32>,
    /// By configuration.
    architectures: Memo<u32>,
    /// By code of the compiler facet: the compilers of a build that names none as a dependency, and their versions.
    compilers: Memo<[u32; 2]>,
    /// Namespace, flags, and being external.
    origins: Memo<[u32; 3]>,
    /// Variants and patches.
    variant_sets: Memo<[u32; 2]>,
    recipes: Memo<u32>,
    /// By code of a link.
    links: Memo<u32>,
    shapes: Memo<Shape>,
    /// By target of an edge: the number of its hash.
    targets: Memo<u32>,
}

/// What has been looked at, by number.
#[derive(Clone, Debug)]
struct Memo<T>(Vec<Option<T>>);

impl<T> Default for Memo<T> {
    fn default() -> Memo<T> {
        Memo(Vec::new())
    }
}

impl<T: Clone> Memo<T> {
    fn get(&mut self, at: u32, look: impl FnOnce() -> T) -> &T {
        let at = at as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, None);
        }
        self.0[at].get_or_insert_with(look)
    }
}

/// A list of dependencies without their targets.
#[derive(Clone, Debug)]
struct Shape {
    /// The number of what is listed.
    edges: u32,
    /// The positions of compilers, each with the language and the package.
    compilers: Vec<(usize, u32, u32)>,
}

impl Coding {
    /// Returns what all builds of a row have in common.
    pub(crate) fn row(&mut self, book: &mut Codebook, index: &Index, row: RowId) -> Coded {
        let version = self.version(book, index, row);
        let configuration = index.columns().configuration[row.at()];
        let architecture = *self.architectures.get(configuration, || {
            let facets = [Facet::Platform, Facet::Os, Facet::Target];
            let texts = facets.map(|facet| book.text(index.text(row, facet)));
            book.list(&texts)
        });
        let [namespace, flags, external] = *self.origins.get(index.origin_code(row), || {
            let origin = index.origin(row);
            let namespace = book.namespace(origin.namespace.as_deref());
            [namespace, book.flags(&origin.flags), u32::from(origin.external)]
        });
        let [variants, patches] =
            *self.variant_sets.get(index.columns().variant_set[row.at()], || {
                let all = index.variants_of(row);
                let is_patches = |variant: &&Variant| variant.name == PATCHES;
                let variants = book.variants(all.iter().filter(|variant| !is_patches(variant)));
                [variants, book.variants(all.iter().filter(is_patches))]
            });
        let mut coded = Coded([MISSING; VERSIONS + 1]);
        coded.set(Aspect::Version, version);
        coded.set(Aspect::Architecture, architecture);
        coded.set(Aspect::Namespace, namespace);
        coded.set(Aspect::Variants, variants);
        coded.set(Aspect::Flags, flags);
        coded.set(Aspect::Patches, patches);
        coded.set(Aspect::External, external);
        coded
    }

    /// Adds the recipe of one of a row's builds, and which packages the build depends on, to what the row decides.
    pub(crate) fn outline(
        &mut self,
        book: &mut Codebook,
        index: &Index,
        row: Coded,
        build: BuildId,
    ) -> Coded {
        let mut coded = row;
        if let Some(recipes) = index.package_hashes()
            && let Some(&text) = recipes.by_build.get(build.at())
        {
            let recipe = *self.recipes.get(text, || {
                let recipe = recipes.texts[text as usize].as_deref();
                recipe.map_or(MISSING, |recipe| book.text(recipe))
            });
            coded.set(Aspect::Recipe, recipe);
        }
        if let Some(all) = listed(index, build) {
            coded.set(Aspect::Dependencies, self.shape(book, index, all, build).edges);
        }
        coded
    }

    /// Adds the compilers and the hashes of the dependencies to an outline; `row` is the build's.
    pub(crate) fn whole(
        &mut self,
        book: &mut Codebook,
        index: &Index,
        outline: Coded,
        row: RowId,
        build: BuildId,
    ) -> Coded {
        let mut coded = outline;
        let mut compilers = Vec::new();
        if let Some(all) = listed(index, build) {
            let (_, targets) = all.numbers(build.at());
            let builds = index.specs();
            let hashes = targets.iter().map(|&target| {
                *self.targets.get(target, || match target.checked_sub(builds) {
                    None => index.hash(BuildId(target)).map_or(MISSING, |hash| book.hash(hash)),
                    Some(unknown) => book.hash(all.unknown[unknown as usize].1),
                })
            });
            let mut hashes: Vec<u32> = hashes.collect();
            hashes.sort_unstable();
            hashes.dedup();
            coded.set(Aspect::DependencyHashes, book.list(&hashes));
            let named = self.shape(book, index, all, build).compilers.len();
            for at in 0..named {
                let (edge, language, package) = self.shape(book, index, all, build).compilers[at];
                let version = match targets[edge] < builds {
                    true => {
                        let row = index.row_by_build()[targets[edge] as usize];
                        self.version(book, index, RowId(row))
                    }
                    false => MISSING,
                };
                compilers.push([language, package, version]);
            }
        }
        let [compilers, versions] = match compilers.is_empty() {
            false => book.compilers(compilers),
            true => *self.compilers.get(index.value(row, Facet::Compiler).0, || {
                let compiler = index.text(row, Facet::Compiler);
                let named = ["", compiler, ""].map(|text| book.text(text));
                let is_named = compiler != NO_COMPILER;
                book.compilers(is_named.then_some(named).into_iter().collect())
            }),
        };
        coded.set(Aspect::Compiler, compilers);
        coded.0[VERSIONS] = versions;
        coded
    }

    /// Returns the dependencies of a build: the number of what each is for, and its target; `None` if they are not listed.
    pub(crate) fn edges<'i>(
        &mut self,
        book: &mut Codebook,
        index: &'i Index,
        build: BuildId,
    ) -> Option<Vec<(u32, EdgeTarget<'i>)>> {
        let all = listed(index, build)?;
        self.shape(book, index, all, build);
        let links = all.links(build.at()).iter();
        let numbers = links.map(|&link| self.links.0[link as usize].unwrap_or(MISSING));
        let targets = index.dependencies(build)?.map(|edge| edge.target);
        Some(numbers.zip(targets).collect())
    }

    fn version(&mut self, book: &mut Codebook, index: &Index, row: RowId) -> u32 {
        let version = index.columns().version[row.at()];
        let text = || index.dictionary(Facet::Version).text(ValueCode(version));
        *self.versions.get(version, || book.text(text()))
    }

    fn shape(
        &mut self,
        book: &mut Codebook,
        index: &Index,
        all: &Dependencies,
        build: BuildId,
    ) -> &Shape {
        self.shapes.get(all.shape[build.at()], || {
            let mut edges = Vec::new();
            let mut compilers = Vec::new();
            for (at, &code) in all.links(build.at()).iter().enumerate() {
                let link = all.links[code as usize];
                let kind = &all.kinds[link.kind as usize];
                let package = book.text(index.package_or_further(all, link.package));
                let edge = || book.edge(package, kind.deptypes, &kind.virtuals);
                edges.push(*self.links.get(code, edge));
                for language in
                    kind.virtuals.iter().filter(|text| LANGUAGES.contains(&text.as_str()))
                {
                    compilers.push((at, book.text(language), package));
                }
            }
            Shape { edges: book.set(edges), compilers }
        })
    }
}

/// Returns all edges, if a build lists its dependencies and they have been loaded.
fn listed(index: &Index, build: BuildId) -> Option<&Dependencies> {
    let row = RowId(index.row_by_build()[build.at()]);
    index.edges().filter(|_| index.lists_dependencies(row))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use cache_index::index::{About, pack};
    use cache_index::sample;

    proptest! {
        /// Compares all builds of two indexes with each other.
        #[test]
        fn differs_as_spelled_aspects_do((mut builds, mut others) in (sample::builds(), sample::builds())) {
            builds.truncate(12);
            others.truncate(12);
            let indexes = [builds, others].map(|builds| pack(About::default(), builds).expect("different hashes"));
            let mut book = Codebook::default();
            let mut all: Vec<(Aspects, [Coded; 4])> = Vec::new();
            for index in &indexes {
                let mut coding = Coding::default();
                for row in (0..index.rows() as u32).map(RowId) {
                    let decided = coding.row(&mut book, index, row);
                    for build in index.builds_of(row) {
                        let aspects = Aspects::of(index, build).expect("hashes");
                        let outline = coding.outline(&mut book, index, decided, build);
                        let whole = coding.whole(&mut book, index, outline, row, build);
                        let spelled = book.spec(&aspects);
                        all.push((aspects, [decided, outline, whole, spelled]));
                    }
                }
            }
            for (aspects, [_, _, whole, spelled]) in &all {
                for (other, stages) in &all {
                    let expected = aspects.differences(other);
                    let [decided, outline, complete, likewise] = stages.map(|stage| whole.differences(&stage).list());
                    prop_assert_eq!(&complete, &expected);
                    prop_assert_eq!(&likewise, &expected);
                    prop_assert_eq!(spelled.differences(&stages[2]).list(), expected.clone());
                    prop_assert!(outline.iter().all(|aspect| expected.contains(aspect)));
                    prop_assert!(decided.iter().all(|aspect| outline.contains(aspect)));
                }
            }
        }
    }
}
