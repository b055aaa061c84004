//! A user's machine: how it is written, and what [runs](verdict) on it.
//!
//! A machine is written `linux.ubuntu24.04.zen4`, or with its libc `linux.rhel8.zen4.glibc@2.28`. The names of
//! operating systems contain dots, and so do those of targets (`armv8.1a`): the target is the longest suffix that is a
//! known target, or else the text after the last dot.

mod backported;
mod unknown_target;
mod verdict;

use std::fmt;
use std::str::FromStr;

use spack_spec::Target;

pub use self::backported::{is_of_unreliable_libc, libc_doubt};
pub use self::unknown_target::UnknownTarget;
pub use self::verdict::{
    LabelVerdicts, NeededLibc, Needs, Runs, Verdict, is_newer_macos, libc_of_os,
};
use cache_index::index::Index;

/// A user's machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Host {
    platform: String,
    os: String,
    target: String,
    /// Name and version, such as `glibc@2.35`.
    libc: Option<String>,
}

/// Why a text is not a [`Host`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostError {
    /// There are fewer parts than platform, OS and target, or one is empty.
    ExpectedThreeParts,
    /// The libc has no name before its `@`, or no version after it.
    ExpectedNameAndVersion,
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HostError::ExpectedThreeParts => {
                "expected platform, OS and target, as in linux-ubuntu24.04-zen4"
            }
            HostError::ExpectedNameAndVersion => {
                "expected a libc with its version, as in glibc@2.39"
            }
        })
    }
}

impl std::error::Error for HostError {}

impl Host {
    /// Returns the platform: `linux`, `darwin`.
    pub fn platform(&self) -> &str {
        &self.platform
    }

    /// Returns the operating system: `ubuntu24.04`.
    pub fn os(&self) -> &str {
        &self.os
    }

    /// Returns the target: `zen4`.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Returns the libc, if it was given: `glibc@2.39`.
    pub fn libc(&self) -> Option<&str> {
        self.libc.as_deref()
    }

    /// Returns the same machine with another target.
    pub fn with_target(&self, target: &str) -> Host {
        Host { target: target.to_owned(), ..self.clone() }
    }

    /// Returns the libc of the machine's OS, if all builds of a cache for this OS name the same one.
    pub fn libc_of_os<'i>(&self, index: &'i Index) -> Option<&'i str> {
        libc_of_os(index, &self.platform, &self.os)
    }

    /// Returns the name on the page, `ubuntu24.04 · zen4`.
    pub fn name(&self) -> String {
        format!("{} · {}", self.os, self.target)
    }

    /// Reads the output of `spack arch`, `linux-ubuntu24.04-zen4`, and a libc, which may be empty: as Spack writes it
    /// (`glibc@2.39`), with another separator (`glibc 2.39`, as `getconf GNU_LIBC_VERSION` prints it), its version alone,
    /// or the first line of `ldd --version`.
    ///
    /// The prompt and the command may precede the output, as they do in text that is copied from a terminal. A text of more
    /// than two lines is rejected: it is other output, which may end with a line of dashes.
    pub fn from_arch(arch: &str, libc: &str) -> Result<Host, HostError> {
        if arch.trim().lines().nth(2).is_some() {
            return Err(HostError::ExpectedThreeParts);
        }
        let arch = arch.split_whitespace().last().unwrap_or_default();
        if !arch.starts_with(|first: char| first.is_alphanumeric()) {
            return Err(HostError::ExpectedThreeParts);
        }
        let (platform, rest) = arch.split_once('-').ok_or(HostError::ExpectedThreeParts)?;
        let (os, target) = rest.rsplit_once('-').ok_or(HostError::ExpectedThreeParts)?;
        let mut text = format!("{platform}.{os}.{target}");
        if !libc.trim().is_empty() {
            let (name, version) = named_libc(libc).ok_or(HostError::ExpectedNameAndVersion)?;
            text.push_str(&format!(".{name}@{version}"));
        }
        let host: Host = text.parse()?;
        // A dot in an unexpected place would make the text read as another host.
        let is_same = host.os == os && host.target == target;
        if is_same { Ok(host) } else { Err(HostError::ExpectedThreeParts) }
    }

    /// Returns the machine as `spack arch` prints it.
    pub fn arch(&self) -> String {
        format!("{}-{}-{}", self.platform, self.os, self.target)
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.platform, self.os, self.target)?;
        self.libc.as_ref().map_or(Ok(()), |libc| write!(f, ".{libc}"))
    }
}

