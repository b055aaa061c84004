//! The mirrors that Spack knows: the section `mirrors:` of a `mirrors.yaml` or a `spack.yaml`.
//!
//! ```text
//! mirrors:
//!   develop: https://binaries.spack.io/develop
//!   site:
//!     url: s3://bucket/prefix
//!     endpoint_url: https://objects.example.org
//!     view: e4s
//!     exclude_binary: [cuda]
//! ```
//!
//! An entry is a URL or an object. What it says below `fetch` or `push` replaces what it says for both, field by field:
//! a list of `include_binary` below `fetch` replaces the one next to `url`, and leaves `exclude_binary` as it is.
//!
//! Nothing is looked up here: variables and paths are returned as written. Unknown fields are notes, and so are values
//! that Spack rejects although their meaning is clear.

use cache_index::settings::ReuseSource;

use crate::environment::yaml::read_yaml;
use crate::fields::{Fields, Name, Problems, text, unexpected};
use crate::problem::{Finding, Novelty};
use crate::read::Read;
use crate::settings::{EXCLUDE_BINARY, INCLUDE_BINARY, specs};
use crate::value::Value;

/// A mirror that Spack knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredMirror {
    /// Its name.
    pub name: String,
    /// `false` if it has only sources.
    pub has_binaries: bool,
    /// `true` if Spack takes only signed binaries from it.
    pub is_signed: bool,
    /// How Spack fetches from it.
    pub fetch: Connection,
    /// How Spack pushes to it.
    pub push: Connection,
}

/// How Spack reaches a mirror in one direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connection {
    /// A URL or a path, as written; `None` if the mirror is only for the other direction.
    pub url: Option<String>,
    /// The view whose index Spack reads.
    pub view: Option<String>,
    /// The server of a bucket.
    pub endpoint: Option<String>,
    /// The profile with the keys of a bucket.
    pub profile: Option<String>,
    /// The name and password, or the keys of a bucket.
    pub access: Option<AccessPair>,
    /// The variable with the token for a registry, or the session of a bucket.
    pub token_variable: Option<String>,
    /// The binaries that Spack fetches or pushes: `include_binary` and `exclude_binary`.
    pub accepts: ReuseSource,
}

/// A name and a password: `access_pair`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessPair {
    /// The name.
    pub id: Secret,
    /// The password.
    pub secret: Secret,
}

/// Where a part of an [`AccessPair`] is.
#[derive(Clone, PartialEq, Eq)]
pub enum Secret {
    /// In the file itself.
    Written(String),
    /// In this variable of the environment.
    Variable(String),
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Secret::Written(_) => f.write_str("Written(…)"),
            Secret::Variable(name) => f.debug_tuple("Variable").field(name).finish(),
        }
    }
}

/// Reads the mirrors of a file, in its order; an empty list if it has no section `mirrors:`.
pub fn read_mirrors(bytes: &[u8]) -> Read<Vec<ConfiguredMirror>> {
    let mut problems = Problems::default();
    let mirrors = match str::from_utf8(bytes) {
        Ok(text) => read_text(text.trim_start_matches('\u{feff}'), &mut problems),
        Err(error) => {
            problems.report("", Finding::NotUtf8 { byte: error.valid_up_to() });
            None
        }
    };
    problems.read(mirrors)
}

fn read_text(text: &str, problems: &mut Problems) -> Option<Vec<ConfiguredMirror>> {
    let tree = match read_yaml(text, problems)? {
        Value::Null => return Some(Vec::new()),
        tree => tree,
    };
    let mut file = Fields::open(tree, "", problems)?;
    let mut section = take(&mut file, MIRRORS);
    if let Some(spack @ Value::Map(_)) = take(&mut file, "spack")
        && let Some(mut spack) = Fields::open(spack, "spack", problems)
    {
        section = take(&mut spack, MIRRORS).or(section);
    }
    section.map_or(Some(Vec::new()), |section| read_section(section, problems))
}

const MIRRORS: &str = "mirrors";

/// Reads the section.
fn read_section(section: Value<'_>, problems: &mut Problems) -> Option<Vec<ConfiguredMirror>> {
    if section == Value::Null {
        return Some(Vec::new());
    }
    let entries = Fields::open(section, MIRRORS, problems)?.into_entries();
    let mirror = |(name, entry): (std::borrow::Cow<'_, str>, Value<'_>)| {
        read_entry(name.trim_end_matches(':'), entry, problems)
    };
    Some(entries.filter_map(mirror).collect())
}

