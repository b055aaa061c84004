//! How builds differ: in which [fields](Field), and in which [aspects](Aspect) of a spec.
//!
//! There are two questions, and one table for each:
//!
//! - *What* differs? [`Field`] is everything that can be said of a build, with its value. Builds are shown
//!   [side by side](crate::compare) by it, and [causes](crate::causes) are fields with their old and new value.
//! - *How much* differs? [`Aspect`] groups what people take for one difference, such as OS and target. The fewer aspects
//!   differ, the nearer two builds are: environments use this to find the build nearest to a missing one, changes to pair
//!   the builds that went with those that came. Many builds are compared with many, so aspects are compared as
//!   [numbers](Coded).

mod aspect;
mod coded;
mod field;
#[cfg(test)]
pub(crate) mod twin;

pub use self::aspect::{Aspect, AspectSet};
pub(crate) use self::coded::{Codebook, Coded, Coding};
pub(crate) use self::field::PATCHES;
pub use self::field::{Field, FieldEdge, FieldValue};

use cache_index::sorting;

/// The virtual packages that compilers provide.
const LANGUAGES: [&str; 3] = ["c", "cxx", "fortran"];

/// Puts what differs in the fewest ways first; what is equally near keeps its order.
pub(crate) fn nearest_first<K: Ord + Copy, T: Clone>(mut candidates: Vec<(K, T)>) -> Vec<(K, T)> {
    sorting::sort_by_key(&mut candidates, |(differences, _)| *differences);
    candidates
}
