//! Environments: what a user wants installed, in each form in which Spack or a user writes it.
//!
//! | form | recognized by | read as |
//! | --- | --- | --- |
//! | `spack.lock`, versions 1 to 8 | JSON with `_meta` | roots and concrete specs |
//! | `spack spec --json` | JSON objects with `spec` | one root each, and its concrete specs |
//! | `spack spec --yaml` | YAML with `spec:` first | the same |
//! | `spack find --json` | a JSON list | a root for each element; their dependencies are not listed |
//! | `spack.yaml` | YAML with `spack:` | the specs, expanded as Spack expands them |
//! | the output of `spack find -l` and the like, lists of hashes or install folders | a hash before each spec, or on each line | a root for each hash |
//! | lines of a shell | `spack install`, `spack add` and the like | the specs of these lines |
//! | a list of specs | anything else | one spec per line; `#` starts a comment |
//!
//! From version 4 of lock files (Spack 0.18) on, a node is listed under its DAG hash, which is the hash that caches
//! use. Earlier versions may list a node under another hash, but state the DAG hash too, which is the one in the caches
//! of that time.

mod commands;
mod definitions;
mod include;
mod manifest;
mod pasted;
mod printed;
mod toolchains;
pub(crate) mod yaml;

pub use self::include::IncludedFile;

use self::printed::{read_json, read_specs_in_yaml};

use cache_index::build::Hash;
use cache_index::environment::{Environment, Root};
use spack_spec::{Dialect, Spec};

use crate::fields::Problems;
use crate::foreign::{ForeignFile, foreign_file, is_settings};
use crate::kind::{InputKind, START, kind};
use crate::mirror::{SIGNED, without_signature};
use crate::problem::{Finding, Position, Problem, quote};

/// Reads an environment in any of its forms, and no files that it includes.
///
/// # Errors
///
/// Every problem that was found, with its position. An environment is either read completely or not at all, since
/// counts of a part of it would mislead.
pub fn read_environment(bytes: &[u8]) -> Result<Environment, Vec<Problem>> {
    read_environment_with(bytes, &mut |_| IncludedFile::Unread)
}

/// Reads an environment in any of its forms. `open` takes a path as a `spack.yaml` includes it, relative to its folder or
/// absolute, and returns the file's content, or why there is none.
///
/// # Errors
///
/// As [`read_environment`].
pub fn read_environment_with(
    bytes: &[u8],
    open: &mut dyn FnMut(&str) -> IncludedFile,
) -> Result<Environment, Vec<Problem>> {
    let mut problems = Problems::default();
    let text = match text_of(bytes) {
        Ok(text) => text,
        Err(finding) => {
            problems.report("", finding);
            return problems.read(None).into_result();
        }
    };
    if let Some(finding) = not_an_environment(&text) {
        problems.report("", finding);
        return problems.read(None).into_result();
    }
    let text = without_messages(text);
    let environment = match text.trim_start().chars().next() {
        None => {
            problems.report("", Finding::NothingInIt);
            None
        }
        // `[+]` is how `spack spec -I` marks what is installed.
        Some('{') => read_json(&text, &mut problems),
        Some('[') if !is_marked(&text) => read_json(&text, &mut problems),
        Some(_) if is_spec_in_yaml(&text) => read_specs_in_yaml(&text, &mut problems),
        Some(_) if is_manifest(&text) => manifest::read_manifest(&text, open, &mut problems),
        Some(_) => read_lines(&text, &mut problems),
    };
    problems.read(environment).into_result()
}

