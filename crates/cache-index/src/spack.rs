//! The version of a user's Spack, as far as it affects reuse.
//!
//! | from | what changed |
//! | --- | --- |
//! | 0.22 | On Linux, the libc decides instead of the OS; what gcc or oneapi compiled must depend on their runtime |
//! | 1.0 | Compilers are dependencies; an older Spack cannot read specs with such dependencies |
//! | 1.3 | Specs in formats older than 5, as Spack 0.23 and older wrote them, are not reused |

use std::fmt;
use std::str::FromStr;

use spack_spec::Dialect;

/// A version of Spack by its first two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpackVersion {
    major: u16,
    minor: u16,
}

/// What a Spack requires of the runtime libraries of compilers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtimes {
    /// Nothing.
    NotAsked,
    /// On Linux, a build must depend on the runtime package of the compiler that compiled it.
    Direct,
    /// If a compiler is anywhere in the graph of dependencies, its runtime package must be there too.
    InGraph,
}

/// Where Spack installs builds below the root of its install tree, unless `config:install_tree:projections` says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeLayout {
    /// `linux-x86_64_v3/zlib-1.3.1-HASH`, since Spack 1.0.
    ByTarget,
    /// `linux-ubuntu22.04-x86_64_v3/gcc-12.3.0/zlib-1.3.1-HASH`, before.
    ByCompiler,
}

impl TreeLayout {
    /// Both.
    pub const ALL: [TreeLayout; 2] = [TreeLayout::ByTarget, TreeLayout::ByCompiler];
}

impl SpackVersion {
    /// The current version, which is assumed unless a user states theirs.
    pub const TODAY: SpackVersion = SpackVersion::new(1, 2);

    /// The first version in which compilers are dependencies.
    pub const COMPILER_NODES: SpackVersion = SpackVersion::new(1, 0);

    /// The first version that reads format 6, and no longer reuses specs of older formats.
    pub const NEW_SPECS: SpackVersion = SpackVersion::new(1, 3);

    /// The newest version whose rules are known.
    pub const NEWEST: SpackVersion = SpackVersion::NEW_SPECS;

    /// The first version in which the libc decides on Linux.
    const LIBC: SpackVersion = SpackVersion::new(0, 22);

    const fn new(major: u16, minor: u16) -> SpackVersion {
        SpackVersion { major, minor }
    }

    /// Returns `true` if the libc decides on Linux instead of the OS.
    pub fn judges_libc(self) -> bool {
        self >= SpackVersion::LIBC
    }

    /// Returns what it requires of the runtime libraries of compilers.
    pub fn runtimes(self) -> Runtimes {
        match self {
            version if version < SpackVersion::LIBC => Runtimes::NotAsked,
            version if version < SpackVersion::COMPILER_NODES => Runtimes::Direct,
            version if version < SpackVersion::NEW_SPECS => Runtimes::InGraph,
            _ => Runtimes::NotAsked,
        }
    }

    /// Returns where it installs builds.
    pub fn tree_layout(self) -> TreeLayout {
        match self < SpackVersion::COMPILER_NODES {
            true => TreeLayout::ByCompiler,
            false => TreeLayout::ByTarget,
        }
    }

    /// Returns the dialect in which it reads specs.
    pub fn dialect(self) -> Dialect {
        if self < SpackVersion::COMPILER_NODES { Dialect::V0 } else { Dialect::V1 }
    }
}

impl Default for SpackVersion {
    fn default() -> SpackVersion {
        SpackVersion::TODAY
    }
}

impl fmt::Display for SpackVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The error for a text that is not a version of Spack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotASpackVersion;

impl fmt::Display for NotASpackVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a version of Spack, such as 1.2 or 0.23")
    }
}

impl std::error::Error for NotASpackVersion {}

impl FromStr for SpackVersion {
    type Err = NotASpackVersion;

    /// Reads `1.2`, `v1.2.0`, or what `spack --version` prints: `1.2.0.dev0 (9cf66332df)`.
    fn from_str(text: &str) -> Result<SpackVersion, NotASpackVersion> {
        let text = text.split_whitespace().next().unwrap_or_default();
        let mut numbers = text.strip_prefix('v').unwrap_or(text).split('.');
        let mut number = || {
            let digits = numbers.next().filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
            digits.and_then(|digits| digits.parse().ok()).ok_or(NotASpackVersion)
        };
        Ok(SpackVersion { major: number()?, minor: number()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_spack_prints() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            let version: SpackVersion = text.parse().expect(text);
            assert_eq!(version.to_string(), expected);
            assert_eq!(expected.parse(), Ok(version));
        }
        check("1.2", "1.2");
        check("v0.23.1", "0.23");
        check(" 1.2.0.dev0 (9cf66332df5ef5f0bd4ca9a6d6ea6c4a30b0d8c3)\n", "1.2");
    }

    #[test]
    fn rejects_what_is_not_a_version_of_spack() {
        for text in ["", "1", "develop", "1.x", "1.-2", "99999999.1", "1."] {
            assert_eq!(text.parse::<SpackVersion>(), Err(NotASpackVersion), "{text}");
        }
    }
}
