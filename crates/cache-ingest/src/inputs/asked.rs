//! Which builds mirrors on other machines have, asked of the mirrors themselves.
//!
//! An index lists what was there when it was made. Whether a build is there now is said by its files, and each costs a request:
//! its manifest, and what this names. So the builds are asked for that somebody needs, and at most [`MOST`] of them; or
//! the names of all manifests, where the server lists them. Nothing is asked unless a command calls for it.
//!
//! This is for layout v3, in which the name of a manifest follows from the spec. A server may refuse a file in place of
//! saying that there is none, and a copy may lack all manifests: if a mirror has none of those that it is asked for, nor
//! some others that its index lists, nothing is known of it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read as _};

use cache_index::build::{Hash, Place, Places};
use cache_index::environment::CarryList;
use cache_index::number::counted;

use super::input::{DatabaseFile, Input, NameAndUrl, Naming};
use super::location::Location;
use super::machine::Machine;
use super::read::note_absent;
use super::remote::Remote;
use super::{Gathered, Inputs};
use crate::mirror::{
    Files, Lacking, Layout, MANIFESTS, SPEC_ENDING, SPECS, blob_path, carried, find_listed,
    read_builds, read_manifest,
};
use crate::report::Report;
use crate::wanted_build::WantedBuild;

/// The maximum number of builds that a mirror is asked for.
const MOST: usize = 5_000;

/// How many other builds a mirror is asked for if it has none of those that are wanted.
const WITNESSES: usize = 3;

impl WantedBuild {
    /// Returns the path of its manifest.
    fn manifest(&self) -> String {
        let WantedBuild { hash, package, version } = self;
        format!("{SPECS}/{package}/{package}-{version}-{hash}{SPEC_ENDING}")
    }
}

/// A mirror that was asked.
struct AskedMirror<'r, M> {
    remote: Remote<'r, M>,
    /// The manifests that are there.
    manifests: BTreeMap<Hash, String>,
    absent: BTreeSet<Hash>,
    /// The builds for which the server failed to answer.
    unanswered: usize,
    /// Blobs, `true` if they are there; without those that the server says nothing about.
    blobs: BTreeMap<String, bool>,
}

impl<'r, M: Machine> AskedMirror<'r, M> {
    fn ask(machine: &'r M, url: &'r str, wanted: &[WantedBuild]) -> AskedMirror<'r, M> {
        let remote = Remote { machine, url, view: None };
        let mut asked = AskedMirror {
            remote,
            manifests: BTreeMap::new(),
            absent: BTreeSet::new(),
            unanswered: 0,
            blobs: BTreeMap::new(),
        };
        let urls: Vec<String> =
            wanted.iter().map(|build| asked.remote.url_of(&build.manifest())).collect();
        machine.fetch(&urls, &BTreeSet::new());
        for (build, url) in wanted.iter().zip(&urls) {
            match machine.open_url(url).map(is_manifest) {
                Ok(true) => {
                    asked.manifests.insert(build.hash, build.manifest());
                }
                Ok(false) => asked.unanswered += 1,
                Err(error) if is_absence(&error) => drop(asked.absent.insert(build.hash)),
                Err(_) => asked.unanswered += 1,
            }
        }
        let manifests = asked.manifests.values();
        let blobs: BTreeSet<String> = manifests.flat_map(|path| asked.blobs_of(path)).collect();
        let blobs: Vec<String> = blobs.into_iter().collect();
        let are_there = machine.has_files(url, &blobs).into_iter();
        let known = blobs.into_iter().zip(are_there);
        asked.blobs = known.filter_map(|(blob, is_there)| Some((blob, is_there?))).collect();
        asked
    }

    /// Returns the paths of the blobs that a manifest names.
    fn blobs_of(&self, path: &str) -> Vec<String> {
        let mut bytes = Vec::new();
        if let Ok(Some(mut file)) = self.remote.open(path) {
            // What cannot be read names nothing, which is reported when it is read as a manifest.
            drop(file.read_to_end(&mut bytes));
        }
        let blobs = read_manifest(&bytes).value.unwrap_or_default();
        blobs.iter().map(|blob| blob_path(&blob.checksum)).collect()
    }
}

/// Returns `true` for JSON, signed or not. Some servers answer with a page whatever they are asked for.
fn is_manifest(mut file: impl io::Read) -> bool {
    let mut first = [0];
    file.read_exact(&mut first).is_ok() && matches!(first[0], b'{' | b'-')
}

/// Returns `true` if a server says that there is no such file. Buckets that may not be listed refuse to say it.
fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
}

impl<M: Machine> Files for AskedMirror<'_, M> {
    fn open(&self, path: &str) -> io::Result<Option<Box<dyn io::Read + '_>>> {
        self.remote.open(path)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let mut listed = Vec::new();
        if [MANIFESTS, SPECS].contains(&folder) {
            listed.extend(self.manifests.values().cloned());
        }
        if folder == MANIFESTS {
            listed.extend(self.remote.list("v3/manifests/index")?);
        }
        Ok(listed)
    }

    fn has(&self, path: &str) -> io::Result<bool> {
        match self.blobs.get(path) {
            Some(is_there) => Ok(*is_there),
            // The blobs of indexes are small, and have been fetched.
            None => Ok(self.open(path)?.is_some()),
        }
    }
}

