//! For a text that finds nothing: where the page shows what is known about the packages that the text names. What the user
//! wanted to know is probably there.

use cache_index::facet::Facet;
use cache_index::index::{Index, ValueCode};
use cache_index::number::counted;
use cache_query::{Across, AskedChanges, Change, Query, Tab, apply, run};

use crate::changes::Between;

/// The maximum number of packages with leads.
const MOST: usize = 2;

/// Where the page has what is known of a package, or of the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leads {
    /// The package; `None` for the cache.
    pub package: Option<String>,
    /// What is there, with the query that shows it.
    pub to: Vec<(String, Query)>,
}

/// Returns the leads for a text of several words: those of the packages that it names, or of the cache.
pub fn leads(index: &Index, query: &Query, text: &str) -> Vec<Leads> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut words = text.split_whitespace();
    let (Some(_), Some(_)) = (words.next(), words.next()) else { return Vec::new() };
    let packages = index.dictionary(Facet::Package);
    let mut named: Vec<(ValueCode, &str)> = Vec::new();
    // `~cuda` is about the package before it.
    let is_variant = |word: &&str| word.starts_with(['+', '~']);
    for word in text.split_whitespace().filter(|word| !is_variant(word)) {
        let name = word.trim_start_matches(|c| !is_part(c)).split(|c| !is_part(c)).next();
        let name = name.unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
        // `which` is a question word here, not the package.
        let known = packages.code(&name).filter(|_| name != "which");
        if let Some(code) = known.filter(|code| named.iter().all(|(known, _)| known != code)) {
            named.push((code, packages.text(code)));
        }
    }
    let mut base = apply(query, Change::ClearAll);
    base.question.text.clear();
    match named.is_empty() {
        true => vec![of_cache(index, &base)],
        false => {
            named.into_iter().take(MOST).map(|(_, name)| of_package(index, &base, name)).collect()
        }
    }
}

fn of_package(index: &Index, base: &Query, name: &str) -> Leads {
    let package = apply(base, Change::Only(Facet::Package, name.to_owned()));
    let builds = run(index, &package.question).builds as usize;
    let mut to = Vec::new();
    if builds > 0 {
        to.push((counted(builds, "build", "builds"), package.clone()));
        if index.dictionary(Facet::Stack).len() > 1 {
            let coverage = apply(&package, Change::Tab(Tab::Coverage));
            let by_stack = apply(&coverage, Change::Across(Across::Stack));
            to.push(("its versions in each stack".to_owned(), by_stack));
        }
    }
    if index.lists_any_dependencies() {
        to.push(("what uses it".to_owned(), apply(&package, Change::Tab(Tab::Uses))));
    }
    if let Some(between) = Between::latest(index) {
        let changes = apply(&package, Change::OpenChanges((&between).into()));
        to.push((format!("what changed from {} to {}", between.old, between.new), changes));
    }
    Leads { package: Some(name.to_owned()), to }
}

fn of_cache(index: &Index, base: &Query) -> Leads {
    let tab = |tab| apply(base, Change::Tab(tab));
    let mut to = vec![("how to use it".to_owned(), tab(Tab::Install))];
    if index.dictionary(Facet::Stack).len() > 1 {
        to.push(("which versions each stack has".to_owned(), tab(Tab::Coverage)));
    }
    if Between::latest(index).is_some() {
        let changes = apply(base, Change::OpenChanges(AskedChanges::Latest));
        to.push(("what changed".to_owned(), changes));
    }
    Leads { package: None, to }
}

#[cfg(test)]
mod tests {
    use cache_index::build::{Build, Place};
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;

    use super::*;

    #[test]
    fn leads_to_what_is_known_of_the_packages_that_a_text_names() {
        let one = |number: usize, package: &str, stack: &str| Build {
            hash: sample::hash(number),
            places: [Place { release: "develop".to_owned(), stack: stack.to_owned() }].into(),
            dependencies: Some(Vec::new()),
            ..sample::one(package, "1.14")
        };
        let builds = [one(1, "hdf5", "e4s"), one(2, "hdf5", "tools"), one(3, "which", "tools")];
        let index = pack(About::default(), builds).expect("an index");
        let asked = address::decode("q=x&os=rhel8&host=linux.rhel8.zen3").0;
        let to = |text: &str| -> Vec<String> {
            let found = leads(&index, &asked, text).into_iter();
            let to = found.flat_map(|leads| leads.to);
            to.map(|(what, query)| format!("{what}: {}", address::encode(&query))).collect()
        };
        assert_eq!(
            to("which frobs has hdf5@1.14?"),
            [
                "2 builds: package=hdf5&host=linux.rhel8.zen3",
                "its versions in each stack: package=hdf5&host=linux.rhel8.zen3&tab=coverage&across=stack",
                "what uses it: package=hdf5&host=linux.rhel8.zen3&tab=uses",
            ]
        );
        assert_eq!(
            to("frobs everywhere"),
            [
                "how to use it: host=linux.rhel8.zen3&tab=install",
                "which versions each stack has: host=linux.rhel8.zen3&tab=coverage",
            ]
        );
        assert!(to("frobs").is_empty());
    }
}
