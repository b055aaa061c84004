//! Searching in Spack's own language.
//!
//! | typed | finds |
//! | --- | --- |
//! | `torch` | packages with that in their name, unless it is the exact name of one |
//! | `py torch` | packages with both in their name |
//! | `*torch*` | packages with that in their name, even if it is the name of one |
//! | `mpi@:` | packages that provide `mpi`; by itself, `mpi` is part of names |
//! | `py-torch@2.4: +cuda` | what `spack find` would find with it |
//! | `+cuda`, `%gcc@13`, `@1.2:` | builds of any package that match |
//! | `24fngvd`, `/24fngvd` | the builds whose hash starts like this |
//! | `24fngvd yjxhx7k` | the builds with one of several hashes |
//! | `e4s`, `stack=e4s` | the builds of a stack; a release in the same way |
//! | `signed`, `unsigned` | what is left of the text, as a [filter](crate::PartFilter) does the rest |
//!
//! [`Search::read`] reads what someone is typing and always finds a meaning; it reports what it could not understand, with
//! its position and, if possible, a replacement that works. [`Search::parse`] reads what a program asks, and returns a
//! search or an error. Specs are evaluated in the dialect of the Spack that wrote the cache, [`Index::dialect`], unless a
//! program chooses another.
//!
//! If the data does not say whether a build matches, the build is not found, and [`Selection::missing`] says why.

mod completion;
mod facets;
pub mod graph;
mod meaning;
mod meant_instead;
mod mended;
mod names;
mod other_names;
mod places;
mod problem;
mod selection;
mod signed;
#[cfg(test)]
pub mod tests;
mod visible;
mod words;

pub use completion::{Completion, Completions};
pub use facets::{SplitText, split};
pub use meaning::{Meaning, Property, meanings};
pub use meant_instead::{asks_nothing, code_for_gpus, users_of_external, without_target};
pub use names::{
    containing, letters, more_containing, providers_of, same_letters, similar_package,
    virtual_package, with_same_letters,
};
pub use problem::{Problem, unused_target};
pub use selection::{answers, visit_answers};
pub use signed::take_signed;
pub use spack_spec::{Dialect, MissingData};
pub use visible::Visible;
pub use words::Understood;

use cache_index::facet::Facet;
use cache_index::facts::FileTerm;
use cache_index::index::Index;
use graph::{IndexGraph, is_virtual};
use spack_spec::{
    HASH_LENGTH, ParseError, SHORT_HASH_LENGTH, Spec, SpecDraft, SpecPart, is_hash_part,
};

use crate::selection::Selection;

/// The maximum number of distinct words; any more are a problem. Nobody types that many, but people paste a page of
/// text by mistake.
const MAX_WORDS: usize = 100;

/// What a text asks for.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// What the text asks for, as a whole.
    pub asked: TextMeaning,
    /// What its words ask of facets that a spec cannot express.
    pub choices: Vec<(Facet, Vec<String>)>,
    /// What its words exclude: `not e4s`.
    pub excluded: Vec<(Facet, String)>,
    /// The facets whose values among them are alternatives.
    pub alternatives: Vec<Facet>,
    /// The parts that were not read as Spack would read them.
    pub understood: Vec<Understood>,
    /// The parts that were not understood, or that nothing here matches.
    pub problems: Vec<Problem>,
    /// The pieces of the text and their roles; empty for words and hashes.
    pub parts: Vec<SpecPart>,
}

/// What a text asks for, as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TextMeaning {
    /// Nothing: every build matches.
    #[default]
    Anything,
    /// In lower case; a package's name must contain all of them.
    Words(Vec<String>),
    /// The beginning of a hash.
    Hash(String),
    /// The beginnings of several hashes; a build must have one of them.
    Hashes(Vec<String>),
    /// A spec.
    Spec(Box<Spec>),
}

impl Search {
    /// Reads what a user types.
    pub fn read(index: &Index, text: &str) -> Search {
        if text.is_empty() {
            return Search::default();
        }
        let visible = Visible::of(text);
        let (plain, output) = words::without_output(index, &visible.text);
        let (plain, command) = words::without_commands(&plain);
        // Files and signatures that are asked for are not part of a spec.
        let plain = words::without_punctuation(plain);
        let spec = FileTerm::blank_out(&words::with_ranges(plain));
        let spec = places::blank_labels_out(index, spec);
        let spec = take_signed(index, &spec).map_or(spec, |(_, rest)| rest);
        let (spec, mark) = words::without_mark(&spec);
        let (spec, sigils) = words::with_sigils(index, spec);
        let (spec, versions) = words::with_versions(index, &spec);
        let mut search = words::read_fronted(index, &spec, Search::read_plain);
        search.understood.splice(0..0, sigils.into_iter().chain(versions));
        search.understood.extend(mark);
        search.understood.splice(0..0, output.into_iter().chain(command));
        for problem in &mut search.problems {
            problem.span = visible.span_in(text, &problem.span);
        }
        for part in &mut search.parts {
            part.span = visible.span_in(text, &part.span);
        }
        search
    }

