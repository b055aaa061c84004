//! The rule for every output of every command: a command only replaces what it could have written itself, and never an
//! input. It is applied to all outputs of a command before anything is read or written.
//!
//! | at the path is | then |
//! | --- | --- |
//! | nothing, or an empty file, as `mktemp` makes one | it is written |
//! | a file of the same kind that this program has made | it is replaced, or continued if the kind says so |
//! | any other file | refused; a `robots.txt` or `llms.txt` is left alone, because a site has only one |
//! | an input, or another output of the same command | refused |
//! | a folder | refused |
//! | a symbolic link | as what it leads to |
//! | a pipe, a socket, a device; the standard output | written to directly, but refused for what is continued or has several files |
//!
//! A name does not say who made a file: Spack calls the database of a mirror `index.json`, which is also the usual name of
//! an index. So a file is recognized by its contents.
//!
//! | kind | recognized by | continued |
//! | --- | --- | --- |
//! | index | `{"format":` and a number, at its start | |
//! | page in a single file | the element of the app | |
//! | table | the name of this program in the footer of Parquet | |
//! | list of files to carry | its second line, or in JSON its fields | |
//! | facts | `{"facts":` and a number at its start, and nothing else in that object | |
//! | feed | its generator | yes |
//! | page of a site | its generator | yes |
//! | service worker of a site | the list of files | yes |
//! | search of a site | its description | |
//! | file of the interface | `{"api":` and a number, at its start | |
//! | page of a package | its generator | |
//! | script of these pages | a comment in its first line | |
//! | addresses of a site's pages | a comment in its second line | |
//! | `robots.txt` | a comment in its first line | |
//! | `llms.txt` | a comment in its fifth line | |
//! | badge | its fields, and no others | |

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, File, FileType};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use cache_ingest::kind::START;
use serde_json::Value;

use super::{is_standard_output, linked};
use crate::{marks, service_worker};

/// A path that a command is about to write.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    path: PathBuf,
    kind: Kind,
    /// The option or argument that names the path.
    option: &'static str,
}

/// What a command is about to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The index of a cache.
    Index,
    /// A page that needs no other files.
    Page,
    /// One of the tables in Parquet.
    Table,
    /// The files of a mirror that an environment is installed from.
    CarryList,
    /// What was found in binaries.
    Facts,
    /// The publications of a site.
    Feed,
    /// A page of a built site.
    SitePage,
    /// The service worker of a built site.
    Worker,
    /// The description of a search, by which browsers search a site.
    Search,
    /// A file of a site's interface for programs.
    Interface,
    /// The page of a package, or the page that lists all packages.
    PackagePage,
    /// The script of the pages of packages.
    PackageScript,
    /// The addresses of a site's pages.
    Sitemap,
    /// What crawlers may read of a site.
    Robots,
    /// What language models should know of a site.
    Llms,
    /// What badge services read.
    Badge,
    /// Something that is written differently, or stays as it is: no other output may be there.
    Other,
}

/// A file that would be lost, or an output that cannot be written, if a command went on.
#[derive(Debug)]
pub(crate) struct Refusal {
    output: Output,
    why: Why,
}

#[derive(Debug)]
enum Why {
    IsInput,
    IsOutput,
    IsFolder,
    IsForeign,
    IsStream,
    Unreadable(io::Error),
}

impl Output {
    /// Creates an output whose path is given by an option.
    pub(crate) fn new(path: impl Into<PathBuf>, kind: Kind, option: &'static str) -> Output {
        Output { path: path.into(), kind, option }
    }
}

/// Fails if writing any of these outputs would break the rule.
pub(crate) fn may_write<'i>(
    outputs: &[Output],
    inputs: impl IntoIterator<Item = &'i Path>,
) -> Result<(), Refusal> {
    let inputs: Vec<PathBuf> =
        inputs.into_iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut places = HashSet::new();
    for output in outputs {
        let place = place(&output.path);
        let why = match places.contains(&place) {
            true => Some(Why::IsOutput),
            false => why_not(output, &place, &inputs),
        };
        if let Some(why) = why {
            return Err(Refusal { output: output.clone(), why });
        }
        places.insert(place);
    }
    Ok(())
}

/// Returns `true` if this program did not make the file at a path, and so must not replace it.
pub(crate) fn is_foreign(path: &Path, kind: Kind) -> bool {
    let why = why_not(&Output::new(path, kind, ""), &place(path), &[]);
    matches!(why, Some(Why::IsForeign))
}

/// Returns why an output must not be written; `None` if it may be.
fn why_not(Output { path, kind, .. }: &Output, place: &Path, inputs: &[PathBuf]) -> Option<Why> {
    if is_standard_output(path) || path.parent().is_some_and(is_standard_output) {
        return (!kind.is_stream()).then_some(Why::IsStream);
    }
    if *kind == Kind::Other {
        return None;
    }
    // A path that cannot be found or entered is reported when it is written.
    let found = fs::metadata(place).ok()?;
    if inputs.iter().any(|input| input == place) && !is_device(found.file_type()) {
        return Some(Why::IsInput);
    }
    if found.is_dir() {
        return Some(Why::IsFolder);
    }
    if !found.is_file() {
        return (!kind.is_stream()).then_some(Why::IsStream);
    }
    if found.len() == 0 && *kind != Kind::SitePage {
        return None;
    }
    match File::open(place).and_then(|file| kind.has_made(file)) {
        Ok(true) => None,
        Ok(false) => Some(Why::IsForeign),
        Err(error) => Some(Why::Unreadable(error)),
    }
}

