//! Generated caches, and small real ones, each published in a copy of the release.

use std::fs;
use std::path::Path;
use std::process::Command;

use brotli::enc::BrotliEncoderParams;
use cache_index::build::Build;
use cache_index::index::{About, BuildId, Index, pack};
use tempfile::TempDir;

use crate::release::Release;
use crate::site::Site;

/// A cache that is being served.
pub struct Cache {
    /// Its name in comparisons.
    pub name: String,
    /// The release with the cache in it.
    pub site: Site,
    folder: TempDir,
}

impl Cache {
    /// Generates this many builds, with the distributions of a real cache.
    pub fn of(builds: usize) -> Self {
        let folder = Release::copy();
        embed(&generate(&folder, builds), folder.path());
        Self::publish(&format!("{builds} builds"), folder)
    }

    /// Generates builds of one package, each with a different version.
    pub fn of_versions(versions: usize) -> Self {
        Self::changed(versions, |number, build| {
            build.package = "hdf5".to_owned();
            build.version = format!("{}.{}.{}", number / 1000, number / 10 % 100, number % 10);
        })
    }

    /// Generates this many builds, and changes each; the function also receives the number of the build.
    pub fn changed(builds: usize, change: impl Fn(usize, &mut Build)) -> Self {
        let folder = Release::copy();
        let made = generate(&folder, builds);
        let json = fs::read_to_string(&made).expect("the index can be read");
        let index = Index::from_json(&json).expect("what the command writes is an index");
        let builds = (0..index.specs()).filter_map(|number| {
            let mut build = index.build(BuildId(number))?;
            change(number as usize, &mut build);
            Some(build)
        });
        let index = pack(About::default(), builds).expect("builds of different hashes");
        fs::write(&made, index.to_json()).expect("the index can be written");
        embed(&made, folder.path());
        Self::publish(&format!("{} changed builds", index.specs()), folder)
    }

    /// Reads inputs in `tests/data/`, all of them as one stack.
    pub fn of_data(inputs: &[&str]) -> Self {
        Self::published_as(&["--release", "develop", "--stack", "mine"], inputs)
    }

    /// Reads inputs in `tests/data/`, published with these options.
    pub fn published_as(options: &[&str], inputs: &[&str]) -> Self {
        let folder = Release::copy();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
        let paths: Vec<_> =
            inputs.iter().map(|name| data.join(name).display().to_string()).collect();
        let mut arguments = [&["embed"], options].concat();
        arguments.extend(paths.iter().map(String::as_str));
        arguments.push("--into");
        run(&arguments, folder.path());
        Self::publish("real builds", folder)
    }

    /// Generates this many builds with their dependencies; also returns the index, to look up what a test needs.
    pub fn of_dependencies(builds: usize) -> (Self, Index) {
        let folder = Release::copy();
        let made = folder.path().join("made-up.json");
        run(&["generate", "--dependencies", "--builds", &builds.to_string(), "-o"], &made);
        let json = fs::read_to_string(&made).expect("the index can be read");
        let index = Index::from_json(&json).expect("what the command writes is an index");
        embed(&made, folder.path());
        (Self::publish(&format!("{builds} builds with dependencies"), folder), index)
    }

    /// Generates this many builds with the names of real packages, with or without their dependencies.
    pub fn of_real_names(builds: usize, dependencies: bool) -> Self {
        let folder = Release::copy();
        let made = folder.path().join("made-up.json");
        let builds = builds.to_string();
        let mut arguments = vec!["generate", "--looks-real", "--builds", &builds];
        arguments.extend(dependencies.then_some("--dependencies"));
        arguments.push("-o");
        run(&arguments, &made);
        embed(&made, folder.path());
        Self::publish(&format!("{builds} builds of real names"), folder)
    }

    /// Generates this many builds, and adds a page that is made from their index. Everything is compressed in advance.
    pub fn beside(builds: usize, page: &str, make: impl FnOnce(&Index) -> String) -> Self {
        let folder = Release::copy();
        let made = generate(&folder, builds);
        let json = fs::read_to_string(&made).expect("the index can be read");
        let index = Index::from_json(&json).expect("what the command writes is an index");
        fs::write(folder.path().join(page), make(&index)).expect("a page can be written");
        embed(&made, folder.path());
        compress(folder.path());
        Self::publish(&format!("{builds} builds"), folder)
    }

    /// Returns the folder with the files of the site.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Publishes a copy of the release, with an empty page next to it.
    pub fn publish(name: &str, folder: TempDir) -> Self {
        let empty = "<!doctype html><link rel=icon href=data:,><title>Empty</title><p>Empty";
        fs::write(folder.path().join("empty.html"), empty).expect("a page can be written");
        let site = Site::publish(folder.path(), "/");
        Self { name: name.to_owned(), site, folder }
    }
}

/// Generates an index, next to the release.
fn generate(folder: &TempDir, builds: usize) -> std::path::PathBuf {
    let index = folder.path().join("made-up.json");
    run(&["generate", "--builds", &builds.to_string(), "-o"], &index);
    index
}

/// Writes a compressed copy of each file of the site.
fn compress(folder: &Path) {
    let best = BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        let mut bytes = fs::File::open(&path).expect("the file can be read");
        let mut packed = Vec::new();
        brotli::BrotliCompress(&mut bytes, &mut packed, &best).expect("the file can be compressed");
        let mut name = path.into_os_string();
        name.push(".br");
        fs::write(name, packed).expect("a file can be written");
    }
}

fn embed(index: &Path, folder: &Path) {
    run(&["embed", "--into", &folder.display().to_string()], index);
    fs::remove_file(index).expect("the index can be removed");
}

fn run(arguments: &[&str], file: &Path) {
    let output = Command::new(Release::command()).args(arguments).arg(file).output();
    let output = output.expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
