//! Searches for what is not a property of builds, and where the page has it: `outdated packages`, `e4s vs tools-sdk`,
//! `file h5dump`.

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::search::split;
use cache_query::{AskedChanges, Change, Query, Tab, apply};

use crate::changes::{Between, Part};

/// Where the page has what a search asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// What is there, to follow *See*: `which builds have the file h5dump`.
    pub what: String,
    /// The query that leads there.
    pub query: Query,
}

/// What is not a property of builds, and the words that ask for it.
#[rustfmt::skip]
const TOPICS: [(Topic, &[&str]); 7] = [
    (Topic::File, &["file", "files", "program", "executable", "command", "header"]),
    (Topic::Import, &["import", "imports"]),
    (Topic::Outdated, &["outdated", "deprecated", "obsolete", "behind", "upgrade", "upgrades", "old"]),
    (Topic::Licenses, &["license", "licenses", "licence", "licences", "licensed", "licenced"]),
    (Topic::Stacks, &[
        "vs", "versus", "compare", "compared", "comparison", "difference", "differences", "differ", "stacks", "matrix",
    ]),
    (Topic::Changes, &[
        "new", "added", "recent", "recently", "since", "removed", "gone", "changed", "change", "changes", "changelog", "diff",
    ]),
    (Topic::Use, &["mirror", "mirrors", "url", "key", "keys", "buildcache"]),
];

#[derive(Clone, Copy)]
enum Topic {
    File,
    Import,
    Outdated,
    Licenses,
    Stacks,
    Changes,
    Use,
}

/// The ends of the names of files that nobody calls a package or a version.
const ENDINGS: [&str; 8] = [".so", ".a", ".h", ".hpp", ".mod", ".py", ".dylib", ".pc"];

/// The folders of a package in which its files are.
const FOLDERS: [&str; 8] =
    ["bin/", "lib/", "lib64/", "libexec/", "include/", "share/", "etc/", "sbin/"];

/// Returns where the page has what a text asks for that finds no build when it is typed into a query; `None` if nothing in it
/// says so.
pub fn elsewhere(index: &Index, query: &Query, has_recipes: bool, text: &str) -> Option<Elsewhere> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || "?!,;\"'()".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let mut base = apply(query, Change::OpenPackages);
    base.question.text.clear();
    let typed = |text: String| apply(&base, Change::Type(split(index, &text)));
    let file = |name: &str| {
        let query = typed(format!("file:{name}"));
        Elsewhere { what: format!("which builds have the file {name}"), query }
    };
    let is_file = |word: &&&str| {
        word.contains(".so.")
            || FOLDERS.iter().any(|folder| word.starts_with(folder))
            || ENDINGS.iter().any(|end| word.len() > end.len() && word.ends_with(end))
    };
    if let Some(name) = words.iter().find(is_file) {
        return Some(file(name));
    }
    let (at, topic) = words.iter().enumerate().find_map(|(at, word)| {
        let is_asked = |(_, asking): &&(Topic, &[&str])| asking.contains(word);
        TOPICS.iter().find(is_asked).map(|(topic, _)| (at, *topic))
    })?;
    let named = |facet| -> Vec<&str> {
        let is_named = |word: &&str| index.dictionary(facet).code(word).is_some();
        words.iter().copied().filter(is_named).collect()
    };
    let stacks = named(Facet::Stack);
    let tab = |what: &str, tab| {
        let query = apply(&base, Change::Tab(tab));
        Elsewhere { what: what.to_owned(), query }
    };
    Some(match topic {
        Topic::File => file(words.get(at + 1)?),
        Topic::Import => {
            let name = words.get(at + 1)?;
            let query = typed(format!("import:{name}"));
            Elsewhere { what: format!("which builds have the Python module {name}"), query }
        }
        Topic::Outdated | Topic::Licenses if !has_recipes => return None,
        Topic::Outdated => {
            let what =
                "which packages have a newer release in Spack, and which versions are deprecated";
            tab(what, Tab::Outdated)
        }
        Topic::Licenses => tab("the licences among the filters of all packages", Tab::List),
        Topic::Stacks | Topic::Changes
            if !named(Facet::Release).is_empty() && Between::latest(index).is_some() =>
        {
            let between = between(index, &named(Facet::Release), &stacks)?;
            let mut query = apply(&base, Change::OpenChanges((&between).into()));
            let mut what = format!("what changed from {} to {}", between.old, between.new);
            if let Some(package) = packages(index, &words).next() {
                query = apply(&query, Change::Only(Facet::Package, package.to_owned()));
                what = format!("{what}, of {package}");
            }
            Elsewhere { what, query }
        }
        Topic::Stacks if index.dictionary(Facet::Stack).len() < 2 => return None,
        Topic::Stacks => match stacks[..] {
            [one, other] if one != other => {
                let choose = |query, stack: &str| {
                    apply(&query, Change::Include(Facet::Stack, stack.to_owned()))
                };
                let cleared = apply(&base, Change::ClearFacet(Facet::Stack));
                let both = choose(choose(cleared, one), other);
                Elsewhere {
                    what: format!("the packages of {one} and of {other} side by side"),
                    query: apply(&both, Change::Tab(Tab::Coverage)),
                }
            }
            // Nothing here compares packages.
            [] if packages(index, &words).nth(1).is_some() => return None,
            _ => tab("which versions each stack has", Tab::Coverage),
        },
        Topic::Changes if index.all_places().nth(1).is_none() => return None,
        Topic::Changes => Elsewhere {
            what: "what changed between releases or stacks".to_owned(),
            query: apply(&base, Change::OpenChanges(AskedChanges::Latest)),
        },
        Topic::Use => tab("how to use this cache: its mirrors and their keys", Tab::Install),
    })
}