/// Returns the path without links, as far as it exists.
pub(crate) fn place(path: &Path) -> PathBuf {
    let path = linked(path).unwrap_or_else(|_| path.to_owned());
    let path = std::path::absolute(&path).unwrap_or(path);
    for folder in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (folder.canonicalize(), path.strip_prefix(folder)) {
            // Joining nothing would add a slash, and no file has a path with one at its end.
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path
}

#[cfg(unix)]
fn is_device(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device()
}

#[cfg(not(unix))]
fn is_device(_: FileType) -> bool {
    false
}

impl Kind {
    /// Returns `true` if an output of this kind may be written to a stream, which keeps nothing. An output that is
    /// continued, or that consists of more than one file, needs a place on the disk.
    fn is_stream(self) -> bool {
        matches!(self, Kind::Index | Kind::Page | Kind::CarryList)
    }

    /// Returns `true` if this program has made a file of this kind.
    pub(super) fn has_made(self, mut file: File) -> io::Result<bool> {
        Ok(match self {
            Kind::Index => starts_with_number(file, b"{\"format\":")?,
            Kind::Interface => starts_with_number(file, b"{\"api\":")?,
            Kind::PackagePage => is_text(&read(file)?, marks::is_package_page),
            Kind::PackageScript => is_text(&read(file)?, marks::is_package_script),
            Kind::Sitemap => is_text(&read(file)?, marks::is_sitemap),
            Kind::Robots => is_text(&read(file)?, marks::is_robots),
            Kind::Llms => is_text(&read(file)?, marks::is_llms),
            Kind::Badge => {
                const FIELDS: [&str; 4] = ["color", "label", "message", "schemaVersion"];
                let value: Value = serde_json::from_slice(&read(file)?).unwrap_or_default();
                let mut fields: Vec<&String> =
                    value.as_object().into_iter().flat_map(|it| it.keys()).collect();
                fields.sort();
                fields == FIELDS
            }
            Kind::Page => {
                const APP: &[u8] = b"<script type=\"application/wasm\" id=\"wasm\">";
                contains(&read(file)?, APP)
            }
            Kind::Table => {
                /// The footer is at the end, and far shorter.
                const LONGEST: u64 = 1 << 20;
                let length = file.seek(SeekFrom::End(0))?;
                file.seek(SeekFrom::Start(length.saturating_sub(LONGEST)))?;
                let end = read(file)?;
                end.ends_with(b"PAR1") && contains(&end, b"cache-explorer ")
            }
            Kind::CarryList => {
                let bytes = read(file)?;
                let second = bytes.split(|&byte| byte == b'\n').nth(1).unwrap_or_default();
                let is_text = second.starts_with(b"# rsync --archive --files-from=");
                is_text || serde_json::from_slice(&bytes).is_ok_and(|value| is_list(&value))
            }
            Kind::Facts => {
                let mut start = Vec::new();
                file.take(START as u64).read_to_end(&mut start)?;
                let number = start.strip_prefix(b"{\"facts\":").unwrap_or_default();
                let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
                digits > 0 && number.get(digits) == Some(&b'}')
            }
            Kind::Feed => command_formats::feed::is_ours(&read(file)?),
            Kind::SitePage => is_text(&read(file)?, marks::is_site_page),
            Kind::Worker => is_text(&read(file)?, service_worker::is_one),
            Kind::Search => is_text(&read(file)?, marks::is_search),
            Kind::Other => true,
        })
    }
}

/// Returns `true` if a file begins with this text and a digit, whatever spaces are in between.
fn starts_with_number(file: File, text: &[u8]) -> io::Result<bool> {
    let mut start = Vec::new();
    file.take(START as u64).read_to_end(&mut start)?;
    start.retain(|byte| !byte.is_ascii_whitespace());
    Ok(start.strip_prefix(text).and_then(<[u8]>::first).is_some_and(u8::is_ascii_digit))
}

fn is_list(value: &Value) -> bool {
    ["files", "bytes", "unknown"].iter().all(|field| value.get(field).is_some())
}

fn read(mut file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_text(bytes: &[u8], is_ours: impl Fn(&str) -> bool) -> bool {
    std::str::from_utf8(bytes).is_ok_and(is_ours)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Index => "an index",
            Kind::Page => "a page in a single file",
            Kind::Table => "a table",
            Kind::CarryList => "a list of files",
            Kind::Facts => "a file of facts",
            Kind::Feed => "a feed",
            Kind::SitePage => "a page of a site",
            Kind::Worker => "a service worker",
            Kind::Search => "the description of a search",
            Kind::Interface => "a file of the interface",
            Kind::PackagePage => "a page of packages",
            Kind::PackageScript => "the script of such pages",
            Kind::Sitemap => "a sitemap",
            Kind::Robots => "a robots.txt",
            Kind::Llms => "an llms.txt",
            Kind::Badge => "a badge",
            Kind::Other => "a new folder",
        })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { output: Output { path, kind, option }, why } = self;
        write!(f, "{}: ", path.display())?;
        match why {
            Why::IsInput => write!(
                f,
                "this is one of the inputs, and would be overwritten; choose another place with {option}"
            ),
            Why::IsOutput => write!(
                f,
                "this command writes something else there; choose another place with {option}"
            ),
            Why::IsFolder => write!(f, "expected a path for {kind}, found a folder"),
            Why::IsForeign => write!(
                f,
                "this is not {kind} that cache-explorer has made, and would be overwritten; \
                 choose another place with {option}, or remove it"
            ),
            Why::IsStream => write!(
                f,
                "expected a path for {kind}, found something that keeps no file; choose another \
                 place with {option}"
            ),
            Why::Unreadable(error) => {
                write!(f, "could not be read to see whether it may be overwritten: {error}")
            }
        }
    }
}

impl std::error::Error for Refusal {}
