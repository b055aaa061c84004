//! The output of a command, for people or programs.
//!
//! `cache_ingest::report` collects what is wrong with inputs. This module has the exit codes: 1 for an error or a
//! damaged record, unless it may be left out; 0 for a note, unless `--strict` is given.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::ops::{Deref, DerefMut};

use cache_ingest::{report, visible};
use clap::{Args, ValueEnum};

use crate::terminal::Lines;

/// How a command shows its messages.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// List every position of every problem, not only the first of each kind.
    #[arg(short, long, global = true)]
    verbose: bool,

    /// The format of problems and notes on the standard error.
    #[arg(long, value_name = "FORMAT", default_value = "human", global = true)]
    message_format: Format,
}

/// The format of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, grouped by kind.
    #[default]
    Human,
    /// For programs: one JSON object per line, the summary last.
    Json,
}

/// Why a command failed: either everything was reported, or this is the only problem.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Everything was reported; this names what was therefore not done.
    Reported(String),
    /// A problem that has not been reported.
    Because(Box<dyn Error>),
}

/// All messages so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    manner: Manner,
    said: report::Report,
}

impl Deref for Report {
    type Target = report::Report;

    fn deref(&self) -> &report::Report {
        &self.said
    }
}

impl DerefMut for Report {
    fn deref_mut(&mut self) -> &mut report::Report {
        &mut self.said
    }
}

impl Report {
    /// Creates an empty report.
    pub(crate) fn new(manner: Manner) -> Report {
        Report { manner, said: report::Report::default() }
    }

    /// Reports why a command failed.
    pub(crate) fn failed(&mut self, failed: Failure) {
        match failed {
            Failure::Reported(undone) => self.give_up(&undone),
            Failure::Because(error) if is_closed_pipe(error.as_ref()) => {}
            Failure::Because(error) => match error.downcast_ref::<Lines>() {
                None => self.error(&error),
                Some(lines) => self.lines(&lines.to_string()),
            },
        }
    }

    /// Returns the notes, in words.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = self.write_for_people(&mut text, None);
        let text = String::from_utf8_lossy(&text);
        text.lines().filter_map(|line| line.strip_prefix("note: ")).map(str::to_owned).collect()
    }

    /// Shows all messages. A closed standard error is ignored.
    pub(crate) fn show(&self) {
        let mut out = io::BufWriter::new(io::stderr().lock());
        let how = (!self.manner.verbose).then_some(", which --verbose lists");
        let _ = match self.manner.message_format {
            Format::Human => self.write_for_people(&mut out, how),
            Format::Json => self.write_for_programs(&mut out),
        };
        let _ = out.flush();
    }
}

/// Prints the result of a command to the standard output. It is not an error if a reader closes the output early
/// (`head`); if the output accepts no more (a full disk), the command ends with an error.
pub(crate) fn print(line: fmt::Arguments<'_>) {
    let outcome = writeln!(io::stdout().lock(), "{}", visible(&line.to_string()));
    if let Err(error) = outcome.and_then(|()| io::stdout().flush())
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let words = "error: the standard output could not be written";
        let _ = writeln!(io::stderr().lock(), "{words}: {error}");
        std::process::exit(1);
    }
}

/// Returns `true` if a result could not be written because its reader closed the pipe.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

impl<E: Into<Box<dyn Error>>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Because(error.into())
    }
}
