//! Suggests a correction for a text that is not a valid spec.
//!
//! | typed | suggested |
//! | --- | --- |
//! | `hdf5>=1.14`, `hdf5@<=1.12`, `hdf5 == 1.14.5` | `hdf5@1.14:`, `hdf5@:1.12`, `hdf5 @1.14.5` |
//! | `hdf5 < 1.14`, `hdf5 > 1.14.3` | `hdf5 @:1.13`, `hdf5 @1.14.4:` |
//! | `hdf5@@1.14`, `hdf5 ^^zlib` | `hdf5@1.14`, `hdf5 ^zlib` |
//! | `hdf5@1.14:1.10` | `hdf5@1.10:1.14` |
//! | `"hdf5+mpi"`, `hdf5, mpi`, `hdf5 (mpi)` | `hdf5+mpi`, `hdf5 mpi`, `hdf5 mpi` |
//! | `hdf5 gcc@13` | `hdf5 %gcc@13` |
//! | `hdf5/1.14.5` | `hdf5@1.14.5` |
//! | `hdf5 os:rhel8` | `hdf5 os=rhel8` |

use cache_index::index::Index;
use spack_spec::{ParseError, ParseErrorKind, Spec};

use super::{is_compiler, is_package, words};

/// How many problems of a text are mended.
const MANY: usize = 16;

/// Characters that people put between or around the parts of a spec, where Spack only allows them in values.
const BETWEEN: &str = ",;&|(){}'\"`";

/// The comparisons of other package managers, each with what Spack writes before and after the version instead. Spack's
/// ranges include their ends, so for `<` and `>` the previous or the next version is computed.
const COMPARISONS: [(&str, &str, &str); 5] =
    [(">=", "", ":"), ("<=", ":", ""), ("==", "", ""), (">", "", ""), ("<", "", "")];

/// Returns the corrected text; `None` if the text is correct or cannot be corrected.
pub(super) fn mended(index: &Index, text: &str) -> Option<String> {
    let mut mended = with_equals_signs(&with_ranges(text));
    for _ in 0..MANY {
        let reading = Spec::read(&mended, index.dialect());
        let Some(problem) = reading.problems.first() else { break };
        if words::read(index, &mended, &reading).is_some() {
            break;
        }
        mended = without(index, problem, &mended)?;
    }
    let mended = mended.split_whitespace().collect::<Vec<_>>().join(" ");
    let reading = Spec::read(&mended, index.dialect());
    let is_understood =
        reading.problems.is_empty() || words::read(index, &mended, &reading).is_some();
    // A correction that only shortens the text would appear while the user is still typing.
    (is_understood && !mended.is_empty() && !text.starts_with(&mended)).then_some(mended)
}

/// Returns a text with `=` in place of the colon in `os:rhel8`.
fn with_equals_signs(text: &str) -> String {
    const KEYS: [&str; 4] = ["os:", "target:", "platform:", "arch:"];
    let mut equal = text.to_owned();
    for key in KEYS {
        for (at, _) in text.match_indices(key) {
            if text[..at].chars().next_back().is_none_or(char::is_whitespace) {
                equal.replace_range(at + key.len() - 1..at + key.len(), "=");
            }
        }
    }
    equal
}

/// Returns the text with one problem corrected.
fn without(index: &Index, problem: &ParseError, text: &str) -> Option<String> {
    let (start, end) = (problem.span.start, problem.span.end);
    let mut mended = text.to_owned();
    let at = text.get(start..)?.chars().next()?;
    let before = text.get(..start)?;
    match &problem.kind {
        ParseErrorKind::Version(_) => {
            let (from, to) = text.get(start..end)?.trim_start_matches('@').split_once(':')?;
            let sigil = if text[start..].starts_with('@') { "@" } else { "" };
            mended.replace_range(start..end, &format!("{sigil}{to}:{from}"));
        }
        ParseErrorKind::MoreThanOneSpec { found } if is_compiler(index, found) => {
            mended.insert(start, '%');
        }
        // The notation of environment modules: the text after the slash was read as a hash, up to the first dot.
        _ if before.rsplit_once('/').is_some_and(|(name, number)| {
            is_package(index, name)
                && !number.is_empty()
                && number.bytes().all(|b| b.is_ascii_digit())
        }) =>
        {
            mended = mended.replacen('/', "@", 1);
        }
        _ if BETWEEN.contains(at) => mended = spaced(text),
        // The first or the second of two identical signs in a row.
        _ if "@^%+~".contains(at)
            && (before.ends_with(at) || text[start + 1..].starts_with(at)) =>
        {
            mended.remove(start);
        }
        _ => return None,
    }
    (mended != text).then_some(mended)
}

/// Returns the text with spaces in place of the characters between its parts.
fn spaced(text: &str) -> String {
    let mut is_value = false;
    let space = |c: char| {
        is_value = c == '=' || is_value && !c.is_whitespace();
        if !is_value && BETWEEN.contains(c) { ' ' } else { c }
    };
    text.chars().map(space).collect()
}

/// Returns the text with comparisons replaced by Spack's ranges.
fn with_ranges(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let found = COMPARISONS.iter().find_map(|(sign, before, after)| {
            let version = rest.strip_prefix(sign)?.trim_start();
            let is_version = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
            let end = version.find(|c| !is_version(c)).unwrap_or(version.len());
            let (version, rest) = version.split_at(end);
            let range = match *sign {
                ">" => words::above(version),
                "<" => words::below(version),
                _ => format!("{before}{version}{after}"),
            };
            (end > 0).then(|| (format!("@{range}"), rest))
        });
        if let Some((range, others)) = found {
            let name = mended.trim_end_matches('@').len();
            mended.truncate(name);
            mended.push_str(&range);
            rest = others;
        } else {
            mended.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    mended
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::tests::index;

    #[test]
    fn suggests_what_was_perhaps_meant() {
        let index = index();
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(mended(&index, text).as_deref(), expected, "{text}");
        };
        check("hdf5>=1.14", Some("hdf5@1.14:"));
        check("hdf5@<=1.12", Some("hdf5@:1.12"));
        check("hdf5 == 1.14.5 +mpi", Some("hdf5 @1.14.5 +mpi"));
        check("hdf5@@1.14", Some("hdf5@1.14"));
        check("hdf5 ^^zlib", Some("hdf5 ^zlib"));
        check("hdf5@1.14:1.10 +mpi", Some("hdf5@1.10:1.14 +mpi"));
        check("\"hdf5+mpi\"", Some("hdf5+mpi"));
        check("hdf5, mpi", Some("hdf5 mpi"));
        check("hdf5+mpi gcc@13", Some("hdf5+mpi %gcc@13"));
        check("hdf5 (mpi)", Some("hdf5 mpi"));
        check("hdf5/1.14.5", Some("hdf5@1.14.5"));
        check("(hdf5) build_type=a,b", Some("hdf5 build_type=a,b"));
        // Still being typed.
        for text in ["hdf5@", "hdf5,", "hdf5 \"", "hdf5 ^", "hdf5+", "hdf5>", "hdf5>="] {
            check(text, None);
        }
        check("hdf5 @1 @2", None);
        check("é\u{301}>=", None);
    }

    proptest! {
        #[test]
        fn suggests_only_what_is_understood(text in "(hdf5)?[ @+~^%=<>:,()'\"1.2a-zé]{0,12}") {
            let index = index();
            if let Some(mended) = mended(&index, &text) {
                let reading = Spec::read(&mended, index.dialect());
                let is_spec = reading.problems.is_empty();
                prop_assert!(is_spec || words::read(&index, &mended, &reading).is_some(), "{}", mended);
            }
        }
    }
}
