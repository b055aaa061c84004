//! Options for what follows a name: versions, variants, keys and their values.

use cache_index::facet::Facet;
use cache_index::index::ValueCode;
use cache_index::sorting;
use cache_query::lookup::RowColumn;
use spack_spec::{Target, TargetConstraint, VariantValue, VersionConstraint};

use super::options::Options;
use super::{Completion, MOST};

impl Options<'_> {
    /// Returns the versions of a package, or of a compiler that is not a package here; without a name, those of all
    /// packages.
    pub(super) fn versions(&self, name: Option<&str>) -> Vec<Completion> {
        let index = self.index;
        let package = name.and_then(|name| index.dictionary(Facet::Package).code(name));
        if !self.of_root || name.is_some() && package.is_none() {
            // A compiler or another dependency.
            let name = name.unwrap_or_default();
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
        // What precedes the version in its list or range: `1.12:` in `@1.12:1.14`.
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

    /// Returns the variants of the package: after a sign, the names of boolean ones; otherwise all, as
    /// they are written.
    pub(super) fn variants(&self, package: Option<ValueCode>, has_sign: bool) -> Vec<Completion> {
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
        // Put both signs of a name next to each other.
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

    /// Returns the variants of the builds that match without the token, with their counts.
    fn variants_found(&self) -> Vec<(String, u32)> {
        let answer = self.answer_but_for(Some(Facet::Variant));
        let dictionary = self.index.dictionary(Facet::Variant);
        let mut counts = vec![0; dictionary.len()];
        for (set, &count) in (0u32..).zip(answer.matching_by(RowColumn::VariantSet)) {
            if count > 0 {
                for &code in self.index.variant_sets().get(set) {
                    counts[code as usize] += count;
                }
            }
        }
        let found = dictionary.iter().zip(counts).filter(|(_, count)| *count > 0);
        found.map(|((_, text), count)| (text.to_owned(), count)).collect()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = Completion> {
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

    pub(super) fn values(&self, package: Option<ValueCode>, key: &str) -> Vec<Completion> {
        let index = self.index;
        let facet = match key {
            "os" => Facet::Os,
            "target" => Facet::Target,
            "platform" => Facet::Platform,
            _ => return self.values_of_variant(package, key),
        };
        let dictionary = index.dictionary(facet);
        let all = dictionary.values().iter().map(String::as_str);
        let begun = self.sign().split_once('=').map_or("", |(_, begun)| begun);
        match (facet, begun.is_empty()) {
            (Facet::Target, false) => return self.targets_after(begun),
            // Only targets have ranges and lists.
            (_, false) => return Vec::new(),
            _ if !self.of_root => return self.searched(facet.key(), self.sign(), all),
            _ => {}
        }
        let counts = self.counts_in(facet);
        let all = all.zip(counts).map(|(text, count)| (text, Some(count)));
        self.ranked(facet.key(), self.sign(), all)
    }

    /// Returns how many builds each value of a facet would find in place of the token.
    fn counts_in(&self, facet: Facet) -> Vec<u32> {
        let index = self.index;
        let answer = self.answer_but_for(Some(facet));
        let mut counts = vec![0; index.dictionary(facet).len()];
        let configurations = index.configurations().iter();
        for (one, count) in configurations.zip(answer.matching_by(RowColumn::Configuration)) {
            for &code in index.values_in(one, facet) {
                counts[code as usize] += count;
            }
        }
        counts
    }

    /// Returns the targets that may follow a range or a list: `zen2:`, `zen2,`. A range may end at a target that no
    /// build is made for. A target that is added to a list must find more builds than the list does without it.
    fn targets_after(&self, begun: &str) -> Vec<Completion> {
        let (index, facet) = (self.index, Facet::Target);
        let own = index.dictionary(facet).values();
        let counts = match self.of_root {
            true => self.counts_in(facet),
            false => vec![1; own.len()],
        };
        let count = |name: &str| -> u32 {
            let asked = TargetConstraint::new(&format!("{begun}{name}"));
            let found = own.iter().zip(&counts);
            let found = found.filter(|(target, _)| asked.matches(target, index.dialect()));
            found.map(|(_, count)| count).sum()
        };
        let without = if begun.ends_with(',') { count("") } else { 0 };
        let mut names: Vec<&str> = Target::all().map(Target::name).collect();
        names.extend(own.iter().map(String::as_str).filter(|name| Target::named(name).is_none()));
        let counted = names.into_iter().map(|name| (name, count(name)));
        let counted = counted.filter(|(_, count)| *count > without);
        match self.of_root {
            true => {
                let counted = counted.map(|(name, count)| (name, Some(count)));
                self.ranked(facet.key(), self.sign(), counted)
            }
            false => self.searched(facet.key(), self.sign(), counted.map(|(name, _)| name)),
        }
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
        // A value within a list is counted with those before it.
        let is_alone = self.sign().ends_with('=') && !self.sign().ends_with("==");
        if self.of_root && is_alone && !self.sign().ends_with(":=") {
            let all = values.iter().map(|(text, count)| (text.as_str(), Some(*count)));
            return self.ranked("value", self.sign(), all);
        }
        self.searched("value", self.sign(), values.iter().map(|(text, _)| text.as_str()))
    }
}
