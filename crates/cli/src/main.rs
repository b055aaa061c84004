//! The command `cache-explorer`: makes a static site from any Spack build cache.
//!
//! The subcommands are in [`command`], one per file. The crate `cache-ingest` reads inputs; here files are found and
//! opened ([`machine`]), problems are shown ([`report`]), and results are written completely or not at all ([`output`]).
//!
//! Results and summaries go to the standard output, problems to the standard error. The exit code is 0 for success, 1
//! for a problem with the input, 2 for an invalid command line.

mod command;
mod feed;
mod inputs;
mod inside;
mod inspect;
mod machine;
mod marks;
mod mirrors;
mod output;
mod page_html;
mod parallel;
mod parquet;
mod progress;
mod published;
mod recipes;
mod report;
mod server;
mod service_worker;
#[cfg(feature = "signatures")]
mod signatures;
mod site;
mod site_url;
mod sources;
mod terminal;
mod weight;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use report::{Failure, Manner, Report};

/// Reading a cache makes millions of small texts on several threads and drops most of them, which takes the system's
/// allocator a third of the time and twice the memory.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Make a static site from a Spack build cache, which shows what is in the cache and how to install it.
///
/// The site itself is a folder of files that is built once. This command puts the index of a cache into it:
///
///     cache-explorer open mirror/              # look at a cache in the browser
///     cache-explorer check pages/              # is anything wrong?
///     cache-explorer embed pages/ --into dist/ # publish it
///
/// Inputs are cache pages, Spack's database files, mirrors, and manifests that list mirrors, or folders of these. Files
/// are recognized by their contents, not by their names, and may be compressed with gzip or zstd.
#[derive(Parser)]
#[command(version, verbatim_doc_comment, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Verb,

    #[command(flatten)]
    manner: Manner,
}

#[derive(Subcommand)]
enum Verb {
    Open(command::open::Open),
    Serve(command::serve::Serve),
    Index(command::index::Index),
    Check(command::check::Check),
    Inspect(command::inspect::Inspect),
    Embed(command::embed::Embed),
    Bundle(command::bundle::Bundle),
    Seal(command::seal::Seal),
    #[command(visible_alias = "find", alias = "query")]
    Search(command::search::Search),
    Environment(command::environment::EnvironmentCommand),
    #[command(visible_alias = "diff")]
    Changes(command::changes::ChangesCommand),
    Why(Box<command::why::Why>),
    Outdated(command::outdated::OutdatedCommand),
    PrunePreview(command::prune_preview::PrunePreview),
    Export(command::export::Export),
    Mcp(command::mcp::Mcp),
    Stats(command::stats::Stats),
    Generate(command::generate::Generate),
}

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| with_tip(error).exit());
    let mut report = Report::new(arguments.manner);
    let outcome = match arguments.command {
        Verb::Open(open) => open.run(&mut report),
        Verb::Serve(serve) => serve.run(&mut report),
        Verb::Index(index) => index.run(&mut report),
        Verb::Check(check) => check.run(&mut report),
        Verb::Inspect(inspect) => inspect.run(&mut report),
        Verb::Embed(embed) => embed.run(&mut report),
        Verb::Bundle(bundle) => bundle.run(&mut report),
        Verb::Seal(seal) => seal.run(&mut report),
        Verb::Search(search) => search.run(&mut report),
        Verb::Environment(environment) => return decided(environment.run(&mut report), report),
        Verb::Changes(changes) => return decided(changes.run(&mut report), report),
        Verb::Why(why) => return decided(why.run(&mut report), report),
        Verb::Outdated(outdated) => outdated.run(&mut report),
        Verb::PrunePreview(preview) => preview.run(&mut report),
        Verb::Export(export) => export.run(&mut report),
        Verb::Mcp(mcp) => mcp.run(&mut report),
        Verb::Stats(stats) => stats.run(&mut report),
        Verb::Generate(generate) => generate.run(),
    };
    if let Err(failed) = outcome {
        report.failed(failed);
    }
    report.show();
    if report.has_problems() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Adds to an error about an argument too many that a cache is given with `--from`, if it is one for this command: for others,
/// it is an argument without an option.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let name = std::env::args_os().nth(1).unwrap_or_default();
    let arguments = Arguments::command();
    let takes_from = arguments.find_subcommand(name).is_some_and(|command| {
        command.get_arguments().any(|given| given.get_long() == Some("from"))
    });
    let is_option = |argument: &ContextValue| argument.to_string().starts_with('-');
    let is_extra = error.kind() == ErrorKind::UnknownArgument
        && !error.get(ContextKind::InvalidArg).is_some_and(is_option);
    if takes_from && is_extra {
        let tip = "the cache is given with '--from <INPUT>'".into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// Returns the exit code of a command that answers a yes-or-no question: 2 if it could not be decided.
fn decided(outcome: Result<ExitCode, Failure>, mut report: Report) -> ExitCode {
    let code = outcome.unwrap_or_else(|failed| {
        report.failed(failed);
        ExitCode::from(2)
    });
    report.show();
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits a command line into words as a shell does, up to a comment or another command.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quoted = false;
        for letter in line.chars() {
            match letter {
                '"' => quoted = !quoted,
                '#' | '<' | '|' | '&' | '>' if !quoted => break,
                ' ' if !quoted => words.push(String::new()),
                _ => words.last_mut().expect("there is one").push(letter),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn accepts_every_command_line_in_the_documentation() {
        let text = concat!(include_str!("../../../README.md"), include_str!("../../../Makefile"),);
        let calls = text.lines().map(str::trim_start).filter_map(|line| {
            let rest = line.split_once("cache-explorer ")?;
            let before = rest.0.trim_start_matches("run: ");
            (before.is_empty() || before.ends_with('/')).then(|| words(rest.1))
        });
        let calls: Vec<_> = calls.collect();
        assert!(calls.len() > 6, "{calls:?}");
        for call in calls {
            let parsed = Arguments::try_parse_from(
                std::iter::once("cache-explorer").chain(call.iter().map(String::as_str)),
            );
            assert!(
                parsed.is_ok(),
                "{call:?}: {}",
                parsed.err().map_or(String::new(), |e| e.to_string())
            );
        }
    }
}
