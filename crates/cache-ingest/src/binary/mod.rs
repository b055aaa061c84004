//! A binary: the tarball of a build, as Spack packs it.
//!
//! [`read_binary`] reads one from its first byte to its last, once, without unpacking it anywhere, and returns
//! [`Facts`], or why there are none. It needs no more memory for a long tarball than for a short one, except for the list
//! of its files, which is limited.
//!
//! Surprises:
//!
//! - the prefix is known from the tarball's folders, because `.spack` is its first entry, but the root of the install tree
//!   only from `.spack/binary_distribution`, which is its last;
//! - the folders above the prefix are entries too; some writers leave them out, or have only the last part of the prefix;
//! - only the first name of a hard link has content;
//! - Spack does not install a build with files outside its prefix, so such a file is a problem of the build.
//!
//! Tarballs come from anywhere, so everything has a limit: entries, paths, extensions of headers, decompressed bytes
//! and their ratio to compressed ones. A binary that exceeds one is a problem of its build.

mod build_info;
mod error;
mod kept;
mod object;
mod strings;
pub(crate) mod tar;
#[cfg(test)]
mod tests;

use std::io::{BufReader, Read};

use cache_index::facts::{Entry, EntryKind, Facts, Mode, Object};
use memchr::memmem::Finder;

use self::build_info::{BUILD_INFO, BuildInfo};
pub use self::error::BinaryError;
use self::kept::FileExcerpt;
use self::object::{describe, may_be_object, readable};
use self::strings::{Scanner, Strings, start_of_prefixes, uses};
use self::tar::{Archive, Header, Kind};
use crate::compression::{SizeLimit, decompress};
use crate::digest::{DigestReader, Fingerprint, Sha256Text};

/// The maximum number of entries: the largest packages have some 200,000.
const MAX_ENTRIES: usize = 400_000;

/// The maximum length of all paths in bytes.
const MAX_PATHS: usize = 40 << 20;

/// The maximum size of a decompressed tarball in bytes.
const MAX_UNPACKED: u64 = 64_000_000_000;

/// The maximum length of `binary_distribution`.
const MAX_BUILD_INFO: u64 = 32 << 20;

/// The size of the pieces in which a tarball is read.
const PIECE: usize = 1 << 17;

/// A binary that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// The digest of the tarball.
    pub digest: Sha256Text,
    /// What is in it.
    pub facts: Facts,
}

/// Reads a binary, and compares it with its stated length and digest.
///
/// # Errors
///
/// If it differs from `stated`, or is not a tarball that Spack would install.
pub fn read_binary(input: impl Read, stated: Option<&Fingerprint>) -> Result<Binary, BinaryError> {
    let length = stated.and_then(|stated| stated.length).unwrap_or(MAX_UNPACKED);
    let mut input = DigestReader::new(input.take(length.saturating_add(1)));
    let read = read_tarball(&mut input);
    let read = match (read, stated) {
        (Err(error), None) => return Err(error),
        (read, _) => read,
    };
    let (digest, size) = input.digest()?;
    // A damaged download also causes other errors, so the difference is reported instead of them.
    let differences = stated.map(|stated| stated.differences(&digest, size)).unwrap_or_default();
    if let Some(finding) = differences.into_iter().next() {
        return Err(BinaryError::NotAsStated(finding));
    }
    let mut facts = read?;
    facts.size = size;
    Ok(Binary { digest, facts })
}

fn read_tarball(input: impl Read) -> Result<Facts, BinaryError> {
    let input = decompress(input, SizeLimit(MAX_UNPACKED))?;
    let mut archive = Archive::new(BufReader::with_capacity(PIECE, input));
    let mut contents = Contents::default();
    while let Some(header) = archive.next_entry()? {
        contents.add(header, &mut archive)?;
    }
    contents.facts()
}

