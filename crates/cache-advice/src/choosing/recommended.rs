//! Which build of a package to recommend: to a user who has stated a machine, and to one who has not.

use std::collections::BTreeMap;

use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, Index, RowId, ValueCode};
use cache_index::order::is_development;
use cache_query::host::{Host, Runs};
use cache_query::{Answer, Question};
use spack_spec::{Target, Version};

use crate::machine_words::{Gpu, GpuAnswer, GpuCode};

/// Returns the build to recommend of a package: the newest release among the matching builds that work on the user's
/// machine. If any of these has code for the machine's GPU, only such builds count; if no GPU is known, only builds
/// without code for GPUs, if there are any. If no build works, the newest for the machine's platform and family of
/// targets is recommended; without a machine, the newest for the operating system and family of targets that most of
/// the builds are for.
///
/// Several builds may be equally new. Then these come first, in this order of importance:
///
/// 1. those that are not for debugging;
/// 2. those by a recipe that the user has;
/// 3. those without compiler flags;
/// 4. if none works, those with the oldest libc;
/// 5. those for the machine's operating system, then those for the target nearest to its own;
/// 6. those with the [newest dependencies](has_newest_dependencies), then those that depend on the same packages as most.
pub fn recommended(
    index: &Index,
    question: &Question,
    answer: &Answer,
    package: ValueCode,
) -> Option<BuildId> {
    if question.host.is_some() {
        return best_of(index, question, &candidates(index, question, answer, package));
    }
    let mut by_system: BTreeMap<_, u32> = BTreeMap::new();
    for row in answer.matching_rows(index, package) {
        *by_system.entry(system_of(index, row)).or_default() += answer.count_in(index, row);
    }
    let (common, _) = by_system.into_iter().max_by_key(|(_, builds)| *builds)?;
    let mut candidates = candidates(index, question, answer, package);
    candidates.retain(|(build, _)| system_of(index, index.row_of(*build)) == common);
    best_of(index, question, &candidates)
}

