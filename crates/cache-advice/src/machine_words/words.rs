//! Words that describe a machine, in any order: `Rocky 9 sapphire rapids H100`.
//!
//! People separate the parts of a name as they like: `sapphire rapids`, `Sapphire-Rapids` and `sapphirerapids` are the
//! same. So the words of each stretch of the text, the longest first, are joined without what separates them, and looked
//! up.

use cache_index::spack::SpackVersion;

use super::distributions::system;
use super::gpu::Gpu;
use super::processors::{of_maker, processor};
use super::squeezed::squeezed;
use super::{Certainty, DescribedMachine};

/// The number of words in the longest name: `Red Hat Enterprise Linux Server release 7.9`.
const LONGEST_NAME: usize = 7;

/// How long a line after output may be, in bytes.
const LONGEST_LINE: usize = 120;

/// How many words are read. Nobody describes a machine with more.
const MOST_WORDS: usize = 400;

/// Words that say nothing about what runs.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "a", "an", "and", "with", "on", "in", "the", "my", "our", "of", "for", "running", "using", "machine", "server",
    "servers", "node", "nodes", "cluster", "cloud", "vm", "wsl", "wsl2", "docker", "container", "linux", "gnu", "gnulinux", "lts",
    "cpu", "cpus", "gpu", "gpus", "processor", "core", "cores", "nvidia", "geforce", "tesla", "instinct", "radeon",
    "graphics", "apple", "silicon", "laptop", "desktop", "macbook", "mac", "imac", "pro", "air", "mini", "studio", "64bit", "bit", "os", "i", "have", "is",
    "pcie", "nvl", "hbm2", "hbm2e", "hbm3", "hbm3e", "oam", "sxm", "sxm2", "sxm3", "sxm4", "sxm5", "ti", "super", "xt",
    "w", "platform", "target", "arch", "gen", "generation", "rapids", "version", "codename", "release", "stream",
];

/// Reads words, and adds what they say to the machine.
pub(super) fn read(text: &str, machine: &mut DescribedMachine) {
    // What is left of `(R)` says nothing about the machine.
    let is_mark =
        |word: &str| ["r", "tm", "release"].iter().any(|mark| word.eq_ignore_ascii_case(mark));
    let separates = |c: char| {
        c.is_whitespace()
            || matches!(c, ',' | ';' | '(' | ')' | '|' | '"' | '\'' | '@' | '/' | '[' | ']')
    };
    let (paths, text): (Vec<&str>, Vec<&str>) =
        text.split_whitespace().partition(|word| is_path(word));
    machine.install_tree = paths.last().map(|path| (*path).to_owned());
    let text = text.join(" ");
    let raw: Vec<&str> = text
        .split(separates)
        .map(|word| word.trim_end_matches(['.', ':', '!', '?']))
        .filter(|word| !word.is_empty() && !is_mark(word))
        .take(MOST_WORDS)
        .collect();
    let words: Vec<String> = raw.iter().map(|word| squeezed(word)).collect();
    let mut at = 0;
    while at < words.len() {
        let longest = LONGEST_NAME.min(words.len() - at);
        let length = (1..=longest).rev().find(|&length| {
            let written = raw[at..at + length].join(" ");
            name(&words[at..at + length].concat(), &written, machine)
        });
        if length.is_none() && !is_filler(&words[at]) && !maker(&words[at], machine) {
            // As drivers write it: `V100-SXM2-32GB`.
            match Gpu::of_device(raw[at]).filter(|_| raw[at].contains('-')) {
                Some(gpu) => machine.put_gpu(gpu),
                None if is_pair(raw[at], machine) => {}
                None => machine.unread.push(raw[at].to_ascii_lowercase()),
            }
        }
        at += length.unwrap_or(1);
    }
}

/// Reads two names with a hyphen between them, `ubuntu22.04-zen3`, and returns `true` if both are known.
fn is_pair(word: &str, machine: &mut DescribedMachine) -> bool {
    let Some((one, other)) = word.split_once('-') else { return false };
    let mut both = machine.clone();
    let are_known = [one, other].iter().all(|half| name(&squeezed(half), half, &mut both));
    if are_known {
        *machine = both;
    }
    are_known
}

/// Returns `true` for a line without punctuation that says what a machine is, and is understood to its last word.
pub(super) fn are_about_a_machine(line: &str) -> bool {
    if line.len() > LONGEST_LINE || line.contains([':', '=', '|', '*', '\t']) {
        return false;
    }
    let mut alone = DescribedMachine::default();
    read(line, &mut alone);
    alone.unread.is_empty() && alone != DescribedMachine::default()
}

