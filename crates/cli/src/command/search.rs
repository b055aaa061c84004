//! `search`: finding the builds that satisfy a spec, for people, for programs, and for thousands of specs
//! at once.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;

use cache_index::build::Build;
use cache_index::facts::FileTerm;
use cache_index::index::{BuildId, Index};
use cache_index::number::counted;
use cache_query::search::{Dialect, Problem, Search as Asked, Visible};
use cache_query::{Question, run_with};
use clap::{ArgGroup, Args, ValueEnum};
use serde_json::{Value, json};
use spack_spec::{ParseError, message_with_carets};

use super::index::load;
use super::nothing;
use super::search_files::{FilesFound, FilesOf};
use crate::inputs::ReadingArguments;
use crate::mirrors::MirrorFiles;
use crate::report::{Failed, Report};
use crate::terminal::{Lines, write_table};

/// Find the builds that satisfy a spec, as `spack find` would
///
/// Builds are not found if the data does not say whether they match; the output then says so.
#[derive(Args)]
#[command(group = ArgGroup::new("specs").required(true))]
pub(crate) struct Search {
    /// A spec, such as `hdf5@1.14: +mpi %gcc@13`. Where it is known what is in binaries also `file:h5dump`,
    /// `file:lib/pkgconfig/*.pc` and `import:mpi4py`, alone or with a spec.
    #[arg(group = "specs")]
    spec: Option<String>,

    /// Where to search: an index made by `index`, or anything that `index` takes. May be repeated.
    #[arg(long, required_unless_present = "mirrors", value_name = "INPUT")]
    from: Vec<PathBuf>,

    #[command(flatten)]
    mirrors: MirrorFiles,

    #[command(flatten)]
    reading: ReadingArguments,

    /// The version of Spack by whose rules the spec is read and evaluated [default: that of the Spack that wrote the
    /// cache].
    #[arg(long, value_name = "SPACK")]
    dialect: Option<Rules>,

    /// What was found in binaries, as `inspect` writes it: for searching files. An index that was made with --facts has it.
    #[arg(long, value_name = "FILE", conflicts_with = "stdin")]
    facts: Option<PathBuf>,

    /// Print an array of builds.
    #[arg(long)]
    json: bool,

