//! What a typed spec says that facets can say too.
//!
//! `hdf5 os=ubuntu22.04` typed, and `hdf5` typed with `ubuntu22.04` chosen, ask for the same; so
//! they are made the same query, with one address, one chip and one mark in the rail. [`split`]
//! takes from a text what a facet says just so, and leaves the rest.
//!
//! | typed | chosen |
//! | --- | --- |
//! | `os=x`, `platform=x`, `target=x`, `arch=p-o-t` | that value alone of its facet |
//! | `@=1.2` | the version `1.2`, if the index has it |
//! | `+x`, `~x`, `k=v`, `k=a,b` | these variants; several are asked for together |
//! | `%gcc@=13.2.0`, by the rules before Spack 1.0 | that compiler |
//!
//! Ranges, prefixes (`@1.2`), propagation, dependencies and the like have no facet, and stay text.

use spack_spec::spec::Node;
use spack_spec::version::VersionElement;
use spack_spec::{Dialect, Spec, VersionConstraint, Wanted};

use super::{Asked, Search};
use crate::facet::Facet;
use crate::index::Index;

/// What a text says, in facets and in the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// What no facet says; what the address has as `q`.
    pub text: String,
    /// Values to choose; several of one facet are asked for together.
    pub choices: Vec<(Facet, Vec<String>)>,
    /// The package, or part of a name, that it looks for; none for an anonymous spec.
    pub looks_for: Option<String>,
}

/// Takes from a text what facets can say. A text with problems is left whole.
pub fn split(index: &Index, text: &str) -> Typed {
    let search = Search::read(index, text);
    let looks_for = match &search.asked {
        Asked::Anything => None,
        Asked::Words(words) => Some(words.join(" ")),
        Asked::Hash(hash) => Some(hash.clone()),
        Asked::Spec(spec) => spec.root.name.clone(),
    };
    let whole = Typed { text: text.to_owned(), choices: Vec::new(), looks_for };
    let Asked::Spec(spec) = search.asked else { return whole };
    if !search.problems.is_empty() {
        return whole;
    }
    let mut spec = spec;
    let mut choices = Vec::new();
    take_architecture(&mut spec, &mut choices);
    take_version(index, &mut spec.root, &mut choices);
    take_variants(&mut spec.root, &mut choices);
    take_compiler(&mut spec, &mut choices);
    if choices.is_empty() {
        return whole;
    }
    Typed { text: format!("{spec:#}"), choices, ..whole }
}

impl Typed {
    /// Words that look for packages.
    pub fn words(text: impl Into<String>) -> Typed {
        let text = text.into();
        let looks_for = (!text.trim().is_empty()).then(|| text.clone());
        Typed { text, choices: Vec::new(), looks_for }
    }

    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.choices.is_empty()
    }
}

fn take_architecture(spec: &mut Spec, choices: &mut Vec<(Facet, Vec<String>)>) {
    let asked = &mut spec.root.architecture;
    let is_name = |text: &str| !text.is_empty() && !text.contains([':', ',', '*']);
    // Spack 1.x lets one `*` speak for the whole architecture.
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
    // Versions may be equal and written otherwise; only what the facet says just so is taken.
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
        // A checksum's beginning is enough for `patches`, which no facet knows.
        if variant.propagate || name == "patches" {
            return true;
        }
        match &variant.wanted {
            Wanted::Bool(true) => values.push(format!("+{name}")),
            Wanted::Bool(false) => values.push(format!("~{name}")),
            Wanted::Including(all) => {
                values.extend(all.iter().map(|value| format!("{name}={value}")));
            }
            Wanted::Anything | Wanted::Exactly(_) => return true,
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
