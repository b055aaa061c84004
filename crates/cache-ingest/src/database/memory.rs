//! Records that consist of what has been read before.
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
//! This is only about what is valid. Something is learnt from a record if it was read without a problem and without a
//! note, and its fields do not depend on each other, except on those that are known all together. Any other record, and
//! any with something unusual in it (an escape in a name, a field twice), is read in the usual way.

use std::ops::Range;

use cache_index::build::{Hash, Place};
use cache_index::index::{Codes, Packer};
use cache_index::sorting;
use foldhash::{HashMap, HashSet};

use super::record::{PACKAGE_HASHES, read_dependency};
use super::skip::is_space;
use crate::fields::Problems;
use crate::value::Value;
use crate::visible::is_visible;

/// Nothing more is learnt once the bytes of this much are known. Nothing is known twice, so this is only reached by
/// databases that hardly repeat themselves.
const LIMIT: usize = 32 << 20;

/// What the bytes of fields stand for, in the numbers of a packer.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// What the records are read with: the meaning of their fields depends on it.
    context: Option<(Option<u32>, Place)>,
    /// Names and values of fields, by number.
    fields: HashMap<Box<[u8]>, u32>,
    /// Numbers of fields that occurred together, by number.
    groups: HashMap<Box<[u32]>, u32>,
    packages: HashMap<u32, u32>,
    versions: HashMap<u32, u32>,
    /// By architecture and group.
    configurations: HashMap<(u32, u32), u32>,
    /// Variants and origins, by parameters and group.
    parameters: HashMap<(u32, u32), (u32, u32)>,
    /// By group.
    places: HashMap<u32, u32>,
    /// Fields that are valid, and else do not matter.
    valid: HashSet<u32>,
    /// Dependencies without their hash.
    links: HashMap<Box<[u8]>, u32>,
    /// The length of everything that is known.
    bytes: usize,
    /// The edges of the record that was taken apart last.
    edges: Vec<(u32, u32)>,
    /// Space for what is looked up.
    group: Vec<u32>,
    edge: Vec<u8>,
}

/// A record by its parts.
#[derive(Clone, Copy)]
pub(super) struct Parts<'b> {
    hash: Hash,
    package_hash: Option<&'b str>,
    name: u32,
    version: u32,
    arch: u32,
    parameters: u32,
    patches: Option<u32>,
    group: u32,
}

/// The fields of a spec, as far as they have occurred.
#[derive(Default)]
struct Spec<'b> {
    has_hash: bool,
    has_dependencies: bool,
    package_hash: Option<&'b str>,
    name: Option<u32>,
    version: Option<u32>,
    arch: Option<u32>,
    parameters: Option<u32>,
    patches: Option<u32>,
}

impl Memory {
    /// Prepares for records of a database of this version, and forgets what was learnt from another.
    pub(super) fn begin(&mut self, version: Option<u32>, place: &Place) {
        let is_same = self.context.as_ref().is_some_and(|(v, p)| *v == version && p == place);
        if !is_same {
            *self = Memory { context: Some((version, place.clone())), ..Memory::default() };
        }
    }

