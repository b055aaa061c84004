//! Variants: what a build was made with, and what is asked of it.
//!
//! A [`Variant`] is one variant of a concrete spec, a [`VariantConstraint`] what a query asks.
//!
//! | written | asks for |
//! |---|---|
//! | `+x`, `~x`, `-x`, `x=true` | that it is on, or off |
//! | `x=a,b` | that these values are among those it has |
//! | `x:=a,b` | that it has these and no others |
//! | `x=*` | that it is there at all |
//! | `++x`, `~~x`, `x==a` | that nothing in the graph which has it says otherwise |
//!
//! Surprises:
//!
//! - Absent is not off: `~x` needs the variant to be there. Only the propagated forms are content
//!   with its absence.
//! - `mpi=true` is `+mpi`, in any case of letters; `mpi=1` and `mpi=on` are values like any other.
//! - `patches=` asks for the beginning of a checksum.

use std::fmt;
use std::str::FromStr;

use crate::names::sort_and_dedup;
use crate::quote::quoted;

/// One variant of a concrete spec.
///
/// Its text form is that of cache pages: `+shared`, `~mpi`, `build_type=Release`,
/// `languages=c,c++` and, since Spack 1.0, `languages:=c,c++`. Without the colon a list of one is
/// read as a single value, since the text does not tell them apart.
///
/// ```
/// use spack_spec::{Variant, VariantValue};
///
/// let variant: Variant = "languages:=c,c++".parse()?;
/// assert_eq!(variant.name, "languages");
/// assert_eq!(variant.value, VariantValue::Multi(vec!["c".into(), "c++".into()]));
/// # Ok::<(), spack_spec::VariantError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variant {
    /// Such as `mpi` or `build_type`.
    pub name: String,
    /// What it is set to.
    pub value: VariantValue,
}

/// What a variant of a concrete spec is set to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VariantValue {
    /// `+shared` or `~shared`.
    Bool(bool),
    /// `build_type=Release`.
    Single(String),
    /// `languages=c,c++`: the complete list, in any order.
    Multi(Vec<String>),
}

/// What is asked of one variant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VariantConstraint {
    /// The variant's name.
    pub name: String,
    /// What it should be.
    pub wanted: Wanted,
    /// `++x`, `x==y`: asked of the whole graph, of each node that has the variant.
    pub propagate: bool,
}

/// What a variant should be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// `+x` or `~x`.
    Bool(bool),
    /// `x=*`.
    Anything,
    /// `x=a,b`: sorted, each once, never empty.
    Including(Vec<String>),
    /// `x:=a,b`: sorted, each once, never empty. Spack 1.x only.
    Exactly(Vec<String>),
}

impl VariantConstraint {
    /// Whether this value, or the absence of one, is what is asked for.
    ///
    /// Evaluate it once for each distinct value; it needs nothing else of a build. For a
    /// [propagated](Self::propagate) one it says whether a node stands against it.
    pub fn matches(&self, value: Option<&VariantValue>) -> bool {
        let Some(value) = value else { return self.propagate };
        match (&self.wanted, value) {
            (Wanted::Anything, _) => true,
            (Wanted::Bool(wanted), VariantValue::Bool(value)) => wanted == value,
            (Wanted::Bool(_), _) | (_, VariantValue::Bool(_)) => false,
            (Wanted::Including(wanted), value) => {
                let values = value.strings();
                let is_met = |wanted: &String| {
                    values.contains(wanted)
                        || self.name == "patches"
                            && values.iter().any(|value| value.starts_with(wanted.as_str()))
                };
                wanted.iter().all(is_met)
            }
            (Wanted::Exactly(wanted), value) => {
                let values = value.strings();
                wanted.iter().all(|wanted| values.contains(wanted))
                    && values.iter().all(|value| wanted.contains(value))
            }
        }
    }

    /// Reads the right side of `name=value`, without its quotes.
    pub(crate) fn key_value(name: &str, value: &str, exact: bool, propagate: bool) -> Self {
        let wanted = if value.eq_ignore_ascii_case("true") {
            Wanted::Bool(true)
        } else if value.eq_ignore_ascii_case("false") {
            Wanted::Bool(false)
        } else if value == "*" {
            Wanted::Anything
        } else {
            let mut values: Vec<String> = value.split(',').map(str::to_owned).collect();
            sort_and_dedup(&mut values);
            if exact { Wanted::Exactly(values) } else { Wanted::Including(values) }
        };
        VariantConstraint { name: name.to_owned(), wanted, propagate }
    }

