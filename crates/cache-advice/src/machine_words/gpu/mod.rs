//! GPUs: reading one, and whether the code of a build runs on it.
//!
//! A GPU is named by its model (`H100`, `MI250X`), by what compilers call it (`sm_90`, `gfx90a`), or is in the output of
//! `nvidia-smi` or `rocminfo`.

mod models;
mod of_build;
mod rules;

use std::fmt;

use self::models::{AMD_MODELS, NVIDIA_MODELS};
pub(crate) use self::of_build::{has_no_own_code, is_for_all_supported};
pub use self::rules::{GpuAnswer, GpuCode, GpuVerdict};
use super::squeezed::squeezed;
use spack_spec::Target;

/// The longest name that stands for a GPU in an address, in bytes.
const LONGEST_NAME: usize = 16;

/// A GPU, as far as it decides which code runs on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gpu {
    /// The name that it was read from, such as `H100`.
    pub name: String,
    /// Which code it runs.
    pub chip: Chip,
}

/// The instruction set of a GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chip {
    /// NVIDIA's, by its compute capability.
    Nvidia(ComputeCapability),
    /// AMD's.
    Amd(GfxTarget),
}

/// The compute capability of an NVIDIA GPU: 9.0 for `sm_90`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComputeCapability {
    /// The generation.
    pub major: u8,
    /// The chip within the generation.
    pub minor: u8,
}

/// A target of AMD's compilers: a processor, and the features that are switched on or off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GfxTarget {
    /// The processor, such as `gfx90a`.
    pub processor: String,
    /// `true` if pages can be retried after a fault; `None` if either is meant.
    pub xnack: Option<bool>,
    /// `true` if the memory corrects errors; `None` if either is meant.
    pub sramecc: Option<bool>,
}

impl Gpu {
    /// Reads the name of one GPU, and nothing else.
    ///
    /// ```
    /// use cache_advice::machine_words::Gpu;
    ///
    /// assert_eq!(Gpu::named("H100").map(|gpu| gpu.chip), Gpu::named("sm_90").map(|gpu| gpu.chip));
    /// assert_eq!(Gpu::named("MI250X").map(|gpu| gpu.chip), Gpu::named("gfx90a").map(|gpu| gpu.chip));
    /// ```
    pub fn named(name: &str) -> Option<Gpu> {
        let name = name.trim();
        let chip = Chip::named(name).or_else(|| model(name))?;
        Some(Gpu { name: name.to_owned(), chip })
    }

    /// Reads the name that a driver gives a GPU: `NVIDIA A100-SXM4-40GB`, `NVIDIA RTX 6000 Ada Generation`. The longest
    /// model in it counts.
    pub(super) fn of_device(name: &str) -> Option<Gpu> {
        let separates = |c: char| !c.is_ascii_alphanumeric();
        let words: Vec<&str> =
            name.split(separates).filter(|word| !word.is_empty()).take(16).collect();
        let lengths = (1..=words.len().min(4)).rev();
        let mut stretches = lengths.flat_map(|length| words.windows(length));
        let chip = stretches.find_map(|words| model(&words.concat()))?;
        Some(Gpu { name: name.trim().to_owned(), chip })
    }

    /// Returns a short text that reads as this GPU: its model, or what compilers call it.
    ///
    /// ```
    /// use cache_advice::machine_words::{Gpu, DescribedMachine};
    ///
    /// assert_eq!(Gpu::named("H100").map(|gpu| gpu.text()).as_deref(), Some("H100"));
    /// let machine = DescribedMachine::read("GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)");
    /// assert_eq!(machine.gpus[0].text(), "sm_90");
    /// ```
    pub fn text(&self) -> String {
        let is_short = self.name.len() <= LONGEST_NAME;
        match Gpu::named(&self.name) {
            Some(same) if is_short && same.chip == self.chip => self.name.clone(),
            _ => match &self.chip {
                Chip::Nvidia(ComputeCapability { major, minor }) => format!("sm_{major}{minor}"),
                Chip::Amd(target) => target.to_string(),
            },
        }
    }

    /// Returns the target of the processor, for boards with both a processor and a GPU.
    pub(super) fn processor(&self) -> Option<Target> {
        let name = squeezed(&self.name);
        let target = match &*name {
            one if ["gh200", "gb200", "gb300"].iter().any(|board| one.contains(board)) => {
                "neoverse_v2"
            }
            one if one.contains("mi300a") => "zen4",
            _ => return None,
        };
        Target::named(target)
    }
}

