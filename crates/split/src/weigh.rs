//! The size of each module's code, by where it comes from.

use std::collections::{BTreeMap, BTreeSet};

use crate::module::{FunctionId, Module};

/// Prints the uncompressed bytes of code from each origin in the first module and in the rest.
pub(crate) fn print(module: &Module<'_>, later: &BTreeSet<FunctionId>) {
    let mut sums: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for id in module.ids() {
        let Some(function) = module.function(id) else { continue };
        let part = usize::from(later.contains(&id));
        let size = function.body.range().len();
        for origin in [origin(&function.name), "all code".to_owned()] {
            sums.entry(origin).or_default()[part] += size;
        }
    }
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by_key(|(_, [first, rest])| std::cmp::Reverse(first + rest));
    println!("{:52}{:>11}{:>11}", "bytes of code, uncompressed", "first", "rest");
    for (origin, [first, rest]) in rows.iter().take(40) {
        println!("{origin:52}{first:>11}{rest:>11}");
    }
}

/// Returns the origin of a function: the first Rust module of this project in its name, which for a generic function
/// may be that of a type parameter; otherwise its crate.
fn origin(name: &str) -> String {
    const OURS: [&str; 4] =
        ["cache_explorer_site::", "cache_index::", "cache_ingest::", "spack_spec::"];
    let ours = OURS.iter().filter_map(|krate| name.find(krate)).min();
    let path = &name
        [ours.unwrap_or_else(|| name.find(|c: char| c.is_ascii_alphanumeric()).unwrap_or(0))..];
    let is_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let path = path.split(|c: char| !is_path(c)).next().unwrap_or_default();
    let is_module =
        |part: &&str| part.starts_with(|c: char| c.is_ascii_lowercase()) && !part.starts_with("__");
    let length = if ours.is_some() { 4 } else { 1 };
    path.split("::").take(length).take_while(is_module).collect::<Vec<_>>().join("::")
}
