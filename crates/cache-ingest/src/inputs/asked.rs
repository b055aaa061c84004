//! Asking mirrors on other machines which builds they have.
//!
//! An index lists what was in a mirror when it was made. Only a build's files show whether it is there now, and each
//! costs a request: the manifest or spec, and the blobs that a manifest names. So a mirror is asked only for builds
//! that the user needs, at most [`MOST`] of them; if the server lists its files, any number is looked up in that list.
//! Nothing is asked unless a command calls for it.
//!
//! Both layouts name their files after the spec of a build:
//!
//! | layout | describes a build | is named by it |
//! | --- | --- | --- |
//! | v2 | its spec, signed or not | nothing, but its archive has the name of the spec |
//! | v3 | its manifest | the blobs of its spec and archive |
//!
//! A server may refuse a file instead of saying that it does not exist, and a copy may lack all files of a kind. So if
//! a mirror has none of the builds that it is asked for, and none of some others that its index lists, nothing is known
//! about it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read as _};

use cache_index::build::{Hash, Place, Places};
use cache_index::environment::CarryList;
use cache_index::file_names::{SPEC_ENDING, SPECS};
use cache_index::number::counted;

use super::input::{DatabaseFile, Input, NameAndUrl, NameSource};
use super::location::Location;
use super::machine::Machine;
use super::read::{note_absent, note_unlisted};
use super::remote::Remote;
use super::{GatheredBuilds, Inputs};
use crate::mirror::{
    Files, Layout, MANIFESTS, MissingFile, V2_DIGEST, V2_FOLDER, V2_INDEX, blob_path, carried,
    find_listed, hash_in, read_builds, read_manifest, v2_specs,
};
use crate::report::Report;
use crate::wanted_build::WantedBuild;

/// The maximum number of builds that a mirror is asked for.
const MOST: usize = 5_000;

/// The number of other builds that a mirror is asked for if it has none of the wanted ones.
const WITNESSES: usize = 3;

/// A mirror that was asked.
struct AskedMirror<'r, M> {
    remote: Remote<'r, M>,
    layout: Layout,
    /// The manifests or specs that are there.
    manifests: BTreeMap<Hash, String>,
    absent: BTreeSet<Hash>,
    /// The builds for which the server failed to answer.
    unanswered: usize,
    /// Blobs or archives, `true` if they are there; `None` if the server failed to answer.
    blobs: BTreeMap<String, Option<bool>>,
}

impl<'r, M: Machine> AskedMirror<'r, M> {
    fn ask(
        machine: &'r M,
        url: &'r str,
        layout: Layout,
        wanted: &[WantedBuild],
    ) -> AskedMirror<'r, M> {
        let remote = Remote { machine, url, view: None };
        let mut asked = AskedMirror {
            remote,
            layout,
            manifests: BTreeMap::new(),
            absent: BTreeSet::new(),
            unanswered: 0,
            blobs: BTreeMap::new(),
        };
        let paths = wanted.iter().flat_map(|build| build.described_by(layout));
        let urls: Vec<String> = paths.map(|path| asked.remote.url_of(path)).collect();
        machine.fetch(&urls, &BTreeSet::new());
        wanted.iter().for_each(|build| asked.take(build));
        let there = wanted.iter().filter(|build| asked.manifests.contains_key(&build.hash));
        let of_builds: Vec<Vec<String>> = there.map(|build| asked.blobs_of(build)).collect();
        let blobs: BTreeSet<String> = of_builds.iter().flatten().cloned().collect();
        let blobs: Vec<String> = blobs.into_iter().collect();
        let are_there = machine.has_files(url, &blobs);
        asked.blobs = blobs.into_iter().zip(are_there).collect();
        let is_unanswered = |blob: &String| asked.blobs.get(blob) == Some(&None);
        let unanswered = of_builds.iter().filter(|blobs| blobs.iter().any(is_unanswered)).count();
        asked.unanswered += unanswered;
        asked
    }

    /// Looks for the file that describes a build among those that were fetched.
    fn take(&mut self, build: &WantedBuild) {
        let mut is_answered = true;
        for path in build.described_by(self.layout) {
            match self.remote.machine.open_url(&self.remote.url_of(path)).map(is_manifest) {
                Ok(true) => {
                    self.manifests.insert(build.hash, path.clone());
                    return;
                }
                Err(error) if is_absence(&error) => {}
                Ok(false) | Err(_) => is_answered = false,
            }
        }
        match is_answered {
            true => drop(self.absent.insert(build.hash)),
            false => self.unanswered += 1,
        }
    }

    /// Adds what some other builds of a mirror have, which shows what kinds of files it has.
    fn add_witnesses(&mut self, others: AskedMirror<'r, M>) {
        self.manifests.extend(others.manifests);
        self.blobs.extend(others.blobs);
    }

    /// Returns `true` if there are builds, and the server says that it has none of the archives that they are installed
    /// from.
    fn has_no_archive(&self) -> bool {
        self.layout == Layout::V2
            && !self.blobs.is_empty()
            && self.blobs.values().all(|is_there| *is_there == Some(false))
    }

    /// Returns the paths of the blobs that the manifest of a build names, or that of its archive.
    fn blobs_of(&self, build: &WantedBuild) -> Vec<String> {
        let Some(path) = self.manifests.get(&build.hash).filter(|_| self.layout == Layout::V3)
        else {
            return vec![build.v2.archive.clone()];
        };
        let mut bytes = Vec::new();
        if let Ok(Some(mut file)) = self.remote.open(path) {
            // A file that cannot be read names nothing; that is reported when it is read as a manifest.
            drop(file.read_to_end(&mut bytes));
        }
        let blobs = read_manifest(&bytes).value.unwrap_or_default();
        blobs.iter().map(|blob| blob_path(&blob.checksum)).collect()
    }
}

