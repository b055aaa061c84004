//! Many small files of a site, in folders that only this program fills.
//!
//! | file | what happens |
//! | --- | --- |
//! | its text is what is there already | stays untouched, with its time |
//! | its text is new or differs | written completely beside the site's files, then renamed |
//! | in one of the folders, made by this program, and no longer needed | removed, last |
//! | any other file | stays |
//!
//! All files are written before the first is renamed, and if one cannot be renamed, the others are restored. They are not
//! flushed to the disk one by one, which would take longer than everything else: after a power loss, the next publication
//! writes again what was lost.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::rule::{Kind, Output};
use super::staged::{PREFIX, SUFFIX, give, mode_in};
use super::{WriteError, failed, interrupt, linked};
use crate::parallel::in_order;

/// The files of one kind in a folder of a site: `api/package/` and `.json`, `package/` and `/index.html`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shelf {
    /// What a path begins with, below the folder of the site.
    pub(crate) before: &'static str,
    /// What a path ends with. In between is one name.
    pub(crate) after: &'static str,
    pub(crate) kind: Kind,
}

impl Shelf {
    /// Returns the path of a file below the folder of the site.
    pub(crate) fn path(self, name: &str) -> String {
        format!("{}{name}{}", self.before, self.after)
    }

    /// Returns the existing files of a site whose paths have this form, no matter who made them.
    pub(crate) fn files(self, site: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(site.join(self.before)).into_iter().flatten().flatten();
        let path = |entry: fs::DirEntry| match self.after.strip_prefix('/') {
            Some(file) => Some(entry.path().join(file)),
            None => entry.file_name().to_str()?.ends_with(self.after).then(|| entry.path()),
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(path).collect();
        paths.retain(|path| path.symlink_metadata().is_ok());
        paths.sort();
        paths
    }
}

/// A file of a tree.
struct Leaf {
    /// Its path below the folder of the site.
    path: String,
    kind: Kind,
    /// Writes its text. All texts together may be larger than the memory.
    text: Box<dyn Fn() -> String + Send + Sync>,
}

/// The files, which are written together with the site.
#[derive(Default)]
pub(crate) struct Tree {
    leaves: Vec<Leaf>,
    shelves: Vec<Shelf>,
}

impl Tree {
    /// Adds a file.
    pub(crate) fn add(
        &mut self,
        path: String,
        kind: Kind,
        text: impl Fn() -> String + Send + Sync + 'static,
    ) {
        self.leaves.push(Leaf { path, kind, text: Box::new(text) });
    }

    /// Adds the files of a shelf, by name; other files on it are removed if this program has made them.
    pub(crate) fn fill<F: Fn() -> String + Send + Sync + 'static>(
        &mut self,
        shelf: Shelf,
        files: impl IntoIterator<Item = (String, F)>,
    ) {
        self.shelves.push(shelf);
        for (name, text) in files {
            self.add(shelf.path(&name), shelf.kind, text);
        }
    }

    /// Returns the files of both trees.
    pub(crate) fn and(mut self, other: Tree) -> Tree {
        self.leaves.extend(other.leaves);
        self.shelves.extend(other.shelves);
        self
    }

    /// Returns the files without those at these paths below the folder of the site.
    pub(crate) fn without(mut self, paths: &[&str]) -> Tree {
        self.leaves.retain(|leaf| !paths.contains(&leaf.path.as_str()));
        self
    }

    /// Returns everything that is written into the folder of a site. `option` is the option that asks for it.
    pub(crate) fn outputs(&self, site: &Path, option: &'static str) -> Vec<Output> {
        let output = |leaf: &Leaf| Output::new(site.join(&leaf.path), leaf.kind, option);
        self.leaves.iter().map(output).collect()
    }

    /// Writes those files that differ from the existing ones, under temporary names in the folder of a site, so that only
    /// renaming is left.
    pub(super) fn stage(&self, site: &Path) -> Result<StagedTree, WriteError> {
        let mut staged = StagedTree::default();
        let mut outcome = Ok(());
        in_order(
            |each| self.leaves.iter().for_each(each),
            |leaf| (leaf, (leaf.text)()),
            |(leaf, text)| {
                if outcome.is_ok() {
                    let path = site.join(&leaf.path);
                    outcome = staged.add(site, &path, &text).map_err(failed(&path));
                }
            },
        );
        outcome?;
        let kept: BTreeSet<PathBuf> =
            self.leaves.iter().map(|leaf| site.join(&leaf.path)).collect();
        for shelf in &self.shelves {
            let made = |path: &PathBuf| {
                path.is_file()
                    && File::open(path).and_then(|it| shelf.kind.has_made(it)).unwrap_or(false)
            };
            let others = shelf.files(site).into_iter().filter(|path| !kept.contains(path));
            staged.stale.extend(others.filter(made).map(|path| (path, *shelf)));
        }
        Ok(staged)
    }
}

