//! The headers of a program, a library or an object file: ELF and Mach-O.
//!
//! These are the headers that `readelf -d`, `readelf -V` and `readelf -n` print, read with the crate `object`. A file
//! that is truncated or damaged is not a problem of the build, because Spack packs it anyway. It is described as far as
//! it can be read.
//!
//! Any number of headers may point to the same bytes, so everything that they lead to has a limit.

use std::collections::{BTreeMap, BTreeSet};

use cache_index::facts::{Object, numbers};
use object::Pod;
use object::elf;
use object::endian::Endianness;
use object::macho;
use object::read::elf::{Dyn, FileHeader, NoteIterator, ProgramHeader, SectionHeader};
use object::read::macho::{LoadCommandVariant, MachHeader, MachOFatFile32};
use object::read::{ReadRef, StringTable};

use super::kept::FileExcerpt;

/// The maximum number of libraries, versions and notes that are read from one file: no real file has thousands.
const MOST: usize = 4_096;

/// The maximum number of machines in a universal binary. The same place in a Java class has its version, which is higher.
const MOST_MACHINES: usize = 32;

/// A header that is damaged, in a part of a long file that was not kept, or after a limit. What exactly is wrong does not
/// matter.
struct Damaged;

type Result<T> = std::result::Result<T, Damaged>;

impl From<object::read::Error> for Damaged {
    fn from(_: object::read::Error) -> Damaged {
        Damaged
    }
}

/// The first bytes of an ELF file.
pub(super) const ELF: &[u8] = b"\x7fELF";

/// Returns `true` if a file may be a program, a library or an object file, by its first four bytes.
pub(super) fn may_be_object(start: &[u8]) -> bool {
    matches!(
        start,
        [0x7f, b'E', b'L', b'F']
            | [0xfe, 0xed, 0xfa, 0xce | 0xcf]
            | [0xce | 0xcf, 0xfa, 0xed, 0xfe]
            | [0xca, 0xfe, 0xba, 0xbe]
    )
}

/// Describes a file; `None` if it is something else, such as a Java class, which starts like a universal binary.
pub(super) fn describe(file: &FileExcerpt) -> Option<Object> {
    if file.beginning().starts_with(ELF) {
        let mut object = Object { format: "elf".to_owned(), ..Object::default() };
        let read = match file.beginning().get(4) {
            Some(1) => read_elf::<elf::FileHeader32<Endianness>>(file, &mut object),
            _ => read_elf::<elf::FileHeader64<Endianness>>(file, &mut object),
        };
        object.is_unclear = read.is_err();
        return Some(object);
    }
    let mut object = Object { format: "mach-o".to_owned(), ..Object::default() };
    let arches = match MachOFatFile32::parse(file) {
        Ok(fat) if fat.arches().len() > MOST_MACHINES => return None,
        Ok(fat) => fat
            .arches()
            .iter()
            .map(|arch| u64::from(arch.offset.get(object::endian::BigEndian)))
            .collect(),
        Err(_) => vec![0],
    };
    let mut machines = Vec::new();
    let mut names = LoadedNames::default();
    for offset in arches {
        let read =
            read_macho::<macho::MachHeader64<Endianness>>(file, offset, &mut object, &mut names);
        let read = read.or_else(|_| {
            read_macho::<macho::MachHeader32<Endianness>>(file, offset, &mut object, &mut names)
        });
        machines.push(read.ok()?);
    }
    object.machine = machines.join(",");
    object.needed = names.libraries.in_order;
    let paths = names.paths.in_order;
    object.rpath = (!paths.is_empty()).then(|| paths.join(":"));
    Some(object)
}

/// The names in a Mach-O file, of all its machines together.
#[derive(Default)]
struct LoadedNames {
    libraries: DistinctTexts,
    /// The run paths.
    paths: DistinctTexts,
}

/// Texts, each once, and at most [`MOST`].
#[derive(Default)]
struct DistinctTexts {
    in_order: Vec<String>,
    met: BTreeSet<String>,
}

impl DistinctTexts {
    fn add(&mut self, text: String) {
        if self.in_order.len() < MOST && self.met.insert(text.clone()) {
            self.in_order.push(text);
        }
    }
}

