//! What is at a URL, and what a manifest of mirrors lists.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{self, Read};

use super::InputSearch;
use crate::foreign::foreign_file;
use crate::inputs::input::{
    DatabaseFile, Input, MirrorFolder, NameAndUrl, NameSource, Views, place_of,
};
use crate::inputs::location::{
    Base, Location, LocationError, is_guarded, locate, locate_given, neither_path_nor_url,
    shown_url,
};
use crate::inputs::machine::{FolderEntryKind, Machine};
use crate::inputs::naming::mirror_of_database;
use crate::inputs::remote::Remote;
use crate::kind::START;
use crate::mirror::{DatabaseInMirror, Files as _, INDEX_NAME, INDEXES, LAYOUT, find_databases};
use crate::oci::Address;
use crate::site::{self, SiteError};
use crate::{Finding, InputKind, decompress, kind, read_manifest};

/// Adds what is at a URL: a manifest, a database, an index or a mirror.
#[inline(never)] // The reader in the page loads it later, see `crates/split`.
pub(super) fn add_url<M: Machine>(search: &mut InputSearch<'_, M>, url: &str) {
    if Address::is_meant(url) {
        match Address::parse(url) {
            Ok(_) => search.add_repository(Location::Url(url.to_owned()), Some(url.to_owned())),
            // The URL may be invalid because it contains a password.
            Err(error) => search.report.error(&error),
        }
        return;
    }
    match locate_given(url, &search.options.mappings) {
        Ok(Location::Path(path)) => search.add(&path),
        Ok(Location::Url(url)) => {
            search.machine.fetch(std::slice::from_ref(&url), &BTreeSet::new());
            match tell_fetched(search, &url) {
                Ok(inputs) => search.found.list.extend(inputs),
                // At the URL of a mirror, a server has no file, or a listing.
                Err(error) => match mirror_at(search, &url) {
                    Some(inputs) => search.found.list.extend(inputs),
                    None => {
                        let error = refusal_of_bucket(search, &url).unwrap_or(error);
                        search.report.problem(&shown_url(&url), &error);
                    }
                },
            }
        }
        Err(error) => search.report.error(&error),
    }
}

/// Returns why the database of a mirror in a bucket cannot be read: no file is at the URL of the mirror itself.
fn refusal_of_bucket<M: Machine>(search: &InputSearch<'_, M>, url: &str) -> Option<Box<dyn Error>> {
    let files = Remote { machine: search.machine, url, view: None };
    let index = files.url_of(&format!("{INDEXES}{INDEX_NAME}"));
    if !url.starts_with("s3://") {
        return None;
    }
    search.machine.fetch(std::slice::from_ref(&index), &BTreeSet::new());
    let error = search.machine.open_url(&index).err()?;
    Some(match error.kind() {
        io::ErrorKind::NotFound => {
            format!("{error}; expected a mirror at this URL: of a bucket with several, name each")
                .into()
        }
        _ => error.into(),
    })
}

/// Recognizes what was fetched, and returns the inputs that it names or contains.
fn tell_fetched<M: Machine>(
    search: &mut InputSearch<'_, M>,
    url: &str,
) -> Result<Vec<Input>, Box<dyn Error>> {
    let mut start = Vec::new();
    decompress(search.machine.open_url(url)?, search.machine.size_limit())?
        .take(START as u64)
        .read_to_end(&mut start)?;
    match kind(&start) {
        InputKind::Manifest => {
            let label = shown_url(url);
            Ok(manifest(search, search.machine.open_url(url)?, &label, Base::Url(url))?)
        }
        InputKind::Database => Ok(vec![Input::Database(DatabaseFile {
            location: Location::Url(url.to_string()),
            place: search.given.clone(),
            digest: None,
            naming: NameSource::Own(NameAndUrl {
                url: mirror_of_database(url),
                ..NameAndUrl::default()
            }),
        })]),
        // The list of the files at the URL is HTML, too.
        InputKind::Site if !has_index(search, url)? => Err(SiteError::NoIndex.into()),
        InputKind::Index | InputKind::Site => {
            Ok(vec![Input::Index(Location::Url(url.to_string()).into())])
        }
        kind @ (InputKind::PackageData | InputKind::SpecsData) => {
            search.halves.add(kind, Location::Url(url.to_owned()));
            Ok(Vec::new())
        }
        _ => Err(match foreign_file(&start) {
            Some(file) => Finding::Foreign(file).to_string(),
            None => {
                "expected a Spack database, a manifest of mirrors, an index or a mirror".to_owned()
            }
        }
        .into()),
    }
}

