//! Files of facts: reading them, and writing one so that the work of an interrupted run is not lost.
//!
//! While binaries are read, each line is added to a file next to the output, with `.part` after its name. A later run goes
//! on from there. At the end, what is known of the mirrors as they are now becomes the output.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use cache_index::build::Hash;
use cache_index::facts::{Facts, KnownFacts, Line, LineError};
use cache_ingest::compression::SizeLimit;
use cache_ingest::decompress;

use crate::output::{self, Lock};
use crate::report::Failure;

/// Reads a file of facts; `files` says whether to keep the lists of files.
pub(crate) fn load(path: &Path, files: bool) -> Result<KnownFacts, Failure> {
    let mut known = KnownFacts::default();
    each_line(path, &mut |text| known.add(text, files))?;
    Ok(known)
}

/// Calls a function with each line of a file of facts.
fn each_line(
    path: &Path,
    each: &mut dyn FnMut(&str) -> Result<(), LineError>,
) -> Result<(), Failure> {
    let of_file = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    let file = File::open(path).map_err(|error| of_file(&error))?;
    let mut lines =
        BufReader::new(decompress(file, SizeLimit::default()).map_err(|error| of_file(&error))?);
    let mut text = String::new();
    for number in 1.. {
        text.clear();
        if lines.read_line(&mut text).map_err(|error| of_file(&error))? == 0 {
            break;
        }
        each(text.trim_end()).map_err(|error| of_file(&format!("line {number}: {error}")))?;
    }
    Ok(())
}

/// What was found so far, in the files of earlier runs and of this one.
pub(crate) struct SavedFacts {
    output: PathBuf,
    part: PathBuf,
    lines: BufWriter<File>,
    /// Files with earlier facts.
    earlier: Vec<PathBuf>,
    /// The digests of the binaries that are in these files.
    known: BTreeSet<String>,
}

impl SavedFacts {
    /// Returns the path of the file that an interrupted run leaves.
    pub(crate) fn part(output: &Path) -> PathBuf {
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        output.with_file_name(name)
    }

    /// Opens the file that an interrupted run left, and reads which binaries are known. If only the prefix of a binary is
    /// known, it is read again, unless `quick` is set. `known` may be the output, which does not exist before the first run.
    pub(crate) fn open(
        output: &Path,
        known: Option<&Path>,
        quick: bool,
    ) -> Result<SavedFacts, Failure> {
        let part = SavedFacts::part(output);
        let known = known.filter(|known| *known != output || known.exists());
        let failed = |error: io::Error| format!("{}: {error}", part.display());
        let file = OpenOptions::new().create(true).read(true).append(true).open(&part);
        let mut file = file.map_err(failed)?;
        cut_to_last_line(&mut file).map_err(failed)?;
        let mut lines = BufWriter::new(file);
        if fs::metadata(&part).map_err(failed)?.len() == 0 {
            write_line(&mut lines, &Line::first()).map_err(failed)?;
            lines.flush().map_err(failed)?;
        }
        let earlier: Vec<PathBuf> =
            known.map(Path::to_owned).into_iter().chain([part.clone()]).collect();
        let mut digests = BTreeSet::new();
        for path in &earlier {
            each_line(path, &mut |text| {
                if let Line::Binary { digest, found } = Line::read(text)?
                    && (quick || !found.is_partial)
                {
                    digests.insert(digest);
                }
                Ok(())
            })?;
        }
        Ok(SavedFacts { output: output.to_owned(), part, lines, earlier, known: digests })
    }

    /// Returns `true` if a binary does not have to be read again.
    pub(crate) fn knows(&self, digest: &str) -> bool {
        self.known.contains(digest)
    }

    /// Returns all facts of earlier runs.
    pub(crate) fn earlier(&self) -> Result<KnownFacts, Failure> {
        let mut all = KnownFacts::default();
        for path in &self.earlier {
            each_line(path, &mut |text| all.add(text, true))?;
        }
        Ok(all)
    }

    /// Adds the facts of a binary.
    pub(crate) fn add(&mut self, digest: &str, facts: &Facts) -> io::Result<()> {
        let (digest, found) = (digest.to_owned(), Box::new(facts.clone()));
        write_line(&mut self.lines, &Line::Binary { digest, found })?;
        self.lines.flush()
    }

    /// Writes the facts of these builds, each with the digest of its binary, and returns how many of them have facts.
    pub(crate) fn finish(self, builds: &[(Hash, String)]) -> Result<usize, Failure> {
        let wanted: BTreeSet<&str> = builds.iter().map(|(_, digest)| digest.as_str()).collect();
        // If a binary is in the files twice, the last line has more.
        let mut last = BTreeMap::new();
        let mut number = 0_u64;
        for path in &self.earlier {
            each_line(path, &mut |text| {
                number += 1;
                if let Line::Binary { digest, .. } = Line::read(text)?
                    && let Some(digest) = wanted.get(digest.as_str())
                {
                    last.insert(*digest, number);
                }
                Ok(())
            })?;
        }
        let chosen: BTreeSet<u64> = last.values().copied().collect();
        let problem: RefCell<Option<Failure>> = RefCell::default();
        let content = |file: &File| {
            let mut out = BufWriter::new(file);
            write_line(&mut out, &Line::first())?;
            let mut number = 0_u64;
            for path in &self.earlier {
                let mut written = Ok(());
                let read = each_line(path, &mut |text| {
                    number += 1;
                    if chosen.contains(&number) && written.is_ok() {
                        written = writeln!(out, "{text}");
                    }
                    Ok(())
                });
                written?;
                if let Err(failed) = read {
                    *problem.borrow_mut() = Some(failed);
                    return Err(io::Error::other("the facts could not be read again"));
                }
            }
            for (hash, digest) in
                builds.iter().filter(|(_, digest)| last.contains_key(digest.as_str()))
            {
                write_line(&mut out, &Line::Build { hash: *hash, digest: digest.clone() })?;
            }
            out.flush()
        };
        let folder = match self.output.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let lock = Lock::of(folder).map_err(|error| output::WriteError::of_lock(folder, error))?;
        let files: [(&Path, &output::Content<'_>); 1] = [(&self.output, &content)];
        output::write_contents(&files, &lock)
            .map_err(|error| problem.take().unwrap_or_else(|| error.into()))?;
        fs::remove_file(&self.part).map_err(|error| format!("{}: {error}", self.part.display()))?;
        Ok(builds.iter().filter(|(_, digest)| last.contains_key(digest.as_str())).count())
    }
}

fn write_line(out: &mut impl Write, line: &Line) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// Removes a line that was not written to its end.
fn cut_to_last_line(file: &mut File) -> io::Result<()> {
    let mut length = file.seek(SeekFrom::End(0))?;
    let mut byte = [0];
    while length > 0 {
        file.seek(SeekFrom::Start(length - 1))?;
        file.read_exact(&mut byte)?;
        if byte == *b"\n" {
            break;
        }
        length -= 1;
    }
    file.set_len(length)
}
