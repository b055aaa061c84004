//! What may follow in a text that is being typed, from what this index has.
//!
//! | the cursor is after | offered |
//! | --- | --- |
//! | nothing, a part of a name | packages, and values of facets that begin so |
//! | `@` | versions of the package or compiler, newest first |
//! | `+`, `~`, or a space and letters | variants of the package, and `os=` and the like |
//! | `k=`, `os=`, `target=`, `platform=` | values |
//! | `%` | compilers |
//! | `^` | packages that something depends on |
//!
//! [`Spec::complete`] decides what is being typed where. Of what fits, what begins with the letters
//! typed comes before what only contains them. Each offer states how many builds the text would find
//! with it, under the filters that are on; what finds nothing is not offered. What is said of a
//! dependency has no such number among many builds, because it would have to be asked of each.

use std::ops::Range;

use spack_spec::parse::{Expected, Role};
use spack_spec::{Dialect, Spec, VariantValue, VersionConstraint};

use super::filter::RowColumn;
use super::{Answer, Change, Query, apply, run};
use crate::facet::Facet;
use crate::index::{Index, NO_COMPILER, ValueCode};
use crate::search::{Asked, Search, Typed, split};
use crate::sorting;

/// The most that is offered at once.
const MOST: usize = 12;

/// How long a text may be before its cursor, in bytes, for something to be offered. Longer ones are
/// pasted, not typed.
const LONGEST: usize = 20_000;

/// How many builds may have to be asked for their dependencies with each offer.
const FEW: u32 = 1000;

/// What may take the place of a piece of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The piece, in bytes of the text; it ends at the cursor.
    pub replaces: Range<usize>,
    /// The best first.
    pub options: Vec<Completion>,
    /// Where that begins of which the piece is a part, its sign included.
    token: usize,
}

/// One thing that may follow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Completion {
    /// What is put into the text.
    pub text: String,
    /// The same with its sign.
    pub shown: String,
    /// What it is: `package`, `version`, `variant`, …
    pub kind: &'static str,
    /// How many builds match with it; `None` for what is only the beginning of something, and where
    /// counting would take too long.
    pub builds: Option<u32>,
}

/// Returns what may follow at a cursor, in a text that is typed into a query.
///
/// The cursor is a place in bytes; a place within a character counts as before it. Within a word
/// nothing is offered.
pub fn complete(index: &Index, query: &Query, text: &str, cursor: usize) -> Completions {
    let nothing = || Completions { replaces: text.len()..text.len(), ..Completions::default() };
    let spack_spec::parse::Completion { span, expected } = match cursor.min(text.len()) > LONGEST {
        true => return nothing(),
        false => Spec::complete(text, cursor, index.dialect()),
    };
    if !text[span.end..].chars().next().is_none_or(char::is_whitespace) {
        return nothing();
    }
    let before = &text[..span.end];
    let parts = Spec::read(before, index.dialect()).parts;
    let typed = parts
        .iter()
        .rev()
        .take_while(|part| part.span.end > span.start || part.span.end == span.end);
    // What a sign begins with is part of it.
    let token = typed.map(|part| part.span.start).min().unwrap_or(span.start).min(span.start);
    let sign = parts.iter().rev().find(|part| part.span.end <= token);
    let sign = sign.filter(|part| matches!(part.role, Role::Direct | Role::Transitive));
    let token = match sign {
        Some(sign) if text[sign.span.end..token].trim().is_empty() => sign.span.start,
        _ => token,
    };
    let is_root = parts.iter().all(|part| part.node == 0 || part.span.start >= token);
    let is_edge = text[token..].starts_with('^')
        || text[token..].starts_with('%') && index.dialect() == Dialect::V1;
    let options = Options {
        index,
        query,
        text,
        token,
        piece: text[span.clone()].to_ascii_lowercase(),
        span: span.clone(),
        of_root: is_root && !is_edge,
        base: [&text[..token], &text[span.end..]].concat(),
    };
    Completions { options: options.of(expected), replaces: span, token }
}

/// Returns the query after typing a text into another, at the end of which these may follow, and how much of the text it
/// reads, in bytes.
///
/// As long as something may follow, a piece at the end that finds nothing is the beginning of something, and asks for
/// nothing yet.
pub fn while_typing(
    index: &Index,
    from: &Query,
    text: &str,
    offered: &Completions,
) -> (Query, usize) {
    let typed = |text: &str| (apply(from, Change::Type(split(index, text))), text.len());
    let whole = typed(text);
    let is_begun = offered.replaces.end == text.len() && !text[offered.token..].trim().is_empty();
    if !is_begun || offered.options.is_empty() {
        return whole;
    }
    let search = Search::read(index, text);
    let waits = search.needs_dependencies(index) && !index.has_dependencies();
    let is_unfinished = search.problems.iter().any(|problem| problem.span.end > offered.token);
    if is_unfinished || !waits && run(index, &whole.0.question).builds == 0 {
        return typed(text[..offered.token].trim_end());
    }
    whole
}

