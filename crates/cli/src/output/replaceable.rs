//! Which files a command may replace: only those that it could have written itself.
//!
//! Names do not say whose a file is: Spack calls the database of a mirror `index.json`, which is also the usual name of
//! an index. So an existing file is recognized by its contents, and no input is overwritten, whatever it is. This is
//! checked before anything is read or written.
//!
//! | kind | recognized by |
//! | --- | --- |
//! | index | `{"format":` and a number, at its start |
//! | page | the element of the app, which only a page in a single file has |
//! | table | the name of this program in the footer of Parquet |
//! | list of files to carry | its second line, or in JSON its fields |
//!
//! An empty file may be replaced, because `mktemp` makes one, and so may what is not a file: a device, a pipe. A built
//! site and a feed are read before they are written, and must be what they are called.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use cache_ingest::kind::START;
use serde_json::Value;

/// What a command is about to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// The index of a cache.
    Index,
    /// A page that needs no other files.
    Page,
    /// A table in Parquet.
    Table,
    /// The files of a mirror that an environment is installed from.
    CarryList,
}

/// A file that would be lost if a command went on.
#[derive(Debug)]
pub(crate) struct Irreplaceable {
    path: PathBuf,
    why: Why,
    /// The option that names the file.
    option: &'static str,
}

#[derive(Debug)]
enum Why {
    IsInput,
    IsNot(Written),
    Unreadable(io::Error),
}

/// Fails if writing to a path would replace an input, or a file of another kind. `option` is that which names the path.
pub(crate) fn may_replace<'i>(
    path: &Path,
    written: Written,
    option: &'static str,
    inputs: impl IntoIterator<Item = &'i Path>,
) -> Result<(), Irreplaceable> {
    let refused = |why| Irreplaceable { path: path.to_owned(), why, option };
    // What cannot be found or entered is reported when it is written.
    let Ok(real) = fs::canonicalize(path) else { return Ok(()) };
    let is_full = fs::metadata(&real).is_ok_and(|found| found.is_file() && found.len() > 0);
    if !is_full {
        return Ok(());
    }
    if inputs.into_iter().any(|input| fs::canonicalize(input).is_ok_and(|input| input == real)) {
        return Err(refused(Why::IsInput));
    }
    match File::open(&real).and_then(|file| is_of_kind(file, written)) {
        Ok(true) => Ok(()),
        Ok(false) => Err(refused(Why::IsNot(written))),
        Err(error) => Err(refused(Why::Unreadable(error))),
    }
}

fn is_of_kind(mut file: File, written: Written) -> io::Result<bool> {
    match written {
        Written::Index => {
            let mut start = Vec::new();
            file.take(START as u64).read_to_end(&mut start)?;
            start.retain(|byte| !byte.is_ascii_whitespace());
            let number = start.strip_prefix(b"{\"format\":").and_then(<[u8]>::first);
            Ok(number.is_some_and(u8::is_ascii_digit))
        }
        Written::Page => {
            const APP: &[u8] = b"<script type=\"application/wasm\" id=\"wasm\">";
            Ok(contains(&read(file)?, APP))
        }
        Written::Table => {
            /// The footer is at the end, and far shorter.
            const LONGEST: u64 = 1 << 20;
            let length = file.seek(SeekFrom::End(0))?;
            file.seek(SeekFrom::Start(length.saturating_sub(LONGEST)))?;
            let end = read(file)?;
            Ok(end.ends_with(b"PAR1") && contains(&end, b"cache-explorer "))
        }
        Written::CarryList => {
            let bytes = read(file)?;
            let second = bytes.split(|&byte| byte == b'\n').nth(1).unwrap_or_default();
            let is_text = second.starts_with(b"# rsync --archive --files-from=");
            Ok(is_text || serde_json::from_slice(&bytes).is_ok_and(|value| is_list(&value)))
        }
    }
}

fn is_list(value: &Value) -> bool {
    ["files", "bytes", "unknown"].iter().all(|field| value.get(field).is_some())
}

fn read(mut file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

impl fmt::Display for Irreplaceable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Irreplaceable { path, why, option } = self;
        write!(f, "{}: ", path.display())?;
        match why {
            Why::IsInput => write!(
                f,
                "this is one of the inputs, and would be overwritten; choose another place with {option}"
            ),
            Why::IsNot(written) => {
                let kind = match written {
                    Written::Index => "an index",
                    Written::Page => "a page in a single file",
                    Written::Table => "a table",
                    Written::CarryList => "a list of files",
                };
                write!(
                    f,
                    "this is not {kind} that cache-explorer has made, and would be overwritten; \
                     choose another place with {option}, or remove it"
                )
            }
            Why::Unreadable(error) => {
                write!(f, "could not be read to see whether it may be overwritten: {error}")
            }
        }
    }
}

impl std::error::Error for Irreplaceable {}
