//! Only one command at a time writes into a folder.
//!
//! The lock is on the folder itself, so it leaves no file behind, and it ends with the command in any case. On file systems
//! that do not support locks, nothing is locked.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::interrupt::remove;
use super::staged::is_temporary;

/// How often to retry if another command holds the lock, and the delay between attempts.
#[cfg(unix)]
const TRIES: usize = 1200;
#[cfg(unix)]
const WAIT: std::time::Duration = std::time::Duration::from_millis(50);

/// The right to write into a folder, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    folder: PathBuf,
    /// `None` if the folder cannot be locked.
    _held: Option<File>,
}

impl Lock {
    /// Waits until no other command writes into a folder, and removes the leftovers of a killed command.
    ///
    /// Fails if there is no such folder, or if another command holds the lock for a minute.
    pub(crate) fn of(folder: &Path) -> io::Result<Lock> {
        let folder = fs::canonicalize(folder)?;
        let held = lock(&folder)?;
        if held.is_some() {
            remove_leftovers(&folder);
        }
        Ok(Lock { folder, _held: held })
    }

    /// Returns `true` if this is the lock of this folder.
    pub(super) fn is_of(&self, folder: &Path) -> bool {
        fs::canonicalize(folder).is_ok_and(|folder| folder == self.folder)
    }
}

#[cfg(unix)]
fn lock(folder: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;

    // A folder that is writable but not readable cannot be locked.
    let Ok(file) = File::open(folder) else { return Ok(None) };
    for _ in 0..TRIES {
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(Some(file)),
            Err(Errno::WOULDBLOCK) => std::thread::sleep(WAIT),
            Err(Errno::INTR) => {}
            Err(_) => return Ok(None),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::TimedOut,
        "another cache-explorer has been writing into this folder for a minute",
    ))
}

#[cfg(not(unix))]
fn lock(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Removes files with a temporary name: nobody else is writing here, so they are left over.
fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| is_temporary(&entry.file_name())) {
        remove(&entry.path());
    }
}
