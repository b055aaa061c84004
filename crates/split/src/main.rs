//! Splits the modules of a built site: the app into the code of the first answer and the rest, which is loaded after
//! it; and the reader into the code that every file needs and parts that only some files need, which are loaded when
//! they are missing.
//!
//! `cache-explorer-split SITE LINKED` reads the page in the folder of the built site and the module that the page
//! names, which must still contain the names of its functions; the second folder has the modules as the linker has
//! written them. It replaces this module with two that contain no names, and names both in the page. Their file names
//! contain a digest of both, because modules of different builds must never be combined. The reader's modules have
//! fixed names, like everything that is requested for a build of the site, and the first names the others in a custom
//! section ([`announce`]). Imports from the glue get short names. The program prints the size of the code in each
//! module, by its origin.
//!
//! With `--names` the modules keep their names. This shows in a browser's profile where time goes, and helps to find out why
//! the rest is loaded too early (the page then has a performance mark `rest-at-once`), or a part of the reader is missing:
//! print a stack in `loadRest` in loader.js, or in `loadPart` in reader-worker.js.

mod announce;
mod data;
mod glue;
mod later;
mod links;
mod module;
mod order;
mod places;
mod plan;
mod split;
#[cfg(test)]
mod tests;
mod uses;
mod weigh;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use links::Links;
use module::Module;
use places::{APP, Places, READER};
use split::{Modules, Names};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (folder, linked, names) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..]
    {
        [folder, linked] => (Path::new(folder), Path::new(linked), false),
        ["--names", folder, linked] => (Path::new(folder), Path::new(linked), true),
        _ => {
            eprintln!(
                "usage: cache-explorer-split [--names] SITE LINKED, the folders of a built site and of its linked modules"
            );
            return ExitCode::from(2);
        }
    };
    match split_site(folder, linked, names) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{}: {problem}", folder.display());
            ExitCode::FAILURE
        }
    }
}

/// The first module of the reader, and its glue.
const READER_FILES: [&str; 2] = ["reader_bg.wasm", "reader.js"];

/// The modules as the linker has written them.
const APP_LINKED: &str = "cache-explorer-site.wasm";
const READER_LINKED: &str = "reader.wasm";

fn split_site(folder: &Path, linked: &Path, names: bool) -> Result<(), String> {
    let read = |name: &str| fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    let read_text =
        |name: &str| String::from_utf8(read(name)?).map_err(|error| format!("{name}: {error}"));
    let write = |name: &str, bytes: &[u8]| {
        fs::write(folder.join(name), bytes).map_err(|error| format!("{name}: {error}"))
    };
    let links = |name: &str| {
        let file = linked.join(name);
        let links = fs::read(&file)
            .map_err(|error| error.to_string())
            .and_then(|bytes| Links::read(&bytes));
        links.map_err(|problem| format!("{}: {problem}", file.display()))
    };
    let page = read_text("index.html")?;
    let reference = named(&page, "wasm").filter(|_| !page.contains("data-rest="));
    let reference = reference
        .ok_or("expected a page that names one module, found none, or one that has been split")?;
    let name = reference.trim_start_matches("./");
    let glue = named(&page, "glue").ok_or("expected a page that names its glue, found none")?;
    let glue = glue.trim_start_matches("./");
    let app = split_module(&read(name)?, &read_text(glue)?, &links(APP_LINKED)?, &APP, names)?;
    let [reader_first, reader_glue] = READER_FILES;
    let reader = split_module(
        &read(reader_first)?,
        &read_text(reader_glue)?,
        &links(READER_LINKED)?,
        &READER,
        names,
    )?;
    write(reader_first, &announce::with_parts(reader.modules.first, READER.parts))?;
    for (part, module) in READER.parts.iter().zip(&reader.modules.parts) {
        write(&format!("reader_{}.wasm", part.name), module)?;
    }
    write(reader_glue, reader.glue.as_bytes())?;
    write(glue, app.glue.as_bytes())?;

    let mut hasher = DefaultHasher::new();
    let Modules { first: app_first, parts: app_parts } = &app.modules;
    let [app_rest] = &app_parts[..] else { return Err("expected an app with one part".to_owned()) };
    (app_first, app_rest).hash(&mut hasher);
    let digest = hasher.finish();
    let stem = name
        .split('-')
        .take_while(|part| !part.ends_with("_bg.wasm"))
        .collect::<Vec<_>>()
        .join("-");
    let [first, rest] = ["bg", "rest"].map(|part| format!("{stem}-{digest:016x}_{part}.wasm"));
    write(&first, app_first)?;
    write(&rest, app_rest)?;
    if first != name {
        fs::remove_file(folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    let named = format!("href=\"./{first}\" data-rest=\"./{rest}\"");
    write("index.html", page.replace(&format!("href=\"{reference}\""), &named).as_bytes())
}

/// A module that has been split, and the glue that fits it.
struct Split {
    modules: Modules,
    glue: String,
}

/// Splits a module, and prints the size of its code.
fn split_module(
    bytes: &[u8],
    glue: &str,
    links: &Links,
    places: &Places,
    names: bool,
) -> Result<Split, String> {
    let module = Module::read(bytes)?;
    let unmatched = later::unmatched(&module, places);
    if !unmatched.is_empty() {
        return Err(format!(
            "no function matches these entries of the lists in places/: {}",
            unmatched.join(", ")
        ));
    }
    uses::check_numbers(&module, links)?;
    let later = later::later(&module, places, links);
    weigh::print(&module, &later, places.parts);
    let (names, glue) = match names {
        true => (None, glue.to_owned()),
        false => {
            let (short, glue) = glue::shorten(&module, glue)?;
            (Some(short), glue)
        }
    };
    let names = names.as_ref().map_or(Names::Full, Names::Short);
    let modules = split::split(bytes, &module, &later, places, links, names)?;
    Ok(Split { modules, glue })
}

/// Returns the address of the file that a page names in the element with this id.
fn named<'p>(page: &'p str, id: &str) -> Option<&'p str> {
    let (_, after) = page.split_once(&format!("id=\"{id}\""))?;
    let link = after.split('>').next()?;
    let (_, address) = link.split_once("href=\"")?;
    address.split('"').next()
}
