//! The display order of each facet's values, as far as the values alone decide it.

use std::cmp::Ordering;

use spack_spec::Target;
use spack_spec::Version;

use crate::facet::{Facet, Order, variant_name};
use crate::sorting::positions;

/// Returns the positions of a facet's values in display order.
///
/// Versions are sorted newest first, in Spack's order; text that Spack could not read as a version comes last. Targets
/// are sorted by family and generation, variants by name, so that the values of one variant are adjacent. Everything
/// else, and what is equal in that order, is sorted by text.
pub fn sorted(facet: Facet, values: &[String]) -> Vec<u32> {
    let order = facet.order();
    let versions: Vec<Option<Version>> = match order {
        Order::Version => values.iter().map(|text| text.parse().ok()).collect(),
        _ => Vec::new(),
    };
    positions(values.len(), &|a, b| {
        let (one, other) = (&values[a], &values[b]);
        let by_kind = match order {
            Order::Version => versions[b].cmp(&versions[a]),
            Order::Target => Target::compare_names(one, other),
            Order::Variant => variant_name(one).cmp(variant_name(other)),
            Order::Text => Ordering::Equal,
        };
        by_kind.then_with(|| one.cmp(other))
    })
}

/// Returns `true` if a version is a branch or a commit rather than a release, by Spack's rules.
pub fn is_development(version: &str) -> bool {
    match version.parse::<Version>() {
        Ok(version) => version.is_development() || version.git_reference().is_some(),
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_values_in_the_order_of_their_facet() {
        #[track_caller]
        fn check(facet: Facet, sorted: &[&str]) {
            let values: Vec<String> = sorted.iter().rev().map(|&text| text.into()).collect();
            let order = super::sorted(facet, &values).into_iter();
            assert_eq!(order.map(|at| &values[at as usize]).collect::<Vec<_>>(), sorted);
        }
        check(Facet::Version, &["develop", "main", "1.10.0", "1.9", "1-2", "1.2", "a b"]);
        check(Facet::Target, &["x86_64", "x86_64_v3", "zen3", "zen4", "martian"]);
        check(Facet::Variant, &["build_type=Release", "languages=c", "+mpi", "~mpi", "~shared"]);
        check(Facet::Os, &["centos7", "ubuntu22.04"]);
    }
}
