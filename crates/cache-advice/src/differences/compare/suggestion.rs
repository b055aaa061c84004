//! Which of several builds of one package to take, as far as there is an answer.

use cache_index::build::Build;
use cache_index::order::is_development;
use cache_query::host::Runs;
use spack_spec::Version;

use super::{Comparison, LineKind, Word};

/// The answer to which of several builds to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// The build at this position: no other works on the machine.
    OnlyOneWorks(usize),
    /// The build at this position: of those that work, or of all without a machine, it is the newest release. All have
    /// the same variants.
    NewestRelease(usize),
    /// The build at this position, among equal ones: each of the others loads several builds of this package when it
    /// runs.
    Unmixed(usize, String),
    /// The build at this position, among builds that differ only in their dependencies: of what is needed to run, the
    /// versions of these packages are newer, and none is older.
    NewerDependencies(usize, Vec<String>),
    /// Any of them: they are the same when they run.
    Any,
    /// The build at this position, unless what the other one is linked with is needed: that one was spliced from it.
    AsBuilt(usize),
}

impl Comparison {
    /// Returns which of the builds to take; `None` if that depends on what is wanted, or if they are of several packages.
    /// `works` has the verdict on each for the user's machine; it is empty without one.
    pub fn suggestion(&self, works: &[Runs]) -> Option<Suggestion> {
        let (first, others) = self.builds.split_first()?;
        if others.iter().any(|build| build.package != first.package) {
            return None;
        }
        // Which of several builds for different systems to take depends on the machine.
        let system =
            |build: &Build| (build.platform.clone(), build.os.clone(), build.target.clone());
        if works.is_empty() && others.iter().any(|build| system(build) != system(first)) {
            return None;
        }
        let all = 0..self.builds.len();
        let working: Vec<usize> = match works {
            [] => all.collect(),
            works => all.filter(|&at| works.get(at) == Some(&Runs::Yes)).collect(),
        };
        match working.as_slice() {
            [] => return None,
            [one] => return Some(Suggestion::OnlyOneWorks(*one)),
            _ => {}
        }
        // With other variants, an older release may be what is wanted.
        let has_same_variants = others.iter().all(|build| build.variants == first.variants);
        let versions: Vec<Option<Version>> =
            working.iter().map(|&at| released(&self.builds[at])).collect();
        let newest = versions.iter().flatten().max()?;
        let mut of_newest =
            working.iter().zip(&versions).filter(|(_, it)| it.as_ref() == Some(newest));
        match (of_newest.next(), of_newest.next()) {
            (Some((one, _)), None) if has_same_variants => {
                return Some(Suggestion::NewestRelease(*one));
            }
            _ if has_same_variants && let Some(unmixed) = self.unmixed(&working) => {
                return Some(unmixed);
            }
            _ if self.differs_only_in_dependencies()
                && let Some(newer) = self.newer(&working) =>
            {
                return Some(newer);
            }
            _ if works.contains(&Runs::No) || works.contains(&Runs::Unknown) => return None,
            _ => {}
        }
        // Whatever else differs, a spliced build has the binary of the other one.
        let splice = self.splice().filter(|_| self.builds.len() == 2 && self.knows_dependencies());
        if self.is_same_to_run() || splice.is_some() && self.differs_only_to_build() {
            return Some(Suggestion::Any);
        }
        splice.map(|(_, from)| Suggestion::AsBuilt(from))
    }

    /// Returns the positions of a build that was spliced and of the one that it was spliced from, if both are compared.
    pub fn splice(&self) -> Option<(usize, usize)> {
        self.builds.iter().enumerate().find_map(|(at, build)| {
            let from = self.builds.iter().position(|other| Some(other.hash) == build.spliced_from);
            Some((at, from?))
        })
    }

    /// Returns the only one of these builds whose dependencies that are needed to run are all at least as new as those
    /// of the others, and names the newer ones; `None` if the dependencies differ in more than their versions.
    fn newer(&self, working: &[usize]) -> Option<Suggestion> {
        let to_run = self.dependencies.iter().filter(|line| line.kind == LineKind::Dependency);
        let lines = to_run.map(|line| {
            let versions = working.iter().map(|&at| version_in(&line.cells[at]));
            Some((line.name.clone(), versions.collect::<Option<Vec<Version>>>()?))
        });
        let lines: Vec<(String, Vec<Version>)> = lines.collect::<Option<_>>()?;
        let is_newest = |place: &usize| {
            lines.iter().all(|(_, versions)| versions.iter().all(|it| *it <= versions[*place]))
        };
        let mut newest = (0..working.len()).filter(is_newest);
        let (Some(place), None) = (newest.next(), newest.next()) else { return None };
        let newer = lines
            .into_iter()
            .filter(|(_, versions)| versions.iter().any(|version| *version < versions[place]));
        Some(Suggestion::NewerDependencies(working[place], newer.map(|(name, _)| name).collect()))
    }

