//! One build: a concrete spec with its place in the cache, as every input format is read into it.
//!
//! The words are Spack's own. A [`Build`] is plain data with all names spelled out; it is what
//! the crate `cache-ingest` makes and what the index is packed from, and what the index gives back
//! when one build is asked for. Nothing here is compact: that is the index's business.
//!
//! Surprises of the domain, all seen in real caches:
//!
//! - One hash may be listed many times (in several stacks, releases, or pages of several days); the
//!   contents are then the same but for [`places`](Build::places) and [`size`](Build::size).
//! - A spec can be known without a binary in the cache: an external compiler, the libc, a dependency
//!   that was not pushed. Such a one has no places, and is not counted as a build.
//! - `gcc@=13.2.0` and `gcc@13.2.0` name the same compiler; `:=` in a variant means what `=` means,
//!   with the list of values known to be complete.
//! - A build without a compiler (`none` in pages) is normal: it has nothing to compile.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::sorting;

/// A concrete spec known to the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// Spack's DAG hash; what makes a build itself.
    pub hash: Hash,
    /// The recipe that it was made from, such as `py-torch`.
    pub package: String,
    /// The repository of that recipe (`builtin`); none where the source does not tell.
    pub namespace: Option<String>,
    /// As Spack writes it: `1.14.5`, `develop`, `git.develop=develop-2.0`.
    pub version: String,
    /// `linux`, `darwin`, `windows`.
    pub platform: String,
    /// `ubuntu24.04`, `sequoia`.
    pub os: String,
    /// The microarchitecture's name, such as `x86_64_v3`.
    pub target: String,
    /// Name and version as `gcc@13.2.0`; none for a build that used no compiler.
    pub compiler: Option<String>,
    /// Where [`compiler`](Build::compiler) was read from, which decides how Spack 1.x answers `%`.
    pub compiler_source: CompilerSource,
    /// Sorted by name, each name once.
    pub variants: Vec<Variant>,
    /// Compiler flags that were set, sorted by name (`cflags`, `ldflags`); empty ones left out.
    pub flags: Vec<(String, Vec<String>)>,
    /// Where the binary can be had; empty for a spec that is known only as a dependency.
    pub places: BTreeSet<Place>,
    /// Size of the binary in bytes, where the source tells.
    pub size: Option<u64>,
    /// Hash of the recipe, where the source tells.
    pub package_hash: Option<String>,
    /// Whether Spack did not build it but found it on the machine.
    pub external: bool,
    /// The version of the spec format in which Spack first wrote it, where the source tells.
    pub spec_format: Option<u32>,
    /// Direct dependencies sorted by package and hash; none where the source lists none for any
    /// build (cache pages), empty where it lists them and there are none.
    pub dependencies: Option<Vec<Dependency>>,
}

/// Where a build's compiler was read from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum CompilerSource {
    /// A field of its own: cache pages, and database files up to version 7.
    #[default]
    Field,
    /// The note that Spack 1.x keeps on specs which an older Spack wrote.
    Annotation,
    /// The dependency that provides `c`, `cxx` or `fortran`: database files from version 8 on.
    Dependency,
}

/// An edge of the dependency graph, seen from the dependent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependency {
    /// The package depended on.
    pub package: String,
    /// The build depended on; it may be unknown to the cache.
    pub hash: Hash,
    /// What it is needed for.
    pub deptypes: Deptypes,
    /// The virtual packages that this dependency stands for here (`mpi`, `c`), sorted.
    pub virtuals: Vec<String>,
}

impl Dependency {
    /// Returns whether it is needed after the build, and not only for building or testing.
    pub fn is_needed_to_run(&self) -> bool {
        self.deptypes.names().any(|name| name == "link" || name == "run")
    }
}

/// What a dependency is needed for: a set of `build`, `link`, `run` and `test`.
///
/// A database file of today's size has millions of dependencies, so this is one byte.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Deptypes(u8);

impl Deptypes {
    /// The names, in the order in which Spack writes them; the set's bits from the lowest on.
    pub const NAMES: [&str; 4] = ["build", "link", "run", "test"];

    /// The set as bits below 16.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// The set of these bits; none for bits from 16 on.
    pub fn from_bits(bits: u8) -> Option<Deptypes> {
        (bits < 1 << Deptypes::NAMES.len()).then_some(Deptypes(bits))
    }

    /// What is in either.
    pub fn union(self, other: Deptypes) -> Deptypes {
        Deptypes(self.0 | other.0)
    }

    /// The names that are in it.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let is_in = move |place: &usize| self.0 & 1 << place != 0;
        (0..Deptypes::NAMES.len()).filter(is_in).map(|place| Deptypes::NAMES[place])
    }

    /// Whether the one of this name is in it.
    pub fn contains(self, name: &str) -> bool {
        self.names().any(|other| other == name)
    }

    /// Adds the one of this name, and says whether there is one of this name.
    pub fn insert(&mut self, name: &str) -> bool {
        let place = Deptypes::NAMES.iter().position(|&known| known == name);
        self.0 |= place.map_or(0, |place| 1 << place);
        place.is_some()
    }
}

impl fmt::Display for Deptypes {
    /// As Spack prints it: `build,link`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join(","))
    }
}

impl fmt::Debug for Deptypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A mirror by name: the release a cache was published as, and the CI environment within it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// `develop`, `v2026.03.0`.
    pub release: String,
    /// `e4s`, `ml-linux-x86_64-cuda`; `root` is the union of all.
    pub stack: String,
}

/// One variant of one build.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variant {
    /// Such as `mpi` or `build_type`.
    pub name: String,
    /// What it is set to.
    pub value: VariantValue,
}

