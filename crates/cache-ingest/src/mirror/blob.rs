//! A database whose digest is known beforehand.

use std::io::Read;

use crate::compression::decompress;
use crate::database::{Database, read_database};
use crate::digest::{Digesting, Sha256Text};
use crate::problem::{Finding, Position, Problem};
use cache_index::build::Place;

/// Reads a database, compressed or not, and checks its bytes against what is stated for them.
///
/// A wrong digest is the first of the problems: where it is wrong, the others may follow from it.
pub fn read_blob(
    input: impl Read,
    place: &Place,
    digest: Option<&Sha256Text>,
    length: Option<u64>,
) -> Result<Database, Vec<Problem>> {
    let problem = |finding| Problem { at: Position::default(), finding };
    let unreadable =
        |error: std::io::Error| vec![problem(Finding::Unreadable { message: error.to_string() })];
    let mut input = Digesting::new(input);
    let outcome =
        decompress(&mut input).map_err(unreadable).and_then(|reader| read_database(reader, place));
    let Some(digest) = digest else { return outcome };
    let findings = input.finish(digest, length).map_err(unreadable)?;
    if findings.is_empty() {
        return outcome;
    }
    let mut problems: Vec<Problem> = findings.into_iter().map(problem).collect();
    problems.extend(outcome.err().unwrap_or_default());
    Err(problems)
}