/// Takes a field by its name, or by its name with the second colon that overrides other files.
fn take<'v>(fields: &mut Fields<'v>, name: &str) -> Option<Value<'v>> {
    fields.optional(name).or_else(|| fields.optional(&format!("{name}:")))
}

fn read_entry(name: &str, entry: Value<'_>, problems: &mut Problems) -> Option<ConfiguredMirror> {
    let path = format!("{MIRRORS}.{name}");
    if let Value::Text(url) = &entry {
        let both = Connection { url: Some(url.to_string()), ..Connection::default() };
        return Some(ConfiguredMirror {
            name: name.to_owned(),
            has_binaries: true,
            is_signed: true,
            fetch: both.clone(),
            push: both,
        });
    }
    if !matches!(entry, Value::Map(_)) {
        return unexpected(&entry, "a URL or an object", Name::new(MIRRORS, name), problems);
    }
    let mut fields = Fields::open(entry, path.clone(), problems)?;
    let before = problems.len();
    let both = OneWay::read(&mut fields, &path, problems);
    let mut direction = |name: &str, problems: &mut Problems| match fields.optional(name) {
        None => OneWay::default(),
        Some(null @ Value::Null) => {
            rejected(&null, &path, name, problems);
            OneWay::default()
        }
        Some(Value::Text(url)) => OneWay { url: Some(url.into_owned()), ..OneWay::default() },
        Some(value) => {
            let path = format!("{path}.{name}");
            let Some(mut fields) = Fields::open(value, path.clone(), problems) else {
                return OneWay::default();
            };
            let read = OneWay::read(&mut fields, &path, problems);
            fields.close(problems);
            read
        }
    };
    let [fetch, push] = ["fetch", "push"].map(|name| direction(name, problems).or(&both));
    let mut flag = |name: &str| match fields.optional(name) {
        None => true,
        Some(Value::Bool(value)) => value,
        Some(null @ Value::Null) => {
            rejected(&null, &path, name, problems);
            true
        }
        Some(other) => {
            unexpected::<()>(&other, "true or false", Name::new(&path, name), problems);
            true
        }
    };
    let (has_binaries, is_signed) = (flag("binary"), flag("signed"));
    // They do not affect binaries.
    for name in ["source", "autopush"] {
        flag(name);
    }
    fields.close(problems);
    if fetch.url.is_none() && push.url.is_none() && problems.len() == before {
        problems.report(Name::new(&path, "url"), Finding::MissingField);
    }
    (problems.len() == before).then(|| ConfiguredMirror {
        name: name.to_owned(),
        has_binaries,
        is_signed,
        fetch: fetch.into(),
        push: push.into(),
    })
}

/// The settings for one direction, or for both.
#[derive(Clone, Default)]
struct OneWay {
    url: Option<String>,
    view: Option<String>,
    endpoint: Option<String>,
    profile: Option<String>,
    access: Option<AccessPair>,
    token_variable: Option<String>,
    include: Option<Vec<String>>,
    exclude: Option<Vec<String>>,
}

impl OneWay {
    fn read(fields: &mut Fields<'_>, path: &str, problems: &mut Problems) -> OneWay {
        let mut written = |name: &str| match fields.optional(name) {
            None => None,
            Some(null @ Value::Null) => {
                if !NULLABLE.contains(&name) {
                    rejected(&null, path, name, problems);
                }
                None
            }
            Some(value) => text(value, Name::new(path, name), problems),
        };
        let [url, view, endpoint, profile, token_variable] =
            ["url", "view", "endpoint_url", "profile", "access_token_variable"].map(&mut written);
        let mut list = |name: &str| match fields.optional(name) {
            None => None,
            Some(null @ Value::Null) => {
                rejected(&null, path, name, problems);
                Some(Vec::new())
            }
            Some(value) => Some(specs(value, Name::new(path, name), problems)),
        };
        let [include, exclude] = [INCLUDE_BINARY, EXCLUDE_BINARY].map(&mut list);
        let access = match fields.optional(PAIR) {
            None => None,
            Some(null @ Value::Null) => {
                rejected(&null, path, PAIR, problems);
                None
            }
            Some(value) => read_pair(value, path, problems),
        };
        OneWay { url, view, endpoint, profile, access, token_variable, include, exclude }
    }

