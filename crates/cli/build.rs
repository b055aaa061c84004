//! Puts a built site into the command, if the variable `CACHE_EXPLORER_SITE` names its folder; `make dist` sets it.
//!
//! The archive is gzip of `name length`, a line end and the bytes, for each file. Without a site it is empty, so that
//! the command can be compiled and tested by itself.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

const SITE: &str = "CACHE_EXPLORER_SITE";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={SITE}");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?).join("site.gz");
    let archive = match env::var_os(SITE) {
        Some(folder) if !folder.is_empty() => archive(Path::new(&folder))?,
        _ => Vec::new(),
    };
    Ok(fs::write(out, archive)?)
}

fn archive(folder: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut paths = fs::read_dir(folder)
        .map_err(|error| format!("{SITE}: {}: {error}", folder.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<PathBuf>, std::io::Error>>()?;
    paths.sort();
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    for path in paths.iter().filter(|path| path.is_file()) {
        let name = path.file_name().and_then(|name| name.to_str()).ok_or("a name is not UTF-8")?;
        // The command makes the single file itself.
        if name != "explorer.html" {
            let bytes = fs::read(path)?;
            writeln!(out, "{name} {}", bytes.len())?;
            out.write_all(&bytes)?;
        }
    }
    Ok(out.finish()?)
}
