//! The file of facts: lines of JSON, so that it can be continued, and read without holding all of it in memory.
//!
//! ```text
//! {"facts":1}                                                        the format
//! {"digest":"sha256:…","found":{"size":…,"files":[…],"objects":[…],…}}  a binary
//! {"hash":"…","digest":"sha256:…"}                                   a build, and its binary
//! ```
//!
//! Two builds may have the same binary, and the same build may have different ones in two mirrors: then the last counts.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Facts;
use crate::build::Hash;
use crate::message::tame;

/// The number of the format that is written, and the only one that is read.
const FORMAT: u32 = 1;

/// A line of a file of facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    /// The first line.
    Format {
        /// The number of the format.
        facts: u32,
    },
    /// A build, and the digest of its binary.
    Build {
        /// The build.
        hash: Hash,
        /// The digest, after `sha256:`.
        digest: String,
    },
    /// A binary.
    Binary {
        /// Its digest, after `sha256:`.
        digest: String,
        /// What was found in it.
        found: Box<Facts>,
    },
}

/// The facts in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownFacts {
    binaries: HashMap<String, Facts>,
    builds: BTreeMap<Hash, String>,
    has_format: bool,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineError {
    /// The first line is not that of a file of facts.
    NoFacts,
    /// The file was written by a newer version.
    UnknownFormat {
        /// The number of its format.
        found: u32,
    },
    /// The line is not valid in this format.
    Damaged {
        /// The message of the JSON reader.
        message: String,
    },
}

impl Line {
    /// Returns the first line of a file.
    pub fn first() -> Line {
        Line::Format { facts: FORMAT }
    }

    /// Reads a line.
    pub fn read(text: &str) -> Result<Line, LineError> {
        let damaged =
            |error: serde_json::Error| LineError::Damaged { message: tame(&error.to_string()) };
        // Parsed separately: a binary has a long line, and the error of an untagged enum does not say what is wrong
        // with it.
        if text.starts_with("{\"digest\"") {
            #[derive(Deserialize)]
            struct Binary {
                digest: String,
                found: Box<Facts>,
            }
            let Binary { digest, found } = serde_json::from_str(text).map_err(damaged)?;
            return Ok(Line::Binary { digest, found });
        }
        match serde_json::from_str(text).map_err(damaged)? {
            Line::Format { facts } if facts != FORMAT => {
                Err(LineError::UnknownFormat { found: facts })
            }
            line => Ok(line),
        }
    }
}

impl KnownFacts {
    /// Adds a line; the first must say the format. The lists of files are long, and kept only if `files` is `true`.
    pub fn add(&mut self, text: &str, files: bool) -> Result<(), LineError> {
        let line = Line::read(text);
        if !self.has_format {
            self.has_format = matches!(line, Ok(Line::Format { .. }));
            return match line {
                Ok(Line::Format { .. }) => Ok(()),
                Err(error @ LineError::UnknownFormat { .. }) => Err(error),
                _ => Err(LineError::NoFacts),
            };
        }
        match line? {
            Line::Format { .. } => {}
            Line::Build { hash, digest } => drop(self.builds.insert(hash, digest)),
            Line::Binary { digest, mut found } => {
                if !files {
                    found.files = Vec::new();
                }
                self.binaries.insert(digest, *found);
            }
        }
        Ok(())
    }

    /// Returns the facts of a build.
    pub fn of(&self, build: Hash) -> Option<&Facts> {
        self.binaries.get(self.builds.get(&build)?)
    }

    /// Returns the facts of a binary.
    pub fn of_digest(&self, digest: &str) -> Option<&Facts> {
        self.binaries.get(digest)
    }

    /// Returns all builds that have facts, each with its facts.
    pub fn all(&self) -> impl Iterator<Item = (Hash, &Facts)> {
        self.builds.iter().filter_map(|(&hash, digest)| Some((hash, self.binaries.get(digest)?)))
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::NoFacts => f.write_str(
                "expected facts, as `cache-explorer inspect` writes them, found something else",
            ),
            LineError::UnknownFormat { found } => write!(
                f,
                "expected facts in format {FORMAT}, found format {found}, which a newer version wrote"
            ),
            LineError::Damaged { message } => write!(f, "a line is damaged: {message}"),
        }
    }
}

impl std::error::Error for LineError {}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "sha256:01";
    const HASH: &str = "23dhitblzvsolk24z4rg7kcxo3pvrqhu";

    fn lines() -> [Line; 3] {
        let facts = Facts { size: 7, prefix: "/opt/a".to_owned(), ..Facts::default() };
        let (hash, digest) = (HASH.parse().expect("a hash"), DIGEST.to_owned());
        let binary = Line::Binary { digest: digest.clone(), found: Box::new(facts) };
        [Line::first(), binary, Line::Build { hash, digest }]
    }

    #[test]
    fn reads_what_it_writes() {
        let mut known = KnownFacts::default();
        for line in lines() {
            let text = serde_json::to_string(&line).expect("JSON");
            assert_eq!(Line::read(&text), Ok(line));
            known.add(&text, true).expect("good");
        }
        let facts = known.of(HASH.parse().expect("a hash")).expect("known");
        assert_eq!((facts.size, facts.prefix.as_str()), (7, "/opt/a"));
        assert_eq!(known.of_digest(DIGEST), Some(facts));
        assert_eq!(known.all().count(), 1);
    }

    #[test]
    fn rejects_other_files() {
        let add = |text| KnownFacts::default().add(text, true).expect_err("an error").to_string();
        assert!(add("{\"format\":5}").contains("expected facts"));
        assert!(add("{\"facts\":2}").contains("found format 2"));
        assert!(add("x").contains("expected facts"));
        for text in [
            "{\"digest\":\"sha256:01\",\"found\":{\"size\":-1}}",
            "{\"hash\":\"x\",\"digest\":\"\"}",
            "{",
        ] {
            assert!(Line::read(text).is_err(), "{text}");
        }
        // A message repeats neither a complete line nor control characters that a terminal would obey.
        let text = "x".repeat(9_000);
        let long = format!("{{\"digest\":\"\",\"found\":{{\"size\":\"\\u001b{text}\"}}}}");
        let error = Line::read(&long).expect_err("a text as a size");
        let message = error.to_string();
        assert!(message.len() < 400 && !message.contains('\u{1b}'), "{message}");
    }
}
