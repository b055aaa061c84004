//! Properties of the reader of binaries.

use std::io::{self, Read};

use cache_index::facts::{Facts, Line};
use cache_ingest::binary::{BinaryError, read_binary, read_prefix};

use crate::assert_is_message;

/// A tarball is rejected with a message, or the facts about it stay within its prefix and can be written and read
/// again. The result does not depend on the pieces in which the tarball arrives, except for which of several errors is
/// found first. The bytes are read as a tarball, as a library in one, and as what Spack writes about a build.
pub fn binary(bytes: &[u8]) {
    are_good(bytes, read(bytes));
    let info = b"{buildpath: /opt/s, relative_prefix: linux/a-1, relocate_binaries: [lib/a.so]}";
    let library = tarball(&[("lib/a.so", bytes), (".spack/binary_distribution", info)]);
    are_good(&library, read(&library));
    let written = tarball(&[(".spack/binary_distribution", bytes)]);
    are_good(&written, read(&written));
    if let Err(error) = read_prefix(bytes) {
        assert_is_message(&error.to_string());
    }
}

fn read(tarball: &[u8]) -> Result<Facts, BinaryError> {
    read_binary(tarball, None).map(|binary| binary.facts)
}

fn are_good(tarball: &[u8], read: Result<Facts, BinaryError>) {
    let in_pieces = read_binary(Few(tarball), None).map(|binary| binary.facts);
    assert_eq!(in_pieces.as_ref().ok(), read.as_ref().ok());
    match read {
        Err(error) => assert_is_message(&error.to_string()),
        Ok(facts) => {
            for entry in &facts.files {
                assert!(!entry.path.starts_with('/'), "{}", entry.path);
                assert!(entry.path.split('/').all(|name| name != ".."), "{}", entry.path);
            }
            let unpacked: u64 = facts.files.iter().map(|entry| entry.size).sum();
            assert_eq!(unpacked, facts.unpacked);
            let line = Line::Binary { digest: String::new(), found: Box::new(facts) };
            let text = serde_json::to_string(&line).expect("JSON");
            assert_eq!(Line::read(&text), Ok(line));
        }
    }
}

/// A reader that returns few bytes at a time.
struct Few<'b>(&'b [u8]);

impl Read for Few<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(997);
        self.0.read(&mut buffer[..most])
    }
}

/// Returns a tarball with these files below a prefix.
fn tarball(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = header("opt/s/linux/a-1/.spack", b'5', 0);
    for (path, content) in files {
        bytes.extend(header(&format!("opt/s/linux/a-1/{path}"), b'0', content.len()));
        bytes.extend(*content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

fn header(path: &str, type_flag: u8, size: usize) -> Vec<u8> {
    let mut block = vec![0; 512];
    let mut put = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, path.as_bytes());
    put(100, b"0000755\0");
    put(124, format!("{size:011o}").as_bytes());
    put(148, b"        ");
    put(156, &[type_flag]);
    put(257, b"ustar\x0000");
    let sum: u64 = block.iter().map(|&byte| u64::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}
