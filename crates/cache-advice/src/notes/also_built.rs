//! Builds and their compilers, where a question says less than it seems to: builds that use an excluded compiler for another
//! language, and builds that `%llvm` finds because they link with it.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::search::Search;
use cache_query::{Answer, Question, run};
use spack_spec::{Dialect, LANGUAGES, Spec};

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
        with.text = and_built_with(index, &with.text, &name);
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

/// Returns a text that also asks builds to use a compiler.
fn and_built_with(index: &Index, text: &str, compiler: &str) -> String {
    let asked = Search::read(index, text).spec().cloned();
    match asked.filter(|spec| !spec.root.dependencies.is_empty()) {
        // At the end of the spec, it would be the compiler of the last dependency.
        Some(mut spec) => {
            let with = Spec::read(&format!("%{compiler}"), index.dialect()).spec.root;
            spec.root.dependencies.splice(0..0, with.dependencies);
            format!("{spec:#}")
        }
        None => format!("{text} %{compiler}").trim().to_owned(),
    }
}

/// Returns how many of the builds that `%llvm` finds are compiled with it, as a sentence without a full stop: for
/// Spack, any direct dependency satisfies `%llvm`. `None` if all or none of them are compiled with it, if a question
/// does not ask for exactly one such dependency, or if the index has no dependencies.
pub fn compiled_with(index: &Index, question: &Question, answer: &Answer) -> Option<String> {
    if index.dialect() != Dialect::V1 || !index.has_dependencies() {
        return None;
    }
    let search = Search::read(index, &question.text);
    let asked = &search.spec()?.root.dependencies;
    let mut direct = asked.iter().filter(|one| one.direct && one.virtuals.is_empty());
    let (Some(one), None) = (direct.next(), direct.next()) else { return None };
    let name = one.node.name.as_deref()?;
    let compiled = answer.matching_builds(index).filter(|&build| {
        index.dependencies(build).into_iter().flatten().any(|edge| {
            edge.package == name && edge.virtuals.iter().any(|it| LANGUAGES.contains(&it.as_str()))
        })
    });
    let (compiled, all) = (compiled.count(), answer.builds as usize);
    let (are, others) = (if compiled == 1 { "is" } else { "are" }, all.saturating_sub(compiled));
    let depend = if others == 1 { "other depends" } else { "others depend" };
    (compiled > 0 && others > 0).then(|| {
        format!("{compiled} of these {all} builds {are} compiled with {name}; the {others} {depend} on it directly, which is all that Spack asks for")
    })
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
        let mpich = Dependency { deptypes: Deptypes::LINK, ..on(6, "mpich", "mpi") };
        let with_mpi = build(7, "llvm@13.2.0", vec![gcc.clone(), llvm.clone(), mpich]);
        let all = [
            compiler(1, "gcc"),
            compiler(2, "llvm"),
            build(3, "llvm@13.2.0", vec![gcc, llvm.clone()]),
            build(4, "llvm@13.2.0", vec![llvm]),
            build(5, "gcc@13.2.0", vec![on(1, "gcc", "c,cxx,fortran")]),
            compiler(6, "mpich"),
            Build { package: "hdf5".to_owned(), ..with_mpi },
        ];
        let index = pack(About::default(), all).expect("an index");
        let found =
            |text: &str| AlsoBuilt::with_excluded(&index, &address::decode(text).0.question);
        let asked = found("q=zfp&not.compiler=gcc@13.2.0").expect("one build");
        assert_eq!((asked.builds, asked.question.text.as_str()), (1, "zfp %gcc"));
        assert!(asked.sentence().contains("1 of these uses gcc, too"));
        // It is what the package is built with, and not the dependency.
        let asked = found("q=hdf5%20%5Empich&not.compiler=gcc@13.2.0").expect("one build");
        assert_eq!((asked.builds, asked.question.text.as_str()), (1, "hdf5 %gcc ^mpich"));
        assert_eq!(found("q=zfp&not.compiler=llvm@13.2.0"), None);
        assert_eq!(found("q=zfp"), None);
    }

    #[test]
    fn says_how_many_builds_a_compiler_compiled() {
        let on = |virtuals: &str| Dependency {
            package: "llvm".to_owned(),
            hash: sample::hash(2),
            deptypes: Deptypes::BUILD,
            virtuals: virtuals.split(',').map(str::to_owned).collect(),
        };
        let build = |number: usize, package: &str, dependencies: Vec<Dependency>| Build {
            hash: sample::hash(number),
            compiler_source: CompilerSource::Dependency,
            dependencies: Some(dependencies),
            ..sample::one(package, "1.0")
        };
        let all = [
            build(2, "llvm", Vec::new()),
            build(3, "zfp", vec![on("c,cxx")]),
            build(4, "mesa", vec![on("libllvm")]),
        ];
        let index = pack(About::default(), all).expect("an index");
        let said = |text: &str| {
            let question = Question::of_text(text);
            compiled_with(&index, &question, &run(&index, &question))
        };
        let expected = "1 of these 2 builds is compiled with llvm; the 1 other depends on it directly, \
                        which is all that Spack asks for";
        assert_eq!(said("%clang").as_deref(), Some(expected));
        for none in ["zfp %llvm", "mesa %llvm", "zfp", "^llvm"] {
            assert_eq!(said(none), None, "{none}");
        }
    }
}
