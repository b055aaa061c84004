//! A file that has been written but is not in its place yet.
//!
//! On Linux such a file has no name until it is put into its place, so that nothing is left of it however the command ends;
//! on file systems that do not support that, it has a temporary name.

use std::ffi::OsStr;
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{Content, interrupt};

/// The prefix and suffix of temporary names.
pub(super) const PREFIX: &str = ".cache-explorer-";
pub(super) const SUFFIX: &str = ".tmp";

/// Which file determines the mode and the owner of a new one.
#[derive(Clone, Copy)]
pub(super) enum Like<'l> {
    /// The file that it will replace.
    File(&'l Metadata),
    /// A file of a site: those who can read its folder can read it, whatever the umask.
    Folder,
    /// Any new file: the umask decides.
    Any,
}

/// Returns `true` if a file or folder has a temporary name.
pub(super) fn is_temporary(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
}

/// A file that has been written but is not in its place yet. Dropping it deletes it.
#[derive(Debug)]
pub(super) enum StagedFile {
    #[cfg(target_os = "linux")]
    Unnamed {
        file: File,
        folder: PathBuf,
    },
    Named(NamedTempFile),
}

impl StagedFile {
    /// Writes a file into a folder, with the mode and the owner that `like` says.
    pub(super) fn write(
        folder: &Path,
        content: &Content<'_>,
        like: Like<'_>,
    ) -> io::Result<StagedFile> {
        let staged = StagedFile::new_in(folder)?;
        let file = staged.file();
        content(file)?;
        match like {
            Like::File(old) => give(file, old)?,
            Like::Folder => file.set_permissions(mode_in(folder, &file.metadata()?)?)?,
            Like::Any => {}
        }
        Ok(staged)
    }

    /// Waits until the file would survive a power loss.
    pub(super) fn keep(&self) -> io::Result<()> {
        self.file().sync_all()
    }

    /// Puts the file into its place, while signals are held back.
    pub(super) fn put(self, path: &Path, temporary: &mut Vec<PathBuf>) -> io::Result<()> {
        let named = match self {
            #[cfg(target_os = "linux")]
            StagedFile::Unnamed { file, folder } => builder().make_in(folder, |name| {
                temporary.push(name.to_path_buf());
                unnamed::link(&file, name)
            })?,
            StagedFile::Named(named) => return Ok(named.persist(path).map(drop)?),
        };
        named.persist(path).map_err(|refused| refused.error)
    }

    fn new_in(folder: &Path) -> io::Result<StagedFile> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::open_in(folder) {
            return Ok(StagedFile::Unnamed { file, folder: folder.to_path_buf() });
        }
        let mut temporary = interrupt::hold();
        let named = builder().tempfile_in(folder)?;
        temporary.push(named.path().to_path_buf());
        Ok(StagedFile::Named(named))
    }

    fn file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            StagedFile::Unnamed { file, .. } => file,
            StagedFile::Named(named) => named.as_file(),
        }
    }
}

/// Returns a builder of temporary files. They are private by default; published files need the permissions of any new file.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder
}

/// Gives a file the owner and the mode of another. Only root may change the owner; for others it stays, as with any
/// editor.
#[cfg(unix)]
pub(super) fn give(file: &File, like: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
        let _ = fchown(file, Some(like.uid()), Some(like.gid()))
            .or_else(|_| fchown(file, None, Some(like.gid())));
    }
    file.set_permissions(Permissions::from_mode(like.permissions().mode() & 0o777))
}

/// Returns the mode for a new file or folder that lets everyone read the file, or enter the folder, who can do that with the
/// folder around it.
#[cfg(unix)]
pub(crate) fn mode_in(folder: &Path, new: &Metadata) -> io::Result<Permissions> {
    use std::os::unix::fs::PermissionsExt;

    let follows = if new.is_dir() { 0o055 } else { 0o044 };
    let mode = new.permissions().mode() | (folder.metadata()?.permissions().mode() & follows);
    Ok(Permissions::from_mode(mode & 0o7777))
}

#[cfg(not(unix))]
pub(crate) fn mode_in(_: &Path, new: &Metadata) -> io::Result<Permissions> {
    Ok(new.permissions())
}

/// Returns the files in a folder that not everyone who can read the folder can read, sorted by name.
#[cfg(unix)]
pub(crate) fn hidden(folder: &Path) -> Vec<PathBuf> {
    use std::os::unix::fs::PermissionsExt;

    let readers = |found: Metadata| found.permissions().mode() & 0o044;
    let of_folder = folder.metadata().map_or(0, readers);
    let entries = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let is_hidden = |path: &PathBuf| {
        path.metadata().is_ok_and(|found| found.is_file() && of_folder & !readers(found) != 0)
    };
    let mut hidden: Vec<PathBuf> = entries.filter(is_hidden).collect();
    hidden.sort();
    hidden
}

#[cfg(not(unix))]
pub(crate) fn hidden(_: &Path) -> Vec<PathBuf> {
    Vec::new()
}

#[cfg(not(unix))]
pub(super) fn give(file: &File, like: &Metadata) -> io::Result<()> {
    file.set_permissions(like.permissions())
}

/// Files without a name: Linux supports them, but not all of its file systems do.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::fs::{self, File};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    /// Opens a file without a name in a folder, if it can be given one later.
    pub(super) fn open_in(folder: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = File::from(open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
        // The file is named through this path later, which not every container has.
        fs::metadata(path_of(&file)).ok().map(|_| file)
    }

    /// Gives the file a name.
    pub(super) fn link(file: &File, name: &Path) -> io::Result<()> {
        Ok(linkat(CWD, path_of(file), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
    }

    fn path_of(file: &File) -> String {
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }
}
