//! What can be found in an input, and what was expected instead.

use std::borrow::Cow;
use std::fmt;

use crate::database::{NEWEST_VERSION, OLDEST_VERSION};
use crate::foreign::ForeignFile;
use cache_index::build::HashError;
use cache_index::number::{counted, grouped};

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
    /// The input is recognized, and not read.
    Foreign(ForeignFile),
    /// One of the two files of cache.spack.io's data is there, and the other is not.
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
    /// The spec of a build is not what its manifest states.
    DamagedSpec {
        /// The path of the spec.
        path: String,
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

/// A finding's text in two parts: what all findings of its kind have in common, and what this one adds to it.
type Text = (Cow<'static, str>, String);

impl Finding {
    /// Describes the finding without details of this input, so that findings of one kind have the same text.
    pub(super) fn in_general(&self) -> Cow<'static, str> {
        self.text().0
    }

    fn text(&self) -> Text {
        let plain = |general: &'static str| (general.into(), String::new());
        let with = |general: &'static str, detail: String| (general.into(), detail);
        let found = |general, found: &dyn fmt::Display| with(general, format!(", found {found}"));
        let twice = |general, found| with(general, format!(", found {found} twice"));
        let named = |general, named| with(general, format!(": {named}"));
        match self {
            Finding::NothingInIt => plain("there is nothing in it"),
            Finding::UnknownInput { found: it } => found(
                "expected a cache page (which starts with a line `---`), a Spack database, a mirror or a manifest of \
                 mirrors",
                it,
            ),
            Finding::PartOfAMirror => plain(
                "this is a part of a mirror; expected the folder of the mirror, which has build_cache or v3 in it",
            ),
            Finding::Foreign(file) => (file.to_string().into(), String::new()),
            Finding::HalfOfPackageData => plain(
                "this is one of the two files of the data of cache.spack.io; expected package_data.json.gz and \
                 specs_data.json.gz together",
            ),
            Finding::HashWithoutPackage => {
                plain("expected the hash of a build of a package in package_data.json.gz")
            }
            Finding::OutputWithoutHashes => plain(
                "this is what Spack prints about specs, without their hashes; bring the output of `spack find --json`, \
                 `spack find -L` or `spack spec --json`",
            ),
            Finding::JsonWithoutHashes => plain(
                "this output of `spack find --json` has no hashes, as that of Spack before 0.17; bring the spack.lock of \
                 an environment, or a list of specs",
            ),
            Finding::NotInGrammar { found: it } => found(
                "expected letters, digits, `_`, `-` and `.`, as in Spack's names and versions",
                it,
            ),
            Finding::UnknownLayoutVersion { found: it } => {
                with("expected a mirror of version 3", format!(", found version {it}"))
            }
            Finding::UnknownCompression { found: it } => {
                found("expected the compression none, gzip or zstd", it)
            }
            Finding::NoBinary => plain("the binary of this build is not in the mirror"),
            Finding::NoImages => plain(
                "expected a repository with tags that end with .spack, as `spack buildcache push` makes them, found none",
            ),
            Finding::MissingImage => plain("there is no image with this tag"),
            Finding::ExpectedOneLayer { count } => with(
                "expected an image with one layer, the index",
                format!(", found {count} layers"),
            ),
            Finding::ExpectedOneSpec { count } => {
                with("expected a manifest with one spec", format!(", found {count}"))
            }
            Finding::NotAnImage { found: it } => found("expected the manifest of an image", it),
            Finding::ExpectedFrontMatter { found: it } => {
                found("expected a line `---` at the start of a cache page", it)
            }
            Finding::UnclosedFrontMatter => {
                plain("expected a line `---` after the front matter, found the end of the file")
            }
            Finding::TextAfterFrontMatter { found: it } => {
                found("expected nothing after the front matter", it)
            }
            Finding::InvalidYaml { message } => named("not valid YAML", message),
            Finding::InvalidJson { message } => named("not valid JSON", message),
            Finding::MissingField => plain("expected this field, found none"),
            Finding::UnknownField => plain("a field of this name is not known here"),
            Finding::RepeatedField => plain("expected this field once, found it twice"),
            Finding::UnexpectedType { expected, found } => {
                (format!("expected {expected}").into(), format!(", found {found}"))
            }
            Finding::EmptyText => plain("expected a text of at least one character"),
            Finding::EmptyList => plain("expected a list of at least one value"),
            Finding::RepeatedValue { found } => twice("expected each value once", found),
            Finding::UnknownLayout { found: it } => found("expected the layout \"cache\"", it),
            Finding::ExpectedPackageAndRelease { found: it } => {
                found("expected \"package\" and the name of a release", it)
            }
            Finding::ExpectedOneVersion { count } => found("expected exactly one version", count),
            Finding::BadHash { found, error } => {
                with("not a hash", format!(": {error}, in {found}"))
            }
            Finding::NotAVariant { found: it } => {
                found("expected a variant such as +x, ~x, name=value", it)
            }
            Finding::RepeatedVariant { name } => twice("expected each variant once", name),
            Finding::RepeatedHash { first, difference } => with(
                "expected each hash once",
                match difference {
                    None => format!(", but record {first} is the same build"),
                    Some(field) => {
                        format!(", but record {first} has it too and differs in {field}")
                    }
                },
            ),
            Finding::HashDisagrees { found: it } => {
                found("expected the hash that the record is listed under", it)
            }
            Finding::UnknownDeptype { found: it } => found("expected build, link, run or test", it),
            Finding::CutOff => plain("the file ends here, within a value: it was cut off"),
            Finding::UnknownDatabaseVersion { found } => {
                (known_databases().into(), format!(", found version {found}"))
            }
            Finding::DatabaseTooNew { version, message } => (
                (known_databases() + ", or one that can be read like it").into(),
                format!("; found version {version}, in which no record can be read: {message}"),
            ),
            Finding::Unreadable { message } => named("could not be read", message),
            Finding::NotUtf8 { byte } => {
                with("expected UTF-8, found other bytes", format!(" at byte {byte}"))
            }
            Finding::NoIndex => {
                plain("the mirror has no index; `spack buildcache update-index` makes it")
            }
            Finding::NoView { view, found } if found.is_empty() => {
                with("the mirror has no view", format!(" {view}, and no other"))
            }
            Finding::NoView { view, found } => {
                with("the mirror has no view", format!(" {view}, but {}", found.join(", ")))
            }
            Finding::UnknownManifestVersion { found: it } => {
                with("expected a manifest of version 3", format!(", found version {it}"))
            }
            Finding::UnknownChecksum { found: it } => found("expected \"sha256\"", it),
            Finding::BadDigest { found: it } => {
                found("expected a sha256 of 64 hexadecimal digits", it)
            }
            Finding::MissingBlob { path } => {
                named("the mirror lacks a file that this manifest names", path)
            }
            Finding::LengthDisagrees { stated, found } => with(
                "the length differs from the stated one",
                format!(": expected {stated} bytes, found {found}"),
            ),
            Finding::DigestDisagrees { stated, found } => with(
                "the sha256 differs from the stated one",
                format!(": expected {stated}, found {found}"),
            ),
            Finding::DamagedSpec { path, finding } => {
                with("the spec of this build is damaged", format!(": {path}: {finding}"))
            }
            Finding::CountDisagrees { stated, counted } => with(
                "the page states another number than its spec_details have",
                format!(": {stated} instead of {counted}"),
            ),
            Finding::ListedButAbsent { value } => {
                named("the page lists a value that no build in its spec_details has", value)
            }
            Finding::PresentButUnlisted { value } => {
                named("the page leaves out a value that a build in its spec_details has", value)
            }
            Finding::NotASpec { found, message } => {
                with("expected a spec", format!(", found {found}: {message}"))
            }
            Finding::NotAListOfSpecs { wrong, lines } => with(
                "expected a spack.lock, a spack.yaml or a list of specs",
                format!(", but {} of its {} lines are not specs", grouped(*wrong), grouped(*lines)),
            ),
            Finding::MoreNotSpecs { more } => (
                counted(*more, "more line is not a spec", "more lines are not specs").into(),
                String::new(),
            ),
            Finding::NoSuchSpec { found: it } => {
                found("expected the hash of a spec in concrete_specs", it)
            }
            Finding::NotInLock { dependent, absent } => with(
                "the lock file lacks a spec that another depends on",
                format!(": {dependent} depends on {absent}"),
            ),
            Finding::ExpectedOneDefinition => {
                plain("expected one name and its list of specs beside `when`")
            }
            Finding::NotDefined { name } => found("expected a name that is defined above", name),
            Finding::Contradiction { message } => (message.clone().into(), String::new()),
            Finding::TooManySpecs { limit } => {
                let limit = grouped(*limit);
                (
                    format!("expected at most {limit} specs, but this stands for more").into(),
                    String::new(),
                )
            }
            Finding::TooMuchToExpand { limit } => {
                let limit = grouped(*limit);
                (
                    format!("expected specs that combine to at most {limit} characters").into(),
                    String::new(),
                )
            }
        }
    }
}

fn known_databases() -> String {
    format!("expected a Spack database of version {OLDEST_VERSION} to {NEWEST_VERSION}")
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (general, detail) = self.text();
        write!(f, "{general}{detail}")
    }
}
