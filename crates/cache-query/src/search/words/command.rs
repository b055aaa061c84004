//! What people paste from a shell: commands and quoted specs, which are searched for by their spec, and paths with a hash.

use std::borrow::Cow;
use std::ops::Range;

use super::other_tools::of_other_tool;
use super::{LONGEST, Understood, words};

/// The options of `spack` itself whose value is the next word.
const GLOBAL: &[&str] =
    &["-e", "--env", "-D", "--env-dir", "-C", "--config-scope", "-c", "--config", "--color"];

/// Those of its subcommands that people copy with a spec: the words of the command, the number of names before the specs,
/// and the options whose value is the next word, all as of Spack 1.2 and earlier.
#[rustfmt::skip]
const WITH_SPECS: [(&str, usize, &[&str]); 15] = [
    ("install", 0, &[
        "-j", "--jobs", "-p", "--concurrent-packages", "-u", "--until", "--only", "--use-buildcache", "--test",
        "--log-format", "--log-file", "--file", "--cdash-upload-url", "--cdash-build", "--cdash-site", "--cdash-track",
        "--cdash-buildstamp",
    ]),
    ("spec", 0, &["-c", "--cover", "--format"]),
    ("find", 0, &["-t", "--tag", "--format", "--start-date", "--end-date", "--install-tree"]),
    ("load", 0, &["--only"]),
    ("unload", 0, &[]),
    ("add", 0, &["-l", "--list-name"]),
    ("solve", 0, &["-c", "--cover", "--format", "--show"]),
    ("info", 0, &[]),
    ("uninstall", 0, &["--origin"]),
    ("buildcache list", 0, &[]),
    ("buildcache install", 0, &[]),
    ("buildcache check", 0, &["-m", "--mirror-url", "-o", "--output-file", "--scope"]),
    ("buildcache push", 1, PUSHING),
    ("buildcache create", 1, PUSHING),
    ("mirror create", 0, &[
        "-d", "--directory", "-j", "--jobs", "--file", "--exclude-file", "--exclude-specs", "-n", "--versions-per-spec",
    ]),
];

/// The options of the command that puts builds into a cache.
const PUSHING: &[&str] =
    &["-k", "--key", "--only", "--base-image", "-t", "--tag", "--group", "-j", "--jobs"];

/// Subcommands without specs that people copy together with the others.
const WITHOUT_SPECS: [&str; 8] = [
    "concretize",
    "buildcache keys",
    "buildcache update-index",
    "buildcache rebuild-index",
    "mirror add",
    "mirror list",
    "mirror remove",
    "mirror set",
];

/// Returns a text in which the commands are overwritten by spaces, so that positions stay the same, and what is left out. If
/// there are several commands in a line, the first one with a spec is read. A text without a command is returned unchanged.
pub(in crate::search) fn without_commands(text: &str) -> (Cow<'_, str>, Vec<Understood>) {
    let all = commands(text);
    let read = |span: &Range<usize>| {
        let (plain, command) = without_command(&text[span.clone()]);
        Some((span.clone(), plain, command?)).filter(|(_, plain, _)| !plain.trim().is_empty())
    };
    let Some((span, plain, command)) = all.iter().find_map(read).filter(|_| all.len() > 1) else {
        let (plain, command) = without_command(text);
        return (plain, command.into_iter().collect());
    };
    let others = [&text[..span.start], &text[span.end..]]
        .map(|others| others.trim_matches(|c: char| c.is_whitespace() || BETWEEN.contains(&c)));
    let others = others.into_iter().filter(|others| !others.is_empty()).map(Understood::left_out);
    let spaces = |length: usize| " ".repeat(length);
    let plain = format!("{}{plain}{}", spaces(span.start), spaces(text.len() - span.end));
    (Cow::Owned(plain), [command].into_iter().chain(others).collect())
}

/// The characters between the commands of a line.
const BETWEEN: [char; 3] = ['&', ';', '|'];

/// Returns the spans of the commands in a line; a text that is too long for a line counts as one command.
fn commands(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(BETWEEN).filter(|_| text.len() <= LONGEST) {
        all.push(start..at);
        start = at + 1;
    }
    all.push(start..text.len());
    all
}

/// Does the same for a single command.
fn without_command(text: &str) -> (Cow<'_, str>, Option<Understood>) {
    let all = || words(text).skip_while(|span| matches!(&text[span.clone()], "$" | "sudo"));
    if let Some((plain, left_out)) = of_other_tool(text, all()) {
        return (Cow::Owned(plain), Some(left_out));
    }
    let mut words = all().peekable();
    if words.next_if(|span| &text[span.clone()] == "spack").is_none() {
        return (Cow::Borrowed(text), None);
    }
    let mut plain = text.to_owned();
    let mut spec = Vec::new();
    let mut command = String::new();
    let mut options = Vec::new();
    let mut known = None;
    while let Some(span) = words.next() {
        let word = &text[span.clone()];
        if word.starts_with('-') {
            let with_value = known.map_or(GLOBAL, |(_, options)| options);
            let value = with_value.contains(&word).then(|| words.next()).flatten();
            options.push(&text[span.start..value.map_or(span.end, |value| value.end)]);
        } else if known.is_some() {
            spec.push(span);
        } else {
            command =
                if command.is_empty() { word.to_owned() } else { format!("{command} {word}") };
            known = names_and_options(&command);
            let is_begun = || {
                let all = WITH_SPECS.iter().map(|(name, ..)| name).chain(&WITHOUT_SPECS);
                all.into_iter().any(|name| name.split(' ').next() == Some(word))
            };
            if known.is_none() && (command != word || !is_begun()) {
                return (Cow::Borrowed(text), None);
            }
        }
    }
    let Some((names, _)) = known else { return (Cow::Borrowed(text), None) };
    spec.drain(..names.min(spec.len()));
    let mut at = 0;
    let mut blank = |range: Range<usize>| {
        let spaces = " ".repeat(range.len());
        plain.replace_range(range, &spaces);
    };
    for span in spec {
        blank(at..span.start);
        at = span.end;
    }
    blank(at..text.len());
    let left_out = ["spack", &command].into_iter().chain(options).collect::<Vec<_>>().join(" ");
    (Cow::Owned(plain), Some(Understood::left_out(&left_out)))
}

/// Returns how many words precede the specs of a command, and its options that have a value; `None` if the command is
/// unknown.
fn names_and_options(command: &str) -> Option<(usize, &'static [&'static str])> {
    let with_specs = WITH_SPECS.iter().find(|(name, ..)| *name == command);
    let with_specs = with_specs.map(|(_, names, options)| (*names, *options));
    with_specs.or_else(|| WITHOUT_SPECS.contains(&command).then_some((usize::MAX, &[])))
}
