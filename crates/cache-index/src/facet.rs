//! The fields that a person can filter by, and how their values are written.

use std::borrow::Cow;

/// A field that a person can filter by.
///
/// Declared in the order in which the URL, the page and the scripting interface list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Facet {
    /// The recipe's name. Not in the rail: the list of packages is its list of values.
    Package,
    /// The CI environment; a build is in one or more.
    Stack,
    /// The operating system, `ubuntu24.04`.
    Os,
    /// The microarchitecture, `x86_64_v3`.
    Target,
    /// Name and version, `gcc@13.2.0`.
    Compiler,
    /// The package's version.
    Version,
    /// `linux`, `darwin`.
    Platform,
    /// What the cache was published as; a build is in one or more.
    Release,
    /// A variant with one value; a build has many.
    Variant,
    /// A virtual package and what stands for it in a build, `mpi=openmpi@5.0.6`; a build has many.
    /// Only virtual packages for which the cache's builds differ. No build has one where the cache
    /// lists no dependencies.
    Provider,
    /// Name and version of the C library that a build is linked with, `glibc@2.39`; none for builds
    /// that do not list their dependencies.
    Libc,
}

impl Facet {
    /// How many facets there are.
    pub const COUNT: usize = 11;

    /// All of them, in order.
    pub const ALL: [Facet; Facet::COUNT] = [
        Facet::Package,
        Facet::Stack,
        Facet::Os,
        Facet::Target,
        Facet::Compiler,
        Facet::Version,
        Facet::Platform,
        Facet::Release,
        Facet::Variant,
        Facet::Provider,
        Facet::Libc,
    ];

    /// Its place in [`Facet::ALL`].
    pub fn at(self) -> usize {
        self as usize
    }

    /// Its name in URLs and the scripting interface, the same as on cache.spack.io where it is there.
    pub fn key(self) -> &'static str {
        match self {
            Facet::Package => "package",
            Facet::Stack => "stack",
            Facet::Os => "os",
            Facet::Target => "target",
            Facet::Compiler => "compiler",
            Facet::Version => "version",
            Facet::Platform => "platform",
            Facet::Release => "release",
            Facet::Variant => "variant",
            Facet::Provider => "provider",
            Facet::Libc => "libc",
        }
    }

    /// The facet of a name in a URL.
    pub fn from_key(key: &str) -> Option<Facet> {
        Facet::ALL.into_iter().find(|facet| facet.key() == key)
    }

    /// Whether one build can have several values, so that a person can ask for all of the chosen.
    pub fn is_multi_valued(self) -> bool {
        matches!(self, Facet::Stack | Facet::Release | Facet::Variant | Facet::Provider)
    }

    /// The one way of writing a value that has several.
    ///
    /// | facet | written | canonical |
    /// | --- | --- | --- |
    /// | compiler, libc, provider | `gcc@=13.2.0` | `gcc@13.2.0` |
    /// | variant | `mpi`, ` mpi` (a `+` that a program took for a space), `+mpi` | `+mpi` |
    /// | variant | `-mpi` | `~mpi` |
    /// | variant | `cuda_arch:=90` | `cuda_arch=90` |
    ///
    /// Canonical values stay as they are: applying it twice is applying it once.
    pub fn canonical(self, value: &str) -> Cow<'_, str> {
        match self {
            Facet::Compiler | Facet::Libc | Facet::Provider => match value.split_once('@') {
                Some((name, version)) if version.starts_with('=') => {
                    Cow::Owned(format!("{name}@{}", version.trim_start_matches('=')))
                }
                _ => Cow::Borrowed(value),
            },
            Facet::Variant => canonical_variant(value),
            _ => Cow::Borrowed(value),
        }
    }
}

fn canonical_variant(value: &str) -> Cow<'_, str> {
    let value = value.trim_start();
    if let Some(name) = value.strip_prefix('-') {
        return Cow::Owned(format!("~{name}"));
    }
    if value.is_empty() || value.starts_with(['+', '~']) {
        return Cow::Borrowed(value);
    }
    match value.split_once('=') {
        None => Cow::Owned(format!("+{value}")),
        Some((name, set)) if name.ends_with(':') => {
            Cow::Owned(format!("{}={set}", name.trim_end_matches(':')))
        }
        Some(_) => Cow::Borrowed(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_facet_is_found_by_its_key_and_place() {
        for (place, facet) in Facet::ALL.into_iter().enumerate() {
            assert_eq!(facet.at(), place);
            assert_eq!(Facet::from_key(facet.key()), Some(facet));
        }
        assert_eq!(Facet::from_key("not.os"), None);
    }

    #[test]
    fn values_have_one_way_of_writing() {
        #[track_caller]
        fn check(facet: Facet, written: &str, canonical: &str) {
            assert_eq!(facet.canonical(written), canonical);
        }
        check(Facet::Compiler, "gcc@=13.2.0", "gcc@13.2.0");
        check(Facet::Compiler, "gcc@13.2.0", "gcc@13.2.0");
        check(Facet::Provider, "mpi=openmpi@=5.0.6", "mpi=openmpi@5.0.6");
        check(Facet::Variant, "mpi", "+mpi");
        check(Facet::Variant, " mpi", "+mpi");
        check(Facet::Variant, "+mpi", "+mpi");
        check(Facet::Variant, "-mpi", "~mpi");
        check(Facet::Variant, "~mpi", "~mpi");
        check(Facet::Variant, "build_type=Release", "build_type=Release");
        check(Facet::Variant, "cuda_arch:=90", "cuda_arch=90");
        check(Facet::Os, " -x", " -x");
    }

    proptest! {
        #[test]
        fn canonical_is_canonical(value in ".*", facet in 0..Facet::COUNT) {
            let facet = Facet::ALL[facet];
            let once = facet.canonical(&value).into_owned();
            prop_assert_eq!(facet.canonical(&once), once.as_str());
        }
    }
}
