//! Builds whose CUDA code is for older GPUs than the machine's: it only runs there if the builds contain PTX, which a
//! cache does not say.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::{Match, Question, run};
use spack_spec::{Variant, VariantValue};

use crate::machine_words::{Gpu, GpuAnswer, GpuCode, has_no_own_code};

const ARCH: &str = "cuda_arch=";

/// Returns the question about these builds, in place of one about builds that use the machine's GPU. `None` if the
/// question does not ask for the latter, if it chooses variants itself, or if no `cuda_arch` in the cache runs there
/// only through PTX.
pub fn through_ptx(index: &Index, question: &Question) -> Option<Question> {
    let gpus: Vec<Gpu> = question.gpus.iter().filter_map(|gpu| Gpu::named(gpu)).collect();
    let asks = question.asks_for_gpu() && !gpus.is_empty();
    if !asks || !question.choice(Facet::Variant).included().is_empty() {
        return None;
    }
    let mut through = Question { only_on_gpu: false, ..question.clone() };
    let choice = through.choice_mut(Facet::Variant);
    choice.set_matching(Match::Any);
    for (_, value) in index.dictionary(Facet::Variant).iter() {
        let Some(arch) = value.strip_prefix(ARCH).filter(|arch| *arch != "none") else { continue };
        let value_of_arch = VariantValue::Multi(vec![arch.to_owned()]);
        let variant = Variant { name: "cuda_arch".to_owned(), value: value_of_arch };
        let answer = GpuCode::of([&variant]).and_then(|code| code.on(&gpus));
        match answer.map(|verdict| verdict.answer) {
            Some(GpuAnswer::Runs) => choice.exclude(value),
            Some(GpuAnswer::OnlyThroughPtx) => choice.include(value),
            _ => {}
        }
    }
    if through.choice(Facet::Variant).included().is_empty() {
        return None;
    }
    let answer = run(index, &through);
    let packages = index.dictionary(Facet::Package);
    for (code, name) in packages.iter().filter(|(_, name)| has_no_own_code(name)) {
        if answer.matching(code) > 0 {
            through.choice_mut(Facet::Package).exclude(name);
        }
    }
    Some(through)
}

#[cfg(test)]
mod tests {
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::{Query, address};

    use super::*;

    #[test]
    fn finds_builds_for_older_gpus() {
        let build = |number: usize, package: &str, variants: &[&str]| Build {
            hash: sample::hash(number),
            variants: sample::variants_of(variants),
            ..sample::one(package, "1.0")
        };
        let builds = [
            build(1, "kokkos", &["+cuda", "cuda_arch:=80"]),
            build(2, "magma", &["+cuda", "cuda_arch:=80,90"]),
            build(3, "openmpi", &["+cuda", "cuda_arch:=80"]),
            build(4, "hypre", &["+cuda", "cuda_arch:=100"]),
            build(5, "zlib", &["+pic"]),
        ];
        let index = pack(About::default(), builds).expect("an index");
        let check = |asked: &str, expected: Option<(&str, u32)>| {
            let found = through_ptx(&index, &address::decode(asked).0.question);
            let found = found.map(|question| {
                let builds = run(&index, &question).builds;
                (address::encode(&Query { question, ..Query::default() }), builds)
            });
            assert_eq!(found, expected.map(|(to, builds)| (to.to_owned(), builds)), "{asked}");
        };
        let host = "host=linux.rhel8.zen3&gpu";
        check(
            &format!("{host}=H100&uses=gpu"),
            Some((
                &format!(
                    "variant=cuda_arch=80&not.package=openmpi&not.variant=cuda_arch=90&{host}=H100"
                ),
                1,
            )),
        );
        check(&format!("{host}=V100&uses=gpu"), None);
        check(&format!("{host}=MI250X&uses=gpu"), None);
        check(&format!("{host}=H100"), None);
        check(&format!("{host}=H100&uses=gpu&variant=cuda_arch=80"), None);
    }
}
