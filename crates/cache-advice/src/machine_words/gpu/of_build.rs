//! Judges if a build runs on a machine's GPUs, together with what it needs to run.

use cache_index::facet::Facet;
use cache_index::index::{BuildId, EdgeTarget, Index};
use spack_spec::{Variant, VariantValue};

use super::{Gpu, GpuAnswer, GpuCode, GpuVerdict};

/// The variants that turn GPU code on, and those that say for which GPUs it is.
const SIDES: [(&str, &str); 2] = [("cuda", "cuda_arch"), ("rocm", "amdgpu_target")];

/// Packages that use GPUs only through the libraries of their vendors: they find devices or exchange their memory, and also work on
/// machines without such devices. Nothing in them is compiled for a GPU, although their recipes have `cuda_arch`.
const WITHOUT_OWN_CODE: [&str; 4] = ["hwloc", "libfabric", "mpich", "openmpi"];

/// Returns `true` for a package whose variants for GPUs do not decide where it runs.
pub(crate) fn has_no_own_code(package: &str) -> bool {
    WITHOUT_OWN_CODE.contains(&package)
}

/// Returns `true` if GPU code is not made for particular GPUs: `hip` has `+rocm` and runs on all that its ROCm
/// supports, which is also what `amdgpu_target=auto` means. A recipe that compiles for single GPUs has a variant for
/// them, if only with `none`.
pub(crate) fn is_for_all_supported(variants: &[Variant]) -> bool {
    let value = |name: &str| variants.iter().find(|one| one.name == name).map(|one| &one.value);
    SIDES.iter().all(|(switch, gpus)| match (value(switch), value(gpus)) {
        (Some(VariantValue::Bool(false)), _) | (_, None) => true,
        (_, Some(VariantValue::Multi(values))) => values.iter().all(|value| value == "auto"),
        (_, Some(VariantValue::Single(value))) => value == "auto",
        (_, Some(VariantValue::Bool(_))) => false,
    })
}

impl GpuVerdict {
    /// Judges a build and everything that it is linked with or runs: the worst answer counts. Returns `None` if there
    /// is no GPU, or none of these builds has GPU code.
    ///
    /// Code for all GPUs that its CUDA or ROCm supports says nothing about a single GPU, so it only counts if nothing
    /// else does: what was compiled with it names the GPUs.
    ///
    /// A build whose dependencies are not listed is judged alone.
    pub fn of_build(index: &Index, build: BuildId, gpus: &[Gpu]) -> Option<GpuVerdict> {
        let below = index.closure(build).unwrap_or_default();
        let below = below.into_iter().filter_map(|target| match target {
            EdgeTarget::Build(build) => Some(build),
            EdgeTarget::Unknown { .. } => None,
        });
        let (mut worst, mut general): (Option<GpuVerdict>, Option<GpuVerdict>) = (None, None);
        for one in [build].into_iter().chain(below) {
            let row = index.row_of(one);
            if has_no_own_code(index.text(row, Facet::Package)) {
                continue;
            }
            let variants = index.variants_of(row);
            let Some(mut verdict) = GpuCode::of(&variants).and_then(|code| code.on(gpus)) else {
                continue;
            };
            if one != build {
                let package = index.text(row, Facet::Package);
                verdict.reason = format!("it needs {package}: {}", verdict.reason);
            }
            let is_general =
                verdict.answer == GpuAnswer::Unknown && is_for_all_supported(&variants);
            let worst = if is_general { &mut general } else { &mut worst };
            if worst.as_ref().is_none_or(|worst| verdict.answer > worst.answer) {
                *worst = Some(verdict);
            }
        }
        worst.or(general)
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

    fn one(number: usize, package: &str, variants: &[&str], linked: &[(usize, &str)]) -> Build {
        let on = |&(number, package): &(usize, &str)| Dependency {
            package: package.to_owned(),
            hash: sample::hash(number),
            deptypes: Deptypes::from_bits(2).expect("bits below 16"),
            virtuals: Vec::new(),
        };
        Build {
            hash: sample::hash(number),
            variants: sample::variants_of(variants),
            dependencies: Some(linked.iter().map(on).collect()),
            ..sample::one(package, "1.0")
        }
    }

    fn verdict(index: &Index, package: &str, gpu: &str) -> Option<GpuVerdict> {
        let code = index.dictionary(Facet::Package).code(package).expect("a package");
        let row = index.rows_of(code).next().expect("a row");
        let build = index.builds_of(row).next().expect("a build");
        GpuVerdict::of_build(index, build, &[Gpu::named(gpu).expect("a GPU")])
    }

    #[test]
    fn judges_what_a_build_is_linked_with() {
        let all = [
            one(0, "ucx", &["+cuda", "cuda_arch=90"], &[]),
            one(1, "hwloc", &["~cuda", "cuda_arch=none"], &[]),
            one(2, "app", &["+cuda", "cuda_arch:=70,80,90"], &[(0, "ucx")]),
            one(3, "tool", &["+shared"], &[(1, "hwloc")]),
            one(4, "lib", &["+cuda", "cuda_arch=none"], &[]),
            one(5, "user", &["+cuda", "cuda_arch=90"], &[(4, "lib")]),
        ];
        let index = pack(About::default(), all).expect("an index");
        let on_a100 = verdict(&index, "app", "A100").expect("a verdict");
        assert_eq!(on_a100.answer, GpuAnswer::No);
        assert_eq!(
            on_a100.reason,
            "it needs ucx: cuda_arch=90 does not run on A100 (compute capability 8.0)"
        );
        let answer = |package: &str| verdict(&index, package, "H100").map(|verdict| verdict.answer);
        assert_eq!(answer("app"), Some(GpuAnswer::Runs));
        assert_eq!(answer("tool"), None);
        assert_eq!(answer("user"), Some(GpuAnswer::Unknown));
    }

    #[test]
    fn lets_what_is_for_all_gpus_of_a_vendor_decide_nothing() {
        let all = [
            one(0, "hip", &["~cuda", "+rocm"], &[]),
            one(1, "rocblas", &["amdgpu_target=auto"], &[(0, "hip")]),
            one(2, "kokkos", &["+rocm", "amdgpu_target=gfx90a"], &[(0, "hip"), (1, "rocblas")]),
            one(3, "script", &["+shared"], &[(0, "hip")]),
        ];
        let index = pack(About::default(), all).expect("an index");
        let answer = |package: &str, gpu: &str| verdict(&index, package, gpu).map(|one| one.answer);
        assert_eq!(answer("kokkos", "MI250X"), Some(GpuAnswer::Runs));
        assert_eq!(answer("kokkos", "MI300X"), Some(GpuAnswer::No));
        for general in ["hip", "rocblas", "script"] {
            assert_eq!(answer(general, "MI250X"), Some(GpuAnswer::Unknown), "{general}");
        }
    }
}
