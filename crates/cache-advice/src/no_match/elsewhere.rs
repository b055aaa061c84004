//! Searches for what is not a property of builds, and where the page has it: `outdated packages`, `e4s vs tools-sdk`,
//! `file h5dump`, `how big is llvm`.

mod comparing;
mod messages;
#[cfg(test)]
mod tests;

use cache_index::build::{Hash, Place};
use cache_index::facet::Facet;
use cache_index::index::{BuildId, Index};
use cache_index::number::counted;
use cache_query::search::{asks_nothing, similar_package, split};
use cache_query::{AskedChanges, Change, Column, Query, Size, Sort, Tab, apply};

use self::comparing::{across_stacks, between, in_each_stack, side_by_side, to_compare};
use crate::changes::{Between, Part};

/// Where the page has what a search asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// A query shows it.
    At {
        /// What is there, to follow *See*: `which builds have the file h5dump`.
        what: String,
        /// The query that shows it.
        query: Box<Query>,
    },
    /// A machine is named, `ubuntu22.04 · zen3`: a query shows what runs there.
    OnMachine {
        /// The machine, and what was assumed of it.
        said: String,
        /// The query that shows what runs there.
        query: Box<Query>,
    },
    /// The page does not have it, for the reason that this sentence gives.
    Nowhere(&'static str),
}

impl Elsewhere {
    fn at(what: impl Into<String>, query: Query) -> Elsewhere {
        Elsewhere::At { what: what.into(), query: Box::new(query) }
    }
}

/// What a page was published with, besides the index.
#[derive(Clone, Copy, Debug, Default)]
pub struct PublishedParts {
    /// What the recipes of packages say.
    pub recipes: bool,
    /// What is in the binaries of builds.
    pub binaries: bool,
}

