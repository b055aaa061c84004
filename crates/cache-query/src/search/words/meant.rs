//! A meaning of a word, and where it belongs.

use cache_index::facet::Facet;

use super::Understood;
use super::gpu::GPU;

/// Where a word belongs in a spec.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Attribute,
    Compiler,
    Dependency,
    /// A choice that a spec cannot express.
    Facet(Facet),
    /// What is excluded.
    Not(Facet),
}

/// The meaning of a word.
pub(super) struct Meant {
    pub(super) place: Place,
    pub(super) kind: &'static str,
    pub(super) text: String,
    /// Other values of the same facet, if the word means several.
    pub(super) others: Vec<String>,
    /// How specific it is; a meaning that fits almost any package has the least weight.
    pub(super) weight: usize,
}

impl Meant {
    pub(super) fn new(
        place: Place,
        kind: &'static str,
        text: impl Into<String>,
        weight: usize,
    ) -> Meant {
        Meant { place, kind, text: text.into(), others: Vec::new(), weight }
    }

    /// Returns the meaning of one or more alternative values of variants. A single value becomes part of the spec.
    pub(super) fn any_of(
        kind: &'static str,
        first: String,
        others: Vec<String>,
        weight: usize,
    ) -> Meant {
        let place = if others.is_empty() { Place::Attribute } else { Place::Facet(Facet::Variant) };
        Meant { others, ..Meant::new(place, kind, first, weight) }
    }

    /// Returns the facet in which the word means alternative values, if a build can have several of them: stacks or
    /// releases.
    pub(super) fn alternatives(&self) -> Option<Facet> {
        let Place::Facet(facet @ (Facet::Stack | Facet::Release)) = self.place else { return None };
        (!self.others.is_empty()).then_some(facet)
    }

    /// Returns the facet and the value that the word means, or the first of several values; `None` if it does not mean
    /// values of a facet.
    pub(super) fn value(&self) -> Option<(Facet, String)> {
        match self.place {
            Place::Facet(facet) => Some((facet, self.text.clone())),
            Place::Attribute => match self.kind {
                "OS" | "target" | "platform" => {
                    let (key, value) = self.text.split_once('=')?;
                    let is_one = !value.contains([':', ' ']);
                    is_one.then(|| Some((Facet::from_key(key)?, value.to_owned())))?
                }
                "variant" | GPU => Some((Facet::Variant, self.text.clone())),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the meaning of *not* before the word; `None` if it is not a value of a facet.
    pub(super) fn excluded(self) -> Option<Meant> {
        let (facet, value) = match (self.place, self.text.split_once('=')) {
            (Place::Facet(facet), _) => (facet, self.text.as_str()),
            (Place::Attribute, Some((key, value))) => (Facet::from_key(key)?, value),
            _ => return None,
        };
        let kind = match facet {
            Facet::Os => "excluded OS",
            Facet::Target => "excluded target",
            Facet::Platform => "excluded platform",
            Facet::Release => "excluded release",
            Facet::Stack => "excluded stack",
            _ => return None,
        };
        Some(Meant { place: Place::Not(facet), kind, text: value.to_owned(), ..self })
    }

    pub(super) fn understood(self, piece: &str) -> Understood {
        let texts: Vec<String> = [self.text].into_iter().chain(self.others).collect();
        Understood { piece: piece.to_owned(), kind: self.kind, text: texts.join(", ") }
    }
}
