//! Compiler flags.
//!
//! Flags are sets: `cflags="-O3"` matches a build with `-O3 -march=haswell`. A word that does not
//! start with `-` belongs to the flag before it, so `-I dir` is one flag. `cflags=''` asks for
//! nothing.

use crate::quote::quoted;
use crate::sorted::SortKey;

/// The names of the flags that Spack knows; any other `name=value` is a variant.
pub const FLAG_NAMES: [&str; 6] = ["cflags", "cppflags", "cxxflags", "fflags", "ldflags", "ldlibs"];

/// A constraint on the compiler flags of one name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FlagConstraint {
    /// One of [`FLAG_NAMES`].
    pub name: String,
    /// The flags in the order written, never empty. A flag may be propagated (`cflags==-O3`), which does not change
    /// what matches.
    pub flags: Vec<Flag>,
}

impl SortKey for FlagConstraint {
    /// The name of the flags, such as `cflags`.
    fn key(&self) -> &str {
        &self.name
    }
}

/// One flag that a build must have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Flag {
    /// Such as `-O3`.
    pub text: String,
    /// `true` if it was written with `==`.
    pub propagate: bool,
}

impl FlagConstraint {
    /// Returns `true` if all wanted flags are among these.
    ///
    /// ```
    /// use spack_spec::{Dialect, Spec};
    ///
    /// let spec = Spec::parse("hdf5 cflags=-O3", Dialect::V1)?;
    /// assert!(spec.root.flags[0].matches(&["-g".into(), "-O3".into()]));
    /// # Ok::<(), spack_spec::ParseError>(())
    /// ```
    pub fn matches(&self, flags: &[String]) -> bool {
        self.flags.iter().all(|wanted| flags.contains(&wanted.text))
    }

    /// Writes the constraint as Spack does, with flags that are not propagated first. If `exact`, keeps the order of
    /// the flags, and begins a new value at a flag without a dash, which would otherwise be read as part of the flag
    /// before it.
    pub(crate) fn written(
        &self,
        quote: fn(&str) -> std::borrow::Cow<'_, str>,
        exact: bool,
    ) -> String {
        let mut flags: Vec<&Flag> = self.flags.iter().collect();
        if !exact {
            flags.sort_by_key(|flag| flag.propagate);
        }
        let mut values: Vec<(bool, String)> = Vec::new();
        for Flag { text, propagate } in flags {
            match values.last_mut() {
                Some((of_value, value))
                    if of_value == propagate && (!exact || text.starts_with('-')) =>
                {
                    value.push(' ');
                    value.push_str(text);
                }
                _ => values.push((*propagate, text.clone())),
            }
        }
        let sign = |propagate| if propagate { "==" } else { "=" };
        let values = values
            .iter()
            .map(|(propagate, value)| format!("{}{}{}", self.name, sign(*propagate), quote(value)));
        values.collect::<Vec<String>>().join(" ")
    }
}

impl std::fmt::Display for FlagConstraint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.written(quoted, false))
    }
}

/// Splits a value into flags.
pub(crate) fn split(value: &str, propagate: bool) -> Vec<Flag> {
    let mut flags: Vec<Flag> = Vec::new();
    for word in value.split_whitespace() {
        match flags.last_mut() {
            Some(flag) if !word.starts_with('-') => {
                flag.text.push(' ');
                flag.text.push_str(word);
            }
            _ => flags.push(Flag { text: word.to_owned(), propagate }),
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_a_word_without_a_dash_with_the_flag_before() {
        let flags: Vec<String> =
            split(" -I dir  -O3 ", false).into_iter().map(|flag| flag.text).collect();
        assert_eq!(flags, ["-I dir", "-O3"]);
        assert!(split("", false).is_empty());
    }
}
