//! What is wrong with an input, and where.
//!
//! A [`Problem`] is a [`Finding`] at a [`Position`]; its text is one lower-case sentence such as
//! `line 6, record 3 (24fngvd4f3yz7zj63yh4i2wjhfyscqp3), field size: expected "-" or a whole number,
//! found true`. Which input it was found in is the caller's to say.

use std::fmt;

use crate::build::HashError;

/// One thing that is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it was found.
    pub at: Position,
    /// What was found, and what was expected.
    pub finding: Finding,
}

/// A place within an input, as far as it is known; by default the input as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// The byte within the line, counted from 1.
    pub column: Option<usize>,
    /// The record, in inputs that list records.
    pub record: Option<Record>,
    /// The field within the record or the input, with dots between the levels:
    /// `meta.num_specs`; empty for none.
    pub field: String,
}

/// Which record of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Counted from 1.
    pub number: usize,
    /// What the record says its hash is, however wrong; empty if it says nothing.
    pub hash: String,
}

/// What was found, and what was expected in its place.
///
/// Texts from the input are kept short and with control characters escaped, see [`quote`].
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
    /// A field that no known writer of the format writes.
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
    /// Valid JSON, but no database file.
    NotADatabase {
        /// The JSON reader's own words.
        message: String,
    },
    /// A database file of a version that is not read here.
    UnknownDatabaseVersion {
        /// Which.
        found: String,
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
    /// A list that a page states about itself lacks a value that a record has.
    PresentButUnlisted {
        /// The value.
        value: String,
    },
}

/// A text from an input as it is shown in a message: at most 60 characters, in quotes, with quotes,
/// control characters and invisible characters escaped.
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.to_string();
        if at.is_empty() {
            return self.finding.fmt(f);
        }
        write!(f, "{at}: {}", self.finding)
    }
}