    fn read_plain(index: &Index, text: &str) -> Search {
        let dialect = index.dialect();
        if let Some(word) = names::contained(text) {
            let asked = TextMeaning::Words(vec![word.to_ascii_lowercase()]);
            return Search { asked, ..Search::default() };
        }
        if let Some(search) = places::of_place(index, text) {
            return search;
        }
        // `^openblas not ^mpich`: what builds do not depend on cannot be searched for.
        if let Some(span) = problem::negated(text, words::excludes, |word| word.starts_with('^')) {
            let mut search = Search::read_plain(index, &text[..span.start]);
            search.problems.insert(0, Problem::not_needed(span));
            return search;
        }
        // The name of a file or folder that ends in a hash.
        if is_plain(text)
            && !text.trim().contains(char::is_whitespace)
            && let Some(spec) = names::build_in(index, text.trim())
            && spec.len() <= text.trim().len()
        {
            return Search::of_path(index, text.trim(), &spec);
        }
        let (words, unread) = split_words(text);
        let reading = || Spec::read(text, dialect);
        let asked = match words.as_slice() {
            [] => TextMeaning::Anything,
            // A name, or a namespace and a name.
            [word]
                if is_plain(text) && is_package(index, word.rsplit('.').next().unwrap_or(word)) =>
            {
                return Search::of_reading(index, word, Spec::read(word, dialect));
            }
            [word]
                if is_plain(text)
                    && is_in_a_name(index, word)
                    && !words::is_family(index, word)
                    && !words::has_code_for_gpus(index, word) =>
            {
                TextMeaning::Words(words)
            }
            [word] if is_plain(text) && is_virtual(index, word) => {
                return Search::of_reading(index, word, Spec::read(word, dialect));
            }
            [word] if is_plain(text) => match words::read(index, text, &reading()) {
                Some(search) => return search,
                None if is_hash(word) && !names::is_rather_a_name(index, word) => {
                    TextMeaning::Hash(word.clone())
                }
                None => TextMeaning::Words(words),
            },
            _ => {
                let reading = reading();
                // A spec keeps its meaning.
                if !reading.problems.is_empty()
                    && let Some(search) = Search::of_hashes(index, text.trim(), &words)
                {
                    return search;
                }
                if !reading.problems.is_empty()
                    && let Some(spec) = names::build_in(index, text.trim())
                {
                    return Search::of_path(index, text.trim(), &spec);
                }
                // `stack=e4s os=rhel8`, in which e4s is not a package.
                let names_place = reading.spec.root.name.as_deref();
                let names_place = names_place.is_some_and(|name| places::is_place(index, name));
                if (names_place || !reading.problems.is_empty())
                    && let Some(search) = words::read(index, text, &reading)
                {
                    return search;
                }
                if names_place && let Some(search) = Search::of_place_first(index, text) {
                    return search;
                }
                if !reading.problems.is_empty() && is_plain(text) {
                    TextMeaning::Words(words::with_meaning(index, words))
                } else {
                    let (rest, left_out) = words::without_pronoun(index, text);
                    let Some(left_out) = left_out else {
                        return Search::of_reading(index, text, reading);
                    };
                    let mut search = Search::read_plain(index, &rest);
                    search.understood.push(left_out);
                    return search;
                }
            }
        };
        let mut search = Search { asked, ..Search::default() };
        search.problems = match unread {
            Some(start) => vec![Problem::unread(start..text.len(), MAX_WORDS)],
            None => {
                let is_understood = |word: &str| words::is_understood(index, word);
                problem::of_words(index, text, &search, is_understood, words::excludes)
            }
        };
        if let Some(first) = search.problems.first_mut().filter(|first| first.instead.is_none()) {
            first.mended = words::without_unknown(index, text);
        }
        search
    }

    /// Reads a text that begins with a stack or a release as if that name were at its end, if the rest is a spec without
    /// problems.
    fn of_place_first(index: &Index, text: &str) -> Option<Search> {
        let (first, rest) = text.trim().split_once(char::is_whitespace)?;
        let is_first = places::is_place(index, first) && !places::is_place(index, rest.trim());
        let search = is_first.then(|| Search::read_plain(index, &format!("{rest} {first}")))?;
        search.problems.is_empty().then_some(Search { parts: Vec::new(), ..search })
    }

