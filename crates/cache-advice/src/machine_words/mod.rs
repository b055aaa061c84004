//! A machine as people describe it, in words or in the output of a command.
//!
//! [`DescribedMachine::read`] reads `Rocky 9 sapphire rapids H100`, or whatever `spack arch`, `lscpu`, `uname -a`,
//! `cat /etc/os-release`, `ldd --version`, `spack --version`, `nvidia-smi` and `rocminfo` print, alone or together. It never fails: it
//! returns what it understood, what it assumed for that, and the words that it did not understand.
//!
//! ```
//! use cache_advice::machine_words::DescribedMachine;
//!
//! let machine = DescribedMachine::read("Rocky 9, sapphire rapids, 4x H100");
//! assert_eq!(machine.arch().as_deref(), Some("linux-rocky9-sapphirerapids"));
//! assert_eq!(machine.libc.value(), Some("glibc@2.34"));
//! assert_eq!(machine.gpus[0].to_string(), "H100 (compute capability 9.0)");
//! assert_eq!(machine.assumptions(), ["libc glibc@2.34: rocky9 ships it"]);
//! ```
//!
//! Reading does not know a cache, and does not say what runs: [`Host`](cache_query::host::Host) does.

mod distributions;
mod gpu;
mod output;
mod personal;
mod processors;
mod squeezed;
#[cfg(test)]
mod tests;
mod words;

use self::distributions::System;
pub use self::distributions::{lacks_version, libc_of_distribution, version_of_macos};
pub use self::gpu::{Chip, ComputeCapability, GfxTarget, Gpu, GpuAnswer, GpuCode, GpuVerdict};
pub(crate) use self::gpu::{has_no_own_code, is_for_all_supported};
use self::output::Output;
use self::processors::of_family;
use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_index::spack::SpackVersion;
use cache_query::host::Host;

/// How much of a text is read, in bytes. The output of `nvidia-smi -q` for eight GPUs is a tenth as long.
const LONGEST_TEXT: usize = 1 << 20;

/// What is known of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DescribedMachine {
    /// Such as `linux`.
    pub platform: Part,
    /// Spack's name of the operating system, such as `rocky9`.
    pub os: Part,
    /// Spack's name of the processor, such as `sapphirerapids`.
    pub target: Part,
    /// Such as `glibc@2.34`.
    pub libc: Part,
    /// The GPUs, each kind once.
    pub gpus: Vec<Gpu>,
    /// The root of its install tree, an absolute path.
    pub install_tree: Option<String>,
    /// The version of its Spack.
    pub spack: Option<SpackVersion>,
    /// The words that were not understood, in lower case.
    pub unread: Vec<String>,
}

/// One part of a machine, if it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part(Option<(Certainty, PartValue)>);

/// The value of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartValue {
    /// As Spack writes it.
    pub value: String,
    /// Why this value was taken, if the text does not say it.
    pub assumption: Option<String>,
}

/// How certain a value is. A more certain value replaces a less certain one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    /// It follows from something that only hints at it.
    Guessed,
    /// It follows from what was named.
    Derived,
    /// It was named.
    Stated,
    /// The machine said it.
    Exact,
}

impl Part {
    /// Returns the value.
    pub fn value(&self) -> Option<&str> {
        self.known().map(|known| known.value.as_str())
    }

    /// Returns the value and why it was taken.
    pub fn known(&self) -> Option<&PartValue> {
        self.0.as_ref().map(|(_, known)| known)
    }

    fn put(&mut self, value: &str, certainty: Certainty, assumption: Option<String>) {
        if self.0.as_ref().is_none_or(|(before, _)| certainty > *before) {
            self.0 = Some((certainty, PartValue { value: value.to_owned(), assumption }));
        }
    }
}

impl DescribedMachine {
    /// Reads a description.
    pub fn read(text: &str) -> DescribedMachine {
        let mut machine = DescribedMachine::default();
        // `spack debug report` prints Markdown.
        let text = plain(text).replace("**", "");
        let mut output = Output::default();
        let mut words = String::new();
        for line in text.lines().filter(|line| !words::is_command(line)) {
            if output.read(line, &mut machine) {
                continue;
            }
            // After output, an unknown line is more likely output than a user's words.
            if !output.is_output() || words::are_about_a_machine(line) {
                words.push_str(line);
                words.push('\n');
            }
        }
        output.finish(&mut machine);
        words::read(&words, &mut machine);
        machine.assume();
        machine
    }

    /// Returns the machine as `spack arch` prints it, if all of it is known.
    pub fn arch(&self) -> Option<String> {
        let (platform, os) = (self.platform.value()?, self.os.value()?);
        Some(format!("{platform}-{os}-{}", self.target.value()?))
    }

