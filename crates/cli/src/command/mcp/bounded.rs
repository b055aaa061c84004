//! Answers short enough for a model to read: a part of each long list, with what is needed to ask for the next part.

use std::ops::{Range, RangeInclusive};

use serde_json::{Map, Value, json};

/// How many elements of a list are in an answer, unless the model asks for another number.
pub(super) const USUAL: usize = 20;

/// How many elements the model may ask for.
pub(super) const LIMITS: RangeInclusive<u64> = 1..=100;

/// How many elements of a list or an object within an element are shown.
const WITHIN: usize = 100;

/// The part of each list that the model asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    offset: usize,
    limit: usize,
}

impl Page {
    /// Returns the part that begins at an offset and has as many elements as the [limit](LIMITS), or else `usual`.
    pub(super) fn new(offset: Option<u64>, limit: Option<u64>, usual: usize) -> Page {
        let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Page { offset: offset.map_or(0, whole), limit: limit.map_or(usual, whole) }
    }

    /// Returns the range of this part in a list of a given length.
    pub(super) fn of(self, length: usize) -> Range<usize> {
        let start = self.offset.min(length);
        start..start.saturating_add(self.limit).min(length)
    }

    /// Cuts each of these lists in an object to its part, and adds how long the lists are and where the next part begins.
    pub(super) fn cut(self, mut object: Map<String, Value>, lists: &[&'static str]) -> Value {
        let mut lengths = Vec::new();
        for &name in lists {
            if let Some(Value::Array(list)) = object.get_mut(name) {
                let part = self.of(list.len());
                lengths.push((name, list.len()));
                list.truncate(part.end);
                list.drain(..part.start);
            }
        }
        self.said(object, &lengths)
    }

    /// Finishes an object that has only the part of each of these lists, whose complete lengths are given.
    pub(super) fn said(
        self,
        mut object: Map<String, Value>,
        lengths: &[(&'static str, usize)],
    ) -> Value {
        for (name, value) in &mut object {
            match value {
                Value::Array(list) if lengths.iter().any(|(long, _)| long == name) => {
                    list.iter_mut().for_each(shorten);
                }
                value => shorten(value),
            }
        }
        let all = lengths.iter().map(|&(name, length)| (name.to_owned(), length.into()));
        object.insert("all".to_owned(), Value::Object(all.collect()));
        let longest = lengths.iter().map(|&(_, length)| length).max().unwrap_or_default();
        let end = self.of(longest).end;
        if end < longest {
            object.insert("next_offset".to_owned(), end.into());
        }
        Value::Object(object)
    }
}

/// Cuts the lists and objects within a value, and notes at the end of each that it was cut.
fn shorten(value: &mut Value) {
    match value {
        Value::Array(list) => {
            let others = list.len().saturating_sub(WITHIN);
            list.truncate(WITHIN);
            list.iter_mut().for_each(shorten);
            list.extend((others > 0).then(|| json!(format!("… and {others} more"))));
        }
        Value::Object(fields) => {
            let others = fields.len().saturating_sub(WITHIN);
            let mut rank = 0;
            fields.retain(|_, _| {
                rank += 1;
                rank <= WITHIN
            });
            fields.iter_mut().for_each(|(_, value)| shorten(value));
            if others > 0 {
                fields.insert("…".to_owned(), json!(format!("and {others} more")));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn pages_through_the_lists_that_are_long() {
        let said = json!({"many": [1, 2, 3, 4, 5], "few": [1], "names": ["x"]});
        let page = |offset, limit| {
            Page::new(offset, limit, USUAL).cut(object(said.clone()), &["many", "few", "none"])
        };
        let expected = json!({
            "many": [3, 4], "few": [], "names": ["x"], "all": {"many": 5, "few": 1}, "next_offset": 4
        });
        assert_eq!(page(Some(2), Some(2)), expected);
        assert_eq!(page(Some(4), Some(2))["many"], json!([5]));
        assert_eq!(page(Some(4), Some(2)).get("next_offset"), None);
        assert_eq!(page(Some(u64::MAX), Some(100))["many"], json!([]));
    }

    #[test]
    fn shortens_what_is_within_elements() {
        let said = json!({"specs": [{"hashes": vec!["h"; 103]}]});
        let cut = Page::new(None, None, USUAL).cut(object(said), &["specs"]);
        let hashes = cut["specs"][0]["hashes"].as_array().expect("a list");
        assert_eq!((hashes.len(), &hashes[100]), (101, &json!("… and 3 more")));
        let follows: Map<String, Value> = (0..102).map(|at| (at.to_string(), json!(at))).collect();
        let cut = Page::new(None, None, USUAL).cut(object(json!({"follows": follows})), &[]);
        assert_eq!(cut["follows"]["…"], "and 2 more");
        assert_eq!(cut["follows"].as_object().map(Map::len), Some(101));
    }
}
