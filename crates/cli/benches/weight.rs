//! What a visitor downloads for a cache, part by part: raw, gzip, brotli, and bytes per build.
//!
//! The cache has today's size of cache.spack.io (145,000 generated builds with dependencies), or consists of the given
//! inputs: `cargo bench --bench weight -- --release develop --stack root index.json` takes the same arguments as
//! `cache-explorer index`. Nothing is timed; the figures are the same on every machine.

use std::env;
use std::process::Command;

use tempfile::TempDir;

fn main() {
    let given = env::args().skip(1).filter(|argument| argument != "--bench");
    let given: Vec<String> = given.collect();
    let folder = TempDir::new().expect("a temporary folder can be made");
    let index = folder.path().join("index.json").display().to_string();
    if given.is_empty() {
        call(&["generate", "--builds", "145000", "--dependencies", "-o", &index]);
    } else {
        let mut arguments = vec!["index", "-o", &index];
        arguments.extend(given.iter().map(String::as_str));
        call(&arguments);
    }
    call(&["stats", &index]);
}

fn call(arguments: &[&str]) {
    let status = Command::new(env!("CARGO_BIN_EXE_cache-explorer")).args(arguments).status();
    assert!(status.expect("the command runs").success(), "{arguments:?}");
}
