//! One build: a concrete spec and its places in the cache. Every input format is read into it.
//!
//! The terms are Spack's own. A [`Build`] is plain data with all names in full: the crate `cache-ingest` creates
//! builds, the index is packed from them, and the index returns them one at a time. They are not compact; the index is.
//!
//! Variants and dependency types are those of the spec language, [`spack_spec`]. A cache page does
//! not distinguish a list of one value from a single value, so a [`VariantValue::Single`] that was
//! read from a page may be either.
//!
//! Surprises, all seen in real caches:
//!
//! - One hash may be listed many times (in several stacks, releases, or pages of several days); the
//!   contents are then the same except for [`places`](Build::places) and [`size`](Build::size).
//! - A spec can be known without a binary in the cache: an external compiler, the libc, a dependency
//!   that was not pushed. Such a spec has no places and is not counted as a build.
//! - `gcc@=13.2.0` and `gcc@13.2.0` name the same compiler. In a variant, `:=` means the same as `=`, and also that the
//!   list of values is complete.
//! - A build without a compiler (`none` in pages) is normal: it had nothing to compile.

mod places;
mod text;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use spack_spec::{Deptypes, Variant, VariantValue};

pub use self::places::Places;
pub use self::text::SHORT_HASH;
use crate::sorting;

/// A concrete spec known to the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// Spack's DAG hash, which identifies the build.
    pub hash: Hash,
    /// The recipe that it was built from, such as `py-torch`.
    pub package: String,
    /// The repository of that recipe (`builtin`); `None` if the source does not say.
    pub namespace: Option<String>,
    /// As Spack writes it: `1.14.5`, `develop`, `git.develop=develop-2.0`.
    pub version: String,
    /// `linux`, `darwin`, `windows`.
    pub platform: String,
    /// `ubuntu24.04`, `sequoia`.
    pub os: String,
    /// The microarchitecture's name, such as `x86_64_v3`.
    pub target: String,
    /// Name and version as `gcc@13.2.0`; `None` for a build that used no compiler.
    pub compiler: Option<String>,
    /// Where [`compiler`](Build::compiler) was read from, which decides what Spack 1.x finds with `%`.
    pub compiler_source: CompilerSource,
    /// Sorted by name, each name once.
    pub variants: Vec<Variant>,
    /// Compiler flags that were set, sorted by name (`cflags`, `ldflags`), without empty ones.
    pub flags: Vec<(String, Vec<String>)>,
    /// Where the binary is available; empty for a spec that is known only as a dependency.
    pub places: Places,
    /// Size of the binary in bytes; `None` if the source does not say.
    pub size: Option<u64>,
    /// Hash of the recipe; `None` if the source does not say.
    pub package_hash: Option<String>,
    /// `true` if Spack did not build it but found it installed on the machine.
    pub external: bool,
    /// Where Spack found it; `None` if it is not external or the source does not say.
    pub found_at: Option<FoundAt>,
    /// The build whose binary was relinked to other dependencies to make this one, which Spack calls splicing; `None` if it
    /// was not spliced or the source does not say. Spack keeps no compiler of a spliced build.
    pub spliced_from: Option<Hash>,
    /// The version of the spec format in which Spack first wrote it; `None` if the source does not
    /// say.
    pub spec_format: Option<u32>,
    /// The virtual packages that it provides, sorted, as `mpi` or with a version as `libgfortran@5`; `None` if the
    /// source does not say, which only specs of format 6 and later do.
    pub provided_virtuals: Option<Vec<String>>,
    /// The signature of the manifest of its binary; `None` if the source does not say.
    pub signature: Option<Signature>,
    /// What identifies its binary; `None` if the source does not say.
    pub digest: Option<BinaryDigest>,
    /// When the publication in which it first appeared was made, in UTC as `2026-11-21T09:50:00Z`; `None` if every
    /// known publication has it.
    pub first_seen: Option<String>,
    /// Direct dependencies, sorted by package and hash. `None` if the source does not list the
    /// dependencies of builds, as cache pages do not; empty if it does and there are none.
    pub dependencies: Option<Vec<Dependency>>,
}

/// Where on a machine Spack found an external spec. Externals of two machines only count as the same if
/// they were found in the same place.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct FoundAt {
    /// The directory below which it is installed, such as `/usr`; `None` if only modules provide it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// The environment modules to load for it, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<String>,
    /// Its `extra_attributes`, such as the paths of a compiler: a JSON object with sorted keys, as text. `None` if it has
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attributes: Option<String>,
}

/// The first six hexadecimal digits of the sha256 of a binary.
///
/// They show whether the binary was replaced by another one under the same hash: two different binaries share these digits
/// once in 16 million times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BinaryDigest(u32);