/// Returns the prefix of a binary, which the first entries of its tarball show: `cut` may end anywhere after them.
///
/// # Errors
///
/// If these bytes do not show the prefix.
pub fn read_prefix(cut: impl Read) -> Result<String, BinaryError> {
    let mut archive = Archive::new(BufReader::new(decompress(cut, SizeLimit(MAX_UNPACKED))?));
    let mut contents = Contents::default();
    while let Some(header) = archive.next_entry()? {
        contents.add(header, &mut archive)?;
        if let Some(prefix) = &contents.prefix {
            return Ok(format!("/{prefix}"));
        }
    }
    Err(BinaryError::NoBuildInfo)
}

/// The contents of a tarball that have been read so far.
#[derive(Default)]
struct Contents {
    entries: Vec<Entry>,
    /// The length of all paths.
    paths: usize,
    /// The folder that `.spack` is in.
    prefix: Option<String>,
    objects: Vec<(Object, Strings)>,
    /// The number of bytes that the strings of objects may still take.
    strings: Option<usize>,
    info: Option<BuildInfo>,
}

impl Contents {
    fn add(
        &mut self,
        header: Header,
        archive: &mut Archive<impl std::io::BufRead>,
    ) -> Result<(), BinaryError> {
        let Some(entry) = entry(header)? else { return Ok(()) };
        if self.entries.len() == MAX_ENTRIES {
            return Err(BinaryError::TooManyEntries { limit: MAX_ENTRIES });
        }
        self.paths += entry.path.len() + entry.target.as_ref().map_or(0, String::len);
        if self.paths > MAX_PATHS {
            return Err(BinaryError::TooManyPaths { limit: MAX_PATHS });
        }
        // As in Spack, the `.spack` with the shortest path counts: a build may contain others, for its tests.
        let path = entry.path.as_str();
        let prefix = path.strip_suffix("/.spack/binary_distribution");
        if let Some(prefix) = prefix.or(path.strip_suffix("/.spack"))
            && self.prefix.as_ref().is_none_or(|known| prefix.len() < known.len())
        {
            self.prefix = Some(prefix.to_owned());
        }
        if entry.kind == EntryKind::File {
            let path = self.prefix.as_deref().and_then(|prefix| below(&entry.path, prefix));
            if path == Some(BUILD_INFO) {
                let content = archive.content(MAX_BUILD_INFO)?;
                let too_long = || BinaryError::BadBuildInfo {
                    message: format!("it has more than {MAX_BUILD_INFO} bytes"),
                };
                self.info = Some(build_info::read(&content.ok_or_else(too_long)?)?);
            } else {
                self.read_object(&entry.path, archive)?;
            }
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Reads a file if it is a program, a library or an object file.
    fn read_object(
        &mut self,
        path: &str,
        archive: &mut Archive<impl std::io::BufRead>,
    ) -> Result<(), BinaryError> {
        // The first piece may be shorter than four bytes.
        let mut start = Vec::new();
        while start.len() < 4 {
            let piece = archive.piece()?;
            if piece.is_empty() {
                return Ok(());
            }
            let count = piece.len().min(4 - start.len());
            start.extend_from_slice(&piece[..count]);
            archive.consume(count);
        }
        if !may_be_object(&start) {
            return Ok(());
        }
        let begins = self.prefix.as_deref().and_then(start_of_prefixes);
        let finder = begins.as_ref().map(Finder::new);
        let budget = self.strings.get_or_insert_with(strings::budget);
        let mut scanner = finder.as_ref().map(|start| Scanner::new(start, budget));
        let mut kept = FileExcerpt::default();
        kept.keep(&start);
        loop {
            let piece = archive.piece()?;
            if piece.is_empty() {
                break;
            }
            if let Some(scanner) = &mut scanner {
                scanner.read(piece);
            }
            kept.keep(piece);
            let count = piece.len();
            archive.consume(count);
        }
        let Some(mut object) = describe(&kept) else { return Ok(()) };
        object.path = path.to_owned();
        // Without a prefix, it is not known which strings to look for.
        let (strings, is_complete) =
            scanner.map_or((Strings::new(), false), |scanner| scanner.finish());
        object.is_unclear |= !is_complete;
        self.objects.push((object, strings));
        Ok(())
    }

    fn facts(self) -> Result<Facts, BinaryError> {
        let (Some(BuildInfo { mut relocation, relative_prefix }), Some(packed)) =
            (self.info, self.prefix)
        else {
            return Err(BinaryError::NoBuildInfo);
        };
        // Older tarballs have only the last part of the prefix.
        let prefix = match &relative_prefix {
            Some(relative) => format!("{}/{relative}", relocation.root.trim_end_matches('/')),
            None => format!("/{packed}"),
        };
        let begins = start_of_prefixes(&packed);
        let is_looked_for =
            |path: &String| begins.as_ref().is_some_and(|begins| path.starts_with(begins.as_str()));
        let is_clear =
            is_looked_for(&relocation.root) && relocation.prefixes.values().all(is_looked_for);
        let mut unpacked = 0;
        let mut files = Vec::with_capacity(self.entries.len());
        for mut entry in self.entries {
            unpacked += entry.size;
            if let Some(path) = below(&entry.path, &packed) {
                let path = path.to_owned();
                if entry.kind == EntryKind::Hardlink
                    && let Some(target) = &mut entry.target
                    && let Some(inside) = below(target, &packed)
                {
                    *target = inside.to_owned();
                }
                entry.path = path;
                files.push(entry);
            } else if !(entry.kind == EntryKind::Dir && is_above(&entry.path, &packed)) {
                return Err(BinaryError::OutsidePrefix { path: entry.path, prefix: packed });
            }
        }
        let mut objects = Vec::with_capacity(self.objects.len());
        for (mut object, strings) in self.objects {
            object.path = below(&object.path, &packed).unwrap_or(&object.path).to_owned();
            let rewritten: Vec<&str> = match object.format.as_str() {
                "elf" => [&object.rpath, &object.interpreter]
                    .into_iter()
                    .flatten()
                    .map(String::as_str)
                    .collect(),
                _ => {
                    let names = object.soname.iter().chain(&object.needed).map(String::as_str);
                    names.chain(object.rpath.iter().flat_map(|paths| paths.split(':'))).collect()
                }
            };
            // A universal binary repeats everything for each machine.
            let copies = object.machine.split(',').count() as u32;
            object.strings = uses(&strings, &rewritten, copies, &relocation);
            object.is_unclear |= !is_clear;
            objects.push(object);
        }
        for list in [&mut relocation.binaries, &mut relocation.text, &mut relocation.links] {
            list.sort();
        }
        Ok(Facts { unpacked, prefix, files, objects, relocation, ..Facts::default() })
    }
}

/// Converts a header to an entry of the facts; `None` for the folder that contains everything.
fn entry(header: Header) -> Result<Option<Entry>, BinaryError> {
    let path = readable(&header.path);
    let kind = match header.kind {
        Kind::File => EntryKind::File,
        Kind::Folder => EntryKind::Dir,
        Kind::Symlink => EntryKind::Symlink,
        Kind::Hardlink => EntryKind::Hardlink,
        Kind::Other => return Err(BinaryError::UnexpectedEntry { path }),
    };
    let is_link = matches!(kind, EntryKind::Symlink | EntryKind::Hardlink);
    let target = is_link.then(|| readable(&header.target));
    let leads_out = |path: &str| path.starts_with('/') || path.split('/').any(|name| name == "..");
    if leads_out(&path) {
        return Err(BinaryError::PathLeadsOut { path });
    }
    // A symbolic link may point anywhere; a hard link is another name of an entry.
    if kind == EntryKind::Hardlink
        && let Some(target) = target.as_deref().filter(|target| leads_out(target))
    {
        return Err(BinaryError::PathLeadsOut { path: target.to_owned() });
    }
    let path = path.trim_start_matches("./").trim_end_matches('/');
    if matches!(path, "" | ".") {
        return Ok(None);
    }
    let mode = Mode(header.mode as u16);
    Ok(Some(Entry { path: path.to_owned(), kind, size: header.size, mode, target }))
}

/// Returns a path relative to a folder that contains it; `None` for any other folder.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// Returns `true` if a folder is the prefix or contains it.
fn is_above(path: &str, prefix: &str) -> bool {
    path == prefix || below(prefix, path).is_some()
}
