//! Variants: the options that a build was made with, and constraints on them.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::quote::{quoted, unquoted_as_printed};
use crate::sorted::{SortKey, SortedList};
use crate::span::{Span, message_with_carets, shown};

/// One variant of a concrete spec.
///
/// It is read from the notation that Spack prints; no other code reads that notation:
///
/// | text | value |
/// |---|---|
/// | `+shared`, `++shared` | [`Bool(true)`](VariantValue::Bool) |
/// | `~mpi`, `~~mpi` | [`Bool(false)`](VariantValue::Bool) |
/// | `build_type=Release`, `build_type==Release` | [`Single`](VariantValue::Single) |
/// | `languages=c,c++` | [`Multi`](VariantValue::Multi), because of the comma |
/// | `languages:=c,c++`, `languages:=c` | [`Multi`](VariantValue::Multi), because of the colon (since Spack 1.0) |
/// | `dir='a b'`, `dir=''` | as without quotes; the text between them is kept as it is |
/// | `note="it's"` | as without quotes, with the escapes of JSON |
///
/// A doubled sigil means that Spack passed the value on to dependencies, which is not a property of the build. Without
/// the colon, a list of one value is read as a single value, because the text does not distinguish the two. The values
/// of a list are sorted when they are read.
///
/// `{}` prints the short form for people, without colon and quotes; each value has exactly one spelling, so it can also
/// serve as a key. `{:#}` prints Spack's form, which parses as an equal variant, except for a single value that
/// contains a comma.
///
/// ```
/// use spack_spec::{Variant, VariantValue};
///
/// let variant: Variant = "languages:='c,c++'".parse()?;
/// assert_eq!(variant.name, "languages");
/// assert_eq!(variant.value, VariantValue::Multi(vec!["c".into(), "c++".into()]));
/// assert_eq!(format!("{variant}"), "languages=c,c++");
/// assert_eq!(format!("{variant:#}"), "languages:='c,c++'");
/// # Ok::<(), spack_spec::VariantError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variant {
    /// Such as `mpi` or `build_type`.
    pub name: String,
    /// Its value.
    pub value: VariantValue,
}

/// The value of a variant of a concrete spec.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VariantValue {
    /// `+shared` or `~shared`.
    Bool(bool),
    /// `build_type=Release`.
    Single(String),
    /// `languages=c,c++`: the complete list. Order matters for equality, so keep lists sorted, as the parser does.
    Multi(Vec<String>),
}

/// A constraint on one variant.
///
/// | written | asks for |
/// |---|---|
/// | `+x`, `~x`, `-x`, `x=true` | the variant to be on, or off |
/// | `x=a,b` | these values to be among its values |
/// | `x:=a,b` | exactly these values |
/// | `x=*` | any value, but the variant must exist |
/// | `++x`, `~~x`, `x==a` | no node in the graph that has the variant to contradict this |
///
/// Surprises:
///
/// - A missing variant is not off: `~x` requires the variant to exist. Only the propagated forms accept a missing one.
/// - `mpi=true` means `+mpi`, in any case of letters; `mpi=1` and `mpi=on` are ordinary values.
/// - `patches=` takes the beginning of a checksum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VariantConstraint {
    /// The variant's name.
    pub name: String,
    /// The value it must have.
    pub wanted: WantedValue,
    /// `++x`, `x==y`: applies to every node of the graph that has the variant.
    pub propagate: bool,
}

impl SortKey for VariantConstraint {
    /// The variant's name.
    fn key(&self) -> &str {
        &self.name
    }
}

/// The value that a variant must have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WantedValue {
    /// `+x` or `~x`.
    Bool(bool),
    /// `x=*`.
    Anything,
    /// `x=a,b`: these values and perhaps others.
    Including(SortedList<String>),
    /// `x:=a,b`: exactly these values. Spack 1.x only.
    Exactly(SortedList<String>),
}

impl VariantConstraint {
    /// Returns `true` if this value, or `None` for a node without the variant, satisfies the constraint.
    ///
    /// The result depends on nothing else about the build, so it is enough to ask once for each distinct value. A
    /// [propagated](Self::propagate) constraint accepts a missing variant.
    ///
    /// ```
    /// use spack_spec::{Dialect, Spec, VariantValue};
    ///
    /// let spec = Spec::parse("hdf5 languages=c", Dialect::V1)?;
    /// let value = VariantValue::Multi(vec!["c".into(), "c++".into()]);
    /// assert!(spec.root.variants[0].matches(Some(&value)));
    /// assert!(!spec.root.variants[0].matches(None));
    /// # Ok::<(), spack_spec::ParseError>(())
    /// ```
    pub fn matches(&self, value: Option<&VariantValue>) -> bool {
        let Some(value) = value else { return self.propagate };
        match (&self.wanted, value) {
            (WantedValue::Anything, _) => true,
            (WantedValue::Bool(wanted), VariantValue::Bool(value)) => wanted == value,
            (WantedValue::Bool(_), _) | (_, VariantValue::Bool(_)) => false,
            (WantedValue::Including(wanted), value) => {
                let values = value.strings();
                let is_met = |wanted: &String| {
                    values.contains(wanted)
                        || self.name == "patches"
                            && values.iter().any(|value| value.starts_with(wanted.as_str()))
                };
                wanted.iter().all(is_met)
            }
            (WantedValue::Exactly(wanted), value) => {
                let values = value.strings();
                wanted.iter().all(|wanted| values.contains(wanted))
                    && values.iter().all(|value| wanted.contains(value))
            }
        }
    }

