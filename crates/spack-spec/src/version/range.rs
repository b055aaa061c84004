//! Ranges of versions.
//!
//! A range includes both ends, and its upper end includes everything that begins with it: `1.2:1.4` contains 1.4.9. So
//! a range is stored as a lower bound and the first key above it.
//!
//! Surprises:
//!
//! - `2:1` is a range, and empty: the first key above 1 is 2, which is not below the lower bound. `1.4:1.2` is an
//!   error. Spack draws the line in the same place.
//! - `1.2:1` is not empty: it contains 1.2 and everything up to the end of 1.x.

use std::fmt;

use super::key::Key;
use super::{Version, VersionError, VersionErrorKind};
use crate::span::excerpt;

/// A range from a lower to an upper end, both inclusive. Either may be open.
///
/// ```
/// use spack_spec::VersionRange;
///
/// let range = VersionRange::new(Some("1.2".parse()?), Some("1.4".parse()?))?;
/// assert!(range.contains(&"1.4.9".parse()?));
/// assert_eq!(range.to_string(), "1.2:1.4");
/// # Ok::<(), spack_spec::VersionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct VersionRange {
    low: Option<Version>,
    high: Option<Version>,
    /// The first key above the range; `None` if it is open.
    end: Option<Key>,
}

impl VersionRange {
    /// Returns the range `:`, which contains every version.
    pub fn any() -> VersionRange {
        VersionRange { low: None, high: None, end: None }
    }

    /// Returns the range that a version names on its own: `1.2` for 1.2 and every 1.2.x.
    pub fn of(version: Version) -> VersionRange {
        VersionRange {
            end: Some(version.key.next()),
            low: Some(version.clone()),
            high: Some(version),
        }
    }

    /// Creates the range from one version to all that begin with the other; an end that is `None` is open.
    ///
    /// # Errors
    ///
    /// The range is empty because it ends before it starts. The position of the error refers to the range as it prints.
    pub fn new(low: Option<Version>, high: Option<Version>) -> Result<VersionRange, VersionError> {
        let end = high.as_ref().map(|high| high.key.next());
        if let (Some(low), Some(high), Some(end)) = (&low, &high, &end)
            && *end < low.key
        {
            let range = format!("{low}:{high}");
            let kind = VersionErrorKind::EmptyRange { text: excerpt(&range) };
            return Err(VersionError::new(kind, 0..range.len()));
        }
        Ok(VersionRange { low, high, end })
    }

    /// Returns the lower end, unless it is open.
    pub fn low(&self) -> Option<&Version> {
        self.low.as_ref()
    }

    /// Returns the upper end as written, unless it is open; versions that begin with it are in the range.
    pub fn high(&self) -> Option<&Version> {
        self.high.as_ref()
    }

    /// Returns `true` if it is open on both sides.
    pub fn is_any(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// Returns `true` if the version is in the range. A version made from a git reference counts as the version on its
    /// right side.
    pub fn contains(&self, version: &Version) -> bool {
        self.low_key() <= Some(&version.key)
            && self.end.as_ref().is_none_or(|end| version.key < *end)
    }

    /// Returns `true` if the entire range is in the other.
    pub fn is_within(&self, other: &VersionRange) -> bool {
        other.low_key() <= self.low_key() && !other.ends_before(self)
    }

    /// Returns `true` if some version may be in both.
    pub fn intersects(&self, other: &VersionRange) -> bool {
        self.starts_below_end_of(other) && other.starts_below_end_of(self)
    }

    /// Returns the part that they have in common.
    pub(super) fn intersection(&self, other: &VersionRange) -> Option<VersionRange> {
        let low = self.later_start(other);
        let high = if other.ends_before(self) { other } else { self };
        let both = VersionRange {
            low: low.low.clone(),
            high: high.high.as_ref().map(Version::normalized),
            end: high.end.clone(),
        };
        let is_empty = both.end.as_ref().is_some_and(|end| Some(end) <= both.low_key());
        (!is_empty).then_some(both)
    }

    /// Returns the range over both, if there is no gap between them: `1:2` and `3:4` make `1:4`.
    pub(super) fn union(&self, other: &VersionRange) -> Option<VersionRange> {
        let touches = |one: &VersionRange, two: &VersionRange| {
            two.end.as_ref().is_none_or(|end| one.low_key() <= Some(end))
        };
        if !touches(self, other) || !touches(other, self) {
            return None;
        }
        let low = if other.low_key() < self.low_key() { other } else { self };
        let high = if self.ends_before(other) { other } else { self };
        Some(VersionRange {
            low: low.low.clone(),
            high: high.high.as_ref().map(Version::normalized),
            end: high.end.clone(),
        })
    }

    /// Returns `None`, which compares below every key, if it is open.
    pub(super) fn low_key(&self) -> Option<&Key> {
        self.low.as_ref().map(|low| &low.key)
    }

    /// Returns `None` if it is open.
    pub(super) fn end_key(&self) -> Option<&Key> {
        self.end.as_ref()
    }

    /// Returns `true` if its upper end is below the other's.
    pub(super) fn ends_before(&self, other: &VersionRange) -> bool {
        match (&self.end, &other.end) {
            (Some(own), Some(theirs)) => own < theirs,
            (own, theirs) => own.is_some() && theirs.is_none(),
        }
    }

    fn starts_below_end_of(&self, other: &VersionRange) -> bool {
        other.end.as_ref().is_none_or(|end| self.low_key() < Some(end))
    }

    fn later_start<'a>(&'a self, other: &'a VersionRange) -> &'a VersionRange {
        if self.low_key() < other.low_key() { other } else { self }
    }
}

impl PartialEq for VersionRange {
    fn eq(&self, other: &VersionRange) -> bool {
        self.low_key() == other.low_key() && self.end == other.end
    }
}

impl Eq for VersionRange {}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.low, &self.high) {
            (Some(low), Some(high)) if low.key == high.key => write!(f, "{low}"),
            (low, high) => {
                if let Some(low) = low {
                    write!(f, "{low}")?;
                }
                f.write_str(":")?;
                if let Some(high) = high {
                    write!(f, "{high}")?;
                }
                Ok(())
            }
        }
    }
}
