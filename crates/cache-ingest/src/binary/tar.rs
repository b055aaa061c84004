//! The entries of a tarball, in one pass and in bounded memory.
//!
//! Reads what Python's `tarfile` and GNU tar write: the headers of POSIX with pax extensions, and GNU's long names.
//! Nothing is unpacked. The crate `tar` is not used because it keeps a pax header of any length in memory, and without its
//! support for these, misses the sizes that they state.

use std::io::{self, BufRead};

use super::error::BinaryError;

/// The length of headers; contents are padded to a multiple of it.
const BLOCK: usize = 512;

/// The maximum length of an extension: paths have at most some thousands of bytes.
const LONGEST_EXTENSION: u64 = 1 << 20;

/// The entries of a tarball.
pub(crate) struct Archive<R> {
    input: R,
    /// How many bytes were read.
    at: u64,
    /// How many bytes of the current entry are left.
    left: u64,
    /// The number of bytes between its content and the next header.
    padding: u64,
}

/// An entry, without its content.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) path: Vec<u8>,
    pub(crate) kind: Kind,
    /// The length of its content in bytes.
    pub(crate) size: u64,
    pub(crate) mode: u32,
    /// The path that a link points to.
    pub(crate) target: Vec<u8>,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    File,
    Folder,
    Symlink,
    Hardlink,
    /// A device, a pipe, a sparse file.
    Other,
}

/// What extensions state about the next entry.
#[derive(Default)]
struct Extension {
    path: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    size: Option<u64>,
    is_sparse: bool,
}

impl<R: BufRead> Archive<R> {
    pub(crate) fn new(input: R) -> Archive<R> {
        Archive { input, at: 0, left: 0, padding: 0 }
    }

    /// Skips the rest of the current entry and returns the next one; `None` at the end.
    pub(crate) fn next_entry(&mut self) -> Result<Option<Header>, BinaryError> {
        let mut extension = Extension::default();
        loop {
            self.skip_content()?;
            let Some(block) = self.block()? else { return Ok(None) };
            let type_flag = block[156];
            let size = match (number(&block[124..136]), type_flag) {
                // Links and folders have no content, whatever the size says.
                (_, b'1'..=b'6') => 0,
                (Some(size), _) => size,
                (None, _) => return Err(self.bad_header()),
            };
            match type_flag {
                b'x' | b'g' | b'L' | b'K' => {
                    (self.left, self.padding) = (size, padding(size));
                    let bytes = self.extension()?;
                    match type_flag {
                        b'x' => {
                            read_pax(&bytes, &mut extension).ok_or_else(|| self.bad_header())?
                        }
                        b'L' => extension.path = Some(until_nul(&bytes).to_vec()),
                        b'K' => extension.target = Some(until_nul(&bytes).to_vec()),
                        // A header for all entries only has times and owners.
                        _ => {}
                    }
                }
                _ => {
                    let size = match type_flag {
                        b'1'..=b'6' => 0,
                        _ => extension.size.unwrap_or(size),
                    };
                    (self.left, self.padding) = (size, padding(size));
                    let kind = match type_flag {
                        _ if extension.is_sparse => Kind::Other,
                        b'0' | b'\0' | b'7' => Kind::File,
                        b'1' => Kind::Hardlink,
                        b'2' => Kind::Symlink,
                        b'5' => Kind::Folder,
                        _ => Kind::Other,
                    };
                    let mode = number(&block[100..108]).ok_or_else(|| self.bad_header())?;
                    return Ok(Some(Header {
                        path: extension.path.unwrap_or_else(|| path(&block)),
                        kind,
                        size,
                        mode: (mode & 0o7777) as u32,
                        target: extension
                            .target
                            .unwrap_or_else(|| until_nul(&block[157..257]).to_vec()),
                    }));
                }
            }
        }
    }

    /// Returns the next piece of the content of the current entry; empty at its end. The bytes that the caller used
    /// must be [consumed](Archive::consume).
    pub(crate) fn piece(&mut self) -> Result<&[u8], BinaryError> {
        if self.left == 0 {
            return Ok(&[]);
        }
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        let piece = self.input.fill_buf()?;
        if piece.is_empty() {
            return Err(BinaryError::CutOff);
        }
        Ok(&piece[..piece.len().min(left)])
    }

    /// Moves past bytes of a piece.
    pub(crate) fn consume(&mut self, count: usize) {
        self.input.consume(count);
        self.left -= count as u64;
        self.at += count as u64;
    }

