//! Lists of versions and ranges: what follows an `@`.
//!
//! Spack keeps such a list sorted and without overlap, and prints it that way: `@1.4,1.2` as `@1.2,1.4`,
//! `@1.2:1.4,:1.1` as `@:1.4`. Two ranges that touch are merged.

use std::fmt;
use std::str::FromStr;

use super::key::Key;
use super::{Version, VersionError, VersionErrorKind, VersionRange};
use crate::span::excerpt;

/// A list with more elements than this is sorted before it is merged. The result is the same except for the spelling of
/// versions that are equal. Inserting one element after the other would take quadratic time for a long list written
/// backwards.
const LONG: usize = 64;

/// A constraint on a version: the text after an `@`. The alternatives are sorted and do not overlap; if there are none,
/// nothing matches.
///
/// | written | means |
/// |---|---|
/// | `@=1.2` | exactly 1.2 |
/// | `@1.2` | 1.2 and all 1.2.x |
/// | `@1.2:1.4` | from 1.2 to all of 1.4.x |
/// | `@1.2:` | 1.2 and above |
/// | `@:1.4` | up to all of 1.4.x |
/// | `@1.2,1.4:` | either |
/// | `@git.main=develop` | the branch `main`, treated as `develop` |
///
/// ```
/// use spack_spec::VersionConstraint;
///
/// let wanted: VersionConstraint = "1.4,1.2:1.3,=2.0".parse()?;
/// assert_eq!(wanted.to_string(), "1.2:1.4,=2.0");
/// assert!(wanted.matches(&"1.4.9".parse()?) && !wanted.matches(&"2.0.1".parse()?));
/// # Ok::<(), spack_spec::VersionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionConstraint {
    elements: Vec<VersionElement>,
}

/// One of the alternatives in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionElement {
    /// `=1.2`, or a version made from a git reference.
    Exact(Version),
    /// `1.2`, `1.2:1.4`, `1.2:`, `:1.4`, `:`.
    Range(VersionRange),
}

impl VersionConstraint {
    /// Returns the constraint that every version satisfies; it prints as `:`, or, in a spec, as nothing.
    pub fn any() -> VersionConstraint {
        VersionRange::any().into()
    }

    /// Returns the alternatives, lowest first.
    pub fn elements(&self) -> &[VersionElement] {
        &self.elements
    }

    /// Returns `true` for the range `:`.
    pub fn is_any(&self) -> bool {
        matches!(self.elements.as_slice(), [VersionElement::Range(range)] if range.is_any())
    }

    /// Returns `true` if the version matches one of the alternatives.
    ///
    /// A version made from a git reference is in a range if the version on its right side is. It matches an exact
    /// version only if that has the same reference.
    pub fn matches(&self, version: &Version) -> bool {
        self.around(Position::of(version)).iter().any(|element| element.matches(version))
    }

    /// Returns `true` if every version that satisfies this constraint satisfies the other too.
    ///
    /// ```
    /// use spack_spec::VersionConstraint;
    ///
    /// let (one, two): (VersionConstraint, VersionConstraint) = ("1.2:1.4".parse()?, "1:".parse()?);
    /// assert!(one.is_within(&two) && !two.is_within(&one) && two.intersects(&one));
    /// # Ok::<(), spack_spec::VersionError>(())
    /// ```
    pub fn is_within(&self, other: &VersionConstraint) -> bool {
        self.elements
            .iter()
            .all(|own| other.around(own.place()).iter().any(|theirs| own.is_within(theirs)))
    }

    /// Returns `true` if some version may satisfy both.
    pub fn intersects(&self, other: &VersionConstraint) -> bool {
        !self.intersection(other).is_empty()
    }

