//! Compressed inputs, told by their first bytes.
//!
//! Caches are served as they are, gzipped by a server on the way, or kept as `.gz` or `.zst` by
//! whoever archives them; a file's name often does not tell. So the bytes do.

use std::io::{self, BufRead, BufReader, Read};

/// What gzip streams start with.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// What zstd streams start with.
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Reads what is in a gzip or zstd stream, and anything else as it is.
///
/// Fails if the input cannot be read, or starts like a compressed stream and is none; a stream that
/// is damaged further on fails when it is read.
pub fn decompress<'r>(input: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
    let mut input = BufReader::new(input);
    let start = input.fill_buf()?;
    if start.starts_with(GZIP) {
        // Several streams in a row are one, as gzip itself has it.
        return Ok(Box::new(flate2::bufread::MultiGzDecoder::new(input)));
    }
    if start.starts_with(ZSTD) {
        let decoder = ruzstd::decoding::StreamingDecoder::new(input).map_err(io::Error::other)?;
        return Ok(Box::new(decoder));
    }
    Ok(Box::new(input))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const TEXT: &str = "{\"database\": {}}";

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    }

    fn zstd(text: &str) -> Vec<u8> {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        ruzstd::encoding::compress_to_vec(text.as_bytes(), level)
    }

    #[track_caller]
    fn check(input: &[u8], expected: &str) {
        let mut text = String::new();
        let mut reader = decompress(input).expect("a stream");
        reader.read_to_string(&mut text).expect("a text");
        assert_eq!(text, expected);
    }

    #[test]
    fn compressed_or_not_the_text_is_the_same() {
        check(TEXT.as_bytes(), TEXT);
        check(b"", "");
        check(&gzip(TEXT), TEXT);
        check(&zstd(TEXT), TEXT);
        check(&[gzip("{"), gzip("}")].concat(), "{}");
    }

    #[test]
    fn damaged_streams_are_errors() {
        for mut stream in [gzip(TEXT), zstd(TEXT)] {
            stream.truncate(stream.len() - 6);
            let read = decompress(&stream[..])
                .and_then(|mut reader| reader.read_to_string(&mut String::new()));
            assert!(read.is_err(), "read a stream that was cut off");
        }
    }
}
