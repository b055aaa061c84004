//! Builds that almost match what was asked for.

use crate::build::Variant;
use crate::facet::Facet;
use crate::index::{BuildId, Index, NO_COMPILER, RowId};
use crate::likeness::nearest_first;

/// A build, and what distinguishes it from another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Similar {
    /// The build: the first of its row.
    pub build: BuildId,
    /// How many builds agree with it in every field.
    pub builds: u32,
    /// In Spack's notation: `@1.12.3`, `os=rhel8`, `+mpi`.
    pub differs_in: Vec<String>,
}

/// The facets in which builds of a package are compared, besides variants.
const FIELDS: [Facet; 6] =
    [Facet::Version, Facet::Compiler, Facet::Platform, Facet::Os, Facet::Target, Facet::Provider];

/// Returns the rows of a build's package that differ from it least, at most `count`. Of rows that differ equally, newer
/// versions come first.
pub fn similar(index: &Index, build: BuildId, count: usize) -> Vec<Similar> {
    let row = index.row_of(build);
    let others = index.rows_of(index.package_of(row)).filter(|other| *other != row);
    let all: Vec<(usize, RowId)> = others
        .filter(|other| index.has_binary(*other))
        .map(|other| (differences(index, row, other).len(), other))
        .filter(|(differences, _)| *differences > 0)
        .collect();
    let similar = nearest_first(all).into_iter().take(count).filter_map(|(_, other)| {
        Some(Similar {
            build: index.builds_of(other).next()?,
            builds: index.row_len(other),
            differs_in: differences(index, row, other),
        })
    });
    similar.collect()
}

/// Returns what the other row has and this one does not.
fn differences(index: &Index, this: RowId, other: RowId) -> Vec<String> {
    let mut words = Vec::new();
    for facet in FIELDS {
        let own = index.values(this, facet);
        for code in index.values(other, facet).into_iter().filter(|code| !own.contains(code)) {
            let text = index.dictionary(facet).text(code);
            words.push(match facet {
                Facet::Version => format!("@{text}"),
                Facet::Compiler if text == NO_COMPILER => "no compiler".to_owned(),
                Facet::Compiler => format!("%{text}"),
                Facet::Provider => text.to_owned(),
                facet => format!("{}={text}", facet.key()),
            });
        }
    }
    let own = index.variants_of(this);
    let variants = index.variants_of(other);
    words.extend(variants.iter().filter(|v| !own.contains(v)).map(Variant::to_string));
    let is_gone = |variant: &&Variant| variants.iter().all(|other| other.name != variant.name);
    words.extend(own.iter().filter(is_gone).map(|variant| format!("without {}", variant.name)));
    words
}