impl BinaryDigest {
    /// Takes the beginning of a sha256 in hexadecimal digits; `None` for anything else.
    pub fn of_sha256(digits: &str) -> Option<BinaryDigest> {
        let first = digits.get(..6).filter(|first| first.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(first, 16).ok().map(BinaryDigest)
    }
}

/// The signature of the manifest of a binary, as the text states it: it has not been verified.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signature {
    /// The manifest is not signed.
    Unsigned,
    /// The manifest is signed.
    Signed {
        /// The id of the key in 16 hexadecimal digits; `None` if the signature does not name it.
        key: Option<String>,
    },
}

impl Signature {
    const UNSIGNED: &str = "none";
    const UNKNOWN_KEY: &str = "?";

    /// Returns it as the index stores it: the id of the key, `?` or `none`.
    pub fn text(&self) -> &str {
        match self {
            Signature::Unsigned => Signature::UNSIGNED,
            Signature::Signed { key } => key.as_deref().unwrap_or(Signature::UNKNOWN_KEY),
        }
    }

    /// Reads what [`text`](Signature::text) returns.
    pub fn of_text(text: &str) -> Signature {
        match text {
            Signature::UNSIGNED => Signature::Unsigned,
            Signature::UNKNOWN_KEY => Signature::Signed { key: None },
            key => Signature::Signed { key: Some(key.to_owned()) },
        }
    }
}

/// Where a build's compiler was read from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum CompilerSource {
    /// A separate field: cache pages, and database files up to version 7.
    #[default]
    Field,
    /// The annotation that Spack 1.x keeps for specs which an older Spack wrote.
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
    /// Why it is needed.
    pub deptypes: Deptypes,
    /// The virtual packages that this dependency provides to the dependent (`mpi`, `c`), sorted.
    pub virtuals: Vec<String>,
}

impl Dependency {
    /// Returns `true` if it is needed after the build, not only to build or test.
    pub fn is_needed_to_run(&self) -> bool {
        is_needed_to_run(self.deptypes)
    }
}

/// Returns `true` if a dependency of these types is needed after the build.
pub fn is_needed_to_run(deptypes: Deptypes) -> bool {
    deptypes.intersects(Deptypes::LINK.union(Deptypes::RUN))
}

/// A mirror, by name: the release that a cache was published as, and the CI environment within it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// `develop`, `v2026.03.0`.
    pub release: String,
    /// `e4s`, `ml-linux-x86_64-cuda`, or [`WHOLE_RELEASE`](Place::WHOLE_RELEASE).
    pub stack: String,
}

impl Place {
    /// The stack of a place that contains a whole release: everything in the release's other stacks.
    pub const WHOLE_RELEASE: &str = "root";

    /// Returns the place that contains a whole release.
    pub fn whole_release(release: &str) -> Place {
        Place { release: release.to_owned(), stack: Place::WHOLE_RELEASE.to_owned() }
    }

    /// Returns `true` for the place that contains a whole release.
    pub fn is_whole_release(&self) -> bool {
        Place::holds_release(&self.stack)
    }

    /// Returns `true` for the name of the stack that contains a whole release.
    pub fn holds_release(stack: &str) -> bool {
        stack == Place::WHOLE_RELEASE
    }

    /// Returns its name in addresses, `develop/e4s`.
    pub fn key(&self) -> String {
        format!("{}/{}", self.release, self.stack)
    }
}

impl fmt::Display for Place {
    /// Writes `develop / e4s`, or only one of the two if the cache has no releases or no stacks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.release.as_str(), self.stack.as_str()) {
            ("", "") => f.write_str("this cache"),
            ("", one) | (one, "") => f.write_str(one),
            (release, stack) => write!(f, "{release} / {stack}"),
        }
    }
}

impl Build {
    /// Returns a build about which nothing else is known. Platform, OS and target are empty strings.
    ///
    /// ```
    /// use cache_index::build::Build;
    ///
    /// let hash = "hhw4di5zdxog5o5iymayxskgoslp5c5l".parse()?;
    /// let build = Build { os: "rhel8".into(), ..Build::new(hash, "lz4", "1.10.0") };
    /// assert_eq!((build.package.as_str(), build.dependencies), ("lz4", None));
    /// # Ok::<(), cache_index::build::HashError>(())
    /// ```
    pub fn new(hash: Hash, package: &str, version: &str) -> Build {
        Build {
            hash,
            package: package.to_owned(),
            namespace: None,
            version: version.to_owned(),
            platform: String::new(),
            os: String::new(),
            target: String::new(),
            compiler: None,
            compiler_source: CompilerSource::default(),
            variants: Vec::new(),
            flags: Vec::new(),
            places: Places::default(),
            size: None,
            package_hash: None,
            external: false,
            found_at: None,
            spliced_from: None,
            spec_format: None,
            provided_virtuals: None,
            signature: None,
            digest: None,
            first_seen: None,
            dependencies: None,
        }
    }
    /// Returns `true` if the cache has its binary; otherwise it is only known because other builds depend on it.
    pub fn has_binary(&self) -> bool {
        !self.places.is_empty()
    }

