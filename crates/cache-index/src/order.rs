//! The display order of each facet's values, as far as the values alone decide it.

use std::cmp::Reverse;

use spack_spec::Version;
use spack_spec::target::Target;

use crate::facet::{Facet, Order};

/// Sorts values of a facet into display order.
///
/// Versions are sorted newest first, in Spack's order; text that Spack could not read as a version comes last. Targets
/// are sorted by family and generation, variants by name, so that the values of one variant are adjacent. Everything
/// else is sorted by text.
pub(crate) fn sort(facet: Facet, values: &mut [String]) {
    values.sort();
    match facet.order() {
        // Equal versions may have different texts; the stable sort keeps their order.
        Order::Version => values.sort_by_cached_key(|text| Reverse(text.parse::<Version>().ok())),
        Order::Target => values.sort_by(|a, b| Target::compare_names(a, b)),
        Order::Variant => values.sort_by(|a, b| variant_name(a).cmp(variant_name(b))),
        Order::Text => {}
    }
}

/// Returns `true` if a version is a branch or a commit rather than a release, by Spack's rules.
pub(crate) fn is_development(version: &str) -> bool {
    match version.parse::<Version>() {
        Ok(version) => version.is_development() || version.git_reference().is_some(),
        Err(_) => true,
    }
}

fn variant_name(value: &str) -> &str {
    match value.strip_prefix(['+', '~']) {
        Some(name) => name,
        None => value.split_once('=').map_or(value, |(name, _)| name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_values_in_the_order_of_their_facet() {
        #[track_caller]
        fn check(facet: Facet, sorted: &[&str]) {
            let mut values: Vec<String> = sorted.iter().rev().map(|&text| text.into()).collect();
            sort(facet, &mut values);
            assert_eq!(values, sorted);
        }
        check(Facet::Version, &["develop", "main", "1.10.0", "1.9", "1-2", "1.2", "a b"]);
        check(Facet::Target, &["x86_64", "x86_64_v3", "zen3", "zen4", "martian"]);
        check(Facet::Variant, &["build_type=Release", "languages=c", "+mpi", "~mpi", "~shared"]);
        check(Facet::Os, &["centos7", "ubuntu22.04"]);
    }
}