    /// Reads the right side of `name=value`, without quotes.
    pub(crate) fn key_value(name: &str, value: &str, exact: bool, propagate: bool) -> Self {
        let wanted = if value.eq_ignore_ascii_case("true") {
            WantedValue::Bool(true)
        } else if value.eq_ignore_ascii_case("false") {
            WantedValue::Bool(false)
        } else if value == "*" {
            WantedValue::Anything
        } else {
            let values = value.split(',').map(str::to_owned).collect();
            if exact { WantedValue::Exactly(values) } else { WantedValue::Including(values) }
        };
        VariantConstraint { name: name.to_owned(), wanted, propagate }
    }

    /// Adds the other's constraint; returns `false` if no build can satisfy both.
    pub(crate) fn merge(&mut self, other: &VariantConstraint) -> bool {
        let merged = match (&self.wanted, &other.wanted) {
            (own, theirs) if own == theirs => own.clone(),
            (WantedValue::Anything, asked) | (asked, WantedValue::Anything) => asked.clone(),
            (WantedValue::Including(own), WantedValue::Including(theirs)) => {
                WantedValue::Including(own.iter().chain(theirs).cloned().collect())
            }
            (WantedValue::Exactly(all), WantedValue::Including(some))
            | (WantedValue::Including(some), WantedValue::Exactly(all))
                if some.iter().all(|value| all.contains(value)) =>
            {
                WantedValue::Exactly(all.clone())
            }
            _ => return false,
        };
        self.wanted = merged;
        self.propagate &= other.propagate;
        true
    }
}

impl VariantValue {
    /// Returns the values of a variant that is not boolean; empty for one that is.
    ///
    /// ```
    /// use spack_spec::VariantValue;
    ///
    /// assert_eq!(VariantValue::Single("Release".into()).strings(), ["Release"]);
    /// assert!(VariantValue::Bool(true).strings().is_empty());
    /// ```
    pub fn strings(&self) -> &[String] {
        match self {
            VariantValue::Bool(_) => &[],
            VariantValue::Single(value) => std::slice::from_ref(value),
            VariantValue::Multi(values) => values,
        }
    }
}

impl Variant {
    /// Reads the short form of a boolean variant, or of one value: the text after the `=` is the value as it is,
    /// including commas and quotes. `None` if there is neither a sigil nor `=`.
    ///
    /// ```
    /// use spack_spec::{Variant, VariantValue};
    ///
    /// let variant = Variant::of_one_value("note='a,b'").expect("a name and a value");
    /// assert_eq!(variant.value, VariantValue::Single("'a,b'".into()));
    /// assert_eq!(variant.to_string(), "note='a,b'");
    /// assert_eq!(Variant::of_one_value("mpi"), None);
    /// ```
    pub fn of_one_value(text: &str) -> Option<Variant> {
        let (name, value) = match signed(text) {
            Some((is_on, name)) => (name, VariantValue::Bool(is_on)),
            None => {
                let (name, value) = text.split_once('=')?;
                (name, VariantValue::Single(value.to_owned()))
            }
        };
        Some(Variant { name: name.to_owned(), value })
    }
}

