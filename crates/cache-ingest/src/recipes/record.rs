//! One recipe as JSON: which of its fields are read, and what they may be.
//!
//! Fields that are not named here are ignored: dependencies, conflicts, patches, resources. A field that is missing or
//! `null` is not stated.

use cache_index::recipes::{Recipe, RecipeVariant};

use super::LONGEST;
use crate::fields::{Fields, Name, Problems, field, unexpected};
use crate::grammar::{is_name, is_version};
use crate::problem::{Finding, quote};
use crate::value::Value;
use crate::visible;

/// The maximum length of any text but a description in characters, after which it is cut.
const LONGEST_OTHER: usize = 500;

/// Returns `true` for an object that has the fields that every recipe has.
pub(super) fn is_record(value: &Value<'_>) -> bool {
    matches!(field(value, "name"), Some(Value::Text(_))) && field(value, "versions").is_some()
}

/// Reads a recipe; `None` if anything in it is not as expected, which has been reported.
pub(super) fn read_record(value: Value<'_>, problems: &mut Problems) -> Option<(String, Recipe)> {
    let before = problems.len();
    let mut fields = Fields::open(value, "", problems)?;
    let name = fields.text("name", problems);
    let name = name.and_then(|name| checked(name, "name", is_name, problems));
    let mut recipe = Recipe {
        description: text(&mut fields, "description", LONGEST, problems),
        homepage: text(&mut fields, "homepage", LONGEST_OTHER, problems),
        build_system: text(&mut fields, "build_system", LONGEST_OTHER, problems),
        licenses: texts(&mut fields, "licenses", problems),
        maintainers: texts(&mut fields, "maintainers", problems),
        provides: texts(&mut fields, "provides", problems),
        variants: variants(&mut fields, problems),
        ..Recipe::default()
    };
    read_versions(&mut fields, &mut recipe, problems);
    (problems.len() == before).then_some((name?, recipe))
}

/// Reads the versions. In the list that `spack list` prints they are texts, and the latest version is the preferred one;
/// in the other forms they are objects, and those that are deprecated are in another list.
fn read_versions(fields: &mut Fields<'_>, recipe: &mut Recipe, problems: &mut Problems) {
    let Some(current) = list(fields, "versions", problems) else { return };
    let is_printed = current.iter().all(|version| matches!(version, Value::Text(_)));
    let mut branches = Vec::new();
    let mut read = |versions: Vec<Value<'_>>, field, problems: &mut Problems| {
        let mut texts = Vec::with_capacity(versions.len());
        for version in versions {
            if let Some((text, is_branch)) = read_version(version, field, problems) {
                branches.extend(is_branch.then(|| text.clone()));
                texts.push(text);
            }
        }
        texts
    };
    let mut all = read(current, "versions", problems);
    let deprecated = list(fields, "versions_deprecated", problems);
    let deprecated = deprecated.map(|versions| read(versions, "versions_deprecated", problems));
    all.extend(deprecated.iter().flatten().cloned());
    if is_printed && !all.is_empty() {
        let preferred = text(fields, "latest_version", LONGEST_OTHER, problems);
        recipe.preferred = preferred.filter(|version| all.contains(version));
    } else {
        recipe.branches = Some(branches);
    }
    recipe.versions = Some(all);
    recipe.deprecated = deprecated;
}

/// Reads a version, and whether it follows a branch.
fn read_version(
    version: Value<'_>,
    name: &'static str,
    problems: &mut Problems,
) -> Option<(String, bool)> {
    match version {
        Value::Text(text) => {
            checked(text.into_owned(), name, is_version, problems).map(|text| (text, false))
        }
        version => {
            let is_stated = |name| field(&version, name).is_some_and(|value| *value != Value::Null);
            // A commit or a tag stays what it is, even on a branch.
            let is_branch = is_stated("branch") && !is_stated("commit") && !is_stated("tag");
            let text = Fields::open(version, name, problems)?.text("name", problems)?;
            checked(text, name, is_version, problems).map(|text| (text, is_branch))
        }
    }
}

fn variants(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Vec<RecipeVariant>> {
    let variants = list(fields, "variants", problems)?.into_iter();
    let variants = variants.filter_map(|variant| {
        let mut fields = Fields::open(variant, "variants", problems)?;
        let name = fields.text("name", problems)?;
        let name = checked(name, "variants.name", is_name, problems)?;
        let default = fields.optional("default").unwrap_or(Value::Null);
        let default = tamed(&default_text(&default, problems)?, LONGEST_OTHER);
        let description = text(&mut fields, "description", LONGEST_OTHER, problems);
        Some(RecipeVariant { name, default, description: description.unwrap_or_default() })
    });
    Some(variants.collect())
}

/// Returns a default, which may be a text, a number, true or false, or a list of these, as a spec would write it.
fn default_text(value: &Value<'_>, problems: &mut Problems) -> Option<String> {
    Some(match value {
        Value::Null => "none".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Whole(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::Text(text) => text.clone().into_owned(),
        Value::List(values) if !values.iter().any(|it| matches!(it, Value::List(_))) => {
            let texts = values.iter().map(|value| default_text(value, problems));
            texts.collect::<Option<Vec<_>>>()?.join(",")
        }
        other => return unexpected(other, "a default", "variants.default", problems),
    })
}

/// Takes a list that may be missing.
fn list<'v>(
    fields: &mut Fields<'v>,
    field: &str,
    problems: &mut Problems,
) -> Option<Vec<Value<'v>>> {
    match fields.optional(field)? {
        Value::Null => None,
        Value::List(elements) => Some(elements),
        other => unexpected(&other, "a list", fields.name(field), problems),
    }
}

/// Takes a text that may be missing or empty, and tames it.
fn text(
    fields: &mut Fields<'_>,
    field: &str,
    longest: usize,
    problems: &mut Problems,
) -> Option<String> {
    match fields.optional(field)? {
        Value::Null => None,
        Value::Text(text) => Some(tamed(&text, longest)).filter(|text| !text.is_empty()),
        other => unexpected(&other, "a text", fields.name(field), problems),
    }
}

/// Takes a list of texts that may be missing; those that are empty are left out.
fn texts(fields: &mut Fields<'_>, field: &str, problems: &mut Problems) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    for value in list(fields, field, problems)? {
        match value {
            Value::Text(text) => texts.push(tamed(&text, LONGEST_OTHER)),
            other => return unexpected(&other, "a list of texts", fields.name(field), problems),
        }
    }
    texts.retain(|text| !text.is_empty());
    Some(texts)
}

/// Accepts a name or a version that Spack's grammar allows.
fn checked<'n>(
    text: String,
    field: impl Into<Name<'n>>,
    is_allowed: fn(&str) -> bool,
    problems: &mut Problems,
) -> Option<String> {
    if is_allowed(&text) {
        return Some(text);
    }
    problems.report(field, Finding::NotInGrammar { found: quote(&text) });
    None
}

/// Puts a text on one line, shows what is invisible in it, and cuts it.
fn tamed(text: &str, longest: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() > 4 * longest {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let line = match line.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    };
    visible(&line)
}
