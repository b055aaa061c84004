//! Opening a user's own database of 100 MB in the page, from choosing its file to the painted answer.
//!
//! The file is chosen in the dialog, read in the worker, kept, and shown after a navigation, as for a user. Each round is a
//! new browser, so nothing is compiled or kept from the round before.

use std::fs::{self, File};
use std::io::BufWriter;

use cache_explorer_harness::{Cache, Release};
use cache_sample::{Sample, write_database};
use tempfile::TempDir;

use crate::figures::Figures;
use crate::{SCRIPT, browser, number};

const ROUNDS: usize = 5;

/// A record has about 1,050 bytes.
const BUILDS: usize = 95_000;

pub(crate) fn measure() {
    let cache = Cache::publish("sample pages", Release::copy());
    let folder = TempDir::new().expect("a temporary folder can be made");
    let path = folder.path().join("index.json");
    let sample = Sample { dependencies: true, ..Sample::new(BUILDS, 1) };
    let file = BufWriter::new(File::create(&path).expect("a file can be made"));
    write_database(file, sample.builds()).expect("a file can be written");
    let megabytes = fs::metadata(&path).expect("a file").len() as f64 / 1e6;

    let goals = [
        ("read", None),
        ("painted", Some("4000")),
        ("longest task while reading", Some("50")),
        ("longest task afterwards", None),
    ];
    let mut values = goals.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        let page = browser();
        page.open(&cache.site.url(""));
        page.ask("await spackCache.ready");
        page.press("Open…");
        page.see_element(&[("dialog", "Open a cache")]);
        page.ask(&format!("{SCRIPT}; watchOpening()"));
        page.choose_files("Choose files", std::slice::from_ref(&path));
        page.see("index.json, opened here");
        let opened = page.ask(&format!("{SCRIPT}; return await opened()"));
        for ((what, _), values) in goals.iter().zip(&mut values) {
            values.push(number(&opened[*what]));
        }
    }
    for ((what, goal), values) in goals.into_iter().zip(values) {
        Figures::new(&format!("{megabytes:.0} MB of database: {what}"), values).print("ms", goal);
    }
}