    /// Whether both can be asked of one build; if so, both are now asked here.
    pub(crate) fn merge(&mut self, other: &VariantConstraint) -> bool {
        let merged = match (&self.wanted, &other.wanted) {
            (own, theirs) if own == theirs => own.clone(),
            (Wanted::Anything, asked) | (asked, Wanted::Anything) => asked.clone(),
            (Wanted::Including(own), Wanted::Including(theirs)) => {
                let mut values: Vec<String> = own.iter().chain(theirs).cloned().collect();
                sort_and_dedup(&mut values);
                Wanted::Including(values)
            }
            (Wanted::Exactly(all), Wanted::Including(some))
            | (Wanted::Including(some), Wanted::Exactly(all))
                if some.iter().all(|value| all.contains(value)) =>
            {
                Wanted::Exactly(all.clone())
            }
            _ => return false,
        };
        self.wanted = merged;
        self.propagate &= other.propagate;
        true
    }
}

impl VariantValue {
    fn strings(&self) -> &[String] {
        match self {
            VariantValue::Bool(_) => &[],
            VariantValue::Single(value) => std::slice::from_ref(value),
            VariantValue::Multi(values) => values,
        }
    }
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(text: &str) -> Result<Variant, VariantError> {
        let (name, value) = if let Some(name) = text.strip_prefix('+') {
            (name, VariantValue::Bool(true))
        } else if let Some(name) = text.strip_prefix('~') {
            (name, VariantValue::Bool(false))
        } else {
            let (name, value) =
                text.split_once('=').ok_or(VariantError::ExpectedSignOrEqualsSign)?;
            let list = || value.split(',').map(str::to_owned).collect();
            match name.strip_suffix(':') {
                Some(name) => (name, VariantValue::Multi(list())),
                None if value.contains(',') => (name, VariantValue::Multi(list())),
                None => (name, VariantValue::Single(value.to_owned())),
            }
        };
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        if name.is_empty() {
            Err(VariantError::ExpectedName)
        } else if !name.bytes().all(is_allowed) {
            Err(VariantError::UnexpectedCharacterInName)
        } else {
            Ok(Variant { name: name.to_owned(), value })
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            VariantValue::Bool(true) => write!(f, "+{}", self.name),
            VariantValue::Bool(false) => write!(f, "~{}", self.name),
            VariantValue::Single(value) => write!(f, "{}={value}", self.name),
            VariantValue::Multi(values) => write!(f, "{}:={}", self.name, values.join(",")),
        }
    }
}

impl fmt::Display for VariantConstraint {
    /// In Spack's spelling.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match (&self.wanted, self.propagate) {
            (Wanted::Bool(true), false) => write!(f, "+{name}"),
            (Wanted::Bool(false), false) => write!(f, "~{name}"),
            (Wanted::Bool(true), true) => write!(f, "++{name}"),
            (Wanted::Bool(false), true) => write!(f, "~~{name}"),
            (wanted, propagate) => {
                let exactly = if matches!(wanted, Wanted::Exactly(_)) { ":" } else { "" };
                let sign = if propagate { "==" } else { "=" };
                let values: Vec<&str> = match wanted {
                    // Checksums are long, and Spack shows no more of them.
                    Wanted::Exactly(values) if name == "patches" => {
                        values.iter().map(|value| value.get(..7).unwrap_or(value)).collect()
                    }
                    Wanted::Including(values) | Wanted::Exactly(values) => {
                        values.iter().map(String::as_str).collect()
                    }
                    _ => vec!["*"],
                };
                write!(f, "{name}{exactly}{sign}{}", quoted(&values.join(",")))
            }
        }
    }
}

/// Why a text is no [`Variant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantError {
    /// It starts with no sign and has no `=`.
    ExpectedSignOrEqualsSign,
    /// There is no name.
    ExpectedName,
    /// The name has a character that no variant's name has.
    UnexpectedCharacterInName,
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            VariantError::ExpectedSignOrEqualsSign => {
                "expected a variant as `+name`, `~name` or `name=value`"
            }
            VariantError::ExpectedName => "expected the name of a variant, found nothing",
            VariantError::UnexpectedCharacterInName => {
                "expected letters, digits, `.`, `-` and `_` in the name of a variant"
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
    fn values_are_matched_by_kind() {
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
    fn what_is_no_variant_says_why() {
        for (text, expected) in [
            ("mpi", "expected a variant as `+name`, `~name` or `name=value`"),
            ("", "expected a variant as `+name`, `~name` or `name=value`"),
            ("+", "expected the name of a variant, found nothing"),
            (":=a", "expected the name of a variant, found nothing"),
            ("~a b", "expected letters, digits, `.`, `-` and `_` in the name of a variant"),
        ] {
            assert_eq!(text.parse::<Variant>().expect_err("no variant").to_string(), expected);
        }
    }
}
