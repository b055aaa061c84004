//! Digests as pages write them, and comparing bytes with their stated digest while they are read.

use std::io::{self, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use super::problem::Finding;

/// Returns the digest of some bytes as pages write it, in a policy and for fetched files: `sha256-` and base64.
pub fn integrity(bytes: &[u8]) -> String {
    format!("sha256-{}", BASE64.encode(Sha256::digest(bytes)))
}

/// A sha256 as 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sha256Text(String);

impl Sha256Text {
    /// Returns the text as a sha256, if it is one.
    pub fn new(text: &str) -> Option<Sha256Text> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 64 && text.bytes().all(is_digit)).then(|| Sha256Text(text.to_string()))
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The stated digest and length of a file that is still to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// Its sha256.
    pub digest: Sha256Text,
    /// Its length in bytes, if it is stated too.
    pub length: Option<u64>,
}

impl Fingerprint {
    /// Returns how a file with this digest and length differs from the stated one.
    pub fn differences(&self, digest: &Sha256Text, length: u64) -> Vec<Finding> {
        let mut findings = Vec::new();
        if let Some(stated) = self.length
            && stated != length
        {
            findings.push(Finding::LengthDisagrees { stated, found: length });
        }
        if *digest != self.digest {
            let (stated, found) = (self.digest.0.clone(), digest.0.clone());
            findings.push(Finding::DigestDisagrees { stated, found });
        }
        findings
    }
}

/// A reader that computes the digest of what it reads.
pub struct DigestReader<R> {
    inner: R,
    digest: Sha256,
    length: u64,
}

impl<R: Read> DigestReader<R> {
    /// Computes the digest of what is read from `inner`.
    pub fn new(inner: R) -> DigestReader<R> {
        DigestReader { inner, digest: Sha256::new(), length: 0 }
    }

    /// Reads to the end, and returns how the file differs from the stated one.
    pub fn finish(self, stated: &Fingerprint) -> io::Result<Vec<Finding>> {
        let (digest, length) = self.digest()?;
        Ok(stated.differences(&digest, length))
    }

    /// Reads to the end, and returns the digest and the length.
    pub fn digest(mut self) -> io::Result<(Sha256Text, u64)> {
        io::copy(&mut self, &mut io::sink())?;
        let digits = format!("{:x}", self.digest.finalize());
        Ok((Sha256Text(digits), self.length))
    }
}

/// Reads at most `longest` bytes, and compares the complete input with its fingerprint.
pub(crate) fn read_stated(
    input: impl Read,
    stated: &Fingerprint,
    longest: u64,
) -> io::Result<Result<Vec<u8>, Finding>> {
    let mut bytes = Vec::new();
    let mut input = DigestReader::new(input);
    input.by_ref().take(longest).read_to_end(&mut bytes)?;
    let wrong = input.finish(stated)?;
    Ok(wrong.into_iter().next().map_or(Ok(bytes), Err))
}

impl<R: Read> Read for DigestReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.digest.update(&buffer[..count]);
        self.length += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_digests_as_browsers_compare_them() {
        // The text `abc`, from the standard that defines sha256.
        assert_eq!(integrity(b"abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }

    /// The digest of the text `abc`, from the standard that defines sha256.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[track_caller]
    fn check(text: &str, length: Option<u64>, expected: &[Finding]) {
        let stated = Fingerprint { digest: Sha256Text::new(ABC).expect("a sha256"), length };
        let findings = DigestReader::new(text.as_bytes()).finish(&stated).expect("memory");
        assert_eq!(findings, expected);
    }

    #[test]
    fn compares_bytes_with_what_is_stated() {
        check("abc", Some(3), &[]);
        check("abc", None, &[]);
        check("abc", Some(4), &[Finding::LengthDisagrees { stated: 4, found: 3 }]);
        let found = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855".to_string();
        check("", None, &[Finding::DigestDisagrees { stated: ABC.into(), found }]);
    }

    #[test]
    fn accepts_only_64_lower_case_hexadecimal_digits() {
        assert!(Sha256Text::new(ABC).is_some());
        for text in ["", "abc", &ABC.to_uppercase(), &format!("../{}", &ABC[3..])] {
            assert_eq!(Sha256Text::new(text), None, "{text}");
        }
    }
}
