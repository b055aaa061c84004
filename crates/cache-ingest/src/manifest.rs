//! The manifest of a whole cache: its mirrors, and where their databases are.
//!
//! cache.spack.io publishes one as `cache_spack_io_index.json`:
//!
//! ```text
//! {"develop": [{"label": "e4s", "url": "s3://spack-binaries/develop/e4s/blobs/sha256/26/26b8…"}, …], …}
//! ```
//!
//! The label is a stack; `root` is the whole release. The URL points to a database file. In the v3 layout it contains
//! the digest of the file, so it changes with every update. The caller fetches the file.

use super::digest::Sha256Text;
use super::fields::{Fields, Name, Problems};
use super::problem::{Finding, quote};
use super::read::Read;
use super::value::Value;
use cache_index::build::Place;

/// A database listed in a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDatabase {
    /// The mirror that it describes.
    pub place: Place,
    /// Where it is: a URL, or a path relative to the manifest.
    pub url: String,
}

impl ListedDatabase {
    /// Returns what the URL says about the file's content, if it contains a digest.
    pub fn digest(&self) -> Option<Sha256Text> {
        let (_, path) = self.url.split_once("blobs/sha256/")?;
        let (start, digits) = path.split_once('/')?;
        Sha256Text::new(digits).filter(|_| digits.starts_with(start))
    }
}

/// Reads a manifest. An invalid entry is left out and reported.
pub fn read_manifest(text: &str) -> Read<Vec<ListedDatabase>> {
    let mut problems = Problems::default();
    let releases = match Value::of_json(text.as_bytes()) {
        Ok(value) => Fields::open(value, "", &mut problems),
        Err(error) => {
            problems.report_json_error(&error);
            None
        }
    };
    let Some(releases) = releases else { return problems.read(None) };
    let mut sources: Vec<ListedDatabase> = Vec::new();
    for (release, value) in releases.into_entries() {
        let Value::List(mirrors) = value else {
            let finding =
                Finding::UnexpectedType { expected: "a list of mirrors", found: value.describe() };
            problems.report(&*release, finding);
            continue;
        };
        for mirror in mirrors {
            let Some(source) = read_source(&release, mirror, &mut problems) else { continue };
            if sources.iter().any(|other| other.place == source.place) {
                let found = quote(&source.place.stack);
                let field = Name::new(&release, "label");
                problems.report(field, Finding::RepeatedValue { found });
                continue;
            }
            sources.push(source);
        }
    }
    problems.read(Some(sources))
}

fn read_source(release: &str, value: Value<'_>, problems: &mut Problems) -> Option<ListedDatabase> {
    let mut fields = Fields::open(value, release.to_string(), problems)?;
    let label = fields.text("label", problems);
    let url = fields.text("url", problems);
    fields.close(problems);
    let place = Place { release: release.to_string(), stack: label? };
    Some(ListedDatabase { place, url: url? })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DIGEST: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn lists_each_mirror_of_each_release() {
        let text = format!(
            r#"{{"develop": [{{"label": "e4s", "url": "s3://x/blobs/sha256/ba/{DIGEST}"}}],
                "v1": [{{"label": "e4s", "url": "v1/index.json"}}, {{"label": "root", "url": "x"}}]}}"#
        );
        let sources = read_manifest(&text).into_result().expect("a manifest");
        let places: Vec<String> =
            sources.iter().map(|s| format!("{} {}", s.place.release, s.place.stack)).collect();
        assert_eq!(places, ["develop e4s", "v1 e4s", "v1 root"]);
        assert_eq!(sources[0].digest(), Sha256Text::new(DIGEST));
        assert_eq!(sources[1].digest(), None);
    }

    #[test]
    fn ignores_two_different_digests_in_a_url() {
        let place = Place { release: "develop".into(), stack: "e4s".into() };
        let url = format!("https://x/blobs/sha256/ff/{DIGEST}");
        assert_eq!(ListedDatabase { place, url }.digest(), None);
    }

    #[test]
    fn reports_every_problem() {
        #[track_caller]
        fn check(text: &str, expected: &[&str]) {
            let problems = read_manifest(text).problems;
            let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
            assert_eq!(found, expected);
        }
        check("", &["there is nothing in it"]);
        check("[]", &["expected an object, found a list"]);
        check(
            r#"{"a": 1, "b": [2, {"label": "x", "link": "y"}]}"#,
            &[
                "field a: expected a list of mirrors, found 1",
                "field b: expected an object, found 2",
                "field b.url: expected this field, found none",
            ],
        );
        let twice = r#"{"a": [{"label": "x", "url": "1"}, {"label": "x", "url": "2"}]}"#;
        check(twice, &["field a.label: expected each value once, found \"x\" twice"]);
        check("{\"a\": [}", &["line 1 column 8: not valid JSON: expected value"]);
    }

    proptest! {
        #[test]
        fn reads_any_text_without_panicking(text in ".{0,200}") {
            let _ = read_manifest(&text);
            let _ = read_manifest(&format!("{{\"develop\": [{text}]}}"));
        }
    }
}
