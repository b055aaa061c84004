//! Packs the pages in `seeds/` into the index that the app carries.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use cache_index::index::{About, PUBLIC_MIRROR_URL, pack};
use cache_ingest::{Collection, read_page};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=seeds");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut collection = Collection::default();
    let mut pages = fs::read_dir(root.join("seeds"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<PathBuf>, std::io::Error>>()?;
    pages.sort();
    for path in pages {
        add(&mut collection, &path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let about = About {
        source: Some("the sample pages".to_owned()),
        // They are pages of the public cache.
        mirror_url: Some(PUBLIC_MIRROR_URL.to_owned()),
        ..About::default()
    };
    let index = pack(about, collection.into_builds())?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("index.json"), index.to_json())?;
    Ok(())
}

fn add(collection: &mut Collection, path: &Path) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let first = |problems: Vec<_>| problems.first().map_or(String::new(), ToString::to_string);
    let page = read_page(&text).into_result().map_err(first)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    collection
        .add(&name, page.builds)
        .map_err(|conflicts| conflicts.first().map_or(String::new(), ToString::to_string))?;
    Ok(())
}