    /// Returns the only one of these builds that needs at most one build of each package, apart from packages that they
    /// all need in several builds; `None` if the builds have different versions.
    fn unmixed(&self, working: &[usize]) -> Option<Suggestion> {
        let version = &self.builds[*working.first()?].version;
        if working.iter().any(|&at| self.builds[at].version != *version) {
            return None;
        }
        let in_all = |name: &String| self.several.iter().all(|names| names.contains(name));
        let own =
            |at: usize| self.several.get(at).and_then(|names| names.iter().find(|it| !in_all(it)));
        let (mixed, unmixed): (Vec<usize>, Vec<usize>) =
            working.iter().partition(|&&at| own(at).is_some());
        match unmixed.as_slice() {
            [one] => Some(Suggestion::Unmixed(*one, own(*mixed.first()?)?.clone())),
            _ => None,
        }
    }
}

/// Returns the version of the only build in a cell; `None` if the cell has several builds, or differs from others in
/// more than the version.
fn version_in(cell: &[Word]) -> Option<Version> {
    let is_version = |word: &&Word| word.text.starts_with('@');
    let is_other = |word: &&Word| !word.text.starts_with(['@', '/']) && !word.is_common;
    let mut versions = cell.iter().filter(is_version);
    match (versions.next(), versions.next(), cell.iter().find(is_other)) {
        (Some(version), None, None) => version.text[1..].parse().ok(),
        _ => None,
    }
}

/// Returns the version of a release; `None` for a branch or a commit.
fn released(build: &Build) -> Option<Version> {
    build.version.parse().ok().filter(|_| !is_development(&build.version))
}

#[cfg(test)]
mod tests {
    use cache_index::sample;

    use super::*;
    use crate::differences::compare::ComparedLine;

    fn of(versions: &[&str]) -> Comparison {
        let build = |(at, version): (usize, &&str)| Build {
            hash: sample::hash(at),
            ..sample::one("hdf5", version)
        };
        Comparison::of(versions.iter().enumerate().map(build).collect())
    }

    #[test]
    fn takes_what_works_and_is_newest() {
        let two = of(&["1.14", "develop"]);
        assert_eq!(two.suggestion(&[]), Some(Suggestion::NewestRelease(0)));
        assert_eq!(two.suggestion(&[Runs::No, Runs::Yes]), Some(Suggestion::OnlyOneWorks(1)));
        assert_eq!(two.suggestion(&[Runs::No, Runs::Unknown]), None);
        let mut systems = two.clone();
        systems.builds[1].os = "rhel8".to_owned();
        assert_eq!(systems.suggestion(&[]), None);
        assert_eq!(systems.suggestion(&[Runs::Yes, Runs::Yes]), Some(Suggestion::NewestRelease(0)));
        let three = of(&["1.12", "1.14", "1.16"]);
        assert_eq!(three.suggestion(&[]), Some(Suggestion::NewestRelease(2)));
        let works = [Runs::Yes, Runs::Yes, Runs::No];
        assert_eq!(three.suggestion(&works), Some(Suggestion::NewestRelease(1)));
        assert_eq!(of(&["develop", "main"]).suggestion(&[]), None);
        let mut others = of(&["1.14", "1.12"]);
        others.builds[1].variants = vec![sample::variant("+mpi")];
        assert_eq!(others.suggestion(&[]), None);
    }

    #[test]
    fn takes_what_the_other_was_spliced_from() {
        let mut two = of(&["1.14", "1.14"]);
        two.builds[0].spliced_from = Some(two.builds[1].hash);
        two.builds[0].compiler = None;
        two.builds[1].compiler = Some("gcc@13.2.0".to_owned());
        let two = Comparison { several: vec![Vec::new(); 2], ..Comparison::of(two.builds) };
        assert_eq!(two.splice(), Some((0, 1)));
        assert_eq!(two.suggestion(&[]), Some(Suggestion::Any));
        let mut linked = two.clone();
        linked.dependencies.push(ComparedLine {
            name: "zlib".to_owned(),
            kind: LineKind::Dependency,
            cells: vec![Vec::new(), Vec::new()],
        });
        assert_eq!(linked.suggestion(&[]), Some(Suggestion::AsBuilt(1)));
        assert_eq!(two.suggestion(&[Runs::Yes, Runs::No]), Some(Suggestion::OnlyOneWorks(0)));
    }

