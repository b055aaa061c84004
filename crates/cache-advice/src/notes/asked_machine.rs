//! A machine that a search names: `which hdf5 runs on ubuntu 22.04 with zen 3`.
//!
//! As filters, its OS and its target find what was made on that system for that target, which is rarely what runs there.

use std::sync::Arc;

use cache_index::facet::Facet;
use cache_index::index::Index;
use cache_query::host::Host;
use cache_query::search::{Search, asks_nothing, split};
use cache_query::{Change, Query, apply};

use crate::machine_words::{DescribedMachine, Gpu};

/// A machine that a search names, with its OS and its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedMachine {
    /// What is known of it, and what was assumed for that: `ubuntu22.04 · zen3 (libc glibc@2.35: ubuntu22.04 ships it)`.
    pub said: String,
    /// `true` if no text names its OS: it is assumed.
    pub is_os_assumed: bool,
    /// The query for builds that the rest of the search asks for and that run on the machine.
    pub query: Query,
}

impl AskedMachine {
    /// Finds the machine in a text that is typed into a query. `None` if no OS or no target is named, if the machine is stated
    /// already, or if the rest of the text is not understood.
    pub fn of(index: &Index, query: &Query, text: &str) -> Option<AskedMachine> {
        AskedMachine::find(index, query, text, "")
    }

    /// Does the same, but takes an OS or target that the text does not name from the filters of the query.
    pub fn with_filters(index: &Index, query: &Query, text: &str) -> Option<AskedMachine> {
        let filtered = |facet| match query.question.choice(facet).included() {
            [one] => one.as_str(),
            _ => "",
        };
        let named = DescribedMachine::read(text);
        let os = if named.os.value().is_none() { filtered(Facet::Os) } else { "" };
        let target = if named.target.value().is_none() { filtered(Facet::Target) } else { "" };
        AskedMachine::find(index, query, text, &format!("{os} {target} "))
    }

    fn find(index: &Index, query: &Query, text: &str, filters: &str) -> Option<AskedMachine> {
        let mut described = DescribedMachine::read(&format!("{filters}{text}"));
        described.assume_macos(index);
        let host = host(index, &described)?;
        let is_os_assumed = described.os.known().is_some_and(|os| os.assumption.is_some());
        if query.question.host.as_ref() == Some(&host) {
            return None;
        }
        let rest = without_machine(text, &described).0;
        let read = Search::read(index, &rest);
        // `gpu builds` asks for something.
        let is_nothing = asks_nothing(&rest) && read.spec().is_none() && !read.chooses();
        if !is_nothing && !read.problems.is_empty() {
            return None;
        }
        let rest = if is_nothing { String::new() } else { rest };
        let mut preference = query.question.preference();
        if let Some(spack) = described.spack {
            Arc::make_mut(&mut preference).spack = spack;
        }
        let gpus: Vec<String> = described.gpus.iter().map(Gpu::text).collect();
        let parts = [host.name()].into_iter().chain(gpus.iter().cloned());
        let name = parts.collect::<Vec<_>>().join(" · ");
        let mut assumed = described.assumptions();
        assumed.retain(|sentence| host.libc().is_some() || !sentence.starts_with("libc "));
        let assumed = if assumed.is_empty() {
            String::new()
        } else {
            format!(" (assumed {})", assumed.join("; "))
        };
        let mut next = apply(query, Change::Type(split(index, &rest)));
        for facet in [Facet::Os, Facet::Target, Facet::Platform] {
            let chosen = next.question.choice(facet).included().to_vec();
            next = apply(&next, Change::Remove(facet, chosen));
        }
        let mut query = apply(&next, Change::RunOnMachine(host, gpus, preference));
        query.question.only_on_gpu |= asks_for_gpu(text);
        Some(AskedMachine { said: format!("{name}{assumed}"), is_os_assumed, query })
    }
}

/// Returns `true` if a text asks for builds for a GPU, and does not only name that of the machine: `builds for an H100`.
fn asks_for_gpu(text: &str) -> bool {
    const BETWEEN: [&str; 5] = ["a", "an", "the", "my", "our"];
    let words = text.split_whitespace().filter(|word| !BETWEEN.contains(word));
    let words: Vec<&str> = words.collect();
    words.windows(2).any(|two| two[0].eq_ignore_ascii_case("for") && Gpu::named(two[1]).is_some())
}

