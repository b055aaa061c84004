//! Writing files completely or not at all.
//!
//! A file is written without a name, in the folder of its destination, and then renamed, so that neither a reader nor a
//! crash nor a full disk leaves half of it. Several files are all written before the first is renamed, the most
//! important last; if one cannot be renamed, the others are restored.
//!
//! | target | what happens |
//! | --- | --- |
//! | a regular file | replaced; keeps its mode and, if permitted, its owner |
//! | a symbolic link | its target is replaced, and the link stays |
//! | a device, a pipe, a socket | written to directly, because it cannot be replaced |
//! | `-`, `/dev/stdout` | the standard output |
//!
//! Before it reads or writes anything, a command asks whether it [may write](may_write) all of its outputs.
//!
//! Only one command at a time writes into a folder ([`Lock`]). SIGINT and SIGTERM end a command before its first
//! renaming or after its last ([`interrupt`]). A command that is killed leaves every file complete, and at most one
//! file with a temporary name, which the next command removes.

mod interrupt;
mod lock;
mod rule;
mod staged;
mod tree;

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) use self::lock::Lock;
pub(crate) use self::rule::{Kind, Output, is_foreign, may_write, place};
use self::staged::{Like, StagedFile};
pub(crate) use self::staged::{hidden, mode_in};
use self::tree::StagedTree;
pub(crate) use self::tree::{Shelf, Tree};

/// A file that could not be written.
#[derive(Debug)]
pub(crate) struct WriteError {
    path: PathBuf,
    error: io::Error,
}

/// The content of a file: a function that writes it.
pub(crate) type Content<'c> = dyn Fn(&File) -> io::Result<()> + 'c;

/// How many symbolic links may be followed, as on Linux.
const MAX_LINKS: usize = 40;

/// Writes all of the files of a site or none, in its locked folder. A reader who finds the new version of the last file
/// finds the new versions of all the others, and of the tree. New files can be read by everyone who can read their folder.
pub(crate) fn write_site(
    site: &Path,
    files: &[(PathBuf, String)],
    tree: &Tree,
    lock: &Lock,
) -> Result<(), WriteError> {
    let contents: Vec<_> = files.iter().map(|(_, text)| of_text(text)).collect();
    let files = files.iter().zip(&contents);
    let files: Vec<(&Path, &Content<'_>)> =
        files.map(|((path, _), content)| (path.as_path(), content as _)).collect();
    write_like(&files, tree.stage(site)?, Like::Folder, lock)
}

/// Writes all of the files or none. The contents are not held in memory.
pub(crate) fn write_contents(
    files: &[(&Path, &Content<'_>)],
    lock: &Lock,
) -> Result<(), WriteError> {
    write_like(files, StagedTree::default(), Like::Any, lock)
}

/// Writes all of the files or none. `new` says which mode a file gets if it does not replace another one.
fn write_like(
    files: &[(&Path, &Content<'_>)],
    tree: StagedTree,
    new: Like<'_>,
    lock: &Lock,
) -> Result<(), WriteError> {
    let mut locks = Vec::new();
    let mut prepared = Vec::new();
    for &(path, content) in files {
        let target = target(path).map_err(failed(path))?;
        if let WriteTarget::File { path: real, .. } = &target
            && !std::iter::once(lock).chain(&locks).any(|lock| lock.is_of(folder_of(real)))
        {
            locks.push(Lock::of(folder_of(real)).map_err(failed(path))?);
        }
        prepared.push(Replacement::prepare(path, target, content, new).map_err(failed(path))?);
    }
    replace(prepared, tree)
}

/// Writes one file completely, or to the standard output for the path `-`.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), WriteError> {
    if is_standard_output(path) {
        let mut out = io::stdout().lock();
        return match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            // The reader closed the pipe, which is not an error.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            outcome => outcome.map_err(failed(path)),
        };
    }
    let target = target(path).map_err(failed(path))?;
    let _lock = match &target {
        WriteTarget::File { path: real, .. } => {
            Some(Lock::of(folder_of(real)).map_err(failed(path))?)
        }
        WriteTarget::Stream => None,
    };
    let content = of_text(text);
    let one = Replacement::prepare(path, target, &content, Like::Any).map_err(failed(path))?;
    replace(vec![one], StagedTree::default())
}

/// Returns a content that writes a text.
fn of_text(text: &str) -> impl Fn(&File) -> io::Result<()> {
    move |mut file| file.write_all(text.as_bytes())
}

/// Returns `true` if what is written to a path goes to the standard output.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    path == "-" || path == "/dev/stdout"
}

/// What is at the path of an output.
enum WriteTarget {
    /// A regular file, or nothing yet.
    File {
        /// Its path, after following all links.
        path: PathBuf,
        /// The file to replace, if there is one.
        old: Option<Metadata>,
    },
    /// Something that is written to directly: a device, a pipe, a socket.
    Stream,
}

fn target(path: &Path) -> io::Result<WriteTarget> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {
            Ok(WriteTarget::File { path: linked(path)?, old: Some(found) })
        }
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Ok(WriteTarget::Stream),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(WriteTarget::File { path: linked(path)?, old: None })
        }
        Err(error) => Err(error),
    }
}

