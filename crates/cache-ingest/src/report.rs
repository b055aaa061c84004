//! Messages about inputs, for people and programs.
//!
//! Messages are collected and shown at the end, because the thousandth message of one kind is of no use: messages of
//! one kind are grouped, with their number and the first positions. A damaged record is reported once, however many
//! inputs contain it. The last line is a summary.
//!
//! | level | means |
//! | --- | --- |
//! | error | an input that cannot be used |
//! | damaged | a record that cannot be used, while the rest of its input can |
//! | note | something that is not understood but harmless, or worth knowing |
//!
//! All are made [visible](crate::visible()).

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display};
use std::io::{self, Write};

use cache_index::build::Hash;
use cache_index::index::LeftOut;
use cache_index::number::counted;
use serde_json::{Map, Value, json};

use crate::problem::{DIFFERING, Novelty, Occurrences, Position, Record};
use crate::{Conflict, Problem, visible};

/// How many positions of one kind are listed by default.
const FIRST: usize = 3;

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Level {
    Error,
    Damaged,
    LeftOut,
    Note,
}

/// All messages so far.
#[derive(Debug, Default)]
pub struct Report {
    is_strict: bool,
    groups: Vec<Group>,
    /// The group of each kind.
    by_kind: HashMap<(Level, String), usize>,
    /// For each reported record: its group and its index there.
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
    /// The number of records that were first found damaged for this reason.
    records: usize,
}

/// One message.
#[derive(Debug)]
struct Entry {
    /// The input, and the position in it.
    place: String,
    /// The whole message, without the position.
    message: String,
    /// The number of occurrences.
    count: usize,
    /// The number of inputs besides the first.
    other_inputs: usize,
    /// Data for programs.
    fields: Map<String, Value>,
}

impl Report {
    /// Treats notes as problems from now on.
    pub fn be_strict(&mut self) {
        self.is_strict = true;
    }

    /// Reports what is wrong with an input.
    pub fn problem(&mut self, input: &str, problem: &dyn Display) {
        let message = problem.to_string();
        let fields = fields([("input".to_owned(), json!(input))]);
        self.add(Level::Error, message.clone(), Entry::new(input.to_owned(), message, fields));
    }

    /// Reports what is wrong with a URL in an input, grouped with all others that have the same problem.
    pub fn problem_of(&mut self, input: &str, url: &str, problem: &str) {
        let fields = fields([("input".to_owned(), json!(input)), ("url".to_owned(), json!(url))]);
        let entry = Entry::new(format!("{input}: {url:?}"), problem.to_owned(), fields);
        self.add(Level::Error, problem.to_owned(), entry);
    }

    /// Reports why an input cannot be used.
    pub fn unusable(&mut self, input: &str, problem: &Problem) {
        self.of_input(Level::Error, input, problem);
    }

    /// Reports why a record of an input cannot be used.
    pub fn damaged(&mut self, input: &str, problem: &Problem) {
        self.of_input(Level::Damaged, input, problem);
    }

    fn of_input(&mut self, level: Level, input: &str, problem: &Problem) {
        let mut message = problem.finding.to_string();
        if !problem.at.field.is_empty() {
            message = format!("field {}: {message}", problem.at.field);
        }
        self.of_record(level, input, &problem.at, problem.kind(), message, Map::new());
    }

    /// Reports something about the binary of a build, whose file is at this position: that the binary is damaged, or a
    /// note. `data` is for programs.
    pub fn of_binary(
        &mut self,
        input: &str,
        at: &Position,
        is_damaged: bool,
        message: String,
        data: Map<String, Value>,
    ) {
        let level = if is_damaged { Level::Damaged } else { Level::Note };
        self.of_record(level, input, at, message.clone(), message, data);
    }

