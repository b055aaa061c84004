//! Why nothing matches: which filters to remove, and what exists instead.
//!
//! A sentence about what exists instead of the values of a filter names all other filters, because it is only true of the
//! builds that they leave.

use cache_index::facet::{Facet, variant_name};
use cache_index::index::{Index, NO_COMPILER, RowId, ValueCode};
use cache_index::number::{counted, grouped};
use cache_query::Answer;
use cache_query::host::Runs;
use cache_query::search::{Property, meanings};
use cache_query::{Filter, Match, PartFilter, Presentation, Query, Question, View, apply, run};
use spack_spec::Target;

/// The maximum number of filters that are tried; for each, a question is answered.
const MOST: usize = 16;

/// The maximum number of values of a facet that a sentence lists.
const MOST_VALUES: usize = 3;

/// A filter without which builds would match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayOut {
    /// The filter.
    pub filter: Filter,
    /// How many builds match without it.
    pub builds: u32,
    /// The facet that the filter is about, and the values there of the builds that match without it. If some of these
    /// do not have the variant or compiler at all, the last value says so.
    instead: Option<(Facet, Vec<String>)>,
}

/// Returns the filters that may be in the way, as far as they are tried.
pub fn filters_in_the_way(index: &Index, question: &Question) -> Vec<Filter> {
    let mut filters = Filter::all(index, question);
    filters.truncate(MOST);
    filters
}

/// Returns the facet that a filter is about, and the values that it asks for, as they are written.
fn asked(filter: &Filter) -> Option<(Facet, Vec<&str>)> {
    match filter {
        Filter::Included(facet, values) => {
            Some((*facet, values.iter().map(String::as_str).collect()))
        }
        Filter::Text(meaning) => Some((meaning.property.facet()?, vec![meaning.value()])),
        Filter::Runs(_)
        | Filter::OnGpu(_)
        | Filter::Since(_)
        | Filter::Part(_)
        | Filter::Excluded(..) => None,
    }
}

/// Returns the filters that exclude everything that the others match.
pub fn ways_out(index: &Index, question: &Question) -> Vec<WayOut> {
    let filters = filters_in_the_way(index, question).into_iter();
    filters.filter_map(|filter| way_out(index, question, filter)).collect()
}

/// Returns what matches without one of the filters of a question; `None` if nothing does. This takes as long as an answer.
pub fn way_out(index: &Index, question: &Question, filter: Filter) -> Option<WayOut> {
    let without = question_without(index, question, &filter);
    if without.awaits_parts() {
        return None;
    }
    let answer = run(index, &without);
    // Without its version, what is left of `numpy@2:` is a part of names if no package is called `numpy`.
    let names_part = |question: &Question| {
        meanings(index, &question.text).iter().any(|one| one.property == Property::NameHas)
    };
    let is_same = !names_part(&without) || names_part(question);
    let instead = asked(&filter)
        .filter(|_| is_same)
        .map(|(facet, asked)| (facet, values_there(index, &answer, facet, asked[0])));
    (answer.builds > 0).then_some(WayOut { filter, builds: answer.builds, instead })
}

pub(crate) fn question_without(index: &Index, question: &Question, filter: &Filter) -> Question {
    let query = Query { question: question.clone(), presentation: Presentation::default() };
    apply(&query, filter.removal(index)).question
}