/// Splits `+x` or `~x` into whether the sigil is `+`, and the rest.
fn signed(text: &str) -> Option<(bool, &str)> {
    let on = text.strip_prefix('+').map(|name| (true, name));
    on.or_else(|| text.strip_prefix('~').map(|name| (false, name)))
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(text: &str) -> Result<Variant, VariantError> {
        let error = |kind, span| Err(VariantError { kind, span });
        let (start, name, value) = if let Some((is_on, name)) = signed(text) {
            let doubled = if is_on { '+' } else { '~' };
            let name = name.strip_prefix(doubled).unwrap_or(name);
            (text.len() - name.len(), name, VariantValue::Bool(is_on))
        } else {
            let Some((left, right)) = text.split_once('=') else {
                return error(VariantErrorKind::ExpectedSignOrEqualsSign, 0..text.len());
            };
            let written = right.strip_prefix('=').unwrap_or(right);
            let start = text.len() - written.len();
            if written.is_empty() {
                return error(VariantErrorKind::ExpectedValue, start..start);
            }
            let Some(value) = unquoted_as_printed(written) else {
                return error(VariantErrorKind::BrokenQuotes, start..text.len());
            };
            let (name, is_complete) =
                left.strip_suffix(':').map_or((left, false), |name| (name, true));
            let value = if is_complete || value.contains(',') {
                let mut values: Vec<String> = value.split(',').map(str::to_owned).collect();
                values.sort();
                VariantValue::Multi(values)
            } else {
                VariantValue::Single(value.into_owned())
            };
            (0, name, value)
        };
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        match name.char_indices().find(|(_, character)| !is_allowed(*character)) {
            None if name.is_empty() => error(VariantErrorKind::ExpectedName, start..start),
            None => Ok(Variant { name: name.to_owned(), value }),
            Some((place, found)) => error(
                VariantErrorKind::UnexpectedCharacterInName(found),
                start + place..start + place + found.len_utf8(),
            ),
        }
    }
}

impl fmt::Display for Variant {
    /// Writes the short form with `{}`, Spack's form with `{:#}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        let (sign, value) = match &self.value {
            VariantValue::Bool(true) => return write!(f, "+{name}"),
            VariantValue::Bool(false) => return write!(f, "~{name}"),
            VariantValue::Single(value) => ("=", Cow::Borrowed(value.as_str())),
            VariantValue::Multi(values) if f.alternate() => (":=", values.join(",").into()),
            VariantValue::Multi(values) => ("=", values.join(",").into()),
        };
        match f.alternate() {
            true => write!(f, "{name}{sign}{}", quoted(&value)),
            false => write!(f, "{name}{sign}{value}"),
        }
    }
}

impl fmt::Display for VariantConstraint {
    /// Writes the constraint as Spack does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match (&self.wanted, self.propagate) {
            (WantedValue::Bool(true), false) => write!(f, "+{name}"),
            (WantedValue::Bool(false), false) => write!(f, "~{name}"),
            (WantedValue::Bool(true), true) => write!(f, "++{name}"),
            (WantedValue::Bool(false), true) => write!(f, "~~{name}"),
            (wanted, propagate) => {
                let exactly = if matches!(wanted, WantedValue::Exactly(_)) { ":" } else { "" };
                let sign = if propagate { "==" } else { "=" };
                let values: Vec<&str> = match wanted {
                    // Checksums are long, and Spack abbreviates them.
                    WantedValue::Exactly(values) if name == "patches" => {
                        values.iter().map(|value| value.get(..7).unwrap_or(value)).collect()
                    }
                    WantedValue::Including(values) | WantedValue::Exactly(values) => {
                        values.iter().map(String::as_str).collect()
                    }
                    _ => vec!["*"],
                };
                write!(f, "{name}{exactly}{sign}{}", quoted(&values.join(",")))
            }
        }
    }
}

/// Why a text is not a [`Variant`], with the position.
///
/// `Display` prints one sentence; [`in_text`](VariantError::in_text) adds the text and carets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariantError {
    /// What is wrong.
    pub kind: VariantErrorKind,
    /// Where, in bytes. Empty if something is missing there.
    pub span: Span,
}

/// What can be wrong with the text of a [`Variant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VariantErrorKind {
    /// The text does not start with a sigil and does not contain `=`.
    ExpectedSignOrEqualsSign,
    /// The name is empty.
    ExpectedName,
    /// The name contains a character that Spack does not allow there.
    UnexpectedCharacterInName(char),
    /// `k=`: nothing follows the equals sign. An empty value is written `k=''`.
    ExpectedValue,
    /// A quote is not closed, or contains an invalid escape.
    BrokenQuotes,
}

impl VariantError {
    /// Returns the sentence, the text, and carets below the position.
    ///
    /// ```
    /// use spack_spec::Variant;
    ///
    /// let error = "a b=c".parse::<Variant>().unwrap_err();
    /// assert_eq!(
    ///     error.in_text("a b=c"),
    ///     "expected letters, digits, `.`, `-` and `_` in the name of a variant, found U+0020\n\
    ///      a b=c\n\
    ///      \u{20}^",
    /// );
    /// ```
    pub fn in_text(&self, text: &str) -> String {
        message_with_carets(self, text, self.span.clone())
    }
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            VariantErrorKind::ExpectedSignOrEqualsSign => {
                "expected a variant as `+name`, `~name` or `name=value`"
            }
            VariantErrorKind::ExpectedName => "expected the name of a variant, found nothing",
            VariantErrorKind::UnexpectedCharacterInName(found) => {
                return write!(
                    f,
                    "expected letters, digits, `.`, `-` and `_` in the name of a variant, found {}",
                    shown(found)
                );
            }
            VariantErrorKind::ExpectedValue => "expected a value after `=`, found nothing",
            VariantErrorKind::BrokenQuotes => {
                "expected a closing quote of the same kind, and the escapes of JSON in double quotes"
            }
        })
    }
}

