//! What a tool is given: the arguments of a call, and what the server was started with.

use cache_advice::changes::Changes;
use serde_json::Value;

use super::bounded::{Page, USUAL};
use super::protocol::Arguments;

/// The arguments with which every tool asks for a part of long lists.
pub(super) const OFFSET: &str = "offset";
pub(super) const LIMIT: &str = "limit";

/// What the cache is compared with, if the server was started with an earlier snapshot of it.
pub(super) struct Snapshot {
    /// When it was made, if that is known.
    pub(super) made: Option<String>,
    /// What changed since.
    pub(super) changes: Changes,
}

/// The arguments of a call, which have the right types, and what the server was started with.
pub(super) struct ToolInput<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) snapshot: Option<&'a Snapshot>,
}

impl ToolInput<'_> {
    /// Returns a text; an empty one if it was not given.
    pub(super) fn text(&self, name: &str) -> &str {
        self.optional(name).unwrap_or_default()
    }

    /// Returns a text, if it was given.
    pub(super) fn optional(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).and_then(Value::as_str)
    }

    /// Returns a list of texts.
    pub(super) fn texts(&self, name: &str) -> Vec<&str> {
        let list = self.arguments.get(name).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Returns `true` if a switch is on.
    pub(super) fn is_on(&self, name: &str) -> bool {
        self.arguments.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// Returns the part of long lists that the model asks for.
    pub(super) fn page(&self) -> Page {
        self.page_of(USUAL)
    }

    /// Returns the part of long lists that the model asks for, with this many elements unless it asks for another number.
    pub(super) fn page_of(&self, usual: usize) -> Page {
        let number = |name: &str| self.arguments.get(name).and_then(Value::as_u64);
        Page::new(number(OFFSET), number(LIMIT), usual)
    }
}