/// The commands whose output says something about a machine.
#[rustfmt::skip]
const COMMANDS: &[&str] = &[
    "arch", "cat", "getconf", "hostnamectl", "ldd", "lscpu", "lsb_release", "nvidia-smi", "rocminfo", "spack", "sw_vers",
    "sysctl", "system_profiler", "uname",
];

/// Returns `true` for a line of a terminal in which one of these commands was typed, after a prompt or alone: only its
/// output is about the machine. `ldd (GNU libc) 2.35` is output.
pub(super) fn is_command(line: &str) -> bool {
    let prompts = ["$ ", "# ", "% ", "> "];
    let prompt = prompts.iter().filter_map(|prompt| Some(line.find(prompt)? + prompt.len())).min();
    let mut words = line[prompt.unwrap_or(0)..].split_whitespace();
    let is_known = words.next().is_some_and(|word| COMMANDS.contains(&word));
    let has_arguments = words.next().is_some_and(|word| word.starts_with(['-', '/']));
    is_known && (prompt.is_some() || has_arguments)
}

/// Returns `true` for an absolute path, which can only be the install tree.
fn is_path(word: &str) -> bool {
    word.len() > 1 && word.starts_with('/') && !word.contains([',', ';'])
}

/// Reads a name, and returns `true` if it is one.
fn name(squeezed: &str, written: &str, machine: &mut DescribedMachine) -> bool {
    if squeezed.is_empty() {
        return false;
    }
    // What NVIDIA calls the board, with its processor and GPU.
    let written = match squeezed {
        "gracehopper" => "GH200",
        "graceblackwell" => "GB200",
        _ => written,
    };
    if let Some(gpu) = Gpu::named(written) {
        machine.put_gpu(gpu);
        return true;
    }
    if let Some(system) = system(squeezed) {
        machine.put_system(&system, Certainty::Stated, written);
        return true;
    }
    if let Some(processor) = processor(squeezed) {
        let certainty = match processor.assumption {
            Some(_) => Certainty::Derived,
            None => Certainty::Stated,
        };
        let why = processor.assumption.map(str::to_owned);
        machine.target.put(processor.target.name(), certainty, why);
        return true;
    }
    if let Some(libc) = libc(squeezed) {
        machine.libc.put(&libc, Certainty::Stated, None);
        return true;
    }
    let lower = written.to_ascii_lowercase();
    let rest = lower.strip_prefix("spack").map(|rest| rest.trim_start_matches([' ', '-']));
    if let Some(spack) = rest.and_then(version_of_spack) {
        machine.spack = Some(spack);
        return true;
    }
    match squeezed {
        "linux" | "darwin" | "windows" | "freebsd" => {
            machine.platform.put(squeezed, Certainty::Derived, None);
            true
        }
        "macos" | "osx" => {
            machine.platform.put("darwin", Certainty::Derived, None);
            true
        }
        _ => false,
    }
}

/// Reads `glibc2.35`, or the version of another libc.
fn libc(squeezed: &str) -> Option<String> {
    let known = [("glibc", "glibc"), ("gnulibc", "glibc"), ("musl", "musl"), ("libc", "glibc")];
    let (name, version) =
        known.iter().find_map(|(prefix, name)| Some((name, squeezed.strip_prefix(prefix)?)))?;
    let is_version = version.split('.').all(|part| {
        !part.is_empty() && part.len() < 8 && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    is_version.then(|| format!("{name}@{version}"))
}

/// Reads the version of a Spack as people and Spack write it: `0.23`, `v1.1.0`, `version 1.2`, `1.2.0.dev0`.
pub(super) fn version_of_spack(text: &str) -> Option<SpackVersion> {
    let numbers =
        ["version ", "v"].iter().find_map(|before| text.strip_prefix(before)).unwrap_or(text);
    let is_part = |part: &str| {
        let digits = part.strip_prefix("dev").unwrap_or(part);
        digits.len() < 4 && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    numbers.split('.').all(is_part).then(|| numbers.parse().ok()).flatten()
}

/// Reads the name of a maker of processors, and returns `true` if it is one.
fn maker(word: &str, machine: &mut DescribedMachine) -> bool {
    let Some(processor) = of_maker(word) else { return false };
    let why = processor.assumption.map(str::to_owned);
    machine.target.put(processor.target.name(), Certainty::Guessed, why);
    true
}

/// Returns `true` for words without a meaning here, and for quantities: `2x`, `80gb`, `2.40ghz`.
fn is_filler(word: &str) -> bool {
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_quantity = unit.len() < word.len()
        && matches!(
            unit,
            "" | "x"
                | "gb"
                | "gib"
                | "tb"
                | "ghz"
                | "mhz"
                | "core"
                | "cores"
                | "w"
                | "th"
                | "nd"
                | "rd"
        );
    word.is_empty() || is_quantity || FILLERS.contains(&word)
}