    /// Reads the content of the current entry, if it has at most `longest` bytes.
    pub(crate) fn content(&mut self, longest: u64) -> Result<Option<Vec<u8>>, BinaryError> {
        if self.left > longest {
            return Ok(None);
        }
        let mut content = Vec::new();
        loop {
            let piece = self.piece()?;
            if piece.is_empty() {
                return Ok(Some(content));
            }
            content.extend_from_slice(piece);
            let count = piece.len();
            self.consume(count);
        }
    }

    fn extension(&mut self) -> Result<Vec<u8>, BinaryError> {
        let limit = LONGEST_EXTENSION;
        self.content(limit)?.ok_or(BinaryError::HeaderTooLong { limit })
    }

    fn skip_content(&mut self) -> Result<(), BinaryError> {
        self.left += std::mem::take(&mut self.padding);
        loop {
            let count = self.piece()?.len();
            if count == 0 {
                return Ok(());
            }
            self.consume(count);
        }
    }

    /// Reads a header; `None` at the end, which is a block of zeros.
    fn block(&mut self) -> Result<Option<[u8; BLOCK]>, BinaryError> {
        let mut block = [0; BLOCK];
        match self.input.read_exact(&mut block) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(if self.at == 0 {
                    BinaryError::NotATarball
                } else {
                    BinaryError::CutOff
                });
            }
            outcome => outcome?,
        }
        if block.iter().all(|&byte| byte == 0) {
            return Ok(None);
        }
        self.at += BLOCK as u64;
        let sum = block.iter().enumerate().map(|(at, &byte)| match at {
            // The bytes of the sum itself count as blanks.
            148..156 => u64::from(b' '),
            _ => u64::from(byte),
        });
        if number(&block[148..156]) != Some(sum.sum()) {
            return Err(self.bad_header());
        }
        Ok(Some(block))
    }

    /// Returns the error for the header that was just read.
    fn bad_header(&self) -> BinaryError {
        match self.at.saturating_sub(BLOCK as u64) {
            0 => BinaryError::NotATarball,
            at => BinaryError::BadHeader { at },
        }
    }
}

fn padding(size: u64) -> u64 {
    size.wrapping_neg() % BLOCK as u64
}

fn until_nul(field: &[u8]) -> &[u8] {
    let end = field.iter().position(|&byte| byte == 0);
    &field[..end.unwrap_or(field.len())]
}

/// Returns the path in a header, which may be in two parts.
fn path(block: &[u8; BLOCK]) -> Vec<u8> {
    let name = until_nul(&block[..100]);
    let start = until_nul(&block[345..500]);
    // GNU tar has something else where the first part would be.
    if start.is_empty() || &block[257..263] != b"ustar\0" {
        return name.to_vec();
    }
    [start, b"/", name].concat()
}

/// Reads a number in octal digits, or, if the first bit is set, in binary.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let (first, rest) = field.split_first()?;
        let mut number = u64::from(first & 0x7f);
        for &byte in rest {
            number = number.checked_mul(256)? | u64::from(byte);
        }
        return Some(number);
    }
    let digits = until_nul(field).trim_ascii();
    let mut number: u64 = 0;
    for &digit in digits {
        if !matches!(digit, b'0'..=b'7') {
            return None;
        }
        number = number.checked_mul(8)? | u64::from(digit - b'0');
    }
    Some(number)
}

/// Reads the records of a pax header: `20 path=opt/spack/x`, each with its length. `None` if one is damaged.
fn read_pax(mut bytes: &[u8], extension: &mut Extension) -> Option<()> {
    while !until_nul(bytes).is_empty() {
        let blank = bytes.iter().position(|&byte| byte == b' ')?;
        let length: usize = std::str::from_utf8(&bytes[..blank]).ok()?.parse().ok()?;
        let record = bytes.get(blank + 1..length)?.strip_suffix(b"\n")?;
        bytes = &bytes[length..];
        let at = record.iter().position(|&byte| byte == b'=')?;
        let (key, value) = (&record[..at], &record[at + 1..]);
        match key {
            b"path" => extension.path = Some(value.to_vec()),
            b"linkpath" => extension.target = Some(value.to_vec()),
            b"size" => {
                extension.size = Some(std::str::from_utf8(value).ok()?.parse().ok()?);
            }
            key if key.starts_with(b"GNU.sparse.") => extension.is_sparse = true,
            _ => {}
        }
    }
    Some(())
}
