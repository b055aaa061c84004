//! A mirror as Spack lays it out in a folder: which file is its database, and what else tells about
//! its binaries.
//!
//! | layout | database | sizes |
//! | --- | --- | --- |
//! | v2, up to Spack 0.23 | `build_cache/index.json`, its sha256 in `build_cache/index.json.hash` | nowhere |
//! | v3, Spack 1.x | a blob, named by `v3/manifests/index/index.manifest.json` | in a manifest for each build |
//!
//! A v3 mirror may have further indexes, each of a part of it, at
//! `v3/manifests/index/<view>/index.manifest.json`. A mirror may have both layouts at once. All
//! databases are read, and it is for a [`Collection`](super::Collection) to unite them.
//!
//! Digests and lengths of the databases are checked. Those of the binaries are not: they are large,
//! and Spack checks them when it installs one. Signatures are not checked either.

mod blob;
#[cfg(test)]
mod tests;
mod v3;

use std::fmt;
use std::io::{self, Read};

pub use self::blob::read_blob;
use super::database::Database;
use super::digest::Sha256Text;
use super::problem::{Finding, Position, Problem, quote};
use cache_index::build::{Hash, Place};

/// The files of a mirror, wherever they are. Paths are relative to its root, with `/` between.
pub trait Files {
    /// Opens a file; `None` if there is none of this path.
    fn open(&self, path: &str) -> io::Result<Option<Box<dyn Read + '_>>>;

    /// Paths of all files in a folder and in those below it, sorted; none if there is no such folder.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;
}

/// What a mirror says.
#[derive(Debug)]
pub struct Mirror {
    /// Its databases, each with the path of the file that led to it.
    pub databases: Vec<(String, Database)>,
    /// Builds that have a manifest but are in no database: pushed since the index was last made.
    pub unlisted: Vec<Hash>,
}

/// A problem with one file of a mirror.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorProblem {
    /// The file's path.
    pub file: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// All files of a v2 mirror.
const V2_FOLDER: &str = "build_cache";

/// The database of a v2 mirror.
const V2_INDEX: &str = "build_cache/index.json";

/// Its sha256.
const V2_DIGEST: &str = "build_cache/index.json.hash";

/// Whether there is a mirror, in any layout.
pub fn is_mirror(files: &dyn Files) -> io::Result<bool> {
    for path in [V2_INDEX, v3::LAYOUT] {
        if files.open(path)?.is_some() {
            return Ok(true);
        }
    }
    // Without its index a mirror is still one, and reading it says what is missing.
    Ok(!files.list(v3::MANIFESTS)?.is_empty() || !files.list(V2_FOLDER)?.is_empty())
}

/// Reads all databases of a mirror, or says everything that is wrong with it.
pub fn read_mirror(files: &dyn Files, place: &Place) -> Result<Mirror, Vec<MirrorProblem>> {
    let mut problems = MirrorProblems::default();
    let mut mirror = Mirror { databases: Vec::new(), unlisted: Vec::new() };
    let outcome = read_v2(files, place, &mut mirror, &mut problems)
        .and_then(|()| v3::read(files, place, &mut mirror, &mut problems));
    if let Err(error) = outcome {
        problems.note("", Finding::Unreadable { message: error.to_string() });
    }
    if mirror.databases.is_empty() && problems.0.is_empty() {
        problems.note("", Finding::NoIndex);
    }
    if problems.0.is_empty() { Ok(mirror) } else { Err(problems.0) }
}

fn read_v2(
    files: &dyn Files,
    place: &Place,
    mirror: &mut Mirror,
    problems: &mut MirrorProblems,
) -> io::Result<()> {
    let Some(index) = files.open(V2_INDEX)? else { return Ok(()) };
    let stated = match files.open(V2_DIGEST)? {
        None => None,
        Some(mut file) => {
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            let digest = Sha256Text::new(text.trim());
            if digest.is_none() {
                problems.note(V2_DIGEST, Finding::BadDigest { found: quote(text.trim()) });
            }
            digest
        }
    };
    let database = read_blob(index, place, stated.as_ref(), None);
    mirror.databases.extend(problems.database(V2_INDEX, database));
    Ok(())
}

/// Problems of a mirror so far.
#[derive(Default)]
struct MirrorProblems(Vec<MirrorProblem>);

impl MirrorProblems {
    fn note(&mut self, file: &str, finding: Finding) {
        self.add(file, [Problem { at: Position::default(), finding }]);
    }

    fn add(&mut self, file: &str, problems: impl IntoIterator<Item = Problem>) {
        let in_file = |problem| MirrorProblem { file: file.to_string(), problem };
        self.0.extend(problems.into_iter().map(in_file));
    }

    /// Keeps a database with the file that led to it, or notes its problems.
    fn database(
        &mut self,
        file: &str,
        outcome: Result<Database, Vec<Problem>>,
    ) -> Option<(String, Database)> {
        match outcome {
            Ok(database) => Some((file.to_string(), database)),
            Err(problems) => {
                self.add(file, problems);
                None
            }
        }
    }
}

impl fmt::Display for MirrorProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.file.is_empty() {
            return self.problem.fmt(f);
        }
        write!(f, "{}: {}", self.file, self.problem)
    }
}

impl std::error::Error for MirrorProblem {}
