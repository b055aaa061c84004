//! The `meta` field, a page's summary of itself, and whether its records agree with it.

use std::collections::BTreeMap;

use super::super::fields::{Fields, Name, Problems, unexpected};
use super::super::notation;
use super::super::problem::{Finding, quote};
use super::super::value::Value;
use cache_index::build::Build;
use cache_index::sorting;

/// The summary that a page's records should add up to.
#[derive(Default)]
pub(super) struct Meta {
    num_specs: Option<u64>,
    num_specs_by_stack: Option<BTreeMap<String, u64>>,
    compilers: Option<Vec<String>>,
    oss: Option<Vec<String>>,
    platforms: Option<Vec<String>>,
    stacks: Option<Vec<String>>,
    targets: Option<Vec<String>>,
    versions: Option<Vec<String>>,
}

impl Meta {
    pub(super) fn read(value: Value<'_>, problems: &mut Problems) -> Option<Meta> {
        let mut fields = Fields::open(value, "meta", problems)?;
        let meta = Meta {
            num_specs: fields.whole("num_specs", problems),
            num_specs_by_stack: fields
                .required("num_specs_by_stack", problems)
                .and_then(|value| counts(value, problems)),
            compilers: fields.texts("compilers", problems),
            oss: fields.texts("oss", problems),
            platforms: fields.texts("platforms", problems),
            stacks: fields.texts("stacks", problems),
            targets: fields.texts("targets", problems),
            versions: fields.texts("versions", problems),
        };
        fields.close(problems);
        Some(meta)
    }

    /// Compares the summary with the records. If a record could not be read (`builds` is `None`), only the number of
    /// records is compared: anything else would report each problem twice.
    pub(super) fn check(&self, count: usize, builds: Option<&[Build]>, problems: &mut Problems) {
        if let Some(stated) = self.num_specs {
            check_count("meta.num_specs", stated, count as u64, problems);
        }
        let Some(builds) = builds else { return };
        let mut by_stack: BTreeMap<&str, u64> = BTreeMap::new();
        for place in builds.iter().flat_map(|build| &build.places) {
            *by_stack.entry(&place.stack).or_default() += 1;
        }
        if let Some(stated) = &self.num_specs_by_stack {
            let mut stacks: Vec<&str> =
                stated.keys().map(String::as_str).chain(by_stack.keys().copied()).collect();
            sorting::sort_and_dedup(&mut stacks);
            for stack in stacks {
                let stated = stated.get(stack).copied().unwrap_or(0);
                let counted = by_stack.get(stack).copied().unwrap_or(0);
                check_count(&format!("meta.num_specs_by_stack.{stack}"), stated, counted, problems);
            }
        }
        let none = || "none".to_string();
        let listed = Option::<Vec<String>>::clone;
        let compilers = self.compilers.as_ref().map(|list| {
            list.iter().map(|name| notation::compiler(name).unwrap_or_else(none)).collect()
        });
        let found = |field: fn(&Build) -> &String| builds.iter().map(field).cloned().collect();
        for (name, listed, present) in [
            (
                "meta.compilers",
                compilers,
                builds.iter().map(|build| build.compiler.clone().unwrap_or_else(none)).collect(),
            ),
            ("meta.oss", listed(&self.oss), found(|build| &build.os)),
            ("meta.platforms", listed(&self.platforms), found(|build| &build.platform)),
            (
                "meta.stacks",
                listed(&self.stacks),
                by_stack.keys().map(|stack| stack.to_string()).collect(),
            ),
            ("meta.targets", listed(&self.targets), found(|build| &build.target)),
            ("meta.versions", listed(&self.versions), found(|build| &build.version)),
        ] {
            if let Some(listed) = listed {
                check_list(name, listed, present, problems);
            }
        }
    }
}

/// Reads a number for each stack.
fn counts(value: Value<'_>, problems: &mut Problems) -> Option<BTreeMap<String, u64>> {
    let path = "meta.num_specs_by_stack";
    let Value::Map(entries) = value else {
        return unexpected(&value, "an object of whole numbers", path, problems);
    };
    let before = problems.len();
    let mut counts = BTreeMap::new();
    for (stack, value) in entries {
        let field = Name::new(path, &stack);
        let Value::Whole(count) = value else {
            unexpected::<()>(&value, "a whole number", field, problems);
            continue;
        };
        if counts.insert(stack.to_string(), count).is_some() {
            problems.report(field, Finding::RepeatedField);
        }
    }
    (problems.len() == before).then_some(counts)
}

fn check_count(field: &str, stated: u64, counted: u64, problems: &mut Problems) {
    if stated != counted {
        problems.report(field, Finding::CountDisagrees { stated, counted });
    }
}

fn check_list(
    field: &str,
    mut listed: Vec<String>,
    mut present: Vec<String>,
    problems: &mut Problems,
) {
    for values in [&mut listed, &mut present] {
        sorting::sort(values);
        values.dedup();
    }
    for value in listed.iter().filter(|value| present.binary_search(value).is_err()) {
        problems.report(field, Finding::ListedButAbsent { value: quote(value) });
    }
    for value in present.iter().filter(|value| listed.binary_search(value).is_err()) {
        problems.report(field, Finding::PresentButUnlisted { value: quote(value) });
    }
}
