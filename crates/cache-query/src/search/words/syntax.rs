//! The syntax around words, and the spec that syntax and words make together.

use std::ops::Range;

use spack_spec::SpecPart;

use super::meant::{Meant, Place};
use super::ranges::joined;

/// The parts of a text that are syntax, without the words.
pub(super) struct SyntaxInWords {
    /// The syntax about the root.
    pub(super) head: String,
    /// The syntax about its dependencies.
    pub(super) tail: String,
}

impl SyntaxInWords {
    pub(super) fn of(text: &str, bare: &[Range<usize>], parts: &[SpecPart]) -> SyntaxInWords {
        let mut syntax = text.to_owned();
        for word in bare {
            syntax.replace_range(word.clone(), &" ".repeat(word.len()));
        }
        let is_edge = |part: &&SpecPart| part.node > 0;
        let tail = parts.iter().find(is_edge).map_or(text.len(), |part| part.span.start);
        SyntaxInWords {
            head: syntax[..tail].trim().to_owned(),
            tail: syntax[tail..].trim().to_owned(),
        }
    }

    /// Returns the spec of these parts and the meanings of the words.
    pub(super) fn with(&self, name: &str, meant: &[(Range<usize>, Meant)]) -> String {
        let at = |place: Place| {
            let texts = meant.iter().filter(move |(_, one)| one.place == place);
            texts.map(|(_, one)| one.text.as_str())
        };
        // If the head contains the name, it begins with it.
        let head = self.head.strip_prefix(name).unwrap_or(&self.head);
        // `python 3.11 3.12` asks for any of these.
        let is_version = |text: &&str| text.starts_with('@');
        let (versions, others): (Vec<&str>, Vec<&str>) = at(Place::Attribute).partition(is_version);
        let numbers: Vec<&str> = versions.iter().map(|text| &text[1..]).collect();
        let numbers = format!("@{}", joined(&numbers));
        let mut pieces = vec![name];
        // Directly after the name: after the `%gcc` of the head, Spack before 1.0 reads them as those of the compiler.
        pieces.extend((!versions.is_empty()).then_some(numbers.as_str()));
        pieces.push(head);
        pieces.extend(others);
        // `intel oneapi compilers` is one.
        let mut compilers: Vec<&str> = at(Place::Compiler).collect();
        compilers.dedup();
        pieces.extend(compilers);
        pieces.push(&self.tail);
        pieces.extend(at(Place::Dependency));
        pieces.retain(|piece| !piece.is_empty());
        pieces.join(" ")
    }
}
