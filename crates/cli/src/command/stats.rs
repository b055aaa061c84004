//! `stats`: the size of each part of an index, or of each file of a built site, as a visitor downloads it.

use std::fs;
use std::path::PathBuf;

use cache_index::index::Index;
use cache_index::number::counted;
use clap::Args;
use serde_json::Value;

use crate::report::{Failure, Report, print};
use crate::site::{self, When};
use crate::weight::Weight;

/// Show the size of each part of an index or a built site: raw, and compressed with gzip and brotli
///
/// The parts of an index are those of a page, each followed by its fields; the last column is brotli's bytes per build.
/// The parts of a site are its page and the files that the page names: first those that the first answer needs, then
/// those that are loaded later, then those that are loaded on demand. Everything is compressed separately, as a host
/// compresses the files it sends, so brotli is what a visitor downloads.
#[derive(Args)]
pub(crate) struct Stats {
    /// An index made by `index`, or the folder of a built site.
    #[arg(value_name = "INDEX or FOLDER")]
    index: PathBuf,
}

impl Stats {
    pub(crate) fn run(self, _report: &mut Report) -> Result<(), Failure> {
        if self.index.is_dir() {
            return weigh_site(&site::files(&self.index)?);
        }
        let in_file =
            |problem: &dyn std::fmt::Display| format!("{}: {problem}", self.index.display());
        let json = fs::read_to_string(&self.index).map_err(|error| in_file(&error))?;
        if json.trim_start().starts_with('<') {
            return Err(in_file(&"expected an index, or the folder of a site, found a page").into());
        }
        let index = Index::from_json(&json).map_err(|error| in_file(&error))?;
        let builds = index.builds_with_binary().count();
        let rows = index.rows();
        let counts = counted(builds, "build", "builds");
        match index.specs() as usize - builds {
            0 => {
                let rows = counted(rows, "row of builds that agree", "rows of builds that agree");
                print(format_args!("{counts} and {rows}"));
            }
            others => {
                let others = counted(others, "spec without a binary", "specs without a binary");
                let rows = counted(rows, "row of specs that agree", "rows of specs that agree");
                print(format_args!("{counts}, {others}, and {rows}"));
            }
        }
        print(format_args!(
            "{:28}{:>11}{:>11}{:>11}{:>9}",
            "", "bytes", "gzip", "brotli", "a build"
        ));
        let parts = index.to_parts();
        let mut texts = Vec::new();
        for (name, part) in [
            ("columns", Some(parts.columns)),
            ("hashes", parts.hashes),
            ("details", parts.details),
            ("dependencies", parts.dependencies),
            ("changes", parts.changes),
            ("recipes", parts.recipes),
            ("recipe details", parts.recipe_details),
            ("other packages", parts.other_packages),
        ] {
            let Some(part) = part else { continue };
            let document = serde_json::from_str(&part).map_err(|error| in_file(&error))?;
            texts.push((name.to_owned(), part));
            let fields = fields(&document).into_iter();
            texts.extend(fields.map(|(name, field)| (format!("  {name}"), field.to_string())));
        }
        texts.push(("all".to_owned(), json));
        let (names, texts): (Vec<String>, Vec<String>) = texts.into_iter().unzip();
        for (name, weight) in names.iter().zip(Weight::of_each(&texts)?) {
            let Weight { bytes, gzip, brotli } = weight;
            let each = brotli as f64 / builds.max(1) as f64;
            print(format_args!("{name:28}{bytes:>11}{gzip:>11}{brotli:>11}{each:>9.3}"));
        }
        Ok(())
    }
}

/// Returns the fields of a part, with objects that merely group columns replaced by their fields.
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

/// Prints the sizes of the files of a site, and the total that the first answer needs.
fn weigh_site(files: &[site::File]) -> Result<(), Failure> {
    print(format_args!("{:52}{:>11}{:>11}{:>11}", "", "bytes", "gzip", "brotli"));
    let headings = [
        ("before the first answer", When::BeforeTheAnswer),
        ("after it", When::AfterIt),
        ("on demand", When::OnDemand),
    ];
    let weights = Weight::of_each(&files.iter().map(|file| &file.bytes).collect::<Vec<_>>())?;
    for (heading, when) in headings {
        let mut sum = Weight::default();
        let mut rows = Vec::new();
        for (file, &weight) in files.iter().zip(&weights).filter(|(file, _)| file.when == when) {
            sum += weight;
            rows.push((format!("  {}", file.name), weight));
        }
        for (name, weight) in [(heading.to_owned(), sum)].iter().chain(&rows) {
            let Weight { bytes, gzip, brotli } = weight;
            print(format_args!("{name:52}{bytes:>11}{gzip:>11}{brotli:>11}"));
        }
    }
    Ok(())
}