    fn of_record(
        &mut self,
        level: Level,
        input: &str,
        at: &Position,
        kind: String,
        message: String,
        data: Map<String, Value>,
    ) {
        let place = joined(input, at);
        let mut fields = fields_of(input, at);
        fields.extend(data);
        let record = at.record.as_ref().map(|record| record.hash.as_str());
        let record = record.filter(|hash| hash.parse::<Hash>().is_ok());
        if let Some(hash) = record {
            let identity = format!("{hash} {message}");
            if let Some(&(group, entry)) = self.said.get(&identity) {
                self.groups[group].entries[entry].other_inputs += 1;
                return;
            }
            let group = self.add(level, kind, Entry::new(place, message, fields));
            self.said.insert(identity, (group, self.groups[group].entries.len() - 1));
            self.count_record(group, hash.to_owned());
        } else {
            // A record without a hash is identified by its position.
            let identity = at.record.is_some().then(|| place.clone());
            let group = self.add(level, kind, Entry::new(place, message, fields));
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

    /// Reports that two inputs contradict each other about a build.
    pub fn conflict(&mut self, conflict: &Conflict) {
        let Conflict { hash, field, .. } = conflict;
        let identity = format!("{hash} differs in {field}");
        if let Some(&(group, entry)) = self.said.get(&identity) {
            self.groups[group].entries[entry].other_inputs += 1;
            return;
        }
        let fields = fields([
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

    /// Reports what is wrong with builds of several inputs.
    pub fn damaged_builds(&mut self, kind: &str, message: String, builds: &[Hash]) {
        let hashes: Vec<String> = builds.iter().map(ToString::to_string).collect();
        let fields = fields([("hashes".to_owned(), json!(hashes))]);
        let entry = Entry::new(String::new(), message, fields);
        let group = self.add(Level::Damaged, kind.to_owned(), entry);
        for hash in hashes {
            self.count_record(group, hash);
        }
    }

    /// Reports a problem that concerns no single input.
    pub fn error(&mut self, problem: &dyn Display) {
        let message = problem.to_string();
        self.add(Level::Error, message.clone(), Entry::new(String::new(), message, Map::new()));
    }

    /// Reports what is new in an input.
    pub fn new_in(&mut self, input: &str, novelty: &Novelty, seen: &Occurrences) {
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
        if let Novelty::UnknownField { field } | Novelty::Rejected { field, .. } = novelty {
            entry.fields.insert("field".to_owned(), json!(field));
        }
        let group = self.add(level, identity.clone(), entry);
        self.said.insert(identity, (group, self.groups[group].entries.len() - 1));
    }

    /// Reports something worth knowing that is not a problem.
    pub fn note(&mut self, note: &dyn Display) {
        let message = note.to_string();
        self.add(Level::Note, message.clone(), Entry::new(String::new(), message, Map::new()));
    }

    /// Reports something worth knowing that is not a problem, grouped with the notes of its kind.
    pub fn note_of_kind(&mut self, kind: &str, note: String) {
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

    /// Adds the summary: what was not done because of these messages.
    pub fn give_up(&mut self, undone: &str) {
        let problems = self.count(Level::Error) + self.count(Level::Damaged);
        let mut found = counted(problems, "problem", "problems");
        if !self.damaged.is_empty() {
            found += &format!(" in {}", counted(self.damaged.len(), "build", "builds"));
        }
        self.summary = Some(format!("{found}; {undone}"));
    }

    /// Reports a problem in several lines, which are shown as they are.
    pub fn lines(&mut self, lines: &str) {
        let mut entry = Entry::new(String::new(), String::new(), Map::new());
        entry.message = lines.to_owned();
        self.add(Level::Error, lines.to_owned(), entry);
    }

    /// Marks what is damaged as left out. Returns each reason, with the number of builds.
    pub fn leave_out(&mut self) -> Vec<LeftOut> {
        let mut reasons = Vec::new();
        for group in self.groups.iter_mut().filter(|group| group.level == Level::Damaged) {
            group.level = Level::LeftOut;
            if group.records > 0 {
                reasons.push(LeftOut { why: group.kind.clone(), builds: group.records as u64 });
            }
        }
        let left_out = counted(self.damaged.len(), "damaged build was", "damaged builds were");
        if !self.damaged.is_empty() {
            self.summary = Some(format!("{left_out} left out"));
        }
        reasons
    }

    /// Returns how many damaged builds were left out, in words; `None` if none were.
    pub fn left_out(&self) -> Option<&str> {
        self.summary.as_deref().filter(|_| self.count(Level::LeftOut) > 0)
    }

    fn count(&self, level: Level) -> usize {
        let of_level = self.groups.iter().filter(|group| group.level == level);
        of_level.map(|group| group.entries.len()).sum()
    }

    /// Returns the number of damaged records.
    pub fn damaged_records(&self) -> usize {
        self.damaged.len()
    }

    /// Returns `true` if the record of a build is damaged.
    pub fn is_damaged(&self, hash: &Hash) -> bool {
        self.damaged.contains(&hash.to_string())
    }

    /// Returns the hashes of the damaged builds, as far as they are known.
    pub fn damaged_hashes(&self) -> impl Iterator<Item = Hash> + '_ {
        self.damaged.iter().filter_map(|identity| identity.parse().ok())
    }

    /// Returns `true` if an input cannot be used.
    pub fn has_errors(&self) -> bool {
        self.count(Level::Error) > 0
    }

    /// Returns `true` if the index of a mirror is not what its manifest states.
    pub fn has_damaged_index(&self) -> bool {
        let is_damaged = |kind: &str| DIFFERING.contains(&kind);
        self.groups.iter().any(|group| group.level == Level::Error && is_damaged(&group.kind))
    }

    /// Returns `true` if anything is wrong.
    pub fn has_problems(&self) -> bool {
        self.has_errors() || self.count(Level::Damaged) > 0
    }

    /// Returns the inputs that cannot be used, each once, as messages name them.
    pub fn unusable_inputs(&self) -> Vec<&str> {
        let mut inputs = Vec::new();
        for group in self.groups.iter().filter(|group| group.level == Level::Error) {
            for entry in &group.entries {
                match entry.fields.get("input").and_then(Value::as_str) {
                    Some(input) if !inputs.contains(&input) => inputs.push(input),
                    _ => {}
                }
            }
        }
        inputs
    }

    /// Writes all messages for people. Without `how`, all positions of each kind are listed; otherwise only the first
    /// ones, and how many more there are, with `how` to see them.
    pub fn write_for_people(&self, out: &mut impl Write, how: Option<&str>) -> io::Result<()> {
        for group in &self.groups {
            let level = group.level.word();
            if let [entry] = &group.entries[..] {
                writeln!(out, "{level}: {entry}")?;
                continue;
            }
            let places = counted(group.entries.len(), "time", "times");
            writeln!(out, "{level}: {}, {places}", visible(&group.kind))?;
            let listed = if how.is_some() { FIRST } else { group.entries.len() };
            for entry in group.entries.iter().take(listed) {
                if entry.message == group.kind {
                    writeln!(out, "    {}{}", entry.place, entry.elsewhere())?;
                } else {
                    writeln!(out, "    {entry}")?;
                }
            }
            let left = group.entries.len().saturating_sub(listed);
            if left > 0 {
                let how = how.unwrap_or_default();
                writeln!(out, "    and {}{how}", counted(left, "more", "more"))?;
            }
        }
        match &self.summary {
            Some(summary) => writeln!(out, "{summary}"),
            None => Ok(()),
        }
    }

    /// Writes all messages for programs: one JSON object per line, the summary last.
    pub fn write_for_programs(&self, out: &mut impl Write) -> io::Result<()> {
        for group in &self.groups {
            for entry in &group.entries {
                let mut object = fields([
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
    /// Returns the first word of a message for people.
    fn word(self) -> &'static str {
        match self {
            Level::Error | Level::Damaged => "error",
            Level::LeftOut => "left out",
            Level::Note => "note",
        }
    }

    /// Returns the name for programs.
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

    /// Returns the number of other inputs as text.
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
                // If a position within a file ends with the field, the field follows.
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

/// Returns `true` for a position that ends with a line or a record.
fn is_within(place: &str) -> bool {
    let last = place.rsplit(": ").next().unwrap_or_default();
    place.contains(": ") && (last.starts_with("line ") || last.starts_with("record "))
}

/// Returns an input and the position in it, without the field.
fn joined(input: &str, at: &Position) -> String {
    let mut place = input.to_owned();
    if !at.file.is_empty() {
        place = format!("{place}: {}", at.file);
    }
    let within = Position { field: String::new(), ..at.clone() }.to_string();
    if within.is_empty() { place } else { format!("{place}: {within}") }
}

/// Returns data for programs. They are inserted one by one, because the library sorts what it collects.
fn fields<const COUNT: usize>(pairs: [(String, Value); COUNT]) -> Map<String, Value> {
    let mut fields = Map::new();
    for (name, value) in pairs {
        fields.insert(name, value);
    }
    fields
}

fn fields_of(input: &str, at: &Position) -> Map<String, Value> {
    let Position { file, line, column, record, field } = at;
    let mut fields = fields([("input".to_owned(), json!(input))]);
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