/// Returns `true` for JSON, signed or not. Some servers answer every request with a page.
fn is_manifest(mut file: impl io::Read) -> bool {
    let mut first = [0];
    file.read_exact(&mut first).is_ok() && matches!(first[0], b'{' | b'-')
}

/// Returns `true` if a server says that there is no such file. Buckets that may not be listed deny access instead.
fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
}

impl<M: Machine> Files for AskedMirror<'_, M> {
    fn open(&self, path: &str) -> io::Result<Option<Box<dyn io::Read + '_>>> {
        self.remote.open(path)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let mut listed = Vec::new();
        if folder == V2_FOLDER && self.layout == Layout::V2 {
            listed.extend(self.manifests.values().cloned());
            let archives = self.blobs.iter().filter(|(_, is_there)| **is_there != Some(false));
            listed.extend(archives.map(|(path, _)| path.clone()));
            for path in [V2_INDEX, V2_DIGEST] {
                listed.extend(self.open(path)?.map(|_| path.to_owned()));
            }
        }
        if [MANIFESTS, SPECS].contains(&folder) && self.layout == Layout::V3 {
            listed.extend(self.manifests.values().cloned());
        }
        if folder == MANIFESTS && self.layout == Layout::V3 {
            listed.extend(self.remote.list("v3/manifests/index")?);
        }
        Ok(listed)
    }

    fn has(&self, path: &str) -> io::Result<bool> {
        match self.blobs.get(path) {
            // A manifest names it, and nothing speaks against that.
            Some(is_there) => Ok(is_there.unwrap_or(true)),
            // The blobs of indexes are small, and have been fetched.
            None => Ok(self.open(path)?.is_some()),
        }
    }
}

/// A mirror on another machine, among the inputs.
struct RemoteMirror<'i> {
    url: &'i str,
    layout: Layout,
    /// The places of the complete mirror and of its views.
    places: Vec<&'i Place>,
    /// The place of the complete mirror.
    whole: Option<&'i Place>,
}

impl<M: Machine> Inputs<M> {
    /// Asks the mirrors on other machines for these builds, and corrects what their indexes say about them.
    pub fn ask(&self, wanted: &[WantedBuild], gathered: &mut GatheredBuilds, report: &mut Report) {
        if wanted.is_empty() {
            return;
        }
        let more = wanted.len().saturating_sub(MOST);
        let wanted = &wanted[..wanted.len() - more];
        for mirror in self.remote_mirrors() {
            self.ask_mirror(&mirror, wanted, gathered, report);
            if more > 0 {
                let more = counted(more, "build was", "builds were");
                report.note(&format!("{}: {more} not asked for: that is too many", mirror.url));
            }
        }
        for conflict in gathered.collection.resolve_compilers() {
            report.conflict(&conflict);
        }
    }

    fn ask_mirror(
        &self,
        mirror: &RemoteMirror<'_>,
        wanted: &[WantedBuild],
        gathered: &mut GatheredBuilds,
        report: &mut Report,
    ) {
        let &RemoteMirror { url, layout, ref places, whole } = mirror;
        let GatheredBuilds { collection, .. } = gathered;
        let mut asked = AskedMirror::ask(&self.machine, url, layout, wanted);
        let has_none = asked.manifests.is_empty() && !asked.absent.is_empty();
        if has_none || asked.has_no_archive() {
            let known = wanted.iter().map(|build| build.hash).collect();
            let others = collection.some_at(places, &known, WITNESSES);
            let others = AskedMirror::ask(&self.machine, url, layout, &others);
            if has_none && others.manifests.is_empty() {
                asked.absent.clear();
            }
            asked.add_witnesses(others);
        }
        if asked.unanswered > 0 {
            let builds = counted(asked.unanswered, "build", "builds");
            report.note(&format!("{url}: the server does not say whether {builds} are there"));
        }
        let listed = find_listed(&asked);
        listed.problems.iter().for_each(|problem| report.unusable(url, problem));
        let Some(found) = listed.value else { return };
        let input = collection.begin(url);
        let mut absent: BTreeMap<MissingFile, Vec<String>> = BTreeMap::new();
        for WantedBuild { hash, package, .. } in wanted {
            let lacks = match asked.manifests.get(hash) {
                Some(_) => found.lacks(hash, layout),
                None => asked.absent.contains(hash).then_some(layout.missing_file()),
            };
            let is_listed = collection.is_at(hash, places);
            match (lacks, asked.manifests.get(hash)) {
                (Some(lacking), _) if is_listed => {
                    absent.entry(lacking).or_default().push(format!("{package}/{hash}"));
                    collection.edit(hash, |build| {
                        let kept = build.places.iter().filter(|place| !places.contains(place));
                        build.places = kept.cloned().collect::<Places>();
                    });
                }
                (None, Some(_)) if is_listed => {
                    collection.edit(hash, |build| {
                        found.complete(build, layout);
                    });
                }
                (None, Some(manifest)) => {
                    let Some(place) = whole else { continue };
                    let read = read_builds(&asked, manifest, *hash, place);
                    read.problems.iter().for_each(|problem| report.damaged(url, problem));
                    for conflict in collection.extend(input, read.value.unwrap_or_default()) {
                        report.conflict(&conflict);
                    }
                    collection.edit(hash, |build| {
                        found.complete(build, layout);
                    });
                }
                _ => {}
            }
        }
        absent.iter().for_each(|(lacking, names)| note_absent(report, url, *lacking, names));
    }

