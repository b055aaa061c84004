//! The address of a query: its text form, as the query string of a URL.
//!
//! ```text
//! ?q=hdf5&os=ubuntu22.04&os=rhel8&target=x86_64_v3&not.stack=tutorial&sort=-version
//! ```
//!
//! | key | meaning |
//! | --- | --- |
//! | `q` | the search text |
//! | a [facet's key](Facet::key) | a value to include; repeated, the values are alternatives |
//! | `not.` and a facet's key | a value to exclude |
//! | `all=stack`, `all=release`, `all=variant`, `all=provider` | all included values of this facet are required, not just one of them |
//! | `hash` | one build, by its complete hash; several are compared |
//! | `compare` | one of the builds to compare, by hash |
//! | `environment` | an environment that was read from a file, by its id on the user's device; empty to ask for one |
//! | `spec` | one of the specs of an environment |
//! | `changes` | what changed between two sides, `v2026.03.0/e4s..develop/e4s`; empty to ask for them |
//! | `host` | the machine that builds should run on, `linux.ubuntu24.04.zen4` |
//! | `gpu` | a GPU of that machine, `H100`, `sm_90` or `gfx90a`; repeat the key for more |
//! | `spack` | the Spack on that machine, `1.1`, which decides what it reuses |
//! | `reuse` | its setting `concretizer:reuse`: `dependencies` or `false` |
//! | `reuse.from` | a source of builds: `buildcache`, to which the lists after it belong, or `none` if no cache is a source |
//! | `reuse.include`, `reuse.exclude` | a spec in the lists of that name |
//! | `reuse.root` | a spec that is asked for, which decides where only dependencies are reused |
//! | `reuse.targets` | `generic`: only targets of no vendor; `family`: those too that the machine does not run |
//! | `reuse.os`, `reuse.compatible` | an OS, and one whose builds run on it, except on Linux |
//! | `reuse.repository` | the namespace of a package repository of the user's |
//! | `reuse.external`, `reuse.prefix`, `reuse.module` | an external of the user's, its prefix and its modules |
//! | `reuse.unapplied` | a setting of the user's that is not applied; the page names it |
//! | `tree`, `tree.padded` | the root of the install tree on that machine, and the length that it is padded to |
//! | `runs` | a verdict on that machine to show: `yes`, `no`, `unknown`; repeat the key for more |
//! | `uses` | `gpu`: only builds with GPU code that runs on one of these GPUs |
//! | `since` | builds that first appeared on this day or later, `2026-11-14` |
//! | `file`, `import` | a file or a Python module that builds have; repeat the key for more, which they must have too |
//! | `signed` | `yes` or `no`: builds whose manifest is signed, or is not |
//! | `license` | a licence of packages, as their recipes name it; repeat the key for others that will do |
//! | `tab` | the part of the view to show instead of its list: `coverage`, `install`, `uses`, `outdated`, `about`, `help` |
//! | `across` | the columns of the coverage matrix: `compiler` or `stack` instead of OS and target |
//! | `gaps` | `only`: a matrix shows the rows in which something is absent, and no others |
//! | `only` | a stack: a matrix shows the packages that none of its other stacks has |
//! | `mirror` | the release and stack whose mirror is shown, `develop/e4s` |
//! | `status` | the specs of an environment that are shown: `missing`, `cached`, `external` |
//! | `needed` | `run`: of these, only what is needed to run |
//! | `name` | of these, only packages whose name contains this |
//! | `class` | the class of changes that is shown, `new-version` |
//! | `sort` | a column's name, with `-` before it for descending order |
//! | `columns` | the columns to show, separated by commas |
//!
//! The names `package`, `hash`, `version`, `variant`, `platform`, `os`, `target`, `stack` and
//! `release` mean the same fields as on cache.spack.io.
//!
//! [`encode`] writes keys in this order and leaves defaults out, so equal queries have equal
//! addresses. [`decode`] accepts any text and never fails: it [reports](IgnoredPart) what it does not
//! understand. They are inverses for every query of at most [`MOST_PAIRS`] that [`apply`](crate::apply) can make.
//!
//! Many programs turn `+` into a space, in either direction, so `+mpi` is written `variant=mpi`; `+mpi`, `%2Bmpi` and `
//! mpi` are all read as the same value.

mod presentation;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use cache_index::facet::Facet;
use cache_index::number::grouped;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::Preference;
use crate::host::Runs;
use crate::{AskedEnvironment, AskedHash, Match, PartFilter, Query};

/// The maximum number of keys with values that are read from an address, so that no address blocks the page: every
/// link of a page repeats them.
pub const MOST_PAIRS: usize = 1000;

/// A part of an address that is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IgnoredPart {
    /// An unknown key.
    Key(String),
    /// A value that is not valid for its key.
    Value {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// Everything after the first [`MOST_PAIRS`], by number.
    Rest(usize),
}