fn read_elf<H: FileHeader<Endian = Endianness>>(
    file: &FileExcerpt,
    object: &mut Object,
) -> Result<()> {
    let header = H::parse(file)?;
    let endian = header.endian()?;
    let is_little = header.is_little_endian();
    object.machine = elf_machine(header.e_machine(endian), is_little, header.is_type_64());
    let segments = header.program_headers(endian, file)?;
    let mut left = MOST;
    for segment in segments {
        // There is only one.
        if object.interpreter.is_none()
            && let Some(path) = segment.interpreter(endian, file)?
        {
            object.interpreter = Some(readable(path));
        }
        if let Ok(Some(notes)) = segment.notes(endian, file) {
            read_notes(notes, endian, object, &mut left)?;
        }
    }
    if segments.is_empty() {
        // An object file has sections only.
        for section in header.section_headers(endian, file)?.iter().take(MOST) {
            if let Ok(Some(notes)) = section.notes(endian, file) {
                read_notes(notes, endian, object, &mut left)?;
            }
        }
    }
    for segment in segments {
        if let Some(entries) = segment.dynamic(endian, file)? {
            return read_dynamic::<H>(file, endian, segments, entries, object);
        }
    }
    Ok(())
}

/// Reads what the linker wrote for the loader.
fn read_dynamic<H: FileHeader<Endian = Endianness>>(
    file: &FileExcerpt,
    endian: Endianness,
    segments: &[H::ProgramHeader],
    entries: &[H::Dyn],
    object: &mut Object,
) -> Result<()> {
    let end = entries.iter().position(|entry| entry.tag(endian) == elf::DT_NULL);
    let entries = &entries[..end.unwrap_or(entries.len())];
    let value = |tag: elf::DynamicTag| {
        let entry = entries.iter().find(|entry| entry.tag(endian) == tag);
        entry.map(|entry| entry.val(endian))
    };
    // These are addresses in memory, not in the file.
    let position = |address: u64| {
        segments.iter().find_map(|segment| {
            let is_loaded = segment.p_type(endian) == elf::PT_LOAD;
            let within = address.checked_sub(segment.p_vaddr(endian).into())?;
            let (start, length) = segment.file_range(endian);
            (is_loaded && within < length).then(|| start.checked_add(within)).flatten()
        })
    };
    let Some(strings) = value(elf::DT_STRTAB).and_then(position) else { return Ok(()) };
    let size: u64 = value(elf::DT_STRSZ).unwrap_or_default();
    let strings = StringTable::new(file, strings, strings.saturating_add(size));
    let text = |offset: u64| -> Result<String> {
        let offset = u32::try_from(offset).map_err(|_| Damaged)?;
        strings.get(offset).map(readable).map_err(|()| Damaged)
    };
    for entry in entries.iter().take(MOST) {
        let value = entry.val(endian);
        match entry.tag(endian) {
            elf::DT_NEEDED => object.needed.push(text(value)?),
            elf::DT_SONAME => object.soname = Some(text(value)?),
            // If there are both, RUNPATH takes precedence.
            elf::DT_RPATH if object.rpath.is_none() => object.rpath = Some(text(value)?),
            elf::DT_RUNPATH => object.rpath = Some(text(value)?),
            _ => {}
        }
    }
    let Some(mut at) = value(elf::DT_VERNEED).and_then(position) else { return Ok(()) };
    let mut read = 0;
    loop {
        let needed: &elf::Verneed<Endianness> = read_at(file, at)?;
        let mut version_at = at.saturating_add(needed.vn_aux.get(endian).into());
        for _ in 0..needed.vn_cnt.get(endian) {
            let version: &elf::Vernaux<Endianness> = read_at(file, version_at)?;
            require(&text(version.vna_name.get(endian).into())?, &mut object.requires);
            read += 1;
            let next = version.vna_next.get(endian);
            if next == 0 || read > MOST {
                break;
            }
            version_at = version_at.saturating_add(next.into());
        }
        let next = needed.vn_next.get(endian);
        if next == 0 || read > MOST {
            return Ok(());
        }
        read += 1;
        at = at.saturating_add(next.into());
    }
}

fn read_at<T: Pod>(file: &FileExcerpt, at: u64) -> Result<&T> {
    file.read_at(at).map_err(|()| Damaged)
}

/// Records a symbol version such as `GLIBC_2.34` if it is the highest of its family so far. Others, such as
/// `GLIBC_PRIVATE`, cannot be compared.
fn require(symbol: &str, requires: &mut BTreeMap<String, String>) {
    let bytes = symbol.as_bytes();
    let is_border =
        |&at: &usize| bytes[at] == b'_' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    let Some(at) = (0..bytes.len()).find(is_border) else { return };
    let (family, version) = (&symbol[..at], &symbol[at + 1..]);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if family.is_empty() || !version.split('.').all(is_number) {
        return;
    }
    match requires.get_mut(family) {
        Some(known) if numbers(known) >= numbers(version) => {}
        Some(known) => *known = version.to_owned(),
        None => {
            requires.insert(family.to_owned(), version.to_owned());
        }
    }
}