    /// Reads a path that ends in a hash as the spec of that build.
    fn of_path(index: &Index, path: &str, spec: &str) -> Search {
        let search = Search::of_reading(index, spec, Spec::read(spec, index.dialect()));
        let kind = if spec.starts_with('/') { "hash" } else { "spec" };
        let understood = vec![Understood { piece: path.to_owned(), kind, text: spec.to_owned() }];
        Search { understood, parts: Vec::new(), ..search }
    }

    /// Reads the beginnings of several hashes. Words without `/` are only read as hashes if builds have such hashes, because
    /// many plain English words could be hashes.
    fn of_hashes(index: &Index, text: &str, words: &[String]) -> Option<Search> {
        let is_one = |word: &String| match word.strip_prefix('/') {
            Some(hash) => is_hash_part(hash),
            None => is_hash(word) && !index.find_prefix(word, 1).is_empty(),
        };
        let hashes = || words.iter().map(|word| word.trim_start_matches('/').to_owned()).collect();
        let asked = words.iter().all(is_one).then(|| TextMeaning::Hashes(hashes()))?;
        let mut search = Search { asked, ..Search::default() };
        let kind = "builds with one of these hashes:";
        let understood = Understood { piece: text.to_owned(), kind, text: search.text(index) };
        search.understood.push(understood);
        Some(search)
    }

    /// Parses what a program asks. Characters of no width are kept; [`Visible::of`] removes them.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Search, ParseError> {
        Ok(Search::of(Spec::parse(text, dialect)?))
    }

    /// Creates the search for a spec.
    pub fn of(spec: Spec) -> Search {
        let asked = TextMeaning::Spec(Box::new(spec));
        Search { asked, ..Search::default() }
    }

    fn of_reading(index: &Index, text: &str, reading: SpecDraft) -> Search {
        let of_parts = problem::of_parts(index, text, &reading);
        let SpecDraft { spec, problems, parts, .. } = reading;
        let mut problems: Vec<Problem> = problems.into_iter().map(Problem::from).collect();
        if let Some(first) = problems.first_mut() {
            let mended = mended::mended(index, text);
            first.mended = mended.or_else(|| words::without_unknown(index, text));
            // This correction covers the others too.
            if first.mended.is_some() {
                problems.truncate(1);
            }
        }
        problems.extend(of_parts);
        let is_empty = spec.root == Default::default();
        let asked =
            if is_empty { TextMeaning::Anything } else { TextMeaning::Spec(Box::new(spec)) };
        Search { asked, problems, parts, ..Search::default() }
    }

    /// Returns the text that asks for the same, except for what facets ask for.
    pub fn text(&self, index: &Index) -> String {
        match &self.asked {
            TextMeaning::Anything => String::new(),
            // The name by itself would mean that package alone.
            TextMeaning::Words(words) if words.len() == 1 && is_package(index, &words[0]) => {
                containing(&words[0])
            }
            TextMeaning::Words(words) => words.join(" "),
            TextMeaning::Hash(hash) => hash.clone(),
            TextMeaning::Hashes(hashes) => {
                hashes.iter().map(|hash| format!("/{hash}")).collect::<Vec<_>>().join(" ")
            }
            TextMeaning::Spec(spec) => {
                let text = format!("{spec:#}");
                let is_name = spec.root.name.as_ref() == Some(&text);
                // Without the `@:` it would be read as part of a name.
                if is_name && !is_package(index, &text) && is_in_a_name(index, &text) {
                    providers_of(&text)
                } else {
                    text
                }
            }
        }
    }

    /// Returns the spec that Spack would understand, if some words were read in another way than Spack reads them, and a
    /// spec can say the same.
    pub fn spelled_out(&self) -> Option<String> {
        let is_spec = !self.understood.is_empty() && !self.chooses();
        self.spec().filter(|_| is_spec).map(|spec| format!("{spec:#}"))
    }

    /// Returns a suggestion for what the user may have meant by `text`, from which this search was read.
    pub fn suggestion(&self, index: &Index, text: &str) -> Option<String> {
        let mended = || {
            let mended = self.problems.first()?.mend(text)?;
            Some(Search::read(index, &mended).spelled_out().unwrap_or(mended))
        };
        let strictly = || {
            let has_problems = !self.problems.is_empty();
            let same = || with_same_letters(index, text);
            if has_problems { None } else { self.read_strictly(index, text).or_else(same) }
        };
        mended().or_else(|| self.spelled_out()).or_else(strictly)
    }

    /// Returns the spec that was read, if Spack reads `text` differently: in capitals, or in quotes.
    fn read_strictly(&self, index: &Index, text: &str) -> Option<String> {
        let spec = format!("{:#}", self.spec()?);
        let strictly = Search::parse(text, index.dialect());
        (!strictly.is_ok_and(|strictly| strictly.asked == self.asked)).then_some(spec)
    }

    /// Returns `true` if it asks for or excludes values of facets.
    pub fn chooses(&self) -> bool {
        !self.choices.is_empty() || !self.excluded.is_empty()
    }

    /// Returns the beginning of a hash, if it asks for nothing else.
    pub fn hash_prefix(&self) -> Option<&str> {
        match &self.asked {
            TextMeaning::Hash(prefix) => Some(prefix),
            TextMeaning::Spec(spec) => {
                let mut rest = spec.root.clone();
                let is_alone = rest.hash.take().is_some() && rest == Default::default();
                spec.root.hash.as_deref().filter(|_| is_alone)
            }
            _ => None,
        }
    }

    /// Returns the spec that it asks for, if it is one.
    pub fn spec(&self) -> Option<&Spec> {
        match &self.asked {
            TextMeaning::Spec(spec) => Some(spec),
            _ => None,
        }
    }

    /// Returns `true` if it asks for the beginning of a hash.
    pub fn asks_hash(&self) -> bool {
        matches!(self.asked, TextMeaning::Hash(_))
    }

    /// Returns `true` if the result depends on the dependencies of builds, which [may not have been
    /// loaded](Index::has_dependencies). If an index lists none, no result does.
    pub fn needs_dependencies(&self, index: &Index) -> bool {
        // The dependents of a virtual package show which builds provide it.
        let asks = |spec: &Spec| {
            selection::asks_dependencies(index, &spec.root)
                || spec.root.name.as_deref().is_some_and(|name| is_virtual(index, name))
        };
        index.lists_any_dependencies() && self.spec().is_some_and(asks)
    }

    /// Returns the builds of an index that it finds.
    pub fn select(&self, index: &Index) -> Selection {
        selection::select(index, &self.asked)
    }
}

