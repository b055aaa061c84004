//! Reading inputs into one collection, and reporting what is wrong with them and new in them.
//!
//! If only some records of an input are damaged, the others are read; the caller decides whether that is good enough.

use std::io::{self, Read};
use std::path::Path;

use cache_index::build::{Build, Place};
use cache_index::number::counted;

use super::find::{Input, ListedDatabase, MirrorFolder};
use super::location::Location;
use super::machine::{Folder, Machine};
use crate::database::{Assembly, scan};
use crate::digest::Stated;
use crate::mirror::{Files, Mirror};
use crate::report::Report;
use crate::{
    Collection, Finding, InputId, Notes, Page, Position, Problem, decompress, find_databases,
    read_page,
};

/// The state of reading.
pub(super) struct Intake<'i, M> {
    pub(super) machine: &'i M,
    pub(super) collection: Collection,
    pub(super) report: &'i mut Report,
}

impl<M: Machine> Intake<'_, M> {
    /// Reads all pages, on several threads, because they are many and small.
    pub(super) fn read_pages(&mut self, pages: &[&Path]) {
        let machine = self.machine;
        machine.in_order(
            |each| pages.iter().for_each(each),
            |path| (path, read_page_file(machine, path)),
            |(path, page)| {
                let label = path.display().to_string();
                machine.reading(&label);
                let page = self.report_all(&label, page);
                if let Some(page) = page {
                    machine.have_read(page.builds.len());
                    let input = self.collection.begin(&label);
                    self.add(input, page.builds);
                }
            },
        );
    }

    /// Reads an input that is not a page.
    pub(super) fn read(&mut self, input: &Input) {
        let label = input.label(self.machine);
        self.machine.reading(&label);
        match input {
            Input::Page(path) => self.read_pages(&[path]),
            Input::Database(database) => self.read_database(&label, database),
            Input::Mirror(mirror) => self.read_mirror(&label, mirror),
            Input::Index(_) => self.report.problem(&label, &Finding::AlreadyAnIndex),
        }
    }

    fn read_database(&mut self, label: &str, database: &ListedDatabase) {
        let ListedDatabase { location, place, digest } = database;
        let file = match location {
            Location::Path(path) => self.machine.open(path).map_err(|error| unreadable(&error)),
            // A file may be listed for several places.
            Location::Url(url) => self.machine.open_url(url),
        };
        match file {
            Ok(file) => {
                let stated = digest.clone().map(|digest| Stated { digest, length: None });
                self.read_records(label, "", move || Ok(file), stated.as_ref(), place, None);
            }
            Err(problem) => self.report.problem(label, &problem),
        }
    }

    fn read_mirror(&mut self, label: &str, input: &MirrorFolder) {
        let folder = Folder { machine: self.machine, root: &input.path };
        let found = find_databases(&folder, input.view.as_deref());
        let Some(mirror) = self.report_all(label, found) else { return };
        let has_views = mirror.databases.iter().any(|listed| listed.view.is_some());
        let mut listed_builds = 0;
        for listed in &mirror.databases {
            let place = input.place_of(listed.view.as_deref(), has_views);
            let open = || {
                let file = folder.open(&listed.path)?;
                file.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
            };
            let stated = listed.stated.as_ref();
            listed_builds +=
                self.read_records(label, &listed.file, open, stated, &place, Some(&mirror));
        }
        let unlisted = mirror.binaries.keys();
        let unlisted = unlisted.filter(|hash| self.collection.get(hash).is_none()).count();
        if unlisted > 0 && listed_builds > 0 && input.view.is_none() {
            let builds = counted(unlisted, "build is", "builds are");
            let note = format!("{label}: {builds} in the mirror but not in its index");
            self.report.note_of_kind("builds are in a mirror but not in its index", note);
        }
    }

    /// Reads a database on several threads, and returns how many of its records can be used.
    fn read_records<R: Read>(
        &mut self,
        label: &str,
        file: &str,
        open: impl FnOnce() -> io::Result<R> + Send,
        stated: Option<&Stated>,
        place: &Place,
        mirror: Option<&Mirror>,
    ) -> usize {
        let full_label = if file.is_empty() { label.to_owned() } else { format!("{label}/{file}") };
        let input = self.collection.begin(&full_label);
        let mut assembly = Assembly::default();
        let mut records = 0;
        let machine = self.machine;
        let outline = machine.in_order(
            |each| open().map(|mut reader| scan(&mut reader, stated, each)),
            |batch| batch.read(place),
            |read| {
                let mut builds = assembly.take(read);
                if let Some(mirror) = mirror {
                    builds.retain_mut(|build| mirror.complete(build));
                }
                records += builds.len();
                machine.have_read(builds.len());
                self.add(input, builds);
            },
        );
        let read = match outline {
            Ok(outline) => assembly.finish(outline),
            Err(error) => crate::Read {
                value: None,
                problems: vec![Problem {
                    at: Position::default(),
                    finding: Finding::Unreadable { message: error.to_string() },
                }],
                notes: Notes::default(),
            },
        };
        self.report_all(label, read.in_file(file));
        records
    }

    fn add(&mut self, input: InputId, builds: Vec<Build>) {
        for conflict in self.collection.extend(input, builds) {
            self.report.conflict(&conflict);
        }
    }

    /// Reports everything that was found in an input, and returns what can be used.
    fn report_all<T>(&mut self, label: &str, read: crate::Read<T>) -> Option<T> {
        for problem in &read.problems {
            match read.value {
                Some(_) => self.report.damaged(label, problem),
                None => self.report.unusable(label, problem),
            }
        }
        for (novelty, seen) in read.notes.iter() {
            self.report.new_in(label, novelty, seen);
        }
        read.value
    }
}

fn read_page_file(machine: &impl Machine, path: &Path) -> crate::Read<Page> {
    match read_text(machine.open(path)) {
        Ok(text) => read_page(&text),
        Err(finding) => {
            let problems = vec![Problem { at: Position::default(), finding }];
            crate::Read { value: None, problems, notes: Notes::default() }
        }
    }
}

/// Reads a text that may be compressed.
pub fn read_text(file: io::Result<impl Read>) -> Result<String, Finding> {
    let mut bytes = Vec::new();
    file.and_then(|file| decompress(file)?.read_to_end(&mut bytes))
        .map_err(|error| Finding::Unreadable { message: error.to_string() })?;
    String::from_utf8(bytes)
        .map_err(|error| Finding::NotUtf8 { byte: error.utf8_error().valid_up_to() })
}

fn unreadable(error: &io::Error) -> String {
    Finding::Unreadable { message: error.to_string() }.to_string()
}