/// Returns a sentence, without a full stop, that says why nothing matches: "On rhel8, hdf5 +mpi exists
/// only with gcc@13.3.1". `None` if no single filter is the cause.
pub fn why(index: &Index, question: &Question, ways: &[WayOut]) -> Option<String> {
    for way in ways {
        match way.filter {
            Filter::Included(Facet::Release, _) if !index.has_names(Facet::Release) => {
                return Some("This cache has no releases".to_owned());
            }
            Filter::Included(Facet::Stack, _) if !index.has_names(Facet::Stack) => {
                return Some("This cache has no stacks".to_owned());
            }
            _ => {}
        }
    }
    let reasons = ways.iter().filter_map(|way| {
        let (facet, values) = way.instead.as_ref().filter(|(_, values)| !values.is_empty())?;
        let choice = question.choice(*facet);
        // If a build must have several values, the others come in addition, not instead.
        let has_others = choice.matching() == Match::All && choice.included().len() > 1;
        let is_instead = *facet == Facet::Variant || !has_others;
        is_instead.then_some((values.len(), *facet, values, &way.filter))
    });
    // The fewest other values say most; among equals, what a user gives up most easily comes first.
    let reason = reasons.min_by_key(|(count, facet, ..)| (*count, ease(*facet)));
    let Some((_, facet, values, filter)) = reason else {
        return ways.iter().find_map(|way| all_have_what_is_excluded(index, question, way));
    };
    let number = values.len();
    // Listing one more value takes no more room than counting it.
    let listed = if number <= MOST_VALUES + 1 { number } else { MOST_VALUES };
    let others = number - listed;
    let mut listed = values[..listed].join(", ");
    if others > 0 {
        listed.push_str(&format!(" or {}", counted(others, "other", "others")));
    }
    if facet == Facet::Target
        && let Some((_, asked)) = asked(filter)
        && let [target] = asked[..]
        && let Some(target) = Target::named(target)
        && values.iter().all(|value| Target::named(value).is_some_and(|it| target.runs(it)))
    {
        listed.push_str(&format!(", which {target} runs"));
    }
    let others: Vec<Filter> =
        Filter::all(index, question).into_iter().filter(|other| other != filter).collect();
    let (subject, place) = subject(question, &others);
    let exists = if subject.is_empty() { "such builds exist" } else { "exists" };
    let space = if subject.is_empty() { "" } else { " " };
    let sentence = format!("{subject}{space}{exists} only {} {listed}", preposition(facet));
    let place = (!place.is_empty()).then(|| format!("on {place}"));
    let among = others.iter().filter_map(|other| match other {
        Filter::Runs(_) if question.asked_runs() == [Runs::Yes] => {
            Some("of what works on your machine".to_owned())
        }
        Filter::Runs(_) => Some("of what the chosen verdicts leave".to_owned()),
        Filter::OnGpu(_) => Some("of what uses your GPU".to_owned()),
        Filter::Since(since) => Some(format!("of what is new since {since}")),
        _ => None,
    });
    let among = among.chain(of_parts(question)).chain(left_out(&others));
    let parts: Vec<String> = place.into_iter().chain(among).chain([sentence]).collect();
    let whole = parts.join(", ");
    // The name of a package is not capitalized.
    let is_name = parts.len() == 1 && !subject.is_empty() && !subject.starts_with(WHAT_IS);
    Some(if is_name { whole } else { whole[..1].to_uppercase() + &whole[1..] })
}

/// Returns what the filters on other parts of the index ask for, as clauses: "of what has the file bin/h5dump".
fn of_parts(question: &Question) -> Vec<String> {
    let mut clauses: Vec<String> = Vec::new();
    let mut licenses: Vec<&str> = Vec::new();
    for filter in &question.part_filters {
        match filter {
            PartFilter::File(term) => {
                let (kind, value) = term.words();
                clauses.push(format!("of what has the {kind} {value}"));
            }
            // Any of the licences is enough.
            PartFilter::License(name) => licenses.push(name),
            PartFilter::Signed(true) => clauses.push("of what is signed".to_owned()),
            PartFilter::Signed(false) => clauses.push("of what is not signed".to_owned()),
        }
    }
    if !licenses.is_empty() {
        clauses.push(format!("of what has the licence {}", licenses.join(" or ")));
    }
    clauses
}

/// Returns the values that filters exclude, as a clause: "leaving out the version 1.14.5 and the OS rhel8". `None` if there are
/// none.
fn left_out(filters: &[Filter]) -> Option<String> {
    let excluded = filters.iter().filter_map(|filter| match filter {
        Filter::Excluded(facet, value) => Some(format!("the {} {value}", noun(*facet))),
        _ => None,
    });
    let excluded: Vec<String> = excluded.collect();
    (!excluded.is_empty()).then(|| format!("leaving out {}", excluded.join(" and ")))
}

/// Returns a sentence, without a full stop, about a filter that excludes a value of all builds that match the other
/// filters: "All 12 builds of this cache are in the stack root".
fn all_have_what_is_excluded(index: &Index, question: &Question, way: &WayOut) -> Option<String> {
    let Filter::Excluded(facet, value) = &way.filter else { return None };
    let left = match filters_in_the_way(index, question).len() {
        1 => "of this cache",
        _ => "that the other filters leave",
    };
    let (builds, are, have) = match way.builds {
        1 => (format!("The only build {left}"), "is", "has"),
        builds => (format!("All {} builds {left}", grouped(builds as usize)), "are", "have"),
    };
    let what = match facet {
        Facet::Version => format!("{have} the version {value}"),
        Facet::Package => format!("{are} {value}"),
        Facet::Variant | Facet::Provider | Facet::Libc => format!("{have} {value}"),
        Facet::Compiler => format!("{are} built with {value}"),
        facet => format!("{are} {} {value}", preposition(*facet)),
    };
    Some(format!("{builds} {what}"))
}

