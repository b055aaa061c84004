//! The definition of when two specs agree in an aspect, in plain comparisons.

use cache_index::build::{Build, Dependency, Hash, Variant};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, Index};

use super::field::PATCHES;
use super::{Aspect, AspectSet, Codebook, Coded, LANGUAGES};

/// A spec, with the versions of those of its dependencies that are known.
#[derive(Clone, Debug)]
pub(crate) struct Spelled {
    build: Build,
    versions: Vec<(Hash, String)>,
}

impl Spelled {
    /// Takes a spec; `version_of` returns the version of a dependency if it is known.
    pub(crate) fn new<'v>(
        build: &Build,
        version_of: impl Fn(&Dependency) -> Option<&'v str>,
    ) -> Spelled {
        let edges = build.dependencies.iter().flatten();
        let versions = edges.filter_map(|edge| Some((edge.hash, version_of(edge)?.to_owned())));
        Spelled { build: build.clone(), versions: versions.collect() }
    }

    /// Takes a build of an index; `None` until its hash has been loaded.
    pub(crate) fn of(index: &Index, build: BuildId) -> Option<Spelled> {
        let version = |hash: Hash| {
            let edge = index.dependencies(build)?.find_map(|edge| match edge.target {
                EdgeTarget::Build(target) => (index.hash(target)? == hash).then_some(target),
                EdgeTarget::Unknown { .. } => None,
            });
            Some(index.text(index.row_of(edge?), Facet::Version))
        };
        Some(Spelled::new(&index.build(build)?, |edge| version(edge.hash)))
    }

    /// Returns the numbers of the spec.
    pub(crate) fn coded(&self, book: &mut Codebook) -> Coded {
        book.spec(&self.build, |edge| self.version_of(edge))
    }

    fn version_of(&self, edge: &Dependency) -> Option<&str> {
        let version = self.versions.iter().find(|(hash, _)| *hash == edge.hash);
        version.map(|(_, version)| version.as_str())
    }

    /// Returns language and name of each compiler, and their versions, unless one is not known.
    fn compilers(&self) -> (Vec<(&str, &str)>, Option<Vec<&str>>) {
        let mut compilers = Vec::new();
        for edge in self.build.dependencies.iter().flatten() {
            for language in edge.virtuals.iter().filter(|name| LANGUAGES.contains(&name.as_str())) {
                compilers.push(((language.as_str(), edge.package.as_str()), self.version_of(edge)));
            }
        }
        // Specs from an older Spack record the compiler separately, with its version.
        if let (true, Some(compiler)) = (compilers.is_empty(), &self.build.compiler) {
            compilers.push((("", compiler.as_str()), Some("")));
        }
        compilers.sort_unstable();
        let (names, versions): (Vec<_>, Vec<_>) = compilers.into_iter().unzip();
        (names, versions.into_iter().collect())
    }

    fn variants(&self, are_patches: bool) -> Vec<&Variant> {
        let variants = self.build.variants.iter();
        variants.filter(|variant| (variant.name == PATCHES) == are_patches).collect()
    }

    fn edges<T: Ord>(&self, read: impl Fn(&Dependency) -> T) -> Option<Vec<T>> {
        let mut edges: Vec<T> = self.build.dependencies.as_ref()?.iter().map(read).collect();
        edges.sort_unstable();
        Some(edges)
    }

    /// Returns the aspects in which the two differ. An aspect that one of them does not specify counts as equal.
    pub(crate) fn differs(&self, other: &Spelled) -> AspectSet {
        fn unequal<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
            one.is_some() && other.is_some() && one != other
        }
        let (own, others) = (&self.build, &other.build);
        let architecture =
            |build: &Build| [build.platform.clone(), build.os.clone(), build.target.clone()];
        let ((compilers, versions), (other_compilers, other_versions)) =
            (self.compilers(), other.compilers());
        let other_versions = unequal(&versions, &other_versions);
        let edges =
            |spec: &Spelled| spec.edges(|e| (e.package.clone(), e.deptypes, e.virtuals.clone()));
        let hashes = |spec: &Spelled| {
            let mut hashes = spec.edges(|edge| edge.hash);
            hashes.iter_mut().for_each(Vec::dedup);
            hashes
        };
        let differs = [
            (Aspect::Version, own.version != others.version),
            (Aspect::Architecture, architecture(own) != architecture(others)),
            (Aspect::Namespace, own.namespace != others.namespace),
            (Aspect::Compiler, compilers != other_compilers || other_versions),
            (Aspect::Variants, self.variants(false) != other.variants(false)),
            (Aspect::Flags, own.flags != others.flags),
            (Aspect::Patches, self.variants(true) != other.variants(true)),
            (Aspect::External, own.external != others.external),
            (Aspect::Dependencies, unequal(&edges(self), &edges(other))),
            (Aspect::Recipe, unequal(&own.package_hash, &others.package_hash)),
            (Aspect::DependencyHashes, unequal(&hashes(self), &hashes(other))),
        ];
        differs.into_iter().filter(|(_, differs)| *differs).map(|(aspect, _)| aspect).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::Deptypes;
    use cache_index::sample;

    #[test]
    fn does_not_take_an_unknown_version_of_a_compiler_for_another() {
        let compiler = |package: &str| Dependency {
            package: package.to_owned(),
            hash: sample::hash(1),
            deptypes: Deptypes::BUILD,
            virtuals: vec!["c".to_owned()],
        };
        let spelled = |package, version: Option<&'static str>| {
            let dependencies = Some(vec![compiler(package)]);
            Spelled::new(&Build { dependencies, ..sample::one("zlib", "1.3") }, |_| version)
        };
        let differs =
            |one: &Spelled, other: &Spelled| one.differs(other).iter().collect::<Vec<_>>();
        let (known, unknown) = (spelled("gcc", Some("12.3")), spelled("gcc", None));
        assert_eq!(differs(&known, &spelled("gcc", Some("13.2"))), [Aspect::Compiler]);
        assert_eq!(differs(&known, &unknown), []);
        let other = spelled("llvm", None);
        assert_eq!(differs(&unknown, &other), [Aspect::Compiler, Aspect::Dependencies]);
    }
}
