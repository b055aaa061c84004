//! Words for GPUs: what compilers call them, the models that clusters have, and their generations.
//!
//! A model or a generation means all values in the cache whose code runs on it without being compiled again. The rules for
//! this are the vendors'; `cache_advice::machine_words` has them for all GPUs, with their sources.

use std::borrow::Cow;
use std::slice;

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::sorting::sort_and_dedup;
use spack_spec::VariantValue;

/// What kind of thing a word for GPUs is.
pub(super) const GPU: &str = "GPU code";

/// The models that clusters have, with the names that compilers use for them; and the generations, each with its latest GPU
/// for data centers.
const MODELS: [(&str, &str, &str); 54] = [
    ("v100", "cuda_arch", "70"),
    ("t4", "cuda_arch", "75"),
    ("a100", "cuda_arch", "80"),
    ("a40", "cuda_arch", "86"),
    ("l40s", "cuda_arch", "89"),
    ("h100", "cuda_arch", "90"),
    ("h200", "cuda_arch", "90"),
    ("gh200", "cuda_arch", "90"),
    ("b200", "cuda_arch", "100"),
    ("gb200", "cuda_arch", "100"),
    ("b300", "cuda_arch", "103"),
    ("gb300", "cuda_arch", "103"),
    ("gb10", "cuda_arch", "121"),
    ("mi100", "amdgpu_target", "gfx908"),
    ("mi210", "amdgpu_target", "gfx90a"),
    ("mi250", "amdgpu_target", "gfx90a"),
    ("mi250x", "amdgpu_target", "gfx90a"),
    ("mi300", "amdgpu_target", "gfx942"),
    ("mi300a", "amdgpu_target", "gfx942"),
    ("mi300x", "amdgpu_target", "gfx942"),
    ("mi325x", "amdgpu_target", "gfx942"),
    ("mi350x", "amdgpu_target", "gfx950"),
    ("mi355x", "amdgpu_target", "gfx950"),
    ("p100", "cuda_arch", "60"),
    ("p40", "cuda_arch", "61"),
    ("a30", "cuda_arch", "80"),
    ("a10", "cuda_arch", "86"),
    ("a6000", "cuda_arch", "86"),
    ("l4", "cuda_arch", "89"),
    ("l40", "cuda_arch", "89"),
    ("rtx2080", "cuda_arch", "75"),
    ("rtx3060", "cuda_arch", "86"),
    ("rtx3070", "cuda_arch", "86"),
    ("rtx3080", "cuda_arch", "86"),
    ("rtx3090", "cuda_arch", "86"),
    ("rtx4060", "cuda_arch", "89"),
    ("rtx4070", "cuda_arch", "89"),
    ("rtx4080", "cuda_arch", "89"),
    ("rtx4090", "cuda_arch", "89"),
    ("rtx5070", "cuda_arch", "120"),
    ("rtx5080", "cuda_arch", "120"),
    ("rtx5090", "cuda_arch", "120"),
    ("gtx1080", "cuda_arch", "61"),
    ("pascal", "cuda_arch", "61"),
    ("volta", "cuda_arch", "70"),
    ("turing", "cuda_arch", "75"),
    ("ampere", "cuda_arch", "86"),
    ("lovelace", "cuda_arch", "89"),
    ("hopper", "cuda_arch", "90"),
    ("blackwell", "cuda_arch", "100"),
    ("cdna", "amdgpu_target", "gfx908"),
    ("cdna2", "amdgpu_target", "gfx90a"),
    ("cdna3", "amdgpu_target", "gfx942"),
    ("cdna4", "amdgpu_target", "gfx950"),
];

/// Returns `true` for the name that compilers use for a GPU, and for a model or a generation: `sm_90`, `gfx90a`,
/// `h100`, `hopper`.
pub(super) fn is_gpu(word: &str) -> bool {
    variant(word).is_some()
}

