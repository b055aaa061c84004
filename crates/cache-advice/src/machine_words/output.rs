//! Output of commands, pasted: each line says what it is about.
//!
//! | command | what is read |
//! | --- | --- |
//! | `spack arch` | everything but the libc |
//! | `spack debug report` | the same, and the version of Spack |
//! | `spack --version` | that version |
//! | `cat /etc/os-release`, `cat /etc/lsb-release`, `lsb_release -a`, `sw_vers`, `ver` | the system |
//! | `lscpu`, `cat /proc/cpuinfo`, `sysctl machdep.cpu` | the processor |
//! | `uname -a` | the platform, the family of the processor; hints at the system |
//! | `ldd --version`, `getconf GNU_LIBC_VERSION` | the libc |
//! | `nvidia-smi`, with `-L`, `-q` or `--query-gpu=…`; `rocminfo`, `rocm-smi` | the GPUs |

use super::distributions::{of_darwin, of_release, of_windows, system};
use super::gpu::Gpu;
use super::processors::{detected, processor};
use super::squeezed::squeezed;
use super::words::version_of_spack;
use super::{Certainty, DescribedMachine};

/// What several lines say together.
#[derive(Default)]
pub(super) struct Output<'t> {
    /// The fields of `os-release`.
    id: Option<&'t str>,
    version: Option<&'t str>,
    architecture: Option<&'t str>,
    vendor: Option<&'t str>,
    model: Option<&'t str>,
    flags: Vec<&'t str>,
    /// Flags put together from the end of a line and the start of the next.
    split_flags: Vec<String>,
    /// `true` if the line before lists flags.
    is_in_flags: bool,
    product: Option<&'t str>,
    /// `true` after the line that says that musl printed its version.
    is_musl: bool,
    /// `true` if a line was read; then lines that are not known are not words of a user.
    is_output: bool,
    /// `true` if compute capabilities follow, one a line.
    lists_capabilities: bool,
}

/// How long the name of a field may be. Sentences with a colon are longer.
const FIELD: usize = 48;

impl<'t> Output<'t> {
    /// Reads a line, and returns `true` if it is output of a command.
    pub(super) fn read(&mut self, line: &'t str, machine: &mut DescribedMachine) -> bool {
        let line = line.trim().trim_start_matches("* ");
        let is_read = self.read_more_flags(line)
            || self.read_whole(line, machine)
            || self.read_field(line, machine);
        self.is_output |= is_read;
        is_read
    }

    /// Returns `true` if a line that was not read can hardly be a user's words.
    pub(super) fn is_output(&self) -> bool {
        self.is_output
    }

    fn read_whole(&mut self, line: &'t str, machine: &mut DescribedMachine) -> bool {
        let mut words = line.split_ascii_whitespace();
        if self.lists_capabilities {
            if let Some(gpu) = Gpu::named(&format!("compute capability {line}")) {
                machine.put_gpu(gpu);
                return true;
            }
            self.lists_capabilities = false;
        }
        match words.next() {
            Some("Linux" | "Darwin") if line.split_ascii_whitespace().count() >= 5 => {
                uname(line, machine);
                true
            }
            Some("ldd") if line.starts_with("ldd (") => {
                glibc(line.rsplit(' ').next().unwrap_or_default(), machine)
            }
            Some("GNU") if line.starts_with("GNU C Library") => {
                let version = line.split(" version ").nth(1).unwrap_or_default();
                glibc(version.trim_end_matches('.'), machine)
            }
            Some("musl") if line.starts_with("musl libc") => {
                self.is_musl = true;
                true
            }
            Some("Version") if self.is_musl => {
                let version = words.next().unwrap_or_default();
                machine.libc.put(&format!("musl@{version}"), Certainty::Exact, None);
                true
            }
            Some("Microsoft") if line.starts_with("Microsoft Windows [Version ") => {
                let version = line.rsplit(' ').next().unwrap_or_default().trim_end_matches(']');
                if let Some(system) = of_windows(version) {
                    machine.put_system(&system, Certainty::Exact, version);
                }
                true
            }
            Some("GPU") if line.contains("(UUID:") => {
                let name = line.split_once(": ").map_or("", |(_, name)| name);
                let name = name.split(" (UUID:").next().unwrap_or_default();
                device(Gpu::of_device(name), machine);
                true
            }
            Some("compute_cap" | "compute_cap,") => {
                self.lists_capabilities = true;
                true
            }
            // How `rocminfo` begins.
            Some("ROCk") if line.starts_with("ROCk module ") => true,
            // A row of the table that `nvidia-smi` prints, or one of its lines.
            Some(first) if first.starts_with("|") || first.starts_with("+-") => {
                row_of_table(line, machine);
                true
            }
            Some(first) if is_version_of_spack(first) && is_alone_or_with_commit(words.next()) => {
                machine.spack = first.parse().ok();
                true
            }
            _ => arch(line, machine),
        }
    }

