//! The canonical notation of values that can be written in several ways.
//!
//! | notation | written | canonical |
//! | --- | --- | --- |
//! | [`AtVersion`](Notation::AtVersion) | `gcc@=13.2.0` | `gcc@13.2.0` |
//! | [`Variant`](Notation::Variant) | `mpi`, ` mpi` (a `+` that a program turned into a space), `+mpi` | `+mpi` |
//! | [`Variant`](Notation::Variant) | `-mpi` | `~mpi` |
//! | [`Variant`](Notation::Variant) | `cuda_arch:=90` | `cuda_arch=90` |
//!
//! Canonical values stay as they are: canonicalizing twice is the same as once.

use std::borrow::Cow;

/// How the values of a facet are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// As plain text.
    Text,
    /// A name and, after `@`, a version.
    AtVersion,
    /// A variant with one value.
    Variant,
}

impl Notation {
    /// Returns the canonical form of a value.
    pub fn canonical(self, value: &str) -> Cow<'_, str> {
        match self {
            Notation::Text => Cow::Borrowed(value),
            Notation::AtVersion => match value.split_once('@') {
                Some((name, version)) if version.starts_with('=') => {
                    Cow::Owned(format!("{name}@{}", version.trim_start_matches('=')))
                }
                _ => Cow::Borrowed(value),
            },
            Notation::Variant => canonical_variant(value),
        }
    }
}

/// Returns the name in a canonical variant: `mpi` of `+mpi`, `api` of `api=v110`.
pub fn variant_name(value: &str) -> &str {
    let value = value.strip_prefix(['+', '~']).unwrap_or(value);
    value.split_once('=').map_or(value, |(name, _)| name)
}

fn canonical_variant(value: &str) -> Cow<'_, str> {
    let value = value.trim_start();
    if let Some(name) = value.strip_prefix('-') {
        return Cow::Owned(format!("~{name}"));
    }
    if value.is_empty() || value.starts_with(['+', '~']) {
        return Cow::Borrowed(value);
    }
    match value.split_once('=') {
        None => Cow::Owned(format!("+{value}")),
        Some((name, set)) if name.ends_with(':') => {
            Cow::Owned(format!("{}={set}", name.trim_end_matches(':')))
        }
        Some(_) => Cow::Borrowed(value),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn writes_values_in_canonical_form() {
        #[track_caller]
        fn check(notation: Notation, written: &str, canonical: &str) {
            assert_eq!(notation.canonical(written), canonical);
        }
        check(Notation::AtVersion, "gcc@=13.2.0", "gcc@13.2.0");
        check(Notation::AtVersion, "gcc@13.2.0", "gcc@13.2.0");
        check(Notation::AtVersion, "mpi=openmpi@=5.0.6", "mpi=openmpi@5.0.6");
        check(Notation::Variant, "mpi", "+mpi");
        check(Notation::Variant, " mpi", "+mpi");
        check(Notation::Variant, "+mpi", "+mpi");
        check(Notation::Variant, "-mpi", "~mpi");
        check(Notation::Variant, "~mpi", "~mpi");
        check(Notation::Variant, "build_type=Release", "build_type=Release");
        check(Notation::Variant, "cuda_arch:=90", "cuda_arch=90");
        check(Notation::Text, " -x", " -x");
    }

    proptest! {
        #[test]
        fn keeps_canonical_values(
            value in ".*",
            notation in prop::sample::select(
                vec![Notation::Text, Notation::AtVersion, Notation::Variant]
            ),
        ) {
            let once = notation.canonical(&value).into_owned();
            prop_assert_eq!(notation.canonical(&once), once.as_str());
        }
    }
}
