//! Damaged and malicious tarballs.

use std::io::Write as _;

use super::*;

const PREFIX: &str = "opt/s/linux/a-1";

/// A file of a tarball.
struct Made<'m> {
    path: &'m str,
    type_flag: u8,
    content: &'m [u8],
    target: &'m str,
}

impl<'m> Made<'m> {
    fn file(path: &'m str, content: &'m [u8]) -> Made<'m> {
        Made { path, type_flag: b'0', content, target: "" }
    }

    fn folder(path: &'m str) -> Made<'m> {
        Made { path, type_flag: b'5', content: b"", target: "" }
    }
}

fn header(made: &Made<'_>, size: u64) -> Vec<u8> {
    let mut block = vec![0; 512];
    let mut put = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, made.path.as_bytes());
    put(100, b"0000755\0");
    put(124, format!("{size:011o}").as_bytes());
    put(156, &[made.type_flag]);
    put(157, made.target.as_bytes());
    put(257, b"ustar\x0000");
    put(148, b"        ");
    let sum: u64 = block.iter().map(|&byte| u64::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// Returns a tarball with these entries, and the usual ones before and after them.
fn tarball(made: &[Made<'_>]) -> Vec<u8> {
    let info = b"{buildpath: /opt/s, relative_prefix: linux/a-1, relocate_binaries: [bin/a]}";
    let before = ["opt", "opt/s", "opt/s/linux", PREFIX, "opt/s/linux/a-1/.spack"];
    let before: Vec<Made<'_>> = before.into_iter().map(Made::folder).collect();
    let after = [Made::file("opt/s/linux/a-1/.spack/binary_distribution", info)];
    let mut bytes = Vec::new();
    for one in before.iter().chain(made).chain(&after) {
        bytes.extend(header(one, one.content.len() as u64));
        bytes.extend(one.content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[track_caller]
fn check_refused(tarball: &[u8], expected: &str) {
    let error = read_binary(tarball, None).expect_err("an error").to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn reads_a_tarball_compressed_or_not() {
    let library = [b"\x7fELF".as_slice(), &[0; 60], b"/opt/s/x\0"].concat();
    let made = [Made::folder("opt/s/linux/a-1/bin"), Made::file("opt/s/linux/a-1/bin/a", &library)];
    let bytes = tarball(&made);
    let zstd =
        ruzstd::encoding::compress_to_vec(&bytes[..], ruzstd::encoding::CompressionLevel::Fastest);
    for bytes in [bytes.clone(), gzip(&bytes), zstd] {
        let facts = read_binary(&bytes[..], None).expect("a binary").facts;
        assert_eq!(facts.prefix, "/opt/s/linux/a-1");
        let paths: Vec<_> = facts.files.iter().map(|entry| entry.path.as_str()).collect();
        assert_eq!(paths, [".spack", "bin", "bin/a", ".spack/binary_distribution"]);
        let [object] = &facts.objects[..] else { panic!("{:?}", facts.objects) };
        assert_eq!(object.path, "bin/a");
        // The header is damaged.
        assert!(object.is_unclear);
        assert_eq!(object.strings.iter().map(|it| it.suffix).collect::<Vec<_>>(), [Some(2)]);
    }
}

#[test]
fn rejects_paths_that_lead_out() {
    let of = |path| tarball(&[Made::file(path, b"x")]);
    check_refused(&of("/etc/passwd"), "a path in the tarball leads out of it: \"/etc/passwd\"");
    check_refused(&of("opt/s/linux/a-1/../../x"), "leads out of it");
    check_refused(&of(".."), "leads out of it");
    check_refused(&of("etc/passwd"), "outside of its prefix \"opt/s/linux/a-1\": \"etc/passwd\"");
    check_refused(&of("opt/s/linux/a-11"), "outside of its prefix");
    let link = |type_flag| {
        let path = "opt/s/linux/a-1/x";
        tarball(&[Made { path, type_flag, content: b"", target: "../../../etc/passwd" }])
    };
    check_refused(&link(b'1'), "leads out of it");
    assert!(read_binary(&link(b'2')[..], None).is_ok());
    check_refused(&link(b'6'), "found something else");
}

#[test]
fn rejects_anything_that_is_not_a_whole_tarball() {
    let good = tarball(&[Made::file("opt/s/linux/a-1/x", &[7; 2000])]);
    assert!(read_binary(&good[..], None).is_ok());
    check_refused(b"", "expected a tarball, found something else");
    check_refused(b"<html>", "expected a tarball");
    check_refused(&[b'x'; 4096], "expected a tarball");
    check_refused(&gzip(b"<html>"), "expected a tarball");
    check_refused(&[0; 1024], "no .spack/binary_distribution");
    for length in (512..good.len() - 1024).step_by(100) {
        assert!(read_binary(&good[..length], None).is_err(), "{length} bytes");
        let cut = gzip(&good[..length]);
        assert!(read_binary(&cut[..], None).is_err(), "{length} bytes");
    }
    let mut damaged = good.clone();
    damaged[5 * 512] ^= 1;
    check_refused(&damaged, "expected a header at byte 2560");
    let whole = gzip(&good);
    assert!(read_binary(&whole[..whole.len() / 2], None).is_err());
}

#[test]
fn rejects_what_is_not_as_stated() {
    let good = gzip(&tarball(&[]));
    let digest = read_binary(&good[..], None).expect("a binary").digest;
    let length = Some(good.len() as u64);
    let stated = Fingerprint { digest: digest.clone(), length };
    assert!(read_binary(&good[..], Some(&stated)).is_ok());
    // It is also cut off, but that follows from the difference.
    let error = read_binary(&good[..99], Some(&stated)).expect_err("an error");
    assert!(matches!(error, BinaryError::NotAsStated(_)), "{error}");
    let longer = [good.clone(), vec![0; 100_000]].concat();
    let error = read_binary(&longer[..], Some(&stated)).expect_err("an error");
    assert!(matches!(error, BinaryError::NotAsStated(_)), "{error}");
    let other = Fingerprint { digest: Sha256Text::new(&"0".repeat(64)).expect("a digest"), length };
    let error = read_binary(&good[..], Some(&other)).expect_err("an error").to_string();
    assert!(error.contains(digest.as_str()), "{error}");
}

#[test]
fn rejects_bombs() {
    // A file of zeros that gzip shrinks to a thousandth.
    let bomb = Made::file("opt/s/linux/a-1/zeros", b"");
    let mut bytes = tarball(&[]);
    bytes.truncate(5 * 512);
    bytes.extend(header(&bomb, 70_000_000_000));
    let zeros = vec![0; 64 << 20];
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&bytes).expect("memory");
    encoder.write_all(&zeros).expect("memory");
    let bomb = encoder.finish().expect("memory");
    let error = read_binary(&bomb[..], None).expect_err("an error").to_string();
    assert!(error.contains("1000 times as long") || error.contains("cut off"), "{error}");

    // A header that announces a path of a gigabyte.
    let long = Made { path: "x", type_flag: b'x', content: b"", target: "" };
    check_refused(&header(&long, 1 << 30), "a header of more than 1048576 bytes");

    // The same entry half a million times, without an end.
    let entry = header(&Made::file("opt/s/linux/a-1/x", b""), 0);
    let entries = Repeated { start: tarball(&[])[..5 * 512].to_vec(), block: entry, at: 0 };
    let error = read_binary(entries, None).expect_err("an error").to_string();
    assert_eq!(error, "the tarball has more than 400,000 entries");
}

/// Some bytes, and a block again and again.
struct Repeated {
    start: Vec<u8>,
    block: Vec<u8>,
    at: usize,
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let rest = match self.start.get(self.at..) {
            Some(rest) if !rest.is_empty() => rest,
            _ => &self.block[(self.at - self.start.len()) % self.block.len()..],
        };
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

#[test]
fn reads_the_prefix_from_the_beginning() {
    let whole = gzip(&tarball(&[Made::file("opt/s/linux/a-1/x", &[7; 200_000])]));
    let prefix = read_prefix(&whole[..whole.len() / 2]);
    assert_eq!(prefix.as_deref(), Ok("/opt/s/linux/a-1"));
    assert!(read_prefix(&b"x"[..]).is_err());
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns an ELF file whose program headers all point to the same hundred notes.
fn elf(headers: u16) -> Vec<u8> {
    let notes = [words(&[4, 0, 1]), b"GNU\0".to_vec()].concat().repeat(100);
    let [start, length] = [64 + 56 * u32::from(headers), notes.len() as u32];
    let mut file = b"\x7fELF\x02\x01\x01".to_vec();
    file.resize(16, 0);
    // A library for x86_64, and where the program headers are.
    file.extend(words(&[62 << 16 | 3, 1, 0, 0, 64, 0, 0, 0, 0]));
    file.extend(words(&[56 << 16 | 64, 64 << 16 | u32::from(headers), 0]));
    let header = words(&[4, 4, start, 0, 0, 0, 0, 0, length, 0, length, 0, 4, 0]);
    [file, header.repeat(headers.into()), notes].concat()
}

/// Returns a universal binary in which the parts for all machines are the same: a program that needs a library twice.
fn universal(machines: u32) -> Vec<u8> {
    let start = 8 + 20 * machines;
    let needed = [words(&[0xc, 32, 24, 0, 0, 0]), b"lib.dyl\0".to_vec()].concat();
    let part = [words(&[0xfeed_facf, 0x0100_0007, 3, 2, 2, 64, 0, 0]), needed.repeat(2)].concat();
    let mut file: Vec<u8> =
        [0xcafe_babe, machines].into_iter().flat_map(u32::to_be_bytes).collect();
    for _ in 0..machines {
        let entry = [0x0100_0007, 3, start, part.len() as u32, 0];
        file.extend(entry.into_iter().flat_map(u32::to_be_bytes));
    }
    file.extend(part);
    file
}

#[test]
fn limits_what_headers_that_point_to_the_same_bytes_lead_to() {
    let objects = |file: &[u8]| {
        let bytes = tarball(&[Made::file("opt/s/linux/a-1/x", file)]);
        read_binary(&bytes[..], None).expect("a binary").facts.objects
    };
    for (headers, is_unclear) in [(10, false), (100, true)] {
        let found = objects(&elf(headers));
        let [object] = &found[..] else { panic!("expected one object") };
        assert_eq!((object.machine.as_str(), object.is_unclear), ("x86_64", is_unclear));
    }
    let found = objects(&universal(2));
    let [object] = &found[..] else { panic!("expected one object") };
    assert_eq!(object.machine, "x86_64,x86_64");
    assert_eq!(object.needed, ["lib.dyl"]);
    assert!(objects(&universal(33)).is_empty());
}