/// The codes of a platform and an OS, and the family of targets: without a machine, builds for one system are recommended.
pub(crate) type System = ([ValueCode; 2], Option<&'static str>);

/// Returns the system that the builds of a row are for.
pub(crate) fn system_of(index: &Index, row: RowId) -> System {
    let target = Target::named(index.text(row, Facet::Target));
    let codes = [Facet::Platform, Facet::Os].map(|facet| index.value(row, facet));
    (codes, target.map(|target| target.family().name()))
}

/// Returns `true` if a build that is recommended for a machine was preferred to others for its dependencies: fewer of
/// those that it needs to run have an older version. The runtime libraries of compilers do not count: Spack selects
/// them anew.
pub fn has_newest_dependencies(
    index: &Index,
    question: &Question,
    answer: &Answer,
    package: ValueCode,
    recommended: BuildId,
) -> bool {
    let equals = equals(index, question, &candidates(index, question, answer, package));
    let behind = behind(index, &equals);
    let own = equals.iter().position(|&build| build == recommended).map(|at| behind[at].0);
    question.host.is_some() && own.is_some_and(|own| behind.iter().any(|(older, _)| *older > own))
}

/// A build to choose, and whether it works on the user's machine.
pub(crate) type Candidate = (BuildId, Runs);

fn candidates(
    index: &Index,
    question: &Question,
    answer: &Answer,
    package: ValueCode,
) -> Vec<Candidate> {
    let of_row = |row| {
        let by_label = answer.runs_of(index, row).unwrap_or(Runs::Yes);
        answer.builds_of(index, row).map(move |build| (build, by_label))
    };
    let builds = answer.matching_rows(index, package).flat_map(of_row);
    builds.map(|(build, by_label)| (build, question.judged.of(build).unwrap_or(by_label))).collect()
}

/// Returns the build to recommend among some of one package; `None` if there are none.
pub(crate) fn best_of(
    index: &Index,
    question: &Question,
    candidates: &[Candidate],
) -> Option<BuildId> {
    let equals = equals(index, question, candidates);
    if question.host.is_none() {
        return equals.first().copied();
    }
    let behind = behind(index, &equals);
    equals.into_iter().zip(behind).min_by_key(|(_, behind)| *behind).map(|(build, _)| build)
}

/// Returns the builds that suit a machine equally well, and better than all others.
fn equals(index: &Index, question: &Question, candidates: &[Candidate]) -> Vec<BuildId> {
    let host = question.host.as_ref().map(|host| (host.platform(), host.target()));
    let own_os = question.host.as_ref().map(Host::os);
    let gpus: Vec<Gpu> = question.gpus.iter().filter_map(|gpu| Gpu::named(gpu)).collect();
    let rank = |&(build, works): &Candidate| {
        let row = index.row_of(build);
        let is_foreign = host.map(|host| foreign(index, host, row));
        let has_vain_code = gpus.is_empty() && has_gpu_code(index, row);
        (works, is_foreign, !uses_gpu(index, row, &gpus), has_vain_code, age(index, row))
    };
    let Some(first) = candidates.iter().map(rank).min() else { return Vec::new() };
    // Among builds that do not work, the one with the oldest libc is nearest.
    let libc = |row: RowId| {
        let code = *index.values(row, Facet::Libc).first().filter(|_| first.0 != Runs::Yes)?;
        let (_, version) = index.dictionary(Facet::Libc).text(code).split_once('@')?;
        version.parse::<Version>().ok()
    };
    // Among equals, those that need least of the machine come first.
    let needs = |row: RowId| {
        let is_for_other_os = own_os != Some(index.text(row, Facet::Os));
        let generations = host.and_then(|(_, target)| {
            let [own, built_for] = [target, index.text(row, Facet::Target)].map(Target::named);
            Some(own?.ancestors().count().abs_diff(built_for?.ancestors().count()))
        });
        let is_foreign_recipe = is_of_other_repository(index, question, row);
        let has_flags = !index.origin(row).flags.is_empty();
        let own = (is_for_debugging(index, row), is_foreign_recipe, has_flags);
        (own, libc(row), is_for_other_os, generations)
    };
    let builds = candidates.iter().filter(|candidate| rank(candidate) == first);
    let builds: Vec<_> = builds.map(|(build, _)| (needs(index.row_of(*build)), *build)).collect();
    let Some(least) = builds.iter().map(|(needs, _)| needs.clone()).min() else {
        return Vec::new();
    };
    builds.into_iter().filter(|(needs, _)| *needs == least).map(|(_, build)| build).collect()
}

/// Returns `true` if the recipe of a row's builds is from a repository that the user does not have.
fn is_of_other_repository(index: &Index, question: &Question, row: RowId) -> bool {
    let Some(namespace) = &index.origin(row).namespace else { return false };
    let known = question.preference.as_ref().map(|known| &known.settings.repositories);
    known.map_or(namespace != "builtin", |known| !known.contains(namespace))
}

/// The direct dependencies of a build that it needs to run, with the [age](age) of their versions.
type RunVersions<'i> = BTreeMap<&'i str, (bool, ValueCode)>;

/// Returns for each of these builds how many of the direct dependencies that it needs to run have an older version than
/// in another one, and how many of the builds depend on other packages. Both are 0 until the dependencies have been
/// loaded.
fn behind(index: &Index, builds: &[BuildId]) -> Vec<(usize, usize)> {
    let all: Vec<RunVersions<'_>> = builds.iter().map(|&build| needed(index, build)).collect();
    let mut newest = RunVersions::new();
    for (&package, &age) in all.iter().flatten() {
        newest.entry(package).and_modify(|newest| *newest = age.min(*newest)).or_insert(age);
    }
    let of_one = |one: &RunVersions<'_>| {
        let older = one.iter().filter(|(package, age)| newest[*package] < **age).count();
        let unlike = all.iter().filter(|other| !other.keys().eq(one.keys())).count();
        (older, unlike)
    };
    all.iter().map(of_one).collect()
}