    /// Takes a record apart. `None` if it must be read in the usual way, and nothing can be learnt from it.
    pub(super) fn parts<'b>(
        &mut self,
        key: &[u8],
        record: &'b [u8],
        builds: &mut Packer,
    ) -> Option<Parts<'b>> {
        /// Marks the fields next to the spec.
        const OUTSIDE: u32 = 1 << 31;
        let key = key.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        let hash = Hash::from_text(key).ok()?;
        let mut spec = None;
        let mut has_count = false;
        self.edges.clear();
        self.group.clear();
        let mut json = Cursor { bytes: record, at: 0 };
        json.fields(|json, name, start| {
            match name {
                b"spec" if spec.is_none() => spec = Some(self.spec(json, key, builds)?),
                b"ref_count" if !has_count => {
                    json.digits()?;
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
        let Spec { package_hash, name, version, arch, parameters, patches, .. } = spec?;
        let is_whole = has_count && json.at == record.len();
        let group = self.group()?;
        is_whole.then_some(())?;
        let (name, version, arch, parameters) = (name?, version?, arch?, parameters?);
        Some(Parts { hash, package_hash, name, version, arch, parameters, patches, group })
    }

    fn spec<'b>(
        &mut self,
        json: &mut Cursor<'b>,
        key: &[u8],
        builds: &mut Packer,
    ) -> Option<Spec<'b>> {
        let mut spec = Spec::default();
        json.fields(|json, name, start| {
            let known = match name {
                b"hash" => {
                    (!spec.has_hash && json.string()? == key).then_some(())?;
                    spec.has_hash = true;
                    return Some(());
                }
                b"package_hash" => {
                    let text = json.string()?;
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
    fn field(&mut self, json: &mut Cursor<'_>, start: usize) -> Option<u32> {
        json.value()?;
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
    fn dependencies(&mut self, json: &mut Cursor<'_>, builds: &mut Packer) -> Option<()> {
        json.eat(b'[')?;
        if json.peek()? == b']' {
            json.at += 1;
            return Some(());
        }
        loop {
            json.peek()?;
            let start = json.at;
            let mut hash: Option<(Hash, Range<usize>)> = None;
            json.fields(|json, name, _| {
                if name != b"hash" {
                    return json.value();
                }
                let text = json.string()?;
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
            match json.peek()? {
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
    pub(super) fn add(&mut self, parts: &Parts<'_>, builds: &mut Packer) -> bool {
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

    fn codes(&self, parts: &Parts<'_>) -> Option<Codes> {
        let Parts { name, version, arch, parameters, patches, group, .. } = parts;
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
    pub(super) fn learn(&mut self, parts: &Parts<'_>, codes: Codes) {
        let &Parts { name, version, arch, parameters, patches, group, .. } = parts;
        self.packages.insert(name, codes.package);
        self.versions.insert(version, codes.version);
        self.configurations.insert((arch, group), codes.configuration);
        self.parameters.insert((parameters, group), (codes.variants, codes.origin));
        self.places.insert(group, codes.places);
        self.valid.extend(patches);
    }
}

/// A position in JSON. Whatever is unusual ends the walk with `None`.
struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    /// Returns the next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.at)? {
                byte if is_space(byte) => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    fn eat(&mut self, expected: u8) -> Option<()> {
        (self.peek()? == expected).then(|| self.at += 1)
    }

    /// Walks through an object. `each` consumes a value, and takes the name of its field and where that starts.
    fn fields(
        &mut self,
        mut each: impl FnMut(&mut Cursor<'b>, &'b [u8], usize) -> Option<()>,
    ) -> Option<()> {
        self.eat(b'{')?;
        if self.peek()? == b'}' {
            self.at += 1;
            return Some(());
        }
        loop {
            self.peek()?;
            let start = self.at;
            let name = self.string()?;
            self.eat(b':')?;
            self.peek()?;
            each(self, name, start)?;
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    return Some(());
                }
                _ => return None,
            }
        }
    }

    /// Returns the contents of a text without escapes.
    fn string(&mut self) -> Option<&'b [u8]> {
        (self.bytes.get(self.at) == Some(&b'"')).then_some(())?;
        let rest = &self.bytes[self.at + 1..];
        let length = memchr::memchr2(b'"', b'\\', rest)?;
        self.at += length + 2;
        (rest[length] == b'"').then(|| &rest[..length])
    }

    /// Skips a whole number that is not negative.
    fn digits(&mut self) -> Option<()> {
        /// Any number of so many digits can be read.
        const MOST: usize = 18;
        let rest = &self.bytes[self.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_valid = length == 1 || (2..=MOST).contains(&length) && rest[0] != b'0';
        is_valid.then(|| self.at += length)
    }

    /// Skips any value, by its quotes and brackets alone.
    fn value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match *self.bytes.get(self.at)? {
                b'"' => {
                    self.text()?;
                    if depth == 0 {
                        return Some(());
                    }
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    // Where a value is missing.
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                    if depth == 0 {
                        return Some(());
                    }
                }
                b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' if depth > 0 => self.at += 1,
                b',' | b':' => return None,
                _ => {
                    let is_end = |byte: &u8| {
                        matches!(byte, b',' | b':' | b'"' | b'{' | b'[' | b'}' | b']')
                            || is_space(*byte)
                    };
                    let length = self.bytes[self.at..].iter().position(is_end)?;
                    // Where a value is missing.
                    (length > 0).then_some(())?;
                    self.at += length;
                    if depth == 0 {
                        return Some(());
                    }
                }
            }
        }
    }

    /// Skips a text.
    fn text(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            let rest = self.bytes.get(self.at..)?;
            let length = memchr::memchr2(b'"', b'\\', rest)?;
            if rest[length] == b'"' {
                self.at += length + 1;
                return Some(());
            }
            // The character after a backslash cannot end the text.
            self.at += length + 2;
        }
    }
}
