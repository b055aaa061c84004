//! The processors of laptops, desktops and workstations, by their numbers: `Ryzen 9 7950X`, `Core i7-1165G7`.
//!
//! The rules are those of the makers' lists of products, [Intel's](https://www.intel.com/content/www/us/en/ark.html) and
//! [AMD's](https://www.amd.com/en/products/specifications/processors.html). A number with an ending that is in neither
//! list is not read: the words after it may name something else, such as a GPU.

/// Spack's name of a target, and what is assumed.
type TargetName = (&'static str, Option<&'static str>);

const HYBRID: &str =
    "Spack has no newer target than skylake for Intel's processors without AVX-512";
const CLIENT: &str = "Spack has no target of its own for this kind of Ice Lake";
const TENTH: &str =
    "processors of the 10th generation differ, and all of them run what skylake runs";
const ELEVENTH: &str =
    "processors of the 11th generation differ, and all of them run what cannonlake runs";

/// What people and kernels call generations of these processors, squeezed.
#[rustfmt::skip]
pub(super) const GENERATIONS: &[(&str, &str, Option<&str>)] = &[
    ("whiskeylake", "skylake", None),
    ("amberlake", "skylake", None),
    ("cometlake", "skylake", None),
    ("icelakeclient", "cannonlake", Some(CLIENT)),
    ("rocketlake", "cannonlake", Some(CLIENT)),
    ("tigerlake", "icelake", None),
    ("alderlake", "skylake", Some(HYBRID)),
    ("raptorlake", "skylake", Some(HYBRID)),
    ("meteorlake", "skylake", Some(HYBRID)),
    ("arrowlake", "skylake", Some(HYBRID)),
    ("lunarlake", "skylake", Some(HYBRID)),
    ("pantherlake", "skylake", Some(HYBRID)),
    ("renoir", "zen2", None),
    ("matisse", "zen2", None),
    ("cezanne", "zen3", None),
    ("vermeer", "zen3", None),
    ("rembrandt", "zen3", None),
    ("raphael", "zen4", None),
    ("graniteridge", "zen5", None),
    ("strixpoint", "zen5", None),
    ("strixhalo", "zen5", None),
];

/// Reads the number of a Ryzen or a Threadripper: `ryzen97950x`, `ryzen5600g`, `ryzenai9hx370`, `threadripper3970x`.
pub(super) fn ryzen(squeezed_words: &str) -> Option<TargetName> {
    let rest = squeezed_words.strip_prefix("amd").unwrap_or(squeezed_words);
    let name = rest.strip_prefix("ryzen");
    let rest = name.unwrap_or(rest);
    if let Some(number) = rest.strip_prefix("threadripper") {
        return desktop(number.strip_prefix("pro").unwrap_or(number));
    }
    let rest = name?;
    if let Some(number) = rest.strip_prefix("ai") {
        let number = number.strip_prefix("max").unwrap_or_else(|| without_tier(number));
        let number = number.strip_prefix("pro").unwrap_or(number);
        let number = number.strip_prefix("hx").unwrap_or(number);
        return (digits(number) == 3 && number.starts_with('3')).then_some(("zen5", None));
    }
    let number = match digits(rest) {
        5 => without_tier(rest),
        // `ryzen7pro7840u`.
        1 => without_tier(rest).strip_prefix("pro")?,
        _ => rest,
    };
    let number = number.strip_prefix("pro").unwrap_or(number);
    mobile(number).or_else(|| desktop(number))
}

/// Reads the number of a processor for laptops, where the third digit says the generation since 2023.
fn mobile(number: &str) -> Option<TargetName> {
    let (digits, ending) = number.split_at_checked(4).filter(|_| digits(number) == 4)?;
    if !["u", "h", "hs", "hx", "hx3d", "hk", "c", "ce", "e"].contains(&ending) {
        return None;
    }
    Some((
        match digits.as_bytes() {
            [b'2' | b'3', ..] => "zen",
            [b'4', ..] => "zen2",
            [b'5', b'3' | b'5' | b'7', b'0', _] if ending == "u" => "zen2",
            [b'5' | b'6', ..] => "zen3",
            [b'7', _, b'2', _] => "zen2",
            [b'7', _, b'3', _] => "zen3",
            [b'7', _, b'4', _] | [b'8', ..] => "zen4",
            [b'9', ..] => "zen5",
            _ => return None,
        },
        None,
    ))
}

/// Reads the number of a processor for desktops and workstations, whose first digit says the generation.
fn desktop(number: &str) -> Option<TargetName> {
    let (digits, ending) = number.split_at_checked(4).filter(|_| digits(number) == 4)?;
    let endings =
        ["", "x", "xt", "x3d", "x3d2", "g", "ge", "gt", "f", "wx", "af", "u", "h", "hs", "hx"];
    if !endings.contains(&ending) {
        return None;
    }
    Some((
        match digits.as_bytes() {
            [b'1' | b'2', ..] => "zen",
            [b'3', ..] if ending.starts_with('g') => "zen",
            [b'3' | b'4', ..] => "zen2",
            [b'5', ..] => "zen3",
            [b'7' | b'8', ..] => "zen4",
            [b'9', ..] => "zen5",
            _ => return None,
        },
        None,
    ))
}

