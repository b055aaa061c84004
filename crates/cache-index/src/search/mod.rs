//! Searching in Spack's own language.
//!
//! | typed | finds |
//! | --- | --- |
//! | `torch` | packages with that in their name, unless one is called just so |
//! | `py torch` | packages with both in their name |
//! | `py-torch@2.4: +cuda` | what `spack find` would find with it |
//! | `+cuda`, `%gcc@13`, `@1.2:` | builds of any package that are so |
//! | `24fngvd`, `/24fngvd` | the builds whose hash begins so |
//!
//! [`Search::read`] takes what someone is typing and always means something; what it could not
//! understand it tells, with its place and, where it can, with what would work instead.
//! [`Search::parse`] takes what a program asks: a spec, or an error. Specs are answered by the rules
//! of the Spack that wrote the cache, [`Index::dialect`], unless a program asks by others.
//!
//! What the data does not say is never guessed: such builds are not found, and
//! [`Selection::missing`] says why.

mod complete;
mod facets;
mod graph;
mod meaning;
mod problem;
mod selection;
#[cfg(test)]
mod tests;

pub use complete::{Completion, Completions, complete};
pub use facets::{Typed, split};
pub use meaning::{Meaning, meanings};
pub use problem::Problem;
pub use selection::Selection;
pub use spack_spec::{Dialect, Missing};

use spack_spec::parse::Part;
use spack_spec::{ParseError, Reading, Spec};

use crate::build::Hash;
use crate::facet::Facet;
use crate::index::Index;
use graph::is_virtual;

/// How many characters of a hash are enough to mean one, without the `/` before it.
const HASH_PREFIX: usize = 7;

/// How many different words are read; the rest is a problem. Nobody types more, but a page of text is
/// pasted by mistake.
const MAX_WORDS: usize = 100;

/// What a text asks for.
#[derive(Clone, Debug)]
pub struct Search {
    pub(crate) asked: Asked,
    /// What was not understood, or finds nothing here.
    pub problems: Vec<Problem>,
    /// The pieces of the text and what each is; empty for words and hashes.
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    Anything,
    /// In lower case; a package's name must contain them all.
    Words(Vec<String>),
    /// The beginning of a hash.
    Hash(String),
    Spec(Box<Spec>),
}

impl Search {
    /// What a person means who types this.
    pub fn read(index: &Index, text: &str) -> Search {
        let dialect = index.dialect();
        let (words, unread) = words(text);
        let asked = match words.as_slice() {
            [] => Asked::Anything,
            _ if !is_words(text) => return Search::read_spec(index, text, dialect),
            // A name, or a namespace and a name.
            [word] if is_package(index, word.rsplit('.').next().unwrap_or(word)) => {
                return Search::read_spec(index, word, dialect);
            }
            [word] if is_in_a_name(index, word) => Asked::Words(words),
            [word] if is_virtual(index, word) => return Search::read_spec(index, word, dialect),
            [word] if is_hash(word) => Asked::Hash(word.clone()),
            _ => Asked::Words(words),
        };
        let mut search = Search { asked, problems: Vec::new(), parts: Vec::new() };
        search.problems = problem::of_words(index, text, &search);
        search.problems.extend(unread.map(|start| Problem::unread(start..text.len(), MAX_WORDS)));
        search
    }

    /// What a program asks.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Search, ParseError> {
        Ok(Search::of(Spec::parse(text, dialect)?))
    }

    /// What a spec asks.
    pub fn of(spec: Spec) -> Search {
        let asked = Asked::Spec(Box::new(spec));
        Search { asked, problems: Vec::new(), parts: Vec::new() }
    }

    fn read_spec(index: &Index, text: &str, dialect: Dialect) -> Search {
        let reading = Spec::read(text, dialect);
        let of_parts = problem::of_parts(index, text, &reading);
        let Reading { spec, problems, parts } = reading;
        let problems = problems.into_iter().map(Problem::from).chain(of_parts).collect();
        let is_empty = spec.root == Default::default();
        let asked = if is_empty { Asked::Anything } else { Asked::Spec(Box::new(spec)) };
        Search { asked, problems, parts }
    }

    /// The spec that it asks for, if it is one.
    pub fn spec(&self) -> Option<&Spec> {
        match &self.asked {
            Asked::Spec(spec) => Some(spec),
            _ => None,
        }
    }

    /// Whether its answer takes the dependencies of builds, which
    /// [may not be there yet](Index::has_dependencies). Where an index lists none, nothing does.
    pub fn needs_dependencies(&self, index: &Index) -> bool {
        let asks = |spec: &Spec| selection::asks_dependencies(index, &spec.root);
        index.lists_any_dependencies() && self.spec().is_some_and(asks)
    }

    /// What of an index it finds.
    pub fn select(&self, index: &Index) -> Selection {
        Selection::new(index, &self.asked)
    }
}

/// Returns the different words of a text, in lower case, and where those begin that are too many.
fn words(text: &str) -> (Vec<String>, Option<usize>) {
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

/// Whether a text is words that look for packages, and no spec.
pub(crate) fn is_words(text: &str) -> bool {
    let plain = |c: char| {
        c.is_ascii_alphanumeric()
            || !c.is_ascii()
            || matches!(c, '-' | '_' | '.')
            || c.is_whitespace()
    };
    text.chars().all(plain)
}

fn is_package(index: &Index, name: &str) -> bool {
    index.dictionary(Facet::Package).code(name).is_some()
}

fn is_in_a_name(index: &Index, word: &str) -> bool {
    index.dictionary(Facet::Package).values().iter().any(|name| name.contains(word))
}

fn is_hash(word: &str) -> bool {
    (HASH_PREFIX..=Hash::CHARACTERS).contains(&word.len())
        && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'))
}