impl std::error::Error for Problem {}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        match (self.line, self.column) {
            (Some(line), Some(column)) => parts.push(format!("line {line} column {column}")),
            (Some(line), None) => parts.push(format!("line {line}")),
            (None, _) => {}
        }
        match &self.record {
            Some(Record { number, hash }) if hash.is_empty() => {
                parts.push(format!("record {number}"));
            }
            // A hash that is one stands as it is; what is none may be anything.
            Some(Record { number, hash }) if hash.bytes().all(|b| b.is_ascii_alphanumeric()) => {
                parts.push(format!("record {number} ({hash:.32})"));
            }
            Some(Record { number, hash }) => {
                parts.push(format!("record {number} ({})", quote(hash)));
            }
            None => {}
        }
        if !self.field.is_empty() {
            let field = self.field.escape_debug().to_string();
            parts.push(format!("field {field}"));
        }
        f.write_str(&parts.join(", "))
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
            Finding::NotADatabase { message } => write!(f, "not a Spack database: {message}"),
            Finding::UnknownDatabaseVersion { found } => {
                write!(f, "expected a Spack database of version 5 to 8, found version {found}")
            }
            Finding::Unreadable { message } => write!(f, "could not be read: {message}"),
            Finding::NotUtf8 { byte } => {
                write!(f, "expected UTF-8, found other bytes at byte {byte}")
            }
            Finding::NoIndex => {
                write!(f, "the mirror has no index; `spack buildcache update-index` makes it")
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
            Finding::PresentButUnlisted { value } => {
                write!(f, "the page leaves out {value}, which a build in its spec_details has")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(at: Position, finding: Finding, expected: &str) {
        assert_eq!(Problem { at, finding }.to_string(), expected);
    }

    #[test]
    fn a_problem_says_where_as_far_as_known() {
        let finding = || Finding::MissingField;
        let text = "expected this field, found none";
        check(Position::default(), finding(), text);
        let line = Position { line: Some(6), ..Position::default() };
        check(line.clone(), finding(), &format!("line 6: {text}"));
        let column = Position { column: Some(9), ..line.clone() };
        check(column, finding(), &format!("line 6 column 9: {text}"));
        let record = |hash: &str| Some(Record { number: 3, hash: hash.into() });
        let at = Position { record: record("abc"), field: "size".into(), ..line };
        check(at, finding(), &format!("line 6, record 3 (abc), field size: {text}"));
        let at = Position { record: record(""), ..Position::default() };
        check(at, finding(), &format!("record 3: {text}"));
    }

    #[test]
    fn what_stands_in_the_input_is_shown_escaped_and_short() {
        let record = Some(Record { number: 1, hash: "\u{202e}<\n".into() });
        let at = Position { record, field: "a\u{7}".into(), ..Position::default() };
        check(
            at,
            Finding::EmptyText,
            "record 1 (\"\\u{202e}<\\n\"), field a\\u{7}: \
             expected a text of at least one character",
        );
        assert_eq!(quote("a\"b"), r#""a\"b""#);
        assert_eq!(quote(&"ä".repeat(61)), format!("\"{}\"…", "ä".repeat(60)));
    }

    #[test]
    fn every_finding_is_one_lower_case_sentence() {
        #[track_caller]
        fn check(finding: Finding, expected: &str) {
            assert_eq!(finding.to_string(), expected);
        }
        let found = || "\"x\"".to_string();
        check(Finding::NothingInIt, "there is nothing in it");
        check(
            Finding::UnknownInput { found: found() },
            "expected a cache page (which starts with a line `---`), a Spack database, \
             a mirror or a manifest of mirrors, found \"x\"",
        );
        check(
            Finding::PartOfAMirror,
            "this is a part of a mirror; expected the folder of the mirror, \
             which has build_cache or v3 in it",
        );
        check(Finding::AlreadyAnIndex, "expected what an index is made from, found an index");
        check(
            Finding::ExpectedFrontMatter { found: found() },
            "expected a line `---` at the start of a cache page, found \"x\"",
        );
        check(
            Finding::UnclosedFrontMatter,
            "expected a line `---` after the front matter, found the end of the file",
        );
        check(
            Finding::TextAfterFrontMatter { found: found() },
            "expected nothing after the front matter, found \"x\"",
        );
        check(Finding::InvalidYaml { message: "oh".into() }, "not valid YAML: oh");
        check(Finding::InvalidJson { message: "oh".into() }, "not valid JSON: oh");
        check(Finding::MissingField, "expected this field, found none");
        check(Finding::UnknownField, "a field of this name is not known here");
        check(Finding::RepeatedField, "expected this field once, found it twice");
        check(
            Finding::UnexpectedType { expected: "a text", found: "12".into() },
            "expected a text, found 12",
        );
        check(Finding::EmptyText, "expected a text of at least one character");
        check(Finding::EmptyList, "expected a list of at least one value");
        check(
            Finding::RepeatedValue { found: found() },
            "expected each value once, found \"x\" twice",
        );
        check(
            Finding::UnknownLayout { found: found() },
            "expected the layout \"cache\", found \"x\"",
        );
        check(
            Finding::ExpectedPackageAndRelease { found: found() },
            "expected \"package\" and the name of a release, found \"x\"",
        );
        check(Finding::ExpectedOneVersion { count: 2 }, "expected exactly one version, found 2");
        check(
            Finding::BadHash { found: found(), error: HashError::ExpectedLength32 { length: 1 } },
            "expected a hash of 32 characters, found 1, in \"x\"",
        );
        check(
            Finding::NotAVariant { found: found() },
            "expected a variant such as +x, ~x, name=value, found \"x\"",
        );
        check(
            Finding::RepeatedVariant { name: found() },
            "expected each variant once, found \"x\" twice",
        );
        check(
            Finding::RepeatedHash { first: 2, difference: None },
            "expected each hash once, but record 2 is the same build",
        );
        check(
            Finding::RepeatedHash { first: 2, difference: Some("os") },
            "record 2 has the same hash, but differs in os",
        );
        check(
            Finding::HashDisagrees { found: found() },
            "expected the hash that the record is listed under, found \"x\"",
        );
        check(
            Finding::UnknownDeptype { found: found() },
            "expected build, link, run or test, found \"x\"",
        );
        check(Finding::NotADatabase { message: "oh".into() }, "not a Spack database: oh");
        check(
            Finding::UnknownDatabaseVersion { found: found() },
            "expected a Spack database of version 5 to 8, found version \"x\"",
        );
        check(Finding::Unreadable { message: "oh".into() }, "could not be read: oh");
        check(Finding::NotUtf8 { byte: 7 }, "expected UTF-8, found other bytes at byte 7");
        check(
            Finding::NoIndex,
            "the mirror has no index; `spack buildcache update-index` makes it",
        );
        check(
            Finding::UnknownManifestVersion { found: 4 },
            "expected a manifest of version 3, found version 4",
        );
        check(Finding::UnknownChecksum { found: found() }, "expected \"sha256\", found \"x\"");
        check(
            Finding::BadDigest { found: found() },
            "expected a sha256 of 64 hexadecimal digits, found \"x\"",
        );
        check(
            Finding::MissingBlob { path: "blobs/x".into() },
            "the mirror has no file blobs/x, which this manifest names",
        );
        check(
            Finding::LengthDisagrees { stated: 3, found: 2 },
            "expected a file of 3 bytes, found 2 bytes",
        );
        check(
            Finding::DigestDisagrees { stated: "ab".into(), found: "cd".into() },
            "expected a file with the sha256 ab, found cd",
        );
        check(
            Finding::CountDisagrees { stated: 3, counted: 2 },
            "the page states 3, but its spec_details have 2",
        );
        check(
            Finding::ListedButAbsent { value: found() },
            "the page lists \"x\", which no build in its spec_details has",
        );
        check(
            Finding::PresentButUnlisted { value: found() },
            "the page leaves out \"x\", which a build in its spec_details has",
        );
    }
}
