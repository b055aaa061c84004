//! Searches for what is not a property of builds, and where the page has it: `outdated packages`, `e4s vs tools-sdk`,
//! `file h5dump`, `how big is llvm`.

use cache_index::build::Place;
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_index::number::counted;
use cache_query::search::{asks_nothing, split};
use cache_query::{Across, AskedChanges, Change, Column, Query, Size, Sort, Tab, apply};

use crate::changes::{Between, Part};

/// Where the page has what a search asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// A query leads there.
    At {
        /// What is there, to follow *See*: `which builds have the file h5dump`.
        what: String,
        /// The query that leads there.
        query: Box<Query>,
    },
    /// It cannot be had, as this sentence says.
    Nowhere(&'static str),
}

impl Elsewhere {
    fn at(what: impl Into<String>, query: Query) -> Elsewhere {
        Elsewhere::At { what: what.into(), query: Box::new(query) }
    }
}

/// What a page was published with, beside the index.
#[derive(Clone, Copy, Debug, Default)]
pub struct Published {
    /// What the recipes of packages say.
    pub recipes: bool,
    /// What is in the binaries of builds.
    pub binaries: bool,
}

/// What is not a property of builds, and the words that ask for it.
#[rustfmt::skip]
const TOPICS: [(Topic, &[&str]); 12] = [
    (Topic::File, &["file", "files", "program", "executable", "command", "header"]),
    (Topic::Import, &["import", "imports"]),
    (Topic::Outdated, &["outdated", "deprecated", "obsolete", "behind", "upgrade", "upgrades", "old"]),
    (Topic::Licenses, &["license", "licenses", "licence", "licences", "licensed", "licenced"]),
    (Topic::Stacks, &[
        "vs", "versus", "compare", "compared", "comparison", "difference", "differences", "differ", "differs", "different",
        "stacks", "matrix",
    ]),
    (Topic::Changes, &[
        "new", "added", "recent", "recently", "since", "removed", "gone", "changed", "change", "changes", "changelog", "diff", "rebuilt", "rebuild",
    ]),
    (Topic::Size, &[
        "size", "sizes", "big", "bigger", "biggest", "large", "larger", "largest", "small", "smaller", "smallest", "bytes",
    ]),
    (Topic::Filters("compilers"), &["compiler", "compilers"]),
    (Topic::Filters("targets"), &[
        "target", "targets", "architecture", "architectures", "cpu", "cpus", "processor", "processors",
    ]),
    (Topic::Filters("operating systems"), &["os", "oses", "systems", "distributions", "distros"]),
    (Topic::About, &["when", "updated", "age", "date", "statistics", "stats"]),
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
    Size,
    /// Among the filters, which have this name.
    Filters(&'static str),
    About,
    Use,
}

/// Words that ask to compare, whatever is compared.
#[rustfmt::skip]
const COMPARING: [&str; 10] = [
    "vs", "versus", "compare", "compared", "comparison", "difference", "differences", "differ", "differs", "different",
];

/// The most spliced builds that a search lists, by their whole hashes: the beginnings of these are those of other builds.
const MOST_SPLICED: usize = 50;

/// The ends of the names of files that nobody calls a package or a version.
const ENDINGS: [&str; 8] = [".so", ".a", ".h", ".hpp", ".mod", ".py", ".dylib", ".pc"];

/// Words that ask which builds need a file.
const NEEDING: [&str; 11] = [
    "need", "needs", "link", "links", "linked", "depend", "depends", "use", "uses", "require",
    "requires",
];

/// The folders of a package in which its files are.
const FOLDERS: [&str; 8] =
    ["bin/", "lib/", "lib64/", "libexec/", "include/", "share/", "etc/", "sbin/"];

/// Returns where the page has what a text asks for that finds no build when it is typed into a query; `None` if nothing in it
/// says so.
pub fn elsewhere(
    index: &Index,
    query: &Query,
    published: Published,
    text: &str,
) -> Option<Elsewhere> {
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
        Elsewhere::at(format!("which builds have the file {name}"), query)
    };
    let is_file = |word: &&&str| {
        word.contains(".so.")
            || FOLDERS.iter().any(|folder| word.starts_with(folder))
            || ENDINGS.iter().any(|end| word.len() > end.len() && word.ends_with(end))
    };
    if let Some(name) = words.iter().find(is_file) {
        // Who needs a library is not who has it.
        let asks_for_users = words.iter().any(|word| NEEDING.contains(word));
        let users = "Builds cannot be searched for by the libraries that they need: the Contents of each list them";
        return Some(if asks_for_users { Elsewhere::Nowhere(users) } else { file(name) });
    }
    let tab = |what: &str, tab| Elsewhere::at(what, apply(&base, Change::Tab(tab)));
    let about = || tab("how old this cache is, and what it contains", Tab::About);
    let use_this_cache = || tab("how to use this cache: its mirrors and their keys", Tab::Install);
    if asks_for_use(&words) && packages(index, &words).next().is_none() {
        return Some(use_this_cache());
    }
    if words.windows(2).any(|pair| pair == ["how", "old"]) {
        return Some(about());
    }
    if words.iter().any(|word| matches!(*word, "spliced" | "splice" | "splices" | "splicing")) {
        return spliced(index, &base, &words);
    }
    let by_stack = by_stack(&words) && index.has_names(Facet::Stack);
    if by_stack && packages(index, &words).next().is_none() {
        return Some(tab("which versions each stack has", Tab::Coverage));
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
    Some(match topic {
        Topic::File => file(words[at + 1..].iter().find(|word| !asks_nothing(word))?),
        Topic::Import => {
            let name = words.get(at + 1)?;
            let query = typed(format!("import:{name}"));
            Elsewhere::at(format!("which builds have the Python module {name}"), query)
        }
        Topic::Outdated | Topic::Licenses if !published.recipes => return None,
        Topic::Outdated => {
            let what =
                "which packages have a newer release in Spack, and which versions are deprecated";
            tab(what, Tab::Outdated)
        }
        Topic::Licenses if packages(index, &words).count() == 1 => {
            let package = packages(index, &words).next()?;
            let query = apply(&base, Change::OpenPackage(package.to_owned()));
            Elsewhere::at(format!("the licence of {package}, on its page"), query)
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
            Elsewhere::at(what, query)
        }
        Topic::Stacks if index.dictionary(Facet::Stack).len() < 2 => return None,
        Topic::Stacks => match stacks[..] {
            [one, other] if one != other => {
                let choose = |query, stack: &str| {
                    apply(&query, Change::Include(Facet::Stack, stack.to_owned()))
                };
                let cleared = apply(&base, Change::ClearFacet(Facet::Stack));
                let both = choose(choose(cleared, one), other);
                Elsewhere::at(
                    format!("the packages of {one} and of {other} side by side"),
                    apply(&both, Change::Tab(Tab::Coverage)),
                )
            }
            _ => match (packages(index, &words).next(), packages(index, &words).nth(1)) {
                (Some(package), None) if COMPARING.contains(&words[at]) && !by_stack => {
                    to_compare(index, &base, package, &words)
                }
                (Some(package), None) => in_each_stack(&base, package),
                // Nothing here compares packages.
                (Some(_), Some(_)) if stacks.is_empty() => return None,
                _ => tab("which versions each stack has", Tab::Coverage),
            },
        },
        Topic::Changes if index.all_places().nth(1).is_none() => return None,
        Topic::Changes => what_changed(index, &base, &words, &stacks),
        Topic::Size if !published.binaries => {
            Elsewhere::Nowhere("This cache does not say how large its builds are")
        }
        Topic::Size => by_size(&base, packages(index, &words).next()?),
        Topic::Filters(name) => {
            tab(&format!("the {name} among the filters of all packages"), Tab::List)
        }
        Topic::About => about(),
        Topic::Use => use_this_cache(),
    })
}

/// Returns `true` for words that ask for something of each stack: `how many builds per stack`, `does cmake differ by stack`.
fn by_stack(words: &[&str]) -> bool {
    words.windows(2).any(|pair| {
        matches!(pair[0], "by" | "per" | "each" | "every" | "between" | "across")
            && matches!(pair[1], "stack" | "stacks")
    })
}

/// Returns the builds that were spliced, of the package that is named, if one is. `None` before the hashes have arrived.
fn spliced(index: &Index, base: &Query, words: &[&str]) -> Option<Elsewhere> {
    if !index.has_hashes() {
        return None;
    }
    let package = packages(index, words).next();
    let is_asked = |build: &BuildId| {
        let row = index.row_of(*build);
        index.origin(row).spliced_from.is_some()
            && package.is_none_or(|package| index.text(row, Facet::Package) == package)
    };
    let builds = index.builds_with_binary().filter(is_asked);
    let hashes: Vec<String> =
        builds.filter_map(|build| Some(format!("/{}", index.hash(build)?))).collect();
    Some(match hashes.len() {
        0 => Elsewhere::Nowhere("No such build here was spliced"),
        1..=MOST_SPLICED => {
            let builds = counted(hashes.len(), "build", "builds");
            let were = if hashes.len() == 1 { "was" } else { "were" };
            let of = package.map_or(String::new(), |package| format!(" of {package}"));
            let text = hashes.join(" ");
            let query = apply(base, Change::Type(split(index, &text)));
            Elsewhere::at(format!("the {builds}{of} that {were} spliced"), query)
        }
        _ => Elsewhere::Nowhere(
            "Builds cannot be searched for by what they were spliced from: the page of each says it",
        ),
    })
}

/// Returns what changed between the last two releases: in the stack that is named if both have it, in a package, or for an OS.
fn what_changed(index: &Index, base: &Query, words: &[&str], stacks: &[&str]) -> Elsewhere {
    let has = |part: &Part| {
        let is_it = |place: &Place| {
            place.release == part.release && Some(&place.stack) == part.stack.as_ref()
        };
        index.all_places().any(|place| is_it(&place))
    };
    let of_stack = match stacks {
        [stack] => Between::latest(index).map(|mut latest| {
            latest.old.stack = Some((*stack).to_owned());
            latest.new.stack = Some((*stack).to_owned());
            latest
        }),
        _ => None,
    };
    let of_stack = of_stack.filter(|between| has(&between.old) && has(&between.new));
    let mut what = match &of_stack {
        Some(between) => format!("what changed from {} to {}", between.old, between.new),
        None => "what changed between releases or stacks".to_owned(),
    };
    let asked = of_stack.map_or(AskedChanges::Latest, |between| (&between).into());
    let mut query = apply(base, Change::OpenChanges(asked));
    if let Some(package) = packages(index, words).next() {
        query = apply(&query, Change::Only(Facet::Package, package.to_owned()));
        what = format!("what changed in {package}");
    }
    let is_os = |word: &&&str| index.dictionary(Facet::Os).code(word).is_some();
    if let Some(os) = words.iter().find(is_os) {
        query = apply(&query, Change::Only(Facet::Os, (*os).to_owned()));
        what = format!("{what}, for {os}");
    }
    Elsewhere::at(what, query)
}

/// Returns the builds of a package, of the versions that are named: any of them can be compared there.
fn to_compare(index: &Index, base: &Query, package: &str, words: &[&str]) -> Elsewhere {
    let mut query = apply(base, Change::Only(Facet::Package, package.to_owned()));
    let versions =
        words.iter().filter(|word| index.dictionary(Facet::Version).code(word).is_some());
    for version in versions {
        query = apply(&query, Change::Include(Facet::Version, (*version).to_owned()));
    }
    Elsewhere::at(format!("the builds of {package}, and choose those to compare"), query)
}

/// Returns the versions of a package in each stack.
fn in_each_stack(base: &Query, package: &str) -> Elsewhere {
    let mut query = apply(base, Change::Only(Facet::Package, package.to_owned()));
    query = apply(&query, Change::Tab(Tab::Coverage));
    query = apply(&query, Change::Across(Across::Stack));
    Elsewhere::at(format!("the versions of {package} in each stack"), query)
}

/// Returns `true` for words that ask how to use the cache: `how do I use this cache`, `how to use it on a new machine`.
fn asks_for_use(words: &[&str]) -> bool {
    const DOING: [&str; 7] = ["use", "using", "set", "setup", "configure", "add", "install"];
    const CACHE: [&str; 5] = ["cache", "mirror", "binaries", "it", "this"];
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    has(&DOING) && has(&CACHE)
}

/// Returns the builds of a package, the smallest download first.
fn by_size(base: &Query, package: &str) -> Elsewhere {
    let size = Column::Size(Size::Download);
    let mut query = apply(base, Change::Only(Facet::Package, package.to_owned()));
    query = apply(&query, Change::Sort(Sort { column: size, descending: false }));
    let shown = Column::of_builds().filter(|column| column.is_of_builds_by_default());
    query = apply(&query, Change::Columns(Some(shown.chain([size]).collect())));
    Elsewhere::at(format!("the builds of {package} by the size of their binaries"), query)
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
        let all = Published { recipes: true, binaries: true };
        let found = |index: &Index, query: &Query, text: &str| {
            let Some(Elsewhere::At { what, query }) = elsewhere(index, query, all, text) else {
                panic!("{text}: expected a place");
            };
            (what, address::encode(&query))
        };
        let check = |text: &str, expected: &str, to: &str| {
            let (what, query) = found(&index, &query, text);
            assert!(what.contains(expected), "{text}: {what}");
            assert_eq!(query, to, "{text}");
        };
        let kept = "os=rhel8&host=linux.rhel8.zen3";
        check("outdated packages?", "a newer release", &format!("{kept}&tab=outdated"));
        check(
            "e4s vs tools-sdk",
            "of e4s and of tools-sdk",
            &format!("stack=e4s&stack=tools-sdk&{kept}&tab=coverage"),
        );
        check(
            "in which stacks is hdf5",
            "hdf5 in each stack",
            &format!("package=hdf5&{kept}&tab=coverage&across=stack"),
        );
        check(
            "hdf5 1.14.6 vs 1.12.3",
            "hdf5, and choose",
            "package=hdf5&os=rhel8&version=1.14.6&host=linux.rhel8.zen3",
        );
        check("how old is this cache", "how old", &format!("{kept}&tab=about"));
        check(
            "what changed in hdf5",
            "changed in hdf5",
            "package=hdf5&os=rhel8&changes=&host=linux.rhel8.zen3",
        );
        check("what is new this week", "what changed", "os=rhel8&changes=&host=linux.rhel8.zen3");
        assert_eq!(elsewhere(&index, &query, all, "hdf5 vs zlib"), None);
        check("how many builds per stack", "each stack", &format!("{kept}&tab=coverage"));
        check(
            "does hdf5 differ by stack",
            "hdf5 in each stack",
            &format!("package=hdf5&{kept}&tab=coverage&across=stack"),
        );
        check(
            "licence of hdf5",
            "the licence of hdf5",
            "package=hdf5&os=rhel8&host=linux.rhel8.zen3",
        );
        check(
            "new builds for ubuntu24.04",
            "for ubuntu24.04",
            "os=ubuntu24.04&changes=&host=linux.rhel8.zen3",
        );
        let of_splice =
            [one(4, "e4s"), Build { spliced_from: Some(sample::hash(4)), ..one(5, "e4s") }];
        let of_splice = pack(About::default(), of_splice).expect("an index");
        let (what, to) = found(&of_splice, &Query::default(), "which builds are spliced");
        assert_eq!(what, "the 1 build that was spliced");
        assert_eq!(to, format!("q=/{}", sample::hash(5)));
        let none = Some(Elsewhere::Nowhere("No such build here was spliced"));
        assert_eq!(elsewhere(&index, &query, all, "spliced hdf5"), none);
        let releases = ["v1", "develop"].map(|release| Build {
            places: [Place { release: release.to_owned(), stack: "e4s".to_owned() }].into(),
            ..one(release.len(), "e4s")
        });
        let of_releases = pack(About::default(), releases).expect("an index");
        let changes = |text: &str, to: &str| {
            assert_eq!(found(&of_releases, &Query::default(), text).1, to, "{text}");
        };
        changes("v1 vs develop", "changes=v1..develop");
        changes("what changed in e4s", "changes=v1/e4s..develop/e4s");
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
        let users = elsewhere(&index, &query, all, "what needs libstdc++.so.6");
        assert!(matches!(users, Some(Elsewhere::Nowhere(said)) if said.contains("Contents")));
        check("import numpy", "the Python module numpy", &format!("{kept}&import=numpy"));
        check("which license", "licences", kept);
        check("which compilers are there", "compilers", kept);
        check("builds per os", "operating systems", kept);
        check("how to use it on a new machine", "use this cache", &format!("{kept}&tab=install"));
        check("mirror url", "use this cache", &format!("{kept}&tab=install"));
        check(
            "how big is hdf5?",
            "hdf5 by the size",
            &format!(
                "package=hdf5&{kept}&sort=size&columns=hash,version,compiler,os,target,stack,variant,size"
            ),
        );
        let alone = Published::default();
        let unknown = "This cache does not say how large its builds are";
        let nowhere = Some(Elsewhere::Nowhere(unknown));
        assert_eq!(elsewhere(&index, &query, alone, "smallest build of hdf5"), nowhere);
        assert_eq!(elsewhere(&index, &query, alone, "outdated"), None);
        assert_eq!(elsewhere(&index, &query, all, "frobnicator"), None);
        assert_eq!(elsewhere(&index, &query, all, "file"), None);
    }
}
