//! The crate against answers recorded from Spack itself.
//!
//! Each module reads one file of `tests/data`, which holds one case a line, and its `check` names
//! the line when an answer differs. The files hold answers, not opinions: where the crate differs
//! from one, the crate is wrong.

#![allow(clippy::unwrap_used)]

mod builds;
mod queries;
mod syntax;
mod targets;
mod versions;

/// The lines of a data file that are no comments, numbered from 1, each cut into its fields.
fn cases(file: &'static str) -> impl Iterator<Item = (usize, Vec<&'static str>)> {
    file.lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#'))
        .map(|(index, line)| (index + 1, line.split(' ').collect()))
}
