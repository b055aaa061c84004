//! What people paste from a shell: commands and quoted specs, which are searched for by their spec, and paths with a hash.

use std::borrow::Cow;
use std::ops::Range;

use super::{Understood, words};

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

/// Subcommands that people copy with the others, and which have no specs.
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

/// Commands of other tools, with which people ask for the same software.
const OF_OTHERS: [(&str, &[&str]); 10] = [
    ("module", &["load", "add", "avail", "spider"]),
    ("pip", &["install"]),
    ("pip3", &["install"]),
    ("conda", &["install"]),
    ("mamba", &["install"]),
    ("brew", &["install"]),
    ("apt", &["install"]),
    ("apt-get", &["install"]),
    ("dnf", &["install"]),
    ("yum", &["install"]),
];

/// Returns the words of another tool's command at the beginning of a text.
fn of_other_tool(
    text: &str,
    mut words: impl Iterator<Item = Range<usize>>,
) -> Option<Range<usize>> {
    let first = words.next()?;
    let (_, subcommands) = OF_OTHERS.iter().find(|(name, _)| *name == &text[first.clone()])?;
    let second = words.next()?;
    subcommands.contains(&&text[second.clone()]).then_some(first.start..second.end)
}

/// Returns a text in which the command is overwritten by spaces, so that positions stay the same, and the
/// command. A text without a command is returned unchanged.
pub(in crate::search) fn without_command(text: &str) -> (Cow<'_, str>, Option<Understood>) {
    let all = || words(text).skip_while(|span| &text[span.clone()] == "$");
    if let Some(command) = of_other_tool(text, all()) {
        let mut plain = text.to_owned();
        // `module load hdf5/1.14.3`.
        for word in words(text).filter(|word| word.start >= command.end) {
            let version = text[word.clone()].split_once('/').map(|(name, version)| {
                (word.start + name.len(), version.starts_with(|first: char| first.is_ascii_digit()))
            });
            if let Some((slash, true)) = version {
                plain.replace_range(slash..=slash, "@");
            }
        }
        plain.replace_range(..command.end, &" ".repeat(command.end));
        return (Cow::Owned(plain), Some(Understood::left_out(&text[command])));
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

/// Returns how many words of a command stand before its specs, and which of its options have a value; `None` if it is unknown.
fn names_and_options(command: &str) -> Option<(usize, &'static [&'static str])> {
    let with_specs = WITH_SPECS.iter().find(|(name, ..)| *name == command);
    let with_specs = with_specs.map(|(_, names, options)| (*names, *options));
    with_specs.or_else(|| WITHOUT_SPECS.contains(&command).then_some((usize::MAX, &[])))
}
