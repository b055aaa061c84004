//! Operating systems: what people call them, what Spack calls them, and the libc that they ship.
//!
//! Spack names a Linux distribution by its id and major version (`rocky9`; for Ubuntu also the minor one), macOS by the
//! name of its release, and Windows by its build number. The versions of glibc are those of
//! [pep600_compliance](https://github.com/mayeut/pep600_compliance), which installs each distribution and looks; those of
//! musl are those of [Alpine's packages](https://pkgs.alpinelinux.org/packages?name=musl).

/// A Linux distribution.
struct Distribution {
    /// Spack's name, without the version.
    id: &'static str,
    /// What people call it, [squeezed](super::squeezed::squeezed). The longest that fits is taken.
    names: &'static [&'static str],
    /// Words that stand for a version.
    codenames: &'static [(&'static str, &'static str)],
    /// The libc of each version. The first entry counts whose version is the given one, or the beginning of it.
    libcs: &'static [(&'static str, &'static str)],
}

/// The libc of all distributions that are built from the sources of Red Hat Enterprise Linux.
const ENTERPRISE: &[(&str, &str)] = &[
    ("6", "glibc@2.12"),
    ("7", "glibc@2.17"),
    ("8", "glibc@2.28"),
    ("9", "glibc@2.34"),
    ("10", "glibc@2.39"),
];

/// The service packs of SUSE's enterprise distribution, which openSUSE Leap follows.
const SUSE: &[(&str, &str)] = &[
    ("15.0", "glibc@2.26"),
    ("15.1", "glibc@2.26"),
    ("15.2", "glibc@2.26"),
    ("15.3", "glibc@2.31"),
    ("15.4", "glibc@2.31"),
    ("15.5", "glibc@2.31"),
    ("15.6", "glibc@2.38"),
    ("15.7", "glibc@2.38"),
    ("16", "glibc@2.40"),
];

const DISTRIBUTIONS: &[Distribution] = &[
    Distribution {
        id: "ubuntu",
        names: &["ubuntu", "ubuntulinux", "ubuntuserver", "kubuntu", "xubuntu"],
        codenames: &[
            ("xenial", "16.04"),
            ("bionic", "18.04"),
            ("focal", "20.04"),
            ("jammy", "22.04"),
            ("lunar", "23.04"),
            ("mantic", "23.10"),
            ("noble", "24.04"),
            ("oracular", "24.10"),
            ("plucky", "25.04"),
            ("questing", "25.10"),
        ],
        libcs: &[
            ("16.04", "glibc@2.23"),
            ("18.04", "glibc@2.27"),
            ("20.04", "glibc@2.31"),
            ("20.10", "glibc@2.32"),
            ("21.04", "glibc@2.33"),
            ("21.10", "glibc@2.34"),
            ("22.04", "glibc@2.35"),
            ("22.10", "glibc@2.36"),
            ("23.04", "glibc@2.37"),
            ("23.10", "glibc@2.38"),
            ("24.04", "glibc@2.39"),
            ("24.10", "glibc@2.40"),
            ("25.04", "glibc@2.41"),
            ("25.10", "glibc@2.42"),
            ("26.04", "glibc@2.43"),
        ],
    },
    Distribution {
        id: "debian",
        names: &["debian", "debiangnulinux", "debianlinux"],
        codenames: &[
            ("stretch", "9"),
            ("buster", "10"),
            ("bullseye", "11"),
            ("bookworm", "12"),
            ("trixie", "13"),
        ],
        libcs: &[
            ("9", "glibc@2.24"),
            ("10", "glibc@2.28"),
            ("11", "glibc@2.31"),
            ("12", "glibc@2.36"),
            ("13", "glibc@2.41"),
        ],
    },
    Distribution {
        id: "rhel",
        names: &[
            "rhel",
            "redhat",
            "redhatlinux",
            "redhatenterprise",
            "redhatenterpriselinux",
            "redhatenterpriselinuxserver",
            "el",
            "enterpriselinux",
        ],
        codenames: &[],
        libcs: ENTERPRISE,
    },
    Distribution {
        id: "centos",
        names: &["centos", "centoslinux", "centosstream"],
        codenames: &[],
        libcs: ENTERPRISE,
    },
    Distribution {
        id: "rocky",
        names: &["rocky", "rockylinux"],
        codenames: &[],
        libcs: ENTERPRISE,
    },
    Distribution {
        id: "almalinux",
        names: &["alma", "almalinux"],
        codenames: &[],
        libcs: ENTERPRISE,
    },
    Distribution {
        id: "oracle",
        names: &["ol", "oracle", "oraclelinux", "oraclelinuxserver"],
        codenames: &[],
        libcs: ENTERPRISE,
    },
    Distribution {
        id: "scientific",
        names: &["scientific", "scientificlinux"],
        codenames: &[],
        libcs: ENTERPRISE,
    },
    Distribution {
        id: "fedora",
        names: &["fedora", "fedoralinux", "fc"],
        codenames: &[],
        libcs: &[
            ("34", "glibc@2.33"),
            ("35", "glibc@2.34"),
            ("36", "glibc@2.35"),
            ("37", "glibc@2.36"),
            ("38", "glibc@2.37"),
            ("39", "glibc@2.38"),
            ("40", "glibc@2.39"),
            ("41", "glibc@2.40"),
            ("42", "glibc@2.41"),
            ("43", "glibc@2.42"),
            ("44", "glibc@2.43"),
        ],
    },
    Distribution {
        id: "amzn",
        names: &["amzn", "amazon", "amazonlinux", "amazonlinuxami", "al"],
        codenames: &[],
        libcs: &[("2023", "glibc@2.34"), ("2", "glibc@2.26")],
    },
    Distribution {
        id: "sles",
        names: &[
            "sles",
            "sle",
            "suse",
            "suselinux",
            "suselinuxenterprise",
            "suselinuxenterpriseserver",
        ],
        codenames: &[],
        libcs: SUSE,
    },
    Distribution {
        id: "opensuse",
        names: &["opensuse", "opensuseleap", "leap"],
        codenames: &[],
        libcs: SUSE,
    },
    Distribution {
        id: "alpine",
        names: &["alpine", "alpinelinux"],
        codenames: &[],
        libcs: &[
            ("3.15", "musl@1.2.2"),
            ("3.16", "musl@1.2.3"),
            ("3.17", "musl@1.2.3"),
            ("3.18", "musl@1.2.4"),
            ("3.19", "musl@1.2.4"),
            ("3.20", "musl@1.2.5"),
            ("3.21", "musl@1.2.5"),
            ("3.22", "musl@1.2.5"),
        ],
    },
    Distribution {
        id: "linuxmint",
        names: &["mint", "linuxmint"],
        codenames: &[],
        libcs: &[("20", "glibc@2.31"), ("21", "glibc@2.35"), ("22", "glibc@2.39")],
    },
];