    /// Compares the indexes of mirrors on other machines with the names of all their manifests or specs, if the servers
    /// list them. Notes how many builds have no such file, and how many such files belong to no build.
    pub fn compare_manifests(&self, gathered: &GatheredBuilds, report: &mut Report) {
        for RemoteMirror { url, layout, places, whole } in self.remote_mirrors() {
            let remote = Remote { machine: &self.machine, url, view: None };
            let folder = match layout {
                Layout::V2 => V2_FOLDER,
                Layout::V3 | Layout::Images => SPECS,
            };
            let Some(files) = self.machine.list_whole(&remote.url_of(&format!("{folder}/"))) else {
                continue;
            };
            let there: BTreeSet<Hash> = match layout {
                Layout::V2 => v2_specs(files).map(|(hash, ..)| hash).collect(),
                Layout::V3 | Layout::Images => {
                    let stems = files.iter().filter_map(|file| file.strip_suffix(SPEC_ENDING));
                    stems.filter_map(hash_in).collect()
                }
            };
            let listed = gathered.collection.all_at(&places);
            let absent: Vec<String> = listed
                .iter()
                .filter(|(hash, _)| !there.contains(hash))
                .map(|(hash, package)| format!("{package}/{hash}"))
                .collect();
            if !there.is_empty() && !absent.is_empty() {
                note_absent(report, url, layout.missing_file(), &absent);
            }
            // Views alone do not say what the mirror has.
            if whole.is_some() {
                let is_listed = |hash: &&Hash| listed.contains_key(hash) || report.is_damaged(hash);
                let count = there.iter().filter(|hash| !is_listed(hash)).count();
                note_unlisted(report, url, count, 0);
            }
        }
    }

    /// Lists the files that these builds are installed from, if the inputs are a single mirror on another machine;
    /// `None` for other inputs, and for too many builds.
    ///
    /// # Errors
    ///
    /// If the mirror cannot be read.
    pub fn carried_from_afar(&self, wanted: &[WantedBuild]) -> Option<io::Result<CarryList>> {
        let mirrors = self.remote_mirrors();
        let [RemoteMirror { url, layout, places, .. }] = &mirrors[..] else { return None };
        if places.len() != self.list.len() || wanted.len() > MOST {
            return None;
        }
        self.machine.fetch(&self.urls(), &self.guarded);
        let asked = AskedMirror::ask(&self.machine, url, *layout, wanted);
        let hashes = wanted.iter().map(|build| build.hash).collect();
        Some(carried(&asked, &hashes).map(|mut list| {
            let keys = match layout {
                Layout::V2 => "build_cache/_pgp",
                Layout::V3 | Layout::Images => "v3/manifests/key and their blobs",
            };
            list.unknown.push(format!("the keys of the mirror: {keys}"));
            if asked.unanswered > 0 {
                let builds = counted(asked.unanswered, "build", "builds");
                list.unknown.push(format!("whether {builds} are there: the server does not say"));
            }
            list
        }))
    }

    /// Returns the mirrors that are on other machines, by URL and layout.
    fn remote_mirrors(&self) -> Vec<RemoteMirror<'_>> {
        let mut mirrors: BTreeMap<(&str, Layout), RemoteMirror<'_>> = BTreeMap::new();
        for input in &self.list {
            let Input::Database(DatabaseFile {
                location: Location::Url(location),
                place,
                naming: NameSource::Own(NameAndUrl { url: Some(url), view, .. }),
                ..
            }) = input
            else {
                continue;
            };
            let path = location.strip_prefix(url.trim_end_matches('/'));
            let layout = match path.and_then(|path| path.strip_prefix('/')) {
                Some(V2_INDEX) => Layout::V2,
                Some(path) if path.starts_with("blobs/") => Layout::V3,
                _ => continue,
            };
            let new = RemoteMirror { url, layout, places: Vec::new(), whole: None };
            let mirror = mirrors.entry((url, layout)).or_insert(new);
            mirror.places.push(place);
            if view.is_none() {
                mirror.whole = Some(place);
            }
        }
        mirrors.into_values().collect()
    }
}