fn needed(index: &Index, build: BuildId) -> RunVersions<'_> {
    let edges = index.dependencies(build).into_iter().flatten();
    let edges = edges.filter(|edge| edge.is_needed_to_run() && !edge.package.ends_with("-runtime"));
    let versions = edges.filter_map(|edge| match edge.target {
        EdgeTarget::Build(lower) => Some((edge.package, age(index, index.row_of(lower)))),
        EdgeTarget::Unknown { .. } => None,
    });
    versions.collect()
}

/// Returns whether the version of a row is a branch, and the code of the version. Branches come after all releases, and
/// newer versions have lower codes.
fn age(index: &Index, row: RowId) -> (bool, ValueCode) {
    let version = index.value(row, Facet::Version);
    (is_development(index.dictionary(Facet::Version).text(version)), version)
}

/// Returns `true` if the builds of a row are made for debugging.
fn is_for_debugging(index: &Index, row: RowId) -> bool {
    let variants = index.dictionary(Facet::Variant);
    let codes = index.values(row, Facet::Variant);
    codes.into_iter().any(|code| variants.text(code) == "build_type=Debug")
}

/// Returns `true` if a build without code for GPUs is recommended because no GPU is known, although a matching build
/// with such code exists, which may be newer.
pub fn avoids_gpu_code(
    index: &Index,
    question: &Question,
    answer: &Answer,
    package: ValueCode,
    recommended: BuildId,
) -> bool {
    question.gpus.is_empty()
        && !has_gpu_code(index, index.row_of(recommended))
        && answer.matching_rows(index, package).any(|row| has_gpu_code(index, row))
}

/// Returns `true` if the builds of a row have code for some GPU.
pub fn has_gpu_code(index: &Index, row: RowId) -> bool {
    GpuCode::of(&index.variants_of(row)).is_some()
}

/// Returns `true` if the builds of a row have code for one of these GPUs.
pub fn uses_gpu(index: &Index, row: RowId, gpus: &[Gpu]) -> bool {
    // Without GPUs there is nothing to spell out variants for.
    let code = (!gpus.is_empty()).then(|| GpuCode::of(&index.variants_of(row)));
    let on = code.flatten().and_then(|code| code.on(gpus));
    on.is_some_and(|verdict| verdict.answer != GpuAnswer::No)
}

/// Returns `true` if a build is for another platform than a machine, or for another family of targets.
pub fn is_foreign(index: &Index, host: &Host, build: BuildId) -> bool {
    foreign(index, (host.platform(), host.target()), index.row_of(build)) != (false, false)
}

/// Returns how the builds of a row differ from those for a machine with this platform and target: `true` if the platform is
/// another, and `true` if the family of targets is.
pub(crate) fn foreign(index: &Index, (platform, target): (&str, &str), row: RowId) -> (bool, bool) {
    let family = |target| Target::named(target).map(Target::family);
    let is_of_family = family(index.text(row, Facet::Target)) == family(target);
    (index.text(row, Facet::Platform) != platform, !is_of_family)
}

#[cfg(test)]
mod tests {
    use cache_index::build::{Build, Dependency, Deptypes};
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::{address, run};

    use super::*;

