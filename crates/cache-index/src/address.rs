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
//! | `hash` | one build, by its complete hash |
//! | `compare` | one of the builds to compare, by hash |
//! | `environment` | an environment that was read from a file, by its id on the person's device; empty to ask for one |
//! | `spec` | one of the specs of an environment |
//! | `host` | the machine that builds should run on, `linux.ubuntu24.04.zen4` |
//! | `spack` | the Spack on that machine, `1.1`, which decides what it reuses |
//! | `reuse` | its setting `concretizer:reuse`: `dependencies` or `false` |
//! | `reuse.include`, `reuse.exclude` | a spec in the lists of that name |
//! | `reuse.root` | a spec that is asked for, which decides where only dependencies are reused |
//! | `runs` | a verdict on that machine to show: `yes`, `no`, `unknown`; repeat the key for more |
//! | `tab` | the part of the view to show instead of its list: `coverage`, `install`, `uses`, `about` |
//! | `across` | the columns of the coverage matrix: `compiler` or `stack` instead of OS and target |
//! | `gaps` | `only`: a matrix shows the rows in which something is absent, and no others |
//! | `sort` | a column's name, with `-` before it for descending order |
//! | `columns` | the columns to show, separated by commas |
//!
//! The names `package`, `hash`, `version`, `variant`, `platform`, `os`, `target`, `stack` and
//! `release` mean the same fields as on cache.spack.io.
//!
//! [`encode`] writes keys in this order and leaves defaults out, so equal queries have equal
//! addresses. [`decode`] accepts any text and never fails: it [reports](Ignored) what it does not
//! understand. They are inverses for every query of at most [`MOST_PAIRS`] that [`apply`](crate::query::apply) can make.
//!
//! Many programs turn `+` into a space, in either direction, so `+mpi` is written `variant=mpi`; `+mpi`, `%2Bmpi` and `
//! mpi` are all read as the same value.

use std::borrow::Cow;
use std::fmt;

use crate::facet::Facet;
use crate::host::Runs;
use crate::number::grouped;
use crate::query::{Across, AskedHash, Column, Match, Query, Sort, Tab};
use crate::reuse::{self, Preference, Reuse, SpackVersion};

/// The maximum number of keys with values that are read of an address, so that none blocks the page: every link of a
/// page repeats them.
pub const MOST_PAIRS: usize = 1000;

/// A part of an address that is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ignored {
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

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ignored::Key(key) => write!(f, "{key}"),
            Ignored::Value { key, value } => write!(f, "{key}={value}"),
            Ignored::Rest(pairs) => write!(f, "{} after the first {MOST_PAIRS}", grouped(*pairs)),
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
    for hash in &question.hashes {
        address.pair("hash", &hash.to_string());
    }
    for hash in &question.compare {
        address.pair("compare", &hash.to_string());
    }
    if let Some(environment) = &question.environment {
        address.pair("environment", environment);
    }
    question.specs.iter().for_each(|spec| address.pair("spec", spec));
    if let Some(host) = &question.host {
        address.pair("host", &host.to_string());
    }
    let Preference { spack, reuse, include, exclude, asked } = &question.preference;
    if *spack != SpackVersion::default() {
        address.pair("spack", &spack.to_string());
    }
    if *reuse != Reuse::default() {
        address.pair("reuse", reuse.key());
    }
    for (key, specs) in [("include", include), ("exclude", exclude), ("root", asked)] {
        specs.iter().for_each(|spec| address.pair(&format!("reuse.{key}"), spec));
    }
    for runs in &question.runs {
        address.pair("runs", runs.key());
    }
    if presentation.tab != Tab::default() {
        address.pair("tab", presentation.tab.key());
    }
    if presentation.across != Across::default() {
        address.pair("across", presentation.across.key());
    }
    if presentation.gaps {
        address.pair("gaps", GAPS_ONLY);
    }
    if let Some(Sort { column, descending }) = presentation.sort {
        let sign = if descending { "-" } else { "" };
        address.pair("sort", &format!("{sign}{}", column.key()));
    }
    if let Some(columns) = &presentation.columns {
        let keys: Vec<&str> = columns.iter().map(|column| column.key()).collect();
        address.pair("columns", &keys.join(","));
    }
    address.text
}

