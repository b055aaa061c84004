//! A virtual package next to machines and places (`mpi for rhel8`), or without one of its providers (`blas without mkl`):
//! such a text asks for its providers, not for parts of names.

use cache_index::facet::Facet;
use cache_index::index::Index;
use spack_spec::LANGUAGES;

use super::meaning::{dependency, mean_all};
use super::meant::{Meant, Place};
use super::phrases::{Link, Word};
use super::systems::without_range;
use super::{SyntaxInWords, Understood, search};
use crate::search::{Search, is_package, is_virtual};

/// Returns the search for the providers of a virtual package, if all other words are about machines and places, or packages
/// that are excluded.
pub(super) fn about_virtual(index: &Index, text: &str, words: &[Word]) -> Option<Search> {
    let (mut virtuals, others): (Vec<Word>, Vec<Word>) = words.iter().cloned().partition(|word| {
        let name = text[word.span.clone()].to_ascii_lowercase();
        matches!(word.link, Link::Plain | Link::Provides)
            && is_virtual(index, &name)
            && !is_package(index, &name)
            && !LANGUAGES.contains(&&*name)
    });
    let (Some(Word { span, .. }), true, false) =
        (virtuals.pop(), virtuals.is_empty(), others.is_empty())
    else {
        return None;
    };
    let mut excluded = Vec::new();
    let mut others = others;
    others.retain(|word| {
        let provider = without_provider(index, &text[word.span.clone()], word.link);
        let is_other = provider.is_none();
        excluded.extend(provider.map(|one| (word.span.clone(), one)));
        is_other
    });
    let meant = mean_all(index, None, text, &others)?.into_iter();
    let mut meant: Vec<_> = meant.map(|(span, one)| (span, without_range(index, one))).collect();
    // Providers can only be searched for by the name alone, without constraints, so the others become choices.
    for (_, one) in &mut meant {
        let value = match (one.place, one.text.split_once('=')) {
            (Place::Facet(facet) | Place::Not(facet), _) if facet != Facet::Variant => continue,
            (Place::Attribute, Some((key, value))) if !value.contains([':', '=']) => {
                one.place =
                    Place::Facet(Facet::from_key(key).filter(|facet| *facet != Facet::Variant)?);
                value.to_owned()
            }
            _ => return None,
        };
        one.text = value;
    }
    meant.extend(excluded);
    let piece = text[span].to_owned();
    let name = piece.to_ascii_lowercase();
    let rest = SyntaxInWords { head: String::new(), tail: String::new() };
    let mut found = search(index, text, &rest.with(&name, &meant), meant)?;
    found.understood.insert(0, Understood { piece, kind: "providers", text: name });
    Some(found)
}

/// Returns the package that *without* excludes: `intel-oneapi-mkl` for `mkl`.
fn without_provider(index: &Index, word: &str, link: Link) -> Option<Meant> {
    let name =
        dependency(index, &word.to_ascii_lowercase())?.text.trim_start_matches('^').to_owned();
    let is_meant = link == Link::Without && is_package(index, &name);
    is_meant.then(|| Meant::new(Place::Not(Facet::Package), "excluded package", name, 3))
}
