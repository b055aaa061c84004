//! What can be found in an input.

use crate::foreign::ForeignFile;
use cache_index::build::HashError;

/// What was found, and what was expected instead.
///
/// Texts from the input are kept short and their control characters are escaped, see [`quote`](super::quote).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The file is empty or only white space.
    NothingInIt,
    /// The input is of no known kind.
    UnknownInput {
        /// How the input starts.
        found: String,
    },
    /// The input is a file of a mirror without the rest of the mirror.
    PartOfAMirror,
    /// The input is recognized, but is not read.
    Foreign(ForeignFile),
    /// One of the two files of cache.spack.io's data is missing.
    HalfOfPackageData,
    /// A build of cache.spack.io's data that is in no package.
    HashWithoutPackage,
    /// The output of Spack does not show the hashes of specs.
    OutputWithoutHashes,
    /// The output of `spack find --json` has no hashes.
    JsonWithoutHashes,
    /// A name or a version that Spack's grammar does not allow.
    NotInGrammar {
        /// The text.
        found: String,
    },
    /// The layout of a mirror of another version.
    UnknownLayoutVersion {
        /// The version.
        found: u64,
    },
    /// A compression that Spack does not know.
    UnknownCompression {
        /// Its name.
        found: String,
    },
    /// A build without a binary in its mirror.
    NoBinary,
    /// A repository of a registry without an image of Spack's.
    NoImages,
    /// A tag whose image is not there.
    MissingImage,
    /// The image of an index with several layers, or none.
    ExpectedOneLayer {
        /// How many it has.
        count: usize,
    },
    /// A manifest of a build that names several specs, or none.
    ExpectedOneSpec {
        /// How many it names.
        count: usize,
    },
    /// A tag of Spack's that points to something other than an image.
    NotAnImage {
        /// Its media type.
        found: String,
    },
    /// The first line of a page is not `---`.
    ExpectedFrontMatter {
        /// The line.
        found: String,
    },
    /// A page ends before the second `---`: it was cut off.
    UnclosedFrontMatter,
    /// There is text after the second `---`.
    TextAfterFrontMatter {
        /// Its first line.
        found: String,
    },
    /// The text is not valid YAML.
    InvalidYaml {
        /// The YAML reader's message, without the position.
        message: String,
    },
    /// The text is not valid JSON.
    InvalidJson {
        /// The JSON reader's message, without the position.
        message: String,
    },
    /// A field is missing that every input of this kind has.
    MissingField,
    /// A field is not known, where an unknown field may change the meaning of the others.
    UnknownField,
    /// A field occurs twice in one object.
    RepeatedField,
    /// A value has the wrong type.
    UnexpectedType {
        /// What was expected, such as `a list of texts`.
        expected: &'static str,
        /// The value, or its type if it is long.
        found: String,
    },
    /// A text is empty.
    EmptyText,
    /// A list is empty.
    EmptyList,
    /// A list contains a value twice.
    RepeatedValue {
        /// The value.
        found: String,
    },
    /// `layout` is not `cache`: another kind of page.
    UnknownLayout {
        /// The layout that was found.
        found: String,
    },
    /// `categories` is not `[package, <release>]`.
    ExpectedPackageAndRelease {
        /// What the list contains.
        found: String,
    },
    /// `versions` of one build has none or many.
    ExpectedOneVersion {
        /// The number of versions.
        count: usize,
    },
    /// A hash is malformed.
    BadHash {
        /// The text.
        found: String,
        /// What is wrong with it.
        error: HashError,
    },
    /// A variant is not of the form `+x`, `~x`, `k=v` or `k:=v`.
    NotAVariant {
        /// The text.
        found: String,
    },
    /// A variant is set twice in one build.
    RepeatedVariant {
        /// Its name.
        name: String,
    },
    /// Two records of one page have the same hash.
    RepeatedHash {
        /// The number of the earlier record.
        first: usize,
        /// The first field in which the two differ; `None` if they are the same.
        difference: Option<&'static str>,
    },
    /// A record states a different hash than the one it is listed under.
    HashDisagrees {
        /// The hash that it states.
        found: String,
    },
    /// A build is in more places than are read.
    TooManyPlaces {
        /// The number of releases that it names.
        releases: usize,
        /// The number of stacks that it names; it counts as being in each of them in each release.
        stacks: usize,
    },
    /// A dependency type is not `build`, `link`, `run` or `test`.
    UnknownDeptype {
        /// The text that was found.
        found: String,
    },
    /// The file ends within a value.
    CutOff,
    /// A database file has a version that cannot be read.
    UnknownDatabaseVersion {
        /// The version.
        found: String,
    },
    /// A database file is newer than this reader, and none of its records can be read.
    DatabaseTooNew {
        /// Its version.
        version: u32,
        /// The problem with its first record.
        message: String,
    },
    /// The input could not be read to its end.
    Unreadable {
        /// The system's message.
        message: String,
    },
    /// The bytes are not UTF-8.
    NotUtf8 {
        /// The first invalid byte, counted from 0.
        byte: usize,
    },
    /// A mirror has no database, because its index was never made.
    NoIndex,
    /// A mirror does not have the view that was asked for.
    NoView {
        /// Its name.
        view: String,
        /// The views that exist.
        found: Vec<String>,
    },
    /// A v3 manifest has an unknown version.
    UnknownManifestVersion {
        /// The version.
        found: u64,
    },
    /// A checksum is not a sha256.
    UnknownChecksum {
        /// The algorithm that was found.
        found: String,
    },
    /// A sha256 is not 64 hexadecimal digits.
    BadDigest {
        /// The text.
        found: String,
    },
    /// A manifest lists a blob that is not in the mirror.
    MissingBlob {
        /// The path where it should be.
        path: String,
    },
    /// The length of a file is not the stated one.
    LengthDisagrees {
        /// The stated length in bytes.
        stated: u64,
        /// The actual length.
        found: u64,
    },
    /// The sha256 of a file is not the stated one.
    DigestDisagrees {
        /// The stated digest.
        stated: String,
        /// The actual digest.
        found: String,
    },
    /// The spec of a build cannot be used, or is not what its manifest states.
    DamagedSpec {
        /// The path of the spec; `None` if the problem is in the spec itself.
        path: Option<String>,
        /// What is wrong with it.
        finding: Box<Finding>,
    },
    /// The number that a page states is not the number of its records.
    CountDisagrees {
        /// The number that the page states.
        stated: u64,
        /// The number of its records.
        counted: u64,
    },
    /// A list in a page's summary contains a value that no record has.
    ListedButAbsent {
        /// The value.
        value: String,
    },
    /// A text is not a spec.
    NotASpec {
        /// The text.
        found: String,
        /// The message of the spec reader.
        message: String,
    },
    /// Most lines of a text are not specs, so it is not a list of specs.
    NotAListOfSpecs {
        /// How many lines are not.
        wrong: usize,
        /// How many lines are not empty.
        lines: usize,
    },
    /// More lines are not specs than are listed.
    MoreNotSpecs {
        /// How many.
        more: usize,
    },
    /// The spec of a root is not in the lock file.
    NoSuchSpec {
        /// The root's hash.
        found: String,
    },
    /// A dependency is not in the lock file.
    NotInLock {
        /// What depends on it.
        dependent: String,
        /// The dependency.
        absent: String,
    },
    /// An entry of `definitions` does not define exactly one name.
    ExpectedOneDefinition,
    /// A reference uses a name that is not defined above it.
    NotDefined {
        /// The name.
        name: String,
    },
    /// No build can satisfy a row of a matrix.
    Contradiction {
        /// The parts that contradict each other.
        message: String,
    },
    /// A list stands for too many specs.
    TooManySpecs {
        /// The maximum number.
        limit: usize,
    },
    /// A list stands for specs that are too long.
    TooMuchToExpand {
        /// The maximum number of characters.
        limit: usize,
    },
    /// A list in a page's summary lacks a value that a record has.
    PresentButUnlisted {
        /// The value.
        value: String,
    },
}

impl Finding {
    /// Returns `true` if the bytes of a file differ from their stated length or digest.
    pub(crate) fn is_about_bytes(&self) -> bool {
        matches!(self, Finding::LengthDisagrees { .. } | Finding::DigestDisagrees { .. })
    }
}
