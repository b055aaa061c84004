//! A tree of values as JSON and YAML write them, before their meaning is known.
//!
//! Readers use this rather than typed structures so that one wrong field does not hide the others, and so that a field
//! that occurs twice is noticed: `serde_json::Value` would keep the last one. Texts without escapes are borrowed from
//! the input.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::problem::quote;
use super::visible::written;

/// Any value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'v> {
    Null,
    Bool(bool),
    /// A whole number that is not negative.
    Whole(u64),
    /// Any other number.
    Number(f64),
    Text(Cow<'v, str>),
    List(Vec<Value<'v>>),
    /// In the order of the input; a name may occur twice.
    Map(Vec<(Cow<'v, str>, Value<'v>)>),
}

/// The message for YAML whose aliases stand for too much.
pub(crate) const TOO_REPETITIVE: &str = "its aliases (`*name`) repeat too much";

/// The number of values and of bytes of texts that YAML may have, for each of its bytes and in addition. Without aliases,
/// there are at most two for each byte.
const FOR_EACH_BYTE: usize = 4;
const IN_ADDITION: usize = 1_000_000;

impl<'v> Value<'v> {
    /// Reads JSON. Always from bytes: for texts, the compiler would make a second copy of the parser.
    pub(crate) fn of_json(json: &'v [u8]) -> serde_json::Result<Value<'v>> {
        serde_json::from_slice(json)
    }

    /// Reads YAML. Each alias becomes a copy of what it stands for, so a few kilobytes could become gigabytes: what
    /// becomes much longer than its text is an error.
    pub(crate) fn of_yaml(yaml: &'v str) -> serde_yaml::Result<Value<'v>> {
        let left = Cell::new(yaml.len().saturating_mul(FOR_EACH_BYTE).saturating_add(IN_ADDITION));
        AnyValue { left: &left }.deserialize(serde_yaml::Deserializer::from_str(yaml))
    }
}

impl Value<'_> {
    /// Describes the value for a message: the value itself if it is short, otherwise its type.
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

impl Value<'_> {
    /// Returns the value as JSON with sorted keys, and without invisible characters.
    pub(crate) fn visible_json(&self) -> String {
        self.visible().to_string()
    }

    fn visible(&self) -> serde_json::Value {
        match self {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Whole(value) => (*value).into(),
            Value::Number(value) => (*value).into(),
            Value::Text(text) => written(text).into(),
            Value::List(list) => list.iter().map(Value::visible).collect(),
            Value::Map(map) => {
                let fields = map.iter().map(|(name, value)| (written(name), value.visible()));
                fields.collect::<BTreeMap<_, _>>().into_iter().collect()
            }
        }
    }
}

/// A text of the input, borrowed if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Text<'v>(#[serde(borrow)] pub(crate) Cow<'v, str>);

impl Value<'_> {
    /// Returns the same value without borrowing.
    pub(crate) fn into_owned(self) -> Value<'static> {
        match self {
            Value::Null => Value::Null,
            Value::Bool(value) => Value::Bool(value),
            Value::Whole(value) => Value::Whole(value),
            Value::Number(value) => Value::Number(value),
            Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Value::List(list) => Value::List(list.into_iter().map(Value::into_owned).collect()),
            Value::Map(map) => {
                let owned = |(name, value): (Cow<'_, str>, Value<'_>)| {
                    (Cow::Owned(name.into_owned()), value.into_owned())
                };
                Value::Map(map.into_iter().map(owned).collect())
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value<'de>, D::Error> {
        // JSON has no aliases.
        AnyValue { left: &Cell::new(usize::MAX) }.deserialize(deserializer)
    }
}

/// Reads any value that is not too long.
#[derive(Clone, Copy)]
struct AnyValue<'l> {
    /// The number of values and of bytes of texts that there may still be.
    left: &'l Cell<usize>,
}

impl AnyValue<'_> {
    /// Counts a value, or the bytes of a text.
    fn count<E: Error>(self, count: usize) -> Result<(), E> {
        let left = self.left.get().checked_sub(count);
        self.left.set(left.ok_or_else(|| E::custom(TOO_REPETITIVE))?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for AnyValue<'_> {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'de>, D::Error> {
        self.count::<D::Error>(1)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue<'_> {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'de>, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value<'de>, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value<'de>, E> {
        Ok(Value::Whole(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value<'de>, E> {
        Ok(u64::try_from(value).map_or(Value::Number(value as f64), Value::Whole))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value<'de>, E> {
        Ok(Value::Number(value))
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<Value<'de>, E> {
        self.count::<E>(value.len())?;
        Ok(Value::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value<'de>, E> {
        self.count::<E>(value.len())?;
        Ok(Value::Text(Cow::Owned(value.to_string())))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value<'de>, E> {
        self.count::<E>(value.len())?;
        Ok(Value::Text(Cow::Owned(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element_seed(self)? {
            list.push(element);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value<'de>, A::Error> {
        let mut map = Vec::new();
        while let Some(Text(name)) = entries.next_key()? {
            self.count::<A::Error>(name.len())?;
            map.push((name, entries.next_value_seed(self)?));
        }
        Ok(Value::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_json_and_yaml_as_the_same_tree() {
        let text = r#"{"a": [true, null, 1, -2, 0.5, "x"], "a": {}}"#;
        let tree = Value::of_json(text.as_bytes()).expect("JSON");
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
        assert_eq!(Value::of_yaml(text).expect("YAML"), expected);
    }

    #[test]
    fn reads_aliases_that_do_not_repeat_too_much() {
        let tree = Value::of_yaml("a: &x [y]\nb: *x\n").expect("YAML");
        let list = || Value::List(vec![Value::Text("y".into())]);
        assert_eq!(tree, Value::Map(vec![("a".into(), list()), ("b".into(), list())]));
        let lists =
            |times| format!("a: &x [{}]\nb: [{}]\n", "y, ".repeat(2_000), "*x, ".repeat(times));
        assert!(Value::of_yaml(&lists(10)).is_ok());
        let texts = format!("a: &x {}\nb: [{}]\n", "y".repeat(50_000), "*x, ".repeat(100));
        let names = format!("a: &x {}\nb: [{}]\n", "y".repeat(50_000), "{*x : 1}, ".repeat(100));
        for yaml in [lists(2_000), texts, names] {
            let error = Value::of_yaml(&yaml).expect_err("millions of values or bytes").to_string();
            assert!(error.contains(TOO_REPETITIVE), "{error}");
        }
    }

    #[test]
    fn describes_values_briefly() {
        #[track_caller]
        fn check(json: &str, expected: &str) {
            let value = Value::of_json(json.as_bytes()).expect("JSON");
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