/// Reads the query of a URL, with or without its leading `?`.
pub fn decode(address: &str) -> (Query, Vec<Ignored>) {
    let mut query = Query::default();
    let mut ignored = Vec::new();
    let address = address.strip_prefix('?').unwrap_or(address);
    let mut pairs = address.split('&').filter(|pair| !pair.is_empty());
    for pair in pairs.by_ref().take(MOST_PAIRS) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (key, value) = (decode_text(key), decode_text(value));
        if !read(&mut query, &key, &value) {
            let known = is_key(&key);
            ignored.push(if known { Ignored::Value { key, value } } else { Ignored::Key(key) });
        }
    }
    let rest = pairs.count();
    if rest > 0 {
        ignored.push(Ignored::Rest(rest));
    }
    (query, ignored)
}

const OTHER_KEYS: [&str; 18] = [
    "q",
    "all",
    "hash",
    "compare",
    "environment",
    "spec",
    "host",
    "spack",
    "reuse",
    "reuse.include",
    "reuse.exclude",
    "reuse.root",
    "runs",
    "tab",
    "across",
    "gaps",
    "sort",
    "columns",
];

/// The one value of the key `gaps`.
const GAPS_ONLY: &str = "only";

fn is_key(key: &str) -> bool {
    OTHER_KEYS.contains(&key) || Facet::from_key(key.strip_prefix("not.").unwrap_or(key)).is_some()
}

/// Reads one pair into the query, and returns `true` if it was understood.
fn read(query: &mut Query, key: &str, value: &str) -> bool {
    let Query { question, presentation } = query;
    match key {
        "q" => question.text = value.to_owned(),
        "all" => match Facet::from_key(value).filter(|facet| facet.is_multi_valued()) {
            Some(facet) => question.choice_mut(facet).set_matching(Match::All),
            None => return false,
        },
        "hash" => push_once(&mut question.hashes, value),
        "compare" => push_once(&mut question.compare, value),
        "environment" => question.environment = Some(value.to_owned()),
        "spec" => question.add_spec(value),
        "host" => match value.parse() {
            Ok(host) => question.host = Some(host),
            Err(_) => return false,
        },
        "spack" => match value.parse() {
            Ok(spack) => question.preference.spack = spack,
            Err(_) => return false,
        },
        "reuse" => match Reuse::from_key(value) {
            Some(reuse) => question.preference.reuse = reuse,
            None => return false,
        },
        "reuse.include" => push_spec(&mut question.preference.include, value),
        "reuse.exclude" => push_spec(&mut question.preference.exclude, value),
        "reuse.root" => push_spec(&mut question.preference.asked, value),
        "runs" => match Runs::from_key(value) {
            Some(runs) => {
                if let Err(at) = question.runs.binary_search(&runs) {
                    question.runs.insert(at, runs);
                }
            }
            None => return false,
        },
        "tab" => match Tab::from_key(value) {
            Some(tab) => presentation.tab = tab,
            None => return false,
        },
        "across" => match Across::from_key(value) {
            Some(across) => presentation.across = across,
            None => return false,
        },
        "gaps" => match value {
            GAPS_ONLY => presentation.gaps = true,
            _ => return false,
        },
        "sort" => {
            let (name, descending) = match value.strip_prefix('-') {
                Some(name) => (name, true),
                None => (value, false),
            };
            match Column::from_key(name) {
                Some(column) => presentation.sort = Some(Sort { column, descending }),
                None => return false,
            }
        }
        "columns" => {
            let columns: Option<Vec<Column>> = value.split(',').map(Column::from_key).collect();
            match columns {
                Some(columns) => presentation.columns = Some(Column::set(&columns)),
                None => return false,
            }
        }
        _ => {
            let (name, excluded) = match key.strip_prefix("not.") {
                Some(name) => (name, true),
                None => (key, false),
            };
            let Some(facet) = Facet::from_key(name) else { return false };
            let value = facet.canonical(value);
            match excluded {
                true => question.choice_mut(facet).exclude(value),
                false => question.choice_mut(facet).include(value),
            }
        }
    }
    true
}

/// Adds a spec, of which a program may have turned the leading `+` into a space.
fn push_spec(list: &mut Vec<String>, value: &str) {
    match value.strip_prefix(' ') {
        Some(variant) => reuse::push_once(list, &format!("+{variant}")),
        None => reuse::push_once(list, value),
    }
}

fn push_once(list: &mut Vec<AskedHash>, value: &str) {
    let hash = AskedHash::from(value);
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
        for &byte in value.as_bytes() {
            if is_plain(byte) {
                self.text.push(char::from(byte));
            } else {
                self.text.push('%');
                for digit in [byte >> 4, byte & 15] {
                    self.text.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
                }
            }
        }
    }
}

