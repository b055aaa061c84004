//! Options for names that start a token: packages, compilers, dependencies, and values of facets.

use cache_index::facet::Facet;
use cache_index::index::NO_COMPILER;
use cache_index::sorting;
use cache_query::Answer;
use cache_query::lookup::RowColumn;
use cache_query::search::{letters, providers_of, split, virtual_package};
use spack_spec::{Dialect, VersionConstraint};

use super::options::Options;
use super::{Completion, MOST};

impl Options<'_> {
    pub(super) fn packages(&self) -> Vec<Completion> {
        let answer = self.answer_but_for(Some(Facet::Package));
        let names = self.index.dictionary(Facet::Package);
        let all = names.iter().map(|(code, text)| (text, Some(answer.matching(code))));
        // `pytor` begins `py-torch`, too.
        let begins = |text: &str| {
            let mut letters_of_text = letters(text);
            letters(&self.piece).all(|letter| letters_of_text.next() == Some(letter))
        };
        let is_fit = |text: &str| text.contains(&self.piece) || begins(text);
        let mut all: Vec<(&str, Option<u32>)> = all.filter(|(text, _)| is_fit(text)).collect();
        // The shortest of several names that begin alike is the most likely.
        sorting::sort_by_key(&mut all, |(text, _)| (!text.starts_with(&self.piece), text.len()));
        let mut options = self.virtual_package();
        options.extend(self.ranked("package", "", all.into_iter()));
        options
    }

    /// Returns the virtual package that is typed, by itself, as the text that finds its providers.
    fn virtual_package(&self) -> Vec<Completion> {
        let is_alone = self.base.trim().is_empty();
        let name = virtual_package(self.index, &self.piece).filter(|_| is_alone);
        let text = name.map(providers_of);
        self.searched("virtual package", "", text.as_deref().into_iter())
    }

    /// Returns the values of facets that begin with the typed letters, as they are written in a spec, or
    /// as words if a spec cannot express them.
    pub(super) fn facets(&self) -> Vec<Completion> {
        let mut options = Vec::new();
        for (facet, kind) in [(Facet::Os, "OS"), (Facet::Target, "target"), (Facet::Stack, "stack")]
        {
            let begins = |text: &str| text.to_ascii_lowercase().starts_with(&self.piece);
            let values = self.index.dictionary(facet).iter();
            let values: Vec<_> = values.filter(|(_, text)| begins(text)).take(MOST / 2).collect();
            if values.is_empty() {
                continue;
            }
            let answer = self.answer_but_for(Some(facet));
            // Counts of a facet leave out what is chosen in it, but what is excluded stays when a value is typed.
            let has_excluded = !self.query.question.choice(facet).excluded().is_empty();
            for (code, value) in values {
                let text = match facet {
                    Facet::Stack => value.to_owned(),
                    _ => format!("{}={value}", facet.key()),
                };
                // A word may also mean something else.
                let means = split(self.index, &self.with(&text)).choices;
                let is_meant = |(known, values): &(Facet, Vec<String>)| {
                    *known == facet && values.iter().any(|meant| meant == value)
                };
                let builds = match has_excluded {
                    true => self.found_with(&text),
                    false => answer.count(facet, code),
                };
                if builds > 0 && means.iter().any(is_meant) {
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

    /// Returns the compilers, for a cache in which they are attributes, or as complete tokens.
    pub(super) fn compilers(&self, sign: &str, piece: &str) -> Vec<Completion> {
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

    /// Returns how many matching builds have a compiler as an attribute.
    fn built_with(&self, answer: &Answer, compiler: &str) -> u32 {
        let (name, version) =
            compiler.trim_start_matches('%').split_once('@').unwrap_or((compiler, ":"));
        let Ok(asked) = version.parse::<VersionConstraint>() else { return 0 };
        let mut builds = 0;
        let configurations = self.index.configurations().iter();
        for (one, count) in configurations.zip(answer.matching_by(RowColumn::Configuration)) {
            let codes = self.index.values_in(one, Facet::Compiler).iter();
            let mut known = codes.filter_map(|code| self.index.parsed().compiler(*code));
            if *count > 0 && known.any(|(has, version)| has == name && asked.matches(version)) {
                builds += count;
            }
        }
        builds
    }

    /// Returns the compilers that builds depend on directly.
    pub(super) fn direct(&self) -> Vec<Completion> {
        let values = self.index.dictionary(Facet::Compiler).values().iter();
        let mut names: Vec<&str> = values
            .filter_map(|text| text.split('@').next())
            .filter(|name| *name != NO_COMPILER)
            .collect();
        sorting::sort_and_dedup(&mut names);
        self.searched("compiler", self.sign(), names.into_iter())
    }

    pub(super) fn dependencies(&self) -> Vec<Completion> {
        let mut names = self.index.depended_on();
        sorting::sort_by_key(&mut names, |name| (!name.starts_with(&self.piece), name.len()));
        self.searched("dependency", self.sign(), names.into_iter())
    }
}