    /// Returns the versions that satisfy both; it is [empty](Self::is_empty) if they have none in common.
    ///
    /// ```
    /// use spack_spec::VersionConstraint;
    ///
    /// let (one, two): (VersionConstraint, VersionConstraint) = ("1.2:1.6".parse()?, "1.4:".parse()?);
    /// assert_eq!(one.intersection(&two).to_string(), "1.4:1.6");
    /// assert!(one.intersection(&"2".parse()?).is_empty());
    /// # Ok::<(), spack_spec::VersionError>(())
    /// ```
    pub fn intersection(&self, other: &VersionConstraint) -> VersionConstraint {
        let mut both = VersionConstraint { elements: Vec::new() };
        let (mut own, mut theirs) = (self.elements.as_slice(), other.elements.as_slice());
        while let ([one, own_rest @ ..], [two, their_rest @ ..]) = (own, theirs) {
            if let Some(common) = one.intersection(two) {
                both.add(common);
            }
            // The one that ends first cannot overlap with anything further, since neither list overlaps itself.
            if one.ends_before(two) {
                own = own_rest;
            } else {
                theirs = their_rest;
            }
        }
        both
    }

    /// Returns `true` if no version matches, as can happen after an [`intersection`](Self::intersection).
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Returns the only elements that can touch one inserted at this place: since the list does not overlap itself, no
    /// other extends that far.
    fn around(&self, place: Position<'_>) -> &[VersionElement] {
        let index = self.elements.partition_point(|other| other.place() < place);
        &self.elements[index.saturating_sub(1)..self.elements.len().min(index + 1)]
    }

    fn add(&mut self, element: VersionElement) {
        match element {
            VersionElement::Exact(version) => self.add_exact(version),
            VersionElement::Range(range) => self.add_range(range),
        }
    }

    fn add_exact(&mut self, version: Version) {
        if !self.matches(&version) {
            let place = Position::of(&version);
            let index = self.elements.partition_point(|other| other.place() < place);
            self.elements.insert(index, VersionElement::Exact(version));
        }
    }

    fn add_range(&mut self, mut range: VersionRange) {
        let place = Position::of_range(&range);
        let mut start = self.elements.partition_point(|other| other.place() < place);
        let mut end = start;
        while let Some(merged) =
            start.checked_sub(1).and_then(|before| self.elements[before].merged_into(&range))
        {
            range = merged;
            start -= 1;
        }
        while let Some(merged) =
            self.elements.get(end).and_then(|element| element.merged_into(&range))
        {
            range = merged;
            end += 1;
        }
        self.elements.splice(start..end, [VersionElement::Range(range)]);
    }
}

/// The position of an element in a list: by lower end, then exact versions before ranges before versions made from git
/// references.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Position<'a> {
    low: Option<&'a Key>,
    rank: u8,
    is_open: bool,
    end: Option<&'a Key>,
    git: Option<&'a str>,
}

