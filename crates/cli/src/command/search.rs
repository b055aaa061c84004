//! `search`: finding the builds that satisfy a spec, for people, for programs, and for thousands of specs
//! at once.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;

use cache_advice::MoreSpecific;
use cache_index::build::{Build, Signature};
use cache_index::facet::Facet;
use cache_index::facts::{FileTerm, KnownFacts};
use cache_index::index::{BuildId, Index};
use cache_index::number::counted;
use cache_query::search::{Dialect, Problem, Search as Asked, Visible, take_signed};
use cache_query::{Question, run, run_with};
use clap::{ArgGroup, Args, ValueEnum};
use serde_json::{Value, json};
use spack_spec::{ParseError, message_with_carets};

use super::index::load;
use super::nothing;
use super::search_files::WithFiles;
use super::search_places::AskedPlaces;
use crate::inputs::ReadingArguments;
use crate::inspect;
use crate::mirrors::MirrorFiles;
use crate::report::{Failure, Report};
use crate::terminal::{Lines, write_table};

/// Find the builds that satisfy a spec, as `spack find` would
///
/// Builds are not found if the data does not say whether they match; the output then says so. Nothing found is an answer, with
/// the exit code 0.
#[derive(Args)]
#[command(group = ArgGroup::new("specs").required(true))]
pub(crate) struct Search {
    /// A spec, such as `hdf5@1.14: +mpi %gcc@13`. Where it is known what is in binaries also `file:h5dump`,
    /// `file:lib/pkgconfig/*.pc` and `import:mpi4py`, alone or with a spec. `signed` and `unsigned`, likewise, ask for builds whose
    /// manifests are, `stack=e4s` and `release=develop` for builds that are there, `not.stack=e4s` for those that are not.
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
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,

    /// Print an array of builds. With --stdin, lines of JSON are printed anyway.
    #[arg(long)]
    json: bool,

    /// Read a spec from each line of the standard input, and print a line of JSON for each.
    ///
    /// Each line has `query` and either `hashes`, the complete list, or `error` and its `position` in bytes. If the
    /// error is that the data does not say enough, `certain` has the hashes that match in any case.
    #[arg(long, group = "specs")]
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
    /// Prints the builds that satisfy a spec, which may be empty, and that have certain files.
    fn print_with_files(
        &self,
        index: &Index,
        known: Option<&KnownFacts>,
        (terms, spec): (&[FileTerm], &str),
        dialect: Dialect,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let hits = Hits::of_rest(spec, dialect, index)
            .map_err(|error| Lines(error.in_text(spec).to_string()))?;
        let hits = hits.decided(spec).map_err(Lines)?;
        let found = WithFiles::find(index, known, terms, &hits.builds)?;
        let mut out = io::stdout().lock();
        if self.json {
            writeln!(out, "{}", Value::from(with_files_as_json(index, &found.builds)))?;
        } else {
            let builds = found.builds.iter().filter_map(|&(id, _)| index.build(id));
            write_table(&mut out, builds.map(|build| as_row(&build)))?;
            report.note(&counted(found.builds.len(), "build", "builds"));
        }
        [hits.note(), found.doubt()].iter().flatten().for_each(|doubt| report.note(doubt));
        Ok(())
    }
}

/// Returns builds as objects, each with the files that were found.
pub(super) fn with_files_as_json(index: &Index, found: &[(BuildId, Vec<String>)]) -> Vec<Value> {
    let object = |(id, files): &(BuildId, Vec<String>)| {
        let mut object = as_json(&index.build(*id)?);
        object["files"] = json!(files);
        Some(object)
    };
    found.iter().filter_map(object).collect()
}

/// The result of a spec.
pub(super) struct Hits {
    pub(super) builds: Vec<BuildId>,
    /// Why builds that may match are not among them.
    undecided: Option<Problem>,
    /// A stack or release that the text names, and that the cache does not have.
    unknown_place: Option<Problem>,
}