    /// Returns the settings for a direction, or else those for both.
    fn or(self, both: &OneWay) -> OneWay {
        OneWay {
            url: self.url.or_else(|| both.url.clone()),
            view: self.view.or_else(|| both.view.clone()),
            endpoint: self.endpoint.or_else(|| both.endpoint.clone()),
            profile: self.profile.or_else(|| both.profile.clone()),
            access: self.access.or_else(|| both.access.clone()),
            token_variable: self.token_variable.or_else(|| both.token_variable.clone()),
            include: self.include.or_else(|| both.include.clone()),
            exclude: self.exclude.or_else(|| both.exclude.clone()),
        }
    }
}

/// The fields that may be `null`.
const NULLABLE: [&str; 3] = ["endpoint_url", "profile", "access_token_variable"];

/// The name of the field with a name and a password.
const PAIR: &str = "access_pair";

/// Notes a value that is understood here but that Spack does not accept.
fn rejected(value: &Value<'_>, path: &str, field: &str, problems: &mut Problems) {
    let found = value.describe();
    problems.note(Novelty::Rejected { field: format!("{path}.{field}"), found });
}

impl From<OneWay> for Connection {
    fn from(way: OneWay) -> Connection {
        let OneWay { url, view, endpoint, profile, access, token_variable, include, exclude } = way;
        let accepts = ReuseSource {
            include: include.unwrap_or_default(),
            exclude: exclude.unwrap_or_default(),
        };
        Connection { url, view, endpoint, profile, access, token_variable, accepts }
    }
}

/// Reads a name and a password: `{id: …, secret_variable: …}`, or a list of both, as before Spack 1.0.
fn read_pair(value: Value<'_>, path: &str, problems: &mut Problems) -> Option<AccessPair> {
    let name = Name::new(path, PAIR);
    if matches!(value, Value::List(_)) {
        rejected(&value, path, PAIR, problems);
    }
    match value {
        Value::List(pair) => match <[Value<'_>; 2]>::try_from(pair) {
            Ok([id, secret]) => Some(AccessPair {
                id: Secret::Written(unshown(id, name, problems)?),
                secret: Secret::Written(unshown(secret, name, problems)?),
            }),
            Err(other) => unexpected(&Value::List(other), "a name and a password", name, problems),
        },
        value @ Value::Map(_) => {
            let path = format!("{path}.{PAIR}");
            let mut fields = Fields::open(value, path.clone(), problems)?;
            let is_written = fields.has("id");
            let mut field = |name: &str| {
                let value = fields.required(name, problems)?;
                unshown(value, Name::new(&path, name), problems)
            };
            let id = match is_written {
                true => Secret::Written(field("id")?),
                false => Secret::Variable(field("id_variable")?),
            };
            let secret = Secret::Variable(field("secret_variable")?);
            fields.close(problems);
            Some(AccessPair { id, secret })
        }
        other => unshown_kind(&other, "an object", name, problems),
    }
}

/// Reads a text that may be a password. A value of another type may be one too, so messages do not show it.
fn unshown(value: Value<'_>, field: Name<'_>, problems: &mut Problems) -> Option<String> {
    match value {
        Value::Text(text) if !text.is_empty() => Some(text.into_owned()),
        other => unshown_kind(&other, "a text in quotes", field, problems),
    }
}