/// Returns `true` if a page that was fetched contains an index.
fn has_index<M: Machine>(search: &InputSearch<'_, M>, url: &str) -> io::Result<bool> {
    let mut html = Vec::new();
    decompress(search.machine.open_url(url)?, search.machine.size_limit())?
        .read_to_end(&mut html)?;
    Ok(site::has_index(&String::from_utf8_lossy(&html)))
}

/// Returns the databases of the mirror at a URL: that of the complete mirror (the one that Spack 1.x reads if there are
/// two), and those of views; `None` if no mirror is there.
fn mirror_at<M: Machine>(search: &mut InputSearch<'_, M>, url: &str) -> Option<Vec<Input>> {
    let view = search.view.clone();
    let files = Remote { machine: search.machine, url, view: view.as_deref() };
    let read = find_databases(&files, view.as_deref());
    // The older layout is recognized by its database alone.
    let has_layout = || files.open(LAYOUT).is_ok_and(|file| file.is_some());
    if read.value.is_none() && !has_layout() {
        return None;
    }
    let label = shown_url(url);
    for problem in &read.problems {
        let blob = match &problem.finding {
            Finding::MissingBlob { path } => Some(files.url_of(path)),
            _ => None,
        };
        // The machine knows why a file could not be fetched.
        match blob.and_then(|url| Some((search.machine.open_url(&url).err()?, url))) {
            Some((error, url)) => search.report.problem(&shown_url(&url), &error),
            None => search.report.unusable(&label, problem),
        }
    }
    let mut databases = read.value.map(|mirror| mirror.databases).unwrap_or_default();
    if let Some(last) = databases.iter().rposition(|listed| listed.view.is_none()) {
        databases.drain(..last);
    }
    for (novelty, seen) in read.notes.iter() {
        search.report.new_in(&label, novelty, seen);
    }
    let has_views = databases.iter().any(|listed| listed.view.is_some());
    let input = |listed: DatabaseInMirror| {
        let views = Views { is_only: view.is_some(), is_one_of_many: false, has_views };
        let place = place_of(search.given.clone(), listed.view.as_deref(), views);
        Input::Database(DatabaseFile {
            location: Location::Url(files.url_of(&listed.path)),
            place,
            digest: listed.stated.map(|stated| stated.digest),
            naming: NameSource::Own(NameAndUrl {
                name: None,
                url: Some(url.trim_end_matches('/').to_owned()),
                view: listed.view,
            }),
        })
    };
    Some(databases.into_iter().map(input).collect())
}

/// Returns the inputs that a manifest lists.
#[inline(never)] // The reader in the page loads it later, see `crates/split`.
pub(super) fn manifest<M: Machine>(
    search: &mut InputSearch<'_, M>,
    file: M::File,
    label: &str,
    base: Base<'_>,
) -> io::Result<Vec<Input>> {
    let mut text = String::new();
    decompress(file, search.machine.size_limit())?.read_to_string(&mut text)?;
    let read = read_manifest(&text);
    for problem in &read.problems {
        search.report.unusable(label, problem);
    }
    for (novelty, seen) in read.notes.iter() {
        search.report.new_in(label, novelty, seen);
    }
    let mut inputs = Vec::new();
    for source in read.value.unwrap_or_default() {
        let naming =
            if is_public(&source.url) { NameSource::Public } else { NameSource::DatabaseInMirror };
        let location = locate(&source.url, &search.options.mappings, base);
        if let Ok(Location::Url(url)) = &location
            && is_guarded(&source.url, &search.options.mappings, base)
        {
            search.found.guarded.insert(url.clone());
        }
        match location {
            Ok(Location::Path(path))
                if search.machine.entry_kind(&path) == FolderEntryKind::Folder =>
            {
                inputs.push(Input::Mirror(MirrorFolder {
                    path,
                    place: source.place,
                    view: None,
                    naming,
                    is_one_of_many: false,
                }));
            }
            Ok(location) => inputs.push(Input::Database(DatabaseFile {
                digest: source.digest(),
                location,
                place: source.place,
                naming,
            })),
            Err(LocationError::UnknownScheme { url }) => {
                search.report.problem_of(label, &url, &neither_path_nor_url(&url));
            }
            Err(error) => search.report.problem(label, &error),
        }
    }
    Ok(inputs)
}

/// Returns `true` if a URL points to the public cache, by either of its names.
fn is_public(url: &str) -> bool {
    ["s3://spack-binaries/", "https://binaries.spack.io/"].iter().any(|base| url.starts_with(base))
}
