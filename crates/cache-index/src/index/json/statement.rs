//! What a page states about the parts of its index, in the script with the id [`Statement::ID`] in its head.
//!
//! ```json
//! {"index": {"length": 80112, "digest": "sha256-…"}, "index-hashes": {…, "file": "index-hashes-….json"},
//!  "index-changes": {…, "since": "2026-11-20T09:50:00Z", "came": 38, "went": 12}}
//! ```
//!
//! So a page that was cut off is never mistaken for a complete one, or for one without an index. This is the only
//! definition: the command writes the statement, and the command, the reader and the app read it. Ids that are not known
//! are ignored.

use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Part;
use crate::index::Summary;

/// What a page states about a part of its index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedPart {
    /// The length of its text in UTF-16 units, as scripts count them.
    pub length: usize,
    /// The digest of its text in UTF-8, as in a content security policy.
    pub digest: String,
    /// The name of its file, if it is next to the page and not in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// For the changes: the time of the earlier publication, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    /// For the changes: the number of builds that came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    came: Option<usize>,
    /// For the changes: the number of builds that went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    went: Option<usize>,
}

impl StatedPart {
    /// Describes a text with this digest.
    pub fn of(text: &str, digest: String, file: Option<String>) -> StatedPart {
        let length = text.encode_utf16().count();
        StatedPart { length, digest, file, since: None, came: None, went: None }
    }

    /// Returns `true` if a text has the stated length.
    pub fn is_whole(&self, text: &str) -> bool {
        text.encode_utf16().count() == self.length
    }

    /// Returns the summary that the page shows before it has loaded the changes, if this is the part with the changes.
    pub fn summary(&self) -> Option<Summary> {
        Some(Summary { made: self.since.clone(), came: self.came?, went: self.went? })
    }

    /// Adds the summary that the page shows before it has loaded the changes, if this is the part with the changes.
    #[must_use]
    pub fn with_summary(self, summary: Option<Summary>) -> StatedPart {
        let Some(Summary { made, came, went }) = summary else { return self };
        StatedPart { since: made, came: Some(came), went: Some(went), ..self }
    }
}

/// What a page states about all parts that must follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    /// In the order of [`Part::ALL`].
    parts: [Option<StatedPart>; Part::ALL.len()],
}

impl Statement {
    /// The id of the script that contains the statement.
    pub const ID: &'static str = "parts";

    /// Reads a statement from its JSON.
    pub fn from_json(json: &str) -> Result<Statement, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// Writes the statement as JSON. The parts and their fields have a fixed order, because the bytes of a page must only
    /// depend on its contents.
    pub fn to_json(&self) -> String {
        super::text(self)
    }

    /// Returns what is stated about a part; `None` if it need not follow.
    pub fn part(&self, part: Part) -> Option<&StatedPart> {
        self.parts[part as usize].as_ref()
    }

    /// Adds a part, or replaces what was stated about it.
    pub fn set(&mut self, part: Part, stated: StatedPart) {
        self.parts[part as usize] = Some(stated);
    }

    /// Returns all parts that must follow, the most urgent first.
    pub fn iter(&self) -> impl Iterator<Item = (Part, &StatedPart)> {
        Part::ALL.into_iter().filter_map(|part| Some((part, self.part(part)?)))
    }
}

impl Serialize for Statement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(part, stated)| (part.id(), stated)))
    }
}

impl<'de> Deserialize<'de> for Statement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Statement, D::Error> {
        deserializer.deserialize_map(ByPart)
    }
}

struct ByPart;

impl<'de> Visitor<'de> for ByPart {
    type Value = Statement;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the parts that must follow")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Statement, A::Error> {
        let mut statement = Statement::default();
        while let Some(id) = map.next_key::<String>()? {
            match Part::ALL.into_iter().find(|part| part.id() == id) {
                Some(part) => statement.set(part, map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(statement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes_and_ignores_new_parts() {
        let mut statement = Statement::default();
        let summary = Some(Summary { made: None, came: 38, went: 12 });
        let changes = StatedPart::of("{}", "sha256-x".to_owned(), None);
        statement.set(Part::Changes, changes.with_summary(summary.clone()));
        let file = Some("a.json".to_owned());
        statement.set(Part::Hashes, StatedPart::of("\"ä𝄞\"", "sha256-y".to_owned(), file));
        let json = statement.to_json();
        assert_eq!(
            json,
            "{\"index-hashes\":{\"length\":5,\"digest\":\"sha256-y\",\"file\":\"a.json\"},\
             \"index-changes\":{\"length\":2,\"digest\":\"sha256-x\",\"came\":38,\"went\":12}}"
        );
        let read = |json: &str| Statement::from_json(json).ok();
        assert_eq!(read(&json), Some(statement.clone()));
        assert_eq!(
            read(&json.replacen('{', "{\"index-news\":{\"size\":[1]},", 1)),
            Some(statement.clone())
        );
        assert_eq!(statement.part(Part::Changes).and_then(StatedPart::summary), summary);
        assert_eq!(statement.part(Part::Hashes).and_then(StatedPart::summary), None);
        assert_eq!(statement.part(Part::Columns), None);
        assert_eq!(read("{\"index\":{\"length\":2}}"), None);
    }

    #[test]
    fn counts_lengths_as_scripts_do() {
        let stated = StatedPart::of("ä𝄞", String::new(), None);
        assert!(stated.is_whole("xxx") && !stated.is_whole("ä") && !stated.is_whole("xxxx"));
    }
}