/// The releases of macOS: its version, that of its kernel, and Spack's name.
const MACOS: &[(&str, &str, &str)] = &[
    ("10.13", "17", "highsierra"),
    ("10.14", "18", "mojave"),
    ("10.15", "19", "catalina"),
    ("11", "20", "bigsur"),
    ("12", "21", "monterey"),
    ("13", "22", "ventura"),
    ("14", "23", "sonoma"),
    ("15", "24", "sequoia"),
    ("26", "25", "tahoe"),
];

/// Returns the version of a release of macOS, by Spack's name.
pub fn version_of_macos(name: &str) -> Option<&'static str> {
    MACOS.iter().find(|(.., release)| *release == name).map(|(version, ..)| *version)
}

/// The releases of Windows, squeezed, and their build numbers.
const WINDOWS: &[(&str, &str)] = &[
    ("windows10", "10.0.19045"),
    ("windows1022h2", "10.0.19045"),
    ("windows1021h2", "10.0.19044"),
    ("windows11", "10.0.26100"),
    ("windows1125h2", "10.0.26200"),
    ("windows1124h2", "10.0.26100"),
    ("windows1123h2", "10.0.22631"),
    ("windows1122h2", "10.0.22621"),
    ("windowsserver2019", "10.0.17763"),
    ("windowsserver2022", "10.0.20348"),
    ("windowsserver2025", "10.0.26100"),
];

/// An operating system that was recognized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct System {
    pub(super) platform: &'static str,
    /// Spack's name.
    pub(super) os: String,
    /// The libc that it ships, if that is known.
    pub(super) libc: Option<&'static str>,
    /// `true` if only a part of the version was given, and the rest is a guess.
    pub(super) is_guess: bool,
}

/// Reads an operating system from [squeezed](super::squeezed::squeezed) words: `rockylinux9.3`, `jammy`, `macos15`.
pub(super) fn system(squeezed: &str) -> Option<System> {
    linux(squeezed).or_else(|| macos(squeezed)).or_else(|| windows(squeezed))
}

