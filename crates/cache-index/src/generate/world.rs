//! What a made-up cache has in common with real ones: where builds are, and what they run on.

/// What a stack builds for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Configuration {
    pub(super) platform: &'static str,
    pub(super) os: &'static str,
    pub(super) target: &'static str,
    pub(super) compiler: &'static str,
}

const fn configuration(
    platform: &'static str,
    os: &'static str,
    target: &'static str,
    compiler: &'static str,
) -> Configuration {
    Configuration { platform, os, target, compiler }
}

/// Each os and target at most once: 8 of the one, 12 of the other, 8 compilers.
pub(super) const CONFIGURATIONS: [Configuration; 14] = [
    configuration("linux", "ubuntu22.04", "x86_64_v3", "gcc@11.4.0"),
    configuration("linux", "ubuntu24.04", "x86_64_v3", "gcc@13.2.0"),
    configuration("linux", "ubuntu24.04", "aarch64", "gcc@13.2.0"),
    configuration("darwin", "sequoia", "aarch64", "apple-clang@16.0.0"),
    configuration("linux", "ubuntu22.04", "neoverse_v1", "gcc@11.4.0"),
    configuration("linux", "amzn2", "skylake_avx512", "intel-oneapi-compilers@2024.1.0"),
    configuration("linux", "amzn2", "neoverse_n1", "gcc@12.4.0"),
    configuration("linux", "ubuntu20.04", "x86_64", "gcc@9.4.0"),
    configuration("linux", "sles15", "zen4", "cce@18.0.0"),
    configuration("linux", "rhel8", "x86_64_v4", "llvm@18.1.3"),
    configuration("darwin", "ventura", "m1", "apple-clang@16.0.0"),
    configuration("linux", "rhel8", "ppc64le", "gcc@12.4.0"),
    configuration("linux", "ubuntu24.04", "icelake", "gcc@13.2.0"),
    configuration("linux", "sles15", "zen3", "cce@18.0.0"),
];

/// Stacks, the larger ones first, each with its place in [`CONFIGURATIONS`].
pub(super) const STACKS: [(&str, usize); 29] = [
    ("e4s", 0),
    ("ml-linux-x86_64-cpu", 1),
    ("ml-linux-aarch64-cpu", 2),
    ("ml-linux-x86_64-cuda", 1),
    ("ml-darwin-aarch64-mps", 3),
    ("ml-linux-aarch64-cuda", 2),
    ("ml-linux-x86_64-rocm", 1),
    ("e4s-neoverse-v1", 4),
    ("e4s-rocm-external", 0),
    ("build_systems", 0),
    ("data-vis-sdk", 0),
    ("radiuss", 7),
    ("tutorial", 0),
    ("hep", 1),
    ("developer-tools-x86_64_v3", 1),
    ("developer-tools-aarch64", 2),
    ("developer-tools-darwin", 3),
    ("e4s-oneapi", 5),
    ("aws-pcluster-skylake", 5),
    ("aws-pcluster-neoverse_n1", 6),
    ("e4s-cray-sles", 8),
    ("e4s-cray-rhel", 9),
    ("radiuss-aws", 5),
    ("radiuss-aws-aarch64", 6),
    ("bootstrap-x86_64-darwin", 10),
    ("e4s-power", 11),
    ("aws-isc", 12),
    ("gpu-tests", 7),
    ("tools-sdk", 13),
];

/// Names of the stacks that build for the same.
pub(super) fn stacks_of(configuration: usize) -> Vec<&'static str> {
    STACKS.iter().filter(|stack| stack.1 == configuration).map(|stack| stack.0).collect()
}

/// Newest first.
pub(super) fn releases() -> Vec<String> {
    let dated = (0..7).map(|number| format!("develop-2026-{:02}-01", 7 - number));
    let tagged = ["v2026.03.0", "v2025.11.0", "v0.23.1", "v0.22.5"].map(String::from);
    std::iter::once("develop".to_string()).chain(dated).chain(tagged).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn it_is_as_wide_as_a_real_cache() {
        let distinct = |field: fn(&Configuration) -> &'static str| {
            CONFIGURATIONS.iter().map(field).collect::<BTreeSet<_>>().len()
        };
        assert_eq!((distinct(|c| c.os), distinct(|c| c.target)), (8, 12));
        assert_eq!(distinct(|c| c.compiler), 8);
        assert_eq!(releases().len(), 12);
        assert!((0..CONFIGURATIONS.len()).all(|place| !stacks_of(place).is_empty()));
    }
}
