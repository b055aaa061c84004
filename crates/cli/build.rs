//! Puts a built site into the command, if the variable `CACHE_EXPLORER_SITE` names its folder; `make dist` sets it.
//!
//! Without a site the archive is empty, so that the command can be compiled and tested by itself.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, HeaderMode};

const SITE: &str = "CACHE_EXPLORER_SITE";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={SITE}");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?).join("site.tar.gz");
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
    let mut out = Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    // The same site makes the same command.
    out.mode(HeaderMode::Deterministic);
    for path in paths.iter().filter(|path| path.is_file()) {
        let name = path.file_name().and_then(|name| name.to_str()).ok_or("a name is not UTF-8")?;
        // The command makes the single file itself.
        if name != "explorer.html" {
            out.append_path_with_name(path, name)?;
        }
    }
    Ok(out.into_inner()?.finish()?)
}
