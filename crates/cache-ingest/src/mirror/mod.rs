//! A mirror as Spack lays it out in a folder: its databases, and what else it says about its binaries.
//!
//! | layout | database | sizes |
//! | --- | --- | --- |
//! | v2, up to Spack 0.23 | `build_cache/index.json`, its sha256 in `build_cache/index.json.hash` | nowhere |
//! | v3, Spack 1.x | a blob, named by `v3/manifests/index/index.manifest.json` | in a manifest for each build |
//!
//! A v3 mirror may have views, each with an index of a part of the mirror, at
//! `v3/manifests/index/<view>/index.manifest.json`. It may even have nothing else. A mirror may have both layouts at
//! once. [`find_databases`] finds all of them, and a [`Collection`](super::Collection) merges their contents.
//!
//! A database lists what was in the mirror when it was made. A build is installed from its files: its spec and its
//! archive, or its manifest and the blobs that the manifest names. A build that lacks one of these [is not
//! there](Mirror::lacks), and one that has them all is there, whether the database offers it or not. But mirrors are
//! also copied without these files, so nothing follows if a mirror has no files of a kind at all.
//!
//! The stated digests and lengths of databases are checked when they are read. Specs are checked on request
//! ([`check_spec`]). Binaries are checked only when they are looked into: they are large, and Spack checks them when it
//! installs one.

mod belonging;
#[cfg(feature = "binary")]
mod binaries;
mod carry;
mod manifest;
mod signature;
mod specs;
#[cfg(test)]
mod tests;
mod v3;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read as _};

pub use self::belonging::build_of;
pub(crate) use self::belonging::read_builds;
#[cfg(feature = "binary")]
pub use self::binaries::{BinaryFile, BinaryFiles, binaries, binary_in_registry, binary_of};
pub use self::carry::carried;
pub use self::manifest::{Blob, read_manifest};
pub use self::signature::split as split_signed;
pub(crate) use self::signature::{MESSAGE as SIGNED, without_signature};
pub use self::specs::{SpecState, check_spec, spec_manifests};
pub use self::v3::check_other_databases;
pub(crate) use self::v3::{INDEX_NAME, INDEXES, LAYOUT, MANIFESTS, blob_path};
use super::database::{Builds, Database, read_stated_database};
use super::digest::{Fingerprint, Sha256Text};
pub use super::files::{Amount, Files, address_of};
use super::problem::{Finding, Notes, Novelty, Position, Problem, Record, quote};
use super::read::Read;
use cache_index::build::{BinaryDigest, Build, Hash, Place, Places, Signature};
use cache_index::file_names::in_file_name;

/// What a mirror contains, apart from the contents of its databases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mirror {
    /// The database of the whole mirror first, if there is one, then those of views by name.
    pub databases: Vec<DatabaseInMirror>,
    /// What the manifests of builds say, if there are any.
    pub binaries: BTreeMap<Hash, Binary>,
    /// Builds whose manifest cannot be used, so that they cannot be installed.
    pub damaged: BTreeSet<Hash>,
    /// Builds that lack a file that others have.
    pub incomplete: BTreeSet<Hash>,
    /// The binaries that are there, as far as that is known without fetching them.
    pub present: Amount,
    /// The layouts in which the mirror describes its builds one by one.
    layouts: BTreeSet<Layout>,
}

/// The note on mirrors without any binary: they were copied without binaries, or have lost them all.
pub const WITHOUT_BINARIES: &str = "none of the binaries is here; mirrors are also copied without them, so their builds count \
     as being in the cache";

/// The layout of a mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layout {
    /// That of Spack up to 0.23.
    V2,
    /// That of Spack 1.x.
    V3,
    /// Images in a repository of a registry.
    Images,
}

/// A file without which a build is not in a mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingFile {
    /// The spec of a v2 mirror.
    Spec,
    /// The manifest of a v3 mirror.
    Manifest,
    /// The image in a repository.
    Image,
    /// The archive of a v2 mirror, or what a manifest names.
    Contents,
}

impl Layout {
    /// Returns the file that is missing if nothing in a mirror describes a build.
    pub(crate) fn missing_file(self) -> MissingFile {
        match self {
            Layout::V2 => MissingFile::Spec,
            Layout::V3 => MissingFile::Manifest,
            Layout::Images => MissingFile::Image,
        }
    }
}