/// Returns `true` for a byte that no browser escapes, and no program that addresses are pasted into.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/@,=".contains(&byte)
}

/// Decodes `+` and percent escapes. A `%` that does not start an escape is kept; bytes that are not UTF-8 become
/// U+FFFD.
fn decode_text(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
                continue;
            }
            (b'+', ..) => decoded.push(b' '),
            (byte, ..) => decoded.push(byte),
        }
        at += 1;
    }
    match String::from_utf8_lossy(&decoded) {
        Cow::Borrowed(text) => text.to_owned(),
        Cow::Owned(text) => text,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::query::{Change, View, apply};
    use crate::sample;
    use crate::search::Typed;

    fn changes() -> impl Strategy<Value = Vec<Change>> {
        // Arbitrary text, and text that has a meaning for some key.
        let text = prop_oneof![
            any::<String>(),
            "[a-z+~=:,%&#<>\"' @/.é\u{202e}-]{0,6}",
            "[+~-][a-z]{1,3}",
            "[a-z]{1,3}:?=[a-z+]{0,3}",
        ];
        let facet = prop::sample::select(Facet::ALL.to_vec());
        let column = prop::sample::select(Column::ALL.to_vec());
        let matching = prop::sample::select(vec![Match::Any, Match::All]);
        let change = (0..18, facet, text, column, matching, any::<bool>()).prop_map(
            |(kind, facet, text, column, matching, descending)| match kind {
                0 => {
                    Change::Type(Typed { looks_for: Some(text.clone()), text, choices: Vec::new() })
                }
                1 | 2 => Change::Toggle(facet, text),
                3 => Change::ToggleExcluded(facet, text),
                4 => Change::Only(facet, text),
                5 => Change::Include(facet, text),
                6 => Change::Match(facet, matching),
                7 => Change::OpenPackage(text),
                8 => Change::OpenBuild(sample::hash(text.len())),
                9 => Change::Tab(if descending { Tab::Coverage } else { Tab::Install }),
                10 => Change::Across(if descending { Across::Stack } else { Across::Compiler }),
                11 => Change::Host(text.parse().or("linux.a.zen4.glibc@2.3".parse()).ok()),
                12 => Change::ToggleRuns(if descending { Runs::Yes } else { Runs::Unknown }),
                13 => Change::Sort(Sort { column, descending }),
                14 => Change::Prefer(Preference {
                    spack: if descending { "0.23" } else { "1.2" }.parse().expect("a version"),
                    reuse: if descending { Reuse::Nothing } else { Reuse::Dependencies },
                    include: vec![text.clone(), text.clone()],
                    exclude: Vec::new(),
                    asked: vec![text, "zlib".to_owned()],
                }),
                15 => Change::Gaps(descending),
                16 => Change::OpenEnvironment(
                    if descending { String::new() } else { "0f".to_owned() },
                    vec![
                        "hdf5+mpi cflags=\"-O2 -g\" ^mpich@4: build_type=Release".to_owned(),
                        text,
                    ],
                ),
                _ => Change::Columns(Some(vec![column, Column::Hash])),
            },
        );
        prop::collection::vec(change, 0..8)
    }

    #[test]
    fn reads_a_limited_number_of_pairs() {
        let pairs: Vec<String> = (0..20_000).map(|number| format!("os=x{number}")).collect();
        let (query, ignored) = decode(&pairs.join("&"));
        assert_eq!(query.question.choice(Facet::Os).included().len(), MOST_PAIRS);
        assert_eq!(ignored, [Ignored::Rest(19_000)]);
        assert_eq!(ignored[0].to_string(), "19,000 after the first 1000");
        assert_eq!(decode(&pairs[..MOST_PAIRS].join("&")).1, []);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn decodes_what_it_encodes(changes in changes()) {
            let query = changes.into_iter().fold(Query::default(), |q, change| apply(&q, change));
            let address = encode(&query);
            prop_assert_eq!(decode(&address), (query.clone(), vec![]), "{}", address);
            // Programs along the way may escape more than necessary, or unescape what they can.
            prop_assert!(address.is_ascii());
            prop_assert!(!address.contains([' ', '"', '<', '>', '#', '\'', '+']));
        }

        #[test]
        fn writes_any_address_in_canonical_form(text in ".*") {
            let (query, _) = decode(&text);
            let written = encode(&query);
            prop_assert_eq!(decode(&written), (query, vec![]));
        }
    }

    #[test]
    fn reads_addresses_as_people_write_them() {
        #[track_caller]
        fn check(address: &str, canonical: &str) {
            let (query, ignored) = decode(address);
            assert_eq!(ignored, []);
            assert_eq!(encode(&query), canonical);
        }
        check("", "");
        check("?", "");
        check("?os=ubuntu22.04&os=rhel8&q=hdf5", "q=hdf5&os=ubuntu22.04&os=rhel8");
        check("variant=mpi", "variant=mpi");
        check("variant=+mpi", "variant=mpi");
        check("variant=%2Bmpi", "variant=mpi");
        check("variant=%20mpi", "variant=mpi");
        check("variant=~mpi", "variant=~mpi");
        check("variant=build_type=Release", "variant=build_type=Release");
        check("variant=languages%3Dc%2B%2B", "variant=languages=c%2B%2B");
        check("compiler=gcc@=13.2.0", "compiler=gcc@13.2.0");
        check("os=a&os=a", "os=a");
        check("os=a&not.os=a", "not.os=a");
        check("sort=-version&columns=version,hash", "sort=-version&columns=hash,version");
        check("spec=hdf5+mpi&spec=zlib", "spec=hdf5%2Bmpi&spec=zlib");
        check("spec=hdf5+mpi%25gcc", "spec=hdf5%2Bmpi%25gcc");
        let spaced = "spec=hdf5%20build_type=Release%20~mpi%20%5Empich";
        check("spec=hdf5+build_type=Release+~mpi+%5Empich", spaced);
        check("environment", "environment=");
        check("environment=0f&spec=zlib", "environment=0f&spec=zlib");
        check("q=100%&&os=%zz", "q=100%25&os=%25zz");
        check("package=hdf5&all=stack&stack=b&stack=a", "package=hdf5&stack=b&stack=a&all=stack");
        check(
            "spack=v1.1.0&host=linux.ubuntu22.04.zen3&reuse=dependencies&reuse.root=hdf5&reuse.root=hdf5&reuse.exclude=+mpi",
            "host=linux.ubuntu22.04.zen3&spack=1.1&reuse=dependencies&reuse.exclude=%2Bmpi&reuse.root=hdf5",
        );
    }

    #[test]
    fn reports_what_it_does_not_understand() {
        #[track_caller]
        fn check(address: &str, canonical: &str, reported: &[&str]) {
            let (query, ignored) = decode(address);
            assert_eq!(encode(&query), canonical);
            let ignored: Vec<String> = ignored.iter().map(Ignored::to_string).collect();
            assert_eq!(ignored, reported);
        }
        check("utm_source=x&os=a", "os=a", &["utm_source"]);
        check("sort=colour", "", &["sort=colour"]);
        check("tab=colour&across=os", "", &["tab=colour", "across=os"]);
        check("gaps=none&tab=uses", "tab=uses", &["gaps=none"]);
        check("host=zen4&runs=maybe&runs=no", "runs=no", &["host=zen4", "runs=maybe"]);
        check("spack=new&reuse=maybe", "", &["spack=new", "reuse=maybe"]);
        check("all=os", "", &["all=os"]);
        check("columns=hash,nothing", "", &["columns=hash,nothing"]);
        check("not.colour=red&=x", "", &["not.colour", ""]);
    }

    #[test]
    fn opens_the_view_that_an_address_asks_for() {
        #[track_caller]
        fn check(address: &str, view: View) {
            assert_eq!(decode(address).0.view(), view);
        }
        let (one, two) = (sample::hash(1), sample::hash(2));
        check("os=a", View::Packages);
        check("package=hdf5&os=a", View::Package("hdf5".to_owned()));
        check("package=hdf5&package=zlib", View::Packages);
        check(&format!("package=hdf5&hash={one}"), View::Build(one));
        check("package=hdf5&hash=abc", View::MalformedHash("abc".to_owned()));
        check(&format!("hash={one}&hash={two}"), View::Packages);
        check("package=hdf5&spec=zlib", View::Environment);
        check("environment=", View::Environment);
        let compared = View::Compare(vec![one.into(), "b".into(), two.into()]);
        check(&format!("compare={one}&compare=b&compare={two}&compare=b"), compared);
    }
}
