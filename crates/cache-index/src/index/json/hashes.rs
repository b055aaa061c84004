//! The hashes as JSON: one string of 32 characters per build, in the order of the index.
//!
//! A million of them are 32 MB, and reading them at once would block a page for too long. So they can be read slice by
//! slice: [`HashReader`].

use super::LoadError;
use crate::build::Hash;
use crate::index::Index;

/// Reads hashes slice by slice.
#[derive(Clone, Debug)]
pub struct HashReader {
    builds: usize,
    hashes: Vec<Hash>,
}

impl Index {
    pub(super) fn hashes_text(&self) -> Option<String> {
        let hashes = self.hashes.get()?;
        Some(hashes.iter().flat_map(Hash::text).map(char::from).collect())
    }

    /// Reads [`Parts::hashes`](super::Parts::hashes), unless they have been loaded already.
    pub fn set_hashes(&self, json: &str) -> Result<(), LoadError> {
        // A JSON string of letters and digits is just its text in quotes.
        let text = json.trim().strip_prefix('"').and_then(|json| json.strip_suffix('"'));
        self.read_hashes(text.ok_or(LoadError::HashesNotQuoted)?)
    }

    pub(super) fn read_hashes(&self, text: &str) -> Result<(), LoadError> {
        let mut reader = self.hash_reader(text.len())?;
        reader.read(text)?;
        self.take_hashes(reader)
    }

    /// Starts to read the hashes from a string with this number of characters.
    pub fn hash_reader(&self, characters: usize) -> Result<HashReader, LoadError> {
        let builds = self.specs() as usize;
        if characters != builds * Hash::CHARACTERS {
            return Err(LoadError::HashCount { builds, characters });
        }
        Ok(HashReader { builds, hashes: Vec::with_capacity(builds) })
    }

    /// Stores the hashes, once the whole string has been read.
    pub fn take_hashes(&self, reader: HashReader) -> Result<(), LoadError> {
        let HashReader { builds, hashes } = reader;
        if hashes.len() != builds {
            let characters = hashes.len() * Hash::CHARACTERS;
            return Err(LoadError::HashCount { builds, characters });
        }
        // If hashes have been loaded already, they are the same.
        let _ = self.hashes.set(hashes);
        Ok(())
    }
}

impl HashReader {
    /// Reads the next slice of the string, which must end at the end of a hash.
    pub fn read(&mut self, slice: &str) -> Result<(), LoadError> {
        for text in slice.as_bytes().chunks(Hash::CHARACTERS) {
            let build = self.hashes.len();
            let hash =
                Hash::from_text(text).map_err(|error| LoadError::BadHash { build, error })?;
            self.hashes.push(hash);
        }
        Ok(())
    }
}
