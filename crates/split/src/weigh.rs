//! The size of each module's code, by where it comes from.

use std::collections::BTreeMap;

use crate::later::Later;
use crate::module::Module;
use crate::places::Part;

/// Prints the uncompressed bytes of code from each origin in the first module and in the parts.
pub(crate) fn print(module: &Module<'_>, later: &Later, parts: &[Part]) {
    let mut sums: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for id in module.ids() {
        let Some(function) = module.function(id) else { continue };
        let place = later.get(&id).map_or(0, |part| part.0 + 1);
        let size = function.body.range().len();
        for origin in [origin(&function.name), "all code".to_owned()] {
            sums.entry(origin).or_insert_with(|| vec![0; parts.len() + 1])[place] += size;
        }
    }
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by_key(|(_, sizes)| std::cmp::Reverse(sizes.iter().sum::<usize>()));
    println!("{:52}{:>9}", "bytes of code, uncompressed", "all");
    for (origin, sizes) in rows.iter().take(40) {
        let names = std::iter::once("first").chain(parts.iter().map(|part| part.name));
        let sizes_by_name = names.zip(sizes).filter(|(_, size)| **size > 0);
        let each: Vec<_> = sizes_by_name.map(|(name, size)| format!("{name} {size}")).collect();
        println!("{origin:52}{:>9}  {}", sizes.iter().sum::<usize>(), each.join(", "));
    }
}

/// Returns the origin of a function: the first Rust module of this project in its name, which for a generic function
/// may be that of a type parameter; otherwise its crate.
fn origin(name: &str) -> String {
    const OURS: [&str; 5] = [
        "cache_explorer_site::",
        "cache_explorer_pages::",
        "cache_index::",
        "cache_ingest::",
        "spack_spec::",
    ];
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