/// Returns a GPU without its brand and the space after that, in lower case: `mi300a` for `amd mi300a`, `rtx4090` for
/// `rtx 4090`.
fn plain(word: &str) -> Cow<'_, str> {
    const BRANDS: [&str; 8] =
        ["amd", "nvidia", "instinct", "tesla", "geforce", "radeon", "rtx", "gtx"];
    match word.split_once(char::is_whitespace) {
        Some((brand, model)) if BRANDS.contains(&brand) => {
            let model = model.trim_start();
            match variant(model) {
                Some(_) => Cow::Borrowed(model),
                None => Cow::Owned(format!("{brand}{model}")),
            }
        }
        _ => Cow::Borrowed(word),
    }
}

/// Returns `true` for a brand and a model of it: `amd mi300a`, `rtx 4090`, in lower case.
pub(super) fn is_branded(words: &str) -> bool {
    let plain = plain(words);
    plain != words && variant(&plain).is_some()
}

/// Returns `true` for the memory of a GPU: `80gb`.
pub(super) fn is_memory(word: &str) -> bool {
    let size = word.strip_suffix("gb").or(word.strip_suffix("gib"));
    size.is_some_and(|size| !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns `true` for words for any GPU.
pub(super) fn is_any_gpu(word: &str) -> bool {
    matches!(word, "gpu" | "gpus")
}

/// Returns the variant for code of the GPUs of a vendor: `nvidia gpu`, in lower case.
pub(super) fn gpu_of_vendor(words: &str) -> Option<&'static str> {
    let (vendor, gpu) = words.split_once(char::is_whitespace)?;
    let variant = match vendor {
        "nvidia" => "cuda",
        "amd" => "rocm",
        _ => return None,
    };
    is_any_gpu(gpu.trim_start()).then_some(variant)
}

/// Returns the variants for GPU code that builds of the package have, or builds of any package. If builds only have them
/// switched off, returns the first of the variants.
pub(super) fn any_gpu_values(index: &Index, package: Option<ValueCode>) -> Vec<String> {
    code_for_gpus(index, package, &["cuda", "rocm"])
}

/// The variants that switch on code for GPUs, each with the variant that says for which GPUs.
const FOR_GPUS: [(&str, &str); 2] = [("cuda", "cuda_arch"), ("rocm", "amdgpu_target")];

/// Returns the GPUs that builds name without having the variant that switches on code for them, as some of ROCm's own
/// libraries do.
fn stated_alone(index: &Index, package: Option<ValueCode>, name: &str) -> Vec<String> {
    let all = 0..index.dictionary(Facet::Package).len() as u32;
    let packages = package.map_or(all, |ValueCode(code)| code..code + 1);
    let mut stated = Vec::new();
    let Some((_, target)) = FOR_GPUS.iter().find(|(switch, _)| *switch == name) else {
        return stated;
    };
    for row in packages.flat_map(|package| index.rows_of(ValueCode(package))) {
        let variants = index.parsed().variants(index, row);
        if variants.iter().any(|variant| variant.name == name) {
            continue;
        }
        for variant in variants.iter().filter(|variant| variant.name == *target) {
            let values = match &variant.value {
                VariantValue::Bool(_) => &[],
                VariantValue::Single(one) => slice::from_ref(one),
                VariantValue::Multi(all) => all.as_slice(),
            };
            let values = values.iter().filter(|value| *value != "none");
            stated.extend(values.map(|value| format!("{target}={value}")));
        }
    }
    sort_and_dedup(&mut stated);
    stated
}

/// Returns the variants of these names that builds of the package have, or builds of any package, and the GPUs of builds
/// that name GPUs without such a variant. If builds only have the variants switched off, returns the first of them.
pub(super) fn code_for_gpus(
    index: &Index,
    package: Option<ValueCode>,
    names: &[&str],
) -> Vec<String> {
    let has = |text: &str| {
        let code = index.dictionary(Facet::Variant).code(text);
        code.is_some_and(|code| {
            package.is_none_or(|package| {
                let mut rows = index.rows_of(package);
                rows.any(|row| index.values(row, Facet::Variant).contains(&code))
            })
        })
    };
    let mut on: Vec<String> =
        names.iter().map(|name| format!("+{name}")).filter(|text| has(text)).collect();
    on.extend(names.iter().flat_map(|name| stated_alone(index, package, name)));
    match names.iter().find(|name| has(&format!("~{name}"))) {
        Some(name) if on.is_empty() => vec![format!("+{name}")],
        _ => on,
    }
}

/// Returns the values of a variant that a word for a GPU asks for, at least one, such as `cuda_arch=90`. `None` for other
/// words, and unless builds have that variant or the package may have code for GPUs: any package but `cuda` and `hip`, with
/// which such code is written.
pub(super) fn gpu_values(
    index: &Index,
    package: Option<ValueCode>,
    word: &str,
) -> Option<Vec<String>> {
    let word = plain(word);
    let (name, value) = variant(&word)?;
    let is_model = MODELS.iter().any(|(model, _, _)| *model == word);
    let all = 0..index.dictionary(Facet::Package).len() as u32;
    let packages = package.map_or(all, |ValueCode(code)| code..code + 1);
    let mut has_variant = false;
    let mut values = Vec::new();
    for row in packages.flat_map(|package| index.rows_of(ValueCode(package))) {
        let variants = index.parsed().variants(index, row).iter();
        for variant in variants.filter(|variant| variant.name == name) {
            has_variant = true;
            let has = match &variant.value {
                VariantValue::Bool(_) => &[],
                VariantValue::Single(one) => slice::from_ref(one),
                VariantValue::Multi(all) => all.as_slice(),
            };
            let run = has.iter().filter(|one| is_model && runs_on(one, value));
            values.extend(run.map(|one| format!("{name}={one}")));
        }
    }
    sort_and_dedup(&mut values);
    if values.is_empty() {
        values.push(format!("{name}={value}"));
    }
    let is_named = package.is_some_and(|package| {
        !matches!(index.dictionary(Facet::Package).text(package), "cuda" | "hip")
    });
    (has_variant || is_named).then_some(values)
}

/// Returns `true` if code for a GPU runs on a model, both given by the names that compilers use. No model here is the
/// GPU of a board.
fn runs_on(value: &str, model: &str) -> bool {
    /// The GPUs of boards, which share no code with others.
    const BOARDS: [&str; 2] = ["72", "87"];
    // `90a`, `gfx90a:xnack+`.
    if let Some(feature) = value.strip_prefix(model) {
        return matches!(feature, "" | "a" | "f") || feature.starts_with(':');
    }
    let number = value.trim_end_matches('f');
    let major = model.len() - 1;
    number.len() == model.len()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && number[..major] == model[..major]
        && number <= model
        && !BOARDS.contains(&number)
}

/// Returns the variant and the value for a GPU.
fn variant(word: &str) -> Option<(&'static str, &str)> {
    if let Some((_, variant, value)) = MODELS.iter().find(|(model, _, _)| *model == word) {
        return Some((*variant, *value));
    }
    let is_number = |text: &str| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        (2..=4).contains(&digits) && matches!(&text[digits..], "" | "a" | "f")
    };
    let cuda = ["sm_", "sm", "compute_", "cc"].iter().find_map(|prefix| word.strip_prefix(prefix));
    if let Some(number) = cuda.filter(|number| is_number(number)) {
        return Some(("cuda_arch", number));
    }
    let is_target =
        |number: &str| number.len() >= 3 && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
    word.strip_prefix("gfx").is_some_and(is_target).then_some(("amdgpu_target", word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_code_of_the_same_generation() {
        let check = |value: &str, model: &str, expected: bool| {
            assert_eq!(runs_on(value, model), expected, "{value} on {model}");
        };
        for value in ["90", "90a"] {
            check(value, "90", true);
        }
        check("80", "86", true);
        check("89", "86", false);
        check("86a", "89", false);
        check("87", "89", false);
        check("72", "75", false);
        check("70", "75", true);
        check("80", "90", false);
        check("100f", "100", true);
        check("10", "100", false);
        check("gfx90a:xnack+", "gfx90a", true);
        check("gfx908", "gfx90a", false);
        check("none", "90", false);
    }
}