impl fmt::Display for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.chip.to_string();
        if squeezed(&self.name) == squeezed(&code) {
            f.write_str(&code)
        } else {
            write!(f, "{} ({code})", self.name)
        }
    }
}

impl Chip {
    /// Reads what a compiler calls it: `sm_90`, `compute capability 9.0`, `cuda_arch=90`, `gfx90a:xnack+`.
    fn named(name: &str) -> Option<Chip> {
        let lower = name.to_ascii_lowercase();
        if let Some(target) =
            lower.strip_prefix("amdgpu_target=").unwrap_or(&lower).rsplit("--").next()
            && target.starts_with("gfx")
        {
            return GfxTarget::read(target).map(Chip::Amd);
        }
        let name = squeezed(name);
        let number = ["cudaarch", "computecapability", "compute", "sm", "cc"]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix))?;
        ComputeCapability::read(number).map(Chip::Nvidia)
    }
}

impl Chip {
    /// Returns `true` if both run the same code, apart from the features that one of them may not name.
    pub(super) fn is_like(&self, other: &Chip) -> bool {
        match (self, other) {
            (Chip::Amd(one), Chip::Amd(two)) => {
                let agree = |one: Option<bool>, two: Option<bool>| {
                    one.is_none() || two.is_none() || one == two
                };
                one.processor == two.processor
                    && agree(one.xnack, two.xnack)
                    && agree(one.sramecc, two.sramecc)
            }
            (one, two) => one == two,
        }
    }
}

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chip::Nvidia(capability) => write!(f, "compute capability {capability}"),
            Chip::Amd(target) => target.fmt(f),
        }
    }
}

impl ComputeCapability {
    /// Reads `9.0`, `90` or, since a GPU is never limited to what other GPUs have, `90a`.
    pub(super) fn read(text: &str) -> Option<ComputeCapability> {
        let text = text.trim_end_matches(['a', 'f']);
        let (major, minor) = match text.split_once('.') {
            Some(parts) => parts,
            None => text.split_at_checked(text.len().checked_sub(1)?)?,
        };
        let is_number =
            |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        if !is_number(major) || !is_number(minor) {
            return None;
        }
        let (major, minor) = (major.parse().ok()?, minor.parse().ok()?);
        (2..=20).contains(&major).then_some(ComputeCapability { major, minor })
    }
}

impl fmt::Display for ComputeCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl GfxTarget {
    /// Reads a target as AMD's compilers and `rocminfo` write it: `gfx90a:sramecc+:xnack-`.
    pub(super) fn read(text: &str) -> Option<GfxTarget> {
        let mut parts = text.split(':');
        let processor = parts.next()?;
        let number = processor.strip_prefix("gfx")?;
        let is_number = number.len() >= 3
            && number.starts_with(|c: char| c.is_ascii_digit())
            && number.len() <= 16
            && number.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !is_number {
            return None;
        }
        let mut target = GfxTarget { processor: processor.to_owned(), xnack: None, sramecc: None };
        for feature in parts {
            match feature {
                "xnack+" | "xnack-" => target.xnack = Some(feature.ends_with('+')),
                "sramecc+" | "sramecc-" => target.sramecc = Some(feature.ends_with('+')),
                "" => {}
                _ => return None,
            }
        }
        Some(target)
    }
}

impl fmt::Display for GfxTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.processor)?;
        for (name, value) in [("sramecc", self.sramecc), ("xnack", self.xnack)] {
            if let Some(value) = value {
                write!(f, ":{name}{}", if value { '+' } else { '-' })?;
            }
        }
        Ok(())
    }
}

/// What may stand before a model.
const MAKERS: [&str; 9] =
    ["nvidia", "amd", "tesla", "geforce", "quadro", "jetson", "instinct", "radeon", "graphics"];

/// Returns the chip of a model by its name, however the parts of the name are separated.
fn model(name: &str) -> Option<Chip> {
    let name = squeezed(name);
    let known = |name: &str| {
        let nvidia = NVIDIA_MODELS.iter().find(|(known, _)| *known == name);
        let amd = AMD_MODELS.iter().find(|(known, _)| *known == name);
        nvidia
            .and_then(|(_, capability)| ComputeCapability::read(capability))
            .map(Chip::Nvidia)
            .or_else(|| amd.and_then(|(_, target)| GfxTarget::read(target)).map(Chip::Amd))
    };
    let mut rest = &*name;
    loop {
        let chip = known(rest);
        if chip.is_some() {
            return chip;
        }
        rest = MAKERS.iter().find_map(|maker| rest.strip_prefix(maker))?;
    }
}
