//! What can be found in an input, and what was expected instead.

use std::fmt;

use crate::database::{NEWEST_VERSION, OLDEST_VERSION};
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
    /// A repository of a registry without an image of Spack's.
    NoImages,
    /// A tag whose image is not there.
    MissingImage,
    /// The image of an index with several layers, or none.
    ExpectedOneLayer {
        /// How many it has.
        count: usize,
    },
    /// A tag of Spack's that leads to something else than an image.
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
    /// The spec of a root is not in the lock file.
    NoSuchSpec {
        /// The root's hash.
        found: String,
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
    /// A matrix has too many specs.
    TooManySpecs {
        /// The maximum number.
        limit: usize,
    },
    /// A list in a page's summary lacks a value that a record has.
    PresentButUnlisted {
        /// The value.
        value: String,
    },
}

impl Finding {
    /// Describes the finding without details of this input, so that findings of one kind have the same text.
    pub(super) fn in_general(&self) -> String {
        let expected = match self {
            Finding::UnexpectedType { expected, .. } => {
                return format!("expected {expected}, found something else");
            }
            Finding::InvalidJson { .. } => "not valid JSON",
            Finding::InvalidYaml { .. } => "not valid YAML",
            Finding::Unreadable { .. } => "could not be read",
            Finding::NotUtf8 { .. } => "expected UTF-8, found other bytes",
            Finding::UnknownInput { .. } => "not an input of a known kind",
            Finding::NotInGrammar { .. } => "not a name or a version by Spack's grammar",
            Finding::UnknownCompression { .. } => "expected the compression none, gzip or zstd",
            Finding::NotAnImage { .. } => "expected the manifest of an image",
            Finding::ExpectedFrontMatter { .. } => {
                "expected a line `---` at the start of a cache page"
            }
            Finding::TextAfterFrontMatter { .. } => "expected nothing after the front matter",
            Finding::UnknownLayout { .. } => "expected the layout \"cache\"",
            Finding::ExpectedPackageAndRelease { .. } => {
                "expected \"package\" and the name of a release"
            }
            Finding::ExpectedOneVersion { .. } => "expected exactly one version",
            Finding::RepeatedValue { .. } => "expected each value once",
            Finding::BadHash { .. } => "not a hash of 32 letters and digits",
            Finding::NotAVariant { .. } => "expected a variant such as +x, ~x, name=value",
            Finding::RepeatedVariant { .. } => "expected each variant once",
            Finding::RepeatedHash { .. } => "expected each hash once",
            Finding::HashDisagrees { .. } => "expected the hash that the record is listed under",
            Finding::UnknownDeptype { .. } => "expected build, link, run or test",
            Finding::BadDigest { .. } => "expected a sha256 of 64 hexadecimal digits",
            Finding::MissingBlob { .. } => "the mirror has no file that this manifest names",
            Finding::LengthDisagrees { .. } => "the length differs from the stated one",
            Finding::DigestDisagrees { .. } => "the sha256 differs from the stated one",
            Finding::CountDisagrees { .. } => {
                "the page states a number that differs from its records"
            }
            Finding::ListedButAbsent { .. } => "the page lists a value that no build has",
            Finding::PresentButUnlisted { .. } => "the page leaves out a value that a build has",
            _ => return self.to_string(),
        };
        expected.to_owned()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::NothingInIt => write!(f, "there is nothing in it"),
            Finding::UnknownInput { found } => write!(
                f,
                "expected a cache page (which starts with a line `---`), a Spack database, \
                 a mirror or a manifest of mirrors, found {found}"
            ),
            Finding::PartOfAMirror => write!(
                f,
                "this is a part of a mirror; expected the folder of the mirror, \
                 which has build_cache or v3 in it"
            ),
            Finding::NotInGrammar { found } => write!(
                f,
                "expected letters, digits, `_`, `-` and `.`, as in Spack's names and versions, found \
                 {found}"
            ),
            Finding::UnknownLayoutVersion { found } => {
                write!(f, "expected a mirror of version 3, found version {found}")
            }
            Finding::UnknownCompression { found } => {
                write!(f, "expected the compression none, gzip or zstd, found {found}")
            }
            Finding::NoImages => write!(
                f,
                "expected a repository with tags that end with .spack, as `spack buildcache push` \
                 makes them, found none"
            ),
            Finding::MissingImage => write!(f, "there is no image with this tag"),
            Finding::ExpectedOneLayer { count } => {
                write!(f, "expected an image with one layer, the index, found {count} layers")
            }
            Finding::NotAnImage { found } => {
                write!(f, "expected the manifest of an image, found {found}")
            }
            Finding::ExpectedFrontMatter { found } => {
                write!(f, "expected a line `---` at the start of a cache page, found {found}")
            }
            Finding::UnclosedFrontMatter => {
                write!(f, "expected a line `---` after the front matter, found the end of the file")
            }
            Finding::TextAfterFrontMatter { found } => {
                write!(f, "expected nothing after the front matter, found {found}")
            }
            Finding::InvalidYaml { message } => write!(f, "not valid YAML: {message}"),
            Finding::InvalidJson { message } => write!(f, "not valid JSON: {message}"),
            Finding::MissingField => write!(f, "expected this field, found none"),
            Finding::UnknownField => write!(f, "a field of this name is not known here"),
            Finding::RepeatedField => write!(f, "expected this field once, found it twice"),
            Finding::UnexpectedType { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            Finding::EmptyText => write!(f, "expected a text of at least one character"),
            Finding::EmptyList => write!(f, "expected a list of at least one value"),
            Finding::RepeatedValue { found } => {
                write!(f, "expected each value once, found {found} twice")
            }
            Finding::UnknownLayout { found } => {
                write!(f, "expected the layout \"cache\", found {found}")
            }
            Finding::ExpectedPackageAndRelease { found } => {
                write!(f, "expected \"package\" and the name of a release, found {found}")
            }
            Finding::ExpectedOneVersion { count } => {
                write!(f, "expected exactly one version, found {count}")
            }
            Finding::BadHash { found, error } => write!(f, "{error}, in {found}"),
            Finding::NotAVariant { found } => {
                write!(f, "expected a variant such as +x, ~x, name=value, found {found}")
            }
            Finding::RepeatedVariant { name } => {
                write!(f, "expected each variant once, found {name} twice")
            }
            Finding::RepeatedHash { first, difference: None } => {
                write!(f, "expected each hash once, but record {first} is the same build")
            }
            Finding::RepeatedHash { first, difference: Some(field) } => {
                write!(f, "record {first} has the same hash, but differs in {field}")
            }
            Finding::HashDisagrees { found } => {
                write!(f, "expected the hash that the record is listed under, found {found}")
            }
            Finding::UnknownDeptype { found } => {
                write!(f, "expected build, link, run or test, found {found}")
            }
            Finding::CutOff => write!(f, "the file ends here, within a value: it was cut off"),
            Finding::UnknownDatabaseVersion { found } => write!(
                f,
                "expected a Spack database of version {OLDEST_VERSION} to {NEWEST_VERSION}, \
                 found version {found}"
            ),
            Finding::DatabaseTooNew { version, message } => write!(
                f,
                "expected a Spack database of version {OLDEST_VERSION} to {NEWEST_VERSION}, or one \
                 that can be read like it; found version {version}, in which no record can be read: \
                 {message}"
            ),
            Finding::Unreadable { message } => write!(f, "could not be read: {message}"),
            Finding::NotUtf8 { byte } => {
                write!(f, "expected UTF-8, found other bytes at byte {byte}")
            }
            Finding::NoIndex => {
                write!(f, "the mirror has no index; `spack buildcache update-index` makes it")
            }
            Finding::NoView { view, found } if found.is_empty() => {
                write!(f, "the mirror has no view {view}, and no other")
            }
            Finding::NoView { view, found } => {
                write!(f, "the mirror has no view {view}, but {}", found.join(", "))
            }
            Finding::UnknownManifestVersion { found } => {
                write!(f, "expected a manifest of version 3, found version {found}")
            }
            Finding::UnknownChecksum { found } => write!(f, "expected \"sha256\", found {found}"),
            Finding::BadDigest { found } => {
                write!(f, "expected a sha256 of 64 hexadecimal digits, found {found}")
            }
            Finding::MissingBlob { path } => {
                write!(f, "the mirror has no file {path}, which this manifest names")
            }
            Finding::LengthDisagrees { stated, found } => {
                write!(f, "expected a file of {stated} bytes, found {found} bytes")
            }
            Finding::DigestDisagrees { stated, found } => {
                write!(f, "expected a file with the sha256 {stated}, found {found}")
            }
            Finding::CountDisagrees { stated, counted } => {
                write!(f, "the page states {stated}, but its spec_details have {counted}")
            }
            Finding::ListedButAbsent { value } => {
                write!(f, "the page lists {value}, which no build in its spec_details has")
            }
            Finding::NotASpec { found, message } => {
                write!(f, "expected a spec, found {found}: {message}")
            }
            Finding::NoSuchSpec { found } => {
                write!(f, "expected the hash of a spec in concrete_specs, found {found}")
            }
            Finding::ExpectedOneDefinition => {
                write!(f, "expected one name and its list of specs beside `when`")
            }
            Finding::NotDefined { name } => {
                write!(f, "expected a name that is defined above, found {name}")
            }
            Finding::Contradiction { message } => write!(f, "{message}"),
            Finding::TooManySpecs { limit } => {
                write!(f, "expected a matrix of at most {limit} specs")
            }
            Finding::PresentButUnlisted { value } => {
                write!(f, "the page leaves out {value}, which a build in its spec_details has")
            }
        }
    }
}
