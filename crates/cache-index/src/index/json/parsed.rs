//! Columns that something else has parsed: a browser does that three times as fast as a module that it has just received,
//! and most of the text is lists of numbers, which can be copied as they are.

use super::rows::RowColumns;
use super::{Document, LoadError};
use crate::index::Index;
use crate::index::lists::Lists;

/// The columns of an index as parsed JSON, from which lists of numbers are taken before the rest is read. Fields are named
/// as in the table of [`json`](super).
pub trait ParsedColumns {
    /// Returns the length of each list in a field of lists; empty if it is not one.
    fn lengths(&mut self, field: &str) -> Vec<u32>;

    /// Takes the numbers out of a field that is a list or a list of lists, joined into one list. 2³² is added to
    /// negative numbers. The field is empty afterwards, or unchanged if it is not a list.
    fn take(&mut self, field: &str) -> Vec<u32>;

    /// Returns what has not been taken, as JSON.
    fn rest(&mut self) -> String;
}

impl RowColumns {
    /// Takes the columns of the rows out of parsed JSON.
    pub(super) fn take(from: &mut dyn ParsedColumns) -> RowColumns {
        let signed = |steps: Vec<u32>| steps.into_iter().map(|step| step as i32).collect();
        RowColumns {
            package: from.take("rows.package"),
            version: signed(from.take("rows.version")),
            configuration: from.take("rows.configuration"),
            variant_set: signed(from.take("rows.variant_set")),
            place_set: from.take("rows.place_set"),
            origin: from.take("rows.origin"),
            builds: from.take("rows.builds"),
        }
    }
}

impl Index {
    /// Reads an index whose columns have been parsed. The result is the same as that of [`from_json`](Index::from_json),
    /// except that only `from_json` checks each number: some texts that it rejects are accepted here.
    pub fn from_parsed(columns: &mut dyn ParsedColumns) -> Result<Index, LoadError> {
        let mut lists = |field: &'static str| {
            let lengths = columns.lengths(field);
            Lists::new(columns.take(field), &lengths).ok_or(LoadError::BadCode(field))
        };
        let provider_sets = lists("provider_sets")?;
        let variant_sets = lists("variant_sets")?;
        let place_sets = lists("place_sets")?;
        let multi_valued = columns.take("multi_valued");
        let rows = RowColumns::take(columns);
        let document = Document::parse(&columns.rest())?;
        Document { provider_sets, variant_sets, place_sets, multi_valued, rows, ..document }.read()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::index::{About, pack};
    use crate::sample;

    /// Stands in for the browser's parser.
    struct Parsed(Value);

    impl Parsed {
        fn field(&mut self, field: &str) -> Option<&mut Value> {
            let (owner, name) = field.split_once('.').unwrap_or(("", field));
            let owner = if owner.is_empty() { &mut self.0 } else { self.0.get_mut(owner)? };
            owner.get_mut(name).filter(|value| value.is_array())
        }
    }

    fn numbers(value: &Value) -> Vec<u32> {
        match value {
            Value::Array(all) => all.iter().flat_map(numbers).collect(),
            number => vec![number.as_i64().unwrap_or(0) as u32],
        }
    }

    impl ParsedColumns for Parsed {
        fn lengths(&mut self, field: &str) -> Vec<u32> {
            let lists = self.field(field).and_then(|value| value.as_array());
            let length = |list: &Value| list.as_array().map_or(0, Vec::len) as u32;
            lists.map_or(vec![], |lists| lists.iter().map(length).collect())
        }

        fn take(&mut self, field: &str) -> Vec<u32> {
            self.field(field).map_or(vec![], |list| numbers(&std::mem::replace(list, json!([]))))
        }

        fn rest(&mut self) -> String {
            self.0.to_string()
        }
    }

    fn parsed(json: &str) -> Result<Index, LoadError> {
        Index::from_parsed(&mut Parsed(serde_json::from_str(json).expect("JSON")))
    }

    proptest! {
        #[test]
        fn reads_what_is_read_from_the_text(builds in sample::builds()) {
            let index = pack(About::default(), builds).expect("different hashes");
            for json in [index.to_json(), index.to_parts().columns] {
                let read = parsed(&json).expect("what was just written");
                let from_text = Index::from_json(&json).expect("what was just written");
                prop_assert_eq!(read.to_json(), from_text.to_json());
            }
        }
    }

    #[test]
    fn rejects_what_is_not_an_index() {
        let good = pack(About::default(), vec![]).expect("an index").to_json();
        for json in ["[]", "{}", "1", "null", r#"{"format":2,"rows":[]}"#] {
            assert!(parsed(json).is_err(), "{json}");
        }
        for (field, value) in [
            ("/variant_sets", json!("")),
            ("/variant_sets", json!([1])),
            ("/place_sets", json!(null)),
            ("/rows", json!({})),
            ("/rows/builds", json!({})),
            ("/rows/builds", json!([1])),
            ("/format", json!(1000)),
        ] {
            let mut bad: Value = serde_json::from_str(&good).expect("JSON");
            *bad.pointer_mut(field).expect("a field") = value;
            assert!(parsed(&bad.to_string()).is_err(), "{bad}");
        }
    }
}
