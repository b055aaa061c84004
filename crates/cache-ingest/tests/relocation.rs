//! Builds can be moved into exactly those install trees into which Spack could install them.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use cache_advice::Binaries;
use cache_advice::relocation::{Destination, Obstacle, Relocation, Relocations};
use cache_index::build::{Hash, Place};
use cache_index::facts::{Facts, Object};
use cache_index::index::{About, BuildId, FactsByBuild, Index, pack};
use cache_ingest::binary::read_binary;
use cache_ingest::inputs::{Folder, FolderEntryKind, Machine};
use cache_ingest::mirror::{binaries, read_mirror};
use serde_json::Value;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/binaries")
}

/// The files of this machine, one after the other.
struct Disk;

impl Machine for Disk {
    type File = File;

    fn entry_kind(&self, path: &Path) -> FolderEntryKind {
        match path.metadata() {
            Ok(found) if found.is_dir() => FolderEntryKind::Folder,
            Ok(_) => FolderEntryKind::File,
            Err(_) => FolderEntryKind::Nothing,
        }
    }

    fn length(&self, _: &Path) -> u64 {
        0
    }

    fn open(&self, path: &Path) -> std::io::Result<File> {
        File::open(path)
    }

    fn walk(
        &self,
        folder: &Path,
        visit: &mut dyn FnMut(std::io::Result<cache_ingest::inputs::FolderEntry>) -> bool,
    ) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let kind = self.entry_kind(&path);
            let entry = cache_ingest::inputs::FolderEntry { path: path.clone(), depth: 1, kind };
            if visit(Ok(entry)) && kind == FolderEntryKind::Folder {
                self.walk(&path, visit);
            }
        }
    }

    fn fetch(&self, _: &[String], _: &std::collections::BTreeSet<String>) {}

    fn open_url(&self, _: &str) -> std::io::Result<File> {
        Err(std::io::Error::other("there is no network"))
    }

    fn begin(&self, _: u64) {}
    fn reading(&self, _: &str) {}
    fn have_read(&self, _: usize) {}
    fn end(&self) {}
}

/// A mirror, and what is in its binaries.
struct Inspected {
    index: Index,
    facts: HashMap<Hash, Facts>,
}

fn inspect(mirror: &str) -> Inspected {
    let root = data().join(mirror);
    let folder = Folder { machine: &Disk, root: &root };
    let parts = read_mirror(&folder, &Place::whole_release("x")).value.expect("a mirror");
    let builds = parts.into_iter().flat_map(|part| part.database.builds);
    let index = pack(About::default(), builds).expect("an index");
    let mut facts = HashMap::new();
    for binary in binaries(&folder).expect("a mirror").found {
        // The test data leaves out the tarball of gcc-runtime.
        let Ok(file) = File::open(root.join(&binary.path)) else { continue };
        let read = read_binary(file, binary.stated.as_ref()).expect("a binary");
        facts.insert(binary.hash, read.facts);
    }
    // The libraries of gcc-runtime contain no path of the install tree: they are copied from the compiler.
    let is_runtime = |hash: &Hash| !facts.contains_key(hash);
    // Without its tarball, the mirror does not have it, but Spack installed from one that does.
    let all = (0..index.specs()).filter_map(|id| index.hash(BuildId(id)));
    let runtimes: Vec<Hash> = all.filter(is_runtime).collect();
    for hash in runtimes {
        let of_another = facts.values().find(|facts| facts.relocation.prefixes.contains_key(&hash));
        let Some(of_another) = of_another else { continue };
        let mut relocation = of_another.relocation.clone();
        relocation.binaries = vec!["lib/libstdc++.so.6.0.30".to_owned()];
        let object = Object { path: relocation.binaries[0].clone(), ..Object::default() };
        facts.insert(hash, Facts { objects: vec![object], relocation, ..Facts::default() });
    }
    Inspected { index, facts }
}

/// Returns the facts of the same build, made in another install tree.
fn made_in(facts: &Facts, root: &str) -> Facts {
    let mut facts = facts.clone();
    let old = std::mem::replace(&mut facts.relocation.root, root.to_owned());
    for prefix in facts.relocation.prefixes.values_mut() {
        *prefix = prefix.replace(&old, root);
    }
    for object in &mut facts.objects {
        object.rpath = object.rpath.as_ref().map(|rpath| rpath.replace(&old, root));
    }
    facts
}

fn kind(obstacle: &Obstacle) -> &'static str {
    match obstacle {
        Obstacle::RootTooLong { .. } => "sbang",
        Obstacle::CannotGrow { .. } | Obstacle::NoRoom { .. } => "grow",
        Obstacle::CannotShrink { .. } | Obstacle::EndsDiffer { .. } => "shrink",
        Obstacle::Dependency { obstacle, .. } => kind(obstacle),
        other => panic!("{other}"),
    }
}

#[test]
fn moves_builds_where_spack_could_install_them() {
    let text = fs::read_to_string(data().join("installs.json")).expect("recorded data");
    let runs: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let [padded, earlier] = ["v3-pad128", "v2-plain"].map(inspect);
    let plain =
        |(hash, facts): (&Hash, &Facts)| (*hash, made_in(facts, "/opt/lab/store-of-24-abc"));
    let plain: HashMap<Hash, Facts> = padded.facts.iter().map(plain).collect();
    let mut compared = 0;
    for run in &runs {
        let name = run["run"].as_str().expect("a name");
        let (index, facts) = match run["mirror"].as_str() {
            Some("v3-pad128") => (&padded.index, &padded.facts),
            Some("v3-plain") => (&padded.index, &plain),
            Some("v2-plain") => (&earlier.index, &earlier.facts),
            other => panic!("{other:?}"),
        };
        let patchelf = run["patchelf"].as_bool();
        let to = Destination::new(run["new_root"].as_str().expect("a root"));
        let to = Destination { patchelf, ..to };
        let facts_of = |hash: Hash| facts.get(&hash);
        let moved = Relocations::new(index, Binaries::Inspected(&facts_of), &to);
        let mut published = index.clone();
        published.add_facts(&facts_of).expect("the first");
        let texts = published.facts().expect("what was just added");
        let rooms = FactsByBuild::read(&texts.by_build, index).expect("what was just written");
        let in_page = Relocations::new(index, Binaries::InIndex(&rooms), &to);
        for recorded in run["builds"].as_array().expect("a list") {
            let hash: Hash = recorded["hash"].as_str().expect("a hash").parse().expect("a hash");
            let build = index.find(hash).expect("a build");
            let of = format!("{name}: {} {hash}", recorded["name"]);
            for outcome in [moved.of(build), in_page.of(build)] {
                match outcome {
                    Relocation::Yes { .. } => assert_eq!(recorded["installed"], true, "{of}"),
                    Relocation::No(obstacle) => {
                        assert_eq!(recorded["error"], kind(&obstacle), "{of}: {obstacle}");
                    }
                    Relocation::Unknown(obstacle) => panic!("{of}: {obstacle}"),
                }
            }
            match (recorded["alone"].as_str(), moved.alone(build)) {
                (None, _) | (Some("relocated"), Relocation::Yes { .. }) => {}
                (Some(error), Relocation::No(obstacle)) => {
                    let expected = match error {
                        "CannotGrowString" => "grow",
                        "SbangPathError" => "sbang",
                        other => panic!("{other}"),
                    };
                    assert_eq!(kind(&obstacle), expected, "{of}");
                }
                (Some(error), outcome) => panic!("{of}: {error}, {outcome:?}"),
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 198);
}
