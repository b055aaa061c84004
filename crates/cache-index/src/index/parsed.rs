//! The texts of the index as the spec language reads them, each distinct one parsed once.

use std::sync::OnceLock;

use spack_spec::{Variant, Version};

use super::{Index, NO_COMPILER, RowId};
use crate::facet::Facet;

/// The parsed texts, created at the first search.
#[derive(Clone, Debug)]
pub struct ParsedTexts {
    versions: Vec<Version>,
    /// Name and version; `None` for [`NO_COMPILER`].
    compilers: Vec<Option<(String, Version)>>,
    /// By variant set, each created when it is first used.
    variants: Vec<OnceLock<Vec<Variant>>>,
}

impl ParsedTexts {
    pub(super) fn new(index: &Index) -> ParsedTexts {
        let texts = |facet| index.dictionary(facet).values().iter();
        let compiler = |text: &String| match text.split_once('@') {
            _ if text == NO_COMPILER => None,
            Some((name, text)) => Some((name.to_owned(), version(text))),
            None => Some((text.clone(), version(""))),
        };
        ParsedTexts {
            versions: texts(Facet::Version).map(|text| version(text)).collect(),
            compilers: texts(Facet::Compiler).map(compiler).collect(),
            variants: vec![OnceLock::new(); index.variant_sets.len()],
        }
    }

    /// Returns the version with this code.
    pub fn version(&self, code: u32) -> &Version {
        &self.versions[code as usize]
    }

    /// Returns the name and version of the compiler with this code.
    pub fn compiler(&self, code: u32) -> Option<&(String, Version)> {
        self.compilers[code as usize].as_ref()
    }

    /// Returns the variants of a row.
    pub fn variants(&self, index: &Index, row: RowId) -> &[Variant] {
        let set = index.rows.variant_set[row.at()] as usize;
        self.variants[set].get_or_init(|| index.variants_of(row))
    }
}

/// Parses a version. Characters that Spack does not allow are replaced by `_`, so that every text has a position in the
/// order.
fn version(text: &str) -> Version {
    text.parse().unwrap_or_else(|_| {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let tame: String = text.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
        // Empty, or a git version without a reference.
        tame.parse().unwrap_or_else(|_| "0".parse().expect("a version"))
    })
}
