//! The command `cache-explorer`: makes a static site of any Spack build cache.
//!
//! What it does is in [`command`], one file for each verb. Reading is the business of the crate
//! `cache-index`; here files are found and opened ([`inputs`]), problems are shown ([`report`]), and
//! results are written whole or not at all ([`output`]).
//!
//! Results and summaries go to the standard output, problems to the standard error. The exit code
//! is 0 if all is well, 1 for a problem with the input, 2 for a command line that is not understood.

mod command;
mod inputs;
mod output;
mod page_html;
mod progress;
mod report;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use report::Report;

/// Make a static site of a Spack build cache, which says what is in it and how to install it.
///
/// The site itself is a folder of files, built once. This command puts a cache's index into it:
///
///     cache-explorer check pages/             # is everything as it should be?
///     cache-explorer embed pages/ --into dist/ # publish it
///
/// Inputs are cache pages, Spack's database files, mirrors, and manifests that name mirrors; or
/// folders of such. What a file is, is told by its content and not by its name. It may be
/// compressed with gzip or zstd.
#[derive(Parser)]
#[command(version, verbatim_doc_comment, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Index(command::index::Index),
    Check(command::check::Check),
    Embed(command::embed::Embed),
    Bundle(command::bundle::Bundle),
    Search(command::search::Search),
    Stats(command::stats::Stats),
    Generate(command::generate::Generate),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut report = Report::default();
    let outcome = match arguments.command {
        Verb::Index(index) => index.run(&mut report),
        Verb::Check(check) => check.run(&mut report),
        Verb::Embed(embed) => embed.run(&mut report),
        Verb::Bundle(bundle) => bundle.run(&mut report),
        Verb::Search(search) => search.run(&mut report),
        Verb::Stats(stats) => stats.run(&mut report),
        Verb::Generate(generate) => generate.run(),
    };
    if let Err(failed) = outcome {
        report.failed(&failed);
    }
    if report.has_problems() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
