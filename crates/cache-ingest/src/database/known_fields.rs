//! Recognizing the fields of a record that have been read before.
//!
//! The records of a database repeat each other: the same platforms, variants and dependencies, written in the same bytes.
//! So a field's bytes are read once, by [`record`](super::record), and when they occur again they stand for the same
//! codes. Only hashes are new in each record. Most records need no more than this:
//!
//! ```text
//! {"spec": {"name": …, "version": …, "arch": …, "parameters": …,      each known by its bytes
//!           "package_hash": "…", "hash": "…",                          copied
//!           "dependencies": [{"hash": "…", rest known by its bytes}],
//!           all other fields: …},                                      known by their bytes, all together
//!  "ref_count": 1, all other fields: …}
//! ```
//!
//! Only valid records are learned from: those that were read without a problem and without a note. The meaning of a
//! field depends on no other field except those that are known all together. A record with anything new or unusual in
//! it (an escape in a name, a field twice) is read in the usual way.

use std::ops::Range;

use cache_index::build::{Hash, Place};
use cache_index::index::{Codes, Packer};
use cache_index::sorting;
use foldhash::{HashMap, HashSet};

use super::record::{PACKAGE_HASHES, read_dependency};
use super::walk::Walk;
use crate::fields::Problems;
use crate::value::Value;
use crate::visible::is_visible;

/// The number of known bytes after which nothing more is learned. Repeated bytes count once, so only databases that
/// hardly repeat themselves reach it.
const LIMIT: usize = 32 << 20;

/// The packer's codes that the bytes of fields stand for.
#[derive(Debug, Default)]
pub(super) struct KnownFields {
    /// The version and the place that records are read with: the meaning of their fields depends on them.
    context: Option<(Option<u32>, Place)>,
    /// The number of each field, by the bytes of its name and value.
    fields: HashMap<Box<[u8]>, u32>,
    /// The number of each group: fields that occurred together, by their numbers.
    groups: HashMap<Box<[u32]>, u32>,
    packages: HashMap<u32, u32>,
    versions: HashMap<u32, u32>,
    /// By architecture and group.
    configurations: HashMap<(u32, u32), u32>,
    /// Variants and origins, by parameters and group.
    parameters: HashMap<(u32, u32), (u32, u32)>,
    /// By group.
    places: HashMap<u32, u32>,
    /// Fields that only have to be valid.
    valid: HashSet<u32>,
    /// Links, by the bytes of a dependency without its hash.
    links: HashMap<Box<[u8]>, u32>,
    /// The number of bytes that are known.
    bytes: usize,
    /// The edges of the record that was taken apart last.
    edges: Vec<(u32, u32)>,
    /// Buffers for keys to look up.
    group: Vec<u32>,
    edge: Vec<u8>,
}

/// A record by its parts.
#[derive(Clone, Copy)]
pub(super) struct RecordParts<'b> {
    hash: Hash,
    package_hash: Option<&'b str>,
    name: u32,
    version: u32,
    arch: u32,
    parameters: u32,
    patches: Option<u32>,
    group: u32,
}

/// The fields of a spec that have been read so far.
#[derive(Default)]
struct SpecParts<'b> {
    has_hash: bool,
    has_dependencies: bool,
    package_hash: Option<&'b str>,
    name: Option<u32>,
    version: Option<u32>,
    arch: Option<u32>,
    parameters: Option<u32>,
    patches: Option<u32>,
}

impl KnownFields {
    /// Prepares for records of this version in this place, and forgets what was learned from others.
    pub(super) fn begin(&mut self, version: Option<u32>, place: &Place) {
        let is_same = self.context.as_ref().is_some_and(|(v, p)| *v == version && p == place);
        if !is_same {
            *self =
                KnownFields { context: Some((version, place.clone())), ..KnownFields::default() };
        }
    }

