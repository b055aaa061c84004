//! The lists under `definitions:`, before they are expanded.
//!
//! As in Spack, lists of one name are joined at the position of the first, and use only names that are defined above;
//! nothing in a list is read as a spec until something uses it. A list is kept as written. A few lines may stand for
//! any number of specs, so [`Size`] counts the specs before any is made.

use std::collections::BTreeMap;

use crate::fields::{Fields, Name, Problems};
use crate::problem::{Finding, quote};
use crate::value::Value;

/// An entry of a list of specs.
#[derive(Debug)]
pub(super) enum Entry {
    /// A spec that has not been parsed.
    Spec(String),
    /// All entries of a definition, each after a `^`, a `%` or nothing.
    Reference { sigil: &'static str, definition: usize },
    /// All combinations of an entry of each row, without those that imply an excluded spec.
    Matrix { rows: Vec<Vec<Entry>>, excluded: Vec<Entry> },
}

/// The size of what some entries expand to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    /// The number of specs, before any are excluded.
    pub(super) specs: u64,
    /// The length of all specs together.
    length: u64,
    /// The length of everything that is written or compared while expanding them.
    pub(super) work: u64,
}

/// The definitions of an environment.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// In the order of their first lists.
    all: Vec<Definition>,
    by_name: BTreeMap<String, usize>,
    /// `true` if names may be defined in files that were not read.
    may_be_elsewhere: bool,
    /// The length of the longest text that may replace a name after a `%`.
    longest_toolchain: u64,
}

/// A name and what it stands for.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) entries: Vec<Entry>,
    pub(super) size: Size,
    /// The conditions of its lists that depend on the machine; these lists are left out.
    pub(super) conditions: Vec<String>,
}

/// A reader of lists of specs.
pub(super) struct ListReader<'d, 'p> {
    pub(super) definitions: &'d Definitions,
    pub(super) undecided: &'p mut Vec<String>,
    pub(super) problems: &'p mut Problems,
}

/// The field with the lists.
pub(super) const DEFINITIONS: &str = "spack.definitions";

impl Definitions {
    /// Reads the lists of an environment, and those of the files that it includes.
    pub(super) fn read(
        lists: Vec<Value<'_>>,
        may_be_elsewhere: bool,
        longest_toolchain: u64,
        undecided: &mut Vec<String>,
        problems: &mut Problems,
    ) -> Definitions {
        let mut joined: Vec<(String, Vec<String>, Vec<Value<'_>>)> = Vec::new();
        let mut by_name: BTreeMap<String, usize> = BTreeMap::new();
        let entries: Vec<Value<'_>> =
            lists.into_iter().flat_map(|list| entries_of(list, problems)).collect();
        for entry in entries {
            let Some((name, when, list)) = open_definition(entry, problems) else { continue };
            let at = *by_name.entry(name.clone()).or_insert(joined.len());
            if at == joined.len() {
                joined.push((name, Vec::new(), Vec::new()));
            }
            match when {
                When::Always => joined[at].2.extend(list),
                When::Never => {}
                When::Depends(condition) => joined[at].1.push(condition),
            }
        }
        let mut definitions =
            Definitions { may_be_elsewhere, longest_toolchain, ..Definitions::default() };
        for (name, conditions, list) in joined {
            let field = format!("{DEFINITIONS}.{name}");
            let mut reader = ListReader { definitions: &definitions, undecided, problems };
            let entries = reader.list(list, &field);
            let size = definitions.size(&entries);
            definitions.by_name.insert(name.clone(), definitions.all.len());
            definitions.all.push(Definition { name, entries, size, conditions });
        }
        definitions
    }

    pub(super) fn all(&self) -> &[Definition] {
        &self.all
    }

    /// Returns the size of what some entries expand to.
    pub(super) fn size(&self, entries: &[Entry]) -> Size {
        entries.iter().map(|entry| self.size_of(entry)).fold(Size::default(), Size::beside)
    }

    fn size_of(&self, entry: &Entry) -> Size {
        match entry {
            Entry::Spec(text) => {
                // A toolchain may be named after each `%` of the text, and after that of a reference to it.
                let names = 1 + text.bytes().filter(|&byte| byte == b'%').count() as u64;
                Size::of_text(text, names.saturating_mul(self.longest_toolchain))
            }
            Entry::Reference { sigil, definition } => self.all[*definition].size.copied(sigil),
            Entry::Matrix { rows, excluded } => {
                let rows = rows.iter().map(|row| self.size(row));
                let size = rows.reduce(Size::times).unwrap_or_default();
                size.without(self.size(excluded))
            }
        }
    }

    /// Marks the definitions that some entries use, directly or not, and returns those that are newly marked, each
    /// after those that it uses.
    pub(super) fn mark_used(&self, entries: &[Entry], is_used: &mut [bool]) -> Vec<usize> {
        let mut newly_used = Vec::new();
        let mut open: Vec<&Entry> = entries.iter().collect();
        while let Some(entry) = open.pop() {
            match entry {
                Entry::Spec(_) => {}
                Entry::Reference { definition, .. } => {
                    if !std::mem::replace(&mut is_used[*definition], true) {
                        newly_used.push(*definition);
                        open.extend(&self.all[*definition].entries);
                    }
                }
                Entry::Matrix { rows, excluded } => {
                    open.extend(rows.iter().flatten().chain(excluded));
                }
            }
        }
        // Definitions only use those before them.
        newly_used.sort_unstable();
        newly_used
    }
}

impl Size {
    fn of_text(text: &str, replaced: u64) -> Size {
        let length = (text.len() as u64 + 1).saturating_add(replaced);
        Size { specs: 1, length, work: length }
    }