    /// Reads the rest of a list of flags that was too long for a line of the terminal, which may split a flag.
    fn read_more_flags(&mut self, line: &'t str) -> bool {
        let is_flag =
            |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | ' ');
        let is_more = self.is_in_flags && !line.is_empty() && line.chars().all(is_flag);
        if is_more {
            if let (Some(last), Some(first)) =
                (self.flags.last(), line.split_ascii_whitespace().next())
            {
                self.split_flags.push(format!("{last}{first}"));
            }
            self.flags.extend(line.split_ascii_whitespace());
        }
        self.is_in_flags = is_more;
        is_more
    }

    /// Reads `KEY=value` of `os-release`, and `key: value` of everything else.
    fn read_field(&mut self, line: &'t str, machine: &mut DescribedMachine) -> bool {
        let shell = line.split_once('=').filter(|(key, _)| {
            !key.is_empty() && key.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
        });
        if let Some((key, value)) = shell {
            let value = value.trim_matches(['"', '\'']);
            match key {
                "ID" | "DISTRIB_ID" => self.id = Some(value),
                "VERSION_ID" | "DISTRIB_RELEASE" => self.version = Some(value),
                _ => {}
            }
            return true;
        }
        let Some((key, value)) = line.split_once(':').filter(|(key, _)| key.len() <= FIELD) else {
            return false;
        };
        let (key, value) = (key.trim(), value.trim());
        match key {
            "Architecture" => self.architecture = Some(value),
            "Vendor ID" | "vendor_id" | "CPU implementer" => self.vendor = Some(value),
            "Model name" | "model name" | "machdep.cpu.brand_string" | "Chip" | "cpu" => {
                // A line for each core says the same.
                if self.model.replace(value).is_none_or(|before| before != value) {
                    self.model_of(machine, value);
                }
            }
            "Flags" | "flags" | "Features" if self.flags.is_empty() => {
                self.flags = value.split_ascii_whitespace().collect();
                self.is_in_flags = true;
            }
            "Spack" => machine.spack = value.parse().ok(),
            "Distributor ID" => self.id = Some(value),
            "Release" => self.version = Some(value),
            "ProductName" => self.product = Some(value),
            "ProductVersion" => {
                let name = squeezed(&format!("{}{value}", self.product.unwrap_or("macOS")));
                if let Some(system) = system(&name) {
                    machine.put_system(&system, Certainty::Exact, value);
                }
            }
            // `rocminfo` names processors, and the targets of GPUs once short and once with their features.
            "Name" if value.contains("-generic") => {}
            "Name" if value.starts_with("gfx") || value.starts_with("amdgcn-") => {
                let target = value.rsplit("--").next().unwrap_or_default();
                device(Gpu::named(target), machine);
            }
            "Name" if self.is_output => self.model_of(machine, value),
            "Product Name" | "Marketing Name" | "Card Series" | "Card series" | "Device Name" => {
                device(Gpu::of_device(value), machine);
            }
            key if key.starts_with("GPU[") => {
                let name = value.trim_start_matches([':', ' ', '\t']);
                let (what, name) = name.split_once(':').unwrap_or(("", ""));
                if matches!(what.trim(), "Card Series" | "Card series" | "Device Name") {
                    device(Gpu::of_device(name), machine);
                }
            }
            "CPU op-mode(s)" | "Byte Order" | "CPU(s)" | "processor" | "Uuid" | "Agent"
            | "CPU family" => {}
            _ => return self.is_output,
        }
        true
    }

    fn model_of(&self, machine: &mut DescribedMachine, model: &str) {
        let mut described = DescribedMachine::default();
        super::words::read(model, &mut described);
        if let Some(target) = described.target.known() {
            machine.target.put(&target.value, Certainty::Derived, target.assumption.clone());
        }
    }

    /// Reads what lines say together, when all have been read.
    pub(super) fn finish(self, machine: &mut DescribedMachine) {
        if let Some(id) = self.id {
            let id = id.to_ascii_lowercase();
            match of_release(&id, self.version.unwrap_or_default()) {
                Some(system) => machine.put_system(&system, Certainty::Exact, &id),
                None => other_linux(&id, self.version.unwrap_or_default(), machine),
            }
        }
        let vendor = self.vendor.unwrap_or_default();
        // `/proc/cpuinfo` does not say the family.
        let family = self.architecture.unwrap_or(match vendor {
            "GenuineIntel" | "AuthenticAMD" => "x86_64",
            vendor if vendor.starts_with("0x") => "aarch64",
            _ => "",
        });
        let mut flags = self.flags;
        flags.extend(self.split_flags.iter().map(String::as_str));
        if let Some(target) = detected(family, vendor, &flags) {
            let is_exact = !flags.is_empty() && target.family() != target;
            let certainty =
                if is_exact && family == "x86_64" { Certainty::Exact } else { Certainty::Guessed };
            let why = (!is_exact).then(|| "only the family of the processor is known".to_owned());
            machine.target.put(target.name(), certainty, why);
        } else if let Some(processor) = processor(&squeezed(family)) {
            let why = processor.assumption.map(str::to_owned);
            machine.target.put(processor.target.name(), Certainty::Guessed, why);
        }
    }
}