    /// Takes a record apart; `None` if it must be read in the usual way and nothing can be learned from it.
    pub(super) fn parts<'b>(
        &mut self,
        key: &[u8],
        record: &'b [u8],
        builds: &mut Packer,
    ) -> Option<RecordParts<'b>> {
        /// Marks the fields outside the spec.
        const OUTSIDE: u32 = 1 << 31;
        let key = key.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        let hash = Hash::from_text(key).ok()?;
        let mut spec = None;
        let mut has_count = false;
        self.edges.clear();
        self.group.clear();
        let mut json = Walk::through(record);
        fields(&mut json, |json, name, start| {
            match name {
                b"spec" if spec.is_none() => spec = Some(self.spec(json, key, builds)?),
                b"ref_count" if !has_count => {
                    digits(json)?;
                    has_count = true;
                }
                b"spec" | b"ref_count" => return None,
                _ => {
                    let field = self.field(json, start)?;
                    self.group.push(field | OUTSIDE);
                }
            }
            Some(())
        })?;
        let SpecParts { package_hash, name, version, arch, parameters, patches, .. } = spec?;
        let is_whole = has_count && json.at == record.len();
        let group = self.group()?;
        is_whole.then_some(())?;
        let (name, version, arch, parameters) = (name?, version?, arch?, parameters?);
        Some(RecordParts { hash, package_hash, name, version, arch, parameters, patches, group })
    }

    fn spec<'b>(
        &mut self,
        json: &mut Walk<'b>,
        key: &[u8],
        builds: &mut Packer,
    ) -> Option<SpecParts<'b>> {
        let mut spec = SpecParts::default();
        fields(json, |json, name, start| {
            let known = match name {
                b"hash" => {
                    (!spec.has_hash && string(json)? == key).then_some(())?;
                    spec.has_hash = true;
                    return Some(());
                }
                b"package_hash" => {
                    let text = string(json)?;
                    let is_plain = text.iter().all(|byte| matches!(byte, b' '..=b'~'));
                    (spec.package_hash.is_none() && is_plain && !text.is_empty()).then_some(())?;
                    spec.package_hash = Some(std::str::from_utf8(text).ok()?);
                    return Some(());
                }
                b"dependencies" => {
                    (!spec.has_dependencies).then_some(())?;
                    spec.has_dependencies = true;
                    return self.dependencies(json, builds);
                }
                b"name" => &mut spec.name,
                b"version" => &mut spec.version,
                b"arch" => &mut spec.arch,
                b"parameters" => &mut spec.parameters,
                b"patches" => &mut spec.patches,
                _ => {
                    let field = self.field(json, start)?;
                    self.group.push(field);
                    return Some(());
                }
            };
            known.is_none().then_some(())?;
            *known = Some(self.field(json, start)?);
            Some(())
        })?;
        let version = self.context.as_ref()?.0;
        let may_lack_package_hash = version.is_none_or(|version| version < PACKAGE_HASHES);
        let is_whole = spec.has_hash && (may_lack_package_hash || spec.package_hash.is_some());
        is_whole.then_some(spec)
    }

    /// Skips a value, and returns the number of the field that starts at `start`.
    fn field(&mut self, json: &mut Walk<'_>, start: usize) -> Option<u32> {
        json.value().ok()?;
        let bytes = &json.bytes[start..json.at];
        if let Some(&number) = self.fields.get(bytes) {
            return Some(number);
        }
        self.grow(bytes.len())?;
        let number = self.fields.len() as u32;
        self.fields.insert(bytes.into(), number);
        Some(number)
    }

    fn group(&mut self) -> Option<u32> {
        if let Some(&number) = self.groups.get(&self.group[..]) {
            return Some(number);
        }
        self.grow(4 * self.group.len())?;
        let number = self.groups.len() as u32;
        self.groups.insert(self.group[..].into(), number);
        Some(number)
    }

    fn grow(&mut self, by: usize) -> Option<()> {
        self.bytes += by;
        (self.bytes <= LIMIT).then_some(())
    }

    /// Reads a list of dependencies into `edges`.
    fn dependencies(&mut self, json: &mut Walk<'_>, builds: &mut Packer) -> Option<()> {
        json.expect(b'[', "").ok()?;
        if json.peek().ok()? == b']' {
            json.at += 1;
            return Some(());
        }
        loop {
            json.peek().ok()?;
            let start = json.at;
            let mut hash: Option<(Hash, Range<usize>)> = None;
            fields(json, |json, name, _| {
                if name != b"hash" {
                    return json.value().is_ok().then_some(());
                }
                let text = string(json)?;
                let end = json.at - 1;
                let read = (Hash::from_text(text).ok()?, end - text.len()..end);
                hash.replace(read).is_none().then_some(())
            })?;
            let (hash, Range { start: before, end: after }) = hash?;
            self.edge.clear();
            self.edge.extend_from_slice(&json.bytes[start..before]);
            self.edge.extend_from_slice(&json.bytes[after..json.at]);
            let link = match self.links.get(&self.edge[..]) {
                Some(&link) => link,
                None => self.learn_link(&json.bytes[start..json.at], builds)?,
            };
            self.edges.push((link, builds.target_code(&hash)));
            match json.peek().ok()? {
                b',' => json.at += 1,
                b']' => {
                    json.at += 1;
                    return Some(());
                }
                _ => return None,
            }
        }
    }

    /// Reads a dependency in the usual way, and remembers everything but its hash.
    fn learn_link(&mut self, edge: &[u8], builds: &mut Packer) -> Option<u32> {
        self.grow(self.edge.len())?;
        let value = Value::of_json(edge).ok()?;
        let mut problems = Problems::default();
        let dependency = read_dependency(value, &mut problems)?;
        (problems.is_quiet() && is_visible(&dependency)).then_some(())?;
        let link = builds.link_code(&dependency);
        self.links.insert(self.edge[..].into(), link);
        Some(link)
    }

    /// Adds the build of the record that was taken apart last, if all its parts are known.
    pub(super) fn add(&mut self, parts: &RecordParts<'_>, builds: &mut Packer) -> bool {
        let Some(codes) = self.codes(parts) else { return false };
        let order = |one: &(u32, u32), other: &(u32, u32)| {
            let ((package, deptypes, virtuals), other_link) =
                (builds.link(one.0), builds.link(other.0));
            package
                .cmp(other_link.0)
                .then_with(|| builds.target(one.1).cmp(&builds.target(other.1)))
                .then_with(|| (deptypes, virtuals).cmp(&(other_link.1, other_link.2)))
        };
        if !self.edges.is_sorted_by(|one, other| order(one, other).is_le()) {
            sorting::sort_by(&mut self.edges, order);
        }
        builds.push_codes(parts.hash, codes, parts.package_hash, self.edges.iter().copied());
        true
    }

    fn codes(&self, parts: &RecordParts<'_>) -> Option<Codes> {
        let RecordParts { name, version, arch, parameters, patches, group, .. } = parts;
        patches.is_none_or(|patches| self.valid.contains(&patches)).then_some(())?;
        let &(variants, origin) = self.parameters.get(&(*parameters, *group))?;
        Some(Codes {
            package: *self.packages.get(name)?,
            version: *self.versions.get(version)?,
            configuration: *self.configurations.get(&(*arch, *group))?,
            variants,
            places: *self.places.get(group)?,
            origin,
        })
    }

    /// Learns from a record that was read in the usual way, with neither problems nor notes.
    pub(super) fn learn(&mut self, parts: &RecordParts<'_>, codes: Codes) {
        let &RecordParts { name, version, arch, parameters, patches, group, .. } = parts;
        self.packages.insert(name, codes.package);
        self.versions.insert(version, codes.version);
        self.configurations.insert((arch, group), codes.configuration);
        self.parameters.insert((parameters, group), (codes.variants, codes.origin));
        self.places.insert(group, codes.places);
        self.valid.extend(patches);
    }
}

