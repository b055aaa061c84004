//! Compressed inputs, recognized by their first bytes, with limits on their size.
//!
//! Caches are served as they are, gzipped by a server along the way, or archived as `.gz` or `.zst`. The name of a file
//! often does not show which, but its bytes do.
//!
//! As gzip and zstd specify, consecutive streams are read as one, and every checksum is verified. Bytes after the last
//! stream are an error. A result that is larger than a [`SizeLimit`], or than [`RATIO`] times the compressed size, is
//! one too: nothing that Spack writes comes close to that ratio, because every record has a hash, which does not
//! compress.

use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use thiserror::Error;

/// The first bytes of gzip streams.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The first bytes of zstd streams.
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// What some editors and shells put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];

/// The maximum ratio of an input to its compressed form.
pub const RATIO: u64 = 1000;

/// Up to this many bytes, the ratio is not checked.
const SMALL: u64 = 16_000_000;

/// The maximum decompressed size of an input in bytes; by default 4 GB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeLimit(pub u64);

impl Default for SizeLimit {
    fn default() -> SizeLimit {
        SizeLimit(4_000_000_000)
    }
}

/// Decompresses a gzip or zstd stream, and reads anything else as it is, without a byte order mark.
///
/// Fails if the input cannot be read. A stream that is damaged, or too long, fails when it is read.
pub fn decompress<'r>(input: impl Read + 'r, limit: SizeLimit) -> io::Result<Box<dyn Read + 'r>> {
    decompress_boxed(Box::new(input), limit)
}

/// Does the same without type parameters, so that the decoders are compiled once for all inputs.
fn decompress_boxed<'r>(
    input: Box<dyn Read + 'r>,
    SizeLimit(limit): SizeLimit,
) -> io::Result<Box<dyn Read + 'r>> {
    let mut input = BufReader::new(input);
    let start = input.fill_buf()?;
    if start.starts_with(GZIP) {
        let decoder =
            flate2::bufread::MultiGzDecoder::new(CountingReader { inner: input, count: 0 });
        Ok(Box::new(Bounded { decoder, limit, produced: 0 }))
    } else if start.starts_with(ZSTD) {
        Ok(Box::new(Bounded { decoder: Zstd::new(input), limit, produced: 0 }))
    } else {
        if start.starts_with(BYTE_ORDER_MARK) {
            input.consume(BYTE_ORDER_MARK.len());
        }
        Ok(Box::new(Bounded { decoder: Plain(input), limit, produced: 0 }))
    }
}

/// Why reading an input stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
enum StreamError {
    #[error("it is longer than the limit of {limit} bytes")]
    TooLong { limit: u64 },
    #[error("it is more than {RATIO} times as long as its compressed form")]
    TooDense,
    #[error("its checksum differs from the stated one, so it is damaged")]
    WrongChecksum,
    #[error("it states a length of {stated} bytes and has {found}, so it is damaged")]
    WrongLength { stated: u64, found: u64 },
    #[error("something that is not compressed follows the compressed stream")]
    TrailingBytes,
    #[error("the compressed stream is cut off")]
    CutOff,
}

/// A reader that knows how much it has read.
trait ConsumingReader: Read {
    /// Returns the number of bytes read so far; `None` if it equals the number of bytes returned.
    fn consumed(&self) -> Option<u64>;
}

/// The output of a decoder, up to the limits.
struct Bounded<D> {
    decoder: D,
    limit: u64,
    produced: u64,
}

impl<D: ConsumingReader> Read for Bounded<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.produced += count as u64;
        if self.produced > self.limit {
            return Err(StreamError::TooLong { limit: self.limit }.into());
        }
        if self.produced > SMALL
            && self.decoder.consumed().is_some_and(|consumed| self.produced / RATIO > consumed)
        {
            return Err(StreamError::TooDense.into());
        }
        Ok(count)
    }
}

/// An input that is not compressed.
struct Plain<R>(R);

impl<R: Read> Read for Plain<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: Read> ConsumingReader for Plain<R> {
    fn consumed(&self) -> Option<u64> {
        None
    }
}

/// A reader that counts the bytes read from it.
struct CountingReader<R> {
    inner: R,
    count: u64,
}

impl<R: BufRead> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for CountingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.count += count as u64;
        self.inner.consume(count);
    }
}

impl<R: BufRead> ConsumingReader for flate2::bufread::MultiGzDecoder<CountingReader<R>> {
    fn consumed(&self) -> Option<u64> {
        Some(self.get_ref().count)
    }
}

/// All frames of a zstd stream, in sequence.
struct Zstd<R> {
    source: CountingReader<R>,
    decoder: FrameDecoder,
    is_in_frame: bool,
    /// The bytes of this frame so far.
    produced: u64,
}

impl<R: BufRead> Zstd<R> {
    fn new(source: R) -> Zstd<R> {
        Zstd {
            source: CountingReader { inner: source, count: 0 },
            decoder: FrameDecoder::new(),
            is_in_frame: false,
            produced: 0,
        }
    }