impl FromStr for Host {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Host, HostError> {
        // Such as the output of `uname -a`, which has dots too.
        if text.contains(char::is_whitespace) {
            return Err(HostError::ExpectedThreeParts);
        }
        let (arch, libc) = match text.split_once('@') {
            None => (text, None),
            Some((before, _)) => {
                let at = before.rfind('.').ok_or(HostError::ExpectedThreeParts)?;
                (&text[..at], Some(&text[at + 1..]))
            }
        };
        let is_libc = |libc: &str| {
            libc.split_once('@').is_some_and(|(name, version)| {
                !name.is_empty() && is_version(version.strip_prefix('=').unwrap_or(version))
            })
        };
        if libc.is_some_and(|libc| !is_libc(libc)) {
            return Err(HostError::ExpectedNameAndVersion);
        }
        let (platform, rest) = arch.split_once('.').ok_or(HostError::ExpectedThreeParts)?;
        let mut ends = rest.match_indices('.').map(|(at, _)| at);
        let known = ends.find(|&at| Target::named(&rest[at + 1..]).is_some());
        let at = known.or(rest.rfind('.')).ok_or(HostError::ExpectedThreeParts)?;
        let (os, target) = (&rest[..at], &rest[at + 1..]);
        // No target begins with a digit: this is the rest of an OS, such as `ubuntu24.04`, and the target is missing.
        let is_version = target.starts_with(|first: char| first.is_ascii_digit());
        // No platform has a dash: this is the output of `spack arch`, in which the names of systems have dots too.
        let is_arch = platform.contains('-');
        if is_arch || is_version || platform.is_empty() || os.is_empty() || target.is_empty() {
            return Err(HostError::ExpectedThreeParts);
        }
        Ok(Host {
            platform: platform.to_owned(),
            os: os.to_owned(),
            target: target.to_owned(),
            libc: libc.map(str::to_owned),
        })
    }
}

/// Returns the name and the version of a libc. A version without a name is glibc's.
fn named_libc(text: &str) -> Option<(String, &str)> {
    let text = text.trim();
    let start = text.rfind(|letter: char| !is_in_version(letter)).map_or(0, |at| at + 1);
    // `ldd --version` prints other text before the version.
    let (before, version) = match text.split_once('@') {
        Some((name, version)) => (name, version.trim_start_matches('=')),
        None => text.split_at(start),
    };
    let before = before.to_lowercase();
    let name = match before.trim_end_matches(|letter: char| !letter.is_alphanumeric()) {
        "" => "glibc",
        many if many.contains("gnu libc") || many.contains("glibc") => "glibc",
        one if one.chars().all(char::is_alphanumeric) => one,
        _ => return None,
    };
    is_version(version).then(|| (name.to_owned(), version))
}

fn is_version(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit()) && text.chars().all(is_in_version)
}