/// Returns the comparison of releases that are named, or of one with the newest other one: of a stack in both, if one is named.
/// `None` if more are named.
fn between(index: &Index, releases: &[&str], stacks: &[&str]) -> Option<Between> {
    let stack = match stacks {
        [] => None,
        [stack] => Some((*stack).to_owned()),
        _ => return None,
    };
    let latest = Between::latest(index)?;
    let (old, new) = match *releases {
        [one] if one == latest.new.release => (latest.old.release, latest.new.release),
        [one] => (one.to_owned(), latest.new.release),
        [one, other] if one == latest.new.release => (other.to_owned(), one.to_owned()),
        [one, other] => (one.to_owned(), other.to_owned()),
        _ => return None,
    };
    let part = |release| Part { release, stack: stack.clone() };
    Some(Between { old: part(old), new: part(new) })
}

/// Iterates over the packages that words name beside what they ask for.
fn packages<'w>(index: &Index, words: &[&'w str]) -> impl Iterator<Item = &'w str> {
    let is_asking = |word: &str| TOPICS.iter().any(|(_, asking)| asking.contains(&word));
    let names = words.iter().copied().filter(move |word| *word != "which" && !is_asking(word));
    names.filter(|word| index.dictionary(Facet::Package).code(word).is_some())
}

#[cfg(test)]
mod tests {
    use cache_index::build::{Build, Place};
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;

    use super::*;

    #[test]
    fn says_where_the_page_has_what_is_not_a_property_of_builds() {
        let one = |number, stack: &str| Build {
            hash: sample::hash(number),
            places: [Place { release: "develop".to_owned(), stack: stack.to_owned() }].into(),
            ..sample::one("hdf5", "1.14.6")
        };
        let zlib = Build { package: "zlib".to_owned(), ..one(2, "e4s") };
        let builds = [one(0, "e4s"), one(1, "tools-sdk"), zlib];
        let index = pack(About::default(), builds).expect("an index");
        let query = address::decode("os=rhel8&q=zlib&host=linux.rhel8.zen3").0;
        let check = |text: &str, what: &str, to: &str| {
            let found = elsewhere(&index, &query, true, text).expect("a place");
            assert!(found.what.contains(what), "{text}: {}", found.what);
            assert_eq!(address::encode(&found.query), to, "{text}");
        };
        let kept = "os=rhel8&host=linux.rhel8.zen3";
        check("outdated packages?", "a newer release", &format!("{kept}&tab=outdated"));
        check(
            "e4s vs tools-sdk",
            "of e4s and of tools-sdk",
            &format!("stack=e4s&stack=tools-sdk&{kept}&tab=coverage"),
        );
        check("difference between e4s and hdf5", "each stack", &format!("{kept}&tab=coverage"));
        check("what is new this week", "what changed", "os=rhel8&changes=&host=linux.rhel8.zen3");
        assert_eq!(elsewhere(&index, &query, true, "hdf5 vs zlib"), None);
        let releases = ["v1", "develop"].map(|release| Build {
            places: [Place { release: release.to_owned(), stack: "e4s".to_owned() }].into(),
            ..one(release.len(), "e4s")
        });
        let of_releases = pack(About::default(), releases).expect("an index");
        let changes = |text: &str, to: &str| {
            let found = elsewhere(&of_releases, &Query::default(), true, text).expect("a place");
            assert_eq!(address::encode(&found.query), to, "{text}");
        };
        changes("v1 vs develop", "changes=v1..develop");
        changes("difference between develop and v1", "changes=v1..develop");
        changes("what changed since v1 in e4s", "changes=v1/e4s..develop/e4s");
        changes("hdf5 develop vs v1", "package=hdf5&changes=v1..develop");
        check("file h5dump", "the file h5dump", &format!("{kept}&file=h5dump"));
        check("who has libhdf5.so?", "the file libhdf5.so", &format!("{kept}&file=libhdf5.so"));
        check(
            "which build has bin/h5dump",
            "the file bin/h5dump",
            &format!("{kept}&file=bin/h5dump"),
        );
        check("import numpy", "the Python module numpy", &format!("{kept}&import=numpy"));
        check("which license", "licences", kept);
        check("mirror url", "use this cache", &format!("{kept}&tab=install"));
        assert_eq!(elsewhere(&index, &query, false, "outdated"), None);
        assert_eq!(elsewhere(&index, &query, true, "frobnicator"), None);
        assert_eq!(elsewhere(&index, &query, true, "file"), None);
    }
}