fn unshown_kind<T>(
    value: &Value<'_>,
    expected: &'static str,
    field: Name<'_>,
    problems: &mut Problems,
) -> Option<T> {
    let found = match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Whole(_) | Value::Number(_) => "a number",
        Value::Text(text) if text.is_empty() => "an empty text",
        Value::Text(_) => "a text",
        Value::List(_) => "a list",
        Value::Map(_) => "an object",
    };
    problems.report(field, Finding::UnexpectedType { expected, found: found.to_owned() });
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn read(text: &str) -> Vec<ConfiguredMirror> {
        read_mirrors(text.as_bytes()).into_result().expect("mirrors")
    }

    fn list(specs: &[&str]) -> Vec<String> {
        specs.iter().map(|&spec| spec.to_owned()).collect()
    }

    #[test]
    fn reads_urls_and_objects_in_their_order() {
        let mirrors = read(
            "mirrors:\n  z: https://cache.example.com/develop\n  a:\n    url: s3://bucket/all\n    view: e4s\n    \
             endpoint_url: https://objects.example.org\n    profile: site\n    signed: false\n  src: \
             {url: https://src.example.com, binary: false, autopush: true}\n",
        );
        assert_eq!(
            mirrors.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(),
            ["z", "a", "src"]
        );
        assert_eq!(mirrors[0].fetch.url.as_deref(), Some("https://cache.example.com/develop"));
        assert_eq!(mirrors[0].push, mirrors[0].fetch);
        let fetch = &mirrors[1].fetch;
        assert_eq!(fetch.view.as_deref(), Some("e4s"));
        assert_eq!(fetch.endpoint.as_deref(), Some("https://objects.example.org"));
        assert_eq!(fetch.profile.as_deref(), Some("site"));
        assert!(!mirrors[1].is_signed && mirrors[1].has_binaries && !mirrors[2].has_binaries);
    }

    #[test]
    fn reads_the_section_of_an_environment() {
        let mirrors = read("spack:\n  specs: [zlib]\n  mirrors::\n    m: /srv/m\n");
        assert_eq!(mirrors[0].fetch.url.as_deref(), Some("/srv/m"));
        for text in ["", "spack:\n  specs: [zlib]\n", "mirrors:\n", "concretizer: {reuse: true}"] {
            assert_eq!(read(text), [], "{text}");
        }
    }

    #[test]
    fn lists_of_a_direction_replace_those_of_the_same_name() {
        let mirrors = read(
            "mirrors:\n  m:\n    url: /srv/m\n    include_binary: [a, b]\n    exclude_binary: [c]\n    fetch: \
             {include_binary: [d], view: v}\n    push: file:///srv/in\n  only: {push: /srv/in}\n",
        );
        let Connection { accepts, url, view, .. } = &mirrors[0].fetch;
        assert_eq!((url.as_deref(), view.as_deref()), (Some("/srv/m"), Some("v")));
        assert_eq!((&accepts.include, &accepts.exclude), (&list(&["d"]), &list(&["c"])));
        let Connection { accepts, url, view, .. } = &mirrors[0].push;
        assert_eq!((url.as_deref(), view.as_deref()), (Some("file:///srv/in"), None));
        assert_eq!((&accepts.include, &accepts.exclude), (&list(&["a", "b"]), &list(&["c"])));
        assert_eq!(mirrors[1].fetch.url, None);
    }

    #[test]
    fn reads_where_names_and_passwords_are_and_does_not_show_them() {
        let mirrors = read(
            "mirrors:\n  new: {url: s3://b, access_pair: {id_variable: I, secret_variable: S}, \
             access_token_variable: T}\n  old: {url: s3://b, access_pair: [me, hunter2]}\n",
        );
        let pair = AccessPair {
            id: Secret::Variable("I".to_owned()),
            secret: Secret::Variable("S".to_owned()),
        };
        assert_eq!(mirrors[0].fetch.access, Some(pair));
        assert_eq!(mirrors[0].fetch.token_variable.as_deref(), Some("T"));
        assert!(!format!("{mirrors:?}").contains("hunter2"));
    }

    #[test]
    fn shows_no_password_that_is_in_the_wrong_place() {
        for pair in [
            "4711",
            "hunter4711",
            "[me, 4711]",
            "[me, hunter4711, more]",
            "[me, {password: hunter4711}]",
            "{id: 4711, secret_variable: 4711}",
            "{id: a, secret_variable: [hunter4711]}",
            "{id: a, secret: hunter4711}",
        ] {
            let text = format!("mirrors: {{m: {{url: s3://b, access_pair: {pair}}}}}");
            let read = read_mirrors(text.as_bytes());
            let messages: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
            assert!(!messages.is_empty(), "{pair}");
            assert!(messages.iter().all(|it| !it.contains("4711")), "{messages:?}");
        }
    }

    #[test]
    fn reports_what_is_wrong_and_notes_what_is_new() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            let problems = read_mirrors(text.as_bytes()).problems;
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            assert_eq!(problems, [expected]);
        }
        check("mirrors: {m: 3}", "field mirrors.m: expected a URL or an object, found 3");
        check("mirrors: [m]", "field mirrors: expected an object, found a list");
        check(
            "mirrors: {m: {signed: false}}",
            "field mirrors.m.url: expected this field, found none",
        );
        check(
            "mirrors: {m: {url: x, access_pair: {id: a}}}",
            "field mirrors.m.access_pair.secret_variable: expected this field, found none",
        );
        let read =
            read_mirrors(b"mirrors: {m: {url: x, tier: gold, fetch: {speed: 3}}, n: 4, o: y}");
        assert_eq!(read.notes.iter().count(), 2);
        assert_eq!(read.problems.len(), 1);
        assert_eq!(read.value.map(|mirrors| mirrors.len()), Some(2));
        assert!(read_mirrors(b"a: [").value.is_none() && read_mirrors(b"\xff").value.is_none());
    }
}
