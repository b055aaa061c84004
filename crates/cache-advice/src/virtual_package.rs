//! The packages that provide a virtual package to builds of a cache.
//!
//! A database only says of the builds that others use what they are used for. A search for `mpi@:` therefore finds the builds
//! of `mpich` that some build uses for `mpi`, and not those that none does, although Spack would take either.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::number::counted;
use cache_query::search::{Asked, Search, graph};
use cache_query::{Answer, Question, run};

use crate::wording::listed;

/// The packages that provide a virtual package which was searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualPackage {
    /// Its name.
    pub name: String,
    /// The packages that provide it to some build, and that have builds which match the filters, sorted by name.
    pub packages: Vec<String>,
    /// The number of these builds, whether they were found to provide it or not.
    pub builds: u32,
    /// The packages that provide it to some build and have no binary, sorted by name.
    pub external: Vec<String>,
}

impl VirtualPackage {
    /// Finds the providers of the virtual package that the text of a question asks for. `None` if it asks for something else,
    /// or if the answer has all their builds and there is nothing to add.
    pub fn asked(index: &Index, question: &Question, answer: &Answer) -> Option<VirtualPackage> {
        let Asked::Spec(spec) = Search::read(index, &question.text).asked else { return None };
        let name = spec.root.name.clone().filter(|name| graph::is_virtual(index, name))?;
        let mut all: Vec<String> = index
            .dictionary(Facet::Provider)
            .values()
            .iter()
            .filter_map(|value| value.strip_prefix(&name)?.strip_prefix('='))
            .map(|provider| provider.split('@').next().unwrap_or_default().to_owned())
            .collect();
        all.sort();
        all.dedup();
        let has_binary = |package: &String| {
            let code = index.dictionary(Facet::Package).code(package);
            code.is_some_and(|code| index.rows_of(code).any(|row| index.has_binary(row)))
        };
        let (here, external) = all.into_iter().partition(has_binary);
        let mut found = VirtualPackage { name, packages: here, builds: 0, external };
        let every = run(index, &found.every_build(question));
        found.builds = every.builds;
        let codes = index.dictionary(Facet::Package);
        found.packages.retain(|name| codes.code(name).is_some_and(|code| every.matching(code) > 0));
        let adds = found.builds > answer.builds || !found.external.is_empty();
        adds.then_some(found)
    }

    /// Returns the question for all builds of these packages, with the other filters of a question.
    pub fn every_build(&self, question: &Question) -> Question {
        let mut every = Question { text: String::new(), ..question.clone() };
        for package in &self.packages {
            every.choice_mut(Facet::Package).include(package.clone());
        }
        every
    }

    /// Names the builds that [`VirtualPackage::every_build`] asks for: `all 24 builds of mpich and openmpi`.
    pub fn named(&self) -> String {
        let builds = counted(self.builds as usize, "build", "builds");
        format!("all {builds} of {}", listed(&self.packages))
    }

    /// Says which packages provide it without a binary, in a sentence without a full stop; `None` if there are none.
    pub fn elsewhere(&self) -> Option<String> {
        let verb = if self.external.len() == 1 { "provides" } else { "provide" };
        let names = listed(&self.external);
        (!self.external.is_empty()).then(|| {
            format!("{names} also {verb} {}, as an external: without a binary here", self.name)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Build, Dependency, Deptypes};
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;

    /// Two builds of mpich and one of openmpi, and users of one of each and of an external.
    fn cache() -> Index {
        let mpis = [("mpich", "4.1"), ("mpich", "4.2"), ("openmpi", "5.0")];
        let mut builds: Vec<Build> = mpis
            .iter()
            .enumerate()
            .map(|(number, (name, version))| Build {
                hash: sample::hash(number),
                ..sample::one(name, version)
            })
            .collect();
        let cray = Build { hash: sample::hash(9), ..sample::one("cray-mpich", "8.1") };
        builds.push(Build { places: [].into_iter().collect(), ..cray });
        for (number, (package, used)) in
            [(20, ("mpich", 0)), (21, ("openmpi", 2)), (22, ("cray-mpich", 9))]
        {
            let edge = Dependency {
                package: package.to_owned(),
                hash: sample::hash(used),
                deptypes: Deptypes::LINK,
                virtuals: vec!["mpi".to_owned()],
            };
            builds.push(Build {
                hash: sample::hash(number),
                dependencies: Some(vec![edge]),
                ..sample::one("hdf5", "1.14")
            });
        }
        pack(About::default(), builds).expect("an index")
    }

    fn asked(address: &str) -> Option<(u32, VirtualPackage)> {
        let index = cache();
        let question = address::decode(address).0.question;
        let answer = run(&index, &question);
        Some((answer.builds, VirtualPackage::asked(&index, &question, &answer)?))
    }

    #[test]
    fn finds_the_builds_that_none_uses_for_it_too() {
        let (found, virtual_package) = asked("q=mpi@:").expect("more builds");
        assert_eq!(found, 2);
        assert_eq!(virtual_package.named(), "all 3 builds of mpich and openmpi");
        let external = virtual_package.elsewhere();
        let said = "cray-mpich also provides mpi, as an external: without a binary here";
        assert_eq!(external.as_deref(), Some(said));
        let (found, virtual_package) = asked("q=mpi@:&version=4.1").expect("an external");
        assert_eq!((found, virtual_package.builds), (1, 1));
        assert_eq!(virtual_package.packages, ["mpich"]);
    }

    #[test]
    fn says_nothing_of_what_is_not_virtual() {
        assert_eq!(asked("q=mpich@:"), None);
        assert_eq!(asked("q=mpi"), None);
        assert_eq!(asked(""), None);
        assert_eq!(asked("q=^mpi@:"), None);
    }
}
