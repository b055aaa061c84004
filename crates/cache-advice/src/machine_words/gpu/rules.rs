//! The vendors' rules for which GPU code runs on which GPU.
//!
//! | build | GPU | answer | source |
//! | --- | --- | --- | --- |
//! | `cuda_arch=80` | 8.0, 8.6, 8.9: the same major version, and not older | runs | [binary compatibility][binary] |
//! | `cuda_arch=86` | 8.7 and others of Jetson boards, which share no binaries with other GPUs | through PTX | [binary compatibility][binary] |
//! | `cuda_arch=80` | 9.0: newer | only through PTX, if the build has it | [PTX compatibility][ptx] |
//! | `cuda_arch=90` | 8.0: older | no | [PTX compatibility][ptx] |
//! | `cuda_arch=90a` | 9.0 alone | runs, or no | [features of one chip][features] |
//! | `cuda_arch=100f` | 10.0 and 10.3: the same family | runs, or no | [features of a family][features] |
//! | `amdgpu_target=gfx90a` | `gfx90a`, with any setting of a feature that it does not name | runs, or no | [target ids][ids] |
//! | `amdgpu_target=gfx9-4-generic` | each processor that it stands for | runs, or no | [generic processors][generic] |
//!
//! [binary]: https://docs.nvidia.com/cuda/cuda-c-programming-guide/#binary-compatibility
//! [ptx]: https://docs.nvidia.com/cuda/cuda-c-programming-guide/#ptx-compatibility
//! [features]: https://docs.nvidia.com/cuda/cuda-c-programming-guide/#feature-availability
//! [ids]: https://llvm.org/docs/AMDGPUUsage.html#target-id
//! [generic]: https://llvm.org/docs/AMDGPUUsage.html#amdgpu-generic-processor-table
//!
//! Recipes that use Spack's flags for CUDA put PTX next to the binary code, but not all do, and a cache does not say.

use std::fmt;

use spack_spec::{Variant, VariantValue};

use super::{Chip, ComputeCapability, GfxTarget, Gpu};

const BINARY: &str = "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#binary-compatibility";
const PTX: &str = "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#ptx-compatibility";
const FEATURES: &str =
    "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#feature-availability";
const TARGET_IDS: &str = "https://llvm.org/docs/AMDGPUUsage.html#target-id";
const GENERIC: &str = "https://llvm.org/docs/AMDGPUUsage.html#amdgpu-generic-processor-table";

/// The chips of Jetson and similar boards.
const BOARDS: [(u8, u8); 5] = [(5, 3), (6, 2), (7, 2), (8, 7), (11, 0)];

/// What each generic processor of AMD stands for.
const GENERIC_PROCESSORS: [(&str, &[&str]); 6] = [
    ("gfx9-generic", &["gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"]),
    ("gfx9-4-generic", &["gfx940", "gfx941", "gfx942", "gfx950"]),
    ("gfx10-1-generic", &["gfx1010", "gfx1011", "gfx1012", "gfx1013"]),
    (
        "gfx10-3-generic",
        &["gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"],
    ),
    (
        "gfx11-generic",
        &["gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"],
    ),
    ("gfx12-generic", &["gfx1200", "gfx1201"]),
];

/// The GPU code of a build, by its variants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GpuCode {
    /// The values of `cuda_arch`; `None` if the build has no CUDA code. Empty if it does not say for which GPUs.
    pub cuda: Option<Vec<String>>,
    /// The values of `amdgpu_target`, in the same way.
    pub rocm: Option<Vec<String>>,
}

/// The answer to whether GPU code runs, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GpuAnswer {
    /// It runs.
    Runs,
    /// The driver has to compile it when it starts, which works if the build has PTX.
    OnlyThroughPtx,
    /// The build does not say for which GPUs it was made.
    Unknown,
    /// It does not run.
    No,
}

/// The answer for a build, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuVerdict {
    /// The answer.
    pub answer: GpuAnswer,
    /// The reason, as text for people without a full stop.
    pub reason: String,
    /// The address of the vendor's rule; `None` if no rule was needed.
    pub source: Option<&'static str>,
}

