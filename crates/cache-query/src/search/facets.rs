//! The part of a typed spec that facets can express.
//!
//! Typing `hdf5 os=ubuntu22.04` asks the same as typing `hdf5` and choosing `ubuntu22.04`, so both become the same
//! query, with one address, one chip and one mark in the rail. [`split`] extracts what facets can express exactly from
//! a text, and leaves the rest.
//!
//! | typed | chosen |
//! | --- | --- |
//! | `os=x`, `platform=x`, `target=x`, `arch=p-o-t` | only that value of its facet |
//! | `@=1.2` | the version `1.2`, if the index has it |
//! | `+x`, `~x`, `k=v`, `k=a,b` | these variants; if there are several, all are required |
//! | `%gcc@=13.2.0`, by the rules before Spack 1.0 | that compiler |
//! | `file:h5dump`, `import:mpi4py`, `signed` | a [filter on another part of the index](PartFilter) |
//! | `e4s`, and other words that are [understood](super::Understood) so | that stack, release, … |
//! | `not e4s` | not that stack, release, … |
//!
//! Ranges, prefixes (`@1.2`), propagation, dependencies and the like have no facet, and remain text.

use cache_index::facet::Facet;
use cache_index::facts::FileTerm;
use cache_index::index::Index;
use spack_spec::{Dialect, Node, Spec, VersionConstraint, VersionElement, WantedValue};

use super::words::asks_which_packages;
use super::{Search, TextMeaning, Visible, is_package, is_virtual, take_signed};
use crate::PartFilter;

/// The meaning of a text, split into facets and remaining text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitText {
    /// The text that no facet can express; the `q` of the address.
    pub text: String,
    /// The values to choose; if there are several of one facet, all are required.
    pub choices: Vec<(Facet, Vec<String>)>,
    /// The values to exclude.
    pub excluded: Vec<(Facet, String)>,
    /// The facets whose values are alternatives instead.
    pub alternatives: Vec<Facet>,
    /// The files and signatures that it asks for.
    pub part_filters: Vec<PartFilter>,
    /// The package that it searches for, the part of a name, or what it asks of any package (`who uses hdf5`); `None` for an
    /// anonymous spec.
    pub looks_for: Option<String>,
}

/// Extracts from a text what facets can express. A text with problems is left whole.
pub fn split(index: &Index, text: &str) -> SplitText {
    let (files, text) = match FileTerm::take(&Visible::of(text).text) {
        (files, _) if files.is_empty() => (files, text.to_owned()),
        taken => taken,
    };
    let mut part_filters: Vec<PartFilter> = files.into_iter().map(PartFilter::File).collect();
    let text = match take_signed(index, &text) {
        Some((signed, rest)) => {
            part_filters.push(PartFilter::Signed(signed));
            rest.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        None => text,
    };
    let search = Search::read(index, &text);
    let looks_for = match &search.asked {
        TextMeaning::Anything => None,
        TextMeaning::Spec(spec) => {
            let is_question = !search.understood.is_empty() && asks_which_packages(&text);
            spec.root.name.clone().or_else(|| is_question.then(|| search.text(index)))
        }
        TextMeaning::Words(_) | TextMeaning::Hash(_) | TextMeaning::Hashes(_) => {
            Some(search.text(index))
        }
    };
    let whole = SplitText { text, part_filters, looks_for, ..SplitText::default() };
    // A target that no build is made for can be chosen too, together with other choices that the text alone could not
    // keep.
    let is_target = search.chooses() && search.problems.iter().all(|one| one.target.is_some());
    if !search.problems.is_empty() && !is_target {
        return whole;
    }
    let is_as_written = search.understood.is_empty();
    let mut rest = search;
    let mut choices = std::mem::take(&mut rest.choices);
    if let TextMeaning::Spec(spec) = &mut rest.asked
        // A search for the providers of a virtual package is not taken apart.
        && spec.root.name.as_ref().is_none_or(|name| is_package(index, name) || !is_virtual(index, name))
    {
        take_architecture(spec, &mut choices);
        take_version(index, &mut spec.root, &mut choices);
        take_variants(&mut spec.root, &mut choices);
        take_compiler(spec, &mut choices);
    }
    if is_as_written && choices.is_empty() {
        return whole;
    }
    let text = rest.text(index);
    SplitText { text, choices, excluded: rest.excluded, alternatives: rest.alternatives, ..whole }
}

impl SplitText {
    /// Creates a search for packages by words.
    pub fn words(text: impl Into<String>) -> SplitText {
        let text = text.into();
        let looks_for = (!text.trim().is_empty()).then(|| text.clone());
        SplitText { text, looks_for, ..SplitText::default() }
    }

    /// Returns `true` if it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
            && self.choices.is_empty()
            && self.excluded.is_empty()
            && self.part_filters.is_empty()
    }
}

fn take_architecture(spec: &mut Spec, choices: &mut Vec<(Facet, Vec<String>)>) {
    let asked = &mut spec.root.architecture;
    let is_name = |text: &str| !text.is_empty() && !text.contains([':', ',', '*']);
    // In Spack 1.x, one `*` means the complete architecture.
    if [&asked.platform, &asked.os].into_iter().flatten().any(|text| text == "*") {
        return;
    }
    let mut take = |facet: Facet, value: &mut Option<String>| {
        if let Some(value) = value.take_if(|value| is_name(value)) {
            choices.push((facet, vec![value]));
        }
    };
    take(Facet::Platform, &mut asked.platform);
    take(Facet::Os, &mut asked.os);
    if asked.target.as_ref().is_some_and(|target| is_name(target.as_str()))
        && let Some(target) = asked.target.take()
    {
        choices.push((Facet::Target, vec![target.as_str().to_owned()]));
    }
}

fn take_version(index: &Index, root: &mut Node, choices: &mut Vec<(Facet, Vec<String>)>) {
    let [VersionElement::Exact(version)] = root.versions.elements() else { return };
    // Equal versions may be spelled differently; only what the facet expresses exactly is extracted.
    let mut equal = index
        .dictionary(Facet::Version)
        .iter()
        .filter(|(code, _)| index.parsed().version(code.0) == version)
        .map(|(_, text)| text.to_owned());
    if let (Some(text), None) = (equal.next(), equal.next()) {
        choices.push((Facet::Version, vec![text]));
        root.versions = VersionConstraint::any();
    }
}

fn take_variants(root: &mut Node, choices: &mut Vec<(Facet, Vec<String>)>) {
    let mut values = Vec::new();
    root.variants.retain(|variant| {
        let name = &variant.name;
        // `patches` takes the beginning of a checksum, which no facet can express.
        if variant.propagate || name == "patches" {
            return true;
        }
        match &variant.wanted {
            WantedValue::Bool(true) => values.push(format!("+{name}")),
            WantedValue::Bool(false) => values.push(format!("~{name}")),
            WantedValue::Including(all) => {
                values.extend(all.iter().map(|value| format!("{name}={value}")));
            }
            WantedValue::Anything | WantedValue::Exactly(_) => return true,
        }
        false
    });
    if !values.is_empty() {
        choices.push((Facet::Variant, values));
    }
}

fn take_compiler(spec: &mut Spec, choices: &mut Vec<(Facet, Vec<String>)>) {
    if spec.dialect != Dialect::V0 {
        return;
    }
    let Some(compiler) = &spec.root.compiler else { return };
    if let [VersionElement::Exact(version)] = compiler.versions.elements() {
        choices.push((Facet::Compiler, vec![format!("{}@{version}", compiler.name)]));
        spec.root.compiler = None;
    }
}