/// Walks through an object. `each` gets the name of a field and the position where that starts, and consumes the value.
/// Anything unusual ends the walk with `None`.
fn fields<'b>(
    json: &mut Walk<'b>,
    mut each: impl FnMut(&mut Walk<'b>, &'b [u8], usize) -> Option<()>,
) -> Option<()> {
    let mut is_first = true;
    while let Some(name) = json.field(std::mem::take(&mut is_first)).ok()? {
        json.peek().ok()?;
        let start = name.start;
        each(json, contents(json.bytes, name)?, start)?;
    }
    Some(())
}

/// Skips a text, and returns its contents if it has no escapes.
fn string<'b>(json: &mut Walk<'b>) -> Option<&'b [u8]> {
    (json.bytes.get(json.at) == Some(&b'"')).then_some(())?;
    let range = json.value().ok()?;
    contents(json.bytes, range)
}

/// Returns the bytes between the quotes of a text, if it has no escapes.
fn contents(bytes: &[u8], quoted: Range<usize>) -> Option<&[u8]> {
    let text = &bytes[quoted.start + 1..quoted.end - 1];
    memchr::memchr(b'\\', text).is_none().then_some(text)
}

/// Skips a whole number that is not negative.
fn digits(json: &mut Walk<'_>) -> Option<()> {
    /// Numbers with more digits may be too large.
    const MOST: usize = 18;
    let number = json.value().ok()?;
    let digits = &json.bytes[number];
    let is_valid = digits.len() == 1 || (2..=MOST).contains(&digits.len()) && digits[0] != b'0';
    (is_valid && digits.iter().all(u8::is_ascii_digit)).then_some(())
}