/// The answer for one value of a variant on one GPU, with the reason and the address of the vendor's rule.
type Judgement = (GpuAnswer, String, &'static str);

impl fmt::Display for GpuCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |name: &str, arch: &str, targets: &[String]| match targets {
            [] => format!("+{name}"),
            targets => format!("{arch}={}", targets.join(",")),
        };
        let cuda = self.cuda.iter().map(|targets| side("cuda", "cuda_arch", targets));
        let rocm = self.rocm.iter().map(|targets| side("rocm", "amdgpu_target", targets));
        f.write_str(&cuda.chain(rocm).collect::<Vec<_>>().join(" "))
    }
}

impl GpuCode {
    /// Returns the GPU code of a build with these variants; `None` if it has none. A build with `~cuda` has no CUDA
    /// code, whatever its `cuda_arch`.
    pub fn of<'v>(variants: impl IntoIterator<Item = &'v Variant>) -> Option<GpuCode> {
        let (mut cuda, mut rocm) = ((None, None), (None, None));
        for Variant { name, value } in variants {
            let side = match name.as_str() {
                "cuda" | "cuda_arch" => &mut cuda,
                "rocm" | "amdgpu_target" => &mut rocm,
                _ => continue,
            };
            match value {
                VariantValue::Bool(is_on) => side.0 = Some(*is_on),
                VariantValue::Single(value) => side.1 = Some(vec![value.clone()]),
                VariantValue::Multi(values) => side.1 = Some(values.clone()),
            }
        }
        let code = |(is_on, targets): (Option<bool>, Option<Vec<String>>)| {
            let mut targets = targets.unwrap_or_default();
            targets.retain(|target| target != "none");
            let is_made = is_on.unwrap_or(!targets.is_empty());
            is_made.then_some(targets)
        };
        let code = GpuCode { cuda: code(cuda), rocm: code(rocm) };
        (code != GpuCode::default()).then_some(code)
    }

    /// Returns the best answer among a machine's GPUs; there must be one.
    ///
    /// ```
    /// use cache_advice::machine_words::{Gpu, GpuAnswer, GpuCode};
    ///
    /// let code = GpuCode { cuda: Some(vec!["80".to_owned()]), rocm: None };
    /// let on = |gpu: &str| code.on(&[Gpu::named(gpu)?]).map(|verdict| verdict.answer);
    /// assert_eq!(on("A40"), Some(GpuAnswer::Runs));
    /// assert_eq!(on("H100"), Some(GpuAnswer::OnlyThroughPtx));
    /// assert_eq!(on("V100"), Some(GpuAnswer::No));
    /// ```
    pub fn on(&self, gpus: &[Gpu]) -> Option<GpuVerdict> {
        gpus.iter().map(|gpu| self.on_one(gpu)).min_by_key(|verdict| verdict.answer)
    }

    fn on_one(&self, gpu: &Gpu) -> GpuVerdict {
        let (targets, variant) = match gpu.chip {
            Chip::Nvidia(_) => (&self.cuda, "cuda_arch"),
            Chip::Amd(_) => (&self.rocm, "amdgpu_target"),
        };
        let without = |answer, reason: String| GpuVerdict { answer, reason, source: None };
        let Some(targets) = targets else {
            let made_for = if self.cuda.is_some() { "NVIDIA" } else { "AMD" };
            return without(
                GpuAnswer::No,
                format!("its GPU code is for {made_for}, and {gpu} is not"),
            );
        };
        let judged = targets.iter().map(|target| match &gpu.chip {
            Chip::Nvidia(capability) => cuda(target, *capability),
            Chip::Amd(own) => rocm(target, own),
        });
        // Among equal answers, that of the last value counts, which is for the newest GPU.
        match judged.rev().min_by_key(|(answer, _, _)| *answer) {
            None => without(GpuAnswer::Unknown, format!("it does not name any {variant}")),
            Some((answer, reason, source)) => {
                let reason = match answer {
                    GpuAnswer::No if targets.len() > 1 => {
                        format!("none of {variant}={} runs on {gpu}", targets.join(","))
                    }
                    _ => format!("{variant}={reason} {gpu}"),
                };
                GpuVerdict { answer, reason, source: Some(source) }
            }
        }
    }
}

