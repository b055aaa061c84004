//! What can be said of a build, field by field: one table for everything that shows how builds differ.
//!
//! Builds are shown [side by side](crate::compare) by it, and [causes](crate::causes) are fields with their old and new
//! value. *How much* builds differ is a question of [aspects](crate::likeness).

mod field;

pub(crate) use self::field::PATCHES;
pub use self::field::{Field, FieldEdge, FieldValue};
