//! The aspects of specs as numbers, for comparing many specs with many.
//!
//! Two specs whose numbers come from the same [`Codebook`] agree in an aspect if and only if its numbers are equal. Most of
//! an index is codes already, and few of them are distinct, so a [`Coding`] looks at each text, set and list of an index
//! once; then a comparison is that of twelve numbers.
//!
//! Builds are coded in three stages, because the later ones cost more and mostly are not needed: what the
//! [row](Coding::row) decides, the [outline](Coding::outline), and the [whole](Coding::whole). A number that is missing
//! counts as equal to any other, so earlier stages never show more differences than later ones.

use cache_index::build::{Build, Dependency, Deptypes, Hash, Variant, VariantValue};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Dependencies, Index, NO_COMPILER, RowId, ValueCode};
use foldhash::fast::RandomState;
use indexmap::IndexSet;

use super::field::PATCHES;
use super::{Aspect, AspectSet, LANGUAGES};

/// Stands for an aspect that is not specified or not known yet.
const MISSING: u32 = u32::MAX;

/// The aspects of a spec as numbers: in the order of [`Aspect`], and then the versions of the compilers, which belong to
/// [`Aspect::Compiler`] and may not be known although their names are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coded([u32; VERSIONS + 1]);

/// The place of the versions of the compilers.
const VERSIONS: usize = Aspect::COUNT;

impl Coded {
    /// Compares two specs whose numbers come from the same book.
    pub(crate) fn differs(&self, other: &Coded) -> AspectSet {
        let mut bits: u16 = 0;
        for at in 0..self.0.len() {
            let (one, other) = (self.0[at], other.0[at]);
            bits |= u16::from(one != other && one != MISSING && other != MISSING) << at;
        }
        let of_versions = bits >> VERSIONS & 1;
        AspectSet(bits & !(1 << VERSIONS) | of_versions << Aspect::Compiler as u16)
    }

    /// Returns the number of an aspect.
    pub(crate) fn number(&self, aspect: Aspect) -> u32 {
        self.0[aspect as usize]
    }

    fn set(&mut self, aspect: Aspect, number: u32) {
        self.0[aspect as usize] = number;
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
    /// Returns the numbers of a spec that is spelled out; `version_of` returns the version of a dependency if it is known.
    pub(crate) fn spec<'v>(
        &mut self,
        build: &Build,
        version_of: impl Fn(&Dependency) -> Option<&'v str>,
    ) -> Coded {
        let mut coded = Coded([MISSING; VERSIONS + 1]);
        let architecture = [&build.platform, &build.os, &build.target].map(|text| self.text(text));
        let is_patches = |variant: &&Variant| variant.name == PATCHES;
        let mut compilers = Vec::new();
        for edge in build.dependencies.iter().flatten() {
            let languages = edge.virtuals.iter().filter(|name| LANGUAGES.contains(&name.as_str()));
            for language in languages {
                let version = version_of(edge).map_or(MISSING, |version| self.text(version));
                compilers.push([self.text(language), self.text(&edge.package), version]);
            }
        }
        if compilers.is_empty() {
            compilers
                .extend(build.compiler.as_deref().map(|compiler| self.compiler_field(compiler)));
        }
        let [compilers, versions] = self.compilers(compilers);
        coded.set(Aspect::Version, self.text(&build.version));
        coded.set(Aspect::Architecture, self.list(&architecture));
        coded.set(Aspect::Namespace, self.namespace(build.namespace.as_deref()));
        coded.set(Aspect::Compiler, compilers);
        coded.0[VERSIONS] = versions;
        coded.set(
            Aspect::Variants,
            self.variants(build.variants.iter().filter(|it| !is_patches(it))),
        );
        coded.set(Aspect::Flags, self.flags(&build.flags));
        coded.set(Aspect::Patches, self.variants(build.variants.iter().filter(is_patches)));
        coded.set(Aspect::External, u32::from(build.external));
        if let Some(recipe) = &build.package_hash {
            coded.set(Aspect::Recipe, self.text(recipe));
        }
        if let Some(dependencies) = &build.dependencies {
            let edges = dependencies.iter().map(|edge| self.label(edge)).collect();
            coded.set(Aspect::Dependencies, self.set(edges));
            let mut hashes: Vec<u32> =
                dependencies.iter().map(|edge| self.hash(edge.hash)).collect();
            hashes.sort_unstable();
            hashes.dedup();
            coded.set(Aspect::DependencyHashes, self.list(&hashes));
        }
        coded
    }

    /// Returns the number of a text.
    pub(crate) fn text(&mut self, text: &str) -> u32 {
        let code = self.texts.get_index_of(text);
        code.unwrap_or_else(|| self.texts.insert_full(text.to_owned()).0) as u32
    }

    /// Returns the text of a number.
    pub(crate) fn spelled(&self, number: u32) -> &str {
        self.texts.get_index(number as usize).map_or("", String::as_str)
    }

    /// Returns the number of a dependency without its hash.
    pub(crate) fn label(&mut self, dependency: &Dependency) -> u32 {
        let package = self.text(&dependency.package);
        self.edge(package, dependency.deptypes, &dependency.virtuals)
    }