/// Returns the words of a text that are not about the machine that it describes, and those that are. The former include
/// numbers that say nothing about the machine, `python 3.11`, and words that ask for more than it: `gpu builds`,
/// `release`.
pub fn without_machine(text: &str, described: &DescribedMachine) -> (String, String) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let read = |words: &[&str]| {
        let machine = DescribedMachine::read(&words.join(" "));
        DescribedMachine { unread: Vec::new(), ..machine }
    };
    let is_of_machine =
        |at: usize| read(&[&words[..at], &words[at + 1..]].concat()) != read(&words);
    let is_rest = |at: usize| {
        let word = words[at].to_ascii_lowercase();
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let asks_for_gpus =
            matches!(word.as_str(), "gpu" | "gpus" | "nvidia") && described.gpus.is_empty();
        asks_for_gpus
            || word == "release"
            || word.starts_with('/')
            || is_number && !is_of_machine(at)
            || described.unread.iter().any(|unread| word.contains(unread.as_str()))
    };
    let (rest, machine): (Vec<usize>, Vec<usize>) = (0..words.len()).partition(|&at| is_rest(at));
    let joined =
        |places: Vec<usize>| places.into_iter().map(|at| words[at]).collect::<Vec<_>>().join(" ");
    (joined(rest), joined(machine))
}

/// Returns the machine, if Spack knows its target. An assumed libc is only used if the cache does not say which one its
/// OS has.
fn host(index: &Index, described: &DescribedMachine) -> Option<Host> {
    let arch = described.arch()?;
    let bare = Host::from_arch(&arch, "").ok()?;
    if bare.unknown_target(index).is_some() {
        return None;
    }
    let is_known =
        bare.libc_of_os(index).is_some() || index.dictionary(Facet::Libc).values().is_empty();
    let libc = described.libc.known().filter(|libc| libc.assumption.is_none() || !is_known);
    let libc = libc.filter(|_| bare.platform() == "linux");
    match libc {
        Some(libc) => Host::from_arch(&arch, &libc.value).ok(),
        None => Some(bare),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cache_index::build::Build;
    use cache_index::index::{About, pack};
    use cache_index::sample;
    use cache_query::address;

    #[test]
    fn states_the_machine_that_a_search_names() {
        let on = |number, platform: &str, os: &str, target: &str| Build {
            hash: sample::hash(number),
            platform: platform.to_owned(),
            os: os.to_owned(),
            target: target.to_owned(),
            ..sample::one("hdf5", "1.14.6")
        };
        let builds = vec![
            on(1, "linux", "ubuntu22.04", "x86_64_v3"),
            on(2, "darwin", "sequoia", "m1"),
            Build {
                package: "gromacs".to_owned(),
                variants: vec![sample::variant("+cuda")],
                ..on(3, "linux", "ubuntu22.04", "zen4")
            },
        ];
        let index = pack(About::default(), builds).expect("an index");
        let found = |from: &str, text: &str| {
            let found = AskedMachine::with_filters(&index, &address::decode(from).0, text)?;
            Some((address::encode(&found.query), found.said))
        };
        let check = |from: &str, text: &str, expected: &str| {
            let found = found(from, text).map(|(address, _)| address);
            assert_eq!(found.as_deref(), Some(expected), "{from} {text}");
        };
        check(
            "",
            "which hdf5 runs on ubuntu 22.04 with zen 3",
            "q=hdf5&host=linux.ubuntu22.04.zen3&runs=yes",
        );
        check(
            "",
            "gromacs on rocky 8 cascade lake",
            "q=gromacs&host=linux.rocky8.cascadelake&runs=yes",
        );
        check("os=ubuntu22.04&target=zen3", "", "host=linux.ubuntu22.04.zen3&runs=yes");
        check(
            "package=hdf5&os=ubuntu22.04",
            "zen3 H100",
            "package=hdf5&host=linux.ubuntu22.04.zen3&gpu=H100&runs=yes",
        );
        check(
            "host=linux.rhel8.zen2",
            "hdf5 for ubuntu 22.04 on zen3",
            "q=hdf5&host=linux.ubuntu22.04.zen3&runs=yes",
        );
        check(
            "os=rhel8&not.os=ubuntu24.04",
            "hdf5 ubuntu22.04 zen3",
            "q=hdf5&not.os=ubuntu24.04&host=linux.ubuntu22.04.zen3&runs=yes",
        );
        check("", "hdf5 on a mac with m2", "q=hdf5&host=darwin.sequoia.m2&runs=yes");
        // What is asked of builds is not lost.
        let host = "host=linux.ubuntu22.04.zen3&runs=yes";
        check(
            "",
            "which hdf5 1.14 runs on ubuntu 22.04 with zen 3",
            &format!("q=hdf5@1.14&{host}"),
        );
        check("", "gpu builds on ubuntu 22.04 with zen 3", &format!("variant=cuda&{host}"));
        let with_gpu = "host=linux.ubuntu22.04.zen3&gpu=H100";
        check(
            "",
            "gromacs for an H100 on ubuntu 22.04 with zen 3",
            &format!("q=gromacs&{with_gpu}&runs=yes&uses=gpu"),
        );
        for text in [
            "hdf5 for zen3",
            "hdf5 ubuntu22.04",
            "hdf55 ubuntu22.04 zen3",
            "hdf5 not for ubuntu22.04 zen3",
        ] {
            assert_eq!(found("", text), None, "{text}");
        }
        assert_eq!(found("host=linux.ubuntu22.04.zen3", "hdf5 ubuntu22.04 zen3"), None);
    }
}
