//! Lists of specs as environments write them: definitions, references and matrices.
//!
//! | written | means |
//! | --- | --- |
//! | `hdf5+mpi` | that spec |
//! | `$name` | the specs defined under that name |
//! | `$^name`, `$%name` | the same, each entry after a `^` or a `%` |
//! | `matrix: [[a, b], [c, d]]` | `a c`, `a d`, `b c`, `b d`: the last row changes fastest |
//! | `exclude: [e]` next to it | leaves out the rows that imply one of these |
//!
//! The parts of a row are combined with [`Spec::constrain`], so a `%gcc` in one part and a `+x` in the next both bind
//! to the root. A definition can only use those above it; definitions of the same name are joined.

use std::collections::BTreeMap;

use spack_spec::{Dialect, Spec};

use crate::fields::{Fields, Name, Problems};
use crate::problem::{Finding, quote};
use crate::value::Value;

/// The maximum number of specs that an environment may expand to. A matrix of six rows with ten entries has a million.
const LIMIT: usize = 100_000;

/// The meanings of names.
#[derive(Default)]
pub(super) struct Definitions {
    by_name: BTreeMap<String, Vec<Spec>>,
    /// Names with a definition that depends on a `when:`.
    undecided: Vec<String>,
    /// `true` if names may be defined in files that were not read.
    pub(super) may_be_elsewhere: bool,
    toolchains: BTreeMap<String, Vec<String>>,
}

impl Definitions {
    /// Reads the list under `definitions`.
    pub(super) fn read(
        &mut self,
        value: Value<'_>,
        undecided: &mut Vec<String>,
        problems: &mut Problems,
    ) {
        const PATH: &str = "spack.definitions";
        let Value::List(entries) = value else {
            let found = value.describe();
            problems.report(PATH, Finding::UnexpectedType { expected: "a list", found });
            return;
        };
        for entry in entries {
            let Some(mut fields) = Fields::open(entry, PATH, problems) else { continue };
            let when = fields.optional("when");
            let mut entries = fields.into_entries();
            let (Some((name, list)), None) = (entries.next(), entries.next()) else {
                problems.report(PATH, Finding::ExpectedOneDefinition);
                continue;
            };
            let name = name.into_owned();
            match when {
                None => {}
                Some(Value::Text(python)) if python.trim() == "True" => {}
                Some(Value::Text(python)) if python.trim() == "False" => {
                    self.by_name.entry(name).or_default();
                    continue;
                }
                Some(python) => {
                    let python = match python {
                        Value::Text(python) => python.into_owned(),
                        other => other.describe(),
                    };
                    undecided.push(format!(
                        "a definition of {name} applies only when {}, which depends on the machine",
                        quote(&python)
                    ));
                    self.undecided.push(name.clone());
                    self.by_name.entry(name).or_default();
                    continue;
                }
            }
            let field = format!("{PATH}.{name}");
            let Value::List(list) = list else {
                let found = list.describe();
                problems.report(
                    &*field,
                    Finding::UnexpectedType { expected: "a list of specs", found },
                );
                continue;
            };
            let mut expander = Expander { definitions: self, undecided, problems };
            let specs: Vec<Spec> =
                list.into_iter().flat_map(|entry| expander.expand(entry, &field)).collect();
            self.by_name.entry(name).or_default().extend(specs);
        }
    }

    /// Reads the object under `toolchains`: names that stand for compilers after a `%`.
    pub(super) fn read_toolchains(&mut self, value: Value<'_>, problems: &mut Problems) {
        const PATH: &str = "spack.toolchains";
        let Some(toolchains) = Fields::open(value, PATH, problems) else { return };
        for (name, value) in toolchains.into_entries() {
            let field = format!("{PATH}.{name}");
            let parts = match value {
                Value::Text(spec) => vec![spec.into_owned()],
                Value::List(entries) => entries
                    .into_iter()
                    .filter_map(|entry| toolchain_part(entry, &field, problems))
                    .collect(),
                other => {
                    let found = other.describe();
                    let expected = "a spec or a list";
                    problems.report(&*field, Finding::UnexpectedType { expected, found });
                    continue;
                }
            };
            self.toolchains.insert(name.into_owned(), parts);
        }
    }
}

/// Writes one `{spec, when}` of a toolchain in the spec language: `%[when='%c'] c=gcc@12`.
fn toolchain_part(entry: Value<'_>, field: &str, problems: &mut Problems) -> Option<String> {
    if let Value::Text(spec) = entry {
        return Some(spec.into_owned());
    }
    let mut part = Fields::open(entry, field.to_owned(), problems)?;
    let spec = part.text("spec", problems)?;
    let when = part.optional("when");
    part.close(problems);
    match (when, spec.trim().strip_prefix('%')) {
        (Some(Value::Text(when)), Some(dependency)) => {
            Some(format!("%[when='{when}'] {}", dependency.trim()))
        }
        _ => Some(spec),
    }
}