fn linux(squeezed: &str) -> Option<System> {
    for distribution in DISTRIBUTIONS {
        // Also after the name: `ubuntu jammy`.
        let bare = distribution.names.iter().filter_map(|name| squeezed.strip_prefix(name));
        let bare: Vec<&str> = bare.chain([squeezed]).collect();
        let codename = distribution.codenames.iter().find(|(name, _)| bare.contains(name));
        if let Some((_, version)) = codename {
            return Some(distribution.release(version));
        }
        let version = distribution.names.iter().filter_map(|name| squeezed.strip_prefix(name));
        if let Some(version) = version.filter_map(version_of).next() {
            return Some(distribution.release(&version));
        }
    }
    None
}

/// Reads a distribution from the fields of `os-release`.
pub(super) fn of_release(id: &str, version: &str) -> Option<System> {
    let id = match id {
        "ol" => "oracle",
        "opensuse-leap" => "opensuse",
        id => id,
    };
    let distribution = DISTRIBUTIONS.iter().find(|distribution| distribution.id == id)?;
    Some(distribution.release(version))
}

impl Distribution {
    fn release(&self, version: &str) -> System {
        let parts = if self.id == "ubuntu" { 2 } else { 1 };
        let major: Vec<&str> = version.split('.').take(parts).collect();
        System {
            platform: "linux",
            os: format!("{}{}", self.id, major.join(".")),
            libc: self.libc(version),
            is_guess: false,
        }
    }

    fn libc(&self, version: &str) -> Option<&'static str> {
        let is_release = |known: &str| {
            version.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.libcs.iter().find(|(known, _)| is_release(known)).map(|(_, libc)| *libc)
    }
}

/// Returns `true` for the name of a Linux distribution without its version, which decides what runs there.
pub fn lacks_version(word: &str) -> bool {
    DISTRIBUTIONS.iter().any(|distribution| distribution.names.contains(&word))
}

/// Returns the libc that the distribution of this name ships: `glibc@2.34` for `rocky9`. `None` if Spack's name does not
/// decide it, as for `sles15`, whose service packs differ.
pub fn libc_of_distribution(os: &str) -> Option<&'static str> {
    let distribution = |known: &&Distribution| {
        os.strip_prefix(known.id).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let distribution = DISTRIBUTIONS.iter().find(distribution)?;
    distribution.libc(&os[distribution.id.len()..])
}

/// Returns the version in what follows the name of a distribution: `9.3`, `22.04lts`, `15sp4`, `stream9`.
fn version_of(rest: &str) -> Option<String> {
    let rest = rest.strip_prefix("stream").or(rest.strip_prefix('v')).unwrap_or(rest);
    let rest = rest.strip_suffix("lts").unwrap_or(rest);
    let (version, pack) = rest.split_once("sp").unwrap_or((rest, ""));
    let is_version = !version.is_empty()
        && version.split('.').all(|part| {
            !part.is_empty() && part.len() <= 8 && part.bytes().all(|byte| byte.is_ascii_digit())
        });
    let is_pack = pack.len() <= 2 && pack.bytes().all(|byte| byte.is_ascii_digit());
    if !is_version || !is_pack {
        return None;
    }
    Some(if pack.is_empty() { version.to_owned() } else { format!("{version}.{pack}") })
}

fn macos(squeezed: &str) -> Option<System> {
    let system =
        |os: &str| System { platform: "darwin", os: os.to_owned(), libc: None, is_guess: false };
    if let Some((_, _, name)) = MACOS.iter().find(|(_, _, name)| *name == squeezed) {
        return Some(system(name));
    }
    let names = ["macosx", "macos", "osx"];
    let version = names.iter().find_map(|name| squeezed.strip_prefix(name)).and_then(version_of)?;
    let (_, _, name) = MACOS.iter().find(|(known, _, _)| {
        version.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })?;
    Some(system(name))
}

/// Returns the release of macOS that has this version of Apple's kernel, which `uname` prints.
pub(super) fn of_darwin(kernel: &str) -> Option<System> {
    let major = kernel.split('.').next()?;
    MACOS.iter().find(|(_, known, _)| *known == major).and_then(|(_, _, name)| macos(name))
}

fn windows(squeezed: &str) -> Option<System> {
    let known = WINDOWS.iter().find(|(name, _)| *name == squeezed);
    let known = known.map(|(name, build)| (*build, matches!(*name, "windows10" | "windows11")));
    let (build, is_guess) = known.or_else(|| {
        let build = squeezed.strip_prefix("windows")?;
        (build.split('.').count() == 3 && version_of(build).is_some()).then_some((build, false))
    })?;
    Some(System { platform: "windows", os: format!("windows{build}"), libc: None, is_guess })
}

/// Returns the system of a version as Windows prints it: `10.0.20348.2700`.
pub(super) fn of_windows(version: &str) -> Option<System> {
    let build: Vec<&str> = version.split('.').take(3).collect();
    windows(&format!("windows{}", build.join(".")))
}