/// Judges one value of `cuda_arch`.
fn cuda(target: &str, gpu: ComputeCapability) -> Judgement {
    let Some(made_for) = ComputeCapability::read(target) else {
        return (GpuAnswer::Unknown, format!("{target} is not known to run on"), BINARY);
    };
    let is_board =
        |capability: ComputeCapability| BOARDS.contains(&(capability.major, capability.minor));
    let is_same_major = made_for.major == gpu.major && made_for.minor <= gpu.minor;
    let judged = |runs: bool, source| {
        if runs {
            (GpuAnswer::Runs, format!("{target} runs on"), source)
        } else {
            (GpuAnswer::No, format!("{target} does not run on"), source)
        }
    };
    match target.as_bytes().last() {
        Some(b'a') => judged(made_for == gpu, FEATURES),
        Some(b'f') => judged(is_same_major && !is_board(gpu), FEATURES),
        _ if made_for == gpu => judged(true, BINARY),
        _ if is_same_major && !is_board(made_for) && !is_board(gpu) => judged(true, BINARY),
        _ if made_for > gpu => judged(false, PTX),
        _ => (
            GpuAnswer::OnlyThroughPtx,
            format!("{target} needs to be compiled from PTX, if the build has it, to run on"),
            PTX,
        ),
    }
}