/// Returns the text of a file, without its byte order mark, and without the signature around it if it is signed.
fn text_of(bytes: &[u8]) -> Result<String, Finding> {
    let wide: Option<fn([u8; 2]) -> u16> = match bytes {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        _ => None,
    };
    let text = match wide {
        Some(unit) => {
            let units = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
            let text: Result<String, _> = char::decode_utf16(units).collect();
            text.map_err(|_| Finding::Foreign(ForeignFile::WideText))?
        }
        None => {
            if let Some(file) = foreign_file(bytes) {
                return Err(Finding::Foreign(file));
            }
            let text = str::from_utf8(bytes);
            let text = text.map_err(|error| Finding::NotUtf8 { byte: error.valid_up_to() })?;
            text.trim_start_matches('\u{feff}').to_owned()
        }
    };
    match text.starts_with(SIGNED) {
        true => without_signature(&text).ok_or(Finding::CutOff),
        false => Ok(text),
    }
}

/// Recognizes a text that users mistake for an environment; `None` if it may be one.
fn not_an_environment(text: &str) -> Option<Finding> {
    let start = text.as_bytes();
    match kind(&start[..start.len().min(START)]) {
        InputKind::Database
        | InputKind::Index
        | InputKind::Site
        | InputKind::PackageData
        | InputKind::SpecsData => {
            return Some(Finding::Foreign(ForeignFile::Cache));
        }
        InputKind::MirrorFile
            if text.trim_start().starts_with('{')
                && first_key(text.trim_start()) != Some("spec") =>
        {
            return Some(Finding::PartOfAMirror);
        }
        _ => {}
    }
    let is_settings = is_settings(text) && !is_manifest(text);
    is_settings.then_some(Finding::Foreign(ForeignFile::Settings))
}

/// Replaces what Spack prints before JSON, `==> In environment demo`, by empty lines.
fn without_messages(text: String) -> String {
    let rest = text.trim_start_matches(|c: char| c.is_whitespace());
    let messages = rest.lines().take_while(|line| line.starts_with("==> ")).count();
    let json =
        rest.lines().nth(messages).is_some_and(|line| line.trim_start().starts_with(['{', '[']));
    match messages > 0 && json {
        true => {
            let lines = text.lines();
            let lines = lines.map(|line| if line.starts_with("==> ") { "" } else { line });
            lines.collect::<Vec<_>>().join("\n")
        }
        false => text,
    }
}

/// Returns `true` if a text starts with what `spack spec -I` prints before a spec, rather than with a list in JSON.
fn is_marked(text: &str) -> bool {
    let start = text.trim_start();
    ["[+]", "[^]", "[e]", "[-]", "[b]", "[ ]  "].iter().any(|mark| start.starts_with(mark))
}

/// The note on what is undecided in lines with commands.
const OPTIONS: &str = "the options of these commands, and other lines; only the specs after `spack install`, `spack add` and \
                       `spack spec` were read";

/// Reads a text written for people: the output of Spack, or a list of specs.
fn read_lines(text: &str, problems: &mut Problems) -> Option<Environment> {
    match pasted::read_pasted(text) {
        Some(Ok(environment)) => Some(environment),
        Some(Err(finding)) => {
            problems.report("", finding);
            None
        }
        None => match commands::in_commands(text) {
            None => Some(read_list(text, problems)),
            Some(specs) if specs.is_empty() => {
                problems.report("", Finding::Foreign(ForeignFile::Commands));
                None
            }
            Some(specs) => {
                let specs = specs.iter().map(|(number, spec)| (*number, spec.as_str())).collect();
                let undecided = vec![OPTIONS.to_owned()];
                Some(Environment { undecided, ..read_specs(specs, problems) })
            }
        },
    }
}

/// The endings of the names of files with lists of specs.
const LISTS: [&str; 4] = [".txt", ".list", ".specs", ".sh"];