impl Search {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failure> {
        let index = load(&self.from, &self.mirrors.read(report), &self.reading, report)?;
        // A user who knows the page may take the option to be a filter.
        if self.reading.names_release() && index.all_places().nth(1).is_some() {
            report.note(&"--release is what all inputs are taken for: none is left out");
        }
        let dialect = self.dialect.map_or(index.dialect(), Dialect::from);
        let known = self.facts.as_deref().map(|file| inspect::load(file, true)).transpose()?;
        let known = known.as_ref();
        let Some(spec) = &self.spec else { return answer_lines(&index, known, dialect) };
        // A spec that was copied from a page may contain invisible characters.
        let spec = &*Visible::of(spec).text;
        let (terms, rest) = FileTerm::take(spec);
        if !terms.is_empty() {
            return self.print_with_files(&index, known, (&terms, &rest), dialect, report);
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
        hits.note().iter().for_each(|note| report.note(note));
        let (_, rest) = AskedPlaces::take(&index, spec);
        if let Some(note) = more_specific(&index, &rest) {
            report.note(&note);
        }
        if hits.builds.is_empty() {
            why_nothing(&index, spec, dialect).iter().for_each(|line| report.note(line));
            index.about().without_damaged().iter().for_each(|line| report.note(line));
        } else if let Some(question) = suggestion(&index, &rest) {
            report.note(&question);
        }
        Ok(())
    }
}

/// Says why nothing satisfies a spec. If something would without the words for stacks and releases, these are the reason.
fn why_nothing(index: &Index, spec: &str, dialect: Dialect) -> Vec<String> {
    let (places, rest) = AskedPlaces::take(index, spec);
    let elsewhere = Hits::of_rest(&rest, dialect, index).map_or(0, |hits| hits.builds.len());
    match places.is_empty() || elsewhere == 0 {
        true => nothing::reasons(index, rest.trim()),
        false => {
            let words = places.words.join(" ");
            vec![format!("without `{words}`, {}", counted(elsewhere, "build", "builds"))]
        }
    }
}

/// Finds the builds that satisfy a spec. The error shows what is not understood, or that the data does not decide whether
/// any build matches, and what may have been meant.
pub(super) fn find(index: &Index, spec: &str, dialect: Dialect) -> Result<Hits, Lines> {
    let (_, rest) = AskedPlaces::take(index, spec);
    let suggested = |lines: String| match suggestion(index, &rest) {
        Some(question) => Lines(format!("{lines}\n{question}")),
        None => Lines(lines),
    };
    let hits = Hits::of(spec, dialect, index)
        .map_err(|error| suggested(error.in_text(spec).to_string()))?;
    hits.decided(spec).map_err(suggested)
}

/// Returns a note if a spec asks for a range of targets, and all matching builds are for more specific targets than its
/// first.
fn more_specific(index: &Index, spec: &str) -> Option<String> {
    let question = Question::of_text(spec);
    Some(MoreSpecific::of(index, &question, &run(index, &question))?.sentence())
}

/// Returns a question whether another spec was meant, as on the page.
fn suggestion(index: &Index, spec: &str) -> Option<String> {
    // Words about signatures are not part of a spec.
    let rest = take_signed(index, spec).map(|(_, rest)| rest);
    let spec = rest.as_deref().unwrap_or(spec).trim();
    let asked = Asked::read(index, spec);
    let instead = match asked.chooses() {
        true => with_places(&asked)?,
        false => asked.suggestion(index, spec)?,
    };
    Some(format!("did you mean `{instead}`?"))
}

/// Writes a search with the stacks and releases that its words choose or exclude; returns `None` if they choose anything
/// else, which a spec cannot express.
fn with_places(asked: &Asked) -> Option<String> {
    let mut pieces: Vec<String> = match asked.spec() {
        Some(spec) => vec![format!("{spec:#}")],
        None => Vec::new(),
    };
    let key = |facet: Facet| matches!(facet, Facet::Stack | Facet::Release).then(|| facet.key());
    for (facet, values) in &asked.choices {
        let key = key(*facet)?;
        pieces.extend(values.iter().map(|value| format!("{key}={value}")));
    }
    for (facet, value) in &asked.excluded {
        pieces.push(format!("not.{}={value}", key(*facet)?));
    }
    Some(pieces.join(" "))
}

impl Hits {
    /// Finds the builds that satisfy a spec, only in certain stacks or releases if the text says so.
    pub(super) fn of(spec: &str, dialect: Dialect, index: &Index) -> Result<Hits, ParseError> {
        let (places, rest) = AskedPlaces::take(index, spec);
        if places.is_empty() {
            return Hits::of_signed(spec, dialect, index);
        }
        let mut hits = Hits::of_rest(&rest, dialect, index)?;
        hits.builds.retain(|&build| places.have(index, build));
        hits.unknown_place = places.problem;
        Ok(hits)
    }

