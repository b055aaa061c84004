//! Builds with code for every GPU that their ROCm supports (`amdgpu_target=auto`), which may include the requested one.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::{Choice, Match, Question, run};

use crate::machine_words::{Chip, Gpu};

const AUTO: &str = "amdgpu_target=auto";

/// Builds with code for every GPU, in place of those for certain GPUs of AMD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForEveryGpu {
    /// The question about them.
    pub question: Question,
    /// How many it finds.
    pub builds: u32,
    /// `true` if they are not of the package that is open: a search for a GPU opens the only package with code for it.
    pub are_of_others: bool,
}

/// Finds builds with code for every GPU. `None` if a question asks for no particular GPU of AMD, by its variants or as
/// that of the machine, or if there are none.
pub fn for_every_gpu(index: &Index, question: &Question) -> Option<ForEveryGpu> {
    index.dictionary(Facet::Variant).code(AUTO)?;
    let mut every = question.clone();
    let choice = every.choice_mut(Facet::Variant);
    let is_certain = |value: &&String| value.starts_with("amdgpu_target=") && *value != AUTO;
    let certain: Vec<String> = choice.included().iter().filter(is_certain).cloned().collect();
    let is_amd = |gpu: &String| Gpu::named(gpu).is_some_and(|gpu| matches!(gpu.chip, Chip::Amd(_)));
    let is_on_machine = question.asks_for_gpu() && question.gpus.iter().any(is_amd);
    if certain.is_empty() && !is_on_machine || choice.includes(AUTO) {
        return None;
    }
    if certain.is_empty() && choice.included().len() < 2 {
        choice.set_matching(Match::All);
    }
    every.only_on_gpu &= !is_on_machine;
    let choice = every.choice_mut(Facet::Variant);
    // If several GPUs are alternatives, those of another vendor are replaced too.
    let are_alternatives = choice.matching() == Match::Any;
    let is_of_gpus = |value: &String| {
        certain.contains(value) || are_alternatives && value.starts_with("cuda_arch=")
    };
    let removed: Vec<String> =
        choice.included().iter().filter(|value| is_of_gpus(value)).cloned().collect();
    removed.iter().for_each(|value| choice.remove(value));
    choice.include(AUTO);
    let mut builds = run(index, &every).builds;
    let are_of_others = builds == 0 && every.text.is_empty();
    if are_of_others {
        *every.choice_mut(Facet::Package) = Choice::default();
        builds = run(index, &every).builds;
    }
    (builds > 0).then_some(ForEveryGpu { question: every, builds, are_of_others })
}

#[cfg(test)]
mod tests {
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::{Query, address};

    use super::*;

    #[test]
    fn finds_builds_for_every_gpu_beside_those_for_one() {
        let build = |number: usize, package: &str, target: &str| Build {
            hash: sample::hash(number),
            variants: ["+rocm", &format!("amdgpu_target={target}")].map(sample::variant).into(),
            ..sample::one(package, "1.0")
        };
        let builds = [
            build(1, "kokkos", "gfx90a"),
            build(2, "rocblas", "auto"),
            build(3, "rocrand", "auto"),
        ];
        let index = pack(About::default(), builds).expect("an index");
        let check = |asked: &str, expected: Option<(&str, u32)>| {
            let found = for_every_gpu(&index, &address::decode(asked).0.question);
            let found = found.map(|ForEveryGpu { question, builds, are_of_others }| {
                assert_eq!(are_of_others, asked.contains("kokkos"), "{asked}");
                (address::encode(&Query { question, ..Query::default() }), builds)
            });
            assert_eq!(found, expected.map(|(to, builds)| (to.to_owned(), builds)), "{asked}");
        };
        check("variant=amdgpu_target=gfx90a", Some(("variant=amdgpu_target=auto", 2)));
        check(
            "package=rocblas&variant=amdgpu_target=gfx90a",
            Some(("package=rocblas&variant=amdgpu_target=auto", 1)),
        );
        check(
            "package=kokkos&variant=amdgpu_target=gfx90a",
            Some(("variant=amdgpu_target=auto", 2)),
        );
        check(
            "variant=amdgpu_target=gfx90a&variant=cuda_arch=90",
            Some(("variant=amdgpu_target=auto", 2)),
        );
        let host = "host=linux.rhel8.zen3&gpu";
        check(
            &format!("{host}=MI250X&uses=gpu"),
            Some((&format!("variant=amdgpu_target=auto&all=variant&{host}=MI250X"), 2)),
        );
        check(&format!("{host}=H100&uses=gpu"), None);
        check("q=kokkos@1:&variant=amdgpu_target=gfx90a", None);
        check("variant=amdgpu_target=auto", None);
        check("variant=rocm", None);
    }
}