impl std::error::Error for VariantError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(constraint: (&str, &str), variant: &str, expected: bool) {
        let wanted = VariantConstraint::key_value(constraint.0, constraint.1, false, false);
        let variant: Variant = variant.parse().expect("a variant");
        assert_eq!(wanted.matches(Some(&variant.value)), expected, "{variant} for {wanted}");
    }

    #[test]
    fn matches_values_by_kind() {
        check(("mpi", "true"), "+mpi", true);
        check(("mpi", "TRUE"), "~mpi", false);
        check(("mpi", "1"), "+mpi", false);
        check(("mpi", "*"), "~mpi", true);
        check(("languages", "c"), "languages=c,c++", true);
        check(("languages", "c,fortran"), "languages=c,c++", false);
        check(("build_type", "Release,Debug"), "build_type=Release", false);
        check(("patches", "88"), "patches=881d2ed,99", true);
        check(("commit", "88"), "commit=881d2ed", false);
    }

    #[test]
    fn reads_and_prints_the_notation_of_pages() {
        #[track_caller]
        fn check(text: &str, short: &str, exact: &str, value: VariantValue) {
            let variant: Variant = text.parse().expect("a variant");
            assert_eq!(variant.value, value, "{text}");
            assert_eq!(
                (format!("{variant}"), format!("{variant:#}")),
                (short.into(), exact.into())
            );
            assert_eq!(exact.parse(), Ok(variant), "{exact}");
        }
        let single = |value: &str| VariantValue::Single(value.into());
        let multi =
            |values: &[&str]| VariantValue::Multi(values.iter().map(|v| v.to_string()).collect());
        check("+mpi", "+mpi", "+mpi", VariantValue::Bool(true));
        check("++mpi", "+mpi", "+mpi", VariantValue::Bool(true));
        check("~mpi", "~mpi", "~mpi", VariantValue::Bool(false));
        check("~~mpi", "~mpi", "~mpi", VariantValue::Bool(false));
        check("k=v", "k=v", "k=v", single("v"));
        check("k==v", "k=v", "k=v", single("v"));
        check("k=true", "k=true", "k=true", single("true"));
        check("k=b,a", "k=a,b", "k:=a,b", multi(&["a", "b"]));
        check("k:=b,a", "k=a,b", "k:=a,b", multi(&["a", "b"]));
        check("k:=a", "k=a", "k:=a", multi(&["a"]));
        check("k:='c,c++'", "k=c,c++", "k:='c,c++'", multi(&["c", "c++"]));
        check("k=''", "k=", "k=''", single(""));
        check("k=a=b", "k=a=b", "k='a=b'", single("a=b"));
        check(r#"k="it's \"so\"""#, r#"k=it's "so""#, r#"k="it's \"so\"""#, single(r#"it's "so""#));
        check(r#"k="'\u00e9\ud83d\ude00""#, "k='é😀", r#"k="'\u00e9\ud83d\ude00""#, single("'é😀"));
    }

    #[test]
    fn rejects_malformed_variants() {
        #[track_caller]
        fn check(text: &str, found: &str, message: &str) {
            let error = text.parse::<Variant>().expect_err("an error");
            assert_eq!((&text[error.span.clone()], &*error.to_string()), (found, message));
        }
        let form = "expected a variant as `+name`, `~name` or `name=value`";
        check("mpi", "mpi", form);
        check("-mpi", "-mpi", form);
        check("", "", form);
        let name = "expected the name of a variant, found nothing";
        check("+", "", name);
        check("~", "", name);
        check(":=a", "", name);
        check("=x", "", name);
        let letters = "expected letters, digits, `.`, `-` and `_` in the name of a variant, found";
        check("~a b", " ", &format!("{letters} U+0020"));
        check("+++a", "+", &format!("{letters} `+`"));
        check("é=a", "é", &format!("{letters} `é`"));
        check("k=", "", "expected a value after `=`, found nothing");
        check("k:=", "", "expected a value after `=`, found nothing");
        let quotes =
            "expected a closing quote of the same kind, and the escapes of JSON in double quotes";
        for value in ["'", "'x", "\"x", "\"\\", "\"a\"b\"", "\"\\q\"", "\"\\ud800\"", "\"\\u12\""] {
            check(&format!("k={value}"), value, quotes);
        }
    }
}
