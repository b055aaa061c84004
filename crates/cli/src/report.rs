//! What a command has to say about its inputs, for a person or for a program.
//!
//! Messages are collected and shown at the end, because the thousandth of one kind is worth
//! nothing by itself: those of a kind stand together, with how many there are and where the first
//! are. What is wrong with a record is said once, however many inputs list that record. The last
//! line sums up.
//!
//! | level | means | exit code |
//! | --- | --- | --- |
//! | error | an input that cannot be used | 1 |
//! | damaged | a record that cannot be used, while the rest of its input can | 1, unless it may be left out |
//! | note | something that is not understood, or worth knowing, and does no harm | 0, unless `--strict` |

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt::{self, Display};
use std::io::{self, Write};

use cache_index::build::Hash;
use cache_index::number::counted;
use cache_ingest::problem::{Novelty, Position, Record, Seen};
use cache_ingest::{Conflict, Problem};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use crate::terminal::{Lines, visible};

/// How a command shows what it has to say.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// List every place of every problem, not only the first of each kind.
    #[arg(short, long, global = true)]
    verbose: bool,

    /// How problems and notes are written, on the standard error.
    #[arg(long, value_name = "FORMAT", default_value = "human", global = true)]
    message_format: Format,
}

/// How messages are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, those of a kind together.
    #[default]
    Human,
    /// For programs: one JSON object a line, the summary last.
    Json,
}

/// How many places of one kind are listed unless all are asked for.
const FIRST: usize = 3;

/// Why a command gave up: either it said so problem by problem, or this is the only one.
#[derive(Debug)]
pub(crate) enum Failed {
    /// All was reported already; what was left undone because of it.
    Reported(String),
    /// A problem that is not reported yet.
    Because(Box<dyn Error>),
}

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Level {
    Error,
    Damaged,
    LeftOut,
    Note,
}

/// Everything that was said so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    manner: Manner,
    is_strict: bool,
    groups: Vec<Group>,
    /// Of each kind, its group.
    by_kind: HashMap<(Level, String), usize>,
    /// What was said of which record: group and place in it.
    said: HashMap<String, (usize, usize)>,
    damaged: HashSet<String>,
    summary: Option<String>,
}

/// Messages of one kind.
#[derive(Debug)]
struct Group {
    level: Level,
    kind: String,
    entries: Vec<Entry>,
    /// How many records are damaged for this reason, and for none that was said before.
    records: usize,
}

/// One message.
#[derive(Debug)]
struct Entry {
    /// The input, and where in it.
    place: String,
    /// The whole message, without the place.
    message: String,
    /// How often the same was seen.
    count: usize,
    /// In how many inputs besides the first.
    other_inputs: usize,
    /// What a program may want to know.
    fields: Map<String, Value>,
}

impl Report {
    /// Nothing is said yet.
    pub(crate) fn new(manner: Manner) -> Report {
        Report { manner, ..Report::default() }
    }

    /// From now on, notes are problems.
    pub(crate) fn be_strict(&mut self) {
        self.is_strict = true;
    }

    /// Says what is wrong with an input.
    pub(crate) fn problem(&mut self, input: &str, problem: &dyn Display) {
        let message = problem.to_string();
        let fields = Map::from_iter([("input".to_owned(), json!(input))]);
        self.add(Level::Error, message.clone(), Entry::new(input.to_owned(), message, fields));
    }

    /// Says why an input cannot be used.
    pub(crate) fn unusable(&mut self, input: &str, problem: &Problem) {
        self.of_input(Level::Error, input, problem);
    }

    /// Says why a record of an input cannot be used.
    pub(crate) fn damaged(&mut self, input: &str, problem: &Problem) {
        self.of_input(Level::Damaged, input, problem);
    }