impl MissingFile {
    /// Returns the end of a message that begins with the number of such builds: `1 build of the index is …`.
    pub(crate) fn words(self) -> &'static str {
        match self {
            MissingFile::Spec => "without a spec in the mirror",
            MissingFile::Manifest => "without a manifest in the mirror",
            MissingFile::Image => "without an image in the repository",
            MissingFile::Contents => "without a binary or a spec in the mirror",
        }
    }
}

/// A database listed in a mirror.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseInMirror {
    /// The file that names it, which says more to a user than its own name.
    pub file: String,
    /// Its path.
    pub path: String,
    /// Its stated digest and length, if any.
    pub stated: Option<Fingerprint>,
    /// The view that it describes; `None` for the whole mirror.
    pub view: Option<String>,
    /// The layout that it belongs to.
    pub layout: Layout,
}

/// A binary in a mirror.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binary {
    /// The size in bytes, if the manifest states it.
    pub size: Option<u64>,
    /// Its digest, if a manifest states it.
    pub digest: Option<BinaryDigest>,
    /// The signature of its manifest, or of its spec in a v2 mirror.
    pub signature: Option<Signature>,
}

/// The folder with all files of a v2 mirror.
pub(crate) const V2_FOLDER: &str = "build_cache";

/// The ends of the names of specs in a v2 mirror.
const V2_SPEC: &str = ".spec.json";
const V2_SIGNED: &str = ".spec.json.sig";

/// The end of the names of archives in a v2 mirror.
pub(crate) const V2_ARCHIVE: &str = ".spack";

/// The names that Spack gives to the files of a build in a v2 mirror.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct V2Names {
    /// The path of its spec: signed, and not.
    pub(crate) specs: [String; 2],
    /// The path of its archive.
    pub(crate) archive: String,
}

impl V2Names {
    pub(crate) fn of(build: &Build) -> V2Names {
        let Build { hash, package, version, platform, os, target, .. } = build;
        let arch = format!("{platform}-{os}-{target}");
        let compiler = build.compiler.as_deref().unwrap_or_default().replacen('@', "-", 1);
        let version = in_file_name(version);
        let name = format!("{arch}-{compiler}-{package}-{version}-{hash}");
        let folder = format!("{V2_FOLDER}/{arch}/{compiler}/{package}-{version}");
        V2Names {
            specs: [V2_SIGNED, V2_SPEC].map(|ending| format!("{V2_FOLDER}/{name}{ending}")),
            archive: format!("{folder}/{name}{V2_ARCHIVE}"),
        }
    }
}

/// The database of a v2 mirror.
pub(crate) const V2_INDEX: &str = "build_cache/index.json";

/// The file with the sha256 of that database.
pub(crate) const V2_DIGEST: &str = "build_cache/index.json.hash";

/// Returns `true` if there is a mirror, in any layout.
pub fn is_mirror(files: &dyn Files) -> io::Result<bool> {
    for path in [V2_INDEX, v3::LAYOUT] {
        if files.open(path)?.is_some() {
            return Ok(true);
        }
    }
    // Without its index it still is a mirror, and reading it reports what is missing.
    Ok(!files.list(v3::MANIFESTS)?.is_empty() || !files.list(V2_FOLDER)?.is_empty())
}

/// Finds the databases of a mirror: all of them, or only that of one view.
pub fn find_databases(files: &dyn Files, view: Option<&str>) -> Read<Mirror> {
    let mut findings = Findings::default();
    let mut mirror = Mirror::default();
    let outcome = match view {
        Some(_) => Ok(()),
        None => find_v2(files, &mut mirror, &mut findings),
    }
    .and_then(|()| v3::find(files, view, &mut mirror, &mut findings));
    if let Err(error) = outcome {
        findings.report("", Finding::Unreadable { message: error.to_string() });
    }
    if mirror.databases.is_empty() && findings.problems.is_empty() {
        let views = || v3::views(files).unwrap_or_default();
        findings.report(
            "",
            match view {
                Some(view) => Finding::NoView { view: quote(view), found: views() },
                None => Finding::NoIndex,
            },
        );
    }
    let Findings { problems, notes } = findings;
    let value = (!mirror.databases.is_empty()).then_some(mirror);
    Read { value, problems, notes }
}

/// Reads the manifests or specs of the builds that a mirror lists, but not its databases.
pub(crate) fn find_listed(files: &dyn Files) -> Read<Mirror> {
    let mut findings = Findings::default();
    let mut mirror = Mirror::default();
    let outcome = find_v2_binaries(files, &mut mirror)
        .and_then(|()| v3::find_binaries(files, &mut mirror, &mut findings));
    if let Err(error) = outcome {
        findings.report("", Finding::Unreadable { message: error.to_string() });
    }
    let Findings { problems, notes } = findings;
    Read { value: Some(mirror), problems, notes }
}

