//! The values that a user has chosen in one facet.

/// The values of one facet that a build must or must not have.
///
/// Both lists are in the order of choosing, have no duplicates, and have no value in common.
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
    /// All of them; for facets in which a build can have several.
    All,
}

impl Choice {
    /// Returns the included values. A build must have one of them, or all: see [`matching`](Choice::matching).
    pub fn included(&self) -> &[String] {
        &self.included
    }

    /// Returns the values that a build must not have.
    pub fn excluded(&self) -> &[String] {
        &self.excluded
    }

    /// Returns how many of the included values a build must have.
    pub fn matching(&self) -> Match {
        self.matching
    }

    /// Returns `true` if nothing is chosen.
    pub fn is_empty(&self) -> bool {
        self.included.is_empty() && self.excluded.is_empty()
    }

    /// Returns `true` if a value is included.
    pub fn includes(&self, value: &str) -> bool {
        self.included.iter().any(|other| other == value)
    }

    /// Returns `true` if a value is excluded.
    pub fn excludes(&self, value: &str) -> bool {
        self.excluded.iter().any(|other| other == value)
    }

    /// Includes a value, which is excluded no longer.
    pub fn include(&mut self, value: impl Into<String>) {
        let value = value.into();
        self.excluded.retain(|other| *other != value);
        if !self.includes(&value) {
            self.included.push(value);
        }
    }

    /// Includes exactly these values; excluded values stay excluded unless they are among them.
    pub fn replace_included(&mut self, values: Vec<String>) {
        self.included.clear();
        for value in values {
            self.include(value);
        }
    }

    /// Excludes a value, which is included no longer.
    pub fn exclude(&mut self, value: impl Into<String>) {
        let value = value.into();
        self.included.retain(|other| *other != value);
        if !self.excludes(&value) {
            self.excluded.push(value);
        }
    }

    /// Neither includes nor excludes a value.
    pub fn remove(&mut self, value: &str) {
        self.included.retain(|other| other != value);
        self.excluded.retain(|other| other != value);
    }

    /// Includes no value.
    pub fn clear_included(&mut self) {
        self.included.clear();
    }

    /// Sets how many of the included values a build must have.
    pub fn set_matching(&mut self, matching: Match) {
        self.matching = matching;
    }
}
