//! How Spack spells compilers and variants where it prints them as text.
//!
//! Surprises, all seen in real pages:
//!
//! - a compiler is `gcc@13.2.0`, `gcc@=13.2.0` (the same), `gcc@13.2.0/<hash>` (Spack 1.x, the hash
//!   of the compiler's own build) or `none`;
//! - `k:=a,b` says what `k=a,b` says, and that the list is complete; Spack prints it only for
//!   multi-valued variants, since April 2025;
//! - a doubled sign (`++x`, `~~x`, `k==v`) says that the value was passed on to dependencies, which
//!   is no part of the build;
//! - values with other characters than `A-Za-z0-9,./_-` stand in quotes: `languages='c,c++'`.

use super::problem::{Finding, quote};
use cache_index::build::{Variant, VariantValue};

/// Reads a compiler's name and version; `none` is none.
///
/// A text of any other form is kept as it stands: which compilers there are is Spack's matter.
pub(crate) fn compiler(text: &str) -> Option<String> {
    if text == "none" {
        return None;
    }
    let is_hash = |suffix: &str| {
        !suffix.is_empty() && suffix.bytes().all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'))
    };
    let text = match text.rsplit_once('/') {
        Some((compiler, suffix)) if is_hash(suffix) => compiler,
        _ => text,
    };
    Some(text.replacen("@=", "@", 1))
}

/// Reads a variant with its value.
pub(crate) fn variant(text: &str) -> Result<Variant, Finding> {
    let not_a_variant = || Finding::NotAVariant { found: quote(text) };
    for (sign, value) in [("++", true), ("+", true), ("~~", false), ("~", false)] {
        if let Some(name) = text.strip_prefix(sign) {
            if name.is_empty() {
                return Err(not_a_variant());
            }
            return Ok(Variant { name: name.to_string(), value: VariantValue::Bool(value) });
        }
    }
    let (name, value) = text.split_once('=').ok_or_else(not_a_variant)?;
    let (name, complete) = match name.strip_suffix(':') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let value = unquote(value.strip_prefix('=').unwrap_or(value)).ok_or_else(not_a_variant)?;
    if name.is_empty() {
        return Err(not_a_variant());
    }
    let value = if complete || value.contains(',') {
        let mut values: Vec<String> = value.split(',').map(str::to_string).collect();
        values.sort_unstable();
        VariantValue::Multi(values)
    } else {
        VariantValue::Single(value)
    };
    Ok(Variant { name: name.to_string(), value })
}

/// Takes the quotes off a value that Spack put in quotes: single ones around a text as it stands,
/// double ones around a text with JSON's escapes. `None` for no value at all, or a broken quote.
fn unquote(value: &str) -> Option<String> {
    if value.is_empty() {
        return None;
    }
    if let Some(rest) = value.strip_prefix('\'') {
        return rest.strip_suffix('\'').map(str::to_string);
    }
    if value.starts_with('"') {
        return serde_json::from_str(value).ok();
    }
    Some(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_spelled_in_many_ways() {
        #[track_caller]
        fn check(text: &str, expected: Option<&str>) {
            assert_eq!(compiler(text).as_deref(), expected);
        }
        check("gcc@13.2.0", Some("gcc@13.2.0"));
        check("gcc@=13.2.0", Some("gcc@13.2.0"));
        check("gcc@13.2.0/3xvdegzhhlfqhgdipdqyjhyp2kyu6dqa", Some("gcc@13.2.0"));
        check("gcc@=13.2.0/3xvdegz", Some("gcc@13.2.0"));
        check("intel-oneapi-compilers@2024.2.1", Some("intel-oneapi-compilers@2024.2.1"));
        check("none", None);
        check("gcc", Some("gcc"));
        check("<b>@1</b>", Some("<b>@1</b>"));
    }

    #[test]
    fn variants_are_signs_or_values() {
        #[track_caller]
        fn check(text: &str, expected: &str, value: VariantValue) {
            let variant = variant(text).expect("a variant");
            assert_eq!((variant.to_string().as_str(), variant.value), (expected, value));
        }
        let single = |value: &str| VariantValue::Single(value.into());
        let multi =
            |values: &[&str]| VariantValue::Multi(values.iter().map(|v| v.to_string()).collect());
        check("+mpi", "+mpi", VariantValue::Bool(true));
        check("++mpi", "+mpi", VariantValue::Bool(true));
        check("~mpi", "~mpi", VariantValue::Bool(false));
        check("~~mpi", "~mpi", VariantValue::Bool(false));
        check("build_type=Release", "build_type=Release", single("Release"));
        check("build_type==Release", "build_type=Release", single("Release"));
        check("libs=static,shared", "libs=shared,static", multi(&["shared", "static"]));
        check("libs:=shared,static", "libs=shared,static", multi(&["shared", "static"]));
        check("patches:=cc8ac22", "patches=cc8ac22", multi(&["cc8ac22"]));
        check("languages:='c,c++'", "languages=c,c++", multi(&["c", "c++"]));
        check(r#"note="it's \"so\"""#, "note=it's \"so\"", single("it's \"so\""));
        check("dir=''", "dir=", single(""));
        check("url=a=b", "url=a=b", single("a=b"));
    }

    #[test]
    fn what_is_no_variant_is_said() {
        for text in ["", "mpi", "+", "~", "=x", ":=x", "k=", "k:=", "k='x", "k=\"x", "-mpi"] {
            assert_eq!(variant(text), Err(Finding::NotAVariant { found: quote(text) }), "{text}");
        }
    }
}
