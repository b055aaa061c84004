//! `mcp`: a server of the Model Context Protocol on the standard input and output, for assistants.
//!
//! [`protocol`] has the messages, [`tools`] what can be asked; the answers are those of the other commands with `--json`,
//! [cut](bounded) to what a model can read. There is one cache, read once. Nothing is written, and a tool opens no file:
//! an assistant that asks about an environment sends its text.

mod answers;
mod bounded;
mod given;
mod protocol;
mod tools;

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

use cache_advice::changes::publish;
use clap::Args;

use self::given::Snapshot;
use self::tools::CacheTools;
use super::index::{load, load_snapshot};
use crate::inputs::ReadingArguments;
use crate::machine::is_standard_input;
use crate::mirrors::MirrorFiles;
use crate::report::{Failure, Report};

/// Answer an assistant's questions about a cache, by the Model Context Protocol
///
/// An assistant starts this command and talks to it on its standard input and output. It has these tools: search, build,
/// why, environment, compare, changes. The cache is read once, at the start.
#[derive(Args)]
pub(crate) struct Mcp {
    /// The cache: an index made by `index`, or anything that `index` takes.
    #[arg(required_unless_present = "mirrors", value_name = "CACHE")]
    caches: Vec<PathBuf>,

    #[command(flatten)]
    mirrors: MirrorFiles,

    #[command(flatten)]
    reading: ReadingArguments,

    /// An earlier snapshot of the cache, with which the tool `changes` compares it [default: what the cache says about the
    /// publication before].
    #[arg(long, value_name = "EARLIER")]
    since: Option<PathBuf>,
}

/// The longest message, in bytes. A lock file is sent as a text.
const LONGEST: u64 = 64 << 20;

impl Mcp {
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Failure> {
        if self.caches.iter().any(|cache| is_standard_input(cache)) || self.reading.asks_password()
        {
            return Err("the standard input has the assistant's questions, so it cannot have a cache or a password".into());
        }
        let mut index = load(&self.caches, &self.mirrors.read(report), &self.reading, report)?;
        let mut snapshot = None;
        if let Some(since) = &self.since {
            let earlier = load_snapshot(std::slice::from_ref(since), &self.reading, report)?;
            let changes = publish(&mut index, &earlier);
            snapshot = Some(Snapshot { made: earlier.about().made.clone(), changes });
        }
        let tools = CacheTools::new(&index, snapshot);
        let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
        while let Some(line) = read_line(&mut input)? {
            if let Some(answer) = protocol::answer(&tools, &line) {
                writeln!(output, "{answer}")?;
                output.flush()?;
            }
        }
        Ok(())
    }
}

/// Reads a line that is not empty; returns `None` at the end. Of a line that is too long, returns only the beginning, which
/// is not valid JSON.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lines_until_the_end() {
        let mut input = &b"{}\r\n\n  \n[1]\n{"[..];
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).expect("memory does not fail") {
            lines.push(String::from_utf8_lossy(&line).into_owned());
        }
        assert_eq!(lines, ["{}\r\n", "[1]\n", "{"]);
    }
}