    /// Finds the builds that satisfy a spec, only signed or only unsigned ones if the text says so.
    fn of_signed(spec: &str, dialect: Dialect, index: &Index) -> Result<Hits, ParseError> {
        let Some((signed, rest)) = take_signed(index, spec) else {
            return Hits::of_spec(spec, dialect, index);
        };
        let mut hits = Hits::of_rest(&rest, dialect, index)?;
        let before = hits.builds.len();
        hits.builds.retain(|&build| index.signature(build).is_some());
        if hits.builds.len() < before {
            let message = "the cache does not say of all builds whether they are signed".to_owned();
            hits.undecided = hits.undecided.or(Some(Problem::about(0..spec.len(), message)));
        }
        let is_signed = |build| index.signature(build) != Some(Signature::Unsigned);
        hits.builds.retain(|&build| is_signed(build) == signed);
        Ok(hits)
    }

    fn of_spec(spec: &str, dialect: Dialect, index: &Index) -> Result<Hits, ParseError> {
        let found = Arc::new(Asked::parse(spec, dialect)?.select(index));
        let answer = run_with(index, &Question::default(), found);
        let undecided =
            answer.missing().map(|missing| Problem::undecided(index, spec, dialect, missing));
        let builds = answer.matching_builds(index).collect();
        Ok(Hits { builds, undecided, unknown_place: None })
    }

    /// Finds the builds that satisfy what is left of a text without its words for files, which may be empty.
    pub(super) fn of_rest(spec: &str, dialect: Dialect, index: &Index) -> Result<Hits, ParseError> {
        match spec.trim() {
            "" => {
                let builds = index.builds_with_binary().collect();
                Ok(Hits { builds, undecided: None, unknown_place: None })
            }
            _ => Hits::of(spec, dialect, index),
        }
    }

    /// Returns an error if there is no build, and the data does not decide whether any matches. It shows the place in the
    /// text.
    pub(super) fn decided(self, spec: &str) -> Result<Hits, String> {
        match self.unknown_place.as_ref().or(self.undecided.as_ref()) {
            Some(Problem { message, span, .. }) if self.builds.is_empty() => {
                Err(message_with_carets(message, spec, span.clone()))
            }
            _ => Ok(self),
        }
    }

    /// Returns a note on what the text asks for and the data does not say.
    pub(super) fn note(&self) -> Option<String> {
        match (&self.unknown_place, &self.undecided) {
            // This takes nothing away: the others are there.
            (Some(unknown), _) => Some(unknown.message.clone()),
            (None, Some(problem)) => Some(format!("there may be more, but {}", problem.message)),
            (None, None) => None,
        }
    }
}

/// Answers each line of the standard input as soon as it is read.
fn answer_lines(
    index: &Index,
    known: Option<&KnownFacts>,
    dialect: Dialect,
) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        let text = String::from_utf8_lossy(&line);
        writeln!(out, "{}", answer_line(index, known, dialect, text.trim_end_matches('\r')))?;
        out.flush()?;
    }
    Ok(())
}

fn answer_line(index: &Index, known: Option<&KnownFacts>, dialect: Dialect, query: &str) -> Value {
    let (terms, _) = FileTerm::take(query);
    let hits = match &terms[..] {
        [] => Hits::of(query, dialect, index),
        _ => Hits::of_rest(&FileTerm::blank_out(query), dialect, index),
    };
    let Hits { mut builds, undecided, unknown_place } = match hits {
        Ok(hits) => hits,
        Err(error) => {
            let position = error.span.start;
            return json!({"query": query, "error": error.to_string(), "position": position});
        }
    };
    let mut doubt =
        unknown_place.or(undecided).map(|problem| (problem.message, problem.span.start));
    if !terms.is_empty() {
        match WithFiles::find(index, known, &terms, &builds) {
            Ok(found) => {
                doubt = doubt.or_else(|| Some((found.doubt()?, 0)));
                builds = found.builds.into_iter().map(|(build, _)| build).collect();
            }
            Err(error) => return json!({"query": query, "error": error, "position": 0}),
        }
    }
    let hashes = builds.iter().filter_map(|&id| index.hash(id));
    let hashes: Vec<String> = hashes.map(|hash| hash.to_string()).collect();
    match doubt {
        None => json!({"query": query, "hashes": hashes}),
        Some((message, position)) => {
            json!({"query": query, "error": message, "position": position, "certain": hashes})
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
