//! Reading inputs into one collection, and reporting what is wrong with them and new in them.
//!
//! If only some records of an input are damaged, the others are read; the caller decides whether that is good enough.

pub(super) mod index_file;
pub(super) mod package_data;

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

use cache_index::build::{Build, Hash, Place};
use cache_index::index::{LeftOut, Translation};
use cache_index::number::counted;

use self::index_file::read_index;
use self::package_data::read_package_data;
#[cfg(feature = "command")]
use super::carried::IndexExtras;
use super::input::{DatabaseFile, Input, MirrorFolder, NameAndUrl, NameSource, Repository};
use super::location::Location;
use super::machine::{Folder, Machine};
use super::naming::MirrorNames;
use crate::builds_by_thread::{BuildsByThread, ThreadBuild, ThreadBuilds, in_order};
use crate::compression::{SizeLimit, decompress};
use crate::database::{Records, scan};
use crate::digest::Fingerprint;
use crate::mirror::{Amount, Files, Layout, Mirror, MissingFile, read_builds, signable_files};
use crate::oci::{Address, INDEX, ImageLayout, Registry, find_repository, read_image};
use crate::report::Report;
use crate::visible::write_visibly;
use crate::{
    Collection, Finding, InputId, Notes, Page, Position, Problem, find_databases, read_page,
};

/// The state of reading.
pub(super) struct Intake<'i, M> {
    pub(super) machine: &'i M,
    pub(super) collection: Collection,
    pub(super) report: &'i mut Report,
    /// Where binaries are.
    pub(super) mirrors: MirrorNames,
    /// What indexes say was left out of them.
    pub(super) left_out: Vec<LeftOut>,
    /// The binaries that are in folders.
    pub(super) present: Amount,
    /// What indexes say besides their builds.
    #[cfg(feature = "command")]
    pub(super) carried: IndexExtras,
}

