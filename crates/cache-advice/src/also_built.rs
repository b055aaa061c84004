//! Builds that use a compiler which a question excludes: the facet names one for each build, and some have several.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::{Question, run};
use spack_spec::Dialect;

/// Builds that use an excluded compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlsoBuilt {
    /// The name of the compiler.
    pub compiler: String,
    /// How many builds use it all the same.
    pub builds: u32,
    /// The question about them.
    pub question: Question,
}

impl AlsoBuilt {
    /// Finds such builds among those that match. `None` if a question does not exclude all versions of one compiler and nothing
    /// else, if there are none, or if the index has no dependencies.
    pub fn with_excluded(index: &Index, question: &Question) -> Option<AlsoBuilt> {
        let name_of = |text: &str| text.split('@').next().unwrap_or_default().to_owned();
        let excluded = question.choice(Facet::Compiler).excluded();
        let name = name_of(excluded.first()?);
        let compilers = index.dictionary(Facet::Compiler).values().iter();
        let mut all = compilers.filter(|text| name_of(text) == name);
        let is_all = all.all(|text| excluded.contains(text));
        let is_only = excluded.iter().all(|text| name_of(text) == name);
        if !is_all || !is_only || index.dialect() != Dialect::V1 || !index.has_dependencies() {
            return None;
        }
        let mut with = question.clone();
        with.text = format!("{} %{name}", with.text).trim().to_owned();
        let builds = run(index, &with).builds;
        (builds > 0).then_some(AlsoBuilt { compiler: name, builds, question: with })
    }

    /// Returns what to know of them, as a sentence without a full stop.
    pub fn sentence(&self) -> String {
        let AlsoBuilt { compiler, builds, .. } = self;
        let uses = if *builds == 1 { "uses" } else { "use" };
        format!(
            "A build is listed under one compiler: {builds} of these {uses} {compiler}, too, for another language or as a dependency"
        )
    }
}

#[cfg(test)]
mod tests {
    use cache_index::build::{Build, CompilerSource, Dependency, Deptypes};
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;

    use super::*;

    #[test]
    fn finds_builds_that_use_an_excluded_compiler_for_another_language() {
        let on = |number: usize, name: &str, virtuals: &str| Dependency {
            package: name.to_owned(),
            hash: sample::hash(number),
            deptypes: Deptypes::BUILD,
            virtuals: virtuals.split(',').map(str::to_owned).collect(),
        };
        let build = |number: usize, compiler: &str, dependencies: Vec<Dependency>| Build {
            hash: sample::hash(number),
            compiler: Some(compiler.to_owned()),
            compiler_source: CompilerSource::Dependency,
            dependencies: Some(dependencies),
            ..sample::one("zfp", "1.0")
        };
        let compiler = |number: usize, name: &str| Build {
            hash: sample::hash(number),
            dependencies: Some(Vec::new()),
            ..sample::one(name, "13.2.0")
        };
        let (gcc, llvm) = (on(1, "gcc", "fortran"), on(2, "llvm", "c,cxx"));
        let all = [
            compiler(1, "gcc"),
            compiler(2, "llvm"),
            build(3, "llvm@13.2.0", vec![gcc, llvm.clone()]),
            build(4, "llvm@13.2.0", vec![llvm]),
            build(5, "gcc@13.2.0", vec![on(1, "gcc", "c,cxx,fortran")]),
        ];
        let index = pack(About::default(), all).expect("an index");
        let found =
            |text: &str| AlsoBuilt::with_excluded(&index, &address::decode(text).0.question);
        let asked = found("q=zfp&not.compiler=gcc@13.2.0").expect("one build");
        assert_eq!((asked.builds, asked.question.text.as_str()), (1, "zfp %gcc"));
        assert!(asked.sentence().contains("1 of these uses gcc, too"));
        assert_eq!(found("q=zfp&not.compiler=llvm@13.2.0"), None);
        assert_eq!(found("q=zfp"), None);
    }
}
