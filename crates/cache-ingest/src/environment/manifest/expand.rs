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
//! to the root. The specs that entries stand for are counted first, and refused if there are more than [`SPECS`] or
//! they take more work than [`WORK`].

use spack_spec::{Dialect, Spec};

use crate::environment::definitions::{DEFINITIONS, Definition, Definitions, Entry, ListReader};
use crate::environment::toolchains::Toolchains;
use crate::fields::Problems;
use crate::problem::{Finding, quote};
use crate::value::Value;

/// The maximum number of specs that an environment may expand to. A matrix of six rows with ten entries has a million.
const SPECS: usize = 100_000;

/// The maximum number of characters that may be written and compared while expanding.
const WORK: usize = 100_000_000;

/// Expands entries of lists into specs.
pub(super) struct Expander<'d, 'p> {
    definitions: &'d Definitions,
    toolchains: &'d Toolchains,
    pub(super) undecided: &'p mut Vec<String>,
    pub(super) problems: &'p mut Problems,
    /// The specs of the definitions that have been used.
    expanded: Vec<Vec<Spec>>,
    is_used: Vec<bool>,
    /// How many specs have been made outside definitions.
    specs: u64,
    work: u64,
    /// `true` once there was too much to expand: nothing is expanded then.
    is_refused: bool,
}

impl<'d, 'p> Expander<'d, 'p> {
    pub(super) fn new(
        definitions: &'d Definitions,
        toolchains: &'d Toolchains,
        undecided: &'p mut Vec<String>,
        problems: &'p mut Problems,
    ) -> Expander<'d, 'p> {
        let count = definitions.all().len();
        let (expanded, is_used) = (vec![Vec::new(); count], vec![false; count]);
        Expander {
            definitions,
            toolchains,
            undecided,
            problems,
            expanded,
            is_used,
            specs: 0,
            work: 0,
            is_refused: false,
        }
    }

    /// Reads entries and returns the specs that they stand for; none if they are too many.
    pub(super) fn expand(&mut self, entries: Vec<Value<'_>>, field: &str) -> Vec<Spec> {
        let Expander { definitions, undecided, problems, .. } = self;
        let entries = ListReader { definitions, undecided, problems }.list(entries, field);
        if self.is_refused {
            return Vec::new();
        }
        let used = self.definitions.mark_used(&entries, &mut self.is_used);
        for &at in &used {
            let Definition { name, size, conditions, .. } = &self.definitions.all()[at];
            self.work = self.work.saturating_add(size.work);
            if self.is_too_large(size.specs, &format!("{DEFINITIONS}.{name}")) {
                return Vec::new();
            }
            for condition in conditions {
                let condition = quote(condition);
                self.undecided.push(format!(
                    "a definition of {name} applies only when {condition}, which depends on the machine, \
                     so ${name} may stand for more specs"
                ));
            }
        }
        let size = self.definitions.size(&entries);
        self.specs = self.specs.saturating_add(size.specs);
        self.work = self.work.saturating_add(size.work);
        if self.is_too_large(self.specs, field) {
            return Vec::new();
        }
        for at in used {
            let Definition { name, entries, .. } = &self.definitions.all()[at];
            self.expanded[at] = self.specs(entries, &format!("{DEFINITIONS}.{name}"));
        }
        self.specs(&entries, field)
    }

    /// Returns `true`, and reports it, if there is too much to expand.
    fn is_too_large(&mut self, specs: u64, field: &str) -> bool {
        let finding = match (specs > SPECS as u64, self.work > WORK as u64) {
            (true, _) => Finding::TooManySpecs { limit: SPECS },
            (_, true) => Finding::TooMuchToExpand { limit: WORK },
            _ => return false,
        };
        self.problems.report(field, finding);
        self.is_refused = true;
        true
    }

    fn specs(&mut self, entries: &[Entry], field: &str) -> Vec<Spec> {
        entries.iter().flat_map(|entry| self.specs_of(entry, field)).collect()
    }

    fn specs_of(&mut self, entry: &Entry, field: &str) -> Vec<Spec> {
        match entry {
            Entry::Spec(text) => self.parse(text, field).into_iter().collect(),
            Entry::Reference { sigil, definition } => {
                let specs = self.expanded[*definition].clone();
                if sigil.is_empty() {
                    return specs;
                }
                let specs = specs.iter();
                specs.filter_map(|spec| self.parse(&format!("{sigil}{spec}"), field)).collect()
            }
            Entry::Matrix { rows, excluded } => self.matrix(rows, excluded, field),
        }
    }

    fn matrix(&mut self, rows: &[Vec<Entry>], excluded: &[Entry], field: &str) -> Vec<Spec> {
        let field = format!("{field}.matrix");
        let mut combined: Option<Vec<Spec>> = None;
        for row in rows {
            let row = self.specs(row, &field);
            combined = Some(match combined {
                None => row,
                Some(before) => self.product(&before, &row, &field),
            });
        }
        let excluded = self.specs(excluded, &field);
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
        match Spec::parse(&self.toolchains.replaced(text), Dialect::V1) {
            Ok(spec) => Some(spec),
            Err(error) => {
                let message = error.to_string();
                self.problems.report(field, Finding::NotASpec { found: quote(text), message });
                None
            }
        }
    }
}
