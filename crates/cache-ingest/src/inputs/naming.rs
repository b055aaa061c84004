//! The names of databases and mirrors, and the URLs under which Spack finds them.
//!
//! An input that is a single mirror needs neither a release nor a stack. Several mirrors are distinguished
//! by their stacks, which are the names that the user gives them, or else their paths.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::find::{Input, ListedDatabase, MirrorFolder, Repository};
use super::location::Location;
use crate::Collection;
use cache_index::build::Place;
use cache_index::index::{About, KnownMirror, PUBLIC_MIRROR_URL};
use cache_index::mirror::Mirror;

/// An input as the user specifies it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// A path or a URL.
    pub path: PathBuf,
    /// The exact argument for `spack mirror add`.
    pub url: Option<String>,
    /// The name of the mirror.
    pub name: Option<String>,
}

impl From<PathBuf> for Source {
    fn from(path: PathBuf) -> Source {
        Source { path, ..Source::default() }
    }
}

/// Where the name and URL of a database or mirror come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Naming {
    /// The public cache's own manifest, so that its binaries are known to be there.
    Public,
    /// Another manifest.
    Listed,
    /// The user.
    Own(Known),
}

/// The name and the URL of a mirror, as far as the user specified them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Its name in commands.
    pub name: Option<String>,
    /// The argument for `spack mirror add`.
    pub url: Option<String>,
}

impl Naming {
    /// Returns the naming of an input about which the user has said nothing yet.
    pub(super) fn own() -> Naming {
        Naming::Own(Known::default())
    }
}

/// An input that the user may name.
struct Own<'i> {
    path: PathBuf,
    is_folder: bool,
    place: &'i mut Place,
    known: &'i mut Known,
    is_one_of_many: Option<&'i mut bool>,
}

fn own(input: &mut Input) -> Option<Own<'_>> {
    let path_of = |location: &Location| match location {
        Location::Path(path) => path.clone(),
        Location::Url(url) => PathBuf::from(url),
    };
    match input {
        Input::Mirror(MirrorFolder {
            path,
            place,
            naming: Naming::Own(known),
            is_one_of_many,
            ..
        }) => Some(Own {
            path: path.clone(),
            is_folder: true,
            place,
            known,
            is_one_of_many: Some(is_one_of_many),
        }),
        Input::Database(ListedDatabase { location, place, naming: Naming::Own(known), .. }) => {
            let path = path_of(location);
            Some(Own { path, is_folder: false, place, known, is_one_of_many: None })
        }
        Input::Repository(Repository { location, place, naming: Naming::Own(known) }) => {
            let path = path_of(location);
            Some(Own { path, is_folder: true, place, known, is_one_of_many: None })
        }
        _ => None,
    }
}

/// Sets the names and URLs of the inputs that a source led to. `has_stack` is `true` if the user specified
/// one stack for all; `is_alone`, if there is no other source.
pub(super) fn name_all(
    source: &Source,
    inputs: &mut [Input],
    has_stack: bool,
    is_alone: bool,
) -> Result<(), &'static str> {
    let all = inputs.len();
    let is_named = source.url.is_some() || source.name.is_some();
    let mut own: Vec<_> = inputs.iter_mut().filter_map(own).collect();
    if is_named && (own.is_empty() || own.len() < all) {
        return Err("--url and --name are for mirrors and databases; \
                    pages, manifests and indexes state their releases and stacks themselves, \
                    and --mirror-url says where these are");
    }
    if let [Own { place, known, .. }] = &mut own[..] {
        known.url = source.url.clone().or(known.url.take());
        known.name = source.name.clone();
        if !is_alone && !has_stack && is_named {
            place.stack = source.name.clone().unwrap_or_else(|| last_name(source));
        }
        return Ok(());
    }
    // A database that is alone in its folder is named after the folder.
    let parent = |path: &Path| path.parent().unwrap_or(Path::new("")).to_path_buf();
    let files = own.iter().filter(|own| !own.is_folder);
    let parents: Vec<PathBuf> = files.map(|own| parent(&own.path)).collect();
    for Own { path, is_folder, place, known, is_one_of_many } in own {
        if let Some(is_one_of_many) = is_one_of_many {
            *is_one_of_many = !has_stack;
        }
        let folder = match is_folder {
            true => path,
            false if parents.iter().filter(|other| **other == parent(&path)).count() == 1 => {
                parent(&path)
            }
            false => path.with_extension(""),
        };
        let names = folder.strip_prefix(&source.path).unwrap_or(&folder).iter();
        let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
        let path = names.join("/");
        let below = |above: &String, between: &str| match path.is_empty() {
            true => above.clone(),
            false => format!("{}{between}{path}", above.trim_end_matches('/')),
        };
        known.url = source.url.as_ref().map(|url| below(url, "/"));
        known.name = source.name.as_ref().map(|name| below(name, "-").replace('/', "-"));
        if !has_stack {
            place.stack = match &source.name {
                Some(name) if !is_alone => below(name, "/"),
                // A mirror at the top of all others contains them all.
                _ if path.is_empty() => Place::WHOLE_RELEASE.to_owned(),
                _ => path,
            };
        }
    }
    Ok(())
}

