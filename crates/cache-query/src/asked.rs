//! What a question is about besides builds: an environment, or changes between two sides.
//!
//! Both are read from addresses, once. Text that does not name two sides is kept, so that the page can say what is wrong
//! with it and the address does not change.

use std::fmt;

use super::{push_once, texts_once};

/// An environment: that of a file, specs, or both. Empty until the user has named any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedEnvironment {
    /// The id under which the device keeps what was read from a file.
    pub file: Option<String>,
    /// Specs, each listed once.
    pub specs: Vec<String>,
}

impl AskedEnvironment {
    /// Returns the environment of a file and any number of specs.
    pub(crate) fn new(file: Option<String>, specs: &[String]) -> AskedEnvironment {
        let specs: Vec<String> = specs.iter().map(|spec| with_plus_signs(spec)).collect();
        AskedEnvironment { file, specs: texts_once(&specs) }
    }

    /// Adds a spec, unless it is blank or already there.
    pub fn add_spec(&mut self, spec: &str) {
        push_once(&mut self.specs, &with_plus_signs(spec));
    }

    /// Returns `true` if it names neither a file nor specs.
    pub fn is_empty(&self) -> bool {
        self.file.is_none() && self.specs.is_empty()
    }
}

/// The characters after which a space and a name belong to the same piece: `^[virtuals=mpi] mpich`, `% gcc`, `+ mpi`,
/// `@1.2, develop`.
const BEFORE_NAMES: [char; 7] = ['^', '%', ']', '+', '~', '@', ','];

/// Returns a spec in which a program may have turned each `+` into a space: where a name follows a space and no value
/// follows the name, it is a variant, unless the name belongs to what is before the space.
fn with_plus_signs(spec: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut whole = String::with_capacity(spec.len());
    // The quote that is open, and the last character that is not white space.
    let (mut quote, mut last): (Option<char>, Option<char>) = (None, None);
    for (at, c) in spec.char_indices() {
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            _ => {}
        }
        let belongs = quote.is_some() || last.is_some_and(|last| BEFORE_NAMES.contains(&last));
        let is_variant = c == ' ' && !belongs && {
            let rest = &spec[at + 1..];
            let names = rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            names && !rest.trim_start_matches(is_name).starts_with(['=', ':'])
        };
        whole.push(if is_variant { '+' } else { c });
        last = if c.is_whitespace() { last } else { Some(c) };
    }
    whole
}

/// The value in addresses for the changes since an earlier publication.
const PUBLISHED: &str = "published";

/// The prefix of the id of a cache that a user has opened.
const OPENED: &str = "cache:";

/// Changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedChanges {
    /// The latest: since the publication before, or between the two newest releases.
    Latest,
    /// Those that the cache was published with: since an earlier publication.
    Published,
    /// Those between two sides, which addresses state as `v2026.03.0/e4s..develop/e4s`.
    Between {
        /// The old side.
        old: AskedSide,
        /// The new side.
        new: AskedSide,
    },
    /// Any other text.
    Malformed(String),
}

/// One side of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AskedSide {
    /// Still to be chosen. If the other side is an opened cache, this is the complete cache that the page shows.
    #[default]
    Unchosen,
    /// The cache that the user has opened and the device keeps under this id.
    Opened(String),
    /// A release or stack; which one, depends on the cache.
    Named(String),
}

impl From<&str> for AskedChanges {
    fn from(text: &str) -> AskedChanges {
        match (text, sides(text)) {
            ("", _) => AskedChanges::Latest,
            (PUBLISHED, _) => AskedChanges::Published,
            (_, Some((old, new))) => AskedChanges::Between { old: old.into(), new: new.into() },
            (text, None) => AskedChanges::Malformed(text.to_owned()),
        }
    }
}

/// Splits the text of two sides. Does without the library's search for a text, whose code is only downloaded later
/// (`crates/split`).
fn sides(text: &str) -> Option<(&str, &str)> {
    let at = text.as_bytes().windows(2).position(|two| two == b"..")?;
    Some((&text[..at], &text[at + 2..]))
}

impl fmt::Display for AskedChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskedChanges::Latest => Ok(()),
            AskedChanges::Published => f.write_str(PUBLISHED),
            AskedChanges::Between { old, new } => write!(f, "{old}..{new}"),
            AskedChanges::Malformed(text) => f.write_str(text),
        }
    }
}

impl From<&str> for AskedSide {
    fn from(text: &str) -> AskedSide {
        match text.strip_prefix(OPENED) {
            None if text.is_empty() => AskedSide::Unchosen,
            // An id has no slash.
            Some(id) if !id.contains('/') => AskedSide::Opened(id.to_owned()),
            _ => AskedSide::Named(text.to_owned()),
        }
    }
}

impl fmt::Display for AskedSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskedSide::Unchosen => Ok(()),
            AskedSide::Opened(id) => write!(f, "{OPENED}{id}"),
            AskedSide::Named(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: AskedChanges) {
        assert_eq!(AskedChanges::from(text), expected);
        assert_eq!(expected.to_string(), text);
    }

    fn between(old: AskedSide, new: AskedSide) -> AskedChanges {
        AskedChanges::Between { old, new }
    }

    fn named(name: &str) -> AskedSide {
        AskedSide::Named(name.to_owned())
    }

    #[test]
    fn reads_what_it_writes() {
        check("", AskedChanges::Latest);
        check("published", AskedChanges::Published);
        check("a..b", between(named("a"), named("b")));
        check("a/s..v1.2/s/t", between(named("a/s"), named("v1.2/s/t")));
        check("/s../t", between(named("/s"), named("/t")));
        check("..", between(AskedSide::Unchosen, AskedSide::Unchosen));
        for text in ["a", "a.b", "a/b", "cache:c0ffee"] {
            check(text, AskedChanges::Malformed(text.to_owned()));
        }
    }

    #[test]
    fn puts_plus_signs_only_before_variants() {
        #[track_caller]
        fn check(written: &str, expected: &str) {
            let environment = AskedEnvironment::new(None, &[written.to_owned()]);
            assert_eq!(environment.specs, [expected]);
            let mut environment = AskedEnvironment::default();
            environment.add_spec(expected);
            assert_eq!(environment.specs, [expected]);
        }
        check("hdf5@1.14: mpi ^mpich cuda", "hdf5@1.14:+mpi ^mpich+cuda");
        for same in [
            "hdf5 ^[virtuals=mpi] openmpi",
            "hdf5 % gcc ^ zlib",
            "hdf5 + mpi",
            "hdf5@1.12, develop",
            "hdf5 ldflags='-T file'",
        ] {
            check(same, same);
        }
    }

    #[test]
    fn names_an_opened_cache_by_its_id() {
        let opened = || AskedSide::Opened("c0ffee".to_owned());
        check("cache:c0ffee..develop/e4s", between(opened(), named("develop/e4s")));
        check("..cache:c0ffee", between(AskedSide::Unchosen, opened()));
        check("cache:c0ffee/e4s..b", between(named("cache:c0ffee/e4s"), named("b")));
    }
}