fn is_in_version(letter: char) -> bool {
    letter.is_ascii_digit() || letter == '.'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn host(text: &str) -> Host {
        text.parse().expect("a host")
    }

    #[test]
    fn reads_hosts_as_they_are_written() {
        #[track_caller]
        fn check(text: &str, parts: [&str; 3], libc: Option<&str>) {
            let host = host(text);
            assert_eq!([host.platform(), host.os(), host.target()], parts);
            assert_eq!(host.libc(), libc);
            assert_eq!(host.to_string(), text);
            assert_eq!(Host::from_arch(&host.arch(), libc.unwrap_or("")), Ok(host));
        }
        check("linux.ubuntu24.04.zen4", ["linux", "ubuntu24.04", "zen4"], None);
        check("linux.ubuntu24.04.armv8.1a", ["linux", "ubuntu24.04", "armv8.1a"], None);
        check("linux.rhel8.zen4.glibc@2.28", ["linux", "rhel8", "zen4"], Some("glibc@2.28"));
        check("darwin.sequoia.m1", ["darwin", "sequoia", "m1"], None);
        let windows = ["windows", "windows10.0.20348", "x86_64"];
        check("windows.windows10.0.20348.x86_64", windows, None);
        check("linux.opensuse-leap15.alien", ["linux", "opensuse-leap15", "alien"], None);
    }

    #[test]
    fn rejects_malformed_hosts() {
        let parts = "expected platform, OS and target, as in linux-ubuntu24.04-zen4";
        let uname = "Linux n1 5.14.0-427.el9_4.x86_64 #1 SMP x86_64 GNU/Linux";
        for text in
            [uname, "", "linux", "linux.zen4", "linux..zen4", ".a.b", "@", "a@b", "linux.rhel9.4"]
        {
            assert_eq!(text.parse::<Host>().expect_err(text).to_string(), parts);
        }
        let libc = "expected a libc with its version, as in glibc@2.39";
        for text in ["linux.a.zen4.@2.3", "linux.a.zen4.glibc@", "linux.a.zen4.glibc@new"] {
            assert_eq!(text.parse::<Host>().expect_err(text).to_string(), libc);
        }
        for text in ["foo", "glibc", "glibc@", "2.39 or so", "glibc 2.x"] {
            let error = Host::from_arch("linux-rhel8-zen2", text).expect_err(text);
            assert_eq!(error.to_string(), libc, "{text}");
        }
    }

    #[test]
    fn reads_names_of_systems_with_dots() {
        for arch in [
            "windows-windows10.0.20348-x86_64",
            "linux-rhel9.4.1-x86_64",
            "linux-ubuntu24.04-armv8.1a",
        ] {
            arch.parse::<Host>().expect_err(arch);
            for libc in ["", "2.39"] {
                assert_eq!(Host::from_arch(arch, libc).expect(arch).arch(), arch);
            }
        }
    }

    #[test]
    fn reads_a_libc_however_it_was_printed() {
        for text in [
            "glibc@2.28",
            "glibc@=2.28",
            "GLIBC@2.28",
            "glibc-2.28",
            "glibc=2.28",
            "glibc 2.28",
            "ldd (GNU libc) 2.28",
            "ldd (Ubuntu GLIBC 2.28-0ubuntu8.4) 2.28",
        ] {
            let host = Host::from_arch("linux-rhel8-zen2", text).expect(text);
            assert_eq!(host.libc(), Some("glibc@2.28"), "{text}");
        }
        let musl = Host::from_arch("linux-alpine3-zen2", "musl 1.2.4").expect("a host");
        assert_eq!(musl.libc(), Some("musl@1.2.4"));
    }

    #[test]
    fn reads_a_bare_version_as_glibc() {
        let host = Host::from_arch(" linux-rhel8-zen2\n", "2.28").expect("a host");
        assert_eq!(host.to_string(), "linux.rhel8.zen2.glibc@2.28");
        assert_eq!(host.name(), "rhel8 · zen2");
        let pasted = Host::from_arch("$ spack arch\nlinux-ubuntu24.04-zen4\n", "");
        assert_eq!(pasted.expect("a host").to_string(), "linux.ubuntu24.04.zen4");
        for other in ["linux-ubuntu24.04-zen4\n+-----+", "a\nb\nlinux-ubuntu24.04-zen4"] {
            assert_eq!(Host::from_arch(other, ""), Err(HostError::ExpectedThreeParts), "{other}");
        }
    }

    proptest! {
        #[test]
        fn writes_hosts_as_it_reads_them(text in "[a-z.@0-9-]{0,16}|linux\\.[a-z0-9.@]{0,12}") {
            if let Ok(host) = text.parse::<Host>() {
                prop_assert_eq!(host.to_string(), text);
            }
        }
    }
}