/// Follows the links at a path, even if the last one points to nothing yet.
fn linked(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = folder_of(&path).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A content that is ready to be put into its place.
struct Replacement<'p> {
    /// The path as the user wrote it.
    named: &'p Path,
    place: PreparedOutput<'p>,
}

enum PreparedOutput<'p> {
    File {
        path: PathBuf,
        new: StagedFile,
        /// The previous file, if any, copied in advance, so that a full disk is noticed before anything changes.
        old: Option<StagedFile>,
    },
    Stream(&'p Content<'p>),
}

impl<'p> Replacement<'p> {
    fn prepare(
        named: &'p Path,
        target: WriteTarget,
        content: &'p Content<'p>,
        like: Like<'_>,
    ) -> io::Result<Replacement<'p>> {
        let place = match target {
            WriteTarget::Stream => PreparedOutput::Stream(content),
            WriteTarget::File { path, old } => {
                let folder = folder_of(&path);
                let like = old.as_ref().map_or(like, Like::File);
                let new = StagedFile::write(folder, content, like)?;
                new.keep()?;
                let copy = |mut file: &File| io::copy(&mut File::open(&path)?, &mut file).map(drop);
                let old = match &old {
                    Some(_) => Some(StagedFile::write(folder, &copy, like)?),
                    None => None,
                };
                PreparedOutput::File { path, new, old }
            }
        };
        Ok(Replacement { named, place })
    }
}

