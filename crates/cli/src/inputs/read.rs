//! Reading one input into the collection, and reporting all that is wrong with it.

use std::fs::File;
use std::io::{self, Read, Seek};

use cache_index::build::Build;
use cache_index::number::counted;
use cache_ingest::mirror::read_blob;
use cache_ingest::{Collection, Finding, decompress, read_mirror, read_page};

use super::fetch::Fetched;
use super::find::{Database, Input};
use super::folder::Folder;
use super::location::Location;
use crate::progress::Progress;
use crate::report::Report;

/// Reads an input. What cannot be read is left out, and reported.
pub(crate) fn read(
    input: &Input,
    fetched: &mut Fetched,
    progress: &Progress,
    collection: &mut Collection,
    report: &mut Report,
) {
    let label = input.label();
    let (builds, problems) = match input {
        Input::Page(path) => match read_text(File::open(path), progress) {
            Ok(text) => match read_page(&text) {
                Ok(page) => (vec![(label.clone(), page.builds)], Vec::new()),
                Err(problems) => (Vec::new(), texts(problems)),
            },
            Err(problem) => (Vec::new(), vec![problem]),
        },
        Input::Database(database) => match read_database(database, fetched, progress) {
            Ok(builds) => (vec![(label.clone(), builds)], Vec::new()),
            Err(problems) => (Vec::new(), problems),
        },
        Input::Mirror(path, place) => {
            let folder = Folder { root: path.clone(), progress: progress.clone() };
            match read_mirror(&folder, place) {
                Ok(mirror) => {
                    let unlisted = mirror.unlisted.len();
                    if unlisted > 0 {
                        let builds = counted(unlisted, "build is", "builds are");
                        let note = format!("{label}: {builds} in the mirror but not in its index");
                        progress.suspend(|| report.note(&note));
                    }
                    let databases = mirror.databases.into_iter();
                    let builds = databases
                        .map(|(file, database)| (format!("{label}/{file}"), database.builds));
                    (builds.collect(), Vec::new())
                }
                Err(problems) => (Vec::new(), texts(problems)),
            }
        }
        Input::Index(_) => (Vec::new(), vec![Finding::AlreadyAnIndex.to_string()]),
    };
    progress.suspend(|| {
        for problem in problems {
            report.problem(&label, &problem);
        }
    });
    for (label, builds) in builds {
        if let Err(conflicts) = collection.add(&label, builds) {
            progress.suspend(|| {
                for conflict in conflicts {
                    report.conflict(&conflict);
                }
            });
        }
    }
}

fn texts<P: ToString>(problems: Vec<P>) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

/// Reads a text that may be compressed.
pub(crate) fn read_text(file: io::Result<File>, progress: &Progress) -> Result<String, String> {
    let mut bytes = Vec::new();
    file.and_then(|file| decompress(progress.count(file)))
        .and_then(|mut reader| reader.read_to_end(&mut bytes))
        .map_err(|error| unreadable(&error))?;
    String::from_utf8(bytes)
        .map_err(|error| Finding::NotUtf8 { byte: error.utf8_error().valid_up_to() }.to_string())
}

fn read_database(
    database: &Database,
    fetched: &mut Fetched,
    progress: &Progress,
) -> Result<Vec<Build>, Vec<String>> {
    let Database { location, place, digest } = database;
    let file = match location {
        Location::Path(path) => File::open(path).map_err(|error| unreadable(&error)),
        // One file may be named for several places.
        Location::Url(url) => match fetched.get_mut(url) {
            Some(Ok(file)) => {
                file.rewind().and_then(|()| file.try_clone()).map_err(|error| unreadable(&error))
            }
            Some(Err(error)) => Err(error.to_string()),
            None => Err("was not fetched".to_string()),
        },
    };
    let file = file.map_err(|problem| vec![problem])?;
    read_blob(progress.count(file), place, digest.as_ref(), None)
        .map(|database| database.builds)
        .map_err(texts)
}

fn unreadable(error: &io::Error) -> String {
    Finding::Unreadable { message: error.to_string() }.to_string()
}
