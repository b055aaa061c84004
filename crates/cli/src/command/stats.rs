//! `stats`: what each part of an index weighs, and so what a visitor downloads for it.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use cache_index::index::{Index, Parts};
use cache_index::number::counted;
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::report::{Failed, Report, tell};

/// Say what each part of an index weighs: as it is, and compressed with gzip and brotli
///
/// The parts are those that a page has, each followed by its fields. Everything is compressed by
/// itself, so that it can be compared; together it weighs less. A host compresses a page as it sends
/// it, so brotli is what a visitor downloads. The last column is brotli's bytes a build.
#[derive(Args)]
pub(crate) struct Stats {
    /// An index, as `index` has made it.
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

impl Stats {
    pub(crate) fn run(self, _report: &mut Report) -> Result<(), Failed> {
        let in_file =
            |problem: &dyn std::fmt::Display| format!("{}: {problem}", self.index.display());
        let json = fs::read_to_string(&self.index).map_err(|error| in_file(&error))?;
        let index = Index::from_json(&json).map_err(|error| in_file(&error))?;
        let specs = index.specs() as usize;
        tell(format_args!(
            "{} and {}",
            counted(specs, "build", "builds"),
            counted(index.rows(), "row of builds that agree", "rows of builds that agree"),
        ));
        tell(format_args!(
            "{:28}{:>11}{:>11}{:>11}{:>9}",
            "", "bytes", "gzip", "brotli", "a build"
        ));
        let Parts { columns, hashes, details, dependencies } = index.to_parts();
        for (name, part) in [
            ("columns", Some(columns)),
            ("hashes", hashes),
            ("details", details),
            ("dependencies", dependencies),
        ] {
            let Some(part) = part else { continue };
            print_weight(name, &part, specs)?;
            let document = serde_json::from_str(&part).map_err(|error| in_file(&error))?;
            for (name, field) in fields(&document) {
                print_weight(&format!("  {name}"), &field.to_string(), specs)?;
            }
        }
        print_weight("all", &json, specs)?;
        Ok(())
    }
}

/// The fields of a part, with those of the objects that only gather columns one by one.
fn fields(part: &Value) -> Vec<(String, &Value)> {
    let fields = part.as_object().into_iter().flatten();
    fields
        .flat_map(|(name, value)| match value {
            Value::Object(inner) if name != "about" => inner
                .iter()
                .map(|(inner_name, value)| (format!("{name}.{inner_name}"), value))
                .collect(),
            _ => vec![(name.clone(), value)],
        })
        .collect()
}

fn print_weight(name: &str, text: &str, specs: usize) -> io::Result<()> {
    let brotli = brotli(text)?;
    tell(format_args!(
        "{name:28}{:>11}{:>11}{brotli:>11}{:>9.3}",
        text.len(),
        gzip(text)?,
        brotli as f64 / specs.max(1) as f64,
    ));
    Ok(())
}

fn gzip(text: &str) -> io::Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes())?;
    Ok(encoder.finish()?.len())
}

fn brotli(text: &str) -> io::Result<usize> {
    let mut out = Vec::new();
    // As static hosts do it once and for all: the best quality, and the largest window of the web.
    let best = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 24, ..Default::default() };
    brotli::BrotliCompress(&mut text.as_bytes(), &mut out, &best)?;
    Ok(out.len())
}