impl<'i, M: Machine> Intake<'i, M> {
    pub(super) fn new(machine: &'i M, report: &'i mut Report) -> Intake<'i, M> {
        Intake {
            machine,
            collection: Collection::default(),
            report,
            mirrors: MirrorNames::default(),
            left_out: Vec::new(),
            present: Amount::default(),
            #[cfg(feature = "command")]
            carried: IndexExtras::default(),
        }
    }

    /// Reads all pages, on several threads, because they are many and small.
    #[inline(never)] // The reader in the page loads it later, see `crates/split`.
    pub(super) fn read_pages(&mut self, pages: &[&Path]) {
        self.mirrors.has_public = true;
        let machine = self.machine;
        let threads = BuildsByThread::default();
        let mut inputs = Vec::with_capacity(pages.len());
        machine.in_order(
            |each| pages.iter().enumerate().for_each(each),
            |(number, path)| (path, read_page_file(machine, path, number, &threads)),
            |(path, page)| {
                let label = path.display().to_string();
                machine.reading(&label);
                if let Some(builds) = self.report_all(&label, page) {
                    machine.have_read(builds);
                }
                inputs.push(self.collection.begin(&label));
            },
        );
        let threads: Vec<ThreadBuilds<()>> = threads.into_threads();
        let mut translations: Vec<Translation> =
            threads.iter().map(|_| Translation::default()).collect();
        for ThreadBuild { key, thread, build } in in_order(&threads) {
            let input = inputs[(key >> BITS_IN_PAGE) as usize];
            let translation = &mut translations[thread];
            let taken = self.collection.take(input, &threads[thread].builds, build, translation);
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
            Input::PackageData(files) => read_package_data(self, &label, files),
            Input::Index(index) => read_index(self, &label, index),
        }
    }

    fn read_database(&mut self, label: &str, database: &DatabaseFile) {
        let DatabaseFile { location, place, digest, naming } = database;
        self.note_mirror(label, place, naming, None);
        let file = location.open(self.machine);
        match file {
            Ok(file) => {
                let stated = digest.clone().map(|digest| Fingerprint { digest, length: None });
                self.read_records(label, ("", ""), move || Ok(file), stated.as_ref(), place, None);
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
                if let Some(layout) = self.report_all(label, ImageLayout::open(&folder)) {
                    self.present += layout.present();
                    self.read_registry(label, &layout, place);
                }
            }
            Location::Url(url) => {
                let address = Address::parse(url).map_err(io::Error::other);
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
            return self.read_images(label, registry, &tags.iter().collect::<Vec<_>>(), place);
        };
        let open = || {
            let blob = registry.blob(&stated.digest)?;
            blob.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
        };
        let mirror = Mirror::of_images(tags.keys().copied());
        let mirror = Some((&mirror, Layout::Images));
        let listed = self.read_records(label, (INDEX, INDEX), open, Some(stated), place, mirror);
        let unlisted: Vec<_> =
            tags.iter().filter(|(hash, _)| !self.collection.has_binary(hash)).collect();
        if !unlisted.is_empty() && listed.is_some_and(|listed| listed > 0) {
            let count = unlisted.iter().filter(|(hash, _)| !self.report.is_damaged(hash)).count();
            if count > 0 {
                let builds = counted(count, "build is", "builds are");
                let note = format!("{label}: {builds} in the repository but not in its index");
                self.report.note_of_kind("builds are in a repository but not in its index", note);
            }
            self.read_images(label, registry, &unlisted, place);
        }
    }

    /// Reads the images of builds, each with its tag.
    fn read_images(
        &mut self,
        label: &str,
        registry: &(dyn Registry + Sync),
        tags: &[(&Hash, &String)],
        place: &Place,
    ) {
        let input = self.collection.begin(label);
        let machine = self.machine;
        machine.in_order(
            |each| tags.iter().for_each(each),
            |(hash, tag)| read_image(registry, tag, **hash, place),
            |read| {
                let builds = self.report_all(label, read).unwrap_or_default();
                machine.have_read(1);
                self.add(input, builds);
            },
        );
    }

    /// Notes where the binaries of a place are, which may be a view of a mirror.
    fn note_mirror(&mut self, label: &str, place: &Place, naming: &NameSource, view: Option<&str>) {
        let known = match naming {
            NameSource::Public => {
                self.mirrors.has_public = true;
                if view.is_none() {
                    return;
                }
                NameAndUrl::default()
            }
            NameSource::DatabaseInMirror => NameAndUrl::default(),
            NameSource::Own(known) => known.clone(),
        };
        let known = known.with_view(view);
        self.mirrors.buckets.extend(known.url.as_ref().and_then(|url| self.machine.bucket(url)));
        if let Err(problem) = self.mirrors.add(place.clone(), known) {
            self.report.problem(label, &problem);
        }
    }

    #[inline(never)] // The reader in the page loads it later, see `crates/split`.
    fn read_mirror(&mut self, label: &str, input: &MirrorFolder) {
        let folder = Folder { machine: self.machine, root: &input.path };
        let found = find_databases(&folder, input.view.as_deref());
        let Some(mirror) = self.report_all(label, found) else { return };
        self.present += mirror.present;
        let has_views = mirror.databases.iter().any(|listed| listed.view.is_some());
        // Builds that an index does not list are only known if all of it can be read.
        let mut listed_builds = Some(0);
        for listed in &mirror.databases {
            let place = input.place_of(listed.view.as_deref(), has_views);
            let naming = match &input.naming {
                // Spack knows the mirror by this name with this view.
                NameSource::Own(known) if input.view.is_some() => {
                    NameSource::Own(NameAndUrl { view: listed.view.clone(), ..known.clone() })
                }
                naming => naming.clone(),
            };
            let view = listed.view.as_deref().filter(|_| input.view.is_none());
            self.note_mirror(label, &place, &naming, view);
            let open = || {
                let file = folder.open(&listed.path)?;
                file.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
            };
            let stated = listed.stated.as_ref();
            let mirror = Some((&mirror, listed.layout));
            let file = (listed.file.as_str(), listed.path.as_str());
            let listed = self.read_records(label, file, open, stated, &place, mirror);
            listed_builds = listed_builds.zip(listed).map(|(all, more)| all + more);
        }
        if listed_builds.is_some_and(|builds| builds > 0) && input.view.is_none() {
            let place = mirror.databases.iter().any(|listed| listed.view.is_none());
            let place = place.then(|| input.place_of(None, has_views));
            self.add_unlisted(label, &folder, &mirror, place.as_ref());
        }
    }

    /// Notes the builds in a mirror that its index does not offer. If there is an index of the complete mirror, these
    /// builds are added in `place`: Spack installs a concrete spec from its files, whatever the index says.
    fn add_unlisted(
        &mut self,
        label: &str,
        files: &(dyn Files + Sync),
        mirror: &Mirror,
        place: Option<&Place>,
    ) {
        let is_known = |hash: &Hash| match place {
            Some(_) => self.collection.has_binary(hash),
            None => self.collection.contains(hash),
        };
        let unlisted = mirror.binaries.keys();
        let unlisted: BTreeSet<Hash> = unlisted
            .filter(|hash| !is_known(hash) && !mirror.incomplete.contains(hash))
            .copied()
            .collect();
        if unlisted.is_empty() {
            return;
        }
        let count = unlisted.iter().filter(|hash| !self.report.is_damaged(hash)).count();
        let Some(place) = place else { return note_unlisted(self.report, label, count, 0) };
        let signable = match signable_files(files) {
            Ok(signable) => signable,
            Err(error) => return self.report.problem(label, &error),
        };
        let input = self.collection.begin(label);
        let machine = self.machine;
        let mut without_spec = 0;
        machine.in_order(
            |each| signable.iter().filter(|(hash, _)| unlisted.contains(hash)).for_each(each),
            |(hash, file)| read_builds(files, file, *hash, place),
            |read| {
                let is_sound = read.problems.is_empty();
                let mut builds = self.report_all(label, read).unwrap_or_default();
                without_spec += usize::from(is_sound && builds.is_empty());
                for build in &mut builds {
                    mirror.complete(build, Layout::V3);
                }
                self.add(input, builds);
            },
        );
        note_unlisted(self.report, label, count, without_spec);
    }

    /// Reads a database on several threads, and returns how many of its records can be used; `None` if not all of it
    /// can be read. `file` is the file that names the database, and `path` its own path.
    fn read_records<R: Read>(
        &mut self,
        label: &str,
        (file, path): (&str, &str),
        open: impl FnOnce() -> io::Result<R> + Send,
        stated: Option<&Fingerprint>,
        place: &Place,
        mirror: Option<(&Mirror, Layout)>,
    ) -> Option<usize> {
        let full_label = if file.is_empty() { label.to_owned() } else { format!("{label}/{file}") };
        let input = self.collection.begin(&full_label);
        let records = Records::default();
        let machine = self.machine;
        let outline = machine.in_order(
            |each| open().map(|mut reader| scan(&mut reader, machine.size_limit(), stated, each)),
            |batch| records.read(&batch, place),
            |builds| machine.have_read(builds),
        );
        let mut usable = 0;
        let read = match outline {
            Ok(outline) => {
                let (read, mut builds) = records.finish(outline);
                if let Some((mirror, layout)) = mirror {
                    for (lacking, names) in mirror.complete_all(&mut builds, layout) {
                        note_absent(self.report, &full_label, lacking, &names);
                    }
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
        let mut read = read.in_file(file);
        // The path of the file itself helps to repair the mirror.
        for problem in read.problems.iter_mut().filter(|problem| problem.finding.is_about_bytes()) {
            if path != file {
                problem.at.file = format!("{path}, named by {file}");
            }
        }
        self.report_all(label, read).map(|_| usable)
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

/// Notes builds that are in a mirror but not in its index. `without_spec` of them are left out, because the mirror does
/// not have their specs.
pub(super) fn note_unlisted(report: &mut Report, label: &str, count: usize, without_spec: usize) {
    if count > 0 {
        let builds = counted(count, "build is", "builds are");
        let unknown = match without_spec {
            0 => String::new(),
            _ => format!(
                "; {} left out here, because the mirror does not have {} spec",
                counted(without_spec, "is", "are"),
                if without_spec == 1 { "its" } else { "their" }
            ),
        };
        let note = format!(
            "{label}: {builds} in the mirror but not in its index{unknown}; `spack buildcache update-index` adds what is missing"
        );
        report.note_of_kind("builds are in a mirror but not in its index", note);
    }
}

/// The key of a build is `page << BITS_IN_PAGE | position on the page`.
const BITS_IN_PAGE: u32 = 32;

/// Reads a page, adds its builds to those of its thread, and returns how many there are.
fn read_page_file(
    machine: &impl Machine,
    path: &Path,
    number: usize,
    threads: &BuildsByThread<()>,
) -> crate::Read<usize> {
    let file = machine.open(path);
    let file = file.map_err(|error| Finding::Unreadable { message: error.to_string() });
    let text = match file.and_then(|file| read_text(file, machine.size_limit())) {
        Ok(text) => text,
        Err(finding) => {
            let problems = vec![Problem { at: Position::default(), finding }];
            return crate::Read { value: None, problems, notes: Notes::default() };
        }
    };
    read_page(&text).map(|Page { builds, .. }| {
        threads.with(|thread| {
            let count = builds.len();
            for (key, mut build) in ((number as u64) << BITS_IN_PAGE..).zip(builds) {
                write_visibly(&mut build);
                thread.builds.push(&build);
                thread.keys.push(key);
            }
            count
        })
    })
}

/// The maximum number of absent builds that are named.
const NAMED: usize = 5;

/// Notes builds of an index that are not in its mirror and so do not count as being there.
pub(super) fn note_absent(
    report: &mut Report,
    label: &str,
    lacking: MissingFile,
    names: &[String],
) {
    let builds = counted(names.len(), "build of the index is", "builds of the index are");
    let kind = lacking.words();
    let mut named = names[..names.len().min(NAMED)].join(", ");
    if let Some(more @ 1..) = names.len().checked_sub(NAMED) {
        named.push_str(&format!(" and {}", counted(more, "other", "others")));
    }
    let note = format!("{label}: {builds} {kind}, and so not in the cache: {named}");
    report.note_of_kind(&format!("builds of an index are {kind}"), note);
}

/// Reads a text that may be compressed.
fn read_text(file: impl Read, limit: SizeLimit) -> Result<String, Finding> {
    let mut bytes = Vec::new();
    decompress(file, limit)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .map_err(|error| Finding::Unreadable { message: error.to_string() })?;
    String::from_utf8(bytes)
        .map_err(|error| Finding::NotUtf8 { byte: error.utf8_error().valid_up_to() })
}
