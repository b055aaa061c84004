//! Architecture: platform, operating system and target.
//!
//! | written | means |
//! |---|---|
//! | `platform=linux`, `os=ubuntu24.04`, `target=zen3` | one part each |
//! | `arch=linux-ubuntu24.04-zen3` | all three parts; `None` leaves a part open |
//! | `arch=zen3` | the target only |
//!
//! Surprises: platform and operating system are each one complete name, so `os=a,b` asks for one system called `a,b`.
//! In Spack 1.x the comparison stops at the first `*` among platform and system, so `os=* target=zen3` accepts any
//! target; before 1.0, `*` is an ordinary name, which matches nothing.

use crate::{Dialect, TargetConstraint};

/// The constraints on an architecture; a part that is `None` may be anything.
///
/// ```
/// use spack_spec::{Dialect, Spec};
///
/// let spec = Spec::parse("os=rhel8 target=zen2:", Dialect::V1)?;
/// assert!(spec.root.architecture.matches("linux", "rhel8", "zen3", Dialect::V1));
/// # Ok::<(), spack_spec::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ArchitectureConstraint {
    /// Such as `linux`.
    pub platform: Option<String>,
    /// Such as `ubuntu24.04`.
    pub os: Option<String>,
    /// Such as `x86_64_v3:`.
    pub target: Option<TargetConstraint>,
}

impl ArchitectureConstraint {
    /// Returns `true` if an architecture satisfies the constraints.
    pub fn matches(&self, platform: &str, os: &str, target: &str, dialect: Dialect) -> bool {
        for (wanted, found) in [(&self.platform, platform), (&self.os, os)] {
            match wanted.as_deref() {
                Some("*") if dialect == Dialect::V1 => return true,
                Some(wanted) if wanted != found => return false,
                _ => {}
            }
        }
        self.target.as_ref().is_none_or(|wanted| wanted.matches(target, dialect))
    }

    /// Returns `true` if every architecture satisfies the constraints.
    pub fn is_any(&self) -> bool {
        self.platform.is_none() && self.os.is_none() && self.target.is_none()
    }

    /// Returns `true` if each part is a single name. Spack accepts no further part after that.
    pub(crate) fn is_complete(&self) -> bool {
        let is_one = |target: &TargetConstraint| !target.as_str().contains([':', ',']);
        self.platform.is_some() && self.os.is_some() && self.target.as_ref().is_some_and(is_one)
    }

    /// Adds the other's constraints; returns `false` if no build can satisfy both.
    pub(crate) fn merge(&mut self, other: &ArchitectureConstraint) -> bool {
        for (own, theirs) in [(&mut self.platform, &other.platform), (&mut self.os, &other.os)] {
            match (own.as_deref(), theirs.as_deref()) {
                (None, _) => own.clone_from(theirs),
                (Some(one), Some(two)) if one != two => return false,
                _ => {}
            }
        }
        match (&self.target, &other.target) {
            (None, theirs) => self.target.clone_from(theirs),
            (Some(own), Some(theirs)) => match own.intersection(theirs) {
                Some(both) => self.target = Some(both),
                None => return false,
            },
            _ => {}
        }
        true
    }
}