/// Reads which levels of x86-64 notes require. `left` is how many more notes and properties may be read.
fn read_notes<H: FileHeader<Endian = Endianness>>(
    mut notes: NoteIterator<'_, H>,
    endian: Endianness,
    object: &mut Object,
    left: &mut usize,
) -> Result<()> {
    const LEVELS: [&str; 4] = ["x86-64-baseline", "x86-64-v2", "x86-64-v3", "x86-64-v4"];
    while let Ok(Some(note)) = notes.next() {
        *left = left.checked_sub(1).ok_or(Damaged)?;
        let Some(mut properties) = note.gnu_properties(endian) else { continue };
        while let Ok(Some(property)) = properties.next() {
            *left = left.checked_sub(1).ok_or(Damaged)?;
            if property.pr_type() != elf::GNU_PROPERTY_X86_ISA_1_NEEDED {
                continue;
            }
            let Ok(bits) = property.data_u32(Endianness::Little) else { continue };
            for (bit, level) in LEVELS.iter().enumerate() {
                if bits >> bit & 1 == 1 && !object.isa.iter().any(|known| known == level) {
                    object.isa.push((*level).to_owned());
                }
            }
        }
    }
    Ok(())
}

/// Reads one machine's part of a Mach-O file, and returns the machine.
fn read_macho<H: MachHeader<Endian = Endianness>>(
    file: &FileExcerpt,
    offset: u64,
    object: &mut Object,
    names: &mut LoadedNames,
) -> Result<String> {
    let header = H::parse(file, offset)?;
    let endian = header.endian()?;
    let mut commands = header.load_commands(endian, file, offset)?;
    let mut seen = 0;
    while let Some(command) = commands.next()? {
        seen += 1;
        if seen > MOST {
            break;
        }
        match command.variant()? {
            LoadCommandVariant::Dylib(library) => {
                names.libraries.add(readable(command.string(endian, library.dylib.name)?));
            }
            LoadCommandVariant::IdDylib(own) => {
                object.soname = Some(readable(command.string(endian, own.dylib.name)?));
            }
            LoadCommandVariant::Rpath(rpath) => {
                names.paths.add(readable(command.string(endian, rpath.path)?));
            }
            LoadCommandVariant::BuildVersion(built, _) => {
                require_macos(built.minos.get(endian).0, &mut object.requires);
            }
            LoadCommandVariant::VersionMin(least) => {
                require_macos(least.version.get(endian).0, &mut object.requires);
            }
            _ => {}
        }
    }
    Ok(macho_machine(header.cputype(endian)))
}

/// Records the oldest macOS that runs a file. `version` is `xxxx.yy.zz`: a half-word and two bytes.
fn require_macos(version: u32, requires: &mut BTreeMap<String, String>) {
    let version = format!("{}.{}", version >> 16, version >> 8 & 0xff);
    requires.insert("macOS".to_owned(), version);
}

fn elf_machine(machine: elf::Machine, is_little: bool, is_64: bool) -> String {
    match machine {
        elf::EM_X86_64 => "x86_64",
        elf::EM_386 => "i386",
        elf::EM_AARCH64 => "aarch64",
        elf::EM_ARM => "arm",
        elf::EM_PPC64 if is_little => "ppc64le",
        elf::EM_PPC64 => "ppc64",
        elf::EM_PPC => "ppc",
        elf::EM_RISCV if is_64 => "riscv64",
        elf::EM_RISCV => "riscv32",
        elf::EM_S390 => "s390x",
        elf::EM_LOONGARCH => "loongarch64",
        elf::Machine(other) => return format!("elf-{other}"),
    }
    .to_owned()
}

fn macho_machine(cpu: macho::CpuType) -> String {
    match cpu {
        macho::CPU_TYPE_X86_64 => "x86_64",
        macho::CPU_TYPE_ARM64 => "arm64",
        macho::CPU_TYPE_X86 => "i386",
        macho::CPU_TYPE_POWERPC => "ppc",
        macho::CpuType(other) => return format!("mach-o-{other}"),
    }
    .to_owned()
}

/// Returns bytes as a text; those that are not UTF-8 become `\xe9`.
pub(super) fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}
