//! The packages that provide a virtual package to builds of a cache.
//!
//! A database only says what a build is used for if another build uses it. So a search for `mpi@:` finds the builds of
//! `mpich` that some build uses for `mpi`, but not those that no build uses, although Spack would take either.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use cache_index::facet::Facet;
use cache_index::index::{EdgeTarget, Index};
use cache_index::number::{counted, grouped};
use cache_query::search::{Search, TextMeaning, graph};
use cache_query::{Answer, Question, run};
use spack_spec::Node;

use crate::text::wording::listed;

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
        let name = asked_for(index, question)?;
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
        if !found.packages.is_empty() {
            let every = run(index, &found.every_build(question));
            found.builds = every.builds;
            let codes = index.dictionary(Facet::Package);
            found
                .packages
                .retain(|name| codes.code(name).is_some_and(|code| every.matching(code) > 0));
        }
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
            let also = if self.packages.is_empty() { "" } else { "also " };
            format!("{names} {also}{verb} {}, as an external: without a binary here", self.name)
        })
    }
}

/// Returns the virtual package that the text of a question asks for.
fn asked_for(index: &Index, question: &Question) -> Option<String> {
    let TextMeaning::Spec(spec) = Search::read(index, &question.text).asked else { return None };
    spec.root.name.filter(|name| graph::is_virtual(index, name))
}

/// Returns how many builds of a cache use each provider of the virtual package that the text of a question asks for, as
/// a sentence without a full stop. `None` if it asks for something else, if there is only one provider, or before the
/// dependencies are there.
pub fn users_of_providers(index: &Index, question: &Question) -> Option<String> {
    let name = asked_for(index, question)?;
    let mut users: BTreeMap<&str, usize> = BTreeMap::new();
    for build in index.builds_with_binary() {
        let edges = index.dependencies(build).into_iter().flatten();
        for edge in edges.filter(|edge| edge.virtuals.contains(&name)) {
            *users.entry(edge.package).or_default() += 1;
        }
    }
    let mut users: Vec<(&str, usize)> = users.into_iter().collect();
    users.sort_by_key(|(package, builds)| (Reverse(*builds), *package));
    let said: Vec<String> =
        users.iter().map(|(package, builds)| format!("{package} {}", grouped(*builds))).collect();
    let most = said.len().min(MOST_PROVIDERS);
    (said.len() > 1).then(|| {
        format!("Builds of this cache that use each as {name}: {}", said[..most].join(", "))
    })
}

/// The maximum number of providers that are named.
const MOST_PROVIDERS: usize = 6;

/// A package of another repository than `builtin` that provides a virtual package which was searched for.
///
/// Spack asks the recipe of a package what it provides. If Spack does not have that repository, the package provides
/// nothing, and builds that use it for `zlib-api` do not satisfy `^zlib-api`. A search says the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignProvider {
    /// The virtual package, such as `zlib-api`.
    pub name: String,
    /// The repository of the provider, such as `corpus`.
    pub repository: String,
    /// The package that provides it.
    pub package: String,
    /// The number of builds with a binary that use it for that.
    pub users: usize,
}

impl ForeignProvider {
    /// Finds the providers from other repositories of the virtual packages that a text names, sorted by name; none
    /// before the dependencies are there.
    pub fn asked(index: &Index, text: &str) -> Vec<ForeignProvider> {
        let has_any = index
            .origins()
            .iter()
            .any(|origin| origin.namespace.as_deref().is_some_and(is_foreign));
        let TextMeaning::Spec(spec) = Search::read(index, text).asked else { return Vec::new() };
        let mut names = Vec::new();
        if has_any {
            collect_virtuals(index, &spec.root, &mut names);
        }
        let mut users: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for name in &names {
            for build in index.builds_with_binary() {
                let edges = index.dependencies(build).into_iter().flatten();
                for edge in edges.filter(|edge| edge.virtuals.contains(name)) {
                    let EdgeTarget::Build(provider) = edge.target else { continue };
                    let origin = index.origin(index.row_of(provider));
                    let namespace = origin.namespace.as_deref().filter(|name| is_foreign(name));
                    if let Some(repository) = namespace {
                        *users.entry((name, repository, edge.package)).or_default() += 1;
                    }
                }
            }
        }
        let provider = |((name, repository, package), users): ((&str, &str, &str), usize)| {
            let [name, repository, package] = [name, repository, package].map(str::to_owned);
            ForeignProvider { name, repository, package, users }
        };
        users.into_iter().map(provider).collect()
    }