impl<'a> Position<'a> {
    fn of(version: &'a Version) -> Position<'a> {
        let rank = if version.git.is_some() { 2 } else { 0 };
        let git = version.git.as_deref();
        Position { low: Some(&version.key), rank, is_open: false, end: None, git }
    }

    fn of_range(range: &'a VersionRange) -> Position<'a> {
        let end = range.end_key();
        Position { low: range.low_key(), rank: 1, is_open: end.is_none(), end, git: None }
    }
}

impl VersionElement {
    fn place(&self) -> Position<'_> {
        match self {
            VersionElement::Exact(version) => Position::of(version),
            VersionElement::Range(range) => Position::of_range(range),
        }
    }

    fn matches(&self, version: &Version) -> bool {
        match self {
            VersionElement::Exact(exact) => exact == version,
            VersionElement::Range(range) => range.contains(version),
        }
    }

    fn is_within(&self, other: &VersionElement) -> bool {
        match (self, other) {
            (VersionElement::Exact(version), other) => other.matches(version),
            (VersionElement::Range(own), VersionElement::Range(theirs)) => own.is_within(theirs),
            (VersionElement::Range(_), VersionElement::Exact(_)) => false,
        }
    }

    fn intersection(&self, other: &VersionElement) -> Option<VersionElement> {
        match (self, other) {
            (VersionElement::Range(own), VersionElement::Range(theirs)) => {
                own.intersection(theirs).map(VersionElement::Range)
            }
            (VersionElement::Exact(version), other) | (other, VersionElement::Exact(version)) => {
                other.matches(version).then(|| VersionElement::Exact(version.clone()))
            }
        }
    }

    /// Returns `true` if this element ends before the other, so that nothing after the other in its list overlaps it.
    fn ends_before(&self, other: &VersionElement) -> bool {
        match (self, other) {
            (VersionElement::Exact(own), VersionElement::Exact(theirs)) => own < theirs,
            (VersionElement::Range(own), VersionElement::Range(theirs)) => own.ends_before(theirs),
            (VersionElement::Exact(own), VersionElement::Range(theirs)) => {
                theirs.end_key().is_none_or(|end| own.key < *end)
            }
            (VersionElement::Range(own), VersionElement::Exact(theirs)) => {
                own.end_key().is_some_and(|end| *end <= theirs.key)
            }
        }
    }

    /// Returns the range extended by this element, if there is no gap between them.
    fn merged_into(&self, range: &VersionRange) -> Option<VersionRange> {
        match self {
            VersionElement::Exact(version) => range.contains(version).then(|| range.clone()),
            VersionElement::Range(own) => range.union(own),
        }
    }
}

impl From<VersionRange> for VersionConstraint {
    fn from(range: VersionRange) -> VersionConstraint {
        VersionConstraint { elements: vec![VersionElement::Range(range)] }
    }
}

impl From<Version> for VersionConstraint {
    /// Accepts exactly this version.
    fn from(version: Version) -> VersionConstraint {
        VersionConstraint { elements: vec![VersionElement::Exact(version)] }
    }
}

impl FromStr for VersionConstraint {
    type Err = VersionError;

    /// Reads the text after an `@`; white space is allowed around the parts.
    fn from_str(text: &str) -> Result<VersionConstraint, VersionError> {
        let mut list = VersionConstraint { elements: Vec::new() };
        let read = |part: &str| {
            let part = part.trim();
            part.parse().map_err(|error: VersionError| error.within(text, part))
        };
        let mut elements: Vec<VersionElement> =
            text.split(',').map(read).collect::<Result<_, _>>()?;
        if elements.len() > LONG {
            elements.sort_by(|one, two| one.place().cmp(&two.place()));
        }
        for element in elements {
            list.add(element);
        }
        Ok(list)
    }
}

impl FromStr for VersionElement {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<VersionElement, VersionError> {
        // Trailing separators do not count, and would be cut off when the text is read again.
        let text = match text.trim_end_matches(['-', '.']) {
            "" => text,
            trimmed => trimmed,
        };
        if let Some((low, high)) = text.split_once(':') {
            if high.contains(':') {
                let kind = VersionErrorKind::MoreThanOneColon { text: excerpt(text) };
                return Err(VersionError::new(kind, 0..text.len()));
            }
            let end = |end: &str| match end.trim() {
                "" => Ok(None),
                version => Version::standard(version)
                    .map(Some)
                    .map_err(|error| error.within(text, version)),
            };
            // The error for an empty range refers to the range as it prints, so its position becomes the entire text.
            return VersionRange::new(end(low)?, end(high)?)
                .map(VersionElement::Range)
                .map_err(|error| VersionError { span: 0..text.len(), ..error });
        }
        let version: Version = text.parse()?;
        Ok(if text.starts_with('=') || version.git.is_some() {
            VersionElement::Exact(version)
        } else {
            VersionElement::Range(VersionRange::of(version))
        })
    }
}

impl fmt::Display for VersionConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, element) in self.elements.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            write!(f, "{element}")?;
        }
        Ok(())
    }
}

impl fmt::Display for VersionElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VersionElement::Exact(version) if version.git.is_none() => write!(f, "={version}"),
            VersionElement::Exact(version) => write!(f, "{version}"),
            VersionElement::Range(range) => write!(f, "{range}"),
        }
    }
}
