//! Compares the crate with answers recorded from Spack itself.
//!
//! Each module reads one file of `tests/data`, which has one case per line, and its `check` names the line where an
//! answer differs. The files record what Spack does: where the crate differs from them, the crate is wrong.

#![allow(clippy::unwrap_used)]

mod builds;
mod queries;
mod syntax;
mod targets;
mod versions;
mod virtuals;

/// Iterates over the lines of a data file except comments, numbered from 1 and split into fields.
fn cases(file: &'static str) -> impl Iterator<Item = (usize, Vec<&'static str>)> {
    file.lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#'))
        .map(|(index, line)| (index + 1, line.split(' ').collect()))
}
