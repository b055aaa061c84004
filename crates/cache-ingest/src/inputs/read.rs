//! Reading inputs into one collection, and reporting what is wrong with them and new in them.
//!
//! If only some records of an input are damaged, the others are read; the caller decides whether that is good enough.

use std::io::{self, Read};
use std::path::Path;

use cache_index::build::{Build, Place};
use cache_index::index::{BuildId, LeftOut, Translation};
use cache_index::mirror;
use cache_index::number::counted;

use super::found::{IndexFile, Input, ListedDatabase, MirrorFolder, Repository};
use super::location::Location;
use super::machine::{Folder, Machine};
use super::naming::{Known, Mirrors, Naming};
use super::packed::load_index;
use crate::database::{Records, scan};
use crate::digest::Stated;
use crate::mirror::{Files, Mirror};
use crate::oci::{Address, INDEX, Layout, Registry, find_repository, read_image};
use crate::report::Report;
use crate::shelves::{Shelf, Shelved, Shelves, in_order};
use crate::visible::write_visibly;
use crate::{
    Collection, Finding, InputId, Notes, Page, Position, Problem, decompress, find_databases,
    read_page,
};

/// The state of reading.
pub(super) struct Intake<'i, M> {
    pub(super) machine: &'i M,
    pub(super) collection: Collection,
    pub(super) report: &'i mut Report,
    /// Where binaries are.
    pub(super) mirrors: Mirrors,
    /// What indexes say was left out of them.
    pub(super) left_out: Vec<LeftOut>,
}

