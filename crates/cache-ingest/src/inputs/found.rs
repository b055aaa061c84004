//! The inputs that were found: what each is, where it is, and which release and stack it describes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cache_index::build::Place;
use cache_index::number::counted;
use cache_index::sorting;

use super::location::Location;
use super::machine::Machine;
use super::naming::Naming;
use crate::digest::Sha256Text;

/// An input to read.
#[derive(Clone, Debug)]
pub enum Input {
    /// A cache page.
    Page(PathBuf),
    /// A Spack database.
    Database(ListedDatabase),
    /// A folder laid out as a mirror.
    Mirror(MirrorFolder),
    /// A repository of a registry, or a copy of one in OCI's image layout.
    Repository(Repository),
    /// An index file, or a page that contains one.
    Index(IndexFile),
}

/// An index file, or a page that contains one.
#[derive(Clone, Debug)]
pub struct IndexFile {
    /// Where it is.
    pub location: Location,
    /// The stack of its builds that have neither a release nor a stack, if there are other inputs.
    pub unnamed_stack: Option<String>,
}

impl From<Location> for IndexFile {
    fn from(location: Location) -> IndexFile {
        IndexFile { location, unnamed_stack: None }
    }
}

/// A repository of a registry, and its place.
#[derive(Clone, Debug)]
pub struct Repository {
    /// Its address, or the folder of its copy.
    pub location: Location,
    /// The release and stack that it contains.
    pub place: Place,
    /// Where its name comes from.
    pub naming: Naming,
}

/// A Spack database, and what is known about it in advance.
#[derive(Clone, Debug)]
pub struct ListedDatabase {
    /// Where it is.
    pub location: Location,
    /// The release and stack that it describes.
    pub place: Place,
    /// Its digest, if its name contains it.
    pub digest: Option<Sha256Text>,
    /// Who says what it is called.
    pub naming: Naming,
}

/// A folder laid out as a mirror, and its place.
#[derive(Clone, Debug)]
pub struct MirrorFolder {
    /// Where it is.
    pub path: PathBuf,
    /// The release and stack that it contains.
    pub place: Place,
    /// The only view to read.
    pub view: Option<String>,
    /// Who says what it is called.
    pub naming: Naming,
    /// `true` if its stack is the path of one of several mirrors.
    pub(super) is_one_of_many: bool,
}

/// The inputs that were found.
#[derive(Debug, Default)]
pub struct Found {
    /// The inputs, in the order in which they were found.
    pub inputs: Vec<Input>,
    /// Their total size, as far as they are on this machine.
    pub bytes: u64,
    /// URLs listed in a manifest on a public host, which must not lead to this machine or a private network.
    pub guarded: BTreeSet<String>,
}

impl Input {
    /// Returns its name in messages.
    pub fn label(&self, machine: &impl Machine) -> String {
        match self {
            Input::Page(path) | Input::Mirror(MirrorFolder { path, .. }) => machine.shown(path),
            Input::Database(ListedDatabase { location, .. })
            | Input::Repository(Repository { location, .. })
            | Input::Index(IndexFile { location, .. }) => location.label(machine),
        }
    }

    /// Returns `true` if it does not say which release and stack it describes, so that the user may.
    pub fn takes_a_place(&self) -> bool {
        match self {
            Input::Page(_) | Input::Index(_) => false,
            Input::Database(ListedDatabase { naming, .. })
            | Input::Mirror(MirrorFolder { naming, .. })
            | Input::Repository(Repository { naming, .. }) => matches!(naming, Naming::Own(_)),
        }
    }

    /// Returns the path of a cache page.
    pub fn page(&self) -> Option<&Path> {
        match self {
            Input::Page(path) => Some(path),
            _ => None,
        }
    }
}

impl IndexFile {
    /// Returns a place of the index, with a stack if it has neither a release nor a stack.
    pub(super) fn place_of(&self, place: Place) -> Place {
        match &self.unnamed_stack {
            Some(stack) if place.release.is_empty() && place.stack.is_empty() => {
                Place { stack: stack.clone(), ..place }
            }
            _ => place,
        }
    }
}

impl MirrorFolder {
    /// Returns the place of a view, or of the whole mirror.
    pub fn place_of(&self, view: Option<&str>, has_views: bool) -> Place {
        let Place { release, stack } = self.place.clone();
        let stack = match view {
            // The only view that was asked for.
            Some(view) if self.view.is_some() && stack.is_empty() => view.to_owned(),
            Some(_) if self.view.is_some() => stack,
            Some(view) if self.is_one_of_many => format!("{stack}/{view}"),
            Some(view) => view.to_owned(),
            None if has_views && stack.is_empty() => Place::WHOLE_RELEASE.to_owned(),
            None => stack,
        };
        Place { release, stack }
    }
}

impl Found {
    /// Returns the URLs of inputs on other machines, without duplicates.
    pub fn urls(&self) -> Vec<String> {
        let mut urls: Vec<String> = self
            .inputs
            .iter()
            .filter_map(|input| match input {
                Input::Database(ListedDatabase { location: Location::Url(url), .. })
                | Input::Index(IndexFile { location: Location::Url(url), .. }) => Some(url.clone()),
                _ => None,
            })
            .collect();
        sorting::sort_and_dedup(&mut urls);
        urls
    }

    /// Describes the inputs: `5 cache pages and 1 mirror`.
    pub fn describe(&self) -> String {
        let count = |is: fn(&Input) -> bool| self.inputs.iter().filter(|input| is(input)).count();
        let parts: Vec<String> = [
            (count(|input| matches!(input, Input::Page(_))), "cache page", "cache pages"),
            (count(|input| matches!(input, Input::Database(_))), "database", "databases"),
            (count(|input| matches!(input, Input::Mirror(..))), "mirror", "mirrors"),
            (count(|input| matches!(input, Input::Repository(..))), "repository", "repositories"),
            (count(|input| matches!(input, Input::Index(_))), "index", "indexes"),
        ]
        .into_iter()
        .filter(|&(number, _, _)| number > 0)
        .map(|(number, one, many)| counted(number, one, many))
        .collect();
        parts.join(" and ")
    }
}
