//! `toolchains:`, names that stand for compilers after a `%`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::fields::{Fields, Problems};
use crate::problem::Finding;
use crate::value::Value;

/// The toolchains of an environment, by name.
#[derive(Debug, Default)]
pub(super) struct Toolchains(BTreeMap<String, String>);

impl Toolchains {
    /// Reads the object under `toolchains`. A name that is there already keeps its meaning.
    pub(super) fn read(&mut self, value: Value<'_>, problems: &mut Problems) {
        const PATH: &str = "spack.toolchains";
        let Some(toolchains) = Fields::open(value, PATH, problems) else { return };
        for (name, value) in toolchains.into_entries() {
            let field = format!("{PATH}.{name}");
            let parts = match value {
                Value::Text(spec) => vec![spec.into_owned()],
                Value::List(entries) => entries
                    .into_iter()
                    .filter_map(|entry| toolchain_part(entry, &field, problems))
                    .collect(),
                other => {
                    let found = other.describe();
                    let expected = "a spec or a list";
                    problems.report(&*field, Finding::UnexpectedType { expected, found });
                    continue;
                }
            };
            self.0.entry(name.into_owned()).or_insert_with(|| format!(" {} ", parts.join(" ")));
        }
    }

    /// Returns the length of the longest meaning.
    pub(super) fn longest(&self) -> u64 {
        self.0.values().map(String::len).max().unwrap_or(0) as u64
    }

    /// Replaces the names of toolchains in a spec.
    pub(super) fn replaced<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut replaced = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('%') {
            let is_in_name = |c: char| c.is_alphanumeric() || "-_.@=,".contains(c);
            let end = after.find(|c| !is_in_name(c)).unwrap_or(after.len());
            replaced.push_str(before);
            match self.0.get(&after[..end]) {
                Some(meaning) => replaced.push_str(meaning),
                None => replaced.extend(["%", &after[..end]]),
            }
            rest = &after[end..];
        }
        replaced.push_str(rest);
        Cow::Owned(replaced)
    }
}

/// Writes one `{spec, when}` of a toolchain in the spec language: `%[when='%c'] c=gcc@12`.
fn toolchain_part(entry: Value<'_>, field: &str, problems: &mut Problems) -> Option<String> {
    if let Value::Text(spec) = entry {
        return Some(spec.into_owned());
    }
    let mut part = Fields::open(entry, field.to_owned(), problems)?;
    let spec = part.text("spec", problems)?;
    let when = part.optional("when");
    part.close(problems);
    match (when, spec.trim().strip_prefix('%')) {
        (Some(Value::Text(when)), Some(dependency)) => {
            Some(format!("%[when='{when}'] {}", dependency.trim()))
        }
        _ => Some(spec),
    }
}