/// What is not a property of builds, and the words that ask for it.
#[rustfmt::skip]
const TOPICS: [(Topic, &[&str]); 13] = [
    (Topic::File, &["file", "files", "program", "executable", "command", "header"]),
    (Topic::Import, &["import", "imports"]),
    (Topic::Outdated, &["outdated", "deprecated", "obsolete", "behind", "upgrade", "upgrades", "old", "newer"]),
    (Topic::Licenses, &["license", "licenses", "licence", "licences", "licensed", "licenced"]),
    (Topic::Stacks, &[
        "vs", "versus", "compare", "compared", "comparison", "difference", "differences", "differ", "differs", "different",
        "stacks", "matrix",
    ]),
    (Topic::Changes, &[
        "new", "added", "recent", "recently", "since", "removed", "gone", "changed", "change", "changes", "changelog", "diff", "rebuilt", "rebuild", "rebuilds",
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
    (Topic::Variants, &["variants", "options", "defaults"]),
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
    /// The values of a filter, which has this name.
    Filters(&'static str),
    About,
    Variants,
    Use,
}

/// Words that ask to compare, whatever is compared.
#[rustfmt::skip]
const COMPARING: [&str; 10] = [
    "vs", "versus", "compare", "compared", "comparison", "difference", "differences", "differ", "differs", "different",
];

/// The maximum number of words in a question.
const MOST_WORDS: usize = 16;

/// The minimum length of the beginning of a hash: as much as people copy.
const SHORT_HASH: usize = 7;

/// The maximum number of builds that are compared.
const MOST_NAMED: usize = 4;

/// The maximum number of spliced builds that a search lists. Their hashes are listed in full, because they begin like
/// those of other builds.
const MOST_SPLICED: usize = 50;

/// The ends of the names of files that nobody calls a package or a version.
const ENDINGS: [&str; 10] =
    [".so", ".a", ".h", ".hpp", ".inc", ".mod", ".py", ".dylib", ".pc", ".cmake"];

/// Answers a search for a file on a page without facts.
const NO_FILES: &str =
    "This page was published without what is in the binaries, so that it does not know their files";

/// Words that ask which builds need a file.
const NEEDING: [&str; 11] = [
    "need", "needs", "link", "links", "linked", "depend", "depends", "use", "uses", "require",
    "requires",
];

/// The folders of a package in which its files are.
const FOLDERS: [&str; 8] =
    ["bin/", "lib/", "lib64/", "libexec/", "include/", "share/", "etc/", "sbin/"];

/// For a text that finds no build when it is typed into a query, returns where the page has what it asks for; `None` if
/// no word of the text says so.
pub fn elsewhere(
    index: &Index,
    query: &Query,
    published: PublishedParts,
    text: &str,
) -> Option<Elsewhere> {
    let lower = text.to_lowercase();
    if let Some(said) = messages::said_of(&lower) {
        return Some(Elsewhere::Nowhere(said));
    }
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || "?!,;\"'()".contains(c))
        .map(|word| word.trim_end_matches(':'))
        .filter(|word| !word.is_empty())
        .collect();
    // A long text contains some of these words by chance.
    if words.len() > MOST_WORDS {
        return None;
    }
    let mut base = apply(query, Change::OpenPackages);
    base.question.text.clear();
    let typed = |text: String| apply(&base, Change::Type(split(index, &text)));
    let file = |name: &str| {
        let query = typed(format!("file:{name}"));
        let there = Elsewhere::at(format!("which builds have the file {name}"), query);
        if published.binaries { there } else { Elsewhere::Nowhere(NO_FILES) }
    };
    let is_file = |word: &&&str| {
        word.contains(".so.")
            || FOLDERS.iter().any(|folder| word.starts_with(folder))
            || ENDINGS.iter().any(|end| word.len() > end.len() && word.ends_with(end))
    };
    if let Some(name) = words.iter().find(is_file) {
        // Builds that need a library are not the builds that have it.
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
    if let Some(hashes) = named_builds(index, &words) {
        let what = format!("how these {} builds differ", hashes.len());
        return Some(Elsewhere::at(what, apply(&base, Change::Compare(hashes))));
    }
    if words.iter().any(|word| matches!(*word, "spliced" | "splice" | "splices" | "splicing")) {
        return spliced(index, &base, &words);
    }
    if let Some(package) = whose_needs(index, &words) {
        let query = apply(&base, Change::OpenPackage(package.to_owned()));
        let what = format!("the builds of {package}: the page of each lists what it needs");
        return Some(Elsewhere::at(what, query));
    }
    let by_stack = by_stack(&words) && index.has_names(Facet::Stack);
    if by_stack && packages(index, &words).next().is_none() {
        return Some(tab("which versions each stack has", Tab::Coverage));
    }
    let (at, topic) = words.iter().enumerate().find_map(|(at, word)| {
        let is_asked = |(_, asking): &&(Topic, &[&str])| asking.contains(word);
        let topic = TOPICS.iter().find(is_asked).filter(|_| !is_by_chance(&words, at));
        topic.map(|(topic, _)| (at, *topic))
    })?;
    let named = |facet| -> Vec<&str> {
        let is_named = |word: &&str| index.dictionary(facet).code(word).is_some();
        words.iter().copied().filter(is_named).collect()
    };
    let stacks = named(Facet::Stack);
    if is_of_unknown(index, &words, at) {
        return None;
    }
    let page_of = |package: &str, what: &str| {
        let query = apply(&base, Change::OpenPackage(package.to_owned()));
        Elsewhere::at(what, query)
    };
    Some(match topic {
        // `… file not found` names the file before these words.
        Topic::File if words[at + 1..].starts_with(&["not", "found"]) => {
            file(words.get(at.checked_sub(1)?)?)
        }
        Topic::File => file(words[at + 1..].iter().find(|word| !asks_nothing(word))?),
        Topic::Import => {
            // `from mpi4py import MPI`.
            let from = words[..at].split_last_chunk().filter(|(_, [from, _])| *from == "from");
            let name =
                from.map_or_else(|| words.get(at + 1).copied(), |(_, [_, name])| Some(*name))?;
            if published.binaries {
                let query = typed(format!("import:{name}"));
                return Some(Elsewhere::at(
                    format!("which builds have the Python module {name}"),
                    query,
                ));
            }
            match similar_package(index, name) {
                Some(package) => page_of(&package, &format!("the builds of {package}")),
                None => Elsewhere::Nowhere(NO_FILES),
            }
        }
        Topic::Outdated | Topic::Licenses if !published.recipes => return None,
        Topic::Outdated if packages(index, &words).count() == 1 => {
            let package = packages(index, &words).next()?;
            page_of(package, &format!("which versions of {package} Spack has, on its page"))
        }
        Topic::Outdated => {
            let what =
                "which packages have a newer release in Spack, and which versions are deprecated";
            tab(what, Tab::Outdated)
        }
        Topic::Licenses if packages(index, &words).count() == 1 => {
            let package = packages(index, &words).next()?;
            page_of(package, &format!("the licence of {package}, on its page"))
        }
        Topic::Licenses => tab("the licences among the filters of all packages", Tab::List),
        Topic::Stacks | Topic::Changes
            if !named(Facet::Release).is_empty() && Between::latest(index).is_some() =>
        {
            let between = between(index, &named(Facet::Release), &stacks)?;
            changed(index, &base, &words, Some(between))
        }
        Topic::Stacks if index.dictionary(Facet::Stack).len() < 2 => return None,
        Topic::Stacks => match stacks[..] {
            [one, other] if one != other => {
                let choose = |query, stack: &str| {
                    apply(&query, Change::Include(Facet::Stack, stack.to_owned()))
                };
                let cleared = apply(&base, Change::ClearFacet(Facet::Stack));
                let both = choose(choose(cleared, one), other);
                match (packages(index, &words).next(), packages(index, &words).nth(1)) {
                    (Some(package), None) => Elsewhere::at(
                        format!("the versions of {package} in {one} and in {other}"),
                        across_stacks(&both, package),
                    ),
                    _ => Elsewhere::at(
                        format!("the packages of {one} and of {other} side by side"),
                        apply(&both, Change::Tab(Tab::Coverage)),
                    ),
                }
            }
            _ => match (packages(index, &words).next(), packages(index, &words).nth(1)) {
                (Some(package), None) if COMPARING.contains(&words[at]) && !by_stack => {
                    to_compare(index, &base, package, &words)
                }
                (Some(package), None) => in_each_stack(&base, package),
                (Some(one), Some(other)) if stacks.is_empty() => {
                    match COMPARING.contains(&words[at]) {
                        true => side_by_side(&base, one, other),
                        false => return None,
                    }
                }
                _ => tab("which versions each stack has", Tab::Coverage),
            },
        },
        Topic::Changes if index.all_places().nth(1).is_none() => return None,
        Topic::Changes => what_changed(index, &base, &words, &stacks),
        Topic::Size if !published.binaries => {
            Elsewhere::Nowhere("This cache does not say how large its builds are")
        }
        Topic::Size => by_size(&base, packages(index, &words).next()?),
        // `netcdf-fotran with intel compiler` asks for something else.
        Topic::Filters(_) if !words.iter().all(|word| is_asking(word) || asks_nothing(word)) => {
            return None;
        }
        Topic::Filters(name) => {
            tab(&format!("the {name} among the filters of all packages"), Tab::List)
        }
        Topic::About => about(),
        Topic::Variants => {
            let package = packages(index, &words).next()?;
            page_of(package, &format!("the variants of {package}, on its page"))
        }
        Topic::Use => use_this_cache(),
    })
}

/// Returns `true` if the word at a position means something else than usual: `3.12 or newer`, `an old cluster`,
/// `the command for installing raja`.
fn is_by_chance(words: &[&str], at: usize) -> bool {
    const OF_PACKAGES: [&str; 6] =
        ["version", "versions", "release", "releases", "package", "packages"];
    let after = words.get(at + 1).copied();
    let before = at.checked_sub(1).map(|before| words[before]);
    match words[at] {
        "command" => matches!(after, Some("for" | "to" | "line")),
        "newer" => before == Some("or"),
        "old" => after.is_some_and(|after| !OF_PACKAGES.contains(&after)),
        _ => false,
    }
}

/// Returns `true` if the word at a position compares two things, and at least one of them is not known here:
/// `mfem vs dealii`.
fn is_of_unknown(index: &Index, words: &[&str], at: usize) -> bool {
    let is_known = |word: &&str| {
        let known = [Facet::Package, Facet::Stack, Facet::Release, Facet::Os, Facet::Target];
        word.starts_with(|first: char| first.is_ascii_digit())
            || asks_nothing(word)
            || is_asking(word)
            || known.into_iter().any(|facet| index.dictionary(facet).code(word).is_some())
    };
    let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
    matches!(words[at], "vs" | "versus") && !beside.filter_map(|at| words.get(at)).all(is_known)
}

/// Returns the builds whose hashes, or beginnings of hashes, are among the words, if there are at least two:
/// `compare fgr4oww 37vrmw6`.
fn named_builds(index: &Index, words: &[&str]) -> Option<Vec<Hash>> {
    let hash = |word: &&str| {
        let hash = word.trim_start_matches('/');
        match index.find_prefix(hash, 2)[..] {
            [build] if hash.len() >= SHORT_HASH => index.hash(build),
            _ => None,
        }
    };
    let hashes: Vec<Hash> = words.iter().filter_map(hash).collect();
    (2..=MOST_NAMED).contains(&hashes.len()).then_some(hashes)
}

/// Returns `true` for words that ask for something of each stack: `how many builds per stack`, `does cmake differ by stack`.
fn by_stack(words: &[&str]) -> bool {
    words.windows(2).any(|pair| {
        matches!(pair[0], "by" | "per" | "each" | "every" | "between" | "across")
            && matches!(pair[1], "stack" | "stacks")
    })
}

/// Returns the package of a question about what it needs: `which glibc does openssl need`.
fn whose_needs<'w>(index: &Index, words: &[&'w str]) -> Option<&'w str> {
    let [first, before @ .., last] = words else { return None };
    let is_asked = matches!(*first, "which" | "what")
        && matches!(*last, "need" | "use" | "require" | "on" | "against" | "with");
    let at = before.iter().position(|word| matches!(*word, "does" | "do" | "is" | "are"))?;
    let package = before.get(at + 1).copied()?;
    (is_asked && index.dictionary(Facet::Package).code(package).is_some()).then_some(package)
}