/// Judges one value of `amdgpu_target`.
fn rocm(target: &str, gpu: &GfxTarget) -> Judgement {
    if target == "auto" {
        let reason = "auto is every GPU that its ROCm supports, which may include";
        return (GpuAnswer::Unknown, reason.to_owned(), TARGET_IDS);
    }
    let Some(made_for) = GfxTarget::read(target) else {
        return (GpuAnswer::Unknown, format!("{target} is not known to run on"), TARGET_IDS);
    };
    let generic = GENERIC_PROCESSORS.iter().find(|(name, _)| *name == made_for.processor);
    let is_processor = match generic {
        Some((_, processors)) => processors.contains(&gpu.processor.as_str()),
        None => made_for.processor == gpu.processor,
    };
    let source = if generic.is_some() { GENERIC } else { TARGET_IDS };
    let agree =
        |made: Option<bool>, own: Option<bool>| made.zip(own).is_none_or(|(made, own)| made == own);
    let agrees = agree(made_for.xnack, gpu.xnack) && agree(made_for.sramecc, gpu.sramecc);
    if !is_processor || !agrees {
        return (GpuAnswer::No, format!("{target} does not run on"), source);
    }
    let open = |made: Option<bool>, own: Option<bool>| made.is_some() && own.is_none();
    if open(made_for.xnack, gpu.xnack) || open(made_for.sramecc, gpu.sramecc) {
        let reason = format!("{target} runs only with these features of");
        return (GpuAnswer::Unknown, reason, source);
    }
    (GpuAnswer::Runs, format!("{target} runs on"), source)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(code: &GpuCode, gpu: &str) -> GpuAnswer {
        let gpu = Gpu::named(gpu).expect("a GPU");
        code.on(&[gpu]).expect("an answer").answer
    }

    #[test]
    fn judges_cuda_code_by_the_rules_of_nvidia() {
        use GpuAnswer::{No, OnlyThroughPtx, Runs, Unknown};
        #[track_caller]
        fn check(targets: &str, gpu: &str, expected: GpuAnswer) {
            let targets = targets.split(',').filter(|one| !one.is_empty()).map(str::to_owned);
            let code = GpuCode { cuda: Some(targets.collect()), rocm: None };
            assert_eq!(answer(&code, gpu), expected, "{code:?} on {gpu}");
        }
        check("80", "A100", Runs);
        check("80", "A40", Runs);
        check("80", "L4", Runs);
        check("86", "A100", No);
        check("70", "T4", Runs);
        check("75", "V100", No);
        check("80", "H100", OnlyThroughPtx);
        check("90", "A100", No);
        check("90", "H100", Runs);
        check("90a", "H100", Runs);
        check("90a", "B200", No);
        check("90", "B200", OnlyThroughPtx);
        check("100", "B300", Runs);
        check("100f", "B300", Runs);
        check("100a", "B300", No);
        check("100f", "RTX 5090", No);
        check("120", "GB10", Runs);
        // Jetson boards do not share binaries with other GPUs.
        check("86", "Jetson Orin", OnlyThroughPtx);
        check("87", "Jetson Orin", Runs);
        check("87", "L40", OnlyThroughPtx);
        check("70,80,90", "H100", Runs);
        check("60,70", "A100", OnlyThroughPtx);
        check("80,90", "V100", No);
        check("", "V100", Unknown);
        check("odd", "V100", Unknown);
        check("90", "MI250X", No);
    }

    #[test]
    fn judges_rocm_code_by_the_rules_of_amd() {
        use GpuAnswer::{No, Runs, Unknown};
        #[track_caller]
        fn check(target: &str, gpu: &str, expected: GpuAnswer) {
            let code = GpuCode { cuda: None, rocm: Some(vec![target.to_owned()]) };
            assert_eq!(answer(&code, gpu), expected, "{target} on {gpu}");
        }
        check("gfx90a", "MI250X", Runs);
        check("gfx90a", "MI210", Runs);
        check("gfx90a", "MI300X", No);
        check("gfx908", "gfx90a", No);
        check("gfx90a", "gfx90a:sramecc+:xnack-", Runs);
        check("gfx90a:xnack-", "gfx90a:sramecc+:xnack-", Runs);
        check("gfx90a:xnack+", "gfx90a:sramecc+:xnack-", No);
        check("gfx90a:xnack+", "MI250X", Unknown);
        check("gfx9-4-generic", "MI300X", Runs);
        check("gfx9-generic", "MI300X", No);
        check("gfx11-generic", "RX 7900 XTX", Runs);
        check("gfx90a", "H100", No);
    }

    #[test]
    fn judges_only_builds_with_gpu_code() {
        #[track_caller]
        fn check(variants: &[&str], cuda: Option<&[&str]>, rocm: Option<&[&str]>) {
            let variants: Vec<Variant> =
                variants.iter().map(|text| text.parse().expect("a variant")).collect();
            let owned = |values: Option<&[&str]>| {
                values.map(|values| values.iter().map(|value| value.to_string()).collect())
            };
            let expected = GpuCode { cuda: owned(cuda), rocm: owned(rocm) };
            assert_eq!(GpuCode::of(&variants).unwrap_or_default(), expected, "{variants:?}");
        }
        check(&["+cuda", "cuda_arch=70,80"], Some(&["70", "80"]), None);
        check(&["~cuda", "cuda_arch=none", "+mpi"], None, None);
        check(&["~cuda", "cuda_arch=80"], None, None);
        check(&["+cuda", "cuda_arch=none"], Some(&[]), None);
        check(&["cuda_arch=80"], Some(&["80"]), None);
        check(&["+rocm", "amdgpu_target=gfx90a"], None, Some(&["gfx90a"]));
        check(&["+mpi"], None, None);
    }

    #[test]
    fn says_why_with_the_rule() {
        let verdict = |target: &str, gpu: &str| {
            let code = GpuCode { cuda: Some(vec![target.to_owned()]), rocm: None };
            code.on(&[Gpu::named(gpu).expect("a GPU")]).expect("a verdict")
        };
        let ptx = verdict("80", "H100");
        assert_eq!(
            ptx.reason,
            "cuda_arch=80 needs to be compiled from PTX, if the build has it, to run on H100 (compute capability 9.0)"
        );
        assert_eq!(ptx.source, Some(PTX));
        let runs = verdict("80", "sm_86");
        assert_eq!(runs.reason, "cuda_arch=80 runs on sm_86 (compute capability 8.6)");
        assert_eq!(runs.source, Some(BINARY));
    }
}