/// What a variant is set to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VariantValue {
    /// `+shared` or `~shared`.
    Bool(bool),
    /// `build_type=Release`. In a cache page this may also be a multi-valued one with one value,
    /// which the page does not tell apart.
    Single(String),
    /// `languages=c,c++`: the complete list, sorted.
    Multi(Vec<String>),
}

impl Build {
    /// Whether the cache has a binary of it; if not, it is known only because others depend on it.
    pub fn has_binary(&self) -> bool {
        !self.places.is_empty()
    }

    /// The releases that have it, sorted.
    pub fn releases(&self) -> Vec<String> {
        // Places are sorted by release first.
        let mut releases: Vec<String> =
            self.places.iter().map(|place| place.release.clone()).collect();
        releases.dedup();
        releases
    }

    /// The stacks that have it, in whichever release, sorted.
    pub fn stacks(&self) -> Vec<String> {
        let mut stacks: Vec<String> = self.places.iter().map(|place| place.stack.clone()).collect();
        sorting::sort_and_dedup(&mut stacks);
        stacks
    }
}

impl fmt::Display for Variant {
    /// As Spack prints it, but without the `:` of a complete list: `+x`, `~x`, `k=v`, `k=a,b`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            VariantValue::Bool(true) => write!(f, "+{}", self.name),
            VariantValue::Bool(false) => write!(f, "~{}", self.name),
            VariantValue::Single(value) => write!(f, "{}={value}", self.name),
            VariantValue::Multi(values) => write!(f, "{}={}", self.name, values.join(",")),
        }
    }
}

/// Spack's DAG hash: 160 bits, written as 32 characters of lower-case base32.
///
/// Ordered by its bits, which is not the order of its text (there, digits come before letters).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash([u8; Hash::BYTES]);

/// The alphabet of [`Hash`]: RFC 4648's base32 in lower case, never padded.
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

impl Hash {
    /// Length in bytes.
    pub const BYTES: usize = 20;
    /// Length in characters.
    pub const CHARACTERS: usize = 32;

    /// The 160 bits, first character first.
    pub fn bytes(&self) -> &[u8; Hash::BYTES] {
        &self.0
    }

    /// Reads 32 characters of base32, nothing else.
    pub fn from_text(text: &[u8]) -> Result<Hash, HashError> {
        if text.len() != Hash::CHARACTERS {
            let length = String::from_utf8_lossy(text).chars().count();
            return Err(HashError::ExpectedLength32 { length });
        }
        let mut bytes = [0; Hash::BYTES];
        // Eight characters of five bits make five bytes.
        for (chunk, (out, characters)) in
            bytes.chunks_exact_mut(5).zip(text.chunks_exact(8)).enumerate()
        {
            let mut bits: u64 = 0;
            for (offset, &character) in characters.iter().enumerate() {
                let digit = match character {
                    b'a'..=b'z' => character - b'a',
                    b'2'..=b'7' => character - b'2' + 26,
                    _ => return Err(HashError::NotBase32 { position: chunk * 8 + offset }),
                };
                bits = bits << 5 | u64::from(digit);
            }
            out.copy_from_slice(&bits.to_be_bytes()[3..]);
        }
        Ok(Hash(bytes))
    }

    /// The 32 characters.
    pub fn text(&self) -> [u8; Hash::CHARACTERS] {
        let mut text = [0; Hash::CHARACTERS];
        for (out, bytes) in text.chunks_exact_mut(8).zip(self.0.chunks_exact(5)) {
            let bits = bytes.iter().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
            for (place, character) in out.iter_mut().enumerate() {
                *character = ALPHABET[(bits >> (35 - 5 * place) & 31) as usize];
            }
        }
        text
    }
}

/// Why a text is no [`Hash`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HashError {
    /// It has another number of characters.
    ExpectedLength32 {
        /// How many it has.
        length: usize,
    },
    /// A character that is not `a` to `z` or `2` to `7`.
    NotBase32 {
        /// Which, counted in bytes from 0.
        position: usize,
    },
}

impl fmt::Display for HashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HashError::ExpectedLength32 { length } => {
                write!(f, "expected a hash of 32 characters, found {length}")
            }
            HashError::NotBase32 { position } => write!(
                f,
                "expected a hash of the letters a to z and the digits 2 to 7, \
                 found another character at position {position}"
            ),
        }
    }
}

impl std::error::Error for HashError {}

impl FromStr for Hash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Hash, HashError> {
        Hash::from_text(text.as_bytes())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.text() {
            write!(f, "{}", char::from(character))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_text_and_bits_are_inverse() {
        for text in ["2dqr6c6tz4lpr32hw5pomh7n2pbjpom4", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa7"] {
            let hash: Hash = text.parse().expect("a hash");
            assert_eq!(hash.to_string(), text);
        }
    }

    #[test]
    fn deptypes_are_a_set_of_four_names() {
        let mut deptypes = Deptypes::default();
        assert_eq!(deptypes.to_string(), "");
        assert!(deptypes.insert("run") && deptypes.insert("build") && deptypes.insert("run"));
        assert!(!deptypes.insert("install"));
        assert_eq!(deptypes.to_string(), "build,run");
        assert!(deptypes.contains("run") && !deptypes.contains("link"));
        assert_eq!(Deptypes::from_bits(deptypes.bits()), Some(deptypes));
        assert_eq!(Deptypes::from_bits(16), None);
    }

    #[test]
    fn what_is_no_hash_says_why() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            let error = text.parse::<Hash>().expect_err("no hash");
            assert_eq!(error.to_string(), expected);
        }
        check("abc", "expected a hash of 32 characters, found 3");
        check("", "expected a hash of 32 characters, found 0");
        check(
            "2dqr6c6tz4lpr32hw5pomh7n2pbjpom1",
            "expected a hash of the letters a to z and the digits 2 to 7, \
             found another character at position 31",
        );
    }
}
