//! What people call operating systems, targets, platforms, releases and stacks.

use cache_index::facet::Facet;
use cache_index::index::Index;
use spack_spec::Target;

use super::compilers::{compiler, compiler_versions};
use super::meant::{Meant, Place};
use super::phrases::{Link, Word, plain_at};

/// Returns how many words from position `at` on together mean an OS, a target or a stack, where they end, and what they
/// mean.
pub(super) fn joined_at(
    index: &Index,
    text: &str,
    words: &[Word],
    at: usize,
) -> Option<(usize, usize, Meant)> {
    let Word { span, link } = words.get(at)?;
    // These words have been joined to one.
    if words_of_stack(index, text, words, at) == Some(1) {
        let mut stacks = stacks_with(index, &text[span.clone()]).into_iter();
        let meant = Meant::new(Place::Facet(Facet::Stack), "stack", stacks.next()?, 3);
        let meant = Meant { others: stacks.collect(), ..meant };
        return match link {
            Link::Plain | Link::Or => Some((1, span.end, meant)),
            Link::Without => Some((1, span.end, meant.excluded()?)),
            _ => None,
        };
    }
    let (one, (second, two)) = (&text[span.clone()], plain_at(text, words, at + 1)?);
    let three = || {
        let (third, three) = plain_at(text, words, at + 2)?;
        Some((3, third, joined(index, &format!("{one}{two}"), three)?))
    };
    // `rocky 8`, which no build is made for.
    let other = || {
        let os = other_os(&format!("{one}{two}")).filter(|_| *link == Link::Plain)?;
        Some((2, second, os))
    };
    // `amazon linux 2` before `amazon linux`.
    let found = stack_at(index, text, words, at)
        .or_else(three)
        .or_else(|| joined(index, one, two).map(|meant| (2, second, meant)))
        .or_else(other);
    let (length, end, meant) = found?;
    // `amazon linux 2023`, where no build is made for that release of it.
    let is_named = !text[span.start..end].contains(|c: char| c.is_ascii_digit());
    let starts_with_digit =
        |(_, next): (usize, &str)| next.starts_with(|first: char| first.is_ascii_digit());
    let next = || plain_at(text, words, at + length);
    if meant.kind == "OS" && is_named && next().is_some_and(starts_with_digit) {
        return None;
    }
    match link {
        Link::Plain | Link::Or => Some((length, end, meant)),
        Link::Built | Link::Uses if meant.place == Place::Compiler => Some((length, end, meant)),
        Link::Without => Some((length, end, meant.excluded()?)),
        _ => None,
    }
}

/// Returns how many words from position `at` on are together in the name of one stack, if *stack* precedes or follows them:
/// `stack ml cuda`, `the ml stack`.
fn words_of_stack(index: &Index, text: &str, words: &[Word], at: usize) -> Option<usize> {
    let says = |word: Option<&str>| {
        word.is_some_and(|word| matches!(&*word.to_ascii_lowercase(), "stack" | "stacks"))
    };
    let span = &words[at].span;
    let is_before = says(text[..span.start].split_whitespace().next_back());
    let mut name = text[span.clone()].to_owned();
    let mut found = None;
    for length in 1..=MOST_IN_STACK {
        let mut end = span.end;
        if length > 1 {
            let Some((next_end, next)) = plain_at(text, words, at + length - 1) else { break };
            (end, name) = (next_end, format!("{name} {next}"));
        }
        if stacks_with(index, &name).is_empty() {
            break;
        }
        if is_before || says(text[end..].split_whitespace().next()) {
            found = Some(length);
        }
    }
    found
}

/// Joins the words of the name of a stack, so that none of them is read as a package: `stack ml cuda`.
pub(super) fn join_stacks(index: &Index, text: &str, words: &mut Vec<Word>) {
    for at in 0.. {
        if at >= words.len() {
            break;
        }
        if let Some(length) = words_of_stack(index, text, words, at).filter(|length| *length > 1) {
            words[at].span.end = words[at + length - 1].span.end;
            words.drain(at + 1..at + length);
        }
    }
}