impl fmt::Display for IgnoredPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IgnoredPart::Key(key) => write!(f, "{key}"),
            IgnoredPart::Value { key, value } => write!(f, "{key}={value}"),
            IgnoredPart::Rest(pairs) => {
                write!(f, "{} after the first {MOST_PAIRS}", grouped(*pairs))
            }
        }
    }
}

/// Writes a query as `key=value&key=value`, without a leading `?`; the front page is empty.
pub fn encode(query: &Query) -> String {
    let Query { question, presentation } = query;
    let mut address = Writer::default();
    if !question.text.is_empty() {
        address.pair("q", &question.text);
    }
    for facet in Facet::ALL {
        for value in question.choice(facet).included() {
            address.pair(facet.key(), written(facet, value));
        }
    }
    for facet in Facet::ALL {
        for value in question.choice(facet).excluded() {
            address.pair(&format!("not.{}", facet.key()), written(facet, value));
        }
    }
    for facet in Facet::ALL {
        if question.choice(facet).matching() == Match::All {
            address.pair("all", facet.key());
        }
    }
    if let Some(hash) = &question.hash {
        address.pair("hash", &hash.to_string());
    }
    for hash in &question.compare {
        address.pair("compare", &hash.to_string());
    }
    if let Some(AskedEnvironment { file, specs }) = &question.environment {
        if file.is_some() || specs.is_empty() {
            address.pair("environment", file.as_deref().unwrap_or_default());
        }
        specs.iter().for_each(|spec| address.pair("spec", spec));
    }
    if let Some(changes) = &question.changes {
        address.pair("changes", &changes.to_string());
    }
    if let Some(host) = &question.host {
        address.pair("host", &host.to_string());
    }
    question.gpus.iter().for_each(|gpu| address.pair("gpu", gpu));
    if let Some(preference) = &question.preference {
        preference.write_pairs(&mut |key, value| address.pair(key, value));
    }
    for runs in &question.runs {
        address.pair("runs", runs.key());
    }
    if question.only_on_gpu {
        address.pair("uses", GPU);
    }
    if let Some(since) = &question.since {
        address.pair("since", since);
    }
    for filter in &question.part_filters {
        let (key, value) = filter.words();
        address.pair(key, &value);
    }
    presentation::write(presentation, &mut address);
    address.text
}

/// Writes a version of Spack and its settings as a part of an address; empty for today's Spack with its default
/// settings.
pub fn encode_preference(preference: &Preference) -> String {
    let mut address = Writer::default();
    if let Some(preference) = preference.tidied() {
        preference.write_pairs(&mut |key, value| address.pair(key, value));
    }
    address.text
}

/// Reads what [`encode_preference`] writes, and ignores everything else.
pub fn decode_preference(address: &str) -> Preference {
    let mut preference = Preference::default();
    for pair in address.split('&').take(MOST_PAIRS) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let _ = preference.read_pair(&decode_text(key), &decode_text(value));
    }
    preference
}

/// Reads the query of a URL, with or without its leading `?`.
pub fn decode(address: &str) -> (Query, Vec<IgnoredPart>) {
    let mut query = Query::default();
    let mut ignored = Vec::new();
    let address = address.strip_prefix('?').unwrap_or(address);
    let mut pairs = address.split('&').filter(|pair| !pair.is_empty());
    for pair in pairs.by_ref().take(MOST_PAIRS) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (key, value) = (decode_text(key), decode_text(value));
        if !read(&mut query, &key, &value) {
            let known = is_key(&key);
            ignored.push(if known {
                IgnoredPart::Value { key, value }
            } else {
                IgnoredPart::Key(key)
            });
        }
    }
    let rest = pairs.count();
    if rest > 0 {
        ignored.push(IgnoredPart::Rest(rest));
    }
    let (hash, compare) = (&mut query.question.hash, &mut query.question.compare);
    if !compare.is_empty()
        && let Some(hash) = hash.take()
    {
        push_once(compare, hash);
    }
    (query, ignored)
}

/// The one value of `uses`.
const GPU: &str = "gpu";

/// The keys of a question that are not a facet's, apart from those of a [`Preference`] and a [`PartFilter`].
const QUESTION_KEYS: [&str; 12] = [
    "q",
    "all",
    "hash",
    "compare",
    "environment",
    "spec",
    "changes",
    "host",
    "gpu",
    "runs",
    "uses",
    "since",
];

fn is_key(key: &str) -> bool {
    QUESTION_KEYS.contains(&key)
        || PartFilter::KEYS.contains(&key)
        || Preference::KEYS.contains(&key)
        || presentation::KEYS.contains(&key)
        || Facet::from_key(key.strip_prefix("not.").unwrap_or(key)).is_some()
}

/// Returns `true` if an address asks for more than values of facets and a search text. The app reads this with code that a
/// first visit does not need.
pub fn is_beyond_first_visits(address: &str) -> bool {
    let address = address.strip_prefix('?').unwrap_or(address);
    let mut keys = address.split('&').map(|pair| pair.split('=').next().unwrap_or_default());
    keys.any(|key| {
        Preference::KEYS.contains(&key)
            || PartFilter::KEYS.contains(&key)
            || QUESTION_KEYS.contains(&key) && !["q", "all"].contains(&key)
    })
}