/// Returns the last part of a source's path, or of its URL.
fn last_name(source: &Source) -> String {
    let of_path = source.path.file_name().map(|name| name.to_string_lossy().into_owned());
    let of_url = || {
        let url = source.url.as_deref().unwrap_or_default().trim_end_matches('/');
        url.rsplit('/').next().map(str::to_owned)
    };
    of_path.or_else(of_url).unwrap_or_default()
}

/// Returns the URL of a mirror, if the URL of its database implies it.
pub(super) fn mirror_of_database(url: &str) -> Option<String> {
    let ends = ["/build_cache/index.json", "/blobs/sha256/"];
    let end = ends.iter().find_map(|end| url.find(end))?;
    Some(url[..end].to_owned())
}

/// Where the binaries of each place are, as far as the inputs and the user specify it.
#[derive(Debug, Default)]
pub struct Mirrors {
    by_place: BTreeMap<Place, Known>,
    /// `true` if an input describes the public cache.
    pub(super) has_public: bool,
    /// The URLs below which the mirrors of merged indexes are.
    pub(super) bases: Vec<String>,
}

impl Mirrors {
    /// Records what is known about the mirror of a place. Fails if something else was known before.
    pub(super) fn add(&mut self, place: Place, known: Known) -> Result<(), String> {
        match self.by_place.get(&place) {
            Some(before) if *before != known => {
                let written = |known: &Known| match (&known.url, &known.name) {
                    (Some(url), _) => url.clone(),
                    (None, Some(name)) => name.clone(),
                    (None, None) => "an unknown address".to_owned(),
                };
                Err(format!(
                    "its mirror is at {}, but {} has one at {} in another input; distinguish them by \
                     --stack or --name",
                    written(&known),
                    place,
                    written(before)
                ))
            }
            _ => {
                self.by_place.insert(place, known);
                Ok(())
            }
        }
    }

    /// Returns what an index records: the URL below which mirrors are, and the mirrors that are elsewhere.
    pub(super) fn known(
        self,
        asked: Option<String>,
        collection: &Collection,
    ) -> (Option<String>, Vec<KnownMirror>) {
        let Mirrors { mut by_place, has_public, bases } = self;
        let below = |base: &str, place: &Place| {
            let about = About { mirror_url: Some(base.to_owned()), ..About::default() };
            Mirror::of(place, &about).url
        };
        let public = has_public.then(|| PUBLIC_MIRROR_URL.to_owned());
        let is_asked = asked.is_some();
        let base = asked.or_else(|| {
            let candidates = if has_public { Vec::from_iter(public) } else { bases };
            candidates
                .into_iter()
                .find(|base| by_place.iter().all(|(place, known)| known.url == below(base, place)))
        });
        if base.is_none() && has_public {
            for place in collection.places() {
                if !by_place.contains_key(place) {
                    let url = below(PUBLIC_MIRROR_URL, place);
                    by_place.insert(place.clone(), Known { name: None, url });
                }
            }
        }
        let known = by_place.into_iter().map(|(place, Known { name, url })| {
            let is_there =
                !is_asked && base.as_ref().is_some_and(|base| url == below(base, &place));
            let Place { release, stack } = place;
            KnownMirror { release, stack, name, url: url.filter(|_| !is_there) }
        });
        let known = known.filter(|mirror| mirror.name.is_some() || mirror.url.is_some()).collect();
        (base, known)
    }
}
