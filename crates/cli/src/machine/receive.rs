//! Receiving what a server sends, as a file or as a stream, with limits on its time and its length.
//!
//! Thousands of small files may be fetched at once, and the number of files that a process may have open is limited: to 256
//! on some systems. So small files are kept in memory, and only large ones in temporary files.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cache_ingest::compression::SizeLimit;
use tempfile::{SpooledData, SpooledTempFile};
use ureq::Body;
use ureq::http::{Response, StatusCode};

use super::failure::Failure;
use crate::progress::FetchProgress;

/// The maximum size of a file in memory, in bytes. Manifests are smaller, and so are most specs.
const IN_MEMORY: usize = 256 << 10;

/// How long a server may take to accept a connection, and to send anything at all.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// The minimum number of bytes per second that a server must send after that time.
const SLOWEST: u64 = 1_000;

/// A file that was received completely.
#[derive(Debug)]
pub(crate) enum ReceivedFile {
    /// A small file, in memory.
    Small(Arc<[u8]>),
    /// A large file, without a name on the disk.
    Large(Arc<Mutex<File>>),
}

/// A reader of a large file. Several readers of one file do not disturb each other.
struct LargeFileReader {
    file: Arc<Mutex<File>>,
    position: u64,
}

impl ReceivedFile {
    /// Opens the file at its start. Each reader has its own position.
    pub(super) fn open(&self) -> Box<dyn Read + Send> {
        match self {
            ReceivedFile::Small(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
            ReceivedFile::Large(file) => {
                Box::new(LargeFileReader { file: Arc::clone(file), position: 0 })
            }
        }
    }
}

impl From<SpooledTempFile> for ReceivedFile {
    fn from(file: SpooledTempFile) -> ReceivedFile {
        match file.into_inner() {
            SpooledData::InMemory(bytes) => ReceivedFile::Small(bytes.into_inner().into()),
            SpooledData::OnDisk(file) => ReceivedFile::Large(Arc::new(Mutex::new(file))),
        }
    }
}

impl Read for LargeFileReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Only a panic poisons a lock, and it is safe to continue then.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.position))?;
        let count = file.read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }
}

/// Receives the body of an answer as a file.
pub(super) fn receive(
    response: Response<Body>,
    SizeLimit(limit): SizeLimit,
    progress: &FetchProgress,
) -> Result<ReceivedFile, Failure> {
    let status = response.status();
    if status != StatusCode::OK {
        return Err(Failure::Status(status));
    }
    let expected = response.headers().get("content-length").and_then(|value| value.to_str().ok());
    let expected = expected.and_then(|length| length.parse::<u64>().ok());
    if expected.is_some_and(|expected| expected > limit) {
        return Err(Failure::TooLong { limit });
    }
    progress.expect(expected.unwrap_or(0));
    let body = progress.count(response.into_body().into_reader());
    let mut file = SpooledTempFile::new(IN_MEMORY);
    let received = copy(body, &mut file, limit)?;
    match expected {
        Some(expected) if expected != received => Err(Failure::CutOff { received, expected }),
        _ => Ok(file.into()),
    }
}

/// Copies what a server sends, within the limits on its time and its length.
fn copy(mut body: impl Read, file: &mut impl Write, limit: u64) -> Result<u64, Failure> {
    let connection = |error: io::Error| Failure::Connection(error.to_string());
    let start = Instant::now();
    let mut received = 0;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = match body.read(&mut buffer) {
            Ok(0) => return Ok(received),
            Ok(count) => count,
            Err(error) => return Err(connection(error)),
        };
        received += count as u64;
        if received > limit {
            return Err(Failure::TooLong { limit });
        }
        if is_too_slow(received, start.elapsed()) {
            return Err(Failure::TooSlow { received });
        }
        file.write_all(&buffer[..count]).map_err(connection)?;
    }
}

/// What a server sends, as a stream, which fails if the data is cut off, too slow, or ends too early.
pub(super) struct Stream<R> {
    body: R,
    received: u64,
    expected: Option<u64>,
    start: Instant,
}

impl<R: Read> Read for Stream<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.body.read(buffer)?;
        self.received += count as u64;
        let received = self.received;
        match self.expected {
            Some(expected) if count == 0 && !buffer.is_empty() && received < expected => {
                Err(io::Error::other(Failure::CutOff { received, expected }.to_string()))
            }
            _ if is_too_slow(received, self.start.elapsed()) => {
                Err(io::Error::other(Failure::TooSlow { received }.to_string()))
            }
            _ => Ok(count),
        }
    }
}

/// Returns the body of an answer as a stream, without a file. If only the beginning was requested, a server may send the
/// beginning or everything.
pub(super) fn stream(response: Response<Body>) -> Result<Stream<impl Read>, Failure> {
    let status = response.status();
    if !matches!(status, StatusCode::OK | StatusCode::PARTIAL_CONTENT) {
        return Err(Failure::Status(status));
    }
    let expected = response.headers().get("content-length").and_then(|value| value.to_str().ok());
    let expected = expected.and_then(|length| length.parse().ok());
    let body = response.into_body().into_reader();
    Ok(Stream { body, received: 0, expected, start: Instant::now() })
}

fn is_too_slow(received: u64, elapsed: Duration) -> bool {
    elapsed.saturating_sub(PATIENCE).as_secs() * SLOWEST > received
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_up_on_what_is_too_long_or_too_slow() {
        let mut file = Vec::new();
        assert_eq!(copy(&b"1234"[..], &mut file, 4), Ok(4));
        assert_eq!(copy(&b"12345"[..], &mut file, 4), Err(Failure::TooLong { limit: 4 }));
        let seconds = Duration::from_secs;
        assert!(!is_too_slow(0, seconds(30)));
        assert!(is_too_slow(30_000, seconds(90)));
        assert!(!is_too_slow(60_000, seconds(90)));
    }

    #[test]
    fn keeps_small_files_in_memory_and_gives_each_reader_its_own_position() {
        for length in [0, 1, IN_MEMORY, IN_MEMORY + 1] {
            let content: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            let mut file = SpooledTempFile::new(IN_MEMORY);
            copy(&content[..], &mut file, u64::MAX).expect("memory and the disk have room");
            let file = ReceivedFile::from(file);
            let is_small = matches!(file, ReceivedFile::Small(_));
            assert_eq!(is_small, length <= IN_MEMORY, "{length}");
            let mut readers = [file.open(), file.open()];
            let mut copies = [Vec::new(), Vec::new()];
            for (reader, copy) in readers.iter_mut().zip(&mut copies) {
                reader.by_ref().take(100).read_to_end(copy).expect("the beginning");
            }
            for (reader, copy) in readers.iter_mut().zip(&mut copies) {
                reader.read_to_end(copy).expect("the rest");
            }
            assert!(copies.iter().all(|copy| *copy == content), "{length}");
        }
    }
}
