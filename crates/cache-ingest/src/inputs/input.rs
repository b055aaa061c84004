//! An input: what it is, where it is, and which release and stack it describes.

use std::path::{Path, PathBuf};

use cache_index::build::Place;

use super::location::Location;
use super::machine::Machine;
use crate::digest::Sha256Text;

/// An input to read.
#[derive(Clone, Debug)]
pub enum Input {
    /// A cache page.
    Page(PathBuf),
    /// A Spack database.
    Database(DatabaseFile),
    /// A folder laid out as a mirror.
    Mirror(MirrorFolder),
    /// A repository of a registry, or a copy of one in OCI's image layout.
    Repository(Repository),
    /// The data of cache.spack.io.
    PackageData(PackageDataFiles),
    /// An index file, or a page that contains one.
    Index(IndexFile),
}

/// The two files of the data of cache.spack.io.
#[derive(Clone, Debug)]
pub struct PackageDataFiles {
    /// The file with the packages.
    pub packages: Location,
    /// The file with the builds.
    pub specs: Location,
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
    pub naming: NameSource,
}

/// A Spack database, and what is known about it in advance.
#[derive(Clone, Debug)]
pub struct DatabaseFile {
    /// Where it is.
    pub location: Location,
    /// The release and stack that it describes.
    pub place: Place,
    /// Its digest, if its name contains it.
    pub digest: Option<Sha256Text>,
    /// Where its name comes from.
    pub naming: NameSource,
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
    /// Where its name comes from.
    pub naming: NameSource,
    /// `true` if its stack is the path of one of several mirrors.
    pub(super) is_one_of_many: bool,
}

/// The source of the name and URL of a database or mirror.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameSource {
    /// The public cache's own manifest, so that its binaries are known to be there.
    Public,
    /// Another manifest.
    DatabaseInMirror,
    /// The user.
    Own(NameAndUrl),
}

/// The name and the URL of a mirror, as far as the user specified them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameAndUrl {
    /// Its name in commands.
    pub name: Option<String>,
    /// The argument for `spack mirror add`.
    pub url: Option<String>,
    /// The view, if the place is one of the mirror.
    pub view: Option<String>,
}

impl NameAndUrl {
    /// Returns what is known about a view of this mirror. To Spack, a view is a mirror of its own, so it needs its own
    /// name.
    pub(super) fn with_view(self, view: Option<&str>) -> NameAndUrl {
        let Some(view) = view else { return self };
        let name = self.name.map(|name| format!("{name}-{}", view.replace('/', "-")));
        NameAndUrl { name, view: Some(view.to_owned()), ..self }
    }
}

impl NameSource {
    /// Returns the naming of an input about which the user has said nothing yet.
    pub(super) fn own() -> NameSource {
        NameSource::Own(NameAndUrl::default())
    }
}

impl Input {
    /// Returns its name in messages.
    pub fn label(&self, machine: &impl Machine) -> String {
        match self {
            Input::Page(path) | Input::Mirror(MirrorFolder { path, .. }) => machine.shown(path),
            Input::Database(DatabaseFile { location, .. })
            | Input::Repository(Repository { location, .. })
            | Input::PackageData(PackageDataFiles { specs: location, .. })
            | Input::Index(IndexFile { location, .. }) => location.label(machine),
        }
    }

    /// Returns the files and folders on this machine that it is read from.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let (path, locations) = match self {
            Input::Page(path) | Input::Mirror(MirrorFolder { path, .. }) => (Some(path), [None; 2]),
            Input::Database(DatabaseFile { location, .. })
            | Input::Repository(Repository { location, .. })
            | Input::Index(IndexFile { location, .. }) => (None, [Some(location), None]),
            Input::PackageData(PackageDataFiles { packages, specs }) => {
                (None, [Some(packages), Some(specs)])
            }
        };
        let paths = locations.into_iter().flatten().filter_map(|location| match location {
            Location::Path(path) => Some(path),
            Location::Url(_) => None,
        });
        path.into_iter().chain(paths).map(PathBuf::as_path)
    }

    /// Returns `true` if it does not say which release and stack it describes, so that the user may.
    pub fn takes_a_place(&self) -> bool {
        match self {
            Input::Page(_) | Input::Index(_) | Input::PackageData(_) => false,
            Input::Database(DatabaseFile { naming, .. })
            | Input::Mirror(MirrorFolder { naming, .. })
            | Input::Repository(Repository { naming, .. }) => matches!(naming, NameSource::Own(_)),
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
        let MirrorFolder { place, view: only, is_one_of_many, .. } = self;
        place_of(
            place.clone(),
            view,
            Views { is_only: only.is_some(), is_one_of_many: *is_one_of_many, has_views },
        )
    }
}

/// What the place of a view depends on.
#[derive(Clone, Copy)]
pub(super) struct Views {
    /// `true` if the view is the only one that was asked for.
    pub(super) is_only: bool,
    /// `true` if there are other mirrors.
    pub(super) is_one_of_many: bool,
    /// `true` if the mirror has views.
    pub(super) has_views: bool,
}

/// Returns the place of a view of a mirror, or of the whole mirror, given that of the mirror.
pub(super) fn place_of(mirror: Place, view: Option<&str>, views: Views) -> Place {
    let Place { release, stack } = mirror;
    let stack = match view {
        Some(view) if views.is_only && stack.is_empty() => view.to_owned(),
        Some(_) if views.is_only => stack,
        Some(view) if views.is_one_of_many => format!("{stack}/{view}"),
        Some(view) => view.to_owned(),
        None if views.has_views && stack.is_empty() => Place::WHOLE_RELEASE.to_owned(),
        None => stack,
    };
    Place { release, stack }
}