    /// Says what a search leaves out, in a sentence without a full stop.
    pub fn sentence(&self) -> String {
        let ForeignProvider { name, repository, package, users } = self;
        let users = format!(
            "{} {}",
            counted(*users, "build", "builds"),
            if *users == 1 { "uses" } else { "use" }
        );
        format!(
            "{users} {repository}.{package} for {name}: it is not found by {name}, as in a Spack that does not have the \
             package repository {repository}"
        )
    }
}

fn is_foreign(namespace: &str) -> bool {
    namespace != "builtin"
}

/// Adds the names of virtual packages in a node of a spec and in all below it, each once.
fn collect_virtuals(index: &Index, node: &Node, names: &mut Vec<String>) {
    let name = node.name.iter().filter(|name| graph::is_virtual(index, name));
    for name in name {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    for dependency in &node.dependencies {
        collect_virtuals(index, &dependency.node, names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Build, Dependency, Deptypes};
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;

    /// Returns a cache with two builds of mpich and one of openmpi, and users of one of each and of an external.
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
        // Where no provider has a binary, nothing is asked for.
        let mut builds = vec![sample::one("hdf5", "1.14")];
        let edge = Dependency {
            package: "gcc".to_owned(),
            hash: sample::hash(9),
            deptypes: Deptypes::BUILD,
            virtuals: vec!["fortran".to_owned()],
        };
        builds[0].dependencies = Some(vec![edge]);
        let gcc = Build { hash: sample::hash(9), ..sample::one("gcc", "13") };
        builds.push(Build { places: [].into_iter().collect(), ..gcc });
        let index = pack(About::default(), builds).expect("an index");
        let question = address::decode("q=fortran").0.question;
        let answer = run(&index, &question);
        assert_eq!(VirtualPackage::asked(&index, &question, &answer), None);
    }

    #[test]
    fn counts_what_uses_each_provider() {
        let index = cache();
        let said = |text: &str| {
            let question = Question { text: text.to_owned(), ..Question::default() };
            users_of_providers(&index, &question)
        };
        let expected =
            "Builds of this cache that use each as mpi: cray-mpich 1, mpich 1, openmpi 1";
        assert_eq!(said("mpi@:").as_deref(), Some(expected));
        assert_eq!(said("mpich@:"), None);
        assert_eq!(said("hdf5 ^mpi"), None);
        assert_eq!(said(""), None);
    }

    #[test]
    fn says_nothing_of_what_is_not_virtual() {
        assert_eq!(asked("q=mpich@:"), None);
        assert_eq!(asked("q=mpi"), None);
        assert_eq!(asked(""), None);
        assert_eq!(asked("q=^mpi@:"), None);
    }

    #[test]
    fn names_providers_that_a_spack_without_their_repository_does_not_know() {
        let sentences = |text: &str| -> Vec<String> {
            let mut builds: Vec<Build> = Vec::new();
            for (place, namespace) in ["builtin", "corpus"].into_iter().enumerate() {
                let hash = sample::hash(place);
                let namespace = Some(namespace.to_owned());
                builds.push(Build { hash, namespace, ..sample::one("zlib", "1.3") });
                let edge = Dependency {
                    package: "zlib".to_owned(),
                    hash,
                    deptypes: Deptypes::LINK,
                    virtuals: vec!["zlib-api".to_owned()],
                };
                let namespace = Some("builtin".to_owned());
                let dependencies = Some(vec![edge]);
                let hash = sample::hash(10 + place);
                builds.push(Build { hash, namespace, dependencies, ..sample::one("hdf5", "1.14") });
            }
            let index = pack(About::default(), builds).expect("an index");
            ForeignProvider::asked(&index, text).iter().map(ForeignProvider::sentence).collect()
        };
        let said = "1 build uses corpus.zlib for zlib-api: it is not found by zlib-api, as in a Spack that does not have \
                    the package repository corpus";
        assert_eq!(sentences("hdf5 ^zlib-api"), [said]);
        assert_eq!(sentences("zlib-api@:"), [said]);
        assert!(sentences("hdf5 ^zlib").is_empty());
        assert!(sentences("").is_empty());
    }
}