    fn of_input(&mut self, level: Level, input: &str, problem: &Problem) {
        let place = joined(input, &problem.at);
        let fields = fields_of(input, &problem.at);
        let mut message = problem.finding.to_string();
        if !problem.at.field.is_empty() {
            message = format!("field {}: {message}", problem.at.field.escape_debug());
        }
        let record = problem.at.record.as_ref().map(|record| record.hash.as_str());
        let record = record.filter(|hash| hash.parse::<Hash>().is_ok());
        if let Some(hash) = record {
            let identity = format!("{hash} {message}");
            if let Some(&(group, entry)) = self.said.get(&identity) {
                self.groups[group].entries[entry].other_inputs += 1;
                return;
            }
            let group = self.add(level, problem.kind(), Entry::new(place, message, fields));
            self.said.insert(identity, (group, self.groups[group].entries.len() - 1));
            self.count_record(group, hash.to_owned());
        } else {
            // A record without a hash of its own is still one.
            let identity = problem.at.record.is_some().then(|| place.clone());
            let group = self.add(level, problem.kind(), Entry::new(place, message, fields));
            if let Some(identity) = identity {
                self.count_record(group, identity);
            }
        }
    }

    fn count_record(&mut self, group: usize, identity: String) {
        if self.groups[group].level == Level::Damaged && self.damaged.insert(identity) {
            self.groups[group].records += 1;
        }
    }

    /// Says what two inputs say differently of one build.
    pub(crate) fn conflict(&mut self, conflict: &Conflict) {
        let Conflict { hash, field, .. } = conflict;
        let identity = format!("{hash} differs in {field}");
        if let Some(&(group, entry)) = self.said.get(&identity) {
            self.groups[group].entries[entry].other_inputs += 1;
            return;
        }
        let fields = Map::from_iter([
            ("hash".to_owned(), json!(hash.to_string())),
            ("field".to_owned(), json!(field)),
            ("inputs".to_owned(), json!([conflict.first.0, conflict.second.0])),
        ]);
        let kind = format!("two inputs differ in {field} of one build");
        let entry = Entry::new(String::new(), conflict.to_string(), fields);
        let group = self.add(Level::Damaged, kind, entry);
        self.said.insert(identity, (group, self.groups[group].entries.len() - 1));
        self.count_record(group, hash.to_string());
    }

    /// Says what is wrong with builds of several inputs.
    pub(crate) fn damaged_builds(&mut self, kind: &str, message: String, builds: &[Hash]) {
        let hashes: Vec<String> = builds.iter().map(ToString::to_string).collect();
        let fields = Map::from_iter([("hashes".to_owned(), json!(hashes))]);
        let entry = Entry::new(String::new(), message, fields);
        let group = self.add(Level::Damaged, kind.to_owned(), entry);
        for hash in hashes {
            self.count_record(group, hash);
        }
    }

    /// Says what is wrong, with no input in particular.
    pub(crate) fn error(&mut self, problem: &dyn Display) {
        let message = problem.to_string();
        self.add(Level::Error, message.clone(), Entry::new(String::new(), message, Map::new()));
    }

    /// Says what is new in an input.
    pub(crate) fn new_in(&mut self, input: &str, novelty: &Novelty, seen: &Seen) {
        let identity = novelty.to_string();
        if let Some(&(group, entry)) = self.said.get(&identity) {
            let entry = &mut self.groups[group].entries[entry];
            entry.count += seen.count;
            entry.other_inputs += 1;
            return;
        }
        let level = if self.is_strict { Level::Error } else { Level::Note };
        let mut entry =
            Entry::new(joined(input, &seen.first), identity.clone(), fields_of(input, &seen.first));
        entry.count = seen.count;
        if let Novelty::UnknownField { field } = novelty {
            entry.fields.insert("field".to_owned(), json!(field));
        }
        let group = self.add(level, identity.clone(), entry);
        self.said.insert(identity, (group, self.groups[group].entries.len() - 1));
    }

    /// Says what is worth knowing and no problem.
    pub(crate) fn note(&mut self, note: &dyn Display) {
        let message = note.to_string();
        self.add(Level::Note, message.clone(), Entry::new(String::new(), message, Map::new()));
    }

    /// Says what is worth knowing and no problem, one of many of a kind.
    pub(crate) fn note_of_kind(&mut self, kind: &str, note: String) {
        self.add(Level::Note, kind.to_owned(), Entry::new(String::new(), note, Map::new()));
    }

