//! `search`: which builds satisfy a spec, for people, programs, and thousands of specs at once.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;

use cache_index::build::Build;
use cache_index::index::{BuildId, Index};
use cache_index::query::{Query, run_with};
use cache_index::search;
use clap::{ArgGroup, Args};
use serde_json::{Value, json};

use super::index::{Publication, packed};
use crate::inputs::{Input, Reading, gather, read_text};
use crate::progress::Progress;
use crate::report::{Failed, Report, counted};

/// Find the builds that satisfy a spec, as `spack find` would
///
/// A cache that Spack 1.x wrote is asked in the language of Spack 1.x, an older one in the older.
#[derive(Args)]
#[command(group = ArgGroup::new("specs").required(true))]
pub(crate) struct Search {
    /// A spec, such as `hdf5@1.14: +mpi %gcc@13`.
    #[arg(group = "specs")]
    spec: Option<String>,

    /// Where to search: an index made by `index`, or anything that `index` takes. May be repeated.
    #[arg(long, required = true, value_name = "INPUT")]
    from: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    /// Print an array of builds.
    #[arg(long)]
    json: bool,

    /// Read a spec from each line of the standard input, and print a line of JSON for each.
    ///
    /// It has `query` and either `hashes`, or `error` and its `position` in bytes; and `missing`
    /// where builds may be meant that the data does not say enough about.
    #[arg(long, group = "specs", conflicts_with = "json")]
    stdin: bool,
}

/// What a spec finds.
struct Hits {
    builds: Vec<BuildId>,
    /// Why builds that may be meant are not among them.
    missing: Option<String>,
}

impl Search {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failed> {
        let index = self.index(report)?;
        let Some(spec) = &self.spec else { return answer_lines(&index) };
        let found = search::Search::parse(&index, spec).map_err(|error| error.in_text(spec))?;
        let hits = Hits::of(&found, &index);
        let builds = hits.builds.iter().filter_map(|&id| index.build(id));
        let mut out = io::stdout().lock();
        if self.json {
            let builds: Vec<Value> = builds.map(|build| as_json(&build)).collect();
            writeln!(out, "{}", Value::from(builds))?;
        } else {
            write_table(&mut out, &builds.map(|build| as_row(&build)).collect::<Vec<_>>())?;
            report.note(&counted(hits.builds.len(), "build", "builds"));
        }
        if let Some(missing) = hits.missing {
            report.note(&format!("there may be more, but {missing}"));
        }
        Ok(())
    }

    fn index(&self, report: &mut Report) -> Result<Index, Failed> {
        let found = self.reading.find(&self.from, report);
        if let [Input::Index(path)] = &found.inputs[..]
            && !report.has_problems()
        {
            let in_file = |problem: String| format!("{}: {problem}", path.display());
            let json =
                read_text(File::open(path), &Progress::over(found.bytes)).map_err(in_file)?;
            return Ok(Index::from_json(&json).map_err(|error| in_file(error.to_string()))?);
        }
        Ok(packed(gather(found, report)?, Publication::default())?.0)
    }
}

impl Hits {
    fn of(search: &search::Search, index: &Index) -> Hits {
        let answer = run_with(index, &Query::default(), Arc::new(search.select(index)));
        Hits {
            builds: answer.matching_builds(index).collect(),
            missing: answer.missing().map(|missing| missing.to_string()),
        }
    }
}

/// Answers each line of the standard input as soon as it is there.
fn answer_lines(index: &Index) -> Result<(), Failed> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        let text = String::from_utf8_lossy(&line);
        writeln!(out, "{}", answer_line(index, text.trim_end_matches('\r')))?;
        out.flush()?;
    }
    Ok(())
}

fn answer_line(index: &Index, query: &str) -> Value {
    let found = match search::Search::parse(index, query) {
        Ok(found) => found,
        Err(error) => {
            let position = error.span.start;
            return json!({"query": query, "error": error.to_string(), "position": position});
        }
    };
    let hits = Hits::of(&found, index);
    let hashes = hits.builds.iter().filter_map(|&id| index.hash(id));
    let hashes: Vec<String> = hashes.map(|hash| hash.to_string()).collect();
    match hits.missing {
        None => json!({"query": query, "hashes": hashes}),
        Some(missing) => json!({"query": query, "hashes": hashes, "missing": missing}),
    }
}

fn as_json(build: &Build) -> Value {
    let places = build.places.iter();
    let places = places.map(|place| json!({"release": place.release, "stack": place.stack}));
    let variants = build.variants.iter().map(ToString::to_string);
    json!({
        "hash": build.hash.to_string(),
        "package": build.package,
        "namespace": build.namespace,
        "version": build.version,
        "platform": build.platform,
        "os": build.os,
        "target": build.target,
        "compiler": build.compiler,
        "variants": variants.collect::<Vec<_>>(),
        "places": places.collect::<Vec<_>>(),
    })
}

/// The cells of a table, the most telling first.
fn as_row(build: &Build) -> [String; 5] {
    let variants: Vec<String> = build.variants.iter().map(ToString::to_string).collect();
    [
        format!("/{}", build.hash),
        format!("{}@{}", build.package, build.version),
        build.compiler.clone().unwrap_or_else(|| "-".to_string()),
        format!("{}-{}-{}", build.platform, build.os, build.target),
        variants.join(" "),
    ]
}

/// Writes rows with their columns under each other. What could move the cursor is escaped.
fn write_table(out: &mut impl Write, rows: &[[String; 5]]) -> io::Result<()> {
    let clean = |cell: &String| -> String {
        let escape = |c: char| match c.is_control() {
            true => c.escape_default().to_string(),
            false => c.to_string(),
        };
        cell.chars().map(escape).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(clean).collect()).collect();
    let mut widths = [0; 5];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    for row in &rows {
        let cells: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}
