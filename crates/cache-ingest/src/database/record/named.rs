//! Specs as Spack wrote them up to 0.16: each under its name, with its dependencies by theirs.
//!
//! ```text
//! {"pinentry": {"version": "1.1.1", …, "dependencies": {"libassuan": {"hash": "2upi74q…", "type": ["link"]}}}}
//! ```
//!
//! Spack 0.14 and 0.15 also left out the spec's own hash, under which it is listed, and whether the cache has its
//! binary: every spec of their databases that is not external counts as having one.

use crate::fields::field;
use crate::value::Value;

/// Returns `true` if a spec is an object with its name as the only field.
pub(crate) fn is_named(spec: &Value<'_>) -> bool {
    matches!(spec, Value::Map(fields) if matches!(&fields[..], [(_, named)] if field(named, "version").is_some()))
}

/// Returns a spec as later versions of Spack write it, with its name and those of its dependencies in fields.
pub(crate) fn unnamed(spec: Value<'_>) -> Value<'_> {
    if !is_named(&spec) {
        return spec;
    }
    let mut spec = with_names_inside(spec).swap_remove(0);
    if let Value::Map(fields) = &mut spec {
        for (_, value) in fields.iter_mut().filter(|(name, _)| name == "dependencies") {
            *value = match std::mem::replace(value, Value::Null) {
                by_name @ Value::Map(_) => Value::List(with_names_inside(by_name)),
                other => other,
            };
        }
    }
    spec
}

/// Returns the values of an object, each with its name as a field.
fn with_names_inside(by_name: Value<'_>) -> Vec<Value<'_>> {
    let Value::Map(entries) = by_name else { return Vec::new() };
    let inside = entries.into_iter().map(|(name, value)| match value {
        Value::Map(mut fields) => {
            fields.push(("name".into(), Value::Text(name)));
            Value::Map(fields)
        }
        other => other,
    });
    inside.collect()
}
