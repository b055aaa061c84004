//! Builds with code for every GPU that their ROCm supports (`amdgpu_target=auto`), which may include the one that is asked for.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::{Question, run};

const AUTO: &str = "amdgpu_target=auto";

/// Returns the question about such builds in the place of those for certain GPUs of AMD, and how many it finds. `None` if a
/// question asks for none of these, or if there are none.
pub fn for_every_gpu(index: &Index, question: &Question) -> Option<(Question, u32)> {
    index.dictionary(Facet::Variant).code(AUTO)?;
    let mut every = question.clone();
    let choice = every.choice_mut(Facet::Variant);
    let is_certain = |value: &&String| value.starts_with("amdgpu_target=") && *value != AUTO;
    let certain: Vec<String> = choice.included().iter().filter(is_certain).cloned().collect();
    if certain.is_empty() || choice.includes(AUTO) {
        return None;
    }
    certain.iter().for_each(|value| choice.remove(value));
    choice.include(AUTO);
    let builds = run(index, &every).builds;
    (builds > 0).then_some((every, builds))
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
            let found = found.map(|(question, builds)| {
                (address::encode(&Query { question, ..Query::default() }), builds)
            });
            assert_eq!(found, expected.map(|(to, builds)| (to.to_owned(), builds)), "{asked}");
        };
        check("variant=amdgpu_target=gfx90a", Some(("variant=amdgpu_target=auto", 2)));
        check(
            "package=rocblas&variant=amdgpu_target=gfx90a",
            Some(("package=rocblas&variant=amdgpu_target=auto", 1)),
        );
        check("package=kokkos&variant=amdgpu_target=gfx90a", None);
        check("variant=amdgpu_target=auto", None);
        check("variant=rocm", None);
    }
}
