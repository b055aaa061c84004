//! Processors: what people and vendors call them, and the target that Spack has for each.
//!
//! A target is found by its own name, by the name of a processor, or, in the output of `lscpu`, as archspec does it for
//! Spack: it is the most specific one of the vendor whose features the processor has.

use spack_spec::{Target, Vendor};

use super::personal;
use super::squeezed::squeezed;

/// A target that was recognized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Processor {
    pub(super) target: Target,
    /// What was assumed: Spack has no target of its own for the processor.
    pub(super) assumption: Option<&'static str>,
}

const GRANITE: &str = "Spack has no newer target than sapphirerapids for Intel's servers";
const FAMILY: &str = "only the family of the processor is known";

/// Names of processors, [squeezed], with Spack's name of the target, and what is assumed.
#[rustfmt::skip]
const NAMES: &[(&str, &str, Option<&str>)] = &[
    // Intel: https://www.intel.com/content/www/us/en/ark.html
    ("spr", "sapphirerapids", None),
    ("emeraldrapids", "sapphirerapids", Some(GRANITE)),
    ("emr", "sapphirerapids", Some(GRANITE)),
    ("graniterapids", "sapphirerapids", Some(GRANITE)),
    ("gnr", "sapphirerapids", Some(GRANITE)),
    ("icelakesp", "icelake", None),
    ("icelakeserver", "icelake", None),
    ("icx", "icelake", None),
    ("clx", "cascadelake", None),
    ("cascadelakesp", "cascadelake", None),
    ("cooperlake", "cascadelake", Some("Spack has no target for Cooper Lake")),
    ("skylakesp", "skylake_avx512", None),
    ("skylakex", "skylake_avx512", None),
    ("skylakeserver", "skylake_avx512", None),
    ("skx", "skylake_avx512", None),
    ("kabylake", "skylake", None),
    ("coffeelake", "skylake", None),
    ("knl", "mic_knl", None),
    ("knightslanding", "mic_knl", None),
    ("xeonphi", "mic_knl", None),
    ("snb", "sandybridge", None),
    ("ivb", "ivybridge", None),
    ("hsw", "haswell", None),
    ("bdw", "broadwell", None),
    // AMD: https://www.amd.com/en/products/specifications/server-processor.html
    ("naples", "zen", None),
    ("zen1", "zen", None),
    ("rome", "zen2", None),
    ("milan", "zen3", None),
    ("milanx", "zen3", None),
    ("trento", "zen3", None),
    ("genoa", "zen4", None),
    ("genoax", "zen4", None),
    ("bergamo", "zen4", None),
    ("siena", "zen4", None),
    ("turin", "zen5", None),
    // Arm servers: https://developer.arm.com/Processors
    ("graviton", "cortex_a72", None),
    ("graviton2", "neoverse_n1", None),
    ("graviton3", "neoverse_v1", None),
    ("graviton3e", "neoverse_v1", None),
    ("graviton4", "neoverse_v2", None),
    ("altra", "neoverse_n1", None),
    ("ampere", "neoverse_n1", None),
    ("ampereone", "ampere1", None),
    ("grace", "neoverse_v2", None),
    ("cobalt100", "neoverse_n2", None),
    ("axion", "neoverse_v2", None),
    ("fugaku", "a64fx", None),
    ("power8", "power8le", Some("running Linux in little-endian mode, as all current distributions do")),
    ("power9", "power9le", Some("running Linux in little-endian mode, as all current distributions do")),
    ("power10", "power10le", Some("running Linux in little-endian mode, as all current distributions do")),
    ("amd64", "x86_64", Some(FAMILY)),
    ("x64", "x86_64", Some(FAMILY)),
    ("x8664", "x86_64", Some(FAMILY)),
    ("arm", "aarch64", Some(FAMILY)),
    ("arm64", "aarch64", Some(FAMILY)),
    ("aarch64", "aarch64", Some(FAMILY)),
    ("armv8", "aarch64", Some(FAMILY)),
    ("ppc64le", "ppc64le", Some(FAMILY)),
    ("riscv64", "riscv64", Some(FAMILY)),
];

/// What may stand before the name of one of Apple's processors.
const APPLE: [&str; 3] = ["applesilicon", "apple", ""];

/// Reads a processor from squeezed words: `sapphirerapids`, `zen3`, `epyc7763`, `neoversev2`.
pub(super) fn processor(squeezed_words: &str) -> Option<Processor> {
    let names = NAMES.iter().chain(personal::GENERATIONS);
    let named = names.into_iter().find(|(name, _, _)| *name == squeezed_words);
    let named = named.map(|&(_, target, assumption)| (target, assumption));
    let (name, assumption) = named.or_else(|| numbered(squeezed_words)).or_else(|| {
        let apple = |make: &&str| squeezed_words.strip_prefix(make);
        let chip = APPLE.iter().find_map(apple).unwrap_or_default();
        let chip =
            ["pro", "max", "ultra"].iter().find_map(|kind| chip.strip_suffix(kind)).unwrap_or(chip);
        let own = |target: &Target| {
            let name = squeezed(target.name());
            name == squeezed_words || name == chip && target.vendor() == Vendor::Apple
        };
        Target::all().find(own).map(|target| (target.name(), None))
    })?;
    Some(Processor { target: Target::named(name)?, assumption })
}

/// Reads the number of a processor of Intel or AMD.
fn numbered(squeezed_words: &str) -> Option<(&'static str, Option<&'static str>)> {
    let readers = [xeon, epyc, personal::ryzen, personal::core];
    readers.iter().find_map(|read| read(squeezed_words))
}

/// What the numbers of scalable Xeons may end with, including those made for cloud providers.
const XEON_ENDINGS: [&str; 25] = [
    "", "b", "c", "cl", "e", "f", "h", "hl", "hv", "l", "m", "ml", "mp", "n", "p", "q", "r", "s",
    "t", "u", "v", "w", "x", "y", "yp",
];

