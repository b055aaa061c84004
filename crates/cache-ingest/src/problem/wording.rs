//! The sentence for each finding: what was found, and what was expected instead.

use std::borrow::Cow;
use std::fmt;

use super::Finding;
use crate::database_version::{NEWEST_VERSION, OLDEST_VERSION};
use cache_index::number::{counted, grouped};

/// The ways in which a file differs from what a manifest states about it: in its length, and in its digest.
pub(crate) const DIFFERING: [&str; 2] =
    ["the length differs from the stated one", "the sha256 differs from the stated one"];

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
            Finding::TooManyPlaces { releases, stacks } => {
                let stacks = counted(*stacks, "stack", "stacks");
                let releases = counted(*releases, "release", "releases");
                with(
                    "expected a build in at most 100,000 places",
                    format!(", found one in {stacks} in each of {releases}"),
                )
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
            // Few servers say which others there are.
            Finding::NoView { view, found } if found.is_empty() => {
                with("the mirror has no view", format!(" {view}"))
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
            Finding::LengthDisagrees { stated, found } => {
                with(DIFFERING[0], format!(": expected {stated} bytes, found {found}"))
            }
            Finding::DigestDisagrees { stated, found } => {
                with(DIFFERING[1], format!(": expected {stated}, found {found}"))
            }
            Finding::DamagedSpec { path, finding } => {
                let path = path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default();
                with("the spec of this build is damaged", format!(": {path}{finding}"))
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