impl<'i, M: Machine> Intake<'i, M> {
    pub(super) fn new(machine: &'i M, report: &'i mut Report) -> Intake<'i, M> {
        Intake {
            machine,
            collection: Collection::default(),
            report,
            mirrors: Mirrors::default(),
            left_out: Vec::new(),
        }
    }

    /// Reads all pages, on several threads, because they are many and small.
    #[inline(never)] // The reader in the page loads it later, see `crates/split`.
    pub(super) fn read_pages(&mut self, pages: &[&Path]) {
        self.mirrors.has_public = true;
        let machine = self.machine;
        let shelves = Shelves::default();
        let mut inputs = Vec::with_capacity(pages.len());
        machine.in_order(
            |each| pages.iter().enumerate().for_each(each),
            |(number, path)| (path, read_page_file(machine, path, number, &shelves)),
            |(path, page)| {
                let label = path.display().to_string();
                machine.reading(&label);
                if let Some(builds) = self.report_all(&label, page) {
                    machine.have_read(builds);
                }
                inputs.push(self.collection.begin(&label));
            },
        );
        let shelves: Vec<Shelf<()>> = shelves.into_shelves();
        let mut translations: Vec<Translation> =
            shelves.iter().map(|_| Translation::default()).collect();
        for Shelved { key, shelf, build } in in_order(&shelves) {
            let input = inputs[(key >> BITS_IN_PAGE) as usize];
            let translation = &mut translations[shelf];
            let taken = self.collection.take(input, &shelves[shelf].builds, build, translation);
            taken.iter().for_each(|conflict| self.report.conflict(conflict));
        }
    }

    /// Reads an input that is not a page.
    pub(super) fn read(&mut self, input: &Input) {
        let label = input.label(self.machine);
        self.machine.reading(&label);
        match input {
            Input::Page(path) => self.read_pages(&[path]),
            Input::Database(database) => self.read_database(&label, database),
            Input::Mirror(mirror) => self.read_mirror(&label, mirror),
            Input::Repository(repository) => self.read_repository(&label, repository),
            Input::Index(index) => self.read_index(&label, index),
        }
    }

    fn read_database(&mut self, label: &str, database: &ListedDatabase) {
        let ListedDatabase { location, place, digest, naming } = database;
        self.note_mirror(label, place, naming, None);
        let file = location.open(self.machine);
        match file {
            Ok(file) => {
                let stated = digest.clone().map(|digest| Stated { digest, length: None });
                self.read_records(label, "", move || Ok(file), stated.as_ref(), place, None);
            }
            Err(problem) => self.report.problem(label, &problem),
        }
    }

    #[inline(never)] // The reader in the page loads it later, see `crates/split`.
    fn read_repository(&mut self, label: &str, input: &Repository) {
        let Repository { location, place, naming } = input;
        self.note_mirror(label, place, naming, None);
        match location {
            Location::Path(path) => {
                let folder = Folder { machine: self.machine, root: path };
                if let Some(layout) = self.report_all(label, Layout::open(&folder)) {
                    self.read_registry(label, &layout, place);
                }
            }
            Location::Url(url) => {
                let address = Address::parse(url).map_err(|error| error.to_string());
                match address.and_then(|address| self.machine.registry(&address)) {
                    Ok(registry) => self.read_registry(label, &*registry, place),
                    Err(problem) => self.report.problem(label, &problem),
                }
            }
        }
    }

    /// Reads the index of a repository, or all its images if it has no index.
    fn read_registry(&mut self, label: &str, registry: &(dyn Registry + Sync), place: &Place) {
        let Some(found) = self.report_all(label, find_repository(registry)) else { return };
        let tags = &found.builds;
        let Some(stated) = &found.database else {
            let input = self.collection.begin(label);
            let machine = self.machine;
            machine.in_order(
                |each| tags.iter().for_each(each),
                |(hash, tag)| read_image(registry, tag, *hash, place),
                |read| {
                    let builds = self.report_all(label, read).unwrap_or_default();
                    machine.have_read(1);
                    self.add(input, builds);
                },
            );
            return;
        };
        let open = || {
            let blob = registry.blob(&stated.digest)?;
            blob.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
        };
        let listed = self.read_records(label, INDEX, open, Some(stated), place, None);
        let unlisted = tags.keys().filter(|hash| !self.collection.contains(hash)).count();
        if unlisted > 0 && listed > 0 {
            let builds = counted(unlisted, "build is", "builds are");
            let note = format!("{label}: {builds} in the repository but not in its index");
            self.report.note_of_kind("builds are in a repository but not in its index", note);
        }
    }

    /// Takes the builds of an index, and all that it says of the cache.
    #[inline(never)] // The reader in the page loads it later, see `crates/split`.
    fn read_index(&mut self, label: &str, input: &IndexFile) {
        let index = match load_index(self.machine, &input.location) {
            Ok(index) => index,
            Err(problem) => return self.report.problem(label, &problem),
        };
        let about = index.about();
        self.mirrors.bases.extend(about.mirror_url().map(str::to_owned));
        self.left_out.extend(about.left_out.iter().cloned());
        for place in index.all_places() {
            let name = about.known_mirror(&place).and_then(|mirror| mirror.name.clone());
            let mirror::Mirror { url, view, .. } = mirror::Mirror::of(&place, about);
            let naming = Naming::Own(Known { name, url, view });
            self.note_mirror(label, &input.place_of(place), &naming, None);
        }
        let builds = (0..index.specs()).filter_map(|id| index.build(BuildId(id)));
        let builds = builds.map(|build| {
            let places = build.places.into_iter().map(|place| input.place_of(place));
            Build { places: places.collect(), ..build }
        });
        let part = self.collection.begin(label);
        for conflict in self.collection.extend(part, builds) {
            self.report.conflict(&conflict);
        }
        self.machine.have_read(index.specs() as usize);
    }

    /// Notes where the binaries of a place are, which may be a view of a mirror.
    fn note_mirror(&mut self, label: &str, place: &Place, naming: &Naming, view: Option<&str>) {
        let known = match naming {
            Naming::Public => {
                self.mirrors.has_public = true;
                if view.is_none() {
                    return;
                }
                Known::default()
            }
            Naming::Listed => Known::default(),
            Naming::Own(known) => known.clone(),
        };
        let known = known.with_view(view);
        if let Err(problem) = self.mirrors.add(place.clone(), known) {
            self.report.problem(label, &problem);
        }
    }

    #[inline(never)] // The reader in the page loads it later, see `crates/split`.
    fn read_mirror(&mut self, label: &str, input: &MirrorFolder) {
        let folder = Folder { machine: self.machine, root: &input.path };
        let found = find_databases(&folder, input.view.as_deref());
        let Some(mirror) = self.report_all(label, found) else { return };
        let has_views = mirror.databases.iter().any(|listed| listed.view.is_some());
        let mut listed_builds = 0;
        for listed in &mirror.databases {
            let place = input.place_of(listed.view.as_deref(), has_views);
            self.note_mirror(label, &place, &input.naming, listed.view.as_deref());
            let open = || {
                let file = folder.open(&listed.path)?;
                file.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
            };
            let stated = listed.stated.as_ref();
            listed_builds +=
                self.read_records(label, &listed.file, open, stated, &place, Some(&mirror));
        }
        let unlisted = mirror.binaries.keys();
        let unlisted = unlisted.filter(|hash| !self.collection.contains(hash)).count();
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
        let records = Records::default();
        let machine = self.machine;
        let outline = machine.in_order(
            |each| open().map(|mut reader| scan(&mut reader, stated, each)),
            |batch| records.read(&batch, place),
            |builds| machine.have_read(builds),
        );
        let mut usable = 0;
        let read = match outline {
            Ok(outline) => {
                let (read, mut builds) = records.finish(outline);
                if let Some(mirror) = mirror {
                    mirror.complete_all(&mut builds);
                }
                usable = builds.order.len();
                for conflict in self.collection.take_database(input, builds) {
                    self.report.conflict(&conflict);
                }
                read
            }
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
        usable
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

/// The key of a build of a page has its number on the page in so many bits, and above them the number of the page.
const BITS_IN_PAGE: u32 = 32;

/// Reads a page, puts its builds on a shelf, and returns how many there are.
fn read_page_file(
    machine: &impl Machine,
    path: &Path,
    number: usize,
    shelves: &Shelves<()>,
) -> crate::Read<usize> {
    let text = match read_text(machine.open(path)) {
        Ok(text) => text,
        Err(finding) => {
            let problems = vec![Problem { at: Position::default(), finding }];
            return crate::Read { value: None, problems, notes: Notes::default() };
        }
    };
    read_page(&text).map(|Page { builds, .. }| {
        shelves.with(|shelf| {
            let count = builds.len();
            for (key, mut build) in ((number as u64) << BITS_IN_PAGE..).zip(builds) {
                write_visibly(&mut build);
                shelf.builds.push(&build);
                shelf.keys.push(key);
            }
            count
        })
    })
}

/// Reads a text that may be compressed.
pub fn read_text(file: io::Result<impl Read>) -> Result<String, Finding> {
    let mut bytes = Vec::new();
    file.and_then(|file| decompress(file)?.read_to_end(&mut bytes))
        .map_err(|error| Finding::Unreadable { message: error.to_string() })?;
    String::from_utf8(bytes)
        .map_err(|error| Finding::NotUtf8 { byte: error.utf8_error().valid_up_to() })
}