/// Reads one pair into the query, and returns `true` if it was understood.
fn read(query: &mut Query, key: &str, value: &str) -> bool {
    let Query { question, presentation } = query;
    match key {
        "q" if !question.text.is_empty() => return false,
        "q" => question.text = value.to_owned(),
        "all" => match Facet::from_key(value).filter(|facet| facet.is_multi_valued()) {
            Some(facet) => question.choice_mut(facet).set_matching(Match::All),
            None => return false,
        },
        "hash" => match question.hash.take() {
            Some(other) if other != value.into() => {
                push_once(&mut question.compare, other);
                push_once(&mut question.compare, value.into());
            }
            _ => question.hash = Some(value.into()),
        },
        // As people write it: `compare=one,other`.
        "compare" => {
            value.split(',').for_each(|hash| push_once(&mut question.compare, hash.into()))
        }
        "host" => match value.parse() {
            // The first one counts.
            Ok(host) if question.host.as_ref().is_some_and(|first| *first != host) => return false,
            Ok(host) => question.host = Some(host),
            Err(_) => return false,
        },
        "runs" => match Runs::from_key(value) {
            Some(runs) => {
                if let Err(at) = question.runs.binary_search(&runs) {
                    question.runs.insert(at, runs);
                }
            }
            None => return false,
        },
        "environment" => {
            let file = (!value.is_empty()).then(|| value.to_owned());
            question.environment.get_or_insert_default().file = file;
        }
        "spec" => question.add_spec(value),
        "changes" => question.changes = Some(value.into()),
        "gpu" if value.trim().is_empty() => return false,
        "gpu" => question.add_gpu(value),
        "uses" if value == GPU => question.only_on_gpu = true,
        "uses" => return false,
        "since" if is_time(value) => question.since = Some(value.to_owned()),
        "since" => return false,
        _ if PartFilter::KEYS.contains(&key) => match PartFilter::read(key, value) {
            Some(filter) => question.add_part_filter(filter),
            None => return false,
        },
        _ if Preference::KEYS.contains(&key) => {
            let mut preference = question.preference();
            if Arc::make_mut(&mut preference).read_pair(key, value).is_none() {
                return false;
            }
            let is_default = *preference == Preference::default();
            question.preference = (!is_default).then_some(preference);
        }
        _ if presentation::KEYS.contains(&key) => {
            return presentation::read(presentation, key, value).is_some();
        }
        _ => {
            let (name, excluded) = match key.strip_prefix("not.") {
                Some(name) => (name, true),
                None => (key, false),
            };
            let Some(facet) = Facet::from_key(name) else { return false };
            let value = facet.canonical(value);
            let choice = question.choice_mut(facet);
            match excluded {
                true if choice.included().iter().any(|other| *other == value) => return false,
                false if choice.excluded().iter().any(|other| *other == value) => return false,
                true => choice.exclude(value),
                false => choice.include(value),
            }
        }
    }
    true
}

/// Returns `true` for a day, `2026-11-14`, or a time in UTC, `2026-11-14T09:50:00Z`: they are compared as texts.
fn is_time(text: &str) -> bool {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00Z";
    let is_like = |(&byte, &shape): (&u8, &u8)| match shape {
        b'0' => byte.is_ascii_digit(),
        _ => byte == shape,
    };
    if ![10, SHAPE.len()].contains(&text.len()) || !text.as_bytes().iter().zip(SHAPE).all(is_like) {
        return false;
    }
    // Only digits are at these positions.
    let number = |at: usize, len: usize| text[at..at + len].parse::<u32>().unwrap_or_default();
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2));
    let days = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    let is_day = (1..=days).contains(&day);
    is_day && (text.len() == 10 || number(11, 2) < 24 && number(14, 2) < 60 && number(17, 2) <= 60)
}

fn push_once(list: &mut Vec<AskedHash>, hash: AskedHash) {
    if !list.contains(&hash) {
        list.push(hash);
    }
}

/// Returns a facet's value as addresses write it: an enabled variant without its `+`, if that reads as the same value
/// again.
fn written(facet: Facet, value: &str) -> &str {
    match value.strip_prefix('+') {
        Some(name) if facet.canonical(name) == value => name,
        _ => value,
    }
}

#[derive(Default)]
struct Writer {
    text: String,
}

impl Writer {
    fn pair(&mut self, key: &str, value: &str) {
        if !self.text.is_empty() {
            self.text.push('&');
        }
        self.text.push_str(key);
        self.text.push('=');
        self.text.extend(utf8_percent_encode(value, ESCAPED));
    }
}

/// All characters except those that are escaped neither by browsers nor by programs that addresses are pasted into.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':')
    .remove(b'/')
    .remove(b'@')
    .remove(b',')
    .remove(b'=');

/// Decodes `+` and percent escapes. A `%` that does not start an escape is kept; bytes that are not UTF-8 become
/// U+FFFD.
fn decode_text(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}