fn find_v2(files: &dyn Files, mirror: &mut Mirror, findings: &mut Findings) -> io::Result<()> {
    if files.open(V2_INDEX)?.is_none() {
        return Ok(());
    }
    let mut stated = None;
    if let Some(mut file) = files.open(V2_DIGEST)? {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        stated = Sha256Text::new(text.trim()).map(|digest| Fingerprint { digest, length: None });
        if stated.is_none() {
            findings.report(V2_DIGEST, Finding::BadDigest { found: quote(text.trim()) });
        }
    }
    let (file, path) = (V2_INDEX.to_owned(), V2_INDEX.to_owned());
    mirror.databases.push(DatabaseInMirror { file, path, stated, view: None, layout: Layout::V2 });
    find_v2_binaries(files, mirror)
}

/// Reads which specs of a v2 mirror are signed, and which have an archive.
fn find_v2_binaries(files: &dyn Files, mirror: &mut Mirror) -> io::Result<()> {
    let paths = files.list(V2_FOLDER)?;
    let mut archives = BTreeSet::new();
    for path in &paths {
        if let Some(hash) = path.strip_suffix(V2_ARCHIVE).and_then(hash_in) {
            archives.insert(hash);
            mirror.present.add(files.length(path).unwrap_or_default());
        }
    }
    for (hash, file, is_signed) in v2_specs(paths) {
        mirror.layouts.insert(Layout::V2);
        if !archives.is_empty() && !archives.contains(&hash) {
            mirror.incomplete.insert(hash);
        }
        let binary = mirror.binaries.entry(hash).or_default();
        if is_signed && let Some(mut input) = files.open(&file)? {
            let mut bytes = Vec::new();
            input.read_to_end(&mut bytes)?;
            binary.signature = Some(signature::signature(&String::from_utf8_lossy(&bytes)));
        } else {
            binary.signature.get_or_insert(Signature::Unsigned);
        }
    }
    Ok(())
}

/// Lists the specs of a v2 mirror. The names of signed ones end with `.sig`; such a file contains the spec.
pub(crate) fn v2_specs(files: Vec<String>) -> impl Iterator<Item = (Hash, String, bool)> {
    let spec = |file: String| {
        let signed = file.strip_suffix(V2_SIGNED);
        let stem = signed.or_else(|| file.strip_suffix(V2_SPEC))?;
        let hash = hash_in(stem)?;
        let is_signed = signed.is_some();
        Some((hash, file, is_signed))
    };
    files.into_iter().filter_map(spec)
}

/// Returns the hash at the end of the stem of a file's name.
pub(crate) fn hash_in(stem: &str) -> Option<Hash> {
    stem.rsplit('-').next()?.parse().ok()
}

/// Lists the files of a mirror that are signed if its builds are, each with its build: the manifests of builds, and in
/// the v2 layout their specs.
pub fn signable_files(files: &dyn Files) -> io::Result<Vec<(Hash, String)>> {
    let mut signable = spec_manifests(files)?;
    let specs: Vec<_> = v2_specs(files.list(V2_FOLDER)?).collect();
    let signed: BTreeSet<Hash> =
        specs.iter().filter(|(_, _, is_signed)| *is_signed).map(|(hash, ..)| *hash).collect();
    let counts = |(hash, _, is_signed): &(Hash, String, bool)| *is_signed || !signed.contains(hash);
    signable.extend(specs.into_iter().filter(counts).map(|(hash, file, _)| (hash, file)));
    Ok(signable)
}

impl Mirror {
    /// Returns the mirror that consists of the images of these builds.
    pub(crate) fn of_images(builds: impl IntoIterator<Item = Hash>) -> Mirror {
        let binaries = builds.into_iter().map(|hash| (hash, Binary::default())).collect();
        Mirror { binaries, layouts: BTreeSet::from([Layout::Images]), ..Mirror::default() }
    }

    /// Returns the file without which a build of a database is not in the mirror; `None` if the build is there, or the
    /// mirror does not say.
    pub fn lacks(&self, hash: &Hash, layout: Layout) -> Option<MissingFile> {
        match self.binaries.contains_key(hash) {
            true => self.incomplete.contains(hash).then_some(MissingFile::Contents),
            false if !self.layouts.contains(&layout) || self.damaged.contains(hash) => None,
            false => Some(layout.missing_file()),
        }
    }

