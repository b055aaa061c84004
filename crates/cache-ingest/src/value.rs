//! A tree of values as JSON and YAML write them, before anything is known about their meaning.
//!
//! Readers take this rather than typed structures so that one wrong field does not hide the others,
//! and so that a field written twice is seen: `serde_json::Value` would keep the last of the two.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::problem::quote;

/// Any value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// A whole number that is not negative.
    Whole(u64),
    /// Any other number.
    Number(f64),
    Text(String),
    List(Vec<Value>),
    /// In the order of the input; a name may stand twice.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// What it is, for a message: itself if it is short, or else its type.
    pub(crate) fn describe(&self) -> String {
        match self {
            Value::Null => "nothing".to_string(),
            Value::Bool(value) => value.to_string(),
            Value::Whole(value) => value.to_string(),
            Value::Number(value) => value.to_string(),
            Value::Text(value) => quote(value),
            Value::List(_) => "a list".to_string(),
            Value::Map(_) => "an object".to_string(),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Whole(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(u64::try_from(value).map_or(Value::Number(value as f64), Value::Whole))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_string()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element()? {
            list.push(element);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Value::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_yaml_give_the_same_tree() {
        let text = r#"{"a": [true, null, 1, -2, 0.5, "x"], "a": {}}"#;
        let tree: Value = serde_json::from_str(text).expect("JSON");
        let list = vec![
            Value::Bool(true),
            Value::Null,
            Value::Whole(1),
            Value::Number(-2.0),
            Value::Number(0.5),
            Value::Text("x".into()),
        ];
        let expected =
            Value::Map(vec![("a".into(), Value::List(list)), ("a".into(), Value::Map(vec![]))]);
        assert_eq!(tree, expected);
        assert_eq!(serde_yaml::from_str::<Value>(text).expect("YAML"), expected);
    }

    #[test]
    fn a_value_is_described_shortly() {
        #[track_caller]
        fn check(json: &str, expected: &str) {
            let value: Value = serde_json::from_str(json).expect("JSON");
            assert_eq!(value.describe(), expected);
        }
        check("null", "nothing");
        check("false", "false");
        check("12", "12");
        check("-1.5", "-1.5");
        check(r#""a\nb""#, r#""a\nb""#);
        check("[1]", "a list");
        check(r#"{"a": 1}"#, "an object");
    }
}
