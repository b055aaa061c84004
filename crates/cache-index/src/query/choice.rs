//! What a person has chosen in one facet.

/// The values of one facet that a build must or must not have.
///
/// Both lists keep the order in which they were chosen, hold each value once, and share none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    included: Vec<String>,
    excluded: Vec<String>,
    matching: Match,
}

/// How many of the included values a build must have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Match {
    /// At least one.
    #[default]
    Any,
    /// Every one; for facets in which a build can have several.
    All,
}

impl Choice {
    /// A build must have one of these, or all: see [`matching`](Choice::matching).
    pub fn included(&self) -> &[String] {
        &self.included
    }

    /// A build must have none of these.
    pub fn excluded(&self) -> &[String] {
        &self.excluded
    }

    /// How many of the included values a build must have.
    pub fn matching(&self) -> Match {
        self.matching
    }

    /// Whether nothing is chosen.
    pub fn is_empty(&self) -> bool {
        self.included.is_empty() && self.excluded.is_empty()
    }

    /// Whether a value is included.
    pub fn includes(&self, value: &str) -> bool {
        self.included.iter().any(|other| other == value)
    }

    /// Whether a value is excluded.
    pub fn excludes(&self, value: &str) -> bool {
        self.excluded.iter().any(|other| other == value)
    }

    pub(crate) fn include(&mut self, value: impl Into<String>) {
        let value = value.into();
        self.excluded.retain(|other| *other != value);
        if !self.includes(&value) {
            self.included.push(value);
        }
    }

    /// Includes these and nothing else; what is excluded stays so unless it is among them.
    pub(crate) fn replace_included(&mut self, values: Vec<String>) {
        self.included.clear();
        for value in values {
            self.include(value);
        }
    }

    pub(crate) fn exclude(&mut self, value: impl Into<String>) {
        let value = value.into();
        self.included.retain(|other| *other != value);
        if !self.excludes(&value) {
            self.excluded.push(value);
        }
    }

    pub(crate) fn remove(&mut self, value: &str) {
        self.included.retain(|other| other != value);
        self.excluded.retain(|other| other != value);
    }

    pub(crate) fn clear_included(&mut self) {
        self.included.clear();
    }

    pub(crate) fn set_matching(&mut self, matching: Match) {
        self.matching = matching;
    }
}
