//! Telling a person what is wrong: one line for each problem, on the standard error.

use std::error::Error;
use std::fmt::{self, Display};
use std::io::{self, Write};

use cache_index::number::counted;

use crate::terminal::{Lines, visible};

/// Why a command gave up: either it said so problem by problem, or this is the only one.
#[derive(Debug)]
pub(crate) enum Failed {
    /// All was reported already; what was left undone because of it.
    Reported(&'static str),
    /// A problem that is not reported yet.
    Because(Box<dyn Error>),
}

/// Counts what was reported.
#[derive(Debug, Default)]
pub(crate) struct Report {
    problems: usize,
}

impl Report {
    /// Says what is wrong with an input.
    pub(crate) fn problem(&mut self, input: &str, problem: &dyn Display) {
        self.problems += 1;
        let (input, problem) = (visible(input), visible(&problem.to_string()));
        say(format_args!("error: {input}: {problem}"));
    }

    /// Says what is wrong between inputs.
    pub(crate) fn conflict(&mut self, problem: &dyn Display) {
        self.problems += 1;
        say(format_args!("error: {}", visible(&problem.to_string())));
    }

    /// Says what is worth knowing and no problem.
    pub(crate) fn note(&mut self, note: &dyn Display) {
        say(format_args!("note: {}", visible(&note.to_string())));
    }

    /// Says why a command gave up.
    pub(crate) fn failed(&mut self, failed: &Failed) {
        match failed {
            Failed::Reported(undone) => {
                let problems = counted(self.problems, "problem", "problems");
                say(format_args!("{problems}; {undone}"));
            }
            Failed::Because(error) if is_closed_pipe(error.as_ref()) => {}
            Failed::Because(error) => {
                self.problems += 1;
                match error.downcast_ref::<Lines>() {
                    Some(lines) => say(format_args!("error: {lines}")),
                    None => say(format_args!("error: {}", visible(&error.to_string()))),
                }
            }
        }
    }

    /// Whether anything is wrong.
    pub(crate) fn has_problems(&self) -> bool {
        self.problems > 0
    }
}

/// Says what came of a command, on the standard output. A reader that has seen enough and closed it
/// (`head`) is no problem; one that takes no more (a full disk) ends the command.
pub(crate) fn tell(line: fmt::Arguments<'_>) {
    let outcome = writeln!(io::stdout().lock(), "{}", visible(&line.to_string()));
    if let Err(error) = outcome.and_then(|()| io::stdout().flush())
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        say(format_args!("error: the standard output could not be written: {error}"));
        std::process::exit(1);
    }
}

/// Writes a line. A standard error that is closed is no reason to stop.
fn say(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{line}");
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
