//! Constraints on targets: names and ranges.

use std::fmt;

use super::Target;
use crate::Dialect;

/// A constraint on a target. As in Spack, any text is accepted, and it is only interpreted when compared.
///
/// | written | means |
/// |---|---|
/// | `zen3` | this target and no other |
/// | `zen3:` | targets that run everything built for zen3: zen3, zen4, zen5 |
/// | `:zen3` | targets whose binaries zen3 runs: x86_64, x86_64_v2, x86_64_v3, zen, zen2, zen3 |
/// | `x86_64_v2:zen` | both |
/// | `:` | any, known or not |
/// | `zen3,icelake:` | either |
/// | `*` | any, in Spack 1.x; before, a target of that name |
///
/// A range that starts or ends at an unknown target is empty.
///
/// A name that Spack does not know is not an error: it equals itself, and is unrelated to all others.
///
/// ```
/// use spack_spec::{Dialect, TargetConstraint};
///
/// let wanted = TargetConstraint::new("zen2:zen3,icelake");
/// assert!(wanted.matches("zen3", Dialect::V1) && !wanted.matches("zen4", Dialect::V1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TargetConstraint {
    text: Box<str>,
}

impl TargetConstraint {
    /// Takes the text after `target=` as it is.
    pub fn new(text: &str) -> TargetConstraint {
        TargetConstraint { text: text.into() }
    }

    /// Returns the constraint as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns `true` if the target, known or not, satisfies the constraint.
    pub fn matches(&self, target: &str, dialect: Dialect) -> bool {
        if dialect == Dialect::V1 && &*self.text == "*" {
            return true;
        }
        self.text.split(',').any(|alternative| match alternative.split_once(':') {
            None => alternative == target,
            Some((low, high)) => {
                let known = Target::named(target);
                let reaches = |low: &str| {
                    known.zip(Target::named(low)).is_some_and(|(known, low)| known.runs(low))
                };
                let stays_below = |high: &str| {
                    known.zip(Target::named(high)).is_some_and(|(known, high)| high.runs(known))
                };
                (low.is_empty() || reaches(low)) && (high.is_empty() || stays_below(high))
            }
        })
    }

    /// Returns the targets that satisfy both, if there are any. Ranges whose ends are unrelated have none in common.
    pub(crate) fn intersection(&self, other: &TargetConstraint) -> Option<TargetConstraint> {
        if self == other {
            return Some(self.clone());
        }
        let mut common: Vec<String> = Vec::new();
        for own in self.text.split(',') {
            for theirs in other.text.split(',') {
                common.extend(common_range(own, theirs));
            }
            // Each side may be as long as a query, but the result must not grow to their product.
            if common.len() > Target::all().count() * Target::all().count() {
                return None;
            }
        }
        (!common.is_empty()).then(|| TargetConstraint::new(&common.join(",")))
    }
}

/// Returns what a name or range has in common with another.
fn common_range(own: &str, theirs: &str) -> Option<String> {
    let contains =
        |range: &str, name: &str| TargetConstraint::new(range).matches(name, Dialect::V1);
    let (own_ends, their_ends) = match (own.split_once(':'), theirs.split_once(':')) {
        (Some(own_ends), Some(their_ends)) => (own_ends, their_ends),
        (None, _) => return contains(theirs, own).then(|| own.to_owned()),
        (_, None) => return contains(own, theirs).then(|| theirs.to_owned()),
    };
    let runs = |above: &str, below: &str| {
        above == below
            || Target::named(above)
                .zip(Target::named(below))
                .is_some_and(|(above, below)| above.runs(below))
    };
    let low = match (own_ends.0, their_ends.0) {
        (low, "") | ("", low) => low,
        (one, two) if runs(one, two) => one,
        (one, two) if runs(two, one) => two,
        _ => return None,
    };
    let high = match (own_ends.1, their_ends.1) {
        (high, "") | ("", high) => high,
        (one, two) if runs(one, two) => two,
        (one, two) if runs(two, one) => one,
        _ => return None,
    };
    let is_range = low.is_empty() || high.is_empty() || runs(high, low);
    is_range
        .then(|| if low == high && !low.is_empty() { low.into() } else { format!("{low}:{high}") })
}

impl fmt::Display for TargetConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(constraint: &str, target: &str, expected: bool) {
        let constraint = TargetConstraint::new(constraint);
        assert_eq!(constraint.matches(target, Dialect::V1), expected, "{target} in {constraint}");
    }

    #[test]
    fn keeps_unknown_targets_unrelated() {
        check("alien", "alien", true);
        check(":", "alien", true);
        check("*", "alien", true);
        check("alien:", "alien", false);
        check("x86_64:", "alien", false);
        check("x86_64_v4::", "zen4", false);
    }

    #[test]
    fn reads_a_star_as_a_name_before_spack_1() {
        assert!(!TargetConstraint::new("*").matches("zen4", Dialect::V0));
    }
}