    #[test]
    fn takes_the_one_without_several_builds_of_a_package() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let mut two = of(&["1.14", "1.14"]);
        two.several = vec![names(&["gcc-runtime", "zlib-ng"]), names(&["gcc-runtime"])];
        let unmixed = Some(Suggestion::Unmixed(1, "zlib-ng".to_owned()));
        assert_eq!(two.suggestion(&[]), unmixed);
        assert_eq!(two.suggestion(&[Runs::Yes, Runs::Yes]), unmixed);
        assert_eq!(
            two.suggestion(&[Runs::Yes, Runs::No]),
            Some(Suggestion::OnlyOneWorks(0)),
            "what works comes first"
        );
        two.several[1] = two.several[0].clone();
        two.dependencies.push(ComparedLine {
            name: "zlib-ng".to_owned(),
            kind: LineKind::Dependency,
            cells: vec![Vec::new(); 2],
        });
        assert_eq!(two.suggestion(&[]), None);
        let mut releases = of(&["1.14", "1.12"]);
        releases.several = vec![names(&["zlib-ng"]), names(&[])];
        assert_eq!(releases.suggestion(&[]), Some(Suggestion::NewestRelease(0)));
    }

    #[test]
    fn takes_the_one_with_newer_dependencies() {
        let word = |text: &&str| Word { text: (*text).to_owned(), is_common: false };
        let line = |name: &str, cells: [&[&str]; 2]| ComparedLine {
            name: name.to_owned(),
            kind: LineKind::Dependency,
            cells: cells.map(|cell| cell.iter().map(word).collect()).into(),
        };
        let mut two = of(&["1.14", "1.14"]);
        two.dependencies.push(line("zlib-ng", [&["@2.2.4", "/a"], &["@2.3.2", "/b"]]));
        let second = Some(Suggestion::NewerDependencies(1, vec!["zlib-ng".to_owned()]));
        assert_eq!(two.suggestion(&[]), second);
        assert_eq!(two.suggestion(&[Runs::Yes, Runs::Yes]), second);
        let mut mixed = two.clone();
        mixed.dependencies.push(line("xz", [&["@5.8", "/c"], &["@5.6", "/d"]]));
        assert_eq!(mixed.suggestion(&[]), None, "one is newer, the other is older");
        for cell in [&["@2.3.2", "+opt", "/b"][..], &["@2.3.2", "/b", "@2.4", "/c"], &[]] {
            let mut others = two.clone();
            others.dependencies[0] = line("zlib-ng", [&["@2.2.4", "/a"], cell]);
            assert_eq!(others.suggestion(&[]), None, "{cell:?}");
        }
        let provider = ComparedLine {
            kind: LineKind::Field,
            ..line("Provider", [&["zlib-api=zlib-ng@2.2.4"], &["zlib-api=zlib-ng@2.3.2"]])
        };
        two.differing.push(provider);
        assert_eq!(two.suggestion(&[]), second, "the provider is that dependency");
        two.differing.push(line("Recipe", [&["a"], &["b"]]));
        assert_eq!(two.suggestion(&[]), None);
    }

    #[test]
    fn takes_any_of_those_that_are_the_same_when_they_run() {
        let mut two = of(&["1.14", "1.14"]);
        assert_eq!(two.suggestion(&[]), None, "their dependencies are not known");
        let equal = Comparison { several: vec![Vec::new(); 2], ..two.clone() };
        assert_eq!(equal.suggestion(&[]), Some(Suggestion::Any));
        let line =
            |name: &str, kind| ComparedLine { name: name.to_owned(), kind, cells: Vec::new() };
        two.dependencies.push(line("cmake", LineKind::BuildDependency));
        assert_eq!(two.suggestion(&[]), Some(Suggestion::Any));
        two.differing.push(line("mpi", LineKind::Variant));
        assert_eq!(two.suggestion(&[]), None);
        // Of builds of different packages, none is better.
        let others = vec![sample::one("hdf5", "1.14"), sample::one("zlib", "1.3")];
        let mut others = Comparison::of(others);
        others.dependencies.push(line("cmake", LineKind::BuildDependency));
        assert_eq!(others.suggestion(&[]), None);
    }
}