/// Returns the name of a facet within a sentence.
pub(crate) fn noun(facet: Facet) -> String {
    match facet {
        Facet::Os => "OS".to_owned(),
        facet => facet.label().to_lowercase(),
    }
}

/// Returns the rank of a facet in the order in which people give things up.
fn ease(facet: Facet) -> usize {
    use Facet::{
        Compiler, Libc, Os, Package, Platform, Provider, Release, Stack, Target, Variant, Version,
    };
    let order =
        [Compiler, Provider, Stack, Release, Target, Os, Version, Variant, Libc, Platform, Package];
    order.iter().position(|other| *other == facet).unwrap_or(order.len())
}

fn preposition(facet: Facet) -> &'static str {
    match facet {
        Facet::Os | Facet::Platform => "on",
        Facet::Target => "for",
        Facet::Version => "as version",
        Facet::Stack => "in the stack",
        Facet::Release => "in the release",
        Facet::Package => "as",
        Facet::Compiler | Facet::Variant | Facet::Provider | Facet::Libc => "with",
    }
}

/// Returns the values of matching builds in a facet; for variants, only those of the variant in `asked`.
fn values_there(index: &Index, answer: &Answer, facet: Facet, asked: &str) -> Vec<String> {
    let name = variant_name(asked);
    let is_meant = |text: &str| facet != Facet::Variant || variant_name(text) == name;
    let packages = index.dictionary(Facet::Package).iter();
    let rows = packages.flat_map(|(package, _)| answer.matching_rows(index, package));
    let rows: Vec<RowId> = rows.collect();
    // The counts of a facet leave out the other values that are asked of it. A row also is in places that are not asked for.
    let mut is_there = vec![false; index.dictionary(facet).values().len()];
    for row in &rows {
        index.values(*row, facet).iter().for_each(|code| is_there[code.at()] = true);
    }
    let has_any = |code: ValueCode| match facet {
        Facet::Release | Facet::Stack => answer.count(facet, code) > 0,
        _ => is_there[code.at()],
    };
    let values = index.dictionary(facet).iter();
    // Some builds may have no release or no stack.
    let values = values.filter(|(code, text)| !text.is_empty() && has_any(*code) && is_meant(text));
    // `none` stands for builds that name no compiler.
    let values = values.filter(|(_, text)| facet != Facet::Compiler || *text != NO_COMPILER);
    let (codes, mut texts): (Vec<ValueCode>, Vec<String>) =
        values.map(|(code, text)| (code, text.to_owned())).unzip();
    let has_none = |row: RowId| !index.values(row, facet).iter().any(|code| codes.contains(code));
    if !codes.is_empty() && rows.into_iter().any(has_none) {
        match facet {
            Facet::Variant => texts.push(format!("or without {name}")),
            Facet::Compiler => texts.push("or without a compiler that is named".to_owned()),
            _ => {}
        }
    }
    texts
}

/// The beginning of a sentence whose filters only ask for stacks and releases.
const WHAT_IS: &str = "what is";

