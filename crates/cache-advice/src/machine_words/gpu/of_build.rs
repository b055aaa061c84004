//! Judges if a build runs on a machine's GPUs, together with what it needs to run.

use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, Index};

use super::{Gpu, GpuAnswer, GpuCode, GpuVerdict};

impl GpuVerdict {
    /// Judges a build and everything that it is linked with or runs: the worst answer counts. Returns `None` if there is no
    /// GPU, or none of them has GPU code.
    ///
    /// A build whose dependencies are not listed is judged alone.
    pub fn of_build(index: &Index, build: BuildId, gpus: &[Gpu]) -> Option<GpuVerdict> {
        let below = index.closure(build).unwrap_or_default();
        let below = below.into_iter().filter_map(|target| match target {
            EdgeTarget::Build(build) => Some(build),
            EdgeTarget::Unknown { .. } => None,
        });
        let mut worst: Option<GpuVerdict> = None;
        for one in [build].into_iter().chain(below) {
            let row = index.row_of(one);
            let variants = index.variants_of(row);
            let Some(mut verdict) = GpuCode::of(&variants).and_then(|code| code.on(gpus)) else {
                continue;
            };
            if one != build {
                let package = index.text(row, Facet::Package);
                verdict.reason = format!("it needs {package}: {}", verdict.reason);
            }
            if worst.as_ref().is_none_or(|worst| verdict.answer > worst.answer) {
                worst = Some(verdict);
            }
        }
        worst
    }
}

impl GpuAnswer {
    /// Returns its name in JSON.
    pub fn key(self) -> &'static str {
        match self {
            GpuAnswer::Runs => "yes",
            GpuAnswer::OnlyThroughPtx => "ptx",
            GpuAnswer::Unknown => "unknown",
            GpuAnswer::No => "no",
        }
    }

    /// Returns the answer in words.
    pub fn words(self) -> &'static str {
        match self {
            GpuAnswer::Runs => "runs on your GPU",
            GpuAnswer::OnlyThroughPtx => "runs on your GPU only through PTX",
            GpuAnswer::Unknown => "may run on your GPU",
            GpuAnswer::No => "does not run on your GPU",
        }
    }
}

#[cfg(test)]
mod tests {
    use cache_index::build::{Build, Dependency, Deptypes};
    use cache_index::index::{About, pack};
    use cache_index::sample;

    use super::*;

    #[test]
    fn judges_what_a_build_is_linked_with() {
        let one = |number: usize, package: &str, variants: &[&str]| Build {
            hash: sample::hash(number),
            variants: variants.iter().map(|text| sample::variant(text)).collect(),
            dependencies: Some(Vec::new()),
            ..sample::one(package, "1.0")
        };
        let mut all = vec![
            one(0, "ucx", &["+cuda", "cuda_arch=90"]),
            one(1, "hwloc", &["~cuda", "cuda_arch=none"]),
            one(2, "app", &["+cuda", "cuda_arch:=70,80,90"]),
            one(3, "tool", &["+shared"]),
        ];
        for user in [2, 3] {
            let on = |number: usize, package: &str| Dependency {
                package: package.to_owned(),
                hash: sample::hash(number),
                deptypes: Deptypes::from_bits(2).expect("bits below 16"),
                virtuals: Vec::new(),
            };
            all[user].dependencies = Some(vec![on(user - 2, ["ucx", "hwloc"][user - 2])]);
        }
        let index = pack(About::default(), all).expect("an index");
        let verdict = |package: &str, gpu: &str| {
            let code = index.dictionary(Facet::Package).code(package).expect("a package");
            let row = index.rows_of(code).next().expect("a row");
            let build = index.builds_of(row).next().expect("a build");
            GpuVerdict::of_build(&index, build, &[Gpu::named(gpu).expect("a GPU")])
        };
        let on_a100 = verdict("app", "A100").expect("a verdict");
        assert_eq!(on_a100.answer, GpuAnswer::No);
        assert_eq!(
            on_a100.reason,
            "it needs ucx: cuda_arch=90 does not run on A100 (compute capability 8.0)"
        );
        assert_eq!(verdict("app", "H100").expect("a verdict").answer, GpuAnswer::Runs);
        assert_eq!(verdict("tool", "H100"), None);
    }
}