/// The search for what may follow.
struct Options<'a> {
    index: &'a Index,
    query: &'a Query,
    text: &'a str,
    /// Where the token begins of which the piece is a part.
    token: usize,
    /// The letters typed, in lower case.
    piece: String,
    /// Where they are.
    span: Range<usize>,
    /// Whether the token says something of the build itself.
    of_root: bool,
    /// The text without the token.
    base: String,
}

impl Options<'_> {
    fn of(&self, expected: Expected) -> Vec<Completion> {
        let package = |of: Option<String>| self.package(of);
        let mut options = match expected {
            Expected::Package if self.of_root => {
                let mut options = self.packages();
                if !self.piece.is_empty() {
                    options.extend(self.facets());
                }
                options
            }
            Expected::Package => self.dependencies(),
            Expected::Compiler if self.of_root => self.compilers("", &self.piece),
            Expected::Compiler => self.direct(),
            Expected::Version { of } => self.versions(of.as_deref()),
            Expected::BoolVariant { of } => self.variants(package(of), true),
            Expected::Value { of, key } => self.values(package(of), &key),
            Expected::Attribute { of } => {
                let mut options = self.variants(package(of), false);
                if self.of_root && !self.piece.is_empty() {
                    options.extend(self.facets());
                    options.extend(self.compilers("%", &self.piece));
                }
                options.extend(self.keys());
                options
            }
            _ => Vec::new(),
        };
        options.truncate(MOST);
        // What a spec cannot have twice is no use a second time.
        let problems = |text: &str| Spec::read(text, self.index.dialect()).problems.len();
        let before = problems(&self.base);
        let is_fit =
            |one: &Completion| one.builds.is_none() || problems(&self.with(&one.text)) <= before;
        options.retain(is_fit);
        // What was a part of a name, or a virtual package, does not stay the same with more.
        let stays = match Search::read(self.index, &self.base).asked {
            Asked::Anything => true,
            Asked::Words(_) | Asked::Hash(_) => false,
            Asked::Spec(spec) => {
                spec.root.name.is_none_or(|name| self.package(Some(name)).is_some())
            }
        };
        if !stays {
            for option in options.iter_mut().filter(|option| option.builds.is_some()) {
                option.builds = Some(self.found_with(&option.text));
            }
            options.retain(|option| option.builds != Some(0));
        }
        options
    }

    /// The text with something in the place of the piece.
    fn with(&self, text: &str) -> String {
        [&self.text[..self.span.start], text, &self.text[self.span.end..]].concat()
    }

    fn package(&self, name: Option<String>) -> Option<ValueCode> {
        self.index.dictionary(Facet::Package).code(&name?)
    }

    /// The answer to the text without the token, whatever is chosen in this facet.
    fn answer_but_for(&self, facet: Option<Facet>) -> Answer {
        let Typed { choices, looks_for, .. } = split(self.index, &self.base);
        // What the text says of a facet takes the place of what is chosen there.
        let typed = Typed { text: self.base.clone(), choices: Vec::new(), looks_for };
        let mut query = apply(self.query, Change::Type(typed));
        for facet in choices.into_iter().map(|(facet, _)| facet).chain(facet) {
            query.question.choice_mut(facet).clear_included();
        }
        run(self.index, &query.question)
    }

    /// How many builds match once this takes the place of the piece.
    fn found_with(&self, text: &str) -> u32 {
        let query = apply(self.query, Change::Type(split(self.index, &self.with(text))));
        run(self.index, &query.question).builds
    }

    /// What of these is offered: what begins with the letters typed, then what contains them.
    fn ranked<'t>(
        &self,
        kind: &'static str,
        sign: &str,
        texts: impl Iterator<Item = (&'t str, Option<u32>)>,
    ) -> Vec<Completion> {
        let mut begins = Vec::new();
        let mut contains = Vec::new();
        for (text, builds) in texts.filter(|(_, builds)| *builds != Some(0)) {
            let option = || Completion {
                text: text.to_owned(),
                shown: format!("{sign}{text}"),
                kind,
                builds,
            };
            match text.to_ascii_lowercase().find(&self.piece) {
                Some(0) if begins.len() < MOST => begins.push(option()),
                Some(_) if contains.len() < MOST => contains.push(option()),
                _ => {}
            }
        }
        begins.extend(contains);
        begins
    }

    /// The same, where counting takes a search for each.
    fn searched<'t>(
        &self,
        kind: &'static str,
        sign: &str,
        texts: impl Iterator<Item = &'t str>,
    ) -> Vec<Completion> {
        let mut options = self.ranked(kind, sign, texts.map(|text| (text, None)));
        options.truncate(MOST);
        let is_known = self.index.has_dependencies() || !self.index.lists_any_dependencies();
        if is_known && self.answer_but_for(None).builds <= FEW {
            for option in &mut options {
                option.builds = Some(self.found_with(&option.text));
            }
            options.retain(|option| option.builds != Some(0));
        }
        options
    }

    /// The sign that the token has before the piece.
    fn sign(&self) -> &str {
        self.text[self.token..self.span.start].trim()
    }

    fn packages(&self) -> Vec<Completion> {
        let answer = self.answer_but_for(Some(Facet::Package));
        let names = self.index.dictionary(Facet::Package);
        let all = names.iter().map(|(code, text)| (text, Some(answer.matching(code))));
        let is_fit = |text: &str| text.contains(&self.piece);
        let mut all: Vec<(&str, Option<u32>)> = all.filter(|(text, _)| is_fit(text)).collect();
        // The shortest of those that begin alike is most likely meant.
        sorting::sort_by_key(&mut all, |(text, _)| (!text.starts_with(&self.piece), text.len()));
        self.ranked("package", "", all.into_iter())
    }

    /// Values of facets that begin with the letters typed, as one writes them in a spec, or as words
    /// where no spec says it.
    fn facets(&self) -> Vec<Completion> {
        let mut options = Vec::new();
        for (facet, kind) in [(Facet::Os, "OS"), (Facet::Target, "target"), (Facet::Stack, "stack")]
        {
            let begins = |text: &str| text.to_ascii_lowercase().starts_with(&self.piece);
            let values = self.index.dictionary(facet).values().iter();
            let values: Vec<&String> = values.filter(|text| begins(text)).take(MOST / 2).collect();
            for value in values {
                let text = match facet {
                    Facet::Stack => value.clone(),
                    _ => format!("{}={value}", facet.key()),
                };
                // A word may mean something else by itself.
                let means = split(self.index, &self.with(&text)).choices;
                if !means.iter().any(|(known, values)| *known == facet && values.contains(value)) {
                    continue;
                }
                let builds = self.found_with(&text);
                if builds > 0 {
                    options.push(Completion {
                        shown: text.clone(),
                        text,
                        kind,
                        builds: Some(builds),
                    });
                }
            }
        }
        options
    }

    /// Compilers where they are attributes, or where a whole token is offered.
    fn compilers(&self, sign: &str, piece: &str) -> Vec<Completion> {
        let values = self.index.dictionary(Facet::Compiler).values().iter();
        let mut texts: Vec<&str> =
            values.map(String::as_str).filter(|text| *text != NO_COMPILER).collect();
        if self.index.dialect() == Dialect::V1 {
            texts.iter_mut().for_each(|text| *text = text.split('@').next().unwrap_or_default());
            texts.dedup();
        }
        let fit: Vec<String> = texts
            .into_iter()
            .filter(
                |text| if sign.is_empty() { text.contains(piece) } else { text.starts_with(piece) },
            )
            .map(|text| format!("{sign}{text}"))
            .take(MOST)
            .collect();
        let is_attribute = self.index.dialect() == Dialect::V0;
        let answer = is_attribute.then(|| self.answer_but_for(None));
        let option = |text: String| {
            let builds = answer.as_ref().map(|answer| self.built_with(answer, &text));
            let shown = if sign.is_empty() { format!("%{text}") } else { text.clone() };
            (builds != Some(0)).then_some(Completion { text, shown, kind: "compiler", builds })
        };
        fit.into_iter().filter_map(option).collect()
    }

    /// How many of the builds that match have a compiler as an attribute.
    fn built_with(&self, answer: &Answer, compiler: &str) -> u32 {
        let (name, version) =
            compiler.trim_start_matches('%').split_once('@').unwrap_or((compiler, ":"));
        let Ok(asked) = version.parse::<VersionConstraint>() else { return 0 };
        let mut builds = 0;
        let configurations = self.index.configurations.iter();
        for (one, count) in configurations.zip(answer.matching_by(RowColumn::Configuration)) {
            let codes = self.index.values_in(one, Facet::Compiler).iter();
            let mut known = codes.filter_map(|code| self.index.parsed().compiler(*code));
            if *count > 0 && known.any(|(has, version)| has == name && asked.matches(version)) {
                builds += count;
            }
        }
        builds
    }

    /// What builds depend on directly: compilers first.
    fn direct(&self) -> Vec<Completion> {
        let values = self.index.dictionary(Facet::Compiler).values().iter();
        let mut names: Vec<&str> = values
            .filter_map(|text| text.split('@').next())
            .filter(|name| *name != NO_COMPILER)
            .collect();
        sorting::sort_and_dedup(&mut names);
        self.searched("compiler", self.sign(), names.into_iter())
    }

    fn dependencies(&self) -> Vec<Completion> {
        let mut names = self.index.depended_on();
        sorting::sort_by_key(&mut names, |name| (!name.starts_with(&self.piece), name.len()));
        self.searched("dependency", self.sign(), names.into_iter())
    }

    /// Versions of a package, or of a compiler that is no package here; of all packages if none is
    /// named.
    fn versions(&self, of: Option<&str>) -> Vec<Completion> {
        let index = self.index;
        let package = of.and_then(|name| index.dictionary(Facet::Package).code(name));
        if !self.of_root || of.is_some() && package.is_none() {
            // Of a compiler or another dependency.
            let name = of.unwrap_or_default();
            let compilers = index.dictionary(Facet::Compiler).values().iter();
            let compilers = compilers.filter_map(|text| text.strip_prefix(name)?.strip_prefix('@'));
            let mut versions: Vec<&str> = match package {
                Some(package) => {
                    let rows = index.rows_of(package);
                    rows.map(|row| index.text(row, Facet::Version)).collect()
                }
                None => compilers.collect(),
            };
            versions.dedup();
            return self.searched("version", "@", versions.into_iter());
        }
        let answer = self.answer_but_for(None);
        let counts = answer.matching_by(RowColumn::Version);
        let dictionary = index.dictionary(Facet::Version);
        // The list that the version ends, `1.12:` of `@1.12:1.14`.
        let list = self.text[self.token..self.span.start].trim_start_matches(['@', ' ']);
        let found: Vec<ValueCode> = dictionary
            .iter()
            .map(|(code, _)| code)
            .filter(|code| {
                counts[code.0 as usize] > 0 && dictionary.text(*code).contains(&self.piece)
            })
            .collect();
        let count = |text: &str| {
            let asked: VersionConstraint = format!("{list}{text}").parse().ok()?;
            let all = (0u32..).zip(counts).filter(|(_, count)| **count > 0);
            let matching = all.filter(|(code, _)| asked.matches(index.parsed().version(*code)));
            Some(matching.map(|(_, count)| *count).sum())
        };
        let mut options = self.ranked(
            "version",
            "@",
            found.into_iter().map(|code| (dictionary.text(code), None)),
        );
        options.truncate(MOST);
        for option in &mut options {
            option.builds = Some(count(&option.text).unwrap_or(0));
        }
        options.retain(|option| option.builds != Some(0));
        options
    }

    /// The variants of the package: those that are on or off after a sign, otherwise as one writes
    /// them.
    fn variants(&self, package: Option<ValueCode>, has_sign: bool) -> Vec<Completion> {
        let index = self.index;
        let off = self.sign().starts_with(['~', '-']);
        let mut texts: Vec<(String, Option<u32>)> = Vec::new();
        if self.of_root && (package.is_some() || has_sign) {
            for (text, count) in self.variants_found() {
                match text.strip_prefix(['+', '~']) {
                    Some(name) if has_sign && text.starts_with('~') == off => {
                        texts.push((name.to_owned(), Some(count)));
                    }
                    Some(_) if !has_sign => texts.push((text, Some(count))),
                    Some(_) => {}
                    None if has_sign => {}
                    None => {
                        let (name, _) = text.split_once('=').unwrap_or((&text, ""));
                        texts.push((format!("{name}="), None));
                    }
                }
            }
        } else if let Some(package) = package {
            for row in index.rows_of(package) {
                for variant in index.parsed().variants(index, row) {
                    if let (VariantValue::Bool(_), true) = (&variant.value, has_sign) {
                        texts.push((variant.name.clone(), None));
                    }
                }
            }
            sorting::sort_and_dedup(&mut texts);
            return self.searched(
                "variant",
                self.sign(),
                texts.iter().map(|(text, _)| text.as_str()),
            );
        }
        let bare = |text: &str| text.trim_start_matches(['+', '~']).to_ascii_lowercase();
        texts.retain(|(text, _)| bare(text).contains(&self.piece));
        // Both signs of a name beside each other.
        sorting::sort_by_key(&mut texts, |(text, _)| {
            (!bare(text).starts_with(&self.piece), bare(text), text.clone())
        });
        texts.dedup();
        let sign = if has_sign { self.sign() } else { "" };
        let option = |(text, builds): (String, Option<u32>)| Completion {
            shown: format!("{sign}{text}"),
            text,
            kind: "variant",
            builds,
        };
        texts.into_iter().map(option).take(MOST).collect()
    }

    /// The variants that builds have which match without the token, and how many.
    fn variants_found(&self) -> Vec<(String, u32)> {
        let answer = self.answer_but_for(Some(Facet::Variant));
        let dictionary = self.index.dictionary(Facet::Variant);
        let mut counts = vec![0; dictionary.len()];
        for (set, &count) in (0u32..).zip(answer.matching_by(RowColumn::VariantSet)) {
            if count > 0 {
                for &code in self.index.variant_sets.get(set) {
                    counts[code as usize] += count;
                }
            }
        }
        let found = dictionary.iter().zip(counts).filter(|(_, count)| *count > 0);
        found.map(|((_, text), count)| (text.to_owned(), count)).collect()
    }

    fn keys(&self) -> impl Iterator<Item = Completion> {
        let keys: &[&str] = match self.of_root {
            true => &["os=", "target=", "platform=", "%", "^"],
            false => &[],
        };
        let edges = self.index.lists_any_dependencies();
        keys.iter().filter(move |key| key.starts_with(&self.piece) && (**key != "^" || edges)).map(
            |key| Completion {
                text: (*key).to_owned(),
                shown: (*key).to_owned(),
                kind: "field",
                builds: None,
            },
        )
    }

    fn values(&self, package: Option<ValueCode>, key: &str) -> Vec<Completion> {
        let index = self.index;
        let facet = match key {
            "os" => Facet::Os,
            "target" => Facet::Target,
            "platform" => Facet::Platform,
            _ => return self.values_of_variant(package, key),
        };
        let dictionary = index.dictionary(facet);
        if !self.of_root {
            let all = dictionary.values().iter().map(String::as_str);
            return self.searched(facet.key(), self.sign(), all);
        }
        let answer = self.answer_but_for(Some(facet));
        let mut counts = vec![0; dictionary.len()];
        let configurations = index.configurations.iter();
        for (one, count) in configurations.zip(answer.matching_by(RowColumn::Configuration)) {
            for &code in index.values_in(one, facet) {
                counts[code as usize] += count;
            }
        }
        // Of a range or a list, the whole counts.
        if self.sign().ends_with([':', ',']) {
            let all = dictionary.values().iter().map(String::as_str);
            return self.searched(facet.key(), self.sign(), all);
        }
        let all = dictionary.iter().map(|(code, text)| (text, Some(counts[code.0 as usize])));
        self.ranked(facet.key(), self.sign(), all)
    }

    fn values_of_variant(&self, package: Option<ValueCode>, key: &str) -> Vec<Completion> {
        let of_key = |text: &str| {
            let (name, value) = text.split_once('=')?;
            (name == key).then(|| value.to_owned())
        };
        let found = match self.of_root {
            true => self.variants_found(),
            false => {
                let Some(package) = package else { return Vec::new() };
                let rows = self.index.rows_of(package);
                let all = rows.flat_map(|row| self.index.values(row, Facet::Variant));
                let mut all: Vec<ValueCode> = all.collect();
                sorting::sort_and_dedup(&mut all);
                let text = |code| self.index.dictionary(Facet::Variant).text(code).to_owned();
                all.into_iter().map(|code| (text(code), 0)).collect()
            }
        };
        let values: Vec<(String, u32)> =
            found.iter().filter_map(|(text, count)| Some((of_key(text)?, *count))).collect();
        // One value of a list is asked for together with those before it.
        let is_alone = self.sign().ends_with('=') && !self.sign().ends_with("==");
        if self.of_root && is_alone && !self.sign().ends_with(":=") {
            let all = values.iter().map(|(text, count)| (text.as_str(), Some(*count)));
            return self.ranked("value", self.sign(), all);
        }
        self.searched("value", self.sign(), values.iter().map(|(text, _)| text.as_str()))
    }
}