    /// Returns the releases that contain it, sorted.
    pub fn releases(&self) -> Vec<String> {
        // Places are sorted by release first.
        let mut releases: Vec<String> =
            self.places.iter().map(|place| place.release.clone()).collect();
        releases.dedup();
        releases
    }

    /// Returns the stacks that contain it in any release, sorted.
    pub fn stacks(&self) -> Vec<String> {
        let mut stacks: Vec<String> = self.places.iter().map(|place| place.stack.clone()).collect();
        sorting::sort_and_dedup(&mut stacks);
        stacks
    }
}

/// Spack's DAG hash: 160 bits, written as 32 characters of lower-case base32.
///
/// Ordered by its bits, not by its text (in ASCII, digits come before letters).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Hash([u8; Hash::BYTES]);

impl From<Hash> for String {
    fn from(hash: Hash) -> String {
        hash.to_string()
    }
}

impl TryFrom<String> for Hash {
    type Error = HashError;

    fn try_from(text: String) -> Result<Hash, HashError> {
        text.parse()
    }
}

impl std::hash::Hash for Hash {
    /// Hashes three numbers rather than a text, which is faster: reading a cache mostly looks up hashes.
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, rest @ ..] = self.0;
        state.write_u64(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
        state.write_u64(u64::from_le_bytes([i, j, k, l, m, n, o, p]));
        state.write_u32(u32::from_le_bytes(rest));
    }
}

/// The alphabet of [`Hash`](struct@Hash): RFC 4648's base32 in lower case, never padded.
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The digit of each character, or [`NO_DIGIT`].
const DIGITS: [u8; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let mut digit = 0;
    while digit < ALPHABET.len() {
        digits[ALPHABET[digit] as usize] = digit as u8;
        digit += 1;
    }
    digits
};

/// Marks a character that is not a digit; has a bit that no digit has.
const NO_DIGIT: u8 = 0x80;

impl Hash {
    /// Length in bytes.
    pub const BYTES: usize = 20;
    /// Length in characters.
    pub const CHARACTERS: usize = spack_spec::HASH_LENGTH;

    /// Returns the 160 bits, those of the first character first.
    pub fn bytes(&self) -> &[u8; Hash::BYTES] {
        &self.0
    }

    /// Reads exactly 32 characters of base32.
    pub fn from_text(text: &[u8]) -> Result<Hash, HashError> {
        if text.len() != Hash::CHARACTERS {
            let length = String::from_utf8_lossy(text).chars().count();
            return Err(HashError::ExpectedLength32 { length });
        }
        let mut bytes = [0; Hash::BYTES];
        // Eight characters of five bits make five bytes.
        let mut all = 0;
        for (out, characters) in bytes.chunks_exact_mut(5).zip(text.chunks_exact(8)) {
            let mut bits: u64 = 0;
            for &character in characters {
                let digit = DIGITS[usize::from(character)];
                all |= digit;
                bits = bits << 5 | u64::from(digit & !NO_DIGIT);
            }
            out.copy_from_slice(&bits.to_be_bytes()[3..]);
        }
        if all & NO_DIGIT != 0 {
            let is_wrong = |&character: &u8| DIGITS[usize::from(character)] == NO_DIGIT;
            let position = text.iter().position(is_wrong).unwrap_or_default();
            return Err(HashError::NotBase32 { position });
        }
        Ok(Hash(bytes))
    }

    /// Returns the 32 characters.
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

/// Why a text is not a [`Hash`](struct@Hash).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HashError {
    /// The text does not have 32 characters.
    ExpectedLength32 {
        /// The number of characters in the text.
        length: usize,
    },
    /// The text contains a character other than `a` to `z` and `2` to `7`.
    NotBase32 {
        /// The position of the character in bytes, from 0.
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
    fn converts_hashes_between_text_and_bits() {
        for text in ["2dqr6c6tz4lpr32hw5pomh7n2pbjpom4", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa7"] {
            let hash: Hash = text.parse().expect("a hash");
            assert_eq!(hash.to_string(), text);
        }
    }

    #[test]
    fn rejects_invalid_hashes() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            let error = text.parse::<Hash>().expect_err("an invalid hash");
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