    /// Read a spec from each line of the standard input, and print a line of JSON for each.
    ///
    /// Each line has `query` and either `hashes`, the complete list, or `error` and its `position` in bytes. If the
    /// error is that the data does not say enough, `certain` has the hashes that match in any case.
    #[arg(long, group = "specs", conflicts_with = "json")]
    stdin: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Rules {
    /// Spack before 1.0: `%gcc` is an attribute of a package.
    #[value(name = "0.x")]
    Old,
    /// Spack 1.x: `%gcc` is a dependency, and what follows applies to it.
    #[value(name = "1.x")]
    New,
}

impl From<Rules> for Dialect {
    fn from(rules: Rules) -> Dialect {
        match rules {
            Rules::Old => Dialect::V0,
            Rules::New => Dialect::V1,
        }
    }
}

impl Search {
    /// Finds the builds that satisfy a spec, which may be empty, and have files.
    fn find_files(
        &self,
        index: &Index,
        terms: &[FileTerm],
        spec: &str,
        dialect: Dialect,
        report: &mut Report,
    ) -> Result<(), Failed> {
        let hits = match spec {
            "" => Hits { builds: index.builds_with_binary().collect(), undecided: None },
            spec => Hits::of(spec, dialect, index)
                .map_err(|error| Lines(error.in_text(spec).to_string()))?,
        };
        let known = FilesOf::read(index, self.facts.as_deref(), terms)?;
        let mut unread = 0;
        let mut found = Vec::new();
        for &id in &hits.builds {
            match known.of(index, id, terms) {
                FilesFound::Unknown => unread += 1,
                FilesFound::Nothing => {}
                FilesFound::Files(files) => {
                    found.extend(index.build(id).map(|build| (build, files)))
                }
            }
        }
        let mut out = io::stdout().lock();
        if self.json {
            let builds = found.iter().map(|(build, files)| {
                let mut object = as_json(build);
                object["files"] = json!(files);
                object
            });
            writeln!(out, "{}", Value::from(builds.collect::<Vec<_>>()))?;
        } else {
            write_table(&mut out, found.iter().map(|(build, _)| as_row(build)))?;
            report.note(&counted(found.len(), "build", "builds"));
        }
        if unread > 0 {
            let builds =
                counted(unread, "build was not looked into", "builds were not looked into");
            report.note(&format!("there may be more: {builds}"));
        }
        Ok(())
    }
}

/// The result of a spec.
pub(super) struct Hits {
    pub(super) builds: Vec<BuildId>,
    /// Why builds that may match are not among them.
    pub(super) undecided: Option<Problem>,
}

impl Search {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failed> {
        let index = load(&self.from, &self.mirrors.read(report), &self.reading, report)?;
        let dialect = self.dialect.map_or(index.dialect(), Dialect::from);
        let Some(spec) = &self.spec else { return answer_lines(&index, dialect) };
        // Copied from a page, it may have characters that nobody sees.
        let spec = &*Visible::of(spec).text;
        let (terms, rest) = FileTerm::take(spec);
        if !terms.is_empty() {
            return self.find_files(&index, &terms, &rest, dialect, report);
        }
        let hits = find(&index, spec, dialect)?;
        let builds = hits.builds.iter().filter_map(|&id| index.build(id));
        let mut out = io::stdout().lock();
        if self.json {
            let builds: Vec<Value> = builds.map(|build| as_json(&build)).collect();
            writeln!(out, "{}", Value::from(builds))?;
        } else {
            write_table(&mut out, builds.map(|build| as_row(&build)))?;
            report.note(&counted(hits.builds.len(), "build", "builds"));
        }
        if let Some(problem) = &hits.undecided {
            report.note(&format!("there may be more, but {}", problem.message));
        }
        if hits.builds.is_empty() {
            nothing::reasons(&index, spec).iter().for_each(|line| report.note(line));
        } else if let Some(question) = suggestion(&index, spec) {
            report.note(&question);
        }
        Ok(())
    }
}

/// Finds the builds that satisfy a spec. The error shows what is not understood, or that the data does not say whether any
/// build matches, and what may have been meant.
pub(super) fn find(index: &Index, spec: &str, dialect: Dialect) -> Result<Hits, Lines> {
    let suggested = |lines: String| match suggestion(index, spec) {
        Some(question) => Lines(format!("{lines}\n{question}")),
        None => Lines(lines),
    };
    let hits = Hits::of(spec, dialect, index)
        .map_err(|error| suggested(error.in_text(spec).to_string()))?;
    match &hits.undecided {
        Some(Problem { message, span, .. }) if hits.builds.is_empty() => {
            Err(suggested(message_with_carets(message, spec, span.clone())))
        }
        _ => Ok(hits),
    }
}

/// Asks whether another spec was meant, as the page does.
fn suggestion(index: &Index, spec: &str) -> Option<String> {
    let instead = Asked::read(index, spec).suggestion(index, spec)?;
    Some(format!("did you mean `{instead}`?"))
}

impl Hits {
    pub(super) fn of(spec: &str, dialect: Dialect, index: &Index) -> Result<Hits, ParseError> {
        let found = Arc::new(Asked::parse(spec, dialect)?.select(index));
        let answer = run_with(index, &Question::default(), found);
        let undecided =
            answer.missing().map(|missing| Problem::undecided(index, spec, dialect, missing));
        Ok(Hits { builds: answer.matching_builds(index).collect(), undecided })
    }
}

/// Answers each line of the standard input as soon as it is read.
fn answer_lines(index: &Index, dialect: Dialect) -> Result<(), Failed> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        let text = String::from_utf8_lossy(&line);
        writeln!(out, "{}", answer_line(index, dialect, text.trim_end_matches('\r')))?;
        out.flush()?;
    }
    Ok(())
}

fn answer_line(index: &Index, dialect: Dialect, query: &str) -> Value {
    let hits = match Hits::of(query, dialect, index) {
        Ok(hits) => hits,
        Err(error) => {
            let position = error.span.start;
            return json!({"query": query, "error": error.to_string(), "position": position});
        }
    };
    let hashes = hits.builds.iter().filter_map(|&id| index.hash(id));
    let hashes: Vec<String> = hashes.map(|hash| hash.to_string()).collect();
    match hits.undecided {
        None => json!({"query": query, "hashes": hashes}),
        Some(Problem { message, span, .. }) => {
            json!({"query": query, "error": message, "position": span.start, "certain": hashes})
        }
    }
}

/// Returns a build as an object.
pub(super) fn as_json(build: &Build) -> Value {
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

/// Returns the cells of a table, the most informative first.
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