/// The files that differ, under temporary names.
#[derive(Debug, Default)]
pub(super) struct StagedTree {
    temporary: Option<TempDir>,
    new: Vec<NewFile>,
    stale: Vec<(PathBuf, Shelf)>,
    /// The folders that were made for the new files, in order of creation.
    folders: Vec<PathBuf>,
    /// How many of the new files are in their places.
    placed: usize,
}

#[derive(Debug)]
struct NewFile {
    /// Its temporary name.
    from: PathBuf,
    to: PathBuf,
    /// The temporary name of the file that it replaces, once there is one.
    old: Option<PathBuf>,
}

impl StagedTree {
    fn add(&mut self, site: &Path, path: &Path, text: &str) -> io::Result<()> {
        let to = linked(path)?;
        let old = fs::metadata(&to).ok().filter(|old| old.is_file());
        let is_as_long = old.as_ref().is_some_and(|old| old.len() == text.len() as u64);
        if is_as_long && fs::read(&to)? == text.as_bytes() {
            return Ok(());
        }
        let from = self.temporary(site)?.join(self.new.len().to_string());
        let mut file = File::create_new(&from)?;
        file.write_all(text.as_bytes())?;
        match &old {
            Some(old) => give(&file, old)?,
            None => file.set_permissions(mode_in(site, &file.metadata()?)?)?,
        }
        self.new.push(NewFile { from, to, old: None });
        Ok(())
    }

    /// Returns the folder for files with temporary names, and creates it if it does not exist yet.
    fn temporary(&mut self, site: &Path) -> io::Result<PathBuf> {
        if let Some(folder) = &self.temporary {
            return Ok(folder.path().to_owned());
        }
        let mut names = interrupt::hold();
        let folder = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempdir_in(site)?;
        names.push(folder.path().to_owned());
        Ok(self.temporary.insert(folder).path().to_owned())
    }

    /// Puts all files into their places. If that fails, [`undo`](StagedTree::undo) restores what was there.
    pub(super) fn put(&mut self) -> Result<(), WriteError> {
        for at in 0..self.new.len() {
            let to = self.new[at].to.clone();
            self.put_one(at).map_err(failed(&to))?;
            self.placed = at + 1;
        }
        Ok(())
    }

    fn put_one(&mut self, at: usize) -> io::Result<()> {
        let NewFile { from, to, .. } = &self.new[at];
        let (from, to) = (from.clone(), to.clone());
        let missing: Vec<&Path> = to.ancestors().skip(1).take_while(|it| !it.exists()).collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(folder)?;
            self.folders.push(folder.to_owned());
            let around = folder.parent().unwrap_or(folder);
            fs::set_permissions(folder, mode_in(around, &fs::metadata(folder)?)?)?;
        }
        if to.exists() {
            let old = from.with_extension("old");
            // Not every file system supports hard links.
            fs::hard_link(&to, &old).or_else(|_| fs::copy(&to, &old).map(drop))?;
            self.new[at].old = Some(old);
        }
        fs::rename(from, to)
    }

    /// Restores what was there. If even that fails, there is nothing more to do.
    pub(super) fn undo(&mut self) {
        for NewFile { to, old, .. } in self.new[..self.placed].iter().rev() {
            let _ = match old {
                Some(old) => fs::rename(old, to),
                None => fs::remove_file(to),
            };
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
        self.placed = 0;
    }

    /// Removes the files that are no longer needed. If one cannot be removed, it is only out of date.
    pub(super) fn remove_stale(&self) {
        for (path, shelf) in &self.stale {
            let is_removed = fs::remove_file(path).is_ok();
            if is_removed && shelf.after.starts_with('/') {
                // Only an empty folder is removed.
                let _ = path.parent().map(fs::remove_dir);
            }
        }
    }
}