    fn add(&mut self, level: Level, kind: String, entry: Entry) -> usize {
        let groups = &mut self.groups;
        let group = *self.by_kind.entry((level, kind)).or_insert_with_key(|(level, kind)| {
            let (level, kind) = (*level, kind.clone());
            groups.push(Group { level, kind, entries: Vec::new(), records: 0 });
            groups.len() - 1
        });
        self.groups[group].entries.push(entry);
        group
    }

    /// Says why a command gave up.
    pub(crate) fn failed(&mut self, failed: Failed) {
        match failed {
            Failed::Reported(undone) => {
                let problems = self.count(Level::Error) + self.count(Level::Damaged);
                let mut found = counted(problems, "problem", "problems");
                if !self.damaged.is_empty() {
                    found += &format!(" in {}", counted(self.damaged.len(), "build", "builds"));
                }
                self.summary = Some(format!("{found}; {undone}"));
            }
            Failed::Because(error) if is_closed_pipe(error.as_ref()) => {}
            Failed::Because(error) => match error.downcast_ref::<Lines>() {
                None => self.error(&error),
                Some(lines) => {
                    let mut entry = Entry::new(String::new(), String::new(), Map::new());
                    entry.message = lines.to_string();
                    self.add(Level::Error, lines.to_string(), entry);
                }
            },
        }
    }

    /// From now on, what is damaged is what was left out. Returns why, and how many builds each.
    pub(crate) fn leave_out(&mut self) -> Vec<(String, usize)> {
        let mut reasons = Vec::new();
        for group in self.groups.iter_mut().filter(|group| group.level == Level::Damaged) {
            group.level = Level::LeftOut;
            if group.records > 0 {
                reasons.push((group.kind.clone(), group.records));
            }
        }
        let left_out = counted(self.damaged.len(), "damaged build was", "damaged builds were");
        if !self.damaged.is_empty() {
            self.summary = Some(format!("{left_out} left out"));
        }
        reasons
    }

    fn count(&self, level: Level) -> usize {
        let of_level = self.groups.iter().filter(|group| group.level == level);
        of_level.map(|group| group.entries.len()).sum()
    }

    /// How many records are damaged.
    pub(crate) fn damaged_records(&self) -> usize {
        self.damaged.len()
    }

    /// The builds that are damaged, as far as their hashes are known.
    pub(crate) fn damaged_hashes(&self) -> impl Iterator<Item = Hash> + '_ {
        self.damaged.iter().filter_map(|identity| identity.parse().ok())
    }

    /// Returns `true` if an input cannot be used.
    pub(crate) fn has_errors(&self) -> bool {
        self.count(Level::Error) > 0
    }

    /// Returns `true` if anything is wrong.
    pub(crate) fn has_problems(&self) -> bool {
        self.has_errors() || self.count(Level::Damaged) > 0
    }

    /// Shows everything. A standard error that is closed is no reason to stop.
    pub(crate) fn show(&self) {
        let mut out = io::BufWriter::new(io::stderr().lock());
        let _ = match self.manner.message_format {
            Format::Human => self.show_to_people(&mut out),
            Format::Json => self.show_to_programs(&mut out),
        };
        let _ = out.flush();
    }

    fn show_to_people(&self, out: &mut impl Write) -> io::Result<()> {
        for group in &self.groups {
            let level = group.level.word();
            if let [entry] = &group.entries[..] {
                writeln!(out, "{level}: {entry}")?;
                continue;
            }
            let places = counted(group.entries.len(), "time", "times");
            writeln!(out, "{level}: {}, {places}", visible(&group.kind))?;
            let listed = if self.manner.verbose { group.entries.len() } else { FIRST };
            for entry in group.entries.iter().take(listed) {
                if entry.message == group.kind {
                    writeln!(out, "    {}{}", entry.place, entry.elsewhere())?;
                } else {
                    writeln!(out, "    {entry}")?;
                }
            }
            let left = group.entries.len().saturating_sub(listed);
            if left > 0 {
                writeln!(out, "    and {}, which --verbose lists", counted(left, "more", "more"))?;
            }
        }
        match &self.summary {
            Some(summary) => writeln!(out, "{summary}"),
            None => Ok(()),
        }
    }

    fn show_to_programs(&self, out: &mut impl Write) -> io::Result<()> {
        for group in &self.groups {
            for entry in &group.entries {
                let mut object = Map::from_iter([
                    ("level".to_owned(), json!(group.level.name())),
                    ("kind".to_owned(), json!(group.kind)),
                    ("message".to_owned(), json!(entry.message)),
                    ("count".to_owned(), json!(entry.count)),
                    ("other_inputs".to_owned(), json!(entry.other_inputs)),
                ]);
                object.extend(entry.fields.clone());
                writeln!(out, "{}", Value::from(object))?;
            }
        }
        let summary = json!({
            "level": "summary",
            "errors": self.count(Level::Error),
            "notes": self.count(Level::Note),
            "damaged": self.damaged.len(),
            "message": self.summary,
        });
        writeln!(out, "{summary}")
    }
}