/// Reads a distribution that is not in the table, by the rule by which Spack names any.
fn other_linux(id: &str, version: &str, machine: &mut DescribedMachine) {
    let major = version.split('.').next().unwrap_or_default();
    let is_name = |text: &str| {
        text.len() < 32
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    };
    if id.is_empty() || !is_name(id) || !is_name(major) {
        return;
    }
    machine.platform.put("linux", Certainty::Exact, None);
    let os = match id {
        // It has no releases, so Spack adds the version of its libc.
        "opensuse-tumbleweed" => {
            let libc = machine.libc.value().and_then(|libc| libc.strip_prefix("glibc@"));
            libc.map(|version| format!("opensusetumbleweed{version}"))
        }
        _ => Some(format!("{id}{major}").replace('-', "_")),
    };
    if let Some(os) = os {
        machine.os.put(&os, Certainty::Exact, None);
    }
}

/// Returns `true` for what `spack --version` prints, with three numbers: two of them alone can be the version of anything.
fn is_version_of_spack(word: &str) -> bool {
    let is_of_spack = word.starts_with("0.") || word.starts_with("1.");
    is_of_spack && word.split('.').count() > 2 && version_of_spack(word).is_some()
}

/// Returns `true` if nothing follows, or the commit in parentheses.
fn is_alone_or_with_commit(next: Option<&str>) -> bool {
    next.is_none_or(|next| next.starts_with('(') && next.ends_with(')'))
}

/// Reads the output of `spack arch`, possibly after a prompt.
fn arch(line: &str, machine: &mut DescribedMachine) -> bool {
    let Some(word) = line.split_ascii_whitespace().last() else { return false };
    let Some((platform, rest)) = word.split_once('-') else { return false };
    let Some((os, target)) = rest.rsplit_once('-') else { return false };
    let is_platform = matches!(platform, "linux" | "darwin" | "windows" | "freebsd" | "cray");
    if !is_platform || os.is_empty() || target.is_empty() {
        return false;
    }
    machine.platform.put(platform, Certainty::Exact, None);
    machine.os.put(os, Certainty::Exact, None);
    machine.target.put(target, Certainty::Exact, None);
    true
}

fn device(gpu: Option<Gpu>, machine: &mut DescribedMachine) {
    if let Some(gpu) = gpu {
        machine.put_gpu(gpu);
    }
}

fn glibc(version: &str, machine: &mut DescribedMachine) -> bool {
    let is_version =
        version.contains('.') && version.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if is_version {
        machine.libc.put(&format!("glibc@{version}"), Certainty::Exact, None);
    }
    is_version
}

/// Reads the output of `uname -a`.
fn uname(line: &str, machine: &mut DescribedMachine) {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let kernel = words.get(2).copied().unwrap_or_default();
    let families = ["x86_64", "aarch64", "arm64", "ppc64le", "riscv64"];
    if let Some(family) = words.iter().rev().find(|word| families.contains(word)) {
        let target = if *family == "arm64" { "aarch64" } else { family };
        let why = "uname only names the family of the processor".to_owned();
        machine.target.put(target, Certainty::Guessed, Some(why));
    }
    if words.first() == Some(&"Darwin") {
        machine.platform.put("darwin", Certainty::Exact, None);
        if let Some(system) = of_darwin(kernel) {
            machine.put_system(&system, Certainty::Exact, kernel);
        }
        return;
    }
    machine.platform.put("linux", Certainty::Exact, None);
    // Distributions leave their mark on the version of the kernel.
    let hints = kernel.split(['.', '-', '_', '+']).chain(words.iter().flat_map(|word| {
        word.strip_suffix("-Ubuntu")
            .and_then(|version| version.split_once('~'))
            .map(|(_, version)| version)
    }));
    for hint in hints {
        let name = match hint.split('.').collect::<Vec<_>>()[..] {
            [major, minor, ..] if line.contains("-Ubuntu") => format!("ubuntu{major}.{minor}"),
            _ => hint.to_owned(),
        };
        let is_mark = ["el", "fc", "amzn", "ubuntu"].iter().any(|mark| name.starts_with(mark));
        if let Some(mut system) = system(&name).filter(|_| is_mark) {
            system.is_guess = true;
            machine.put_system(&system, Certainty::Guessed, &format!("the kernel {kernel}"));
        }
    }
}

/// Reads a row of the table that `nvidia-smi` prints: `|   0  NVIDIA A100-SXM4-40GB   On  | 00000000:07:00.0 Off |`.
fn row_of_table(line: &str, machine: &mut DescribedMachine) {
    let cell = line.trim_start_matches('|').split('|').next().unwrap_or_default().trim();
    let Some((number, name)) = cell.split_once(char::is_whitespace) else { return };
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        return;
    }
    let name = name.trim().trim_end_matches(" On").trim_end_matches(" Off").trim();
    // Long names are cut off at the end.
    device(Gpu::of_device(name.trim_end_matches("...").trim()), machine);
}
