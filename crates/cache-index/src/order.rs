//! The order in which each facet shows its values, as far as the values alone decide it.

use crate::facet::Facet;

/// Sorts values of a facet into display order.
///
/// Variants go by name, so that the values of one variant lie together; the rest by text.
pub(crate) fn sort(facet: Facet, values: &mut [String]) {
    match facet {
        Facet::Variant => {
            values.sort_by(|a, b| variant_name(a).cmp(variant_name(b)).then_with(|| a.cmp(b)));
        }
        _ => values.sort(),
    }
}

fn variant_name(value: &str) -> &str {
    match value.strip_prefix(['+', '~']) {
        Some(name) => name,
        None => value.split_once('=').map_or(value, |(name, _)| name),
    }
}