impl Level {
    /// What a message starts with for people.
    fn word(self) -> &'static str {
        match self {
            Level::Error | Level::Damaged => "error",
            Level::LeftOut => "left out",
            Level::Note => "note",
        }
    }

    /// What it is called for programs.
    fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Damaged => "damaged",
            Level::LeftOut => "left-out",
            Level::Note => "note",
        }
    }
}

impl Entry {
    fn new(place: String, message: String, fields: Map<String, Value>) -> Entry {
        let (place, message) = (visible(&place), visible(&message));
        Entry { place, message, count: 1, other_inputs: 0, fields }
    }

    /// In how many other inputs the same is.
    fn elsewhere(&self) -> String {
        match self.other_inputs {
            0 => String::new(),
            number => format!(" (and in {})", counted(number, "other input", "other inputs")),
        }
    }
}

impl Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { place, message, count, .. } = self;
        match (place.is_empty(), *count) {
            (true, _) => write!(f, "{message}")?,
            (false, 1) => {
                // Where a place within a file ends with the field, the field follows.
                let comma =
                    if message.starts_with("field ") && is_within(place) { "," } else { ":" };
                write!(f, "{place}{comma} {message}")?;
            }
            (false, count) => {
                write!(f, "{message}, {}, first in {place}", counted(count, "time", "times"))?;
            }
        }
        f.write_str(&self.elsewhere())
    }
}

/// Returns `true` for a place that ends with a line or a record.
fn is_within(place: &str) -> bool {
    let last = place.rsplit(": ").next().unwrap_or_default();
    place.contains(": ") && (last.starts_with("line ") || last.starts_with("record "))
}

/// An input and the place in it, without the field.
fn joined(input: &str, at: &Position) -> String {
    let mut place = input.to_owned();
    if !at.file.is_empty() {
        place = format!("{place}: {}", at.file.escape_debug());
    }
    let within = Position { field: String::new(), ..at.clone() }.to_string();
    if within.is_empty() { place } else { format!("{place}: {within}") }
}

fn fields_of(input: &str, at: &Position) -> Map<String, Value> {
    let Position { file, line, column, record, field } = at;
    let mut fields = Map::from_iter([("input".to_owned(), json!(input))]);
    let mut insert = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    if !file.is_empty() {
        insert("file", json!(file));
    }
    if let Some(line) = line {
        insert("line", json!(line));
    }
    if let Some(column) = column {
        insert("column", json!(column));
    }
    if let Some(Record { number, hash }) = record {
        insert("record", json!(number));
        insert("hash", json!(hash));
    }
    if !field.is_empty() {
        insert("field", json!(field));
    }
    fields
}

/// Says what came of a command, on the standard output. A reader that has seen enough and closed it
/// (`head`) is no problem; one that takes no more (a full disk) ends the command.
pub(crate) fn tell(line: fmt::Arguments<'_>) {
    let outcome = writeln!(io::stdout().lock(), "{}", visible(&line.to_string()));
    if let Err(error) = outcome.and_then(|()| io::stdout().flush())
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let words = "error: the standard output could not be written";
        let _ = writeln!(io::stderr().lock(), "{words}: {error}");
        std::process::exit(1);
    }
}

/// Whether a result could not be written because its reader has seen enough.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

impl<E: Into<Box<dyn Error>>> From<E> for Failed {
    fn from(error: E) -> Failed {
        Failed::Because(error.into())
    }
}