/// Returns what filters ask for, as a spec, and the machine that they ask for.
fn subject(question: &Question, filters: &[Filter]) -> (String, String) {
    let mut words: Vec<String> = Vec::new();
    let mut parts: Vec<String> = Vec::new();
    let mut place: Vec<String> = Vec::new();
    if let View::Package(name) = question.view() {
        words.push(name);
    }
    for filter in filters {
        match asked(filter) {
            Some((Facet::Os | Facet::Target | Facet::Platform, values)) => {
                place.push(values.join(" or "))
            }
            Some((facet, values)) => {
                let values = values.join(" or ");
                match facet {
                    Facet::Compiler => words.push(format!("%{}", values.trim_start_matches('%'))),
                    Facet::Version => words.push(format!("@{}", values.trim_start_matches('@'))),
                    Facet::Stack | Facet::Release => parts.push(format!("in {values}")),
                    _ => words.push(values),
                }
            }
            None => {
                if let Filter::Text(meaning) = filter
                    && !words.contains(&meaning.text)
                {
                    words.push(meaning.text.clone());
                }
            }
        }
    }
    if words.is_empty() && !parts.is_empty() {
        words.push(WHAT_IS.to_owned());
    }
    words.push(parts.join(" and "));
    (words.join(" ").trim_end().replace(" @", "@"), place.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::{Build, Place};
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;

    fn index() -> Index {
        let one = |number: usize, version: &str, os: &str, compiler: &str, variant: &str| Build {
            hash: sample::hash(number),
            os: os.to_owned(),
            compiler: Some(compiler.to_owned()),
            variants: vec![sample::variant(variant)],
            ..sample::one("hdf5", version)
        };
        let all = [
            one(0, "1.14.5", "rhel8", "gcc@13.3.1", "+mpi"),
            one(1, "1.14.5", "rhel8", "gcc@12.3.0", "~mpi"),
            one(2, "1.12.3", "ubuntu22.04", "gcc@12.3.0", "+mpi"),
            one(3, "1.10.1", "ubuntu22.04", "gcc@11.4.0", "~mpi"),
        ];
        let zlib = Build { hash: sample::hash(4), ..sample::one("zlib", "1.3") };
        pack(About::default(), all.into_iter().chain([zlib])).expect("an index")
    }

    fn question(index: &Index, address: &str) -> Question {
        address::decode(address).0.normalized(index).question
    }

    #[test]
    fn says_of_which_builds_a_sentence_is_true() {
        let index = index();
        let sentence = |address: &str| {
            let question = address::decode(address).0.question;
            why(&index, &question, &ways_out(&index, &question))
        };
        let said =
            sentence("q=hdf5@1.14.5%2Bmpi&os=ubuntu22.04&host=linux.rhel8.x86_64_v3&runs=yes");
        let of_those = "Of what works on your machine, hdf5@1.14.5 +mpi exists only on rhel8";
        assert_eq!(said.as_deref(), Some(of_those));
        let said = sentence("q=hdf5@1.14.5%2Bmpi&os=ubuntu22.04");
        assert_eq!(said.as_deref(), Some("hdf5@1.14.5 +mpi exists only on rhel8"));
        let said = sentence("not.os=rhel8&not.os=ubuntu22.04&not.os=ubuntu24.04");
        assert_eq!(said.as_deref(), Some("All 2 builds that the other filters leave are on rhel8"));
        assert_eq!(sentence("q=hdf@1.16:"), None, "no package is called that");
        let said = sentence("q=zlib&target=zen4");
        assert_eq!(said.as_deref(), Some("zlib exists only for x86_64_v3, which zen4 runs"));
        let said = sentence("not.platform=linux");
        assert_eq!(said.as_deref(), Some("All 5 builds of this cache are on linux"));
        let said = sentence("q=hdf5&os=centos7&not.version=1.14.5");
        let others = "Leaving out the version 1.14.5, hdf5 exists only on ubuntu22.04";
        assert_eq!(said.as_deref(), Some(others));
        let asked = "q=hdf5&os=centos7&not.compiler=gcc@11.4.0&not.stack=root";
        let mut asked = address::decode(asked).0.question;
        for (key, value) in
            [("signed", "no"), ("file", "h5dump"), ("license", "MIT"), ("license", "BSD-3-Clause")]
        {
            asked.add_part_filter(PartFilter::read(key, value).expect("a filter"));
        }
        let ways = [WayOut {
            filter: Filter::Included(Facet::Os, vec!["centos7".to_owned()]),
            builds: 1,
            instead: Some((Facet::Os, vec!["rhel8".to_owned()])),
        }];
        let said = "Of what is not signed, of what has the file h5dump, of what has the licence MIT or BSD-3-Clause, \
                    leaving out the stack root and the compiler gcc@11.4.0, hdf5 exists only on rhel8";
        assert_eq!(why(&index, &asked, &ways).as_deref(), Some(said));
    }

    #[test]
    fn finds_each_filter_that_excludes_everything() {
        let index = index();
        let check = |address: &str, expected: &[&str]| {
            let question = question(&index, address);
            let query = Query { question: question.clone(), ..Query::default() };
            let way = |way: WayOut| {
                let after = apply(&query, way.filter.removal(&index));
                assert_eq!(run(&index, &after.question).builds, way.builds, "{address}");
                format!("{} · {}", address::encode(&after), way.builds)
            };
            let ways: Vec<String> = ways_out(&index, &question).into_iter().map(way).collect();
            assert_eq!(ways, expected, "{address}");
        };
        check("os=centos7", &[" · 5"]);
        check("q=hdf5&version=1.3", &["version=1.3 · 1", "q=hdf5 · 4"]);
        check(
            "q=hdf5@1.14:%2Bmpi&os=ubuntu22.04",
            &["q=hdf5&os=ubuntu22.04&variant=mpi · 1", "q=hdf5@1.14:&variant=mpi · 1"],
        );
        check("q=nothing&os=centos7", &[]);
        check(
            "package=zlib&host=darwin.sequoia.m1&runs=yes",
            &["package=zlib&host=darwin.sequoia.m1 · 1"],
        );
        // Alternatives are removed together, requirements one by one.
        check("package=hdf5&os=a&os=b", &["package=hdf5 · 4"]);
        check(
            "package=hdf5&os=rhel8&compiler=gcc@13.3.1&variant=mpi&variant=x=y&all=variant",
            &["package=hdf5&os=rhel8&compiler=gcc@13.3.1&variant=mpi&all=variant · 1"],
        );
        check("package=zlib&not.version=1.3", &["package=zlib · 1"]);
    }

    #[test]
    fn states_in_one_sentence_why_nothing_matches() {
        let index = index();
        let check = |address: &str, expected: Option<&str>| {
            let question = question(&index, address);
            let sentence = why(&index, &question, &ways_out(&index, &question));
            assert_eq!(sentence.as_deref(), expected, "{address}");
        };
        check(
            "q=hdf5&os=rhel8&variant=mpi&compiler=gcc@12.3.0",
            Some("On rhel8, hdf5 +mpi exists only with gcc@13.3.1"),
        );
        check(
            "package=hdf5&os=rhel8&version=1.12.3",
            Some("hdf5@1.12.3 exists only on ubuntu22.04"),
        );
        check("q=hdf5@1.10.1%2Bmpi", Some("hdf5@1.10.1 exists only with ~mpi"));
        check("q=zlib&os=rhel8", Some("zlib exists only on ubuntu24.04"));
        check("os=centos7", Some("Such builds exist only on rhel8, ubuntu22.04, ubuntu24.04"));
        check("q=nothing", None);
        let made_with = [Some("gcc@11.4.0"), None].map(|compiler| Build {
            hash: sample::hash(compiler.map_or(0, str::len)),
            compiler: compiler.map(str::to_owned),
            ..sample::one("hdf5", "1.14.5")
        });
        let of_compilers = pack(About::default(), made_with).expect("an index");
        let question = self::question(&of_compilers, "q=hdf5&compiler=gcc@13.3.1");
        assert_eq!(
            why(&of_compilers, &question, &ways_out(&of_compilers, &question)).as_deref(),
            Some("hdf5 exists only with gcc@11.4.0, or without a compiler that is named")
        );
        // No build with one of the variants has the other.
        let variants = [("+mpi", "~cxx"), ("~mpi", "+cxx"), ("~mpi", "~cxx")];
        let variants = variants.into_iter().enumerate().map(|(number, (mpi, cxx))| Build {
            variants: [mpi, cxx].map(sample::variant).into(),
            hash: sample::hash(number),
            ..sample::one("hdf5", "1.14.5")
        });
        let of_variants = pack(About::default(), variants).expect("an index");
        let asked = "q=hdf5&variant=mpi&variant=cxx&all=variant";
        let question = self::question(&of_variants, asked);
        assert_eq!(
            why(&of_variants, &question, &ways_out(&of_variants, &question)).as_deref(),
            Some("hdf5 +cxx exists only with ~mpi")
        );
        // Each stack has builds of its own.
        let stacks = [(4, "a"), (5, "b"), (6, "c")].map(|(number, stack)| Build {
            places: [Place { release: String::new(), stack: stack.into() }].into(),
            hash: sample::hash(number),
            ..sample::one("hdf5", "1.14.5")
        });
        let of_stacks = pack(About::default(), stacks).expect("an index");
        let question = self::question(&of_stacks, "stack=a&stack=b&all=stack");
        assert_eq!(why(&of_stacks, &question, &ways_out(&of_stacks, &question)), None);
    }

    #[test]
    fn says_that_a_cache_has_no_releases_or_stacks() {
        let one = |number: usize, stack: &str| Build {
            hash: sample::hash(number),
            places: [Place { release: String::new(), stack: stack.into() }].into(),
            ..sample::one("hdf5", "1.14.5")
        };
        let check = |stacks: [&str; 2], address: &str, expected: &str| {
            let all = [one(0, stacks[0]), one(1, stacks[1])];
            let index = pack(About::default(), all).expect("an index");
            let question = question(&index, address);
            let sentence = why(&index, &question, &ways_out(&index, &question));
            assert_eq!(sentence.as_deref(), Some(expected), "{address}");
        };
        check(["", ""], "release=v1", "This cache has no releases");
        check(["", ""], "q=hdf5&stack=e4s", "This cache has no stacks");
        check(["", "e4s"], "q=hdf5&stack=cuda", "hdf5 exists only in the stack e4s");
        check(["a", "b"], "stack=a&os=rhel8", "What is in a exists only on ubuntu24.04");
    }
}