/// What the numbers of EPYCs may end with.
const EPYC_ENDINGS: [&str; 12] = ["", "e", "f", "fp", "fx", "h", "p", "pf", "pn", "ps", "s", "x"];

/// Reads the number of a Xeon: `xeongold6230`, `e52680v4`. Scalable Xeons have their generation as the second digit,
/// earlier ones as the suffix.
fn xeon(squeezed_words: &str) -> Option<(&'static str, Option<&'static str>)> {
    let rest = squeezed_words.strip_prefix("intel").unwrap_or(squeezed_words);
    let rest = rest.strip_prefix("xeonr").or(rest.strip_prefix("xeon")).unwrap_or(rest);
    let metal = ["platinum", "gold", "silver", "bronze"];
    if let Some(number) = metal.iter().find_map(|metal| rest.strip_prefix(metal)) {
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        return match number.as_bytes() {
            // What follows is about something else: `Gold 6248, V100`.
            _ if digits != 4 || !XEON_ENDINGS.contains(&&number[digits..]) => None,
            [b'3'..=b'9', b'1', ..] => Some(("skylake_avx512", None)),
            [b'3'..=b'9', b'2', ..] => Some(("cascadelake", None)),
            [b'3'..=b'9', b'3', ..] => Some(("icelake", None)),
            [b'3'..=b'9', b'4', ..] => Some(("sapphirerapids", None)),
            [b'3'..=b'9', b'5', ..] => Some(("sapphirerapids", Some(GRANITE))),
            _ => None,
        };
    }
    let number = rest.strip_prefix("e5").or(rest.strip_prefix("e7")).or(rest.strip_prefix("e3"))?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let generation = number[digits..].trim_start_matches(['l', 'w']);
    match (digits, generation) {
        (4, "") => Some(("sandybridge", None)),
        (4, "v2") => Some(("ivybridge", None)),
        (4, "v3") => Some(("haswell", None)),
        (4, "v4") => Some(("broadwell", None)),
        _ => None,
    }
}

/// Reads the number of an EPYC: `epyc7763`. Its last digit is the generation.
fn epyc(squeezed_words: &str) -> Option<(&'static str, Option<&'static str>)> {
    let rest = squeezed_words.strip_prefix("amd").unwrap_or(squeezed_words);
    let (number, ending) = rest.strip_prefix("epyc")?.split_at_checked(4)?;
    if !EPYC_ENDINGS.contains(&ending) {
        return None;
    }
    match number.as_bytes() {
        [b'7', _, _, b'1'] => Some(("zen", None)),
        [b'7', _, _, b'2'] => Some(("zen2", None)),
        [b'7', _, _, b'3'] => Some(("zen3", None)),
        [b'9' | b'8', _, _, b'4'] => Some(("zen4", None)),
        [b'9', _, _, b'5'] => Some(("zen5", None)),
        _ => None,
    }
}

/// Returns why a machine's processor may be more than its target says: the target is only a family.
pub(super) fn of_family(target: &str) -> Option<&'static str> {
    Target::named(target).filter(|target| target.family() == *target).map(|_| FAMILY)
}

/// Returns what is assumed of a processor if only its maker is named.
pub(super) fn of_maker(word: &str) -> Option<Processor> {
    let is_maker = matches!(
        word,
        "intel"
            | "amd"
            | "xeon"
            | "epyc"
            | "ryzen"
            | "threadripper"
            | "i3"
            | "i5"
            | "i7"
            | "i9"
            | "celeron"
            | "pentium"
            | "athlon"
    );
    let target = Target::named("x86_64").filter(|_| is_maker)?;
    Some(Processor { target, assumption: Some(FAMILY) })
}

/// Returns the most specific target whose features a processor has, among those of its vendor.
pub(super) fn detected(family: &str, vendor: &str, flags: &[&str]) -> Option<Target> {
    let family = Target::named(match family {
        "arm64" => "aarch64",
        "amd64" => "x86_64",
        name => name,
    })?;
    let vendor = match vendor {
        "GenuineIntel" | "Intel" => Vendor::Intel,
        "AuthenticAMD" | "AMD" => Vendor::Amd,
        "ARM" | "0x41" => Vendor::Arm,
        "Cavium" | "0x43" => Vendor::Cavium,
        "Fujitsu" | "FUJITSU" | "0x46" => Vendor::Fujitsu,
        "Apple" | "0x61" => Vendor::Apple,
        "Ampere" | "0xc0" => Vendor::Ampere,
        _ => Vendor::Generic,
    };
    // The kernel calls SSE3 by another name, and archspec takes SSSE3 for it too.
    let has = |feature: &str| match feature {
        "sse3" => flags.contains(&"pni") || flags.contains(&"ssse3"),
        feature => flags.contains(&feature),
    };
    let is_arm = family.name() == "aarch64";
    let can_run = |target: &Target| {
        // The levels of Arm's architecture have no features to be recognized by.
        let is_level = is_arm && target.vendor() == Vendor::Generic && *target != family;
        target.family() == family
            && !is_level
            && (target.vendor() == vendor || target.vendor() == Vendor::Generic)
            && target.features().into_iter().all(has)
    };
    let depth = |target: &Target| (target.ancestors().count(), target.features().len());
    let generic = |target: &Target| can_run(target) && target.vendor() == Vendor::Generic;
    let level = Target::all().filter(generic).max_by_key(depth)?;
    // A target without features of its own says nothing.
    Target::all()
        .filter(|target| {
            can_run(target)
                && target.runs(level)
                && (*target == level || !target.features().is_empty())
        })
        .max_by_key(depth)
}
