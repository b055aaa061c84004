//! `stats`: what an index weighs, part by part.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use cache_index::index;
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::inputs::read_text;
use crate::progress::Progress;
use crate::report::{Failed, Report, counted};

/// Show what each part of an index weighs, as it is and compressed
#[derive(Args)]
pub(crate) struct Stats {
    /// An index made by `index`.
    index: PathBuf,
}

/// How much something weighs, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Weight {
    raw: usize,
    gzip: usize,
    brotli: usize,
}

impl Stats {
    pub(crate) fn run(self, _report: &mut Report) -> Result<(), Failed> {
        let label = self.index.display().to_string();
        let in_file = |problem: String| format!("{label}: {problem}");
        let text = read_text(File::open(&self.index), &Progress::over(0)).map_err(in_file)?;
        let index = index::Index::from_json(&text).map_err(|error| in_file(error.to_string()))?;
        let tree: Value =
            serde_json::from_str(&text).map_err(|error| in_file(error.to_string()))?;
        let specs = index.specs() as usize;
        println!("{label}: {}", counted(specs, "spec", "specs"));
        println!();
        println!("{:<24}{:>12}{:>12}{:>12}{:>14}", "", "raw", "gzip", "brotli", "brotli/spec");
        for (name, part) in parts(&tree) {
            print_row(&name, weigh(&part.to_string()), specs);
        }
        print_row("all", weigh(&text), specs);
        Ok(())
    }
}

/// Everything in an index that has a name, objects taken apart once.
fn parts(tree: &Value) -> Vec<(String, &Value)> {
    let mut parts = Vec::new();
    for (name, value) in tree.as_object().into_iter().flatten() {
        match value.as_object() {
            Some(inner) if name != "about" => {
                parts.extend(inner.iter().map(|(field, value)| (format!("{name}.{field}"), value)));
            }
            _ => parts.push((name.clone(), value)),
        }
    }
    parts
}

/// Compressed as hard as a web server's files usually are: once, ahead of time.
fn weigh(text: &str) -> Weight {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let gzip = gzip.write_all(text.as_bytes()).and_then(|()| gzip.finish()).unwrap_or_default();
    let mut brotli = Vec::new();
    {
        let mut encoder = brotli::CompressorWriter::new(&mut brotli, 1 << 16, 11, 24);
        let _ = encoder.write_all(text.as_bytes());
    }
    Weight { raw: text.len(), gzip: gzip.len(), brotli: brotli.len() }
}

fn print_row(name: &str, weight: Weight, specs: usize) {
    let Weight { raw, gzip, brotli } = weight;
    let per_spec = brotli as f64 / specs.max(1) as f64;
    println!("{name:<24}{raw:>12}{gzip:>12}{brotli:>12}{per_spec:>14.3}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_by_their_path() {
        let tree: Value = serde_json::from_str(
            r#"{"format": 1, "about": {"made": "x"}, "rows": {"package": [1], "builds": [2]}}"#,
        )
        .expect("JSON");
        let names: Vec<String> = parts(&tree).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["about", "format", "rows.builds", "rows.package"]);
    }

    #[test]
    fn compressing_what_repeats_makes_it_small() {
        let weight = weigh(&"abc".repeat(1000));
        assert_eq!(weight.raw, 3000);
        assert!(weight.gzip < 100 && weight.brotli < 100, "{weight:?}");
    }
}