    /// Returns what was assumed, a sentence for each part without a full stop.
    pub fn assumptions(&self) -> Vec<String> {
        let parts = [("OS", &self.os), ("target", &self.target), ("libc", &self.libc)];
        let assumed = parts.into_iter().filter_map(|(name, part)| {
            let PartValue { value, assumption } = part.known()?;
            Some(format!("{name} {value}: {}", assumption.as_ref()?))
        });
        assumed.collect()
    }

    /// Returns the names of the parts that are missing: of `platform`, `OS` and `target`.
    pub fn missing(&self) -> Vec<&'static str> {
        let parts = [("platform", &self.platform), ("OS", &self.os), ("target", &self.target)];
        parts.into_iter().filter(|(_, part)| part.value().is_none()).map(|(name, _)| name).collect()
    }

    /// Takes the only macOS that a cache has builds for, for a Mac whose version nobody stated.
    pub fn assume_macos(&mut self, index: &Index) {
        if self.platform.value() == Some("darwin")
            && self.os.value().is_none()
            && let Some(os) = only_macos(index)
        {
            let why = "the only macOS that this cache has builds for".to_owned();
            self.os.put(os, Certainty::Guessed, Some(why));
        }
    }

    /// Adds what follows from the parts that are known.
    fn assume(&mut self) {
        if self.platform.value() == Some("linux")
            && let Some(os) = self.os.value()
            && let Some(libc) = libc_of_distribution(os)
        {
            let why = format!("{os} ships it");
            self.libc.put(libc, Certainty::Guessed, Some(why));
        }
        // Only Apple makes processors of this family for its system.
        let is_mac = self.platform.value() == Some("darwin");
        if is_mac && self.target.value() == Some("aarch64") {
            let why = "all Macs with Apple's processors run what m1 runs".to_owned();
            self.target = Part(Some((
                Certainty::Derived,
                PartValue { value: "m1".to_owned(), assumption: Some(why) },
            )));
        }
        if self.platform.value().is_none()
            && self.target.value().is_some_and(|target| matches!(target, "m1" | "m2" | "m3" | "m4"))
        {
            self.platform.put("darwin", Certainty::Derived, None);
        }
    }

    fn put_system(&mut self, system: &System, certainty: Certainty, source: &str) {
        let certainty = if system.is_guess { Certainty::Guessed.min(certainty) } else { certainty };
        let why = system.is_guess.then(|| format!("{source} does not say exactly"));
        self.platform.put(system.platform, certainty, None);
        self.os.put(&system.os, certainty, why);
        if self.os.value() == Some(&system.os)
            && let Some(libc) = system.libc
        {
            let why = format!("{} ships it", system.os);
            self.libc.put(libc, Certainty::Guessed, Some(why));
        }
    }

    /// Adds a GPU, unless one with the same code is there: then the better name and the features of its target are kept.
    fn put_gpu(&mut self, gpu: Gpu) {
        if let Some(target) = gpu.processor() {
            self.target.put(target.name(), Certainty::Derived, None);
        }
        let Some(known) = self.gpus.iter_mut().find(|known| known.chip.is_like(&gpu.chip)) else {
            self.gpus.push(gpu);
            return;
        };
        if known.name.starts_with("gfx") {
            known.name = gpu.name;
        }
        if let (Chip::Amd(known), Chip::Amd(target)) = (&mut known.chip, gpu.chip) {
            known.xnack = known.xnack.or(target.xnack);
            known.sramecc = known.sramecc.or(target.sramecc);
        }
    }
}

/// Returns what is assumed of a machine that is stated in an address, a sentence for each part without a full stop: a target
/// that is only a family, and the libc that its system ships.
pub fn assumed_of(host: &Host) -> Vec<String> {
    let target = of_family(host.target()).map(|why| format!("target {}: {why}", host.target()));
    let libc = host.libc().filter(|libc| libc_of_distribution(host.os()) == Some(libc));
    let libc = libc.map(|libc| format!("libc {libc}: {} ships it", host.os()));
    target.into_iter().chain(libc).collect()
}

/// Returns the only macOS that a cache has builds for.
fn only_macos(index: &Index) -> Option<&str> {
    let all = index.dictionary(Facet::Os).values().iter().map(String::as_str);
    let mut all = all.filter(|os| version_of_macos(os).is_some());
    let only = all.next()?;
    all.next().is_none().then_some(only)
}

/// Returns a text without what terminals and pages put between its characters: colours, and characters of no width.
fn plain(text: &str) -> String {
    let mut end = text.len().min(LONGEST_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut plain = String::with_capacity(end);
    let mut characters = text[..end].chars();
    while let Some(character) = characters.next() {
        match character {
            // A sequence for the terminal ends with a letter.
            '\u{1b}' => {
                characters.by_ref().find(|c| c.is_ascii_alphabetic());
            }
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => {}
            '\u{a0}' => plain.push(' '),
            _ => plain.push(character),
        }
    }
    plain
}