    /// Returns the package, purposes and virtual packages of a dependency's number.
    pub(crate) fn dependency(&self, label: u32) -> (String, Deptypes, Vec<String>) {
        let list = self.lists.get_index(label as usize).map_or(&[][..], Vec::as_slice);
        let [package, deptypes, virtuals @ ..] = list else { return Default::default() };
        let text = |number: &u32| self.spelled(*number).to_owned();
        let deptypes = Deptypes::from_bits(*deptypes as u8).unwrap_or_default();
        (text(package), deptypes, virtuals.iter().map(text).collect())
    }

    fn hash(&mut self, hash: Hash) -> u32 {
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

    /// Returns a compiler as specs of an older Spack record it: separately, with its version.
    fn compiler_field(&mut self, compiler: &str) -> [u32; 3] {
        ["", compiler, ""].map(|text| self.text(text))
    }

    fn namespace(&mut self, namespace: Option<&str>) -> u32 {
        let text = namespace.map(|text| self.text(text));
        self.list(text.as_slice())
    }

    fn variants<'v>(&mut self, variants: impl Iterator<Item = &'v Variant>) -> u32 {
        let mut list = Vec::new();
        for Variant { name, value } in variants {
            list.push(self.text(name));
            match value {
                VariantValue::Bool(value) => list.extend([0, u32::from(*value)]),
                VariantValue::Single(value) => list.extend([1, self.text(value)]),
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

/// What has been looked at of an index, which must always be the same one, as must be the book.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coding {
    packages: Memo<u32>,
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
    /// The number of each dependency, in the order of the list.
    labels: Vec<u32>,
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

    /// Adds to what a row decides the recipe of one of its builds, and which packages that depends on.
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

    /// Adds to an outline the compilers and the hashes of the dependencies; `row` is the build's.
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
                let is_named = compiler != NO_COMPILER;
                let named = is_named.then(|| book.compiler_field(compiler));
                book.compilers(named.into_iter().collect())
            }),
        };
        coded.set(Aspect::Compiler, compilers);
        coded.0[VERSIONS] = versions;
        coded
    }

    /// Returns the number of the package's name.
    pub(crate) fn package(&mut self, book: &mut Codebook, index: &Index, row: RowId) -> u32 {
        let package = index.value(row, Facet::Package);
        *self.packages.get(package.0, || book.text(index.dictionary(Facet::Package).text(package)))
    }

    /// Returns the dependencies of a build: the number of each without its hash, and the hash; `None` if they are not
    /// listed.
    pub(crate) fn edges(
        &mut self,
        book: &mut Codebook,
        index: &Index,
        build: BuildId,
    ) -> Option<Vec<(u32, Hash)>> {
        let all = listed(index, build)?;
        let labels = self.shape(book, index, all, build).labels.clone();
        let (_, targets) = all.numbers(build.at());
        let hash = |&target: &u32| match target.checked_sub(index.specs()) {
            None => index.hash(BuildId(target)),
            Some(unknown) => all.unknown.get(unknown as usize).map(|(_, hash)| *hash),
        };
        let edges = labels.into_iter().zip(targets);
        edges.map(|(label, target)| Some((label, hash(target)?))).collect()
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
            for (at, &link) in all.links(build.at()).iter().enumerate() {
                let link = all.links[link as usize];
                let kind = &all.kinds[link.kind as usize];
                let package = book.text(index.package_or_further(all, link.package));
                edges.push(book.edge(package, kind.deptypes, &kind.virtuals));
                for language in
                    kind.virtuals.iter().filter(|text| LANGUAGES.contains(&text.as_str()))
                {
                    compilers.push((at, book.text(language), package));
                }
            }
            Shape { edges: book.set(edges.clone()), labels: edges, compilers }
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

    use super::super::twin::Spelled;
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
            let mut all: Vec<(Spelled, [Coded; 4])> = Vec::new();
            for index in &indexes {
                let mut coding = Coding::default();
                for row in (0..index.rows() as u32).map(RowId) {
                    let decided = coding.row(&mut book, index, row);
                    for build in index.builds_of(row) {
                        let aspects = Spelled::of(index, build).expect("hashes");
                        let outline = coding.outline(&mut book, index, decided, build);
                        let whole = coding.whole(&mut book, index, outline, row, build);
                        let spelled = aspects.coded(&mut book);
                        all.push((aspects, [decided, outline, whole, spelled]));
                    }
                }
            }
            for (aspects, [_, _, whole, spelled]) in &all {
                for (other, stages) in &all {
                    let expected = aspects.differs(other);
                    let [decided, outline, complete, likewise] = stages.map(|stage| whole.differs(&stage));
                    prop_assert_eq!(&complete, &expected);
                    prop_assert_eq!(&likewise, &expected);
                    prop_assert_eq!(spelled.differs(&stages[2]), expected);
                    prop_assert!(outline.iter().all(|aspect| expected.has(aspect)));
                    prop_assert!(decided.iter().all(|aspect| outline.has(aspect)));
                }
            }
        }
    }
}