/// Returns the builds that were spliced, only those of the named package if one is named. `None` before the hashes have
/// arrived.
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

/// Returns what changed between the latest two releases, in the named stack if both have it.
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
    changed(index, base, words, of_stack)
}

/// Returns a comparison, or else the latest one, narrowed to the named package and OS.
fn changed(index: &Index, base: &Query, words: &[&str], between: Option<Between>) -> Elsewhere {
    let mut what = match &between {
        Some(between) => format!("what changed from {} to {}", between.old, between.new),
        None => "what changed between releases or stacks".to_owned(),
    };
    let asked = between.as_ref().map_or(AskedChanges::Latest, Into::into);
    let mut query = apply(base, Change::OpenChanges(asked));
    if let Some(package) = packages(index, words).next() {
        query = apply(&query, Change::Only(Facet::Package, package.to_owned()));
        what = match between {
            Some(_) => format!("{what}, of {package}"),
            None => format!("what changed in {package}"),
        };
    }
    let is_os = |word: &&&str| index.dictionary(Facet::Os).code(word).is_some();
    if let Some(os) = words.iter().find(is_os) {
        query = apply(&query, Change::Only(Facet::Os, (*os).to_owned()));
        what = format!("{what}, for {os}");
    }
    Elsewhere::at(what, query)
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

/// Returns `true` for a word that asks for one of the topics.
fn is_asking(word: &str) -> bool {
    TOPICS.iter().any(|(_, asking)| asking.contains(&word))
}

/// Iterates over the packages that words name besides what they ask for.
fn packages<'w>(index: &Index, words: &[&'w str]) -> impl Iterator<Item = &'w str> {
    let names = words.iter().copied().filter(move |word| *word != "which" && !is_asking(word));
    names.filter(|word| index.dictionary(Facet::Package).code(word).is_some())
}
