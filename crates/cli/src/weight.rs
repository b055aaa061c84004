//! Sizes of what is downloaded: raw, and compressed as hosts do it.

use std::io::{self, Write};
use std::ops::AddAssign;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::parallel::in_order;

/// The sizes of a text or file, in bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Weight {
    /// Uncompressed.
    pub(crate) bytes: usize,
    /// With gzip at its best quality.
    pub(crate) gzip: usize,
    /// With brotli at its best quality, which static hosts use to compress files in advance.
    pub(crate) brotli: usize,
}

impl Weight {
    /// Returns the sizes of each text or file, in order. Uses as many threads as the machine has, because brotli takes
    /// seconds for a megabyte.
    pub(crate) fn of_each<B: AsRef<[u8]> + Sync>(all: &[B]) -> io::Result<Vec<Weight>> {
        let mut weights = Vec::new();
        in_order(
            |each| all.iter().for_each(each),
            |bytes| Weight::of(bytes.as_ref()),
            |weight| weights.push(weight),
        );
        weights.into_iter().collect()
    }

    fn of(bytes: &[u8]) -> io::Result<Weight> {
        Ok(Weight { bytes: bytes.len(), gzip: gzip(bytes)?, brotli: brotli(bytes)? })
    }
}

impl AddAssign for Weight {
    fn add_assign(&mut self, other: Weight) {
        self.bytes += other.bytes;
        self.gzip += other.gzip;
        self.brotli += other.brotli;
    }
}

fn gzip(bytes: &[u8]) -> io::Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

fn brotli(mut bytes: &[u8]) -> io::Result<usize> {
    let mut out = Vec::new();
    // The best quality, and the largest window that browsers support.
    let best = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 24, ..Default::default() };
    brotli::BrotliCompress(&mut bytes, &mut out, &best)?;
    Ok(out.len())
}