/// Puts all contents into their places, or restores the previous files. Streams are written first: writing to one may wait
/// for a reader, and a signal can end that.
fn replace(prepared: Vec<Replacement<'_>>, mut tree: StagedTree) -> Result<(), WriteError> {
    for Replacement { named, place } in &prepared {
        if let PreparedOutput::Stream(content) = place {
            write_into(named, content).map_err(failed(named))?;
        }
    }
    let mut temporary = interrupt::hold();
    if let Err(error) = tree.put() {
        tree.undo();
        return Err(error);
    }
    let mut replaced: Vec<(PathBuf, Option<StagedFile>)> = Vec::new();
    for Replacement { named, place } in prepared {
        let PreparedOutput::File { path, new, old } = place else { continue };
        if let Err(error) = new.put(&path, &mut temporary) {
            for (path, old) in replaced.into_iter().rev() {
                // If even this fails, there is nothing more to do.
                let _ = match old {
                    Some(old) => old.put(&path, &mut temporary),
                    None => fs::remove_file(&path),
                };
            }
            tree.undo();
            return Err(failed(named)(error));
        }
        replaced.push((path, old));
    }
    tree.remove_stale();
    // Makes the names survive a power loss, like the contents. Not every file system can do that.
    let folders: BTreeSet<&Path> = replaced.iter().map(|(path, _)| folder_of(path)).collect();
    for folder in folders {
        let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

fn write_into(path: &Path, content: &Content<'_>) -> io::Result<()> {
    match content(&OpenOptions::new().write(true).open(path)?) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_path_buf();
    |error| WriteError { path, error }
}

impl WriteError {
    /// Creates the error for a folder that could not be locked.
    pub(crate) fn of_lock(folder: &Path, error: io::Error) -> WriteError {
        failed(folder)(error)
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: could not be written: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for WriteError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder")
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).expect("a file")
    }

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    #[test]
    fn replaces_files_completely() {
        let folder = folder();
        let path = folder.path().join("index.json");
        write(&path, "one").expect("written");
        write(&path, "two").expect("written");
        assert_eq!(read(&path), "two");
        assert_eq!(count(folder.path()), 1);
    }

    #[test]
    fn changes_nothing_if_one_file_cannot_be_written() {
        let folder = folder();
        let good = folder.path().join("good");
        write(&good, "old").expect("written");
        let bad = folder.path().join("missing/bad");
        let files = [(good.clone(), "new".to_string()), (bad.clone(), "new".to_string())];
        let lock = Lock::of(folder.path()).expect("a lock");
        let error =
            write_site(folder.path(), &files, &Tree::default(), &lock).expect_err("no such folder");
        assert!(error.to_string().starts_with(&format!("{}: could not", bad.display())));
        assert_eq!(read(&good), "old");
        assert_eq!(count(folder.path()), 1);
    }

    #[test]
    fn restores_replaced_files_if_one_cannot_be_replaced() {
        let folder = folder();
        let [old, fresh, late] = ["old", "fresh", "late"].map(|name| folder.path().join(name));
        write(&old, "old").expect("written");
        let paths = [&old, &fresh, &late];
        // A folder blocks the last file only after it was prepared.
        let new = of_text("new");
        let prepare = |path| Replacement::prepare(path, target(path)?, &new, Like::Any);
        let prepared: Vec<_> =
            paths.map(|path| prepare(path).expect("written")).into_iter().collect();
        fs::create_dir(&late).expect("a folder");
        let error = replace(prepared, StagedTree::default()).expect_err("a folder is in the way");
        assert!(error.to_string().starts_with(&format!("{}: could not", late.display())));
        assert_eq!(read(&old), "old");
        assert!(!fresh.exists());
        assert_eq!(count(folder.path()), 2);
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_and_keeps_them() {
        use std::os::unix::fs::symlink;
        let folder = folder();
        let [file, link, far, dangling] =
            ["file", "link", "far", "dangling"].map(|name| folder.path().join(name));
        write(&file, "old").expect("written");
        symlink("file", &link).expect("a link");
        symlink(&link, &far).expect("a link");
        symlink("fresh", &dangling).expect("a link");
        write(&far, "new").expect("written");
        assert_eq!(read(&file), "new");
        write(&dangling, "fresh").expect("written");
        assert_eq!(read(&folder.path().join("fresh")), "fresh");
        for link in [&link, &far, &dangling] {
            assert!(fs::symlink_metadata(link).expect("a link").is_symlink());
        }
        symlink("round", folder.path().join("round")).expect("a link");
        let error = write(&folder.path().join("round"), "x").expect_err("a cycle of links");
        assert!(error.to_string().contains("could not be written"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn keeps_the_mode_of_a_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder();
        let path = folder.path().join("page.html");
        write(&path, "old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("a mode");
        write(&path, "new").expect("written");
        assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o7777, 0o640);
    }

    #[test]
    fn removes_the_leftovers_of_a_killed_command() {
        let folder = folder();
        let left = folder.path().join(".cache-explorer-abcdef.tmp");
        let other = folder.path().join(".cache-explorer-notes");
        fs::write(&left, "half").expect("written");
        fs::write(&other, "mine").expect("written");
        write(&folder.path().join("index.json"), "{}").expect("written");
        assert!(!left.exists());
        assert!(other.exists());
    }
}