/// A mirror on another machine, among the inputs.
struct RemoteMirror<'i> {
    url: &'i str,
    /// Its places: the whole and its views.
    places: Vec<&'i Place>,
    /// That of the whole.
    whole: Option<&'i Place>,
}

impl<M: Machine> Inputs<M> {
    /// Asks the mirrors on other machines for these builds, and corrects what their indexes say of them.
    pub fn ask(&self, wanted: &[WantedBuild], gathered: &mut Gathered, report: &mut Report) {
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
        gathered: &mut Gathered,
        report: &mut Report,
    ) {
        let RemoteMirror { url, places, whole } = mirror;
        let Gathered { collection, .. } = gathered;
        let mut asked = AskedMirror::ask(&self.machine, url, wanted);
        if asked.manifests.is_empty() && !asked.absent.is_empty() {
            let others = collection.some_at(places, &asked.absent, WITNESSES);
            if AskedMirror::ask(&self.machine, url, &others).manifests.is_empty() {
                asked.absent.clear();
            }
        }
        if asked.unanswered > 0 {
            let builds = counted(asked.unanswered, "build", "builds");
            report.note(&format!("{url}: the server does not say whether {builds} are there"));
        }
        let listed = find_listed(&asked);
        listed.problems.iter().for_each(|problem| report.unusable(url, problem));
        let Some(found) = listed.value else { return };
        let input = collection.begin(url);
        let mut absent: BTreeMap<Lacking, Vec<String>> = BTreeMap::new();
        for WantedBuild { hash, package, .. } in wanted {
            let lacks = match asked.manifests.get(hash) {
                Some(_) => found.lacks(hash, Layout::V3),
                None => asked.absent.contains(hash).then_some(Lacking::Manifest),
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
                        found.complete(build, Layout::V3);
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
                        found.complete(build, Layout::V3);
                    });
                }
                _ => {}
            }
        }
        absent.iter().for_each(|(lacking, names)| note_absent(report, url, *lacking, names));
    }

    /// Compares the indexes of mirrors on other machines with the names of all their manifests, where the servers list
    /// them, and notes how many builds have no manifest, and how many manifests belong to no build.
    pub fn compare_manifests(&self, gathered: &Gathered, report: &mut Report) {
        for RemoteMirror { url, places, whole } in self.remote_mirrors() {
            let remote = Remote { machine: &self.machine, url, view: None };
            let Some(files) = self.machine.list_whole(&remote.url_of(&format!("{SPECS}/"))) else {
                continue;
            };
            let hash =
                |file: &String| file.strip_suffix(SPEC_ENDING)?.rsplit('-').next()?.parse().ok();
            let there: BTreeSet<Hash> = files.iter().filter_map(hash).collect();
            let listed = gathered.collection.all_at(&places);
            let absent: Vec<String> = listed
                .iter()
                .filter(|(hash, _)| !there.contains(hash))
                .map(|(hash, package)| format!("{package}/{hash}"))
                .collect();
            if !there.is_empty() && !absent.is_empty() {
                note_absent(report, url, Lacking::Manifest, &absent);
            }
            let unlisted = there.iter().filter(|hash| !listed.contains_key(hash)).count();
            // Views alone do not say what the mirror has.
            if unlisted > 0 && whole.is_some() {
                let builds = counted(unlisted, "build is", "builds are");
                report.note_of_kind(
                    "builds are in a mirror but not in its index",
                    format!(
                        "{url}: {builds} in the mirror but not in its index; `spack buildcache update-index` adds what \
                         is missing"
                    ),
                );
            }
        }
    }

    /// Lists the files of the only mirror among the inputs, on another machine, that these builds are installed from;
    /// `None` if the inputs are something else.
    ///
    /// # Errors
    ///
    /// If the mirror cannot be read.
    pub fn carried_from_afar(&self, wanted: &[WantedBuild]) -> Option<io::Result<CarryList>> {
        let mirrors = self.remote_mirrors();
        let [RemoteMirror { url, places, .. }] = &mirrors[..] else { return None };
        if places.len() != self.list.len() || wanted.len() > MOST {
            return None;
        }
        self.machine.fetch(&self.urls(), &self.guarded);
        let asked = AskedMirror::ask(&self.machine, url, wanted);
        let hashes = wanted.iter().map(|build| build.hash).collect();
        Some(carried(&asked, &hashes).map(|mut list| {
            list.unknown
                .push("the keys of the mirror: v3/manifests/key and their blobs".to_owned());
            list
        }))
    }

    /// Returns the mirrors of layout v3 that are on other machines, by URL.
    fn remote_mirrors(&self) -> Vec<RemoteMirror<'_>> {
        let mut mirrors: BTreeMap<&str, RemoteMirror<'_>> = BTreeMap::new();
        for input in &self.list {
            let Input::Database(DatabaseFile {
                location: Location::Url(location),
                place,
                naming: Naming::Own(NameAndUrl { url: Some(url), view, .. }),
                ..
            }) = input
            else {
                continue;
            };
            let path = location.strip_prefix(url.trim_end_matches('/'));
            if !path.is_some_and(|path| path.starts_with("/blobs/")) {
                continue;
            }
            let mirror =
                mirrors.entry(url).or_insert(RemoteMirror { url, places: Vec::new(), whole: None });
            mirror.places.push(place);
            if view.is_none() {
                mirror.whole = Some(place);
            }
        }
        mirrors.into_values().collect()
    }
}