    #[test]
    fn recommends_what_suits_the_machine_best() {
        let one = |number: usize, version: &str, os: &str, target: &str, kind: &str| Build {
            hash: sample::hash(number),
            os: os.to_owned(),
            target: target.to_owned(),
            variants: vec![sample::variant(&format!("build_type={kind}"))],
            ..sample::one("hdf5", version)
        };
        let with_cuda = |mut build: Build, arch: &str| {
            let arch = format!("cuda_arch={arch}");
            build.variants.extend(["+cuda", &arch].map(sample::variant));
            build.variants.sort();
            build
        };
        let all = [
            one(0, "1.14.6", "ubuntu22.04", "x86_64_v3", "Debug"),
            one(1, "1.14.6", "rhel8", "x86_64_v4", "Release"),
            one(2, "1.14.6", "ubuntu22.04", "x86_64", "Release"),
            one(3, "1.14.6", "ubuntu22.04", "x86_64_v3", "Release"),
            one(4, "1.14.5", "ubuntu22.04", "zen3", "Release"),
            one(5, "develop", "ubuntu22.04", "zen3", "Release"),
            with_cuda(one(6, "1.14.6", "ubuntu22.04", "zen3", "Release"), "90"),
            with_cuda(one(7, "1.14.7", "ubuntu22.04", "zen3", "Release"), "120"),
        ];
        let index = pack(About::default(), all).expect("an index");
        let recommended = |asked: &str| {
            let question = address::decode(asked).0.question;
            let package = index.dictionary(Facet::Package).code("hdf5").expect("a package");
            let answer = run(&index, &question);
            let best = recommended(&index, &question, &answer, package).expect("a build");
            index.hash(best).expect("a hash")
        };
        assert_eq!(recommended("host=linux.ubuntu22.04.zen3"), sample::hash(3));
        assert_eq!(recommended("host=linux.ubuntu22.04.zen3&gpu=H100"), sample::hash(6));
        assert_eq!(recommended("host=linux.ubuntu22.04.x86_64_v2"), sample::hash(2));
        assert_eq!(recommended("host=linux.rhel8.icelake"), sample::hash(1));
        // The newest version comes before all of these criteria.
        assert_eq!(recommended("host=linux.ubuntu22.04.zen3&version=1.14.5"), sample::hash(4));
        // The newest build has code for GPUs.
        assert_eq!(recommended("host=linux.ubuntu22.04.zen3&gpu=sm_120"), sample::hash(7));
        assert_ne!(recommended(""), sample::hash(0));
    }

    #[test]
    fn recommends_without_a_machine_for_the_system_that_most_builds_are_for() {
        let one = |number: usize, version: &str, target: &str| Build {
            hash: sample::hash(number),
            os: "ubuntu22.04".to_owned(),
            target: target.to_owned(),
            ..sample::one("hdf5", version)
        };
        let all = [
            one(0, "1.14.5", "x86_64_v3"),
            one(1, "1.14.4", "x86_64_v3"),
            one(2, "1.14.4", "zen4"),
            one(3, "1.14.6", "neoverse_v2"),
        ];
        let index = pack(About::default(), all).expect("an index");
        let package = index.dictionary(Facet::Package).code("hdf5").expect("a package");
        let question = Question::default();
        let best = recommended(&index, &question, &run(&index, &question), package);
        assert_eq!(best.and_then(|best| index.hash(best)), Some(sample::hash(0)));
    }

    #[test]
    fn prefers_newer_dependencies() {
        let zlib = |number: usize, version: &str| Build {
            hash: sample::hash(number),
            ..sample::one("zlib-ng", version)
        };
        let needing = |number: usize, zlib: usize| {
            let edge = Dependency {
                package: "zlib-ng".to_owned(),
                hash: sample::hash(zlib),
                deptypes: Deptypes::LINK,
                virtuals: Vec::new(),
            };
            let cmake = sample::one("cmake", "3.31.9");
            Build { hash: sample::hash(number), dependencies: Some(vec![edge]), ..cmake }
        };
        // One depends on another package.
        let curl = Build { hash: sample::hash(5), ..sample::one("curl", "8.17.0") };
        let other = |mut build: Build| {
            build.dependencies.iter_mut().flatten().for_each(|edge| edge.package = "curl".into());
            build
        };
        let all = [
            zlib(0, "2.2.4"),
            zlib(1, "2.3.2"),
            curl,
            needing(2, 0),
            other(needing(6, 5)),
            needing(3, 1),
            needing(4, 1),
        ];
        let index = pack(About::default(), all).expect("an index");
        let question = address::decode("host=linux.ubuntu24.04.zen3").0.question;
        let package = index.dictionary(Facet::Package).code("cmake").expect("a package");
        let answer = run(&index, &question);
        let best = recommended(&index, &question, &answer, package).expect("a build");
        assert_eq!(index.hash(best), Some(sample::hash(3)));
        let by_dependencies =
            |of: &Question| has_newest_dependencies(&index, of, &run(&index, of), package, best);
        assert!(by_dependencies(&question));
        let only_new = address::decode("q=^zlib-ng@2.3.2&host=linux.ubuntu24.04.zen3").0.question;
        assert!(!by_dependencies(&only_new));
    }
}
