//! How two specs of one package differ.
//!
//! Two specs are compared in eleven aspects, [`Aspect`]. Environments use this to find the cached build nearest to a
//! missing one, changes use it to pair the builds that went with those that came. [`Aspects`] defines when two specs agree
//! in an aspect; where many are compared with many, they are compared as [numbers](Coded).

mod coded;

pub(crate) use self::coded::{Codebook, Coded, Coding, Differences};
use cache_index::build::{Build, Dependency, Deptypes, Hash, Variant, VariantValue};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, Index};
use cache_index::sorting;
use spack_spec::LANGUAGES;

use crate::differences::{Aspect, PATCHES};

/// Sorts candidates, those with the fewest differences first; equally near ones keep their order.
pub(crate) fn nearest_first<K: Ord + Copy, T: Clone>(mut candidates: Vec<(K, T)>) -> Vec<(K, T)> {
    sorting::sort_by_key(&mut candidates, |(differences, _)| *differences);
    candidates
}

/// The parts of a spec that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aspects {
    version: String,
    architecture: [String; 3],
    /// `None` if the source does not say.
    namespace: Option<String>,
    /// Language and name.
    compilers: Vec<(String, String)>,
    /// The versions of the compilers; `None` if one is not known, because the index does not have the compiler.
    compiler_versions: Option<Vec<String>>,
    /// A list of one value is that value, because not every source distinguishes them.
    variants: Vec<Variant>,
    flags: Vec<(String, Vec<String>)>,
    patches: Vec<Variant>,
    external: bool,
    /// The package, purpose and virtual packages of each edge; `None` if they are not listed.
    edges: Option<Vec<(String, Deptypes, Vec<String>)>>,
    recipe: Option<String>,
    hashes: Option<Vec<Hash>>,
}

impl Aspects {
    /// Extracts the aspects of a spec; `version_of` returns the version of a dependency if it is known.
    pub fn new<'v>(build: &Build, version_of: impl Fn(&Dependency) -> Option<&'v str>) -> Aspects {
        let is_patches = |variant: &&Variant| variant.name == PATCHES;
        let edges = build.dependencies.as_ref().map(|edges| {
            let edge = |e: &Dependency| (e.package.clone(), e.deptypes, e.virtuals.clone());
            let mut edges: Vec<_> = edges.iter().map(edge).collect();
            edges.sort_unstable();
            edges
        });
        let hashes = build.dependencies.as_ref().map(|edges| {
            let mut hashes: Vec<Hash> = edges.iter().map(|edge| edge.hash).collect();
            hashes.sort_unstable();
            hashes.dedup();
            hashes
        });
        let mut compilers = Vec::new();
        for edge in build.dependencies.iter().flatten() {
            for language in edge.virtuals.iter().filter(|v| LANGUAGES.contains(&v.as_str())) {
                let version = version_of(edge).map(str::to_owned);
                compilers.push(((language.clone(), edge.package.clone()), version));
            }
        }
        // Specs from an older Spack record the compiler separately, with its version.
        if let (true, Some(compiler)) = (compilers.is_empty(), &build.compiler) {
            compilers.push(((String::new(), compiler.clone()), Some(String::new())));
        }
        compilers.sort_unstable();
        let (compilers, versions): (Vec<_>, Vec<_>) = compilers.into_iter().unzip();
        Aspects {
            version: build.version.clone(),
            architecture: [build.platform.clone(), build.os.clone(), build.target.clone()],
            namespace: build.namespace.clone(),
            compilers,
            compiler_versions: versions.into_iter().collect(),
            variants: build.variants.iter().filter(|v| !is_patches(v)).map(without_list).collect(),
            flags: build.flags.clone(),
            patches: build.variants.iter().filter(is_patches).map(without_list).collect(),
            external: build.external,
            edges,
            recipe: build.package_hash.clone(),
            hashes,
        }
    }

    /// Extracts the aspects of a build in an index; `None` until its hash has been loaded.
    pub fn of(index: &Index, build: BuildId) -> Option<Aspects> {
        let spelled = index.build(build)?;
        let versions: Vec<(Hash, &str)> = index
            .dependencies(build)
            .into_iter()
            .flatten()
            .filter_map(|edge| match edge.target {
                EdgeTarget::Build(target) => {
                    let version = index.text(index.row_of(target), Facet::Version);
                    Some((index.hash(target)?, version))
                }
                EdgeTarget::Unknown { .. } => None,
            })
            .collect();
        Some(Aspects::new(&spelled, |edge| {
            versions.iter().find(|(hash, _)| *hash == edge.hash).map(|(_, version)| *version)
        }))
    }

    /// Returns the aspects in which the two differ, most significant first. An aspect that one of them does not specify
    /// counts as equal.
    pub fn differences(&self, other: &Aspects) -> Vec<Aspect> {
        fn equal<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
            one.is_none() || other.is_none() || one == other
        }
        let agrees = |aspect: &Aspect| match aspect {
            Aspect::Version => self.version == other.version,
            Aspect::Architecture => self.architecture == other.architecture,
            Aspect::Namespace => equal(&self.namespace, &other.namespace),
            Aspect::Compiler => {
                self.compilers == other.compilers
                    && equal(&self.compiler_versions, &other.compiler_versions)
            }
            Aspect::Variants => self.variants == other.variants,
            Aspect::Flags => self.flags == other.flags,
            Aspect::Patches => self.patches == other.patches,
            Aspect::External => self.external == other.external,
            Aspect::Dependencies => equal(&self.edges, &other.edges),
            Aspect::Recipe => equal(&self.recipe, &other.recipe),
            Aspect::DependencyHashes => equal(&self.hashes, &other.hashes),
        };
        Aspect::ALL.into_iter().filter(|aspect| !agrees(aspect)).collect()
    }
}