/// Returns `true` if the contents of a file are an environment rather than a part of a cache. Any text could be a list
/// of specs, so a list must have the name of one, and be read without problems.
pub fn is_environment(bytes: &[u8], name: &str) -> bool {
    let Ok(text) = text_of(bytes) else { return false };
    let text = text.trim_start();
    match kind(&bytes[..bytes.len().min(START)]) {
        // What `spack spec --json` prints for one spec is also a file of a v2 mirror.
        InputKind::MirrorFile => first_key(text) == Some("spec"),
        InputKind::Unknown if text.starts_with('{') => first_key(text) == Some("_meta"),
        InputKind::Unknown if text.starts_with('[') && !is_marked(text) => true,
        InputKind::Unknown if is_manifest(text) || is_spec_in_yaml(text) => true,
        InputKind::Unknown if LISTS.iter().any(|ending| name.ends_with(ending)) => {
            let mut problems = Problems::default();
            let environment = read_lines(text, &mut problems);
            problems.len() == 0 && environment.is_some_and(|it| !it.roots.is_empty())
        }
        _ => false,
    }
}

/// Returns the first key of the text of a JSON object.
fn first_key(text: &str) -> Option<&str> {
    let (key, _) = text.strip_prefix('{')?.trim_start().strip_prefix('"')?.split_once('"')?;
    Some(key)
}

/// Returns `true` if a text is YAML with the key `spack` at the top level, or `env`, as it was called before Spack 0.20.
fn is_manifest(text: &str) -> bool {
    let has_specs = text.lines().any(|line| line.starts_with(' ') && line.trim() == "specs:");
    text.lines().any(|line| match line.split_once(':') {
        Some(("spack" | "\"spack\"" | "'spack'", _)) => true,
        Some(("env", rest)) => rest.trim().is_empty() && has_specs,
        _ => false,
    })
}

/// Returns `true` for what `spack spec --yaml` prints. Similar files of older versions are recognized earlier.
fn is_spec_in_yaml(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end).filter(|line| !matches!(*line, "" | "---"));
    lines.next() == Some("spec:") && lines.next().is_some_and(|line| line.starts_with(' '))
}

/// The number of lines that are reported in a text that is not a list of specs.
const FIRST_LINES: usize = 3;

/// Reads a list of specs, one per line; a complete hash alone is one too. Blank lines and text after ` #` are ignored,
/// and so is `- ` at the start of a line, as in a list copied from YAML.
fn read_list(text: &str, problems: &mut Problems) -> Environment {
    let lines = (1..).zip(text.lines()).map(|(number, line)| {
        let line = line.trim();
        let line = line.strip_prefix("- ").unwrap_or(line);
        let end = if line.starts_with('#') { 0 } else { line.find(" #").unwrap_or(line.len()) };
        (number, line[..end].trim())
    });
    read_specs(lines.filter(|(_, line)| !line.is_empty()).collect(), problems)
}

/// Reads specs, each with the number of its line.
///
/// Any text is read as a list if it is nothing else. If most of its lines are not specs, it is something else, and only
/// the first of them are reported.
fn read_specs(lines: Vec<(usize, &str)>, problems: &mut Problems) -> Environment {
    let mut environment = Environment::default();
    let mut wrong = Vec::new();
    for (number, line) in lines {
        // No package has a name like that.
        if let Ok(hash) = line.parse::<Hash>() {
            environment.roots.push(Root {
                spec: format!("/{hash}"),
                group: None,
                hash: Some(hash),
            });
            continue;
        }
        match Spec::parse(line, Dialect::V1) {
            Ok(spec) => {
                let hash = spec.root.hash.as_deref().and_then(|hash| hash.parse().ok());
                environment.roots.push(Root { spec: spec.to_string(), group: None, hash });
            }
            Err(error) => {
                let at = Position { line: Some(number), ..Position::default() };
                let message = error.to_string();
                wrong.push(Problem {
                    at,
                    finding: Finding::NotASpec { found: quote(line), message },
                });
            }
        }
    }
    let (all, specs) = (wrong.len(), environment.roots.len());
    if all > FIRST_LINES && all > specs {
        let lines = all + specs;
        problems.report("", Finding::NotAListOfSpecs { wrong: all, lines });
        problems.extend(wrong.drain(..FIRST_LINES));
        problems.report("", Finding::MoreNotSpecs { more: all - FIRST_LINES });
    } else {
        problems.extend(wrong);
    }
    environment
}
