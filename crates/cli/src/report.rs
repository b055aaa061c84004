//! What a command has to say, and how: for a person or for a program.
//!
//! What is wrong with inputs is collected by `cache_ingest::report`. Exit codes are here: 1 for an error
//! or a damaged record, unless it may be left out; 0 for a note, unless `--strict`.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::ops::{Deref, DerefMut};

use cache_ingest::report;
use cache_ingest::report::visible;
use clap::{Args, ValueEnum};

use crate::terminal::Lines;

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

/// Why a command gave up: either it said so problem by problem, or this is the only one.
#[derive(Debug)]
pub(crate) enum Failed {
    /// All was reported already; what was left undone because of it.
    Reported(String),
    /// A problem that is not reported yet.
    Because(Box<dyn Error>),
}

/// Everything that was said so far.
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
    /// Nothing is said yet.
    pub(crate) fn new(manner: Manner) -> Report {
        Report { manner, said: report::Report::default() }
    }

    /// Says why a command gave up.
    pub(crate) fn failed(&mut self, failed: Failed) {
        match failed {
            Failed::Reported(undone) => self.give_up(&undone),
            Failed::Because(error) if is_closed_pipe(error.as_ref()) => {}
            Failed::Because(error) => match error.downcast_ref::<Lines>() {
                None => self.error(&error),
                Some(lines) => self.lines(&lines.to_string()),
            },
        }
    }

    /// Shows everything. A standard error that is closed is no reason to stop.
    pub(crate) fn show(&self) {
        let mut out = io::BufWriter::new(io::stderr().lock());
        let _ = match self.manner.message_format {
            Format::Human => self.write_for_people(&mut out, self.manner.verbose),
            Format::Json => self.write_for_programs(&mut out),
        };
        let _ = out.flush();
    }
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