/// Computes what searches for dependencies need, once for an index; otherwise, the first such search computes it.
pub fn prepare(index: &Index) {
    IndexGraph::new(index).in_order();
}

/// Returns the distinct words of a text in lower case, and where those beyond the limit start.
fn split_words(text: &str) -> (Vec<String>, Option<usize>) {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let lower = word.to_ascii_lowercase();
        if words.contains(&lower) {
            continue;
        }
        if words.len() == MAX_WORDS {
            return (words, Some(word.as_ptr() as usize - text.as_ptr() as usize));
        }
        words.push(lower);
    }
    (words, None)
}

/// Returns `true` if a text is words that search for packages rather than a spec.
pub fn is_words(text: &str) -> bool {
    is_plain(text) || names::contained(text).is_some()
}

/// Returns `true` if a text has no syntax, except what names may have.
fn is_plain(text: &str) -> bool {
    let plain = |c: char| {
        c.is_ascii_alphanumeric()
            || !c.is_ascii()
            || matches!(c, '-' | '_' | '.')
            || c.is_whitespace()
    };
    // `-mpi` is Spack's other way to write `~mpi`.
    let is_off = |word: &str| {
        let name = word.strip_prefix('-').unwrap_or_default();
        name.starts_with(|first: char| first.is_ascii_alphanumeric())
    };
    text.chars().all(plain) && !text.split_whitespace().any(is_off)
}

/// Returns `true` for the name of a compiler that made builds of this cache.
fn is_compiler(index: &Index, name: &str) -> bool {
    let mut compilers = index.dictionary(Facet::Compiler).values().iter();
    compilers.any(|compiler| compiler.split('@').next() == Some(name))
}

fn is_package(index: &Index, name: &str) -> bool {
    index.dictionary(Facet::Package).code(name).is_some()
}

fn is_in_a_name(index: &Index, word: &str) -> bool {
    index.dictionary(Facet::Package).values().iter().any(|name| name.contains(word))
}

/// Returns `true` for a hash, or as much of one as people copy, without a `/` before it.
fn is_hash(word: &str) -> bool {
    (SHORT_HASH_LENGTH..=HASH_LENGTH).contains(&word.len()) && is_hash_part(word)
}