    /// Returns the size of a list that has been expanded elsewhere, with a sigil before each entry.
    fn copied(self, sigil: &str) -> Size {
        let sigils = self.specs.saturating_mul(sigil.len() as u64);
        let length = self.length.saturating_add(sigils);
        Size { length, work: length, ..self }
    }

    /// Returns the size of two lists, one after the other.
    pub(super) fn beside(self, other: Size) -> Size {
        Size {
            specs: self.specs.saturating_add(other.specs),
            length: self.length.saturating_add(other.length),
            work: self.work.saturating_add(other.work),
        }
    }

    /// Returns the size of all combinations of two lists.
    fn times(self, other: Size) -> Size {
        let length = (self.length.saturating_mul(other.specs))
            .saturating_add(other.length.saturating_mul(self.specs));
        let work = self.work.saturating_add(other.work).saturating_add(length);
        Size { specs: self.specs.saturating_mul(other.specs), length, work }
    }

    /// Returns the size of a list from which specs are excluded: the work includes comparing them.
    fn without(self, excluded: Size) -> Size {
        let compared = self.length.saturating_mul(excluded.specs);
        let work = self.work.saturating_add(excluded.work).saturating_add(compared);
        Size { work, ..self }
    }
}

/// When a definition applies.
enum When {
    Always,
    Never,
    /// If this Python expression is true on the machine.
    Depends(String),
}

fn entries_of<'v>(list: Value<'v>, problems: &mut Problems) -> Vec<Value<'v>> {
    match list {
        Value::List(entries) => entries,
        Value::Null => Vec::new(),
        other => {
            let found = other.describe();
            problems.report(DEFINITIONS, Finding::UnexpectedType { expected: "a list", found });
            Vec::new()
        }
    }
}

/// Takes apart a list and its name.
fn open_definition<'v>(
    entry: Value<'v>,
    problems: &mut Problems,
) -> Option<(String, When, Vec<Value<'v>>)> {
    let mut fields = Fields::open(entry, DEFINITIONS, problems)?;
    let when = match fields.optional("when") {
        None => When::Always,
        Some(Value::Text(python)) if python.trim() == "True" => When::Always,
        Some(Value::Text(python)) if python.trim() == "False" => When::Never,
        Some(Value::Text(python)) => When::Depends(python.into_owned()),
        Some(other) => When::Depends(other.describe()),
    };
    let mut entries = fields.into_entries();
    let (Some((name, list)), None) = (entries.next(), entries.next()) else {
        problems.report(DEFINITIONS, Finding::ExpectedOneDefinition);
        return None;
    };
    match list {
        Value::List(list) => Some((name.into_owned(), when, list)),
        other => {
            let found = other.describe();
            let expected = "a list of specs";
            problems
                .report(Name::new(DEFINITIONS, &name), Finding::UnexpectedType { expected, found });
            None
        }
    }
}

impl ListReader<'_, '_> {
    /// Reads the entries of a list.
    pub(super) fn list(&mut self, entries: Vec<Value<'_>>, field: &str) -> Vec<Entry> {
        entries.into_iter().filter_map(|entry| self.entry(entry, field)).collect()
    }

    fn entry(&mut self, entry: Value<'_>, field: &str) -> Option<Entry> {
        match entry {
            Value::Text(text) => match text.strip_prefix('$') {
                Some(reference) => self.reference(reference, field),
                None => Some(Entry::Spec(text.into_owned())),
            },
            // `- hdf5@1.14:` without quotes.
            Value::Map(ref fields)
                if let [(name, Value::Null)] = &fields[..]
                    && name != "matrix" =>
            {
                let expected =
                    "a spec or a matrix, and quotes around a spec that ends with a colon";
                let found = quote(&format!("{name}:"));
                self.problems.report(field, Finding::UnexpectedType { expected, found });
                None
            }
            Value::Map(_) => self.matrix(entry, field),
            other => {
                let found = other.describe();
                let expected = "a spec or a matrix";
                self.problems.report(field, Finding::UnexpectedType { expected, found });
                None
            }
        }
    }

    fn reference(&mut self, reference: &str, field: &str) -> Option<Entry> {
        let (sigil, name) = match reference.as_bytes().first() {
            Some(b'^') => ("^", &reference[1..]),
            Some(b'%') => ("%", &reference[1..]),
            _ => ("", reference),
        };
        let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
        if let Some(&definition) = self.definitions.by_name.get(name) {
            return Some(Entry::Reference { sigil, definition });
        }
        if self.definitions.may_be_elsewhere {
            let file = "which was not read";
            self.undecided.push(format!("${name} may be defined in an included file, {file}"));
        } else {
            self.problems.report(field, Finding::NotDefined { name: quote(name) });
        }
        None
    }

    fn matrix(&mut self, entry: Value<'_>, field: &str) -> Option<Entry> {
        let mut fields = Fields::open(entry, field.to_owned(), self.problems)?;
        let rows = fields.list("matrix", self.problems);
        let excluded = fields.optional("exclude");
        fields.refuse_others(self.problems);
        let field = format!("{field}.matrix");
        let mut read = Vec::new();
        for row in rows? {
            let Value::List(entries) = row else {
                let found = row.describe();
                self.problems
                    .report(&*field, Finding::UnexpectedType { expected: "a list", found });
                return None;
            };
            read.push(self.list(entries, &field));
        }
        let excluded = match excluded {
            Some(Value::List(entries)) => self.list(entries, &field),
            _ => Vec::new(),
        };
        Some(Entry::Matrix { rows: read, excluded })
    }
}