/// Reads the number of a Core, or its generation: `corei71165g7`, `i913900k`, `coreultra7155h`, `12thgenintelcorei7`.
pub(super) fn core(squeezed_words: &str) -> Option<TargetName> {
    let (generation, rest) = match generation(squeezed_words) {
        Some((generation, rest)) => (Some(generation), rest),
        None => (None, squeezed_words),
    };
    let rest = rest.strip_prefix("intel").unwrap_or(rest);
    let rest = rest.strip_prefix("core").unwrap_or(rest);
    if let Some(number) = rest.strip_prefix("ultra").filter(|_| rest != squeezed_words) {
        let number = number.strip_prefix('x').unwrap_or(number);
        let number = if digits(number) % 3 == 1 { without_tier(number) } else { number };
        let (digits, ending) = number.split_at_checked(3).unwrap_or((number, ""));
        let is_number = matches!(digits.as_bytes(), [b'1'..=b'3', _, _])
            && ["", "h", "u", "v", "k", "kf", "hx", "f", "t"].contains(&ending);
        return (number.is_empty() || is_number).then_some(("skylake", Some(HYBRID)));
    }
    let number = rest.strip_prefix('i').filter(|number| without_tier(number) != *number)?;
    let number = without_tier(number);
    if let Some(generation) = generation.filter(|_| number.is_empty()) {
        return of_generation(generation);
    }
    match self::generation(number) {
        Some((generation, "")) => of_generation(generation),
        _ => of_number(number),
    }
}

/// Reads the generation at the beginning of a text, and what follows: `12thgen`.
fn generation(text: &str) -> Option<(u32, &str)> {
    let (number, rest) = text.split_at(digits(text));
    let rest = ["th", "nd", "rd"].iter().find_map(|ending| rest.strip_prefix(ending))?;
    let rest = rest.strip_prefix("generation").or(rest.strip_prefix("gen"))?;
    Some((number.parse().ok()?, rest))
}

fn of_generation(generation: u32) -> Option<TargetName> {
    Some(match generation {
        2 => ("sandybridge", None),
        3 => ("ivybridge", None),
        4 => ("haswell", None),
        5 => ("broadwell", None),
        6..=9 => ("skylake", None),
        10 => ("skylake", Some(TENTH)),
        11 => ("cannonlake", Some(ELEVENTH)),
        12..=14 => ("skylake", Some(HYBRID)),
        _ => return None,
    })
}

/// Reads the number of a Core i3, i5, i7 or i9, which begins with its generation.
fn of_number(number: &str) -> Option<TargetName> {
    const ENDINGS: [&str; 44] = [
        "", "k", "kf", "ks", "f", "s", "t", "x", "xe", "xm", "u", "y", "m", "mq", "mx", "qm", "p",
        "h", "hk", "hf", "hq", "hx", "e", "pe", "te", "qe", "eq", "me", "ue", "le", "r", "b", "c",
        "he", "hre", "hl", "ul", "g1", "g4", "g7", "ng4", "ng7", "g1e", "g7e",
    ];
    let (digits, ending) = number.split_at(digits(number));
    if !ENDINGS.contains(&ending) {
        return None;
    }
    let is_extreme = matches!(ending, "x" | "xe");
    Some(match digits.as_bytes() {
        // The largest processors are a generation older than their number says.
        _ if ["3820", "3930k", "3960x", "3970x"].contains(&number) => ("sandybridge", None),
        _ if ["4820k", "4930k", "4960x"].contains(&number) => ("ivybridge", None),
        _ if ["5820k", "5930k", "5960x"].contains(&number) => ("haswell", None),
        _ if ["6800k", "6850k", "6900k", "6950x"].contains(&number) => ("broadwell", None),
        [b'7' | b'9', b'8' | b'9', _, _] if is_extreme => ("skylake_avx512", None),
        [b'1', b'0', _, _] if ending.contains('g') => ("cannonlake", Some(CLIENT)),
        [b'1', b'1', _, _] if ending.contains('g') => ("icelake", None),
        [b'1', b'2' | b'3', _, _] => ("skylake", Some(HYBRID)),
        [first @ b'2'..=b'9', _, _, _] => return of_generation(u32::from(first - b'0')),
        [b'1', b'0', _, _, _] if is_extreme => ("cascadelake", None),
        [b'1', b'0', _, _, _] => ("skylake", None),
        [b'1', b'1', _, _, _] if ending.starts_with('h') => ("icelake", None),
        [b'1', b'1', _, _, _] => ("cannonlake", Some(CLIENT)),
        [b'1', b'2'..=b'4', _, _, _] => ("skylake", Some(HYBRID)),
        _ => return None,
    })
}

/// Returns how many digits a text begins with.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Returns a text without the digit at its beginning that says how large a processor is.
fn without_tier(text: &str) -> &str {
    text.strip_prefix(['3', '5', '7', '9']).unwrap_or(text)
}
