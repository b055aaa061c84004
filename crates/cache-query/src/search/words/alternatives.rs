//! Words that mean alternative values of variants: a GPU on which code for several values runs, or several GPUs.

use std::ops::Range;

use cache_index::facet::Facet;
use spack_spec::Spec;

use super::gpu::GPU;
use super::meant::{Meant, Place};

/// Returns the facets in which words mean alternative values. The values of a facet are either alternatives or all required,
/// so if other variants are required, such a word asks for one value.
pub(super) fn resolve_alternatives(
    spec: &mut Spec,
    meant: &mut [(Range<usize>, Meant)],
) -> Vec<Facet> {
    let mut alternatives: Vec<Facet> =
        meant.iter().filter_map(|(_, one)| one.alternatives()).collect();
    if are_variants(spec, meant) {
        alternatives.push(Facet::Variant);
    }
    alternatives
}

fn are_variants(spec: &mut Spec, meant: &mut [(Range<usize>, Meant)]) -> bool {
    let variants = &mut spec.root.variants;
    let of_gpus = meant.iter().filter(|(_, one)| one.kind == GPU).count();
    let meant = meant.iter_mut().map(|(_, one)| one);
    let mut gpus: Vec<_> = meant.filter(|one| one.place == Place::Facet(Facet::Variant)).collect();
    if gpus.is_empty() {
        return false;
    }
    // Only builds with this have code for a GPU.
    let is_implied = |text: String| matches!(text.trim(), "+cuda" | "+rocm");
    let are_implied =
        || of_gpus > 0 && variants.iter().all(|variant| is_implied(variant.to_string()));
    if variants.is_empty() || are_implied() {
        variants.retain(|_| false);
        return true;
    }
    if of_gpus > 1 {
        // Asks for the first one, without the others.
        let mut of_gpus = gpus.iter_mut().filter(|one| one.kind == GPU);
        if let Some(first) = of_gpus.next() {
            for other in of_gpus {
                first.others.push(std::mem::take(&mut other.text));
                first.others.append(&mut other.others);
                (other.place, other.kind) = (Place::Attribute, "");
            }
        }
    }
    for one in gpus.into_iter().filter(|one| one.place == Place::Facet(Facet::Variant)) {
        variants.extend(Spec::read(&one.text, spec.dialect).spec.root.variants);
        one.place = Place::Attribute;
        one.text = format!("{}, without {}", one.text, one.others.join(", "));
        one.others.clear();
    }
    false
}