/// Returns a variant with a single value in place of a list of one value.
fn without_list(variant: &Variant) -> Variant {
    let Variant { name, value } = variant.clone();
    let value = match value {
        VariantValue::Multi(mut values) if values.len() == 1 => {
            VariantValue::Single(values.remove(0))
        }
        value => value,
    };
    Variant { name, value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::sample;

    #[test]
    fn takes_nothing_for_a_difference_that_a_source_does_not_say() {
        let of = |namespace: Option<&str>, languages: VariantValue| {
            let variant = Variant { name: "languages".to_owned(), value: languages };
            let build = Build {
                namespace: namespace.map(str::to_owned),
                variants: vec![variant],
                ..sample::one("gcc", "13.2")
            };
            Aspects::new(&build, |_| None)
        };
        let list = |values: &[&str]| {
            VariantValue::Multi(values.iter().map(|&value| value.to_owned()).collect())
        };
        let page = of(None, VariantValue::Single("c".to_owned()));
        let lock = of(Some("builtin"), list(&["c"]));
        let other = of(Some("corpus"), list(&["c", "fortran"]));
        let mut book = Codebook::default();
        let mut check = |one: &Aspects, other: &Aspects, expected: &[Aspect]| {
            assert_eq!(one.differences(other), expected);
            assert_eq!(book.spec(one).differences(&book.spec(other)).list(), expected);
        };
        check(&page, &lock, &[]);
        check(&page, &other, &[Aspect::Variants]);
        check(&lock, &other, &[Aspect::Namespace, Aspect::Variants]);
    }

    #[test]
    fn does_not_take_an_unknown_version_of_a_compiler_for_another() {
        let compiler = |package: &str| Dependency {
            package: package.to_owned(),
            hash: sample::hash(1),
            deptypes: Deptypes::BUILD,
            virtuals: vec!["c".to_owned()],
        };
        let aspects = |package, version: Option<&'static str>| {
            let dependencies = Some(vec![compiler(package)]);
            Aspects::new(&Build { dependencies, ..sample::one("zlib", "1.3") }, |_| version)
        };
        let (known, unknown) = (aspects("gcc", Some("12.3")), aspects("gcc", None));
        assert_eq!(known.differences(&aspects("gcc", Some("13.2"))), [Aspect::Compiler]);
        assert_eq!(known.differences(&unknown), []);
        let other = aspects("llvm", None);
        assert_eq!(unknown.differences(&other), [Aspect::Compiler, Aspect::Dependencies]);
    }
}
