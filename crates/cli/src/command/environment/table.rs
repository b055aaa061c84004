//! The table about an environment for a terminal.

use std::io::{self, Write};

use cache_advice::environment::{AssessmentReport, Closest, SatisfyingBuilds, Unread};
use cache_index::build::Place;
use cache_ingest::visible;

use crate::command::nothing;

/// Returns a place as a mirror's path: `develop/e4s`, or only one of the two if the cache has no releases or no stacks.
fn path(place: &Place) -> String {
    match (place.release.as_str(), place.stack.as_str()) {
        ("", one) | (one, "") => one.to_owned(),
        (release, stack) => format!("{release}/{stack}"),
    }
}

/// Writes the result, each mirror's share, and what is missing.
pub(super) fn write(out: &mut impl Write, written: AssessmentReport<'_>) -> io::Result<()> {
    let AssessmentReport { index, environment, assessment } = written;
    writeln!(out, "{}", written.headline())?;
    let mirrors = &assessment.mirrors;
    if mirrors.shares.len() > 1 {
        for share in &mirrors.shares {
            let place = visible(&path(&share.place));
            writeln!(
                out,
                "  {:5} in {place}, {} of them needed to run",
                share.cached, share.cached_to_run
            )?;
        }
        let names: Vec<String> =
            mirrors.smallest.iter().map(|place| visible(&path(place))).collect();
        let fewest = if mirrors.is_smallest { "the fewest mirrors" } else { "few mirrors" };
        writeln!(out, "{fewest} that have all of these: {}", names.join(", "))?;
    }
    let (bytes, unknown) = assessment.bytes_to_run(index, environment);
    if bytes > 0 {
        let beside =
            if unknown > 0 { format!(" and {unknown} of unknown size") } else { String::new() };
        writeln!(out, "{bytes} bytes to download for what is needed to run{beside}")?;
    }
    if let Some(advice) = written.advice() {
        writeln!(out, "\n{advice}")?;
        let blocking = assessment.blockers.blocking().len();
        for (at, (node, substitutes)) in assessment.missing().enumerate() {
            if at == blocking && at > 0 {
                writeln!(out, "\nThen the other {}:", assessment.blockers.tops().len())?;
            }
            let build = &environment.nodes[node].build;
            let blocks = match assessment.blockers.blocks(node) {
                0 => String::new(),
                blocks => format!(", blocks {blocks}"),
            };
            let purpose =
                if assessment.coverage.is_needed_to_run(node) { "" } else { ", build only" };
            writeln!(
                out,
                "  {}@{} /{}{purpose}{blocks}",
                visible(&build.package),
                visible(&build.version),
                build.hash,
            )?;
            if let Some(Closest { build, differs, .. }) = substitutes.closest() {
                let hash = index.hash(build).map(|hash| hash.to_string()).unwrap_or_default();
                let is_same = !substitutes.by_content.is_empty();
                let what = if is_same { "there by content" } else { "nearest" };
                writeln!(out, "      {what}: /{hash}, differs in {differs}")?;
            }
        }
    }
    if !environment.is_concrete() {
        let mut current = None;
        for found in &assessment.specs {
            let (Ok(SatisfyingBuilds { group, .. }) | Err(Unread { group, .. })) = found;
            if group.as_ref() != current {
                current = group.as_ref();
                writeln!(out, "{}:", visible(group.as_deref().unwrap_or_default()))?;
            }
            match found {
                Ok(found) if found.is_developed => {
                    writeln!(out, "      -  {}: developed here", visible(&found.spec))?;
                }
                Ok(found) if found.is_external => {
                    writeln!(out, "      -  {}: external", visible(&found.spec))?;
                }
                Ok(found) => {
                    let more = if found.is_certain { "" } else { " or more" };
                    writeln!(out, "  {:5}{more}  {}", found.builds.len(), visible(&found.spec))?;
                    if found.builds.is_empty() && found.is_certain {
                        for reason in nothing::reasons(index, &found.spec) {
                            writeln!(out, "         {}", visible(&reason))?;
                        }
                    }
                }
                Err(unread) => {
                    writeln!(
                        out,
                        "      ?  {}: {}",
                        visible(&unread.spec),
                        visible(&unread.message)
                    )?;
                }
            }
        }
    }
    for undecided in &environment.undecided {
        writeln!(out, "not decided: {}", visible(undecided))?;
    }
    for note in written.notes() {
        writeln!(out, "{}", visible(&note))?;
    }
    Ok(())
}