    /// Adds to a build what the mirror says about its binary. Returns `false` for a build that cannot be installed.
    pub fn complete(&self, build: &mut Build, layout: Layout) -> bool {
        if build.has_binary() && self.lacks(&build.hash, layout).is_some() {
            build.places = Places::default();
        }
        if build.has_binary()
            && let Some(binary) = self.binaries.get(&build.hash)
        {
            build.size = binary.size;
            build.digest = binary.digest;
            build.signature = binary.signature.clone();
        }
        !(build.has_binary() && self.damaged.contains(&build.hash))
    }

    /// Does the same as [`complete`](Mirror::complete) to all builds of a database, and leaves out those that cannot be
    /// installed. Returns the builds that are not there, by the file that they lack.
    pub(crate) fn complete_all(
        &self,
        builds: &mut Builds,
        layout: Layout,
    ) -> BTreeMap<MissingFile, Vec<String>> {
        let mut absent: BTreeMap<MissingFile, Vec<String>> = BTreeMap::new();
        let Builds { packers, order, has_leftovers } = builds;
        order.retain(|it| {
            let builds = &mut packers[it.thread];
            if builds.places(it.build).is_empty() {
                return true;
            }
            let hash = builds.hash(it.build);
            if let Some(lacking) = self.lacks(&hash, layout) {
                let name = format!("{}/{hash}", builds.package(it.build));
                absent.entry(lacking).or_default().push(name);
                let build = Build { places: Places::default(), ..builds.build(it.build) };
                builds.replace(it.build, &build);
                *has_leftovers = true;
                return true;
            }
            if let Some(binary) = self.binaries.get(&hash) {
                builds.set_binary(it.build, binary.size, binary.digest, binary.signature.as_ref());
            }
            !self.damaged.contains(&hash)
        });
        absent
    }
}

/// A database of a mirror, with its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The database.
    pub listed: DatabaseInMirror,
    /// Its contents, combined with what the mirror says about its binaries.
    pub database: Database,
}

/// Reads all databases of a mirror. Each view becomes a stack with its name.
pub fn read_mirror(files: &dyn Files, place: &Place) -> Read<Vec<Part>> {
    let Read { value, mut problems, mut notes } = find_databases(files, None);
    let mut parts = Vec::new();
    for listed in value.iter().flat_map(|mirror| &mirror.databases) {
        let stack = listed.view.as_ref().unwrap_or(&place.stack).clone();
        let place = Place { stack, ..place.clone() };
        let database = match files.open(&listed.path) {
            Ok(Some(input)) => read_stated_database(input, &place, listed.stated.as_ref()),
            Ok(None) => continue,
            Err(error) => {
                let finding = Finding::Unreadable { message: error.to_string() };
                problems.push(Problem { at: in_file(&listed.file), finding });
                continue;
            }
        };
        problems.extend(database.problems.into_iter().map(|problem| problem.in_file(&listed.file)));
        notes.extend(database.notes);
        if let (Some(mut database), Some(mirror)) = (database.value, &value) {
            database.builds.retain_mut(|build| mirror.complete(build, listed.layout));
            parts.push(Part { listed: listed.clone(), database });
        }
    }
    Read { value: value.map(|_| parts), problems, notes }
}

fn in_file(file: &str) -> Position {
    Position { file: file.to_owned(), ..Position::default() }
}

/// The problems and notes of a mirror so far.
#[derive(Default)]
struct Findings {
    problems: Vec<Problem>,
    notes: Notes,
}

impl Findings {
    /// Reports what is wrong with a file as a whole.
    fn report(&mut self, file: &str, finding: Finding) {
        self.problems.push(Problem { at: in_file(file), finding });
    }

    fn note(&mut self, file: &str, novelty: Novelty) {
        self.notes.add(novelty, in_file(file));
    }

    /// Adds what was found in a file, which may concern a single build, and returns the value.
    fn take<T>(&mut self, file: &str, build: Option<Hash>, read: Read<T>) -> Option<T> {
        let record = build.map(|hash| Record { number: 0, hash: hash.to_string() });
        for Problem { at, finding } in read.problems {
            let at = Position { file: file.to_owned(), record: record.clone(), ..at };
            self.problems.push(Problem { at, finding });
        }
        self.notes.extend(read.notes);
        read.value
    }
}