/// Expands entries of lists into specs.
pub(super) struct Expander<'d, 'p> {
    pub(super) definitions: &'d Definitions,
    pub(super) undecided: &'p mut Vec<String>,
    pub(super) problems: &'p mut Problems,
}

impl Expander<'_, '_> {
    /// Returns the specs that an entry stands for.
    pub(super) fn expand(&mut self, entry: Value<'_>, field: &str) -> Vec<Spec> {
        match entry {
            Value::Text(text) => match text.strip_prefix('$') {
                Some(reference) => self.refer(reference, field),
                None => self.parse(&text, field).into_iter().collect(),
            },
            Value::Map(_) => self.matrix(entry, field),
            other => {
                let found = other.describe();
                let expected = "a spec or a matrix";
                self.problems.report(field, Finding::UnexpectedType { expected, found });
                Vec::new()
            }
        }
    }

    fn refer(&mut self, reference: &str, field: &str) -> Vec<Spec> {
        let (sigil, name) = match reference.strip_prefix(['^', '%']) {
            Some(name) => (&reference[..1], name),
            None => ("", reference),
        };
        let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
        let Some(specs) = self.definitions.by_name.get(name) else {
            if self.definitions.may_be_elsewhere {
                self.undecided.push(format!(
                    "${name} may be defined in an included file, which was not read"
                ));
            } else {
                self.problems.report(field, Finding::NotDefined { name: quote(name) });
            }
            return Vec::new();
        };
        if self.definitions.undecided.iter().any(|undecided| undecided == name) {
            let text = format!("${name} may stand for more specs, depending on the machine");
            if !self.undecided.contains(&text) {
                self.undecided.push(text);
            }
        }
        let specs = specs.clone();
        if sigil.is_empty() {
            return specs;
        }
        specs.iter().filter_map(|spec| self.parse(&format!("{sigil}{spec}"), field)).collect()
    }

    fn matrix(&mut self, entry: Value<'_>, field: &str) -> Vec<Spec> {
        let Some(mut fields) = Fields::open(entry, field.to_owned(), self.problems) else {
            return Vec::new();
        };
        let rows = fields.list("matrix", self.problems);
        let exclude = fields.optional("exclude");
        for (name, _) in fields.into_entries() {
            self.problems.report(Name::new(field, &name), Finding::UnknownField);
        }
        let Some(rows) = rows else { return Vec::new() };
        let field = format!("{field}.matrix");
        let mut combined: Option<Vec<Spec>> = None;
        for row in rows {
            let Value::List(entries) = row else {
                let found = row.describe();
                self.problems
                    .report(&*field, Finding::UnexpectedType { expected: "a list", found });
                return Vec::new();
            };
            let row: Vec<Spec> =
                entries.into_iter().flat_map(|entry| self.expand(entry, &field)).collect();
            combined = Some(match combined {
                None => row,
                Some(before) if before.len().saturating_mul(row.len()) > LIMIT => {
                    self.problems.report(&*field, Finding::TooManySpecs { limit: LIMIT });
                    return Vec::new();
                }
                Some(before) => self.product(&before, &row, &field),
            });
        }
        let excluded = match exclude {
            Some(Value::List(entries)) => {
                entries.into_iter().flat_map(|entry| self.expand(entry, &field)).collect()
            }
            _ => Vec::new(),
        };
        let keeps = |spec: &Spec| !excluded.iter().any(|excluded| spec.implies(excluded));
        combined.unwrap_or_default().into_iter().filter(keeps).collect()
    }

    fn product(&mut self, before: &[Spec], row: &[Spec], field: &str) -> Vec<Spec> {
        let mut product = Vec::with_capacity(before.len() * row.len());
        for one in before {
            for other in row {
                let mut both = one.clone();
                match both.constrain(other) {
                    Ok(()) => product.push(both),
                    Err(error) => {
                        self.problems
                            .report(field, Finding::Contradiction { message: error.to_string() });
                        return Vec::new();
                    }
                }
            }
        }
        product
    }

    /// Parses one spec, with toolchains replaced by their specs.
    fn parse(&mut self, text: &str, field: &str) -> Option<Spec> {
        let replaced = self.without_toolchains(text);
        match Spec::parse(&replaced, Dialect::V1) {
            Ok(spec) => Some(spec),
            Err(error) => {
                let message = error.to_string();
                self.problems.report(field, Finding::NotASpec { found: quote(text), message });
                None
            }
        }
    }

    fn without_toolchains(&self, text: &str) -> String {
        let mut replaced = text.to_owned();
        for (name, parts) in &self.definitions.toolchains {
            let written = format!("%{name}");
            let ends = |rest: &str| {
                !rest.starts_with(|c: char| c.is_alphanumeric() || "-_.@=,".contains(c))
            };
            let mut from = 0;
            while let Some(at) = replaced[from..].find(&written).map(|at| from + at) {
                let end = at + written.len();
                if ends(&replaced[end..]) {
                    let stands_for = format!(" {} ", parts.join(" "));
                    replaced.replace_range(at..end, &stands_for);
                    from = at + stands_for.len();
                } else {
                    from = end;
                }
            }
        }
        replaced
    }
}
