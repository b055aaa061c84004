//! The names that generated caches share with real ones: releases, stacks and machines.

/// The releases, oldest first; `develop` is always the newest.
pub const RELEASES: [&str; 12] = [
    "v0.21.3",
    "v0.22.5",
    "v0.23.1",
    "v1.0.0",
    "v1.0.2",
    "v1.1.0",
    "develop-2025-08-31",
    "v2025.07.0",
    "v2025.11.0",
    "v2026.03.0",
    "v2026.06.0",
    "develop",
];

/// What builds for one kind of machine have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleMachine {
    /// `linux`, `darwin`, `windows`.
    pub platform: &'static str,
    /// The operating system.
    pub os: &'static str,
    /// The microarchitecture.
    pub target: &'static str,
    /// The compiler that CI uses there.
    pub compiler: &'static str,
}

/// A CI environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Its name.
    pub name: &'static str,
    /// The machine that it builds for.
    pub machine: SampleMachine,
}

/// The stacks, except the one that holds a complete release: 29 on 8 OSes and 12 targets, with 8 compilers.
pub const STACKS: [Stack; 29] = [
    stack("e4s", UBUNTU_22, "x86_64_v3", "gcc@11.4.0"),
    stack("ml-linux-x86_64-cpu", UBUNTU_24, "x86_64_v3", "gcc@13.2.0"),
    stack("ml-linux-x86_64-cuda", UBUNTU_24, "x86_64_v3", "gcc@13.2.0"),
    stack("ml-linux-x86_64-rocm", UBUNTU_24, "x86_64_v3", "gcc@13.2.0"),
    stack("ml-linux-aarch64-cpu", UBUNTU_24, "aarch64", "gcc@13.2.0"),
    stack("ml-linux-aarch64-cuda", UBUNTU_24, "aarch64", "gcc@13.2.0"),
    stack("ml-darwin-aarch64-mps", SEQUOIA, "m1", "apple-clang@16.0.0"),
    stack("developer-tools-x86_64_v3-linux-gnu", ROCKY, "x86_64_v3", "gcc@11.4.0"),
    stack("developer-tools-aarch64-linux-gnu", ROCKY, "aarch64", "gcc@11.4.0"),
    stack("developer-tools-darwin", SEQUOIA, "m1", "apple-clang@16.0.0"),
    stack("e4s-oneapi", UBUNTU_22, "x86_64_v3", "oneapi@2024.2.1"),
    stack("e4s-rocm-external", UBUNTU_22, "x86_64_v3", "gcc@11.4.0"),
    stack("e4s-neoverse_v1", UBUNTU_22, "neoverse_v1", "gcc@11.4.0"),
    stack("e4s-neoverse-v2", UBUNTU_22, "neoverse_v2", "gcc@11.4.0"),
    stack("e4s-power", UBUNTU_20, "ppc64le", "gcc@9.4.0"),
    stack("e4s-cray-rhel", RHEL, "zen4", "cce@18.0.0"),
    stack("radiuss", UBUNTU_22, "x86_64_v3", "gcc@11.4.0"),
    stack("radiuss-aws", AMAZON, "skylake_avx512", "gcc@12.4.0"),
    stack("radiuss-aws-aarch64", AMAZON, "neoverse_n1", "gcc@12.4.0"),
    stack("aws-pcluster-x86_64_v4", AMAZON, "x86_64_v4", "oneapi@2024.2.1"),
    stack("aws-pcluster-icelake", AMAZON, "icelake", "gcc@12.4.0"),
    stack("aws-pcluster-neoverse_v1", AMAZON, "neoverse_v1", "gcc@12.4.0"),
    stack("hep", UBUNTU_22, "x86_64_v3", "gcc@11.4.0"),
    stack("data-vis-sdk", UBUNTU_20, "x86_64_v3", "gcc@11.4.0"),
    stack("tutorial", UBUNTU_22, "x86_64_v3", "gcc@12.4.0"),
    stack("build_systems", UBUNTU_22, "x86_64_v3", "gcc@11.4.0"),
    stack("bootstrap-x86_64-linux-gnu", ROCKY, "x86_64", "gcc@9.4.0"),
    stack("gpu-tests", UBUNTU_20, "x86_64_v3", "gcc@11.4.0"),
    stack("windows-vis", WINDOWS, "x86_64", "msvc@19.41.34120"),
];

type Os = (&'static str, &'static str);
const UBUNTU_20: Os = ("linux", "ubuntu20.04");
const UBUNTU_22: Os = ("linux", "ubuntu22.04");
const UBUNTU_24: Os = ("linux", "ubuntu24.04");
const ROCKY: Os = ("linux", "rocky8");
const RHEL: Os = ("linux", "rhel8");
const AMAZON: Os = ("linux", "amzn2");
const SEQUOIA: Os = ("darwin", "sequoia");
const WINDOWS: Os = ("windows", "windows10.0.20348");

const fn stack(
    name: &'static str,
    (platform, os): Os,
    target: &'static str,
    compiler: &'static str,
) -> Stack {
    Stack { name, machine: SampleMachine { platform, os, target, compiler } }
}
