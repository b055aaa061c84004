//! What a question asks of a package, as a spec that Spack can build.

use cache_index::facet::Facet;
use cache_index::index::{Index, NO_COMPILER};
use cache_query::search::{Search, TextMeaning};
use cache_query::{Match, Question};
use spack_spec::{Spec, VersionConstraint};

/// What a question asks of a package, wherever it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedSpec {
    /// The spec, without OS, target and platform.
    pub spec: String,
    /// `true` if it expresses all filters, except those for releases and stacks, and what they ask for of OS, target and
    /// platform.
    pub is_all: bool,
}

impl AskedSpec {
    /// Returns the spec that a question asks for; `None` if it asks for no single package of the cache.
    pub fn of(index: &Index, question: &Question) -> Option<AskedSpec> {
        let (name, asked) = AskedSpec::of_any(index, question)?;
        index.dictionary(Facet::Package).code(&name).map(|_| asked)
    }

    /// Returns the package and the spec that a question asks for, whether the cache has the package or not; `None` if
    /// it asks for no single one.
    pub(crate) fn of_any(index: &Index, question: &Question) -> Option<(String, AskedSpec)> {
        let search = Search::read(index, &question.text);
        let typed = search.spec();
        let name = match question.choice(Facet::Package).included() {
            [] => typed?.root.name.clone()?,
            [one] => one.clone(),
            _ => return None,
        };
        let read = |text: &str| Spec::read(text, index.dialect()).spec;
        let mut spec = typed.cloned().unwrap_or_else(|| read(&name));
        spec.root.architecture = Default::default();
        let chosen = |facet| question.choice(facet).included();
        let versions = chosen(Facet::Version);
        let is_version_typed = spec.root.versions != VersionConstraint::any();
        if !is_version_typed && !versions.is_empty() {
            spec.root.versions = read(&format!("{name}@{}", versions.join(","))).root.versions;
        }
        spec.root.name = Some(name.clone());
        let variants = chosen(Facet::Variant);
        let is_any = variants.len() > 1 && question.choice(Facet::Variant).matching() == Match::Any;
        let variants = variants.iter().filter(|_| !is_any);
        spec.root.variants.extend(variants.flat_map(|text| read(text).root.variants));
        // At the end of the spec, it would be the compiler of the last dependency.
        let compiler = chosen(Facet::Compiler).first().filter(|one| *one != NO_COMPILER);
        if let Some(compiler) = compiler.filter(|_| chosen(Facet::Compiler).len() == 1) {
            let with = read(&format!("{name} %{compiler}")).root;
            spec.root.compiler = spec.root.compiler.or(with.compiler);
            spec.root.dependencies.splice(0..0, with.dependencies);
        }
        let is_said = |facet: Facet| {
            let choice = question.choice(facet);
            let is_chosen = match facet {
                Facet::Release | Facet::Stack => return true,
                Facet::Provider | Facet::Libc => choice.included().is_empty(),
                Facet::Version => choice.included().is_empty() || !is_version_typed,
                Facet::Compiler => match choice.included() {
                    [] => true,
                    [one] => one != NO_COMPILER,
                    _ => false,
                },
                _ => true,
            };
            is_chosen && choice.excluded().is_empty()
        };
        let is_text_said = match &search.asked {
            TextMeaning::Anything | TextMeaning::Spec(_) => true,
            TextMeaning::Words(words) => words.iter().all(|word| name.contains(word.as_str())),
            TextMeaning::Hash(_) | TextMeaning::Hashes(_) => false,
        };
        let asks_more = question.since.is_some()
            || question.asks_for_gpu()
            || !question.part_filters.is_empty()
            || is_any
            || !is_text_said;
        let is_all = !asks_more && Facet::ALL.into_iter().all(is_said);
        Some((name, AskedSpec { spec: format!("{spec:#}"), is_all }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::sample::small_index;
    use cache_query::address;

    #[test]
    fn asks_spack_for_what_the_filters_ask_for() {
        let index = small_index();
        let check = |address: &str, expected: &str, is_all: bool| {
            let found = AskedSpec::of(&index, &address::decode(address).0.question);
            let expected = AskedSpec { spec: expected.to_owned(), is_all };
            assert_eq!(found, Some(expected), "{address}");
        };
        check("package=hdf5", "hdf5", true);
        check("q=hdf5@1.14:&variant=mpi&os=rhel8", "hdf5@1.14:+mpi", true);
        check("package=hdf5&version=1.14.5&variant=api=v110", "hdf5@1.14.5 api=v110", true);
        check("package=hdf5&variant=mpi&variant=~cxx&all=variant", "hdf5~cxx+mpi", true);
        check("package=hdf5&variant=mpi&variant=fortran", "hdf5", false);
        check("package=hdf5&compiler=gcc@13.2.0&stack=e4s", "hdf5%gcc@13.2.0", true);
        let mpich = "hdf5%gcc@13.2.0 ^mpich";
        check("q=hdf5%20%5Empich&compiler=gcc@13.2.0", mpich, true);
        check("package=hdf5&compiler=none", "hdf5", false);
        check("package=hdf5&compiler=gcc@13.2.0&compiler=gcc@12.3.0", "hdf5", false);
        check("package=hdf5&not.version=1.12.3", "hdf5", false);
        check("package=hdf5&not.release=develop&not.stack=e4s", "hdf5", true);
        // What a spec cannot say.
        check("package=hdf5&not.os=rhel8", "hdf5", false);
        check("q=hdf5&not.package=hdf5-vol-async", "hdf5", false);
        check("package=hdf5&signed=yes", "hdf5", false);
        check("package=hdf5&file=h5dump", "hdf5", false);
        check("package=hdf5&since=2026-01-01", "hdf5", false);
        check("package=hdf5&q=24fngvd", "hdf5", false);
        check("q=hdf5@1.14:&version=1.12.3", "hdf5@1.14:", false);
        let on_gpu = address::decode("package=hdf5&host=linux.rhel8.zen3&gpu=H100").0.question;
        let on_gpu = Question { only_on_gpu: true, ..on_gpu };
        assert!(AskedSpec::of(&index, &on_gpu).is_some_and(|asked| !asked.is_all));
        let none = |address: &str| AskedSpec::of(&index, &address::decode(address).0.question);
        assert_eq!(none("q=nothing"), None);
        assert_eq!(none("variant=mpi"), None);
    }
}
