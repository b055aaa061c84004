//! What can be found in an input, and what was expected in its place.

use std::fmt;

use crate::database::{NEWEST_VERSION, OLDEST_VERSION};
use cache_index::build::HashError;

/// What was found, and what was expected in its place.
///
/// Texts from the input are kept short and with control characters escaped, see [`quote`](super::quote).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A file of no bytes, or nothing but blank space.
    NothingInIt,
    /// Neither of the kinds of input that are read here.
    UnknownInput {
        /// How it starts.
        found: String,
    },
    /// A file of a mirror without the mirror.
    PartOfAMirror,
    /// An index that was packed already, where the inputs of one were expected.
    AlreadyAnIndex,
    /// The first line of a page is not `---`.
    ExpectedFrontMatter {
        /// The line.
        found: String,
    },
    /// A page ends before the second `---`: it was cut off.
    UnclosedFrontMatter,
    /// Something follows the second `---`.
    TextAfterFrontMatter {
        /// The first line of it.
        found: String,
    },
    /// The YAML reader's own words.
    InvalidYaml {
        /// Without the position.
        message: String,
    },
    /// The JSON reader's own words.
    InvalidJson {
        /// Without the position.
        message: String,
    },
    /// A field that every input of the kind has.
    MissingField,
    /// A field that is not known where an unknown one may change what the others mean.
    UnknownField,
    /// A field that stands twice in one object.
    RepeatedField,
    /// A value of another type.
    UnexpectedType {
        /// What should stand there, such as `a list of texts`.
        expected: &'static str,
        /// The value, or its type if it is long.
        found: String,
    },
    /// A text without characters.
    EmptyText,
    /// A list without elements.
    EmptyList,
    /// The same value twice in one list.
    RepeatedValue {
        /// The value.
        found: String,
    },
    /// `layout` is not `cache`: another kind of page.
    UnknownLayout {
        /// What it is.
        found: String,
    },
    /// `categories` is not `[package, <release>]`.
    ExpectedPackageAndRelease {
        /// What it lists.
        found: String,
    },
    /// `versions` of one build has none or many.
    ExpectedOneVersion {
        /// How many.
        count: usize,
    },
    /// A hash that is none.
    BadHash {
        /// The text.
        found: String,
        /// Why not.
        error: HashError,
    },
    /// A variant that is neither `+x`, `~x`, `k=v` nor `k:=v`.
    NotAVariant {
        /// The text.
        found: String,
    },
    /// One variant set twice in one build.
    RepeatedVariant {
        /// Its name.
        name: String,
    },
    /// One hash in two records of one page.
    RepeatedHash {
        /// The number of the earlier record.
        first: usize,
        /// The first field in which the two differ; none if they are the same.
        difference: Option<&'static str>,
    },
    /// A record says it has another hash than the one it is listed under.
    HashDisagrees {
        /// What it says.
        found: String,
    },
    /// A kind of dependency that is none of `build`, `link`, `run`, `test`.
    UnknownDeptype {
        /// What stands there.
        found: String,
    },
    /// The end of a file within a value.
    CutOff,
    /// A database file of a version that is not read here.
    UnknownDatabaseVersion {
        /// The version.
        found: String,
    },
    /// A database file that is newer than this reader, of which no record can be read.
    DatabaseTooNew {
        /// Its version.
        version: u32,
        /// What was found in its first record.
        message: String,
    },
    /// The input could not be read to its end.
    Unreadable {
        /// The system's own words.
        message: String,
    },
    /// The bytes are no UTF-8.
    NotUtf8 {
        /// The first byte that is wrong, counted from 0.
        byte: usize,
    },
    /// A mirror without a database: nobody has made its index yet.
    NoIndex,
    /// A mirror without the view that was asked for.
    NoView {
        /// Its name.
        view: String,
        /// The views that there are.
        found: Vec<String>,
    },
    /// A v3 manifest of another version.
    UnknownManifestVersion {
        /// Which.
        found: u64,
    },
    /// A checksum that is no sha256.
    UnknownChecksum {
        /// What it is.
        found: String,
    },
    /// A sha256 that is not 64 hexadecimal digits.
    BadDigest {
        /// The text.
        found: String,
    },
    /// A manifest names a blob that is not in the mirror.
    MissingBlob {
        /// Where it should be.
        path: String,
    },
    /// A file has another length than is stated for it.
    LengthDisagrees {
        /// What is stated, in bytes.
        stated: u64,
        /// What it is.
        found: u64,
    },
    /// A file has another sha256 than is stated for it.
    DigestDisagrees {
        /// What is stated.
        stated: String,
        /// What it is.
        found: String,
    },
    /// A number that a page states about itself is not the number of its records.
    CountDisagrees {
        /// What the page says.
        stated: u64,
        /// What its records add up to.
        counted: u64,
    },
    /// A list that a page states about itself has a value that no record has.
    ListedButAbsent {
        /// The value.
        value: String,
    },
    /// A text where a spec was expected.
    NotASpec {
        /// The text.
        found: String,
        /// What the reader of specs says of it.
        message: String,
    },
    /// A root of a lock file whose spec is not in it.
    NoSuchSpec {
        /// The root's hash.
        found: String,
    },
    /// An entry of `definitions` that does not define one name.
    ExpectedOneDefinition,
    /// A reference to a name that is not defined above it.
    NotDefined {
        /// The name.
        name: String,
    },
    /// A row of a matrix that no build can satisfy.
    Contradiction {
        /// Which parts contradict each other.
        message: String,
    },
    /// A matrix of more specs than are expanded.
    TooManySpecs {
        /// How many are.
        limit: usize,
    },
    /// A list that a page states about itself lacks a value that a record has.
    PresentButUnlisted {
        /// The value.
        value: String,
    },
}

impl Finding {
    /// The finding without what stands in this one input, so that those of one kind have one text.
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
            Finding::LengthDisagrees { .. } => "not of the length that is stated",
            Finding::DigestDisagrees { .. } => "not of the sha256 that is stated",
            Finding::CountDisagrees { .. } => "the page states another number than it has",
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
            Finding::AlreadyAnIndex => {
                write!(f, "expected what an index is made from, found an index")
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