    /// Starts the next frame; returns `false` if there is none.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => {
                    (self.is_in_frame, self.produced) = (true, 0);
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(error)) => match error {
                    ReadFrameHeaderError::SkipFrame { length, .. } => {
                        let length = u64::from(length);
                        let mut skipped = Read::take(&mut self.source, length);
                        if io::copy(&mut skipped, &mut io::sink())? < length {
                            return Err(StreamError::CutOff.into());
                        }
                    }
                    ReadFrameHeaderError::BadMagicNumber(_)
                    | ReadFrameHeaderError::MagicNumberReadError(_) => {
                        return Err(StreamError::TrailingBytes.into());
                    }
                    error => return Err(damaged(&error)),
                },
                Err(error) => return Err(damaged(&error)),
            }
        }
        Ok(false)
    }

    /// Compares a frame with the checksum and the length that it states.
    fn verify(&self) -> Result<(), StreamError> {
        let stated = self.decoder.get_checksum_from_data();
        if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
            return Err(StreamError::WrongChecksum);
        }
        let (stated, found) = (self.decoder.content_size(), self.produced);
        // A frame without a stated length has 0 here.
        if stated != 0 && stated != found {
            return Err(StreamError::WrongLength { stated, found });
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while self.is_in_frame || self.begin()? {
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder
                    .decode_blocks(&mut self.source, one)
                    .map_err(|error| damaged(&error))?;
            }
            let count = self.decoder.read(buffer)?;
            self.produced += count as u64;
            if count > 0 {
                return Ok(count);
            }
            self.verify()?;
            self.is_in_frame = false;
        }
        Ok(0)
    }
}

impl<R: BufRead> ConsumingReader for Zstd<R> {
    fn consumed(&self) -> Option<u64> {
        Some(self.source.count)
    }
}

/// Keeps only the text of a decoder's error. The error itself would add the code to debug-print all its kinds.
fn damaged(error: &dyn Display) -> io::Error {
    io::Error::other(error.to_string())
}

impl From<StreamError> for io::Error {
    fn from(error: StreamError) -> io::Error {
        io::Error::other(error)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const TEXT: &str = "{\"database\": {}}";

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        ruzstd::encoding::compress_to_vec(text, level)
    }

    fn read(input: &[u8], limit: u64) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        decompress(input, SizeLimit(limit))
            .and_then(|mut reader| reader.read_to_end(&mut bytes))
            .map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    #[track_caller]
    fn check(input: &[u8], expected: &str) {
        assert_eq!(read(input, u64::MAX).as_deref(), Ok(expected.as_bytes()));
    }

    #[track_caller]
    fn check_refused(input: &[u8], limit: u64, expected: &str) {
        let error = read(input, limit).expect_err("an error");
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn reads_the_same_text_compressed_or_not() {
        check(TEXT.as_bytes(), TEXT);
        check(b"", "");
        check(&[BYTE_ORDER_MARK, TEXT.as_bytes()].concat(), TEXT);
        check(&gzip(TEXT.as_bytes()), TEXT);
        check(&zstd(TEXT.as_bytes()), TEXT);
    }

    #[test]
    fn reads_consecutive_streams_as_one() {
        check(&[gzip(b"{"), gzip(b"}")].concat(), "{}");
        check(&[zstd(b"{"), zstd(b""), zstd(b"}")].concat(), "{}");
        // A skippable frame, as pzstd writes them.
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        check(&[zstd(b"{"), skipped.clone(), zstd(b"}"), skipped].concat(), "{}");
    }

    #[test]
    fn rejects_streams_that_are_cut_off() {
        for stream in [gzip(TEXT.as_bytes()), zstd(TEXT.as_bytes())] {
            for length in 4..stream.len() {
                assert!(read(&stream[..length], u64::MAX).is_err(), "read {length} bytes");
            }
        }
        let cut = [zstd(b"{}"), vec![0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, b'a']].concat();
        check_refused(&cut, u64::MAX, "cut off");
    }

    #[test]
    fn rejects_bytes_after_the_last_stream() {
        for garbage in ["x", "\0\0", "{\"more\": 1}"] {
            let garbage = garbage.as_bytes();
            let stream = [zstd(TEXT.as_bytes()), garbage.to_vec()].concat();
            check_refused(&stream, u64::MAX, "something that is not compressed follows");
            assert!(read(&[gzip(TEXT.as_bytes()), garbage.to_vec()].concat(), u64::MAX).is_err());
        }
    }

    #[test]
    fn rejects_flipped_bits_wherever_they_are() {
        // Random text is stored uncompressed, so a flipped bit gives different text.
        let text: Vec<u8> =
            (0..400_u32).flat_map(|i| (i.wrapping_mul(2_654_435_761)).to_le_bytes()).collect();
        for stream in [gzip(&text), zstd(&text)] {
            // Earlier bytes concern the file's name and time.
            for at in (20..stream.len()).step_by(7) {
                let mut damaged = stream.clone();
                damaged[at] ^= 0x10;
                assert!(read(&damaged, u64::MAX).is_err(), "byte {at} was flipped unseen");
            }
        }
    }

    #[test]
    fn rejects_more_than_the_limit() {
        for stream in [TEXT.as_bytes().to_vec(), gzip(TEXT.as_bytes()), zstd(TEXT.as_bytes())] {
            assert!(read(&stream, TEXT.len() as u64).is_ok());
            check_refused(
                &stream,
                TEXT.len() as u64 - 1,
                "it is longer than the limit of 15 bytes",
            );
        }
    }

    #[test]
    fn rejects_excessive_compression_ratios() {
        // Each of these four-byte blocks expands to 128 kB of one letter.
        let mut bomb = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
        for _ in 0..1000 {
            let header = (131_072_u32 << 3) | (1 << 1);
            bomb.extend(&header.to_le_bytes()[..3]);
            bomb.push(b' ');
        }
        check_refused(&bomb, u64::MAX, "more than 1000 times as long");
        // Repetitive but honest input is accepted.
        let text = "spack ".repeat(4_000_000);
        assert_eq!(read(&gzip(text.as_bytes()), u64::MAX).map(|text| text.len()), Ok(24_000_000));
    }
}