/// Returns the stack whose name consists of these words, or all stacks with these words in their names.
fn stacks_with(index: &Index, words: &str) -> Vec<String> {
    let words: Vec<String> = words.split_whitespace().map(str::to_ascii_lowercase).collect();
    let name = words.join("-");
    let has_all = |stack: &&String| {
        words
            .iter()
            .all(|word| stack.split(['-', '/']).any(|part| part == word) || **stack == *word)
    };
    let stacks = index.dictionary(Facet::Stack).values().iter().filter(has_all);
    let stacks: Vec<String> = stacks.cloned().collect();
    if stacks.contains(&name) { vec![name] } else { stacks }
}

/// The maximum number of words in the name of a stack.
const MOST_IN_STACK: usize = 6;

/// Joins the words from position `at` on with hyphens, and returns the stack of that name, or the only one whose name begins
/// with it: `tools sdk`, `aws pcluster`.
fn stack_at(index: &Index, text: &str, words: &[Word], at: usize) -> Option<(usize, usize, Meant)> {
    let mut name = text[words[at].span.clone()].to_ascii_lowercase();
    let mut found = None;
    let stacks = index.dictionary(Facet::Stack).values();
    for length in 2..=MOST_IN_STACK {
        let Some((end, next)) = plain_at(text, words, at + length - 1) else { break };
        name = format!("{name}-{}", next.to_ascii_lowercase());
        let begins = |stack: &&String| {
            stack.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let mut all = stacks.iter().filter(begins);
        // The shortest comes first.
        let Some(first) = all.next() else { break };
        if *first == name || all.next().is_none() {
            let stack = Meant::new(Place::Facet(Facet::Stack), "stack", first, 3);
            found = Some((length, end, stack));
        }
    }
    found
}

/// Returns what two words mean together: an OS or a target.
fn joined(index: &Index, one: &str, two: &str) -> Option<Meant> {
    ["", "_"].into_iter().find_map(|separator| {
        const CALLED: [(&str, &str); 4] = [
            ("redhat", "rhel"),
            ("amazonlinux", "amzn"),
            ("rockylinux", "rocky"),
            ("oraclelinux", "ol"),
        ];
        let name = format!("{one}{separator}{two}").to_ascii_lowercase();
        if matches!(name.as_str(), "amazonlinux" | "awslinux") {
            return facet(index, "amzn");
        }
        let has_mac = || index.dictionary(Facet::Platform).code("darwin").is_some();
        if name == "applesilicon" && has_mac() {
            let text = "platform=darwin target=aarch64:";
            return Some(Meant::new(Place::Attribute, "platform and target", text, 3));
        }
        // `apple clang`.
        let dashed = format!("{one}-{two}").to_ascii_lowercase();
        if separator.is_empty() && compiler_versions(index, &dashed).next().is_some() {
            return compiler(index, &dashed);
        }
        let of_called =
            |(called, id): &(&str, &str)| Some(format!("{id}{}", name.strip_prefix(called)?));
        let name = CALLED.iter().find_map(of_called).unwrap_or(name);
        // `ubuntu 22` is `ubuntu22.04`.
        let is_it = |os: &&String| {
            os.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if let Some(os) = index.dictionary(Facet::Os).values().iter().find(is_it) {
            return Some(Meant::new(Place::Attribute, "OS", format!("os={os}"), 3));
        }
        // `graviton 3`.
        let is_numbered = two.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(called) = target(&name).filter(|_| is_numbered && separator.is_empty()) {
            return Some(called);
        }
        let has = |facet| index.dictionary(facet).code(&name).is_some();
        let is_target = has(Facet::Target) || Target::named(&name).is_some();
        is_target.then(|| Meant::new(Place::Attribute, "target", format!("target={name}"), 3))
    })
}

/// Returns all targets of a family, `aarch64`, or the target that people call by another name.
pub(super) fn target(word: &str) -> Option<Meant> {
    const CALLED: [(&str, &str); 20] = [
        ("arm", "aarch64"),
        ("arm64", "aarch64"),
        ("armv8", "aarch64"),
        ("x86", "x86_64"),
        ("x86-64", "x86_64"),
        ("amd64", "x86_64"),
        ("x64", "x86_64"),
        ("ppc", "ppc64le"),
        ("power", "ppc64le"),
        ("power8", "power8le"),
        ("power9", "power9le"),
        ("power10", "power10le"),
        ("rome", "zen2"),
        ("milan", "zen3"),
        ("genoa", "zen4"),
        ("turin", "zen5"),
        ("graviton2", "neoverse_n1"),
        ("graviton3", "neoverse_v1"),
        ("graviton4", "neoverse_v2"),
        ("grace", "neoverse_v2"),
    ];
    // Amazon's processors only run Linux, and targets of this family are also Apple's.
    if word == "graviton" {
        let text = "platform=linux target=aarch64:";
        return Some(Meant::new(Place::Attribute, "platform and target", text, 3));
    }
    // Compilers and manuals write hyphens: `x86-64-v3`, `cortex-a72`.
    let spelled = word.replace('-', "_");
    let called = CALLED.iter().find(|(called, _)| *called == word);
    let target = Target::named(called.map_or(&spelled, |(_, name)| *name))?;
    let range = if target.family() == target { ":" } else { "" };
    (called.is_some() || spelled != word || !range.is_empty())
        .then(|| Meant::new(Place::Attribute, "target", format!("target={target}{range}"), 3))
}

/// Returns the targets of a family for which builds are made, instead of its range `aarch64:`, because facets have no
/// ranges.
pub(super) fn without_range(index: &Index, one: Meant) -> Meant {
    let range = one.text.strip_prefix("target=").and_then(|range| range.strip_suffix(':'));
    let Some(family) = range.and_then(Target::named) else { return one };
    let is_of_family =
        |name: &&String| Target::named(name).is_some_and(|target| target.family() == family);
    let mut names = index.dictionary(Facet::Target).values().iter().filter(is_of_family).cloned();
    let first = names.next().unwrap_or_else(|| family.name().to_owned());
    Meant { text: format!("target={first}"), others: names.collect(), ..one }
}

/// Returns a value of a facet, the only stack whose path ends in a name, or all OSes with a name.
pub(super) fn facet(index: &Index, word: &str) -> Option<Meant> {
    let kinds = [
        (Facet::Os, "OS"),
        (Facet::Target, "target"),
        (Facet::Platform, "platform"),
        (Facet::Release, "release"),
        (Facet::Stack, "stack"),
    ];
    for (facet, kind) in kinds {
        let mut values = index.dictionary(facet).values().iter();
        let Some(value) = values.find(|value| value.eq_ignore_ascii_case(word)) else { continue };
        return Some(match facet {
            Facet::Release | Facet::Stack => Meant::new(Place::Facet(facet), kind, value, 3),
            _ => Meant::new(Place::Attribute, kind, format!("{}={value}", facet.key()), 3),
        });
    }
    // `e4s` for `develop/e4s`.
    let ends_so = |stack: &&String| {
        let last = stack.rsplit_once('/').map(|(_, last)| last);
        last.is_some_and(|last| last.eq_ignore_ascii_case(word))
    };
    let mut stacks = index.dictionary(Facet::Stack).values().iter().filter(ends_so);
    if let (Some(stack), None) = (stacks.next(), stacks.next()) {
        return Some(Meant::new(Place::Facet(Facet::Stack), "stack", stack, 3));
    }
    if let Some(release) = release(index, word) {
        return Some(Meant::new(Place::Facet(Facet::Release), "release", release, 3));
    }
    let called = name_in_spack(word);
    let word = called.as_str();
    for &(facet, kind) in &kinds[..3] {
        if index.dictionary(facet).code(word).is_some() {
            let text = format!("{}={word}", facet.key());
            return Some(Meant::new(Place::Attribute, kind, text, 3));
        }
    }
    kinds[..2].iter().find_map(|&(facet, kind)| {
        let has_version = |value: &&String| {
            let rest = value.strip_prefix(word).map(|rest| rest.trim_start_matches('_'));
            // `neoverse_v2`; but `x86_64_v3` is not a version of `x86`.
            let is_version = |rest: &str| {
                rest.trim_start_matches(['v', 'n'])
                    .starts_with(|c: char| c == '.' || c.is_ascii_digit())
            };
            !word.is_empty() && rest.is_some_and(is_version)
        };
        let mut values = index.dictionary(facet).values().iter().filter(has_version).cloned();
        let first = values.next()?;
        let others: Vec<String> = values.collect();
        Some(match others.is_empty() {
            true => Meant::new(Place::Attribute, kind, format!("{}={first}", facet.key()), 3),
            false => Meant { others, ..Meant::new(Place::Facet(facet), kind, first, 3) },
        })
    })
}

/// Returns Spack's name of what people call a system, in lower case.
fn name_in_spack(word: &str) -> String {
    match word.to_ascii_lowercase() {
        redhat if redhat.starts_with("redhat") => redhat.replacen("redhat", "rhel", 1),
        el if el.strip_prefix("el").is_some_and(|v| v.parse::<u8>().is_ok()) => format!("rh{el}"),
        mac if is_mac(&mac) => "darwin".to_owned(),
        alma if alma.strip_prefix("alma").is_some_and(|v| v.parse::<u8>().is_ok()) => {
            alma.replacen("alma", "almalinux", 1)
        }
        word => match CODENAMES.iter().find(|(called, _)| *called == word) {
            Some((_, os)) => (*os).to_owned(),
            None => word,
        },
    }
}

/// Returns a release of a known operating system, even if no build is made for it: `rocky8`.
pub(super) fn other_os(word: &str) -> Option<Meant> {
    let os = name_in_spack(word);
    let is_release = |distribution: &&str| {
        let version = os.strip_prefix(*distribution);
        version.is_some_and(|version| {
            version.starts_with(|first: char| first.is_ascii_digit())
                && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        })
    };
    let is_known = MACS.contains(&&*os) || DISTRIBUTIONS.iter().any(is_release);
    is_known.then(|| Meant::new(Place::Attribute, "OS", format!("os={os}"), 2))
}

/// Returns the only release of the cache whose number begins like this: `v2026.03.0` for `2026.03`.
fn release<'i>(index: &'i Index, word: &str) -> Option<&'i str> {
    let number = word.trim_start_matches(['v', 'V']);
    // `2026` is more likely a version, and `26` could be anything.
    let is_number = number.contains('.') && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let begins = |release: &&String| {
        let rest = release.trim_start_matches('v').strip_prefix(number);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let mut all = index.dictionary(Facet::Release).values().iter().filter(begins);
    all.next().filter(|_| is_number && all.next().is_none()).map(String::as_str)
}

/// What the names of Spack's operating systems begin with; the number of a release follows.
const DISTRIBUTIONS: [&str; 13] = [
    "almalinux",
    "alpine",
    "amzn",
    "centos",
    "debian",
    "fedora",
    "linuxmint",
    "opensuse",
    "oracle",
    "rhel",
    "rocky",
    "sles",
    "ubuntu",
];

/// The releases of macOS, which are named without a number.
const MACS: [&str; 6] = ["bigsur", "monterey", "ventura", "sonoma", "sequoia", "tahoe"];

/// What distributions call their releases.
const CODENAMES: [(&str, &str); 6] = [
    ("focal", "ubuntu20.04"),
    ("jammy", "ubuntu22.04"),
    ("noble", "ubuntu24.04"),
    ("bullseye", "debian11"),
    ("bookworm", "debian12"),
    ("trixie", "debian13"),
];

/// Returns `true` for what people call the platform darwin, in lower case.
pub(in crate::search) fn is_mac(word: &str) -> bool {
    matches!(word, "mac" | "macos" | "osx" | "apple")
}
